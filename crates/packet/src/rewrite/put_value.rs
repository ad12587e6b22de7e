//! Replaces a value of `put_var`, or a value inside it, by another value.

use alloc::vec::Vec;

use gdvar_view::{Document, VariantRef};

use super::new_value::{inner_value, nothing_like};
use crate::{error::Error, filter::ArgPath};

/// Appends `packet` to `out`, with the value at `path` replaced. Returns `false` if `packet` has no
/// such value. `old` is the original value; `new` is `None` for an empty value of the same type.
pub(super) fn rewrite(
    old: VariantRef<'_>,
    packet: &[u8],
    path: &ArgPath,
    new: Option<&[u8]>,
    out: &mut Vec<u8>,
) -> Result<bool, Error> {
    let at = |error| Error::value(0, error);
    let (options, first) = (old.options(), out.len());
    let root = Document::with_options(packet, options).root().map_err(at)?;
    let found = match path.steps.is_empty() {
        true => Some(root),
        false => inner_value(root, &path.steps, 0)?,
    };
    let Some(found) = found else {
        return Ok(false);
    };
    let (from, end) = (found.offset(), found.end().map_err(at)?);
    out.extend_from_slice(packet.get(..from).unwrap_or_default());
    match new {
        Some(new) => out.extend_from_slice(new),
        None => nothing_like(found, out).map_err(at)?,
    }
    out.extend_from_slice(packet.get(end..).unwrap_or_default());
    // Check the result: a new key may be one that the engine refuses.
    let rewritten = out.get(first..).unwrap_or_default();
    Document::with_options(rewritten, options)
        .validate()
        .map_err(at)?;
    Ok(true)
}
