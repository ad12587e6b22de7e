//! Why an edit cannot be made.

use core::fmt;

use gdvar_view::{Kind, PathError};

/// Why edits cannot be made: which of them, at which byte of the old bytes, and what is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    edit: usize,
    offset: usize,
    kind: EditErrorKind,
}

impl Error {
    pub(crate) fn new(edit: usize, offset: usize, kind: EditErrorKind) -> Error {
        Error { edit, offset, kind }
    }

    /// The number of the edit, counted from 0 in the order in which they were asked for.
    #[must_use]
    pub const fn edit(self) -> usize {
        self.edit
    }

    /// The byte of the old bytes at which the value stands that the edit was about, or the last one on the way
    /// to it.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The kind of mistake.
    #[must_use]
    pub const fn kind(self) -> EditErrorKind {
        self.kind
    }
}

/// The kinds of mistakes in an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// The text is no path.
    Path(PathError),
    /// The old bytes cannot be read.
    Read(gdvar_view::Error),
    /// The new bytes are no value that the options of the document let in at that depth. The offset in it
    /// counts from the start of the new value.
    Value(gdvar_view::Error),
    /// There is something behind the new value.
    Trailing {
        /// The number of bytes.
        count: usize,
    },
    /// A step of the path leads nowhere.
    NoPlace {
        /// The number of the step, counted from 0.
        step: usize,
        /// The kind of the value that it was to lead on from.
        kind: Kind,
        /// The number of children of that value.
        len: usize,
    },
    /// A part of a value, such as `pos.x`, is of one type, and the new value is of another.
    PartType {
        /// The type of the part.
        is: Kind,
        /// The type of the new value.
        kind: Kind,
    },
    /// A part of a value, such as `pos.x`, can be set, and nothing else.
    PartStays {
        /// The type of the value that it is a part of.
        kind: Kind,
    },
    /// A part of a value, such as `pos.x`, has no room for the new number.
    PartRange {
        /// The type of the part.
        is: Kind,
    },
    /// Children can be added to arrays and dictionaries only.
    NotAContainer {
        /// The kind of value that stands there.
        kind: Kind,
    },
    /// The outermost value can be replaced, and nothing else.
    Outermost,
    /// The container holds values of one type only, and the new one is of another: an engine would
    /// convert or drop it (`docs/FORMAT.md` §4.3).
    ElementType {
        /// The type of the new value.
        kind: Kind,
    },
    /// The dictionary has keys of one type only, and the new one is of another.
    KeyType {
        /// The type of the new key.
        kind: Kind,
    },
    /// The key stands in the dictionary more than once, so that another value would appear
    /// (`docs/FORMAT.md` §6, row 22).
    RepeatedKey,
    /// The dictionary has that key already.
    KeyExists,
    /// The new key is another key of the dictionary as messages show it, shortened with `…`. The offset is that
    /// of the value under the whole key.
    Shortened,
    /// The name of a property is a text.
    NotAName {
        /// The kind that was given.
        kind: Kind,
    },
    /// An object's script must be null or a `res://` path.
    Script,
    /// The value is another one than the patch was made of.
    Differs,
    /// The array has another number of elements than when the patch was made.
    DiffersInLength {
        /// The number that it has.
        len: usize,
        /// The number that it had.
        was: usize,
    },
    /// Another edit changes a part of the same value.
    Overlap {
        /// Its number.
        other: usize,
    },
    /// A count or the length of a record would exceed 2³¹ − 1.
    TooLarge,
}

impl fmt::Display for EditErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditErrorKind::Path(error) => error.fmt(f),
            EditErrorKind::Read(error) => error.fmt(f),
            EditErrorKind::Value(error) => write!(f, "the new value cannot stand there: {error}"),
            EditErrorKind::Trailing { count } => {
                write!(f, "{count} bytes stand behind the new value")
            }
            EditErrorKind::NoPlace { step, kind, len } => write!(
                f,
                "step {} of the path leads nowhere: the {kind} there has {len} children",
                step + 1
            ),
            EditErrorKind::PartType { is, kind } => {
                write!(f, "this part is a {is}, and {kind} is none")
            }
            EditErrorKind::PartStays { kind } => write!(
                f,
                "parts of a {kind} can be set, but not removed, added or moved"
            ),
            EditErrorKind::PartRange { is } => write!(
                f,
                "the number does not fit: this {is} has no room for it in the bytes"
            ),
            EditErrorKind::NotAContainer { kind } => write!(
                f,
                "{kind} takes no new children; arrays and dictionaries do"
            ),
            EditErrorKind::Outermost => f.write_str(
                "the outermost value can be replaced, but not removed, moved or renamed",
            ),
            EditErrorKind::ElementType { kind } => write!(
                f,
                "the container is typed, and the engine would not keep {kind} in it"
            ),
            EditErrorKind::KeyType { kind } => write!(
                f,
                "the dictionary is typed, and the engine would not keep {kind} as a key"
            ),
            EditErrorKind::RepeatedKey => f.write_str(
                "the key stands in the dictionary more than once; without one of them the value of \
                 another would appear",
            ),
            EditErrorKind::KeyExists => f.write_str("the dictionary has that key already"),
            EditErrorKind::Shortened => f.write_str(
                "the path names this key shortened, with `…` as messages show it; write the whole key",
            ),
            EditErrorKind::NotAName { kind } => {
                write!(f, "the name of a property is a text, not a {kind}")
            }
            EditErrorKind::Script => {
                f.write_str("the script of an object is null or a res:// path, nothing else")
            }
            EditErrorKind::Differs => {
                f.write_str("another value is there than the one that the patch changes")
            }
            EditErrorKind::DiffersInLength { len, was } => write!(
                f,
                "the array has {len} elements, and had {was} when the patch was made"
            ),
            EditErrorKind::Overlap { other } => write!(
                f,
                "edit {} changes the same value or a part of it; leave one out, or make them one after the other",
                other + 1
            ),
            EditErrorKind::TooLarge => {
                f.write_str("a count or length would be more than 2147483647, which no value holds")
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "edit {}, at byte {:#x}: {}",
            self.edit + 1,
            self.offset,
            self.kind
        )
    }
}

gdvar_view::debug_is_display!(Error);

impl core::error::Error for Error {}
