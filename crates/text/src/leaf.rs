//! [`Leaf`]: the decoded content of a value without children.

use gdvar_view::{Kind, NodePathRef, StrRef, VariantRef, math::Components};
use gdvar_wire::narrow;

/// The decoded content of a value without children.
#[derive(Clone, Copy)]
pub(crate) enum Leaf<'a> {
    Nil,
    /// A null of the type Object, printed as null.
    NullObject,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A String or StringName.
    Text(Kind, StrRef<'a>),
    Path(NodePathRef<'a>),
    /// A String that was converted to a NodePath. `TextOfPath` is the reverse.
    PathOfText(StrRef<'a>),
    TextOfPath(NodePathRef<'a>),
    Reals(Kind, [f64; 16]),
    Ints(Kind, [i32; 4]),
    Rid(u64),
    /// An instance id, and the offset of the value: two objects are never the same key.
    ObjectId(u64, usize),
    Callable,
    Signal(StrRef<'a>, u64),
    /// A packed array, or a type that only Godot 2 has.
    Other(VariantRef<'a>),
    /// A packed array that was converted to an Array.
    ArrayOfPacked(VariantRef<'a>),
}

/// Returns the number of components of a math type.
pub(crate) const fn component_count(kind: Kind) -> usize {
    match kind {
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
        _ => 0,
    }
}

/// Rounds a real of a math type as a single-precision engine does.
pub(crate) fn single(value: f64) -> f64 {
    f64::from(narrow(value))
}

fn reals(value: VariantRef<'_>) -> Option<[f64; 16]> {
    fn pad<const N: usize>(components: [f64; N]) -> [f64; 16] {
        let mut out = [0.0; 16];
        for (to, from) in out.iter_mut().zip(components) {
            *to = from;
        }
        out
    }
    Some(match value.kind() {
        Kind::Vector2 => pad(value.as_vector2_f64()?.components()),
        Kind::Vector3 => pad(value.as_vector3_f64()?.components()),
        Kind::Vector4 => pad(value.as_vector4_f64()?.components()),
        Kind::Rect2 => pad(value.as_rect2_f64()?.components()),
        Kind::Transform2D => pad(value.as_transform2d_f64()?.components()),
        Kind::Plane => pad(value.as_plane_f64()?.components()),
        Kind::Quaternion => pad(value.as_quaternion_f64()?.components()),
        Kind::Aabb => pad(value.as_aabb_f64()?.components()),
        Kind::Basis => pad(value.as_basis_f64()?.components()),
        Kind::Transform3D => pad(value.as_transform3d_f64()?.components()),
        Kind::Projection => pad(value.as_projection_f64()?.components()),
        Kind::Color => pad(value.as_color()?.components().map(f64::from)),
        _ => return None,
    })
}

fn ints(value: VariantRef<'_>) -> Option<[i32; 4]> {
    Some(match value.kind() {
        Kind::Vector2i => {
            let [x, y] = value.as_vector2i()?.components();
            [x, y, 0, 0]
        }
        Kind::Vector3i => {
            let [x, y, z] = value.as_vector3i()?.components();
            [x, y, z, 0]
        }
        Kind::Vector4i => value.as_vector4i()?.components(),
        Kind::Rect2i => value.as_rect2i()?.components(),
        _ => return None,
    })
}

impl<'a> Leaf<'a> {
    /// Decodes a value. Reals keep the width that they have in the bytes. A value with children
    /// becomes `Other`.
    pub(crate) fn of(value: VariantRef<'a>) -> Leaf<'a> {
        let leaf = match value.kind() {
            Kind::Nil => Some(Leaf::Nil),
            Kind::Bool => value.as_bool().map(Leaf::Bool),
            Kind::Int => value.as_i64().map(Leaf::Int),
            Kind::Float => value.as_f64().map(Leaf::Float),
            kind @ (Kind::String | Kind::StringName) => {
                value.as_text().map(|text| Leaf::Text(kind, text))
            }
            Kind::NodePath => value.as_node_path().map(Leaf::Path),
            Kind::Rid => value.as_rid().map(Leaf::Rid),
            Kind::Callable => Some(Leaf::Callable),
            Kind::Signal => value.as_signal().map(|(name, id)| Leaf::Signal(name, id)),
            Kind::Object => value
                .as_object()
                .filter(|object| object.class().is_none())
                .map(|object| match object.id() {
                    Some(id) if id != 0 => Leaf::ObjectId(id, value.offset()),
                    _ => Leaf::NullObject,
                }),
            kind => reals(value)
                .map(|reals| Leaf::Reals(kind, reals))
                .or_else(|| ints(value).map(|ints| Leaf::Ints(kind, ints))),
        };
        leaf.unwrap_or(Leaf::Other(value))
    }

    /// Rounds the reals as a single-precision engine does.
    pub(crate) fn narrowed(mut self) -> Leaf<'a> {
        if let Leaf::Reals(_, reals) = &mut self {
            *reals = reals.map(single);
        }
        self
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Leaf::Nil => Kind::Nil,
            Leaf::Bool(_) => Kind::Bool,
            Leaf::Int(_) => Kind::Int,
            Leaf::Float(_) => Kind::Float,
            Leaf::Text(kind, _) | Leaf::Reals(kind, _) | Leaf::Ints(kind, _) => *kind,
            Leaf::TextOfPath(_) => Kind::String,
            Leaf::Path(_) | Leaf::PathOfText(_) => Kind::NodePath,
            Leaf::Rid(_) => Kind::Rid,
            Leaf::ObjectId(..) | Leaf::NullObject => Kind::Object,
            Leaf::Callable => Kind::Callable,
            Leaf::Signal(..) => Kind::Signal,
            Leaf::Other(value) => value.kind(),
            Leaf::ArrayOfPacked(_) => Kind::Array,
        }
    }
}
