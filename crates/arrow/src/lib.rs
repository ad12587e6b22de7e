#![doc = include_str!("../README.md")]
//! # Types
//!
//! | `gdvar_columns` | Arrow |
//! |---|---|
//! | `bool`, `int32`, `int64`, `float32`, `float64` | `Boolean`, `Int32`, `Int64`, `Float32`, `Float64` |
//! | `text`, `binary` | `Utf8`, `Binary` |
//! | `float32[3]`, `int32[2]` …: vectors, matrices, boxes, colours | `FixedSizeList(item: Float32 not null, 3)`, numbers in stream order |
//! | `list<int64>` …: packed arrays, arrays of one type, patterns | `List(item: Int64)` |
//! | `null` | `Null` |

mod convert;
mod reader;

pub use convert::{data_type, record_batch, schema};
pub use gdvar_columns::{
    BatchSize, Dialect, Query, QueryError, ReadOptions, Row, Sample, Schema, types,
};
pub use reader::Reader;
