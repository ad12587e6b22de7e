//! Text documents as layers: the contents are the value that the text expresses.

use gdvar_document::{DocumentError, Evidence, ReplaceError, TextDocument, comments};
use gdvar_view::Dialect;

use super::{FoundLayer, LayerKind, PeelError, WrapError};
use crate::{Certainty, Hints};

pub use gdvar_document::{ConvertTextError, ConvertedText, Form, TextChange, TextChangeKind};

/// The form and the text of a document. The text is kept so that unchanged values are written byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TextFile {
    /// The form, such as a resource or a scene.
    pub form: Form,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// How certain the dialect is.
    pub certainty: Certainty,
    /// The number of entries in the text: settings, or properties.
    pub entries: u32,
    text: String,
    /// The number of zero bytes after the text.
    zeros: usize,
}

/// Reads a text document; `None` if the bytes are anything else.
pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<Option<FoundLayer>, PeelError> {
    // A crash may leave zeros after a text. All engines load such a file (`testdata/documents/loading.jsonl`).
    let end = { bytes.iter() }.rposition(|&byte| byte != 0);
    let (bytes, zeros) = bytes.split_at(end.map_or(0, |end| end + 1));
    // A text document has no zero byte and the type of a value has one, so most files return here.
    let start = &bytes[..bytes.len().min(4096)];
    if start.contains(&0) {
        return Ok(None);
    }
    let document = match TextDocument::recognize_bytes(bytes, hints.engines.given()) {
        Ok(Some(document)) => document,
        Ok(None) => return Ok(None),
        Err((form, error)) => return Err(PeelError::Document(form, Box::new(error))),
    };
    let value = { document.encode() }
        .map_err(|error| PeelError::Document(document.form(), Box::new(error)))?;
    let kind = LayerKind::Document(TextFile {
        form: document.form(),
        dialect: document.dialect(),
        certainty: match document.evidence() {
            Evidence::Values => Certainty::Certain,
            Evidence::Same => Certainty::Same,
            Evidence::None => Certainty::Likely,
            _ => Certainty::Given,
        },
        entries: u32::try_from(document.entry_count()).unwrap_or(u32::MAX),
        text: document.text().to_owned(),
        zeros: zeros.len(),
    });
    Ok(Some((kind, value)))
}

impl TextFile {
    /// Returns the text from which the layer was made, without the zero bytes after it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Iterates over the comments of the text, each with its line.
    pub fn comments(&self) -> impl Iterator<Item = (u32, &str)> {
        comments(&self.text)
    }

    /// Checks whether an engine loads this text ([`TextDocument::check_loading`]).
    ///
    /// # Errors
    /// Returns the first reason why no engine loads it, with its line and column.
    pub fn check_loading(&self) -> Result<(), DocumentError> {
        TextDocument::read(&self.text, self.form, Some(self.dialect))?.check_loading()
    }

    /// Returns the text for another engine ([`TextDocument::for_engine`]).
    ///
    /// # Errors
    /// Returns the errors of [`TextDocument::for_engine`].
    pub fn for_engine(&self, to: Dialect) -> Result<ConvertedText, ConvertTextError> {
        let document = TextDocument::read(&self.text, self.form, Some(self.dialect));
        let unread = |_| ReplaceError::Inexpressible("its own text".to_owned());
        document.map_err(unread)?.for_engine(to)
    }

    /// Returns the text with other contents. Everything that did not change keeps its bytes.
    pub(super) fn wrap(&self, contents: &[u8]) -> Result<Vec<u8>, WrapError> {
        let is_certain = matches!(self.certainty, Certainty::Given | Certainty::Certain);
        let dialect = is_certain.then_some(self.dialect);
        let document = TextDocument::read(&self.text, self.form, dialect);
        let unread = |_| ReplaceError::Inexpressible("its own text".to_owned());
        let replaced = document
            .map_err(unread)
            .and_then(|document| document.replace(contents));
        let mut file = replaced.map_err(WrapError::Document)?.into_bytes();
        file.resize(file.len() + self.zeros, 0);
        Ok(file)
    }
}
