//! [`Connections`]: measures round trips, resends and losses of each connection, from its ENet commands.

use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Direction, Message, SessionEvent, TransportInfo,
    capture::EventOrigin,
    enet::{Body, Delivery},
    replication::Losses,
};

use super::{
    line::{self, number},
    seconds,
    tables::{StatRow, StatTable, ms, with_server},
};
use crate::show::value;

/// The number of rows that text shows without `--limit`.
const ROWS: usize = 10;
/// The largest number of flows. Later flows are not counted.
const FLOWS: usize = 2048;
/// The largest number of commands of a flow that wait for an acknowledgement. If there are more, the capture probably
/// lacks the acknowledgements, and all are forgotten.
const WAITING: usize = 4096;
/// The largest number of round trips that are kept for a flow. A later one replaces the oldest.
const ROUND_TRIPS: usize = 4096;

/// The flows of ENet. A client that connects again from the same address has flows of its own for each connection.
#[derive(Default)]
pub(super) struct Connections {
    /// The flows by server, client, number of the connection between them, and direction.
    flows: BTreeMap<(SocketAddr, SocketAddr, u32, Direction), Flow>,
    /// For each server and client, the number of their connections before the newest, and the id in the CONNECT of the
    /// newest.
    newest: BTreeMap<(SocketAddr, SocketAddr), (u32, Option<u32>)>,
}

/// One direction of a connection.
#[derive(Default)]
struct Flow {
    /// The number of the client.
    link: u32,
    /// The peer id of the client, if a packet named it.
    peer: Option<i32>,
    /// The number of packets and fragments.
    packets: u64,
    /// The number of reliable commands that were sent again.
    sent_again: u64,
    /// The number of unreliable packets that came twice.
    came_twice: u64,
    /// The number of unreliable packets that did not come: the network lost them, or the sender's ENet dropped them.
    missing: u64,
    /// The number of reliable commands that are missing in the capture.
    gaps: u64,
    round_trips: Vec<Duration>,
    /// The index in `round_trips` at which the next round-trip time is stored.
    next: usize,
    /// The time when each reliable command was first seen, by channel and sequence number.
    waiting: HashMap<(u8, u16), Duration>,
    /// The newest reliable sequence number of each channel.
    reliable: BTreeMap<u8, u16>,
    /// For each channel, the newest reliable sequence number, and the newest ordered number after it.
    ordered: BTreeMap<u8, (u16, u16)>,
    /// The number of the newest unordered packet.
    unordered: Option<u16>,
}

impl Connections {
    /// Counts an ENet command. Returns the losses of its flow so far. For an acknowledgement, for other carriers, and
    /// for flows beyond [`FLOWS`], the returned losses are zero.
    pub(super) fn add(&mut self, heard: EventOrigin, item: &SessionEvent<'_>) -> Losses {
        let TransportInfo::Enet { .. } = item.transport else {
            return Losses::default();
        };
        let connect = match item.message {
            Message::Enet(command) => match command.body {
                Body::Connect { handshake, .. } => Some(handshake.connect_id),
                _ => None,
            },
            _ => None,
        };
        let connection = self.connection((heard.server, heard.client), connect);
        let key = |direction| (heard.server, heard.client, connection, direction);
        if let Message::Enet(command) = item.message {
            if let Body::Acknowledge { sequence, .. } = command.body {
                let other = match item.direction {
                    Direction::ToServer => Direction::ToClient,
                    Direction::ToClient => Direction::ToServer,
                };
                if let Some(flow) = self.flows.get_mut(&key(other)) {
                    flow.acknowledge((command.channel, sequence), heard.time);
                }
                return Losses::default();
            }
        }
        let key = key(item.direction);
        if self.flows.len() >= FLOWS && !self.flows.contains_key(&key) {
            return Losses::default();
        }
        let flow = self.flows.entry(key).or_default();
        flow.link = item.link;
        flow.peer = item.state.client(item.link).or(flow.peer);
        flow.add(heard.time, item);
        Losses {
            missing: flow.missing + flow.gaps,
            resent: flow.sent_again,
        }
    }

    /// Returns the number of the connection that a command belongs to. The connections between the same ends are
    /// numbered from 0. `connect` is the id in a CONNECT, which is the same if the CONNECT is sent again.
    fn connection(&mut self, ends: (SocketAddr, SocketAddr), connect: Option<u32>) -> u32 {
        let is_known = self.newest.contains_key(&ends);
        if !is_known && self.newest.len() >= FLOWS {
            return 0;
        }
        let (number, id) = self.newest.entry(ends).or_default();
        if connect.is_some() && connect != *id {
            // The first CONNECT begins the first connection, unless there were commands before it.
            *number += u32::from(is_known);
            *id = connect;
        }
        *number
    }

    /// Returns the table of the connections, with a row for each direction. `is_one` is `true` if the capture has one
    /// server.
    pub(super) fn table(&self, is_one: bool) -> StatTable {
        let flows = self.flows.iter();
        let rows = flows.map(|((server, client, _, direction), flow)| {
            let name = flow.name(*direction);
            let (median, longest) = flow.round_trip().unzip();
            let shown = |time: Option<Duration>| time.map_or("-".to_owned(), ms).into();
            let json = |time: Option<Duration>| time.map_or("null".into(), |t| seconds(t).into());
            let counts = [flow.sent_again, flow.came_twice, flow.missing + flow.gaps];
            StatRow::new(
                [shown(median), shown(longest)]
                    .into_iter()
                    .chain(counts.map(Into::into)),
                with_server(is_one, server, &name),
                [
                    ("table", value::string("connection")),
                    ("name", value::string(&name)),
                    ("server", value::string(&server.to_string())),
                    ("client", value::string(&client.to_string())),
                    ("direction", line::direction(*direction)),
                    ("packets", number(flow.packets)),
                    ("round_trip", json(median)),
                    ("longest_round_trip", json(longest)),
                    ("sent_again", number(flow.sent_again)),
                    ("came_twice", number(flow.came_twice)),
                    ("missing", number(flow.missing)),
                    ("gaps", number(flow.gaps)),
                ],
            )
        });
        StatTable {
            id: "connection",
            heading: "Connections",
            columns: &[
                ("round trip", 10),
                ("longest", 9),
                ("again", 8),
                ("twice", 6),
                ("missing", 9),
            ],
            title: "connection",
            rows: rows.collect(),
            shown: Some(ROWS),
            unit: "row",
            legend: "Each direction of a connection of ENet. Round trip: the median and the longest time from a \
                reliable command to its acknowledgement. Again: reliable commands that were sent again. Twice: \
                unreliable packets that came twice. Missing: packets that did not come, or that the capture does not \
                have.",
            ..StatTable::default()
        }
    }
}

impl Flow {
    fn add(&mut self, time: Duration, item: &SessionEvent<'_>) {
        let TransportInfo::Enet {
            channel,
            delivery,
            sequence,
            number,
            is_resent,
            ..
        } = item.transport
        else {
            return;
        };
        self.packets += u64::from(delivery.is_some());
        let again = line::again(item);
        self.sent_again += u64::from(again == Some(line::SENT_AGAIN));
        self.came_twice += u64::from(again == Some(line::CAME_TWICE));
        let wants_ack = match item.message {
            Message::Enet(command) => command.wants_ack,
            _ => delivery == Some(Delivery::Reliable),
        };
        // ENet numbers a DISCONNECT like any command of its own, although it may not want an acknowledgement.
        let is_disconnect = matches!(item.message, Message::Enet(command) if matches!(command.body, Body::Disconnect { .. }));
        if wants_ack && is_resent {
            // The command was sent twice, and an acknowledgement does not say for which. So it gives no round trip.
            self.waiting.remove(&(channel, sequence));
        } else if wants_ack {
            if self.waiting.len() >= WAITING {
                self.waiting.clear();
            }
            self.waiting.insert((channel, sequence), time);
            self.numbered(channel, sequence);
        } else if is_disconnect {
            self.numbered(channel, sequence);
        } else if let (Some(number), false) = (number, is_resent) {
            match delivery {
                Some(Delivery::Unreliable) => {
                    let newest = self.unordered.get_or_insert(number);
                    step(newest, number, &mut self.missing);
                }
                _ => self.ordered(channel, sequence, number),
            }
        }
    }

    /// Counts the commands that are missing between the newest reliable one of the channel and this one.
    fn numbered(&mut self, channel: u8, sequence: u16) {
        let newest = self.reliable.entry(channel).or_insert(sequence);
        step(newest, sequence, &mut self.gaps);
    }

    /// Counts an ordered packet. `sequence` is the number of the last reliable command before the packet, and `number`
    /// counts the packets after that command, from 1 on.
    fn ordered(&mut self, channel: u8, sequence: u16, number: u16) {
        let (before, newest) = self.ordered.entry(channel).or_insert((sequence, number));
        match sequence.wrapping_sub(*before) {
            0 => step(newest, number, &mut self.missing),
            1..0x8000 => {
                self.missing += u64::from(number.saturating_sub(1));
                (*before, *newest) = (sequence, number);
            }
            // The packet was sent before the newest reliable command, so it is late.
            _ => {}
        }
    }

    fn acknowledge(&mut self, command: (u8, u16), time: Duration) {
        let Some(sent) = self.waiting.remove(&command) else {
            return;
        };
        let round_trip = time.saturating_sub(sent);
        match self.round_trips.get_mut(self.next) {
            Some(old) => *old = round_trip,
            None => self.round_trips.push(round_trip),
        }
        self.next = (self.next + 1) % ROUND_TRIPS;
    }

    /// Returns the median and the longest round trip, from the point of capture to the receiver and back.
    fn round_trip(&self) -> Option<(Duration, Duration)> {
        let mut sorted = self.round_trips.clone();
        sorted.sort_unstable();
        Some((*sorted.get(sorted.len() / 2)?, *sorted.last()?))
    }

    /// Names a direction of the connection: `973414897 > server`.
    fn name(&self, direction: Direction) -> String {
        let client = match self.peer {
            Some(peer) => peer.to_string(),
            None => format!("client {}", self.link),
        };
        match direction {
            Direction::ToServer => format!("{client} > server"),
            Direction::ToClient => format!("server > {client}"),
        }
    }
}

/// Processes the next `number`. Adds the count of numbers skipped since `newest` to `missing`, and subtracts 1 for a
/// number that comes late.
fn step(newest: &mut u16, number: u16, missing: &mut u64) {
    match number.wrapping_sub(*newest) {
        0 => {}
        ahead @ 1..0x8000 => {
            *missing += u64::from(ahead - 1);
            *newest = number;
        }
        _ => *missing = missing.saturating_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_number_is_missing_until_it_comes() {
        let (mut newest, mut missing) = (65_534, 0);
        for (number, expected) in [(65_535, 0), (2, 2), (1, 1), (0, 0), (3, 0), (3, 0), (10, 6)] {
            step(&mut newest, number, &mut missing);
            assert_eq!(missing, expected, "{number}");
        }
    }

    #[test]
    fn ordered_numbers_count_from_one_after_a_reliable_command() {
        let mut flow = Flow::default();
        for (sequence, number, expected) in [
            (5, 7, 0),
            (5, 8, 0),
            (5, 10, 1),
            (6, 1, 1),
            (7, 3, 3),
            (5, 9, 3),
            (7, 2, 2),
        ] {
            flow.ordered(3, sequence, number);
            assert_eq!(flow.missing, expected, "{sequence} {number}");
        }
    }
}
