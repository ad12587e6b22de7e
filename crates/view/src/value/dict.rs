//! [`DictRef`]: a Dictionary, typed or not.

use gdvar_wire::Kind;

use crate::value::{
    children::{children, is_shared},
    element::{ElementType, UNTYPED, descriptors, element_type},
    variant::VariantRef,
};

impl<'a> VariantRef<'a> {
    /// Returns the value as a Dictionary, in O(1). `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_dict(self) -> Option<DictRef<'a>> {
        if self.kind() != Kind::Dictionary {
            return None;
        }
        let (count, first) = children(self)?;
        Some(DictRef::new(self, count, first))
    }
}

/// A Dictionary ([`docs/FORMAT.md` §4.2]). The pairs are in the order in which the game inserted them.
///
/// A look-up walks over all pairs, because the last of repeated keys counts. To read many fields of one
/// Dictionary, use a [`Record`](crate::Record).
///
/// ```
/// use gdvar_view::Document;
/// use gdvar_wire::Dialect;
///
/// // {"hp": 80}
/// let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let dict = Document::new(bytes, Dialect::GODOT_4).root()?.as_dict().unwrap();
/// assert_eq!(dict.get("hp")?.and_then(|hp| hp.as_i64()), Some(80));
/// assert!(dict.get("mp")?.is_none());
/// # Ok::<(), gdvar_view::Error>(())
/// ```
///
/// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
#[derive(Clone, Copy, Debug)]
pub struct DictRef<'a> {
    value: VariantRef<'a>,
    count: u32,
    /// The offset of the first child.
    first: usize,
}

impl<'a> DictRef<'a> {
    #[inline]
    pub(crate) const fn new(value: VariantRef<'a>, count: u32, first: usize) -> DictRef<'a> {
        DictRef {
            value,
            count,
            first,
        }
    }

    /// The Dictionary as a value.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// The offset of the first key.
    pub(crate) const fn first(self) -> usize {
        self.first
    }

    /// The number of pairs in the bytes, pairs with repeated keys included.
    #[doc(alias = "size")]
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Returns `true` if there are no pairs.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Returns the type that the Dictionary declares for its keys, in O(1).
    #[doc(alias = "get_typed_key_builtin")]
    #[must_use]
    pub fn key_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// Returns the type that the Dictionary declares for its values, in O(1).
    #[doc(alias = "get_typed_value_builtin")]
    #[must_use]
    pub fn value_type(self) -> ElementType<'a> {
        let (_, second) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, second)
    }

    /// Returns `true` if Godot 2 wrote the Dictionary as shared ([`docs/FORMAT.md` §4.2]).
    ///
    /// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }
}
