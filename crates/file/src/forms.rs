//! Converts resources and scenes between their text form and their binary form.

mod error;
mod loss;
mod scene;

use std::collections::BTreeMap;

use gdvar_document::{
    Form, NewContents, NewEntry, NewExternal, NewInternal, NewResource, TextDocument,
};
use gdvar_resource::{ErrorKind, Limits, Part, Parts, uid_of, uid_text};
use gdvar_view::{Dialect, Document, Event, Kind, ReadOptions};
use gdvar_write::{Writer, wire::Notation};

use crate::layers::{Resource, TextFile};

pub use error::{FormError, TextPlace};
pub use loss::FormLoss;

/// A converted file, and what was lost in the conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OtherForm {
    /// The file in its other form.
    pub file: Vec<u8>,
    /// What the original has and the other form cannot hold. Each kind is listed once.
    pub losses: Vec<FormLoss>,
}

type Result<T> = std::result::Result<T, FormError>;

/// Returns the text form of a binary resource or scene, `.tres` or `.tscn`. `contents` is the value that the layer
/// contains. The text is then read again and compared with `contents`. Both have the same values except for the losses
/// and, in Godot 4, null scripts, which no text of the engine has. This takes linear time, and several times the memory
/// of the contents.
///
/// # Errors
/// Returns [`FormError`] for contents that a text cannot express.
pub fn to_text(resource: &Resource, contents: &[u8]) -> Result<OtherForm> {
    let dialect = resource.dialect;
    let (contents, rids) = match dialect.notation() {
        // A text of Godot 3 cannot hold RIDs.
        Notation::Godot3_6 | Notation::Godot3_2 => numbers_for_rids(contents, dialect)?,
        Notation::Godot4 => (contents.to_vec(), 0),
    };
    let mut parts = Parts::read(&contents, dialect)?;
    // Godot 4 writes no `script = null`; Godot 3 does.
    if dialect.has_typed_containers() {
        parts.drop_null_scripts();
    }
    let uid = uid_text(resource.header.uid);
    let main = parts.main();
    let scene = match &*main.class {
        "PackedScene" => Some(scene::tags_of(main, dialect)?),
        _ => None,
    };
    let new = NewResource {
        class: &main.class,
        script_class: resource.header.script_class.as_deref(),
        uid: uid.as_deref(),
        externals: { parts.externals() }
            .map(|external| NewExternal {
                class: &external.class,
                path: &external.path,
                uid: external.uid.as_deref(),
            })
            .collect(),
        internals: { parts.internals() }
            .map(|part| NewInternal {
                id: &part.id,
                class: &part.class,
                properties: entries(part),
            })
            .collect(),
        contents: match &scene {
            Some(scene) => NewContents::Scene(scene.tags()),
            None => NewContents::Resource(entries(main)),
        },
    };
    let text = new.text(dialect)?;
    let unread = |error| FormError::Unread(Box::new(error));
    let document = TextDocument::resource(&text, Some(dialect)).map_err(unread)?;
    let not_loaded = |error| FormError::NotLoaded(Box::new(error));
    document.check_loading().map_err(not_loaded)?;
    let value = document.encode().map_err(unread)?;
    let (value, _) = binary_value(&document, &text, value)?;
    let is_same = match &scene {
        None => parts.are_in(&value, dialect)?,
        // The lists of the new scene have another order, so compare the tags made of them.
        Some(scene) => {
            let read = parts.read_like(&value, dialect)?;
            let new = scene::tags_of(read.main(), dialect)?;
            new.tags() == scene.tags() && internals(&read) == internals(&parts)
        }
    };
    if !is_same {
        return Err(FormError::Differs);
    }
    let paths = parts.internals().filter(|part| part.id.contains("://"));
    let paths = paths.count() as u64;
    let mut losses: Vec<FormLoss> = Vec::new();
    losses.extend((paths > 0).then_some(FormLoss::Paths(paths)));
    losses.extend((rids > 0).then_some(FormLoss::Rids(rids)));
    let left_out = scene.map(|scene| scene.left_out).unwrap_or_default();
    losses.extend(left_out.into_iter().map(FormLoss::Property));
    Ok(OtherForm {
        losses,
        file: text.into_bytes(),
    })
}

/// Returns the resources inside a file, by their ids.
fn internals(parts: &Parts) -> BTreeMap<&str, &Part> {
    { parts.internals() }
        .map(|part| (&*part.id, part))
        .collect()
}

fn entries(part: &Part) -> Vec<NewEntry<'_>> {
    let properties = part.properties.iter();
    properties
        .map(|property| (&*property.name, &*property.value))
        .collect()
}

/// Returns the binary form of a text resource or scene, `.res` or `.scn`, as Godot 4.6 or 3.6 writes it. `contents` is
/// the value that the layer contains. The new file is read back before it is returned. It has the same contents except
/// for the losses and, in Godot 4, the null scripts that the engine writes. This takes linear time, and several times
/// the memory of the contents.
///
/// # Errors
/// Returns [`FormError`] for a text that is neither a resource nor a scene, and for contents that a
/// binary file cannot hold.
pub fn to_binary(text: &TextFile, contents: Vec<u8>) -> Result<OtherForm> {
    let unread = |error| FormError::Unread(Box::new(error));
    let document =
        TextDocument::read(text.text(), text.form, Some(text.dialect)).map_err(unread)?;
    let header = document.sections().first().ok_or(FormError::OtherKind)?;
    let attribute = |name: &str| {
        let attribute = header.attribute(name)?;
        text_of(&attribute.value, text.dialect)
    };
    let uid = match attribute("uid") {
        Some(text) => Some(uid_of(&text).ok_or(FormError::Uid(text))?),
        None => None,
    };
    let script_class = attribute("script_class").filter(|class| !class.is_empty());
    no_objects(&document, text.text())?;
    let (value, mut losses) = binary_value(&document, text.text(), contents)?;
    let created = gdvar_resource::Resource::create(
        &value,
        text.dialect,
        uid,
        script_class.as_deref(),
        Limits::FILE,
    );
    let created = created
        .map_err(|error| FormError::Binary(error, place_of(&document, text.text(), error)))?;
    if let Some(typed) = created.typed {
        losses.push(FormLoss::Types(typed.count));
    }
    let sections = document.sections().iter();
    let externals = sections.filter(|section| section.name == "ext_resource");
    let externals = externals.count() as u64;
    if externals > 0 {
        losses.push(FormLoss::ExternalIds(externals));
    }
    if document.has_comments() {
        losses.push(FormLoss::Comments);
    }
    let rids = rids(&value, text.dialect)?;
    if rids > 0 {
        losses.push(FormLoss::Rids(rids));
    }
    Ok(OtherForm {
        file: created.file,
        losses,
    })
}

/// Refuses objects in values, such as `Object(Node)` and `Resource("res://a.tres")`. Only references to tags,
/// `SubResource` and `ExtResource`, are allowed.
fn no_objects(document: &TextDocument<'_>, text: &str) -> Result<()> {
    for section in document.sections() {
        for entry in section.attributes.iter().chain(&section.entries) {
            let root = Document::with_options(&entry.value, options(document.dialect())).root();
            let mut events = root.map_err(|_| UNREAD)?.events();
            while let Some(event) = events.try_next().map_err(|_| UNREAD)? {
                let Event::Begin(value) = event else { continue };
                let class = value.as_object().and_then(|object| object.class());
                let class = class.and_then(|class| class.to_str().ok());
                let class = class.filter(|class| !["SubResource", "ExtResource"].contains(class));
                if let Some(class) = class {
                    let place = TextPlace::new(text, entry.name_at.start, &entry.name);
                    return Err(FormError::Object(class.to_owned(), place));
                }
            }
        }
    }
    Ok(())
}

/// The error for values that cannot be read. It does not occur, because the values were read before.
const UNREAD: FormError = FormError::Scene("values that can be read");

fn options(dialect: Dialect) -> ReadOptions {
    crate::options(dialect).with_limits(gdvar_view::Limits::MOST)
}

/// Returns the value with the int 0 in place of each RID, because the engine reads a 0 there. Also returns the number
/// of RIDs.
fn numbers_for_rids(value: &[u8], dialect: Dialect) -> Result<(Vec<u8>, u64)> {
    let number = scene::encode(dialect, |writer| writer.int(0))?;
    let mut events = Document::with_options(value, options(dialect)).events();
    let (mut out, mut count, mut start) = (Vec::with_capacity(value.len()), 0, 0);
    while let Some(event) = events.try_next().map_err(|_| UNREAD)? {
        let bytes = &value[start..events.position()];
        start = events.position();
        match event {
            Event::Value(value) if value.kind() == Kind::Rid => {
                out.extend_from_slice(&number);
                count += 1;
            }
            _ => out.extend_from_slice(bytes),
        }
    }
    Ok((out, count))
}

/// Returns the number of RIDs in a value.
fn rids(value: &[u8], dialect: Dialect) -> Result<u64> {
    let root = Document::with_options(value, options(dialect)).root();
    let mut events = root.map_err(|_| UNREAD)?.events();
    let mut count = 0;
    while let Some(event) = events.try_next().map_err(|_| UNREAD)? {
        if let Event::Value(value) = event {
            count += u64::from(value.kind() == Kind::Rid);
        }
    }
    Ok(count)
}

/// Returns the place in the text that caused `error`, an error of writing the binary form. `None` if it is
/// not known.
fn place_of(
    document: &TextDocument<'_>,
    text: &str,
    error: gdvar_resource::Error,
) -> Option<TextPlace> {
    let mut sections = document.sections().iter();
    match error.kind() {
        ErrorKind::BadId => {
            let mut ids = sections
                .filter(|section| section.name == "sub_resource")
                .filter_map(|section| section.attribute("id"));
            let id = ids.find(|id| {
                let id = text_of(&id.value, document.dialect());
                id.is_some_and(|id| id.parse::<u32>().is_err())
            })?;
            Some(TextPlace::new(text, id.name_at.start, &id.name))
        }
        ErrorKind::NotInEngine => sections.find_map(|section| {
            let mut entries = section.attributes.iter().chain(&section.entries);
            let entry = entries.find(|entry| !is_held(&entry.value, document.dialect()))?;
            Some(TextPlace::new(text, entry.name_at.start, &entry.name))
        }),
        _ => None,
    }
}

/// Returns `true` if a binary resource can hold the value.
fn is_held(value: &[u8], dialect: Dialect) -> bool {
    let mut writer = Writer::new(Vec::new(), dialect);
    let mut write = || {
        writer.begin_object("Resource", 1)?;
        writer.property("value")?;
        writer.raw_bytes(value)?;
        writer.end()
    };
    let written: scene::Written = write();
    let Ok(alone) = written.and_then(|()| writer.finish()) else {
        return false;
    };
    let created = gdvar_resource::Resource::create(&alone, dialect, None, None, Limits::FILE);
    !created.is_err_and(|error| error.kind() == ErrorKind::NotInEngine)
}

/// Converts the value of a text to the value of its binary form. Also returns the attributes that the binary
/// form cannot hold.
fn binary_value(
    document: &TextDocument<'_>,
    text: &str,
    contents: Vec<u8>,
) -> Result<(Vec<u8>, Vec<FormLoss>)> {
    let losses = attributes_without_a_place(document);
    match document.form() {
        Form::Resource => Ok((contents, losses)),
        Form::Scene => Ok((scene::value_of(document, text, &contents)?, losses)),
        _ => Err(FormError::OtherKind),
    }
}

/// Returns the attributes of tags for which a binary file has no place. Each name is listed once.
fn attributes_without_a_place(document: &TextDocument<'_>) -> Vec<FormLoss> {
    let mut losses: Vec<FormLoss> = Vec::new();
    for section in document.sections() {
        let known: &[&str] = match &*section.name {
            "gd_resource" => &["type", "script_class", "load_steps", "format", "uid"],
            "gd_scene" => &["load_steps", "format", "uid"],
            "ext_resource" => &["type", "uid", "path", "id"],
            "sub_resource" => &["type", "id"],
            "node" => &scene::NODE,
            "connection" => &scene::CONNECTION,
            "editable" => &["path"],
            _ => &[],
        };
        for attribute in &section.attributes {
            let loss = FormLoss::Attribute(attribute.name.to_string());
            if !known.contains(&&*attribute.name) && !losses.contains(&loss) {
                losses.push(loss);
            }
        }
    }
    losses
}

/// Returns the text of an encoded String.
fn text_of(value: &[u8], dialect: Dialect) -> Option<String> {
    let root = Document::new(value, dialect).root().ok()?;
    root.as_str().map(str::to_owned)
}
