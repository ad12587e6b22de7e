//! Getters: the Rust values in a [`Variant`].

use gdvar_view::{
    Real,
    math::{
        Aabb, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Transform2D,
        Transform3D, Vector2, Vector3, Vector4,
    },
    widen,
};

use crate::{
    Array, Dictionary, Variant,
    text::Text,
    variant::{FullObject, NodePath, Object, Signal},
};

macro_rules! scalars {
    ($($(#[$doc:meta])* $get:ident, $get_mut:ident: $variant:ident($ty:ty);)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $get(&self) -> Option<$ty> {
            match self {
                Variant::$variant(value) => Some(*value),
                _ => None,
            }
        }

        $(#[$doc])*
        ///
        /// The reference is mutable.
        pub fn $get_mut(&mut self) -> Option<&mut $ty> {
            match self {
                Variant::$variant(value) => Some(value),
                _ => None,
            }
        }
    )*};
}

macro_rules! wholes {
    ($($(#[$doc:meta])* $get:ident, $get_mut:ident: $variant:ident => $ty:ty, $whole:ty;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $get(&self) -> Option<&$ty> {
            match self {
                Variant::$variant(value) => Some(value),
                _ => None,
            }
        }

        $(#[$doc])*
        ///
        /// The reference is mutable.
        pub fn $get_mut(&mut self) -> Option<&mut $whole> {
            match self {
                Variant::$variant(value) => Some(value),
                _ => None,
            }
        }
    )*};
}

macro_rules! reals {
    ($($get:ident, $get_f64:ident: $name:ident;)*) => {$(
        #[doc = concat!(
            "Returns a `", stringify!($name), "` of 32-bit reals. Reals of 64 bits are not rounded; use [`Self::",
            stringify!($get_f64), "`] for them."
        )]
        #[must_use]
        pub fn $get(&self) -> Option<$name<f32>> {
            match self {
                Variant::$name(value) => {
                    let value: &Real<_, _> = value;
                    match value {
                        Real::Single(value) => Some(*value),
                        Real::Double(_) => None,
                    }
                }
                _ => None,
            }
        }

        #[doc = concat!("Returns a `", stringify!($name), "` of either width, without rounding.")]
        #[must_use]
        pub fn $get_f64(&self) -> Option<$name<f64>> {
            match self {
                Variant::$name(value) => {
                    let value: &Real<_, _> = value;
                    Some(match value {
                        Real::Single(value) => value.components().map(widen).into(),
                        Real::Double(value) => value.components().into(),
                    })
                }
                _ => None,
            }
        }
    )*};
}

/// Getters. They return `None` for a value of another kind, and do not convert numbers: an Int is
/// not a Float.
impl Variant {
    scalars! {
        /// Returns the value of a `bool`, or `None` for any other kind.
        as_bool, as_bool_mut: Bool(bool);
        /// Returns the value of an `int`, or `None` for any other kind.
        as_i64, as_i64_mut: Int(i64);
        /// Returns the value of a `float`, or `None` for any other kind.
        as_f64, as_f64_mut: Float(f64);
        /// Returns the value of a `Vector2i`, or `None` for any other kind.
        as_vector2i, as_vector2i_mut: Vector2i(Vector2<i32>);
        /// Returns the value of a `Vector3i`, or `None` for any other kind.
        as_vector3i, as_vector3i_mut: Vector3i(Vector3<i32>);
        /// Returns the value of a `Vector4i`, or `None` for any other kind.
        as_vector4i, as_vector4i_mut: Vector4i(Vector4<i32>);
        /// Returns the value of a `Rect2i`, or `None` for any other kind.
        as_rect2i, as_rect2i_mut: Rect2i(Rect2<i32>);
        /// Returns the value of a `Color`, or `None` for any other kind.
        as_color, as_color_mut: Color(Color<f32>);
        /// Returns the value of a `RID`, or `None` for any other kind.
        as_rid, as_rid_mut: Rid(u64);
    }

    wholes! {
        /// Returns the value of an `Array`, or `None` for any other kind.
        as_array, as_array_mut: Array => Array, Array;
        /// Returns the value of a `Dictionary`, or `None` for any other kind.
        as_dict, as_dict_mut: Dictionary => Dictionary, Dictionary;
        /// Returns the value of a `NodePath`, or `None` for any other kind.
        as_node_path, as_node_path_mut: NodePath => NodePath, NodePath;
        /// Returns the value of a `Signal`, or `None` for any other kind.
        as_signal, as_signal_mut: Signal => Signal, Signal;
        /// Returns the bytes of a `PackedByteArray`, or `None` for any other kind.
        as_bytes, as_bytes_mut: PackedByteArray => [u8], Vec<u8>;
        /// Returns the elements of a `PackedInt32Array`, or `None` for any other kind.
        as_i32s, as_i32s_mut: PackedInt32Array => [i32], Vec<i32>;
        /// Returns the elements of a `PackedInt64Array`, or `None` for any other kind.
        as_i64s, as_i64s_mut: PackedInt64Array => [i64], Vec<i64>;
        /// Returns the elements of a `PackedFloat32Array`, or `None` for any other kind.
        as_f32s, as_f32s_mut: PackedFloat32Array => [f32], Vec<f32>;
        /// Returns the elements of a `PackedFloat64Array`, or `None` for any other kind.
        as_f64s, as_f64s_mut: PackedFloat64Array => [f64], Vec<f64>;
        /// Returns the elements of a `PackedStringArray`, or `None` for any other kind.
        as_strings, as_strings_mut: PackedStringArray => [Text], Vec<Text>;
        /// Returns the elements of a `PackedColorArray`, or `None` for any other kind.
        as_colors, as_colors_mut: PackedColorArray => [Color<f32>], Vec<Color<f32>>;
    }

    reals! {
        as_vector2, as_vector2_f64: Vector2;
        as_vector3, as_vector3_f64: Vector3;
        as_vector4, as_vector4_f64: Vector4;
        as_rect2, as_rect2_f64: Rect2;
        as_plane, as_plane_f64: Plane;
        as_quaternion, as_quaternion_f64: Quaternion;
        as_transform2d, as_transform2d_f64: Transform2D;
        as_aabb, as_aabb_f64: Aabb;
        as_basis, as_basis_f64: Basis;
        as_transform3d, as_transform3d_f64: Transform3D;
        as_projection, as_projection_f64: Projection;
    }

    /// Returns the elements of a `PackedVector2Array` of 32-bit reals.
    #[must_use]
    pub fn as_vector2s(&self) -> Option<&[Vector2<f32>]> {
        let Variant::PackedVector2Array(all) = self else {
            return None;
        };
        match &**all {
            Real::Single(all) => Some(all),
            Real::Double(_) => None,
        }
    }

    /// Returns the elements of a `PackedVector3Array` of 32-bit reals.
    #[must_use]
    pub fn as_vector3s(&self) -> Option<&[Vector3<f32>]> {
        let Variant::PackedVector3Array(all) = self else {
            return None;
        };
        match &**all {
            Real::Single(all) => Some(all),
            Real::Double(_) => None,
        }
    }

    /// Returns the text of a String or a StringName, if it is UTF-8.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Variant::String(text) | Variant::StringName(text) => text.as_str(),
            _ => None,
        }
    }

    /// Returns a mutable reference to the text of a String or a StringName. Assign another text to
    /// change it.
    pub fn as_text_mut(&mut self) -> Option<&mut Text> {
        match self {
            Variant::String(text) | Variant::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of an Int that is not negative. `None` for any other value.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        u64::try_from(self.as_i64()?).ok()
    }

    /// Returns an Int or a Float as a float. A large Int is rounded.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Variant::Int(int) => Some(*int as f64),
            Variant::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// Returns the object, if it is a whole `Object` and not null or an id.
    #[must_use]
    pub fn as_object(&self) -> Option<&FullObject> {
        match self {
            Variant::Object(Object::Full(object)) => Some(object),
            _ => None,
        }
    }

    /// Returns a mutable reference to the object, if it is a whole `Object` and not null or an id.
    pub fn as_object_mut(&mut self) -> Option<&mut FullObject> {
        match self {
            Variant::Object(Object::Full(object)) => Some(object),
            _ => None,
        }
    }

    /// Returns `true` for a String or a StringName.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, Variant::String(_) | Variant::StringName(_))
    }

    /// Returns `true` for an Int or a Float.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Variant::Int(_) | Variant::Float(_))
    }

    /// Returns the value and leaves null in its place.
    ///
    /// ```
    /// let mut save = gdvar::variant!({ "name": "Ann" });
    /// assert_eq!(save["name"].take(), "Ann");
    /// assert!(save["name"].is_nil());
    /// ```
    #[must_use]
    pub fn take(&mut self) -> Variant {
        std::mem::take(self)
    }
}
