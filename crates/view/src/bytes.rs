//! The lowest layer: decodes the value that begins at a byte. No state is kept here.
//!
//! - [`common`]: kind and size of most values, by one load from the dialect's table
//! - [`head`]: kind and size of every value, with the strict rules and all errors
//! - [`descriptor`]: the element types of a typed Array or Dictionary, between header and count
//! - [`field`]: words and string fields, with bounds checks
//! - [`text`]: where a text ends, and whether an engine reads it
//! - [`utf8`], [`ascii`]: whether bytes are text
//! - [`frames`]: records after their length prefixes
//! - [`layer`]: files that values are packed into, for error messages
//! - [`observer`]: what a walk reports while it runs

pub(crate) mod ascii;
pub(crate) mod common;
pub(crate) mod descriptor;
pub(crate) mod field;
pub(crate) mod frames;
pub(crate) mod head;
mod layer;
pub(crate) mod observer;
#[cfg(all(test, feature = "alloc"))]
pub(crate) mod samples;
pub(crate) mod text;
pub(crate) mod utf8;
