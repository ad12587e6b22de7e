//! The ground floor: bytes, and the decision which value begins at one. Nothing is remembered here.
//!
//! - [`plain`]: what most values are, decided by one look into the dialect's table
//! - [`head`]: what any value is, strict rules and errors included
//! - [`descriptor`]: the element types between header and count of a typed container
//! - [`text`]: where a text ends and whether an engine reads it
//! - [`utf8`], [`ascii`], [`short`]: whether bytes are text, the fast way first
//! - [`frames`]: records behind their lengths
//! - [`marks`]: what a walk tells of the places it comes by

pub(crate) mod ascii;
pub(crate) mod descriptor;
pub(crate) mod frames;
pub(crate) mod head;
pub(crate) mod marks;
pub(crate) mod plain;
#[cfg(all(test, feature = "alloc"))]
pub(crate) mod samples;
mod short;
pub(crate) mod text;
pub(crate) mod utf8;
