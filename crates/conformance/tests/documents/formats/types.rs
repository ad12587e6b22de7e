//! The types of a dialect, with what the descriptions for Kaitai Struct and ImHex need.

use gdvar::{Dialect, Kind};
use gdvar_wire::{
    TypeId,
    layout::{Number, numbers},
};

/// A type of a dialect.
pub(super) struct Type {
    pub(super) id: u8,
    pub(super) kind: Kind,
    /// `packed_vector2_array`: the name of the kind for programs.
    pub(super) name: String,
    pub(super) payload: Payload,
}

/// What follows the header.
pub(super) enum Payload {
    /// Nothing.
    Empty,
    /// Numbers, with their names.
    Numbers(Number, &'static [&'static str]),
    /// A count, then elements of these numbers.
    Packed(Number, &'static [&'static str]),
    /// Described by hand, under the name of the type.
    Own,
}

/// The types in the order of their numbers.
pub(super) fn of(dialect: Dialect) -> Vec<Type> {
    (0..dialect.type_count())
        .map(|id| {
            let kind = dialect.kind(TypeId(id)).expect("below the count");
            let is_empty = dialect.fixed_payload(TypeId(id), false) == Some(0);
            let payload = match numbers(kind) {
                Some((number, names)) if kind.is_packed() => Payload::Packed(number, names),
                Some((number, names)) => Payload::Numbers(number, names),
                None if is_empty => Payload::Empty,
                None => Payload::Own,
            };
            Type {
                id,
                kind,
                name: snake(kind.name()),
                payload,
            }
        })
        .collect()
}

/// Whether numbers of a kind may be wide, so that the header decides their size.
pub(super) fn may_be_wide(dialect: Dialect, kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Float) || dialect.has_wide_math() && kind.has_reals()
}

/// `PackedVector2Array` becomes `packed_vector2_array`, `AABB` becomes `aabb`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && was_small {
            out.push('_');
        }
        was_small = !c.is_ascii_uppercase();
        out.push(c.to_ascii_lowercase());
    }
    // A 2D or 3D transform, not a 2 D one; and names that the tools keep for themselves.
    match out.replace("2_d", "2d").replace("3_d", "3d").as_str() {
        "bool" | "int" | "float" | "string" | "array" | "object" => format!("godot_{out}"),
        name => name.to_owned(),
    }
}

/// The name of a field: `position.x` becomes `position_x`, and a single number `value`.
pub(super) fn field(name: &str) -> String {
    if name.is_empty() {
        return "value".to_owned();
    }
    name.replace('.', "_")
}
