//! Properties in SPAWN, SYNC and DELTA.

use alloc::vec::Vec;

use super::new_value;
use crate::{Error, Values, filter::ArgPath, godot4, session::parse4};

/// Appends the packet with another property at a path, of each synchronizer in it; whether there is one.
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
        // Only the short form of a call has anything in its first byte for that.
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
    // The result must be a packet, too.
    parse4(&out[first..])?.validate()?;
    Ok(found)
}

/// Appends bytes behind their size.
fn sized(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
) -> Result<(), Error> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    write(out)?;
    // A packet is far shorter than 4 GiB.
    let size = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&size.to_le_bytes());
    Ok(())
}
