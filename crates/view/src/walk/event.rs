//! [`Event`] and [`Role`]: what a walk reports about a value.

use crate::value::{string::StrRef, variant::VariantRef};

/// One step of a walk by [`Events`](crate::Events).
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A value without children: scalars, text, math types, packed arrays, ids, null objects.
    Value(VariantRef<'a>),
    /// An Array, Dictionary, typed array or whole object. Its children follow, then
    /// [`Event::End`]. The children of a Dictionary are keys and values in turn.
    Begin(VariantRef<'a>),
    /// The name of a property. Its value follows.
    Property(StrRef<'a>),
    /// The end of the container opened last.
    End,
}

/// The place of a value in its container, from [`Events::role`](crate::Events::role). It distinguishes keys from the
/// values after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The outermost value.
    Root,
    /// An element of an array.
    Element,
    /// A key of a Dictionary.
    Key,
    /// The value of the key before it.
    Value,
    /// The value of the property named before it.
    Property,
}
