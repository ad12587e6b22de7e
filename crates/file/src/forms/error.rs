//! Why a resource or scene cannot be converted to its other form.

use std::fmt;

use gdvar_document::{DocumentError, ReplaceError};

/// Why a file cannot be converted to its other form. No file was made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormError {
    /// The file is neither a resource nor a scene.
    OtherKind,
    /// The text cannot express a value.
    Text(ReplaceError),
    /// The text that was made cannot be read, so it is not written.
    Unread(Box<DocumentError>),
    /// The text could be read, but no engine would load it, so it is not written. Resources that refer to each other
    /// in a circle are such a case: in a text, each must be above its first use.
    NotLoaded(Box<DocumentError>),
    /// A binary resource cannot hold a value. The place is the place of the value in the text, if it is known.
    Binary(gdvar_resource::Error, Option<TextPlace>),
    /// A value in the text is an object of this class, instead of a reference to a tag. A binary resource can
    /// only hold resources.
    Object(String, TextPlace),
    /// The unique id in the header is not valid.
    Uid(String),
    /// The tags or lists of a scene are not as engines write them. The string says what was expected.
    Scene(&'static str),
    /// A tag of a scene lacks something that the engine needs.
    Tag(TextPlace),
    /// The file that was made has other contents, so it is not written.
    Differs,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextPlace {
    /// The line, counted from 1.
    pub line: u64,
    /// The name of the property or of the tag.
    pub name: String,
}

impl TextPlace {
    /// Returns the place of byte `at` of a text. Takes time linear in `at`.
    pub(super) fn new(text: &str, at: usize, name: &str) -> TextPlace {
        let before = text.bytes().take(at);
        TextPlace {
            line: 1 + before.filter(|byte| *byte == b'\n').count() as u64,
            name: name.to_owned(),
        }
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormError::OtherKind => {
                f.write_str("only a resource or a scene has a text and a binary form")
            }
            FormError::Text(error) => {
                write!(f, "{error}; change or delete it, or keep the binary form")
            }
            FormError::Unread(error) => write!(
                f,
                "the text would not be read: {error}; please report this file as an error"
            ),
            FormError::NotLoaded(error) => write!(
                f,
                "no engine would load the text: {error}; keep the binary form, or change what the text cannot express"
            ),
            FormError::Binary(error, place) => {
                let kind = error.kind();
                if let Some(TextPlace { line, name }) = place {
                    write!(f, "line {line}, {name}: ")?;
                }
                write!(f, "{kind}; change or delete it, or keep the text form")
            }
            FormError::Object(class, TextPlace { line, name }) => write!(
                f,
                "line {line}, {name}: expected a resource that has a tag of its own, found {class} in the value; make it a [sub_resource] or [ext_resource], delete it, or keep the text form"
            ),
            FormError::Uid(text) => write!(
                f,
                "line 1: expected a uid such as uid://abc, found {text:?}; correct it or leave it out"
            ),
            FormError::Scene(what) => write!(
                f,
                "expected {what}, as engines write scenes; gdvar view shows what the file has"
            ),
            FormError::Tag(TextPlace { line, name }) => {
                let what = match &**name {
                    "node" => "a name, and an index from 0 to 8190 if there is one",
                    "connection" => "signal, from, to and method",
                    _ => "a path",
                };
                write!(
                    f,
                    "line {line}: expected {what} in the tag [{name}], as engines write scenes"
                )
            }
            FormError::Differs => f.write_str(
                "the other form would hold other values; please report this file as an error",
            ),
        }
    }
}

impl std::error::Error for FormError {}

impl From<gdvar_resource::Error> for FormError {
    fn from(error: gdvar_resource::Error) -> FormError {
        FormError::Binary(error, None)
    }
}

impl From<ReplaceError> for FormError {
    fn from(error: ReplaceError) -> FormError {
        FormError::Text(error)
    }
}
