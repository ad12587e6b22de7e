//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::{commands, dumps::Encoding};

mod choices;
mod dialect;

pub(crate) use choices::{ColorArg, FramingArg, ObjectsArg, OutputArg, PrecisionArg};
use dialect::dialect_or_auto;
pub(crate) use dialect::{DialectArg, dialect, engine};

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
    /// The options of every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// A file alone: what it is, and the top of what is in it
    pub(crate) file: Option<PathBuf>,
    /// Which command.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// The engine that wrote the values. `auto` tries Godot 4 and Godot 3, `any` the rarer ones too; where
    /// several are possible they say so and do not guess. 4, 3 and 2 are short for godot4, godot3, godot2
    #[arg(short, long, global = true, hide_short_help = true, hide_long_help = true, default_value = "auto", env = "GDVAR_DIALECT",
          value_parser = dialect_or_auto())]
    pub(crate) dialect: DialectArg,
    /// The bytes around the values: lengths, lines of text, or none
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
    /// The number of problems of a file that are shown.
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
    View(commands::view::ViewArgs),
    /// Find out whether files are damaged, and where
    #[command(after_help = "\
Examples:
  gdvar check slot1.dat
  gdvar check --objects deny mods/*.save     refuse whatever holds an object
  gdvar check --strict slot1.dat             did an engine write this?
  gdvar check --json -f hex packets.txt      one line of JSON a record

With --json each record is a line, and `offset` counts from the start of the file (of the value, \
for hex and base64):
  {\"record\":0,\"ok\":false,\"read\":false,\"error\":\"Truncated\",\"offset\":48,\"path\":\"$.pos\"}
If the first error is only a trace of what became of the file, `cause` names that: Blank, \
NewlinesConverted, ReplacedByUtf8, Latin1ToUtf8, or what the file really is. Bad records above \
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

The server is at port 7777, and the engine is Godot 4, unless the preferences of the protocol GDVAR say \
otherwise.")]
    Dissector,
    /// Stand between a game's clients and its server: show, change, lose packets
    Proxy(Box<commands::proxy::ProxyArgs>),
    /// List, split, join or take out records
    Records(commands::records::RecordsArgs),
    /// Write a file anew, for the same or for another engine
    Convert(commands::convert::ConvertArgs),
    /// Print the values of a file as JSON, one line a record
    Json(commands::notations::JsonArgs),
    /// Make a file of JSON
    FromJson(commands::notations::FromJsonArgs),
    /// Print the values of a file in Godot's notation, so that from-text makes the same file of it
    #[command(after_help = "\
Keys stand in the order of the file, and floats have all their digits: the engine reads it with \
str_to_var (Godot 3: str2var). The engine's own var_to_str sorts keys: `view --format godot`.

A comment in front says which engine's values they are and what stood around them, unless they \
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
All that str_to_var (Godot 3: str2var) reads is read, and nothing is run. Several values in a row are \
several records.

The file is made of store_var records (len32) of Godot 4, unless the text says otherwise in its \
first line, as `gdvar text` writes it, or --dialect and --framing do.

Examples:
  gdvar from-text slot1.txt -o slot1.dat
  echo '{\"hp\": 80}' | gdvar from-text - --framing bare -o packet.bin")]
    FromText(commands::notations::FromArgs),
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
    Unpack(commands::unpack::UnpackArgs),
    /// Compress or encrypt a file as the engine does
    Pack(commands::unpack::PackArgs),
    /// Measure how fast a file is read here, next to what memory allows
    #[command(after_help = "\
These are measured, as the median of some rounds, half a second in all for small files:
  limit    all bytes are added up: as fast as this machine reads them
  skip     to the end of each record
  check    is all of it in order, text too?
  walk     value by value, checking
  rewrite  read, and written again into memory, for the same engine

The file is checked first; one that cannot be read is not measured. Lines of hex or base64 are \
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
