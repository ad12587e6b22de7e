//! [`TextDocument`]: a text, its sections, and the operations on it.

use gdvar_view::Dialect;

use crate::{
    config,
    contents::Contents,
    dialect::{self, Evidence},
    error::{DocumentError, DocumentErrorKind},
    expand::expand,
    lines::{begins_line, ends_line},
    loading::Loading,
    replace::{self, ReplaceError},
    replace_resource,
    scanner::Scanner,
    section::{Entry, Section},
    signs::{Sign, signs},
    splices::Splices,
    tags, value_text,
};

/// The kinds of text documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// The text of a ConfigFile.
    ConfigFile,
    /// A resource, `.tres`.
    Resource,
    /// A scene, `.tscn`.
    Scene,
    /// One value, as `var_to_str` writes it.
    Value,
}

impl Form {
    /// Returns a short name: `config-file`, `resource`, `scene`, `value`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Form::ConfigFile => "config-file",
            Form::Resource => "resource",
            Form::Scene => "scene",
            Form::Value => "value",
        }
    }

    /// Returns a noun phrase for messages: `a ConfigFile`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Form::ConfigFile => "a ConfigFile",
            Form::Resource => "a resource",
            Form::Scene => "a scene",
            Form::Value => "a value as var_to_str writes it",
        }
    }
}

/// The text of a document, with the positions of its sections, names and values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextDocument<'a> {
    text: &'a str,
    form: Form,
    dialect: Dialect,
    evidence: Evidence,
    sections: Vec<Section<'a>>,
}

impl<'a> TextDocument<'a> {
    /// Reads the text of a ConfigFile: `.cfg`, `project.godot`, `override.cfg`, `.import`,
    /// `export_presets.cfg`. If `dialect` is `None`, the dialect is found: by `config_version`,
    /// else by a value that only one engine writes, else it is Godot 4.
    ///
    /// The engine reads any text that contains `name=value`. [`TextDocument::is_evident`] reports whether an
    /// engine or a person probably wrote this text as a ConfigFile.
    ///
    /// # Errors
    /// Returns the first value that cannot be read, with its line and column. The engine keeps the
    /// entries before this value.
    pub fn config_file(
        text: &'a str,
        dialect: Option<Dialect>,
    ) -> Result<TextDocument<'a>, DocumentError> {
        TextDocument::read(text, Form::ConfigFile, dialect)
    }

    /// Reads a resource or scene, `.tres` or `.tscn`. If `dialect` is `None`, the dialect is found:
    /// by `format`, else by a value that only one engine writes, else it is Godot 4.
    ///
    /// # Errors
    /// Returns the first tag or value that cannot be read, with its line and column. The engine does not load
    /// any part of this file.
    pub fn resource(
        text: &'a str,
        dialect: Option<Dialect>,
    ) -> Result<TextDocument<'a>, DocumentError> {
        check_text(text)?;
        let Some(form) = tags::form_of(text) else {
            let (expected, found) = ("the tag gd_resource or gd_scene", "other text");
            return Err(DocumentError::expected(text, 0, expected, found));
        };
        TextDocument::read(text, form, dialect)
    }

    /// Reads a text of one value, as `var_to_str` (Godot 3: `var2str`) writes it. If `dialect` is
    /// `None`, the dialect is found: by a part of the text that only one engine writes, else it is
    /// Godot 4.
    ///
    /// # Errors
    /// Returns the first token that cannot be read, with its line and column.
    pub fn value(
        text: &'a str,
        dialect: Option<Dialect>,
    ) -> Result<TextDocument<'a>, DocumentError> {
        TextDocument::read(text, Form::Value, dialect)
    }

    /// Checks whether an engine loads this document, and instantiates this scene. Reading the text accepts more, so
    /// that a damaged file can be shown and mended. Takes linear time.
    ///
    /// # Errors
    /// Returns the first reason why no engine does, with its line and column: a reference to a resource that no tag
    /// above it defines, a tag in the wrong place or without an attribute, a scene without a root
    /// ([`docs/RESOURCES.md`]).
    ///
    /// [`docs/RESOURCES.md`]: https://github.com/gdvar/gdvar/blob/main/docs/RESOURCES.md
    pub fn check_loading(&self) -> Result<(), DocumentError> {
        let (text, form, dialect) = (self.text, self.form, self.dialect);
        let loading = Loading {
            text,
            form,
            sections: &self.sections,
            dialect,
        };
        loading.check()
    }

    /// Reads `text` as a document of the given `form`. If `dialect` is `None`, the dialect is found
    /// by the rules of [`config_file`](TextDocument::config_file),
    /// [`resource`](TextDocument::resource) or [`value`](TextDocument::value).
    ///
    /// # Errors
    /// Returns the first error, with its line and column.
    pub fn read(
        text: &'a str,
        form: Form,
        dialect: Option<Dialect>,
    ) -> Result<TextDocument<'a>, DocumentError> {
        check_text(text)?;
        let found = match (dialect, form) {
            (Some(dialect), _) => (dialect, Evidence::Stated),
            (None, Form::Resource | Form::Scene) => tags::dialect_of(text),
            (None, Form::ConfigFile | Form::Value) => {
                dialect::of_values(text, form == Form::ConfigFile)
            }
        };
        let (dialect, evidence) = found;
        let sections = match form {
            Form::ConfigFile => config::sections(text, dialect)?,
            Form::Resource | Form::Scene => tags::sections(text, form, dialect)?,
            Form::Value => value_text::sections(text, dialect)?,
        };
        Ok(TextDocument {
            text,
            form,
            dialect,
            evidence,
            sections,
        })
    }

    /// Finds out the form of a text and reads it as a document. Returns `None` unless the text is
    /// certainly a document.
    ///
    /// # Errors
    /// If the text before an error is certainly a document, returns its form and the error.
    pub fn recognize(
        text: &'a str,
        dialect: Option<Dialect>,
    ) -> Result<Option<TextDocument<'a>>, (Form, DocumentError)> {
        if let Some(form) = tags::form_of(text) {
            let document = TextDocument::resource(text, dialect);
            return document.map(Some).map_err(|error| (form, error));
        }
        if let Some((form, at)) = tags::misspelled(text) {
            let expected = "the tag gd_resource or gd_scene, with which a resource or scene begins";
            let error = DocumentError::expected(text, at, expected, "another tag");
            return Err((form, error));
        }
        if value_text::may_be(text) {
            match TextDocument::value(text, dialect) {
                Ok(document) if document.is_evident() => return Ok(Some(document)),
                Ok(_) => return Ok(None),
                Err(error) => {
                    let first = dialect::first_of_godot(text);
                    if first.is_some_and(|first| first < error.offset()) {
                        return Err((Form::Value, error));
                    }
                }
            }
        }
        // The text is probably JSON.
        if text.trim_ascii_start().starts_with('{') {
            return Ok(None);
        }
        let is_evident =
            || is_evident_config(text, dialect) || is_evident_with_hashes(text, dialect);
        match TextDocument::config_file(text, dialect) {
            Ok(document) => Ok(Some(document).filter(TextDocument::is_evident)),
            Err(error) if is_evident() => Err((Form::ConfigFile, error)),
            Err(_) => Ok(None),
        }
    }

    /// Recognizes a document like [`TextDocument::recognize`], in bytes that may not be UTF-8.
    ///
    /// # Errors
    /// Returns the errors of [`TextDocument::recognize`], and [`DocumentErrorKind::NotUtf8`] for a
    /// document that is not UTF-8.
    pub fn recognize_bytes(
        bytes: &'a [u8],
        dialect: Option<Dialect>,
    ) -> Result<Option<TextDocument<'a>>, (Form, DocumentError)> {
        let end = match std::str::from_utf8(bytes) {
            Ok(text) => return TextDocument::recognize(text, dialect),
            Err(error) => error.valid_up_to(),
        };
        // What the engine reads shows what the document is.
        let read = String::from_utf8_lossy(bytes);
        let (form, is_earlier) = match TextDocument::recognize(&read, dialect) {
            Ok(Some(document)) => (document.form(), None),
            Ok(None) => return Ok(None),
            Err((form, error)) => (form, Some(error).filter(|error| error.offset() < end)),
        };
        let good = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
        let error = is_earlier.unwrap_or_else(|| {
            let byte = bytes[end];
            let mut error = DocumentError::new(good, end, DocumentErrorKind::NotUtf8 { byte });
            error.entries_before = match TextDocument::recognize(good, dialect) {
                Ok(before) => before.map_or(0, |before| before.entry_count()),
                Err((_, before)) => before.entries_before,
            };
            error
        });
        Err((form, error))
    }

    /// Returns the text that the document was read from, unchanged.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the form of the document.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the dialect in which the values were read.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns how the dialect was found.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Returns the sections in the order of the text. In a ConfigFile, the first one has the entries before the
    /// first header.
    #[must_use]
    pub fn sections(&self) -> &[Section<'a>] {
        &self.sections
    }

    /// Returns `true` if the text has comments, which encoded values cannot hold. Walks the text to
    /// the first comment.
    #[must_use]
    pub fn has_comments(&self) -> bool {
        comments(self.text).next().is_some()
    }

    /// Returns the number of entries in the text, including those that have no effect.
    #[must_use]
    pub fn entry_count(&self) -> usize {
        self.sections
            .iter()
            .map(|section| section.entries.len())
            .sum()
    }

    /// Returns `true` if the text is certainly a document of its form. For a ConfigFile this needs an entry,
    /// and a header alone on its line or, without any header, each entry on its own line. If no header is alone,
    /// each must have a word as its name, and there may be nothing but headers, entries and comments.
    ///
    /// A value is certain if it is not JSON, or is laid out exactly as an engine prints it: `[1, 2]` is
    /// certain, but `[1,2]` may be JSON. A resource or scene is always certain.
    #[must_use]
    pub fn is_evident(&self) -> bool {
        match self.form {
            Form::Resource | Form::Scene => true,
            Form::Value => value_text::is_evident(self.text, self.dialect),
            Form::ConfigFile => {
                self.is_config_file() || is_evident_with_hashes(self.text, Some(self.dialect))
            }
        }
    }

    fn only_value(&self) -> Option<&Entry<'a>> {
        self.sections.first()?.entries.first()
    }

    fn is_config_file(&self) -> bool {
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
            return (is_alone || self.is_whole()) && entries.next().is_some();
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

    /// Returns `true` if the engine reads all of a ConfigFile, no name of an entry is put together from several
    /// words, and the name of each section is a word.
    fn is_whole(&self) -> bool {
        let text = self.text;
        let is_blank = |c: char| c <= ' ';
        let mut end = 0;
        for section in &self.sections {
            let mut name = section.name.chars();
            let is_first = |c: char| c.is_alphabetic() || c == '_';
            let is_word = name.next().is_none_or(is_first) && !section.name.contains(is_blank);
            let is_plain = |entry: &Entry<'_>| {
                let name = &text[entry.name_at.clone()];
                name.starts_with('"') || !name.contains(is_blank)
            };
            if !is_word || !section.entries.iter().all(is_plain) {
                return false;
            }
            let last = section.entries.last();
            end = last.map_or(section.header.end, |entry| entry.value_at.end);
        }
        let mut rest = Scanner::new(text, self.dialect);
        rest.at = end;
        rest.skip_blanks();
        rest.peek().is_none()
    }

    /// Encodes the contents as one value in the dialect of the document.
    ///
    /// * A ConfigFile is a Dictionary of sections, each a Dictionary from names to values. Sections with the
    ///   same name are merged, and a later entry replaces an earlier one. A name with the value `null` is
    ///   missing, as in the engine.
    /// * A resource is an inert object: its class, and the properties in the tag `[resource]`.
    /// * A scene is a Dictionary. `nodes` is an Array of inert objects, whose properties are the attributes of
    ///   the tag, then the entries; a node without a type has the class `Node`. An entry with the name of an attribute
    ///   that the engine reads, such as `groups`, is the property `property/groups`. `connections` and `editable` are
    ///   Arrays of Dictionaries of attributes.
    /// * An internal resource is an inert object of its own class, at the first place that refers to it. Its
    ///   first property, `SubResource`, is its id. An external resource is an object of the class
    ///   `ExtResource` with the attributes of its tag, `id` first. At later places, each is an object of the
    ///   class `SubResource` or `ExtResource` with only an `id`, so that the size stays linear. If an id is there
    ///   twice, a reference leads to the last one before it.
    /// * If nothing refers to a resource, or only from inside very many others, the resource is a property of
    ///   the root: `SubResource("id")` or `ExtResource("id")`. The engine also loads these resources and runs
    ///   their code.
    ///
    /// # Errors
    /// Returns [`DocumentErrorKind::TooLong`] if the value takes more than 2 GiB.
    pub fn encode(&self) -> Result<Vec<u8>, DocumentError> {
        let encoded = match (self.form, self.only_value()) {
            (Form::Value, Some(entry)) => Ok(entry.value.clone()),
            (Form::Resource | Form::Scene, _) => expand(&self.sections, self.form, self.dialect),
            _ => Contents::of(&self.sections).encode(self.dialect),
        };
        encoded.map_err(|_| DocumentError::new(self.text, 0, DocumentErrorKind::TooLong))
    }

    /// Returns the text with its contents replaced. `contents` has the form that [`TextDocument::encode`]
    /// returns.
    ///
    /// Unchanged values, comments, order, blank lines and spacing keep their bytes. A changed value
    /// is written as the engine writes it. A missing value is deleted with its line, and a new one
    /// is added at the end of its section. If a new name has the value and the place of an old name
    /// that is missing, the entry is renamed. The order of `contents` does not change the order of
    /// the text.
    ///
    /// A node, connection or editable path that is missing is deleted with its tag, and so is a
    /// resource that nothing uses any more. A new node, connection or editable path gets a tag at
    /// its place in the list. A new resource is an object with an id that the document does not
    /// have, and comes before its first use.
    ///
    /// # Errors
    /// Returns a [`ReplaceError`] for contents of another form, for values and names that the text cannot
    /// express, and for changes after which a part refers to a node or resource that is not there. The result
    /// has been read back and has exactly the contents. If nothing shows which engine wrote the text, a type
    /// that only Godot 4 reads is [`ReplaceError::Undecided`]: one such value makes the whole text unreadable
    /// for Godot 3.
    pub fn replace(&self, contents: &[u8]) -> Result<String, ReplaceError> {
        let changed = self.changed(contents)?;
        let is_decided = matches!(self.evidence, Evidence::Stated | Evidence::Values);
        match dialect::first_only_in_4(&changed).filter(|_| !is_decided) {
            Some(name) => Err(ReplaceError::Undecided(name)),
            None => Ok(changed),
        }
    }

    fn changed(&self, contents: &[u8]) -> Result<String, ReplaceError> {
        let (sections, dialect) = (&self.sections, self.dialect);
        match (self.form, self.only_value()) {
            (Form::Resource | Form::Scene, _) => {
                replace_resource::resource(self.text, sections, self.form, contents, dialect)
            }
            (Form::Value, Some(entry)) if entry.value == contents => Ok(self.text.to_owned()),
            (Form::Value, Some(entry)) => {
                let mut splices = Splices::new(self.text);
                let new = replace::setting(contents, dialect, || "the value".to_owned())?;
                splices.replace_value(entry.value_at.clone(), new);
                Ok(splices.apply())
            }
            _ => replace::config(self.text, sections, contents, dialect),
        }
    }
}

/// Returns `true` if a text is certainly a ConfigFile, or is one up to its first error.
fn is_evident_config(text: &str, dialect: Option<Dialect>) -> bool {
    let good = match TextDocument::config_file(text, dialect) {
        Ok(document) => return document.is_config_file(),
        Err(error) => text.get(..error.good_end).unwrap_or_default(),
    };
    TextDocument::config_file(good, dialect).is_ok_and(|document| document.is_config_file())
}

/// Returns `true` if a text is certainly a ConfigFile once each line that begins with `#` is a comment. The engines
/// read a `#` as a part of the next name and load the file all the same, but who wrote it meant a comment.
fn is_evident_with_hashes(text: &str, dialect: Option<Dialect>) -> bool {
    let is_marked = |line: &str| line.trim_start().starts_with('#');
    // A text that begins with `#!` is a program.
    if text.starts_with("#!") || !text.lines().any(is_marked) {
        return false;
    }
    let lines = text
        .split_inclusive('\n')
        .map(|line| match is_marked(line) {
            true => line.replacen('#', ";", 1),
            false => line.to_owned(),
        });
    is_evident_config(&lines.collect::<String>(), dialect)
}

/// Iterates over the comments in the text of a document: the line of each, counted from 1, and its text from the `;`
/// to the end of the line.
pub fn comments(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let (mut line, mut counted) = (1, 0);
    let starts = signs(text).filter(|(_, sign)| matches!(sign, Sign::Comment));
    starts.map(move |(at, _)| {
        line += text[counted..at].matches('\n').count();
        counted = at;
        let comment = text[at..].split('\n').next().unwrap_or_default();
        (u32::try_from(line).unwrap_or(u32::MAX), comment.trim_end())
    })
}

/// Refuses texts that the engine does not read to the end.
fn check_text(text: &str) -> Result<(), DocumentError> {
    if i32::try_from(text.len()).is_err() {
        return Err(DocumentError::new(text, 0, DocumentErrorKind::TooLong));
    }
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => Err(DocumentError::new(text, at, DocumentErrorKind::Nul)),
        None => Ok(()),
    }
}
