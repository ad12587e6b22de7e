//! [`TextDocument`]: a text with its sections, and what can be done with it.

use gdvar_view::Dialect;

use crate::{
    config,
    contents::Contents,
    dialect,
    error::{DocumentError, DocumentErrorKind},
    lines::{begins_line, ends_line},
    replace::{self, ReplaceError},
    section::{Entry, Section},
};

/// What a text document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// The text of a ConfigFile.
    ConfigFile,
}

impl Form {
    /// Returns a short name: `config-file`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Form::ConfigFile => "config-file",
        }
    }

    /// Returns a phrase for people: `a ConfigFile`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Form::ConfigFile => "a ConfigFile",
        }
    }
}

/// The text of a document, and where its sections, names and values are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextDocument<'a> {
    text: &'a str,
    form: Form,
    dialect: Dialect,
    sections: Vec<Section<'a>>,
}

impl<'a> TextDocument<'a> {
    /// Reads the text of a ConfigFile: `.cfg`, `project.godot`, `override.cfg`, `.import`,
    /// `export_presets.cfg`. Without a dialect it is the one of `config_version`, or of the engine that alone
    /// writes one of the values, or Godot 4.
    ///
    /// The engine reads any text that contains `name=value`. [`TextDocument::is_evident`] tells whether this
    /// text looks like one that an engine or a person wrote as a ConfigFile.
    ///
    /// # Errors
    /// The first value that cannot be read, with its line and column. The engine keeps what is before it.
    pub fn config_file(
        text: &'a str,
        dialect: Option<Dialect>,
    ) -> Result<TextDocument<'a>, DocumentError> {
        check_text(text)?;
        let dialect = dialect.unwrap_or_else(|| dialect::of_values(text));
        let sections = config::sections(text, dialect)?;
        Ok(TextDocument {
            text,
            form: Form::ConfigFile,
            dialect,
            sections,
        })
    }

    /// Reads a text that is a document beyond doubt, and finds out which one. `None` is a text of another
    /// kind.
    ///
    /// # Errors
    /// The form of a document and the first error in it, if what is before the error is such a document
    /// beyond doubt.
    pub fn recognize(
        text: &'a str,
        dialect: Option<Dialect>,
    ) -> Result<Option<TextDocument<'a>>, (Form, DocumentError)> {
        // JSON, and values as text.
        if text.trim_ascii_start().starts_with('{') {
            return Ok(None);
        }
        match TextDocument::config_file(text, dialect) {
            Ok(document) => Ok(Some(document).filter(TextDocument::is_evident)),
            Err(error) => {
                let before = text.get(..error.good_end).unwrap_or_default();
                let before = TextDocument::config_file(before, dialect);
                match before.is_ok_and(|document| document.is_evident()) {
                    true => Err((Form::ConfigFile, error)),
                    false => Ok(None),
                }
            }
        }
    }

    /// Returns what the document is.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the dialect of the values.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the sections in the order of the text. The first one of a ConfigFile has the entries before all
    /// headers.
    #[must_use]
    pub fn sections(&self) -> &[Section<'a>] {
        &self.sections
    }

    /// Returns the number of entries in the text, those included that do not count.
    #[must_use]
    pub fn entry_count(&self) -> usize {
        self.sections
            .iter()
            .map(|section| section.entries.len())
            .sum()
    }

    /// Returns `true` if the text is a ConfigFile beyond doubt: it has an entry, and a header alone on its
    /// line or, without any header, each entry on a line of its own.
    #[must_use]
    pub fn is_evident(&self) -> bool {
        let mut entries = self.sections.iter().flat_map(|section| &section.entries);
        let mut headers = self
            .sections
            .iter()
            .filter(|section| !section.header.is_empty());
        let mut has_header = false;
        let is_alone = headers.any(|section| {
            has_header = true;
            begins_line(self.text, section.header.start) && ends_line(self.text, section.header.end)
        });
        if has_header {
            return is_alone && entries.next().is_some();
        }
        let is_line = |entry: &Entry<'_>| {
            let name = &self.text[entry.name_at.start..entry.value_at.start];
            begins_line(self.text, entry.name_at.start)
                && ends_line(self.text, entry.value_at.end)
                && !name.contains('\n')
        };
        let mut count = 0;
        entries.all(|entry| {
            count += 1;
            is_line(entry)
        }) && count > 0
    }

    /// Encodes the contents as one value in the dialect of the document: a Dictionary of sections, each a
    /// Dictionary from names to values. Sections of one name are one, and a later entry replaces an earlier
    /// one. A name with the value `null` is missing, as in the engine.
    ///
    /// # Errors
    /// [`DocumentErrorKind::TooLong`] if the value takes more than 2 GiB.
    pub fn encode(&self) -> Result<Vec<u8>, DocumentError> {
        let encoded = Contents::of(&self.sections).encode(self.dialect);
        encoded.map_err(|_| DocumentError::new(self.text, 0, DocumentErrorKind::TooLong))
    }

    /// Returns the text with other contents, in the form that [`TextDocument::encode`] returns.
    ///
    /// The text of every unchanged value, comments, order, blank lines and spacing stay. A changed value is
    /// written as the engine writes it. A value that is missing is deleted with its line, and a new one is
    /// added at the end of its section. A new name in the place of an old one with the same value renames
    /// the entry. The order of the text stays, whatever the order of the contents.
    ///
    /// # Errors
    /// [`ReplaceError`] for contents of another form, and for values and names that the text cannot express.
    /// The result has been read back and has exactly the contents.
    pub fn replace(&self, contents: &[u8]) -> Result<String, ReplaceError> {
        replace::config(self.text, &self.sections, contents, self.dialect)
    }
}

/// Refuses texts that the engine does not read to their end.
fn check_text(text: &str) -> Result<(), DocumentError> {
    if i32::try_from(text.len()).is_err() {
        return Err(DocumentError::new(text, 0, DocumentErrorKind::TooLong));
    }
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => Err(DocumentError::new(text, at, DocumentErrorKind::Nul)),
        None => Ok(()),
    }
}
