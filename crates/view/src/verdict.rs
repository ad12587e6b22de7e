//! [`verdict`]: what happens to a value when its engine reads it.

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

/// What [`verdict`] found out about a value: whether its engine reads it, what the engine loses or changes,
/// and whether a correct encoder writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The number of bytes that the engine reads, or why it refuses the value.
    pub read: Result<usize, Error>,
    /// The result of strict mode: `Ok`, or its first error.
    pub strict: Result<(), Error>,
    /// One entry for each kind of [`Change`], in the order of [`Change::ALL`].
    changes: [Option<Changed>; Change::ALL.len()],
}

/// What an engine loses or changes in a value when it reads it: one kind of change. Displays as one line
/// for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The kind of change.
    pub change: Change,
    /// How often the change happens; for [`Change::TrailingBytes`] the number of bytes.
    pub count: u64,
    /// The offset where this change happens first.
    pub first: usize,
}

/// The ways in which an engine loses or changes something that it reads ([`docs/FORMAT.md` §6]).
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// Bytes after the value are not read.
    TrailingBytes,
    /// A Dictionary has equal keys. Only one entry is kept, with the value of the last.
    RepeatedKeys,
    /// Text after a NUL is not read.
    EmbeddedNul,
    /// Padding that is not zero is not read. Not reported for dialects whose engines leave padding
    /// uninitialised themselves.
    Padding,
    /// Only the id of an object is stored. The id means nothing in another run of the game.
    ObjectIds,
    /// A Callable has no contents in the bytes. The engine reads an empty Callable.
    Callables,
}

impl Change {
    /// All kinds of change, the worst first.
    pub const ALL: [Change; 6] = [
        Change::TrailingBytes,
        Change::RepeatedKeys,
        Change::EmbeddedNul,
        Change::Padding,
        Change::ObjectIds,
        Change::Callables,
    ];

    /// The name of the kind: `RepeatedKeys`. It is stable, so programs can rely on it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Change::TrailingBytes => "TrailingBytes",
            Change::RepeatedKeys => "RepeatedKeys",
            Change::EmbeddedNul => "EmbeddedNul",
            Change::Padding => "Padding",
            Change::ObjectIds => "ObjectIds",
            Change::Callables => "Callables",
        }
    }
}

impl core::fmt::Display for Changed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (one, many) = match self.change {
            Change::TrailingBytes => ("byte after the value is", "bytes after the value are"),
            Change::RepeatedKeys => ("key comes again and is", "keys come again and are"),
            Change::EmbeddedNul => (
                "text continues after a NUL, and the rest is",
                "texts continue after a NUL, and the rest is",
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
    /// Returns `true` if the engine reads the value, and loses and changes nothing.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.read.is_ok() && self.changes().next().is_none()
    }

    /// What the engine loses or changes, the worst first. Empty if the engine refuses the value.
    pub fn changes(&self) -> impl Iterator<Item = Changed> + '_ {
        self.changes.iter().flatten().copied()
    }

    fn note(&mut self, change: Change, count: u64, first: usize) {
        let slot = self.changes.get_mut(change as usize);
        let Some(slot) = slot.filter(|_| count > 0) else {
            return;
        };
        let changed = slot.get_or_insert(Changed {
            change,
            count: 0,
            first,
        });
        changed.count += count;
        changed.first = changed.first.min(first);
    }

    /// Counts the losses in `value` that strict mode accepts.
    fn leaf(&mut self, value: VariantRef<'_>) {
        let is_id = |object: ObjectRef<'_>| object.id().is_some_and(|id| id != 0);
        if value.kind() == Kind::Callable {
            self.note(Change::Callables, 1, value.offset());
        } else if value.as_object().is_some_and(is_id) {
            self.note(Change::ObjectIds, 1, value.offset());
        }
    }

    /// Counts the losses in `value` for which strict mode refuses it.
    fn dirty_leaf(&mut self, value: VariantRef<'_>) {
        let is_text = matches!(value.kind(), Kind::String | Kind::StringName);
        let is_padded = is_text || value.kind() == Kind::PackedByteArray;
        let Some(head) = value.head().filter(|_| is_padded) else {
            return;
        };
        let end = head.body.saturating_add(head.count as usize);
        let of = |range: Range<usize>| value.bytes().get(range).unwrap_or_default();
        if is_text && of(head.body..end).contains(&0) {
            self.note(Change::EmbeddedNul, 1, value.offset());
        }
        // Some releases of Godot 3 and all of Godot 2 leave padding uninitialised (`docs/FORMAT.md` §1.2).
        let dialect = value.dialect();
        let is_left_unset = dialect.leaves_padding_unset() || dialect.has_early_releases();
        let padding = of(end..head.next);
        if !is_left_unset && padding.iter().any(|&byte| byte != 0) {
            self.note(Change::Padding, 1, value.offset());
        }
    }
}

/// Finds out what happens to a value when its engine reads it. The mode of the document's options is ignored;
/// the other options apply.
///
/// This takes two walks if strict mode accepts the value, otherwise three. Comparing the keys of Dictionaries
/// takes O(n log n).
///
/// ```
/// use gdvar_view::{Change, Dialect, Document, verdict};
///
/// // {1: 2, 1: 3}, and one byte after it.
/// let bytes = b"\x1b\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\
///     \x02\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\0";
/// let verdict = verdict(Document::new(bytes, Dialect::GODOT_4));
/// assert_eq!(verdict.read, Ok(40));
/// let changes: Vec<_> = verdict.changes().map(|one| (one.change, one.count, one.first)).collect();
/// assert_eq!(changes, [(Change::TrailingBytes, 1, 40), (Change::RepeatedKeys, 1, 24)]);
/// assert!(!verdict.is_ok() && verdict.strict.is_err());
/// ```
#[must_use]
pub fn verdict(document: Document<'_>) -> Verdict {
    let mut verdict = Verdict {
        read: Ok(0),
        strict: Ok(()),
        changes: [None; Change::ALL.len()],
    };
    let strict = document.strict().validate();
    let options = document.options().with_mode(Mode::Engine);
    let document = Document::with_options(document.bytes(), options);
    match strict {
        Ok(end) => {
            verdict.read = Ok(end);
            // Two quick walks cost half of one walk that returns strict events.
            let mut events = document.events();
            while let Ok(Some(event)) = events.try_next() {
                if let Event::Value(value) = event {
                    verdict.leaf(value);
                }
            }
            return verdict;
        }
        Err(error) => verdict.strict = Err(error),
    }
    verdict.read = document.validate();
    if verdict.read.is_ok() {
        lenient(document, &mut verdict);
    }
    verdict
}

/// Counts what is lost of a value that the engine reads, but strict mode refuses.
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
    let after = document.bytes().len() - end;
    verdict.note(Change::TrailingBytes, after as u64, end);
}
