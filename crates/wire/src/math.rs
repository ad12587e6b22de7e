//! Godot's math types as plain structs, generic over the component type.
//!
//! Structs with components of type `f32`, `f64` or `i32` are in the host's byte order. With
//! components of type [`F32`](crate::F32), [`F64`](crate::F64) or [`I32`](crate::I32) the structs
//! have the wire layout and may lie at any address. Fields are in stream order
//! ([`docs/FORMAT.md` §3.1]).
//!
//! Structs with `i32` components can be map keys, as in the engine: they implement `Eq`, `Hash` and
//! `Ord`. `Ord` compares the components in stream order.
//!
//! ```
//! use std::collections::{BTreeMap, HashMap};
//!
//! use gdvar_wire::math::Vector2;
//!
//! let tiles = HashMap::from([(Vector2::new(3, -1), "grass")]);
//! assert_eq!(tiles.get(&Vector2::new(3, -1)), Some(&"grass"));
//! assert!(BTreeMap::from([(Vector2::new(0, 2), ()), (Vector2::new(0, 1), ())])
//!     .into_keys().is_sorted_by_key(|cell| cell.y));
//! ```
//!
//! [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types

// zerocopy's derives make helper types, for which the lint would want `Debug`.
#![allow(missing_debug_implementations)]

#[cfg(any(feature = "glam-033", feature = "glam-034"))]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(any(feature = "glam-033", feature = "glam-034", feature = "mint"))]
mod not_affine;

#[cfg(any(feature = "glam-033", feature = "glam-034", feature = "mint"))]
pub use not_affine::NotAffine;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

macro_rules! math {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident: $ty:ty,)* };)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default,
            FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
        )]
        #[repr(C)]
        pub struct $name<T> {
            $($(#[$fdoc])* pub $field: $ty,)*
        }

        impl<T> $name<T> {
            /// Creates the value from its parts, in stream order.
            #[inline]
            #[must_use]
            pub const fn new($($field: $ty),*) -> $name<T>
            where
                T: Copy,
            {
                $name { $($field),* }
            }
        }
    )*};
}

math! {
    /// A `Vector2`; with `i32` components, a `Vector2i`.
    #[cfg_attr(feature = "bytemuck", derive(bytemuck::AnyBitPattern))]
    Vector2 {
        /// The component along the X axis.
        x: T,
        /// The component along the Y axis.
        y: T,
    };
    /// A `Vector3`; with `i32` components, a `Vector3i`.
    #[cfg_attr(feature = "bytemuck", derive(bytemuck::AnyBitPattern))]
    Vector3 {
        /// The component along the X axis.
        x: T,
        /// The component along the Y axis.
        y: T,
        /// The component along the Z axis.
        z: T,
    };
    /// A `Vector4`; with `i32` components, a `Vector4i`.
    #[cfg_attr(feature = "bytemuck", derive(bytemuck::AnyBitPattern))]
    Vector4 {
        /// The component along the X axis.
        x: T,
        /// The component along the Y axis.
        y: T,
        /// The component along the Z axis.
        z: T,
        /// The fourth component.
        w: T,
    };
    /// A `Rect2`; with `i32` components, a `Rect2i`.
    Rect2 {
        /// The corner with the smallest coordinates.
        position: Vector2<T>,
        /// The extent, from `position` to the opposite corner.
        size: Vector2<T>,
    };
    /// A 2D transform, stored by columns.
    Transform2D {
        /// The X axis.
        x: Vector2<T>,
        /// The Y axis.
        y: Vector2<T>,
        /// The translation.
        origin: Vector2<T>,
    };
    /// A plane in Hessian form.
    Plane {
        /// The unit normal.
        normal: Vector3<T>,
        /// The distance from the origin.
        d: T,
    };
    /// A rotation, as a quaternion.
    Quaternion {
        /// X.
        x: T,
        /// Y.
        y: T,
        /// Z.
        z: T,
        /// W, the real part.
        w: T,
    };
    /// An axis-aligned box.
    Aabb {
        /// The corner with the smallest coordinates.
        position: Vector3<T>,
        /// The extent, from `position` to the opposite corner.
        size: Vector3<T>,
    };
    /// A 3×3 matrix. The stream holds it **row by row**, whatever the documents say; `basis.x` in
    /// scripts is a column: [`Basis::x`].
    Basis {
        /// The rows, as in the stream.
        rows: [Vector3<T>; 3],
    };
    /// A 3D transform.
    Transform3D {
        /// Rotation, scale and shear.
        basis: Basis<T>,
        /// The translation.
        origin: Vector3<T>,
    };
    /// A 4×4 matrix, stored by columns.
    Projection {
        /// The first column.
        x: Vector4<T>,
        /// The second column.
        y: Vector4<T>,
        /// The third column.
        z: Vector4<T>,
        /// The fourth column.
        w: Vector4<T>,
    };
    /// A colour; its components are single-precision in every build.
    #[cfg_attr(feature = "bytemuck", derive(bytemuck::AnyBitPattern))]
    Color {
        /// Red.
        r: T,
        /// Green.
        g: T,
        /// Blue.
        b: T,
        /// Alpha.
        a: T,
    };
}

impl<T: Copy> Basis<T> {
    /// Creates a basis from its axes, which are its columns.
    pub const fn from_columns(x: Vector3<T>, y: Vector3<T>, z: Vector3<T>) -> Basis<T> {
        Basis {
            rows: [
                Vector3 {
                    x: x.x,
                    y: y.x,
                    z: z.x,
                },
                Vector3 {
                    x: x.y,
                    y: y.y,
                    z: z.y,
                },
                Vector3 {
                    x: x.z,
                    y: y.z,
                    z: z.z,
                },
            ],
        }
    }

    /// Returns the X axis, the first column.
    pub const fn x(self) -> Vector3<T> {
        Vector3 {
            x: self.rows[0].x,
            y: self.rows[1].x,
            z: self.rows[2].x,
        }
    }

    /// Returns the Y axis, the second column.
    pub const fn y(self) -> Vector3<T> {
        Vector3 {
            x: self.rows[0].y,
            y: self.rows[1].y,
            z: self.rows[2].y,
        }
    }

    /// Returns the Z axis, the third column.
    pub const fn z(self) -> Vector3<T> {
        Vector3 {
            x: self.rows[0].z,
            y: self.rows[1].z,
            z: self.rows[2].z,
        }
    }
}

/// A math type that converts from and into its components in stream order.
///
/// The reader, the writer and the text notation handle all math types through this trait.
pub trait Components<const N: usize> {
    /// The component type.
    type Item: Copy;
    /// This type with another component type.
    type With<U>;

    /// Returns the components in stream order.
    fn components(self) -> [Self::Item; N];

    /// Creates a value from components in stream order.
    fn from_components<U: Copy>(components: [U; N]) -> Self::With<U>;
}

macro_rules! components {
    ($($name:ident $n:literal |$v:ident| [$($get:expr),*] |$c:ident| $make:expr;)*) => {$(
        impl<T: Copy> Components<$n> for $name<T> {
            type Item = T;
            type With<U> = $name<U>;
            #[inline]
            fn components(self) -> [T; $n] {
                let $v = self;
                [$($get),*]
            }
            #[inline]
            fn from_components<U: Copy>($c: [U; $n]) -> $name<U> {
                $make
            }
        }

        impl<T: Copy> $name<T> {
            /// Applies `change` to each component.
            #[inline]
            pub fn map<U: Copy>(self, change: impl FnMut(T) -> U) -> $name<U> {
                <$name<T> as Components<$n>>::from_components(self.components().map(change))
            }
        }

        /// Generates the components in stream order.
        #[cfg(feature = "arbitrary")]
        impl<'a, T: arbitrary::Arbitrary<'a> + Copy> arbitrary::Arbitrary<'a> for $name<T> {
            fn arbitrary(data: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                <[T; $n]>::arbitrary(data).map(Self::from)
            }

            fn size_hint(depth: usize) -> (usize, Option<usize>) {
                <[T; $n]>::size_hint(depth)
            }
        }

        impl<T: Copy> From<[T; $n]> for $name<T> {
            /// Creates the value from its components, in stream order.
            fn from(components: [T; $n]) -> $name<T> {
                <$name<T> as Components<$n>>::from_components(components)
            }
        }

        impl<T: Copy> From<$name<T>> for [T; $n] {
            /// Returns the components in stream order.
            fn from(value: $name<T>) -> [T; $n] {
                value.components()
            }
        }
    )*};
}

const fn vector2<T: Copy>(x: T, y: T) -> Vector2<T> {
    Vector2 { x, y }
}

const fn vector3<T: Copy>(x: T, y: T, z: T) -> Vector3<T> {
    Vector3 { x, y, z }
}

const fn vector4<T: Copy>(x: T, y: T, z: T, w: T) -> Vector4<T> {
    Vector4 { x, y, z, w }
}

components! {
    Vector2 2 |v| [v.x, v.y] |c| vector2(c[0], c[1]);
    Vector3 3 |v| [v.x, v.y, v.z] |c| vector3(c[0], c[1], c[2]);
    Vector4 4 |v| [v.x, v.y, v.z, v.w] |c| vector4(c[0], c[1], c[2], c[3]);
    Rect2 4 |v| [v.position.x, v.position.y, v.size.x, v.size.y]
        |c| Rect2 { position: vector2(c[0], c[1]), size: vector2(c[2], c[3]) };
    Transform2D 6 |v| [v.x.x, v.x.y, v.y.x, v.y.y, v.origin.x, v.origin.y]
        |c| Transform2D { x: vector2(c[0], c[1]), y: vector2(c[2], c[3]), origin: vector2(c[4], c[5]) };
    Plane 4 |v| [v.normal.x, v.normal.y, v.normal.z, v.d]
        |c| Plane { normal: vector3(c[0], c[1], c[2]), d: c[3] };
    Quaternion 4 |v| [v.x, v.y, v.z, v.w] |c| Quaternion { x: c[0], y: c[1], z: c[2], w: c[3] };
    Aabb 6 |v| [v.position.x, v.position.y, v.position.z, v.size.x, v.size.y, v.size.z]
        |c| Aabb { position: vector3(c[0], c[1], c[2]), size: vector3(c[3], c[4], c[5]) };
    Basis 9 |v| [
            v.rows[0].x, v.rows[0].y, v.rows[0].z,
            v.rows[1].x, v.rows[1].y, v.rows[1].z,
            v.rows[2].x, v.rows[2].y, v.rows[2].z
        ]
        |c| Basis { rows: [vector3(c[0], c[1], c[2]), vector3(c[3], c[4], c[5]), vector3(c[6], c[7], c[8])] };
    Transform3D 12 |v| [
            v.basis.rows[0].x, v.basis.rows[0].y, v.basis.rows[0].z,
            v.basis.rows[1].x, v.basis.rows[1].y, v.basis.rows[1].z,
            v.basis.rows[2].x, v.basis.rows[2].y, v.basis.rows[2].z,
            v.origin.x, v.origin.y, v.origin.z
        ]
        |c| Transform3D {
            basis: Basis { rows: [vector3(c[0], c[1], c[2]), vector3(c[3], c[4], c[5]), vector3(c[6], c[7], c[8])] },
            origin: vector3(c[9], c[10], c[11]),
        };
    Projection 16 |v| [
            v.x.x, v.x.y, v.x.z, v.x.w, v.y.x, v.y.y, v.y.z, v.y.w,
            v.z.x, v.z.y, v.z.z, v.z.w, v.w.x, v.w.y, v.w.z, v.w.w
        ]
        |c| Projection {
            x: vector4(c[0], c[1], c[2], c[3]),
            y: vector4(c[4], c[5], c[6], c[7]),
            z: vector4(c[8], c[9], c[10], c[11]),
            w: vector4(c[12], c[13], c[14], c[15]),
        };
    Color 4 |v| [v.r, v.g, v.b, v.a] |c| Color { r: c[0], g: c[1], b: c[2], a: c[3] };
}
