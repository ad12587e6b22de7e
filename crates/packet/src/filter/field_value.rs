//! [`FieldValue`]: a value in the form that filters compare.

use gdvar_view::{Found, Kind, PathTarget};

/// The value of a field, in the form that filters compare.
#[derive(Clone, Copy)]
pub(super) enum FieldValue<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a [u8]),
    /// A value that no literal can be compared with.
    Other,
    /// A method's number, and its name if that is known.
    Method(u16, Option<&'a str>),
}

/// Returns what a path led to, as filters compare it.
pub(super) fn field_value(found: Found<'_>) -> FieldValue<'_> {
    let value = match found {
        Found::Value(value) => value,
        Found::Part(part) => return part_value(part),
    };
    if value.is_nil() {
        FieldValue::Null
    } else if let Some(value) = value.as_bool() {
        FieldValue::Bool(value)
    } else if let Some(value) = value.as_i64() {
        FieldValue::Int(value)
    } else if let Some(value) = value.as_f64() {
        FieldValue::Float(value)
    } else if let Some(text) = value.as_text() {
        FieldValue::Text(text.as_bytes())
    } else {
        FieldValue::Other
    }
}

fn part_value(part: PathTarget<'_>) -> FieldValue<'_> {
    match part {
        PathTarget::Text(text) => FieldValue::Text(text.as_bytes()),
        PathTarget::Int(int) => FieldValue::Int(int),
        PathTarget::Math(math) => match (math.kind(), math.iter().next()) {
            // An int of a vector has 32 bits, which a float holds exactly.
            (Kind::Int, Some(number)) => FieldValue::Int(number as i64),
            (Kind::Float, Some(number)) => FieldValue::Float(number),
            _ => FieldValue::Other,
        },
    }
}
