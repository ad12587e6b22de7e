//! [`Connections`]: round trips, resends and losses of each connection, from its commands of ENet.

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

use super::line;

/// The most flows; later ones are not counted.
const FLOWS: usize = 2048;
/// The most commands of a flow that wait for an acknowledgement. With more of them the capture has no acknowledgements,
/// and all are forgotten.
const WAITING: usize = 4096;
/// The most round trips of a flow that are kept; a later one replaces the oldest.
const ROUND_TRIPS: usize = 4096;

/// By server, client and direction.
#[derive(Default)]
pub(super) struct Connections {
    flows: BTreeMap<(SocketAddr, SocketAddr, Direction), Flow>,
}

/// One direction of a connection.
#[derive(Default)]
pub(super) struct Flow {
    /// The client's number.
    link: u32,
    /// The client's peer id, if a packet named it.
    peer: Option<i32>,
    /// Packets, and pieces of packets.
    pub(super) packets: u64,
    /// Reliable commands that were sent again.
    pub(super) sent_again: u64,
    /// Unreliable packets that came twice.
    pub(super) came_twice: u64,
    /// Unreliable packets that did not come.
    pub(super) missing: u64,
    /// Reliable commands that the capture does not have.
    pub(super) gaps: u64,
    round_trips: Vec<Duration>,
    /// The place in `round_trips` for the next one.
    next: usize,
    /// When each reliable command was seen first, by channel and number.
    waiting: HashMap<(u8, u16), Duration>,
    /// The newest reliable number of each channel.
    reliable: BTreeMap<u8, u16>,
    /// The newest reliable number of each channel and the newest ordered number after it.
    ordered: BTreeMap<u8, (u16, u16)>,
    /// The newest number of unordered packets.
    unordered: Option<u16>,
}

impl Connections {
    /// Counts a command of ENet. Returns the losses of its flow so far; none for an acknowledgement.
    pub(super) fn add(&mut self, heard: EventOrigin, item: &SessionEvent<'_>) -> Losses {
        let TransportInfo::Enet { .. } = item.transport else {
            return Losses::default();
        };
        let key = |direction| (heard.server, heard.client, direction);
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

    /// All flows by server, client and direction.
    pub(super) fn flows(
        &self,
    ) -> impl ExactSizeIterator<Item = (&(SocketAddr, SocketAddr, Direction), &Flow)> {
        self.flows.iter()
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
        if wants_ack && is_resent {
            // An acknowledgement does not say which of the two it is for.
            self.waiting.remove(&(channel, sequence));
        } else if wants_ack {
            if self.waiting.len() >= WAITING {
                self.waiting.clear();
            }
            self.waiting.insert((channel, sequence), time);
            let newest = self.reliable.entry(channel).or_insert(sequence);
            step(newest, sequence, &mut self.gaps);
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

    /// Counts an ordered packet. Its number counts from 1 after each reliable command, whose number is `sequence`.
    fn ordered(&mut self, channel: u8, sequence: u16, number: u16) {
        let (before, newest) = self.ordered.entry(channel).or_insert((sequence, number));
        match sequence.wrapping_sub(*before) {
            0 => step(newest, number, &mut self.missing),
            1..0x8000 => {
                self.missing += u64::from(number.saturating_sub(1));
                (*before, *newest) = (sequence, number);
            }
            // It was sent before the newest reliable command: it is late.
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

    /// The median and the longest round trip, from where the capture was made to the receiver and back.
    pub(super) fn round_trip(&self) -> Option<(Duration, Duration)> {
        let mut sorted = self.round_trips.clone();
        sorted.sort_unstable();
        Some((*sorted.get(sorted.len() / 2)?, *sorted.last()?))
    }

    /// `973414897 > server`.
    pub(super) fn name(&self, direction: Direction) -> String {
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

/// Counts `number`. The numbers between the newest and it are missing; one that comes late is missing no longer.
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
