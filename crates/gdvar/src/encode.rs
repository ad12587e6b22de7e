//! Encodes a [`Variant`].

use std::{convert::Infallible, mem, slice};

use gdvar_edit::NewValue;
use gdvar_view::{Dialect, Real};
use gdvar_write::{
    Burst, ElementType, Error, ImageParts, Measure, Sink, Target, WriteErrorKind, Writer,
};

use crate::{
    Array, Dictionary, Kind, Variant,
    text::Text,
    variant::{ArrayForm, Object, OwnedElementType},
};

/// The remaining children of a container that is being written.
enum Unwritten<'v> {
    Items(slice::Iter<'v, Variant>),
    /// The remaining pairs. `Some` is the value whose key was written last; this value is written
    /// next.
    Pairs(slice::Iter<'v, (Variant, Variant)>, Option<&'v Variant>),
    Properties(slice::Iter<'v, (Text, Variant)>),
}

impl Variant {
    /// Encodes the value for a target, byte for byte as its engine does.
    ///
    /// # Errors
    ///
    /// Fails on everything that the target cannot express: a kind that it lacks, text that it
    /// cannot hold, a float that it would round, values nested too deep. Also fails on children of
    /// a typed container that the engine would convert or drop. To write values that have another
    /// engine's kinds, use [`transcode`](crate::write::transcode).
    pub fn to_vec(&self, target: impl Into<Target>) -> Result<Vec<u8>, Error<Infallible>> {
        let mut writer = Writer::new(Vec::new(), target);
        self.write(&mut writer)?;
        writer.finish()
    }

    /// Returns the number of bytes that [`Variant::to_vec`] would return. This walks over the
    /// value once and allocates no output.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Variant::to_vec`].
    pub fn encoded_len(&self, target: impl Into<Target>) -> Result<usize, Error<Infallible>> {
        let mut writer = Writer::new(Measure::new(), target);
        self.write(&mut writer)?;
        Ok(writer.position() as usize)
    }

    /// Writes the value at the writer's current position, in one walk and without recursion.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Variant::to_vec`] and of the sink.
    pub fn write<S: Sink>(&self, to: &mut Writer<S>) -> Result<(), Error<S::Error>> {
        to.burst(|burst| {
            if short(self, burst)? {
                return Ok(());
            }
            let Some(mut open) = begin(self, burst)? else {
                return Ok(());
            };
            let mut outer: Vec<Unwritten<'_>> = Vec::new();
            loop {
                if let Some(inner) = open.write(burst)? {
                    outer.push(mem::replace(&mut open, inner));
                    continue;
                }
                burst.end()?;
                match outer.pop() {
                    Some(around) => open = around,
                    None => return Ok(()),
                }
            }
        })
    }
}

/// ```
/// use gdvar::{Dialect, Document, Variant, edit::Edit, variant};
///
/// let save = variant!({ "party": [{ "hp": 80 }] }).to_vec(Dialect::GODOT_4)?;
/// let mut edit = Edit::new(Document::new(&save, Dialect::GODOT_4));
/// edit.set("party[0].hp", Variant::from(999));
/// edit.append("party", &variant!({ "hp": 50 }));
/// let party = variant!({ "party": [{ "hp": 999 }, { "hp": 50 }] });
/// assert_eq!(Variant::from_slice(&edit.plan()?.to_vec(), Dialect::GODOT_4)?, party);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl NewValue for Variant {
    fn encode(&self, dialect: Dialect) -> Result<Vec<u8>, WriteErrorKind<Infallible>> {
        self.to_vec(dialect).map_err(Error::into_kind)
    }
}

impl<'v> Unwritten<'v> {
    /// Writes children up to and including the first that has children itself. Returns the
    /// container that this child opened, or `None` after the last child.
    #[inline(always)]
    fn write<S: Sink>(
        &mut self,
        burst: &mut Burst<'_, S>,
    ) -> Result<Option<Unwritten<'v>>, Error<S::Error>> {
        macro_rules! child {
            ($child:expr) => {
                if !short($child, burst)? {
                    if let Some(inner) = begin($child, burst)? {
                        return Ok(Some(inner));
                    }
                }
            };
        }
        match self {
            Unwritten::Items(items) => {
                for item in items {
                    child!(item);
                }
            }
            Unwritten::Pairs(pairs, value) => {
                if let Some(value) = value.take() {
                    child!(value);
                }
                for (key, next) in pairs {
                    if !short(key, burst)? {
                        if let Some(inner) = begin(key, burst)? {
                            *value = Some(next);
                            return Ok(Some(inner));
                        }
                    }
                    child!(next);
                }
            }
            Unwritten::Properties(properties) => {
                for (name, value) in properties {
                    burst.with(|to| to.property_bytes(name.as_bytes()))?;
                    child!(value);
                }
            }
        }
        Ok(None)
    }
}

/// Writes a value of a frequent short kind. Returns `false`, with nothing written, for any other
/// value.
#[inline(always)]
fn short<S: Sink>(value: &Variant, to: &mut Burst<'_, S>) -> Result<bool, Error<S::Error>> {
    match value {
        Variant::Nil => to.nil()?,
        Variant::Bool(bool) => to.bool(*bool)?,
        Variant::Int(int) => to.int(*int)?,
        Variant::Float(float) => to.float(*float)?,
        Variant::Vector2(Real::Single(value)) => to.vector2(*value)?,
        Variant::Vector3(Real::Single(value)) => to.vector3(*value)?,
        Variant::Vector2i(value) => to.vector2i(*value)?,
        Variant::Color(value) => to.color(*value)?,
        Variant::String(text) => match text.as_str() {
            Some(text) => to.string(text)?,
            None => return Ok(false),
        },
        Variant::StringName(text) => match text.as_str() {
            Some(text) => to.string_name(text)?,
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes any value. If it has children, writes only the bytes before the first child.
#[inline(never)]
fn begin<'v, S: Sink>(
    value: &'v Variant,
    to: &mut Burst<'_, S>,
) -> Result<Option<Unwritten<'v>>, Error<S::Error>> {
    match value {
        Variant::Dictionary(dict) => {
            if dict.is_plain() {
                to.begin_dict(dict.len())?;
            } else {
                to.with(|to| begin_dict(dict, to))?;
            }
            Ok(Some(Unwritten::Pairs(dict.as_pairs().iter(), None)))
        }
        Variant::Array(array) => {
            if array.is_plain() {
                to.begin_array(array.len())?;
            } else {
                to.with(|to| begin_array(array, to))?;
            }
            Ok(Some(Unwritten::Items(array.iter())))
        }
        Variant::Object(Object::Full(object)) => {
            let class = object.class.to_str_lossy();
            to.with(|to| to.begin_object(&class, object.properties.len()))?;
            Ok(Some(Unwritten::Properties(object.properties.iter())))
        }
        value => {
            to.with(|to| whole(value, to))?;
            Ok(None)
        }
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
    for item in array {
        to.check_child(element, item.kind())?;
    }
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
    for (own_key, own_value) in dict.as_pairs() {
        to.check_child(key, own_key.kind())?;
        to.check_child(value, own_value.kind())?;
    }
    if dict.is_shared() {
        to.begin_dict_shared(len)
    } else if any_key && any_value {
        to.begin_dict(len)
    } else {
        to.begin_typed_dict(key, value, len)
    }
}

/// Writes a value without children.
fn whole<S: Sink>(value: &Variant, to: &mut Writer<S>) -> Result<(), Error<S::Error>> {
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
        Variant::String(text) => match text.as_str() {
            Some(text) => to.string(text)?,
            None => to.string_bytes(text.as_bytes())?,
        },
        Variant::StringName(text) => match text.as_str() {
            Some(text) => to.string_name(text)?,
            // A dialect with StringNames holds only UTF-8.
            None => to.string_name(&text.to_str_lossy())?,
        },
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
        Variant::InputEvent(event) => to.input_event(event.kind, event.device, &event.body)?,
        Variant::Callable => to.callable()?,
        Variant::Signal(signal) => to.signal(&signal.name.to_str_lossy(), signal.object_id)?,
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
        // `begin` has written these up to their first child.
        Variant::Dictionary(_) | Variant::Array(_) | Variant::Object(Object::Full(_)) => {}
    }
    Ok(())
}
