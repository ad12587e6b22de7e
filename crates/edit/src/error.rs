//! Errors of edits.

use core::{convert::Infallible, fmt};

use gdvar_view::{Kind, PathError};
use gdvar_write::WriteErrorKind;

/// The reason why an edit cannot be made: the edit, an offset in the old bytes, and what is wrong.
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

    /// Returns the number of the edit: 0 for the one that was requested first.
    #[must_use]
    pub const fn edit(self) -> usize {
        self.edit
    }

    /// Returns the offset, in the old bytes, of the edited value. If the path led nowhere, returns the
    /// offset of the last value on the way.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(self) -> EditErrorKind {
        self.kind
    }
}

/// What can be wrong with an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditErrorKind {
    /// The text is not a path.
    Path(PathError),
    /// The old bytes cannot be read.
    Read(gdvar_view::Error),
    /// The new bytes are not a value that the document's options allow at that depth. The offset in this
    /// error counts from the start of the new value.
    Value(gdvar_view::Error),
    /// The dialect of the document cannot express the new value.
    Unwritable(WriteErrorKind<Infallible>),
    /// There are bytes after the new value.
    Trailing {
        /// The number of bytes.
        count: usize,
    },
    /// A step of the path found no child.
    NoPlace {
        /// The index of the step, from 0.
        step: usize,
        /// The type of the value in which the step was looked up.
        kind: Kind,
        /// The number of children of that value.
        len: usize,
    },
    /// A part of a value, such as `pos.x`, has one type, and the new value has another.
    PartType {
        /// The type of the part.
        is: Kind,
        /// The type of the new value.
        kind: Kind,
    },
    /// A part of a value, such as `pos.x`, can only be set.
    PartStays {
        /// The type of the value that contains the part.
        kind: Kind,
    },
    /// The new number does not fit into the part, such as `pos.x`.
    PartRange {
        /// The type of the part.
        is: Kind,
    },
    /// The part is an int, and the new float is so large that it may have been rounded from another whole
    /// number: 2⁵³ or more.
    MaybeRounded,
    /// The value at the path cannot take the new child. Elements can be appended only to arrays,
    /// and pairs can be inserted only into dictionaries and objects.
    NotAContainer {
        /// The type of the value there.
        kind: Kind,
    },
    /// The outermost value can only be replaced.
    Outermost,
    /// The container is typed and the new value has another type: an engine would convert or drop it
    /// ([`docs/FORMAT.md` §4.3]).
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    ElementType {
        /// The type of the new value.
        kind: Kind,
    },
    /// The dictionary has typed keys and the new key has another type.
    KeyType {
        /// The type of the new key.
        kind: Kind,
    },
    /// The dictionary has the key more than once. If the edit removed this pair, the value of
    /// another pair would appear ([`docs/FORMAT.md` §6], row 22).
    ///
    /// [`docs/FORMAT.md` §6]:
    /// https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
    RepeatedKey,
    /// The dictionary already has a pair with this key, or the object has a property with this name.
    KeyExists,
    /// The new key contains `…` and looks like an existing key that a message shortened. The error's offset is
    /// the offset of the value under the existing key.
    Shortened,
    /// The name of a property must be a text.
    NotAName {
        /// The type of the given key.
        kind: Kind,
    },
    /// An object's script must be null or a `res://` path.
    Script,
    /// The old value is not the value from which the patch was made.
    Differs,
    /// The array does not have the number of elements that it had when the patch was made.
    DiffersInLength {
        /// The current number of elements.
        len: usize,
        /// The number of elements when the patch was made.
        was: usize,
    },
    /// Another edit changes the same value or a part of it.
    Overlap {
        /// The number of the other edit.
        other: usize,
    },
    /// A count or the length of a record would exceed 2³¹ − 1.
    TooLarge,
}

impl EditErrorKind {
    /// Returns a short name that does not change: that of the variant. If the old bytes cannot be read, the name of the
    /// reader's error.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            EditErrorKind::Path(_) => "Path",
            EditErrorKind::Read(error) => error.kind().name(),
            EditErrorKind::Value(_) => "Value",
            EditErrorKind::Unwritable(_) => "Unwritable",
            EditErrorKind::Trailing { .. } => "Trailing",
            EditErrorKind::NoPlace { .. } => "NoPlace",
            EditErrorKind::PartType { .. } => "PartType",
            EditErrorKind::PartStays { .. } => "PartStays",
            EditErrorKind::PartRange { .. } => "PartRange",
            EditErrorKind::MaybeRounded => "MaybeRounded",
            EditErrorKind::NotAContainer { .. } => "NotAContainer",
            EditErrorKind::Outermost => "Outermost",
            EditErrorKind::ElementType { .. } => "ElementType",
            EditErrorKind::KeyType { .. } => "KeyType",
            EditErrorKind::RepeatedKey => "RepeatedKey",
            EditErrorKind::KeyExists => "KeyExists",
            EditErrorKind::Shortened => "Shortened",
            EditErrorKind::NotAName { .. } => "NotAName",
            EditErrorKind::Script => "Script",
            EditErrorKind::Differs => "Differs",
            EditErrorKind::DiffersInLength { .. } => "DiffersInLength",
            EditErrorKind::Overlap { .. } => "Overlap",
            EditErrorKind::TooLarge => "TooLarge",
        }
    }
}

/// The advice for a float that may have been rounded from another whole number.
pub(crate) const ROUNDED: &str = "an int is wanted, and a float of 9007199254740992 or more may have been rounded: \
     write all digits of the number, without a point and an exponent";

impl fmt::Display for EditErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditErrorKind::Path(error) => error.fmt(f),
            EditErrorKind::Read(error) => error.fmt(f),
            EditErrorKind::Value(error) => write!(f, "the new value does not fit there: {error}"),
            EditErrorKind::Unwritable(error) => {
                write!(f, "the new value cannot be written: {error}")
            }
            EditErrorKind::Trailing { count } => {
                write!(f, "{count} bytes follow the new value")
            }
            EditErrorKind::NoPlace { step, kind, len } => write!(
                f,
                "step {} of the path leads nowhere: the {kind} there has {len} children",
                step + 1
            ),
            EditErrorKind::PartType { is, kind } => {
                write!(f, "this part is a {is}, not {kind}")
            }
            EditErrorKind::PartStays { kind } => write!(
                f,
                "parts of a {kind} can be set, but not removed, added or moved"
            ),
            EditErrorKind::PartRange { is } => write!(
                f,
                "the number does not fit: this {is} has no room for it in the bytes"
            ),
            EditErrorKind::MaybeRounded => f.write_str(ROUNDED),
            EditErrorKind::NotAContainer {
                kind: kind @ Kind::Dictionary,
            } => write!(
                f,
                "{kind} has no end to append to; set a new key instead, such as key=1"
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
                "the dictionary has this key more than once; if one is removed, the value of \
                 another one appears",
            ),
            EditErrorKind::KeyExists => f.write_str("there is such a key or property already"),
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
