//! The functions that JavaScript calls. They take and return only numbers.
//!
//! A function that can fail returns 0 on success. On an error it returns 1, and `out` contains the error as
//! JSON.
//!
//! The exported names are the only reason for `unsafe`: the compiler cannot see if two functions in a program
//! have the same name. Rust dereferences no pointer here. Only JavaScript uses addresses, in `floats`, and
//! only in the memory of the module.
#![allow(unsafe_code)]

mod floats;
#[cfg(feature = "forms")]
mod forms;
#[cfg(feature = "packet")]
mod packet;
#[cfg(feature = "values")]
mod values;

use gdvar_view::Document;

use crate::{failure::Failure, options::ReadSettings, state, state::State};

/// The input of a call: a range of a buffer, and how to read it.
struct About {
    buffer: u32,
    start: u32,
    len: u32,
    reading: ReadSettings,
}

impl About {
    fn new(buffer: u32, start: u32, len: u32, bits: u32, depth: u32) -> About {
        let reading = ReadSettings::new(bits, depth);
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

/// Clears the last answer, runs `work`, and keeps its answer in the state. Returns 0, or 1 after an error,
/// which is then in `out` as JSON. The function is not generic, so that all calls share one copy of the code.
#[inline(never)]
fn answer(work: &mut dyn FnMut(&mut State) -> Result<(), Failure>) -> u32 {
    state::with(|state| {
        state.out.clear();
        state.tape.clear();
        state.blocks.clear();
        let failed = work(state).map_err(|failure| {
            state.out.clear();
            state.out.extend_from_slice(failure.json().as_bytes());
        });
        state.locate_answer();
        failed.is_err().into()
    })
}

/// Calls [`answer`] with a `work` that receives a part of a buffer as a document.
#[inline(never)]
fn on(about: About, work: &mut dyn FnMut(Document<'_>, &mut State) -> Result<(), Failure>) -> u32 {
    answer(&mut |state| {
        let bytes = state.take(about.buffer);
        let document = about.reading.document(part(&bytes, about.start, about.len));
        let done = work(document, state);
        state.put_back(about.buffer, bytes);
        done
    })
}

/// Returns the text that JavaScript wrote into the scratch buffer. `len` is its length in bytes.
fn scratch(state: &State, len: u32) -> Result<String, Failure> {
    let text = part(state.buffer(0), 0, len);
    String::from_utf8(text.to_vec())
        .map_err(|_| Failure::new("InvalidText", "the text is not UTF-8"))
}

/// Creates a buffer of `len` bytes and returns its number. If `scratch` is not 0, extends buffer 0 to at
/// least `len` bytes instead, and returns 0. Returns -1 if there is not enough memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reserve(scratch: u32, len: u32) -> i32 {
    state::with(|state| state.reserve(scratch != 0, len as usize))
        .map_or(-1, |number| number as i32)
}

/// Returns the address of the bytes of a buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn buffer_at(number: u32) -> u32 {
    state::with(|state| state.buffer(number).as_ptr() as usize as u32)
}

/// Frees a buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn release(number: u32) {
    state::with(|state| state.free(number));
}

/// Frees the memory of the last answer and of the scratch buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tidy() {
    state::with(|state| {
        state.out = Vec::new();
        state.tape = Vec::new();
        state.blocks = Vec::new();
        let scratch = state.take(0);
        drop(scratch);
    });
}

/// Returns the address of the words of the answer, which never changes. JavaScript must call this function
/// before any other. The words from 8 on hold address and length of `out` (in bytes), of the tape (in cells)
/// and of the list of blocks.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn words() -> u32 {
    floats::lend();
    state::with(|state| state.words.as_ptr() as usize as u32)
}
