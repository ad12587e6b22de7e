//! A second decoder, written from `docs/FORMAT.md` alone: slow, recursive, copying, and as simple as that
//! document. It shares no table and no code with the reader, so both make the same mistake only if
//! docs/FORMAT.md is wrong.
//!
//! It reads the type numbers from the table of §1.1 itself.

mod decode;
mod input;
mod keys;
mod layout;
mod numbers;
mod tagged;
mod text;
mod value;

pub use tagged::tagged;
pub use value::{Component, Element, Text, Value};

use gdvar::{Dialect, Limits, Mode, Objects, ReadOptions};

/// The rules for reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The dialect of the bytes.
    pub dialect: Dialect,
    /// Accepts only what a correct encoder writes.
    pub strict: bool,
    /// Which objects are accepted.
    pub objects: Objects,
    /// The greatest depth allowed.
    pub max_depth: u16,
    /// In strict mode, allows any padding of strings and bytes.
    pub early_godot_3: bool,
    /// In strict mode, accepts 64 bits for an int that fits 32 bits.
    pub ints_always_64: bool,
    /// In strict mode, requires zeros as the padding of node paths.
    pub zero_node_path_padding: bool,
    /// Reads Vector4 and Projection in double precision, as Godot 4.0 and 4.1 write them.
    pub unflagged_vector4_is_f64: bool,
}

impl Rules {
    /// Creates rules for engine mode, with object ids only and the engine's depth limit.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Rules {
        Rules {
            dialect,
            strict: false,
            objects: Objects::Ids,
            max_depth: 1024,
            early_godot_3: false,
            ints_always_64: false,
            zero_node_path_padding: false,
            unflagged_vector4_is_f64: false,
        }
    }

    /// Permits whole objects.
    #[must_use]
    pub const fn inert(self) -> Rules {
        Rules {
            objects: Objects::Inert,
            ..self
        }
    }

    /// Sets strict mode.
    #[must_use]
    pub const fn strictly(self) -> Rules {
        Rules {
            strict: true,
            ..self
        }
    }

    /// Returns these rules as options of the reader.
    #[must_use]
    pub fn options(self) -> ReadOptions {
        let mode = if self.strict {
            Mode::Strict
        } else {
            Mode::Engine
        };
        ReadOptions::new(self.dialect)
            .with_mode(mode)
            .with_objects(self.objects)
            .with_limits(Limits::ENGINE.with_max_depth(self.max_depth))
            .with_early_godot_3(self.early_godot_3)
            .with_ints_always_64(self.ints_always_64)
            .with_zero_node_path_padding(self.zero_node_path_padding)
            .with_unflagged_vector4_is_f64(self.unflagged_vector4_is_f64)
    }
}

/// The refusal of some bytes, with the name of the error in §6. If the bytes have several faults,
/// docs/FORMAT.md does not define which one is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal(pub &'static str);

/// A value and its length.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The value that starts at the first byte.
    pub value: Value,
    /// The number of bytes that it takes.
    pub len: usize,
    /// `true` if some byte of padding is not zero.
    pub dirty: bool,
    /// `true` if the value has a form that this project never writes, although some reader accepts it
    /// without a loss: a byte order mark, a NodePath in a form that only Godot 2 knows, or an element type
    /// that is not a type.
    pub odd: bool,
}

/// Decodes the value at the beginning of the bytes. In strict mode nothing may follow it.
///
/// # Errors
/// If the rules do not allow the bytes.
pub fn decode(bytes: &[u8], rules: Rules) -> Result<Decoded, Refusal> {
    decode::whole(bytes, rules)
}

/// Returns `true` if the engine considers two keys of a dictionary equal (§6, "Equal keys").
#[must_use]
pub fn is_one_key(a: &Value, b: &Value, dialect: Dialect) -> bool {
    keys::are_equal(a, b, dialect)
}

/// Returns the offset at which each read of [`decode`] ends, up to the first read that fails. A read is a
/// field, a word, or half of a 64-bit number.
#[must_use]
pub fn cuts(bytes: &[u8], rules: Rules) -> Vec<usize> {
    decode::cuts(bytes, rules)
}
