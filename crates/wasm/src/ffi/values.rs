//! The functions of `gdvar.wasm`: they read, write and look up values.

use gdvar_view::Kind;

use super::{About, answer, on, part, scratch};
use crate::{
    decode, encode,
    failure::Failure,
    lazy,
    options::{self, named, target},
    records, state,
};

/// Declares functions that read a part of a buffer. Their arguments are the part, how to read it, and further
/// numbers of each function.
macro_rules! questions {
    ($($(#[$about:meta])* fn $name:ident($document:ident, $state:ident $(; $($more:ident),+)?) $work:block)*) => {$(
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
            on(About::new(buffer, start, len, bits, depth), &mut |$document, $state| $work)
        }
    )*};
}
#[cfg(feature = "forms")]
pub(super) use questions;

questions! {
    /// Reads the whole value. Word 0 is its size in bytes.
    fn validate(document, state) {
        let used = document.validate();
        state.words[0] = used.map_err(|error| Failure::read(document, error))? as u32;
        Ok(())
    }

    /// Writes a value to the tape. Word 0 is the value's size in bytes. Word 1 is 1 if JavaScript must forget
    /// the keys that it knows. Word 2 is the number of new keys, and word 3 their offset in `out`.
    fn decode(document, state) {
        state.words[1] = state.keys.begin().into();
        state.words[0] = match decode::decode(document, state) {
            Ok(used) => used as u32,
            Err(error) => {
                // If there are several errors, reports the one that all other functions report.
                let error = document.validate().err().unwrap_or(error);
                return Err(Failure::read(document, error));
            }
        };
        state.words[3] = state.out.len() as u32;
        state.words[2] = state.keys.append_new(&mut state.out);
        Ok(())
    }

    /// Looks up the path in the scratch buffer, relative to the value at an offset. The words are described at
    /// `lazy::get`.
    fn get(document, state; at, level, path) {
        let path = scratch(state, path)?;
        lazy::get(lazy::at(document, at, level)?, &path, state)
    }

    /// Describes the value at an offset in words 1 to 5.
    fn describe(document, state; at, level) {
        lazy::describe(lazy::at(document, at, level)?, &mut state.words);
        Ok(())
    }

    /// Stores the end offset of the value at an offset in word 0.
    fn end(document, state; at, level) {
        state.words[0] = lazy::at(document, at, level)?.end()? as u32;
        Ok(())
    }

    /// Lists the offsets of the children of the value at an offset in `out`. Word 0 is 1 if there are more
    /// children that cannot be read.
    fn children(document, state; at, level) {
        lazy::children(lazy::at(document, at, level)?, state);
        Ok(())
    }
}

/// Returns the bits of the dialect or release whose name is in the scratch buffer, or -1. See `options::named`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn dialect(len: u32) -> i32 {
    let name = state::with(|state| scratch(state, len)).unwrap_or_default();
    named(&name).map_or(-1, |bits| bits as i32)
}

/// Returns the bits of the target whose name is in the scratch buffer, or -1. See `options::target_named`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn target_named(len: u32) -> i32 {
    let name = state::with(|state| scratch(state, len)).unwrap_or_default();
    options::target_named(&name).map_or(-1, |bits| bits as i32)
}

/// Lists the names of all kinds, one per line, in the order of their numbers.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn kinds() -> u32 {
    answer(&mut |state| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        state.out = names.join("\n").into_bytes();
        Ok(())
    })
}

/// Encodes the tape in the scratch buffer. On an error, word 0 is the index of the faulty cell.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn encode(len: u32, bits: u32, depth: u32) -> u32 {
    answer(&mut |state| {
        let tape = part(state.buffer(0), 0, len);
        match encode::encode(tape, target(bits), depth) {
            Ok(bytes) => {
                state.out = bytes;
                Ok(())
            }
            Err(at) => {
                state.words[0] = at.cell as u32;
                Err(at.failure)
            }
        }
    })
}

/// Lists offset and length of each record in `out`. Word 0 is the total size in bytes of all complete records.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn list_records(buffer: u32, start: u32, len: u32, big: u32) -> u32 {
    on(
        About::new(buffer, start, len, 0, 0),
        &mut |document, state| records::list(document.bytes(), big != 0, state),
    )
}
