//! [`PackedRef`], [`PackedStrings`]: packed arrays, without a copy.

use core::{fmt, iter::FusedIterator, slice};

use gdvar_wire::{
    Element, F32, F64, I32, I64, Kind,
    math::{Color, Vector2, Vector3, Vector4},
};
use zerocopy::{FromBytes, IntoBytes};

use crate::{
    bytes::{
        head::{self, Padding},
        text,
    },
    error::Error,
    options::ReadOptions,
    value::{real::Real, string::StrRef, variant::VariantRef},
};

/// The elements of a packed array, borrowed from the buffer ([`docs/FORMAT.md` §3.4]).
///
/// The little-endian elements ([`PackedRef::as_le`], [`PackedRef::iter`]) can be read at every address and on
/// every host. A native slice ([`PackedRef::as_native`]) exists only on a little-endian host, and only if the
/// address happens to be aligned. A program therefore needs a fallback: [`PackedRef::to_native`] copies if it has to.
///
/// ```
/// use gdvar_view::Document;
/// use gdvar_wire::Dialect;
///
/// let bytes = [32, 0, 0, 0, 2, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64];
/// let root = Document::new(&bytes, Dialect::GODOT_4).root()?;
/// let floats = root.as_f32s().unwrap();
/// assert_eq!(floats.iter().sum::<f32>(), 3.0);
/// # Ok::<(), gdvar_view::Error>(())
/// ```
///
/// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
pub struct PackedRef<'a, T> {
    elements: &'a [T],
}

impl<T> Clone for PackedRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PackedRef<'_, T> {}

impl<'a, T: Element> PackedRef<'a, T> {
    /// The elements in `bytes`. An incomplete element at the end is dropped.
    pub(crate) fn new(bytes: &'a [u8]) -> PackedRef<'a, T> {
        let whole = bytes.len() - bytes.len() % size_of::<T>();
        let bytes = bytes.get(..whole).unwrap_or_default();
        let elements = <[T]>::ref_from_bytes(bytes).unwrap_or_default();
        PackedRef { elements }
    }

    /// Returns the elements as a slice of little-endian numbers, in O(1). This works at every address.
    #[must_use]
    pub const fn as_le(self) -> &'a [T] {
        self.elements
    }

    /// Returns the elements as a slice of the host's own type, in O(1) and without a copy.
    ///
    /// `None` if the address is not aligned for the type, or on a big-endian host. Elements of 8 bytes can
    /// be at odd multiples of 4 in any buffer ([`docs/FORMAT.md` §3], rule 3).
    ///
    /// [`docs/FORMAT.md` §3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#3-payload-layouts
    #[inline]
    #[must_use]
    pub fn as_native(self) -> Option<&'a [T::Native]> {
        if cfg!(target_endian = "big") {
            return None;
        }
        <[T::Native]>::ref_from_bytes(self.elements.as_bytes()).ok()
    }

    /// Returns the elements as a slice of another type, in O(1) and without a copy: `&[glam::Vec3]`,
    /// `&[[f32; 3]]`, or a struct of your own that is `Pod`. The bytes of an element are its components in the order of
    /// [`docs/FORMAT.md` §3.1]; that `P` has the same fields is not checked.
    ///
    /// `None` if the address is not aligned for `P`, on a big-endian host, or if the size of the array is
    /// not a multiple of the size of `P`.
    ///
    /// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Real};
    ///
    /// // PackedVector2Array([Vector2(1, 2)])
    /// let bytes = b"\x23\0\0\0\x01\0\0\0\0\0\x80\x3f\0\0\0\x40";
    /// let root = Document::new(bytes, Dialect::GODOT_4).root()?;
    /// let Some(Real::Single(points)) = root.as_vector2s() else { panic!() };
    /// if let Some(points) = points.as_pod::<[f32; 2]>() {
    ///     assert_eq!(points, [[1.0, 2.0]]);
    /// }
    /// # Ok::<(), gdvar_view::Error>(())
    /// ```
    #[cfg(feature = "bytemuck")]
    #[inline]
    #[must_use]
    pub fn as_pod<P: bytemuck::AnyBitPattern>(self) -> Option<&'a [P]> {
        if cfg!(target_endian = "big") {
            return None;
        }
        bytemuck::try_cast_slice(self.as_bytes()).ok()
    }

    /// The bytes of the elements, without the array's padding.
    #[inline]
    #[must_use]
    pub fn as_bytes(self) -> &'a [u8] {
        self.elements.as_bytes()
    }

    /// The number of elements. A vector is one element.
    #[must_use]
    pub const fn len(self) -> usize {
        self.elements.len()
    }

    /// Returns `true` if there are no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.elements.is_empty()
    }

    /// Returns element `index`, or `None` after the end, in O(1).
    #[must_use]
    pub fn get(self, index: usize) -> Option<T::Native> {
        self.elements.get(index).map(|element| element.get())
    }

    /// Iterates over the elements, converted to the host's own type.
    #[must_use]
    pub fn iter(self) -> PackedIter<'a, T> {
        PackedIter(self.elements.iter())
    }

    /// Copies the elements into `to`. Returns `None`, and copies nothing, if `to` has another length.
    #[must_use]
    pub fn copy_to(self, to: &mut [T::Native]) -> Option<()> {
        if to.len() != self.len() {
            return None;
        }
        for (to, from) in to.iter_mut().zip(self.elements) {
            *to = from.get();
        }
        Some(())
    }

    /// The elements as a slice of the host's own type: borrowed if [`PackedRef::as_native`] returns one,
    /// otherwise copied.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_native(self) -> alloc::borrow::Cow<'a, [T::Native]> {
        match self.as_native() {
            Some(native) => native.into(),
            None => self.iter().collect::<alloc::vec::Vec<_>>().into(),
        }
    }
}

impl<T: Element> fmt::Debug for PackedRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Element> PartialEq for PackedRef<'_, T> {
    /// Compares bits: a NaN equals itself, and 0.0 is not -0.0.
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<'a, T: Element> IntoIterator for PackedRef<'a, T> {
    type Item = T::Native;
    type IntoIter = PackedIter<'a, T>;

    fn into_iter(self) -> PackedIter<'a, T> {
        self.iter()
    }
}

/// Iterates over the elements of a [`PackedRef`]: made by [`PackedRef::iter`].
#[derive(Clone, Debug)]
pub struct PackedIter<'a, T>(slice::Iter<'a, T>);

impl<T: Element> Iterator for PackedIter<'_, T> {
    type Item = T::Native;

    #[inline]
    fn next(&mut self) -> Option<T::Native> {
        self.0.next().map(|element| element.get())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T: Element> DoubleEndedIterator for PackedIter<'_, T> {
    fn next_back(&mut self) -> Option<T::Native> {
        self.0.next_back().map(|element| element.get())
    }
}

impl<T: Element> ExactSizeIterator for PackedIter<'_, T> {}
impl<T: Element> FusedIterator for PackedIter<'_, T> {}

macro_rules! packed_vectors {
    ($($(#[$doc:meta])* $name:ident = $vector:ident;)*) => {$(
        $(#[$doc])*
        pub type $name<'a> = Real<PackedRef<'a, $vector<F32>>, PackedRef<'a, $vector<F64>>>;
    )*};
}
packed_vectors! {
    /// The elements of a PackedVector2Array, in the width that they have in the bytes.
    PackedVector2s = Vector2;
    /// The elements of a PackedVector3Array, in the width that they have in the bytes.
    PackedVector3s = Vector3;
    /// The elements of a PackedVector4Array, in the width that they have in the bytes.
    PackedVector4s = Vector4;
}

/// A packed array of any kind, except PackedStringArray, which has no elements of a fixed size
/// ([`PackedStrings`]). Not `#[non_exhaustive]`, for the same reason as [`Kind`]: a `_` arm would lose the
/// elements of a new kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Packed<'a> {
    /// The elements of a PackedByteArray, Godot 3's PoolByteArray.
    Bytes(&'a [u8]),
    /// The elements of a PackedInt32Array, Godot 3's PoolIntArray.
    Int32(PackedRef<'a, I32>),
    /// The elements of a PackedInt64Array: 64-bit ints.
    Int64(PackedRef<'a, I64>),
    /// The elements of a PackedFloat32Array, Godot 3's PoolRealArray.
    Float32(PackedRef<'a, F32>),
    /// The elements of a PackedFloat64Array: 64-bit floats.
    Float64(PackedRef<'a, F64>),
    /// The elements of a PackedVector2Array, Godot 3's PoolVector2Array.
    Vector2(PackedVector2s<'a>),
    /// The elements of a PoolVector2iArray of Pandemonium.
    Vector2i(PackedRef<'a, Vector2<I32>>),
    /// The elements of a PackedVector3Array, Godot 3's PoolVector3Array.
    Vector3(PackedVector3s<'a>),
    /// The elements of a PoolVector3iArray of Pandemonium.
    Vector3i(PackedRef<'a, Vector3<I32>>),
    /// The elements of a PackedVector4Array.
    Vector4(PackedVector4s<'a>),
    /// The elements of a PoolVector4iArray of Pandemonium.
    Vector4i(PackedRef<'a, Vector4<I32>>),
    /// The elements of a PackedColorArray, Godot 3's PoolColorArray.
    Color(PackedRef<'a, Color<F32>>),
}

/// The strings of a PackedStringArray ([`docs/FORMAT.md` §3.4]). They have no common size, so there is only
/// an iterator.
///
/// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
#[derive(Clone, Copy, Debug)]
pub struct PackedStrings<'a> {
    fields: StringFields<'a>,
}

impl<'a> PackedStrings<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize, count: u32, options: ReadOptions) -> Self {
        let fields = StringFields {
            bytes,
            at,
            left: count,
            options,
        };
        PackedStrings { fields }
    }

    /// The number of strings.
    #[must_use]
    pub const fn len(self) -> usize {
        self.fields.left as usize
    }

    /// Returns `true` if there are no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Iterates over the strings.
    #[must_use]
    pub const fn iter(self) -> PackedStringIter<'a> {
        PackedStringIter(self.fields)
    }
}

impl<'a> IntoIterator for PackedStrings<'a> {
    type Item = Result<StrRef<'a>, Error>;
    type IntoIter = PackedStringIter<'a>;

    fn into_iter(self) -> PackedStringIter<'a> {
        self.iter()
    }
}

/// Iterates over the strings of a [`PackedStrings`]. After an error it ends.
#[derive(Clone, Debug)]
pub struct PackedStringIter<'a>(StringFields<'a>);

impl<'a> PackedStringIter<'a> {
    /// The next string; `Ok(None)` at the end.
    ///
    /// # Errors
    /// Returns [`Truncated`](crate::ErrorKind::Truncated) or
    /// [`InvalidLength`](crate::ErrorKind::InvalidLength). In strict mode also returns errors of
    /// the text, its NUL and its padding.
    pub fn try_next(&mut self) -> Result<Option<StrRef<'a>>, Error> {
        let string = self.0.try_next(Padding::Value)?;
        if let (Some(string), true) = (string, self.0.options.is_strict()) {
            text::check_packed(string.raw(), string.offset(), self.0.options)
                .inspect_err(|_| self.0.left = 0)?;
        }
        Ok(string)
    }
}

impl<'a> Iterator for PackedStringIter<'a> {
    type Item = Result<StrRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }

    /// The lower bound is at most 1, because an error can end the iteration early.
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl FusedIterator for PackedStringIter<'_> {}

/// String fields, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringFields<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    pub(crate) left: u32,
    pub(crate) options: ReadOptions,
}

impl<'a> StringFields<'a> {
    /// The lower bound is 1 while any field is left, because a field or an error follows.
    pub(crate) fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left as usize;
        (left.min(1), Some(left))
    }

    pub(crate) fn try_next(&mut self, whose: Padding) -> Result<Option<StrRef<'a>>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        match head::string_field(self.bytes, self.at, self.options, whose) {
            Ok(field) => {
                self.left -= 1;
                self.at = field.end;
                let raw = field.raw(self.bytes);
                Ok(Some(StrRef::new(raw, field.start, self.options)))
            }
            Err(error) => {
                self.left = 0;
                Err(error)
            }
        }
    }
}

/// Packed arrays ([`docs/FORMAT.md` §3.4]). All methods are O(1), and `None` for other kinds.
///
/// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
impl<'a> VariantRef<'a> {
    /// The elements of a packed array of any kind. `None` for a PackedStringArray:
    /// [`VariantRef::as_strings`] gives its elements.
    #[inline]
    #[must_use]
    pub fn as_packed(self) -> Option<Packed<'a>> {
        Some(match self.kind() {
            Kind::PackedByteArray => Packed::Bytes(self.as_bytes()?),
            Kind::PackedInt32Array => Packed::Int32(self.as_i32s()?),
            Kind::PackedInt64Array => Packed::Int64(self.as_i64s()?),
            Kind::PackedFloat32Array => Packed::Float32(self.as_f32s()?),
            Kind::PackedFloat64Array => Packed::Float64(self.as_f64s()?),
            Kind::PackedVector2Array => Packed::Vector2(self.as_vector2s()?),
            Kind::PackedVector2iArray => Packed::Vector2i(self.as_vector2is()?),
            Kind::PackedVector3Array => Packed::Vector3(self.as_vector3s()?),
            Kind::PackedVector3iArray => Packed::Vector3i(self.as_vector3is()?),
            Kind::PackedVector4Array => Packed::Vector4(self.as_vector4s()?),
            Kind::PackedVector4iArray => Packed::Vector4i(self.as_vector4is()?),
            Kind::PackedColorArray => Packed::Color(self.as_colors()?),
            Kind::Nil
            | Kind::Bool
            | Kind::Int
            | Kind::Float
            | Kind::String
            | Kind::Vector2
            | Kind::Vector2i
            | Kind::Rect2
            | Kind::Rect2i
            | Kind::Vector3
            | Kind::Vector3i
            | Kind::Transform2D
            | Kind::Vector4
            | Kind::Vector4i
            | Kind::Plane
            | Kind::Quaternion
            | Kind::Aabb
            | Kind::Basis
            | Kind::Transform3D
            | Kind::Projection
            | Kind::Color
            | Kind::Image
            | Kind::StringName
            | Kind::NodePath
            | Kind::Rid
            | Kind::Object
            | Kind::InputEvent
            | Kind::Callable
            | Kind::Signal
            | Kind::Dictionary
            | Kind::Array
            | Kind::TypedArray
            | Kind::PackedTypedArray
            | Kind::PackedStringArray => return None,
        })
    }

    /// The number of elements of a packed array, PackedStringArray included.
    #[inline]
    #[must_use]
    pub fn packed_len(self) -> Option<usize> {
        if self.kind().is_packed() {
            Some(self.head()?.count as usize)
        } else {
            None
        }
    }

    /// The elements of a `PackedByteArray`, which are the bytes themselves.
    #[inline]
    #[must_use]
    pub fn as_bytes(self) -> Option<&'a [u8]> {
        let head = self.head_of(Kind::PackedByteArray)?;
        self.bytes().get(head.body..head.body + head.count as usize)
    }

    #[inline]
    fn packed<T: Element>(self, kind: Kind) -> Option<PackedRef<'a, T>> {
        let head = self.head_of(kind)?;
        Some(PackedRef::new(self.bytes().get(head.body..head.next)?))
    }

    #[inline]
    fn packed_reals<S: Element, D: Element>(
        self,
        kind: Kind,
    ) -> Option<Real<PackedRef<'a, S>, PackedRef<'a, D>>> {
        let head = self.head_of(kind)?;
        let raw = self.bytes().get(head.body..head.next)?;
        Some(if head.wide {
            Real::Double(PackedRef::new(raw))
        } else {
            Real::Single(PackedRef::new(raw))
        })
    }

    /// The elements of a `PackedInt32Array`, Godot 3's `PoolIntArray`.
    #[inline]
    #[must_use]
    pub fn as_i32s(self) -> Option<PackedRef<'a, I32>> {
        self.packed(Kind::PackedInt32Array)
    }

    /// The elements of a `PackedInt64Array`: 64-bit ints.
    #[inline]
    #[must_use]
    pub fn as_i64s(self) -> Option<PackedRef<'a, I64>> {
        self.packed(Kind::PackedInt64Array)
    }

    /// The elements of a `PackedFloat32Array`, Godot 3's `PoolRealArray`.
    #[inline]
    #[must_use]
    pub fn as_f32s(self) -> Option<PackedRef<'a, F32>> {
        self.packed(Kind::PackedFloat32Array)
    }

    /// The elements of a `PackedFloat64Array`: 64-bit floats.
    #[inline]
    #[must_use]
    pub fn as_f64s(self) -> Option<PackedRef<'a, F64>> {
        self.packed(Kind::PackedFloat64Array)
    }

    /// The elements of a `PackedVector2Array`, in the width that they have in the bytes.
    #[inline]
    #[must_use]
    pub fn as_vector2s(self) -> Option<PackedVector2s<'a>> {
        self.packed_reals(Kind::PackedVector2Array)
    }

    /// The elements of a `PackedVector3Array`, in the width that they have in the bytes.
    #[inline]
    #[must_use]
    pub fn as_vector3s(self) -> Option<PackedVector3s<'a>> {
        self.packed_reals(Kind::PackedVector3Array)
    }

    /// The elements of a `PackedVector4Array`, in the width that they have in the bytes.
    #[inline]
    #[must_use]
    pub fn as_vector4s(self) -> Option<PackedVector4s<'a>> {
        self.packed_reals(Kind::PackedVector4Array)
    }

    /// The elements of a `PoolVector2iArray` of Pandemonium.
    #[inline]
    #[must_use]
    pub fn as_vector2is(self) -> Option<PackedRef<'a, Vector2<I32>>> {
        self.packed(Kind::PackedVector2iArray)
    }

    /// The elements of a `PoolVector3iArray` of Pandemonium.
    #[inline]
    #[must_use]
    pub fn as_vector3is(self) -> Option<PackedRef<'a, Vector3<I32>>> {
        self.packed(Kind::PackedVector3iArray)
    }

    /// The elements of a `PoolVector4iArray` of Pandemonium.
    #[inline]
    #[must_use]
    pub fn as_vector4is(self) -> Option<PackedRef<'a, Vector4<I32>>> {
        self.packed(Kind::PackedVector4iArray)
    }

    /// The elements of a `PackedColorArray`, Godot 3's `PoolColorArray`.
    #[inline]
    #[must_use]
    pub fn as_colors(self) -> Option<PackedRef<'a, Color<F32>>> {
        self.packed(Kind::PackedColorArray)
    }

    /// The elements of a `PackedStringArray`, Godot 3's `PoolStringArray`.
    #[inline]
    #[must_use]
    pub fn as_strings(self) -> Option<PackedStrings<'a>> {
        let head = self.head_of(Kind::PackedStringArray)?;
        Some(PackedStrings::new(
            self.bytes(),
            head.body,
            head.count,
            self.options(),
        ))
    }
}
