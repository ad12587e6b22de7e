//! Values as types of the caller's own.
//!
//! - [`from_variant`]: one value as one Rust type
//! - [`mismatch`]: why a value is not of the type that was asked for
//! - [`record`]: a Dictionary of known keys as a struct
//! - [`path`], [`find`], [`part`]: from a path to a value or a part of one
//! - [`pattern`], [`select`]: from a pattern to all values at paths like it
//! - [`locate`], [`levels`]: from a byte to its path
//! - [`checked`]: values that were validated, read without `Result`

pub(crate) mod checked;
pub(crate) mod find;
pub(crate) mod from_variant;
pub(crate) mod levels;
pub(crate) mod locate;
pub(crate) mod mismatch;
pub(crate) mod part;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod record;
pub(crate) mod select;
