//! Walks: reading one value after the other, without recursion.
//!
//! A walk goes from value to value in the order of the bytes. Each open container is one word, and all but the
//! innermost are on a stack of words ([`stack`]). So a million open containers take no native stack.
//!
//! ```text
//! step:
//!     no child is left         → go back to the outer container: End
//!     the next value is common → check its text, or enter the container: Value or Begin
//!     it is not common         → checked step: every kind, every option, every error
//! ```
//!
//! Validation, skipping and look-ups run the fast loop ([`fast_loop`]) over common values instead of one step
//! per value, in strict mode too. The events of strict mode come from checked steps only.
//!
//! The modules in layers, the lowest first. A module imports only what is below it (`tests/house.rs` checks
//! this):
//!
//! - [`event`]: what a walk reports
//! - [`stack`]: open containers, and the stack of them; [`checks`]: what the fast loop checks in each value
//! - [`steps`]: the walk, by fast and by checked steps; [`small`]: small values without a walk
//! - [`skip`]: the end of a value; [`strings`]: the end of its strings
//! - [`keys`]: when two keys are the same key, and how to find repeated ones
//! - [`strict`]: what strict mode checks; [`validate`]: validation in both modes
//! - [`events`], [`cursor`]: walks for callers: all events, or values taken in order
//! - [`children`], [`items`], [`pairs`], [`properties`], [`walked`]: the children of one container
//! - [`lookup`]: the value of a key; [`repeats`], `distinct`: repeated keys

pub(crate) mod checks;
pub(crate) mod children;
pub(crate) mod cursor;
#[cfg(feature = "alloc")]
mod distinct;
pub(crate) mod event;
pub(crate) mod events;
mod fast_loop;
pub(crate) mod items;
pub(crate) mod keys;
pub(crate) mod lookup;
pub(crate) mod pairs;
pub(crate) mod properties;
#[cfg(feature = "alloc")]
pub(crate) mod repeats;
pub(crate) mod skip;
mod small;
mod stack;
pub(crate) mod steps;
mod strict;
mod strings;
pub(crate) mod validate;
pub(crate) mod walked;
