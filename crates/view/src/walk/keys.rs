//! Keys of dictionaries: when two of them are the same key, and how to find equal keys among many.
//!
//! A key may be a container, so comparing keys needs the walk that skips: this module is a layer above it.
//! Strict mode compares keys, so the walk that validates is a layer above this module.
//!
//! - [`equality`]: when two keys are the same key
//! - [`digest`]: hashes of keys
//! - [`log`]: the keys of open dictionaries, to find repeated ones
//! - [`sort_key`]: the form by which keys are sorted and searched

#[cfg(feature = "alloc")]
pub(crate) mod digest;
pub(crate) mod equality;
#[cfg(feature = "alloc")]
pub(crate) mod log;
#[cfg(feature = "alloc")]
pub(crate) mod sort_key;
