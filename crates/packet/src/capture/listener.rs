//! [`Listener`]: follows the traffic of all servers in a capture.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    time::Duration,
};

use super::{
    Protocol, Segment, Unread,
    tcp::{Assembler, Piece},
};
use crate::{
    enet::{Body, Datagram, NO_PEER},
    error::Error,
    session::{Session, Undecided},
    tls::{is_dtls, is_tls},
    traffic::{Direction, Engine, SessionEvent, SessionLimits, Transport},
};

/// Follows the traffic of all servers in a capture. It recognizes servers and clients, and keeps a
/// [`Session`] for each server.
///
/// ```no_run
/// use gdvar_packet::{Transport, Engine, SessionEvent, capture::{Defragmenter, EventOrigin, Listener, Reader}};
///
/// let mut reader = Reader::new(std::fs::File::open("game.pcap")?)?;
/// let mut fragments = Defragmenter::new();
/// let mut listener = Listener::new(Engine::Godot4, Transport::Enet);
/// let print = |origin: EventOrigin, event: SessionEvent<'_>| println!("{:?} {} {}", origin.time, origin.client, event.message.name());
/// while let Some(packet) = reader.try_next()? {
///     let Ok(Some(segment)) = fragments.find(&packet) else { continue };
///     if let Err(unread) = listener.receive(packet.time, segment, print) {
///         println!("a packet {unread}");
///     }
/// }
/// listener.finish(print);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Listener {
    engine: Engine,
    transport: Transport,
    limits: SessionLimits,
    port: Option<u16>,
    only: Option<BTreeSet<SocketAddr>>,
    segments: u64,
    /// The number of segments that waited for a missing piece and then could not be read.
    lost_waiting: u64,
    servers: BTreeMap<SocketAddr, Server>,
}

#[derive(Debug)]
struct Server {
    session: Session,
    clients: BTreeMap<SocketAddr, Client>,
    next_link: u32,
}

#[derive(Debug)]
struct Client {
    link: u32,
    last_heard: Duration,
    undecided: Undecided<EventOrigin>,
    streams: [Assembler; 2],
}

/// Where and when a [`SessionEvent`] was captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventOrigin {
    /// The time of capture, since 1970.
    pub time: Duration,
    /// The address of the server, whichever side sent the event.
    pub server: SocketAddr,
    /// The address of the client, whichever side sent the event.
    pub client: SocketAddr,
    /// The number of the datagram or segment that delivered the event. The listener numbers the
    /// datagrams and segments that it reads, from 1.
    pub segment: u64,
    /// The payload size of this datagram or segment, in bytes. 0 for stream data that only
    /// [`Listener::finish`] reports.
    pub payload_len: usize,
}

/// The limit for the servers that a listener follows. Traffic of further servers is not read.
const SERVERS: usize = 64;

impl Listener {
    /// Creates a listener for servers at any port.
    #[must_use]
    pub fn new(engine: Engine, transport: Transport) -> Listener {
        Listener {
            engine,
            transport,
            limits: SessionLimits::default(),
            port: None,
            only: None,
            segments: 0,
            lost_waiting: 0,
            servers: BTreeMap::new(),
        }
    }

    /// Reads only the traffic of servers at this port.
    #[must_use]
    pub fn with_port(self, port: u16) -> Listener {
        Listener {
            port: Some(port),
            ..self
        }
    }

    /// Reads only the traffic of these servers.
    #[must_use]
    pub fn with_servers(self, servers: BTreeSet<SocketAddr>) -> Listener {
        let only = Some(servers);
        Listener { only, ..self }
    }

    /// Sets the limits of each server's session.
    #[must_use]
    pub fn with_limits(self, limits: SessionLimits) -> Listener {
        Listener { limits, ..self }
    }

    /// The servers found so far, with their sessions.
    pub fn servers(&self) -> impl Iterator<Item = (SocketAddr, &Session)> {
        self.servers
            .iter()
            .map(|(at, server)| (*at, &server.session))
    }

    /// The number of segments that [`Listener::receive`] held because an earlier piece of their
    /// stream was missing, and in which no message was recognized ([`Unread::AfterGap`]).
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.lost_waiting
    }

    /// Takes a segment and calls `each` for every event in it. If several compressions can unpack
    /// an ENet datagram, the listener holds this datagram and the datagrams after it, until one of
    /// them shows which compression the connection uses ([`Undecided`]). The events of held
    /// datagrams are reported with the times of their datagrams.
    ///
    /// # Errors
    /// Returns [`Unread::OtherConversation`] for a segment of another protocol, of a server that
    /// the listener does not follow, or with a payload that does not look like the transport.
    /// Returns [`Unread::Encrypted`] for DTLS or TLS. Returns [`Unread::AfterGap`] after a missing
    /// piece of a stream, until messages are recognized again.
    pub fn receive(
        &mut self,
        time: Duration,
        segment: Segment<'_>,
        mut each: impl FnMut(EventOrigin, SessionEvent<'_>),
    ) -> Result<(), Unread> {
        let is_encrypted = match segment.protocol {
            Protocol::Udp => is_dtls(segment.payload),
            Protocol::Tcp { .. } => is_tls(segment.payload),
        };
        let other = match is_encrypted {
            true => Unread::Encrypted,
            false => Unread::OtherConversation,
        };
        let is_tcp = !matches!(self.transport, Transport::Enet | Transport::Values);
        if is_tcp != matches!(segment.protocol, Protocol::Tcp { .. }) || is_encrypted && !is_tcp {
            return Err(other);
        }
        let direction = self.direction(segment).ok_or(other)?;
        let (at, client_at) = match direction {
            Direction::ToServer => (segment.target, segment.source),
            Direction::ToClient => (segment.source, segment.target),
        };
        if !self.servers.contains_key(&at) && self.servers.len() >= SERVERS {
            return Err(Unread::OtherConversation);
        }
        let (engine, transport, limits) = (self.engine, self.transport, self.limits);
        let server = self.servers.entry(at).or_insert_with(|| Server {
            session: Session::new(engine, transport).with_limits(limits),
            clients: BTreeMap::new(),
            next_link: 0,
        });
        server.admit(client_at, time, limits, &mut each);
        self.segments += 1;
        let origin = EventOrigin {
            time,
            server: at,
            client: client_at,
            segment: self.segments,
            payload_len: segment.payload.len(),
        };
        let lost_waiting = &mut self.lost_waiting;
        let stream = (client_at, direction);
        server.receive(stream, origin, segment, limits, lost_waiting, &mut each)
    }

    /// Ends the capture: calls `each` for events that waited for a missing piece of a stream, or
    /// for a datagram that decides about compression.
    pub fn finish(&mut self, mut each: impl FnMut(EventOrigin, SessionEvent<'_>)) {
        for (&at, server) in &mut self.servers {
            for (&client_at, client) in &mut server.clients {
                let undecided = &mut client.undecided;
                undecided.finish(&mut server.session, client.link, &mut each);
                for direction in [Direction::ToServer, Direction::ToClient] {
                    let origin = EventOrigin {
                        time: client.last_heard,
                        server: at,
                        client: client_at,
                        segment: self.segments,
                        payload_len: 0,
                    };
                    let (session, link) = (&mut server.session, client.link);
                    let mut each = |event: SessionEvent<'_>| each(origin, event);
                    client.streams[direction as usize].finish(&mut |piece| {
                        self.lost_waiting +=
                            u64::from(!give(session, (link, direction), piece, &mut each));
                    });
                }
            }
        }
    }

    /// Returns the direction of a segment, or `None` if the listener does not read it.
    fn direction(&self, segment: Segment<'_>) -> Option<Direction> {
        let (source, target) = (segment.source, segment.target);
        if let Some(servers) = &self.only {
            return match (servers.contains(&target), servers.contains(&source)) {
                (true, _) => Some(Direction::ToServer),
                (false, true) => Some(Direction::ToClient),
                (false, false) => None,
            };
        }
        if let Some(port) = self.port {
            return match (target.port() == port, source.port() == port) {
                (true, _) => Some(Direction::ToServer),
                (false, true) => Some(Direction::ToClient),
                (false, false) => None,
            };
        }
        if self.servers.contains_key(&target) {
            return Some(Direction::ToServer);
        }
        if self.servers.contains_key(&source) {
            return Some(Direction::ToClient);
        }
        if self.transport == Transport::Enet && !looks_like_enet(segment.payload) {
            return None;
        }
        // The side that opens a connection is the client. If the capture begins in the middle of a
        // connection, the client is the side with the higher port.
        let opens = match segment.protocol {
            Protocol::Udp => {
                is_enet_connect(segment.payload) || self.transport == Transport::Values
            }
            Protocol::Tcp { is_syn, is_ack, .. } => {
                if is_syn && is_ack {
                    return Some(Direction::ToClient);
                }
                is_syn
            }
        };
        if opens || target.port() < source.port() {
            Some(Direction::ToServer)
        } else {
            Some(Direction::ToClient)
        }
    }
}

impl Server {
    /// Notes that a client was active. At the limit, a new client replaces the one that was silent
    /// longest.
    fn admit(
        &mut self,
        at: SocketAddr,
        time: Duration,
        limits: SessionLimits,
        each: &mut dyn FnMut(EventOrigin, SessionEvent<'_>),
    ) {
        if let Some(client) = self.clients.get_mut(&at) {
            client.last_heard = time;
            return;
        }
        if self.clients.len() >= limits.links.max(1) {
            let oldest = self
                .clients
                .iter()
                .min_by_key(|(_, client)| client.last_heard);
            let oldest = oldest.map(|(&oldest, _)| oldest);
            if let Some(mut client) = oldest.and_then(|oldest| self.clients.remove(&oldest)) {
                let (session, link) = (&mut self.session, client.link);
                client.undecided.finish(session, link, each);
                session.forget(link);
            }
        }
        let client = Client {
            link: self.next_link,
            last_heard: time,
            undecided: Undecided::default(),
            streams: Default::default(),
        };
        self.next_link = self.next_link.wrapping_add(1);
        self.clients.insert(at, client);
    }

    fn receive(
        &mut self,
        (client, direction): (SocketAddr, Direction),
        origin: EventOrigin,
        segment: Segment<'_>,
        limits: SessionLimits,
        lost_waiting: &mut u64,
        each: &mut dyn FnMut(EventOrigin, SessionEvent<'_>),
    ) -> Result<(), Unread> {
        let (session, Some(client)) = (&mut self.session, self.clients.get_mut(&client)) else {
            return Err(Unread::OtherConversation);
        };
        let link = client.link;
        let Protocol::Tcp {
            sequence, is_syn, ..
        } = segment.protocol
        else {
            let undecided = &mut client.undecided;
            undecided.receive(session, (link, direction), segment.payload, origin, each);
            return Ok(());
        };
        let stream = &mut client.streams[direction as usize];
        if is_syn {
            stream.open(sequence);
            if direction == Direction::ToServer {
                session.forget(link);
            }
            return Ok(());
        }
        let (time, limit) = (origin.time, limits.packet_len);
        let mut each = |event: SessionEvent<'_>| each(origin, event);
        // A segment that waits for an earlier one is counted when it is given to the session, once.
        let mut is_read = true;
        stream.insert(time, sequence, segment.payload, limit, &mut |piece| {
            let has_waited = matches!(piece, Piece::Waited(_));
            match give(session, (link, direction), piece, &mut each) {
                true => {}
                false if has_waited => *lost_waiting += 1,
                false => is_read = false,
            }
        });
        is_read.then_some(()).ok_or(Unread::AfterGap)
    }
}

/// Passes a piece of a stream, or a gap in it, to the session. Returns `false` if no message is
/// recognized in the piece, because an earlier one is missing.
fn give(
    session: &mut Session,
    (link, direction): (u32, Direction),
    piece: Piece<'_>,
    each: &mut dyn FnMut(SessionEvent<'_>),
) -> bool {
    match piece {
        Piece::Bytes(bytes) | Piece::Waited(bytes) => {
            session.receive(link, direction, bytes, each);
            session.is_aligned(link, direction)
        }
        Piece::Start => {
            session.join(link, direction);
            true
        }
        Piece::Gap => {
            session.lose(link, direction);
            true
        }
    }
}

/// Returns `true` if `payload` can be an ENet datagram: a header and either compressed bytes or
/// complete commands. A value of `put_var` never can: its second byte is zero, and the bytes from
/// the third one on are not a complete ENet command.
#[must_use]
pub fn looks_like_enet(payload: &[u8]) -> bool {
    let Ok(datagram) = Datagram::parse(payload) else {
        return false;
    };
    match datagram.commands() {
        Ok(mut commands) => !datagram.body().is_empty() && commands.all(|command| command.is_ok()),
        Err(_) => datagram.body().len() > 2,
    }
}

/// Returns `true` if `payload` can be the first datagram of an ENet connection: its sender has no
/// number yet and asks for one.
#[must_use]
pub fn is_enet_connect(payload: &[u8]) -> bool {
    let connects = |datagram: Datagram<'_>| -> Result<bool, Error> {
        let first = datagram.commands()?.try_next()?;
        Ok(first.is_some_and(|command| matches!(command.body, Body::Connect { .. })))
    };
    Datagram::parse(payload).is_ok_and(|datagram| {
        datagram.header().peer == NO_PEER && connects(datagram).unwrap_or(true)
    })
}
