//! Godot's own text notation (var_to_str) of Variant values.
