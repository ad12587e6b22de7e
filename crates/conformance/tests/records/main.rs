//! Values read into structs.

mod record;
mod record_fields;
mod schema;
