//! The names that each engine gives to things.

use gdvar_view::Kind;
use gdvar_wire::Notation;

/// The text before and after the items of an array literal.
pub(crate) const fn array_brackets(notation: Notation) -> (&'static str, &'static str) {
    match notation {
        Notation::Godot4 => ("[", "]"),
        Notation::Godot3_6 | Notation::Godot3_2 => ("[ ", " ]"),
    }
}

/// The text before and after the components of a vector or the elements of a packed array.
pub(crate) const fn parentheses(notation: Notation) -> (&'static str, &'static str) {
    match notation {
        Notation::Godot4 => ("(", ")"),
        Notation::Godot3_6 | Notation::Godot3_2 => ("( ", " )"),
    }
}

/// The name of a kind as the type of a container's elements: `Array[int]`.
pub(crate) const fn type_name(notation: Notation, kind: Kind) -> &'static str {
    match kind {
        Kind::Nil => "Variant",
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        _ => kind.name_in(notation),
    }
}
