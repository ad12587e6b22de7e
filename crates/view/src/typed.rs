//! Values read into Rust types.
//!
//! - [`from_variant`]: one value as one Rust type
//! - [`record`]: a Dictionary with known keys as a struct
//! - [`mismatch`]: the error if a value does not fit the type

pub(crate) mod from_variant;
pub(crate) mod mismatch;
pub(crate) mod record;
