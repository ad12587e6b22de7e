//! [`Variant`] in formats other than `gdvar-serde`'s: an enum, which every format of serde can
//! hold.
//!
//! What serde's data model has is written directly. Everything else is written as Godot's own text
//! if the format is human-readable and the text parses to the same bits, and otherwise as Godot's
//! own bytes. A container with a type or another mark is written as an empty container, in text or
//! bytes, followed by its children. Rejected: a shape for each kind, such as JSON's `{"type":
//! "Vector2", "args": [1, 2]}`, with an escape for Dictionaries that look like it. Compact formats
//! cannot tell the two apart, serde's buffers change what they hold, and a stranger's data could
//! look like the escape.

use std::{any::type_name, fmt};

use gdvar_serde::{Handed, RawVariant, ReadWith};
use gdvar_view::{Document, Objects, ReadOptions};
use gdvar_wire::native::{self, Bytes};
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor},
    ser::{self, SerializeSeq},
};

use crate::{
    Array, Dialect, Dictionary, Variant, display,
    serde_variant::Nested,
    text::Text,
    variant::{FullObject, Object},
};

macro_rules! tags {
    ($($tag:ident = $name:literal,)*) => {
        /// The variants of the enum. Some formats write their numbers, so new ones must be added at
        /// the end.
        #[derive(Clone, Copy)]
        enum Tag {
            $($tag,)*
        }

        const TAGS: &[Tag] = &[$(Tag::$tag,)*];

        /// The names, chosen so that no Dictionary of a save has one as its only key by chance.
        const NAMES: &[&str] = &[$($name,)*];
    };
}

tags! {
    Nil = "GodotNil",
    Bool = "GodotBool",
    Int = "GodotInt",
    Float = "GodotFloat",
    String = "GodotString",
    Array = "GodotArray",
    Dictionary = "GodotDictionary",
    Typed = "GodotTyped",
    NullObject = "GodotNullObject",
    Text = "GodotText",
    Bytes = "GodotBytes",
}

const ENUM: &str = "Variant";

/// Returns `true` if `E` is the error type of `gdvar-serde`'s format, also if a buffer of serde lies
/// between the format and this code. Used to give advice in messages.
pub(crate) fn is_gdvars<E>() -> bool {
    type_name::<E>() == type_name::<gdvar_serde::Error>()
}

fn variant<S: Serializer, T: Serialize + ?Sized>(
    serializer: S,
    tag: Tag,
    content: &T,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_variant(ENUM, tag as u32, NAMES[tag as usize], content)
}

/// Writes a value as the enum.
pub(crate) fn serialize<S: Serializer>(
    value: &Variant,
    depth: u16,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let unit = |tag| (tag as u32, NAMES[tag as usize]);
    match value {
        Variant::Nil => {
            let (n, name) = unit(Tag::Nil);
            serializer.serialize_unit_variant(ENUM, n, name)
        }
        Variant::Object(Object::Null) => {
            let (n, name) = unit(Tag::NullObject);
            serializer.serialize_unit_variant(ENUM, n, name)
        }
        Variant::Bool(bool) => variant(serializer, Tag::Bool, bool),
        Variant::Int(int) => variant(serializer, Tag::Int, int),
        // Human-readable formats have no other floats.
        Variant::Float(float) if float.is_finite() => variant(serializer, Tag::Float, float),
        Variant::String(text) if text.as_str().is_some() => {
            variant(serializer, Tag::String, text.as_str().unwrap_or_default())
        }
        Variant::Array(array) if array.is_plain() || !array.is_empty() => {
            let items = ChildSequence(Kin::Items(array), depth + 1);
            if array.is_plain() {
                return variant(serializer, Tag::Array, &items);
            }
            let empty = Array::new()
                .with_element_type(array.element_type().clone())
                .with_form(array.form())
                .with_shared(array.is_shared());
            let empty = Variant::Array(empty);
            variant(serializer, Tag::Typed, &(Nested(&empty, depth + 1), items))
        }
        Variant::Dictionary(dict) if dict.is_plain() || !dict.is_empty() => {
            let pairs = ChildSequence(Kin::Pairs(dict.as_pairs()), depth + 1);
            if dict.is_plain() {
                return variant(serializer, Tag::Dictionary, &pairs);
            }
            let empty = Dictionary::new()
                .with_types(dict.key_type().clone(), dict.value_type().clone())
                .with_shared(dict.is_shared());
            let empty = Variant::Dictionary(empty);
            variant(serializer, Tag::Typed, &(Nested(&empty, depth + 1), pairs))
        }
        Variant::Object(Object::Full(object)) if !object.properties.is_empty() => {
            let properties = ChildSequence(Kin::Properties(&object.properties), depth + 1);
            let empty = Variant::from(FullObject {
                class: object.class.clone(),
                properties: Vec::new(),
            });
            variant(
                serializer,
                Tag::Typed,
                &(Nested(&empty, depth + 1), properties),
            )
        }
        leaf => serialize_leaf(leaf, serializer),
    }
}

/// Writes a value without children as its text or bytes.
fn serialize_leaf<S: Serializer>(leaf: &Variant, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        let text = leaf.to_string();
        if text.parse().as_ref() == Ok(leaf) {
            return variant(serializer, Tag::Text, &text);
        }
    }
    for target in display::TARGETS {
        let bytes = leaf.to_vec(target);
        let Ok(bytes) = bytes else { continue };
        let dialect = target.dialect();
        if from_bytes(dialect, &bytes).as_ref() == Some(leaf) {
            return variant(serializer, Tag::Bytes, &(dialect.name(), Bytes(&bytes)));
        }
    }
    let kind = leaf.kind();
    Err(ser::Error::custom(format_args!(
        "no engine can hold this {kind}, so other formats cannot either"
    )))
}

/// Returns the value if it takes up all of the bytes.
fn from_bytes(dialect: Dialect, bytes: &[u8]) -> Option<Variant> {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let end = Document::with_options(bytes, options).validate().ok()?;
    let value = Variant::from_slice_with(bytes, options).ok()?;
    (end == bytes.len()).then_some(value)
}

/// The children of a container, and the number of containers that each child is in.
struct ChildSequence<'v>(Kin<'v>, u16);

#[derive(Clone, Copy)]
enum Kin<'v> {
    Items(&'v [Variant]),
    Pairs(&'v [(Variant, Variant)]),
    Properties(&'v [(Text, Variant)]),
}

impl Serialize for ChildSequence<'_> {
    /// Serializes the children in order, keys and names before their values.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ChildSequence(kin, depth) = *self;
        let len = match kin {
            Kin::Items(items) => items.len(),
            Kin::Pairs(pairs) => 2 * pairs.len(),
            Kin::Properties(properties) => 2 * properties.len(),
        };
        let mut list = serializer.serialize_seq(Some(len))?;
        match kin {
            Kin::Items(items) => {
                for item in items {
                    list.serialize_element(&Nested(item, depth))?;
                }
            }
            Kin::Pairs(pairs) => {
                for (key, value) in pairs {
                    list.serialize_element(&Nested(key, depth))?;
                    list.serialize_element(&Nested(value, depth))?;
                }
            }
            Kin::Properties(properties) => {
                for (name, value) in properties {
                    list.serialize_element(&Nested(&Variant::String(name.clone()), depth))?;
                    list.serialize_element(&Nested(value, depth))?;
                }
            }
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Variant {
    /// Reads from `gdvar-serde`'s format like [`Variant::from_ref`], without recursion. In other
    /// formats a `Variant` is this enum:
    ///
    /// | variant | content |
    /// |---|---|
    /// | `GodotNil`, `GodotNullObject` | none |
    /// | `GodotBool`, `GodotInt`, `GodotFloat`, `GodotString` | a bool, an `i64`, an `f64` that is finite, a string |
    /// | `GodotArray` | a list of Variants |
    /// | `GodotDictionary` | a list of Variants: key, value, key, value |
    /// | `GodotTyped` | a pair: an empty typed Array or Dictionary, or an Object without properties; and a list of its children, with names of properties as Strings |
    /// | `GodotText` | Godot's own text: `Vector2(1, 2)`. Only in human-readable formats, for values that it reproduces to the last bit |
    /// | `GodotBytes` | a pair: the name of a dialect, and the bytes of `var_to_bytes` in that dialect |
    ///
    /// In JSON the Array `[1, Vector2(1, 2)]` is therefore
    /// `{"GodotArray":[{"GodotInt":1},{"GodotText":"Vector2(1, 2)"}]}`. `serde_json` needs its
    /// feature `float_roundtrip`, without which it changes the last digits of some floats. For JSON
    /// that other programs write or read, use `gdvar-json`, or
    /// [`from_variant`](crate::tree::from_variant) and [`to_variant`](crate::tree::to_variant) with
    /// `serde_json::Value`.
    ///
    /// In types that serde copies first (`flatten`, untagged and tagged enums), a Variant can be
    /// read from other formats. From `gdvar-serde`'s format it is an error, because the copy has
    /// lost Godot's types: read the surrounding Dictionary as a Variant, and take the struct from
    /// it with [`from_variant`](crate::tree::from_variant).
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
        Level(0).deserialize(deserializer)
    }
}

/// Reads a value that lies inside this many containers.
#[derive(Clone, Copy)]
struct Level(u16);

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Variant;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Variant, D::Error> {
        deserializer.deserialize_newtype_struct(native::RAW, self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Variant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a gdvar::Variant")
    }

    /// Reads the bytes of a whole value, which `gdvar-serde` passes under a special key.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Variant, A::Error> {
        match map.next_key::<&str>() {
            Ok(Some(native::RAW_KEY)) => {
                let Handed(kept): Handed<'de> = map.next_value()?;
                Variant::from_ref(RawVariant::get(kept)).map_err(de::Error::custom)
            }
            _ => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Variant, D::Error> {
        if is_gdvars::<D::Error>() {
            return Err(de::Error::custom(
                "a gdvar::Variant cannot be read from the copy that serde makes for flatten, \
                 untagged and tagged enums, nor from an element of a packed array: the copy has \
                 lost Godot's types; read the Dictionary around it as a Variant, and the struct \
                 from that by gdvar::tree::from_variant",
            ));
        }
        let limit = ReadWith::DEPTH.max_depth;
        if self.0 > limit {
            return Err(de::Error::custom(format_args!(
                "the Variant is nested deeper than {limit}"
            )));
        }
        deserializer.deserialize_enum(ENUM, NAMES, self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Variant, A::Error> {
        let (tag, content) = data.variant()?;
        let children = List(self.0 + 1);
        Ok(match tag {
            Tag::Nil => {
                content.unit_variant()?;
                Variant::Nil
            }
            Tag::NullObject => {
                content.unit_variant()?;
                Variant::Object(Object::Null)
            }
            Tag::Bool => Variant::Bool(content.newtype_variant()?),
            Tag::Int => Variant::Int(content.newtype_variant()?),
            Tag::Float => Variant::Float(content.newtype_variant()?),
            Tag::String => content.newtype_variant::<String>()?.into(),
            Tag::Array => Variant::from(content.newtype_variant_seed(children)?),
            Tag::Dictionary => {
                let empty = Variant::Dictionary(Dictionary::new());
                fill(empty, content.newtype_variant_seed(children)?)?
            }
            Tag::Typed => {
                let (empty, children) = content.newtype_variant_seed(Two(self, children))?;
                fill(empty, children)?
            }
            Tag::Text => {
                let text: String = content.newtype_variant()?;
                text.parse().map_err(de::Error::custom)?
            }
            Tag::Bytes => {
                let (dialect, bytes): (String, ByteList) = content.newtype_variant()?;
                let dialect: Dialect = dialect.parse().map_err(de::Error::custom)?;
                from_bytes(dialect, &bytes.0).ok_or_else(|| {
                    de::Error::custom(format_args!("these bytes are not a value of {dialect}"))
                })?
            }
        })
    }
}

/// Puts children into an empty container.
fn fill<E: de::Error>(empty: Variant, children: Vec<Variant>) -> Result<Variant, E> {
    let odd = || {
        E::custom("GodotTyped and GodotDictionary have an empty container, and keys with values")
    };
    let mut children = children.into_iter();
    match empty {
        Variant::Array(mut array) if array.is_empty() => {
            array.extend(children);
            Ok(Variant::Array(array))
        }
        Variant::Dictionary(dict) if dict.is_empty() && children.len() % 2 == 0 => {
            let mut pairs = Vec::with_capacity(children.len() / 2);
            while let (Some(key), Some(value)) = (children.next(), children.next()) {
                pairs.push((key, value));
            }
            let filled = Dictionary::from_pairs(pairs)
                .with_types(dict.key_type().clone(), dict.value_type().clone())
                .with_shared(dict.is_shared());
            Ok(Variant::Dictionary(filled))
        }
        Variant::Object(Object::Full(mut object))
            if object.properties.is_empty() && children.len() % 2 == 0 =>
        {
            while let (Some(name), Some(value)) = (children.next(), children.next()) {
                let Variant::String(name) = name else {
                    return Err(odd());
                };
                object.properties.push((name, value));
            }
            Ok(Variant::Object(Object::Full(object)))
        }
        _ => Err(odd()),
    }
}

/// Reads a list of values that lie inside this many containers.
struct List(u16);

impl<'de> DeserializeSeed<'de> for List {
    type Value = Vec<Variant>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List {
    type Value = Vec<Variant>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of Variants")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        // The length of the list is a claim, so no memory is reserved for it.
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(Level(self.0))? {
            all.push(item);
        }
        Ok(all)
    }
}

/// Reads a pair: an empty container, and its children.
struct Two(Level, List);

impl<'de> DeserializeSeed<'de> for Two {
    type Value = (Variant, Vec<Variant>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for Two {
    type Value = (Variant, Vec<Variant>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an empty container and its children")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Self::Value, A::Error> {
        let lacks = |n| de::Error::invalid_length(n, &"an empty container and its children");
        let empty = pair.next_element_seed(self.0)?.ok_or_else(|| lacks(0))?;
        let children = pair.next_element_seed(self.1)?.ok_or_else(|| lacks(1))?;
        Ok((empty, children))
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tag, D::Error> {
        struct Names;
        impl Visitor<'_> for Names {
            type Value = Tag;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a variant of the enum that a Variant is")
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Tag, E> {
                let tag = usize::try_from(n).ok().and_then(|n| TAGS.get(n));
                let unknown = || E::invalid_value(de::Unexpected::Unsigned(n), &self);
                tag.copied().ok_or_else(unknown)
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Tag, E> {
                let mut tags = TAGS.iter().zip(NAMES);
                let tag = tags.find(|(_, known)| **known == name);
                tag.map(|(tag, _)| *tag)
                    .ok_or_else(|| E::unknown_variant(name, NAMES))
            }
            fn visit_bytes<E: de::Error>(self, name: &[u8]) -> Result<Tag, E> {
                self.visit_str(&String::from_utf8_lossy(name))
            }
        }
        deserializer.deserialize_identifier(Names)
    }
}

/// Reads bytes. Some formats give them as a list of numbers.
struct ByteList(Vec<u8>);

impl<'de> Deserialize<'de> for ByteList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ByteList, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = ByteList;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<ByteList, E> {
                Ok(ByteList(bytes.to_owned()))
            }
            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<ByteList, E> {
                Ok(ByteList(bytes))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, bytes: A) -> Result<ByteList, A::Error> {
                native::all(bytes).map(ByteList)
            }
        }
        deserializer.deserialize_byte_buf(All)
    }
}
