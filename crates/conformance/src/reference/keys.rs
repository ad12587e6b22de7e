//! Decides when two keys are equal (docs/FORMAT.md §6, "Equal keys").

use gdvar::{Dialect, Kind};

use super::{Component, Value};

/// Returns `true` if the engine considers two keys of a dictionary equal.
pub(super) fn are_equal(a: &Value, b: &Value, dialect: Dialect) -> bool {
    same(a, b, dialect, Place::Key)
}

/// The position of two values that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// As keys, either of the dictionary itself or of one inside its keys.
    Key,
    /// Inside a key, as an element or a value.
    Inside,
}

fn same(a: &Value, b: &Value, dialect: Dialect, place: Place) -> bool {
    match (a, b) {
        (Value::Text(a_kind, a), Value::Text(b_kind, b)) => {
            let one_kind = dialect == Dialect::GODOT_4 && place == Place::Key;
            (one_kind || a_kind == b_kind) && a == b
        }
        (Value::Float(a), Value::Float(b)) => {
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            let nan_is_nan = place == Place::Key || dialect == Dialect::GODOT_3;
            a == b || nan_is_nan && a.is_nan() && b.is_nan()
        }
        (Value::Math(a, a_all), Value::Math(b, b_all)) => {
            a == b && a_all.len() == b_all.len() && every(a_all, b_all, number)
        }
        (Value::Packed(a, _, a_all), Value::Packed(b, _, b_all)) => {
            // §4.2: Godot 3 compares the bits of reals and never finds a NaN again.
            let by_bits = dialect == Dialect::GODOT_3 && *a == Kind::PackedFloat32Array;
            let number = if by_bits { bits } else { number };
            a == b && a_all.len() == b_all.len() && every(a_all, b_all, number)
        }
        (Value::Array(a, _, a_items), Value::Array(b, _, b_items)) => {
            let mut pairs = a_items.iter().zip(b_items);
            a == b
                && a_items.len() == b_items.len()
                && pairs.all(|(a, b)| same(a, b, dialect, Place::Inside))
        }
        (Value::Dictionary(.., a), Value::Dictionary(.., b)) => {
            let mut pairs = a.iter().zip(b);
            dialect != Dialect::GODOT_3
                && a.len() == b.len()
                && pairs.all(|(a, b)| {
                    same(&a.0, &b.0, dialect, Place::Key)
                        && same(&a.1, &b.1, dialect, Place::Inside)
                })
        }
        (Value::ObjectId(_) | Value::Object(..), _)
        | (_, Value::ObjectId(_) | Value::Object(..)) => false,
        (a, b) => a.kind() == b.kind() && a.kind() != Kind::Object && a == b,
    }
}

fn every(a: &[Component], b: &[Component], equal: impl Fn(Component, Component) -> bool) -> bool {
    a.iter().zip(b).all(|(a, b)| equal(*a, *b))
}

fn real(number: Component) -> Option<f64> {
    match number {
        Component::Single(bits) => Some(f64::from(f32::from_bits(bits))),
        Component::Double(bits) => Some(f64::from_bits(bits)),
        Component::Int(_) | Component::Long(_) => None,
    }
}

/// A NaN of a vector or a packed array equals another NaN, wherever it is.
fn number(a: Component, b: Component) -> bool {
    match (real(a), real(b)) {
        (Some(a), Some(b)) => a == b || a.is_nan() && b.is_nan(),
        _ => a == b,
    }
}

fn bits(a: Component, b: Component) -> bool {
    a == b && real(a).is_none_or(|real| !real.is_nan())
}
