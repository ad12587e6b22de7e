//! Handles of values in the bytes. A handle is `Copy`, borrows the bytes, and has methods for everything that
//! costs O(1). Iterators over children, and the methods that need them, are in `walk/`.
//!
//! - [`variant`]: any value, its scalars and math types
//! - [`string`], [`node_path`], [`packed`]: text, node paths, packed arrays
//! - [`real`], [`reals`]: components of either width, and the components of math types
//! - [`array`], [`dict`], [`object`]: containers; [`children`]: where their children start
//! - [`element`]: the types that a typed container declares
//! - [`packed_serde`]: packed arrays through serde; [`keep`]: parts of a packet kept alive

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
pub(crate) mod real;
pub(crate) mod reals;
pub(crate) mod string;
pub(crate) mod variant;
