//! [`Text`], [`NodePath`] and [`Signal`] through serde.

use gdvar_wire::native::{self, Bytes, Content, Native, NativeVisitor};
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess},
    ser::{self, SerializeTuple},
};

use crate::{
    Kind,
    text::Text,
    variant::{NodePath, Signal},
};

impl Serialize for Text {
    /// Serializes as a string. Text of Godot 3 or 2 that is not UTF-8 keeps its bytes in
    /// `gdvar-serde`'s format; human-readable formats refuse it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None if serializer.is_human_readable() => Err(ser::Error::custom(
                "this text of Godot 3 or 2 is not UTF-8; write Text::to_str_lossy if that is enough",
            )),
            None => {
                let name = native::name(Kind::String, false);
                serializer.serialize_newtype_struct(name, &Bytes(self.as_bytes()))
            }
        }
    }
}

impl<'de> Native<'de> for Text {
    const KIND: Kind = Kind::String;

    fn ask<D: Deserializer<'de>>(
        deserializer: D,
        visitor: NativeVisitor<Self>,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_str(visitor)
    }

    fn from_str<E: de::Error>(text: &str) -> Result<Self, E> {
        Ok(text.into())
    }

    fn from_bytes<E: de::Error>(text: &[u8]) -> Result<Self, E> {
        Ok(Text::from_bytes(text))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        native::deserialize(deserializer)
    }
}

/// Serializes the text of a path, in the form that scripts use, as the only element of a list.
struct PathText<'a>(&'a NodePath);

impl Serialize for PathText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodePath {
            names,
            subnames,
            absolute,
        } = self.0;
        let mut text = String::from(if *absolute { "/" } else { "" });
        let names: Vec<_> = names.iter().map(Text::to_str_lossy).collect();
        text.push_str(&names.join("/"));
        for name in subnames {
            text.push(':');
            text.push_str(&name.to_str_lossy());
        }
        if parse_path(&text) != *self.0 {
            return Err(ser::Error::custom(native::NO_PATH_TEXT));
        }
        [text].serialize(serializer)
    }
}

/// Parses a path in the form that scripts use.
fn parse_path(text: &str) -> NodePath {
    let (names, subnames) = text.split_once(':').unwrap_or((text, ""));
    let parts = |text: &str, separator| {
        let parts = text.split(separator).filter(|part| !part.is_empty());
        parts.map(Text::from).collect()
    };
    NodePath {
        names: parts(names, '/'),
        subnames: parts(subnames, ':'),
        absolute: text.starts_with('/'),
    }
}

struct PathParts<'a>(&'a NodePath);

impl Serialize for PathParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodePath {
            names,
            subnames,
            absolute,
        } = self.0;
        let mut parts = serializer.serialize_tuple(2 + names.len() + subnames.len())?;
        parts.serialize_element(absolute)?;
        parts.serialize_element(&(names.len() as u32))?;
        for name in names.iter().chain(subnames) {
            parts.serialize_element(name)?;
        }
        parts.end()
    }
}

impl Serialize for NodePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, args, compact) = (Kind::NodePath, PathText(self), PathParts(self));
        Content {
            kind,
            args,
            compact,
        }
        .pass(false, serializer)
    }
}

impl<'de> Native<'de> for NodePath {
    const KIND: Kind = Kind::NodePath;

    fn ask<D: Deserializer<'de>>(
        deserializer: D,
        visitor: NativeVisitor<Self>,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(visitor)
    }

    fn from_str<E: de::Error>(text: &str) -> Result<Self, E> {
        Ok(parse_path(text))
    }

    fn from_seq<A: SeqAccess<'de>>(mut parts: A, listed: bool) -> Result<Self, A::Error> {
        if listed {
            return native::only_text(parts, Kind::NodePath).map(|text| parse_path(&text));
        }
        let absolute = native::part(&mut parts, 0, Kind::NodePath)?;
        let count: u32 = native::part(&mut parts, 1, Kind::NodePath)?;
        let mut names: Vec<Text> = native::all(parts)?;
        let count = (count as usize).min(names.len());
        let subnames = names.split_off(count);
        Ok(NodePath {
            names,
            subnames,
            absolute,
        })
    }
}

impl<'de> Deserialize<'de> for NodePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        native::deserialize(deserializer)
    }
}

impl Serialize for Signal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = (&self.name, self.object_id);
        let (kind, args, compact) = (Kind::Signal, &parts, &parts);
        Content {
            kind,
            args,
            compact,
        }
        .pass(false, serializer)
    }
}

impl<'de> Native<'de> for Signal {
    const KIND: Kind = Kind::Signal;

    fn ask<D: Deserializer<'de>>(
        deserializer: D,
        visitor: NativeVisitor<Self>,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(2, visitor)
    }

    fn from_seq<A: SeqAccess<'de>>(mut parts: A, _: bool) -> Result<Self, A::Error> {
        let name = native::part(&mut parts, 0, Kind::Signal)?;
        let object_id = native::part(&mut parts, 1, Kind::Signal)?;
        native::no_more(&mut parts, 2, Kind::Signal)?;
        Ok(Signal { name, object_id })
    }
}

impl<'de> Deserialize<'de> for Signal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        native::deserialize(deserializer)
    }
}
