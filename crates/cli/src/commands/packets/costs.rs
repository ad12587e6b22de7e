//! `--stats`: counts bytes and packets of each command, method and peer, over time, and what their transport adds.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    fmt::{self, Write},
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Direction, SessionEvent, Transport, TransportInfo,
    capture::EventOrigin,
    enet::Delivery,
    names::Names,
    replication::{Losses, Replication},
};

use super::{
    Order, PacketsArgs, connections::Connections, games::Game, late::Late, line, line::number,
    replication, timeline::Timeline,
};
use crate::{
    show::{rows, value},
    terminal::{safe_text, words},
};

/// The largest number of rows of a table. Further ones are counted as "others".
const ROWS: usize = 10_000;
/// The largest number of pairs of peers, and of connections, that are shown without `--limit`.
const PEERS: usize = 10;
/// The bytes that IP and UDP add to each datagram.
const UDP: u64 = 28;
/// The bytes that ENet's header adds to a datagram with a reliable packet.
const HEADER: u64 = 4;
/// The bytes that ENet's command header adds to a reliable packet.
const RELIABLE: u64 = 6;
/// The largest size of an ENet datagram.
const MTU: u64 = 1392;
/// The duration of a frame of the game. Packets that a sender sends within a frame could share a datagram.
const FRAME: Duration = Duration::from_micros(16_667);

#[derive(Default)]
pub(super) struct Costs {
    /// For each server, the rows of its commands and methods, and the rows of its pairs of peers.
    servers: BTreeMap<SocketAddr, [HashMap<String, Cost>; 2]>,
    /// A buffer for the name of a row, reused for each packet.
    name: String,
    all: Cost,
    datagrams: u64,
    carried: u64,
    /// The times of the first and the last item.
    times: Option<(Duration, Duration)>,
    /// The server and the number of the datagram or segment that was counted last.
    last: Option<(SocketAddr, u64)>,
    timeline: Timeline,
    /// For each sender, the datagram that its next reliable packet could share.
    shared: BTreeMap<(SocketAddr, u32, Direction), SharedDatagram>,
    reliable: u64,
    /// The number of datagrams that all reliable packets would need if the packets of a frame shared datagrams.
    batches: u64,
    connections: Connections,
    /// The losses of the connection that the last item belongs to.
    losses: Losses,
    /// What is known about replication, by server.
    replication: BTreeMap<SocketAddr, Replication>,
}

#[derive(Clone, Copy, Default)]
struct Cost {
    packets: u64,
    bytes: u64,
    largest: u64,
}

struct SharedDatagram {
    since: Duration,
    len: u64,
}

impl Cost {
    fn add(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }
}

/// Adds a packet to the row `name`. Allocates only for a new row.
fn count(rows: &mut HashMap<String, Cost>, name: &str, bytes: u64) {
    if let Some(row) = rows.get_mut(name) {
        return row.add(bytes);
    }
    let name = if rows.len() >= ROWS { "others" } else { name };
    rows.entry(name.to_owned()).or_default().add(bytes);
}

impl Costs {
    /// Counts the datagram or segment that delivered an item, and updates the losses and round trips of its connection.
    /// Must be called for every item, whether it is shown or not.
    pub(super) fn hear(&mut self, heard: EventOrigin, item: &SessionEvent<'_>) {
        self.losses = self.connections.add(heard, item);
        // A datagram with several items is counted only once.
        let segment = (heard.server, heard.segment);
        if self.last.replace(segment) != Some(segment) {
            self.datagrams += 1;
            self.carried += heard.payload_len as u64;
        }
        // An item that was held back may be earlier than the first one.
        let (first, last) = *self.times.get_or_insert((heard.time, heard.time));
        self.times = Some((first.min(heard.time), last.max(heard.time)));
    }

    /// Counts an item that is shown, but only for the tables about replication. [`Costs::add`] includes this.
    pub(super) fn add_replicated(&mut self, heard: EventOrigin, item: &SessionEvent<'_>) {
        if replication::concerns(item) {
            let replication = self.replication.entry(heard.server).or_default();
            replication.add(heard.time, item, self.losses);
        }
    }

    /// Counts an item that is shown. `method` is the name of the called method, if it is known.
    pub(super) fn add(
        &mut self,
        heard: EventOrigin,
        item: &SessionEvent<'_>,
        method: Option<&str>,
    ) {
        let (bytes, mut name) = (item.bytes.len() as u64, std::mem::take(&mut self.name));
        name.clear();
        // A resent packet is not another call.
        if let Some(again) = line::again(item) {
            let _ = write!(name, "({again})");
        } else {
            name.push_str(item.message.name());
        }
        if item.message.method().is_some() && !item.transport.is_resent() {
            name.push(' ');
            name.push_str(item.node_path().unwrap_or("?"));
            name.push('.');
            line::write_method(&mut name, item, method);
        }
        let [commands, peers] = self.servers.entry(heard.server).or_default();
        count(commands, &name, bytes);
        name.clear();
        line::write_peers(&mut name, item);
        count(peers, &name, bytes);
        self.name = name;
        self.all.add(bytes);
        self.add_replicated(heard, item);
        let first = self.times.map_or(heard.time, |(first, _)| first);
        let time = heard.time.saturating_sub(first);
        self.timeline.add(time, item.direction as usize, bytes);
        self.share(heard.server, time, item, bytes);
    }

    /// Counts the datagrams that reliable packets would need if the packets of each frame shared datagrams.
    fn share(&mut self, server: SocketAddr, time: Duration, item: &SessionEvent<'_>, bytes: u64) {
        let TransportInfo::Enet {
            delivery: Some(Delivery::Reliable),
            fragments: 1,
            ..
        } = item.transport
        else {
            return;
        };
        self.reliable += 1;
        let len = bytes + RELIABLE;
        let sender = (server, item.link, item.direction);
        if let Some(shared) = self.shared.get_mut(&sender) {
            if time.saturating_sub(shared.since) < FRAME && shared.len + len <= MTU {
                shared.len += len;
                return;
            }
        }
        self.batches += 1;
        if self.shared.len() < ROWS || self.shared.contains_key(&sender) {
            let shared = SharedDatagram {
                since: time,
                len: HEADER + len,
            };
            self.shared.insert(sender, shared);
        }
    }

    /// Returns the bytes of all datagrams, including the headers of IP and UDP.
    fn wire(&self) -> u64 {
        self.carried + UDP * self.datagrams
    }

    fn duration(&self) -> Duration {
        let (first, last) = self.times.unwrap_or_default();
        last - first
    }

    /// Returns all tables as text or as lines of JSON. `is_compressed` is `true` if datagrams were compressed.
    pub(super) fn print(
        &self,
        args: &PacketsArgs,
        games: &[Game],
        names: &Names,
        is_compressed: bool,
    ) -> Vec<u8> {
        let replication = replication::Tables::new(&self.replication, names, args, self.duration());
        if args.json_lines {
            let mut out = self.json(args, games, is_compressed);
            out.extend(replication.json());
            return out;
        }
        let mut out = String::new();
        let _ = self.write_totals(&mut out, games, is_compressed);
        let _ = self.write_tables(&mut out, args);
        let _ = replication.write(&mut out);
        let _ = self.write_connections(&mut out, args.limit.unwrap_or(PEERS));
        out.push_str(
            "bytes, share and B/s are of the packets themselves, without ENet, UDP and IP\n",
        );
        out.into_bytes()
    }

    /// Returns the output of `--late`, as text or lines of JSON: for each synchronizer how many of its SYNC packets
    /// came late and why, then a table of the connections. Times are counted from `start`, the time of the first
    /// packet.
    pub(super) fn late(&self, args: &PacketsArgs, names: &Names, start: Duration) -> Vec<u8> {
        let late = Late::new(&self.replication, names, start);
        if args.json_lines {
            let mut out = late.json(args.limit);
            out.extend(self.json_connections(args.limit.unwrap_or(usize::MAX)));
            return out;
        }
        let mut out = String::new();
        let _ = late.write(&mut out, args.limit);
        let _ = self.write_connections(&mut out, args.limit.unwrap_or(PEERS));
        out.into_bytes()
    }

    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.duration().as_secs_f64().max(0.001)
    }

    fn write_totals(&self, out: &mut String, games: &[Game], is_compressed: bool) -> fmt::Result {
        writeln!(
            out,
            "{}, {:.1} s: {} of {} bytes, in {} datagrams or segments of {} bytes",
            game_names(games),
            self.duration().as_secs_f64(),
            words::plural(self.all.packets, "packet"),
            words::count(self.all.bytes),
            words::count(self.datagrams),
            words::count(self.carried),
        )?;
        writeln!(
            out,
            "{:.1} packets/s, {:.0} B/s, at most {:.0} B/s  {}",
            self.per_second(self.all.packets),
            self.per_second(self.all.bytes),
            self.timeline.peak(),
            self.timeline.sparkline()
        )?;
        let is_datagrams =
            |game: &Game| matches!(game.carrier, Transport::Enet | Transport::Values);
        if games.iter().all(is_datagrams) {
            let share = 100.0 * self.all.bytes as f64 / self.wire().max(1) as f64;
            let share = match is_compressed {
                true => {
                    "; the datagrams are compressed, and packets are counted unpacked".to_owned()
                }
                false => format!(", {share:.0}% of them packets"),
            };
            writeln!(
                out,
                "with {UDP} bytes of IP and UDP for each datagram {} bytes on the wire{share}",
                words::count(self.wire())
            )?;
        }
        if self.reliable > self.batches {
            let saved = (self.reliable - self.batches) * (UDP + HEADER);
            writeln!(
                out,
                "{} reliable packets would fit into {} datagrams, if those that are sent within 1/60 s shared one: {} bytes less than with one each, {:.0}% of those on the wire",
                words::count(self.reliable),
                words::count(self.batches),
                words::count(saved),
                100.0 * saved as f64 / self.wire().max(1) as f64
            )?;
        }
        Ok(())
    }

    fn write_tables(&self, out: &mut String, args: &PacketsArgs) -> fmt::Result {
        let tables = [("command", "row", usize::MAX), ("from > to", "pair", PEERS)];
        for (table, (title, unit, most)) in tables.into_iter().enumerate() {
            writeln!(
                out,
                "\n{:>10} {:>9} {:>8} {:>6} {:>9}  {title}",
                "bytes", "packets", "largest", "share", "B/s"
            )?;
            let mut rows = self.rows(table, args);
            let rest = rows.split_off(args.limit.unwrap_or(most).min(rows.len()));
            for (name, row) in rows {
                let share = 100.0 * row.bytes as f64 / self.all.bytes.max(1) as f64;
                writeln!(
                    out,
                    "{:>10} {:>9} {:>8} {share:>5.1}% {:>9.0}  {}",
                    row.bytes,
                    row.packets,
                    row.largest,
                    self.per_second(row.bytes),
                    safe_text::safe_line(&name)
                )?;
            }
            if !rest.is_empty() {
                writeln!(
                    out,
                    "{:>10} {:>9}  in {} more",
                    rest.iter().map(|(_, row)| row.bytes).sum::<u64>(),
                    rest.iter().map(|(_, row)| row.packets).sum::<u64>(),
                    words::plural(rest.len() as u64, unit),
                )?;
            }
        }
        Ok(())
    }

    /// Returns the name of a row. The server is part of it if there are several.
    fn row_name(&self, server: &SocketAddr, name: &str) -> String {
        match self.servers.len() {
            0 | 1 => name.to_owned(),
            _ => format!("{server} {name}"),
        }
    }

    /// Returns the rows of one table of all servers, sorted as `--sort` says. `table` is 0 for commands and methods,
    /// and 1 for pairs of peers.
    fn rows(&self, table: usize, args: &PacketsArgs) -> Vec<(String, Cost)> {
        let servers = self.servers.iter();
        let rows =
            servers.flat_map(|(server, tables)| tables[table].iter().map(move |row| (server, row)));
        let mut rows: Vec<_> = rows
            .map(|(server, (name, row))| (self.row_name(server, name), *row))
            .collect();
        let key = |row: &Cost| match args.sort {
            Some(Order::Packets) => row.packets,
            Some(Order::Largest) => row.largest,
            Some(Order::Name) => 0,
            Some(Order::Size | Order::Time) | None => row.bytes,
        };
        rows.sort_by(|(name, row), (other, than)| {
            (Reverse(key(row)), name).cmp(&(Reverse(key(than)), other))
        });
        rows
    }

    fn write_connections(&self, out: &mut String, most: usize) -> fmt::Result {
        let flows = self.connections.flows();
        let count = flows.len();
        if count > 0 {
            writeln!(
                out,
                "\n{:>10} {:>9} {:>8} {:>6} {:>9}  connection",
                "round trip", "longest", "again", "twice", "missing"
            )?;
        }
        for ((server, _, direction), flow) in flows.take(most) {
            let ms = |time: Duration| format!("{:.1} ms", 1e3 * time.as_secs_f64());
            let [median, longest] = match flow.round_trip() {
                Some((median, longest)) => [median, longest].map(ms),
                None => ["-", "-"].map(str::to_owned),
            };
            writeln!(
                out,
                "{median:>10} {longest:>9} {:>8} {:>6} {:>9}  {}",
                flow.sent_again,
                flow.came_twice,
                flow.missing + flow.gaps,
                self.row_name(server, &flow.name(*direction)),
            )?;
        }
        if count > most {
            let more = words::plural((count - most) as u64, "row");
            writeln!(out, "{:>20}  in {more} more", "")?;
        }
        Ok(())
    }

    /// Returns the totals, and each row of each table, as lines of JSON.
    fn json(&self, args: &PacketsArgs, games: &[Game], is_compressed: bool) -> Vec<u8> {
        let time = |time: Duration| super::seconds(time).into_bytes();
        let limit = args.limit.unwrap_or(usize::MAX);
        let mut out = rows::object(&[
            ("table", value::string("total")),
            ("game", value::string(&game_names(games))),
            ("seconds", time(self.duration())),
            ("packets", number(self.all.packets)),
            ("bytes", number(self.all.bytes)),
            ("datagrams", number(self.datagrams)),
            ("datagram_bytes", number(self.carried)),
            ("compressed", is_compressed.to_string().into_bytes()),
            ("reliable", number(self.reliable)),
            ("reliable_batches", number(self.batches)),
        ]);
        for (table, name) in ["command", "peers"].into_iter().enumerate() {
            for (row, counts) in self.rows(table, args).into_iter().take(limit) {
                out.extend(rows::object(&[
                    ("table", value::string(name)),
                    ("name", value::string(&row)),
                    ("packets", number(counts.packets)),
                    ("bytes", number(counts.bytes)),
                    ("largest", number(counts.largest)),
                ]));
            }
        }
        out.extend(self.json_connections(limit));
        out
    }

    /// Returns a line of JSON for each direction of each connection.
    fn json_connections(&self, limit: usize) -> Vec<u8> {
        let time = |time: Duration| super::seconds(time).into_bytes();
        let mut out = Vec::new();
        for ((server, client, direction), flow) in self.connections.flows().take(limit) {
            let (median, longest) = match flow.round_trip() {
                Some((median, longest)) => (time(median), time(longest)),
                None => (b"null".to_vec(), b"null".to_vec()),
            };
            out.extend(rows::object(&[
                ("table", value::string("connection")),
                ("name", value::string(&flow.name(*direction))),
                ("server", value::string(&server.to_string())),
                ("client", value::string(&client.to_string())),
                ("direction", line::direction(*direction)),
                ("packets", number(flow.packets)),
                ("round_trip", median),
                ("longest_round_trip", longest),
                ("sent_again", number(flow.sent_again)),
                ("came_twice", number(flow.came_twice)),
                ("missing", number(flow.missing)),
                ("gaps", number(flow.gaps)),
            ]));
        }
        out
    }

    /// Draws the bytes over time as SVG.
    pub(super) fn svg(&self) -> String {
        let title = format!(
            "{} of {} bytes",
            words::plural(self.all.packets, "packet"),
            words::count(self.all.bytes)
        );
        self.timeline.svg(&title)
    }
}

/// Lists the games: `Godot 3 over ENet, Godot 4 over WebSocket`.
fn game_names(games: &[Game]) -> String {
    let names: Vec<String> = games.iter().map(Game::to_string).collect();
    names.join(", ")
}
