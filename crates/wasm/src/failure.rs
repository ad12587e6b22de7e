//! Errors as JavaScript gets them: code, offset, path and message, as JSON.

use std::{
    convert::Infallible,
    fmt::{Display, Write},
    ops::{Deref, DerefMut},
};

use gdvar_view::{Document, Error};

/// Something went wrong. Small to hand on, because most of what can fail does not.
#[derive(Debug, Default)]
pub(crate) struct Failure(Box<Account>);

/// The account of it.
#[derive(Debug, Default)]
pub(crate) struct Account {
    code: String,
    message: String,
    /// The byte, counted from the start of what was given.
    pub(crate) offset: Option<u64>,
    /// The place in the value.
    pub(crate) path: Option<String>,
    /// What opens a file that can be read in several ways, as JSON.
    #[cfg(feature = "forms")]
    pub(crate) choices: String,
}

impl Deref for Failure {
    type Target = Account;

    fn deref(&self) -> &Account {
        &self.0
    }
}

impl DerefMut for Failure {
    fn deref_mut(&mut self) -> &mut Account {
        &mut self.0
    }
}

impl Failure {
    #[cold]
    pub(crate) fn new(code: &str, message: impl Display) -> Failure {
        Failure(Box::new(Account {
            code: code.to_owned(),
            message: message.to_string(),
            ..Account::default()
        }))
    }

    /// The code is the variant's name, as `Debug` prints it: `TooLarge { size: 7 }` is `TooLarge`.
    #[cfg(feature = "forms")]
    pub(crate) fn named(kind: &impl std::fmt::Debug, message: impl Display) -> Failure {
        let mut name = format!("{kind:?}");
        let end = name.find(|c: char| !c.is_ascii_alphanumeric());
        name.truncate(end.unwrap_or(name.len()));
        Failure::new(&name, message)
    }

    /// Bytes that cannot be read; one more walk finds the path.
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

/// Returns `true` if bytes that are no value are the beginning of a record: a length beyond their end, then a container.
fn is_cut_record(document: Document<'_>) -> bool {
    let Some((length, rest)) = document.bytes().split_first_chunk() else {
        return false;
    };
    u32::from_le_bytes(*length) as usize > rest.len()
        && match Document::with_options(rest, document.options()).root() {
            Ok(root) => root.as_array().is_some() || root.as_dict().is_some(),
            // More children than bytes.
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

        let code = match error.kind() {
            WriteErrorKind::TooMany => "TooMany",
            WriteErrorKind::TooFew { .. } => "TooFew",
            WriteErrorKind::TooLarge { .. } => "TooLarge",
            WriteErrorKind::DepthExceeded { .. } => "DepthExceeded",
            WriteErrorKind::Unrepresentable { .. } => "Unrepresentable",
            WriteErrorKind::TypedUnsupported { .. } => "TypedUnsupported",
            WriteErrorKind::IntTooWide { .. } => "IntTooWide",
            WriteErrorKind::EmbeddedNul => "EmbeddedNul",
            WriteErrorKind::InvalidText { .. } => "InvalidText",
            WriteErrorKind::EmptyClassName => "EmptyClassName",
            WriteErrorKind::ScriptPath => "ScriptPath",
            WriteErrorKind::WrongElement { .. } => "WrongElement",
            WriteErrorKind::NotAValue { .. } => "NotAValue",
            _ => "BrokenTape",
        };
        Failure::new(code, error.kind())
    }
}

/// A text as JSON.
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
