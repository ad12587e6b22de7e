//! Errors of the writer, and what to try next.

use core::{convert::Infallible, fmt};

use gdvar_wire::{Dialect, Kind};

/// Why a value could not be written, and where.
///
/// `E` is the error of the [`Sink`](crate::Sink); it is passed on untouched and is the
/// [`source`](core::error::Error::source). Everything else is a mistake of the caller, found
/// before a byte of the value at fault is written unless [`Error::is_fatal`] says otherwise.
///
/// No allocation; `Copy` where `E` is.
///
/// ```
/// use gdvar_write::{WriteErrorKind, Target, Writer};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_3);
/// writer.begin_array(1)?;
/// let error = writer.string_name("hp").unwrap_err();
/// assert_eq!(error.position(), 8);
/// assert!(error.to_string().contains("Godot 3 has no StringName"));
/// writer.string("hp")?; // nothing was written, so another try is fine
/// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error<E> {
    position: u64,
    kind: WriteErrorKind<E>,
}

/// The kind of error. See [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteErrorKind<E> {
    /// The sink did not take the bytes.
    Sink(E),
    /// An earlier error cut the output in the middle of a value.
    Broken,
    /// A second value where one is all there can be.
    Complete,
    /// Finished without a value.
    Empty,
    /// One child more than announced.
    TooMany,
    /// Fewer children than announced: elements, entries, properties or strings.
    TooFew {
        /// The number of children that are missing. An entry without its value counts as missing.
        missing: u32,
    },
    /// Finished while containers are open.
    Unfinished {
        /// The number that is open.
        open: u32,
    },
    /// A slot of one container was used while another container was the innermost open one.
    ChildOpen {
        /// Containers open.
        open: u32,
        /// Containers open where the slot belongs.
        expected: u32,
    },
    /// `end()` without an open container.
    NothingOpen,
    /// `end()` of the wrong sort: a container of unknown length has its own.
    WrongEnd,
    /// A value where the name of an object's property is due.
    ExpectedProperty,
    /// A key or name where the value of the one before is due.
    ExpectedValue,
    /// A property name outside an object.
    NotAnObject,
    /// A length, count or size beyond what the engines can hold (`docs/FORMAT.md` §3.5).
    TooLarge {
        /// The refused size in bytes, or the count.
        size: u64,
    },
    /// A value nested deeper than the limit (`docs/FORMAT.md` §4.6).
    DepthExceeded {
        /// The greatest depth allowed.
        limit: u16,
    },
    /// The target has no such values: the dialect lacks the type, its minor version does, or
    /// this form of it has no bytes there (`docs/FORMAT.md` §1).
    Unrepresentable {
        /// The kind that the target lacks.
        kind: Kind,
        /// For whom.
        dialect: Dialect,
    },
    /// The target's version has no typed containers of this kind (`docs/FORMAT.md` §1.2).
    TypedUnsupported {
        /// Array or Dictionary.
        kind: Kind,
        /// For whom.
        dialect: Dialect,
    },
    /// An Int that does not fit the target's 32 bits.
    IntTooWide {
        /// The number.
        value: i64,
    },
    /// A Float that would be rounded, for a target that has 32 bits for it and no leave to round.
    FloatTooWide {
        /// The bits of the number.
        bits: u64,
    },
    /// A number from outside that a value, a component or an element of this kind does not hold.
    OutOfRange {
        /// The kind.
        kind: Kind,
    },
    /// An element, key or value of another type than its typed container holds
    /// (`docs/FORMAT.md` §4.3).
    ElementType {
        /// The type that the container holds.
        wanted: Kind,
        /// The type of the child.
        found: Kind,
    },
    /// A text with a NUL: the engine would cut it there.
    EmbeddedNul,
    /// Text bytes that are no text for the engine of this dialect.
    InvalidText {
        /// For whom.
        dialect: Dialect,
    },
    /// A class name is empty, or nothing but a byte order mark, which would be read as null.
    EmptyClassName,
    /// An element type's script is not a `res://` path.
    ScriptPath,
    /// Packed elements of another type than the array's.
    WrongElement {
        /// The array.
        kind: Kind,
    },
    /// Raw bytes of a length no whole value has.
    NotAValue {
        /// The length.
        len: usize,
    },
}

impl<E> Error<E> {
    #[cold]
    pub(crate) fn new(position: u64, kind: WriteErrorKind<E>) -> Error<E> {
        Error { position, kind }
    }

    /// The number of bytes of the value that had been handed to the sink when it happened.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> &WriteErrorKind<E> {
        &self.kind
    }

    /// The kind of error, owned; the sink's error is in [`WriteErrorKind::Sink`].
    #[must_use]
    pub fn into_kind(self) -> WriteErrorKind<E> {
        self.kind
    }

    /// Returns `true` if the output now ends in the middle of a value, so that the writer refuses
    /// everything else. After other errors the writer stands where it stood.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self.kind, WriteErrorKind::Sink(_) | WriteErrorKind::Broken)
    }
}

#[cfg(feature = "alloc")]
impl Error<Infallible> {
    /// This mistake as an error of another sink, `offset` bytes further on.
    pub(crate) fn widen<E>(self, offset: u64) -> Error<E> {
        let kind = match self.kind.widen() {
            Ok(kind) => kind,
            Err(never) => match never {},
        };
        Error::new(self.position + offset, kind)
    }
}

impl<S> WriteErrorKind<S> {
    /// The mistake without regard to the sink, or the sink's error.
    ///
    /// # Errors
    ///
    /// The sink's error, if it is one.
    pub fn without_sink(self) -> Result<WriteErrorKind<Infallible>, S> {
        self.widen()
    }

    fn widen<E>(self) -> Result<WriteErrorKind<E>, S> {
        Ok(match self {
            WriteErrorKind::Sink(error) => return Err(error),
            WriteErrorKind::Broken => WriteErrorKind::Broken,
            WriteErrorKind::Complete => WriteErrorKind::Complete,
            WriteErrorKind::Empty => WriteErrorKind::Empty,
            WriteErrorKind::TooMany => WriteErrorKind::TooMany,
            WriteErrorKind::TooFew { missing } => WriteErrorKind::TooFew { missing },
            WriteErrorKind::Unfinished { open } => WriteErrorKind::Unfinished { open },
            WriteErrorKind::ChildOpen { open, expected } => {
                WriteErrorKind::ChildOpen { open, expected }
            }
            WriteErrorKind::NothingOpen => WriteErrorKind::NothingOpen,
            WriteErrorKind::WrongEnd => WriteErrorKind::WrongEnd,
            WriteErrorKind::ExpectedProperty => WriteErrorKind::ExpectedProperty,
            WriteErrorKind::ExpectedValue => WriteErrorKind::ExpectedValue,
            WriteErrorKind::NotAnObject => WriteErrorKind::NotAnObject,
            WriteErrorKind::TooLarge { size } => WriteErrorKind::TooLarge { size },
            WriteErrorKind::DepthExceeded { limit } => WriteErrorKind::DepthExceeded { limit },
            WriteErrorKind::Unrepresentable { kind, dialect } => {
                WriteErrorKind::Unrepresentable { kind, dialect }
            }
            WriteErrorKind::TypedUnsupported { kind, dialect } => {
                WriteErrorKind::TypedUnsupported { kind, dialect }
            }
            WriteErrorKind::IntTooWide { value } => WriteErrorKind::IntTooWide { value },
            WriteErrorKind::FloatTooWide { bits } => WriteErrorKind::FloatTooWide { bits },
            WriteErrorKind::OutOfRange { kind } => WriteErrorKind::OutOfRange { kind },
            WriteErrorKind::ElementType { wanted, found } => {
                WriteErrorKind::ElementType { wanted, found }
            }
            WriteErrorKind::EmbeddedNul => WriteErrorKind::EmbeddedNul,
            WriteErrorKind::InvalidText { dialect } => WriteErrorKind::InvalidText { dialect },
            WriteErrorKind::EmptyClassName => WriteErrorKind::EmptyClassName,
            WriteErrorKind::ScriptPath => WriteErrorKind::ScriptPath,
            WriteErrorKind::WrongElement { kind } => WriteErrorKind::WrongElement { kind },
            WriteErrorKind::NotAValue { len } => WriteErrorKind::NotAValue { len },
        })
    }
}

impl<E> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.position == 1 { "" } else { "s" };
        write!(f, "{}, after {} byte{s}", self.kind, self.position)
    }
}

impl<E> fmt::Display for WriteErrorKind<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteErrorKind::Sink(_) => f.write_str("the output could not be written"),
            WriteErrorKind::Broken => f.write_str(
                "an earlier error cut the output in the middle of a value; discard it and start \
                 with a new writer",
            ),
            WriteErrorKind::Complete => f.write_str(
                "the value is already complete; put several into an Array, or call next_value() \
                 between them",
            ),
            WriteErrorKind::Empty => f.write_str("no value was written; write nil() for none"),
            WriteErrorKind::TooMany => f.write_str(
                "more children than announced; announce the right number when the container \
                 begins, or use a growing or spooled container",
            ),
            WriteErrorKind::TooFew { missing } => write!(
                f,
                "{missing} fewer children than announced; write them, or announce the right \
                 number when the container begins"
            ),
            WriteErrorKind::Unfinished { open } => write!(
                f,
                "finished with {open} containers still open; end() each of them"
            ),
            WriteErrorKind::ChildOpen { open, expected } => write!(
                f,
                "this slot belongs to a container at level {expected}, but {open} are open; \
                 end() the inner container first"
            ),
            WriteErrorKind::NothingOpen => f.write_str("end() without an open container"),
            WriteErrorKind::WrongEnd => f.write_str(
                "a container of unknown length ends with end_growing(), any other with end()",
            ),
            WriteErrorKind::ExpectedProperty => {
                f.write_str("an object wants the name of a property first; call property()")
            }
            WriteErrorKind::ExpectedValue => {
                f.write_str("the key or property before this one has no value yet; write it first")
            }
            WriteErrorKind::NotAnObject => {
                f.write_str("property() outside an object; in a Dictionary a key is a value")
            }
            WriteErrorKind::TooLarge { size } => write!(
                f,
                "{size} is too large: the engines hold sizes and counts up to {}; split the value",
                i32::MAX
            ),
            WriteErrorKind::DepthExceeded { limit } => write!(
                f,
                "nested deeper than {limit}, which the engine would refuse; flatten the value"
            ),
            // If a dialect has it, and some target of the dialect has not, it is the wide form.
            WriteErrorKind::Unrepresentable { kind, dialect }
                if kind.has_reals()
                    && *kind != Kind::PackedVector4Array
                    && dialect.type_id(*kind).is_some() =>
            {
                write!(
                    f,
                    "{} has no {kind} of 64-bit reals that could be written here; give f32, or ask \
                     for Precision::Single, which rounds",
                    dialect.title()
                )
            }
            WriteErrorKind::Unrepresentable { kind, dialect } => write!(
                f,
                "{} has no {kind} that could be written here; choose another type or target",
                dialect.title()
            ),
            WriteErrorKind::TypedUnsupported { kind, dialect } => write!(
                f,
                "this version of {} has no typed {kind}; write it untyped or raise the target's \
                 minor version",
                dialect.title()
            ),
            WriteErrorKind::IntTooWide { value } => write!(
                f,
                "{value} does not fit the target's 32-bit Int; write a Float or a String instead"
            ),
            WriteErrorKind::FloatTooWide { bits } => write!(
                f,
                "{:?} is no 32-bit float, and the target has no other; write float_f32 of it, or ask \
                 for Precision::Single, which rounds",
                f64::from_bits(*bits)
            ),
            WriteErrorKind::OutOfRange { kind } => out_of_range(*kind, f),
            WriteErrorKind::ElementType { wanted, found } => write!(
                f,
                "a {found} is in a container of {wanted} only, and the engine would convert or drop \
                 it; convert it, or give the container another type"
            ),
            WriteErrorKind::EmbeddedNul => f.write_str(
                "a text holds a NUL, where the engine would cut it; remove it or write the text \
                 as packed bytes",
            ),
            WriteErrorKind::InvalidText { dialect } => write!(
                f,
                "these bytes are no text for {}; write them as packed bytes",
                dialect.title()
            ),
            WriteErrorKind::EmptyClassName => {
                f.write_str("a class name is empty, which reads as null; write null_object()")
            }
            WriteErrorKind::ScriptPath => {
                f.write_str("a script as element type must be a path that begins with res://")
            }
            WriteErrorKind::WrongElement { kind } => write!(
                f,
                "the elements are not those of a {kind} of this target; mind their type and \
                 precision"
            ),
            WriteErrorKind::NotAValue { len } => {
                write!(
                    f,
                    "{len} raw byte{} cannot be one whole value",
                    if *len == 1 { "" } else { "s" }
                )
            }
        }
    }
}

/// The numbers that a kind holds.
fn out_of_range(kind: Kind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let range = match kind {
        Kind::Int => {
            return f.write_str(
                "an int is a whole number from -9223372036854775808 to 9223372036854775807; with a \
                 point, as in 9223372036854775808.0, it is a float",
            );
        }
        Kind::Float => {
            return f.write_str(
                "a float is at most 1.7976931348623157e308 and, if it is not zero, at least 4.9e-324 \
                 on both sides of zero; infinity is inf",
            );
        }
        Kind::Rid => "a number from -9223372036854775808 to 9223372036854775807",
        Kind::PackedByteArray => "whole numbers from 0 to 255",
        Kind::PackedInt64Array => "whole numbers from -9223372036854775808 to 9223372036854775807",
        Kind::Vector2i
        | Kind::Vector3i
        | Kind::Vector4i
        | Kind::Rect2i
        | Kind::PackedInt32Array
        | Kind::PackedVector2iArray
        | Kind::PackedVector3iArray
        | Kind::PackedVector4iArray => "whole numbers from -2147483648 to 2147483647",
        Kind::PackedFloat64Array => {
            "numbers up to 1.7976931348623157e308, and down to 4.9e-324, on both sides of zero"
        }
        _ => "numbers up to 3.4028235e38, and down to 1.4e-45, on both sides of zero",
    };
    write!(f, "a {kind} holds {range}")
}

/// As [`Display`](fmt::Display), and the sink's error behind it.
impl<E: fmt::Debug> fmt::Debug for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WriteErrorKind::Sink(error) => write!(f, "Error(\"{self}\", {error:?})"),
            _ => write!(f, "Error(\"{self}\")"),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            WriteErrorKind::Sink(error) => Some(error),
            _ => None,
        }
    }
}

/// The sink's error itself if it is one, else `InvalidInput` around the mistake.
#[cfg(feature = "std")]
impl From<Error<std::io::Error>> for std::io::Error {
    fn from(error: Error<std::io::Error>) -> std::io::Error {
        match error.kind {
            WriteErrorKind::Sink(error) => error,
            _ => std::io::Error::new(std::io::ErrorKind::InvalidInput, error),
        }
    }
}

/// `InvalidInput` around the mistake.
#[cfg(feature = "std")]
impl From<Error<Infallible>> for std::io::Error {
    fn from(error: Error<Infallible>) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, error)
    }
}
