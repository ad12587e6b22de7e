//! [`Error`]: why a file or stream that contains values was refused, and at which offset.

use std::{convert::Infallible, fmt, io};

use gdvar_write::TranscodeError;

use crate::{compressed::Mode, records::mistake::Mistake};

/// Why a file or stream was refused, and at which offset. An error takes at most 24 bytes and is
/// `Copy`; its message is formatted when it is displayed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    offset: u64,
    kind: FileErrorKind,
}

const _: () = assert!(size_of::<Error>() <= 24);

impl Error {
    #[cold]
    pub(crate) const fn new(offset: u64, kind: FileErrorKind) -> Error {
        Error { offset, kind }
    }

    /// Creates an error at `offset`. Other crates use it for errors in formats of their own.
    #[must_use]
    pub const fn at(offset: u64, kind: FileErrorKind) -> Error {
        Error::new(offset, kind)
    }

    #[cold]
    pub(crate) fn truncated(offset: u64, missing: u64) -> Error {
        let missing = u32::try_from(missing).unwrap_or(u32::MAX);
        Error::new(offset, FileErrorKind::Truncated { missing })
    }

    /// Returns the offset of the faulty field in the file or stream.
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// Returns what is wrong, without the offset.
    #[must_use]
    pub const fn kind(self) -> FileErrorKind {
        self.kind
    }
}

/// What is wrong with a file or stream that contains values ([`docs/FORMAT.md` §7]).
///
/// [`docs/FORMAT.md` §7]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#7-envelopes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The bytes end too early.
    Truncated {
        /// At least this many bytes are missing.
        missing: u32,
    },
    /// The file does not start with the four bytes of its kind.
    BadMagic {
        /// The expected bytes.
        expected: [u8; 4],
    },
    /// A length above 2³¹ − 1, which no value has.
    BadLength {
        /// The length in the bytes.
        length: u32,
    },
    /// A length above the limit that the caller set.
    TooLong {
        /// The length in the bytes, at most 2³² − 1.
        length: u32,
        /// The limit in bytes.
        limit: u32,
    },
    /// The caller chose another framing than the bytes have.
    Mistaken(Mistake),
    /// A compressed file in a mode that no engine has.
    UnknownMode {
        /// The mode in the bytes.
        mode: u32,
    },
    /// A compiled script of a version whose layout is not known.
    UnknownVersion {
        /// The version in the bytes.
        version: u32,
    },
    /// A mode that this build cannot read or write, because its cargo feature is off.
    NotBuilt {
        /// The mode of the file that was read or should be written.
        mode: Mode,
    },
    /// A mode that this crate can read but not write, because the engines do not write it either.
    ReadOnly {
        /// The mode of the file that was read or should be written.
        mode: Mode,
    },
    /// A block size of zero.
    NoBlockSize,
    /// The caller asked for a block or an offset that the contents do not have.
    OutOfRange,
    /// The compressed bytes of a block are damaged.
    BadBlock {
        /// The block, counted from 0.
        block: u32,
    },
    /// All compressed bytes can be unpacked, but their checksum differs: they are damaged, or the
    /// checksum is.
    WrongChecksum,
    /// A block declares more bytes than its compressed bytes can possibly hold.
    Impossible {
        /// The block, counted from 0.
        block: u32,
        /// The declared number of bytes.
        length: u32,
    },
    /// The system has no memory for the contents, or for reading or writing them.
    OutOfMemory {
        /// How many bytes were asked for, at most 2³² − 1.
        length: u32,
    },
    /// The MD5 in the header differs from the MD5 of the decrypted bytes.
    WrongKey,
    /// A key that is not 32 bytes or 64 hexadecimal digits.
    BadKey,
    /// The name of a project setting is not UTF-8.
    BadName,
    /// A character outside base64's alphabet, or an incomplete last group.
    NotBase64,
}

impl FileErrorKind {
    /// Returns the name of the variant without its fields, such as `Truncated`. The name is stable,
    /// so programs can rely on it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FileErrorKind::Truncated { .. } => "Truncated",
            FileErrorKind::BadMagic { .. } => "BadMagic",
            FileErrorKind::BadLength { .. } => "BadLength",
            FileErrorKind::TooLong { .. } => "TooLong",
            FileErrorKind::Mistaken(_) => "Mistaken",
            FileErrorKind::UnknownMode { .. } => "UnknownMode",
            FileErrorKind::UnknownVersion { .. } => "UnknownVersion",
            FileErrorKind::NotBuilt { .. } => "NotBuilt",
            FileErrorKind::ReadOnly { .. } => "ReadOnly",
            FileErrorKind::NoBlockSize => "NoBlockSize",
            FileErrorKind::OutOfRange => "OutOfRange",
            FileErrorKind::BadBlock { .. } => "BadBlock",
            FileErrorKind::WrongChecksum => "WrongChecksum",
            FileErrorKind::Impossible { .. } => "Impossible",
            FileErrorKind::OutOfMemory { .. } => "OutOfMemory",
            FileErrorKind::WrongKey => "WrongKey",
            FileErrorKind::BadKey => "BadKey",
            FileErrorKind::BadName => "BadName",
            FileErrorKind::NotBase64 => "NotBase64",
        }
    }
}

impl fmt::Display for FileErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FileErrorKind::Truncated { missing } => write!(
                f,
                "the bytes end too early, at least {missing} more are needed; was the file or stream cut?"
            ),
            FileErrorKind::BadMagic { expected } => write!(
                f,
                "it does not begin with {}, so it is another kind of file; `sniff` says which",
                expected.escape_ascii()
            ),
            FileErrorKind::BadLength { length } => write!(
                f,
                "{length} is too large for the length of a value, at most 2147483647; is the prefix in the other byte order?"
            ),
            FileErrorKind::TooLong { length, limit } => write!(
                f,
                "a length of {length} bytes is above the limit of {limit}; raise the limit if that is right"
            ),
            FileErrorKind::Mistaken(mistake) => mistake.fmt(f),
            FileErrorKind::UnknownMode { mode } => write!(
                f,
                "there is no compression mode {mode}; the engines have 0 to 4"
            ),
            FileErrorKind::UnknownVersion { version } => write!(
                f,
                "the layout of compiled scripts of version {version} is not known, only of 13 (Godot 3), 100 (4.3, 4.4) and 101 (4.5 and later)"
            ),
            FileErrorKind::NotBuilt { mode } => write!(
                f,
                "this program was built without {mode}; enable that feature of gdvar-io"
            ),
            FileErrorKind::ReadOnly { mode } => write!(
                f,
                "{mode} can be read but not written, as in the engine; choose another mode"
            ),
            FileErrorKind::NoBlockSize => {
                f.write_str("the block size is zero; the engines write 4096")
            }
            FileErrorKind::OutOfRange => {
                f.write_str("there is nothing at this offset, which is after the end")
            }
            FileErrorKind::BadBlock { block } => write!(
                f,
                "the compressed bytes of block {block} are damaged; what is before and after can still be read"
            ),
            FileErrorKind::WrongChecksum => f.write_str(
                "the checksum of the compressed bytes differs: a byte of them or of the checksum is wrong",
            ),
            FileErrorKind::Impossible { block, length } => write!(
                f,
                "block {block} is said to hold {length} bytes, more than its compressed bytes can"
            ),
            FileErrorKind::OutOfMemory { length } => write!(
                f,
                "there is not enough memory: {length} bytes were asked for in one piece"
            ),
            FileErrorKind::WrongKey => {
                f.write_str("wrong password or key, or the file is damaged: the checksum differs")
            }
            FileErrorKind::BadKey => f.write_str(
                "a key is 32 bytes, or 64 hexadecimal digits; for a text use a password",
            ),
            FileErrorKind::BadName => f.write_str("the name of the setting is not UTF-8"),
            FileErrorKind::NotBase64 => f.write_str("this is not base64"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {:#x})", self.kind, self.offset)
    }
}

gdvar_view::debug_is_display!(Error);

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match error.kind {
            FileErrorKind::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            FileErrorKind::OutOfMemory { .. } => io::ErrorKind::OutOfMemory,
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}

/// An error from reading values from a reader, or from writing them to a writer.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The framing of the value or the file that contains it is invalid, or a length exceeds a
    /// limit.
    Bytes(Error),
    /// The value of a record cannot be read. Only closures of the caller return this.
    Read(gdvar_view::Error),
    /// The value cannot be written.
    Value(gdvar_write::Error<Infallible>),
    /// Serde failed: the value does not match the Rust type, or the Rust value cannot be written.
    #[cfg(feature = "serde")]
    Serde(gdvar_serde::Error),
    /// The reader or writer failed.
    Io(io::Error),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Bytes(error) => error.fmt(f),
            StreamError::Read(error) => error.fmt(f),
            StreamError::Value(error) => error.fmt(f),
            #[cfg(feature = "serde")]
            StreamError::Serde(error) => error.fmt(f),
            StreamError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StreamError {
    /// Returns the inner error's source. The inner error itself is left out, because its message
    /// is this error's message.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StreamError::Bytes(error) => error.source(),
            StreamError::Read(error) => error.source(),
            StreamError::Value(error) => error.source(),
            #[cfg(feature = "serde")]
            StreamError::Serde(error) => error.source(),
            StreamError::Io(error) => error.source(),
        }
    }
}

impl From<Error> for StreamError {
    fn from(error: Error) -> StreamError {
        StreamError::Bytes(error)
    }
}

impl From<gdvar_view::Error> for StreamError {
    fn from(error: gdvar_view::Error) -> StreamError {
        StreamError::Read(error)
    }
}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> StreamError {
        StreamError::Io(error)
    }
}

impl From<gdvar_write::Error<Infallible>> for StreamError {
    fn from(error: gdvar_write::Error<Infallible>) -> StreamError {
        StreamError::Value(error)
    }
}

impl From<TranscodeError<Infallible>> for StreamError {
    fn from(error: TranscodeError<Infallible>) -> StreamError {
        match error {
            TranscodeError::Read(error) => error.into(),
            TranscodeError::Write(error) => error.into(),
        }
    }
}

#[cfg(feature = "serde")]
impl From<gdvar_serde::Error> for StreamError {
    fn from(error: gdvar_serde::Error) -> StreamError {
        StreamError::Serde(error)
    }
}

impl From<StreamError> for io::Error {
    fn from(error: StreamError) -> io::Error {
        match error {
            StreamError::Bytes(error) => error.into(),
            StreamError::Read(error) => io::Error::new(io::ErrorKind::InvalidData, error),
            StreamError::Value(error) => io::Error::new(io::ErrorKind::InvalidInput, error),
            #[cfg(feature = "serde")]
            StreamError::Serde(error) => error.into(),
            StreamError::Io(error) => error,
        }
    }
}
