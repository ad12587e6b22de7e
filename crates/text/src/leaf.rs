//! Values without children, and how they are printed.

use gdvar_view::{Kind, NodePathRef, StrRef, VariantRef, math::Components};
use gdvar_wire::narrow;

use crate::{
    Notation,
    error::TextError,
    notation::{array_brackets, parentheses},
    number::{NumberText, float_text, real_text},
    packed::{write_packed, write_packed_as_array},
    page::Page,
    string::{Escape, write_parsed_path, write_path, write_quoted},
};

/// A value without children, loaded.
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
    /// A String that was converted to a NodePath, and the reverse.
    PathOfText(StrRef<'a>),
    TextOfPath(NodePathRef<'a>),
    Reals(Kind, [f64; 16]),
    Ints(Kind, [i32; 4]),
    Rid(u64),
    /// An instance id and its offset; two objects are never the same key.
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
    /// Loads a value; reals keep the width that they have in the bytes. A value with children
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

/// Writes a value of a common kind exactly as the engine does. Returns `false`, with nothing
/// written, for other kinds.
pub(crate) fn write_common(
    page: &mut Page<'_>,
    value: VariantRef<'_>,
    notation: Notation,
) -> Result<bool, TextError> {
    match value.kind() {
        Kind::Nil => page.text("null"),
        Kind::Bool | Kind::Int | Kind::Float => {
            if let Some(int) = value.as_i64() {
                page.int(int);
            } else if let Some(float) = value.as_f64() {
                page.number(&float_text(float, notation));
            } else if let Some(flag) = value.as_bool() {
                page.text(if flag { "true" } else { "false" });
            } else {
                return Ok(false);
            }
        }
        Kind::String => match value.as_text() {
            Some(text) => write_quoted(page, text, Escape::Multiline)?,
            None => return Ok(false),
        },
        Kind::StringName => match value.as_text() {
            Some(text) => {
                page.text("&");
                write_quoted(page, text, Escape::short(notation))?;
            }
            None => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes a leaf exactly as the engine does.
pub(crate) fn write_leaf(
    page: &mut Page<'_>,
    leaf: Leaf<'_>,
    notation: Notation,
) -> Result<(), TextError> {
    let short = Escape::short(notation);
    match leaf {
        Leaf::Nil | Leaf::NullObject => page.text("null"),
        Leaf::Bool(value) => page.text(if value { "true" } else { "false" }),
        // The engines print the numbers of objects and RIDs as signed too.
        Leaf::Int(value) => page.int(value),
        Leaf::Float(value) => page.number(&float_text(value, notation)),
        Leaf::Text(Kind::StringName, text) => {
            page.text("&");
            write_quoted(page, text, short)?;
        }
        Leaf::Text(_, text) => write_quoted(page, text, Escape::Multiline)?,
        Leaf::TextOfPath(path) => {
            page.text("\"");
            write_path(page, path, Escape::Multiline, notation)?;
            page.text("\"");
        }
        Leaf::PathOfText(text) => {
            page.text("NodePath(\"");
            write_parsed_path(page, text, short)?;
            page.text("\")");
        }
        Leaf::Path(path) => {
            page.text("NodePath(\"");
            write_path(page, path, short, notation)?;
            page.text("\")");
        }
        Leaf::Reals(kind, reals) => {
            let mut list = List::constructor(page, notation, kind);
            for real in reals.iter().take(component_count(kind)) {
                list.number(&real_text(*real, notation));
            }
            list.end();
        }
        Leaf::Ints(kind, ints) => {
            let mut list = List::constructor(page, notation, kind);
            for int in ints.iter().take(component_count(kind)) {
                list.int(i64::from(*int));
            }
            list.end();
        }
        // Godot 3 prints nothing.
        Leaf::Rid(_) if notation != Notation::Godot4 => {}
        Leaf::Rid(0) => page.text("RID()"),
        Leaf::Rid(id) => {
            page.text("RID(");
            page.int(id as i64);
            page.text(")");
        }
        Leaf::ObjectId(id, _) => {
            page.text("Object(EncodedObjectAsID,\"object_id\":");
            page.int(id as i64);
            page.text(",\"script\":null)\n");
        }
        Leaf::Callable => page.text("Callable()"),
        Leaf::Signal(..) => page.text("Signal()"),
        Leaf::Other(value) => write_packed(page, value, notation)?,
        Leaf::ArrayOfPacked(value) => write_packed_as_array(page, value, notation)?,
    }
    Ok(())
}

/// Writes items with commas between them, in parentheses or brackets.
pub(crate) struct List<'p, 's> {
    pub(crate) page: &'p mut Page<'s>,
    close: &'static str,
    first: bool,
}

impl<'p, 's> List<'p, 's> {
    /// Writes the beginning of a constructor, `Vector2(`.
    pub(crate) fn constructor(page: &'p mut Page<'s>, notation: Notation, kind: Kind) -> Self {
        let (open, close) = parentheses(notation);
        page.text(kind.name_in(notation));
        page.text(open);
        List {
            page,
            close,
            first: true,
        }
    }

    /// Writes the beginning of an array, `[`.
    pub(crate) fn array(page: &'p mut Page<'s>, notation: Notation) -> Self {
        let (open, close) = array_brackets(notation);
        page.text(open);
        List {
            page,
            close,
            first: true,
        }
    }

    pub(crate) fn comma(&mut self) {
        if !self.first {
            self.page.text(", ");
        }
        self.first = false;
    }

    pub(crate) fn int(&mut self, int: i64) {
        self.comma();
        self.page.int(int);
    }

    pub(crate) fn number(&mut self, number: &NumberText) {
        self.comma();
        self.page.number(number);
    }

    pub(crate) fn end(self) {
        self.page.text(self.close);
    }
}
