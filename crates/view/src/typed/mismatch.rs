//! [`Mismatch`]: why a value does not fit a Rust type.

use core::fmt;

use gdvar_wire::Kind;

use crate::{
    error::{Error, ErrorKind},
    value::variant::VariantRef,
};

/// Why a value does not fit the Rust type that was asked for: the reason, the offset, and in a
/// [`Record`](crate::Record) the key.
///
/// A `Mismatch` is `Copy`, has at most 56 bytes and allocates nothing. Its message is made when it is
/// displayed. A `Mismatch` has no path: [`Document::locate`](crate::Document::locate) finds the path from
/// [`Mismatch::offset`], in one more walk.
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// // {"party": [{"hp": "many"}]}
/// let save = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x05\0\0\0party\0\0\0\
///     \x1c\0\0\0\x01\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\
///     \x04\0\0\0\x04\0\0\0many";
/// let document = Document::new(save, Dialect::GODOT_4);
/// let wrong = document.get("party[0].hp")?.unwrap().read::<i32>().unwrap_err();
/// assert_eq!(wrong.to_string(), "expected Int, found String at byte 0x34");
/// assert_eq!(document.locate(wrong.offset()).to_string(), "$.party[0].hp");
/// # Ok::<(), gdvar_view::GetError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    offset: usize,
    key: Option<&'static str>,
    kind: MismatchKind,
}

const _: () = assert!(size_of::<Mismatch>() <= 56);

/// The reason of a [`Mismatch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MismatchKind {
    /// The Dictionary lacks the key.
    Missing,
    /// The value is of another kind.
    WrongKind {
        /// The kind that the Rust type needs.
        expected: Kind,
        /// The kind that the value has.
        found: Kind,
    },
    /// The int is outside the range of the Rust type.
    OutOfRange {
        /// The value of the Int.
        value: i64,
    },
    /// The value has 64-bit reals and 32-bit ones were asked for, or it is a Float that would become
    /// infinite in 32 bits. Ask for `f64`, and round with [`narrow`](crate::narrow).
    TooWide,
    /// The Array has another length.
    WrongLength {
        /// The number of elements of the Rust type.
        expected: u32,
        /// The number of elements of the Array.
        found: u32,
    },
    /// The address of the packed array is not aligned for a native slice, or the host is big-endian.
    /// A [`PackedRef`](crate::PackedRef) reads it at any address.
    Misaligned,
    /// The bytes of the value cannot be read.
    Unreadable(ErrorKind),
    /// A [`Record`](crate::Record) or a type of the caller refused a value by
    /// [`Fields::refuse`](crate::Fields::refuse) or [`Mismatch::refused`], with this reason.
    Refused(&'static str),
}

impl Mismatch {
    #[cold]
    pub(crate) const fn new(offset: usize, kind: MismatchKind) -> Mismatch {
        Mismatch {
            offset,
            key: None,
            kind,
        }
    }

    /// The error for a value that is not of kind `expected`, or that has 64-bit reals where 32-bit ones were
    /// asked for.
    #[cold]
    pub(crate) fn of_kind(value: VariantRef<'_>, expected: Kind) -> Mismatch {
        let found = value.kind();
        let kind = match expected == found && value.is_wide() {
            true => MismatchKind::TooWide,
            false => MismatchKind::WrongKind { expected, found },
        };
        Mismatch::new(value.offset(), kind)
    }

    /// Creates the error for a value of the right type that is wrong for the reason `why`. For implementations
    /// of [`FromVariant`](crate::FromVariant). A record adds the key of its field.
    #[cold]
    #[must_use]
    pub const fn refused(value: VariantRef<'_>, why: &'static str) -> Mismatch {
        Mismatch::new(value.offset(), MismatchKind::Refused(why))
    }

    /// Adds `key`, unless the error already names a key inside that value.
    #[cold]
    pub(crate) fn under(self, key: &'static str) -> Mismatch {
        Mismatch {
            key: self.key.or(Some(key)),
            ..self
        }
    }

    /// The first byte of the value that does not fit, or of the Dictionary that lacks a key. Counted
    /// from the start of the buffer.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The key of the value in the innermost [`Record`](crate::Record), or the key that is missing.
    /// `None` outside of records.
    #[must_use]
    pub const fn key(self) -> Option<&'static str> {
        self.key
    }

    /// Returns why the value does not fit.
    #[must_use]
    pub const fn kind(self) -> MismatchKind {
        self.kind
    }

    /// The error if the bytes are damaged ([`MismatchKind::Unreadable`]); `None` for every other reason.
    #[must_use]
    pub const fn unreadable(self) -> Option<Error> {
        match self.kind {
            MismatchKind::Unreadable(kind) => Some(Error::new(self.offset, kind)),
            _ => None,
        }
    }
}

impl From<Error> for Mismatch {
    #[cold]
    fn from(error: Error) -> Mismatch {
        Mismatch::new(error.offset(), MismatchKind::Unreadable(error.kind()))
    }
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MismatchKind::Missing => f.write_str("the key is missing"),
            MismatchKind::WrongKind { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            MismatchKind::OutOfRange { value } => {
                write!(
                    f,
                    "the int {value} does not fit the type that was asked for"
                )
            }
            MismatchKind::TooWide => f.write_str(
                "the value has 64 bits, and 32 are asked for; read it as f64, which narrow() rounds",
            ),
            MismatchKind::WrongLength { expected, found } => {
                write!(f, "expected {expected} elements, found {found}")
            }
            MismatchKind::Misaligned => f.write_str(
                "the packed array is not aligned for a native slice; PackedRef reads it anywhere",
            ),
            MismatchKind::Unreadable(kind) => kind.fmt(f),
            MismatchKind::Refused(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = self.key {
            write!(f, "{key:?}: ")?;
        }
        write!(f, "{} at byte {:#x}", self.kind, self.offset)
    }
}

gdvar_wire::debug_is_display!(Mismatch);

impl core::error::Error for Mismatch {}
