//! Handles of values: what was found at a place, as a type that can be asked. A handle is `Copy`, borrows
//! the bytes, and never walks over children; the walks give it iterators (`walk/`).
//!
//! - [`variant`]: any value, its scalars and math types
//! - [`string`], [`node_path`], [`packed`]: text, paths, packed arrays
//! - [`reals`]: the components of math types
//! - [`array`], [`dict`], [`object`]: what has children; [`children`]: where those begin
//! - [`element`]: the types that a container names for its children

pub(crate) mod array;
mod children;
pub(crate) mod dict;
pub(crate) mod element;
#[cfg(feature = "bytes")]
pub(crate) mod keep;
pub(crate) mod node_path;
pub(crate) mod object;
pub(crate) mod packed;
#[cfg(feature = "serde")]
mod packed_serde;
pub(crate) mod reals;
pub(crate) mod string;
pub(crate) mod variant;
