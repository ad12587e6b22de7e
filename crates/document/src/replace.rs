//! Puts changed contents back into the text of a ConfigFile.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use gdvar_text::write_stored_portable;
use gdvar_view::{Dialect, Document, ElementType, Event, Kind, VariantRef};

use crate::{
    DocumentError, config,
    contents::{Contents, Merged},
    name,
    references::used,
    scanner::{options, read_options},
    section::{Entry, Section},
    splices::Splices,
};

/// The reason why contents cannot be written into a text document. The variants contain the
/// position as a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The contents do not have the form of the document. The first text says what was expected,
    /// the second where.
    Form(&'static str, String),
    /// The document cannot express a value. The text is the value's position.
    Inexpressible(String),
    /// A setting of a ConfigFile is null, which the engine treats as missing. The text is the
    /// position of the setting.
    Null(String),
    /// The values have a type that only Godot 4 reads, but nothing shows that the text is not from Godot 3. The
    /// text is the name of the type.
    Undecided(String),
    /// A value refers to a resource of the same file, and only resources and scenes have some. The first text is
    /// the class of the reference, the second its position. No engine loads such a text.
    NoResources(&'static str, String),
    /// A part of the contents cannot be read.
    Read(gdvar_view::Error),
}

impl From<gdvar_view::Error> for ReplaceError {
    fn from(error: gdvar_view::Error) -> ReplaceError {
        ReplaceError::Read(error)
    }
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplaceError::Form(expected, place) => write!(f, "expected {expected}: {place}"),
            ReplaceError::Inexpressible(place) => {
                write!(f, "the text of this document cannot express {place}")
            }
            ReplaceError::Null(place) => write!(
                f,
                "a ConfigFile cannot hold null, at {place}: delete the setting instead"
            ),
            ReplaceError::Undecided(name) => write!(
                f,
                "Godot 3 cannot read {name}, and it may have written this file: say which engine reads it, with \
                 -d godot3 or -d godot4"
            ),
            ReplaceError::NoResources(class, place) => write!(
                f,
                "{class} at {place} refers to a resource of this file, and only resources and scenes have some: give \
                 the value itself, or Resource(\"res://…\") for another file"
            ),
            ReplaceError::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReplaceError {}

type Result<T> = std::result::Result<T, ReplaceError>;

/// The name of a section, and its entries as names and encoded values.
type NewSection<'n> = (&'n str, Vec<(&'n str, &'n [u8])>);

/// The sections and entries of new contents.
struct New<'n> {
    sections: Vec<NewSection<'n>>,
}

impl<'n> New<'n> {
    fn read(contents: &'n [u8], dialect: Dialect) -> Result<New<'n>> {
        let form = |what, place: &str| ReplaceError::Form(what, place.to_owned());
        let root = Document::with_options(contents, read_options(dialect)).root()?;
        let dict = plain_dict(root)
            .ok_or_else(|| form("a Dictionary of sections", "the contents of a ConfigFile"))?;
        let mut sections = Vec::new();
        let mut names = HashSet::new();
        let mut pairs = dict.iter();
        while let Some((key, value)) = pairs.try_next()? {
            let name = text_of(key).ok_or_else(|| {
                form("the name of a section as a String", "a key of the contents")
            })?;
            if !names.insert(name) {
                return Err(form("each section once", name));
            }
            let dict = plain_dict(value)
                .ok_or_else(|| form("a Dictionary of settings", &format!("section {name:?}")))?;
            let mut entries = Vec::new();
            let mut pairs = dict.iter();
            while let Some((key, value)) = pairs.try_next()? {
                let what = "the name of a setting as a String";
                let key = text_of(key)
                    .ok_or_else(|| form(what, &format!("a key of section {name:?}")))?;
                if value.kind() == Kind::Nil {
                    return Err(ReplaceError::Null(format!("{name}/{key}")));
                }
                entries.push((key, value.raw()?));
            }
            sections.push((name, entries));
        }
        Ok(New { sections })
    }
}

/// Returns a name exactly as it was encoded. `as_str` would drop a byte order mark at its start, as the engine
/// does.
fn text_of(key: VariantRef<'_>) -> Option<&str> {
    let text = key.as_text().filter(|_| key.kind() == Kind::String)?;
    std::str::from_utf8(text.raw()).ok()
}

fn plain_dict(value: VariantRef<'_>) -> Option<gdvar_view::DictRef<'_>> {
    let dict = value.as_dict()?;
    let untyped =
        dict.key_type() == ElementType::Untyped && dict.value_type() == ElementType::Untyped;
    untyped.then_some(dict)
}

/// Returns the text of a ConfigFile in which the contents are replaced.
pub(crate) fn config(
    text: &str,
    sections: &[Section<'_>],
    contents: &[u8],
    dialect: Dialect,
) -> Result<String> {
    let new = New::read(contents, dialect)?;
    let old = Contents::of(sections);
    let mut splices = Splices::new(text);
    let mut added = String::new();
    let mut first = Vec::new();
    let mut names: HashSet<&str> = new.sections.iter().map(|(name, _)| *name).collect();
    for (at, (section, entries)) in new.sections.iter().enumerate() {
        // A section is renamed if a new name has the same entries in the same position.
        let renamed = old
            .sections
            .get(at)
            .filter(|merged| !names.contains(merged.name) && can_become(merged, section, entries));
        match (old.section(section), renamed) {
            (Some(merged), _) => change(&mut splices, merged, entries, dialect)?,
            (None, Some(merged)) => {
                names.insert(merged.name);
                for part in &merged.parts {
                    let place = name::in_header(text, &part.header);
                    splices.replace(place, name::section(section, dialect).into_owned());
                }
            }
            (None, None) if section.is_empty() => {
                for (key, value) in entries {
                    first.push(line(key, value, dialect, section)?);
                }
            }
            (None, None) => {
                let newline = splices.newline;
                added += newline;
                added += &name::header(section, dialect);
                added += newline;
                added += newline;
                for (key, value) in entries {
                    added += &splices.with_newline(line(key, value, dialect, section)?);
                    added += newline;
                }
            }
        }
    }
    for merged in old
        .sections
        .iter()
        .filter(|merged| !names.contains(merged.name))
    {
        for part in &merged.parts {
            part.entries
                .iter()
                .for_each(|entry| splices.delete_entry(entry));
            if !part.header.is_empty() {
                splices.delete_header(part);
            }
        }
    }
    if !first.is_empty() {
        let newline = splices.newline;
        splices.replace_value(0..0, first.join(newline) + newline + newline);
    }
    let newline = splices.newline;
    let mut changed = splices.apply();
    if !added.is_empty() {
        let start = match changed.is_empty() {
            true => added.trim_start_matches(newline),
            false => &added,
        };
        if !changed.is_empty() && !changed.ends_with('\n') {
            changed += newline;
        }
        changed += start;
    }
    verify(&changed, &new, dialect)?;
    Ok(changed)
}

/// Returns `true` if a new name in the headers of a section makes it the section `name` with these entries.
fn can_become(merged: &Merged<'_, '_>, name: &str, entries: &[(&str, &[u8])]) -> bool {
    let old = merged
        .entries()
        .map(|entry| (&*entry.name, &entry.value[..]));
    // The entries before the first header have no name that could change.
    !merged.name.is_empty() && !name.is_empty() && old.eq(entries.iter().copied())
}

/// Changes the entries of a section that the old text has.
fn change(
    splices: &mut Splices<'_>,
    merged: &Merged<'_, '_>,
    new: &[(&str, &[u8])],
    dialect: Dialect,
) -> Result<()> {
    let names: HashMap<&str, &[u8]> = new.iter().copied().collect();
    let mut renamed = HashSet::new();
    let mut removed = HashSet::new();
    let mut moved = HashMap::new();
    for (at, entry) in merged.entries().enumerate() {
        let Some(value) = names.get(&*entry.name) else {
            // The entry is renamed if a new name has the same value in the same position.
            match new.get(at) {
                Some((key, value))
                    if *value == entry.value
                        && merged.entry(key).is_none()
                        && renamed.insert(*key) =>
                {
                    splices.replace(entry.name_at.clone(), name::entry(key).into_owned());
                    moved.insert(&*entry.name, entry);
                }
                _ => {
                    removed.insert(&*entry.name);
                }
            }
            continue;
        };
        if *value != entry.value {
            let text = setting(value, dialect, || format!("{}/{}", merged.name, entry.name))?;
            splices.replace_value(entry.value_at.clone(), text);
        }
    }
    let entries = merged.parts.iter().flat_map(|part| &part.entries);
    // Earlier entries with the name must go too. They would become effective again.
    let is_other = |entry: &Entry<'_>| {
        let kept = moved.get(&*entry.name);
        kept.is_some_and(|kept| kept.name_at != entry.name_at)
    };
    entries
        .filter(|entry| removed.contains(&*entry.name) || is_other(entry))
        .filter(|entry| !entry.is_null())
        .for_each(|entry| splices.delete_entry(entry));
    let mut lines = Vec::new();
    for (key, value) in new {
        if merged.entry(key).is_none() && !renamed.contains(key) {
            lines.push(line(key, value, dialect, merged.name)?);
        }
    }
    if let (Some(last), false) = (merged.parts.last(), lines.is_empty()) {
        let end = last
            .entries
            .last()
            .map_or(last.header.end, |entry| entry.value_at.end);
        if last.entries.is_empty() {
            lines.insert(0, String::new());
        }
        splices.insert_lines_after(end, &lines);
    }
    Ok(())
}

fn line(key: &str, value: &[u8], dialect: Dialect, section: &str) -> Result<String> {
    let value = setting(value, dialect, || format!("{section}/{key}"))?;
    Ok(format!("{}={value}", name::entry(key)))
}

/// Returns the text of a new value of a ConfigFile or of a text of one value. These have no resources, so the value
/// may not refer to one.
pub(crate) fn setting(
    value: &[u8],
    dialect: Dialect,
    place: impl Fn() -> String,
) -> Result<String> {
    match used(value, dialect)?.first() {
        Some((own, _)) => Err(ReplaceError::NoResources(own.class(), place())),
        None => stored(value, dialect, place),
    }
}

/// Returns the text of a value. Fails unless it reads back as the same bytes. The error names the kind of value that the
/// text cannot express, and its `place`.
pub(crate) fn stored(value: &[u8], dialect: Dialect, place: impl Fn() -> String) -> Result<String> {
    let root = Document::with_options(value, read_options(dialect)).root()?;
    read_back(root).ok_or_else(|| {
        ReplaceError::Inexpressible(match inexpressible_kind(root) {
            Some(kind) => format!("the {kind} in {}", place()),
            None => place(),
        })
    })
}

/// Returns the text of a value; `None` unless it reads back as the same bytes.
fn read_back(value: VariantRef<'_>) -> Option<String> {
    let mut text = String::new();
    write_stored_portable(&mut text, value).ok()?;
    let read = gdvar_text::parse_godot(&text, &options(value.dialect()).with_whole(true));
    let is_same = read.is_ok_and(|read| value.raw() == Ok(&read.bytes[..]));
    is_same.then_some(text)
}

/// Returns the kind of the first value without children, in `value`, that its text cannot express. `None` if there is
/// none.
fn inexpressible_kind(value: VariantRef<'_>) -> Option<Kind> {
    let mut events = value.events();
    while let Ok(Some(event)) = events.try_next() {
        if let Event::Value(one) = event {
            if read_back(one).is_none() {
                return Some(one.kind());
            }
        }
    }
    None
}

/// Checks that a text has exactly these contents. Their order may differ.
fn verify(text: &str, new: &New<'_>, dialect: Dialect) -> Result<()> {
    let inexpressible = |place: String| Err(ReplaceError::Inexpressible(place));
    let sections: std::result::Result<_, DocumentError> = config::sections(text, dialect);
    let Ok(sections) = sections else {
        return inexpressible("these names and values".to_owned());
    };
    let read = Contents::of(&sections);
    for (name, entries) in &new.sections {
        let section = read.section(name);
        if section.is_none() && !(name.is_empty() && entries.is_empty()) {
            return inexpressible(format!("section {name:?}"));
        }
        let count = section.map_or(0, |section| section.entries().count());
        for (key, value) in entries {
            let entry = section.and_then(|section| section.entry(key));
            if entry.is_none_or(|entry| entry.value != *value) {
                return inexpressible(format!("{name}/{key}"));
            }
        }
        if count != entries.len() {
            return inexpressible(format!("section {name:?}"));
        }
    }
    let names: HashSet<&str> = new.sections.iter().map(|(name, _)| *name).collect();
    match read
        .sections
        .iter()
        .find(|section| !names.contains(section.name))
    {
        Some(section) => inexpressible(format!("the contents without section {:?}", section.name)),
        None => Ok(()),
    }
}
