//! [`Session`]: reads the traffic between a server and its clients.

mod emitter;
mod enet;
mod fragments;
mod stream;
mod undecided;

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{
    enet::{Candidates, Compression, Datagram, Unpacker},
    rewrite::{Forwarded, PacketEdit},
    traffic::{Direction, Engine, MAX_UDP, SessionEvent, SessionLimits, SessionState, Transport},
};
pub use undecided::Undecided;

/// Follows the traffic between one server and its clients: puts packets together, recognizes
/// retransmissions, and remembers peers, ids, paths and spawned nodes.
///
/// Pass every datagram, or every piece of a stream, to [`Session::receive`] in the order of
/// arrival. The session reports each packet, and each command of the transport, as a [`SessionEvent`] that
/// borrows the bytes. Once paths and peers are known, nothing is allocated. [`SessionLimits`]
/// bounds the memory.
///
/// ```
/// use gdvar_packet::{Transport, Direction, Engine, Message, Session, godot4::Packet};
///
/// let mut session = Session::new(Engine::Godot4, Transport::Enet);
/// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\x02\x01\x01\0\0\0";
/// let mut ids = Vec::new();
/// session.receive(0, Direction::ToServer, datagram, |event| {
///     if let Message::Godot4(Packet::ConfirmPath(confirm)) = event.message {
///         ids.push(confirm.id);
///     }
/// });
/// assert_eq!(ids, [1]);
/// ```
#[derive(Debug)]
pub struct Session {
    engine: Engine,
    transport: Transport,
    limits: SessionLimits,
    unpacker: Unpacker,
    /// The possible compressions of a connection from which nothing was received.
    candidates: Candidates,
    links: BTreeMap<u32, Link>,
    state: SessionState,
    /// The number of incomplete packets of clients that were forgotten.
    incomplete: u64,
    /// The number of calls of `receive` and `rewrite`. It serves as a clock that dates the last
    /// activity of each link.
    clock: u64,
}

/// The connection of one client.
#[derive(Debug, Default)]
struct Link {
    heard: u64,
    enet: enet::EnetConnection,
    streams: [stream::Stream; 2],
}

impl Link {
    fn incomplete(&self) -> u64 {
        let streams = self.streams.iter().map(stream::Stream::incomplete);
        self.enet.incomplete() + streams.sum::<u64>()
    }
}

impl Session {
    /// Creates a session with default limits. The session finds out by trying how each client's ENet
    /// datagrams are compressed.
    #[must_use]
    pub fn new(engine: Engine, transport: Transport) -> Session {
        Session {
            engine,
            transport,
            limits: SessionLimits::default(),
            unpacker: Unpacker::new(),
            candidates: Candidates::default(),
            links: BTreeMap::new(),
            state: SessionState::default(),
            incomplete: 0,
            clock: 0,
        }
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn with_limits(mut self, limits: SessionLimits) -> Session {
        self.limits = limits;
        self.state.set_limits(limits);
        self
    }

    /// Sets how all ENet datagrams are compressed.
    #[must_use]
    pub fn with_compression(mut self, compression: Compression) -> Session {
        self.candidates = Candidates::from(compression);
        self
    }

    /// The compression of the ENet datagrams from and to a client. This is the one that
    /// [`Session::with_compression`] set, or the only one that can unpack all of these datagrams so
    /// far. `None` if several compressions are still possible.
    #[must_use]
    pub fn compression(&self, link: u32) -> Option<Compression> {
        let link = self.links.get(&link);
        let left = link.map(|link| link.enet.candidates(self.candidates));
        left.unwrap_or(self.candidates).decided()
    }

    /// Returns `true` if the [compression](Session::compression) of any client's datagrams is
    /// known.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        let mut links = self.links.keys();
        links.any(|&link| self.compression(link).is_some())
    }

    /// Returns `true` if several compressions can unpack an ENet datagram and no datagram of its
    /// connection has decided yet. [`Session::receive`] would then report the datagram as
    /// [`Undecided`](crate::PacketErrorKind::Undecided). This method reports no events, but it
    /// remembers what the datagram shows about the compression. [`Undecided`] holds these datagrams
    /// until a later one decides.
    pub fn is_undecided(&mut self, link: u32, bytes: &[u8]) -> bool {
        let (Transport::Enet, Ok(datagram)) = (self.transport, Datagram::parse(bytes)) else {
            return false;
        };
        if !datagram.header().compressed {
            return false;
        }
        self.make_room(link);
        let directions = &mut self.links.entry(link).or_default().enet;
        directions.is_undecided(datagram, &mut self.unpacker, self.candidates)
    }

    /// The known peers, paths and nodes.
    #[must_use]
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// The number of clients (links) whose state this session keeps.
    #[must_use]
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Takes a datagram, or the next piece of a stream, from or to the client `link`. `link` is any
    /// number that identifies the client, such as its index in a list of addresses. Calls `each`
    /// for every event in `bytes`.
    ///
    /// A damaged packet is reported as [`Message::Damaged`](crate::Message::Damaged) between the
    /// good ones. After damage in a stream, nothing more of this stream is reported.
    pub fn receive(
        &mut self,
        link: u32,
        direction: Direction,
        bytes: &[u8],
        mut each: impl FnMut(SessionEvent<'_>),
    ) {
        let mut each = |event: SessionEvent<'_>, _: &mut Vec<u8>| {
            each(event);
            PacketEdit::Unchanged
        };
        self.take(link, direction, bytes, &mut each, None);
    }

    /// Like [`Session::receive`], for a proxy between server and client. `each` decides for each
    /// event whether its packet is changed or dropped, and `forwarded` receives the bytes to be
    /// sent on. [`PacketEditor::edit`](crate::PacketEditor::edit) makes these decisions by rules.
    /// See [`docs/PACKETS.md` §4].
    ///
    /// If nothing in a datagram is changed, the original is sent on. A changed ENet datagram is
    /// sent without compression, and all commands keep their numbers.
    ///
    /// * A dropped reliable packet is replaced by a packet that does nothing, because the receiver
    ///   waits for its number.
    /// * A fragmented packet of up to 32 KiB is held until it is complete
    ///   ([`SessionEvent::is_editable`]). A reliable packet is sent on in the same number of
    ///   fragments, an unreliable packet in any number.
    /// * A packet that grows beyond [`SessionEvent::max_len`] is sent on unchanged, and
    ///   [`Forwarded::too_long`] counts it.
    /// * Incomplete messages of a stream are held. After damage the rest of the stream is sent on
    ///   unread, unless `each` drops the damaged part.
    ///
    /// ```
    /// use gdvar_packet::{Arg, Transport, Direction, PacketEdit, Engine, Filter, Forwarded, PacketEditor, Session, gdvar_write::Target};
    ///
    /// let hits = Filter::parse("args[0] > 50")?;
    /// let mut editor = PacketEditor::new().replace(hits, "args[0]", Arg::from(1), Target::GODOT_4)?;
    /// let (mut session, mut forwarded) = (Session::new(Engine::Godot4, Transport::Enet), Forwarded::new());
    /// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64";
    /// session.rewrite(0, Direction::ToServer, datagram, &mut forwarded, |event, out| {
    ///     editor.edit(&event, None, out).unwrap_or(PacketEdit::Unchanged)
    /// });
    /// let mut pieces = forwarded.pieces();
    /// assert_eq!(pieces.next().unwrap(), b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x01");
    /// # Ok::<(), gdvar_packet::FilterError>(())
    /// ```
    ///
    /// [`docs/PACKETS.md` §4]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#4-handing-packets-on
    pub fn rewrite(
        &mut self,
        link: u32,
        direction: Direction,
        bytes: &[u8],
        forwarded: &mut Forwarded,
        mut each: impl FnMut(SessionEvent<'_>, &mut Vec<u8>) -> PacketEdit,
    ) {
        forwarded.clear();
        self.take(link, direction, bytes, &mut each, Some(forwarded));
        if matches!(self.transport, Transport::Enet) {
            forwarded.end(bytes);
        }
    }

    fn take(
        &mut self,
        link: u32,
        direction: Direction,
        bytes: &[u8],
        each: &mut dyn FnMut(SessionEvent<'_>, &mut Vec<u8>) -> PacketEdit,
        forwarded: Option<&mut Forwarded>,
    ) {
        self.clock += 1;
        self.make_room(link);
        let entry = self.links.entry(link).or_default();
        entry.heard = self.clock;
        let mut emitter = emitter::Emitter {
            engine: self.engine,
            link,
            direction,
            state: &mut self.state,
            each,
            edit: PacketEdit::Unchanged,
            forwarded,
        };
        match self.transport {
            Transport::Enet => {
                let compression = (&mut self.unpacker, self.candidates);
                entry
                    .enet
                    .receive(bytes, compression, self.limits, &mut emitter);
            }
            Transport::Values => {
                emitter.value(bytes);
                emitter.forward(bytes, |edited, forwarded| {
                    if edited.len() > MAX_UDP {
                        forwarded.push_too_long(bytes);
                    } else {
                        forwarded.push(edited);
                    }
                });
            }
            Transport::WebSocket | Transport::Records | Transport::Debugger => {
                let stream = &mut entry.streams[direction.index()];
                stream.receive(self.transport, bytes, self.limits, &mut emitter);
            }
        }
    }

    /// Notes that a piece of a stream is missing. It counts as one [incomplete](Session::incomplete)
    /// message, because there is no telling how many were in it.
    /// Drops incomplete messages, and skips bytes until messages are recognized again. Messages are
    /// recognized in a call of [`Session::receive`] whose bytes consist only of messages: from any
    /// offset on for WebSocket, from the first byte on for records. The header of a WebSocket frame
    /// may be alone in the call before. Missing datagrams need no call,
    /// because each datagram is read by itself.
    pub fn lose(&mut self, link: u32, direction: Direction) {
        if let Transport::WebSocket | Transport::Records | Transport::Debugger = self.transport {
            let link = self.links.entry(link).or_default();
            link.streams[direction.index()].lose();
        }
    }

    /// Notes that a stream began before the session: skips bytes as [`Session::lose`] does, without
    /// a count.
    pub fn join(&mut self, link: u32, direction: Direction) {
        if let Transport::WebSocket | Transport::Records | Transport::Debugger = self.transport {
            let link = self.links.entry(link).or_default();
            link.streams[direction.index()].join();
        }
    }

    /// Returns `false` after [`Session::lose`] or [`Session::join`] until messages are recognized again, or bytes that may
    /// be the header of one.
    #[must_use]
    pub fn is_aligned(&self, link: u32, direction: Direction) -> bool {
        let link = self.links.get(&link);
        link.is_none_or(|link| link.streams[direction.index()].is_aligned())
    }

    /// The number of bytes held for incomplete packets, messages and records.
    #[must_use]
    pub fn pending(&self) -> usize {
        let link = |link: &Link| {
            let streams = link.streams.iter().map(stream::Stream::pending);
            link.enet.pending() + streams.sum::<usize>()
        };
        self.links.values().map(link).sum()
    }

    /// The number of ENet packets that are not reported because only some of their fragments
    /// arrived, and of messages of streams that are not reported because a piece is missing
    /// ([`Session::lose`]) or did not arrive yet. At the end of a capture, these are the packets that
    /// the capture does not contain completely.
    #[must_use]
    pub fn incomplete(&self) -> u64 {
        let links = self.links.values();
        self.incomplete + links.map(Link::incomplete).sum::<u64>()
    }

    /// Forgets a client with its paths and nodes: for a connection that is closed.
    pub fn forget(&mut self, link: u32) {
        if let Some(link) = self.links.remove(&link) {
            self.incomplete += link.incomplete();
        }
        self.state.forget_link(link);
    }

    /// Makes room for the client `link` if it is new: forgets the client that was silent longest
    /// once the limit is reached.
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
