//! Judges a text of Godot by its values: a resource, a scene, a ConfigFile or one value that can be read to its end. All
//! that is in the text counts, also a value that a later one replaces, because the engine loads it all the same.

use gdvar_document::{Entry, Form, Section, TextDocument};
use gdvar_text::type_reference;
use gdvar_view::{Dialect, Document, ElementType, Event, Objects, ReadOptions, VariantRef};
use memchr::memmem;

use super::{
    ScanState,
    code::{self, CALLS, SCRIPT},
    inside::{Held, worse},
    paths::{self, text_of},
    resource::{self, Object},
    settings::{self, FileUse},
};

/// The text cannot be read to its end, or engines read it in different ways.
pub(super) struct NotWhole;

/// Escapes that engines read in different ways: characters above ASCII in Godot 4, those above 255 in Godot 3, and a
/// bracket in the name of a section.
const DOUBTFUL: [&[u8]; 3] = [b"\\u", b"\\U", b"\\]"];

/// Returns the worst finding in a text, with its offset in the text. `purpose` is what the engine uses the file for.
///
/// # Errors
/// Fails for bytes that only a search can judge.
pub(super) fn find(bytes: &[u8], purpose: FileUse) -> Result<Option<Held>, NotWhole> {
    let is_doubtful = |escape: &&[u8]| memmem::find(bytes, escape).is_some();
    if purpose == FileUse::Names
        || bytes[..bytes.len().min(4096)].contains(&0)
        || DOUBTFUL.iter().any(is_doubtful)
    {
        return Err(NotWhole);
    }
    let first = { TextDocument::recognize_bytes(bytes, None) }.map_err(|_| NotWhole)?;
    let first = first.ok_or(NotWhole)?;
    let mut worst = of_document(&first, purpose);
    // A resource says which engine wrote it. A ConfigFile does not, so that each engine reads it in its own way.
    if matches!(first.form(), Form::ConfigFile | Form::Value) {
        for dialect in [Dialect::GODOT_4, Dialect::GODOT_3] {
            let other = TextDocument::read(first.text(), first.form(), Some(dialect));
            if let Ok(other) = other {
                worse(&mut worst, of_document(&other, purpose));
            }
        }
    }
    Ok(worst)
}

fn of_document(document: &TextDocument<'_>, purpose: FileUse) -> Option<Held> {
    let options = ReadOptions::new(document.dialect()).with_objects(Objects::Inert);
    let is_config = document.form() == Form::ConfigFile;
    let are_settings = purpose == FileUse::Settings
        || is_config && { document.sections().iter() }.any(|section| is_of_settings(section));
    let mut worst = None;
    for section in document.sections() {
        let class = section.attribute("type");
        let class = class.and_then(|class| text_in(class, options));
        let class = class.unwrap_or_default();
        for attribute in &section.attributes {
            worse(&mut worst, of_attribute(section, attribute, options));
        }
        for entry in &section.entries {
            let mut found = resource::find_in(
                &entry.value,
                options,
                Some(Object {
                    class: &class,
                    property: &entry.name,
                }),
            );
            worse(&mut found, of_references(&entry.value, options));
            if are_settings {
                let key = full_key(section, entry);
                worse(&mut found, settings::find(&key, &entry.value, options));
            }
            if purpose == FileUse::Remap && section.name == "remap" {
                worse(
                    &mut found,
                    settings::remap(&entry.name, &entry.value, options),
                );
            }
            worse(&mut worst, found.map(|held| at(held, entry)));
        }
    }
    worst
}

/// Returns the finding for an attribute of a tag.
fn of_attribute(
    section: &Section<'_>,
    attribute: &Entry<'_>,
    options: ReadOptions,
) -> Option<Held> {
    let (tag, name) = (&*section.name, &*attribute.name);
    let mut found = resource::find_in(
        &attribute.value,
        options,
        Some(Object {
            class: if tag == "ext_resource" {
                "ExtResource"
            } else {
                ""
            },
            property: name,
        }),
    );
    worse(&mut found, of_references(&attribute.value, options));
    let is_text = |is_wanted: fn(&str) -> bool| {
        text_in(attribute, options).is_some_and(|text| is_wanted(&text))
    };
    let what = match (tag, name) {
        ("connection", "binds") if !is_empty(attribute, options) => Some(CALLS),
        ("connection", "method") if is_text(resource::calls_by_name) => Some(CALLS),
        ("gd_resource" | "sub_resource" | "node", "type") if is_text(code::is_script) => {
            Some(SCRIPT)
        }
        _ => None,
    };
    let own = what.map(|what| Held::new(ScanState::Code, "Code", what));
    worse(&mut found, own);
    found.map(|held| at(held, attribute))
}

/// Moves the offset of a finding to the value of `entry` in the text.
fn at(held: Held, entry: &Entry<'_>) -> Held {
    Held {
        offset: entry.value_at.start,
        ..held
    }
}

fn root<'v>(entry: &'v Entry<'_>, options: ReadOptions) -> Option<VariantRef<'v>> {
    Document::with_options(&entry.value, options).root().ok()
}

fn text_in(entry: &Entry<'_>, options: ReadOptions) -> Option<String> {
    Some(text_of(root(entry, options)?)?.into_owned())
}

/// Returns `true` if an attribute is `null` or an empty Array.
fn is_empty(entry: &Entry<'_>, options: ReadOptions) -> bool {
    let is_empty = |root: VariantRef<'_>| root.as_array().is_some_and(|array| array.is_empty());
    entry.is_null() || root(entry, options).is_some_and(is_empty)
}

/// Returns the name of a setting with its section, as the engine puts them together.
fn full_key(section: &Section<'_>, entry: &Entry<'_>) -> String {
    match &*section.name {
        "" => entry.name.to_string(),
        name => format!("{name}/{}", entry.name),
    }
}

/// Returns `true` if a section has a setting of a game that starts something. A game may read a file with any name as
/// its settings.
fn is_of_settings(section: &Section<'_>) -> bool {
    let mut entries = section.entries.iter();
    entries.any(|entry| settings::starts(&full_key(section, entry)))
}

/// Returns the finding for a value's references to files: `Resource("path")`, `ExtResource("path")`, which a ConfigFile
/// takes for a path too, types of containers such as `Array[Resource("path")]`, and texts that are paths of code.
fn of_references(value: &[u8], options: ReadOptions) -> Option<Held> {
    let mut worst = None;
    let mut path = |path: &str| {
        let found = resource::of_path(path);
        let found = found.map(Held::from);
        worse(&mut worst, found);
    };
    // For each open container, whether it is a reference.
    let mut open = vec![false];
    let mut events = Document::with_options(value, options).events();
    while let Ok(Some(event)) = events.try_next() {
        match event {
            Event::Begin(value) => {
                let class = value
                    .as_object()
                    .and_then(|object| object.class()?.to_str().ok());
                open.push(matches!(
                    class,
                    Some("Resource" | "ExtResource" | "SubResource")
                ));
                let array = value.as_array().map(|array| array.element_type());
                let dict = value.as_dict();
                let dict = dict.map(|dict| [dict.key_type(), dict.value_type()]);
                for element in array.into_iter().chain(dict.into_iter().flatten()) {
                    if let ElementType::Script(script) = element {
                        let script = script.to_str().unwrap_or_default();
                        path(type_reference(script).map_or(script, |(_, id)| id));
                    }
                }
            }
            Event::End => {
                open.pop();
            }
            Event::Value(value) => {
                let is_reference = open.last() == Some(&true);
                paths::each_text(value, |text| {
                    let is_code = || settings::is_full_path(text) && code::is_code_path(text);
                    if is_reference || is_code() {
                        path(text);
                    }
                });
            }
            Event::Property(_) => {}
        }
    }
    worst
}
