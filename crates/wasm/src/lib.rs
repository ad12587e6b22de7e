//! gdvar for JavaScript.
//!
//! The format lives in the libraries; this crate is the door. JavaScript hands over bytes in buffers, which
//! it knows by number, calls a function of `ffi`, and reads the answer out of linear memory. A decoded value
//! is handed over as a [tape](tape), one flat list of cells, which a small loop in `npm/src/decode.js` turns into
//! objects. The other way round JavaScript writes a tape and Rust writes the bytes.
//!
//! Nothing here is unsafe but the names that the linker must see, which stand in `ffi`: numbers of buffers
//! are looked up, so a wrong one is an error and no wild pointer.

// gdvar-packet.wasm has the desk alone in common with the others.
#![cfg_attr(not(feature = "values"), allow(dead_code))]

mod ask;
mod decode;
mod desk;
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
#[cfg(feature = "packet")]
mod packet;
mod records;
#[cfg(feature = "forms")]
mod show;
mod tape;
