//! Finds the references to external and internal resources in encoded values.

use std::ops::Range;

use gdvar_text::{BuildError, Builder};
use gdvar_view::{Dialect, Document, ElementType, Error, Event, Kind, VariantRef};

use crate::replace::read_options;

/// The two kinds of resources that a document can contain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Own {
    External,
    Internal,
}

impl Own {
    /// Returns the class of the objects that refer to a resource of this kind.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Own::External => "ExtResource",
            Own::Internal => "SubResource",
        }
    }

    /// Returns the kind of resource that a tag defines, or `None` for other tags.
    pub(crate) fn of_tag(tag: &str) -> Option<Own> {
        match tag {
            "ext_resource" => Some(Own::External),
            "sub_resource" => Some(Own::Internal),
            _ => None,
        }
    }
}

/// What the path of a script begins with if it is a reference.
const TYPE_START: &str = "res://::";

/// A reference in an encoded value.
pub(crate) struct Reference {
    pub(crate) place: Range<usize>,
    pub(crate) own: Own,
    pub(crate) id: String,
    /// The number of containers around it.
    pub(crate) depth: usize,
}

/// Returns all references in an encoded value, in order of their position. Linear.
pub(crate) fn references(value: &[u8], dialect: Dialect) -> Result<Vec<Reference>, Error> {
    let mut found = Vec::new();
    // Only objects can be references, and few values contain the name of one of their classes.
    let class = |class: &[u8]| value.windows(class.len()).any(|window| window == class);
    if !class(b"ExtResource") && !class(b"SubResource") {
        return Ok(found);
    }
    let mut events = Document::with_options(value, read_options(dialect)).events();
    while let Some(event) = events.try_next()? {
        let Event::Begin(value) = event else { continue };
        if let Some((own, id)) = bare(value) {
            let depth = events.open().saturating_sub(1);
            events.pass_children()?;
            found.push(Reference {
                place: value.offset()..events.position(),
                own,
                id: id.to_owned(),
                depth,
            });
        }
    }
    Ok(found)
}

/// Returns the resources that are types of containers in an encoded value: `Array[ExtResource("1_a")]`. Linear.
pub(crate) fn types(value: &[u8], dialect: Dialect) -> Result<Vec<(Own, String)>, Error> {
    let mut found = Vec::new();
    let start = TYPE_START.as_bytes();
    // Few values have one.
    if !value.windows(start.len()).any(|window| window == start) {
        return Ok(found);
    }
    let mut events = Document::with_options(value, read_options(dialect)).events();
    while let Some(event) = events.try_next()? {
        let Event::Begin(value) = event else { continue };
        let array = value.as_array().map(|array| array.element_type());
        let dict = value.as_dict();
        let dict = dict.map(|dict| [dict.key_type(), dict.value_type()]);
        for element in array.into_iter().chain(dict.into_iter().flatten()) {
            let ElementType::Script(path) = element else {
                continue;
            };
            found.extend(path.to_str().ok().and_then(of_type_path));
        }
    }
    Ok(found)
}

/// Returns the resource in `res://::ExtResource("1_a")`, as `ParseOptions::with_references` keeps it.
fn of_type_path(path: &str) -> Option<(Own, String)> {
    let (class, id) = path.strip_prefix(TYPE_START)?.split_once("(\"")?;
    let own = [Own::External, Own::Internal]
        .into_iter()
        .find(|own| own.class() == class)?;
    Some((own, id.strip_suffix("\")")?.to_owned()))
}

/// Writes a reference to a resource with this id.
pub(crate) fn write(out: &mut Builder, own: Own, id: &str) -> Result<(), BuildError> {
    let count_at = out.begin(|writer| writer.begin_object(own.class(), 0))?;
    out.text_field(b"id")?;
    out.text(Kind::String, id.as_bytes())?;
    out.set_count(count_at, 1)
}

/// Returns the kind and the id of the resource to which an object refers. `None` unless the object
/// has a reference's class and no property but `id`.
pub(crate) fn bare<'v>(value: VariantRef<'v>) -> Option<(Own, &'v str)> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    let own = match object.class()?.to_str().ok()? {
        "ExtResource" => Own::External,
        "SubResource" => Own::Internal,
        _ => return None,
    };
    let (name, id) = object.iter().try_next().ok()??;
    (name.to_str() == Ok("id")).then_some(())?;
    Some((own, id.as_str()?))
}

/// Returns the text of an encoded String, or the digits of an int, because the ids of Godot 3 are
/// numbers. `None` for other values.
pub(crate) fn text_of(value: &[u8], dialect: Dialect) -> Option<String> {
    let root = Document::with_options(value, read_options(dialect))
        .root()
        .ok()?;
    let int = root.as_i64().map(|int| int.to_string());
    int.or_else(|| root.as_str().map(str::to_owned))
}
