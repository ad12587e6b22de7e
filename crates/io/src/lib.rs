//! Reads and writes the files and streams that contain Godot's Variants.
//!
//! | module | what | [`docs/FORMAT.md`] |
//! |---|---|---|
//! | [`records`] | values with their lengths in front: files of `store_var`, blocking streams | §7.1 |
//! | [`stream`] | the same from a stream that arrives in pieces, without IO | §7.1 |
//! | `codec` | the same for tokio (feature `tokio`) | §7.1 |
//! | [`project`] | `project.binary` | §7.2 |
//! | [`compressed`] | files of `open_compressed` | §7.3 |
//! | [`packed`] | bytes of `PackedByteArray.compress`, gzip, zlib, Zstandard | §7.3 |
//! | [`script`] | the constants of compiled scripts, `.gdc` | §7.7 |
//! | `encrypted` | files of `open_encrypted` and `open_encrypted_with_pass` (feature `encrypted`) | §7.4 |
//! | `base64` | `Marshalls.variant_to_base64` (feature `base64`) | §7 |
//! | `replace` | replaces a file in one step, or writes to a device or FIFO (feature `replace`) | |
//!
//! [`sniff`] says which of them a file is. The values themselves are read by `gdvar-view` and
//! written by `gdvar-write`.
//!
//! The readers are safe for untrusted input. They do not panic. A length or count in a file never
//! allocates memory unless the bytes that are present can unpack to that much, and what unpacks,
//! decrypts or assembles records requires [`Limits`]. An `io::Read` is read in pieces, and one
//! buffer is reused for all records or blocks. If the system has no memory for the contents of a
//! compressed or encrypted file, the result is an error.
//!
//! ```
//! use gdvar_io::{Limits, compressed::{BLOCK_SIZE, Compressed, Mode, compress}};
//! use gdvar_io::records::{PrefixOrder, RecordReader, RecordWriter};
//! use gdvar_write::Target;
//!
//! // A save: two records, compressed.
//! let mut save = RecordWriter::new(Vec::new(), Target::GODOT_4, PrefixOrder::Little);
//! save.write(|value| value.string("Aldis"))?;
//! save.write(|value| value.int(20))?;
//! let file = compress(&save.into_inner(), Mode::FastLz, BLOCK_SIZE)?;
//!
//! // And back, one record at a time.
//! let opened = Compressed::open(&file, Limits::unpacking(file.len()))?;
//! let mut records = RecordReader::new(opened.reader(), PrefixOrder::Little, Limits::FILE);
//! let mut sizes = Vec::new();
//! while let Some(record) = records.read()? {
//!     sizes.push(record.bytes.len());
//! }
//! assert_eq!(sizes, [16, 8]);
//! # Ok::<(), gdvar_io::StreamError>(())
//! ```
//!
//! # For whom
//!
//! This crate is for programs that know the format of their files.
//! [`gdvar-file`](https://docs.rs/gdvar-file) uses this crate, and detects the format. A stream or
//! file of any size needs the memory of its largest record or block.
//!
//! # Features
//!
//! All but `tokio`, `serde`, `rayon` and `ruzstd` are on by default.
//!
//! * `deflate`, `zstd`, `brotli`: the modes of compressed files besides FastLZ. `zstd` compiles the
//!   C library.
//! * `ruzstd`: reads Zstandard without a C compiler, and cannot write it. `zstd` takes precedence.
//! * `encrypted`: encrypted files. `random`: takes the initialisation vectors for new ones from the
//!   system.
//! * `base64`: values as base64.
//! * `replace`: a file replaced in one step.
//! * `rayon`: [`Compressed`](compressed::Compressed) files are unpacked by several threads.
//! * `tokio`: the codec.
//! * `serde`: converts errors of `gdvar-serde`, which closures that write values may return, to [`StreamError`].
//!
//! [`docs/FORMAT.md`]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "base64")]
pub mod base64;
#[cfg(feature = "tokio")]
pub mod codec;
pub mod compressed;
#[cfg(feature = "encrypted")]
pub mod encrypted;
mod error;
mod kind;
mod limits;
pub mod packed;
pub mod project;
pub mod records;
#[cfg(feature = "replace")]
pub mod replace;
pub mod script;
pub mod stream;
mod words;

pub use error::{Error, FileErrorKind, StreamError};
pub use kind::{Envelope, sniff};
pub use limits::Limits;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
