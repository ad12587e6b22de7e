//! [`Error`]: why bytes were refused, and where.

use core::fmt;

use gdvar_wire::{HeaderWord, TypeId};

/// Why bytes were refused: the reason and the offset.
///
/// An `Error` has at most 24 bytes, is `Copy`, and allocates nothing. Its message is made when it is displayed.
/// An `Error` has no path: [`Document::locate`](crate::Document::locate) finds the path from [`Error::offset`],
/// in one more walk.
///
/// ```
/// use gdvar_view::{Dialect, Document, ErrorKind};
///
/// // An Array that should have two elements, and ends after the first.
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x07\0\0\0";
/// let document = Document::new(bytes, Dialect::GODOT_4);
/// let error = document.validate().unwrap_err();
/// assert!(error.is_truncated());
/// assert_eq!(error.offset(), 16);
/// assert_eq!(document.locate(error.offset()).to_string(), "$[1]");
/// assert_eq!(
///     error.to_string(),
///     "Truncated at byte 0x10: the bytes end too early, at least 4 more are needed",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    offset: usize,
    kind: ErrorKind,
}

const _: () = assert!(size_of::<Error>() <= 24);

impl Error {
    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub const fn new(offset: usize, kind: ErrorKind) -> Error {
        Error { offset, kind }
    }

    #[cold]
    pub(crate) fn truncated(offset: usize, missing: usize) -> Error {
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Error::new(offset, ErrorKind::Truncated { missing })
    }

    /// The first byte of the field that is wrong, counted from the start of the buffer.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// Returns why the bytes were refused.
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.kind
    }

    /// Returns `true` if the bytes end too early. A receiver can wait for more bytes then.
    #[must_use]
    pub const fn is_truncated(self) -> bool {
        matches!(self.kind, ErrorKind::Truncated { .. })
    }

    /// The same error with `start` added to its offset: for a value that starts at `start` in a larger
    /// file.
    #[must_use]
    pub const fn at(self, start: usize) -> Error {
        Error {
            offset: self.offset.saturating_add(start),
            kind: self.kind,
        }
    }
}

/// The reasons to refuse bytes ([`docs/FORMAT.md` §6]).
///
/// Both modes return the kinds from the first to [`ErrorKind::BadFrame`]. Only strict mode returns the kinds
/// from [`ErrorKind::ReservedBits`] on. The last two, [`ErrorKind::IndexLimit`] and
/// [`ErrorKind::ForeignIndex`], are about an [`Index`](crate::Index).
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
// In a `Result` the error and the value share their memory. If the discriminant were one byte, the
// compiler would store the first word of every value in four parts, and a load of it would have to
// wait for all of them: `Events` took 1.9 times as long (`gdvar-benches --only matrix`).
#[repr(u64)]
pub enum ErrorKind {
    /// The bytes end before the value does.
    Truncated {
        /// The least number of bytes that are missing.
        missing: u32,
    },
    /// The dialect has no type with this number.
    UnknownType(TypeId),
    /// The first word is the length of the rest instead of a header, as `store_var` and `put_var` write
    /// it. A length that could also be a header gives another error, or none;
    /// [`Document::length_prefix`](crate::Document::length_prefix) finds these cases too.
    LengthPrefixed {
        /// The first word of the bytes.
        length: u32,
    },
    /// The bytes are a file of another format that can contain values. Reported only at the start of the
    /// buffer, and only if the bytes cannot be read as a value.
    Packed(Layer),
    /// A length or count is negative for the engines, which read it as signed, or needs more than
    /// 2³¹ − 1 bytes.
    InvalidLength {
        /// The length or count in the bytes.
        value: u32,
    },
    /// Text is not UTF-8. Godot 3 and 2 accept more than UTF-8; for them this error means text that they
    /// refuse.
    InvalidUtf8,
    /// Values are nested deeper than the limit.
    DepthExceeded {
        /// The greatest depth that is allowed.
        limit: u16,
    },
    /// An object has a form that the options refuse: [`Objects`](crate::Objects).
    ObjectsNotAllowed,
    /// A NodePath has the old format of Godot 2, which this dialect refuses.
    OldNodePath,
    /// A typed container declares a type number that the dialect does not have.
    BadElementType {
        /// The type number in the bytes.
        id: u32,
    },
    /// The class name of a typed array is not a StringName (Pandemonium 5).
    BadClassName,
    /// The script path of a typed container is not a `res://` path.
    BadScriptPath,
    /// The length prefix of a record is not the length of a value: [`frames`](crate::frames).
    BadFrame {
        /// The length prefix.
        length: u32,
    },

    /// Header bits are set that have no meaning for this type. Godot 2 refuses them in engine mode too.
    ReservedBits(HeaderWord),
    /// A Bool is neither 0 nor 1.
    InvalidBool {
        /// The word in the bytes.
        value: u32,
    },
    /// A correct encoder writes this value with other bytes.
    NonCanonical(NonCanonical),
    /// Text contains a NUL. The engines stop reading there.
    EmbeddedNul,
    /// Padding is not zero.
    NonZeroPadding,
    /// A count has the shared bit of Godot 2.
    SharedBit,
    /// A Dictionary has a key twice.
    DuplicateKey,
    /// Bytes follow the value.
    TrailingBytes {
        /// The number of bytes after the value.
        count: u32,
    },
    /// The `script` property of an object is neither null nor a `res://` path.
    BadScriptProperty,
    /// An element, key or value is not of the type that its container declares.
    ElementTypeMismatch,

    /// There are more bytes than an index can address.
    IndexLimit,
    /// The index was built from other bytes, or with other options.
    ForeignIndex,
}

/// A file format that often contains values, recognised by its first bytes: see
/// [`ErrorKind::Packed`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Layer {
    /// `GCPF`: `FileAccess.open_compressed` ([`docs/FORMAT.md` §7.3]).
    ///
    /// [`docs/FORMAT.md` §7.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#73-compressed-file-gcpf
    Compressed,
    /// `GDEC`: `FileAccess.open_encrypted` ([`docs/FORMAT.md` §7.4]).
    ///
    /// [`docs/FORMAT.md` §7.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#74-encrypted-file-gdec
    Encrypted,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstandard,
    /// A zip archive.
    Zip,
    /// `RSRC` or `RSCC`: a binary resource or scene. Its values have another format.
    Resource,
}

impl Layer {
    /// What the file is, and what to do about it.
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

/// Forms that a correct encoder does not write ([`docs/FORMAT.md` §5]): see [`ErrorKind::NonCanonical`].
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NonCanonical {
    /// An Int has 64 bits and fits into 32.
    WideInt,
    /// A Float has 64 bits and is exact in 32.
    WideFloat,
    /// A NaN has 32 bits.
    NarrowNan,
    /// An element of a PackedStringArray lacks its NUL.
    StringWithoutNul,
    /// A null object is not written as Nil.
    NullObject,
    /// A NodePath has the property flag of Godot 2.
    PropertyFlag,
    /// An untyped container has a type descriptor.
    UntypedDescriptor,
    /// A container declares a class with an empty name.
    EmptyClassName,
}

impl ErrorKind {
    /// The name of the kind, without its fields: `Truncated`. It is stable, so programs can rely on it.
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
                write!(f, "this is not a value but {}", layer.advice())
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
                "the dictionary has this key already; engines keep the last value",
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
