//! Options that several commands have.

use std::path::PathBuf;

use clap::Args;
use dialect::dialect_or_auto;
use gdvar_file::Encoding;

mod choices;
mod dialect;

pub(crate) use choices::{
    ColorArg, EncodingArg, FramingArg, ObjectsArg, OutputArg, PrecisionArg, RecordArg, framing,
};
pub(crate) use dialect::{DialectArg, dialect, engine};

/// The help heading of the options that every command has. [`help::plain_command`](crate::help::plain_command)
/// recognizes these options by this heading.
pub(crate) const GLOBAL: &str = "Options of every command";

/// The options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = GLOBAL)]
pub(crate) struct Global {
    /// The engine that wrote the values. `auto` tries Godot 4 and Godot 3, `any` the rarer ones too; where
    /// several are possible they say so and do not guess. 4, 3 and 2 are short for godot4, godot3, godot2
    #[arg(short, long, default_value = "auto", env = "GDVAR_DIALECT", value_parser = dialect_or_auto())]
    pub(crate) dialect: DialectArg,
    /// The bytes around the values: lengths, lines of text, or none
    #[arg(short, long, default_value = "auto")]
    pub(crate) framing: FramingArg,
    /// How the bytes are written (default: raw; dumps and arrays of numbers are recognized)
    #[arg(long, value_name = "ENCODING")]
    pub(crate) encoding: Option<EncodingArg>,
    /// Begin after this many bytes: a header of the game's own, or where encode_var put a value (then
    /// with --framing bare). Also in hexadecimal: 0x1f
    #[arg(
        long,
        value_name = "N",
        default_value = "0",
        hide_default_value = true,
        visible_alias = "offset",
        value_parser = size::<usize>,
    )]
    pub(crate) skip: usize,
    /// Accept only what an engine writes, not all that it reads
    #[arg(long)]
    pub(crate) strict: bool,
    /// Which objects to let in: whole ones as inert data, ids only as the engines do by default,
    /// or none (default: ids for check and convert, else inert)
    #[arg(long, value_name = "POLICY")]
    pub(crate) objects: Option<ObjectsArg>,
    /// Refuse values nested deeper than this (default: 1024 as the engines do, and 10000 with
    /// -d godot3.2, which has no limit)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..65535))]
    pub(crate) max_depth: Option<u16>,
    /// The password of an encrypted file. Others on this machine can see it while gdvar runs
    #[arg(long, value_name = "TEXT", group = "secret")]
    pub(crate) password: Option<String>,
    /// Read the password from the first line of standard input
    #[arg(long, group = "secret")]
    pub(crate) password_stdin: bool,
    /// The key of an encrypted file: 32 bytes, or 64 hexadecimal digits
    #[arg(long, value_name = "FILE", group = "secret")]
    pub(crate) key_file: Option<PathBuf>,
    /// Refuse compressed and encrypted files with more bytes in them (default: 200 times the file's
    /// own, which no engine's file has, but at least 64 MiB and at most 1 GiB)
    #[arg(long, value_name = "BYTES", value_parser = size::<u32>)]
    pub(crate) max_unpacked: Option<u32>,
    /// Show this many problems of a file, and count the rest; 0 shows all (default: 10, with --json 1000)
    #[arg(long, value_name = "N")]
    pub(crate) max_errors: Option<u64>,
    /// Print for machines: one JSON value a line
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colours; NO_COLOR is honoured too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// Print to the terminal itself. Else what is longer than the screen is shown by GDVAR_PAGER, PAGER or
    /// less
    #[arg(long)]
    pub(crate) no_pager: bool,
    /// No notes and no progress bar, only results and errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// `true` if nobody is there to type a password: git runs the command.
    #[arg(skip)]
    pub(crate) never_ask: bool,
    /// `true` if the JSON objects about errors go to standard error, as standard output is the result itself.
    #[arg(skip)]
    pub(crate) errors_aside: bool,
}

/// What `--json` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Json {
    /// Every line of standard output is a JSON object with `schema`, including lines about files that cannot be read.
    Lines,
    /// Standard output is the result itself: values as JSON, or a file. Objects about errors go to standard
    /// error.
    Result,
    /// `--json` is refused. The text says why, and which command prints JSON instead.
    Refused(&'static str),
}

impl Global {
    /// Returns the encoding that the command line names, or `None`.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        self.encoding.map(EncodingArg::get)
    }

    /// Returns how many problems of a file are shown. 0 on the command line means no limit.
    pub(crate) fn max_errors(&self) -> u64 {
        match self.max_errors {
            Some(0) => u64::MAX,
            Some(most) => most,
            None if self.json => 1000,
            None => 10,
        }
    }
}

/// Parses a number of bytes: `4096`, `0x1f`, `16K`, `2MiB`.
pub(crate) fn size<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let number = match hex {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => {
            let end = text
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len());
            let (digits, unit) = text.split_at(end);
            let unit = match unit
                .trim()
                .to_ascii_lowercase()
                .trim_end_matches('b')
                .trim_end_matches('i')
            {
                "" => Some(1),
                "k" => Some(1 << 10),
                "m" => Some(1 << 20),
                "g" => Some(1_u64 << 30),
                _ => None,
            };
            digits
                .parse::<u64>()
                .ok()
                .zip(unit)
                .and_then(|(n, unit)| n.checked_mul(unit))
        }
    };
    let number = number.ok_or("a number of bytes looks like 4096, 0x1f, 16K or 2M")?;
    N::try_from(number).map_err(|_| "that is more than there can be".to_owned())
}
