//! [`Failure`]: an error with code, offset, path and message, which JavaScript receives as JSON.

use std::{
    convert::Infallible,
    fmt::{Display, Write},
    ops::{Deref, DerefMut},
};

use gdvar_view::{Document, Error};

/// An error. It has the size of a pointer, so that results stay small.
#[derive(Debug, Default)]
pub(crate) struct Failure(Box<ErrorDetails>);

/// The contents of an error.
#[derive(Debug, Default)]
pub(crate) struct ErrorDetails {
    code: String,
    message: String,
    /// The offset from the start of the input.
    pub(crate) offset: Option<u64>,
    /// The path in the value.
    pub(crate) path: Option<String>,
    /// For a file that can be read in several ways, the options that choose each way, as JSON.
    #[cfg(feature = "forms")]
    pub(crate) choices: String,
}

impl Deref for Failure {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl DerefMut for Failure {
    fn deref_mut(&mut self) -> &mut ErrorDetails {
        &mut self.0
    }
}

impl Failure {
    #[cold]
    pub(crate) fn new(code: &str, message: impl Display) -> Failure {
        Failure(Box::new(ErrorDetails {
            code: code.to_owned(),
            message: message.to_string(),
            ..ErrorDetails::default()
        }))
    }

    /// Creates the error for bytes that cannot be read. Walks the bytes again to find the path.
    #[cold]
    pub(crate) fn read(document: Document<'_>, error: Error) -> Failure {
        let mut failure = Failure::from(error);
        if error.offset() == 0 && is_cut_record(document) {
            let advice = "; or it is a record of store_var that is cut: records(bytes, { cut: true }) reads what there is of it";
            failure.message.push_str(advice);
        }
        failure.path = Some(document.locate(error.offset()).to_string());
        failure
    }

    pub(crate) fn json(&self) -> String {
        let mut json = String::from("{\"code\":");
        quote(&self.code, &mut json);
        json.push_str(",\"message\":");
        quote(&self.message, &mut json);
        if let Some(offset) = self.offset {
            let _ = write!(json, ",\"offset\":{offset}");
        }
        if let Some(path) = &self.path {
            json.push_str(",\"path\":");
            quote(path, &mut json);
        }
        #[cfg(feature = "forms")]
        if !self.choices.is_empty() {
            let _ = write!(json, ",\"choices\":{}", self.choices);
        }
        json.push('}');
        json
    }
}

/// Returns `true` if the bytes are probably a truncated record: a length that is greater than the number of
/// bytes after it, then a container.
fn is_cut_record(document: Document<'_>) -> bool {
    let Some((length, rest)) = document.bytes().split_first_chunk() else {
        return false;
    };
    u32::from_le_bytes(*length) as usize > rest.len()
        && match Document::with_options(rest, document.options()).root() {
            Ok(root) => root.as_array().is_some() || root.as_dict().is_some(),
            // It declares more children than there are bytes.
            Err(error) => error.is_truncated(),
        }
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Failure {
        let mut failure = Failure::new(error.kind().name(), error.kind());
        failure.offset = Some(error.offset() as u64);
        failure
    }
}

impl From<gdvar_write::Error<Infallible>> for Failure {
    #[cold]
    fn from(error: gdvar_write::Error<Infallible>) -> Failure {
        use gdvar_write::WriteErrorKind;

        if let WriteErrorKind::FloatTooWide { .. } = error.kind() {
            return Failure::new(
                error.kind().name(),
                "this Float does not fit 32 bits, and the target has no wider one; \
                 round it with Math.fround, or write for the target { dialect: 'godot2', precision: 'single' }",
            );
        }
        Failure::new(error.kind().name(), error.kind())
    }
}

/// Appends a text as a JSON string.
pub(crate) fn quote(text: &str, json: &mut String) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\0'..='\x1f' => {
                let _ = write!(json, "\\u{:04x}", c as u32);
            }
            c => json.push(c),
        }
    }
    json.push('"');
}
