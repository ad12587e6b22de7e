//! gdvar for JavaScript.
//!
//! The other crates know the format; this crate only connects them to JavaScript. JavaScript puts bytes into
//! numbered buffers, calls a function of `ffi`, and reads the answer from linear memory. A decoded value is
//! passed as a [tape](tape), a flat list of cells, from which a small loop in `npm/src/decode.js` makes
//! objects. In the other direction JavaScript writes a tape, and Rust encodes it.
//!
//! Only the exported names in `ffi` need `unsafe`. Buffers are looked up by number, so a wrong number gives
//! an empty buffer and not a wild pointer.

// gdvar-packet.wasm uses only the state of the code here.
#![cfg_attr(not(feature = "values"), allow(dead_code))]

mod decode;
#[cfg(feature = "forms")]
mod edit;
mod encode;
mod failure;
mod ffi;
#[cfg(feature = "forms")]
mod files;
#[cfg(feature = "forms")]
mod forms;
mod keys;
mod lazy;
mod options;
#[cfg(feature = "packet")]
mod packet;
mod records;
#[cfg(feature = "forms")]
mod show;
mod state;
mod tape;
