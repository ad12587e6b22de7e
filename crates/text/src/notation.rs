//! The brackets and the type names that differ between the engines' notations.

use gdvar_view::Kind;
use gdvar_wire::Notation;

/// Returns the text before and after the items of an array literal.
pub(crate) const fn array_brackets(notation: Notation) -> (&'static str, &'static str) {
    match notation {
        Notation::Godot4 => ("[", "]"),
        Notation::Godot3_6 | Notation::Godot3_2 => ("[ ", " ]"),
    }
}

/// Returns the text before and after the components of a vector or the elements of a packed array.
pub(crate) const fn parentheses(notation: Notation) -> (&'static str, &'static str) {
    match notation {
        Notation::Godot4 => ("(", ")"),
        Notation::Godot3_6 | Notation::Godot3_2 => ("( ", " )"),
    }
}

/// Returns the name of a kind as an element type, as in `Array[int]`.
pub(crate) const fn type_name(notation: Notation, kind: Kind) -> &'static str {
    match kind {
        Kind::Nil => "Variant",
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        _ => kind.name_in(notation),
    }
}
