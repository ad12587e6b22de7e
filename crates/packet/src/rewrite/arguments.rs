//! Replaces an argument of a call by another value.

use alloc::vec::Vec;

use super::{new_value::new_value, properties, put_value};
use crate::{
    error::Error,
    filter::{ArgOf, ArgPath},
    godot3, godot4,
    node_ref::PATH_BIT,
    traffic::{Message, SessionEvent, parse3, parse4},
    value::Values,
};

/// Returns the arguments of `packet`, a call of the event's engine. In Godot 3, also returns the
/// value of a property that is set. `None` for any other packet.
pub(super) fn args<'a>(
    event: &SessionEvent<'_>,
    packet: &'a [u8],
) -> Result<Option<Values<'a>>, Error> {
    Ok(match event.message {
        Message::Godot4(_) => match parse4(packet)? {
            godot4::Packet::Call(call) => Some(call.args()),
            _ => None,
        },
        Message::Godot3(_) => match parse3(packet)? {
            godot3::Packet::Call(call) | godot3::Packet::Set(call) => Some(call.args()),
            _ => None,
        },
        _ => None,
    })
}

/// Appends `packet` to `out`, with the value at `path` replaced. Returns `false` if `packet` has no
/// such value. `new` is `None` for an empty value of the same type; `value` is a buffer.
pub(super) fn rewrite(
    event: &SessionEvent<'_>,
    packet: &[u8],
    path: &ArgPath,
    new: Option<&[u8]>,
    value: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<bool, Error> {
    match (path.of, event.message) {
        (ArgOf::Call, _) => {}
        (ArgOf::Properties, Message::Godot4(_)) => {
            return properties::rewrite(packet, path, new, value, out);
        }
        (ArgOf::PutVar, Message::Value(old)) => {
            return put_value::rewrite(old, packet, path, new, out);
        }
        _ => return Ok(false),
    }
    let Some(values) = args(event, packet)? else {
        return Ok(false);
    };
    let mut head = packet.first().copied().unwrap_or_default();
    let is_godot4 = matches!(event.message, Message::Godot4(_));
    let Some((from, len)) = new_value(values, is_godot4, path, new, &mut head, value)? else {
        return Ok(false);
    };
    let (before, behind) = (&packet[..from], &packet[from + len..]);
    let first = out.len();
    out.extend_from_slice(before);
    out.extend_from_slice(value);
    out.extend_from_slice(behind);
    out[first] = head;
    move_path(event, packet, value.len(), len, &mut out[first..]);
    // Check the result: a length may exceed what its field can hold.
    if let Some(args) = args(event, &out[first..])? {
        args.validate()?;
    }
    Ok(true)
}

/// Corrects the offset of a path at the end of a call, after a value of `old` bytes became `new`
/// bytes.
fn move_path(event: &SessionEvent<'_>, packet: &[u8], new: usize, old: usize, out: &mut [u8]) {
    let has_word = match event.message {
        Message::Godot4(_) => packet[0] >> godot4::NODE_SIZE_SHIFT & 3 == 2,
        _ => true,
    };
    if !has_word {
        return;
    }
    let Some(word) = out.get_mut(1..5).and_then(|word| word.first_chunk_mut()) else {
        return;
    };
    let place = u32::from_le_bytes(*word);
    if place & PATH_BIT != 0 {
        *word = place
            .wrapping_add(new as u32)
            .wrapping_sub(old as u32)
            .to_le_bytes();
    }
}
