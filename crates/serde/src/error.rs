//! [`Error`]: the reason, the position, and advice.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
};
use core::{convert::Infallible, fmt};

use gdvar_view::{self as view, Document};
use gdvar_write as write;
use serde_core::{de, ser};

/// The reason why a value could not be read or written, and its position.
///
/// An `Error` has the size of a pointer, so that results stay small. Memory is allocated when an error
/// occurs. A reading error has an offset and a path, a writing error has a path.
///
/// ```
/// let bytes = gdvar_serde::to_vec(&[("hp", 80)])?;
/// let error = gdvar_serde::from_slice::<Vec<(String, bool)>>(&bytes).unwrap_err();
/// assert_eq!(error.path(), Some("$[0][1]"));
/// assert_eq!(
///     error.to_string(),
///     "$[0][1], at byte 0x1c: expected a boolean, found the int 80"
/// );
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    what: What,
    offset: Option<usize>,
    path: String,
    /// `true` if the path is complete. Until then, callers prepend steps to it.
    located: bool,
}

/// The error of an underlying writer or reader.
type Failure = Box<dyn core::error::Error + Send + Sync>;

/// The reason of an error.
#[derive(Debug)]
enum What {
    Read(view::ErrorKind),
    Write(write::WriteErrorKind<Infallible>),
    Text(String),
    Output(Failure),
    #[cfg(feature = "std")]
    Input(Failure),
}

/// The category of an error: see [`Error::category`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Category {
    /// The bytes are not a value that the engine would read.
    Bytes,
    /// The bytes are valid, but the type expects something else, or needs something that the
    /// format lacks.
    Data,
    /// The target's engine cannot hold the value.
    Target,
    /// The underlying writer or reader failed.
    Io,
}

impl Error {
    #[cold]
    fn new(what: What, offset: Option<usize>) -> Error {
        Error(Box::new(Inner {
            what,
            offset,
            path: String::new(),
            located: false,
        }))
    }

    #[cold]
    pub(crate) fn text(text: impl Into<String>) -> Error {
        Error::new(What::Text(text.into()), None)
    }

    #[cold]
    pub(crate) fn read(error: view::Error) -> Error {
        Error::new(What::Read(error.kind()), Some(error.offset()))
    }

    #[cold]
    pub(crate) fn write<E>(error: write::Error<E>) -> Error
    where
        E: core::error::Error + Send + Sync + 'static,
    {
        match error.into_kind().without_sink() {
            Ok(kind) => Error::new(What::Write(kind), None),
            Err(error) => Error::new(What::Output(Box::new(error)), None),
        }
    }

    /// Returns the error for `count` bytes after the value, which ends at `offset`.
    #[cold]
    pub(crate) fn trailing(offset: usize, count: usize) -> Error {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let what = What::Read(view::ErrorKind::TrailingBytes { count });
        Error::new(what, Some(offset))
    }

    /// Returns the error of an underlying writer.
    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn output(error: std::io::Error) -> Error {
        Error::new(What::Output(Box::new(error)), None)
    }

    /// Returns the error of an underlying reader.
    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn input(error: std::io::Error) -> Error {
        Error::new(What::Input(Box::new(error)), None)
    }

    /// Sets the offset, unless the error has one.
    #[cold]
    pub(crate) fn or_at(mut self, offset: usize) -> Error {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Sets the path to the path of the error's offset in `document`.
    #[cold]
    pub(crate) fn located(mut self, document: Document<'_>) -> Error {
        if let Some(length) = document.length_prefix() {
            self.0.what = What::Read(view::ErrorKind::LengthPrefixed { length });
            self.0.offset = Some(0);
        }
        let offset = *self.0.offset.get_or_insert(0);
        if !self.0.located {
            self.0.path = document.locate(offset).to_string();
            self.0.located = true;
        }
        self
    }

    /// Puts `step` in front of the path: the step to the element, field or pair that contains the
    /// error. Does nothing if the path is complete.
    #[cold]
    pub(crate) fn inside(mut self, step: &str) -> Error {
        if !self.0.located {
            self.0.path.insert_str(0, step);
        }
        self
    }

    /// Completes the path, because the caller is at the outermost value.
    #[cold]
    pub(crate) fn outermost(mut self) -> Error {
        if !self.0.located {
            self.0.path.insert(0, '$');
            self.0.located = true;
        }
        self
    }

    /// Returns the path in the value: `$.entities[3].pos`, in the notation of
    /// [`Path`](gdvar_view::Path). For a missing key it is the path of the value that lacks it.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.0.located.then_some(&self.0.path)
    }

    /// Returns the offset in the buffer of the faulty value, for a reading error.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Returns the category of the error.
    #[must_use]
    pub fn category(&self) -> Category {
        match self.0.what {
            What::Read(_) => Category::Bytes,
            What::Write(_) => Category::Target,
            What::Text(_) => Category::Data,
            What::Output(_) => Category::Io,
            #[cfg(feature = "std")]
            What::Input(_) => Category::Io,
        }
    }

    /// Returns what is wrong with the bytes, or `None` if the error has another cause.
    #[must_use]
    pub fn read_error(&self) -> Option<view::ErrorKind> {
        match self.0.what {
            What::Read(kind) => Some(kind),
            _ => None,
        }
    }

    /// Returns why the target cannot hold the value, or `None` if the error has another cause.
    #[must_use]
    pub fn write_error(&self) -> Option<write::WriteErrorKind<Infallible>> {
        match self.0.what {
            What::Write(kind) => Some(kind),
            _ => None,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Read(kind) => {
                write!(f, "{kind}")?;
                match kind {
                    view::ErrorKind::DepthExceeded { .. } => f.write_str(
                        "; if that is meant, read with ReadWith::deep, in a thread with a stack for it",
                    ),
                    view::ErrorKind::TrailingBytes { .. } => {
                        f.write_str("; ReadWith::allow_trailing_bytes ignores them, as the engines do")
                    }
                    view::ErrorKind::ObjectsNotAllowed => {
                        f.write_str("; ReadOptions with Objects::Inert let them in as data")
                    }
                    _ => Ok(()),
                }
            }
            What::Write(kind) => kind.fmt(f),
            What::Text(text) => f.write_str(text),
            // The source has the reason.
            What::Output(_) => f.write_str("the output could not be written"),
            #[cfg(feature = "std")]
            What::Input(_) => f.write_str("the input could not be read"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { what, offset, .. } = &*self.0;
        match (self.path(), offset) {
            (Some(path), Some(offset)) => write!(f, "{path}, at byte {offset:#x}: {what}"),
            (Some(path), None) => write!(f, "{path}: {what}"),
            (None, Some(offset)) => write!(f, "at byte {offset:#x}: {what}"),
            (None, None) => what.fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?})", self.to_string())
    }
}

impl core::error::Error for Error {
    /// Returns the error of the underlying writer or reader, if it failed. This error's own
    /// message does not repeat it.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.what {
            What::Output(error) => Some(&**error),
            #[cfg(feature = "std")]
            What::Input(error) => Some(&**error),
            _ => None,
        }
    }
}

impl From<view::Error> for Error {
    fn from(error: view::Error) -> Error {
        Error::read(error)
    }
}

/// Returns the error of the underlying writer or reader if it failed. Otherwise returns an
/// `InvalidData` error that contains this one.
#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> std::io::Error {
        match error.0.what {
            What::Output(inner) | What::Input(inner) => match inner.downcast() {
                Ok(error) => *error,
                Err(other) => std::io::Error::other(other),
            },
            _ => std::io::Error::new(std::io::ErrorKind::InvalidData, error),
        }
    }
}

/// The value that was found, as the message names it.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use de::Unexpected as U;
        match self.0 {
            U::Bool(bool) => write!(f, "the bool {bool}"),
            U::Unsigned(int) => write!(f, "the int {int}"),
            U::Signed(int) => write!(f, "the int {int}"),
            U::Float(float) => write!(f, "the float {float:?}"),
            U::Char(char) => write!(f, "the String {:?}", char.to_string()),
            U::Str(text) => match text.char_indices().nth(40) {
                None => write!(f, "the String {text:?}"),
                Some((end, _)) => write!(f, "a String that begins with {:?}", &text[..end]),
            },
            U::Bytes(_) => f.write_str("a PackedByteArray"),
            U::Unit => f.write_str("null"),
            U::Seq => f.write_str("an Array"),
            U::Map => f.write_str("a Dictionary"),
            // A type that accepts anything gets values of Godot's own types in this form.
            U::Option => f.write_str(
                "a value of one of Godot's own types (a packed array inside an untagged or \
                 internally tagged enum needs #[serde(with = \"gdvar::serde::packed\")])",
            ),
            U::Other(name) => f.write_str(name),
            other => other.fmt(f),
        }
    }
}

impl de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error::text(message.to_string())
    }

    #[cold]
    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Error {
        Error::text(format!("expected {expected}, found {}", Found(found)))
    }

    #[cold]
    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Error {
        Error::text(format!("expected {expected}, found {}", Found(found)))
    }

    #[cold]
    fn invalid_length(found: usize, expected: &dyn de::Expected) -> Error {
        Error::text(format!("expected {expected}, found {found} elements"))
    }

    #[cold]
    fn missing_field(name: &'static str) -> Error {
        Error::text(format!(
            "the key `{name}` is missing; if it may be, mark the field with #[serde(default)] or \
             make it an Option"
        ))
    }

    #[cold]
    fn duplicate_field(name: &'static str) -> Error {
        Error::text(format!("the key `{name}` occurs twice in the Dictionary"))
    }
}

impl ser::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error::text(message.to_string())
    }
}
