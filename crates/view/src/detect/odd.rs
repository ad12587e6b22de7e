//! Things that encoders do not write or people do not store, and that so speak against a reading.

use crate::{
    detect::look::{FIRST_LOOK, Look},
    document::Document,
    error::{Error, ErrorKind},
    options::ReadOptions,
    value::{
        packed::{Packed, Real},
        reals,
        variant::VariantRef,
    },
    walk::event::Event,
};

/// So many values are looked at for what speaks against a reading.
const VALUES: usize = 256;

/// True if something speaks against a reading.
pub(super) fn is_odd(bytes: &[u8], end: usize, look: &Look) -> bool {
    let value = bytes.get(..end).unwrap_or_default();
    let strict = ReadOptions::any_release(look.options.dialect());
    // A long value is not walked for this; what stands at its start tells as much.
    if value.len() <= FIRST_LOOK {
        match Document::with_options(value, strict)
            .validate()
            .map_err(Error::kind)
        {
            // Somebody writes the same value in more words: a packet of an encoder other than the engine.
            Ok(_) | Err(ErrorKind::NonCanonical(_)) => {}
            Err(_) => return true,
        }
    }
    let behind = bytes.get(end..).unwrap_or_default();
    if end == 4 && behind.iter().any(|&byte| byte != 0) {
        return true;
    }
    let mut events = look.document(bytes).events();
    for _ in 0..VALUES {
        match events.try_next() {
            Ok(Some(Event::Value(value))) if is_odd_leaf(value) => return true,
            Ok(Some(Event::Property(name))) if is_odd_text(name.as_bytes()) => return true,
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return false,
        }
    }
    false
}

fn is_odd_leaf(value: VariantRef<'_>) -> bool {
    if let Some(text) = value.as_text() {
        return is_odd_text(text.as_bytes());
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
            .take(VALUES)
            .any(|text| text.is_ok_and(|text| is_odd_text(text.as_bytes())));
    }
    fn any<const N: usize>(mut all: impl Iterator<Item = [f32; N]>) -> bool {
        all.any(|item| {
            item.into_iter()
                .any(|value| reals::is_odd_float(value.into()))
        })
    }
    match value.as_packed() {
        Some(Packed::Float32(all)) => any(all.iter().take(VALUES).map(|value| [value])),
        Some(Packed::Float64(all)) => all.iter().take(VALUES).any(reals::is_odd_float),
        Some(Packed::Vector2(Real::Single(all))) => {
            any(all.iter().take(VALUES).map(<[f32; 2]>::from))
        }
        Some(Packed::Vector3(Real::Single(all))) => {
            any(all.iter().take(VALUES).map(<[f32; 3]>::from))
        }
        Some(Packed::Vector4(Real::Single(all))) => {
            any(all.iter().take(VALUES).map(<[f32; 4]>::from))
        }
        Some(Packed::Color(all)) => any(all.iter().take(VALUES).map(<[f32; 4]>::from)),
        _ => reals::odd_components(value) > 0,
    }
}

fn is_odd_text(text: &[u8]) -> bool {
    let is_control = |&byte: &u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    let start = text.get(..FIRST_LOOK).unwrap_or(text);
    start.iter().any(is_control)
        || (start.len() == text.len() && core::str::from_utf8(text).is_err())
}
