//! Streaming writer of Godot's Variant wire format.
