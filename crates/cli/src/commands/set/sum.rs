//! `gold+=50`: adds to a number, or subtracts from it.

use gdvar_edit::Place;
use gdvar_view::{Document, Found, Kind, Numbers, PathTarget, Pattern, VariantRef};

use crate::save::change::Refusal;

/// Whether the amount is added or subtracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// A number that can be added to another.
#[derive(Clone, Copy, Debug)]
enum Amount {
    Int(i64),
    Float(f64),
}

/// Splits `PATH+=AMOUNT` or `PATH-=AMOUNT`. This is unambiguous, because no path ends with a sign.
pub(crate) fn split(text: &str) -> Option<(&str, Sign, &str)> {
    let at = text.find('=')?;
    let (path, amount) = (&text[..at], &text[at + 1..]);
    let (path, sign) = match path.strip_suffix('+') {
        Some(path) => (path, Sign::Plus),
        None => (path.strip_suffix('-')?, Sign::Minus),
    };
    let path = path.trim_ascii();
    let is_path = !path.is_empty() && Pattern::parse(path).is_ok();
    is_path.then_some((path, sign, amount))
}

/// Adds `amount`, the bytes of a value, to the number at `place`. Returns the sum as a text in Godot's notation. The
/// sum of ints is an int.
///
/// # Errors
/// Fails if `amount` or the value at `place` is not a number, a float is added to an int, or the sum does not fit.
pub(crate) fn of(
    place: Place<'_>,
    path: &str,
    sign: Sign,
    amount: &[u8],
) -> Result<String, Refusal> {
    let old = place.found();
    let old = old.ok_or_else(|| Refusal::from(format!("{path}: there is no such value")))?;
    let old = number(old).ok_or_else(|| format!("{path}: not a number that can be added to"))?;
    let amount = Document::with_options(amount, place.owner().options()).root();
    let amount = amount.ok().and_then(|amount| number(Found::Value(amount)));
    let amount = amount.ok_or_else(|| format!("{path}: only a number can be added"))?;
    let sum = match (old, amount) {
        (Amount::Int(old), Amount::Int(amount)) => {
            let sum = match sign {
                Sign::Plus => old.checked_add(amount),
                Sign::Minus => old.checked_sub(amount),
            };
            return sum
                .map(|sum| sum.to_string())
                .ok_or_else(|| format!("{path}: the sum is beyond the ints of 64 bits").into());
        }
        (Amount::Int(_), Amount::Float(_)) => {
            return Err(format!("{path}: is an int, and the amount is a float").into());
        }
        (Amount::Float(old), amount) => {
            let amount = match amount {
                Amount::Int(int) => int as f64,
                Amount::Float(float) => float,
            };
            match sign {
                Sign::Plus => old + amount,
                Sign::Minus => old - amount,
            }
        }
    };
    if !sum.is_finite() {
        return Err(format!("{path}: the sum is not a finite number").into());
    }
    Ok(format!("{sum:?}"))
}

fn number(found: Found<'_>) -> Option<Amount> {
    let float = |kind, first: f64| (kind == Kind::Float).then_some(Amount::Float(first));
    match found {
        Found::Value(value) => value.as_i64().map(Amount::Int).or_else(|| real(value)),
        Found::Part(PathTarget::Int(int)) => Some(Amount::Int(int)),
        Found::Part(PathTarget::Math(math)) => match math.numbers() {
            Numbers::Ints([first, ..]) if math.kind() == Kind::Int => {
                Some(Amount::Int(i64::from(*first)))
            }
            Numbers::Singles(all) => float(math.kind(), all[0].into()),
            Numbers::Doubles(all) => float(math.kind(), all[0]),
            Numbers::Ints(_) => None,
        },
        _ => None,
    }
}

fn real(value: VariantRef<'_>) -> Option<Amount> {
    { value.as_f64() }
        .filter(|_| value.kind() == Kind::Float)
        .map(Amount::Float)
}
