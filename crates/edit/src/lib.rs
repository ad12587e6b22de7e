//! Changes, compares, merges and rescues Godot's Variant values without decoding them.
//!
//! A container carries a count and no length ([`docs/FORMAT.md` §4]). To replace a value it is enough to
//! splice: the bytes before it, the new bytes, the bytes after it. Where a child is added or removed, the
//! container's count changes as well.
//!
//! | you want to | use | memory |
//! |---|---|---|
//! | change, add, remove, rename or move values | [`Edit`], by path; then [`Plan`] | grows with the edits |
//! | give a value that a person typed the type that its place needs | [`fit`], before the edit | the value |
//! | know in which values two values differ | [`diff()`], an iterator | children of the containers that differ |
//! | store, send and apply the differences | [`Patch`], also as text | the differences |
//! | combine the changes of two sides | [`merge()`] | the differences |
//! | save what is left of a damaged value or file | [`recover()`], [`recover_records`] | grows with the depth |
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
//! No input causes a panic, nothing recurses, and no count in the bytes reserves memory. Values are read with
//! the options of their [`Document`]: dialect, mode, depth limit and policy on objects.
//!
//! # For whom, and what it costs
//!
//! For editors, migrations and tools that must not disturb what they do not know. Planning an edit
//! walks the value once; writing the result copies it once. You supply the bytes of new values:
//! [`gdvar-text`](https://docs.rs/gdvar-text) and [`gdvar-write`](https://docs.rs/gdvar-write) make
//! them, and `gdvar::edit` takes a `Variant`. Files with layers around the value are for
//! [`gdvar-file`](https://docs.rs/gdvar-file). The crate has no features.
//!
//! [`docs/FORMAT.md` §4]:
//! https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#4-containers-and-reference-types

mod check;
mod container;
mod diff;
mod edit;
mod error;
pub mod fit;
mod key;
mod lookup;
mod merge;
mod number;
mod packed_texts;
mod part;
mod patch;
mod path_builder;
mod place;
mod plan;
mod reals;
mod recover;
mod repack;
mod resolve;
mod whole_number;

pub use diff::{Change, Diff, DiffOptions, Difference, diff};
pub use edit::{Edit, NewValue};
pub use error::{EditErrorKind, Error};
#[doc(no_inline)]
pub use gdvar_view::{Dialect, Document, Error as ReadError, PrefixOrder};
pub use merge::{Conflict, MergeError, Merged, merge};
pub use patch::{Patch, PatchError};
pub use place::{Place, places};
pub use plan::{Plan, Splice};
pub use recover::{
    Lost, Mangling, Recovered, RecoveredRecords, Rescued, Segment, Undone, recover,
    recover_records, undo,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
