//! The functions of `gdvar.wasm`: values read, written and looked up.

use gdvar_view::Kind;

use super::{About, answer, on, part, scratch};
use crate::{
    ask::{named, target},
    decode, desk, encode,
    failure::Failure,
    lazy, records,
};

/// Questions about the bytes of a buffer: which part of it and how it is read, then numbers that only the one question has.
macro_rules! questions {
    ($($(#[$about:meta])* fn $name:ident($document:ident, $desk:ident $(; $($more:ident),+)?) $work:block)*) => {$(
        $(#[$about])*
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name(
            buffer: u32,
            start: u32,
            len: u32,
            bits: u32,
            depth: u32
            $($(, $more: u32)+)?
        ) -> u32 {
            on(About::new(buffer, start, len, bits, depth), &mut |$document, $desk| $work)
        }
    )*};
}
#[cfg(feature = "forms")]
pub(super) use questions;

questions! {
    /// Reads everything; word 0: how many bytes the value takes.
    fn validate(document, desk) {
        let used = document.validate();
        desk.words[0] = used.map_err(|error| Failure::read(document, error))? as u32;
        Ok(())
    }

    /// Lays a value out on the tape. Words: bytes it takes; 1 if JavaScript must forget the keys it knows; how many new
    /// ones there are; where in `out` they begin.
    fn decode(document, desk) {
        desk.words[1] = desk.keys.begin().into();
        desk.words[0] = match decode::decode(document, desk) {
            Ok(used) => used as u32,
            Err(error) => {
                // Of several mistakes the one that every other way to read gives.
                let error = document.validate().err().unwrap_or(error);
                return Err(Failure::read(document, error));
            }
        };
        desk.words[3] = desk.out.len() as u32;
        desk.words[2] = desk.keys.tell(&mut desk.out);
        Ok(())
    }

    /// Looks up the path in the scratch buffer, from the value at a place on. See `lazy::get` for the words.
    fn get(document, desk; at, level, path) {
        let path = scratch(desk, path)?;
        lazy::get(lazy::at(document, at, level)?, &path, desk)
    }

    /// Kind and number of children of the value at a place, in the words 1 to 5.
    fn describe(document, desk; at, level) {
        lazy::tell(lazy::at(document, at, level)?, &mut desk.words);
        Ok(())
    }

    /// Word 0: where the value at a place ends.
    fn end(document, desk; at, level) {
        desk.words[0] = lazy::at(document, at, level)?.end()? as u32;
        Ok(())
    }

    /// The places of the children of the value at a place, in `out`. Word 0: 1 if there are more that cannot be read.
    fn children(document, desk; at, level) {
        lazy::children(lazy::at(document, at, level)?, desk);
        Ok(())
    }
}

/// The bits of the dialect or release whose name is in the scratch buffer, or -1. See `ask::named`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn dialect(len: u32) -> i32 {
    let name = desk::with(|desk| scratch(desk, len)).unwrap_or_default();
    named(&name).map_or(-1, |bits| bits as i32)
}

/// The names of all kinds, one a line, in the order of their numbers.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn kinds() -> u32 {
    answer(&mut |desk| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        desk.out = names.join("\n").into_bytes();
        Ok(())
    })
}

/// Writes the bytes of the tape in the scratch buffer. On failure word 0 is the cell at fault.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encode(len: u32, bits: u32, depth: u32) -> u32 {
    answer(&mut |desk| {
        let tape = part(desk.buffer(0), 0, len);
        match encode::encode(tape, target(bits), depth) {
            Ok(bytes) => {
                desk.out = bytes;
                Ok(())
            }
            Err(at) => {
                desk.words[0] = at.cell as u32;
                Err(at.failure)
            }
        }
    })
}

/// Offset and length of each record, in `out`. Word 0: bytes in whole records.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn list_records(buffer: u32, start: u32, len: u32, big: u32) -> u32 {
    on(
        About::new(buffer, start, len, 0, 0),
        &mut |document, desk| records::list(document.bytes(), big != 0, desk),
    )
}
