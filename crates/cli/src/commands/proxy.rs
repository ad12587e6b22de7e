//! `proxy`: between a client and its server, shows what they say, changes it, and plays a bad network.

use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::{ArgGroup, Args};
use gdvar_packet::{Engine, Filter, Transport, names::Names};

use self::{network::Network, relay::Relay};
use super::packets::EngineArg;
use crate::{app::App, terminal::exit::Exit};

mod network;
mod relay;
mod rules;
mod tcp;
mod udp;

/// The arguments of `proxy`.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("carrier").required(true),
    after_help = "\
Clients connect to LISTEN, and the proxy talks to the server at TARGET for each of them. Each is a
port, or HOST:PORT; without a host it is this machine alone. A line a packet is printed, as by
`gdvar packets`: --quiet prints none. Packets are shown as they are handed on.

--drop, --redact and --rewrite choose packets as --filter does: see gdvar help packets. Rules apply in
this order. A reliable packet of ENet that is dropped becomes one that the engine passes over, because
the receiver waits for its number. A packet of ENet that would become too long (4064 bytes for each
piece that it came in), or that is in pieces and longer than 32 KiB, is left as it came: its line says
why. With --drop, --redact or --scrub it is blocked, and so is every packet of which nobody can tell
whether the rule is for it: one that is damaged or of another carrier, and under rules with names a call
whose node or method has no sure name. --pass-unclear hands all of these on.

The network is bad in both directions. A datagram is late by --latency and at random up to --jitter
more, so that they overtake each other; a stream is only late. With an equal --seed equal datagrams of
equal traffic are lost.

Examples:
  gdvar proxy --udp 7778 7777                 the client connects to 7778 in place of 7777
  gdvar proxy --udp 7778 7777 --project ~/mygame --filter 'method == \"hit\"'
  gdvar proxy --udp 7778 7777 --latency 80 --jitter 40 --loss 5
  gdvar proxy --udp 7778 7777 --drop 'method == \"chat\"' --rewrite 'method == \"hit\" => args[0]=1'
  gdvar proxy --ws 8081 8080 --redact 'method == \"login\" => args[1]' --record game.pcap"
)]
pub(crate) struct ProxyArgs {
    /// ENet, or put_var in datagrams
    #[arg(long, group = "carrier")]
    udp: bool,
    /// put_var in a stream
    #[arg(long, group = "carrier")]
    tcp: bool,
    /// WebSocket, without TLS
    #[arg(long, group = "carrier")]
    ws: bool,
    /// The stream of --remote-debug: the editor is the server
    #[arg(long, group = "carrier")]
    debugger: bool,
    /// The address that clients connect to
    #[arg(value_name = "LISTEN")]
    listen: String,
    /// The address of the server
    #[arg(value_name = "TARGET")]
    target: String,
    /// The engine of the game
    #[arg(long, value_name = "ENGINE", default_value = "godot4")]
    engine: EngineArg,
    /// The folder of the game's project, for the names of methods
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Only show packets that fulfil this condition
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,
    /// Show a JSON object for every packet, a line each
    #[arg(long)]
    json_lines: bool,
    /// Show commands of the carrier itself, too: acknowledgements, pings
    #[arg(short, long)]
    all: bool,
    /// Write what is handed on to a new file, for gdvar packets and Wireshark
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Drop those packets
    #[arg(long, value_name = "FILTER")]
    drop: Vec<String>,
    /// Replace a value of those packets by nothing of the same type
    #[arg(long, value_name = "FILTER => ARG")]
    redact: Vec<String>,
    /// Replace a value of those packets
    #[arg(long, value_name = "FILTER => ARG=VALUE")]
    rewrite: Vec<String>,
    /// Set the padding in NodePaths to zero, where Godot 3 sends what was in memory
    #[arg(long)]
    scrub: bool,
    /// Hand on packets of which nobody can tell whether --drop, --redact or --scrub is for them
    #[arg(long)]
    pass_unclear: bool,
    /// Everything is late by so many milliseconds, in each direction
    #[arg(long, value_name = "MS", default_value_t = 0)]
    latency: u64,
    /// Datagrams are late by up to so many milliseconds more
    #[arg(long, value_name = "MS", default_value_t = 0)]
    jitter: u64,
    /// The share of datagrams that are lost, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    loss: f64,
    /// The number that chance begins with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most clients at a time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    clients: u16,
    /// Stop after so many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| "a number from 0 to 100 is expected".to_owned())
}

/// Why there is no proxy.
#[derive(Debug)]
pub(crate) struct Trouble {
    exit: Exit,
    text: String,
}

impl Trouble {
    fn usage(text: impl Into<String>) -> Trouble {
        Trouble {
            exit: Exit::Usage,
            text: text.into(),
        }
    }

    fn io(what: &str, error: &io::Error) -> Trouble {
        Trouble {
            exit: Exit::Io,
            text: format!("{what}: {error}"),
        }
    }
}

/// `7777`, `:7777`, `localhost:7777`, `[::1]:7777`.
fn address(text: &str) -> Result<SocketAddr, Trouble> {
    let full = match text.strip_prefix(':').unwrap_or(text) {
        port if port.bytes().all(|byte| byte.is_ascii_digit()) => format!("127.0.0.1:{port}"),
        _ => text.to_owned(),
    };
    let expected = "a port or HOST:PORT is expected, for instance 7778 or 192.168.1.5:7777";
    let mut found = full
        .to_socket_addrs()
        .map_err(|error| Trouble::usage(format!("{text}: {error}; {expected}")))?;
    found
        .next()
        .ok_or_else(|| Trouble::usage(format!("{text}: no such host; {expected}")))
}

/// Runs the command.
///
/// # Errors
/// If the output fails.
pub(crate) fn run(app: &mut App, args: &ProxyArgs) -> io::Result<()> {
    match proxy(app, args) {
        Ok(result) => result,
        Err(trouble) => {
            app.exit.merge(trouble.exit);
            app.error(&trouble.text)
        }
    }
}

fn proxy(app: &mut App, args: &ProxyArgs) -> Result<io::Result<()>, Trouble> {
    let (listen, target) = (address(&args.listen)?, address(&args.target)?);
    let engine = Engine::from(args.engine);
    let filter = args.filter.as_deref().map(Filter::parse).transpose();
    let filter = filter.map_err(|error| Trouble::usage(format!("--filter: {error}")))?;
    let editor = rules::editor(args, engine)?;
    let names = args.project.as_deref().map(Names::scan).transpose();
    let names =
        names.map_err(|error| Trouble::io("the project's scripts cannot be read", &error))?;
    let record = args.record.as_deref().map(relay::record).transpose()?;
    let carrier = if args.tcp {
        Some(Transport::Records)
    } else if args.ws {
        Some(Transport::WebSocket)
    } else if args.debugger {
        Some(Transport::Debugger)
    } else {
        None
    };
    let ms = Duration::from_millis;
    let network = Network::new(
        ms(args.latency),
        ms(args.jitter),
        args.loss / 100.0,
        args.seed,
    );
    let until = args
        .seconds
        .and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    let place = relay::Place {
        listen,
        target,
        clients: args.clients.into(),
        until,
    };
    let mut relay = Relay::new(app, args, engine, carrier, names.unwrap_or_default());
    relay.set_rules(filter, editor, record);
    let run = match carrier {
        None => udp::run(&mut relay, &place, network),
        Some(_) => tcp::run(&mut relay, &place, network),
    };
    match run {
        Ok(()) => Ok(relay.end()),
        Err(failure) => failure.split(),
    }
}
