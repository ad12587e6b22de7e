//! The command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use gdvar_json::Style;
use gdvar_view::{Dialect, Objects};
use gdvar_write::Precision;

use crate::{commands, records::Framing};

mod dialect;
mod pack;

pub(crate) use dialect::DialectArg;
use dialect::{dialect, dialect_or_auto, engine};
pub(crate) use pack::{PackArgs, UnpackArgs};

const ABOUT: &str = "Look into, check and convert Godot saves and packets.\n\n\
gdvar reads what store_var, var_to_bytes and put_var write (Godot 2 to 4, Pandemonium), without \
the engine. Nothing in a file is ever run or loaded.";

const EXAMPLES: &str = "\
Examples:
  gdvar info slot1.dat               what is this file?
  gdvar view slot1.dat               show everything in it
  gdvar view slot1.dat player.items  show a part of it
  gdvar get slot1.dat player.gold    just that value, for scripts
  gdvar check *.dat                  is it damaged, and where?
  gdvar convert --to godot4 old.dat -o new.dat
  gdvar unpack slot1.dat -o plain    take it out of a compressed or encrypted file
  gdvar bench slot1.dat              how fast is it read here?

Exit codes:
  0 all in order           1 read but not all of it, not found, or findings of --strict
  2 wrong usage            3 the engine cannot read it
  4 several engines are possible, or a limit was hit
  5 objects refused        6 a file cannot be read or written
With several files or records the highest number wins.";

/// gdvar.
#[derive(Parser, Debug)]
#[command(name = "gdvar", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    /// What goes with every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// Which command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What goes with every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// The engine that wrote the values. `auto` tries Godot 4 and Godot 3, `any` the rarer ones too; where
    /// several are possible they say so and do not guess. 4, 3 and 2 are short for godot4, godot3, godot2
    #[arg(short, long, global = true, default_value = "auto", env = "GDVAR_DIALECT",
          value_parser = dialect_or_auto())]
    pub(crate) dialect: DialectArg,
    /// What stands around the values
    #[arg(short, long, global = true, default_value = "auto")]
    pub(crate) framing: FramingArg,
    /// Begin behind so many bytes: a header of the game's own, or where encode_var put a value (then
    /// with --framing bare). Also in hexadecimal: 0x1f
    #[arg(long, global = true, value_name = "N", default_value = "0", hide_default_value = true,
          visible_alias = "offset", value_parser = bytes_to_skip)]
    pub(crate) skip: usize,
    /// Accept only what an engine writes, not all that it reads
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Which objects to let in: whole ones as inert data, ids only as the engines do by default,
    /// or none (default: ids for check and convert, else inert)
    #[arg(long, global = true, value_name = "POLICY")]
    pub(crate) objects: Option<ObjectsArg>,
    /// Refuse values nested deeper than this (default: 1024 as the engines do, and 10000 with
    /// -d godot3.2, which has no limit)
    #[arg(long, global = true, value_name = "N",
          value_parser = clap::value_parser!(u16).range(0..65535))]
    pub(crate) max_depth: Option<u16>,
    /// The password of an encrypted file. Others on this machine can see it while gdvar runs
    #[arg(long, global = true, value_name = "TEXT", group = "secret")]
    pub(crate) password: Option<String>,
    /// Read the password from the first line of standard input
    #[arg(long, global = true, group = "secret")]
    pub(crate) password_stdin: bool,
    /// The key of an encrypted file: 32 bytes, or 64 hexadecimal digits
    #[arg(long, global = true, value_name = "FILE", group = "secret")]
    pub(crate) key_file: Option<PathBuf>,
    /// Refuse compressed and encrypted files with more bytes in them (default: 200 times the file's
    /// own, which no engine's file has, but at least 64 MiB and at most 1 GiB)
    #[arg(long, global = true, value_name = "BYTES")]
    pub(crate) max_unpacked: Option<u32>,
    /// Show so many problems of a file, and count the rest; 0 shows all (default: 10, with --json 1000)
    #[arg(long, global = true, value_name = "N")]
    pub(crate) max_errors: Option<u64>,
    /// Print for machines: one JSON value a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours; NO_COLOR is honoured too
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// No notes and no progress bar, only results and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

impl Global {
    /// How many problems of a file are shown.
    pub(crate) fn max_errors(&self) -> u64 {
        match self.max_errors {
            Some(0) => u64::MAX,
            Some(most) => most,
            None if self.json => 1000,
            None => 10,
        }
    }
}

/// A number of bytes, decimal or hexadecimal.
fn bytes_to_skip(text: &str) -> Result<usize, std::num::ParseIntError> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => text.parse(),
    }
}

/// `auto` or a framing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FramingArg {
    /// Found out
    Auto,
    /// One value and nothing else: var_to_bytes, a packet
    Bare,
    /// Each value behind its length in four bytes: store_var, put_var
    Len32,
    /// The same with big-endian lengths: big_endian is set (Godot 3: endian_swap)
    #[value(name = "len32be")]
    Len32Be,
    /// One value a line, as hexadecimal digits; lines with # are comments
    Hex,
    /// One value a line, as base64
    Base64,
}

impl FramingArg {
    /// The framing, if one is named.
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

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Say what is in a file: engine, records, types, objects
    #[command(after_help = "Examples:\n  gdvar info slot1.dat\n  gdvar info --json saves/*.dat")]
    Info {
        /// Files; - is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Show a file as a tree, or a part of it
    View(ViewArgs),
    /// Find out whether files are damaged, and where
    #[command(after_help = "\
Examples:
  gdvar check slot1.dat
  gdvar check --objects deny mods/*.save     refuse whatever holds an object
  gdvar check --strict slot1.dat             did an engine write this?
  gdvar check --json -f hex packets.txt      one line of JSON a record

With --json each record is a line, and `offset` counts from the start of the file (of the value,
for hex and base64):
  {\"record\":0,\"ok\":false,\"read\":false,\"error\":\"Truncated\",\"offset\":48,\"path\":\"$.pos\"}
Where the first error is only a trace of what became of the file, `cause` names that: Blank,
NewlinesConverted, ReplacedByUtf8, Latin1ToUtf8, or what the file really is. Bad records above
--max-errors are counted in a last line:
  {\"ok\":false,\"error\":\"MoreErrors\",\"more\":4000}")]
    Check {
        /// Files; - is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the value at a path
    #[command(after_help = "\
Paths:
  player.gold          the value under a text key, or a property
  items[0], items[-1]  the first and the last element
  levels[3]            in a Dictionary: the value under the int key 3
  [\"odd name\"].x       keys that are no plain names; components of vectors
  {2}, {2:key}         the value and the key of the third pair, whatever they are
  $                    the whole value

Texts are printed as they are, other values in Godot's notation.

With -d and -f given the file is not looked through first: what is read is the way to the value, and
the value. A Dictionary on the way is passed to its end, as the last of repeated keys counts.

Examples:
  gdvar get slot1.dat player.gold
  gdvar get slot1.dat 'map.tiles[5]'
  gdvar get --json slot1.dat player.name")]
    Get {
        /// A file; - is standard input
        file: PathBuf,
        /// Which value
        path: String,
        /// Which of several records, counted from 0; -1 is the last
        #[arg(
            short,
            long,
            value_name = "N",
            default_value_t = 0,
            allow_negative_numbers = true
        )]
        record: i64,
    },
    /// Write a file anew, for the same or for another engine
    Convert(ConvertArgs),
    /// Print the values of a file as JSON, one line a record
    Json(JsonArgs),
    /// Make a file of JSON
    FromJson(FromJsonArgs),
    /// Print the values of a file in Godot's notation, so that from-text makes the same file of it
    #[command(after_help = "\
Keys stand in the order of the file, and floats have all their digits: the engine reads it with
str_to_var (Godot 3: str2var). The engine's own var_to_str sorts keys: `view --format godot`.

A comment in front says which engine's values they are and what stood around them, unless they
are store_var records of Godot 4.

Examples:
  gdvar text slot1.dat > slot1.txt
  gdvar text slot1.dat | diff - old.txt")]
    Text {
        /// A file; - is standard input
        file: PathBuf,
    },
    /// Make a file of text in Godot's notation
    #[command(after_help = "\
What str_to_var (Godot 3: str2var) reads is read, and nothing is run. Several values in a row are
several records.

The file is made of store_var records (len32) of Godot 4, unless the text says otherwise in its
first line, as `gdvar text` writes it, or --dialect and --framing do.

Examples:
  gdvar from-text slot1.txt -o slot1.dat
  echo '{\"hp\": 80}' | gdvar from-text - --framing bare -o packet.bin")]
    FromText(FromArgs),
    /// Change values, and nothing else: 'party[0].hp=999'
    Set(commands::set::SetArgs),
    /// Add elements in front of others, or keys: 'items[0]="sword"'
    Insert(commands::set::SetArgs),
    /// Add elements to the ends of arrays
    Append(commands::set::AppendArgs),
    /// Remove elements and keys
    Del(commands::set::DelArgs),
    /// Give values other keys
    RenameKey(commands::set::RenameArgs),
    /// Change a part of a file as text, in $EDITOR
    Edit(commands::edit::EditArgs),
    /// Say in which values two files differ
    Diff(commands::diff::DiffArgs),
    /// Make the changes that `diff --format patch` printed
    Patch(commands::diff::PatchArgs),
    /// Bring together what two sides made of one file
    Merge(commands::diff::MergeArgs),
    /// Make a whole file of what is left of a damaged one
    Recover(commands::recover::RecoverArgs),
    /// Print what changes, each time the game saves
    Watch(commands::watch::WatchArgs),
    /// Take the contents out of a compressed or encrypted file, or of a project.binary
    Unpack(UnpackArgs),
    /// Compress or encrypt a file as the engine does
    Pack(PackArgs),
    /// Measure how fast a file is read here, next to what memory allows
    #[command(after_help = "\
What is measured, as the median of some rounds, half a second in all for small files:
  limit    all bytes are added up: as fast as this machine reads them
  skip     to the end of each record
  check    is all of it in order, text too?
  walk     value by value, checking
  rewrite  read, and written again into memory, for the same engine

The file is checked first; one that cannot be read is not measured. Lines of hex or base64 are
decoded before.

Examples:
  gdvar bench slot1.dat
  gdvar bench --json slot1.dat")]
    Bench {
        /// A file; - is standard input
        file: PathBuf,
    },
}

/// Of `view`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar view slot1.dat
  gdvar view slot1.dat player.inventory --types
  gdvar view --full --format godot slot1.dat > slot1.txt   all of it, as var_to_str prints it
  gdvar view --format line replay.rec                      one line a record")]
pub(crate) struct ViewArgs {
    /// A file; - is standard input
    pub(crate) file: PathBuf,
    /// Which part, such as `player.items`
    pub(crate) path: Option<String>,
    /// How to print it
    #[arg(long, value_name = "FORM", default_value = "tree")]
    pub(crate) format: FormatArg,
    /// Show all elements and all of every text
    #[arg(long)]
    pub(crate) full: bool,
    /// Fold what is nested deeper than this
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Name the type of every value
    #[arg(long)]
    pub(crate) types: bool,
    /// Print where in the file every value begins
    #[arg(long)]
    pub(crate) offsets: bool,
    /// Only that record, counted from 0; -1 is the last
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) record: Option<i64>,
}

/// How to print values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    /// A tree for people, long parts folded
    Tree,
    /// What var_to_str (Godot 3: var2str) prints
    Godot,
    /// One line a record
    Line,
}

/// Of `convert`.
#[derive(Args, Debug)]
#[command(after_help = "\
To the same dialect the values stay what they are, and are written as the engine itself writes
them. To another dialect what it cannot express becomes the nearest thing it has. Each kind of
change is reported with its number and first place; where something was lost, and not just given
another type, the exit code is 1.

A compressed or encrypted file stays one, with the same mode and block size, or the same password
or key and the form that the target engine opens; --plain leaves that off.

With -o the result is written to a new file that takes the old one's place only when it is
complete; without it, it goes to standard output. A device, a FIFO or an open file (/dev/stdout)
is written to and stays. Where a record cannot be converted, -o leaves the old file as it is;
standard output and whatever is no file get an empty line in its place (hex, base64), or nothing
from there on (len32, bare).

Examples:
  gdvar convert --to godot4 old.dat -o new.dat
  gdvar convert --to godot4 --on-loss fail old.dat -o new.dat
  gdvar convert -d godot4 --to godot4 --out-framing hex slot1.dat")]
pub(crate) struct ConvertArgs {
    /// A file; - is standard input
    pub(crate) file: PathBuf,
    /// For which engine
    #[arg(long, value_name = "DIALECT", value_parser = dialect())]
    pub(crate) to: Dialect,
    /// What to put around the values (default: as it was)
    #[arg(long, value_name = "FRAMING")]
    pub(crate) out_framing: Option<Framing>,
    #[command(flatten)]
    pub(crate) output: OutputArg,
    /// Write the values alone, where the file was compressed or encrypted
    #[arg(long)]
    pub(crate) plain: bool,
    /// How wide reals are in vectors and matrices, where the target has a choice (Godot 4)
    #[arg(long, value_name = "WIDTH", default_value = "same")]
    pub(crate) precision: PrecisionArg,
    /// What to do where the other engine cannot express a value
    #[arg(long, value_name = "ACTION", default_value = "warn")]
    pub(crate) on_loss: OnLossArg,
}

/// How values look as JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StyleArg {
    /// For jq and people; types are lost, and it is said how many
    Plain,
    /// What JSON.from_native of Godot 4 gives, for JSON.to_native
    Native,
    /// Nothing is lost
    Tagged,
}

impl From<StyleArg> for Style {
    fn from(style: StyleArg) -> Style {
        match style {
            StyleArg::Plain => Style::Plain,
            StyleArg::Native => Style::Native,
            StyleArg::Tagged => Style::Tagged,
        }
    }
}

/// Of `json`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar json slot1.dat | jq .player.hp
  gdvar json --style native slot1.dat > slot1.json       for JSON.to_native in the game
  gdvar json --style tagged slot1.dat > slot1.json       from-json makes the same file of it")]
pub(crate) struct JsonArgs {
    /// A file; - is standard input
    pub(crate) file: PathBuf,
    /// How values look
    #[arg(long, value_name = "STYLE", default_value = "plain")]
    pub(crate) style: StyleArg,
}

/// Of `from-json`.
#[derive(Args, Debug)]
#[command(after_help = "\
Several values in a row are several records. The file is made of store_var records (len32) of
Godot 4, unless tagged JSON says otherwise, as `gdvar json` writes it, or --dialect and --framing do.

Examples:
  gdvar from-json config.json -o config.dat
  gdvar from-json --style tagged slot1.json -o slot1.dat")]
pub(crate) struct FromJsonArgs {
    #[command(flatten)]
    pub(crate) from: FromArgs,
    /// How values look
    #[arg(long, value_name = "STYLE", default_value = "plain")]
    pub(crate) style: StyleArg,
}

/// Of `from-text` and `from-json`.
#[derive(Args, Debug)]
pub(crate) struct FromArgs {
    /// A file; - is standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
    /// How wide reals are in vectors and matrices, where the target has a choice (Godot 4)
    #[arg(long, value_name = "WIDTH", default_value = "single")]
    precision: PrecisionArg,
}

impl FromArgs {
    /// As the writer takes it. Text does not say how wide its reals were.
    pub(crate) fn precision(&self) -> Precision {
        match self.precision {
            PrecisionArg::Double => Precision::Double,
            PrecisionArg::Same | PrecisionArg::Single => Precision::Single,
        }
    }
}

/// Where to write.
#[derive(Args, Debug)]
pub(crate) struct OutputArg {
    /// Where to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArg {
    /// A file, or else standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }
}

/// What to do about losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OnLossArg {
    /// Write nothing, exit code 1
    Fail,
    /// Write the nearest thing there is and report it, exit code 1
    Warn,
}

/// How wide reals are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PrecisionArg {
    /// As each value has it
    Same,
    /// 32 bits, for the engine as it is distributed
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
