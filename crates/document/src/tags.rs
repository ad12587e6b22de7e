//! Reads the text of resources and scenes, `.tres` and `.tscn`: tags with attributes, followed by entries.

use std::{borrow::Cow, ops::Range};

use gdvar_view::Dialect;

use crate::{
    dialect::{self, Evidence},
    error::DocumentError,
    lines::begins_line,
    name::word_len,
    scanner::{Name, Scanner},
    section::{Entry, Section},
    signs::{Sign, signs},
    text_document::Form,
};

type Result<T> = std::result::Result<T, DocumentError>;

/// Returns the form of a text, by its first tag: resource or scene. `None` if it is another tag.
pub(crate) fn form_of(text: &str) -> Option<Form> {
    // No engine skips a byte order mark, but it does not hide what the text is.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scanner = Scanner::new(text, Dialect::GODOT_4);
    scanner.skip_blanks();
    let tag = text[scanner.at..].strip_prefix('[')?.trim_ascii_start();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let end = tag.bytes().position(|byte| !is_name(byte))?;
    match &tag[..end] {
        "gd_resource" => Some(Form::Resource),
        "gd_scene" => Some(Form::Scene),
        _ => None,
    }
}

/// Returns the form that a text most probably has, and the offset of its first tag, if that is neither `gd_resource`
/// nor `gd_scene`: a tag that is misspelled, or whose place is not the first. The tag has the attribute `format`, or
/// it or a later one is a tag of resources and scenes with all its attributes. No engine loads the text as a resource
/// or scene. As a ConfigFile it has sections with names such as `node name="A"`, which nobody gives them.
pub(crate) fn misspelled(text: &str) -> Option<(Form, usize)> {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scanner = Scanner::new(unmarked, Dialect::GODOT_4);
    scanner.skip_blanks();
    if scanner.peek() != Some(b'[') {
        return None;
    }
    let start = scanner.at;
    let first = tag(&mut scanner).ok()?;
    if first.attributes.is_empty() {
        return None;
    }
    let later = signs(unmarked).filter_map(|(at, sign)| {
        let is_header = matches!(sign, Sign::Bracket(_)) && begins_line(unmarked, at);
        (is_header && at > start).then(|| {
            scanner.at = at;
            tag(&mut scanner).ok()
        })?
    });
    let has_format = first.attribute("format").is_some();
    let is_known = |section: &Section<'_>| {
        let names = required(&section.name);
        !names.is_empty() && names.iter().all(|name| section.attribute(name).is_some())
    };
    let tags = std::iter::once(first).chain(later);
    let known: Vec<_> = tags.filter(is_known).collect();
    if known.is_empty() && !has_format {
        return None;
    }
    let is_node = |section: &Section<'_>| section.name == "node";
    let form = match known.iter().any(is_node) {
        true => Form::Scene,
        false => Form::Resource,
    };
    Some((form, text.len() - unmarked.len() + start))
}

/// Returns the names of the attributes without which an engine does not load a tag.
pub(crate) fn required(tag: &str) -> &'static [&'static str] {
    match tag {
        "gd_resource" => &["type"],
        "ext_resource" => &["path", "type", "id"],
        "sub_resource" => &["type", "id"],
        "node" => &["name"],
        "connection" => &["signal", "from", "to", "method"],
        "editable" => &["path"],
        _ => &[],
    }
}

/// Returns the dialect of a resource or scene, and how it was found: by `format` in its first tag, or by its
/// values.
pub(crate) fn dialect_of(text: &str) -> (Dialect, Evidence) {
    let mut scanner = Scanner::new(text, Dialect::GODOT_4);
    scanner.skip_blanks();
    let header = tag(&mut scanner).ok();
    let format = header
        .as_ref()
        .and_then(|header| header.attribute("format"));
    match format.map(|format| &text[format.value_at.clone()]) {
        Some("1" | "2") => (Dialect::GODOT_3, Evidence::Stated),
        Some(_) => (Dialect::GODOT_4, Evidence::Stated),
        None => dialect::of_values(text, true),
    }
}

/// Reads all sections. The first section is the header of the file.
pub(crate) fn sections<'a>(
    text: &'a str,
    form: Form,
    dialect: Dialect,
) -> Result<Vec<Section<'a>>> {
    let mut sections = Vec::new();
    read(text, form, dialect, &mut sections).map_err(|mut error| {
        let entries = || {
            sections
                .iter()
                .flat_map(|section: &Section<'_>| &section.entries)
        };
        error.entries_before = entries().count();
        error
    })?;
    Ok(sections)
}

fn read<'a>(
    text: &'a str,
    form: Form,
    dialect: Dialect,
    sections: &mut Vec<Section<'a>>,
) -> Result<()> {
    let mut scanner = Scanner::new(text, dialect);
    let allowed: &[&str] = match form {
        Form::Scene => &[
            "ext_resource",
            "sub_resource",
            "node",
            "connection",
            "editable",
        ],
        _ => &["ext_resource", "sub_resource", "resource"],
    };
    loop {
        scanner.skip_blanks();
        let start = scanner.at;
        match scanner.peek() {
            None => break,
            Some(b'[') => {
                let section = tag(&mut scanner)?;
                let is_last = sections
                    .last()
                    .is_some_and(|last: &Section<'_>| last.name == "resource");
                if is_last || !sections.is_empty() && !allowed.contains(&&*section.name) {
                    return Err(DocumentError::expected(
                        text,
                        start,
                        "another tag",
                        "this one, which has no place here",
                    ));
                }
                sections.push(section);
            }
            Some(_) => {
                let Some(section) = sections.last_mut() else {
                    let found = match text[start..].starts_with('\u{feff}') {
                        true => {
                            "a byte order mark, which no engine reads here: save the file without it"
                        }
                        false => "other text",
                    };
                    return Err(DocumentError::expected(
                        text,
                        start,
                        "a tag in brackets",
                        found,
                    ));
                };
                let (name, name_at) = match scanner.name()? {
                    Name::Entry(name, name_at) => (name, name_at),
                    Name::Bracket => continue,
                    Name::End => break,
                };
                let entry = scanner.entry(name, name_at)?;
                if !entry.name.is_empty() {
                    section.entries.push(entry);
                }
            }
        }
    }
    let is_whole = form == Form::Scene || sections.iter().any(|section| section.name == "resource");
    if is_whole {
        return Ok(());
    }
    let found = "the end of the text";
    Err(DocumentError::expected(
        text,
        text.len(),
        "the tag [resource]",
        found,
    ))
}

/// Reads a tag, starting at its `[`.
fn tag<'a>(scanner: &mut Scanner<'a>) -> Result<Section<'a>> {
    let start = scanner.at;
    scanner.at += 1;
    let (name, _) = word(scanner, "the name of the tag")?;
    let mut section = Section::new(name, start..start);
    loop {
        scanner.skip_blanks();
        if scanner.peek() == Some(b']') {
            scanner.at += 1;
            section.header = start..scanner.at;
            return Ok(section);
        }
        let (name, name_at) = word(scanner, "the name of an attribute or ']'")?;
        scanner.skip_blanks();
        if scanner.peek() != Some(b'=') {
            let at = scanner.at;
            return Err(DocumentError::expected(
                scanner.text,
                at,
                "'=' after the name of an attribute",
                "other text",
            ));
        }
        scanner.at += 1;
        let attribute = scanner.entry(name, name_at)?;
        section.attributes.push(attribute);
    }
}

fn word<'a>(
    scanner: &mut Scanner<'a>,
    expected: &'static str,
) -> Result<(Cow<'a, str>, Range<usize>)> {
    scanner.skip_blanks();
    let start = scanner.at;
    let rest = &scanner.text.as_bytes()[start..];
    let len = word_len(rest);
    if len == 0 {
        let found = if rest.is_empty() {
            "the end of the text"
        } else {
            "other text"
        };
        return Err(DocumentError::expected(
            scanner.text,
            start,
            expected,
            found,
        ));
    }
    scanner.at += len;
    Ok((
        Cow::Borrowed(&scanner.text[start..start + len]),
        start..start + len,
    ))
}

impl<'a> Section<'a> {
    /// Returns an attribute of the tag, or `None`. If the name is repeated, the last attribute counts.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Entry<'a>> {
        self.attributes
            .iter()
            .rev()
            .find(|attribute| attribute.name == name)
    }
}
