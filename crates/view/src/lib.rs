//! Zero-copy reader of Godot's Variant wire format.
