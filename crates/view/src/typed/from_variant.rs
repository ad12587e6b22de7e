//! Rust types that a value can be asked for.

use gdvar_wire::{
    Dialect, Element, F32, F64, I32, I64, Kind,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
    widen,
};
use zerocopy::FromBytes;

use crate::{
    bytes::{plain, text},
    options::ReadOptions,
    value::{
        array::ArrayRef,
        dict::DictRef,
        node_path::NodePathRef,
        object::ObjectRef,
        packed::{PackedRef, PackedStrings},
        string::StrRef,
        variant::VariantRef,
    },
};

/// A type that one kind of value turns into: the type parameter of
/// [`Document::get_as`](crate::Document::get_as).
///
/// Nothing is converted between kinds: an `int` is no `f64`. Math types of reals take either width.
pub trait FromVariant<'a>: Sized {
    /// The value as this type, `None` if it is of another kind.
    fn from_variant(value: VariantRef<'a>) -> Option<Self>;

    /// Whether [`expect`](FromVariant::expect) knows what most values of this type are.
    #[doc(hidden)]
    const EXPECTS: bool = false;

    /// The header that most values of this type have, if it is one and the same.
    #[doc(hidden)]
    #[inline(always)]
    fn header(dialect: Dialect) -> Option<u32> {
        let _ = dialect;
        None
    }

    /// The same as [`expect`](FromVariant::expect) for a value that has [`FromVariant::header`].
    #[doc(hidden)]
    #[inline(always)]
    fn headed(value: &'a [u8], place: Spot) -> Option<(Self, &'a [u8])> {
        let _ = (value, place);
        None
    }

    /// The value that `value`, the end of the buffer, begins with, as this type, and what is behind
    /// it, if its header, which was looked at, is one that this type expects. `None` says nothing: for
    /// records.
    #[doc(hidden)]
    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], place: Spot) -> Option<(Self, &'a [u8])> {
        if header != Self::header(place.options.get_dialect())? {
            return None;
        }
        Self::headed(value, place)
    }
}

macro_rules! from_variant {
    ($($ty:ty = $method:ident;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                value.$method()
            }
        }
    )*};
}

from_variant! {
    &'a [u8] = as_bytes;
    NodePathRef<'a> = as_node_path;
    ArrayRef<'a> = as_array;
    DictRef<'a> = as_dict;
    ObjectRef<'a> = as_object;
    Vector2<f32> = as_vector2;
    Vector2<f64> = as_vector2_f64;
    Vector2<i32> = as_vector2i;
    Vector3<f64> = as_vector3_f64;
    Vector3<i32> = as_vector3i;
    Vector4<f32> = as_vector4;
    Vector4<f64> = as_vector4_f64;
    Vector4<i32> = as_vector4i;
    Rect2<f32> = as_rect2;
    Rect2<f64> = as_rect2_f64;
    Rect2<i32> = as_rect2i;
    Transform2D<f32> = as_transform2d;
    Transform2D<f64> = as_transform2d_f64;
    Plane<f32> = as_plane;
    Plane<f64> = as_plane_f64;
    Quaternion<f32> = as_quaternion;
    Quaternion<f64> = as_quaternion_f64;
    Aabb<f32> = as_aabb;
    Aabb<f64> = as_aabb_f64;
    Basis<f32> = as_basis;
    Basis<f64> = as_basis_f64;
    Transform3D<f32> = as_transform3d;
    Transform3D<f64> = as_transform3d_f64;
    Projection<f32> = as_projection;
    Projection<f64> = as_projection_f64;
    Color<f32> = as_color;
    PackedRef<'a, I32> = as_i32s;
    PackedRef<'a, I64> = as_i64s;
    PackedRef<'a, F32> = as_f32s;
    PackedRef<'a, F64> = as_f64s;
    PackedRef<'a, Color<F32>> = as_colors;
    PackedStrings<'a> = as_strings;
}

impl<'a> FromVariant<'a> for VariantRef<'a> {
    fn from_variant(value: VariantRef<'a>) -> Option<Self> {
        Some(value)
    }
}

/// Where a value stands that is expected to be of some type, and how it is read.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub(crate) at: usize,
    pub(crate) depth: u16,
    pub(crate) options: ReadOptions,
}

/// The word behind the header of a value, and what is behind that. A load of its own: one for header
/// and word would have to wait in a register, or in memory, for the record to be complete.
#[inline(always)]
fn word(value: &[u8]) -> Option<(u32, &[u8])> {
    let (raw, behind) = value.split_first_chunk()?;
    Some((plain::words(raw).1, behind))
}

/// Most types that fields of records have are told by one comparison with their header.
macro_rules! headed {
    ($($(#[$doc:meta])* $ty:ty = $from:expr, $kind:ident, ($value:ident, $spot:ident) $headed:block)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            $(#[$doc])*
            #[inline]
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                $from(value)
            }

            const EXPECTS: bool = true;

            #[inline(always)]
            fn header(dialect: Dialect) -> Option<u32> {
                plain::header(Kind::$kind, dialect)
            }

            #[inline(always)]
            fn headed($value: &'a [u8], $spot: Spot) -> Option<(Self, &'a [u8])> {
                let _ = $spot;
                $headed
            }
        }
    )*};
}

headed! {
    bool = VariantRef::as_bool, Bool, (value, spot) {
        let (word, behind) = word(value)?;
        Some((word != 0, behind))
    }
    /// An `int` in the range of an `i32`.
    i32 = |value: VariantRef<'_>| i32::try_from(value.as_i64()?).ok(), Int, (value, spot) {
        let (word, behind) = word(value)?;
        Some((word as i32, behind))
    }
    Vector3<f32> = VariantRef::as_vector3, Vector3, (value, spot) {
        let (raw, behind) = <[F32; 3]>::read_from_prefix(value.get(4..)?).ok()?;
        Some((Vector3::from(raw.map(F32::get)), behind))
    }
}

/// Text: a String, or a StringName where the dialect has one.
macro_rules! texts {
    ($($ty:ty = $from:expr, ($value:ident, $len:ident, $spot:ident) $read:expr;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            #[inline]
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                $from(value)
            }

            const EXPECTS: bool = true;

            #[inline(always)]
            fn expect(header: u32, $value: &'a [u8], $spot: Spot) -> Option<(Self, &'a [u8])> {
                if !plain::Words::of($spot.options.get_dialect()).is_text(header) {
                    return None;
                }
                let ($len, _) = word($value)?;
                $read
            }
        }
    )*};
}

texts! {
    StrRef<'a> = VariantRef::as_text, (value, len, spot) {
        let size = plain::text_end(value, 8, len)?;
        let raw = value.get(8..8 + len as usize)?;
        Some((StrRef::new(raw, spot.at + 8, spot.options), value.get(size..)?))
    };
    &'a str = VariantRef::as_str, (value, len, spot) text::plain_str(value, len);
}

/// Numbers of both widths.
macro_rules! numbers {
    ($($ty:ty = $method:ident, $narrow:ident, $wide:ident, $from:expr;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            #[inline]
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                value.$method()
            }

            const EXPECTS: bool = true;

            #[inline(always)]
            fn expect(header: u32, value: &'a [u8], _: Spot) -> Option<(Self, &'a [u8])> {
                if header == plain::$wide {
                    let ([_, _, _, _, raw @ ..], behind) = value.split_first_chunk::<12>()?;
                    return Some((<$ty>::from_le_bytes(*raw), behind));
                }
                let (word, behind) = word(value)?;
                (header == plain::$narrow).then_some(($from(word), behind))
            }
        }
    )*};
}

numbers! {
    i64 = as_i64, INT, WIDE_INT, |word| i64::from(word as i32);
    f64 = as_f64, FLOAT, WIDE_FLOAT, |word| widen(f32::from_bits(word));
}

impl<'a, T: FromVariant<'a>> FromVariant<'a> for Option<T> {
    /// Null, which is `None`, or a value of that type.
    #[inline]
    fn from_variant(value: VariantRef<'a>) -> Option<Self> {
        if value.is_nil() {
            return Some(None);
        }
        T::from_variant(value).map(Some)
    }

    const EXPECTS: bool = T::EXPECTS;

    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], spot: Spot) -> Option<(Self, &'a [u8])> {
        if header == plain::NIL {
            return Some((None, value.get(4..)?));
        }
        let (found, behind) = T::expect(header, value, spot)?;
        Some((Some(found), behind))
    }
}

/// An Array of so many elements, each of its type.
macro_rules! tuples {
    ($($len:literal: $($ty:ident),+;)*) => {$(
        impl<'a, $($ty: FromVariant<'a>),+> FromVariant<'a> for ($($ty,)+) {
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                let array = value.as_array().filter(|array| array.len() == $len)?;
                let mut items = array.iter();
                Some(($($ty::from_variant(items.try_next().ok()??)?,)+))
            }

            const EXPECTS: bool = $($ty::EXPECTS)&&+;

            #[inline(always)]
            fn header(dialect: Dialect) -> Option<u32> {
                plain::header(Kind::Array, dialect).filter(|_| Self::EXPECTS)
            }

            #[inline(always)]
            fn headed(value: &'a [u8], spot: Spot) -> Option<(Self, &'a [u8])> {
                let ($len, mut rest) = word(value)? else {
                    return None;
                };
                let depth = spot.options.inside(spot.depth)?;
                let items = ($({
                    let item = Spot {
                        at: spot.at + (value.len() - rest.len()),
                        depth,
                        ..spot
                    };
                    // Most take eight bytes; those that do not are left to others near the end.
                    let (header, _) = plain::words(rest.first_chunk()?);
                    let (item, behind) = $ty::expect(header, rest, item)?;
                    rest = behind;
                    item
                },)+);
                Some((items, rest))
            }
        }
    )*};
}

tuples! {
    2: A, B;
    3: A, B, C;
    4: A, B, C, D;
}

/// A packed array as a native slice, where its address allows: see [`PackedRef::as_native`].
fn native<'a, T: Element>(packed: Option<PackedRef<'a, T>>) -> Option<&'a [T::Native]> {
    packed?.as_native()
}

macro_rules! native_slices {
    ($($ty:ty = $method:ident;)*) => {$(
        impl<'a> FromVariant<'a> for &'a [$ty] {
            /// `None` also where the address is not aligned; the view by [`PackedRef`] always
            /// exists.
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                native(value.$method())
            }
        }
    )*};
}

native_slices! {
    i32 = as_i32s;
    i64 = as_i64s;
    f32 = as_f32s;
    f64 = as_f64s;
}
