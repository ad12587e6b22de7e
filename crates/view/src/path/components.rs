//! [`Math`]: the numbers of a vector, a matrix, a box or a colour, and its named components.

use gdvar_wire::{Kind, layout, math::Components};

use crate::value::{real::Real, variant::VariantRef};

/// The numbers of a math type, with its [`Kind`]: a vector, a matrix, a box or a colour. Or a single float or
/// int: a component of one, or an element of a packed array of floats.
///
/// Made by [`Math::of`], and by [`VariantRef::find_path`] for paths such as `.pos.x`. `Copy`, without
/// a borrow; the numbers are decoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Math {
    kind: Kind,
    numbers: Numbers,
}

/// The numbers of a [`Math`] in the order and width of the bytes. Only the first [`Math::len`] count;
/// the others are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers {
    /// 32-bit integers: Vector2i, Vector3i, Vector4i, Rect2i.
    Ints([i32; 4]),
    /// 32-bit reals.
    Singles([f32; 16]),
    /// 64-bit reals, from a double-precision build, or one element of a PackedFloat64Array.
    Doubles([f64; 16]),
}

/// Copies `numbers` into an array with zeros after them.
pub(super) fn first<T: Copy + Default, const N: usize, const M: usize>(numbers: [T; N]) -> [T; M] {
    const { assert!(N <= M, "a kind has more components than `Numbers` holds") };
    core::array::from_fn(|n| numbers.get(n).copied().unwrap_or_default())
}

pub(super) fn ints<const N: usize>(kind: Kind, math: impl Components<N, Item = i32>) -> Math {
    let numbers = Numbers::Ints(first(math.components()));
    Math { kind, numbers }
}

pub(super) fn singles<const N: usize>(kind: Kind, math: impl Components<N, Item = f32>) -> Math {
    let numbers = Numbers::Singles(first(math.components()));
    Math { kind, numbers }
}

pub(super) fn reals<const N: usize>(
    kind: Kind,
    real: Real<impl Components<N, Item = f32>, impl Components<N, Item = f64>>,
) -> Math {
    match real {
        Real::Single(math) => singles(kind, math),
        Real::Double(math) => Math {
            kind,
            numbers: Numbers::Doubles(first(math.components())),
        },
    }
}

impl Math {
    /// One float in its stored width.
    pub(super) const fn float(numbers: Numbers) -> Math {
        let kind = Kind::Float;
        Math { kind, numbers }
    }

    /// Returns the numbers of a value that is a vector, a matrix, a box or a colour, in O(1). `None` for other
    /// kinds, Int and Float among them.
    #[must_use]
    pub fn of(value: VariantRef<'_>) -> Option<Math> {
        let kind = value.kind();
        Some(match kind {
            Kind::Vector2 => reals(kind, value.as_vector2_real()?),
            Kind::Vector3 => reals(kind, value.as_vector3_real()?),
            Kind::Vector4 => reals(kind, value.as_vector4_real()?),
            Kind::Rect2 => reals(kind, value.as_rect2_real()?),
            Kind::Transform2D => reals(kind, value.as_transform2d_real()?),
            Kind::Plane => reals(kind, value.as_plane_real()?),
            Kind::Quaternion => reals(kind, value.as_quaternion_real()?),
            Kind::Aabb => reals(kind, value.as_aabb_real()?),
            Kind::Basis => reals(kind, value.as_basis_real()?),
            Kind::Transform3D => reals(kind, value.as_transform3d_real()?),
            Kind::Projection => reals(kind, value.as_projection_real()?),
            Kind::Color => singles(kind, value.as_color()?),
            Kind::Vector2i => ints(kind, value.as_vector2i()?),
            Kind::Vector3i => ints(kind, value.as_vector3i()?),
            Kind::Vector4i => ints(kind, value.as_vector4i()?),
            Kind::Rect2i => ints(kind, value.as_rect2i()?),
            Kind::Nil
            | Kind::Bool
            | Kind::Int
            | Kind::Float
            | Kind::String
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
            | Kind::PackedByteArray
            | Kind::PackedInt32Array
            | Kind::PackedInt64Array
            | Kind::PackedFloat32Array
            | Kind::PackedFloat64Array
            | Kind::PackedStringArray
            | Kind::PackedVector2Array
            | Kind::PackedVector2iArray
            | Kind::PackedVector3Array
            | Kind::PackedVector3iArray
            | Kind::PackedVector4Array
            | Kind::PackedVector4iArray
            | Kind::PackedColorArray => return None,
        })
    }

    /// The kind. A single component is an Int or a Float.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The numbers in their stored width.
    #[must_use]
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The number of components, 1 to 16.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kind.component_count().max(1)
    }

    /// Always `false`, because there is at least one number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers in the order of the bytes, widened to `f64`. 32-bit numbers convert exactly.
    pub fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(|n| match &self.numbers {
            Numbers::Ints(all) => all.get(n).copied().map_or(0.0, f64::from),
            Numbers::Singles(all) => all.get(n).copied().map_or(0.0, gdvar_wire::widen),
            Numbers::Doubles(all) => all.get(n).copied().unwrap_or(0.0),
        })
    }

    /// The component that scripts get under `name`: `x`, `y`, `z`, `w` of vectors, matrices, planes
    /// and quaternions; `position`, `size`, `end` of boxes; `origin` and `basis` of transforms;
    /// `normal`, `d` of a Plane; `r`, `g`, `b`, `a` of a Color. `None` if the type has no such
    /// component.
    ///
    /// `x` of a Basis is its first column, as in scripts, although the bytes store rows. `end` is the
    /// sum of `position` and `size`.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<Math> {
        let is_ints = matches!(self.numbers, Numbers::Ints(_));
        if name == "end" {
            return self.end();
        }
        let (kind, places) = component_of(self.kind, name)?;
        let kind = if is_ints { of_ints(kind) } else { kind };
        let at = |n: usize| {
            places
                .get(n)
                .map_or(usize::MAX, |&place| usize::from(place))
        };
        let numbers = match &self.numbers {
            Numbers::Ints(all) => Numbers::Ints(core::array::from_fn(|n| {
                all.get(at(n)).copied().unwrap_or(0)
            })),
            Numbers::Singles(all) => Numbers::Singles(core::array::from_fn(|n| {
                all.get(at(n)).copied().unwrap_or(0.0)
            })),
            Numbers::Doubles(all) => Numbers::Doubles(core::array::from_fn(|n| {
                all.get(at(n)).copied().unwrap_or(0.0)
            })),
        };
        Some(Math { kind, numbers })
    }

    /// The corner of a box opposite to its position: the sum of position and size, as the engine computes it.
    fn end(&self) -> Option<Math> {
        let (kind, half) = match self.kind {
            Kind::Rect2 => (Kind::Vector2, 2),
            Kind::Rect2i => (Kind::Vector2i, 2),
            Kind::Aabb => (Kind::Vector3, 3),
            _ => return None,
        };
        let to = |n: usize| if n < half { n + half } else { usize::MAX };
        macro_rules! sums {
            ($all:expr, $zero:expr, $add:expr) => {
                core::array::from_fn(|n| match ($all.get(n), $all.get(to(n))) {
                    (Some(&from), Some(&size)) => $add(from, size),
                    _ => $zero,
                })
            };
        }
        let numbers = match &self.numbers {
            Numbers::Ints(all) => Numbers::Ints(sums!(all, 0, i32::wrapping_add)),
            Numbers::Singles(all) => Numbers::Singles(sums!(all, 0.0, |a: f32, b: f32| a + b)),
            Numbers::Doubles(all) => Numbers::Doubles(sums!(all, 0.0, |a: f64, b: f64| a + b)),
        };
        Some(Math { kind, numbers })
    }
}

/// Turns the kind of a component of reals into the kind of the same component of ints.
fn of_ints(kind: Kind) -> Kind {
    match kind {
        Kind::Float => Kind::Int,
        Kind::Vector2 => Kind::Vector2i,
        kind => kind,
    }
}

/// The kind of the component `name` of `kind`, and the indices of its numbers among those of the whole value.
fn component_of(kind: Kind, name: &str) -> Option<(Kind, &'static [u8])> {
    use Kind::{Basis, Float, Vector2, Vector3, Vector4};
    Some(match (kind, name) {
        (Kind::Transform2D, "x") => (Vector2, &[0, 1]),
        (Kind::Transform2D, "y") => (Vector2, &[2, 3]),
        (Kind::Transform2D, "origin") => (Vector2, &[4, 5]),
        (Kind::Basis, "x") => (Vector3, &[0, 3, 6]),
        (Kind::Basis, "y") => (Vector3, &[1, 4, 7]),
        (Kind::Basis, "z") => (Vector3, &[2, 5, 8]),
        (Kind::Transform3D, "basis") => (Basis, &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Kind::Transform3D, "origin") => (Vector3, &[9, 10, 11]),
        (Kind::Projection, "x") => (Vector4, &[0, 1, 2, 3]),
        (Kind::Projection, "y") => (Vector4, &[4, 5, 6, 7]),
        (Kind::Projection, "z") => (Vector4, &[8, 9, 10, 11]),
        (Kind::Projection, "w") => (Vector4, &[12, 13, 14, 15]),
        (Kind::Rect2 | Kind::Rect2i, "position") => (Vector2, &[0, 1]),
        (Kind::Rect2 | Kind::Rect2i, "size") => (Vector2, &[2, 3]),
        (Kind::Aabb, "position") => (Vector3, &[0, 1, 2]),
        (Kind::Aabb, "size") => (Vector3, &[3, 4, 5]),
        (Kind::Plane, "normal") => (Vector3, &[0, 1, 2]),
        (Kind::Plane, "x") => (Float, &[0]),
        (Kind::Plane, "y") => (Float, &[1]),
        (Kind::Plane, "z") => (Float, &[2]),
        // Any other component is a single number: of a vector, a colour, or `d` of a Plane.
        _ => {
            const PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
            let (_, names) = layout::numbers(kind)?;
            let is_single = kind.component_count() > 0 && !name.contains('.');
            let n = names.iter().position(|own| is_single && *own == name)?;
            (Float, PLACES.get(n..=n)?)
        }
    })
}
