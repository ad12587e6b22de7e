//! Reads and writes the Godot engine's binary Variant format outside the engine.

pub use gdvar_view::*;
pub use gdvar_wire::{narrow, widen};
pub use gdvar_write as write;
