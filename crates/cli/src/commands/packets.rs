//! `packets`: shows what a Godot game sends over the network, from a capture of tcpdump or Wireshark.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use gdvar_packet::{
    Engine, Filter, SessionEvent, Transport,
    capture::{EventOrigin, Unread},
    names::Names,
};

use self::{
    capture::{Capture, Coverage},
    cheats::Cheats,
    costs::Costs,
    games::Game,
    line::ServerColumn,
    notes::Notes,
    summary::Summary,
};
use crate::{
    app::App,
    terminal::{exit::Exit, safe_text, words},
};

mod capture;
mod cheats;
mod connections;
mod costs;
mod extract;
mod games;
mod hex;
mod html;
mod late;
pub(crate) mod line;
mod notes;
pub(crate) mod project;
mod replication;
mod summary;
mod tables;
mod timeline;
mod totals;

/// The arguments of `packets`.
#[derive(Args, Debug)]
#[command(after_help = "\
Captures are files of tcpdump and Wireshark (pcap, pcapng), lines of `seconds from>to hex` with S as
the server, or the columns frame.time_epoch, ip.src, udp.srcport, ip.dst, udp.dstport and
udp.payload of `tshark -T fields` (for TCP the same of tcp, and tcp.seq_raw before tcp.payload).
Engine and carrier are found by trying. Standard input is read while it comes, so its engine and
carrier must be named if they are not Godot 4 and ENet.

Packets of Godot 4 have numbers for methods. --project reads the names in the project's scripts; the
MD5 in the packets proves them, and says when client and server differ.

A filter compares fields by == != < <= > >=, texts also by contains and starts_with, with a number,
a \"text\", true, false or null. != is true for every value that is there and differs, of whatever
type; the others are false for another type. A field alone is true if the packet has it, and it is
neither false nor null. and, or, not and parentheses combine conditions.
  command          \"CALL\", \"SYNC\", \"SPAWN\" and so on, as in the output
  method           of a call: its name, or its number (1 for #1)
  node             the path of a call's node; of a SPAWN or DESPAWN the spawner; of a SYNC or DELTA
                   each synchronizer, or its spawner if a spawner made it: true if one of them fits
  args             the number of arguments; args[0] or args[1].position.x is a value
  properties[0]    a property that a SPAWN, SYNC or DELTA brings
  value            of put_var; value.name is a value in it
  message          the name of a message of the debugger
  size             in bytes, without the carrier's own
  time             in seconds, as in the output
  from, to         peer ids; 1 is the server
  direction        \"to_server\" or \"to_client\"
  delivery         \"reliable\", \"unreliable\" or \"unreliable_ordered\"
  link             the number of a client, as in `client 2`
  carrier, channel, fragments, resent, relayed, net_id

Examples:
  gdvar packets game.pcap
  gdvar packets game.pcap --project ~/mygame --filter 'rpc.method == \"hit\" and args[0] > 50'
  gdvar packets game.pcap --stats                     which calls cost the most?
  gdvar packets game.pcap --project ~/mygame --cheats who cheats?
  gdvar packets game.pcap --project ~/mygame --late   why is a sync late?
  gdvar packets game.pcap --stats --html report.html  a page with charts, to mail
  gdvar packets game.pcap --hex --filter 'size > 500' what is in the large ones?
  gdvar packets game.pcap --sort size --limit 10      the ten largest
  gdvar packets game.pcap --from 12.5 --to 13         what came in that half second?
  gdvar packets game.pcap --follow                    while tcpdump writes it
  tcpdump -U -w - udp port 7777 | gdvar packets -
  gdvar packets game.pcap --json-lines | jq 'select(.command == \"CALL\").method'")]
pub(crate) struct PacketsArgs {
    /// Captures; - is standard input
    #[arg(required = true, value_name = "CAPTURE")]
    files: Vec<PathBuf>,
    /// The engine of the game (default: found by trying)
    #[arg(long, value_name = "ENGINE", value_parser = engine_parser())]
    engine: Option<Engine>,
    /// The carrier of the packets (default: found by trying)
    #[arg(long, value_name = "CARRIER", value_parser = carrier_parser())]
    carrier: Option<Transport>,
    /// The port of the server (default: any)
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The game's project, for the names of methods: its folder, or the package (.pck, .zip) of an exported game
    #[arg(long, value_name = "PROJECT")]
    project: Option<PathBuf>,
    /// Only packets that match this filter
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,
    /// A line with a JSON object for every packet, or with --stats for every row
    #[arg(long, conflicts_with = "hex")]
    json_lines: bool,
    /// Bytes and packets of each command, method and peer, the costliest first
    #[arg(long)]
    stats: bool,
    /// What clients send that the project does not let them; the exit code is 1 if there is anything
    #[arg(long)]
    cheats: bool,
    /// The synchronizers whose properties came late, and why
    #[arg(long)]
    late: bool,
    /// Show all bytes of each packet, each field with its name
    #[arg(long, conflicts_with_all = ["stats", "cheats", "late", "svg", "html"])]
    hex: bool,
    /// With --stats: draw the bytes over time into this file
    #[arg(long, value_name = "FILE", requires = "stats", conflicts_with_all = ["follow", "html"])]
    pub(crate) svg: Option<PathBuf>,
    /// With --stats, and also --cheats or --late: write a page with charts and all tables into this file
    #[arg(
        long,
        value_name = "FILE",
        requires = "stats",
        conflicts_with = "follow"
    )]
    pub(crate) html: Option<PathBuf>,
    /// Only packets from this second on, as in the output
    #[arg(long, value_name = "SECONDS", value_parser = time_of)]
    from: Option<Duration>,
    /// Only packets up to this second
    #[arg(long, value_name = "SECONDS", value_parser = time_of)]
    to: Option<Duration>,
    /// The most packets, or of --stats, --cheats and --late the most rows of a table
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
    /// The order: of packets time (default) or size, of the rows of --stats size (default), packets, largest or name
    #[arg(long, value_name = "KEY", conflicts_with = "follow")]
    sort: Option<Order>,
    /// Write the bytes of each packet into its own file in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "sort")]
    extract: Option<PathBuf>,
    /// Wait for more at the end of the capture, until Ctrl-C
    #[arg(long)]
    pub(crate) follow: bool,
    /// Also show commands of the carrier itself: acknowledgements, pings
    #[arg(short, long)]
    all: bool,
}

/// What `--sort` puts first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// The earliest
    Time,
    /// The largest; of rows the most bytes
    Size,
    /// The rows with the most packets
    Packets,
    /// The rows with the largest packet
    Largest,
    /// The rows by their names
    Name,
}

impl PacketsArgs {
    /// Returns `true` if packets are printed in the order of their size. Then no packet can be printed before all
    /// packets have been read.
    fn is_by_size(&self) -> bool {
        self.sort == Some(Order::Size) && !self.is_summary()
    }

    /// Returns `true` if tables or findings are printed instead of packets.
    fn is_summary(&self) -> bool {
        self.stats || self.cheats || self.late
    }

    /// Returns `true` if `time` is not before `--from` and not after `--to`.
    fn is_within(&self, time: Duration) -> bool {
        self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time <= to)
    }

    /// Returns `true` if `--limit` stops reading after `packets` packets.
    fn is_full(&self, packets: u64) -> bool {
        let limit = self
            .limit
            .filter(|_| !self.is_summary() && !self.is_by_size());
        limit.is_some_and(|limit| packets >= limit as u64)
    }
}

/// Parses `--engine`.
pub(crate) fn engine_parser() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(["godot4", "godot3"]).map(|name| match name.as_str() {
        "godot3" => Engine::Godot3,
        _ => Engine::Godot4,
    })
}

/// Parses `--carrier`.
fn carrier_parser() -> impl TypedValueParser<Value = Transport> {
    const CARRIERS: [(&str, &str, Transport); 5] = [
        ("enet", "ENetMultiplayerPeer", Transport::Enet),
        (
            "websocket",
            "WebSocketMultiplayerPeer, without TLS",
            Transport::WebSocket,
        ),
        ("udp", "put_var over UDP", Transport::Values),
        ("tcp", "put_var over TCP", Transport::Records),
        (
            "debugger",
            "The stream of --remote-debug",
            Transport::Debugger,
        ),
    ];
    let listed = CARRIERS.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(listed).try_map(|chosen| {
        let known = CARRIERS.into_iter().find(|(name, ..)| *name == chosen);
        known.map(|(.., carrier)| carrier).ok_or("no such carrier")
    })
}

/// Parses the seconds of `--from` and `--to`.
fn time_of(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse()
        .map_err(|_| "expected seconds, such as 12.5".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds);
    time.map_err(|_| "expected seconds from 0 on, such as 12.5".to_owned())
}

/// Why `packets`, `proxy` or `debug` stops early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Standard output or a file of results cannot be written. `main` reports this error.
    Output(io::Error),
    /// Any other error: its exit code and its message.
    Other(Exit, String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl Failure {
    pub(crate) fn usage(text: impl Into<String>) -> Failure {
        Failure::Other(Exit::Usage, text.into())
    }

    /// Creates the failure for an error of an input or of a socket, named `what`.
    pub(crate) fn io(what: &str, error: &io::Error) -> Failure {
        Failure::Other(Exit::Io, format!("{what}: {error}"))
    }

    /// Prints the message and sets the exit code. Passes on an error of the output.
    pub(crate) fn report(self, app: &mut App) -> io::Result<()> {
        match self {
            Failure::Output(error) => Err(error),
            Failure::Other(exit, text) => {
                app.exit.merge(exit);
                app.error(&text)
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If the output fails.
pub(crate) fn run(app: &mut App, args: &PacketsArgs) -> io::Result<()> {
    show_all(app, args).or_else(|failure| failure.report(app))
}

fn show_all(app: &mut App, args: &PacketsArgs) -> Result<(), Failure> {
    let filter = args.filter.as_deref().map(Filter::parse).transpose();
    let filter = filter.map_err(|error| Failure::usage(error.to_string()))?;
    let names = project::names(app, args.project.as_deref())?;
    let is_order = match args.sort {
        None | Some(Order::Size) => true,
        Some(Order::Time) => !args.stats,
        Some(Order::Packets | Order::Largest | Order::Name) => args.stats,
    };
    if !is_order {
        return Err(Failure::usage(
            "--sort has time and size for packets, and size, packets, largest and name for the rows of --stats",
        ));
    }
    for (option, file) in [("--svg", &args.svg), ("--html", &args.html)] {
        let Some(file) = file else {
            continue;
        };
        if args.files.len() > 1 {
            return Err(Failure::usage(format!(
                "{option} is for one capture, but {} are given; run it once for each",
                args.files.len()
            )));
        }
        if file == Path::new("-") {
            return Err(Failure::usage(format!(
                "{option} needs the name of a file; standard output has the tables"
            )));
        }
    }
    for file in &args.files {
        match show(app, args, file, filter.as_ref(), &names) {
            Err(Failure::Other(exit, text)) => {
                let file = file.to_string_lossy();
                let text = format!("{}: {text}", safe_text::safe(&file));
                Failure::Other(exit, text).report(app)?;
            }
            result => result?,
        }
    }
    Ok(())
}

/// A file that another program is still writing. At its end, reading waits for more.
struct Growing(File);

/// The time between two attempts to read more.
const PAUSE: Duration = Duration::from_millis(100);

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer)? {
                0 if !buffer.is_empty() => std::thread::sleep(PAUSE),
                len => return Ok(len),
            }
        }
    }
}

fn open(file: &Path, follow: bool) -> Result<Box<dyn Read + Send>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(file).map_err(unreadable)?;
    Ok(match follow {
        true => Box::new(Growing(file)),
        false => Box::new(file),
    })
}

/// Creates the failure for a capture that the system cannot read.
fn unreadable(error: io::Error) -> Failure {
    Failure::Other(Exit::Io, error.to_string())
}

/// Prints the packets of a capture, or a summary of them.
fn show(
    app: &mut App,
    args: &PacketsArgs,
    path: &Path,
    filter: Option<&Filter>,
    names: &Names,
) -> Result<(), Failure> {
    let is_stdin = path == Path::new("-");
    let games = match (args.engine, args.carrier) {
        (Some(engine), Some(carrier)) => vec![Game::new(engine, carrier)],
        (engine, carrier) if is_stdin => vec![Game::new(
            engine.unwrap_or(Engine::Godot4),
            carrier.unwrap_or(Transport::Enet),
        )],
        _ => games::find(args, path)?,
    };
    let mut capture = Capture::new(open(path, args.follow)?, &games, args.port)?;
    let mut costs = Costs::default();
    let mut number = 0_u64;
    let mut cheats = Cheats::default();
    let mut notes = Notes::default();
    let mut servers = ServerColumn::new(games.iter().map(|game| game.servers.len()).sum());
    // With `--sort size`: the largest packets so far, formatted.
    let mut largest = BTreeMap::new();
    let mut failed: Result<(), Failure> = Ok(());
    let mut start = None;
    let result = loop {
        if args.is_full(number) {
            app.note(&format!(
                "--limit: the rest was not read, after {}",
                words::plural(number, "packet")
            ))?;
            break Ok(());
        }
        let packet = capture.packets() + 1;
        let step = capture.step(|heard: EventOrigin, item: SessionEvent<'_>| {
            let is_shown = args.all || !line::is_carriers_own(&item);
            // Time counts from the first packet, shown or not, so that neither a filter nor --all changes the times.
            let time = heard.time.saturating_sub(*start.get_or_insert(heard.time));
            if failed.is_err() || !args.is_within(time) || args.is_full(number) {
                return;
            }
            if args.stats || args.late {
                costs.hear(heard, &item);
            }
            if !is_shown {
                return;
            }
            let item = SessionEvent {
                time: Some(time),
                ..item
            };
            let method = names.method(&item);
            notes.add(&item, method, names);
            if let Some(filter) = filter {
                notes.commands.insert(item.message.name());
                if !filter.matches(&item, method) {
                    return;
                }
            }
            number += 1;
            if let Some(folder) = &args.extract {
                failed = extract::extract(folder, number, &item, method);
            }
            if failed.is_err() {
                return;
            }
            if args.stats {
                costs.add(heard, &item, method);
            } else if args.late {
                costs.add_replicated(heard, &item);
            }
            if args.cheats {
                cheats.add(heard, packet, &item, method, names);
            }
            if args.is_summary() {
                return;
            }
            let text = if args.hex {
                servers.insert(heard.server, hex::text(time, &item, method, names))
            } else if args.json_lines {
                // Lines of hexadecimal digits have no addresses.
                let is_named = !heard.server.ip().is_unspecified();
                let ends = is_named.then_some([heard.server, heard.client]);
                line::json(time, ends, &item, method, names)
            } else {
                servers.insert(heard.server, line::text(time, &item, method, names))
            };
            if !args.is_by_size() {
                failed = app.raw(&text).map_err(Failure::from);
                return;
            }
            largest.insert((Reverse(item.bytes.len()), number), text);
            if args.limit.is_some_and(|limit| largest.len() > limit) {
                largest.pop_last();
            }
        });
        if failed.is_err() {
            break Ok(());
        }
        if let Some((time, len)) = capture.carried() {
            let time = start.map_or(Duration::ZERO, |start| time.saturating_sub(start));
            if args.is_within(time) {
                costs.carry(len);
            }
        }
        match step {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(failure) => break Err(failure),
        }
        if is_stdin || args.follow {
            app.flush()?;
        }
    };
    failed?;
    for text in largest.values() {
        app.raw(text)?;
    }
    let mut summary = Summary {
        totals: args
            .stats
            .then(|| costs.totals(&games, capture.is_compressed())),
        tables: Vec::new(),
    };
    if args.stats {
        summary.tables = costs.tables(args.sort, names);
    }
    if args.late {
        let late = costs.late(names, start.unwrap_or_default());
        summary.tables.push(late);
    }
    if args.stats || args.late {
        summary.tables.push(costs.connections());
    }
    let mut texts = Vec::new();
    if args.cheats {
        let mut found = cheats.table();
        let note = cheats.note(found.rows.len());
        found.if_empty.clone_from(&note);
        if !found.rows.is_empty() {
            app.exit.merge(Exit::Findings);
        }
        summary.tables.push(found);
        texts.push(note);
    }
    let coverage = capture.coverage();
    if args.json_lines {
        app.raw(&summary.json(args.limit))?;
        app.raw(&line::coverage(&coverage))?;
    } else {
        app.raw(summary.text(args.limit).as_bytes())?;
        texts.push(coverage_note(&coverage));
    }
    texts.extend(notes.texts(number, args, names));
    for note in &texts {
        app.note(note)?;
    }
    if let Some(file) = &args.svg {
        write_whole(app, file, &costs.svg())?;
    }
    if let Some(file) = &args.html {
        if args.json_lines {
            texts.push(coverage_note(&coverage));
        }
        if let Err(Failure::Other(_, error)) = &result {
            texts.push(format!("the rest of the capture was not read: {error}"));
        }
        let about = html::About {
            capture: &html::capture_name(path),
            notes: &texts,
            command: &html::command_line(std::env::args_os().skip(1)),
        };
        let page = html::report(&summary, costs.timeline(), &about, args.limit);
        write_whole(app, file, &page)?;
    }
    result
}

/// Writes a file of results. The file has all of `text`, or is as it was before.
fn write_whole(app: &mut App, path: &Path, text: &str) -> io::Result<()> {
    let written = app.replacement(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.finish()
    });
    written.or_else(|error| app.cannot_write(path, &error))
}

/// Summarizes how much of a capture was read: `read 10 of 12 packets; not read: 2 neither UDP nor TCP`.
fn coverage_note(coverage: &Coverage) -> String {
    let mut text = format!(
        "read {} of {}",
        words::count(coverage.read()),
        words::plural(coverage.packets, "packet")
    );
    text += &unread_note(&coverage.unread);
    if coverage.incomplete > 0 {
        text += &format!(
            "; not shown: {} of which pieces are missing in the capture",
            words::plural(coverage.incomplete, "packet")
        );
    }
    text
}

/// Lists why packets were not read: `; not read: 2 neither UDP nor TCP`. Empty if there are none.
fn unread_note(unread: &BTreeMap<Unread, u64>) -> String {
    let mut text = String::new();
    for (n, (why, count)) in unread.iter().enumerate() {
        text += if n == 0 { "; not read: " } else { ", " };
        text += &format!("{} {why}", words::count(*count));
    }
    text
}

/// Formats seconds with six digits after the point.
fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}
