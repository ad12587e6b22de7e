//! Finds out what a Godot save is: its layers, the engine that wrote it, and where each value is.
//!
//! The command `gdvar`, the Python package, the JavaScript package and the page that opens saves all ask
//! [`open`]:
//!
//! ```text
//! layers      GCPF, GDEC, gzip, zlib, Zstandard, FastLZ, hex, base64, dumps, project.binary, compiled scripts,
//!             ConfigFiles, resources and scenes as text, native JSON, binary resources; nested
//! header      the game's own bytes before the values: a version, a magic, a line of text
//! trailer     the game's own bytes after them: a checksum
//! framing     one value, records after their lengths (either byte order), one value per line
//! engine      the dialect that reads all of it, how certain that is, and which others are possible
//! ```
//!
//! Nothing is guessed silently: if two ways to read the file are equally good, the result is an error that
//! lists both, and [`Hints`] choose one of them. `gdvar-io` reads and writes each layer and record, and
//! `gdvar-view` reads the values.
//!
//! ```
//! use gdvar_file::{Hints, NotOpened, Undecided, open};
//!
//! // store_var([]) of Godot 4, or a String without text after a type: both are possible.
//! let error = open(&[4, 0, 0, 0, 0, 0, 0, 0], &Hints::new()).unwrap_err();
//! let NotOpened::Undecided(undecided, _) = error else { panic!("{error}") };
//! assert!(matches!(*undecided, Undecided::Framings(_)));
//! ```
//!
//! Untrusted input is safe: nothing panics, layers have limits, and time is linear in the number of bytes.
//!
//! # For whom, and what it costs
//!
//! This crate is for tools that open files of any game and engine. A program that knows its files can use
//! [`gdvar-io`](https://docs.rs/gdvar-io) or [`gdvar`](https://docs.rs/gdvar) and save the search: a file
//! whose engine is not given is read once for each possible engine. Contents of layers are held in memory, up
//! to the limits of the [`Hints`].
//!
//! # Features
//!
//! * `compression` (default): all compressed layers, that is `deflate`, `zstd` and `brotli`. FastLZ is always
//!   available.
//! * `deflate`: gzip and zlib.
//! * `zstd`: Zstandard, by the C library.
//! * `ruzstd`: reads Zstandard where there is no C compiler, as for WebAssembly.
//! * `brotli`: Brotli, which can only be read.
//! * `encrypted` (default): encrypted layers.
//! * `random` (default): initialisation vectors from the operating system, to write the encryption of Godot
//!   4.
//! * `resources` (default): binary resources and scenes.
//! * `rayon`: unpacks compressed layers on several threads.
//!
//! A layer that needs a missing feature is an error that names it.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod blank;
mod choice;
mod container;
pub mod detect;
pub mod dump;
mod fault;
#[cfg(feature = "resources")]
pub mod forms;
pub mod header;
mod hints;
pub mod known_formats;
pub mod layers;
pub mod line;
mod message;
mod open;
pub mod records;
pub mod settings;
mod splice;
mod text_layout;
mod trailer;

pub use choice::Choice;
pub use detect::{Certainty, Decision, DialectChoice, Undecided, detect};
pub use dump::Encoding;
pub use fault::Fault;
#[cfg(feature = "encrypted")]
pub use gdvar_io::encrypted::Key;
pub use header::Header;
pub use hints::{Engines, Hints};
pub use known_formats::KnownFormat;
pub use layers::{Layer, LayerKind, PeelError, Peeled, WrapError, peel};
pub use open::{NotOpened, Opened, decide, open};
pub use records::{Framing, Place, Problem, Record, Records};
pub use splice::{SpliceError, with_values};
pub use text_layout::TextLayout;
pub use trailer::{find_trailer_len, trailer_len};

use gdvar_view::{Dialect, Document, Objects, ReadOptions, frames};

/// Returns the options for reading objects as inert data. Whether objects are allowed is decided later.
pub(crate) fn options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

/// Returns `true` if all of `bytes` is one value of one of the dialects.
pub(crate) fn is_value(bytes: &[u8], dialects: &[Dialect]) -> bool {
    dialects.iter().any(|&dialect| {
        Document::with_options(bytes, options(dialect)).validate() == Ok(bytes.len())
    })
}

/// Returns `true` if all of `bytes` is one value of some engine, or one record of either byte order.
pub(crate) fn is_one_value(bytes: &[u8]) -> bool {
    let is_record = |order| {
        let first = frames(bytes, order).try_next();
        first.is_ok_and(|frame| {
            frame.is_some_and(|frame| {
                frame.offset + frame.bytes.len() == bytes.len()
                    && is_value(frame.bytes, &Dialect::ALL)
            })
        })
    };
    is_value(bytes, &Dialect::ALL)
        || is_record(gdvar_view::PrefixOrder::Little)
        || is_record(gdvar_view::PrefixOrder::Big)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
