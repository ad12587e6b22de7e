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
//! [`from_slice`], [`from_reader`], [`to_vec`], [`to_buffer`] and [`to_writer`] are for Godot 4. The same
//! functions with `_with` take a dialect, [`ReadOptions`](gdvar_view::ReadOptions) or a
//! [`Target`](gdvar_write::Target). [`from_ref`] reads a value that a borrowed reader has found.
//! [`to_sink`] writes a value into a [`Writer`](gdvar_write::Writer), such as the writers of `gdvar_io`'s
//! records and codec.
//!
//! # Types of serde and types of Godot
//!
//! | Rust | written as | also read from |
//! |---|---|---|
//! | `bool` | `bool` | |
//! | `i8` … `i64`, `u8` … `u32`; `u64` up to `i64::MAX` | `int`, as wide as the target's engine writes it | |
//! | more than `i64::MAX`, `i128`, `u128` | refused | refused |
//! | `f32`, `f64` | `float`, as wide as the target's engine writes it | `int` |
//! | `char`, `&str`, `String` | String | StringName |
//! | `Option` | the value, or null | null objects are `None` |
//! | `()`, unit structs | null | null objects |
//! | newtype structs | what is inside | |
//! | sequences, tuples | Array | typed and packed arrays; not vectors, because they would be written back as Arrays |
//! | maps | Dictionary with keys of any kind | properties of whole objects |
//! | structs | Dictionary with String keys | StringName keys; an Array by position; properties |
//! | enums: `A`; `B(1)`; `C(1, 2)`; `D { x: 1 }` | `"A"`; `{"B": 1}`; `{"C": [1, 2]}`; `{"D": {"x": 1}}`; other forms by serde's attributes | |
//! | bytes (`serde_bytes`) | PackedByteArray | |
//! | vectors of glam and mint, `[f32; 3]` and others with [`math`](mod@math); [`Math`] | the Godot type | either precision |
//! | [`Vector2`](gdvar_wire::math::Vector2) … `Projection` of `f32` or `f64`, `Vector2<i32>` … | the same types, in their width in Rust; [`Precision`](gdvar_write::Precision) can ask for another | either precision |
//! | `Color<f32>` | Color | |
//! | [`StringName`], [`Rid`], [`ObjectId`]; `gdvar`'s `NodePath`, `Signal` | the same types | for StringName: String |
//! | `Vec` with [`packed`](mod@packed) | the packed array of its elements | Arrays of numbers or Strings |
//! | `Vec` with [`typed`](mod@typed) | the Array with the type of its elements | any Array |
//! | [`PackedRef`](gdvar_view::PackedRef) | the packed array | nothing else: it borrows |
//! | [`RawVariant`] | the bytes it was read from | any value |
//! | `gdvar::Variant` | any value | any value |
//!
//! A type that accepts anything (`serde_json::Value`, untagged and internally tagged enums,
//! `flatten`) gets Godot's own types as `{"type": …, "args": […]}`, the form of the engine's
//! `JSON.from_native`, with `"wide": true` for 64-bit reals. A StringName is a string there, and a
//! typed Array a list. A packed array inside such an enum needs the attribute
//! [`packed`](mod@packed) on its field, and a vector of 64-bit reals needs the type of `f64`.
//!
//! A byte order mark at the start of a text is kept, as the engine's writer keeps it. Whole objects
//! are refused unless [`ReadOptions`](gdvar_view::ReadOptions) allow them. Bytes after the value
//! are refused unless [`ReadWith::allow_trailing_bytes`] is called.
//!
//! A repeated key of a Dictionary is an error for structs. In maps the last value is kept, as in the
//! engines. The format is not human-readable in serde's sense, so types such as IP addresses use their
//! compact form.
//!
//! # Values of any type
//!
//! | where | `gdvar::Variant` | [`RawVariant`] |
//! |---|---|---|
//! | fields, lists, map values; enums without an attribute, or with `tag` and `content` if the tag comes first | itself, to the last bit | itself |
//! | `flatten`, `untagged`, `tag` alone, or `content` before its tag | read: an error. Written: itself, if it has a name there | the same |
//! | other formats: JSON, MessagePack, CBOR, postcard … | an enum: see its `Deserialize` | an error |
//! | the same in `flatten`, `untagged` and `tag` | the same enum | an error |
//!
//! Serde copies values that are flattened, untagged or tagged by a field. Its copy cannot hold
//! StringNames, typed Arrays and some other types: a Variant read from it would be another value. To keep
//! the keys that a struct does not know, read the whole value as a `gdvar::Variant`, take the struct from
//! it with `gdvar::tree::from_variant`, change the Variant and write it. Put a field that may hold any
//! value into a struct or into an enum without an attribute. If Godot's types do not matter,
//! `serde_json::Value` can be used anywhere.
//!
//! # Numbers
//!
//! No number changes, with one exception: an `f32` that reads a Float takes the nearest value, as
//! everywhere in Rust. A Float that is too large for it is an error, and so is an int that a float
//! field cannot hold exactly. Vectors of `f32` take 64-bit reals that 32 bits hold exactly; for
//! others use the type of `f64` and narrow it with `map`. (In the types that serde copies, serde
//! itself narrows to `f32`.)
//!
//! # Cost
//!
//! Nothing is read twice, except that a [`RawVariant`] or `gdvar::Variant` is validated before it is taken.
//! Only the types that are read allocate. A field in declaration order is found
//! by one comparison; any other order works too. Text is validated once. The length of a sequence or map
//! of unknown length, such as a flattened struct, is filled in later; [`to_writer`] keeps only these in
//! memory, and allocates for nothing else. [`to_buffer`] copies nothing: use it for packets.
//!
//! # Which form of an enum
//!
//! | | in the bytes | read in |
//! |---|---|---|
//! | serde's own: no attribute | `{"Move": {"id": 7, …}}` | 71 ns a packet |
//! | `#[serde(tag = "type")]` | `{"type": "Move", "id": 7, …}` | 259 ns a packet |
//!
//! Serde copies a value that is tagged by a field, untagged or flattened into a tree before it
//! reads it, in every format. So write packets as enums without an attribute. If a script decides
//! the form, a struct with a field `type`, and [`RawVariant`]s or `Option`s for the other fields,
//! is also read in one pass. An error inside such a copy has the path of the whole value, since the
//! copy has no paths. (The least of four runs of
//! `cargo run --release --manifest-path benches/Cargo.toml -- --only enums --quick`; rmp-serde
//! takes 79 and 247. Both forms are written in 33 by [`to_buffer`], in 34 and 36 by rmp-serde, and
//! in 46 by [`to_writer`].)
//!
//! # Depth
//!
//! serde recurses. Values are read down to [`ReadWith::DEPTH`], 128 levels, even if the `ReadOptions`
//! allow more; [`ReadWith::deep`] removes this limit. So no input can exhaust the 2 MiB of a thread's
//! stack, even in a build without optimisation: `tests/debug-build` reads and writes recursive structs and
//! enums of every form. A value that is ignored, kept raw or read as a `gdvar::Variant` is skipped without
//! recursion. A Variant is also written down to 128 levels; `Variant::to_vec` does not recurse.
//!
//! # Features
//!
//! * `std` (on by default): [`from_reader`] and [`to_writer`]. Without it the crate is `no_std` and
//!   needs an allocator.
//! * `glam-033`, `glam-034`, `mint`: [`math`](mod@math) and [`packed`](mod@packed) take the types of these
//!   libraries.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

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
pub mod typed;

pub use api::{
    ReadWith, from_ref, from_slice, from_slice_with, to_buffer, to_buffer_with, to_sink, to_vec,
    to_vec_with,
};
#[cfg(feature = "std")]
pub use api::{from_reader, from_reader_with, to_writer, to_writer_with};
pub use error::{Category, Error};
/// The module [`mod@math`], under the name of the library for which it is used most.
#[cfg(any(feature = "glam-033", feature = "glam-034"))]
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
