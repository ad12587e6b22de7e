//! Array, typed or not: a count and values.

use gdvar_wire::Kind;

use crate::value::{
    children::{children, is_shared},
    element::{ElementType, UNTYPED, descriptors, element_type},
    variant::VariantRef,
};

impl<'a> VariantRef<'a> {
    /// An `Array`, or a typed array of Pandemonium 5.
    #[inline]
    #[must_use]
    pub fn as_array(self) -> Option<ArrayRef<'a>> {
        let (count, first) = match self.kind() {
            Kind::Array => children(self)?,
            Kind::TypedArray | Kind::PackedTypedArray => {
                let head = self.head()?;
                (head.count, head.next)
            }
            _ => return None,
        };
        Some(ArrayRef::new(self, count, first))
    }
}

/// An Array, or a typed array of Pandemonium 5 (`docs/FORMAT.md` §4.1).
///
/// Containers carry a count but no length in bytes, so passing a child walks over it. A recursive
/// walk over nested arrays passes each subtree once more per level, unless it gives the inner walk
/// to the outer one's [`pass`](crate::ArrayIter::pass); [`Events`](crate::Events) walk all of a
/// value in linear time.
#[derive(Clone, Copy, Debug)]
pub struct ArrayRef<'a> {
    value: VariantRef<'a>,
    count: u32,
    /// The offset of the first child.
    first: usize,
}

impl<'a> ArrayRef<'a> {
    #[inline]
    pub(crate) const fn new(value: VariantRef<'a>, count: u32, first: usize) -> ArrayRef<'a> {
        ArrayRef {
            value,
            count,
            first,
        }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// The offset of the first element.
    pub(crate) const fn first(self) -> usize {
        self.first
    }

    /// The number of elements.
    #[doc(alias = "size")]
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The type that it names for its elements.
    #[doc(alias = "get_typed_builtin")]
    #[must_use]
    pub fn element_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// True if Godot 2 wrote it as shared (`docs/FORMAT.md` §4.2).
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }
}
