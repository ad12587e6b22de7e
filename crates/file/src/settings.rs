//! Converts the settings of a game between their two forms: the text `project.godot` and the binary `project.binary`.

use std::{collections::HashMap, fmt};

use gdvar_document::{DocumentError, Form, ReplaceError, TextDocument};
use gdvar_io::project::ProjectWriter;
use gdvar_view::{Dialect, DictRef, Document, Event, Limits, ReadOptions, VariantRef};
use gdvar_write::{Target, Writer};

use crate::layers::{Project, TextFile};

/// The setting that only the text form has. Its value says which engines read the file.
const CONFIG_VERSION: &str = "config_version";

/// The setting that must come first in a `project.binary`, if the file has this setting.
const CUSTOM_FEATURES: &str = "_custom_features";

/// Settings in their other form, and a list of what was lost in the conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SettingsFile {
    /// The bytes of the file in its new form.
    pub file: Vec<u8>,
    /// What the original has and the new form cannot hold. Each kind is listed once.
    pub losses: Vec<SettingsLoss>,
}

/// Something that the new form cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettingsLoss {
    /// Comments of the text.
    Comments,
    /// This many settings whose value or name cannot be read. The engine cannot read them either.
    Unread(u64),
}

impl SettingsLoss {
    /// Returns the name without numbers: `Comments`. The name is stable, so programs can rely on it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SettingsLoss::Comments => "Comments",
            SettingsLoss::Unread(_) => "Unread",
        }
    }

    /// Returns how many things of this kind are lost; 1 for comments.
    #[must_use]
    pub const fn count(self) -> u64 {
        match self {
            SettingsLoss::Comments => 1,
            SettingsLoss::Unread(count) => count,
        }
    }
}

impl fmt::Display for SettingsLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsLoss::Comments => f.write_str("comments: a project.binary has none"),
            SettingsLoss::Unread(count) => write!(
                f,
                "settings that cannot be read ({count}), which the engine leaves out as well"
            ),
        }
    }
}

/// Why settings cannot be converted to their other form. No file was made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettingsError {
    /// The text is not a ConfigFile, or its engine has no text form of settings.
    OtherKind,
    /// A setting refers to a resource, which a `project.binary` cannot do. Holds the name of the setting.
    Reference(String),
    /// The name of a setting begins with `/`, so it has no section in the text form. Holds the name of the setting.
    Name(String),
    /// The text form cannot express a setting.
    Text(ReplaceError),
    /// A value cannot be read.
    Unread(gdvar_view::Error),
    /// The text that was made cannot be read.
    Damaged(Box<DocumentError>),
    /// The settings take more than 2 GiB.
    TooLong,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::OtherKind => f.write_str(
                "only a project.godot and a project.binary of Godot 3 or 4 have a text and a binary form",
            ),
            SettingsError::Reference(name) => write!(
                f,
                "{name}: a project.binary cannot refer to a resource; change the setting or delete it, or keep the text form"
            ),
            SettingsError::Name(name) => write!(
                f,
                "{name:?}: expected the name of a section before the first '/'; rename the setting or delete it, or keep the binary form"
            ),
            SettingsError::Text(error) => {
                write!(f, "{error}; change or delete it, or keep the binary form")
            }
            SettingsError::Unread(error) => error.fmt(f),
            SettingsError::Damaged(error) => error.fmt(f),
            SettingsError::TooLong => f.write_str("the settings take more than 2 GiB"),
        }
    }
}

impl std::error::Error for SettingsError {}

impl From<gdvar_view::Error> for SettingsError {
    fn from(error: gdvar_view::Error) -> SettingsError {
        SettingsError::Unread(error)
    }
}

type Result<T> = std::result::Result<T, SettingsError>;

/// Returns the value of [`CONFIG_VERSION`] that the engine of `dialect` writes, or an error if the engine has no text
/// form of settings.
fn config_version(dialect: Dialect) -> Result<u8> {
    match [(Dialect::GODOT_4, 5), (Dialect::GODOT_3, 4)]
        .iter()
        .find(|(known, _)| *known == dialect)
    {
        Some((_, version)) => Ok(*version),
        None => Err(SettingsError::OtherKind),
    }
}

fn options(dialect: Dialect) -> ReadOptions {
    crate::options(dialect).with_limits(Limits::MOST)
}

/// Returns the `project.binary` with the settings of a `project.godot`. `contents` is the value of the layer: a
/// Dictionary of sections. The setting `name` of a section becomes `section/name`. `config_version` is left out,
/// because the engine leaves it out too. Takes linear time.
///
/// # Errors
/// Returns [`SettingsError`] for any other text, and for a setting that refers to a resource.
pub fn to_binary(text: &TextFile, contents: &[u8]) -> Result<SettingsFile> {
    config_version(text.dialect)?;
    if text.form != Form::ConfigFile {
        return Err(SettingsError::OtherKind);
    }
    let document = Document::with_options(contents, options(text.dialect));
    let sections = document.root()?.as_dict();
    let sections = sections.ok_or(SettingsError::OtherKind)?;
    let mut settings = Vec::new();
    for (section, entries) in pairs(sections)? {
        let entries = entries.as_dict().ok_or(SettingsError::OtherKind)?;
        for (name, value) in pairs(entries)? {
            if section.is_empty() && name == CONFIG_VERSION {
                continue;
            }
            let name = match section {
                "" => name.to_owned(),
                section => format!("{section}/{name}"),
            };
            if refers(value)? {
                return Err(SettingsError::Reference(name));
            }
            settings.push((name, value.raw()?));
        }
    }
    settings.sort_by_key(|(name, _)| name != CUSTOM_FEATURES);
    let mut writer = ProjectWriter::new(Target::from(text.dialect));
    for (name, value) in &settings {
        writer.setting_bytes(name, value);
    }
    let document = TextDocument::read(text.text(), text.form, Some(text.dialect));
    let has_comments = document.is_ok_and(|document| document.has_comments());
    Ok(SettingsFile {
        file: writer.finish(),
        losses: { has_comments.then_some(SettingsLoss::Comments) }
            .into_iter()
            .collect(),
    })
}

/// Returns the `project.godot` with the settings of a `project.binary`. `contents` is the value of the layer: a
/// Dictionary of settings. The part of a name before its first `/` becomes the section. The text has been read back and
/// has exactly these settings. Takes linear time.
///
/// # Errors
/// Returns [`SettingsError`] for a name without a section before its `/`, and for a value that the text cannot express.
pub fn to_text(project: &Project, contents: &[u8]) -> Result<SettingsFile> {
    let dialect = project.dialect;
    let version = config_version(dialect)?;
    let document = Document::with_options(contents, options(dialect));
    let settings = document.root()?.as_dict();
    let settings = pairs(settings.ok_or(SettingsError::OtherKind)?)?;
    // The engine applies the settings in order, so the last one with a name counts.
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (at, (name, _)) in settings.iter().enumerate() {
        last.insert(name, at);
    }
    let mut places: HashMap<&str, usize> = HashMap::from([("", 0)]);
    let mut sections: Vec<(&str, Vec<(&str, VariantRef<'_>)>)> = vec![("", Vec::new())];
    for (at, &(name, value)) in settings.iter().enumerate() {
        // Setting null means that the setting does not exist.
        if last.get(name) != Some(&at) || value.is_nil() || name == CONFIG_VERSION {
            continue;
        }
        let (section, key) = match name.split_once('/') {
            Some(("", _)) => return Err(SettingsError::Name(name.to_owned())),
            Some(two) => two,
            None => ("", name),
        };
        let next = sections.len();
        let place = *places.entry(section).or_insert(next);
        if place == next {
            sections.push((section, Vec::new()));
        }
        sections[place].1.push((key, value));
    }
    let text = format!("{CONFIG_VERSION}={version}\n");
    let empty = TextDocument::config_file(&text, Some(dialect));
    let empty = empty.map_err(|error| SettingsError::Damaged(Box::new(error)))?;
    let contents = sections_value(&sections, dialect, version)?;
    let text = empty.replace(&contents).map_err(SettingsError::Text)?;
    let dropped = project.dropped.len() as u64;
    Ok(SettingsFile {
        file: text.into_bytes(),
        losses: { (dropped > 0).then_some(SettingsLoss::Unread(dropped)) }
            .into_iter()
            .collect(),
    })
}

/// Encodes a Dictionary of sections. The section without a name also gets the version.
fn sections_value(
    sections: &[(&str, Vec<(&str, VariantRef<'_>)>)],
    dialect: Dialect,
    version: u8,
) -> Result<Vec<u8>> {
    let mut writer = Writer::with_limits(Vec::new(), Target::from(dialect), Limits::MOST);
    let mut write = || {
        writer.begin_dict(sections.len())?;
        for (section, entries) in sections {
            writer.string(section)?;
            let is_first = section.is_empty();
            writer.begin_dict(entries.len() + usize::from(is_first))?;
            if is_first {
                writer.string(CONFIG_VERSION)?;
                writer.int(version.into())?;
            }
            for (name, value) in entries {
                writer.string(name)?;
                writer.raw_bytes(value.raw().unwrap_or_default())?;
            }
            writer.end()?;
        }
        writer.end()
    };
    let written: std::result::Result<(), gdvar_write::Error<std::convert::Infallible>> = write();
    let finished = written.and_then(|()| writer.finish());
    finished.map_err(|_| SettingsError::TooLong)
}

/// Returns the pairs of a Dictionary. A key that is not a text is an error.
fn pairs<'v>(dict: DictRef<'v>) -> Result<Vec<(&'v str, VariantRef<'v>)>> {
    let mut all = Vec::new();
    let mut pairs = dict.iter();
    while let Some((key, value)) = pairs.try_next()? {
        all.push((key.as_str().ok_or(SettingsError::OtherKind)?, value));
    }
    Ok(all)
}

/// Returns `true` if a value refers to a resource. A text document gives such a reference as an object.
fn refers(value: VariantRef<'_>) -> Result<bool> {
    let mut events = value.events();
    while let Some(event) = events.try_next()? {
        let Event::Begin(value) = event else { continue };
        let class = value.as_object().and_then(|object| object.class());
        let class = class.and_then(|class| class.to_str().ok());
        if class.is_some_and(|class| ["Resource", "ExtResource", "SubResource"].contains(&class)) {
            return Ok(true);
        }
    }
    Ok(false)
}
