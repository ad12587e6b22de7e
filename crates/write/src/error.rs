//! The writer's errors, and what to try next.

use core::{convert::Infallible, fmt};

use gdvar_wire::{
    Dialect, Kind,
    layout::{self, Number},
};

/// Why a value could not be written, and where.
///
/// `E` is the error of the [`Sink`](crate::Sink). The sink's error is passed on unchanged and is
/// the [`source`](core::error::Error::source). Every other error is a mistake of the caller, found
/// before a byte of the faulty value is written. [`Error::is_fatal`] lists the exceptions.
///
/// Making an error allocates nothing. It is `Copy` if `E` is.
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
    /// A second value after the outermost one.
    Complete,
    /// The writer was finished without a value.
    Empty,
    /// More children than the length that was given.
    TooMany,
    /// Fewer children than the length that was given: elements, entries, properties or strings.
    TooFew {
        /// The number of children that are missing. An entry without its value counts as missing.
        missing: u32,
    },
    /// The writer was finished while containers were open.
    Unfinished {
        /// How many containers are open.
        open: u32,
    },
    /// A slot was used while a container inside its own container was still open.
    ChildOpen {
        /// How many containers are open.
        open: u32,
        /// How many containers are open at the slot.
        expected: u32,
    },
    /// `end()` without an open container.
    NothingOpen,
    /// `end()` for a container of unknown length, which has its own end method.
    WrongEnd,
    /// A value where the name of an object's property is expected.
    ExpectedProperty,
    /// A key or name where a value is expected.
    ExpectedValue,
    /// A property name outside an object.
    NotAnObject,
    /// A length, count or size beyond what the engines can hold ([`docs/FORMAT.md` §3.5]).
    ///
    /// [`docs/FORMAT.md` §3.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#35-size-limits
    TooLarge {
        /// The refused size in bytes, or the count.
        size: u64,
    },
    /// A value nested deeper than the limit ([`docs/FORMAT.md` §4.6]).
    ///
    /// [`docs/FORMAT.md` §4.6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#46-nesting-depth
    DepthExceeded {
        /// The greatest depth allowed.
        limit: u16,
    },
    /// The target cannot hold the value: the dialect or its minor version lacks the type, or has no
    /// form for this value ([`docs/FORMAT.md` §1]).
    ///
    /// [`docs/FORMAT.md` §1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#1-dialects
    Unrepresentable {
        /// The kind that the target lacks.
        kind: Kind,
        /// The dialect of the target.
        dialect: Dialect,
    },
    /// The target's version has no typed containers of this kind ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    TypedUnsupported {
        /// Array or Dictionary.
        kind: Kind,
        /// The dialect of the target.
        dialect: Dialect,
    },
    /// An Int that does not fit the target's 32 bits.
    IntTooWide {
        /// The number that does not fit.
        value: i64,
    },
    /// A Float that would be rounded, for a target with 32-bit floats that was not asked to round.
    FloatTooWide {
        /// The bits of the number.
        bits: u64,
    },
    /// A number from other data, such as JSON, that does not fit a value, a component or an element
    /// of this kind.
    OutOfRange {
        /// The kind that cannot hold the number.
        kind: Kind,
    },
    /// An element, key or value of another type than its typed container holds
    /// ([`docs/FORMAT.md` §4.3]).
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    ElementType {
        /// The type that the container holds.
        wanted: Kind,
        /// The type of the child.
        found: Kind,
    },
    /// A text with a NUL, where the engine would cut it.
    EmbeddedNul,
    /// Bytes that the engine of this dialect cannot decode as text.
    InvalidText {
        /// The dialect of the target.
        dialect: Dialect,
    },
    /// A class name that is empty or only a byte order mark; the engine would read null.
    EmptyClassName,
    /// The script of an element type is not a `res://` path.
    ScriptPath,
    /// Elements that do not match the kind of packed array.
    WrongElement {
        /// The kind of packed array.
        kind: Kind,
    },
    /// Raw bytes of a length that no value has.
    NotAValue {
        /// The number of bytes given.
        len: usize,
    },
}

impl<E> WriteErrorKind<E> {
    /// Returns a short name that does not change: that of the variant.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            WriteErrorKind::Sink(_) => "Sink",
            WriteErrorKind::Broken => "Broken",
            WriteErrorKind::Complete => "Complete",
            WriteErrorKind::Empty => "Empty",
            WriteErrorKind::TooMany => "TooMany",
            WriteErrorKind::TooFew { .. } => "TooFew",
            WriteErrorKind::Unfinished { .. } => "Unfinished",
            WriteErrorKind::ChildOpen { .. } => "ChildOpen",
            WriteErrorKind::NothingOpen => "NothingOpen",
            WriteErrorKind::WrongEnd => "WrongEnd",
            WriteErrorKind::ExpectedProperty => "ExpectedProperty",
            WriteErrorKind::ExpectedValue => "ExpectedValue",
            WriteErrorKind::NotAnObject => "NotAnObject",
            WriteErrorKind::TooLarge { .. } => "TooLarge",
            WriteErrorKind::DepthExceeded { .. } => "DepthExceeded",
            WriteErrorKind::Unrepresentable { .. } => "Unrepresentable",
            WriteErrorKind::TypedUnsupported { .. } => "TypedUnsupported",
            WriteErrorKind::IntTooWide { .. } => "IntTooWide",
            WriteErrorKind::FloatTooWide { .. } => "FloatTooWide",
            WriteErrorKind::OutOfRange { .. } => "OutOfRange",
            WriteErrorKind::ElementType { .. } => "ElementType",
            WriteErrorKind::EmbeddedNul => "EmbeddedNul",
            WriteErrorKind::InvalidText { .. } => "InvalidText",
            WriteErrorKind::EmptyClassName => "EmptyClassName",
            WriteErrorKind::ScriptPath => "ScriptPath",
            WriteErrorKind::WrongElement { .. } => "WrongElement",
            WriteErrorKind::NotAValue { .. } => "NotAValue",
        }
    }
}

impl<E> Error<E> {
    #[cold]
    pub(crate) fn new(position: u64, kind: WriteErrorKind<E>) -> Error<E> {
        Error { position, kind }
    }

    /// Returns how many bytes of the value the sink had when the error happened.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> &WriteErrorKind<E> {
        &self.kind
    }

    /// Returns the kind of error, owned. The sink's error is in [`WriteErrorKind::Sink`].
    #[must_use]
    pub fn into_kind(self) -> WriteErrorKind<E> {
        self.kind
    }

    /// Returns `true` for an error of the sink, and for a call of a broken writer. The output then
    /// ends in the middle of a value, and the writer refuses everything else. After other errors
    /// the writer's state is unchanged, with one exception: an error in an item of
    /// [`packed_strings`](crate::Writer::packed_strings),
    /// [`packed_strings_bytes`](crate::Writer::packed_strings_bytes) or
    /// [`node_path_from`](crate::Writer::node_path_from) also breaks the writer.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(self.kind, WriteErrorKind::Sink(_) | WriteErrorKind::Broken)
    }
}

#[cfg(feature = "alloc")]
impl Error<Infallible> {
    /// Converts this mistake to an error for another sink, and adds `offset` to its position.
    pub(crate) fn widen<E>(self, offset: u64) -> Error<E> {
        let kind = match self.kind.widen() {
            Ok(kind) => kind,
            Err(never) => match never {},
        };
        Error::new(self.position + offset, kind)
    }
}

impl<S> WriteErrorKind<S> {
    /// Converts the kind to one without the sink's error type.
    ///
    /// # Errors
    ///
    /// Returns the sink's error, if the kind is [`WriteErrorKind::Sink`].
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
                f.write_str("an object expects the name of a property first; call property()")
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
            // The dialect has the kind and some target of it does not: only the 64-bit form can be
            // missing.
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
            WriteErrorKind::FloatTooWide { bits } => {
                write_float(*bits, f)?;
                f.write_str(
                    " does not fit a 32-bit float, and the target has no wider one; round it and call \
                     float_f32, or ask for Precision::Single, which rounds",
                )
            }
            WriteErrorKind::OutOfRange { kind } => out_of_range(*kind, f),
            WriteErrorKind::ElementType { wanted, found } => write!(
                f,
                "a container of {wanted} cannot hold a {found}: the engine would convert or drop it; \
                 convert it, or give the container another type"
            ),
            WriteErrorKind::EmbeddedNul => f.write_str(
                "a text holds a NUL, where the engine would cut it; remove it or write the text \
                 as packed bytes",
            ),
            WriteErrorKind::InvalidText { dialect } => write!(
                f,
                "{} cannot decode these bytes as text; write them as packed bytes",
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
                "a {kind} of this target has other elements; check their type and precision"
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

/// Writes a float with the fewest digits that read back as the same float. With
/// `--cfg gdvar_host_floats`, writes the bits instead, because the code for the digits would be a
/// tenth of the WebAssembly module.
fn write_float(bits: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if cfg!(gdvar_host_floats) {
        write!(f, "the float with the bits {bits:#x}")
    } else {
        write!(f, "{:?}", f64::from_bits(bits))
    }
}

/// Writes which numbers a kind holds.
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
        kind => match layout::numbers(kind) {
            Some((Number::U8, _)) => "whole numbers from 0 to 255",
            Some((Number::I32, _)) => "whole numbers from -2147483648 to 2147483647",
            Some((Number::Int | Number::I64, _)) => {
                "whole numbers from -9223372036854775808 to 9223372036854775807"
            }
            Some((Number::F64, _)) => {
                "numbers up to 1.7976931348623157e308, and down to 4.9e-324, on both sides of zero"
            }
            Some((Number::F32 | Number::Real, _)) | None => {
                "numbers up to 3.4028235e38, and down to 1.4e-45, on both sides of zero"
            }
        },
    };
    write!(f, "a {kind} holds {range}")
}

/// Prints the text of [`Display`](fmt::Display), and then the sink's error if there is one.
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

/// Returns the sink's error if it is one, else an `InvalidInput` error that contains the mistake.
#[cfg(feature = "std")]
impl From<Error<std::io::Error>> for std::io::Error {
    fn from(error: Error<std::io::Error>) -> std::io::Error {
        match error.kind {
            WriteErrorKind::Sink(error) => error,
            _ => std::io::Error::new(std::io::ErrorKind::InvalidInput, error),
        }
    }
}

/// Returns an `InvalidInput` error that contains the mistake.
#[cfg(feature = "std")]
impl From<Error<Infallible>> for std::io::Error {
    fn from(error: Error<Infallible>) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, error)
    }
}
