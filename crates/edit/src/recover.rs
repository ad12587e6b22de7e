//! Rescue: keeps every part of damaged bytes that can be proved to be right.
//!
//! [`recover()`] takes one value, [`recover_records`] a file of records, and [`undo`] a file that a program
//! converted as if it were text.
//!
//! Bytes are never kept just because they look like a value. There must be a proof: a length, a count, or a
//! key whose value ends where the next key begins.

mod alike;
mod before;
mod borders;
mod children;
mod counts;
mod cut;
mod ending;
mod explain;
mod level;
mod list;
mod records;
mod recovered;
mod rescue;
mod search;
mod trailing;
mod undo;
mod validity;
mod value;
mod walk;

pub use records::{RecoveredRecords, Rescued, Segment, recover_records};
pub use recovered::{Lost, Recovered};
pub use undo::{Mangling, Undone, undo};
pub use value::recover;
