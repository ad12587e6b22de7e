//! The meaning of the bytes of Godot's Variant wire format.
//!
//! The reader (`gdvar-view`) and the writer (`gdvar-write`) both use the definitions in this crate:
//! the [header word](HeaderWord), the closed set of [kinds](Kind), the [dialects](Dialect) with
//! their type tables, the [layouts](layout) of payloads and the plain [math types](math). The crate
//! itself reads and writes nothing, and needs neither an allocator nor the standard library.
//!
//! [`docs/FORMAT.md`] describes the format; each item names its section.
//!
//! ```
//! use gdvar_wire::{Dialect, HeaderWord, Kind};
//!
//! let header = HeaderWord(0x0001_0002); // an Int with a 64-bit payload
//! assert_eq!(Dialect::GODOT_4.kind(header.type_id()), Some(Kind::Int));
//! assert!(header.flags().is_64());
//! // The same number means different things to different engines.
//! let eighteen = HeaderWord(18).type_id();
//! assert_eq!(Dialect::GODOT_3.kind(eighteen), Some(Kind::Dictionary));
//! assert_eq!(Dialect::GODOT_4.kind(eighteen), Some(Kind::Transform3D));
//! ```
//!
//! # For whom
//!
//! For crates that read or write these bytes themselves, in Rust or with tables generated from this
//! crate (`docs/formats` has descriptions for other tools). Programs use
//! [`gdvar`](https://docs.rs/gdvar), which exports what they need. Most functions are `const` and
//! look their result up in a table; a look-up is one load, and allocates nothing.
//!
//! # Features
//!
//! No feature is on by default. All but `arbitrary` work without the standard library.
//!
//! * `glam-033`, `glam-034`: conversions between the [math types](math) and glam 0.33 or 0.34. The
//!   name carries the version because each version of glam has types of its own; a later version
//!   gets another feature.
//! * `mint`: conversions between the math types and mint, which most math libraries convert to and
//!   from.
//! * `bytemuck`: vectors and [`Color`](math::Color) are `AnyBitPattern`, so another library's slice
//!   of vectors can be cast to a slice of ours. They are not `Pod`, because that cannot be proven
//!   safe for generic structs.
//! * `arbitrary`: the math types can be generated for fuzzing. Needs the standard library.
//! * `serde`: `Serialize` and `Deserialize` for the math types. `gdvar-serde` reads and writes them
//!   as values of their own kind; JSON and similar formats show them as the engine's
//!   `JSON.from_native` does.
//!
//! [`docs/FORMAT.md`]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "serde")]
extern crate alloc;

mod debug;
mod dialect;
mod element;
mod engine;
mod header;
mod kind;
pub mod layout;
mod limits;
pub mod math;
#[cfg(feature = "serde")]
mod math_serde;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod native;
mod plain;
mod real;
mod tables;
mod wide_text;

pub use dialect::{Dialect, TextRules, UnknownDialect};
pub use element::{Element, F32, F64, I32, I64, U64};
pub use engine::{Engine, Notation, UnknownEngine};
pub use header::{ElementTyping, Flags, HeaderWord, TypeId};
pub use kind::Kind;
pub use limits::Limits;
pub use plain::{Body, Plain};
pub use real::{fits_f32, narrow, widen};
pub use wide_text::{WideCode, wide_bytes, wide_code};

/// The bit of an Array's or Dictionary's count word that Godot 2 sets for "shared" containers.
/// Later engines ignore it ([`docs/FORMAT.md` §4.2]).
///
/// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
pub const SHARED_BIT: u32 = 1 << 31;

/// The bit of a NodePath's first word that marks the new format, with separate names. If the bit is
/// clear, the path has the old format: one text that holds the whole path
/// ([`docs/FORMAT.md` §4.5]).
///
/// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
pub const NODE_PATH_NEW_FORMAT: u32 = 1 << 31;

/// The NodePath flag for an absolute path ([`docs/FORMAT.md` §4.5]).
///
/// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
pub const NODE_PATH_ABSOLUTE: u32 = 1;

/// The NodePath flag for one more sub-name, a property. Only Godot 2 writes it
/// ([`docs/FORMAT.md` §4.5]).
///
/// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
pub const NODE_PATH_PROPERTY: u32 = 2;

/// Rounds `len` up to a multiple of four: the size of a byte run with its padding
/// ([`docs/FORMAT.md` §3], rule 2). The result is at most `usize::MAX - 3`, even if `len` is
/// greater.
///
/// ```
/// assert_eq!(gdvar_wire::pad4(5), 8);
/// assert_eq!(gdvar_wire::pad4(8), 8);
/// ```
///
/// [`docs/FORMAT.md` §3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#3-payload-layouts
#[must_use]
pub const fn pad4(len: usize) -> usize {
    len.saturating_add(3) & !3
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
