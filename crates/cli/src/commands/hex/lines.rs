//! Prints fields as lines of JSON.

use gdvar_view::{Dialect, VariantRef, WireField};

use crate::show::{field_meanings, rows, value};

/// Returns the line for a field of a value.
pub(crate) fn field(
    record: u64,
    offset: usize,
    field: WireField,
    bytes: &[u8],
    of: Option<VariantRef<'_>>,
    path: &str,
    dialect: Dialect,
) -> Vec<u8> {
    let mut members = start(record, offset, bytes, &field.to_string());
    members.push(("path", value::string(path)));
    if let Some(of) = of {
        members.push(("type", value::string(of.kind().name())));
    }
    let text = field_meanings::of(field, bytes, of, dialect);
    members.push(("text", value::string(&text)));
    rows::object(&members)
}

/// Returns the line for bytes that belong to no value.
pub(crate) fn bare(record: u64, offset: usize, bytes: &[u8], name: &str, text: &str) -> Vec<u8> {
    let mut members = start(record, offset, bytes, name);
    members.push(("text", value::string(text)));
    rows::object(&members)
}

fn start(record: u64, offset: usize, bytes: &[u8], name: &str) -> Vec<(&'static str, Vec<u8>)> {
    let hex = data_encoding::HEXLOWER.encode(bytes);
    vec![
        ("record", record.to_string().into_bytes()),
        ("offset", offset.to_string().into_bytes()),
        ("bytes", value::string(&hex)),
        ("field", value::string(name)),
    ]
}
