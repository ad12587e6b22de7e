//! The ground floor: bytes, and the decision which value begins at one. Nothing is remembered here.
//!
//! - [`plain`]: the size and form of most values, by one look into the dialect's table
//! - [`head`]: any value, with its padding, the flags of a NodePath, strict rules and errors
//! - [`descriptor`]: the header of a typed Array or Dictionary: the element types before the count
//! - [`text`]: the end of a text, and whether an engine reads it
//! - [`utf8`], [`ascii`]: is it text? The fast way first
//! - [`frames`]: records behind their lengths
//! - [`layer`]: files that values are packed into, for the message
//! - [`marks`]: what a walk tells of the places it comes by

pub(crate) mod ascii;
pub(crate) mod descriptor;
pub(crate) mod frames;
pub(crate) mod head;
mod layer;
pub(crate) mod marks;
pub(crate) mod plain;
#[cfg(all(test, feature = "alloc"))]
pub(crate) mod samples;
pub(crate) mod text;
pub(crate) mod utf8;
