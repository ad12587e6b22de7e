//! The state that a session keeps of an ENet connection.

use alloc::vec::Vec;

use super::{
    Limits, damaged,
    fragments::Fragments,
    item::{Carriage, Hub, Message},
    onward::{HandedOn, MAX_HELD},
};
use crate::{
    Error, PacketErrorKind,
    enet::{Body, Candidates, Command, Datagram, Fragment, NO_PEER, Unpacker, Window, commands},
    tls::is_dtls,
};

/// Both directions of a connection.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    lanes: [Lane; 2],
    /// The client's number for the connection.
    connect_id: Option<u32>,
    /// How its datagrams may be compressed; all candidates of the session if none was heard.
    candidates: Option<Candidates>,
}

#[derive(Debug, Default)]
struct Lane {
    /// The reliable numbers seen, by channel.
    windows: Vec<(u8, Window)>,
    /// The last unreliable packets.
    unreliable: Recent,
    fragments: Fragments,
    handed_on: HandedOn,
}

/// What tells an unreliable packet from others: its kind and channel, the reliable number before it, its own number.
type Key = ([u8; 2], u16, u16);

/// The last 32 unreliable packets. A network that delivers a datagram twice does so within moments.
#[derive(Debug, Default)]
struct Recent {
    keys: [Option<Key>; 32],
    next: usize,
}

impl Recent {
    /// Notes a packet. Returns `true` if it is new.
    fn insert(&mut self, key: Key) -> bool {
        if self.keys.contains(&Some(key)) {
            return false;
        }
        self.keys[self.next] = Some(key);
        self.next = (self.next + 1) % self.keys.len();
        true
    }
}

/// The own number of an unreliable packet or its piece.
const fn number(command: &Command<'_>) -> Option<u16> {
    match command.body {
        Body::Unreliable { number, .. } => Some(number),
        Body::Unsequenced { group, .. } => Some(group),
        Body::Fragment(piece) if !piece.reliable => Some(piece.start),
        _ => None,
    }
}

impl Lane {
    fn clear(&mut self) {
        self.windows.clear();
        self.unreliable = Recent::default();
        self.fragments.clear();
        self.handed_on.clear();
    }

    /// Returns `true` if the same command came before: a reliable one that was sent again, or an unreliable packet that
    /// the network delivered twice.
    fn came_before(&mut self, command: &Command<'_>) -> bool {
        match number(command) {
            _ if command.wants_ack => self.is_resent(command),
            // A piece that comes twice completes no packet.
            Some(number) if !matches!(command.body, Body::Fragment(_)) => {
                let head = [command.number(), command.channel];
                !self.unreliable.insert((head, command.sequence, number))
            }
            _ => false,
        }
    }

    /// Returns `true` if a reliable command came before.
    fn is_resent(&mut self, command: &Command<'_>) -> bool {
        let channel = command.channel;
        let place = match self.windows.iter().position(|(known, _)| *known == channel) {
            Some(place) => place,
            None => {
                self.windows.push((channel, Window::default()));
                self.windows.len() - 1
            }
        };
        !self.windows[place].1.insert(command.sequence)
    }
}

impl Lanes {
    pub(super) fn pending(&self) -> usize {
        self.lanes.iter().map(|lane| lane.fragments.pending()).sum()
    }

    /// The candidates that are left; of the `session` if nothing was heard.
    pub(super) fn candidates(&self, session: Candidates) -> Candidates {
        self.candidates.unwrap_or(session)
    }

    /// Returns `true` if several compressions read a datagram, after noting what it shows of the connection's compression.
    pub(super) fn is_undecided(
        &mut self,
        datagram: Datagram<'_>,
        unpacker: &mut Unpacker,
        session: Candidates,
    ) -> bool {
        let is_new = datagram.header().peer == NO_PEER;
        if !is_new && self.candidates(session).decided().is_some() {
            return false;
        }
        let body = self.body(datagram, unpacker, session);
        matches!(
            body.map_err(Error::kind),
            Err(PacketErrorKind::Undecided(_))
        )
    }

    /// Unpacks a datagram, and notes what it shows of the connection's compression.
    fn body<'a>(
        &mut self,
        datagram: Datagram<'a>,
        unpacker: &'a mut Unpacker,
        session: Candidates,
    ) -> Result<&'a [u8], Error> {
        // A new connection, perhaps to a server that was started again with another compression.
        if datagram.header().peer == NO_PEER {
            self.candidates = None;
        }
        unpacker.body(datagram, self.candidates.get_or_insert(session))
    }

    pub(super) fn receive(
        &mut self,
        bytes: &[u8],
        (unpacker, candidates): (&mut Unpacker, Candidates),
        limits: Limits,
        hub: &mut Hub<'_>,
    ) {
        let parsed = match is_dtls(bytes) {
            true => Err(Error::new(0, PacketErrorKind::Dtls)),
            false => Datagram::parse(bytes),
        };
        let datagram = match parsed {
            Ok(datagram) => datagram,
            Err(error) => {
                hub.say(Carriage::Datagram, bytes, damaged(error, bytes));
                return hub.datagram(bytes);
            }
        };
        let body = match self.body(datagram, unpacker, candidates) {
            Ok(body) => body,
            Err(error) => {
                hub.say(Carriage::Datagram, bytes, damaged(error, bytes));
                return hub.datagram(bytes);
            }
        };
        if let Some(onward) = &mut hub.onward {
            onward.begin(datagram.header(), bytes.len());
        }
        let mut commands = commands(body);
        loop {
            let start = commands.position();
            match commands.try_next() {
                Ok(None) => break,
                Ok(Some(command)) => {
                    let raw = body.get(start..commands.position()).unwrap_or_default();
                    self.command(command, raw, limits, hub);
                }
                Err(error) => {
                    hub.say(Carriage::Datagram, body, damaged(error, body));
                    hub.rest(body.get(start..).unwrap_or_default());
                }
            }
        }
    }

    fn command(&mut self, command: Command<'_>, raw: &[u8], limits: Limits, hub: &mut Hub<'_>) {
        if let Body::Connect { handshake, data } = command.body {
            // A client that asks again, because nobody answered, asks for the same connection.
            if self.connect_id.replace(handshake.connect_id) != Some(handshake.connect_id) {
                self.lanes.iter_mut().for_each(Lane::clear);
                hub.known.set_client(hub.link, data as i32);
            }
        }
        let lane = &mut self.lanes[hub.direction.index()];
        let is_resent = lane.came_before(&command);
        let fragments = match command.body {
            Body::Fragment(piece) => piece.count,
            _ => 1,
        };
        let carriage = Carriage::Enet {
            channel: command.channel,
            delivery: command.delivery(),
            sequence: command.sequence,
            number: number(&command),
            fragments,
            is_resent,
        };
        let packet = match command.body {
            Body::Reliable(packet)
            | Body::Unreliable { packet, .. }
            | Body::Unsequenced { packet, .. } => {
                hub.packet(carriage, packet);
                packet
            }
            Body::Fragment(piece) => {
                return lane.piece((command, piece), raw, carriage, limits, hub);
            }
            _ => {
                hub.say(carriage, &[], Message::Enet(command));
                &[]
            }
        };
        let change = hub.change(packet);
        if let Some(onward) = &mut hub.onward {
            change.command(command, raw, onward);
        }
    }
}

impl Lane {
    /// A piece of a packet. One that may be rewritten is kept back until it is whole.
    fn piece(
        &mut self,
        (command, piece): (Command<'_>, Fragment<'_>),
        raw: &[u8],
        carriage: Carriage,
        limits: Limits,
        hub: &mut Hub<'_>,
    ) {
        let is_held = hub.onward.is_some() && piece.total as usize <= MAX_HELD;
        let is_resent = carriage.is_resent();
        if let Some(onward) = hub.onward.as_deref_mut().filter(|_| is_held) {
            if !is_resent {
                self.handed_on.forget(command.channel, command.sequence);
            } else if self.handed_on.again(command, piece, onward) {
                onward.leave_out();
                return hub.say(carriage, &[], Message::Enet(command));
            }
        } else if is_resent {
            hub.say(carriage, &[], Message::Enet(command));
            return hub.piece(command, raw);
        }
        // A piece that is kept back is sent again, whether it was heard or not.
        match self.fragments.insert(command.channel, piece, limits) {
            Ok(Some(packet)) => {
                hub.packet(carriage, packet);
                let change = hub.change(packet);
                if let Some(onward) = hub.onward.as_deref_mut().filter(|_| is_held) {
                    let remembered = limits.fragmented;
                    self.handed_on
                        .whole(&change, command, piece, remembered, onward);
                    return;
                }
            }
            Ok(None) => {
                hub.say(carriage, piece.data, Message::Enet(command));
                if let Some(onward) = hub.onward.as_deref_mut().filter(|_| is_held) {
                    return onward.leave_out();
                }
            }
            Err(error) => {
                hub.say(carriage, piece.data, damaged(error, piece.data));
                // ENet refuses it; without those that are kept back it might look whole.
                let is_bad = error.kind() == PacketErrorKind::BadFragment;
                if let Some(onward) = hub.onward.as_deref_mut().filter(|_| is_bad && is_held) {
                    return onward.leave_out();
                }
            }
        }
        hub.piece(command, raw);
    }
}
