//! Reads and writes the Godot engine's binary Variant format outside the engine.
