//! [`Found`] and [`PathTarget`]: what a path leads to, a value or a part of a value, such as the x of a vector.

use gdvar_wire::Kind;

use super::{
    components::{Math, Numbers, first, ints, reals, singles},
    step::Step,
};
use crate::value::{packed::Packed, real::Real, string::StrRef, variant::VariantRef};

/// What a [`Path`](crate::Path) led to. Returned by [`VariantRef::find_path`] and [`Select`](crate::Select).
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// A value, with a header in the bytes.
    Value(VariantRef<'a>),
    /// A part of a value, without a header in the bytes.
    Part(PathTarget<'a>),
}

impl<'a> Found<'a> {
    /// The kind of the value or part.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Found::Value(value) => value.kind(),
            Found::Part(part) => part.kind(),
        }
    }

    /// The value. `None` if this is a part of a value.
    #[must_use]
    pub fn value(self) -> Option<VariantRef<'a>> {
        match self {
            Found::Value(value) => Some(value),
            Found::Part(_) => None,
        }
    }
}

/// A part of a value that a path can lead to: an element of a packed array, or a component such as
/// `.x`, `.origin` or `.basis`. It is decoded, because it has no header in the bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathTarget<'a> {
    /// An element of a PackedStringArray.
    Text(StrRef<'a>),
    /// An element of a packed array of bytes or ints. A component of a vector of ints is a
    /// [`PathTarget::Math`] of kind Int instead.
    Int(i64),
    /// An element of any other packed array, or a component: a float, a vector, a colour, a Basis.
    Math(Math),
}

impl<'a> PathTarget<'a> {
    /// The kind. A single number is an Int or a Float.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            PathTarget::Text(_) => Kind::String,
            PathTarget::Int(_) => Kind::Int,
            PathTarget::Math(math) => math.kind(),
        }
    }

    /// The component of this part that `step` names: `.x` of a vector. `None` if there is none.
    #[must_use]
    pub fn take_step(self, step: Step<'_>) -> Option<PathTarget<'a>> {
        match (self, step) {
            (PathTarget::Math(math), Step::Name(name)) => {
                math.component(name).map(PathTarget::Math)
            }
            _ => None,
        }
    }
}

impl<'a> VariantRef<'a> {
    /// The element of this packed array, or the component of this math type, that `step` leads to.
    /// `None` if there is none, and for a step to a child of a container
    /// ([`VariantRef::take_step`] takes those).
    ///
    /// This takes O(1), or O(n) in a PackedStringArray, because its elements have no common size.
    #[must_use]
    pub fn part(self, step: Step<'_>) -> Option<PathTarget<'a>> {
        match step {
            Step::Name(name) => Math::of(self)?.component(name).map(PathTarget::Math),
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

    /// Returns element `n` of a packed array, counted from 0.
    pub(crate) fn packed_part(self, n: usize) -> Option<PathTarget<'a>> {
        if let Some(strings) = self.as_strings() {
            return strings.iter().nth(n)?.ok().map(PathTarget::Text);
        }
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
        Some(PathTarget::Math(match self.as_packed()? {
            Packed::Bytes(all) => return all.get(n).map(|&byte| PathTarget::Int(byte.into())),
            Packed::Int32(all) => return all.get(n).map(|int| PathTarget::Int(int.into())),
            Packed::Int64(all) => return all.get(n).map(PathTarget::Int),
            Packed::Float32(all) => Math::float(Numbers::Singles(first([all.get(n)?]))),
            Packed::Float64(all) => Math::float(Numbers::Doubles(first([all.get(n)?]))),
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
