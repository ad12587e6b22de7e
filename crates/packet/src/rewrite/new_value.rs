//! The bytes of a new value that replaces an old one.

use alloc::vec::Vec;

use gdvar_view::{Dialect, Found, Kind, VariantRef};
use gdvar_write::Target;

use crate::{
    arg::Arg,
    error::{Error, PacketErrorKind},
    filter::{ArgPath, ValuePath},
    godot4,
    value::{Value, ValueContent, Values},
};

/// Writes to `value` the bytes that replace the value at `path`. Returns the offset and length of
/// the old bytes, or `None` if there is no value at `path`. `head` is the first byte of the call,
/// which may have to change.
pub(super) fn new_value(
    values: Values<'_>,
    is_godot4: bool,
    path: &ArgPath,
    new: Option<&[u8]>,
    head: &mut u8,
    value: &mut Vec<u8>,
) -> Result<Option<(usize, usize)>, Error> {
    let Some(old) = values.into_iter().nth(path.arg).transpose()? else {
        return Ok(None);
    };
    value.clear();
    if path.steps.is_empty() {
        whole(is_godot4, old, new, head, value)?;
        return Ok(Some((old.offset(), old.size())));
    }
    let at = |error| Error::value(old.offset(), error);
    let variant = match old.content() {
        ValueContent::Variant(variant) => variant,
        ValueContent::Bytes(bytes) if path.steps.byte(bytes).is_some() => {
            return Err(Error::new(old.offset(), PacketErrorKind::PartOfValue));
        }
        _ => return Ok(None),
    };
    let Some(found) = inner_value(variant, &path.steps, old.offset())? else {
        return Ok(None);
    };
    match new {
        Some(new) => value.extend_from_slice(new),
        None => nothing_like(found, value).map_err(at)?,
    }
    let end = found.end().map_err(at)?;
    Ok(Some((old.offset() + found.offset(), end - found.offset())))
}

/// Returns the value that `steps` lead to inside `value`, which begins at the offset `start` of the
/// packet. `None` if there is none. A part of a value is an error: it has no header, so no other
/// value can take its place.
pub(super) fn inner_value<'a>(
    value: VariantRef<'a>,
    steps: &ValuePath,
    start: usize,
) -> Result<Option<VariantRef<'a>>, Error> {
    let found = steps.walk(value);
    match found.map_err(|error| Error::value(start, error))? {
        Some(Found::Value(found)) => Ok(Some(found)),
        Some(Found::Part(_)) => Err(Error::new(start, PacketErrorKind::PartOfValue)),
        None => Ok(None),
    }
}

/// Writes a new argument in place of `old`, in the form in which the engine writes arguments.
fn whole(
    is_godot4: bool,
    old: Value<'_>,
    new: Option<&[u8]>,
    head: &mut u8,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let new = match (new, old.content()) {
        (Some(new), _) => {
            let dialect = match is_godot4 {
                true => Dialect::GODOT_4,
                false => Dialect::GODOT_3,
            };
            Arg::encoded(new, dialect)?
        }
        (None, ValueContent::Bool(_)) => Arg::Bool(false),
        (None, ValueContent::Int(_)) => Arg::Int(0),
        (None, ValueContent::Bytes(_)) => Arg::Bytes(&[]),
        (None, ValueContent::Variant(value)) => {
            return nothing_like(value, out).map_err(|error| Error::value(old.offset(), error));
        }
    };
    if matches!(old.content(), ValueContent::Bytes(_)) {
        // A call without a count can only hold a PackedByteArray: write a count of one.
        *head &= !godot4::RAW_CALL;
        out.push(1);
    }
    let written = match is_godot4 {
        true => new.write_compact(out),
        false => new.write_ordinary(out, Target::GODOT_3),
    };
    debug_assert!(written.is_ok(), "it was written before");
    Ok(())
}

/// Appends the empty value of the same type as `value`. For an Object, Callable or Signal, appends
/// `null`.
pub(super) fn nothing_like(
    value: VariantRef<'_>,
    out: &mut Vec<u8>,
) -> Result<(), gdvar_view::Error> {
    let raw = value.raw()?;
    let header = raw.get(..4).unwrap_or_default();
    match value.kind() {
        Kind::String | Kind::StringName => out.extend([header, &[0; 4]].concat()),
        Kind::NodePath => {
            out.extend_from_slice(header);
            // A NodePath without names, in the layout of all engines but Godot 2.
            out.extend([0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0]);
        }
        Kind::Array | Kind::Dictionary => {
            let first = match value.as_array() {
                Some(array) => array.iter().try_next()?,
                None => match value.as_dict() {
                    Some(dict) => dict.iter().try_next()?.map(|(key, _)| key),
                    None => None,
                },
            };
            // The count is directly before the first child, after the element types.
            let end = first.map_or(raw.len(), |first| first.offset() - value.offset());
            out.extend_from_slice(&raw[..end - 4]);
            out.extend([0; 4]);
        }
        kind if kind.is_packed() => out.extend([header, &[0; 4]].concat()),
        Kind::Object | Kind::Callable | Kind::Signal => out.extend([0; 4]),
        _ => {
            out.extend_from_slice(header);
            out.resize(out.len() + raw.len() - header.len(), 0);
        }
    }
    Ok(())
}
