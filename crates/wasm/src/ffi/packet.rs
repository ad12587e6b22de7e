//! The functions of `gdvar-packet.wasm`.

use super::{answer, part};
use crate::{ask::Reading, packet};

/// A new session; its number. The engine is 3 or 4; carriers are counted in the order of `npm/src/packet.js`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin_session(engine: u32, carrier: u32) -> u32 {
    packet::begin(engine, carrier)
}

/// Gives the memory of a session back.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn end_session(number: u32) {
    packet::end(number);
}

/// The bytes of an Array: all that the session finds in the bytes in the scratch buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hear(session: u32, len: u32, to_server: u32, link: u32) -> u32 {
    answer(&mut |desk| {
        let bytes = part(desk.buffer(0), 0, len);
        desk.out = packet::hear(session, bytes, to_server != 0, link)?;
        Ok(())
    })
}

/// The bytes of a Dictionary: the packet in the scratch buffer, of engine 3 or 4.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn parse(len: u32, engine: u32, bits: u32) -> u32 {
    answer(&mut |desk| {
        let bytes = part(desk.buffer(0), 0, len);
        desk.out = packet::parse(bytes, engine, Reading::new(bits, 0).options)?;
        Ok(())
    })
}
