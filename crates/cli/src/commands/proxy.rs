//! `proxy`: relays between a client and its server, shows and changes what they send, and imitates a bad network.

use std::{
    io,
    net::{SocketAddr, ToSocketAddrs},
    path::PathBuf,
};

use clap::{ArgGroup, Args};
use gdvar_packet::Engine;

use self::{network::Network, relay::Relay};
use super::packets::{Failure, engine_parser};
use crate::app::App;

mod conditions;
mod network;
mod queue;
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
port, or HOST:PORT; without a host it is this machine alone. A line is printed for each packet, as by
`gdvar packets`, unless --quiet is given. Packets are shown as the proxy passes them on.

--drop, --redact and --rewrite choose packets as --filter does: see gdvar help packets. Rules apply in
this order. A reliable packet of ENet that is dropped is replaced by one that the engine ignores,
because the receiver waits for its number. A packet of ENet that would become too long (4064 bytes for
each piece that it came in), or that is in pieces and longer than 32 KiB, is left as it came: its line
says why. A packet is also left as it came if only a part of a value is to change, such as the x of a
Vector2. With --drop, --redact or --scrub it is blocked, and so is every packet that the rule may or
may not be for: a packet that is damaged or of another carrier, and, if the rule uses names, a call
whose node or method has no certain name. A reliable call of ENet whose node is not confirmed yet is
withheld until ENet sends it again, for three seconds at most. --pass-unclear passes all of these on.

The network is bad in both directions. A datagram is delayed by --latency and by a random time up to
--jitter, so datagrams can overtake each other; a stream is only delayed by --latency. The same --seed
loses the same datagrams of the same traffic.

--network says more, and later rules change earlier ones. A rule has settings, and may say from which
second on it holds (at), for which client, and for which direction: up, to the server, or down.
  latency=MS jitter=MS loss=PERCENT    as the options above
  burst=N          losses come N in a row, in the mean (Gilbert-Elliott)
  duplicate=PERCENT reorder=PERCENT    arrive twice; are overtaken by the next one
  rate=KBIT        kilobits a second; what would wait longer than 250 ms is lost. Streams wait

Examples:
  gdvar proxy --udp 7778 7777                 the client connects to 7778 in place of 7777
  gdvar proxy --udp 7778 7777 --project ~/mygame --filter 'method == \"hit\"'
  gdvar proxy --udp 7778 7777 --latency 80 --jitter 40 --loss 5
  gdvar proxy --udp 7778 7777 --network 'loss=3 burst=4' --network 'client 0 down rate=256'
  gdvar proxy --udp 7778 7777 --network 'at 10 loss=100' --network 'at 12 loss=0'
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
    #[arg(long, value_name = "ENGINE", default_value = "godot4", value_parser = engine_parser())]
    engine: Engine,
    /// The game's project, for the names of methods: its folder, or the package (.pck, .zip) of an exported game
    #[arg(long, value_name = "PROJECT")]
    project: Option<PathBuf>,
    /// Show only packets that match this filter
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,
    /// Show a JSON object for every packet, a line each
    #[arg(long)]
    json_lines: bool,
    /// Also show commands of the carrier itself: acknowledgements, pings
    #[arg(short, long)]
    all: bool,
    /// Write what is handed on to a new file, for gdvar packets and Wireshark
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Drop these packets
    #[arg(long, value_name = "FILTER")]
    drop: Vec<String>,
    /// Replace a value of these packets by an empty value of the same type
    #[arg(long, value_name = "FILTER => ARG")]
    redact: Vec<String>,
    /// Replace a value of these packets
    #[arg(long, value_name = "FILTER => ARG=VALUE")]
    rewrite: Vec<String>,
    /// Set the padding in NodePaths to zero, where Godot 3 sends what was in memory
    #[arg(long)]
    scrub: bool,
    /// Pass on packets that --drop, --redact or --scrub may or may not be for
    #[arg(long)]
    pass_unclear: bool,
    /// Delay everything by this many milliseconds, in each direction
    #[arg(long, value_name = "MS", default_value_t = 0)]
    latency: u64,
    /// Delay datagrams by up to this many milliseconds more
    #[arg(long, value_name = "MS", default_value_t = 0)]
    jitter: u64,
    /// Lose this share of the datagrams, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    loss: f64,
    /// Change the network: "at 10 client 0 up loss=5 burst=4", see below; @FILE has a rule a line
    #[arg(long, value_name = "RULE")]
    network: Vec<String>,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most clients at a time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    clients: u16,
    /// Stop after this many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim_end_matches('%').parse().ok();
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or_else(|| "a number from 0 to 100 is expected".to_owned())
}

/// Parses `7777`, `:7777`, `localhost:7777` or `[::1]:7777`.
pub(super) fn address(text: &str) -> Result<SocketAddr, Failure> {
    let full = match text.strip_prefix(':').unwrap_or(text) {
        port if port.bytes().all(|byte| byte.is_ascii_digit()) => format!("127.0.0.1:{port}"),
        _ => text.to_owned(),
    };
    let refused = |why: &str| {
        Failure::usage(format!(
            "{text}: {why}; a port or HOST:PORT is expected, for instance 7778 or 192.168.1.5:7777"
        ))
    };
    let mut found = full
        .to_socket_addrs()
        .map_err(|error| refused(&error.to_string()))?;
    found.next().ok_or_else(|| refused("no such host"))
}

/// Runs the command.
///
/// # Errors
/// Returns the error of the output.
pub(crate) fn run(app: &mut App, args: &ProxyArgs) -> io::Result<()> {
    let result = Relay::new(app, args).and_then(|mut relay| {
        let network = Network::new(args)?;
        match args.udp {
            true => udp::run(&mut relay, &network)?,
            false => tcp::run(&mut relay, &network)?,
        }
        relay.end()
    });
    result.or_else(|failure| failure.report(app))
}
