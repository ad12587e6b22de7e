//! [`DictionaryKey`]: the types that can be looked up in a Dictionary.

use std::{
    borrow::Cow,
    hash::{Hash, Hasher},
};

use gdvar_view::math::{Vector2, Vector3, Vector4};

use crate::{Variant, text::Text};

mod sealed {
    pub trait Sealed {}
}

/// A key for look-ups in a [`Dictionary`](crate::Dictionary): a text, an int, a vector of ints, a
/// [`Variant`], or a reference to one of these.
pub trait DictionaryKey: sealed::Sealed {
    #[doc(hidden)]
    fn sought(&self) -> Sought<'_>;
}

/// A key that is looked up.
#[derive(Debug)]
#[doc(hidden)]
pub enum Sought<'k> {
    /// A String or a StringName. The engine treats both as the same key.
    Text(&'k [u8]),
    Other(Cow<'k, Variant>),
}

/// Returns a text without a leading byte order mark, as the engine reads it.
fn name(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

impl<'k> Sought<'k> {
    pub(super) fn of(key: &'k Variant) -> Sought<'k> {
        match key {
            Variant::String(text) | Variant::StringName(text) => {
                Sought::Text(name(text.as_bytes()))
            }
            other => Sought::Other(Cow::Borrowed(other)),
        }
    }

    pub(super) fn is(&self, own: &Variant) -> bool {
        match (self, own) {
            (Sought::Text(text), Variant::String(own) | Variant::StringName(own)) => {
                *text == name(own.as_bytes())
            }
            (Sought::Other(key), own) => **key == *own,
            _ => false,
        }
    }
}

impl Hash for Sought<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Sought::Text(text) => text.hash(state),
            Sought::Other(key) => key.hash(state),
        }
    }
}

macro_rules! keys {
    ($($ty:ty => |$key:ident| $sought:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl DictionaryKey for $ty {
            #[inline]
            fn sought(&self) -> Sought<'_> {
                let $key = self;
                $sought
            }
        }
    )*};
}
keys! {
    str => |text| Sought::Text(name(text.as_bytes()));
    String => |text| Sought::Text(name(text.as_bytes()));
    Text => |text| Sought::Text(name(text.as_bytes()));
    Variant => |key| Sought::of(key);
    i32 => |int| Sought::Other(Cow::Owned((*int).into()));
    i64 => |int| Sought::Other(Cow::Owned((*int).into()));
    Vector2<i32> => |cell| Sought::Other(Cow::Owned((*cell).into()));
    Vector3<i32> => |cell| Sought::Other(Cow::Owned((*cell).into()));
    Vector4<i32> => |cell| Sought::Other(Cow::Owned((*cell).into()));
}

impl<K: DictionaryKey + ?Sized> sealed::Sealed for &K {}
impl<K: DictionaryKey + ?Sized> DictionaryKey for &K {
    fn sought(&self) -> Sought<'_> {
        (**self).sought()
    }
}
