//! Godot's own text notation of Variant values.
//!
//! [`parse_godot`] reads what `str_to_var` and `str2var` read, and encodes it. [`write_godot`]
//! writes what `var_to_str` of Godot 4.6 and `var2str` of Godot 3.6 and 3.2 print, character for
//! character. [`write_exact`] writes text that reads back as the same value. [`write_line`] writes
//! the notation on one line, for people. [`write_stored`] writes what a text document holds.
//!
//! | | [`write_godot`] | [`write_line`] |
//! |---|---|---|
//! | shows | what the engine decodes | what the bytes say |
//! | keys | sorted by the engine's comparison, repeated ones merged | in wire order, all of them |
//! | typed arrays | elements converted or dropped | elements as in the bytes |
//! | 64-bit reals | in single precision | in full |
//! | length | all of it | can be folded |
//!
//! ```
//! use gdvar_text::{ParseOptions, parse_godot};
//! use gdvar_write::Target;
//!
//! let parsed = parse_godot("Vector2i(3, 4)", &ParseOptions::new(Target::GODOT_4))?;
//! assert_eq!(parsed.bytes, b"\x06\0\0\0\x03\0\0\0\x04\0\0\0");
//! # Ok::<(), gdvar_text::ParseError>(())
//! ```
//!
//! # For whom, and what it costs
//!
//! For programs that show values to people who know Godot, and that take values from them. Reading
//! takes one pass, and neither reading nor writing recurses. [`write_godot`] also sorts keys, as
//! the engines do. Numbers and texts that do not fit are errors with line and column. The crate has
//! no features.
//!
//! # What the engines do
//!
//! Learned by asking the engines, and worth knowing before you compare texts:
//!
//! * Godot 4 prints digits that read back to the same float, found by Grisu2, which are not always
//!   the fewest. A double that is also an `f32` gets the digits of the `f32`. There is an exponent
//!   from 10^15 up and below 10^-4. Godot 3 prints six digits of the value as an `f32`.
//! * Negative zero is `0`. Negative infinity is `inf_neg` and NaN has no sign. In Godot 3.2 negative
//!   infinity is `-inf.0` and a negative NaN `-nan.0`; as components they are `-inf` and `-nan`.
//! * In a String only quotes and backslashes are escaped. In a StringName, a NodePath and the
//!   strings of a packed array, apostrophes and line breaks are escaped too; in Godot 3 also
//!   question marks.
//! * Keys of different types are sorted by type number. Within a type, only bool, int, float,
//!   String, StringName, RID, vectors and arrays have an order. Other keys are neither less nor
//!   greater than each other, and the sorting algorithm decides where they end up.
//! * In Godot 4, String and StringName keys compare as text, even if types between the two have
//!   keys.
//! * Godot 3 treats vectors that are close to each other as equal, and an array as less than
//!   another if it is no longer and *not* all of its elements are less.
//! * Containers inside 101 others are printed as if they were empty. Godot 3.2 has no limit.
//! * An empty Dictionary is `{}` in Godot 4, `{` and `}` on two lines in 3.6, and on three in 3.2.
//! * Godot 3 prints nothing for a RID.
//!
//! # Where the text differs from the engine's
//!
//! * The engine also prints script variables that it does not store, which are not in the bytes. In
//!   typed dictionaries it forgets the type of a script.
//! * Inside arrays that are keys, Godot 4 sorts StringNames by their address in memory, and Godot 3
//!   sorts objects that way. Here StringNames sort as text, and objects are left where they are.
//! * Two conversions are missing: from String to Color and from Basis to Quaternion. Such elements
//!   are dropped. No encoder writes bytes that need these conversions. Arrays that become packed
//!   arrays show their elements unconverted.
//! * If more than some thousand keys of Godot 3 are all less than each other, the sort stops early,
//!   because finishing it would take quadratic time.

mod builder;
mod coerce;
mod dict;
mod engine;
mod error;
mod exact;
mod grisu;
mod leaf;
mod line;
mod notation;
mod number;
mod number_value;
mod order;
mod outline;
mod packed;
mod page;
mod parse;
mod shown;
mod sink;
mod sort;
mod stored;
mod string;
mod wrap;
mod write_leaf;

pub use crate::builder::Builder;
pub use crate::engine::{Godot, write_godot};
pub use crate::error::{BuildError, TextError};
pub use crate::exact::write_exact;
pub use crate::line::{LineOptions, write_line};
pub use crate::number::{NumberText, double_text, float_text, int_text, real_text};
pub use crate::number_value::Number;
pub use crate::parse::reference::type_reference;
pub use crate::parse::{
    ParseError, ParseErrorKind, ParseOptions, Parsed, line_and_column, parse_godot, parse_godot_at,
};
pub use crate::sink::{Bytes, Sink};
pub use crate::stored::{write_stored, write_stored_portable};
pub use crate::string::{exact_path_text, path_text};
pub use crate::wrap::wrapped;
pub use gdvar_wire::{Engine, Notation};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
