//! Typed columns out of many of Godot's Variant values by path: a table of a thousand saves, of the records of a
//! log, of the elements of an array.
//!
//! ```
//! use gdvar_columns::{Dialect, Origin, PrefixOrder, Query, Table, Values, frames};
//!
//! // store_var({"hp": 80}), store_var({"hp": 60})
//! let log = b"\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
//!     \x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x3c\0\0\0";
//! let mut table = Table::new(Query::new().column("hp", "hp")?, Dialect::GODOT_4);
//! for (record, frame) in frames(log, PrefixOrder::Little).enumerate() {
//!     table.push(Origin { file: "game.log", record: record as u64 }, frame?.bytes);
//! }
//! let batch = table.finish().expect("two rows");
//! assert_eq!(*batch.columns()[0].array().values(), Values::Int64(vec![80, 60]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Query`] says which columns are wanted, by path, and what the rows are.
//! - [`Table`] takes values and gives [`Batch`]es; the first values decide the types.
//! - [`Sample`] and [`Builder`] are the two halves of a table, for those who sample once and build in several
//!   threads.
//! - [`Batch`], [`Column`], [`Array`] are the buffers, in the layout of Apache Arrow: the C Data interface hands them on
//!   without a copy. This crate does not depend on Arrow.
//!
//! # Types
//!
//! | value | column |
//! |---|---|
//! | bool, int, float | `bool`, `int64`, `float64` |
//! | String, StringName, NodePath | `text` |
//! | PackedByteArray | `binary` |
//! | Vector2 … Projection, Color | `float32[n]`, `float64[n]` from double-precision engines, `int32[n]`; numbers in stream order |
//! | packed arrays | `list<int32>`, `list<float32[2]>`, `list<text>` and so on |
//! | an Array of values of one type | `list<…>` of it |
//! | a pattern, `party[*].level` | `list<…>` of what it leads to |
//! | Dictionary, object, RID, Callable, Signal | none: ask for paths in it |
//!
//! # Costs
//!
//! One pass over each value for all paths together, and one more for each pattern over what its first steps lead to.
//! Values that no path leads to are skipped and not validated: [`Builder`] says what that means. Damage never ends a
//! table, it is a row with its reason.

mod bits;
mod builder;
mod cell;
mod column;
mod fill;
mod orders;
mod query;
mod rows;
mod schema;
mod table;
mod tree;
mod ty;
mod walk;

pub use bits::Bits;
pub use builder::{BatchSize, Builder, Origin};
pub use column::{Array, Batch, Column, Values};
pub use gdvar_view::{Dialect, Document, Frame, Frames, PrefixOrder, ReadOptions, frames};
pub use query::{Query, QueryError};
pub use schema::{Field, Sample, Schema};
pub use table::Table;
pub use ty::{Number, Scalar, Type};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
