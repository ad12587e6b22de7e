//! One value after the other, without recursion.
//!
//! - [`validate`]: the loop over plain values; with shortcuts from `fast/` where children are alike
//! - [`steps`]: one careful step for everything else, strict mode included
//! - [`stack`]: the containers that are open
//! - [`events`], [`cursor`]: walks for callers: told everything, or taking values in order
//! - [`skip`]: where a value ends
//! - [`children`], [`items`], [`pairs`], [`properties`]: the children of one container
//! - [`keys`], [`digest`], [`repeats`]: which keys are one key

pub(crate) mod children;
pub(crate) mod cursor;
#[cfg(feature = "alloc")]
pub(crate) mod digest;
pub(crate) mod events;
pub(crate) mod items;
pub(crate) mod keys;
pub(crate) mod pairs;
pub(crate) mod properties;
#[cfg(feature = "alloc")]
pub(crate) mod repeats;
pub(crate) mod skip;
pub(crate) mod stack;
pub(crate) mod steps;
pub(crate) mod validate;
