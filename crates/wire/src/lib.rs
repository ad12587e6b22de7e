//! What the bytes of Godot's Variant wire format mean: headers, types, dialects, layouts, limits.
