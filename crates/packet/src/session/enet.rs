//! The state of one ENet connection.

use alloc::vec::Vec;

use super::{emitter::Emitter, fragments::Fragments};
use crate::{
    enet::{Body, Candidates, Command, Datagram, Fragment, NO_PEER, Unpacker, Window, commands},
    error::{Error, PacketErrorKind},
    rewrite::{PacketEdit, SplitHistory},
    tls::is_dtls,
    traffic::{MAX_HELD, Message, SessionLimits, TransportInfo},
};

/// What a session remembers about one ENet connection, in both directions.
#[derive(Debug, Default)]
pub(super) struct EnetConnection {
    directions: [EnetDirection; 2],
    /// The number that the client chose for this connection.
    connect_id: Option<u32>,
    /// The possible compressions of the connection's datagrams. `None` before the first datagram:
    /// the candidates of the session apply then.
    candidates: Option<Candidates>,
}

#[derive(Debug, Default)]
struct EnetDirection {
    /// The recent reliable numbers of each channel.
    windows: Vec<(u8, Window)>,
    /// The most recent unreliable packets.
    unreliable: RecentPackets,
    fragments: Fragments,
    split_history: SplitHistory,
}

/// What identifies an unreliable packet: its kind and channel, the number of the reliable packet
/// before it, and its own number.
type PacketKey = ([u8; 2], u16, u16);

/// The last 32 complete unreliable packets. That is enough: a network that delivers a datagram twice
/// does so within moments.
#[derive(Debug, Default)]
struct RecentPackets {
    keys: [Option<PacketKey>; 32],
    next: usize,
}

impl RecentPackets {
    fn contains(&self, key: PacketKey) -> bool {
        self.keys.contains(&Some(key))
    }

    /// Adds a packet. Returns `true` if it is new.
    fn insert(&mut self, key: PacketKey) -> bool {
        if self.contains(key) {
            return false;
        }
        self.keys[self.next] = Some(key);
        self.next = (self.next + 1) % self.keys.len();
        true
    }
}

/// Returns the number of an unreliable packet or fragment. `None` for other commands.
const fn number(command: &Command<'_>) -> Option<u16> {
    match command.body {
        Body::Unreliable { number, .. } => Some(number),
        Body::Unsequenced { group, .. } => Some(group),
        Body::Fragment(piece) if !piece.reliable => Some(piece.start),
        _ => None,
    }
}

/// Returns the key of the unreliable packet that a command brings, or brings a fragment of. `None` for
/// other commands.
const fn packet_key(command: &Command<'_>) -> Option<PacketKey> {
    match number(command) {
        Some(number) if !command.wants_ack => {
            let head = [command.number(), command.channel];
            Some((head, command.sequence, number))
        }
        _ => None,
    }
}

impl EnetDirection {
    fn clear(&mut self) {
        self.windows.clear();
        self.unreliable = RecentPackets::default();
        self.fragments.clear();
        self.split_history.clear();
    }

    /// Notes a command. Returns `true` if the same command arrived before: a retransmitted reliable
    /// one, or an unreliable packet that the network delivered twice.
    /// ENet ignores fragments of a packet that is complete.
    fn came_before(&mut self, command: &Command<'_>) -> bool {
        match (packet_key(command), command.body) {
            _ if command.wants_ack => self.is_resent(command),
            (Some(key), Body::Fragment(_)) => self.unreliable.contains(key),
            (Some(key), _) => !self.unreliable.insert(key),
            (None, _) => false,
        }
    }

    /// Notes a reliable command. Returns `true` if the same command arrived before.
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

impl EnetConnection {
    pub(super) fn pending(&self) -> usize {
        self.directions
            .iter()
            .map(|side| side.fragments.pending())
            .sum()
    }

    pub(super) fn incomplete(&self) -> u64 {
        let sides = self.directions.iter();
        sides.map(|side| side.fragments.incomplete()).sum()
    }

    /// The compressions that remain possible. Before the first datagram they are `session`.
    pub(super) fn candidates(&self, session: Candidates) -> Candidates {
        self.candidates.unwrap_or(session)
    }

    /// Notes what a datagram shows about the connection's compression. Returns `true` if several
    /// compressions can unpack the datagram.
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

    /// Unpacks a datagram, and notes what the datagram shows about the connection's compression.
    fn body<'a>(
        &mut self,
        datagram: Datagram<'a>,
        unpacker: &'a mut Unpacker,
        session: Candidates,
    ) -> Result<&'a [u8], Error> {
        // A new connection: the server may have been restarted with another compression.
        if datagram.header().peer == NO_PEER {
            self.candidates = None;
        }
        unpacker.body(datagram, self.candidates.get_or_insert(session))
    }

    pub(super) fn receive(
        &mut self,
        bytes: &[u8],
        (unpacker, candidates): (&mut Unpacker, Candidates),
        limits: SessionLimits,
        emitter: &mut Emitter<'_>,
    ) {
        let parsed = match is_dtls(bytes) {
            true => Err(Error::new(0, PacketErrorKind::Dtls)),
            false => Datagram::parse(bytes),
        };
        let datagram = match parsed {
            Ok(datagram) => datagram,
            Err(error) => {
                emitter.report(
                    TransportInfo::Datagram,
                    bytes,
                    Message::damaged(error, bytes),
                );
                return emitter.datagram(bytes);
            }
        };
        let body = match self.body(datagram, unpacker, candidates) {
            Ok(body) => body,
            Err(error) => {
                emitter.report(
                    TransportInfo::Datagram,
                    bytes,
                    Message::damaged(error, bytes),
                );
                return emitter.datagram(bytes);
            }
        };
        if let Some(forwarded) = &mut emitter.forwarded {
            forwarded.begin(datagram.header(), bytes.len());
        }
        let mut commands = commands(body);
        loop {
            let start = commands.position();
            match commands.try_next() {
                Ok(None) => break,
                Ok(Some(command)) => {
                    let raw = body.get(start..commands.position()).unwrap_or_default();
                    self.command(command, raw, limits, emitter);
                }
                Err(error) => {
                    emitter.report(TransportInfo::Datagram, body, Message::damaged(error, body));
                    emitter.rest(body.get(start..).unwrap_or_default());
                }
            }
        }
    }

    fn command(
        &mut self,
        command: Command<'_>,
        raw: &[u8],
        limits: SessionLimits,
        emitter: &mut Emitter<'_>,
    ) {
        if let Body::Connect { handshake, data } = command.body {
            // A client that repeats its request asks for the same connection.
            if self.connect_id.replace(handshake.connect_id) != Some(handshake.connect_id) {
                self.directions.iter_mut().for_each(EnetDirection::clear);
                emitter.state.set_client(emitter.link, data as i32);
            }
        }
        let side = &mut self.directions[emitter.direction.index()];
        let is_resent = side.came_before(&command);
        let fragments = match command.body {
            Body::Fragment(piece) => piece.count,
            _ => 1,
        };
        let info = TransportInfo::Enet {
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
                emitter.packet(info, packet);
                packet
            }
            Body::Fragment(piece) => {
                return side.piece((command, piece), raw, info, limits, emitter);
            }
            _ => {
                emitter.report(info, &[], Message::Enet(command));
                &[]
            }
        };
        let edited = emitter.edited_packet(packet);
        if let Some(forwarded) = &mut emitter.forwarded {
            edited.forward_command(command, raw, forwarded);
        }
    }
}

impl EnetDirection {
    /// Takes a fragment. The fragments of a packet that may be rewritten are held until the packet
    /// is complete.
    fn piece(
        &mut self,
        (command, piece): (Command<'_>, Fragment<'_>),
        raw: &[u8],
        info: TransportInfo,
        limits: SessionLimits,
        emitter: &mut Emitter<'_>,
    ) {
        let is_held = emitter.forwarded.is_some() && piece.total as usize <= MAX_HELD;
        let is_resent = info.is_resent();
        if let Some(forwarded) = emitter.forwarded.as_deref_mut().filter(|_| is_held) {
            if !is_resent {
                self.split_history.forget(command.channel, command.sequence);
            } else if !piece.reliable || self.split_history.again(command, piece, forwarded) {
                // Nobody waits for a piece of an unreliable packet that was sent on whole.
                forwarded.leave_out();
                return emitter.report(info, &[], Message::Enet(command));
            }
        } else if is_resent {
            emitter.report(info, &[], Message::Enet(command));
            return emitter.piece(command, raw);
        }
        // A held fragment is never acknowledged, so it is sent again whether the first copy was
        // seen or not.
        let number = (command.channel, command.sequence);
        match self.fragments.insert(number, piece, limits) {
            Ok(Some(packet)) => {
                if let Some(key) = packet_key(&command) {
                    self.unreliable.insert(key);
                }
                emitter.packet(info, packet);
                let edited = emitter.edited_packet(packet);
                if let Some(forwarded) = emitter.forwarded.as_deref_mut().filter(|_| is_held) {
                    // The sender repeats the fragments, and they are put together again.
                    if edited.edit == PacketEdit::Withheld {
                        return forwarded.leave_out();
                    }
                    let remembered = limits.fragmented;
                    self.split_history
                        .whole(&edited, command, piece, remembered, forwarded);
                    return;
                }
            }
            Ok(None) => {
                emitter.report(info, piece.data, Message::Enet(command));
                if let Some(forwarded) = emitter.forwarded.as_deref_mut().filter(|_| is_held) {
                    return forwarded.leave_out();
                }
            }
            Err(error) => {
                emitter.report(info, piece.data, Message::damaged(error, piece.data));
                // ENet refuses this fragment. It must not be sent on without the held ones, where
                // it might look valid.
                let is_bad = error.kind() == PacketErrorKind::BadFragment;
                if let Some(forwarded) = emitter
                    .forwarded
                    .as_deref_mut()
                    .filter(|_| is_bad && is_held)
                {
                    return forwarded.leave_out();
                }
            }
        }
        emitter.piece(command, raw);
    }
}
