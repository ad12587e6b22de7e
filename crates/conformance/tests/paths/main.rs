//! Paths to values, and the keys in them.

mod key_types;
mod path_keys;
mod paths;
mod patterns;
mod properties;
