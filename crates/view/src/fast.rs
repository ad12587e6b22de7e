//! Shortcuts for validation: texts or numbers in a row.
//!
//! The contract. A shortcut is reached from the loop over plain values (`walk/validate.rs`) alone, which calls it where
//! an array of many elements begins or goes on, or a packed array of many strings. It passes as many values as are
//! certainly valid and says how far it came; it never reports an error. What it does not know it leaves to
//! the loop, at a cost that is bounded by pauses. Compiled out (`SHORTCUTS` in `options.rs`) nothing changes but speed.
//!
//! - [`text`]: many strings in a row, judged at once
//! - [`numbers`]: many numbers in a row
//! - [`alike`]: which of them to try, and when to stop trying
//!
//! Each earns its lines, in ns a value one by one (arrays of 100) and in a row (arrays of 1 000), thread CPU time of a
//! small program with nothing but these arrays:
//!
//! ```text
//! numbers   ints                             1.5   0.4
//! text      short, half of it not ASCII      9.3   4.2
//!           20 to 118 characters             5.3   4.1
//! ```
//!
//! Rejected: templates, which passed records that are like one before in a quarter of the time. They made all others
//! slower, by up to a fifth: a record that matches nothing was looked at twice. Saves are mostly such records.

mod alike;
mod numbers;
mod text;

pub(crate) use alike::{Looks, MANY, advance};
pub(crate) use text::run as strings;
