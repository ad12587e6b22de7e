//! Vectors and matrices written from components in wire layout give the same bytes as from their
//! types.
#![cfg(feature = "alloc")]

use gdvar_write::{
    Precision, Target, WriteErrorKind, Writer,
    wire::{
        Dialect, Kind,
        math::{
            Aabb, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Transform2D,
            Transform3D, Vector2, Vector3, Vector4,
        },
    },
};

fn targets() -> impl Iterator<Item = Target> {
    let dialects = Dialect::ALL.into_iter();
    dialects.flat_map(|dialect| {
        let precisions = [Precision::Single, Precision::Double, Precision::AsGiven];
        precisions.map(|precision| Target::from(dialect).with_precision(precision))
    })
}

/// Writes a value in both ways for every target. Returns how many targets accept it.
macro_rules! both_ways {
    ($($name:ident<$number:ty>: $n:literal, $method:ident, $kind:ident, $wide:literal;)*) => {[$({
        let numbers: [$number; $n] = core::array::from_fn(|n| (n as $number + 1 as $number) * (3 as $number));
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let value = $name::<$number>::from_components(numbers);
        let mut taken = 0;
        for target in targets() {
            let mut typed = Writer::new(Vec::new(), target);
            let typed = typed.$method(value).map(|()| typed.into_sink());
            let mut raw = Writer::new(Vec::new(), target);
            let raw = raw.math_le(Kind::$kind, $wide, &bytes).map(|()| raw.into_sink());
            assert_eq!(raw, typed, "{} {target:?}", Kind::$kind);
            taken += u32::from(raw.is_ok());
        }
        for len in [0, 4, bytes.len() - 4, bytes.len() + 4] {
            let mut long = bytes.clone();
            long.resize(len, 0);
            let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
            let error = writer.math_le(Kind::$kind, $wide, &long).unwrap_err();
            assert_eq!(error.kind(), &WriteErrorKind::NotAValue { len });
        }
        taken
    }),*]};
}

#[test]
fn components_are_what_typed_calls_write() {
    let taken = both_ways! {
        Vector2<f32>: 2, vector2, Vector2, false;
        Vector2<f64>: 2, vector2, Vector2, true;
        Vector3<f32>: 3, vector3, Vector3, false;
        Vector3<f64>: 3, vector3, Vector3, true;
        Vector4<f32>: 4, vector4, Vector4, false;
        Vector4<f64>: 4, vector4, Vector4, true;
        Rect2<f32>: 4, rect2, Rect2, false;
        Rect2<f64>: 4, rect2, Rect2, true;
        Plane<f32>: 4, plane, Plane, false;
        Plane<f64>: 4, plane, Plane, true;
        Quaternion<f32>: 4, quaternion, Quaternion, false;
        Quaternion<f64>: 4, quaternion, Quaternion, true;
        Aabb<f32>: 6, aabb, Aabb, false;
        Aabb<f64>: 6, aabb, Aabb, true;
        Transform2D<f32>: 6, transform2d, Transform2D, false;
        Transform2D<f64>: 6, transform2d, Transform2D, true;
        Basis<f32>: 9, basis, Basis, false;
        Basis<f64>: 9, basis, Basis, true;
        Transform3D<f32>: 12, transform3d, Transform3D, false;
        Transform3D<f64>: 12, transform3d, Transform3D, true;
        Projection<f32>: 16, projection, Projection, false;
        Projection<f64>: 16, projection, Projection, true;
        Vector2<i32>: 2, vector2i, Vector2i, false;
        Vector3<i32>: 3, vector3i, Vector3i, false;
        Vector4<i32>: 4, vector4i, Vector4i, false;
        Rect2<i32>: 4, rect2i, Rect2i, false;
        Color<f32>: 4, color, Color, false;
    };
    assert!(taken.iter().all(|taken| *taken >= 3), "{taken:?}");
}

#[test]
fn what_is_no_vector_has_no_components() {
    for &kind in Kind::ALL {
        for len in [0, 4, 8] {
            let is_math = matches!(kind, Kind::Vector2 | Kind::Vector2i) && len == 8;
            let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
            let done = writer.math_le(kind, false, &vec![0; len]);
            assert_eq!(done.is_ok(), is_math, "{kind}, {len} bytes");
            assert_eq!(writer.into_sink().is_empty(), !is_math);
        }
    }
}
