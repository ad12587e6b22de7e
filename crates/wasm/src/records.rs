//! Values behind their length, one after the other.

use gdvar_view::{PrefixOrder, frames};

use crate::{desk::Desk, failure::Failure};

/// Lists offset and length of each record; word 0 says how many bytes are in whole records, so that a stream can wait for
/// the rest.
pub(crate) fn list(bytes: &[u8], big: bool, desk: &mut Desk) -> Result<(), Failure> {
    let order = if big {
        PrefixOrder::Big
    } else {
        PrefixOrder::Little
    };
    let mut all = frames(bytes, order);
    desk.words[0] = 0;
    loop {
        match all.try_next() {
            Ok(Some(frame)) if !frame.is_cut() => {
                desk.out
                    .extend_from_slice(&(frame.offset as u32).to_le_bytes());
                desk.out.extend_from_slice(&frame.declared.to_le_bytes());
                desk.words[0] = (frame.offset + frame.bytes.len()) as u32;
            }
            // Cut, inside the value or inside its length.
            Ok(_) => return Ok(()),
            Err(error) if error.is_truncated() => return Ok(()),
            Err(error) => return Err(Failure::from(error)),
        }
    }
}
