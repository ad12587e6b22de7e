//! Shortcuts for validation: containers whose children are alike.
//!
//! The contract. A shortcut is reached from one place, [`advance`], which the loop over plain values
//! (`walk/validate.rs`) calls where a container with several children begins or goes on. It passes as many
//! children as are certainly in order and says how far it came; it never reports an error. What it does
//! not know it leaves to the loop, at a cost that is bounded by pauses. Compiled out
//! (`--cfg gdvar_plain`) nothing changes but speed.
//!
//! - [`template`]: records that are like one before (W1 of the benchmarks: 2.5 ns a value without, 0.45 with)
//! - [`text`]: many strings in a row, judged at once
//! - [`numbers`]: many numbers in a row
//! - [`alike`]: which of them to try, and when to stop trying
//! - [`ahead`]: memory asked for before it is needed

mod ahead;
mod alike;
mod numbers;
mod template;
mod templates;
mod text;

pub(crate) use alike::{Learned, SEVERAL, advance};
pub(crate) use text::run as strings;
