//! Errors of the reader, and their places.

use core::fmt;

use gdvar_wire::{HeaderWord, TypeId};

/// Why bytes were refused, and at which of them.
///
/// It is small and `Copy`; the message is made when it is displayed. The path to the place is not
/// in it: [`Document::locate`](crate::Document::locate) finds it, at the price of one more walk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    offset: usize,
    kind: ErrorKind,
}

const _: () = assert!(size_of::<Error>() <= 24);

impl Error {
    #[cold]
    pub(crate) const fn new(offset: usize, kind: ErrorKind) -> Error {
        Error { offset, kind }
    }

    #[cold]
    pub(crate) fn truncated(offset: usize, missing: usize) -> Error {
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Error::new(offset, ErrorKind::Truncated { missing })
    }

    /// The first byte of the field at fault, counted from the start of the buffer.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The kind of error.
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.kind
    }

    /// Returns `true` if the bytes end too early: a receiver may wait for more instead of giving
    /// up.
    #[must_use]
    pub const fn is_truncated(self) -> bool {
        matches!(self.kind, ErrorKind::Truncated { .. })
    }

    /// This error in a buffer where this one starts later, for values inside larger files.
    #[must_use]
    pub const fn at(self, start: usize) -> Error {
        Error {
            offset: self.offset.saturating_add(start),
            kind: self.kind,
        }
    }
}

/// The ways in which bytes can be wrong (`docs/FORMAT.md` §6).
///
/// The first group is refused in engine mode and in strict mode; the second in strict mode only.
/// The third is not about the bytes but about an index over them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
// Where a result is an error or a value, both take the same place. With a number of one byte here, the
// compiler would store the first word of every value in four parts, and loading it would wait for all:
// `Events` took 1.9 times as long (`gdvar-benches --only matrix`).
#[repr(u64)]
pub enum ErrorKind {
    /// The bytes end before the value does.
    Truncated {
        /// The number of bytes that are missing at least.
        missing: u32,
    },
    /// The dialect has no type with that number.
    UnknownType(TypeId),
    /// The first word is no header but the length of what follows, as `store_var`, `put_var` and their
    /// like write it. A length may also be the header of something else; then other errors, or none,
    /// come of it, and [`Document::length_prefix`](crate::Document::length_prefix) tells.
    LengthPrefixed {
        /// The length.
        length: u32,
    },
    /// The bytes are no value but a file that values are packed into. Told at the start of a buffer alone, and
    /// only where the bytes cannot be read as a value.
    Packed(Layer),
    /// A length or count is negative as the engines see it, or its bytes would exceed 2³¹ − 1.
    InvalidLength {
        /// The length or count as it stands there.
        value: u32,
    },
    /// Text that is not UTF-8 (or, in Godot 3 and 2, not even by their wider rules).
    InvalidUtf8,
    /// Nested deeper than the limit.
    DepthExceeded {
        /// The limit that was in force.
        limit: u16,
    },
    /// An object in a form that the reader was told to refuse.
    ObjectsNotAllowed,
    /// A NodePath in the format of Godot 2.
    OldNodePath,
    /// A typed container names a type number that the dialect does not have.
    BadElementType {
        /// The number.
        id: u32,
    },
    /// A typed array names its class by something that is no StringName (Pandemonium 5).
    BadClassName,
    /// A typed container names its script by something that is no `res://` path.
    BadScriptPath,
    /// A frame length that cannot be one.
    BadFrame {
        /// The length that the prefix gives.
        length: u32,
    },

    /// Header bits are set that mean nothing for this type. Godot 2 refuses them in engine mode
    /// too.
    ReservedBits(HeaderWord),
    /// A bool that is neither 0 nor 1.
    InvalidBool {
        /// The word that stands there.
        value: u32,
    },
    /// A correct encoder writes this value otherwise.
    NonCanonical(NonCanonical),
    /// Text with a NUL inside, where the engines stop reading.
    EmbeddedNul,
    /// Padding that is not zero.
    NonZeroPadding,
    /// A count with the shared bit of Godot 2.
    SharedBit,
    /// A dictionary has a key twice.
    DuplicateKey,
    /// Bytes behind the value.
    TrailingBytes {
        /// The count.
        count: u32,
    },
    /// The `script` property of an object is neither null nor a `res://` path.
    BadScriptProperty,
    /// An element, key or value that does not fit its typed container.
    ElementTypeMismatch,

    /// More bytes than an index can point into.
    IndexLimit,
    /// An index was built from other bytes, or to read them with other options.
    ForeignIndex,
}

/// A file that values are often packed into, told by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Layer {
    /// `GCPF`: `FileAccess.open_compressed` (`docs/FORMAT.md` §7.3).
    Compressed,
    /// `GDEC`: `FileAccess.open_encrypted` (`docs/FORMAT.md` §7.4).
    Encrypted,
    /// gzip.
    Gzip,
    /// A frame of Zstandard.
    Zstandard,
    /// A zip archive.
    Zip,
    /// `RSRC` or `RSCC`: a binary resource or scene, which holds values in another format.
    Resource,
}

impl Layer {
    /// What it is, and what to do about it.
    const fn advice(self) -> &'static str {
        match self {
            Layer::Compressed => {
                "a compressed file of Godot (GCPF); unpack it first, with gdvar unpack or gdvar-io"
            }
            Layer::Encrypted => {
                "an encrypted file of Godot (GDEC); unpack it first, with its key or password: gdvar unpack or gdvar-io"
            }
            Layer::Gzip => "a gzip file; unpack it first, with gzip -d",
            Layer::Zstandard => "a Zstandard file; unpack it first, with zstd -d",
            Layer::Zip => "a zip archive; unpack it first, with unzip",
            Layer::Resource => {
                "a binary resource of Godot (.res, .scn), whose values are in another format"
            }
        }
    }
}

/// Forms that a correct encoder does not write (`docs/FORMAT.md` §5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NonCanonical {
    /// An Int in 64 bits that fits 32.
    WideInt,
    /// A Float in 64 bits that is exact in 32.
    WideFloat,
    /// A NaN in 32 bits.
    NarrowNan,
    /// An element of a PackedStringArray without its NUL.
    StringWithoutNul,
    /// A null object that is not written as Nil.
    NullObject,
    /// A NodePath with the property flag of Godot 2.
    PropertyFlag,
    /// An untyped container with a type descriptor.
    UntypedDescriptor,
    /// A container typed by a class without a name.
    EmptyClassName,
}

impl ErrorKind {
    /// The name, without figures: `Truncated`. Stable, for machines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::Truncated { .. } => "Truncated",
            ErrorKind::UnknownType(_) => "UnknownType",
            ErrorKind::LengthPrefixed { .. } => "LengthPrefixed",
            ErrorKind::Packed(_) => "Packed",
            ErrorKind::InvalidLength { .. } => "InvalidLength",
            ErrorKind::InvalidUtf8 => "InvalidUtf8",
            ErrorKind::DepthExceeded { .. } => "DepthExceeded",
            ErrorKind::ObjectsNotAllowed => "ObjectsNotAllowed",
            ErrorKind::OldNodePath => "OldNodePath",
            ErrorKind::BadElementType { .. } => "BadElementType",
            ErrorKind::BadClassName => "BadClassName",
            ErrorKind::BadScriptPath => "BadScriptPath",
            ErrorKind::BadFrame { .. } => "BadFrame",
            ErrorKind::ReservedBits(_) => "ReservedBits",
            ErrorKind::InvalidBool { .. } => "InvalidBool",
            ErrorKind::NonCanonical(_) => "NonCanonical",
            ErrorKind::EmbeddedNul => "EmbeddedNul",
            ErrorKind::NonZeroPadding => "NonZeroPadding",
            ErrorKind::SharedBit => "SharedBit",
            ErrorKind::DuplicateKey => "DuplicateKey",
            ErrorKind::TrailingBytes { .. } => "TrailingBytes",
            ErrorKind::BadScriptProperty => "BadScriptProperty",
            ErrorKind::ElementTypeMismatch => "ElementTypeMismatch",
            ErrorKind::IndexLimit => "IndexLimit",
            ErrorKind::ForeignIndex => "ForeignIndex",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ErrorKind::Truncated { missing } => {
                write!(
                    f,
                    "the bytes end too early, at least {missing} more are needed"
                )
            }
            ErrorKind::UnknownType(id) => write!(
                f,
                "there is no type number {id} in this dialect; is it another engine's, or a newer one's?"
            ),
            ErrorKind::LengthPrefixed { length } => write!(
                f,
                "the first word, {length}, is the length of what follows, as store_var and put_var write it; read the bytes as records, or without their first four"
            ),
            ErrorKind::Packed(layer) => {
                write!(f, "this is no value but {}", layer.advice())
            }
            ErrorKind::InvalidLength { value } => {
                write!(
                    f,
                    "a length or count of {value:#x} is more than a value can hold"
                )
            }
            ErrorKind::InvalidUtf8 => f.write_str("the text is not UTF-8"),
            ErrorKind::DepthExceeded { limit } => {
                write!(f, "values are nested deeper than {limit}")
            }
            ErrorKind::ObjectsNotAllowed => {
                f.write_str("an object in a form that is not let in; reading with objects as inert data shows it")
            }
            ErrorKind::OldNodePath => {
                f.write_str("the NodePath is in the format of Godot 2, which later engines refuse")
            }
            ErrorKind::BadElementType { id } => {
                write!(
                    f,
                    "a typed container of type number {id}, which does not exist"
                )
            }
            ErrorKind::BadClassName => {
                f.write_str("the class of a typed array is not given as a StringName")
            }
            ErrorKind::BadScriptPath => {
                f.write_str("the script of a typed container is not a res:// path")
            }
            ErrorKind::BadFrame { length } => {
                write!(
                    f,
                    "no value can be {length} bytes long; is the data length-prefixed at all?"
                )
            }
            ErrorKind::ReservedBits(header) => write!(
                f,
                "the header {:#010x} has bits set that mean nothing for its type",
                header.0
            ),
            ErrorKind::InvalidBool { value } => write!(f, "a bool is {value:#x}, not 0 or 1"),
            ErrorKind::NonCanonical(what) => f.write_str(match what {
                NonCanonical::WideInt => "an int takes 64 bits where 32 are enough",
                NonCanonical::WideFloat => "a float takes 64 bits where 32 are exact",
                NonCanonical::NarrowNan => "a NaN takes 32 bits, encoders use 64",
                NonCanonical::StringWithoutNul => {
                    "a string of a packed array lacks its trailing NUL"
                }
                NonCanonical::NullObject => "a null object is not written as null",
                NonCanonical::PropertyFlag => "a NodePath has the property flag of Godot 2",
                NonCanonical::UntypedDescriptor => "an untyped container has a type descriptor",
                NonCanonical::EmptyClassName => {
                    "a container of objects of any class names a class, an empty one"
                }
            }),
            ErrorKind::EmbeddedNul => {
                f.write_str("the text has a NUL inside; engines stop reading there")
            }
            ErrorKind::NonZeroPadding => {
                f.write_str("padding is not zero: written by a foreign encoder, or leaked memory")
            }
            ErrorKind::SharedBit => f.write_str("the count has the shared bit of Godot 2"),
            ErrorKind::DuplicateKey => f.write_str(
                "this key stands in the dictionary already; engines keep the last value",
            ),
            ErrorKind::TrailingBytes { count: 1 } => f.write_str("1 byte follows the value"),
            ErrorKind::TrailingBytes { count } => write!(f, "{count} bytes follow the value"),
            ErrorKind::BadScriptProperty => {
                f.write_str("the script of an object is neither null nor a res:// path")
            }
            ErrorKind::ElementTypeMismatch => {
                f.write_str("the value does not fit the type of its container")
            }
            ErrorKind::IndexLimit => f.write_str("more bytes than an index can point into"),
            ErrorKind::ForeignIndex => f.write_str("the index does not belong to these bytes"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at byte {:#x}: {}",
            self.kind.name(),
            self.offset,
            self.kind
        )
    }
}

gdvar_wire::debug_is_display!(Error);

impl core::error::Error for Error {}
