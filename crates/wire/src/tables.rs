//! The types of each dialect in the order of their numbers (`docs/FORMAT.md` §1.1).

use crate::Kind::{
    self, Aabb, Array, Basis, Bool, Callable, Color, Dictionary, Float, Image, InputEvent, Int,
    Nil, NodePath, Object, PackedByteArray, PackedColorArray, PackedFloat32Array,
    PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray, PackedTypedArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedVector4Array, PackedVector4iArray, Plane, Projection, Quaternion, Rect2, Rect2i, Rid,
    Signal, String, StringName, Transform2D, Transform3D, TypedArray, Vector2, Vector2i, Vector3,
    Vector3i, Vector4, Vector4i,
};

#[rustfmt::skip]
pub(crate) const GODOT_4: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Vector4, Vector4i,
    Plane, Quaternion, Aabb, Basis, Transform3D, Projection, Color,
    StringName, NodePath, Rid, Object, Callable, Signal, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedInt64Array, PackedFloat32Array, PackedFloat64Array,
    PackedStringArray, PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array,
];

#[rustfmt::skip]
pub(crate) const GODOT_3: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D, Color,
    NodePath, Rid, Object, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray,
];

#[rustfmt::skip]
pub(crate) const GODOT_2: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D, Color,
    Image, NodePath, Rid, Object, InputEvent, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedColorArray,
];

#[rustfmt::skip]
pub(crate) const GODOT_4_DOCS: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, Aabb, Basis, Transform3D, Color,
    NodePath, Rid, Object, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedInt64Array, PackedFloat32Array, PackedFloat64Array,
    PackedStringArray, PackedVector2Array, PackedVector3Array, PackedColorArray,
];

#[rustfmt::skip]
pub(crate) const PANDEMONIUM_3: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D,
    Plane, Quaternion, Aabb, Basis, Transform3D, Color,
    NodePath, Rid, Object, StringName, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedColorArray,
];

#[rustfmt::skip]
pub(crate) const PANDEMONIUM_4: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    Plane, Quaternion, Aabb, Basis, Transform3D, Transform2D, Projection, Color,
    NodePath, Rid, Object, StringName, Dictionary, Array,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedVector4Array, PackedVector4iArray, PackedColorArray,
];

#[rustfmt::skip]
pub(crate) const PANDEMONIUM_5: &[Kind] = &[
    Nil, Bool, Int, Float, String,
    Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    Plane, Quaternion, Aabb, Basis, Transform3D, Transform2D, Projection, Color,
    NodePath, Rid, Object, StringName, Dictionary, Array, TypedArray, PackedTypedArray,
    PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray,
    PackedVector4Array, PackedVector4iArray, PackedColorArray,
];
