//! Values that encoders do not write or people do not store: a sign of the wrong dialect.

use crate::{
    detect::trial::{DialectTrial, FIRST_BYTES},
    document::Document,
    error::{Error, ErrorKind},
    options::ReadOptions,
    value::{packed::Packed, real::Real, reals, variant::VariantRef},
    walk::event::Event,
};

/// The most values checked of one record, and the most elements of a packed array.
const CHECKED_VALUES: usize = 256;

/// True if the value in the first `end` bytes is implausible. [`Detection`](super::Detection) lists the
/// reasons.
pub(super) fn is_implausible(bytes: &[u8], end: usize, trial: &DialectTrial) -> bool {
    let value = bytes.get(..end).unwrap_or_default();
    let strict = ReadOptions::any_release(trial.options.dialect());
    // A walk over a long value would cost too much; its first values are checked below.
    if value.len() <= FIRST_BYTES {
        match Document::with_options(value, strict)
            .validate()
            .map_err(Error::kind)
        {
            // Encoders other than the engine may write a value longer than necessary.
            Ok(_) | Err(ErrorKind::NonCanonical(_)) => {}
            Err(_) => return true,
        }
    }
    let after = bytes.get(end..).unwrap_or_default();
    if end == 4 && after.iter().any(|&byte| byte != 0) {
        return true;
    }
    let mut events = trial.document(bytes).events();
    for _ in 0..CHECKED_VALUES {
        match events.try_next() {
            Ok(Some(Event::Value(value))) if is_implausible_leaf(value) => return true,
            Ok(Some(Event::Property(name))) if is_implausible_text(name.as_bytes()) => return true,
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return false,
        }
    }
    false
}

fn is_implausible_leaf(value: VariantRef<'_>) -> bool {
    if let Some(text) = value.as_text() {
        return is_implausible_text(text.as_bytes());
    }
    if let Some((_, id)) = value.as_signal() {
        return id == 0;
    }
    if let Some(object) = value.as_object() {
        return object.id() == Some(0);
    }
    if let Some(strings) = value.as_strings() {
        return strings
            .iter()
            .take(CHECKED_VALUES)
            .any(|text| text.is_ok_and(|text| is_implausible_text(text.as_bytes())));
    }
    fn any<const N: usize>(mut all: impl Iterator<Item = [f32; N]>) -> bool {
        all.any(|item| {
            item.into_iter()
                .any(|value| reals::is_odd_float(value.into()))
        })
    }
    match value.as_packed() {
        Some(Packed::Float32(all)) => any(all.iter().take(CHECKED_VALUES).map(|value| [value])),
        Some(Packed::Float64(all)) => all.iter().take(CHECKED_VALUES).any(reals::is_odd_float),
        Some(Packed::Vector2(Real::Single(all))) => {
            any(all.iter().take(CHECKED_VALUES).map(<[f32; 2]>::from))
        }
        Some(Packed::Vector3(Real::Single(all))) => {
            any(all.iter().take(CHECKED_VALUES).map(<[f32; 3]>::from))
        }
        Some(Packed::Vector4(Real::Single(all))) => {
            any(all.iter().take(CHECKED_VALUES).map(<[f32; 4]>::from))
        }
        Some(Packed::Color(all)) => any(all.iter().take(CHECKED_VALUES).map(<[f32; 4]>::from)),
        _ => reals::odd_components(value) > 0,
    }
}

fn is_implausible_text(text: &[u8]) -> bool {
    let is_control = |&byte: &u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    let start = text.get(..FIRST_BYTES).unwrap_or(text);
    start.iter().any(is_control)
        || (start.len() == text.len() && core::str::from_utf8(text).is_err())
}
