//! `--stats`: counts bytes and packets of each command, method and peer, over time, and what their transport adds.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    fmt::Write,
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
    Order,
    connections::Connections,
    games::Game,
    late,
    line::{self, number},
    replication,
    tables::{StatRow, StatTable, per_second, with_server},
    timeline::Timeline,
    totals::{HEADER, Totals},
};
use crate::{show::value, terminal::words};

/// The largest number of rows of a table. Further ones are counted as "others".
const ROWS: usize = 10_000;
/// The number of pairs of peers that text shows without `--limit`.
const PEERS: usize = 10;
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
    /// Counts a datagram or segment, whether it has an item or not.
    pub(super) fn carry(&mut self, payload_len: usize) {
        self.datagrams += 1;
        self.carried += payload_len as u64;
    }

    /// Updates the losses and round trips of the connection that an item belongs to. Must be called for every item,
    /// whether it is shown or not.
    pub(super) fn hear(&mut self, heard: EventOrigin, item: &SessionEvent<'_>) {
        self.losses = self.connections.add(heard, item);
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

    fn duration(&self) -> Duration {
        let (first, last) = self.times.unwrap_or_default();
        last - first
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

    pub(super) fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Returns the sums over all packets. `is_compressed` is `true` if datagrams were compressed.
    pub(super) fn totals(&self, games: &[Game], is_compressed: bool) -> Totals {
        let is_datagrams =
            |game: &Game| matches!(game.carrier, Transport::Enet | Transport::Values);
        Totals {
            game: game_names(games),
            duration: self.duration(),
            packets: self.all.packets,
            bytes: self.all.bytes,
            datagrams: self.datagrams,
            carried: self.carried,
            is_datagrams: games.iter().all(is_datagrams),
            is_compressed,
            reliable: self.reliable,
            batches: self.batches,
            peak: self.timeline.peak(),
            sparkline: self.timeline.sparkline(),
        }
    }

    /// Returns the tables of `--stats`, without [`Costs::connections`].
    pub(super) fn tables(&self, sort: Option<Order>, names: &Names) -> Vec<StatTable> {
        let mut tables = vec![
            StatTable {
                id: "command",
                heading: "Commands and methods",
                title: "command",
                unit: "row",
                legend: "The packets of the game. Bytes, share and B/s are of the packets themselves, without ENet, \
                    UDP and IP.",
                ..self.cost_table(0, sort)
            },
            StatTable {
                id: "peers",
                heading: "Peers",
                title: "from > to",
                unit: "pair",
                shown: Some(PEERS),
                legend: "Who sends the packets to whom.",
                ..self.cost_table(1, sort)
            },
        ];
        tables.extend(replication::tables(
            &self.replication,
            names,
            sort,
            self.duration(),
        ));
        tables
    }

    /// Returns the table of the connections.
    pub(super) fn connections(&self) -> StatTable {
        self.connections.table(self.servers.len() < 2)
    }

    /// Returns the table of `--late`: for each synchronizer how many of its SYNC packets came late and why. Times are
    /// counted from `start`.
    pub(super) fn late(&self, names: &Names, start: Duration) -> StatTable {
        late::table(&self.replication, names, start)
    }

    /// Makes a table of all servers, sorted as `sort` says. `table` is 0 for commands and methods, and 1 for pairs of
    /// peers.
    fn cost_table(&self, table: usize, sort: Option<Order>) -> StatTable {
        let servers = self.servers.iter();
        let rows =
            servers.flat_map(|(server, tables)| tables[table].iter().map(move |row| (server, row)));
        let is_one = self.servers.len() < 2;
        let mut rows: Vec<_> = rows
            .map(|(server, (name, row))| (with_server(is_one, server, name), *row))
            .collect();
        let key = |row: &Cost| match sort {
            Some(Order::Packets) => row.packets,
            Some(Order::Largest) => row.largest,
            Some(Order::Name) => 0,
            Some(Order::Size | Order::Time) | None => row.bytes,
        };
        rows.sort_by(|(name, row), (other, than)| {
            (Reverse(key(row)), name).cmp(&(Reverse(key(than)), other))
        });
        let rows = rows.into_iter().map(|(name, row)| {
            let share = 100.0 * row.bytes as f64 / self.all.bytes.max(1) as f64;
            StatRow::new(
                [
                    row.bytes.into(),
                    row.packets.into(),
                    row.largest.into(),
                    format!("{share:.1}%").into(),
                    format!("{:.0}", per_second(row.bytes, self.duration())).into(),
                ],
                &*name,
                [
                    (
                        "table",
                        value::string(if table == 0 { "command" } else { "peers" }),
                    ),
                    ("name", value::string(&name)),
                    ("packets", number(row.packets)),
                    ("bytes", number(row.bytes)),
                    ("largest", number(row.largest)),
                ],
            )
        });
        StatTable {
            columns: &[
                ("bytes", 10),
                ("packets", 9),
                ("largest", 8),
                ("share", 6),
                ("B/s", 9),
            ],
            rows: rows.collect(),
            sums: 2,
            ..StatTable::default()
        }
    }
}

/// Lists the games: `Godot 3 over ENet, Godot 4 over WebSocket`.
fn game_names(games: &[Game]) -> String {
    let names: Vec<String> = games.iter().map(Game::to_string).collect();
    names.join(", ")
}
