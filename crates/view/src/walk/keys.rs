//! Keys of dictionaries: when two are one key, and how to find equal ones among many.
//!
//! Comparing keys needs a walk, because keys may be containers. Strict mode needs the keys. So keys are above
//! the walk that skips, and below the walk that validates.
//!
//! - [`equality`]: when two keys are one key
//! - [`digest`]: hashes of keys
//! - [`log`]: the keys of open dictionaries, to find repeated ones
//! - [`sort_key`]: what sorted keys are searched by

#[cfg(feature = "alloc")]
pub(crate) mod digest;
pub(crate) mod equality;
#[cfg(feature = "alloc")]
pub(crate) mod log;
#[cfg(feature = "alloc")]
pub(crate) mod sort_key;
