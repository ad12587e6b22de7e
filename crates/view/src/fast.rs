//! Shortcuts for validation: many texts or numbers in a row.
//!
//! The contract: only the fast loop (`walk/fast_loop.rs`) calls a shortcut, for an array with many elements
//! left, or for a packed array of many strings. A shortcut skips values as long as they are certainly valid,
//! and returns how far it came. It never reports an error, and leaves what it does not recognize to the loop.
//! After failed attempts shortcuts are paused, which bounds the cost of failures. Without shortcuts
//! (`SHORTCUTS` in `options.rs`) nothing changes but speed.
//!
//! - [`text`]: many strings in a row, validated together
//! - [`numbers`]: many numbers in a row
//! - [`policy`]: which shortcut to try, and when to stop trying
//!
//! What each shortcut saves: nanoseconds per value, one by one (in arrays of 100 elements) and with the
//! shortcut (in arrays of 1000). Thread CPU time of a small program with only such arrays:
//!
//! ```text
//! numbers   ints                             1.5   0.4
//! text      short, half of it not ASCII      9.3   4.2
//!           20 to 118 characters             5.3   4.1
//! ```
//!
//! *Rejected:* templates, which skipped a record that resembles an earlier one in a quarter of the time. They
//! made all other records up to a fifth slower, because a record without a match was read twice. Most records
//! in saves have no match.

mod numbers;
mod policy;
mod text;

pub(crate) use policy::{Backoff, MIN_CHILDREN, advance};
pub(crate) use text::run as strings;
