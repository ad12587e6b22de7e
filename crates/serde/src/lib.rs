//! Serde for Godot's Variant wire format: derived structs from and to the bytes of `var_to_bytes`,
//! `store_var` and `put_var`, of Godot 4, 3 and 2 and of Pandemonium.
//!
//! ```
//! use gdvar_wire::math::Vector3;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Save<'a> {
//!     #[serde(borrow)]
//!     player: &'a str,
//!     pos: Vector3<f32>,
//!     #[serde(default)]
//!     gold: i64,
//!     #[serde(with = "gdvar_serde::packed")]
//!     heights: Vec<f32>,
//! }
//!
//! let pos = Vector3 { x: 1.0, y: 2.0, z: 3.0 };
//! let save = Save { player: "Ann", pos, gold: 7, heights: vec![0.5; 4] };
//! let bytes = gdvar_serde::to_vec(&save)?;
//! assert_eq!(gdvar_serde::from_slice::<Save<'_>>(&bytes)?, save);
//! # Ok::<(), gdvar_serde::Error>(())
//! ```
//!
//! [`from_slice`], [`from_reader`], [`to_vec`], [`to_buffer`] and [`to_writer`] are for Godot 4. Their twins with `_with` take a
//! dialect, [`ReadOptions`](gdvar_view::ReadOptions) or a [`Target`](gdvar_write::Target);
//! [`from_ref`] reads a value that a borrowed reader came to, [`to_sink`] writes one where a
//! [`Writer`](gdvar_write::Writer) stands, such as those of `gdvar_io`'s records and codec.
//!
//! # Types of serde and types of Godot
//!
//! | Rust | written as | read from, beside that |
//! |---|---|---|
//! | `bool` | `bool` | |
//! | `i8` … `i64`, `u8` … `u32`; `u64` up to `i64::MAX` | `int`, as wide as the target's engine writes it | |
//! | more than `i64::MAX`, `i128`, `u128` | refused | refused |
//! | `f32`, `f64` | `float`, as wide as the target's engine writes it | `int` |
//! | `char`, `&str`, `String` | String | StringName |
//! | `Option` | the value, or null | null objects are `None` |
//! | `()`, unit structs | null | null objects |
//! | newtype structs | what is inside | |
//! | sequences, tuples | Array | typed and packed arrays, but no vectors: those would be written as Arrays |
//! | maps | Dictionary with keys of any kind | properties of whole objects |
//! | structs | Dictionary with String keys | StringName keys; an Array by position; properties |
//! | enums: `A`; `B(1)`; `C(1, 2)`; `D { x: 1 }` | `"A"`; `{"B": 1}`; `{"C": [1, 2]}`; `{"D": {"x": 1}}`; other forms by serde's attributes | |
//! | bytes (`serde_bytes`) | PackedByteArray | |
//! | vectors of glam and mint, `[f32; 3]` and the like with [`math`](mod@math); [`Math`] | the Godot type | either precision |
//! | [`Vector2`](gdvar_wire::math::Vector2) … `Projection` of `f32` or `f64`, `Vector2<i32>` … | themselves, in the width that they have in Rust; [`Precision`](gdvar_write::Precision) asks for another | either precision |
//! | `Color<f32>` | Color | |
//! | [`StringName`], [`Rid`], [`ObjectId`]; `gdvar`'s `NodePath`, `Signal` | themselves | StringName: String |
//! | `Vec` with [`packed`](mod@packed) | the packed array of its elements | Arrays of numbers or Strings |
//! | [`PackedRef`](gdvar_view::PackedRef) | the packed array | nothing else: it borrows |
//! | [`RawVariant`] | the bytes it was read from | any value |
//! | `gdvar::Variant` | itself | any value |
//!
//! A type that asks for anything (`serde_json::Value`, untagged and internally tagged enums, `flatten`) gets
//! Godot's own types as `{"type": …, "args": […]}`, the form of the engine's `JSON.from_native`, and
//! `"wide": true` where reals have 64 bits; a StringName is a string there. In that form the types
//! go to JSON and come back. A packed array read in such an enum needs the attribute
//! [`packed`](mod@packed) on its field.
//!
//! A byte order mark at the start of a text is kept, as the engine's writer keeps it. Whole objects are refused
//! unless [`ReadOptions`](gdvar_view::ReadOptions) let them in.
//!
//! A key that stands twice is an error for structs; in maps the last one wins, as in the engines.
//! The format is not human-readable in serde's sense: addresses and the like are compact.
//!
//! # Cost
//!
//! Nothing is read twice and nothing is allocated but by the types themselves. Fields that stand in
//! their order are found by one comparison; any other order works too. Text is validated once.
//! Sequences and maps of unknown length, such as flattened structs, are patched in memory;
//! [`to_writer`] holds back no more than those, and allocates for nothing else. [`to_buffer`] copies nothing:
//! use it for packets.
//!
//! # Which form of an enum
//!
//! | | in the bytes | read in |
//! |---|---|---|
//! | serde's own: no attribute | `{"Move": {"id": 7, …}}` | 71 ns a packet |
//! | `#[serde(tag = "type")]` | `{"type": "Move", "id": 7, …}` | 259 ns a packet |
//!
//! Serde copies a value that is tagged by a field, untagged or flattened into a tree of its own before it reads
//! it, in every format. So write packets as enums without an attribute. If a script decides the form, a struct
//! with a field `type` and [`RawVariant`]s or `Option`s for the others is read in one pass, too. An error inside
//! such a type has the place of the whole, since the copy knows no places. (The least of four runs of `cargo run --release
//! --manifest-path benches/Cargo.toml -- --only enums --quick`; rmp-serde takes 79 and 247. Both forms are written in 33 by
//! [`to_buffer`], in 34 and 36 by rmp-serde, and in 46 by [`to_writer`].)
//!
//! # Depth
//!
//! serde recurses. With a dialect alone values are read down to [`ReadWith::DEPTH`], 128 levels;
//! `ReadOptions` have the engine's 1024 unless they say otherwise. The tests read and write lists and
//! boxed enums of 1024 levels in a thread of 2 MiB; deeper visitors of your own may need more. A
//! value that is ignored, kept raw or read as a `gdvar::Variant` is passed without recursion.
//!
//! # Features
//!
//! `glam-034`, `mint`: [`math`](mod@math) and [`packed`](mod@packed) for the types of these libraries.
//! `std` (default): [`to_writer`]. Without it the crate is `no_std` and needs an allocator.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod api;
mod de;
mod error;
pub mod math;
mod names;
pub mod packed;
mod raw;
mod ser;

pub use api::{
    ReadWith, from_ref, from_slice, from_slice_with, to_buffer, to_buffer_with, to_sink, to_vec,
    to_vec_with,
};
#[cfg(feature = "std")]
pub use api::{from_reader, from_reader_with, to_writer, to_writer_with};
pub use error::{Category, Error};
/// The module [`mod@math`] under the name of the library whose types it is mostly used for.
#[cfg(feature = "glam-034")]
#[doc(no_inline)]
pub use math as glam;
pub use math::Math;
pub use names::{ObjectId, Rid, StringName};
#[doc(hidden)]
pub use raw::Handed;
pub use raw::RawVariant;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
