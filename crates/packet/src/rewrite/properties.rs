//! Replaces a property in a SPAWN, SYNC or DELTA by another value.

use alloc::vec::Vec;

use super::new_value::new_value;
use crate::{error::Error, filter::ArgPath, godot4, traffic::parse4, value::Values};

/// Appends `packet` to `out`, with the property at `path` replaced in each synchronizer of the
/// packet. Returns `false` if `packet` has no such property.
pub(super) fn rewrite(
    packet: &[u8],
    path: &ArgPath,
    new: Option<&[u8]>,
    value: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<bool, Error> {
    let first = out.len();
    let mut found = false;
    let mut properties = |start: usize, end: usize, values: Values<'_>, out: &mut Vec<u8>| {
        // Only calls have a head that may have to change.
        let place = new_value(values, true, path, new, &mut 0, value)?;
        let (from, len) = place.unwrap_or((end, 0));
        out.extend_from_slice(&packet[start..from]);
        if place.is_some() {
            found = true;
            out.extend_from_slice(value);
        }
        out.extend_from_slice(&packet[from + len..end]);
        Ok::<(), Error>(())
    };
    match parse4(packet)? {
        godot4::Packet::Spawn(spawn) => {
            let start = spawn.state().position();
            out.extend_from_slice(&packet[..start]);
            properties(start, packet.len(), spawn.state(), out)?;
        }
        godot4::Packet::Sync(sync) => {
            out.extend_from_slice(&packet[..3]);
            for entry in sync.entries() {
                let entry = entry?;
                out.extend_from_slice(&packet[entry.offset()..][..4]);
                let (start, size) = (entry.values().position(), entry.size() as usize);
                sized(out, |out| {
                    properties(start, start + size, entry.values(), out)
                })?;
            }
        }
        godot4::Packet::Delta(delta) => {
            out.extend_from_slice(&packet[..1]);
            for entry in delta.entries() {
                let entry = entry?;
                out.extend_from_slice(&packet[entry.offset()..][..12]);
                let (start, size) = (entry.values().position(), entry.size() as usize);
                sized(out, |out| {
                    properties(start, start + size, entry.values(), out)
                })?;
            }
        }
        _ => return Ok(false),
    }
    // Check the result: a size may exceed what its field can hold.
    parse4(&out[first..])?.validate()?;
    Ok(found)
}

/// Appends the bytes that `write` appends, with their size before them.
fn sized(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
) -> Result<(), Error> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    write(out)?;
    // Packets are far shorter than 4 GiB.
    let size = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&size.to_le_bytes());
    Ok(())
}
