//! Losses: the parts of a value that a target could not carry.

use alloc::vec::Vec;
use core::fmt;

use gdvar_wire::Kind;

/// A way in which a value changed because its target has no such thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Loss {
    /// It became a value of another kind, with nothing of its content lost.
    Retyped(Kind),
    /// It became null.
    Dropped,
    /// The element type of a container is gone.
    TypeDropped,
    /// The mark of Godot 2 that a container is shared is gone; other engines do not read it.
    SharedDropped,
    /// A number was rounded to what the target can hold.
    Rounded,
    /// Characters that the target cannot hold became U+FFFD.
    TextReplaced,
    /// Two surrogates that belong together became the character they stand for.
    SurrogatesJoined,
    /// A RID lost its number.
    NumberDropped,
    /// The script of an object became null.
    ScriptDropped,
    /// A whole object keeps the names of its class and properties, which the other engine may
    /// not know.
    NamesKept,
    /// A dictionary had a key more than once; the last value was kept, as the engines do.
    KeysMerged,
    /// A key changed in one of the other ways, or is a StringName, which equals a String in Godot 4
    /// only: it may now equal another key of its dictionary, and readers keep one of the two.
    KeyChanged,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Retyped(kind) => write!(f, "became {kind}"),
            Loss::Dropped => f.write_str("became null"),
            Loss::TypeDropped => f.write_str("lost its element type"),
            Loss::SharedDropped => f.write_str("lost its mark as shared"),
            Loss::Rounded => f.write_str("was rounded"),
            Loss::TextReplaced => f.write_str("has characters replaced by U+FFFD"),
            Loss::SurrogatesJoined => f.write_str("has pairs of surrogates joined"),
            Loss::NumberDropped => f.write_str("lost its number"),
            Loss::ScriptDropped => f.write_str("lost its script"),
            Loss::NamesKept => f.write_str("keeps the names of the other engine"),
            Loss::KeyChanged => f.write_str("is a key that may now equal another"),
            Loss::KeysMerged => f.write_str("had repeated keys, the last value counts"),
        }
    }
}

/// A loss, how often it happened to values of one kind, and where first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported {
    /// The kind of loss.
    pub loss: Loss,
    /// To values of which kind.
    pub kind: Kind,
    /// How often.
    pub count: u64,
    /// The offset of the first such value in the source;
    /// [`Document::locate`](gdvar_view::Document::locate) gives its path.
    pub first: usize,
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {} {}", self.count, self.kind, self.loss)
    }
}

/// Everything that changed on the way: empty if nothing did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    entries: Vec<Reported>,
}

impl Report {
    /// Returns `true` if the target carries everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The changes, in the order in which they were met first. At most one entry for each loss and
    /// kind.
    #[must_use]
    pub fn entries(&self) -> &[Reported] {
        &self.entries
    }

    /// The number of changes.
    pub(super) fn total(&self) -> u64 {
        self.entries.iter().map(|known| known.count).sum()
    }

    pub(super) fn note(&mut self, loss: Loss, kind: Kind, offset: usize) {
        let known = self
            .entries
            .iter_mut()
            .find(|known| known.loss == loss && known.kind == kind);
        match known {
            Some(known) => known.count += 1,
            None => self.entries.push(Reported {
                loss,
                kind,
                count: 1,
                first: offset,
            }),
        }
    }
}
