//! Godot's own text notation (var_to_str) of Variant values.

mod grisu;
mod notation;
mod number;

pub use crate::notation::Notation;
pub use crate::number::{NumberText, float_text, int_text, real_text};
