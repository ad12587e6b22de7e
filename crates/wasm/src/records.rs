//! Finds records: values that are preceded by their lengths.

use gdvar_view::{PrefixOrder, frames};

use crate::{failure::Failure, state::State};

/// Lists the offset and the length of each record. Word 0 is the total size of all complete records. A
/// program that reads a stream can wait for the rest.
pub(crate) fn list(bytes: &[u8], big: bool, state: &mut State) -> Result<(), Failure> {
    let order = if big {
        PrefixOrder::Big
    } else {
        PrefixOrder::Little
    };
    let mut all = frames(bytes, order);
    state.words[0] = 0;
    loop {
        match all.try_next() {
            Ok(Some(frame)) if !frame.is_cut() => {
                state
                    .out
                    .extend_from_slice(&(frame.offset as u32).to_le_bytes());
                state.out.extend_from_slice(&frame.declared.to_le_bytes());
                state.words[0] = (frame.offset + frame.bytes.len()) as u32;
            }
            // The bytes end inside a value or inside its length.
            Ok(_) => return Ok(()),
            Err(error) if error.is_truncated() => return Ok(()),
            Err(error) => return Err(Failure::from(error)),
        }
    }
}
