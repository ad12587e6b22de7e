//! The command line: its commands, what `--json` does with each, and which of them use a pager.

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::{
    app::files::RulesArg,
    args::{Global, Json},
    commands,
};

const SHORT: &str = "Look into, check, change and convert Godot saves and packets.";

const ABOUT: &str = "Look into, check, change and convert Godot saves and packets.\n\n\
gdvar reads what store_var, var_to_bytes and put_var write (Godot 2 to 4, Pandemonium), without \
the engine. Nothing in a file is ever run or loaded.";

const EXIT_CODES: &str = "\
Exit codes:
  0 all is well            1 read but not all of it, not found, different, findings of --strict
  2 wrong usage            3 the engine cannot read it
  4 several engines are possible, or a limit was hit
  5 objects refused, code found        6 a file cannot be read or written
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
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
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
        #[command(flatten)]
        rules: RulesArg,
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
  {\"schema\":1,\"file\":\"slot1.dat\",\"record\":0,\"ok\":false,\"read\":false,\"error\":\"Truncated\",\"offset\":48,\"path\":\"$.pos\"}
If the first error is only a trace of what became of the file, `cause` names that: Blank, \
NewlinesConverted, ReplacedByUtf8, Latin1ToUtf8, or what the file really is. Bad records above \
--max-errors are counted in a last line:
  {\"schema\":1,\"file\":\"slot1.dat\",\"ok\":false,\"error\":\"MoreErrors\",\"more\":4000}

Of a folder all files are checked, hidden ones and those that .gitignore names too. Files in it that are \
something else, such as README.txt, are counted as that and do not count as damaged; a file that is \
named has to hold values.")]
    Check {
        /// Files and folders; - is standard input
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        rules: RulesArg,
    },
    /// Print the value at a path, or a table of many values of many files
    Get(commands::get::GetArgs),
    /// Print `path = value;` lines for grep and diff, or make a file of them
    Gron(commands::gron::GronArgs),
    /// Find keys and values in many files, with their paths
    Grep(commands::grep::GrepArgs),
    /// Show every byte, and the field and value it belongs to
    Hex(commands::hex::HexArgs),
    /// Say how a type is laid out, or what a byte of a file is
    Explain(commands::explain::ExplainArgs),
    /// Say what many saves have in common, also as JSON Schema, Rust or GDScript
    Schema(commands::schema::SchemaArgs),
    /// Show what takes up the bytes of files: types, paths, texts that come again
    Stats(commands::stats::StatsArgs),
    /// Make a table of many files: columns by path, as CSV, JSON, Arrow or Parquet
    Table(commands::table::TableArgs),
    /// Find files that can make a game run code, and damaged ones
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
    /// Relay packets between a game's clients and its server: show, change, drop them
    Proxy(Box<commands::proxy::ProxyArgs>),
    /// Talk to a running game as the editor's debugger does: output, scene tree, breakpoints
    Debug(Box<commands::debug::DebugArgs>),
    /// List, split, join or extract records
    Records(commands::records::RecordsArgs),
    /// Rewrite a file, for the same or for another engine
    Convert(commands::convert::ConvertArgs),
    /// Print the values of a file as JSON, one line a record
    Json(commands::notations::JsonArgs),
    /// Make a file of JSON
    FromJson(commands::notations::FromJsonArgs),
    /// Print the values of a file in Godot's notation, so that from-text makes the same values of it
    #[command(after_help = "\
Keys keep the order of the file, and floats have all their digits: the engine reads it with \
str_to_var (Godot 3: str2var). The engine's own var_to_str sorts keys: `view --format godot`.

A comment in front says which engine's values they are, their framing, and whether all vectors have \
64-bit reals, unless they are store_var records of Godot 4. Compression, encryption and bytes of the \
game around the values are not in the text; a note says so, and what puts them back. What the text does \
not show of a value, such as the sign of a NaN, is counted in a note.

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
    /// Rename keys of dictionaries
    RenameKey(commands::set::RenameArgs),
    /// Change a part of a file as text, in $EDITOR
    Edit(commands::edit::EditArgs),
    /// Say in which values two files differ
    Diff(commands::diff::DiffArgs),
    /// Apply the changes that `diff --format patch` printed
    Patch(commands::patch::PatchArgs),
    /// Print a file as lines for git diff, whatever state it is in
    Textconv(commands::textconv::TextconvArgs),
    /// Tell git how to show and merge saves
    GitSetup(commands::git_setup::GitSetupArgs),
    /// Merge two changed versions of one file
    Merge(commands::diff::merge::MergeArgs),
    /// Rescue what is left of a damaged file
    Recover(commands::recover::RecoverArgs),
    /// Look through a file in the terminal: tree, bytes, search, edit
    Explore(commands::explore::ExploreArgs),
    /// Print what changes, each time the game saves
    Watch(commands::watch::WatchArgs),
    /// Extract the contents of a compressed or encrypted file, or of a project.binary
    Unpack(commands::unpack::UnpackArgs),
    /// Compress or encrypt a file as the engine does
    Pack(commands::unpack::PackArgs),
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

const CHANGES: &str = "a command that writes a file prints no JSON; `gdvar diff --json OLD NEW` prints what changed, \
    `gdvar json FILE` the values";

const DOCUMENTS: &str = "this prints text in gdvar's own form, not JSON";

impl Command {
    /// What `--json` does with the command.
    pub(crate) fn json(&self) -> Json {
        match self {
            Command::Info { .. }
            | Command::Check { .. }
            | Command::Hex(_)
            | Command::Explain(_)
            | Command::Stats(_)
            | Command::Recover(_) => Json::Lines,
            Command::View(args) => args.json(),
            Command::Get(args) => args.json(),
            Command::Grep(args) => args.json(),
            Command::Scan(args) => args.json(),
            Command::Diff(args) => args.json(),
            Command::Schema(args) => args.json(),
            Command::Records(args) => args.json(),
            Command::Convert(args) if args.output.path().is_some() => Json::Lines,
            Command::Convert(_) | Command::Json(_) | Command::Query(_) => Json::Result,
            Command::Table(_) => Json::Refused(
                "a table has its format from `--format json-lines` (one JSON object a row), or from the name after --out",
            ),
            Command::Packets(_) => {
                Json::Refused("`gdvar packets --json-lines` prints one JSON object a packet")
            }
            Command::Proxy(_) => {
                Json::Refused("`gdvar proxy --json-lines` prints one JSON object a packet")
            }
            Command::Debug(_) => {
                Json::Refused("`gdvar debug --json-lines` prints one JSON object a message")
            }
            Command::Text { .. } => {
                Json::Refused("text is in Godot's notation; `gdvar json` prints JSON")
            }
            Command::Gron(_) => {
                Json::Refused("gron prints `path = value;` lines; `gdvar json` prints JSON")
            }
            Command::Textconv(_) => {
                Json::Refused("textconv prints lines for git diff; `gdvar json` prints JSON")
            }
            Command::GitSetup(_) => {
                Json::Refused("git-setup changes settings of git, and says which on standard error")
            }
            Command::Watch(_) => Json::Refused(
                "watch prints lines for people; `gdvar diff --json OLD NEW` prints the changes between two files",
            ),
            Command::Explore(_) => {
                Json::Refused("explore fills the terminal; `gdvar view --json` prints JSON")
            }
            Command::FromJson(_)
            | Command::FromText(_)
            | Command::Set(_)
            | Command::Insert(_)
            | Command::Append(_)
            | Command::Del(_)
            | Command::RenameKey(_)
            | Command::Edit(_)
            | Command::Patch(_)
            | Command::Merge(_)
            | Command::Unpack(_)
            | Command::Pack(_) => Json::Refused(CHANGES),
            Command::Dissector
            | Command::Options
            | Command::CompletePath(_)
            | Command::Completions(_)
            | Command::Man(_) => Json::Refused(DOCUMENTS),
        }
    }

    /// Returns the one file that the command will write, if its arguments name it. A folder is never returned.
    pub(crate) fn target(&self) -> Option<&Path> {
        match self {
            Command::Set(args) | Command::Insert(args) => args.change.target(),
            Command::Append(args) => args.change.target(),
            Command::Del(args) => args.change.target(),
            Command::RenameKey(args) => args.change.target(),
            Command::Edit(args) => args.target(),
            Command::Patch(args) => args.target(),
            Command::Merge(args) => args.output.path(),
            Command::Convert(args) => args.output.path(),
            Command::Unpack(args) => args.output.path(),
            Command::Pack(args) => args.output.path(),
            Command::FromJson(args) => args.from.output.path(),
            Command::FromText(args) => args.output.path(),
            Command::Gron(args) => args.from.output.path(),
            Command::Records(args) => args.target(),
            Command::Recover(args) => args.output.as_deref(),
            Command::Table(args) => args.out.as_deref(),
            Command::Packets(args) => args.svg.as_deref().or(args.html.as_deref()),
            // `explore` takes a snapshot each time it reads the file. The other commands write no file.
            _ => None,
        }
        .filter(|path| *path != Path::new("-"))
    }

    /// Returns `true` if the command prints text to be read and ends by itself, so that a pager is useful.
    pub(crate) fn is_paged(&self) -> bool {
        match self {
            Command::Info { .. }
            | Command::View(_)
            | Command::Check { .. }
            | Command::Get(_)
            | Command::Gron(_)
            | Command::Grep(_)
            | Command::Hex(_)
            | Command::Explain(_)
            | Command::Schema(_)
            | Command::Stats(_)
            | Command::Table(_)
            | Command::Scan(_)
            | Command::Query(_)
            | Command::Dissector
            | Command::Json(_)
            | Command::Text { .. }
            | Command::Diff(_)
            | Command::Options => true,
            Command::Packets(args) => !args.follow,
            Command::Records(args) => args.is_read(),
            // The other commands write files, run until they are stopped, or draw on the whole screen.
            _ => false,
        }
    }
}
