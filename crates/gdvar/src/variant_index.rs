//! Children by key and by position: `value["party"][0]`.

use std::ops;

use crate::{Dictionary, Variant, dictionary::DictionaryKey, text::Text, variant::Object};

mod sealed {
    pub trait Sealed {}
}

/// A step from a [`Variant`] to a child. A text leads to the value under this key of a Dictionary,
/// or to this property of a whole object. A number leads to an element of an Array, counted from
/// the end if the number is negative, or to the value under this int key of a Dictionary. A
/// [`Variant`] or a vector of ints leads to the value under this key of a Dictionary.
pub trait VariantIndex: sealed::Sealed {
    #[doc(hidden)]
    fn child<'v>(&self, of: &'v Variant) -> Option<&'v Variant>;
    #[doc(hidden)]
    fn child_mut<'v>(&self, of: &'v mut Variant) -> Option<&'v mut Variant>;
    #[doc(hidden)]
    fn make<'v>(&self, of: &'v mut Variant) -> &'v mut Variant;
}

/// Panics with a message that names the kind of the value that has no such child.
#[cold]
#[track_caller]
fn no_place(of: &Variant, index: &dyn std::fmt::Debug) -> ! {
    match of.as_array() {
        Some(array) => panic!(
            "there is no element {index:?} in an Array of {}",
            array.len()
        ),
        None => panic!("a {} has no {index:?} that could be set", of.kind()),
    }
}

impl VariantIndex for str {
    fn child<'v>(&self, of: &'v Variant) -> Option<&'v Variant> {
        match of {
            Variant::Dictionary(dict) => dict.get(self),
            Variant::Object(Object::Full(object)) => object.get(self),
            _ => None,
        }
    }

    fn child_mut<'v>(&self, of: &'v mut Variant) -> Option<&'v mut Variant> {
        match of {
            Variant::Dictionary(dict) => dict.get_mut(self),
            Variant::Object(Object::Full(object)) => object.get_mut(self),
            _ => None,
        }
    }

    fn make<'v>(&self, of: &'v mut Variant) -> &'v mut Variant {
        if of.is_nil() {
            *of = Dictionary::new().into();
        }
        match of {
            Variant::Dictionary(dict) => dict.entry(self).or_default(),
            Variant::Object(Object::Full(object)) => {
                let is_it = |(name, _): &(Text, Variant)| *name == *self;
                let place = object
                    .properties
                    .iter()
                    .rposition(is_it)
                    .unwrap_or_else(|| {
                        object.properties.push((self.into(), Variant::Nil));
                        object.properties.len() - 1
                    });
                &mut object.properties[place].1
            }
            other => no_place(other, &self),
        }
    }
}
impl sealed::Sealed for str {}

macro_rules! numbers {
    ($($int:ty)*) => {$(
        impl sealed::Sealed for $int {}
        impl VariantIndex for $int {
            fn child<'v>(&self, of: &'v Variant) -> Option<&'v Variant> {
                match of {
                    Variant::Array(array) => array.get(place(*self as i64, array.len())?),
                    Variant::Dictionary(dict) => dict.get(&(*self as i64)),
                    _ => None,
                }
            }

            fn child_mut<'v>(&self, of: &'v mut Variant) -> Option<&'v mut Variant> {
                match of {
                    Variant::Array(array) => {
                        let place = place(*self as i64, array.len())?;
                        array.get_mut(place)
                    }
                    Variant::Dictionary(dict) => dict.get_mut(&(*self as i64)),
                    _ => None,
                }
            }

            fn make<'v>(&self, of: &'v mut Variant) -> &'v mut Variant {
                match of {
                    Variant::Dictionary(dict) => dict.entry(*self as i64).or_default(),
                    other => {
                        if self.child(other).is_none() {
                            no_place(other, self);
                        }
                        match self.child_mut(other) {
                            Some(child) => child,
                            None => unreachable!("it was there"),
                        }
                    }
                }
            }
        }
    )*};
}
numbers!(i32 i64 usize);

/// Returns the position of an index in a list of length `len`, or `None` if it is out of range.
/// Negative indices count from the end.
pub(crate) fn place(index: i64, len: usize) -> Option<usize> {
    let index = if index < 0 { index + len as i64 } else { index };
    usize::try_from(index).ok().filter(|&place| place < len)
}

macro_rules! keys {
    ($($key:ty)*) => {$(
        impl sealed::Sealed for $key {}
        impl VariantIndex for $key {
            fn child<'v>(&self, of: &'v Variant) -> Option<&'v Variant> {
                of.as_dict()?.get(self)
            }

            fn child_mut<'v>(&self, of: &'v mut Variant) -> Option<&'v mut Variant> {
                of.as_dict_mut()?.get_mut(self)
            }

            fn make<'v>(&self, of: &'v mut Variant) -> &'v mut Variant {
                if of.is_nil() {
                    *of = Dictionary::new().into();
                }
                match of {
                    Variant::Dictionary(dict) => dict.entry(self.clone()).or_default(),
                    other => no_place(other, self),
                }
            }
        }
    )*};
}
keys! {
    Variant
    gdvar_view::math::Vector2<i32>
    gdvar_view::math::Vector3<i32>
    gdvar_view::math::Vector4<i32>
}

macro_rules! forward {
    ($([$($param:tt)*] $ty:ty => |$it:ident| $inner:expr;)*) => {$(
        impl<$($param)*> sealed::Sealed for $ty {}
        impl<$($param)*> VariantIndex for $ty {
            fn child<'v>(&self, of: &'v Variant) -> Option<&'v Variant> {
                let $it = self;
                $inner.child(of)
            }

            fn child_mut<'v>(&self, of: &'v mut Variant) -> Option<&'v mut Variant> {
                let $it = self;
                $inner.child_mut(of)
            }

            fn make<'v>(&self, of: &'v mut Variant) -> &'v mut Variant {
                let $it = self;
                $inner.make(of)
            }
        }
    )*};
}
forward! {
    [] String => |text| text.as_str();
    [I: VariantIndex + ?Sized] &I => |inner| (**inner);
}

impl Variant {
    /// Returns the child that an index leads to, or `None`: `value.get("name")`, `value.get(0)`.
    #[must_use]
    pub fn get(&self, index: impl VariantIndex) -> Option<&Variant> {
        index.child(self)
    }

    /// Returns a mutable reference to the child that an index leads to, or `None`.
    pub fn get_mut(&mut self, index: impl VariantIndex) -> Option<&mut Variant> {
        index.child_mut(self)
    }

    /// Returns `true` if a Dictionary has this key, or a whole object this property.
    #[must_use]
    pub fn contains_key<K: DictionaryKey + VariantIndex + ?Sized>(&self, key: &K) -> bool {
        !self.is_nil() && self.as_array().is_none() && key.child(self).is_some()
    }
}

impl<I: VariantIndex> ops::Index<I> for Variant {
    type Output = Variant;

    /// Returns the child that an index leads to, or null if there is none.
    ///
    /// ```
    /// let save = gdvar::variant!({ "party": [{ "gold": 3 }] });
    /// assert_eq!(save["party"][0]["gold"], 3);
    /// assert_eq!(save["party"][-1]["gold"], 3);
    /// assert!(save["party"][7]["gold"].is_nil());
    /// ```
    fn index(&self, index: I) -> &Variant {
        index.child(self).unwrap_or(&Variant::Nil)
    }
}

impl<I: VariantIndex> ops::IndexMut<I> for Variant {
    /// Returns a mutable reference to the child that an index leads to. A missing key is inserted
    /// into a Dictionary, and a missing property into a whole object. A null becomes a Dictionary
    /// first, unless the index is a number.
    ///
    /// ```
    /// let mut save = gdvar::Variant::Nil;
    /// save["player"]["gold"] = 3.into();
    /// assert_eq!(save, gdvar::variant!({ "player": { "gold": 3 } }));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the value cannot have a child at `index`, or an Array is too short.
    fn index_mut(&mut self, index: I) -> &mut Variant {
        index.make(self)
    }
}
