//! Resources and scenes in their other form: text as binary, binary as text.

mod scene;

use std::{collections::BTreeMap, fmt};

use gdvar_document::{
    DocumentError, Form, NewContents, NewEntry, NewExternal, NewInternal, NewResource,
    ReplaceError, TextDocument,
};
use gdvar_resource::{Limits, Part, Parts, uid_of, uid_text};
use gdvar_view::Dialect;

use crate::layers::{Resource, TextFile};

/// A file in its other form, and what it does not have any more.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OtherForm {
    /// The file.
    pub file: Vec<u8>,
    /// What the first form has and this one cannot have. Each kind is there once.
    pub losses: Vec<FormLoss>,
}

/// Something that one form has and the other cannot have.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormLoss {
    /// The types of this many arrays and dictionaries: the script of a resource declares them, not a binary file.
    Types(u64),
    /// The ids of this many resources in other files: a binary file finds them by their place in a table.
    ExternalIds(u64),
    /// Comments, which are in no value.
    Comments,
    /// The attribute of this name in a tag.
    Attribute(String),
    /// The property of this name of the scene itself: a text has only nodes.
    Property(String),
    /// The paths of this many resources that were bundled into the file: a text has only ids.
    Paths(u64),
}

impl FormLoss {
    /// Returns the name without numbers: `Types`. It is stable, for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            FormLoss::Types(_) => "Types",
            FormLoss::ExternalIds(_) => "ExternalIds",
            FormLoss::Comments => "Comments",
            FormLoss::Attribute(_) => "Attribute",
            FormLoss::Property(_) => "Property",
            FormLoss::Paths(_) => "Paths",
        }
    }

    /// Returns `false` if the other form has something else in its place, so that nothing is missing.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        !matches!(self, FormLoss::ExternalIds(_))
    }

    /// Returns how many there are.
    #[must_use]
    pub const fn count(&self) -> u64 {
        match self {
            FormLoss::Types(count) | FormLoss::ExternalIds(count) | FormLoss::Paths(count) => {
                *count
            }
            FormLoss::Comments | FormLoss::Attribute(_) | FormLoss::Property(_) => 1,
        }
    }
}

impl fmt::Display for FormLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormLoss::Types(count) => write!(
                f,
                "the types of arrays and dictionaries ({count}): a binary resource does not store them, the script declares them"
            ),
            FormLoss::ExternalIds(count) => write!(
                f,
                "the ids of resources in other files ({count}): a binary resource has numbers instead"
            ),
            FormLoss::Comments => f.write_str("comments: a binary resource has none"),
            FormLoss::Attribute(name) => {
                write!(
                    f,
                    "the attribute {name}: a binary resource has no place for it"
                )
            }
            FormLoss::Property(name) => {
                write!(
                    f,
                    "the property {name} of the scene itself: a text has only nodes"
                )
            }
            FormLoss::Paths(count) => write!(
                f,
                "the paths of bundled resources ({count}): a text has only their ids"
            ),
        }
    }
}

/// Why a file has no other form.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormError {
    /// It is neither a resource nor a scene.
    OtherKind,
    /// A value that the text cannot express.
    Text(ReplaceError),
    /// The text that was made cannot be read, so it is not written.
    Unread(Box<DocumentError>),
    /// A value that a binary resource cannot hold.
    Binary(gdvar_resource::Error),
    /// The header has a unique id that is none.
    Uid(String),
    /// The lists of a scene are not as engines write them.
    Scene(&'static str),
    /// The file that was made has other contents, so it is not written.
    Differs,
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormError::OtherKind => {
                f.write_str("only a resource or a scene has a text and a binary form")
            }
            FormError::Text(error) => error.fmt(f),
            FormError::Unread(error) => write!(f, "the text would not be read: {error}"),
            FormError::Binary(error) => write!(f, "{}", error.kind()),
            FormError::Uid(text) => write!(f, "expected a uid such as uid://abc, found {text:?}"),
            FormError::Scene(what) => write!(f, "expected {what}, as engines write scenes"),
            FormError::Differs => f.write_str(
                "the other form would hold other values; please report this file as an error",
            ),
        }
    }
}

impl std::error::Error for FormError {}

impl From<gdvar_resource::Error> for FormError {
    fn from(error: gdvar_resource::Error) -> FormError {
        FormError::Binary(error)
    }
}

impl From<ReplaceError> for FormError {
    fn from(error: ReplaceError) -> FormError {
        FormError::Text(error)
    }
}

type Result<T> = std::result::Result<T, FormError>;

/// Returns the text form of a binary resource or scene, `.tres` or `.tscn`. `contents` is the value of the layer. The
/// text is read again, and has exactly the same contents. Linear; takes the memory of the contents several times.
///
/// # Errors
/// [`FormError`] for contents that a text cannot express.
pub fn to_text(resource: &Resource, contents: &[u8]) -> Result<OtherForm> {
    let dialect = resource.dialect;
    let parts = Parts::read(contents, dialect)?;
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
    let value = document.encode().map_err(unread)?;
    let (value, _) = binary_value(&document, value)?;
    let is_same = match &scene {
        None => parts.are_in(&value, dialect)?,
        // Its lists have another order.
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
    let left_out = scene.map(|scene| scene.left_out).unwrap_or_default();
    losses.extend(left_out.into_iter().map(FormLoss::Property));
    Ok(OtherForm {
        losses,
        file: text.into_bytes(),
    })
}

/// The resources inside a file by their ids.
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
/// the value of the layer. The file is read again, and has exactly the same contents but for the losses. Linear; takes
/// the memory of the contents several times.
///
/// # Errors
/// [`FormError`] for a text that is neither a resource nor a scene, and for contents that a binary file cannot
/// hold.
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
    let (value, mut losses) = binary_value(&document, contents)?;
    let created = gdvar_resource::Resource::create(
        &value,
        text.dialect,
        uid,
        script_class.as_deref(),
        Limits::FILE,
    )?;
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
    Ok(OtherForm {
        file: created.file,
        losses,
    })
}

/// Returns the value of a text as the one of its binary form, and the attributes that this one cannot have.
fn binary_value(
    document: &TextDocument<'_>,
    contents: Vec<u8>,
) -> Result<(Vec<u8>, Vec<FormLoss>)> {
    let losses = attributes_without_a_place(document);
    match document.form() {
        Form::Resource => Ok((contents, losses)),
        Form::Scene => Ok((scene::value_of(document, &contents)?, losses)),
        _ => Err(FormError::OtherKind),
    }
}

/// The attributes of tags that a binary file has no place for, each name once.
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
    let root = gdvar_view::Document::new(value, dialect).root().ok()?;
    root.as_str().map(str::to_owned)
}
