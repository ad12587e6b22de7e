//! The fate of a value when its engine reads it.

use core::ops::Range;

use gdvar_wire::Kind;

use crate::{
    document::Document,
    error::Error,
    options::Mode,
    value::{object::ObjectRef, variant::VariantRef},
    walk::{
        event::{Event, Role},
        keys::log::KeyLog,
    },
};

/// One judgement of a value, in three parts: would its engine read it, what is lost or changed when it
/// does, and is it what a correct encoder writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The number of bytes that the value takes for the engine, or why the engine refuses it.
    pub read: Result<usize, Error>,
    /// The verdict of strict mode.
    pub strict: Result<(), Error>,
    changes: [Option<Changed>; Change::ALL.len()],
}

/// Something that an engine loses or changes in what it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The kind of change.
    pub change: Change,
    /// The number of times; for [`Change::BytesBehind`] the number of bytes.
    pub count: u64,
    /// The first place: an offset in the bytes.
    pub first: usize,
}

/// A way in which an engine loses or changes something that it reads (`docs/FORMAT.md` §6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// Bytes behind the value are not read.
    BytesBehind,
    /// One of the entries with equal keys is kept, with the value of the last.
    RepeatedKeys,
    /// Text behind a NUL is not read.
    TextBehindNul,
    /// Padding that is not zero is not read, and written as zeros. Engines that leave padding unset
    /// themselves are not blamed for it.
    Padding,
    /// The object of an id was not stored: the id means nothing in another run of the game.
    ObjectIds,
    /// A Callable carries nothing: an empty one is read.
    Callables,
}

impl Change {
    /// All of them, the worst first.
    pub const ALL: [Change; 6] = [
        Change::BytesBehind,
        Change::RepeatedKeys,
        Change::TextBehindNul,
        Change::Padding,
        Change::ObjectIds,
        Change::Callables,
    ];

    /// Its name, for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Change::BytesBehind => "BytesBehind",
            Change::RepeatedKeys => "RepeatedKeys",
            Change::TextBehindNul => "TextBehindNul",
            Change::Padding => "Padding",
            Change::ObjectIds => "ObjectIds",
            Change::Callables => "Callables",
        }
    }
}

impl core::fmt::Display for Changed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (one, many) = match self.change {
            Change::BytesBehind => ("byte behind the value is", "bytes behind the value are"),
            Change::RepeatedKeys => ("key comes again and is", "keys come again and are"),
            Change::TextBehindNul => (
                "text goes on behind a NUL that is",
                "texts go on behind a NUL that are",
            ),
            Change::Padding => (
                "padding that is not zero is",
                "paddings that are not zero are",
            ),
            Change::ObjectIds => (
                "object was not stored, only its id, and is",
                "objects were not stored, only their ids, and are",
            ),
            Change::Callables => (
                "Callable carries nothing and is",
                "Callables carry nothing and are",
            ),
        };
        let words = if self.count == 1 { one } else { many };
        write!(f, "{} {words} lost", self.count)
    }
}

impl Verdict {
    /// True if the engine reads the value and nothing is lost or changed.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.read.is_ok() && self.changes().next().is_none()
    }

    /// The losses and changes, the worst first; nothing where it refuses the value.
    pub fn changes(&self) -> impl Iterator<Item = Changed> + '_ {
        self.changes.iter().flatten().copied()
    }

    fn note(&mut self, change: Change, count: u64, first: usize) {
        let place = self.changes.get_mut(change as usize);
        let Some(place) = place.filter(|_| count > 0) else {
            return;
        };
        let known = place.get_or_insert(Changed {
            change,
            count: 0,
            first,
        });
        known.count += count;
        known.first = known.first.min(first);
    }

    /// Notes what is lost of one value, whatever else is in order.
    fn leaf(&mut self, value: VariantRef<'_>) {
        let is_id = |object: ObjectRef<'_>| object.id().is_some_and(|id| id != 0);
        if value.kind() == Kind::Callable {
            self.note(Change::Callables, 1, value.offset());
        } else if value.as_object().is_some_and(is_id) {
            self.note(Change::ObjectIds, 1, value.offset());
        }
    }

    /// Notes what strict mode would refuse in one value, and is lost.
    fn dirty_leaf(&mut self, value: VariantRef<'_>) {
        let is_text = matches!(value.kind(), Kind::String | Kind::StringName);
        let is_padded = is_text || value.kind() == Kind::PackedByteArray;
        let Some(head) = value.head().filter(|_| is_padded) else {
            return;
        };
        let end = head.body.saturating_add(head.count as usize);
        let of = |range: Range<usize>| value.bytes().get(range).unwrap_or_default();
        if is_text && of(head.body..end).contains(&0) {
            self.note(Change::TextBehindNul, 1, value.offset());
        }
        // Some releases of Godot 3 and all of Godot 2 leave padding unset (`docs/FORMAT.md` §1.2).
        let dialect = value.dialect();
        let leaves_it = dialect.leaves_padding_unset() || dialect.has_early_releases();
        let padding = of(end..head.next);
        if !leaves_it && padding.iter().any(|&byte| byte != 0) {
            self.note(Change::Padding, 1, value.offset());
        }
    }
}

/// Judges a value by the options of its document, whose mode means nothing here: by one walk where all is
/// in order, else by three, and by O(n log n) for the keys of dictionaries.
///
/// ```
/// use gdvar_view::{Change, Dialect, Document, verdict};
///
/// // {1: 2, 1: 3}, and a byte behind it.
/// let bytes = b"\x1b\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\
///     \x02\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\0";
/// let verdict = verdict(Document::new(bytes, Dialect::GODOT_4));
/// assert_eq!(verdict.read, Ok(40));
/// let changes: Vec<_> = verdict.changes().map(|one| (one.change, one.count, one.first)).collect();
/// assert_eq!(changes, [(Change::BytesBehind, 1, 40), (Change::RepeatedKeys, 1, 24)]);
/// assert!(!verdict.is_ok() && verdict.strict.is_err());
/// ```
#[must_use]
pub fn verdict(document: Document<'_>) -> Verdict {
    let mut verdict = Verdict {
        read: Ok(0),
        strict: Ok(()),
        changes: [None; Change::ALL.len()],
    };
    let mut events = document.strict().events();
    loop {
        match events.try_next() {
            Ok(Some(Event::Value(value))) => verdict.leaf(value),
            Ok(Some(_)) => {}
            Ok(None) => {
                verdict.read = Ok(events.position());
                return verdict;
            }
            Err(error) => {
                verdict.strict = Err(error);
                verdict.changes = [None; Change::ALL.len()];
                break;
            }
        }
    }
    let options = document.options().with_mode(Mode::Engine);
    let document = Document::with_options(document.bytes(), options);
    verdict.read = document.validate();
    if verdict.read.is_ok() {
        lenient(document, &mut verdict);
    }
    verdict
}

/// Notes what is lost in a value that the engine reads, but would not write.
fn lenient(document: Document<'_>, verdict: &mut Verdict) {
    let mut events = document.events();
    let mut log = KeyLog::default();
    let mut open = alloc::vec::Vec::new();
    while let Ok(Some(event)) = events.try_next() {
        match event {
            Event::Value(value) => {
                verdict.leaf(value);
                verdict.dirty_leaf(value);
            }
            Event::Begin(container) => {
                open.push(
                    container
                        .as_dict()
                        .map(|_| container.depth().saturating_add(1)),
                );
            }
            Event::End => {
                if let Some(Some(depth)) = open.pop() {
                    let (bytes, options) = (document.bytes(), document.options());
                    let (count, first) = log.close_all(bytes, options, depth);
                    verdict.note(Change::RepeatedKeys, count, first);
                }
                continue;
            }
            Event::Property(_) => continue,
        }
        if let Event::Value(value) | Event::Begin(value) = event {
            if events.role() == Role::Key {
                log.add(value);
            }
            if let (Event::Begin(_), Some(Some(_))) = (event, open.last()) {
                log.open(value.offset());
            }
        }
    }
    let end = events.position();
    let behind = document.bytes().len() - end;
    verdict.note(Change::BytesBehind, behind as u64, end);
}
