//! One value after the other, without recursion.
//!
//! A walk steps from value to value in the order of the bytes. It holds the innermost open container in one
//! word and the containers around it on a stack of such words ([`stack`]), so a million open brackets
//! take no native stack.
//!
//! ```text
//! step:
//!     no child is to come     → go back to the container around this one: End
//!     the next value is plain → text is checked, a container is entered: Value or Begin
//!     it is not               → the careful step: every kind, every option, every error
//! ```
//!
//! Validation and skipping take plain values in a loop of their own, which tells nobody of single values ([`validate`]),
//! in strict mode too. The events of strict mode take careful steps alone.
//!
//! - [`validate`]: the loop over plain values; with shortcuts from `fast/` for long arrays of texts or numbers
//! - [`strict`]: what strict mode asks of plain values
//! - [`steps`]: one careful step for everything else
//! - [`stack`]: the containers that are open
//! - [`events`], [`cursor`]: walks for callers: told everything, or taking values in order
//! - [`skip`]: the end of a value; [`strings`]: the end of many strings
//! - [`children`], [`items`], [`pairs`], [`properties`]: the children of one container
//! - [`lookup`]: the value under a key
//! - [`keys`], [`digest`], [`key_log`], [`repeats`]: keys that are one key

pub(crate) mod children;
pub(crate) mod cursor;
#[cfg(feature = "alloc")]
pub(crate) mod digest;
pub(crate) mod events;
pub(crate) mod items;
#[cfg(feature = "alloc")]
pub(crate) mod key_log;
pub(crate) mod keys;
mod lookup;
pub(crate) mod pairs;
pub(crate) mod properties;
#[cfg(feature = "alloc")]
pub(crate) mod repeats;
pub(crate) mod skip;
pub(crate) mod stack;
pub(crate) mod steps;
pub(crate) mod strict;
mod strings;
pub(crate) mod validate;
