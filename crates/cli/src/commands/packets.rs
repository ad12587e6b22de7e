//! `packets`: what a Godot game says on the wire, from a capture of tcpdump or Wireshark.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args, ValueEnum};
use gdvar_packet::{
    Engine, Filter, Message, SessionEvent, Transport, capture::EventOrigin, names::Names,
};

use self::{
    line::Servers,
    notes::Passed,
    source::{Account, Source},
    ways::Way,
};
use crate::{
    app::App,
    terminal::{exit::Exit, safe_text, words},
};

mod connections;
mod costs;
mod hex;
pub(crate) mod line;
mod notes;
mod source;
mod timeline;
mod ways;

/// The arguments of `packets`.
#[derive(Args, Debug)]
#[command(after_help = "\
Captures are files of tcpdump and Wireshark (pcap, pcapng), lines of `seconds from>to hex` with S as
the server, or the columns frame.time_epoch, ip.src, udp.srcport, ip.dst, udp.dstport and
udp.payload of `tshark -T fields` (for TCP the same of tcp, and tcp.seq_raw before tcp.payload).
Engine and carrier are found by trying; standard input is read while it comes and needs both, if
they are not Godot 4 and ENet.

Packets of Godot 4 have numbers for methods. --project reads the names in the project's scripts; the
MD5 in the packets proves them, and says when client and server differ.

A filter compares fields by == != < <= > >=, texts also by contains and starts_with, with a number,
a \"text\", true, false or null. A field alone asks if it is there. and, or, not and parentheses join.
  command          \"CALL\", \"SYNC\", \"SPAWN\" and so on, as in the output
  method, node     of a call: its name, or its number (1 for #1), and the path of its node
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
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineArg>,
    /// The carrier of the packets (default: found by trying)
    #[arg(long, value_name = "CARRIER")]
    carrier: Option<CarrierArg>,
    /// The port of the server (default: any)
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The folder of the game's project, for the names of methods
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Only packets that fulfil this condition
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,
    /// One JSON object for every packet, a line each; with --stats for every row
    #[arg(long, conflicts_with = "hex")]
    json_lines: bool,
    /// Bytes and packets of each command, method and peer, the costliest first
    #[arg(long, group = "form")]
    stats: bool,
    /// Below each packet its bytes, each with its name
    #[arg(long, group = "form")]
    hex: bool,
    /// With --stats: draw the bytes over time into this file
    #[arg(long, value_name = "FILE", requires = "stats")]
    pub(crate) svg: Option<PathBuf>,
    /// Only packets from this second on, as in the output
    #[arg(long, value_name = "SECONDS", value_parser = time_of)]
    from: Option<Duration>,
    /// Only packets up to this second
    #[arg(long, value_name = "SECONDS", value_parser = time_of)]
    to: Option<Duration>,
    /// No more packets than that; with --stats no more rows in a table
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,
    /// The order: of packets time (default) or size, of the rows of --stats size (default), packets, largest or name
    #[arg(long, value_name = "KEY", conflicts_with = "follow")]
    sort: Option<Sort>,
    /// Write the bytes of each packet into a file of its own in this new folder
    #[arg(long, value_name = "DIR", conflicts_with = "sort")]
    extract: Option<PathBuf>,
    /// Wait for more at the end of the capture, until it is told to stop (Ctrl-C)
    #[arg(long)]
    pub(crate) follow: bool,
    /// Commands of the carrier itself too: acknowledgements, pings
    #[arg(short, long)]
    all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum EngineArg {
    Godot4,
    Godot3,
}

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Sort {
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

/// Seconds as a line has them.
fn time_of(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse()
        .map_err(|_| "expected seconds, such as 12.5".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds);
    time.map_err(|_| "expected seconds from 0 on, such as 12.5".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum CarrierArg {
    /// ENetMultiplayerPeer
    Enet,
    /// WebSocketMultiplayerPeer, without TLS
    Websocket,
    /// put_var over UDP
    Udp,
    /// put_var over TCP
    Tcp,
    /// The stream of --remote-debug
    Debugger,
}

impl From<EngineArg> for Engine {
    fn from(engine: EngineArg) -> Engine {
        match engine {
            EngineArg::Godot4 => Engine::Godot4,
            EngineArg::Godot3 => Engine::Godot3,
        }
    }
}

impl From<CarrierArg> for Transport {
    fn from(carrier: CarrierArg) -> Transport {
        match carrier {
            CarrierArg::Enet => Transport::Enet,
            CarrierArg::Websocket => Transport::WebSocket,
            CarrierArg::Udp => Transport::Values,
            CarrierArg::Tcp => Transport::Records,
            CarrierArg::Debugger => Transport::Debugger,
        }
    }
}

/// Nothing that is read here was found.
const NOTHING: &str = "no packets of Godot are found in it; --engine, --carrier and --port name them. \
    Packets under TLS or DTLS cannot be read";

/// All that is read here is encrypted.
const ENCRYPTED: &str = "its packets are encrypted with DTLS or TLS, which cannot be read; switch the encryption off in \
    the game to see them";

/// Runs the command.
///
/// # Errors
/// If the output fails.
pub(crate) fn run(app: &mut App, args: &PacketsArgs) -> io::Result<()> {
    let filter = match args.filter.as_deref().map(Filter::parse).transpose() {
        Ok(filter) => filter,
        Err(error) => {
            app.exit.merge(Exit::Usage);
            return app.error(&error.to_string());
        }
    };
    let names = match args.project.as_deref().map(Names::scan).transpose() {
        Ok(names) => names.unwrap_or_default(),
        Err(error) => {
            app.exit.merge(Exit::Io);
            return app.error(&format!("the project's scripts cannot be read: {error}"));
        }
    };
    let is_order = match args.sort {
        None | Some(Sort::Size) => true,
        Some(Sort::Time) => !args.stats,
        Some(Sort::Packets | Sort::Largest | Sort::Name) => args.stats,
    };
    if !is_order {
        app.exit.merge(Exit::Usage);
        return app.error(
            "--sort has time and size for packets, and size, packets, largest and name for the rows of --stats",
        );
    }
    for file in &args.files {
        let shown = safe_text::safe(&file.to_string_lossy()).into_owned();
        if let Err(error) = capture(app, args, file, filter.as_ref(), &names)? {
            let exit = match error {
                Trouble::Io(_) => Exit::Io,
                Trouble::Usage(_) => Exit::Ambiguous,
                Trouble::Malformed(_) => Exit::Malformed,
            };
            app.exit.merge(exit);
            app.error(&format!("{shown}: {error}"))?;
        }
    }
    Ok(())
}

/// Why a capture is not shown to its end.
#[derive(Debug)]
enum Trouble {
    Io(io::Error),
    Usage(&'static str),
    Malformed(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Io(error) => error.fmt(f),
            Trouble::Usage(text) => f.write_str(text),
            Trouble::Malformed(text) => f.write_str(text),
        }
    }
}

/// A file that grows.
struct Growing(File);

/// How long it takes until more of it is looked for.
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

fn open(file: &Path) -> Result<Box<dyn Read + Send>, Trouble> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(file).map_err(Trouble::Io)?;
    Ok(Box::new(file))
}

/// Shows a capture. The outer error is one of the output.
fn capture(
    app: &mut App,
    args: &PacketsArgs,
    file: &Path,
    filter: Option<&Filter>,
    names: &Names,
) -> io::Result<Result<(), Trouble>> {
    let ways = match (args.engine, args.carrier) {
        (Some(engine), Some(carrier)) => Ok(vec![Way::of_all(engine.into(), carrier.into())]),
        _ if file == Path::new("-") => Ok(vec![Way::of_all(
            args.engine.map_or(Engine::Godot4, Engine::from),
            args.carrier.map_or(Transport::Enet, Transport::from),
        )]),
        _ => ways::find(args, file),
    };
    let ways = match ways {
        Ok(ways) => ways,
        Err(trouble) => return Ok(Err(trouble)),
    };
    let read = match args.follow && file != Path::new("-") {
        true => File::open(file)
            .map_err(Trouble::Io)
            .map(|file| -> Box<dyn Read + Send> { Box::new(Growing(file)) }),
        false => open(file),
    };
    let mut source = match read.and_then(|read| Source::new(read, &ways, args.port)) {
        Ok(source) => source,
        Err(trouble) => return Ok(Err(trouble)),
    };
    let is_live = file == Path::new("-") || args.follow;
    let mut costs = costs::Costs::default();
    let mut number = 0_u64;
    let mut passed = Passed::default();
    let mut servers = Servers::expect(ways.iter().map(Way::servers).sum());
    let mut largest = args
        .sort
        .filter(|sort| *sort == Sort::Size && !args.stats)
        .map(|_| Largest::new(args.limit));
    let mut failed = Ok(());
    let mut start = None;
    let is_full = |number: u64| {
        !args.stats
            && args.sort != Some(Sort::Size)
            && args.limit.is_some_and(|limit| number >= limit)
    };
    let result = loop {
        if is_full(number) {
            app.note(&format!(
                "--limit: the rest was not looked at after {}",
                words::plural(number, "packet")
            ))?;
            break Ok(());
        }
        let step = source.step(|heard: EventOrigin, item: SessionEvent<'_>| {
            let is_own = matches!(
                item.message,
                Message::Enet(_) | Message::WebSocket(_) | Message::Http
            );
            let is_shown = args.all || !is_own;
            // Of the first packet that would be shown without a filter, so that lines can be found again.
            if is_shown {
                start.get_or_insert(heard.time);
            }
            let time = heard.time.saturating_sub(start.unwrap_or(heard.time));
            let is_within =
                args.from.is_none_or(|from| from <= time) && args.to.is_none_or(|to| time <= to);
            if failed.is_err() || !is_within || is_full(number) {
                return;
            }
            if args.stats {
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
            passed.add(&item, method, names);
            if let Some(filter) = filter {
                passed.commands.insert(item.message.name());
                if !filter.matches(&item, method) {
                    return;
                }
            }
            number += 1;
            if let Some(folder) = &args.extract {
                failed = extract(folder, number, &item, method);
            }
            if failed.is_err() {
                return;
            }
            if args.stats {
                return costs.add(heard, &item, method);
            }
            let text = if args.hex {
                servers.name(heard.server, hex::text(time, &item, method, names))
            } else if args.json_lines {
                // Lines of digits name no addresses.
                let is_named = !heard.server.ip().is_unspecified();
                let ends = is_named.then_some([heard.server, heard.client]);
                line::json(time, ends, &item, method, names)
            } else {
                servers.name(heard.server, line::text(time, &item, method, names))
            };
            match &mut largest {
                Some(largest) => largest.add(item.bytes.len(), text),
                None => failed = app.raw(&text),
            }
        });
        if failed.is_err() {
            break Ok(());
        }
        match step {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(trouble) => break Err(trouble),
        }
        if is_live {
            app.flush()?;
        }
    };
    failed?;
    for text in largest.into_iter().flat_map(Largest::texts) {
        app.raw(&text)?;
    }
    let account = source.account();
    if args.stats {
        let ways: Vec<_> = ways.iter().map(|way| (way.engine, way.carrier)).collect();
        let order = (args.sort.unwrap_or(Sort::Size), args.limit);
        app.raw(&match args.json_lines {
            true => costs.json(&ways, source.is_compressed(), order),
            false => costs.table(&ways, source.is_compressed(), order),
        })?;
    }
    if args.json_lines {
        app.raw(&line::account(&account))?;
    } else {
        app.note(&words(&account))?;
    }
    for note in passed.notes(number, args, names) {
        app.note(&note)?;
    }
    if let Some(svg) = &args.svg {
        let written = app.replacement(svg).and_then(|mut file| {
            file.write_all(costs.svg().as_bytes())?;
            file.finish()
        });
        if let Err(error) = written {
            return app.cannot_write(svg, &error).map(|()| result);
        }
    }
    Ok(result)
}

/// The texts of packets, for the largest first.
struct Largest {
    texts: Vec<(usize, Vec<u8>)>,
    limit: usize,
}

impl Largest {
    fn new(limit: Option<u64>) -> Largest {
        Largest {
            texts: Vec::new(),
            limit: limit.map_or(usize::MAX, |limit| {
                usize::try_from(limit).unwrap_or(usize::MAX)
            }),
        }
    }

    fn add(&mut self, size: usize, text: Vec<u8>) {
        self.texts.push((size, text));
        // No more is kept than is printed, and as much again.
        if self.texts.len() / 2 > self.limit {
            self.cut();
        }
    }

    /// Equal ones stay in the order of time.
    fn cut(&mut self) {
        self.texts.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        self.texts.truncate(self.limit);
    }

    fn texts(mut self) -> impl Iterator<Item = Vec<u8>> {
        self.cut();
        self.texts.into_iter().map(|(_, text)| text)
    }
}

/// How much of a capture was read: `read 10 of 12 packets; not read: 2 neither UDP nor TCP`.
fn words(account: &Account) -> String {
    let Account { packets, unread } = account;
    let missing: u64 = unread.values().sum();
    let read = words::count(packets.saturating_sub(missing));
    let mut text = format!("read {read} of {}", words::plural(*packets, "packet"));
    let reasons = unread
        .iter()
        .map(|(why, count)| format!("{} {why}", words::count(*count)));
    let reasons: Vec<_> = reasons.collect();
    if !reasons.is_empty() {
        text += &format!("; not read: {}", reasons.join(", "));
    }
    text
}

/// Writes a packet into a file of its own: `000012-CALL-hit.bin`. Files that are there are left alone.
fn extract(
    folder: &Path,
    number: u64,
    item: &SessionEvent<'_>,
    method: Option<&str>,
) -> io::Result<()> {
    if number == 1 {
        fs::create_dir_all(folder)?;
    }
    let mut name = format!("{number:06}-{}", item.message.name());
    if let Some(method) = line::method(item, method) {
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        let method: String = method.chars().filter(|c| plain(*c)).take(64).collect();
        name = format!("{name}-{method}");
    }
    let mut file = File::create_new(folder.join(name + ".bin"))?;
    file.write_all(item.bytes)
}

/// Seconds with six places.
fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}
