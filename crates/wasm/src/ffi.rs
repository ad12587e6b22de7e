//! The functions that JavaScript calls. All of them take and give numbers only.
//!
//! Those that can fail give 0, or 1 and the error as JSON in `out`.
//!
//! `unsafe` is here for the names: two functions of one name in one program would be a mistake that nothing
//! else finds. No pointer is followed.
#![allow(unsafe_code)]

#[cfg(feature = "forms")]
mod forms;

use gdvar_view::{Dialect, Document, Kind};

use crate::{
    ask::{Reading, target},
    decode, desk,
    desk::Desk,
    encode,
    failure::Failure,
    lazy, records,
};

/// A question: bytes of a buffer, read in that way.
struct About {
    buffer: u32,
    start: u32,
    len: u32,
    reading: Reading,
}

impl About {
    fn new(buffer: u32, start: u32, len: u32, bits: u32, depth: u32) -> About {
        let reading = Reading::new(bits, depth);
        About {
            buffer,
            start,
            len,
            reading,
        }
    }
}

fn part(bytes: &[u8], start: u32, len: u32) -> &[u8] {
    let rest = bytes.get(start as usize..).unwrap_or_default();
    rest.get(..len as usize).unwrap_or(rest)
}

/// Clears the answer and puts a new one there. One copy for all questions: they differ in `work` alone.
#[inline(never)]
fn answer(work: &mut dyn FnMut(&mut Desk) -> Result<(), Failure>) -> u32 {
    desk::with(|desk| {
        desk.out.clear();
        desk.tape.clear();
        desk.blocks.clear();
        let failed = work(desk).map_err(|failure| {
            desk.out.clear();
            desk.out.extend_from_slice(failure.json().as_bytes());
        });
        desk.tell();
        failed.is_err().into()
    })
}

/// As `answer`, with the bytes of a buffer.
#[inline(never)]
fn on(about: About, work: &mut dyn FnMut(Document<'_>, &mut Desk) -> Result<(), Failure>) -> u32 {
    answer(&mut |desk| {
        let bytes = desk.take(about.buffer);
        let document = about.reading.document(part(&bytes, about.start, about.len));
        let done = work(document, desk);
        desk.put_back(about.buffer, bytes);
        done
    })
}

/// The text that JavaScript put into the scratch buffer.
fn scratch(desk: &Desk, len: u32) -> Result<String, Failure> {
    let text = part(desk.buffer(0), 0, len);
    String::from_utf8(text.to_vec())
        .map_err(|_| Failure::new("InvalidText", "the text is not UTF-8"))
}

/// Makes a buffer of that length and gives its number; with `scratch` number 0 gets at least that length. -1: no memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reserve(scratch: u32, len: u32) -> i32 {
    desk::with(|desk| desk.reserve(scratch != 0, len as usize)).map_or(-1, |number| number as i32)
}

/// The address of the bytes of a buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn buffer_at(number: u32) -> u32 {
    desk::with(|desk| desk.buffer(number).as_ptr() as usize as u32)
}

/// Gives the memory of a buffer back.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn release(number: u32) {
    desk::with(|desk| desk.free(number));
}

/// Gives the memory of the answer and of the scratch buffer back.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tidy() {
    desk::with(|desk| {
        desk.out = Vec::new();
        desk.tape = Vec::new();
        desk.blocks = Vec::new();
        let scratch = desk.take(0);
        drop(scratch);
    });
}

/// Moves `out` into a buffer and gives its number.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn keep() -> u32 {
    desk::with(|desk| {
        let out = std::mem::take(&mut desk.out);
        desk.keep(out)
    })
}

/// The address of the words of the answer, which never changes. From the eighth on they say where `out`, the tape and
/// the list of blocks are, and how long: bytes, cells, blocks.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn words() -> u32 {
    desk::with(|desk| desk.words.as_ptr() as usize as u32)
}

/// The number of the dialect whose name is in the scratch buffer, or -1.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn dialect(len: u32) -> i32 {
    let name = desk::with(|desk| scratch(desk, len)).unwrap_or_default();
    let number = Dialect::ALL
        .iter()
        .position(|dialect| dialect.name() == name);
    number.map_or(-1, |number| number as i32)
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

/// Reads everything; word 0: how many bytes the value takes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn validate(buffer: u32, start: u32, len: u32, bits: u32, depth: u32) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            let used = document.validate();
            desk.words[0] = used.map_err(|error| Failure::read(document, error))? as u32;
            Ok(())
        },
    )
}

/// Lays a value out on the tape. Words: bytes it takes; 1 if JavaScript must forget the keys it knows; how many new
/// ones there are; where in `out` they begin.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn decode(buffer: u32, start: u32, len: u32, bits: u32, depth: u32) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
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
        },
    )
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

/// Looks up the path in the scratch buffer, from the value at a place on. See `lazy::get` for the words.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn get(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
    path: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            let path = scratch(desk, path)?;
            lazy::get(lazy::at(document, at, level)?, &path, desk)
        },
    )
}

/// Kind and number of children of the value at a place, in the words 1 to 5.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn describe(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            lazy::tell(lazy::at(document, at, level)?, &mut desk.words);
            Ok(())
        },
    )
}

/// Word 0: where the value at a place ends.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn end(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            desk.words[0] = lazy::at(document, at, level)?.end()? as u32;
            Ok(())
        },
    )
}

/// The places of the children of the value at a place, in `out`. Word 0: 1 if there are more that cannot be read.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn children(
    buffer: u32,
    start: u32,
    len: u32,
    bits: u32,
    depth: u32,
    at: u32,
    level: u32,
) -> u32 {
    on(
        About::new(buffer, start, len, bits, depth),
        &mut |document, desk| {
            lazy::children(lazy::at(document, at, level)?, desk);
            Ok(())
        },
    )
}

/// Offset and length of each record, in `out`. Word 0: bytes in whole records.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn list_records(buffer: u32, start: u32, len: u32, big: u32) -> u32 {
    on(
        About::new(buffer, start, len, 0, 0),
        &mut |document, desk| records::list(document.bytes(), big != 0, desk),
    )
}
