//! When two [`Variant`]s are equal: same kind, same bits.

use gdvar_view::{
    Real,
    math::{Components, Vector2, Vector3, Vector4},
};

use crate::Variant;

/// The bits of a component.
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

fn same<const N: usize, T>(a: &T, b: &T) -> bool
where
    T: Components<N> + Copy,
    T::Item: Bits,
{
    a.components().map(Bits::bits) == b.components().map(Bits::bits)
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
    /// Same kind and same bits in every number. Recursion as deep as the value.
    fn eq(&self, other: &Variant) -> bool {
        use Variant as V;
        macro_rules! reals {
            ($a:expr, $b:expr, $n:literal) => {
                match ($a, $b) {
                    (Real::Single(a), Real::Single(b)) => same::<$n, _>(a, b),
                    (Real::Double(a), Real::Double(b)) => same::<$n, _>(a, b),
                    _ => false,
                }
            };
        }
        macro_rules! vectors {
            ($a:expr, $b:expr, $vector:ident, $n:literal) => {
                match ($a, $b) {
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
            (V::Transform2D(a), V::Transform2D(b)) => reals!(&**a, &**b, 6),
            (V::Aabb(a), V::Aabb(b)) => reals!(&**a, &**b, 6),
            (V::Basis(a), V::Basis(b)) => reals!(&**a, &**b, 9),
            (V::Transform3D(a), V::Transform3D(b)) => reals!(&**a, &**b, 12),
            (V::Projection(a), V::Projection(b)) => reals!(&**a, &**b, 16),
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
