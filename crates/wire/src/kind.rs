//! Kinds: the types of Godot's values, whatever number a dialect gives them.

use core::fmt;

use crate::{Notation, layout};

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// The kind of a value: its meaning, not its type number. The set is closed and the same
        /// for all dialects; names are Godot 4's.
        ///
        /// [`Dialect`](crate::Dialect) says which kinds a dialect has, and their type numbers
        /// ([`docs/FORMAT.md` §1.1]).
        ///
        /// [`docs/FORMAT.md` §1.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#11-type-numbers-side-by-side
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $variant,)*
        }

        impl Kind {
            /// Every kind, in the order of declaration.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)*];

            /// Returns Godot 4's name of the kind, or the name in the engine that has the type if
            /// Godot 4 lacks it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Kind::$variant => $name,)*
                }
            }

            /// Returns the kind's name in an engine's scripts and notation: Godot 4's
            /// `PackedByteArray` is `PoolByteArray` in Godot 3.
            ///
            /// ```
            /// use gdvar_wire::{Kind, Notation};
            /// assert_eq!(Kind::Quaternion.name_in(Notation::Godot3_6), "Quat");
            /// assert_eq!(Kind::Quaternion.name_in(Notation::Godot4), "Quaternion");
            /// ```
            #[must_use]
            pub const fn name_in(self, notation: Notation) -> &'static str {
                if matches!(notation, Notation::Godot4) {
                    return self.name();
                }
                match self {
                    Kind::Quaternion => "Quat",
                    Kind::Transform3D => "Transform",
                    Kind::PackedByteArray => "PoolByteArray",
                    Kind::PackedInt32Array => "PoolIntArray",
                    Kind::PackedFloat32Array => "PoolRealArray",
                    Kind::PackedStringArray => "PoolStringArray",
                    Kind::PackedVector2Array => "PoolVector2Array",
                    Kind::PackedVector3Array => "PoolVector3Array",
                    Kind::PackedVector4Array => "PoolVector4Array",
                    Kind::PackedColorArray => "PoolColorArray",
                    _ => self.name(),
                }
            }
        }
    };
}

kinds! {
    /// `null`: a header only.
    Nil = "Nil",
    /// `bool`: a word of 0 or 1.
    Bool = "Bool",
    /// `int`: 64 bits, written in 32 if it fits.
    Int = "Int",
    /// `float`: a double, written in single precision if nothing is lost.
    Float = "Float",
    /// `String`: a text.
    String = "String",
    /// `Vector2`: two reals.
    Vector2 = "Vector2",
    /// `Vector2i`: two 32-bit ints.
    Vector2i = "Vector2i",
    /// `Rect2`: position and size, in reals.
    Rect2 = "Rect2",
    /// `Rect2i`: position and size, in 32-bit ints.
    Rect2i = "Rect2i",
    /// `Vector3`: three reals.
    Vector3 = "Vector3",
    /// `Vector3i`: three 32-bit ints.
    Vector3i = "Vector3i",
    /// `Transform2D`, Godot 2's `Matrix32`.
    Transform2D = "Transform2D",
    /// `Vector4`: four reals.
    Vector4 = "Vector4",
    /// `Vector4i`: four 32-bit ints.
    Vector4i = "Vector4i",
    /// `Plane`: a normal and a distance.
    Plane = "Plane",
    /// `Quaternion`, Godot 3's `Quat`.
    Quaternion = "Quaternion",
    /// `AABB`: a box of position and size.
    Aabb = "AABB",
    /// `Basis`, Godot 2's `Matrix3`.
    Basis = "Basis",
    /// `Transform3D`, Godot 3's `Transform`.
    Transform3D = "Transform3D",
    /// `Projection`: a 4×4 matrix.
    Projection = "Projection",
    /// `Color`: four 32-bit reals in every build.
    Color = "Color",
    /// `Image` of Godot 2, opaque here.
    Image = "Image",
    /// `StringName`: a text, but of another type than `String`.
    StringName = "StringName",
    /// `NodePath`: names, sub-names and flags.
    NodePath = "NodePath",
    /// `RID`: a number in Godot 4, a header only in other dialects.
    Rid = "RID",
    /// `Object`: null, an instance id, or a class name with properties.
    Object = "Object",
    /// `InputEvent` of Godot 2, opaque here.
    InputEvent = "InputEvent",
    /// `Callable`: a header only.
    Callable = "Callable",
    /// `Signal`: a name, and the instance id of an object.
    Signal = "Signal",
    /// `Dictionary`: pairs of key and value, which may be of any kind.
    Dictionary = "Dictionary",
    /// `Array`: values of any kind.
    Array = "Array",
    /// `TypedArray` of Pandemonium 5; Godot 4 types an `Array` by header bits instead.
    TypedArray = "TypedArray",
    /// `PackedTypedArray` of Pandemonium 5.
    PackedTypedArray = "PackedTypedArray",
    /// `PackedByteArray`, Godot 3's `PoolByteArray`.
    PackedByteArray = "PackedByteArray",
    /// `PackedInt32Array`, Godot 3's `PoolIntArray`.
    PackedInt32Array = "PackedInt32Array",
    /// `PackedInt64Array`: 64-bit ints.
    PackedInt64Array = "PackedInt64Array",
    /// `PackedFloat32Array`, Godot 3's `PoolRealArray`.
    PackedFloat32Array = "PackedFloat32Array",
    /// `PackedFloat64Array`: 64-bit floats.
    PackedFloat64Array = "PackedFloat64Array",
    /// `PackedStringArray`, Godot 3's `PoolStringArray`.
    PackedStringArray = "PackedStringArray",
    /// `PackedVector2Array`, Godot 3's `PoolVector2Array`.
    PackedVector2Array = "PackedVector2Array",
    /// `PoolVector2iArray` of Pandemonium.
    PackedVector2iArray = "PoolVector2iArray",
    /// `PackedVector3Array`, Godot 3's `PoolVector3Array`.
    PackedVector3Array = "PackedVector3Array",
    /// `PoolVector3iArray` of Pandemonium.
    PackedVector3iArray = "PoolVector3iArray",
    /// `PackedVector4Array` (Godot 4.3 and later, Pandemonium).
    PackedVector4Array = "PackedVector4Array",
    /// `PoolVector4iArray` of Pandemonium.
    PackedVector4iArray = "PoolVector4iArray",
    /// `PackedColorArray`, Godot 3's `PoolColorArray`.
    PackedColorArray = "PackedColorArray",
}

impl Kind {
    /// The number of kinds.
    pub const COUNT: usize = Kind::ALL.len();

    /// Returns the kind with the name `name`, as [`Kind::name`] spells it, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Returns `true` for values made of values: Array, Dictionary and the typed arrays of
    /// Pandemonium. An Object can have children too, but is not counted here.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(
            self,
            Kind::Array | Kind::Dictionary | Kind::TypedArray | Kind::PackedTypedArray
        )
    }

    /// Returns `true` if a container typed by this kind may hold a value of `kind`: the same kind,
    /// and null where objects are expected ([`docs/FORMAT.md` §4.3]).
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    #[must_use]
    pub const fn holds(self, kind: Kind) -> bool {
        self as u8 == kind as u8 || matches!((self, kind), (Kind::Object, Kind::Nil))
    }

    /// Returns `true` for packed arrays, `PackedStringArray` included. `PackedTypedArray` is a
    /// container instead.
    #[must_use]
    pub const fn is_packed(self) -> bool {
        self as u8 >= Kind::PackedByteArray as u8
    }

    /// Returns `true` if the components are reals, which double-precision builds of Godot 4 write
    /// in 64 bits ([`docs/FORMAT.md` §2.3]).
    ///
    /// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
    #[must_use]
    pub const fn has_reals(self) -> bool {
        matches!(
            self,
            Kind::Vector2
                | Kind::Vector3
                | Kind::Vector4
                | Kind::Rect2
                | Kind::Transform2D
                | Kind::Plane
                | Kind::Quaternion
                | Kind::Aabb
                | Kind::Basis
                | Kind::Transform3D
                | Kind::Projection
                | Kind::PackedVector2Array
                | Kind::PackedVector3Array
                | Kind::PackedVector4Array
        )
    }

    /// Returns `true` for vectors and boxes of 32-bit integers, but not for packed arrays of them.
    #[inline]
    #[must_use]
    pub const fn has_ints(self) -> bool {
        matches!(
            self,
            Kind::Vector2i | Kind::Vector3i | Kind::Vector4i | Kind::Rect2i
        )
    }

    /// Returns the number of components of a vector, box, matrix or colour, and 0 for other kinds.
    ///
    /// ```
    /// use gdvar_wire::Kind;
    ///
    /// assert_eq!(Kind::Rect2i.component_count(), 4);
    /// assert_eq!(Kind::Float.component_count(), 0);
    /// assert_eq!(Kind::PackedVector2Array.component_count(), 0);
    /// ```
    #[inline]
    #[must_use]
    pub const fn component_count(self) -> usize {
        match layout::numbers(self) {
            Some((_, names)) if names.len() > 1 && !self.is_packed() => names.len(),
            _ => 0,
        }
    }

    /// Returns the kind that an element of a packed array has as a value of its own, or `None` for kinds that
    /// are not packed.
    ///
    /// ```
    /// use gdvar_wire::Kind;
    ///
    /// assert_eq!(Kind::PackedByteArray.element_kind(), Some(Kind::Int));
    /// assert_eq!(Kind::PackedColorArray.element_kind(), Some(Kind::Color));
    /// assert_eq!(Kind::Array.element_kind(), None);
    /// ```
    #[must_use]
    pub const fn element_kind(self) -> Option<Kind> {
        Some(match self {
            Kind::PackedByteArray | Kind::PackedInt32Array | Kind::PackedInt64Array => Kind::Int,
            Kind::PackedFloat32Array | Kind::PackedFloat64Array => Kind::Float,
            Kind::PackedStringArray => Kind::String,
            Kind::PackedVector2Array => Kind::Vector2,
            Kind::PackedVector2iArray => Kind::Vector2i,
            Kind::PackedVector3Array => Kind::Vector3,
            Kind::PackedVector3iArray => Kind::Vector3i,
            Kind::PackedVector4Array => Kind::Vector4,
            Kind::PackedVector4iArray => Kind::Vector4i,
            Kind::PackedColorArray => Kind::Color,
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
            | Kind::PackedTypedArray => return None,
        })
    }

    /// Returns the number of components in each element of a packed array of numbers, and 0 for other
    /// kinds.
    ///
    /// ```
    /// use gdvar_wire::Kind;
    ///
    /// assert_eq!(Kind::PackedColorArray.element_components(), 4);
    /// assert_eq!(Kind::PackedInt32Array.element_components(), 1);
    /// assert_eq!(Kind::PackedStringArray.element_components(), 0);
    /// ```
    #[inline]
    #[must_use]
    pub const fn element_components(self) -> usize {
        match layout::numbers(self) {
            Some((_, names)) if self.is_packed() => names.len(),
            _ => 0,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
