//! The command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use gdvar_json::Style;
use gdvar_view::Dialect;
use gdvar_write::Precision;

use crate::{commands, dumps::Encoding, records::Framing};

mod choices;
mod dialect;
mod pack;

pub(crate) use choices::{ColorArg, FramingArg, ObjectsArg};
pub(crate) use dialect::DialectArg;
use dialect::{dialect, dialect_or_auto};
pub(crate) use pack::{PackArgs, UnpackArgs};

const SHORT: &str = "Look into, check, change and convert Godot saves and packets.";

const ABOUT: &str = "Look into, check, change and convert Godot saves and packets.\n\n\
gdvar reads what store_var, var_to_bytes and put_var write (Godot 2 to 4, Pandemonium), without \
the engine. Nothing in a file is ever run or loaded.";

const EXIT_CODES: &str = "\
Exit codes:
  0 all in order           1 read but not all of it, not found, different, findings of --strict
  2 wrong usage            3 the engine cannot read it
  4 several engines are possible, or a limit was hit
  5 objects refused        6 a file cannot be read or written
With several files or records the highest number wins.";

/// gdvar.
#[derive(Parser, Debug)]
#[command(name = "gdvar", version, about = SHORT, long_about = ABOUT, after_long_help = EXIT_CODES, max_term_width = 100,
          subcommand_negates_reqs = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What goes with every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// A file alone: what it is, and the top of what is in it
    pub(crate) file: Option<PathBuf>,
    /// Which command.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What goes with every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// The engine that wrote the values. `auto` tries Godot 4 and Godot 3, `any` the rarer ones too; where
    /// several are possible they say so and do not guess. 4, 3 and 2 are short for godot4, godot3, godot2
    #[arg(short, long, global = true, hide_short_help = true, hide_long_help = true, default_value = "auto", env = "GDVAR_DIALECT",
          value_parser = dialect_or_auto())]
    pub(crate) dialect: DialectArg,
    /// What stands around the values
    #[arg(
        short,
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        default_value = "auto"
    )]
    pub(crate) framing: FramingArg,
    /// How the bytes are written (default: as they are; dumps and arrays of numbers are recognized)
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        value_name = "ENCODING"
    )]
    pub(crate) encoding: Option<Encoding>,
    /// Begin behind so many bytes: a header of the game's own, or where encode_var put a value (then
    /// with --framing bare). Also in hexadecimal: 0x1f
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true, value_name = "N", default_value = "0", hide_default_value = true,
          visible_alias = "offset", value_parser = size::<usize>)]
    pub(crate) skip: usize,
    /// Accept only what an engine writes, not all that it reads
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true)]
    pub(crate) strict: bool,
    /// Which objects to let in: whole ones as inert data, ids only as the engines do by default,
    /// or none (default: ids for check and convert, else inert)
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        value_name = "POLICY"
    )]
    pub(crate) objects: Option<ObjectsArg>,
    /// Refuse values nested deeper than this (default: 1024 as the engines do, and 10000 with
    /// -d godot3.2, which has no limit)
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true, value_name = "N",
          value_parser = clap::value_parser!(u16).range(0..65535))]
    pub(crate) max_depth: Option<u16>,
    /// The password of an encrypted file. Others on this machine can see it while gdvar runs
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        value_name = "TEXT",
        group = "secret"
    )]
    pub(crate) password: Option<String>,
    /// Read the password from the first line of standard input
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        group = "secret"
    )]
    pub(crate) password_stdin: bool,
    /// The key of an encrypted file: 32 bytes, or 64 hexadecimal digits
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        value_name = "FILE",
        group = "secret"
    )]
    pub(crate) key_file: Option<PathBuf>,
    /// Refuse compressed and encrypted files with more bytes in them (default: 200 times the file's
    /// own, which no engine's file has, but at least 64 MiB and at most 1 GiB)
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true, value_name = "BYTES", value_parser = size::<u32>)]
    pub(crate) max_unpacked: Option<u32>,
    /// Show so many problems of a file, and count the rest; 0 shows all (default: 10, with --json 1000)
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        value_name = "N"
    )]
    pub(crate) max_errors: Option<u64>,
    /// Print for machines: one JSON value a line
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true)]
    pub(crate) json: bool,
    /// When to use colours; NO_COLOR is honoured too
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub(crate) color: ColorArg,
    /// Print to the terminal itself. Else what is longer than the screen is shown by GDVAR_PAGER, PAGER or
    /// less
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true)]
    pub(crate) no_pager: bool,
    /// No notes and no progress bar, only results and errors
    #[arg(
        short,
        long,
        global = true,
        hide_short_help = true,
        hide_long_help = true
    )]
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

/// A number of bytes: `4096`, `0x1f`, `16K`, `2MiB`.
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

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Say what is in a file: engine, records, types, objects
    #[command(after_help = "Examples:\n  gdvar info slot1.dat\n  gdvar info --json saves/*.dat")]
    Info {
        /// Files and folders; - is standard input
        #[arg(value_name = "FILE")]
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
        /// Files and folders; - is standard input
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the value at a path, or a table of many values of many files
    Get(commands::get::GetArgs),
    /// Print `path = value;` lines for grep and diff, or make a file of them
    Gron(commands::gron::GronArgs),
    /// Find keys and values in many files, with their paths
    Grep(commands::grep::GrepArgs),
    /// Show every byte, and which field of which value it is
    Hex(commands::hex::HexArgs),
    /// Say how a type is laid out, or what a byte of a file is
    Explain(commands::explain::ExplainArgs),
    /// Say what many saves have in common, also as JSON Schema, Rust or GDScript
    Schema(commands::schema::SchemaArgs),
    /// Weigh: what the bytes of files are spent on
    Stats(commands::stats::StatsArgs),
    /// Make a table of many files: columns by path, as CSV, JSON, Arrow or Parquet
    Table(commands::table::TableArgs),
    /// Check many files of strangers: damaged ones, and objects
    Scan(commands::scan::ScanArgs),
    /// Compute with the language of jq
    Query(commands::query::QueryArgs),
    /// Show the packets of a multiplayer game in a capture
    Packets(commands::packets::PacketsArgs),
    /// Print a dissector of these packets for Wireshark
    #[command(after_help = "\
Examples:
  gdvar dissector > gdvar.lua
  wireshark -X lua_script:gdvar.lua game.pcap
  tshark -X lua_script:gdvar.lua -r game.pcap -Y gdvar -T fields -e gdvar.line
  tshark -X lua_script:gdvar.lua -o gdvar.port:9080 -o gdvar.engine:3 -r game.pcap

The server is at port 7777, and the engine is Godot 4, unless the preferences of the protocol GDVAR say
otherwise.")]
    Dissector,
    /// Stand between a game's clients and its server: show, change, lose packets
    Proxy(Box<commands::proxy::ProxyArgs>),
    /// List, split, join or take out records
    Records(commands::records::RecordsArgs),
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
        #[arg(default_value = "-", hide_default_value = true)]
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
    /// Change values, and nothing else: `party[0].hp=999`
    Set(commands::set::SetArgs),
    /// Add elements in front of others, or keys: `items[0]="sword"`
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
    /// Look through a file in the terminal: tree, bytes, search, edit
    Explore(commands::explore::ExploreArgs),
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
        #[arg(default_value = "-", hide_default_value = true)]
        file: PathBuf,
    },
    /// Print the options that go with every command
    Options,
    /// Print the paths that begin like one that is being typed
    #[command(hide = true)]
    CompletePath(commands::complete::CompleteArgs),
    /// Print completions for a shell
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page, or write one for every command
    Man(commands::completions::ManArgs),
}

/// Of `view`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar view slot1.dat
  gdvar view slot1.dat player.inventory --types
  gdvar view slot1.dat slot2.dat player                    the same part of both
  gdvar view --full --format godot slot1.dat > slot1.txt   all of it, as var_to_str prints it
  gdvar view --format line replay.rec                      one line a record")]
pub(crate) struct ViewArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// More files; which part of them, such as `player.items`, stands last
    #[arg(value_name = "FILE|PATH")]
    pub(crate) more: Vec<String>,
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

impl ViewArgs {
    /// The upper levels of a file.
    pub(crate) fn top(file: &Path) -> ViewArgs {
        ViewArgs {
            file: file.to_owned(),
            more: Vec::new(),
            format: FormatArg::Tree,
            full: false,
            depth: Some(2),
            types: false,
            offsets: false,
            record: None,
        }
    }
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
    #[arg(default_value = "-", hide_default_value = true)]
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
    #[arg(default_value = "-", hide_default_value = true)]
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
    #[arg(default_value = "-", hide_default_value = true)]
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
