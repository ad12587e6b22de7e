//! Types of Godot that are written as a text or a number, but have their own meaning.

use alloc::string::String;
use core::fmt;

use gdvar_wire::{
    Kind,
    native::{self, Content, Native, NativeVisitor},
};
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess},
};

/// Serializes a value as a list with one element.
struct Only<T>(T);

impl<T: Serialize> Serialize for Only<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [&self.0].serialize(serializer)
    }
}

/// A `StringName`, Godot 4's `&"name"`. `StringName<&str>` borrows, `StringName<String>` owns. Both
/// can also be read from a String. Godot 3 has no StringName; use a plain string there.
///
/// ```
/// use gdvar_serde::StringName;
///
/// let bytes = gdvar_serde::to_vec(&StringName("hard"))?;
/// assert_eq!(gdvar_serde::from_slice::<StringName<&str>>(&bytes)?.0, "hard");
/// assert_eq!(gdvar_serde::from_slice::<&str>(&bytes)?, "hard");
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StringName<T = String>(pub T);

impl<T: fmt::Display> fmt::Display for StringName<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: AsRef<str>> Serialize for StringName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, text) = (Kind::StringName, self.0.as_ref());
        let (args, compact) = (Only(text), text);
        Content {
            kind,
            args,
            compact,
        }
        .pass(false, serializer)
    }
}

macro_rules! string_name {
    ($text:ty: $borrowed:ident, |$found:ident| $make:expr) => {
        impl<'de> Native<'de> for StringName<$text> {
            const KIND: Kind = Kind::StringName;

            fn ask<D: Deserializer<'de>>(
                deserializer: D,
                visitor: NativeVisitor<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_str(visitor)
            }

            fn $borrowed<E: de::Error>($found: string_name!(@ $borrowed 'de)) -> Result<Self, E> {
                Ok(StringName($make))
            }

            fn from_seq<A: SeqAccess<'de>>(mut parts: A, _: bool) -> Result<Self, A::Error> {
                let text = native::part(&mut parts, 0, Kind::StringName)?;
                native::no_more(&mut parts, 1, Kind::StringName)?;
                Ok(StringName(text))
            }
        }

    };
    (@ from_str $life:lifetime) => { &str };
    (@ from_borrowed_str $life:lifetime) => { &$life str };
}

string_name!(String: from_str, |text| text.into());
string_name!(&'de str: from_borrowed_str, |text| text);

impl<'de> Deserialize<'de> for StringName<String> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        native::deserialize(deserializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for StringName<&'a str> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        native::deserialize::<StringName<&'de str>, D>(deserializer)
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u64);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let (kind, args, compact) = (Kind::$kind, Only(self.0), self.0);
                Content { kind, args, compact }.pass(false, serializer)
            }
        }

        impl<'de> Native<'de> for $name {
            const KIND: Kind = Kind::$kind;

            fn ask<D: Deserializer<'de>>(
                deserializer: D,
                visitor: NativeVisitor<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_u64(visitor)
            }

            fn from_u64<E: de::Error>(id: u64) -> Result<Self, E> {
                Ok($name(id))
            }

            fn from_i64<E: de::Error>(id: i64) -> Result<Self, E> {
                // Scripts see these 64 bits as a signed number.
                Ok($name(id as u64))
            }

            fn from_seq<A: SeqAccess<'de>>(mut parts: A, _: bool) -> Result<Self, A::Error> {
                let id = native::part(&mut parts, 0, Kind::$kind)?;
                native::no_more(&mut parts, 1, Kind::$kind)?;
                Ok($name(id))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                native::deserialize(deserializer)
            }
        }
    )*};
}

ids! {
    /// The number of a `RID`. Only Godot 4 writes it; other dialects read 0 and cannot write
    /// another number.
    Rid = Rid;
    /// An object as its instance id. Use an `Option` for objects that may be null, because the
    /// engines write null for them.
    ObjectId = Object;
}
