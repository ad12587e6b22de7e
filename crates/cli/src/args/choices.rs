//! Options that several commands have, and their choices.

use std::path::{Path, PathBuf};

use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use gdvar_file::{Encoding, records::Framing};
use gdvar_view::Objects;
use gdvar_write::Precision;

/// `auto` or a framing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FramingArg {
    /// Found out
    Auto,
    /// One value and nothing else: var_to_bytes, a packet
    Bare,
    /// Each value after its length in four bytes: store_var, put_var
    Len32,
    /// As len32, with big-endian lengths: big_endian is set (Godot 3: endian_swap)
    #[value(name = "len32be")]
    Len32Be,
    /// One value a line, as hexadecimal digits; lines with # are comments
    Hex,
    /// One value a line, as base64
    Base64,
}

/// Parses the name of a framing. `auto` is not accepted.
pub(crate) fn framing() -> impl TypedValueParser<Value = Framing> {
    let all = FramingArg::value_variants().iter();
    let named = all.filter(|framing| framing.get().is_some());
    let names = named.filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).map(|name| Framing::from_name(&name).unwrap_or(Framing::Bare))
}

impl FramingArg {
    /// Returns the framing, or `None` for `auto`.
    pub(crate) fn get(self) -> Option<Framing> {
        match self {
            FramingArg::Auto => None,
            FramingArg::Bare => Some(Framing::Bare),
            FramingArg::Len32 => Some(Framing::Len32),
            FramingArg::Len32Be => Some(Framing::Len32Be),
            FramingArg::Hex => Some(Framing::Hex),
            FramingArg::Base64 => Some(Framing::Base64),
        }
    }
}

/// How bytes are written in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum EncodingArg {
    /// The bytes themselves
    Raw,
    /// Hexadecimal digits, also inside lines of a log; the longest run of a line counts
    Hex,
    /// A dump of xxd, hexdump -C, od -A x -t x1, hexyl or Wireshark
    Hexdump,
    /// Base64, on one line or many
    Base64,
    /// Numbers as programs print them: [28, 0, 255], 0x1c, 0x00, b'\x1c\0'
    Array,
}

impl EncodingArg {
    /// Converts to the type of `gdvar-file`.
    pub(crate) fn get(self) -> Encoding {
        match self {
            EncodingArg::Raw => Encoding::Raw,
            EncodingArg::Hex => Encoding::Hex,
            EncodingArg::Hexdump => Encoding::Hexdump,
            EncodingArg::Base64 => Encoding::Base64,
            EncodingArg::Array => Encoding::Array,
        }
    }
}

/// A policy on objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ObjectsArg {
    /// Whole objects too: shown as data, never made
    Inert,
    /// Ids only; whole objects are refused, as the engines do by default
    Ids,
    /// None at all
    Deny,
}

impl From<ObjectsArg> for Objects {
    fn from(policy: ObjectsArg) -> Objects {
        match policy {
            ObjectsArg::Inert => Objects::Inert,
            ObjectsArg::Ids => Objects::Ids,
            ObjectsArg::Deny => Objects::Deny,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How wide reals are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// As each value has it
    Same,
    /// 32 bits, for the engine as distributed
    Single,
    /// 64 bits, for one built with precision=double
    Double,
}

impl From<PrecisionArg> for Precision {
    fn from(width: PrecisionArg) -> Precision {
        match width {
            PrecisionArg::Same => Precision::AsGiven,
            PrecisionArg::Single => Precision::Single,
            PrecisionArg::Double => Precision::Double,
        }
    }
}

/// One record of a file.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct RecordArg {
    /// Only that record, counted from 0; -1 is the last
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) record: Option<i64>,
}

/// The place to write to.
#[derive(Args, Debug)]
pub(crate) struct OutputArg {
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArg {
    /// Returns the output file, or `None` for standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }
}
