//! Checks whether the writer would reproduce the same bytes. With `exact=True`, a value that the writer would
//! change is kept as bytes.

use gdvar_view::{ElementType, Error, Kind, StrRef, TypeId, VariantRef};
use gdvar_write::{Precision, Target, Writer, transcode_value};

/// A container that is read with `exact`.
#[derive(Clone, Copy)]
pub(crate) struct ExactContainer<'a> {
    /// The offset of its header.
    pub(crate) start: usize,
    pub(crate) kind: Kind,
    /// The types of the keys, and of the values or elements.
    pub(crate) types: (ElementType<'a>, ElementType<'a>),
    /// `true` if the writer would reproduce the names of all properties so far, and admits all children.
    pub(crate) same: bool,
}

impl<'a> ExactContainer<'a> {
    pub(crate) fn new(value: VariantRef<'a>) -> ExactContainer<'a> {
        let types = match (value.as_dict(), value.as_array()) {
            (Some(dict), _) => (dict.key_type(), dict.value_type()),
            (None, Some(array)) => match (value.kind(), array.element_type()) {
                // Pandemonium's typed arrays hold nothing but null if they have no type.
                (Kind::TypedArray | Kind::PackedTypedArray, ElementType::Untyped) => {
                    let null = ElementType::Builtin(TypeId(0), Some(Kind::Nil));
                    (ElementType::Untyped, null)
                }
                (_, element) => (ElementType::Untyped, element),
            },
            (None, None) => (ElementType::Untyped, ElementType::Untyped),
        };
        ExactContainer {
            start: value.offset(),
            kind: value.kind(),
            types,
            same: true,
        }
    }
}

/// Returns `true` if the writer would encode the value in exactly these bytes.
pub(crate) fn is_canonical(value: VariantRef<'_>) -> Result<bool, Error> {
    let raw = value.raw()?;
    let target = Target::from(value.dialect()).with_precision(Precision::AsGiven);
    let mut writer = Writer::new(Vec::new(), target);
    if transcode_value(value, &mut writer).is_err() {
        return Ok(false);
    }
    Ok(writer.finish().is_ok_and(|bytes| bytes == raw))
}

/// Returns `true` if the writer would write the same header for the container. `bytes` is the whole buffer.
pub(crate) fn has_plain_head(value: VariantRef<'_>, bytes: &[u8]) -> bool {
    fn written(element: ElementType<'_>) -> Option<gdvar_write::ElementType<'_>> {
        Some(match element {
            ElementType::Untyped => gdvar_write::ElementType::Untyped,
            ElementType::Builtin(_, kind) => gdvar_write::ElementType::Builtin(kind?),
            ElementType::Class(name) => gdvar_write::ElementType::Class(name.to_str().ok()?),
            ElementType::Script(path) => gdvar_write::ElementType::Script(path.to_str().ok()?),
        })
    }
    let head = || {
        let mut writer = Writer::new(Vec::new(), Target::from(value.dialect()));
        if let Some(array) = value.as_array() {
            let element = written(array.element_type())?;
            match value.kind() {
                Kind::Array => writer.begin_typed_array(element, array.len()).ok()?,
                kind => writer
                    .begin_pandemonium_typed_array(kind, element, array.len())
                    .ok()?,
            }
        } else if let Some(dict) = value.as_dict() {
            let (keys, values) = (written(dict.key_type())?, written(dict.value_type())?);
            writer.begin_typed_dict(keys, values, dict.len()).ok()?;
        } else {
            let object = value.as_object()?;
            writer
                .begin_object(object.class()?.to_str().ok()?, object.len())
                .ok()?;
        }
        Some(writer.into_sink())
    };
    let rest = bytes.get(value.offset()..).unwrap_or_default();
    head().is_some_and(|head| rest.starts_with(&head))
}

/// Returns the encoded name of a property: its length, the text, and zeros up to a multiple of four
/// (`docs/FORMAT.md` §4.4).
pub(crate) fn name_bytes(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Returns `true` if the names in the head of a container are texts that a str can hold: the class of an
/// object, and classes and scripts of typed containers.
///
/// # Errors
/// Fails if a name is no text of the engine.
pub(crate) fn has_text_head(value: VariantRef<'_>) -> Result<bool, Error> {
    fn of(element: ElementType<'_>) -> Option<StrRef<'_>> {
        match element {
            ElementType::Class(name) | ElementType::Script(name) => Some(name),
            _ => None,
        }
    }
    let array = value.as_array().map(|array| array.element_type());
    let dict = value.as_dict();
    let keys = dict.map(|dict| dict.key_type());
    let values = dict.map(|dict| dict.value_type());
    let class = value.as_object().and_then(|object| object.class());
    let elements = [array, keys, values].into_iter().flatten().filter_map(of);
    for name in elements.chain(class) {
        if name.to_str().is_err() {
            name.check()?;
            return Ok(false);
        }
    }
    Ok(true)
}
