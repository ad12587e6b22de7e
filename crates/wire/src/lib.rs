//! The meaning of the bytes of Godot's Variant wire format.
//!
//! This crate is what the reader (`gdvar-view`) and the writer (`gdvar-write`) agree on: the
//! [header word](HeaderWord), the closed set of [kinds](Kind), the [dialects](Dialect) with
//! their type tables, the [layouts](layout) of payloads and the plain [math types](math).
//! It reads and writes nothing itself, needs no allocator and no standard library.
//!
//! The facts are those of `docs/FORMAT.md`; each item names its section.
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
//! # Features
//!
//! None is on by default, and all but `arbitrary` work without the standard library.
//!
//! * `glam-034`: the [math types](math) turn into those of glam 0.34 and back. The version is in the
//!   name, as another version of glam is another crate; later ones will stand beside it.
//! * `mint`: the same for mint, and so for most math libraries.
//! * `bytemuck`: vectors and [`Color`](math::Color) are `AnyBitPattern`, so that slices of another library's
//!   vectors are slices of ours. They are not `Pod`, which cannot be shown safely of generic structs.
//! * `arbitrary`: math types for fuzzing.
//! * `serde`: `Serialize` and `Deserialize` for the math types. With `gdvar-serde` they are values of
//!   their own kind; with JSON and the like they look as the engine's `JSON.from_native` shows them.
#![no_std]

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

/// The bit of an Array or Dictionary count word that Godot 2 sets for "shared" containers; later
/// engines ignore it (`docs/FORMAT.md` §4.2).
pub const SHARED_BIT: u32 = 1 << 31;

/// The bit of the first NodePath word that tells the format with separate names from the old
/// one, which holds the whole path as text (`docs/FORMAT.md` §4.5).
pub const NODE_PATH_NEW_FORMAT: u32 = 1 << 31;

/// NodePath flag: the path is absolute (`docs/FORMAT.md` §4.5).
pub const NODE_PATH_ABSOLUTE: u32 = 1;

/// NodePath flag: one more sub-name follows, a property. Only Godot 2 writes it
/// (`docs/FORMAT.md` §4.5).
pub const NODE_PATH_PROPERTY: u32 = 2;

/// Rounds up to a multiple of four: the size of a byte run with its padding
/// (`docs/FORMAT.md` §3, rule 2). Saturates at the top of the range.
///
/// ```
/// assert_eq!(gdvar_wire::pad4(5), 8);
/// assert_eq!(gdvar_wire::pad4(8), 8);
/// ```
#[must_use]
pub const fn pad4(len: usize) -> usize {
    len.saturating_add(3) & !3
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
