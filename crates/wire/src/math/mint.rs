//! Conversions from and into the types of mint 0.5, for components of any type.
//!
//! mint's names give the number of rows first: `ColumnMatrix3x4` has three rows and four columns,
//! and is stored by columns. Each matrix here converts to both of mint's storage orders.
//! `IntoMint::MintType` is the usual one.

use mint::{
    ColumnMatrix2x3, ColumnMatrix3, ColumnMatrix3x4, ColumnMatrix4, IntoMint, RowMatrix3,
    RowMatrix3x4, RowMatrix4,
};

use super::{
    Basis, NotAffine, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4,
};

/// Implements both conversions for types with the same components.
macro_rules! alike {
    ($($ours:ident = $theirs:ident { $($field:ident),* };)*) => {$(
        impl<T> From<mint::$theirs<T>> for $ours<T> {
            #[inline]
            fn from(value: mint::$theirs<T>) -> Self {
                $ours { $($field: value.$field),* }
            }
        }

        impl<T> From<$ours<T>> for mint::$theirs<T> {
            #[inline]
            fn from(value: $ours<T>) -> Self {
                mint::$theirs { $($field: value.$field),* }
            }
        }
    )*};
}
alike! {
    Vector2 = Vector2 { x, y };
    Vector2 = Point2 { x, y };
    Vector3 = Vector3 { x, y, z };
    Vector3 = Point3 { x, y, z };
    Vector4 = Vector4 { x, y, z, w };
}

/// Implements a conversion and its reverse.
macro_rules! both_ways {
    ($($ours:ident = $theirs:ident: |$value:ident| $there:expr, |$back:ident| $here:expr;)*) => {$(
        impl<T: Copy> From<$ours<T>> for mint::$theirs<T> {
            #[inline]
            fn from($value: $ours<T>) -> Self {
                $there
            }
        }

        impl<T: Copy> From<mint::$theirs<T>> for $ours<T> {
            #[inline]
            fn from($back: mint::$theirs<T>) -> Self {
                $here
            }
        }
    )*};
}
both_ways! {
    Quaternion = Quaternion:
        |q| mint::Quaternion { v: mint::Vector3 { x: q.x, y: q.y, z: q.z }, s: q.w },
        |q| Quaternion { x: q.v.x, y: q.v.y, z: q.v.z, w: q.s };
    Basis = RowMatrix3:
        |m| RowMatrix3 { x: m.rows[0].into(), y: m.rows[1].into(), z: m.rows[2].into() },
        |m| Basis { rows: [m.x.into(), m.y.into(), m.z.into()] };
    Basis = ColumnMatrix3:
        |m| RowMatrix3::from(m).into(),
        |m| RowMatrix3::from(m).into();
    Transform2D = ColumnMatrix2x3:
        |m| ColumnMatrix2x3 { x: m.x.into(), y: m.y.into(), z: m.origin.into() },
        |m| Transform2D { x: m.x.into(), y: m.y.into(), origin: m.z.into() };
    Transform2D = RowMatrix2x3:
        |m| ColumnMatrix2x3::from(m).into(),
        |m| ColumnMatrix2x3::from(m).into();
    Transform3D = ColumnMatrix3x4:
        |m| ColumnMatrix3x4 {
            x: m.basis.x().into(),
            y: m.basis.y().into(),
            z: m.basis.z().into(),
            w: m.origin.into(),
        },
        |m| Transform3D {
            basis: Basis::from_columns(m.x.into(), m.y.into(), m.z.into()),
            origin: m.w.into(),
        };
    Transform3D = RowMatrix3x4:
        |m| ColumnMatrix3x4::from(m).into(),
        |m| ColumnMatrix3x4::from(m).into();
    Projection = ColumnMatrix4:
        |m| ColumnMatrix4 { x: m.x.into(), y: m.y.into(), z: m.z.into(), w: m.w.into() },
        |m| Projection { x: m.x.into(), y: m.y.into(), z: m.z.into(), w: m.w.into() };
    Projection = RowMatrix4:
        |m| ColumnMatrix4::from(m).into(),
        |m| ColumnMatrix4::from(m).into();
}

/// Implements the conversions between transforms and square matrices.
macro_rules! square {
    ($($component:ty),*) => {$(
        impl From<Transform2D<$component>> for ColumnMatrix3<$component> {
            #[inline]
            fn from(m: Transform2D<$component>) -> Self {
                ColumnMatrix3 {
                    x: [m.x.x, m.x.y, 0.0].into(),
                    y: [m.y.x, m.y.y, 0.0].into(),
                    z: [m.origin.x, m.origin.y, 1.0].into(),
                }
            }
        }

        impl TryFrom<ColumnMatrix3<$component>> for Transform2D<$component> {
            type Error = NotAffine;

            #[inline]
            fn try_from(m: ColumnMatrix3<$component>) -> Result<Self, NotAffine> {
                if [m.x.z, m.y.z, m.z.z] != [0.0, 0.0, 1.0] {
                    return Err(NotAffine);
                }
                Ok([m.x.x, m.x.y, m.y.x, m.y.y, m.z.x, m.z.y].into())
            }
        }

        impl From<Transform3D<$component>> for ColumnMatrix4<$component> {
            #[inline]
            fn from(m: Transform3D<$component>) -> Self {
                let ColumnMatrix3x4 { x, y, z, w } = m.into();
                ColumnMatrix4 {
                    x: [x.x, x.y, x.z, 0.0].into(),
                    y: [y.x, y.y, y.z, 0.0].into(),
                    z: [z.x, z.y, z.z, 0.0].into(),
                    w: [w.x, w.y, w.z, 1.0].into(),
                }
            }
        }

        impl TryFrom<ColumnMatrix4<$component>> for Transform3D<$component> {
            type Error = NotAffine;

            #[inline]
            fn try_from(m: ColumnMatrix4<$component>) -> Result<Self, NotAffine> {
                let RowMatrix4 { x, y, z, w } = m.into();
                if <[$component; 4]>::from(w) != [0.0, 0.0, 0.0, 1.0] {
                    return Err(NotAffine);
                }
                Ok(RowMatrix3x4 { x, y, z }.into())
            }
        }
    )*};
}
square!(f32, f64);

/// Implements `IntoMint` with mint's type of the same components in the same order.
macro_rules! into_mint {
    ($($ours:ident = $theirs:ident;)*) => {$(
        impl<T: Copy> IntoMint for $ours<T> {
            type MintType = mint::$theirs<T>;
        }
    )*};
}
into_mint! {
    Vector2 = Vector2;
    Vector3 = Vector3;
    Vector4 = Vector4;
    Quaternion = Quaternion;
    Basis = RowMatrix3;
    Transform2D = ColumnMatrix2x3;
    Transform3D = ColumnMatrix3x4;
    Projection = ColumnMatrix4;
}
