//! Equality of [`Variant`]s (same kind, same bits), and of Variants with Rust values.

use std::hash::{Hash, Hasher};

use gdvar_view::{
    Real,
    math::{Components, Vector2, Vector3, Vector4},
};

use crate::{Variant, text::Text};

/// The bits of a component, zero-extended to 64.
trait Bits: Copy {
    fn bits(self) -> u64;
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

fn bits<const N: usize, T>(value: &T) -> [u64; N]
where
    T: Components<N> + Copy,
    T::Item: Bits,
{
    value.components().map(Bits::bits)
}

fn same<const N: usize, T>(a: &T, b: &T) -> bool
where
    T: Components<N> + Copy,
    T::Item: Bits,
{
    bits(a) == bits(b)
}

fn all_same<const N: usize, T>(a: &[T], b: &[T]) -> bool
where
    T: Components<N> + Copy,
    T::Item: Bits,
{
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn numbers_same<T: Bits>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.bits() == b.bits())
}

impl PartialEq for Variant {
    /// Equal if the kinds, the contents and the bits of all numbers are equal. Recurses as deep as
    /// the value.
    fn eq(&self, other: &Variant) -> bool {
        use Variant as V;
        macro_rules! reals {
            ($a:expr, $b:expr, $n:literal) => {{
                let (a, b): (&Real<_, _>, &Real<_, _>) = ($a, $b);
                match (a, b) {
                    (Real::Single(a), Real::Single(b)) => bits::<$n, _>(a) == bits::<$n, _>(b),
                    (Real::Double(a), Real::Double(b)) => {
                        a.components().map(Bits::bits) == b.components().map(Bits::bits)
                    }
                    _ => false,
                }
            }};
        }
        macro_rules! vectors {
            ($a:expr, $b:expr, $vector:ident, $n:literal) => {
                match (&**$a, &**$b) {
                    (Real::Single(a), Real::Single(b)) => all_same::<$n, $vector<f32>>(a, b),
                    (Real::Double(a), Real::Double(b)) => all_same::<$n, $vector<f64>>(a, b),
                    _ => false,
                }
            };
        }
        match (self, other) {
            (V::Nil, V::Nil) | (V::Callable, V::Callable) => true,
            (V::Bool(a), V::Bool(b)) => a == b,
            (V::Int(a), V::Int(b)) => a == b,
            (V::Float(a), V::Float(b)) => a.to_bits() == b.to_bits(),
            (V::String(a), V::String(b)) | (V::StringName(a), V::StringName(b)) => a == b,
            (V::Vector2(a), V::Vector2(b)) => reals!(a, b, 2),
            (V::Vector3(a), V::Vector3(b)) => reals!(a, b, 3),
            (V::Vector4(a), V::Vector4(b)) => reals!(a, b, 4),
            (V::Rect2(a), V::Rect2(b)) => reals!(a, b, 4),
            (V::Plane(a), V::Plane(b)) => reals!(a, b, 4),
            (V::Quaternion(a), V::Quaternion(b)) => reals!(a, b, 4),
            (V::Transform2D(a), V::Transform2D(b)) => reals!(a, b, 6),
            (V::Aabb(a), V::Aabb(b)) => reals!(a, b, 6),
            (V::Basis(a), V::Basis(b)) => reals!(a, b, 9),
            (V::Transform3D(a), V::Transform3D(b)) => reals!(a, b, 12),
            (V::Projection(a), V::Projection(b)) => reals!(a, b, 16),
            (V::Color(a), V::Color(b)) => same(a, b),
            (V::Vector2i(a), V::Vector2i(b)) => a == b,
            (V::Vector3i(a), V::Vector3i(b)) => a == b,
            (V::Vector4i(a), V::Vector4i(b)) => a == b,
            (V::Rect2i(a), V::Rect2i(b)) => a == b,
            (V::Image(a), V::Image(b)) => a == b,
            (V::InputEvent(a), V::InputEvent(b)) => a == b,
            (V::NodePath(a), V::NodePath(b)) => a == b,
            (V::Rid(a), V::Rid(b)) => a == b,
            (V::Object(a), V::Object(b)) => a == b,
            (V::Signal(a), V::Signal(b)) => a == b,
            (V::Dictionary(a), V::Dictionary(b)) => a == b,
            (V::Array(a), V::Array(b)) => a == b,
            (V::PackedByteArray(a), V::PackedByteArray(b)) => a == b,
            (V::PackedInt32Array(a), V::PackedInt32Array(b)) => a == b,
            (V::PackedInt64Array(a), V::PackedInt64Array(b)) => a == b,
            (V::PackedFloat32Array(a), V::PackedFloat32Array(b)) => numbers_same(a, b),
            (V::PackedFloat64Array(a), V::PackedFloat64Array(b)) => numbers_same(a, b),
            (V::PackedStringArray(a), V::PackedStringArray(b)) => a == b,
            (V::PackedVector2Array(a), V::PackedVector2Array(b)) => vectors!(a, b, Vector2, 2),
            (V::PackedVector3Array(a), V::PackedVector3Array(b)) => vectors!(a, b, Vector3, 3),
            (V::PackedVector4Array(a), V::PackedVector4Array(b)) => vectors!(a, b, Vector4, 4),
            (V::PackedVector2iArray(a), V::PackedVector2iArray(b)) => a == b,
            (V::PackedVector3iArray(a), V::PackedVector3iArray(b)) => a == b,
            (V::PackedVector4iArray(a), V::PackedVector4iArray(b)) => a == b,
            (V::PackedColorArray(a), V::PackedColorArray(b)) => all_same(a, b),
            _ => false,
        }
    }
}

impl Eq for Variant {}

impl Hash for Variant {
    /// Hashes the bits that equality compares. Recurses as deep as the value. A large Dictionary's
    /// table of keys is not hashed, so a map may have `Variant` keys despite clippy's
    /// `mutable_key_type`.
    fn hash<H: Hasher>(&self, state: &mut H) {
        use Variant as V;
        macro_rules! reals {
            ($value:expr, $n:literal) => {{
                let value: &Real<_, _> = $value;
                match value {
                    Real::Single(value) => bits::<$n, _>(value).hash(state),
                    Real::Double(value) => {
                        let all: [_; $n] = value.components();
                        all.map(Bits::bits).hash(state);
                    }
                }
            }};
        }
        macro_rules! vectors {
            ($all:expr, $vector:ident, $n:literal) => {
                match &**$all {
                    Real::Single(all) => {
                        all.iter()
                            .for_each(|v: &$vector<f32>| bits::<$n, _>(v).hash(state));
                    }
                    Real::Double(all) => {
                        all.iter()
                            .for_each(|v: &$vector<f64>| bits::<$n, _>(v).hash(state));
                    }
                }
            };
        }
        std::mem::discriminant(self).hash(state);
        match self {
            V::Nil | V::Callable => {}
            V::Bool(value) => value.hash(state),
            V::Int(value) => value.hash(state),
            V::Float(value) => value.to_bits().hash(state),
            V::String(text) | V::StringName(text) => text.hash(state),
            V::Vector2(value) => reals!(value, 2),
            V::Vector3(value) => reals!(value, 3),
            V::Vector4(value) => reals!(value, 4),
            V::Rect2(value) => reals!(value, 4),
            V::Plane(value) => reals!(value, 4),
            V::Quaternion(value) => reals!(value, 4),
            V::Transform2D(value) => reals!(value, 6),
            V::Aabb(value) => reals!(value, 6),
            V::Basis(value) => reals!(value, 9),
            V::Transform3D(value) => reals!(value, 12),
            V::Projection(value) => reals!(value, 16),
            V::Color(value) => bits::<4, _>(value).hash(state),
            V::Vector2i(value) => value.hash(state),
            V::Vector3i(value) => value.hash(state),
            V::Vector4i(value) => value.hash(state),
            V::Rect2i(value) => value.hash(state),
            V::Image(value) => value.hash(state),
            V::InputEvent(value) => value.hash(state),
            V::NodePath(value) => value.hash(state),
            V::Rid(value) => value.hash(state),
            V::Object(value) => value.hash(state),
            V::Signal(value) => value.hash(state),
            V::Dictionary(value) => value.hash(state),
            V::Array(value) => value.hash(state),
            V::PackedByteArray(all) => all.hash(state),
            V::PackedInt32Array(all) => all.hash(state),
            V::PackedInt64Array(all) => all.hash(state),
            V::PackedFloat32Array(all) => all.iter().for_each(|f| f.bits().hash(state)),
            V::PackedFloat64Array(all) => all.iter().for_each(|f| f.bits().hash(state)),
            V::PackedStringArray(all) => all.hash(state),
            V::PackedVector2Array(all) => vectors!(all, Vector2, 2),
            V::PackedVector3Array(all) => vectors!(all, Vector3, 3),
            V::PackedVector4Array(all) => vectors!(all, Vector4, 4),
            V::PackedVector2iArray(all) => all.hash(state),
            V::PackedVector3iArray(all) => all.hash(state),
            V::PackedVector4iArray(all) => all.hash(state),
            V::PackedColorArray(all) => {
                all.iter().for_each(|color| bits::<4, _>(color).hash(state));
            }
        }
    }
}

macro_rules! literals {
    ($($ty:ty => |$value:ident, $other:ident| $equal:expr;)*) => {$(
        impl PartialEq<$ty> for Variant {
            fn eq(&self, $other: &$ty) -> bool {
                let $value = self;
                $equal
            }
        }

        impl PartialEq<Variant> for $ty {
            fn eq(&self, other: &Variant) -> bool {
                *other == *self
            }
        }
    )*};
}

macro_rules! ints {
    ($($int:ty)*) => {
        literals! {$(
            $int => |value, other| {
                value.as_i64().is_some_and(|int| i128::from(int) == *other as i128)
            };
        )*}
    };
}

// Compares as Rust does: a text equals a String or a StringName, a number only a value of its own
// kind.
literals! {
    bool => |value, other| value.as_bool() == Some(*other);
    f32 => |value, other| value.as_f64() == Some(f64::from(*other));
    f64 => |value, other| value.as_f64() == Some(*other);
    &str => |value, other| value.as_str() == Some(other);
    String => |value, other| value.as_str() == Some(other);
    Text => |value, other| match value {
        Variant::String(text) | Variant::StringName(text) => text == other,
        _ => false,
    };
}
ints! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl PartialEq<str> for Variant {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<Variant> for str {
    fn eq(&self, other: &Variant) -> bool {
        *other == *self
    }
}

macro_rules! borrowed {
    ($($ty:ty)*) => {$(
        impl PartialEq<$ty> for &Variant {
            fn eq(&self, other: &$ty) -> bool {
                **self == *other
            }
        }
    )*};
}
borrowed! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 String str }
