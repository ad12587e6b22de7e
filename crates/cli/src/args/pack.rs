//! Options of `unpack` and `pack`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gdvar_io::compressed::Mode;
use gdvar_view::Dialect;

use super::{OutputArg, dialect::engine};

/// The arguments of `unpack`.
#[derive(Args, Debug)]
#[command(after_help = "\
The other commands open such files by themselves, and convert leaves them what they are; this is
for other tools.

Examples:
  gdvar unpack slot1.dat -o slot1.plain
  gdvar unpack --password 'correct horse' slot1.dat -o slot1.plain")]
pub(crate) struct UnpackArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
}

/// The arguments of `pack`.
#[derive(Args, Debug)]
#[command(after_help = "\
With --mode it becomes what open_compressed reads, of Godot 3 and 4 alike. With a password or key
it becomes what open_encrypted_with_pass or open_encrypted of the engine named by --to reads.

Examples:
  gdvar pack --mode zstd slot1.plain -o slot1.dat
  gdvar pack --password 'correct horse' --to godot4 slot1.plain -o slot1.dat")]
pub(crate) struct PackArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
    /// How to compress; the engines' default is fastlz
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<ModeArg>,
    /// The number of bytes to compress at a time; the engines take 4096
    #[arg(long, value_name = "BYTES", default_value_t = gdvar_io::compressed::BLOCK_SIZE,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) block_size: u32,
    /// Which engine shall decrypt it: godot3 (Pandemonium too) or godot4
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    pub(crate) to: Option<Dialect>,
}

/// How to compress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ModeArg {
    /// FastLZ: fast, the engines' default
    Fastlz,
    /// Deflate, as zlib writes it
    Deflate,
    /// Zstandard
    Zstd,
    /// gzip
    Gzip,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Mode {
        match mode {
            ModeArg::Fastlz => Mode::FastLz,
            ModeArg::Deflate => Mode::Deflate,
            ModeArg::Zstd => Mode::Zstd,
            ModeArg::Gzip => Mode::Gzip,
        }
    }
}
