//! [`Variant`] through serde: a native value in `gdvar-serde`'s format, an enum in others
//! (`serde_enum.rs`).

use gdvar_serde::{ObjectId, ReadWith, Rid, StringName, packed};
use gdvar_view::Real;
use gdvar_wire::native::{self, Bytes};
use serde_core::{
    Serialize, Serializer,
    ser::{Error, SerializeMap, SerializeSeq, SerializeTuple},
};

use crate::{
    Array, Dictionary, Kind, Variant, serde_enum,
    text::Text,
    variant::{ArrayForm, FullObject, Object, OwnedElementType},
};

impl Serialize for Variant {
    /// In `gdvar-serde`'s format, writes the bytes of [`Variant::to_vec`]. In other formats, writes
    /// the enum that [`Variant::deserialize`](serde_core::Deserialize::deserialize) reads. This
    /// function recurses as deep as the value, which may be nested at most
    /// [`ReadWith::DEPTH`](gdvar_serde::ReadWith::DEPTH) levels.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested(self, 0).serialize(serializer)
    }
}

/// A value that lies inside this many containers.
pub(crate) struct Nested<'v>(pub(crate) &'v Variant, pub(crate) u16);

impl Serialize for Nested<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = Either {
            value: self.0,
            depth: self.1,
            is_for_people: serializer.is_human_readable(),
        };
        serializer.serialize_newtype_struct(native::VARIANT, &value)
    }
}

/// A value that is written natively in `gdvar-serde`'s format, and as an enum in others.
struct Either<'v> {
    value: &'v Variant,
    depth: u16,
    /// The result of `is_human_readable` before the newtype was entered.
    is_for_people: bool,
}

impl Serialize for Either<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limit = ReadWith::DEPTH.max_depth;
        if self.depth > limit {
            return Err(S::Error::custom(format_args!(
                "the Variant is nested deeper than {limit}, and serde recurses; write it with Variant::to_vec"
            )));
        }
        // `native::VARIANT` changes the result of `is_human_readable` in `gdvar-serde`'s format
        // only.
        if serializer.is_human_readable() != self.is_for_people {
            return serialize(self.value, self.depth, serializer);
        }
        if serde_enum::is_gdvars::<S::Error>() {
            return Err(S::Error::custom(
                "a gdvar::Variant cannot be written as the whole of a tagged variant, or of what is flattened: \
                 give it a name there",
            ));
        }
        serde_enum::serialize(self.value, self.depth, serializer)
    }
}

/// Writes a value in `gdvar-serde`'s format. Only the recursive cases are in this function: the
/// others need a hundred kilobytes of stack in a build without optimisation.
fn serialize<S: Serializer>(value: &Variant, depth: u16, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Variant::Dictionary(dict) if dict.is_plain() => {
            serialize_plain_dict(dict, depth + 1, serializer)
        }
        Variant::Array(array) if array.is_plain() => {
            serialize_plain_array(array, depth + 1, serializer)
        }
        Variant::Dictionary(dict) => serialize_dict(dict, depth + 1, serializer),
        Variant::Array(array) => serialize_array(array, depth + 1, serializer),
        Variant::Object(Object::Full(object)) => {
            native_parts(Kind::Object, &Properties(object, depth + 1), serializer)
        }
        leaf => serialize_leaf(leaf, serializer),
    }
}

/// Writes a value without children.
fn serialize_leaf<S: Serializer>(value: &Variant, serializer: S) -> Result<S::Ok, S::Error> {
    macro_rules! real {
        ($value:expr) => {
            match $value {
                Real::Single(value) => value.serialize(serializer),
                Real::Double(value) => value.serialize(serializer),
            }
        };
    }
    macro_rules! reals {
        ($all:expr) => {
            match &**$all {
                Real::Single(all) => packed::serialize(all, serializer),
                Real::Double(all) => packed::serialize(all, serializer),
            }
        };
    }
    match value {
        Variant::Nil => serializer.serialize_unit(),
        Variant::Bool(bool) => serializer.serialize_bool(*bool),
        Variant::Int(int) => serializer.serialize_i64(*int),
        Variant::Float(float) => serializer.serialize_f64(*float),
        Variant::String(text) => match text.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => native_parts(Kind::String, &Bytes(text.as_bytes()), serializer),
        },
        Variant::StringName(text) => StringName(text.to_str_lossy()).serialize(serializer),
        Variant::Vector2(value) => real!(value),
        Variant::Vector2i(value) => value.serialize(serializer),
        Variant::Rect2(value) => real!(value),
        Variant::Rect2i(value) => value.serialize(serializer),
        Variant::Vector3(value) => real!(value),
        Variant::Vector3i(value) => value.serialize(serializer),
        Variant::Transform2D(value) => real!(&**value),
        Variant::Vector4(value) => real!(value),
        Variant::Vector4i(value) => value.serialize(serializer),
        Variant::Plane(value) => real!(value),
        Variant::Quaternion(value) => real!(value),
        Variant::Aabb(value) => real!(&**value),
        Variant::Basis(value) => real!(&**value),
        Variant::Transform3D(value) => real!(&**value),
        Variant::Projection(value) => real!(&**value),
        Variant::Color(value) => value.serialize(serializer),
        Variant::NodePath(path) => path.serialize(serializer),
        Variant::Rid(id) => Rid(*id).serialize(serializer),
        Variant::Object(Object::Null) => ObjectId(0).serialize(serializer),
        Variant::Object(Object::Id(id)) => ObjectId(*id).serialize(serializer),
        Variant::Callable => native_parts(Kind::Callable, &(), serializer),
        Variant::Signal(signal) => signal.serialize(serializer),
        Variant::Image(image) => {
            let numbers = [image.format, image.mipmaps, image.width, image.height];
            native_parts(Kind::Image, &Opaque(&numbers, &image.data), serializer)
        }
        Variant::InputEvent(event) => {
            let numbers = [event.kind, event.device as u32];
            native_parts(Kind::InputEvent, &Opaque(&numbers, &event.body), serializer)
        }
        Variant::Dictionary(_) | Variant::Array(_) | Variant::Object(Object::Full(_)) => {
            Err(S::Error::custom("this value has children"))
        }
        Variant::PackedByteArray(all) => serializer.serialize_bytes(all),
        Variant::PackedInt32Array(all) => packed::serialize(all, serializer),
        Variant::PackedInt64Array(all) => packed::serialize(all, serializer),
        Variant::PackedFloat32Array(all) => packed::serialize(all, serializer),
        Variant::PackedFloat64Array(all) => packed::serialize(all, serializer),
        Variant::PackedStringArray(all) => native_parts(Kind::PackedStringArray, all, serializer),
        Variant::PackedVector2Array(all) => reals!(all),
        Variant::PackedVector2iArray(all) => packed::serialize(all, serializer),
        Variant::PackedVector3Array(all) => reals!(all),
        Variant::PackedVector3iArray(all) => packed::serialize(all, serializer),
        Variant::PackedVector4Array(all) => reals!(all),
        Variant::PackedVector4iArray(all) => packed::serialize(all, serializer),
        Variant::PackedColorArray(all) => packed::serialize(all, serializer),
    }
}

fn native_parts<T: Serialize + ?Sized, S: Serializer>(
    kind: Kind,
    parts: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(native::name(kind, false), parts)
}

/// An opaque type of Godot 2: numbers, followed by bytes.
struct Opaque<'a>(&'a [u32], &'a [u8]);

impl Serialize for Opaque<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = serializer.serialize_tuple(self.0.len() + 1)?;
        for number in self.0 {
            parts.serialize_element(number)?;
        }
        parts.serialize_element(&Bytes(self.1))?;
        parts.end()
    }
}

/// An object: its class, then alternating names and values. The number is the depth of the values.
struct Properties<'a>(&'a FullObject, u16);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Properties(FullObject { class, properties }, depth) = self;
        let mut parts = serializer.serialize_tuple(1 + 2 * properties.len())?;
        parts.serialize_element(class)?;
        for (name, value) in properties {
            parts.serialize_element(name)?;
            parts.serialize_element(&Nested(value, *depth))?;
        }
        parts.end()
    }
}

/// Returns the number that stands for the form of an element type, and its name.
fn element(element: &OwnedElementType) -> (u64, Text) {
    match element {
        OwnedElementType::Untyped => (0, Text::default()),
        OwnedElementType::Builtin(kind) => (1, kind.name().into()),
        OwnedElementType::Class(name) => (2, Text::clone(name)),
        OwnedElementType::Script(path) => (3, Text::clone(path)),
    }
}

/// A typed container: its types, then its children.
struct Typed<'a> {
    /// The number that stands for the form of an Array. `None` for a Dictionary.
    form: Option<u64>,
    shared: bool,
    types: &'a [(u64, Text)],
    children: Vec<&'a Variant>,
    /// The number of containers that each child is in.
    depth: u16,
}

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let head = usize::from(self.form.is_some()) + 1 + 2 * self.types.len();
        let mut parts = serializer.serialize_tuple(head + self.children.len())?;
        if let Some(form) = self.form {
            parts.serialize_element(&form)?;
        }
        parts.serialize_element(&self.shared)?;
        for (sort, name) in self.types {
            parts.serialize_element(sort)?;
            parts.serialize_element(name)?;
        }
        for child in &self.children {
            parts.serialize_element(&Nested(child, self.depth))?;
        }
        parts.end()
    }
}

fn serialize_plain_array<S: Serializer>(
    items: &[Variant],
    depth: u16,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(items.len()))?;
    for item in items {
        list.serialize_element(&Nested(item, depth))?;
    }
    list.end()
}

fn serialize_plain_dict<S: Serializer>(
    dict: &Dictionary,
    depth: u16,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(dict.len()))?;
    for (key, value) in dict {
        map.serialize_entry(&Nested(key, depth), &Nested(value, depth))?;
    }
    map.end()
}

/// Writes an Array that has a type, another form, or the shared mark.
fn serialize_array<S: Serializer>(
    array: &Array,
    depth: u16,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let parts = Typed {
        form: Some(match array.form() {
            ArrayForm::Plain => 0,
            ArrayForm::Typed => 1,
            ArrayForm::PackedTyped => 2,
        }),
        shared: array.is_shared(),
        types: &[element(array.element_type())],
        children: array.iter().collect(),
        depth,
    };
    native_parts(Kind::Array, &parts, serializer)
}

/// Writes a Dictionary that has types or the shared mark.
fn serialize_dict<S: Serializer>(
    dict: &Dictionary,
    depth: u16,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let parts = Typed {
        form: None,
        shared: dict.is_shared(),
        types: &[element(dict.key_type()), element(dict.value_type())],
        children: dict.iter().flat_map(|(key, value)| [key, value]).collect(),
        depth,
    };
    native_parts(Kind::Dictionary, &parts, serializer)
}
