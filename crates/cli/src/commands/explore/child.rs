//! A child of a value or of a file: its name, its value, and the record that contains it.

use gdvar_view::{Found, PathTarget, StrRef, VariantRef};

use crate::diagnose::fault::Fault;

/// The bytes of one record.
#[derive(Clone, Copy)]
pub(crate) struct RecordBytes<'a> {
    pub(crate) bytes: &'a [u8],
    /// The offset of the record in the file.
    pub(crate) base: usize,
}

/// What distinguishes a child from its siblings.
#[derive(Clone, Copy)]
pub(crate) enum Name<'a> {
    /// The number of a record in its file.
    Record(u64),
    /// The number of an element in its array.
    Index(u64),
    /// The key of a pair, and the number of the pair in its Dictionary.
    Key(VariantRef<'a>, u64),
    Property(StrRef<'a>),
}

#[derive(Clone, Copy)]
pub(crate) enum Thing<'a> {
    Value(VariantRef<'a>),
    /// An element of a packed array, and the array itself.
    Part(PathTarget<'a>, VariantRef<'a>),
    /// The child cannot be read. If it is in a container, nothing after it can be read either.
    Broken(Fault),
}

/// A child of a value, or a record of the file.
#[derive(Clone, Copy)]
pub(crate) struct Child<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) thing: Thing<'a>,
    pub(crate) record: RecordBytes<'a>,
}

impl<'a> Child<'a> {
    pub(crate) fn value(&self) -> Option<VariantRef<'a>> {
        match self.thing {
            Thing::Value(value) => Some(value),
            Thing::Part(..) | Thing::Broken(_) => None,
        }
    }

    /// Returns the value or element, or `None` if it cannot be read.
    pub(crate) fn found(&self) -> Option<Found<'a>> {
        match self.thing {
            Thing::Value(value) => Some(Found::Value(value)),
            Thing::Part(part, _) => Some(Found::Part(part)),
            Thing::Broken(_) => None,
        }
    }

    /// Returns `true` if the child is a container with children.
    pub(crate) fn can_open(&self) -> bool {
        let Some(value) = self.value() else {
            return false;
        };
        let is_empty = { value.as_array().map(|array| array.is_empty()) }
            .or_else(|| value.as_dict().map(|dict| dict.is_empty()))
            .or_else(|| value.as_object().map(|object| object.is_empty()))
            .or_else(|| value.packed_len().map(|len| len == 0));
        is_empty == Some(false)
    }
}
