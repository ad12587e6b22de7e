//! The report of a conversion: what the target could not hold.

use alloc::vec::Vec;
use core::fmt;

use gdvar_wire::Kind;

/// A way in which a value changed because the target lacks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Loss {
    /// The value became another kind, and its content was kept.
    Retyped(Kind),
    /// The value became null.
    Dropped,
    /// A container lost its element type.
    TypeDropped,
    /// A container lost Godot 2's mark for shared containers, which other engines do not read.
    SharedDropped,
    /// A number was rounded to what the target can hold.
    Rounded,
    /// Characters that the target cannot hold became U+FFFD.
    TextReplaced,
    /// A pair of surrogates became its character.
    SurrogatesJoined,
    /// A RID lost its number.
    NumberDropped,
    /// The script of an object became null.
    ScriptDropped,
    /// A whole object kept the names of its class and properties, which the other engine may not
    /// know.
    NamesKept,
    /// A dictionary had a key more than once. The last value was kept, as in the engines.
    KeysMerged,
    /// A key changed in one of the other ways, or is a StringName, which only Godot 4 treats as
    /// equal to a String. The key may now equal another key of its dictionary; readers then keep
    /// one of the two.
    KeyChanged,
}

impl Loss {
    /// Returns `true` if something was taken away, and did not just become another type.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        !matches!(
            self,
            Loss::Retyped(_) | Loss::NamesKept | Loss::SurrogatesJoined
        )
    }
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

/// A loss for values of one kind: how often it happened, and where first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported {
    /// What was lost or changed.
    pub loss: Loss,
    /// The kind of the values in the source.
    pub kind: Kind,
    /// How often it happened.
    pub count: u64,
    /// The offset in the source of the first value with this loss;
    /// [`Document::locate`](gdvar_view::Document::locate) gives its path.
    pub first: usize,
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {} {}", self.count, self.kind, self.loss)
    }
}

/// Everything that changed in a conversion; empty if nothing did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    entries: Vec<Reported>,
}

impl Report {
    /// Returns `true` if nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the changes in the order in which they first happened, at most one entry for each
    /// loss and kind.
    #[must_use]
    pub fn entries(&self) -> &[Reported] {
        &self.entries
    }

    /// Returns the number of changes.
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
