//! [`Session`]: what a conversation knows.

mod enet;
mod fragments;
mod item;
mod known;
mod onward;
mod stream;
mod undecided;

use alloc::{collections::BTreeMap, vec::Vec};

use gdvar_view::{Dialect, Objects, ReadOptions};

use crate::{
    Edit, Error,
    enet::{Candidates, Compression, Datagram, Unpacker},
    godot3, godot4,
};
pub use item::{Carriage, Item, Message, Named};
pub use known::{Known, NodePath, Spawned};
pub use onward::Onward;
pub use undecided::Undecided;

/// Which engine talks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Godot 4.
    Godot4,
    /// Godot 3.
    Godot3,
}

/// The carrier of the packets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Carrier {
    /// `ENetMultiplayerPeer` (Godot 3: `NetworkedMultiplayerENet`).
    Enet,
    /// `WebSocketMultiplayerPeer` (Godot 3: `WebSocketServer` and `WebSocketClient`), without TLS.
    WebSocket,
    /// `PacketPeerUDP.put_var`: a value in each datagram.
    Values,
    /// `StreamPeer.put_var`, or `put_var` of a PacketPeerStream, which looks the same: values behind their
    /// lengths in a TCP stream.
    Records,
    /// The stream of `--remote-debug`.
    Debugger,
}

/// Which way bytes go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// From a client to the server. In the debugger's stream the editor is the server.
    ToServer,
    /// From the server to a client.
    ToClient,
}

/// How much a session remembers, so that no traffic makes it grow without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most clients. When one more comes, the one that was silent longest is forgotten.
    pub links: usize,
    /// The most paths that each peer may have given ids to, and the most nodes that it may have spawned.
    /// Those that come later are not remembered: [`Known::refused`].
    pub names_per_peer: usize,
    /// The most bytes of a path or name that is remembered.
    pub name_len: usize,
    /// The most packets in pieces of one client at a time. The oldest is given up for a new one.
    pub fragmented: usize,
    /// The most bytes of a packet in pieces, a WebSocket message or a record.
    pub packet_len: usize,
}

impl Default for Limits {
    /// 1024 clients, 16 384 names of 1024 bytes each, 4 packets of 1 MiB in flight.
    fn default() -> Limits {
        Limits {
            links: 1024,
            names_per_peer: 16_384,
            name_len: 1024,
            fragmented: 4,
            packet_len: 1 << 20,
        }
    }
}

/// A conversation of a server and its clients, as somebody hears it who stands between: it puts packets
/// together, tells new ones from those sent again, and remembers ids, paths and nodes.
///
/// Give it every datagram (or every piece of a stream) in the order of arrival. For each packet and each
/// command of the carrier it calls a function with an [`Item`], which borrows the bytes. In the steady
/// state nothing is allocated. Everything is bounded by [`Limits`].
///
/// ```
/// use gdvar_packet::{Carrier, Direction, Engine, Message, Session, godot4::Packet};
///
/// let mut session = Session::new(Engine::Godot4, Carrier::Enet);
/// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\x02\x01\x01\0\0\0";
/// let mut ids = Vec::new();
/// session.receive(0, Direction::ToServer, datagram, |item| {
///     if let Message::Godot4(Packet::ConfirmPath(confirm)) = item.message {
///         ids.push(confirm.id);
///     }
/// });
/// assert_eq!(ids, [1]);
/// ```
#[derive(Debug)]
pub struct Session {
    engine: Engine,
    carrier: Carrier,
    limits: Limits,
    unpacker: Unpacker,
    /// How the datagrams of a connection may be compressed of which nothing was heard.
    candidates: Candidates,
    links: BTreeMap<u32, Link>,
    known: Known,
    /// Counts what was received: the age of links.
    clock: u64,
}

/// One client's line to the server.
#[derive(Debug, Default)]
struct Link {
    heard: u64,
    enet: enet::Lanes,
    streams: [stream::Stream; 2],
}

impl Direction {
    const fn index(self) -> usize {
        self as usize
    }
}

/// The options that a session reads values with. A game may send whole objects (`allow_object_decoding`,
/// `put_var(value, true)`); here they are nothing but data.
const fn options(engine: Engine) -> ReadOptions {
    let dialect = match engine {
        Engine::Godot4 => Dialect::GODOT_4,
        Engine::Godot3 => Dialect::GODOT_3,
    };
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

/// Reads a packet of Godot 4 with these options.
pub(crate) fn parse4(packet: &[u8]) -> Result<godot4::Packet<'_>, Error> {
    godot4::Packet::parse_with(packet, options(Engine::Godot4))
}

/// Reads a packet of Godot 3 with these options.
pub(crate) fn parse3(packet: &[u8]) -> Result<godot3::Packet<'_>, Error> {
    godot3::Packet::parse_with(packet, options(Engine::Godot3))
}

impl Session {
    /// With default limits. How ENet's datagrams are compressed is found for each client by trying, until a datagram decides.
    #[must_use]
    pub fn new(engine: Engine, carrier: Carrier) -> Session {
        Session {
            engine,
            carrier,
            limits: Limits::default(),
            unpacker: Unpacker::new(),
            candidates: Candidates::default(),
            links: BTreeMap::new(),
            known: Known::default(),
            clock: 0,
        }
    }

    /// With those limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Session {
        self.limits = limits;
        self.known.set_limits(limits);
        self
    }

    /// Told how ENet's datagrams are compressed.
    #[must_use]
    pub fn with_compression(mut self, compression: Compression) -> Session {
        self.candidates = Candidates::from(compression);
        self
    }

    /// How ENet's datagrams of a client and to it are compressed: told, or decided by a datagram that only one compression
    /// reads. `None` if there was none yet.
    #[must_use]
    pub fn compression(&self, link: u32) -> Option<Compression> {
        let link = self.links.get(&link);
        let left = link.map(|link| link.enet.candidates(self.candidates));
        left.unwrap_or(self.candidates).decided()
    }

    /// Returns `true` if a client's datagrams are [compressed](Session::compression).
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        let mut links = self.links.keys();
        links.any(|&link| self.compression(link).is_some())
    }

    /// Looks how a datagram is compressed, and reads nothing in it. Returns `true` if several compressions read it, and no
    /// datagram of its connection decided yet: [`Session::receive`] would call it
    /// [`Undecided`](crate::PacketErrorKind::Undecided). [`Undecided`] holds it until a later one decides.
    pub fn is_undecided(&mut self, link: u32, bytes: &[u8]) -> bool {
        let (Carrier::Enet, Ok(datagram)) = (self.carrier, Datagram::parse(bytes)) else {
            return false;
        };
        if !datagram.header().compressed {
            return false;
        }
        self.make_room(link);
        let lanes = &mut self.links.entry(link).or_default().enet;
        lanes.is_undecided(datagram, &mut self.unpacker, self.candidates)
    }

    /// The knowledge of peers, paths and nodes.
    #[must_use]
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// The number of clients that are remembered.
    #[must_use]
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Takes a datagram, or the next piece of a stream, of the client with that number: any number that is
    /// the client's alone, such as its place in a list of addresses. Calls `each` for all that is in it.
    ///
    /// A damaged packet comes as [`Message::Damaged`], between the good ones. A stream that is damaged
    /// stays silent from there on.
    pub fn receive(
        &mut self,
        link: u32,
        direction: Direction,
        bytes: &[u8],
        mut each: impl FnMut(Item<'_>),
    ) {
        let mut each = |item: Item<'_>, _: &mut Vec<u8>| {
            each(item);
            Edit::Unchanged
        };
        self.take(link, direction, bytes, &mut each, None);
    }

    /// As [`Session::receive`], for a program that stands between server and client: `each` says what becomes
    /// of each item, and `onward` has what is to be handed on.
    /// [`PacketEditor::edit`](crate::PacketEditor::edit) is made for it.
    ///
    /// A packet that is not changed is handed on as it came. In a datagram of ENet of which something is changed, all
    /// commands keep their numbers; it is handed on without compression. A reliable packet that is dropped becomes one
    /// that does nothing, because the receiver waits for its number. Packets in pieces are kept back until they are
    /// whole (up to 32 KiB: [`Item::is_editable`]) and handed on in as many pieces; unreliable ones in as many as they
    /// need. A packet that grows beyond [`Item::max_len`] is handed on as it came: [`Onward::too_long`] counts it. In a
    /// stream, too, nothing is handed on of a message that has not arrived whole; from where it is damaged on, all of
    /// it is.
    ///
    /// ```
    /// use gdvar_packet::{Arg, Carrier, Direction, Edit, Engine, Filter, Onward, PacketEditor, Session, gdvar_write::Target};
    ///
    /// let hits = Filter::parse("args[0] > 50")?;
    /// let mut editor = PacketEditor::new().replace(hits, "args[0]", Arg::from(1), Target::GODOT_4)?;
    /// let (mut session, mut onward) = (Session::new(Engine::Godot4, Carrier::Enet), Onward::new());
    /// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64";
    /// session.rewrite(0, Direction::ToServer, datagram, &mut onward, |item, out| {
    ///     editor.edit(&item, None, out).unwrap_or(Edit::Unchanged)
    /// });
    /// let mut pieces = onward.pieces();
    /// assert_eq!(pieces.next().unwrap(), b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x01");
    /// # Ok::<(), gdvar_packet::FilterError>(())
    /// ```
    pub fn rewrite(
        &mut self,
        link: u32,
        direction: Direction,
        bytes: &[u8],
        onward: &mut Onward,
        mut each: impl FnMut(Item<'_>, &mut Vec<u8>) -> Edit,
    ) {
        onward.clear();
        self.take(link, direction, bytes, &mut each, Some(onward));
        if matches!(self.carrier, Carrier::Enet) {
            onward.end(bytes);
        }
    }

    fn take(
        &mut self,
        link: u32,
        direction: Direction,
        bytes: &[u8],
        each: &mut dyn FnMut(Item<'_>, &mut Vec<u8>) -> Edit,
        onward: Option<&mut Onward>,
    ) {
        self.clock += 1;
        self.make_room(link);
        let entry = self.links.entry(link).or_default();
        entry.heard = self.clock;
        let mut hub = item::Hub {
            engine: self.engine,
            link,
            direction,
            known: &mut self.known,
            each,
            edit: Edit::Unchanged,
            onward,
        };
        match self.carrier {
            Carrier::Enet => {
                let compression = (&mut self.unpacker, self.candidates);
                entry
                    .enet
                    .receive(bytes, compression, self.limits, &mut hub);
            }
            Carrier::Values => {
                hub.value(bytes);
                hub.hand_on(bytes, |edited, onward| {
                    if edited.len() > item::MAX_UDP {
                        onward.push_too_long(bytes);
                    } else {
                        onward.push(edited);
                    }
                });
            }
            Carrier::WebSocket | Carrier::Records | Carrier::Debugger => {
                let stream = &mut entry.streams[direction.index()];
                stream.receive(self.carrier, bytes, self.limits, &mut hub);
            }
        }
    }

    /// Notes that a piece of a stream is missing, or that the stream began before. What waits for its rest is dropped.
    /// Bytes are passed over until messages can be told apart again: in a call of [`Session::receive`] whose bytes are
    /// nothing but messages, from some place on for WebSocket, from the first byte on for records. A datagram is read by itself, so datagrams that are missing need no call.
    pub fn lose(&mut self, link: u32, direction: Direction) {
        if let Carrier::WebSocket | Carrier::Records | Carrier::Debugger = self.carrier {
            let link = self.links.entry(link).or_default();
            link.streams[direction.index()].lose();
        }
    }

    /// Returns `false` while messages of a stream cannot be told apart, after [`Session::lose`].
    #[must_use]
    pub fn is_aligned(&self, link: u32, direction: Direction) -> bool {
        let link = self.links.get(&link);
        link.is_none_or(|link| link.streams[direction.index()].is_aligned())
    }

    /// The number of bytes that wait for the rest of their packet, message or record.
    #[must_use]
    pub fn pending(&self) -> usize {
        let link = |link: &Link| {
            let streams = link.streams.iter().map(stream::Stream::pending);
            link.enet.pending() + streams.sum::<usize>()
        };
        self.links.values().map(link).sum()
    }

    /// Forgets a client: its connection is closed, or its line lost a piece. Its paths and nodes are
    /// forgotten with it.
    pub fn forget(&mut self, link: u32) {
        self.links.remove(&link);
        self.known.forget_link(link);
    }

    /// Forgets the client that was silent longest, if that one is new and there are as many as the limits allow.
    fn make_room(&mut self, link: u32) {
        if self.links.contains_key(&link) || self.links.len() < self.limits.links {
            return;
        }
        let oldest = self.links.iter().min_by_key(|(_, link)| link.heard);
        if let Some((&oldest, _)) = oldest {
            self.forget(oldest);
        }
    }
}

/// A damaged piece, as an item's message.
fn damaged<'a>(error: Error, bytes: &'a [u8]) -> Message<'a> {
    Message::Damaged { error, bytes }
}
