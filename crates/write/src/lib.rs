//! Streaming writer of Godot's Variant wire format: what `var_to_bytes`, `store_var` and
//! `put_var` write, without the engine and without building a tree first.
//!
//! ```
//! use gdvar_write::{Target, Writer, wire::math::Vector2};
//!
//! let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
//! let mut player = writer.root().dict(3)?;
//! player.key("name")?.string("Ann")?;
//! player.key("hp")?.int(100)?;
//! player.key("pos")?.vector2(Vector2 { x: 1.5_f32, y: -2.0 })?; // f64 would be kept in 64 bits
//! player.end()?;
//! let bytes = writer.finish()?;
//! assert_eq!(bytes.len(), 76);
//! # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
//! ```
//!
//! - **[`Target`]** says for which engine: its dialect, version and precision. The bytes are those
//!   that the engine itself writes for the same value ([`docs/FORMAT.md` §5]). A value that the
//!   engine cannot express is an error.
//! - **[`Sink`]** says where to: `Vec<u8>`, a [slice](SliceSink), a [counter](Measure), and with
//!   `std` any [`io::Write`](IoSink).
//! - **[`Writer`]** takes events: `begin_array(2)`, `int(1)`, `end()`. It suits parsers and
//!   serializers. Loops over records make the same calls in a [burst](Writer::burst), in half the
//!   time.
//! - **[`Slot`]** writes the same, with types that keep nesting and order. It suits code written by
//!   hand.
//!
//! | containers | need | cost |
//! |---|---|---|
//! | [`Slot::array`], [`Slot::dict`], [`Slot::object`] | their length | none |
//! | [`Slot::array_from`] | an `ExactSizeIterator` | none |
//! | [`Slot::growing_array`], [`Slot::growing_dict`] | a sink that can [`Patch`] | none in memory, a seek in files |
//! | [`Slot::spooled_array`], [`Slot::spooled_dict`] | memory of that one container | one more copy |
//!
//! Only the sink allocates, except for containers nested deeper than the engines allow. Counts,
//! depth and order are checked in release builds too. Padding is always zero.
//!
//! # For whom
//!
//! For programs that only write, and for machines without the standard library. Others use
//! [`gdvar`](https://docs.rs/gdvar), which exports this crate. A writer writes one value: a file of
//! `store_var` needs a length in front, which [`gdvar-io`](https://docs.rs/gdvar-io) writes.
//!
//! # Features
//!
//! * `std` (on by default): [`IoSink`] and [`SeekSink`]. It includes `alloc`.
//! * `alloc`: `Vec<u8>` as a sink, and spooled containers.
//! * `transcode`: conversion between engines. It brings in the reader, `gdvar-view`.
//! * `glam-033`, `glam-034`, `mint`: `glam::Vec3` and other types convert to the math types with `into()`.
//! * `bytemuck`: whole slices convert without a copy:
//!   `packed_vector3(bytemuck::cast_slice(&points))` takes a `&[glam::Vec3]` or a `&[[f32; 3]]`.
//!
//! Without features the crate is `no_std` and writes to [`SliceSink`] and your own sinks. A program
//! still needs a `#[global_allocator]`, because the linker asks for one; it is called only for
//! containers nested deeper than the engines allow.
//!
//! [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod burst;
mod containers;
mod error;
mod frame;
mod growing;
mod headers;
#[cfg(feature = "std")]
mod io;
mod legacy;
mod math;
mod packed;
mod scalars;
mod short_text;
mod sink;
mod slot;
mod slots;
#[cfg(feature = "alloc")]
mod spool;
mod target;
mod target_name;
mod text;
#[cfg(feature = "transcode")]
mod transcode;
mod writer;

pub use burst::Burst;
pub use containers::ElementType;
pub use error::{Error, WriteErrorKind};
pub use gdvar_wire as wire;
pub use growing::Growing;
#[cfg(feature = "std")]
pub use io::{IoSink, SeekSink};
pub use legacy::ImageParts;
pub use math::Real;
pub use sink::{BufferFull, Measure, Patch, SHORT, Sink, SliceSink};
pub use slot::{KeySlot, Slot};
pub use slots::{ArraySlots, DictSlots, GrowingArray, GrowingDict, ObjectSlots};
pub use target::{IntRule, Precision, Target};
pub use target_name::UnknownTarget;
pub use text::NodePathParts;
#[cfg(feature = "transcode")]
pub use transcode::{Loss, Report, Reported, TranscodeError, transcode, transcode_value};
pub use writer::Writer;

#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
