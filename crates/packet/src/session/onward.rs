//! [`Onward`]: what is handed on by somebody who stands between server and client.

use alloc::vec::Vec;

use crate::{
    Direction, Edit, Encode, Engine,
    enet::{Body, Command, Delivery, Fragment, Header, MAX_DATAGRAM},
    godot3, godot4,
};

/// The output of [`Session::rewrite`](super::Session::rewrite): datagrams, or pieces of a stream. Its memory is used
/// again.
#[derive(Debug, Default)]
pub struct Onward {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The fate of a packet.
    pub(super) edited: Vec<u8>,
    /// One command.
    command: Vec<u8>,
    /// That of ENet's datagrams.
    header: Header,
    /// As many bytes go into a datagram, unless a command alone has more.
    room: usize,
    is_changed: bool,
    is_plain: bool,
    too_long: usize,
}

/// A datagram of any network that ENet is used on: its default MTU.
const ROOM: usize = 1392;
/// The bytes of a header and of the longest head of a command, which go before a packet.
const HEADS: usize = 32;
/// The most bytes of a packet in one command.
const MAX_PACKET: usize = MAX_DATAGRAM - HEADS;
/// The most bytes of an unreliable packet, which may go out in any number of pieces.
const MAX_UNRELIABLE: usize = 1 << 20;

/// The most bytes of a packet that takes the place of one that came in so many commands of ENet.
///
/// A receiver counts a reliable packet as so many numbers of its channel as the packet has pieces, and waits for each
/// number; so the number of pieces stays. Pieces of an unreliable packet share one number. One that is outside all
/// order has no number that pieces could share.
pub(super) fn max_len(delivery: Delivery, fragments: u32) -> usize {
    match delivery {
        Delivery::Reliable => (fragments as usize).saturating_mul(MAX_PACKET),
        Delivery::UnreliableOrdered => MAX_UNRELIABLE,
        Delivery::Unreliable => MAX_PACKET,
    }
}

impl Onward {
    /// Without memory.
    #[must_use]
    pub fn new() -> Onward {
        Onward::default()
    }

    /// Every compressed datagram of ENet is handed on without its compression, so that the receiver reads the bytes that
    /// the rules have seen, and no others that another compression makes of them.
    #[must_use]
    pub fn with_plain(self) -> Onward {
        Onward {
            is_plain: true,
            ..self
        }
    }

    /// The datagrams, or the pieces of the stream, in order. There may be none.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let piece = self.bytes.get(start..end).unwrap_or_default();
            start = end;
            piece
        })
    }

    /// The number of packets in these pieces that are handed on as they came, because what was to take their place is
    /// longer than [`Item::max_len`](crate::Item::max_len).
    #[must_use]
    pub fn too_long(&self) -> usize {
        self.too_long
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.is_changed = false;
        self.too_long = 0;
    }

    /// Appends a datagram or a piece of a stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
    }

    /// Appends what writes itself.
    pub(super) fn push_encoded(&mut self, piece: &impl Encode) {
        // Nothing but memory could refuse the bytes.
        let _ = piece.encode(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Appends a datagram as it came, because what was to take its place is too long.
    pub(super) fn push_too_long(&mut self, bytes: &[u8]) {
        self.too_long += 1;
        self.push(bytes);
    }

    /// Begins a datagram of ENet.
    pub(super) fn begin(&mut self, header: Header, len: usize) {
        self.header = Header {
            compressed: false,
            ..header
        };
        self.room = ROOM.max(len);
        self.is_changed |= self.is_plain && header.compressed;
    }

    /// Ends the datagrams; one of which nothing was changed is handed on as it came, compressed if it was.
    pub(super) fn end(&mut self, came: &[u8]) {
        if !self.is_changed {
            self.bytes.clear();
            self.ends.clear();
            self.push(came);
        }
    }

    /// Appends a command as it came.
    pub(super) fn same(&mut self, command: &[u8]) {
        let start = match self.ends[..] {
            [] => None,
            [.., last] => Some(last - self.last_start()),
        };
        if start.is_none_or(|len| len + command.len() > self.room) {
            // Nothing but memory could refuse the bytes.
            let _ = self.header.encode(&mut self.bytes);
            self.ends.push(self.bytes.len());
        }
        self.bytes.extend_from_slice(command);
        if let Some(end) = self.ends.last_mut() {
            *end = self.bytes.len();
        }
    }

    fn last_start(&self) -> usize {
        match self.ends[..] {
            [.., before, _] => before,
            _ => 0,
        }
    }

    /// Appends another command than came.
    pub(super) fn put(&mut self, command: Command<'_>) {
        let mut bytes = core::mem::take(&mut self.command);
        bytes.clear();
        if command.encode(&mut bytes).is_ok() {
            self.same(&bytes);
        }
        self.command = bytes;
        self.is_changed = true;
    }

    /// A command is not handed on, or later.
    pub(super) fn leave_out(&mut self) {
        self.is_changed = true;
    }
}

/// How a command with a packet is handed on.
pub(super) struct Change<'a> {
    pub(super) engine: Engine,
    pub(super) direction: Direction,
    pub(super) edit: Edit,
    /// The packet as it came.
    pub(super) packet: &'a [u8],
}

impl Change<'_> {
    /// Hands on one command with a whole packet, or without one.
    pub(super) fn command(&self, command: Command<'_>, raw: &[u8], onward: &mut Onward) {
        let edited = core::mem::take(&mut onward.edited);
        let with = |packet| Command {
            body: match command.body {
                Body::Unreliable { number, .. } => Body::Unreliable { number, packet },
                Body::Unsequenced { group, .. } => Body::Unsequenced { group, packet },
                _ => Body::Reliable(packet),
            },
            ..command
        };
        match self.edit {
            Edit::Unchanged => onward.same(raw),
            Edit::Rewritten => match (command.delivery(), command.body) {
                (None, _) => onward.same(raw),
                (Some(delivery), _) if edited.len() > max_len(delivery, 1) => {
                    onward.too_long += 1;
                    onward.same(raw);
                }
                (_, Body::Unreliable { number, .. })
                    if edited.len() > self.packet.len().max(ROOM - HEADS) =>
                {
                    Whole::unreliable(command, number, &edited).hand_on_all(command, onward);
                }
                _ => onward.put(with(&edited)),
            },
            Edit::Dropped if is_awaited(command) => {
                onward.put(with(self.ignored(command.channel).bytes()));
            }
            Edit::Dropped => onward.leave_out(),
        }
        onward.edited = edited;
    }

    /// The bytes that a receiver passes over. ENet's receiver waits for ever for a reliable packet that never
    /// comes, so something has to.
    fn ignored(&self, channel: u8) -> Ignored {
        match self.engine {
            Engine::Godot4 => Ignored::new(&godot4::IGNORED),
            Engine::Godot3 => {
                let to_server = self.direction == Direction::ToServer;
                Ignored::new(&godot3::ignored(self.packet, channel, to_server))
            }
        }
    }
}

/// Returns `true` if the receiver waits for the command's packet, or a piece of it.
fn is_awaited(command: Command<'_>) -> bool {
    match command.body {
        Body::Reliable(_) => true,
        Body::Fragment(piece) => piece.reliable,
        _ => false,
    }
}

/// A packet that a receiver passes over.
#[derive(Clone, Copy, Debug, Default)]
struct Ignored {
    bytes: [u8; 9],
    len: usize,
}

impl Ignored {
    fn new(packet: &[u8]) -> Ignored {
        let mut ignored = Ignored {
            len: packet.len().min(9),
            ..Ignored::default()
        };
        ignored.bytes[..ignored.len].copy_from_slice(&packet[..ignored.len]);
        ignored
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Packets in pieces that were handed on, for pieces that are sent again.
#[derive(Debug, Default)]
pub(super) struct HandedOn(Vec<Whole>);

/// A packet that came in pieces and is handed on in as many, because each has a number that the receiver
/// waits for.
#[derive(Debug)]
struct Whole {
    channel: u8,
    start: u16,
    count: u32,
    reliable: bool,
    is_dropped: bool,
    ignored: Ignored,
    bytes: Vec<u8>,
}

/// The longest packet in pieces that is kept back until it is whole. The sender waits for acknowledgements
/// when half of ENet's window (64 KiB) is on its way.
pub(super) const MAX_HELD: usize = 32 << 10;

impl HandedOn {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Hands on a piece that is sent again. `true` if its packet was handed on before.
    pub(super) fn again(&self, command: Command<'_>, piece: Fragment<'_>, to: &mut Onward) -> bool {
        let same = |whole: &&Whole| {
            (whole.channel, whole.start, whole.count) == (command.channel, piece.start, piece.count)
        };
        let whole = self.0.iter().find(same).filter(|_| piece.reliable);
        if let Some(whole) = whole {
            whole.hand_on(command, piece.number, to);
        }
        whole.is_some()
    }

    /// Hands on a packet that is whole, in as many pieces as it came in; remembers so many.
    pub(super) fn whole(
        &mut self,
        change: &Change<'_>,
        command: Command<'_>,
        piece: Fragment<'_>,
        remembered: usize,
        to: &mut Onward,
    ) {
        let mut edit = change.edit;
        let delivery = command.delivery().unwrap_or(Delivery::Reliable);
        if edit == Edit::Rewritten && to.edited.len() > max_len(delivery, piece.count) {
            to.too_long += 1;
            edit = Edit::Unchanged;
        }
        let bytes = match edit {
            Edit::Rewritten => to.edited.clone(),
            _ => change.packet.to_vec(),
        };
        let whole = Whole {
            channel: command.channel,
            start: piece.start,
            count: match piece.reliable || bytes.len() <= change.packet.len() {
                true => piece.count,
                false => piece.count.max(pieces(bytes.len())),
            },
            reliable: piece.reliable,
            is_dropped: edit == Edit::Dropped,
            ignored: change.ignored(command.channel),
            bytes,
        };
        whole.hand_on_all(command, to);
        if self.0.len() >= remembered.max(1) {
            self.0.remove(0);
        }
        self.0.push(whole);
    }

    /// A packet of the same number as an old one begins.
    pub(super) fn forget(&mut self, channel: u8, start: u16) {
        self.0
            .retain(|whole| (whole.channel, whole.start) != (channel, start));
    }
}

/// The number of pieces that each fit into a datagram.
fn pieces(len: usize) -> u32 {
    len.div_ceil(ROOM - HEADS) as u32
}

impl Whole {
    /// An unreliable packet that came in one command.
    fn unreliable(command: Command<'_>, number: u16, packet: &[u8]) -> Whole {
        Whole {
            channel: command.channel,
            start: number,
            count: pieces(packet.len()),
            reliable: false,
            is_dropped: false,
            ignored: Ignored::default(),
            bytes: packet.to_vec(),
        }
    }

    fn hand_on_all(&self, command: Command<'_>, to: &mut Onward) {
        (0..self.count).for_each(|number| self.hand_on(command, number, to));
        to.leave_out();
    }

    fn hand_on(&self, command: Command<'_>, number: u32, to: &mut Onward) {
        let sequence = match self.reliable {
            true => self.start.wrapping_add(number as u16),
            false => command.sequence,
        };
        let (count, len) = (u64::from(self.count), self.bytes.len() as u64);
        let body = if !self.is_dropped && len >= count {
            let place = |n: u64| (n * len / count) as usize;
            let (from, end) = (place(number.into()), place(u64::from(number) + 1));
            Body::Fragment(Fragment {
                reliable: self.reliable,
                start: self.start,
                count: self.count,
                number,
                total: len as u32,
                offset: from as u32,
                data: &self.bytes[from..end],
            })
        } else if !self.is_dropped && number == 0 {
            match self.reliable {
                true => Body::Reliable(&self.bytes),
                false => Body::Unreliable {
                    number: self.start,
                    packet: &self.bytes,
                },
            }
        } else if self.reliable {
            Body::Reliable(self.ignored.bytes())
        } else {
            return to.leave_out();
        };
        to.put(Command {
            sequence,
            body,
            ..command
        });
    }
}
