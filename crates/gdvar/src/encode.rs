//! From [`Variant`] to bytes.

use std::{convert::Infallible, slice};

use gdvar_view::Real;
use gdvar_write::{ElementType, Error, ImageParts, Measure, Sink, Target, Writer};

use crate::{Array, ArrayForm, Dictionary, Kind, Object, OwnedElementType, Text, Variant};

/// The children of the open containers that are still to be written.
enum Open<'v> {
    Items(slice::Iter<'v, Variant>),
    /// The value of the key written last, and the pairs after it.
    Pairs(Option<&'v Variant>, slice::Iter<'v, (Variant, Variant)>),
    Properties(slice::Iter<'v, (Text, Variant)>),
}

impl Variant {
    /// Encodes the value for a target, byte for byte as its engine does.
    ///
    /// # Errors
    /// What the target cannot express: a kind it does not have, text it cannot hold, too deep
    /// nesting. Values of another engine's kinds go through
    /// [`transcode`](crate::write::transcode) instead.
    pub fn to_vec(&self, target: impl Into<Target>) -> Result<Vec<u8>, Error<Infallible>> {
        let mut writer = Writer::new(Vec::new(), target);
        self.write(&mut writer)?;
        writer.finish()
    }

    /// The number of bytes that [`Variant::to_vec`] gives: one walk, nothing is written.
    ///
    /// # Errors
    /// As [`Variant::to_vec`].
    pub fn encoded_len(&self, target: impl Into<Target>) -> Result<usize, Error<Infallible>> {
        let mut writer = Writer::new(Measure::new(), target);
        self.write(&mut writer)?;
        Ok(writer.position() as usize)
    }

    /// Writes the value where a value may stand. No recursion.
    ///
    /// # Errors
    /// As [`Variant::to_vec`], and those of the sink.
    pub fn write<S: Sink>(&self, to: &mut Writer<S>) -> Result<(), Error<S::Error>> {
        let mut open: Vec<Open<'_>> = Vec::new();
        open.extend(begin(self, to)?);
        while let Some(innermost) = open.last_mut() {
            let next = match innermost {
                Open::Items(items) => items.next(),
                Open::Pairs(value, pairs) => value.take().or_else(|| {
                    let (key, behind) = pairs.next()?;
                    *value = Some(behind);
                    Some(key)
                }),
                Open::Properties(properties) => match properties.next() {
                    Some((name, value)) => {
                        to.property_bytes(name.as_bytes())?;
                        Some(value)
                    }
                    None => None,
                },
            };
            match next {
                Some(child) => open.extend(begin(child, to)?),
                None => {
                    to.end()?;
                    open.pop();
                }
            }
        }
        Ok(())
    }
}

fn element(element: &OwnedElementType) -> (ElementType<'_>, bool) {
    match element {
        OwnedElementType::Untyped => (ElementType::Untyped, true),
        OwnedElementType::Builtin(kind) => (ElementType::Builtin(*kind), false),
        OwnedElementType::Class(name) => {
            (ElementType::Class(name.as_str().unwrap_or_default()), false)
        }
        OwnedElementType::Script(path) => (
            ElementType::Script(path.as_str().unwrap_or_default()),
            false,
        ),
    }
}

fn begin_array<S: Sink>(array: &Array, to: &mut Writer<S>) -> Result<(), Error<S::Error>> {
    let len = array.len();
    let (element, untyped) = element(array.element_type());
    match array.form() {
        ArrayForm::Typed => to.begin_pandemonium_typed_array(Kind::TypedArray, element, len),
        ArrayForm::PackedTyped => {
            to.begin_pandemonium_typed_array(Kind::PackedTypedArray, element, len)
        }
        ArrayForm::Plain if array.is_shared() => to.begin_array_shared(len),
        ArrayForm::Plain if untyped => to.begin_array(len),
        ArrayForm::Plain => to.begin_typed_array(element, len),
    }
}

fn begin_dict<S: Sink>(dict: &Dictionary, to: &mut Writer<S>) -> Result<(), Error<S::Error>> {
    let len = dict.len();
    let ((key, any_key), (value, any_value)) =
        (element(dict.key_type()), element(dict.value_type()));
    if dict.is_shared() {
        to.begin_dict_shared(len)
    } else if any_key && any_value {
        to.begin_dict(len)
    } else {
        to.begin_typed_dict(key, value, len)
    }
}

/// Writes a value without children whole, and of others what stands before the children.
fn begin<'v, S: Sink>(
    value: &'v Variant,
    to: &mut Writer<S>,
) -> Result<Option<Open<'v>>, Error<S::Error>> {
    macro_rules! real {
        ($value:expr, $method:ident) => {
            match $value {
                Real::Single(single) => to.$method(*single)?,
                Real::Double(double) => to.$method(**double)?,
            }
        };
    }
    macro_rules! large {
        ($value:expr, $method:ident) => {
            match &**$value {
                Real::Single(single) => to.$method(*single)?,
                Real::Double(double) => to.$method(*double)?,
            }
        };
    }
    macro_rules! reals {
        ($all:expr, $method:ident) => {
            match &**$all {
                Real::Single(all) => to.$method(all)?,
                Real::Double(all) => to.$method(all)?,
            }
        };
    }
    match value {
        Variant::Nil => to.nil()?,
        Variant::Bool(bool) => to.bool(*bool)?,
        Variant::Int(int) => to.int(*int)?,
        Variant::Float(float) => to.float(*float)?,
        Variant::String(text) => to.string_bytes(text.as_bytes())?,
        // Dialects with StringName have UTF-8 only.
        Variant::StringName(text) => to.string_name(&text.to_str_lossy())?,
        Variant::Vector2(value) => real!(value, vector2),
        Variant::Vector2i(value) => to.vector2i(*value)?,
        Variant::Rect2(value) => real!(value, rect2),
        Variant::Rect2i(value) => to.rect2i(*value)?,
        Variant::Vector3(value) => real!(value, vector3),
        Variant::Vector3i(value) => to.vector3i(*value)?,
        Variant::Transform2D(value) => large!(value, transform2d),
        Variant::Vector4(value) => real!(value, vector4),
        Variant::Vector4i(value) => to.vector4i(*value)?,
        Variant::Plane(value) => real!(value, plane),
        Variant::Quaternion(value) => real!(value, quaternion),
        Variant::Aabb(value) => large!(value, aabb),
        Variant::Basis(value) => large!(value, basis),
        Variant::Transform3D(value) => large!(value, transform3d),
        Variant::Projection(value) => large!(value, projection),
        Variant::Color(color) => to.color(*color)?,
        Variant::Image(image) => to.image(&ImageParts {
            format: image.format,
            mipmaps: image.mipmaps,
            width: image.width,
            height: image.height,
            data: &image.data,
        })?,
        Variant::NodePath(path) => {
            let names = path.names.iter().map(Text::as_bytes);
            let subnames = path.subnames.iter().map(Text::as_bytes);
            to.node_path_from(names, subnames, path.absolute)?;
        }
        Variant::Rid(id) => to.rid(*id)?,
        Variant::Object(Object::Null) => to.null_object()?,
        Variant::Object(Object::Id(id)) => to.object_id(*id)?,
        Variant::Object(Object::Full(object)) => {
            to.begin_object(&object.class.to_str_lossy(), object.properties.len())?;
            return Ok(Some(Open::Properties(object.properties.iter())));
        }
        Variant::InputEvent(event) => to.input_event(event.kind, event.device, &event.body)?,
        Variant::Callable => to.callable()?,
        Variant::Signal(signal) => to.signal(&signal.name.to_str_lossy(), signal.object_id)?,
        Variant::Dictionary(dict) => {
            begin_dict(dict, to)?;
            return Ok(Some(Open::Pairs(None, dict.as_pairs().iter())));
        }
        Variant::Array(array) => {
            begin_array(array, to)?;
            return Ok(Some(Open::Items(array.iter())));
        }
        Variant::PackedByteArray(all) => to.packed_bytes(all)?,
        Variant::PackedInt32Array(all) => to.packed_i32(all)?,
        Variant::PackedInt64Array(all) => to.packed_i64(all)?,
        Variant::PackedFloat32Array(all) => to.packed_f32(all)?,
        Variant::PackedFloat64Array(all) => to.packed_f64(all)?,
        Variant::PackedStringArray(all) => {
            to.packed_strings_bytes(all.iter().map(Text::as_bytes))?;
        }
        Variant::PackedVector2Array(all) => reals!(all, packed_vector2),
        Variant::PackedVector2iArray(all) => to.packed_vector2i(all)?,
        Variant::PackedVector3Array(all) => reals!(all, packed_vector3),
        Variant::PackedVector3iArray(all) => to.packed_vector3i(all)?,
        Variant::PackedVector4Array(all) => reals!(all, packed_vector4),
        Variant::PackedVector4iArray(all) => to.packed_vector4i(all)?,
        Variant::PackedColorArray(all) => to.packed_colors(all)?,
    }
    Ok(None)
}
