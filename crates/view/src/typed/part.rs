//! [`Part`]: what a path leads to inside a value: elements of packed arrays, components of vectors.

use gdvar_wire::{Kind, math::Components};

use crate::{
    typed::path::Step,
    value::{
        packed::{Packed, Real},
        string::StrRef,
        variant::VariantRef,
    },
};

/// The thing that a path leads to.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// A value.
    Value(VariantRef<'a>),
    /// A part of a value, which has no header of its own in the bytes.
    Part(Part<'a>),
}

impl<'a> Found<'a> {
    /// Its kind.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Found::Value(value) => value.kind(),
            Found::Part(part) => part.kind(),
        }
    }

    /// The value, unless it is a part of one.
    #[must_use]
    pub fn value(self) -> Option<VariantRef<'a>> {
        match self {
            Found::Value(value) => Some(value),
            Found::Part(_) => None,
        }
    }
}

/// A part of a value: an element of a packed array, or what scripts get by a name such as `.x`,
/// `.origin` or `.basis`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part<'a> {
    /// A String of a PackedStringArray.
    Text(StrRef<'a>),
    /// An int of a packed array. In vectors of ints it is a [`Part::Math`] of kind Int.
    Int(i64),
    /// A float, a vector, a colour or a Basis.
    Math(Math),
}

/// Numbers and what they are: a float, an int, a vector, a matrix, a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Math {
    kind: Kind,
    numbers: Numbers,
}

/// The numbers of a [`Math`] in stream order, as wide as they are on the wire. Those behind the last
/// component are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers {
    /// Ints.
    Ints([i32; 4]),
    /// Reals of 32 bits.
    Singles([f32; 16]),
    /// Reals of 64 bits.
    Doubles([f64; 16]),
}

/// The number of components of a kind, if it is made of numbers.
const fn count(kind: Kind) -> Option<usize> {
    Some(match kind {
        Kind::Int | Kind::Float => 1,
        Kind::Vector2 | Kind::Vector2i => 2,
        Kind::Vector3 | Kind::Vector3i => 3,
        Kind::Vector4
        | Kind::Vector4i
        | Kind::Rect2
        | Kind::Rect2i
        | Kind::Plane
        | Kind::Quaternion
        | Kind::Color => 4,
        Kind::Transform2D | Kind::Aabb => 6,
        Kind::Basis => 9,
        Kind::Transform3D => 12,
        Kind::Projection => 16,
        _ => return None,
    })
}

fn first<T: Copy + Default, const N: usize, const M: usize>(numbers: [T; N]) -> [T; M] {
    core::array::from_fn(|n| numbers.get(n).copied().unwrap_or_default())
}

fn ints<const N: usize>(kind: Kind, math: impl Components<N, Item = i32>) -> Math {
    let numbers = Numbers::Ints(first(math.components()));
    Math { kind, numbers }
}

fn singles<const N: usize>(kind: Kind, math: impl Components<N, Item = f32>) -> Math {
    let numbers = Numbers::Singles(first(math.components()));
    Math { kind, numbers }
}

fn reals<const N: usize>(
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
    /// The components of a value that is a vector, a matrix, a box or a colour. O(1).
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
            _ => return None,
        })
    }

    /// Its kind; a single component is an Int or a Float.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Its numbers, as wide as they are stored.
    #[must_use]
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The number of components.
    #[must_use]
    pub fn len(&self) -> usize {
        count(self.kind).unwrap_or(0)
    }

    /// Always false: it has a number at least.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its numbers, widened, in stream order.
    pub fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(|n| match &self.numbers {
            Numbers::Ints(all) => all.get(n).copied().map_or(0.0, f64::from),
            Numbers::Singles(all) => all.get(n).copied().map_or(0.0, gdvar_wire::widen),
            Numbers::Doubles(all) => all.get(n).copied().unwrap_or(0.0),
        })
    }

    /// The component that scripts get by that name: `x`, `y`, `z`, `w` of vectors, matrices and
    /// quaternions; `position`, `size`, `end` of boxes; `origin`, `basis` of transforms; `normal`, `d` of
    /// a Plane; `r`, `g`, `b`, `a` of a Color. `x` of a Basis is a column, as in scripts.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<Math> {
        let is_ints = matches!(self.numbers, Numbers::Ints(_));
        if name == "end" {
            return self.end();
        }
        let (kind, places) = place(self.kind, name)?;
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

    /// The corner of a box opposite to its position.
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

fn of_ints(kind: Kind) -> Kind {
    match kind {
        Kind::Float => Kind::Int,
        Kind::Vector2 => Kind::Vector2i,
        kind => kind,
    }
}

/// The kind of a component of that name, and the numbers it takes.
fn place(kind: Kind, name: &str) -> Option<(Kind, &'static [u8])> {
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
        (Kind::Plane, "d") => (Float, &[3]),
        (Kind::Color, "r") => (Float, &[0]),
        (Kind::Color, "g") => (Float, &[1]),
        (Kind::Color, "b") => (Float, &[2]),
        (Kind::Color, "a") => (Float, &[3]),
        (
            Kind::Vector2
            | Kind::Vector3
            | Kind::Vector4
            | Kind::Quaternion
            | Kind::Plane
            | Kind::Vector2i
            | Kind::Vector3i
            | Kind::Vector4i,
            _,
        ) => {
            let all: [(&str, &'static [u8]); 4] =
                [("x", &[0]), ("y", &[1]), ("z", &[2]), ("w", &[3])];
            // The fourth number of a Plane is its `d`.
            let len = if kind == Kind::Plane { 3 } else { count(kind)? };
            let (_, place) = *all.iter().take(len).find(|(own, _)| *own == name)?;
            (Float, place)
        }
        _ => return None,
    })
}

impl<'a> Part<'a> {
    /// Its kind: Int and Float for numbers.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Part::Text(_) => Kind::String,
            Part::Int(_) => Kind::Int,
            Part::Math(math) => math.kind,
        }
    }

    /// A part of this part. `None` if there is none.
    #[must_use]
    pub fn take_step(self, step: Step<'_>) -> Option<Part<'a>> {
        match (self, step) {
            (Part::Math(math), Step::Name(name)) => math.component(name).map(Part::Math),
            _ => None,
        }
    }
}

impl<'a> VariantRef<'a> {
    /// The element of a packed array, or the component of a vector, matrix or colour, that a step leads
    /// to. O(1), but O(n) in a PackedStringArray.
    #[must_use]
    pub fn part(self, step: Step<'_>) -> Option<Part<'a>> {
        match step {
            Step::Name(name) => Math::of(self)?.component(name).map(Part::Math),
            Step::Index(index) => {
                let len = self.packed_len()? as i64;
                let from_start = if index < 0 {
                    index.checked_add(len)?
                } else {
                    index
                };
                self.packed_part(usize::try_from(from_start).ok()?)
            }
            _ => None,
        }
    }

    /// An element of a packed array.
    pub(crate) fn packed_part(self, n: usize) -> Option<Part<'a>> {
        if let Some(strings) = self.as_strings() {
            return strings.iter().nth(n)?.ok().map(Part::Text);
        }
        let float = |numbers| {
            let kind = Kind::Float;
            Math { kind, numbers }
        };
        macro_rules! real {
            ($all:expr, $kind:ident) => {
                match $all {
                    Real::Single(all) => reals(
                        Kind::$kind,
                        Real::<_, gdvar_wire::math::$kind<f64>>::Single(all.get(n)?),
                    ),
                    Real::Double(all) => reals(
                        Kind::$kind,
                        Real::<gdvar_wire::math::$kind<f32>, _>::Double(all.get(n)?),
                    ),
                }
            };
        }
        Some(Part::Math(match self.as_packed()? {
            Packed::Bytes(all) => return all.get(n).map(|&byte| Part::Int(byte.into())),
            Packed::Int32(all) => return all.get(n).map(|int| Part::Int(int.into())),
            Packed::Int64(all) => return all.get(n).map(Part::Int),
            Packed::Float32(all) => float(Numbers::Singles(first([all.get(n)?]))),
            Packed::Float64(all) => float(Numbers::Doubles(first([all.get(n)?]))),
            Packed::Vector2(all) => real!(all, Vector2),
            Packed::Vector3(all) => real!(all, Vector3),
            Packed::Vector4(all) => real!(all, Vector4),
            Packed::Vector2i(all) => ints(Kind::Vector2i, all.get(n)?),
            Packed::Vector3i(all) => ints(Kind::Vector3i, all.get(n)?),
            Packed::Vector4i(all) => ints(Kind::Vector4i, all.get(n)?),
            Packed::Color(all) => singles(Kind::Color, all.get(n)?),
        }))
    }
}
