//! Values through serde and its formats.

mod format_serde;
mod formats;
mod forms;
mod interop;
mod limits;
mod mapping;
mod property;
mod sinks;
mod vectors;
