//! Godot's own notation and JSON.

mod errors;
mod json;
mod numbers;
mod parse;
