//! Godot's Variant values changed, compared, merged and rescued, without decoding them.
//!
//! Containers carry a count and no length (`docs/FORMAT.md` §4), so a value is replaced by a splice: the bytes
//! before it, the new ones, the bytes behind, and where a child is added or removed another count.
//!
//! | wanted | use | memory |
//! |---|---|---|
//! | change values, add, remove, rename, move them | [`Edit`], by path; then [`Plan`] | grows with the edits |
//! | give a value typed by a person the type of its place | [`fit`], before the edit | the value |
//! | in which values do two values differ? | [`diff()`], an iterator | children of the containers that differ |
//! | keep, send and make the differences again | [`Patch`], also as text | the differences |
//! | bring together what two sides changed | [`merge()`] | the differences |
//! | what is left of a damaged value or file? | [`recover()`], [`recover_records`] | grows with the depth |
//!
//! ```
//! use gdvar_edit::{Dialect, Document, Edit};
//!
//! // {"hp": 80}
//! let save = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
//! let mut edit = Edit::new(Document::new(save, Dialect::GODOT_4));
//! edit.set("hp", b"\x02\0\0\0\xe7\x03\0\0"); // 999
//! let plan = edit.plan()?;
//! assert!(plan.keeps_length());
//! assert_eq!(plan.to_vec()[..24], save[..24]);
//! # Ok::<(), gdvar_edit::Error>(())
//! ```
//!
//! No input makes it panic, there is no recursion, and no count in the bytes buys memory. Values are read with the
//! options of their [`Document`]: dialect, mode, depth and policy on objects.

mod check;
mod container;
mod diff;
mod edit;
mod error;
pub mod fit;
mod key;
mod merge;
mod part;
mod patch;
mod plan;
mod recover;
mod resolve;
mod trail;

pub use diff::{Change, Diff, DiffOptions, Difference, diff};
pub use edit::Edit;
pub use error::{EditErrorKind, Error};
#[doc(no_inline)]
pub use gdvar_view::{Dialect, Document, Error as ReadError, PrefixOrder};
pub use merge::{Conflict, MergeError, Merged, merge};
pub use patch::{Patch, PatchError};
pub use plan::{Plan, Splice};
pub use recover::{
    Lost, Mangling, Recovered, RecoveredRecords, Rescued, Segment, Undone, recover,
    recover_records, undo,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
