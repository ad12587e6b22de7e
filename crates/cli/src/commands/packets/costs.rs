//! `--stats`: bytes and packets of each command, method and peer, over time, and what carries them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    fmt::Write,
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Direction, Engine, SessionEvent, Transport, TransportInfo, capture::EventOrigin, enet::Delivery,
};

use super::{Sort, connections::Connections, line, timeline::Timeline};
use crate::{
    show::{rows, value},
    terminal::{safe_text, words},
};

/// The most rows that are told apart; what comes later counts as others.
const ROWS: usize = 10_000;
/// The most pairs of sender and receiver that are shown.
const PEERS: usize = 10;
/// The bytes that IP and UDP add to each datagram.
const UDP: u64 = 28;
/// The bytes that ENet's header adds to a datagram with a reliable packet.
const HEADER: u64 = 4;
/// The bytes that ENet's command adds to a reliable packet.
const RELIABLE: u64 = 6;
/// A datagram of ENet is no longer.
const MTU: u64 = 1392;
/// A frame of the game: packets that a sender sends within it could share a datagram.
const FRAME: Duration = Duration::from_micros(16_667);

/// The counts.
#[derive(Default)]
pub(super) struct Costs {
    /// By server: its commands and methods, and its pairs of peers.
    servers: BTreeMap<SocketAddr, [HashMap<String, Row>; 2]>,
    /// Memory for the name of a row.
    key: String,
    all: Row,
    datagrams: u64,
    carried: u64,
    times: Option<(Duration, Duration)>,
    last: Option<(SocketAddr, u64)>,
    timeline: Timeline,
    /// By sender: the datagram that its reliable packets could share.
    shared: BTreeMap<(SocketAddr, u32, Direction), Shared>,
    reliable: u64,
    batches: u64,
    connections: Connections,
}

#[derive(Clone, Copy, Default)]
struct Row {
    packets: u64,
    bytes: u64,
    largest: u64,
}

/// A datagram that several packets could share.
#[derive(Clone, Copy)]
struct Shared {
    since: Duration,
    len: u64,
}

impl Row {
    fn add(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }
}

/// Counts in the row of that name; memory is taken for a new one only.
fn count(rows: &mut HashMap<String, Row>, key: &str, bytes: u64) {
    if let Some(row) = rows.get_mut(key) {
        return row.add(bytes);
    }
    let key = if rows.len() >= ROWS { "others" } else { key };
    rows.entry(key.to_owned()).or_default().add(bytes);
}

impl Costs {
    /// Counts the datagram or segment that brought an item. One with several items is told of several times.
    /// All that the carrier says is heard, whatever is shown.
    pub(super) fn hear(&mut self, heard: EventOrigin, item: &SessionEvent<'_>) {
        self.connections.add(heard, item);
        let segment = (heard.server, heard.segment);
        if self.last.replace(segment) != Some(segment) {
            self.datagrams += 1;
            self.carried += heard.payload_len as u64;
        }
        // One that waited for a later one may be the first.
        let (first, last) = *self.times.get_or_insert((heard.time, heard.time));
        self.times = Some((first.min(heard.time), last.max(heard.time)));
    }

    /// Counts an item.
    pub(super) fn add(&mut self, heard: EventOrigin, item: &SessionEvent<'_>, name: Option<&str>) {
        let (bytes, mut key) = (item.bytes.len() as u64, std::mem::take(&mut self.key));
        key.clear();
        // What came before is no second call.
        if let Some(again) = line::again(item) {
            let _ = write!(key, "({again})");
        } else {
            key.push_str(item.message.name());
        }
        if item.message.method().is_some() && !item.transport.is_resent() {
            key.push(' ');
            key.push_str(item.node_path().unwrap_or("?"));
            key.push('.');
            line::write_method(&mut key, item, name);
        }
        let [rows, peers] = self.servers.entry(heard.server).or_default();
        count(rows, &key, bytes);
        key.clear();
        line::write_way(&mut key, item);
        count(peers, &key, bytes);
        self.key = key;
        self.all.add(bytes);
        let first = self.times.map_or(heard.time, |(first, _)| first);
        let time = heard.time.saturating_sub(first);
        self.timeline.add(time, item.direction as usize, bytes);
        self.share(heard.server, time, item, bytes);
    }

    /// The fate of a packet if those of one frame went in one datagram.
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
        if self.shared.len() >= ROWS && !self.shared.contains_key(&sender) {
            self.batches += 1;
            return;
        }
        match self.shared.get_mut(&sender) {
            Some(shared)
                if time.saturating_sub(shared.since) < FRAME && shared.len + len <= MTU =>
            {
                shared.len += len;
            }
            _ => {
                self.batches += 1;
                let len = HEADER + len;
                self.shared.insert(sender, Shared { since: time, len });
            }
        }
    }

    /// The bytes of all datagrams, with IP and UDP.
    fn wire(&self) -> u64 {
        self.carried + UDP * self.datagrams
    }

    /// The tables in that order, each with no more rows than the limit. `is_unpacked` says that datagrams were
    /// compressed.
    pub(super) fn table(
        &self,
        ways: &[(Engine, Transport)],
        is_unpacked: bool,
        (sort, limit): (Sort, Option<u64>),
    ) -> Vec<u8> {
        let (first, last) = self.times.unwrap_or_default();
        let seconds = (last - first).as_secs_f64();
        let per_second = |count: u64| count as f64 / seconds.max(0.001);
        let mut out = format!(
            "{}, {seconds:.1} s: {} of {} bytes, in {} datagrams or segments of {} bytes\n",
            ways.iter().map(way).collect::<Vec<_>>().join(", "),
            words::plural(self.all.packets, "packet"),
            words::count(self.all.bytes),
            words::count(self.datagrams),
            words::count(self.carried),
        );
        let _ = writeln!(
            out,
            "{:.1} packets/s, {:.0} B/s, at most {:.0} B/s  {}",
            per_second(self.all.packets),
            per_second(self.all.bytes),
            self.timeline.peak(),
            self.timeline.sparkline()
        );
        let is_datagrams = |(_, carrier): &(Engine, Transport)| {
            matches!(carrier, Transport::Enet | Transport::Values)
        };
        if ways.iter().all(is_datagrams) {
            let wire = self.wire();
            let share = 100.0 * self.all.bytes as f64 / wire.max(1) as f64;
            let share = match is_unpacked {
                true => {
                    "; the datagrams are compressed, and packets are counted unpacked".to_owned()
                }
                false => format!(", {share:.0}% of them packets"),
            };
            let _ = writeln!(
                out,
                "with {UDP} bytes of IP and UDP for each datagram {} bytes on the wire{share}",
                words::count(wire)
            );
        }
        if self.reliable > self.batches {
            let saved = (self.reliable - self.batches) * (UDP + HEADER);
            let wire = self.wire().max(1);
            let _ = writeln!(
                out,
                "{} reliable packets would fit into {} datagrams, if those that are sent within 1/60 s shared one: {} bytes less than with one each, {:.0}% of those on the wire",
                words::count(self.reliable),
                words::count(self.batches),
                words::count(saved),
                100.0 * saved as f64 / wire as f64
            );
        }
        for (table, (title, most)) in [("command", usize::MAX), ("from > to", PEERS)]
            .into_iter()
            .enumerate()
        {
            let _ = writeln!(
                out,
                "\n{:>10} {:>9} {:>8} {:>6} {:>9}  {title}",
                "bytes", "packets", "largest", "share", "B/s"
            );
            let most = limit.map_or(most, |limit| usize::try_from(limit).unwrap_or(most));
            let mut rows = self.rows(table, sort);
            let rest = rows.split_off(most.min(rows.len()));
            for (name, row) in rows {
                let share = 100.0 * row.bytes as f64 / self.all.bytes.max(1) as f64;
                let _ = writeln!(
                    out,
                    "{:>10} {:>9} {:>8} {share:>5.1}% {:>9.0}  {}",
                    row.bytes,
                    row.packets,
                    row.largest,
                    per_second(row.bytes),
                    safe_text::safe_line(&name)
                );
            }
            if !rest.is_empty() {
                let bytes: u64 = rest.iter().map(|(_, row)| row.bytes).sum();
                let _ = writeln!(
                    out,
                    "{:>10} {:>9}  in {} more",
                    bytes,
                    rest.iter().map(|(_, row)| row.packets).sum::<u64>(),
                    words::plural(rest.len() as u64, if table == 0 { "row" } else { "pair" }),
                );
            }
        }
        self.write_connections(&mut out, limit);
        out.push_str(
            "bytes, share and B/s are of the packets themselves, without ENet, UDP and IP\n",
        );
        out.into_bytes()
    }

    /// The rows of all servers in that order; their names say which server, if there are several.
    fn rows(&self, table: usize, sort: Sort) -> Vec<(String, Row)> {
        let is_one = self.servers.len() < 2;
        let servers = self.servers.iter();
        let rows =
            servers.flat_map(|(server, tables)| tables[table].iter().map(move |row| (server, row)));
        let mut rows: Vec<_> = rows
            .map(|(server, (name, row))| match is_one {
                true => (name.clone(), *row),
                false => (format!("{server} {name}"), *row),
            })
            .collect();
        let key = |row: &Row| match sort {
            Sort::Packets => row.packets,
            Sort::Largest => row.largest,
            Sort::Name => 0,
            Sort::Size | Sort::Time => row.bytes,
        };
        rows.sort_by(|(name, row), (other, than)| {
            (Reverse(key(row)), name).cmp(&(Reverse(key(than)), other))
        });
        rows
    }

    /// The table of connections, if there are some.
    fn write_connections(&self, out: &mut String, limit: Option<u64>) {
        let most = limit.map_or(PEERS, |limit| usize::try_from(limit).unwrap_or(PEERS));
        let count = self.connections.ways().count();
        if count > 0 {
            let _ = writeln!(
                out,
                "\n{:>10} {:>9} {:>8} {:>6} {:>9}  connection",
                "round trip", "longest", "again", "twice", "missing"
            );
        }
        for (server, _, direction, way) in self.connections.ways().take(most) {
            let [median, longest] = match way.round_trip() {
                Some((median, longest)) => {
                    [median, longest].map(|time| format!("{:.1} ms", 1e3 * time.as_secs_f64()))
                }
                None => ["-", "-"].map(str::to_owned),
            };
            let name = way.name(direction);
            let name = match self.servers.len() {
                0 | 1 => name,
                _ => format!("{server} {name}"),
            };
            let _ = writeln!(
                out,
                "{median:>10} {longest:>9} {:>8} {:>6} {:>9}  {name}",
                way.sent_again,
                way.came_twice,
                way.missing + way.gaps,
            );
        }
        if count > most {
            let _ = writeln!(
                out,
                "{:>20}  in {} more",
                "",
                words::plural((count - most) as u64, "row")
            );
        }
    }

    /// All of it as lines of JSON: the totals, then each row of each table.
    pub(super) fn json(
        &self,
        ways: &[(Engine, Transport)],
        is_unpacked: bool,
        (sort, limit): (Sort, Option<u64>),
    ) -> Vec<u8> {
        let number = |number: u64| number.to_string().into_bytes();
        let time = |time: Duration| super::seconds(time).into_bytes();
        let limit = limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        let (first, last) = self.times.unwrap_or_default();
        let ways: Vec<String> = ways.iter().map(way).collect();
        let mut out = rows::object(&[
            ("table", value::string("total")),
            ("game", value::string(&ways.join(", "))),
            ("seconds", time(last - first)),
            ("packets", number(self.all.packets)),
            ("bytes", number(self.all.bytes)),
            ("datagrams", number(self.datagrams)),
            ("datagram_bytes", number(self.carried)),
            ("compressed", is_unpacked.to_string().into_bytes()),
            ("reliable", number(self.reliable)),
            ("reliable_batches", number(self.batches)),
        ]);
        for (table, name) in ["command", "peers"].into_iter().enumerate() {
            for (row, counts) in self.rows(table, sort).into_iter().take(limit) {
                out.extend(rows::object(&[
                    ("table", value::string(name)),
                    ("name", value::string(&row)),
                    ("packets", number(counts.packets)),
                    ("bytes", number(counts.bytes)),
                    ("largest", number(counts.largest)),
                ]));
            }
        }
        for (server, client, direction, way) in self.connections.ways().take(limit) {
            let (median, longest) = match way.round_trip() {
                Some((median, longest)) => (time(median), time(longest)),
                None => (b"null".to_vec(), b"null".to_vec()),
            };
            let direction_name = match direction {
                Direction::ToServer => "to server",
                Direction::ToClient => "to client",
            };
            out.extend(rows::object(&[
                ("table", value::string("connection")),
                ("name", value::string(&way.name(direction))),
                ("server", value::string(&server.to_string())),
                ("client", value::string(&client.to_string())),
                ("direction", value::string(direction_name)),
                ("packets", number(way.packets)),
                ("round_trip", median),
                ("longest_round_trip", longest),
                ("sent_again", number(way.sent_again)),
                ("came_twice", number(way.came_twice)),
                ("missing", number(way.missing)),
                ("gaps", number(way.gaps)),
            ]));
        }
        out
    }

    /// The bytes over time as a picture.
    pub(super) fn svg(&self) -> String {
        let title = format!(
            "{} of {} bytes",
            words::plural(self.all.packets, "packet"),
            words::count(self.all.bytes)
        );
        self.timeline.svg(&title)
    }
}

/// `Godot 4 over ENet`.
fn way((engine, carrier): &(Engine, Transport)) -> String {
    let engine = match engine {
        Engine::Godot4 => "Godot 4",
        Engine::Godot3 => "Godot 3",
    };
    let carrier = match carrier {
        Transport::Enet => "ENet",
        Transport::WebSocket => "WebSocket",
        Transport::Values => "put_var in datagrams",
        Transport::Records => "put_var in a stream",
        Transport::Debugger => "the debugger's stream",
    };
    format!("{engine} over {carrier}")
}
