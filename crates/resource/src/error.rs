//! [`Error`]: why a resource is refused, and at which offset.

use std::fmt;

use gdvar_io::FileErrorKind;

/// Why bytes were refused, and at which offset. An error takes at most 24 bytes and is `Copy`; its
/// message is formatted when it is displayed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    offset: u64,
    kind: ErrorKind,
}

const _: () = assert!(size_of::<Error>() <= 24);

/// What is wrong with a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The first four bytes are neither `RSRC` nor `RSCC`.
    BadMagic,
    /// The compressed blocks are damaged, or unpack to more than the limit.
    Packed(FileErrorKind),
    /// The bytes end too early.
    Truncated {
        /// The least number of missing bytes.
        missing: u32,
    },
    /// A format version that no known engine writes.
    UnknownFormat {
        /// The version in the bytes.
        format: u32,
    },
    /// A count of more elements than the rest of the file can hold.
    TooMany {
        /// The count in the bytes.
        count: u32,
    },
    /// A text without a NUL at its end, with a NUL before it, or that is not UTF-8.
    BadText,
    /// A number of a name that is not in the table of names.
    NoSuchName {
        /// The number in the bytes.
        number: u32,
        /// The number of names.
        names: u32,
    },
    /// A reference to a resource inside the file, with a number that is not in the table of
    /// resources.
    NoSuchResource {
        /// The number in the bytes.
        number: u32,
    },
    /// A type number that this format does not have.
    UnknownType {
        /// The number in the bytes.
        number: u32,
    },
    /// An object of a kind that no engine writes.
    UnknownObject {
        /// The number in the bytes.
        number: u32,
    },
    /// Arrays and dictionaries are nested deeper than 512.
    TooDeep,
    /// The table of resources is empty, so there is no main resource.
    NoResource,
    /// A resource does not start where the one before it ends. Engines leave no gaps.
    NotHere {
        /// The offset at which it should start.
        expected: u32,
    },
    /// There are bytes after the resource's end mark, or the mark is not `RSRC`.
    BadEnd,
    /// The class of a resource is empty.
    NoClass,
    /// The new value is not an object of the class of the main resource, or a reference in it names no resource.
    OtherShape,
    /// Two resources in the new value have the same id.
    SameId,
    /// The new value refers to an id that none of its resources has.
    NoSuchId,
    /// An id in a file of Godot 3 that is not a number.
    BadId,
    /// A value that the engine of this format cannot hold, such as a 64-bit vector in Godot 3.
    NotInEngine,
    /// The file is neither a package nor an executable with one at its end.
    NoPackage,
    /// A package of a version whose layout is not known.
    UnknownPackage {
        /// The version in the bytes.
        version: u32,
    },
    /// The directory of a package, or a file in it, is encrypted.
    Encrypted,
    /// An entry of a package that has no bytes. It only hides a file of an earlier package.
    Removed,
    /// The bytes of a file in a package do not have the MD5 that the package gives.
    WrongSum,
    /// Two files in a package have bytes in common.
    Overlap,
    /// The values take more bytes than the limit.
    TooLong {
        /// The most bytes that the values may take.
        limit: u32,
    },
}

impl Error {
    #[cold]
    pub(crate) fn new(offset: usize, kind: ErrorKind) -> Error {
        let offset = offset as u64;
        Error { offset, kind }
    }

    /// Returns the offset of the faulty field in the file. In a compressed resource it is the offset in
    /// [`Resource::contents`](crate::Resource::contents), unless the kind is [`ErrorKind::Packed`].
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.kind
    }
}

impl ErrorKind {
    /// Returns the name of the kind without its fields, such as `Truncated`. For
    /// [`ErrorKind::Packed`], returns the name of the inner kind. The names are stable, so programs
    /// can compare them.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::BadMagic => "BadMagic",
            ErrorKind::Packed(kind) => kind.name(),
            ErrorKind::Truncated { .. } => "Truncated",
            ErrorKind::UnknownFormat { .. } => "UnknownFormat",
            ErrorKind::TooMany { .. } => "TooMany",
            ErrorKind::BadText => "BadText",
            ErrorKind::NoSuchName { .. } => "NoSuchName",
            ErrorKind::NoSuchResource { .. } => "NoSuchResource",
            ErrorKind::UnknownType { .. } => "UnknownType",
            ErrorKind::UnknownObject { .. } => "UnknownObject",
            ErrorKind::TooDeep => "TooDeep",
            ErrorKind::NoResource => "NoResource",
            ErrorKind::NotHere { .. } => "NotHere",
            ErrorKind::BadEnd => "BadEnd",
            ErrorKind::NoClass => "NoClass",
            ErrorKind::OtherShape => "OtherShape",
            ErrorKind::SameId => "SameId",
            ErrorKind::NoSuchId => "NoSuchId",
            ErrorKind::BadId => "BadId",
            ErrorKind::NotInEngine => "NotInEngine",
            ErrorKind::NoPackage => "NoPackage",
            ErrorKind::UnknownPackage { .. } => "UnknownPackage",
            ErrorKind::Encrypted => "Encrypted",
            ErrorKind::Removed => "Removed",
            ErrorKind::WrongSum => "WrongSum",
            ErrorKind::Overlap => "Overlap",
            ErrorKind::TooLong { .. } => "TooLong",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ErrorKind::BadMagic => {
                f.write_str("it begins with neither RSRC nor RSCC, so it is not a binary resource")
            }
            ErrorKind::Packed(kind) => kind.fmt(f),
            ErrorKind::Truncated { missing } => write!(
                f,
                "the resource ends too early, at least {missing} more bytes are needed; was the file cut?"
            ),
            ErrorKind::UnknownFormat { format } => write!(
                f,
                "resources of format {format} are not known, only those of 1 to 6 (Godot 3 and 4)"
            ),
            ErrorKind::TooMany { count } => write!(
                f,
                "a count of {count} is more than the rest of the file can hold; Godot may crash on it"
            ),
            ErrorKind::BadText => {
                f.write_str("a text that is not UTF-8 with one NUL at its end, as engines write it")
            }
            ErrorKind::NoSuchName { number, names } => write!(
                f,
                "there is no name {number}, the file has {names}; Godot may crash on it"
            ),
            ErrorKind::NoSuchResource { number } => {
                write!(f, "there is no resource {number} in the file")
            }
            ErrorKind::UnknownType { number } => {
                write!(f, "values of this format have no type {number}")
            }
            ErrorKind::UnknownObject { number } => {
                write!(
                    f,
                    "an object of the unknown kind {number}; engines have 0 to 3"
                )
            }
            ErrorKind::TooDeep => {
                f.write_str("arrays and dictionaries in each other, deeper than 512")
            }
            ErrorKind::NoResource => f.write_str("there is no resource in the file"),
            ErrorKind::NotHere { expected } => write!(
                f,
                "a resource does not start at {expected:#x}, where the bytes before it end"
            ),
            ErrorKind::BadEnd => {
                f.write_str("the file does not end with RSRC directly after its last resource")
            }
            ErrorKind::NoClass => f.write_str("the class of the resource has no name"),
            ErrorKind::OtherShape => f.write_str(
                "expected an object of the same class as before, each ExtResource in it with a path",
            ),
            ErrorKind::SameId => f.write_str(
                "two resources with the same id; give one of them another SubResource",
            ),
            ErrorKind::NoSuchId => f.write_str("the id of a resource that is not there"),
            ErrorKind::BadId => f.write_str(
                "the id of a resource that is not a number; Godot 3 finds resources by a number",
            ),
            ErrorKind::NotInEngine => {
                f.write_str("a value that the engine of this format cannot hold")
            }
            ErrorKind::NoPackage => f.write_str(
                "it neither begins with GDPC nor ends with it after a size, so it is not a package",
            ),
            ErrorKind::UnknownPackage { version } => write!(
                f,
                "packages of version {version} are not known, only those of 1 to 3 (Godot 3 and 4)"
            ),
            ErrorKind::Encrypted => {
                f.write_str("encrypted; the key is in the executable of the game")
            }
            ErrorKind::Removed => {
                f.write_str("the package only hides this file of another package")
            }
            ErrorKind::WrongSum => {
                f.write_str("the bytes of the file are damaged: their MD5 is another one")
            }
            ErrorKind::Overlap => f.write_str("two files of the package share bytes"),
            ErrorKind::TooLong { limit } => write!(
                f,
                "the values take more than {limit} bytes; raise the limit if that is right"
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {:#x})", self.kind, self.offset)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
