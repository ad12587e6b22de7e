//! [`Array`]: a `Vec` of values, with the element type of its header.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    slice, vec,
};

use crate::{
    Variant,
    variant::{ArrayForm, OwnedElementType},
};

/// An `Array`. It derefs to a `Vec` of its elements, so it has all methods of a `Vec`: `push`,
/// `iter`, `sort_by` …
///
/// ```
/// use gdvar::{Array, variant};
///
/// let mut list: Array = [1, 2].into_iter().collect();
/// list.push(variant!("three"));
/// list.retain(|item| item != 1);
/// assert_eq!(list.len(), 2);
/// assert_eq!(list[0], 2);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Array(ArrayRepr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum ArrayRepr {
    Plain(Vec<Variant>),
    Odd(Box<Odd>),
}

/// An array with an element type, a form other than `Array`, or the shared mark of Godot 2.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Odd {
    items: Vec<Variant>,
    element: OwnedElementType,
    form: ArrayForm,
    shared: bool,
}

const _: () = assert!(size_of::<Array>() <= 24);

impl Default for ArrayRepr {
    fn default() -> ArrayRepr {
        ArrayRepr::Plain(Vec::new())
    }
}

impl Array {
    /// Creates an empty Array.
    #[must_use]
    pub const fn new() -> Array {
        Array(ArrayRepr::Plain(Vec::new()))
    }

    /// Creates an empty Array with memory for `capacity` elements.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Array {
        Array(ArrayRepr::Plain(Vec::with_capacity(capacity)))
    }

    /// Returns the elements.
    #[must_use]
    pub fn into_vec(self) -> Vec<Variant> {
        match self.0 {
            ArrayRepr::Plain(items) => items,
            ArrayRepr::Odd(odd) => odd.items,
        }
    }

    /// Returns `true` for an untyped `Array` that is not shared.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.0, ArrayRepr::Plain(_))
    }

    /// Returns the element type that the header declares.
    #[must_use]
    pub fn element_type(&self) -> &OwnedElementType {
        match &self.0 {
            ArrayRepr::Plain(_) => &OwnedElementType::Untyped,
            ArrayRepr::Odd(odd) => &odd.element,
        }
    }

    /// Returns this Array with an element type. The elements are checked when they are written, not
    /// here.
    #[must_use]
    pub fn with_element_type(mut self, element: OwnedElementType) -> Array {
        if element != *self.element_type() {
            self.odd().element = element;
        }
        self
    }

    /// Returns the kind of the array. It is [`ArrayForm::Plain`] for every array outside
    /// Pandemonium.
    #[must_use]
    pub fn form(&self) -> ArrayForm {
        match &self.0 {
            ArrayRepr::Plain(_) => ArrayForm::Plain,
            ArrayRepr::Odd(odd) => odd.form,
        }
    }

    /// Returns this Array as another kind of array. Only Pandemonium has other kinds than
    /// [`ArrayForm::Plain`].
    #[must_use]
    pub fn with_form(mut self, form: ArrayForm) -> Array {
        if form != self.form() {
            self.odd().form = form;
        }
        self
    }

    /// Returns `true` if Godot 2 marked this Array as shared ([`docs/FORMAT.md` §4.1]).
    ///
    /// [`docs/FORMAT.md` §4.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#41-array
    #[must_use]
    pub fn is_shared(&self) -> bool {
        match &self.0 {
            ArrayRepr::Plain(_) => false,
            ArrayRepr::Odd(odd) => odd.shared,
        }
    }

    /// Returns this Array with or without the shared mark.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Array {
        if shared != self.is_shared() {
            self.odd().shared = shared;
        }
        self
    }

    fn odd(&mut self) -> &mut Odd {
        if let ArrayRepr::Plain(items) = &mut self.0 {
            let items = std::mem::take(items);
            self.0 = ArrayRepr::Odd(Box::new(Odd {
                items,
                ..Odd::default()
            }));
        }
        match &mut self.0 {
            ArrayRepr::Odd(odd) => odd,
            ArrayRepr::Plain(_) => unreachable!("it was made one above"),
        }
    }
}

impl Deref for Array {
    type Target = Vec<Variant>;

    #[inline]
    fn deref(&self) -> &Vec<Variant> {
        match &self.0 {
            ArrayRepr::Plain(items) => items,
            ArrayRepr::Odd(odd) => &odd.items,
        }
    }
}

impl DerefMut for Array {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<Variant> {
        match &mut self.0 {
            ArrayRepr::Plain(items) => items,
            ArrayRepr::Odd(odd) => &mut odd.items,
        }
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ArrayRepr::Plain(items) => items.fmt(f),
            ArrayRepr::Odd(odd) => f
                .debug_struct("Array")
                .field("items", &odd.items)
                .field("element", &odd.element)
                .field("form", &odd.form)
                .field("shared", &odd.shared)
                .finish(),
        }
    }
}

impl From<Vec<Variant>> for Array {
    fn from(items: Vec<Variant>) -> Array {
        Array(ArrayRepr::Plain(items))
    }
}

impl From<Array> for Vec<Variant> {
    fn from(array: Array) -> Vec<Variant> {
        array.into_vec()
    }
}

impl<V: Into<Variant>> FromIterator<V> for Array {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Array {
        Array(ArrayRepr::Plain(
            items.into_iter().map(Into::into).collect(),
        ))
    }
}

impl<V: Into<Variant>> Extend<V> for Array {
    fn extend<I: IntoIterator<Item = V>>(&mut self, items: I) {
        Vec::extend(self, items.into_iter().map(Into::into));
    }
}

impl IntoIterator for Array {
    type Item = Variant;
    type IntoIter = vec::IntoIter<Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Variant;
    type IntoIter = slice::Iter<'a, Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Array {
    type Item = &'a mut Variant;
    type IntoIter = slice::IterMut<'a, Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
