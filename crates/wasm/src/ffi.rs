//! The functions that JavaScript calls. All of them take and give numbers only.
//!
//! Those that can fail give 0, or 1 and the error as JSON in `out`.
//!
//! `unsafe` is here for the names: two functions of one name in one program would be a mistake that nothing
//! else finds. No pointer is followed, but by JavaScript in `floats`, inside the memory of the module.
#![allow(unsafe_code)]

mod floats;
#[cfg(feature = "forms")]
mod forms;
#[cfg(feature = "packet")]
mod packet;
#[cfg(feature = "values")]
mod values;

use gdvar_view::Document;

use crate::{ask::Reading, desk, desk::Desk, failure::Failure};

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

/// To be called first: the address of the words of the answer, which never changes. From the eighth on they say where `out`, the tape and
/// the list of blocks are, and how long: bytes, cells, blocks.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn words() -> u32 {
    floats::lend();
    desk::with(|desk| desk.words.as_ptr() as usize as u32)
}
