//! [`Variant`] through serde: itself in `gdvar-serde`'s format, and in others as plain as possible.

use gdvar_serde::{ObjectId, RawVariant, Rid, StringName, packed};
use gdvar_view::{
    Real,
    math::{Color, Components},
    narrow,
};
use gdvar_wire::native::{self, Content, Tagged};
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, SeqAccess, Visitor},
    ser::{SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple},
};

use crate::{
    Array, ArrayForm, Dictionary, FullObject, Kind, Object, OwnedElementType, Signal, Text,
    Variant, serde_parts::parse_path,
};

impl Serialize for Variant {
    /// In `gdvar-serde`'s format the same bytes as [`Variant::to_vec`]. In others Nil, Bool, Int,
    /// Float, String, Array and Dictionary are what these have for them, and everything else is
    /// `{"type": …, "args": […]}` where they are for people, with `"wide": true` for 64-bit reals.
    /// A value that would be taken for something else, such as a Dictionary with keys that are no
    /// Strings in JSON, has that form too. Element types of containers are lost there. Recursion as
    /// deep as the value.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        macro_rules! real {
            ($kind:ident, $value:expr) => {
                match $value {
                    Real::Single(value) => value.serialize(serializer),
                    Real::Double(value) if serializer.is_human_readable() => {
                        let args = value.components();
                        wide(Kind::$kind, &args, serializer)
                    }
                    Real::Double(value) => value.serialize(serializer),
                }
            };
        }
        macro_rules! reals {
            ($kind:ident, $all:expr) => {
                match &**$all {
                    Real::Single(all) => packed::serialize(all, serializer),
                    Real::Double(all) if serializer.is_human_readable() => {
                        let args: Vec<f64> =
                            all.iter().flat_map(|item| item.components()).collect();
                        wide(Kind::$kind, &args, serializer)
                    }
                    Real::Double(all) => packed::serialize(all, serializer),
                }
            };
        }
        match self {
            Variant::Nil => serializer.serialize_unit(),
            Variant::Bool(bool) => serializer.serialize_bool(*bool),
            Variant::Int(int) => serializer.serialize_i64(*int),
            Variant::Float(float) => serializer.serialize_f64(*float),
            Variant::String(text) => text.serialize(serializer),
            Variant::StringName(text) => StringName(text.to_str_lossy()).serialize(serializer),
            Variant::Vector2(value) => real!(Vector2, value),
            Variant::Vector2i(value) => value.serialize(serializer),
            Variant::Rect2(value) => real!(Rect2, value),
            Variant::Rect2i(value) => value.serialize(serializer),
            Variant::Vector3(value) => real!(Vector3, value),
            Variant::Vector3i(value) => value.serialize(serializer),
            Variant::Transform2D(value) => real!(Transform2D, &**value),
            Variant::Vector4(value) => real!(Vector4, value),
            Variant::Vector4i(value) => value.serialize(serializer),
            Variant::Plane(value) => real!(Plane, value),
            Variant::Quaternion(value) => real!(Quaternion, value),
            Variant::Aabb(value) => real!(Aabb, &**value),
            Variant::Basis(value) => real!(Basis, &**value),
            Variant::Transform3D(value) => real!(Transform3D, &**value),
            Variant::Projection(value) => real!(Projection, &**value),
            Variant::Color(value) => value.serialize(serializer),
            Variant::NodePath(path) => path.serialize(serializer),
            Variant::Rid(id) => Rid(*id).serialize(serializer),
            Variant::Object(object) => serialize_object(object, serializer),
            Variant::Callable => {
                let (kind, args, compact) = (Kind::Callable, [(); 0], ());
                let content = Content {
                    kind,
                    args,
                    compact,
                };
                content.pass(false, serializer)
            }
            Variant::Signal(signal) => signal.serialize(serializer),
            Variant::Image(image) => {
                let numbers = [image.format, image.mipmaps, image.width, image.height];
                serialize_opaque(Kind::Image, &numbers, &image.data, serializer)
            }
            Variant::InputEvent(event) => {
                let numbers = [event.kind, event.device as u32];
                serialize_opaque(Kind::InputEvent, &numbers, &event.body, serializer)
            }
            Variant::Dictionary(dict) => serialize_dict(dict, serializer),
            Variant::Array(array) => serialize_array(array, serializer),
            Variant::PackedByteArray(all) if serializer.is_human_readable() => {
                let (kind, args) = (Kind::PackedByteArray, all);
                Tagged { kind, args }.serialize(serializer)
            }
            Variant::PackedByteArray(all) => serializer.serialize_bytes(all),
            Variant::PackedInt32Array(all) => packed::serialize(all, serializer),
            Variant::PackedInt64Array(all) => packed::serialize(all, serializer),
            Variant::PackedFloat32Array(all) => packed::serialize(all, serializer),
            Variant::PackedFloat64Array(all) => packed::serialize(all, serializer),
            Variant::PackedStringArray(all) => {
                let (kind, args, compact) = (Kind::PackedStringArray, all, all);
                let content = Content {
                    kind,
                    args,
                    compact,
                };
                content.pass(false, serializer)
            }
            Variant::PackedVector2Array(all) => reals!(PackedVector2Array, all),
            Variant::PackedVector2iArray(all) => packed::serialize(all, serializer),
            Variant::PackedVector3Array(all) => reals!(PackedVector3Array, all),
            Variant::PackedVector3iArray(all) => packed::serialize(all, serializer),
            Variant::PackedVector4Array(all) => reals!(PackedVector4Array, all),
            Variant::PackedVector4iArray(all) => packed::serialize(all, serializer),
            Variant::PackedColorArray(all) => packed::serialize(all, serializer),
        }
    }
}

/// Reals of 64 bits for people.
fn wide<S: Serializer>(kind: Kind, args: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let listed: Vec<f64> = match native::engine_order(kind) {
        Some(order) => order.iter().map(|&place| args[place]).collect(),
        None => args.to_vec(),
    };
    let mut tagged = serializer.serialize_struct("Variant", 3)?;
    tagged.serialize_field("type", kind.name())?;
    tagged.serialize_field("args", &listed)?;
    tagged.serialize_field("wide", &true)?;
    tagged.end()
}

/// Numbers, then bytes: the opaque types of Godot 2.
struct Opaque<'a>(&'a [u32], &'a [u8]);

/// Bytes, not a list.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

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

fn serialize_opaque<S: Serializer>(
    kind: Kind,
    numbers: &[u32],
    bytes: &[u8],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (args, compact) = (Opaque(numbers, bytes), Opaque(numbers, bytes));
    let content = Content {
        kind,
        args,
        compact,
    };
    content.pass(false, serializer)
}

/// The properties of an object: as a map for people, else names and values in turn.
struct Properties<'a>(&'a Text, &'a [(Text, Variant)]);

struct PropertyMap<'a>(&'a [(Text, Variant)]);

impl Serialize for PropertyMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts = serializer.serialize_tuple(1 + 2 * self.1.len())?;
        parts.serialize_element(self.0)?;
        for (name, value) in self.1 {
            parts.serialize_element(name)?;
            parts.serialize_element(value)?;
        }
        parts.end()
    }
}

fn serialize_object<S: Serializer>(object: &Object, serializer: S) -> Result<S::Ok, S::Error> {
    match object {
        Object::Null if serializer.is_human_readable() => serializer.serialize_unit(),
        Object::Null => ObjectId(0).serialize(serializer),
        Object::Id(id) => ObjectId(*id).serialize(serializer),
        Object::Full(object) => {
            let FullObject { class, properties } = &**object;
            let args = (class, PropertyMap(properties));
            let (kind, compact) = (Kind::Object, Properties(class, properties));
            let content = Content {
                kind,
                args,
                compact,
            };
            content.pass(false, serializer)
        }
    }
}

/// The sort and the name of an element type.
fn element(element: &OwnedElementType) -> (u64, Text) {
    match element {
        OwnedElementType::Untyped => (0, Text::default()),
        OwnedElementType::Builtin(kind) => (1, kind.name().into()),
        OwnedElementType::Class(name) => (2, Text::clone(name)),
        OwnedElementType::Script(path) => (3, Text::clone(path)),
    }
}

/// A typed container: what it is, then its children.
struct Typed<'a> {
    /// The form of an Array.
    form: Option<u64>,
    shared: bool,
    types: &'a [(u64, Text)],
    children: Vec<&'a Variant>,
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
            parts.serialize_element(child)?;
        }
        parts.end()
    }
}

fn serialize_array<S: Serializer>(array: &Array, serializer: S) -> Result<S::Ok, S::Error> {
    let is_plain = array.form() == ArrayForm::Plain
        && *array.element_type() == OwnedElementType::Untyped
        && !array.is_shared();
    if is_plain || serializer.is_human_readable() {
        let mut list = serializer.serialize_seq(Some(array.len()))?;
        for item in array {
            list.serialize_element(item)?;
        }
        return list.end();
    }
    let compact = Typed {
        form: Some(match array.form() {
            ArrayForm::Plain => 0,
            ArrayForm::Typed => 1,
            ArrayForm::PackedTyped => 2,
        }),
        shared: array.is_shared(),
        types: &[element(array.element_type())],
        children: array.iter().collect(),
    };
    let (kind, args) = (Kind::Array, ());
    let content = Content {
        kind,
        args,
        compact,
    };
    content.pass(false, serializer)
}

/// Returns `true` if a Dictionary can be a JSON object and be taken for nothing else.
fn is_object(dict: &Dictionary) -> bool {
    let named = |name: &str| {
        let is_it = |(key, _): &(Variant, Variant)| key.as_str() == Some(name);
        dict.as_pairs().iter().any(is_it)
    };
    let is_text = |key: &Variant| matches!(key, Variant::String(text) if text.as_str().is_some());
    dict.keys().all(is_text) && !(named("type") && named("args"))
}

fn serialize_dict<S: Serializer>(dict: &Dictionary, serializer: S) -> Result<S::Ok, S::Error> {
    let is_plain = *dict.key_type() == OwnedElementType::Untyped
        && *dict.value_type() == OwnedElementType::Untyped
        && !dict.is_shared();
    let is_for_people = serializer.is_human_readable();
    let children = || dict.iter().flat_map(|(key, value)| [key, value]);
    if is_for_people && !is_object(dict) {
        let (kind, args) = (Kind::Dictionary, children().collect::<Vec<_>>());
        return Tagged { kind, args }.serialize(serializer);
    }
    if is_plain || is_for_people {
        let mut map = serializer.serialize_map(Some(dict.len()))?;
        for (key, value) in dict {
            map.serialize_entry(key, value)?;
        }
        return map.end();
    }
    let compact = Typed {
        form: None,
        shared: dict.is_shared(),
        types: &[element(dict.key_type()), element(dict.value_type())],
        children: children().collect(),
    };
    let (kind, args) = (Kind::Dictionary, ());
    let content = Content {
        kind,
        args,
        compact,
    };
    content.pass(false, serializer)
}

impl<'de> Deserialize<'de> for Variant {
    /// From `gdvar-serde`'s format the same as [`Variant::from_ref`], without recursion. From
    /// others what they have, and `{"type": …, "args": […]}` as what it says it is.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(native::RAW, Anything)
    }
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Variant;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any value that Godot has")
    }

    fn visit_unit<E>(self) -> Result<Variant, E> {
        Ok(Variant::Nil)
    }

    fn visit_none<E>(self) -> Result<Variant, E> {
        Ok(Variant::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Variant, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Variant, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, bool: bool) -> Result<Variant, E> {
        Ok(Variant::Bool(bool))
    }

    fn visit_i64<E>(self, int: i64) -> Result<Variant, E> {
        Ok(Variant::Int(int))
    }

    fn visit_u64<E: de::Error>(self, int: u64) -> Result<Variant, E> {
        match i64::try_from(int) {
            Ok(int) => Ok(Variant::Int(int)),
            Err(_) => Err(E::invalid_value(
                de::Unexpected::Unsigned(int),
                &"an int of at most 9223372036854775807",
            )),
        }
    }

    fn visit_f32<E>(self, float: f32) -> Result<Variant, E> {
        Ok(float.into())
    }

    fn visit_f64<E>(self, float: f64) -> Result<Variant, E> {
        Ok(Variant::Float(float))
    }

    fn visit_str<E>(self, text: &str) -> Result<Variant, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Variant, E> {
        Ok(text.into())
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Variant, E> {
        Ok(Variant::PackedByteArray(bytes.to_owned()))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Variant, E> {
        Ok(Variant::PackedByteArray(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Variant, A::Error> {
        native::all::<Variant, A>(items).map(Variant::from)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Variant, A::Error> {
        let mut pairs: Vec<(Variant, Variant)> = Vec::new();
        while let Some(key) = map.next_key::<Variant>()? {
            if pairs.is_empty() && key.as_str() == Some(native::RAW_KEY) {
                let kept: RawVariant<'de> = map.next_value::<gdvar_serde::Handed<'de>>()?.0;
                return Variant::from_ref(kept.get()).map_err(de::Error::custom);
            }
            pairs.push((key, map.next_value()?));
        }
        let dict = Dictionary::from_pairs(pairs);
        Ok(named_type(&dict).unwrap_or(Variant::Dictionary(dict)))
    }
}

/// The value behind `{"type": …, "args": […]}` stands for, if it is that.
fn named_type(dict: &Dictionary) -> Option<Variant> {
    let (name, args) = (dict.get("type")?.as_str()?, dict.get("args")?.as_array()?);
    let is_wide = dict.get("wide").and_then(Variant::as_bool) == Some(true);
    if dict.len() != if dict.get("wide").is_some() { 3 } else { 2 } {
        return None;
    }
    let kind = *Kind::ALL.iter().find(|kind| kind.name() == name)?;
    let args = &args[..];
    macro_rules! real {
        ($kind:ident, $n:literal) => {{
            let mut all: [f64; $n] = reals(args)?.try_into().ok()?;
            if let Some(order) = native::engine_order(kind) {
                let listed = all;
                for (from, &place) in order.iter().enumerate() {
                    all[place] = listed[from];
                }
            }
            let value = gdvar_view::math::$kind::from(all);
            match is_wide {
                true => value.into(),
                false => value.map(narrow).into(),
            }
        }};
    }
    macro_rules! reals {
        ($item:ident, $n:literal) => {{
            let all = reals(args)?;
            let items = all.chunks_exact($n);
            if !items.remainder().is_empty() {
                return None;
            }
            let items = items
                .filter_map(|item| item.first_chunk::<$n>())
                .map(|item| gdvar_view::math::$item::from(*item));
            match is_wide {
                true => Variant::packed(items.collect::<Vec<_>>()),
                false => Variant::packed(items.map(|item| item.map(narrow)).collect::<Vec<_>>()),
            }
        }};
    }
    macro_rules! int {
        ($kind:ident, $item:ident, $n:literal) => {{
            let all: [i32; $n] = ints(args)?.try_into().ok()?;
            Variant::$kind(gdvar_view::math::$item::from(all))
        }};
    }
    macro_rules! ints {
        ($kind:ident, $item:ident, $n:literal) => {{
            let all: Vec<i32> = ints(args)?;
            let items = all.chunks_exact($n);
            if !items.remainder().is_empty() {
                return None;
            }
            let items = items.filter_map(|item| item.first_chunk::<$n>());
            Variant::$kind(
                items
                    .map(|item| gdvar_view::math::$item::from(*item))
                    .collect(),
            )
        }};
    }
    let text = |value: &Variant| match value {
        Variant::String(text) => Some(text.clone()),
        _ => None,
    };
    Some(match (kind, args) {
        (Kind::Vector2, _) => real!(Vector2, 2),
        (Kind::Vector3, _) => real!(Vector3, 3),
        (Kind::Vector4, _) => real!(Vector4, 4),
        (Kind::Rect2, _) => real!(Rect2, 4),
        (Kind::Plane, _) => real!(Plane, 4),
        (Kind::Quaternion, _) => real!(Quaternion, 4),
        (Kind::Transform2D, _) => real!(Transform2D, 6),
        (Kind::Aabb, _) => real!(Aabb, 6),
        (Kind::Basis, _) => real!(Basis, 9),
        (Kind::Transform3D, _) => real!(Transform3D, 12),
        (Kind::Projection, _) => real!(Projection, 16),
        (Kind::Color, _) => {
            let all: [f64; 4] = reals(args)?.try_into().ok()?;
            Variant::Color(Color::from(all.map(narrow)))
        }
        (Kind::Vector2i, _) => int!(Vector2i, Vector2, 2),
        (Kind::Vector3i, _) => int!(Vector3i, Vector3, 3),
        (Kind::Vector4i, _) => int!(Vector4i, Vector4, 4),
        (Kind::Rect2i, _) => int!(Rect2i, Rect2, 4),
        (Kind::StringName, [name]) => Variant::StringName(text(name)?),
        (Kind::NodePath, [path]) => parse_path(path.as_str()?).into(),
        (Kind::Rid, [id]) => Variant::Rid(id.as_i64()? as u64),
        (Kind::Object, [id]) => Variant::Object(Object::Id(id.as_i64()? as u64)),
        (Kind::Object, [class, properties]) => {
            let properties = properties.as_dict()?.iter();
            let properties = properties.map(|(name, value)| Some((text(name)?, value.clone())));
            Variant::from(FullObject {
                class: text(class)?,
                properties: properties.collect::<Option<_>>()?,
            })
        }
        (Kind::Callable, []) => Variant::Callable,
        (Kind::Signal, [name, id]) => Variant::from(Signal {
            name: text(name)?,
            object_id: id.as_i64()? as u64,
        }),
        (Kind::Dictionary, _) if args.len() % 2 == 0 => {
            let pairs = args.chunks_exact(2);
            let pairs = pairs.map(|pair| (pair[0].clone(), pair[1].clone()));
            Variant::Dictionary(Dictionary::from_pairs(pairs.collect()))
        }
        (Kind::PackedByteArray, _) => {
            let all: Option<Vec<u8>> = ints::<i64>(args)?
                .into_iter()
                .map(|int| u8::try_from(int).ok())
                .collect();
            Variant::PackedByteArray(all?)
        }
        (Kind::PackedInt32Array, _) => Variant::PackedInt32Array(ints(args)?),
        (Kind::PackedInt64Array, _) => Variant::PackedInt64Array(ints(args)?),
        (Kind::PackedFloat32Array, _) => {
            Variant::PackedFloat32Array(reals(args)?.into_iter().map(narrow).collect())
        }
        (Kind::PackedFloat64Array, _) => Variant::PackedFloat64Array(reals(args)?),
        (Kind::PackedStringArray, _) => {
            Variant::PackedStringArray(args.iter().map(text).collect::<Option<_>>()?)
        }
        (Kind::PackedVector2Array, _) => reals!(Vector2, 2),
        (Kind::PackedVector3Array, _) => reals!(Vector3, 3),
        (Kind::PackedVector4Array, _) => reals!(Vector4, 4),
        (Kind::PackedVector2iArray, _) => ints!(PackedVector2iArray, Vector2, 2),
        (Kind::PackedVector3iArray, _) => ints!(PackedVector3iArray, Vector3, 3),
        (Kind::PackedVector4iArray, _) => ints!(PackedVector4iArray, Vector4, 4),
        (Kind::PackedColorArray, _) => {
            let all = reals(args)?;
            let colors = all.chunks_exact(4);
            if !colors.remainder().is_empty() {
                return None;
            }
            let colors = colors.filter_map(|all| all.first_chunk::<4>());
            Variant::PackedColorArray(colors.map(|all| Color::from(all.map(narrow))).collect())
        }
        _ => return None,
    })
}

fn reals(args: &[Variant]) -> Option<Vec<f64>> {
    let real = |arg: &Variant| arg.as_f64().or_else(|| arg.as_i64().map(|int| int as f64));
    args.iter().map(real).collect()
}

fn ints<T: TryFrom<i64>>(args: &[Variant]) -> Option<Vec<T>> {
    let int = |arg: &Variant| T::try_from(arg.as_i64()?).ok();
    args.iter().map(int).collect()
}
