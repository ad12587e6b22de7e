//! Finds the references to external and internal resources in encoded values.

use std::ops::Range;

use gdvar_text::{BuildError, Builder, type_reference};
use gdvar_view::{Dialect, Document, ElementType, Error, Event, Kind, VariantRef};

use crate::scanner::read_options;

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

    /// Returns the kind of resource to which objects of a class refer, or `None` for other classes.
    pub(crate) fn of_class(class: &str) -> Option<Own> {
        [Own::External, Own::Internal]
            .into_iter()
            .find(|own| own.class() == class)
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

/// A reference in an encoded value.
pub(crate) struct Reference {
    pub(crate) place: Range<usize>,
    pub(crate) own: Own,
    pub(crate) id: String,
    /// The number of containers that enclose the reference.
    pub(crate) depth: usize,
}

/// Returns `true` if the bytes of an encoded value contain the class of a reference. Few values do.
fn has_class(value: &[u8]) -> bool {
    [Own::External, Own::Internal].iter().any(|own| {
        let class = own.class().as_bytes();
        value.windows(class.len()).any(|window| window == class)
    })
}

/// Returns all references in an encoded value, in order of their position.
pub(crate) fn references(value: &[u8], dialect: Dialect) -> Result<Vec<Reference>, Error> {
    let mut found = Vec::new();
    if !has_class(value) {
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

/// Returns the resources that an encoded value uses: first those that it refers to, then the
/// scripts that are types of its containers, such as `Array[ExtResource("1_a")]`.
pub(crate) fn used(value: &[u8], dialect: Dialect) -> Result<Vec<(Own, String)>, Error> {
    let found = references(value, dialect)?.into_iter();
    let mut used: Vec<_> = found.map(|one| (one.own, one.id)).collect();
    if !has_class(value) {
        return Ok(used);
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
            let reference = path.to_str().ok().and_then(type_reference);
            used.extend(
                reference.and_then(|(class, id)| Some((Own::of_class(class)?, id.to_owned()))),
            );
        }
    }
    Ok(used)
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
    let own = Own::of_class(object.class()?.to_str().ok()?)?;
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
