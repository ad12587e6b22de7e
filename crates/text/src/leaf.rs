//! [`Leaf`]: the decoded content of a value without children.

use gdvar_view::{Kind, Math, NodePathRef, Numbers, StrRef, VariantRef};
use gdvar_wire::{narrow, widen};

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

/// Rounds a real of a math type as a single-precision engine does.
pub(crate) fn single(value: f64) -> f64 {
    f64::from(narrow(value))
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
            kind => Math::of(value).map(|math| match *math.numbers() {
                Numbers::Ints(ints) => Leaf::Ints(kind, ints),
                Numbers::Singles(reals) => Leaf::Reals(kind, reals.map(widen)),
                Numbers::Doubles(reals) => Leaf::Reals(kind, reals),
            }),
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
