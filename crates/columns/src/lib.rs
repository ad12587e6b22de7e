//! Extracts typed columns from many of Godot's Variant values, by path: a table of a thousand
//! saves, of the records of a log, of the elements of an array.
//!
//! ```
//! use gdvar_columns::{BatchSize, Dialect, PrefixOrder, Query, Row, Table, Values, frames};
//!
//! // store_var({"hp": 80}), store_var({"hp": 60})
//! let log = b"\x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
//!     \x1c\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x3c\0\0\0";
//! let rows = (0..).zip(frames(log, PrefixOrder::Little)).map(|(record, frame)| match frame {
//!     Ok(frame) => Row::value("game.log", record, frame.bytes),
//!     Err(error) => Row::error("game.log", record, error.to_string()),
//! });
//! let query = Query::new().column("hp", "hp")?;
//! let table = Table::read(query, Dialect::GODOT_4, BatchSize::default(), rows);
//! assert_eq!(*table.batches()[0].columns()[0].array().values(), Values::Int64(vec![80, 60]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Query`] says which columns are wanted, by path, and what the rows are.
//! - [`Table`] takes rows and gives [`Batch`]es with types that hold all of the rows.
//! - [`Sample`] finds the types of the columns, and [`Builder`] fills the columns: a table uses both. Use
//!   them to work in several threads ([`Schema::of_parts`]) or in bounded memory ([`types`]).
//! - [`Batch`], [`Column`] and [`Array`] are the buffers, in the layout of Apache Arrow, so its C
//!   Data interface can pass them on without a copy. This crate does not depend on Arrow.
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
//! | an Array of values of one type | `list<…>` of this type |
//! | a pattern, `party[*].level` | `list<…>` of the values that it leads to |
//! | Dictionary, object, RID, Callable, Signal | none: ask for paths inside it |
//!
//! A column has the type that holds the most of its rows, whatever their order and number: ints and
//! floats together are `float64`, and a wide number makes the column wide. Values with nothing in
//! common, such as texts and numbers, do not share a type. A value that the type cannot hold is
//! missing, and the column of errors says why: a text among numbers, an int beyond ±2^53 among
//! floats. A type that was given does not change.
//!
//! # Costs
//!
//! Each value is read in one pass for all paths together. Each pattern takes one more pass over the
//! value to which the pattern's first steps lead. Values that no path leads to are skipped and not
//! validated; [`Builder`] describes the consequences. A damaged value does not end a table: it
//! becomes a row, and the column of errors gives the reason.
//!
//! # For whom
//!
//! This crate is for programs that process many saves as tables in memory.
//! [`gdvar-arrow`](https://docs.rs/gdvar-arrow) makes Arrow's record batches of the tables, and the
//! command `table` writes them to files. The crate has no features.

mod bits;
mod builder;
mod cell;
mod census;
mod column;
mod fill;
mod item;
mod orders;
mod query;
mod row;
mod rows;
mod schema;
mod table;
mod tree;
mod ty;
mod walk;

pub use bits::Bits;
pub use builder::{BatchSize, Builder};
pub use column::{Array, Batch, Column, Values};
pub use gdvar_view::{Dialect, Document, Frame, Frames, PrefixOrder, ReadOptions, frames};
pub use query::{Query, QueryError};
pub use row::{Origin, Row};
pub use schema::{Field, Sample, Schema};
pub use table::{Table, types};
pub use ty::{Number, Scalar, Type};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
