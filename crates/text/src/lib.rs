//! Godot's own text notation of Variant values: what `var_to_str` of Godot 4 and `var2str` of
//! Godot 3 print, character for character, and a one-line form of it for people.

mod coerce;
mod dict;
mod engine;
mod error;
mod grisu;
mod leaf;
mod line;
mod notation;
mod number;
mod order;
mod outline;
mod packed;
mod shown;
mod sink;
mod sort;
mod string;

pub use crate::engine::{Godot, write_godot};
pub use crate::error::TextError;
pub use crate::line::{LineOptions, write_line};
pub use crate::notation::Notation;
pub use crate::number::{NumberText, float_text, int_text, real_text};
pub use crate::sink::{Bytes, Sink};
