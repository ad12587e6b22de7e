//! [`ArrayRef`]: an Array, typed or not.

use gdvar_wire::Kind;

use crate::value::{
    children::{children, is_shared},
    element::{ElementType, UNTYPED, descriptors, element_type},
    variant::VariantRef,
};

impl<'a> VariantRef<'a> {
    /// Returns the value as an Array, typed or not, or as a typed array of Pandemonium 5, in O(1). `None` for
    /// other kinds, packed arrays among them.
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

/// An Array, or a typed array of Pandemonium 5 ([`docs/FORMAT.md` §4.1]).
///
/// The bytes have the number of elements, but not where the next element starts. So moving past an
/// element that is a container walks over its contents, and `get(n)` walks over `n` elements.
///
/// A recursive loop over nested containers walks over each value once per level, unless it gives each inner
/// iterator to [`pass`](crate::ArrayIter::pass) of the outer one. [`Events`](crate::Events) walk over
/// everything in linear time.
///
/// ```
/// use gdvar_view::{Dialect, Document};
///
/// // [7, 8]
/// let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x07\0\0\0\x02\0\0\0\x08\0\0\0";
/// let array = Document::new(bytes, Dialect::GODOT_4).root()?.as_array().unwrap();
/// assert_eq!(array.len(), 2);
/// let mut sum = 0;
/// for element in array.iter() {
///     sum += element?.as_i64().unwrap_or(0);
/// }
/// assert_eq!(sum, 15);
/// # Ok::<(), gdvar_view::Error>(())
/// ```
///
/// [`docs/FORMAT.md` §4.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#41-array
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

    /// Returns the handle of the whole value: its kind, its raw bytes, its offset.
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

    /// Returns `true` if there are no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Returns the type that the array declares for its elements, in O(1).
    #[doc(alias = "get_typed_builtin")]
    #[must_use]
    pub fn element_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// Returns `true` if Godot 2 wrote the array as shared ([`docs/FORMAT.md` §4.2]).
    ///
    /// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }
}
