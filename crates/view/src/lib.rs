//! Zero-copy reader of Godot's Variant wire format: the bytes of `var_to_bytes`, `store_var` and
//! `put_var`, described in [`docs/FORMAT.md`].
//!
//! Everything starts with a [`Document`]: the bytes of one value, with the [`Dialect`] of the
//! engine that wrote them. It reads nothing until a method is called.
//!
//! # Which way do I want?
//!
//! | you have | use | cost | ns a value |
//! |---|---|---|---:|
//! | packets or records of known keys | [`Record`] (derived, or five lines by hand) | one pass over the pairs | 3 |
//! | a few values wanted out of many | [`Document::get`], [`VariantRef`] | O(1) for scalars; passing a container walks over it | 16 |
//! | all values at paths of one form, `party[*].name` | [`Pattern`], [`VariantRef::select`] | one walk; values that cannot match are skipped | |
//! | everything, in order | [`Events`] | one linear walk, which validates | 15 |
//! | a decoder of your own to write | [`Cursor`] | one linear walk without handles | |
//! | one buffer, read again and again, or at random | [`Index`] | one validating walk, then any child in O(1) and no `Result` | |
//! | every byte with its field, damaged or not | [`WireFields`] | one linear walk | |
//!
//! All of them give the same values and refuse the same bytes. Reading copies nothing. Only an [`Index`],
//! strict mode, and Rust types such as `Vec` allocate. Walks do not recurse, and no input causes a panic.
//!
//! ```
//! use gdvar_view::{Dialect, Document};
//!
//! // {"pos": Vector2(10, 20)}
//! let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";
//! let doc = Document::new(bytes, Dialect::GODOT_4);
//! let pos = doc.get("pos")?.and_then(|value| value.as_vector2()).unwrap();
//! assert_eq!((pos.x, pos.y), (10.0, 20.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # For whom
//!
//! For programs that only read, and for machines without the standard library. Others use
//! [`gdvar`](https://docs.rs/gdvar), which exports this crate with the writer and an owned tree. Both crates
//! read one value in memory: [`gdvar-io`](https://docs.rs/gdvar-io) has records, streams and compressed files,
//! and [`gdvar-file`](https://docs.rs/gdvar-file) finds out what a file is.
//!
//! # Features
//!
//! * `std` (on by default): includes `alloc`, and chooses fast instructions for text when the program runs.
//! * `alloc`: [`Index`], [`OwnedStep`], [`verdict()`], [`PackedRef::to_native`], values as
//!   `String`, `Vec` and `BTreeMap` ([`FromVariant`]), and in strict mode the search for repeated
//!   keys. Without it strict mode accepts repeated keys.
//! * `derive`: `#[derive(Record)]`, with the attributes of [gdvar-derive](https://docs.rs/gdvar-derive).
//! * `ascii`: short ASCII text becomes a `&str` faster.
//! * `bytes`: [`keep`], which keeps parts of a packet alive without a copy.
//! * `bytemuck`: [`PackedRef::as_pod`], packed arrays as slices of your own types or glam's.
//! * `glam-033`, `glam-034`: math types convert to the types of that version of glam, and values can be read as them
//!   ([`FromVariant`]).
//! * `mint`: math types convert to and from the types of mint, which most math libraries convert to and from.
//! * `arbitrary`: math types can be generated for fuzzing.
//! * `serde`: includes `alloc`; `Serialize` and `Deserialize` for [`PackedRef`] and the math types.
//!
//! Without features the crate is `no_std`. A program still needs a `#[global_allocator]`, because the linker
//! asks for one; it is called only for containers nested deeper than the engines allow
//! ([`Limits::GODOT_3_2`]), and for a [`Path`] or [`Pattern`] of more than eight steps.
//!
//! [`docs/FORMAT.md`]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bytes;
mod detect;
mod document;
mod error;
mod fast;
mod fields;
#[cfg(feature = "alloc")]
mod index;
mod options;
mod path;
mod typed;
mod value;
#[cfg(feature = "alloc")]
mod verdict;
mod walk;

pub use bytes::frames::{Frame, Frames, PrefixOrder, frames};
pub use detect::{Choice, Detection, Detector, DialectFit, detect};
pub use document::{Document, GetError};
pub use error::{Error, ErrorKind, Layer, NonCanonical};
pub use fields::{WireField, WireFields, WireOwner, WirePart};
#[cfg(feature = "alloc")]
pub use index::{Index, Indexed, IndexedArrayIter, IndexedDictIter, IndexedPropertyIter};
pub use options::{Mode, Objects, ReadOptions};
#[cfg(gdvar_host_floats)]
pub use path::digits::HostFloats;
#[cfg(feature = "alloc")]
pub use path::owned::OwnedStep;
pub use path::{
    Path,
    components::{Math, Numbers},
    locate::Location,
    parse::PathError,
    pattern::{Pattern, PatternStep},
    quote::path_end,
    select::{Select, SelectedPath},
    simple_key::SimpleKey,
    step::Step,
    target::{Found, PathTarget},
};
pub use typed::{
    from_variant::FromVariant,
    mismatch::{Mismatch, MismatchKind},
    record::{
        fields::{Fields, Record},
        key::Key,
    },
};
#[cfg(feature = "bytes")]
pub use value::keep::keep;
pub use value::{
    array::ArrayRef,
    dict::DictRef,
    element::ElementType,
    node_path::{NameIter, NodePathRef},
    object::ObjectRef,
    packed::{
        Packed, PackedIter, PackedRef, PackedStringIter, PackedStrings, PackedVector2s,
        PackedVector3s, PackedVector4s,
    },
    real::Real,
    string::{Codes, StrRef},
    variant::{ImageRef, InputEventRef, VariantRef},
};
#[cfg(feature = "alloc")]
pub use verdict::{Change, Changed, Verdict, verdict};
pub use walk::{
    cursor::{Cursor, PayloadWords},
    event::{Event, Role},
    events::Events,
    items::ArrayIter,
    pairs::DictIter,
    properties::PropertyIter,
    walked::Walked,
};
#[cfg(feature = "alloc")]
pub use walk::{keys::digest::key_hash, repeats::repeated_keys};

#[cfg(feature = "derive")]
pub use gdvar_derive::ViewRecord as Record;

pub use gdvar_wire::{
    Dialect, Element, Engine, F32, F64, HeaderWord, I32, I64, Kind, Limits, TextRules, TypeId, U64,
    UnknownDialect, UnknownEngine, WideCode, layout, math, narrow, wide_bytes, wide_code, widen,
};

#[doc(hidden)]
pub use gdvar_wire::debug_is_display;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
