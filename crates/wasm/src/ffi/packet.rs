//! The functions of `gdvar-packet.wasm`.

use super::{answer, part};
use crate::{options::ReadSettings, packet};

/// Creates a session and returns its number. The engine is 3 or 4. The numbers of carriers are in
/// `npm/src/packet.js`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin_session(engine: u32, carrier: u32) -> u32 {
    packet::begin(engine, carrier)
}

/// Frees a session.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn end_session(number: u32) {
    packet::end(number);
}

/// Passes the bytes in the scratch buffer to a session. Returns the packets that the session finds, as the
/// bytes of an Array.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hear(session: u32, len: u32, to_server: u32, link: u32) -> u32 {
    answer(&mut |state| {
        let bytes = part(state.buffer(0), 0, len);
        state.out = packet::hear(session, bytes, to_server != 0, link)?;
        Ok(())
    })
}

/// Parses the packet in the scratch buffer, of engine 3 or 4. Returns the bytes of a Dictionary.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn parse(len: u32, engine: u32, bits: u32) -> u32 {
    answer(&mut |state| {
        let bytes = part(state.buffer(0), 0, len);
        state.out = packet::parse(bytes, engine, ReadSettings::new(bits, 0).options)?;
        Ok(())
    })
}
