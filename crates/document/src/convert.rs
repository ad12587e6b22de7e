//! Converts a document for the other engine: the names of types, ids and metadata change, and
//! everything else keeps its bytes.

mod change;
mod classes;
mod names;

use gdvar_text::{Notation, line_and_column, parse_godot};
use gdvar_view::{Dialect, Document, Event, Kind};
use gdvar_write::{Loss, Report, Writer, transcode, wire::Limits};

use crate::{
    config, name,
    replace::{ReplaceError, stored},
    scanner::{options, read_options},
    section::{Entry, Section},
    splices::Splices,
    tags,
    text_document::{Form, TextDocument},
    value_text,
};

use change::Changes;
pub use change::{ConvertTextError, TextChange, TextChangeKind};
use classes::Classes;

type Result<T> = std::result::Result<T, ConvertTextError>;

/// A document that was converted for another engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConvertedText {
    /// The text.
    pub text: String,
    /// What the conversion changed, and what the other engine lacks or reads in another way. Each
    /// kind is listed once.
    pub changes: Vec<TextChange>,
}

impl TextDocument<'_> {
    /// Returns the text for another engine: a document of Godot 3 for Godot 4, and a ConfigFile or
    /// value of Godot 4 also for Godot 3. Every value that the other engine reads the same keeps
    /// its text, and so do comments, order, blank lines and spacing.
    ///
    /// | in Godot 3 | for Godot 4 |
    /// |---|---|
    /// | `PoolIntArray`, `Transform`, `Quat` … | `PackedInt32Array`, `Transform3D`, `Quaternion` … |
    /// | `format=2` | `format=3` |
    /// | `id=1`, `ExtResource( 1 )`, `SubResource( 1 )` | `id="1"`, `ExtResource( "1" )`, `SubResource( "1" )` |
    /// | `__meta__ = { "a": 1 }` | `metadata/a = 1` |
    /// | escapes beyond ASCII, which neither engine reads right in a file | the characters |
    ///
    /// A value that the other engine lacks becomes the nearest thing, as in
    /// [`gdvar_write::transcode`]. Classes and properties keep their names:
    /// [`TextChangeKind::ClassRenamed`] and [`TextChangeKind::ClassMissing`] say which classes
    /// Godot 4 does not have. The time is linear in the length of the text.
    ///
    /// # Errors
    /// Returns [`ConvertTextError`] for engines other than Godot 3 and 4, for a resource or scene
    /// of Godot 4, for a `project.godot`, and for a value or name that the other engine's text
    /// cannot express. The new text is read back and compared before it is returned.
    pub fn for_engine(&self, to: Dialect) -> Result<ConvertedText> {
        let from = self.dialect();
        let known = [Dialect::GODOT_3, Dialect::GODOT_4];
        if !known.contains(&from) || !known.contains(&to) {
            return Err(ConvertTextError::Engines(from, to));
        }
        if from == to {
            let (text, changes) = (self.text().to_owned(), Vec::new());
            return Ok(ConvertedText { text, changes });
        }
        let to_godot4 = to.notation() == Notation::Godot4;
        let is_resource = matches!(self.form(), Form::Resource | Form::Scene);
        if is_resource && !to_godot4 {
            return Err(ConvertTextError::ForwardOnly);
        }
        let mut entries = self.sections().iter().flat_map(|section| &section.entries);
        let is_settings = |entry: &Entry<'_>| entry.name == "config_version";
        if self.form() == Form::ConfigFile && entries.any(is_settings) {
            return Err(ConvertTextError::Project);
        }
        let mut converter = Converter {
            text: self.text(),
            form: self.form(),
            from,
            to,
            splices: Splices::new(self.text()),
            changes: Changes::new(self.text()),
            classes: to_godot4.then(Classes::new),
        };
        let mut expected = Vec::new();
        for section in self.sections() {
            expected.push(converter.section(section)?);
        }
        let text = converter.splices.apply();
        verify(&text, self.form(), &expected, to)?;
        let changes = converter.changes.finish();
        Ok(ConvertedText { text, changes })
    }
}

/// What the other engine must read in a section of the new text.
struct NewSection {
    name: String,
    attributes: Vec<NewEntry>,
    entries: Vec<NewEntry>,
}

/// The name of an entry, and its value as encoded for the other engine.
type NewEntry = (String, Vec<u8>);

struct Converter<'d> {
    text: &'d str,
    form: Form,
    from: Dialect,
    to: Dialect,
    splices: Splices<'d>,
    changes: Changes<'d>,
    /// The classes that Godot 4 lacks. `None` if the text is for Godot 3.
    classes: Option<Classes>,
}

impl Converter<'_> {
    fn section(&mut self, section: &Section<'_>) -> Result<NewSection> {
        if self.form == Form::ConfigFile {
            self.header(section);
        }
        let mut attributes = Vec::new();
        for attribute in &section.attributes {
            let value = self.attribute(section, attribute)?;
            attributes.push((attribute.name.to_string(), value));
        }
        let mut entries = Vec::new();
        let is_resource = matches!(self.form, Form::Resource | Form::Scene);
        for entry in &section.entries {
            if is_resource && entry.name == "__meta__" {
                if let Some(metadata) = self.metadata(entry)? {
                    entries.extend(metadata);
                    continue;
                }
            }
            if is_resource {
                self.changes.add(TextChangeKind::PropertyNames, entry);
            }
            if names::has_wide_escape(&self.text[entry.name_at.clone()]) {
                let name = name::entry(&entry.name).into_owned();
                self.splices.replace(entry.name_at.clone(), name);
            }
            entries.push((entry.name.to_string(), self.value(entry)?));
        }
        Ok(NewSection {
            name: section.name.to_string(),
            attributes,
            entries,
        })
    }

    /// Writes the header of a ConfigFile's section again if the other engine reads another name in it: only Godot 4
    /// escapes brackets.
    fn header(&mut self, section: &Section<'_>) {
        let header = &self.text[section.header.clone()];
        let read = config::sections(header, self.to);
        let is_same = read.is_ok_and(|sections| {
            let last = sections.last();
            last.is_some_and(|last| last.name == section.name)
        });
        if !is_same {
            let new = name::header(&section.name, self.to);
            self.splices.replace(section.header.clone(), new);
        }
    }

    fn attribute(&mut self, section: &Section<'_>, attribute: &Entry<'_>) -> Result<Vec<u8>> {
        let tag = &*section.name;
        let value = Document::with_options(&attribute.value, read_options(self.from)).root()?;
        match (tag, &*attribute.name) {
            ("gd_resource" | "gd_scene", "format") => {
                return self.instead(attribute, "3".to_owned());
            }
            ("ext_resource" | "sub_resource", "id") => {
                if let Some(id) = value.as_i64() {
                    return self.instead(attribute, format!("\"{id}\""));
                }
            }
            ("gd_resource" | "ext_resource" | "sub_resource" | "node", "type") => {
                if let Some(class) = value.as_str() {
                    self.class(class, attribute);
                }
            }
            _ => {}
        }
        self.value(attribute)
    }

    /// Replaces the text of a value with `text`. Returns the value that the other engine reads from
    /// `text`.
    fn instead(&mut self, entry: &Entry<'_>, text: String) -> Result<Vec<u8>> {
        let value = parse_godot(&text, &options(self.to));
        let inexpressible = |_| ReplaceError::Inexpressible(entry.name.to_string());
        let value = value.map_err(inexpressible)?.bytes;
        self.splices.replace(entry.value_at.clone(), text);
        Ok(value)
    }

    /// Converts a value. Returns the value that the other engine must read.
    fn value(&mut self, entry: &Entry<'_>) -> Result<Vec<u8>> {
        let old = &self.text[entry.value_at.clone()];
        let (mut expected, report) = transcoded(&entry.value, self.from, self.to)?;
        let rids = match self.classes {
            None => drop_rids(&mut expected, self.to)?,
            Some(_) => 0,
        };
        if rids > 0 {
            let (loss, kind) = (Loss::Dropped, Kind::Rid);
            let kind = TextChangeKind::Value { loss, kind };
            self.changes.add_times(kind, entry, rids);
        }
        let mut changed = report.entries().iter();
        if rids > 0 || changed.any(|reported| reported.loss == Loss::KeyChanged) {
            // Of keys that are equal now, the engine keeps the last when it reads the text.
            let (merged, repeats) = transcoded(&expected, self.to, self.to)?;
            expected = merged;
            for reported in repeats.entries() {
                let (loss, kind) = (reported.loss, reported.kind);
                let kind = TextChangeKind::Value { loss, kind };
                self.changes.add_times(kind, entry, reported.count);
            }
        }
        let renamed = names::renamed(old, self.from, self.to);
        // The engines ignore a colour such as `#ff8000` at the very end of a text.
        let line = format!("{renamed}\n");
        let read = parse_godot(&line, &options(self.to).with_whole(true));
        let is_read = self.is_read(&renamed) && !names::has_wide_escape(old);
        let read = read.ok().filter(|_| is_read);
        let drops_script = |report: &Report| {
            let mut entries = report.entries().iter();
            entries.any(|entry| entry.loss == Loss::ScriptDropped)
        };
        let mut keeps_scripts = false;
        let is_same = match read {
            Some(read) if read.bytes == expected => true,
            // In a text both engines name a script in the same way, unlike in encoded objects.
            Some(read) if drops_script(&report) => {
                keeps_scripts = self.is_same_without_scripts(&read.bytes, &expected)?;
                if keeps_scripts {
                    expected = read.bytes;
                }
                keeps_scripts
            }
            _ => false,
        };
        if !is_same {
            let text = stored(&expected, self.to, || {
                let (line, _) = line_and_column(self.text.as_bytes(), entry.name_at.start);
                format!("{} in line {line}", entry.name)
            })?;
            if names::has_comment(old) {
                self.changes.add(TextChangeKind::Comments, entry);
            }
            if !self.is_read(&text) {
                self.nans(&expected, entry)?;
            }
            self.splices.replace_value(entry.value_at.clone(), text);
        } else if renamed != old {
            let renamed = renamed.into_owned();
            self.splices.replace(entry.value_at.clone(), renamed);
        }
        for reported in report.entries() {
            let is_told = match reported.loss {
                // Told for each class; a reference is an object only to us.
                Loss::NamesKept => false,
                Loss::ScriptDropped => !keeps_scripts,
                // Told above: the whole RID is dropped.
                Loss::NumberDropped => rids == 0,
                _ => true,
            };
            if is_told {
                let (loss, kind) = (reported.loss, reported.kind);
                let kind = TextChangeKind::Value { loss, kind };
                self.changes.add_times(kind, entry, reported.count);
            }
        }
        self.objects(entry)?;
        Ok(expected)
    }

    /// Returns `true` if every release of the other engine reads a text of one value.
    fn is_read(&self, text: &str) -> bool {
        let rules = options(self.to).with_whole(true).with_engine_rules(true);
        // The engines ignore a colour such as `#ff8000` at the very end of a text.
        parse_godot(&format!("{text}\n"), &rules).is_ok()
    }

    /// Records the values of the other engine that some of its releases refuse in every form: those with a NaN.
    fn nans(&mut self, value: &[u8], entry: &Entry<'_>) -> Result<()> {
        let mut events = Document::with_options(value, read_options(self.to)).events();
        while let Some(event) = events.try_next()? {
            let Event::Value(value) = event else { continue };
            let text = stored(value.raw()?, self.to, || entry.name.to_string())?;
            if !self.is_read(&text) {
                let kind = TextChangeKind::NotANumber(value.kind());
                self.changes.add(kind, entry);
            }
        }
        Ok(())
    }

    /// Returns `true` if two values of the other engine are equal, apart from the scripts of their
    /// objects.
    fn is_same_without_scripts(&self, one: &[u8], other: &[u8]) -> Result<bool> {
        let [one, other] = [one, other].map(|value| transcoded(value, self.to, self.from));
        Ok(one?.0 == other?.0)
    }

    /// Records the classes of the objects in a value; references to resources are left out.
    fn objects(&mut self, entry: &Entry<'_>) -> Result<()> {
        let document = Document::with_options(&entry.value, read_options(self.from));
        let mut events = document.events();
        while let Some(event) = events.try_next()? {
            let Event::Begin(value) = event else { continue };
            let class = value.as_object().and_then(|object| object.class());
            let Some(class) = class.and_then(|class| class.to_str().ok()) else {
                continue;
            };
            if ["Resource", "ExtResource", "SubResource"].contains(&class) && is_reference(value) {
                continue;
            }
            self.changes
                .add(TextChangeKind::ObjectNames(class.to_owned()), entry);
            self.class(class, entry);
        }
        Ok(())
    }

    /// Records a class if the other engine does not have it.
    fn class(&mut self, class: &str, entry: &Entry<'_>) {
        let new = self.classes.as_ref().and_then(|classes| classes.get(class));
        let old = class.to_owned();
        let kind = match new {
            None => return,
            Some(Some(new)) => TextChangeKind::ClassRenamed { old, new },
            Some(None) => TextChangeKind::ClassMissing(old),
        };
        self.changes.add(kind, entry);
    }

    /// Writes the metadata of Godot 3, which is a Dictionary, as the properties of Godot 4: one for
    /// each entry. Returns `None` if the value is not a Dictionary.
    fn metadata(&mut self, entry: &Entry<'_>) -> Result<Option<Vec<NewEntry>>> {
        let root = Document::with_options(&entry.value, read_options(self.from)).root()?;
        let Some(dict) = root.as_dict() else {
            return Ok(None);
        };
        let mut new = Vec::new();
        let mut lines = Vec::new();
        for (key, value) in dict.distinct()? {
            let key = key.as_str().filter(|_| key.kind() == Kind::String);
            let Some(key) = key.filter(|key| names::is_identifier(key)) else {
                self.changes.add(TextChangeKind::MetadataName, entry);
                continue;
            };
            let name = format!("metadata/{key}");
            let (value, report) = transcoded(value.raw()?, self.from, self.to)?;
            for reported in report.entries() {
                if reported.loss != Loss::NamesKept {
                    let (loss, kind) = (reported.loss, reported.kind);
                    let kind = TextChangeKind::Value { loss, kind };
                    self.changes.add_times(kind, entry, reported.count);
                }
            }
            let text = stored(&value, self.to, || name.clone())?;
            lines.push(format!("{name} = {text}"));
            new.push((name, value));
        }
        self.changes.add(TextChangeKind::Metadata, entry);
        if names::has_comment(&self.text[entry.name_at.start..entry.value_at.end]) {
            self.changes.add(TextChangeKind::Comments, entry);
        }
        if lines.is_empty() {
            self.splices.delete_entry(entry);
        } else {
            let lines = lines.join(self.splices.newline);
            let place = entry.name_at.start..entry.value_at.end;
            self.splices.replace_value(place, lines);
        }
        self.objects(entry)?;
        Ok(Some(new))
    }
}

/// Returns `true` for an object that is a reference to a resource: it has no properties but Strings
/// named `id`, `path` or `uid`.
fn is_reference(value: gdvar_view::VariantRef<'_>) -> bool {
    value.as_object().is_some_and(|object| {
        let mut names = object.iter();
        names.all(|property| {
            property.is_ok_and(|(name, value)| {
                let is_known = ["id", "path", "uid"].iter().any(|known| name == *known);
                is_known && value.kind() == Kind::String
            })
        })
    })
}

/// Makes null of every RID in an encoded value of Godot 3. Returns the number of RIDs. The text of Godot 3 cannot
/// express a RID: the engine writes nothing where one is, and cannot read the result.
fn drop_rids(value: &mut [u8], dialect: Dialect) -> Result<u64> {
    let mut rids = Vec::new();
    let mut events = Document::with_options(value, read_options(dialect)).events();
    while let Some(event) = events.try_next()? {
        if let Event::Value(value) = event {
            if value.kind() == Kind::Rid {
                rids.push(value.offset());
            }
        }
    }
    for &rid in &rids {
        // In this dialect both a RID and null are a header without a payload.
        value[rid..rid + 4].fill(0);
    }
    Ok(rids.len() as u64)
}

fn transcoded(value: &[u8], from: Dialect, to: Dialect) -> Result<(Vec<u8>, Report)> {
    let mut writer = Writer::with_limits(Vec::new(), to, Limits::MOST);
    let document = Document::with_options(value, read_options(from));
    let too_long = |_| ReplaceError::Inexpressible("a value".to_owned());
    let report = transcode(document, &mut writer).map_err(too_long)?;
    let bytes = writer
        .finish()
        .map_err(|_| ReplaceError::Inexpressible("a value".to_owned()))?;
    Ok((bytes, report))
}

/// Checks that a text has exactly these sections, as its engine reads it.
fn verify(text: &str, form: Form, expected: &[NewSection], to: Dialect) -> Result<()> {
    let sections = match form {
        Form::ConfigFile => config::sections(text, to),
        Form::Resource | Form::Scene => tags::sections(text, form, to),
        Form::Value => value_text::sections(text, to),
    };
    let other = |place: &str| Err(ReplaceError::Inexpressible(place.to_owned()).into());
    let Ok(sections) = sections else {
        return other("these names and values");
    };
    if sections.len() != expected.len() {
        return other("these sections");
    }
    let is_same = |read: &[Entry<'_>], expected: &[NewEntry]| {
        read.len() == expected.len()
            && read
                .iter()
                .zip(expected)
                .all(|(read, (name, value))| read.name == *name && read.value == *value)
    };
    for (read, expected) in sections.iter().zip(expected) {
        let is_whole = read.name == expected.name
            && is_same(&read.attributes, &expected.attributes)
            && is_same(&read.entries, &expected.entries);
        if !is_whole {
            return other(&format!("section {:?}", expected.name));
        }
    }
    Ok(())
}
