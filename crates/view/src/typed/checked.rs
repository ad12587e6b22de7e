//! [`Checked`]: values that were validated, so that reading them cannot fail.

use core::{iter::FusedIterator, ops::Deref};

use crate::{
    error::Error,
    value::{array::ArrayRef, dict::DictRef, object::ObjectRef, variant::VariantRef},
    walk::{items::ArrayIter, pairs::DictIter, properties::PropertyIter},
};

/// A value that a walk found in order from end to end: [`Document::check`](crate::Document::check)
/// makes one. It has all methods of what it wraps, and those that could fail do not fail any more.
///
/// Use this when one buffer is read again and again, or when code that reads many values should be free of `?`.
/// It costs one walk over all bytes; a value that is read once costs less without it.
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// fn total_gold(save: &[u8]) -> Result<i64, gdvar_view::Error> {
///     let root = Document::new(save, Dialect::GODOT_4).check()?;
///     let Some(players) = root.as_dict().and_then(|save| save.get("players")?.as_array()) else {
///         return Ok(0);
///     };
///     Ok(players.iter().filter_map(|player| player.as_dict()?.get("gold")?.as_i64()).sum())
/// }
/// # assert_eq!(total_gold(&[0; 4]), Ok(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checked<T>(T);

impl<T> Checked<T> {
    pub(crate) const fn new(inner: T) -> Checked<T> {
        Checked(inner)
    }

    /// Without the promise.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// The bytes were validated and cannot have changed, so this cannot happen.
#[cold]
#[inline(never)]
fn broken(error: Error) -> ! {
    panic!("checked bytes do not read the same twice: {error}")
}

fn sure<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| broken(error))
}

impl<'a> Checked<VariantRef<'a>> {
    /// As [`VariantRef::as_array`].
    #[must_use]
    pub fn as_array(self) -> Option<Checked<ArrayRef<'a>>> {
        self.0.as_array().map(Checked)
    }

    /// As [`VariantRef::as_dict`].
    #[must_use]
    pub fn as_dict(self) -> Option<Checked<DictRef<'a>>> {
        self.0.as_dict().map(Checked)
    }

    /// As [`VariantRef::as_object`].
    #[must_use]
    pub fn as_object(self) -> Option<Checked<ObjectRef<'a>>> {
        self.0.as_object().map(Checked)
    }

    /// As [`VariantRef::end`].
    #[must_use]
    pub fn end(self) -> usize {
        sure(self.0.end())
    }

    /// As [`VariantRef::raw`].
    #[must_use]
    pub fn raw(self) -> &'a [u8] {
        sure(self.0.raw())
    }

    /// As [`VariantRef::get_path`].
    #[must_use]
    pub fn get_path(self, path: &crate::Path<'_>) -> Option<Checked<VariantRef<'a>>> {
        sure(self.0.get_path(path)).map(Checked)
    }
}

impl<'a> Checked<ArrayRef<'a>> {
    /// As [`ArrayRef::get`].
    #[must_use]
    pub fn get(self, index: usize) -> Option<Checked<VariantRef<'a>>> {
        sure(self.0.get(index)).map(Checked)
    }

    /// As [`ArrayRef::iter`].
    #[must_use]
    pub fn iter(self) -> Checked<ArrayIter<'a>> {
        Checked(self.0.iter())
    }
}

impl<'a> Checked<DictRef<'a>> {
    /// As [`DictRef::get`].
    #[must_use]
    pub fn get(self, key: &str) -> Option<Checked<VariantRef<'a>>> {
        sure(self.0.get(key)).map(Checked)
    }

    /// As [`DictRef::get_int`].
    #[must_use]
    pub fn get_int(self, key: i64) -> Option<Checked<VariantRef<'a>>> {
        sure(self.0.get_int(key)).map(Checked)
    }

    /// As [`DictRef::get_value`].
    #[must_use]
    pub fn get_value(self, key: VariantRef<'_>) -> Option<Checked<VariantRef<'a>>> {
        sure(self.0.get_value(key)).map(Checked)
    }

    /// As [`DictRef::iter`].
    #[must_use]
    pub fn iter(self) -> Checked<DictIter<'a>> {
        Checked(self.0.iter())
    }
}

impl<'a> Checked<ObjectRef<'a>> {
    /// As [`ObjectRef::get`].
    #[must_use]
    pub fn get(self, name: &str) -> Option<Checked<VariantRef<'a>>> {
        sure(self.0.get(name)).map(Checked)
    }

    /// As [`ObjectRef::iter`].
    #[must_use]
    pub fn iter(self) -> Checked<PropertyIter<'a>> {
        Checked(self.0.iter())
    }
}

/// Iteration over what is checked: the same children, without `Result`, and exactly as many as the count
/// says.
macro_rules! checked_iterators {
    ($($of:ident, $iter:ident, $per:literal: $item:ty, $pattern:pat => $checked:expr;)*) => {$(
        impl<'a> Iterator for Checked<$iter<'a>> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                sure(self.0.try_next()).map(|$pattern| $checked)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.0.0.left() / $per;
                (left, Some(left))
            }
        }

        impl ExactSizeIterator for Checked<$iter<'_>> {}

        impl FusedIterator for Checked<$iter<'_>> {}

        impl<'a> IntoIterator for Checked<$of<'a>> {
            type Item = $item;
            type IntoIter = Checked<$iter<'a>>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }
    )*};
}

checked_iterators! {
    ArrayRef, ArrayIter, 1: Checked<VariantRef<'a>>, value => Checked(value);
    DictRef, DictIter, 2: (Checked<VariantRef<'a>>, Checked<VariantRef<'a>>),
        (key, value) => (Checked(key), Checked(value));
    ObjectRef, PropertyIter, 1: (crate::StrRef<'a>, Checked<VariantRef<'a>>),
        (name, value) => (name, Checked(value));
}
