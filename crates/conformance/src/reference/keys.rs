//! When two keys are one (§6, "Equal keys").

use gdvar::{Dialect, Kind};

use super::{Component, Value};

/// Returns `true` if the engine takes two keys of a dictionary for the same.
pub(super) fn are_equal(a: &Value, b: &Value, dialect: Dialect) -> bool {
    let is_text = |value: &Value| matches!(value, Value::Text(..));
    if is_text(a) && is_text(b) && dialect == Dialect::GODOT_4 {
        return same_text(a, b);
    }
    same(a, b, dialect, Nan::EqualsNan)
}

/// The equality of a NaN.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nan {
    EqualsNan,
    /// "A NaN inside an array makes it equal to nothing."
    EqualsNothing,
}

fn same_text(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(_, a), Value::Text(_, b)) => a == b,
        _ => false,
    }
}

fn same(a: &Value, b: &Value, dialect: Dialect, nan: Nan) -> bool {
    let inside = |a: &Value, b: &Value| {
        let is_text = matches!((a, b), (Value::Text(..), Value::Text(..)));
        if is_text && dialect == Dialect::GODOT_4 {
            return same_text(a, b);
        }
        same(a, b, dialect, Nan::EqualsNothing)
    };
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => {
            number(Component::Double(*a), Component::Double(*b), nan)
        }
        (Value::Math(a, a_all), Value::Math(b, b_all))
        | (Value::Packed(a, _, a_all), Value::Packed(b, _, b_all)) => {
            let mut pairs = a_all.iter().zip(b_all);
            a == b && a_all.len() == b_all.len() && pairs.all(|(a, b)| number(*a, *b, nan))
        }
        (Value::Array(a, _, a_items), Value::Array(b, _, b_items)) => {
            let mut pairs = a_items.iter().zip(b_items);
            a == b && a_items.len() == b_items.len() && pairs.all(|(a, b)| inside(a, b))
        }
        (Value::Dictionary(.., a), Value::Dictionary(.., b)) => {
            dialect != Dialect::GODOT_3
                && a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| inside(&a.0, &b.0) && inside(&a.1, &b.1))
        }
        (Value::ObjectId(_) | Value::Object(..), _)
        | (_, Value::ObjectId(_) | Value::Object(..)) => false,
        (a, b) => a.kind() == b.kind() && a.kind() != Kind::Object && a == b,
    }
}

fn number(a: Component, b: Component, nan: Nan) -> bool {
    let float = |number| match number {
        Component::Single(bits) => Some(f64::from(f32::from_bits(bits))),
        Component::Double(bits) => Some(f64::from_bits(bits)),
        Component::Int(_) | Component::Long(_) => None,
    };
    match (float(a), float(b)) {
        (Some(a), Some(b)) => a == b || nan == Nan::EqualsNan && a.is_nan() && b.is_nan(),
        _ => a == b,
    }
}
