//! A second decoder, written from `docs/FORMAT.md` alone: slow, recursive, copying, and as plain as
//! the document. It shares no table and no line with the reader, so the two are only wrong together
//! where the document is.
//!
//! The type numbers are read from the table of §1.1 itself.

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

/// How to read, with every field in the open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The dialect of the bytes.
    pub dialect: Dialect,
    /// Only what a correct encoder writes.
    pub strict: bool,
    /// Which objects are let in.
    pub objects: Objects,
    /// The deepest value allowed.
    pub max_depth: u16,
    /// Strict: any padding of strings and bytes.
    pub early_godot_3: bool,
    /// Strict: ints in 64 bits whatever they are.
    pub ints_always_64: bool,
    /// Strict: no padding of node paths but zeros.
    pub zero_node_path_padding: bool,
    /// Vector4 and Projection of Godot 4.0 and 4.1 in double precision.
    pub unflagged_vector4_is_f64: bool,
}

impl Rules {
    /// Engine mode, ids only, the engine's depth.
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

    /// With leave for whole objects.
    #[must_use]
    pub const fn inert(self) -> Rules {
        Rules {
            objects: Objects::Inert,
            ..self
        }
    }

    /// In strict mode.
    #[must_use]
    pub const fn strictly(self) -> Rules {
        Rules {
            strict: true,
            ..self
        }
    }

    /// These rules as options of the reader.
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

/// A refusal: the name of the error in §6. If bytes have several faults, the document does not
/// define which of them is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal(pub &'static str);

/// A value and how many bytes it takes.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// The value.
    pub value: Value,
    /// Its length.
    pub len: usize,
    /// `true` if some byte of padding is not zero.
    pub dirty: bool,
    /// `true` if it has what no writer here writes, though some reader lets it pass without a loss:
    /// a byte order mark, a NodePath in a form that only Godot 2 knows, an element type that is no
    /// type.
    pub odd: bool,
}

/// Decodes the value that the bytes begin with, or in strict mode are.
///
/// # Errors
/// If the rules do not let them pass.
pub fn decode(bytes: &[u8], rules: Rules) -> Result<Decoded, Refusal> {
    decode::whole(bytes, rules)
}

/// Returns `true` if the engine takes two keys of a dictionary for the same (§6, "Equal keys").
#[must_use]
pub fn is_one_key(a: &Value, b: &Value, dialect: Dialect) -> bool {
    keys::are_equal(a, b, dialect)
}

/// The ends of the fields of a value that [`decode`] reads one by one; words, and the halves of
/// numbers of 64 bits. Up to the first that is refused.
#[must_use]
pub fn cuts(bytes: &[u8], rules: Rules) -> Vec<usize> {
    decode::cuts(bytes, rules)
}
