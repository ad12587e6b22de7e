//! [`Listener`]: the conversations of a capture.

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
    Carrier, Direction, Engine, Error, Item, Limits, Session, Undecided,
    enet::{Body, Datagram, NO_PEER},
    tls::{is_dtls, is_tls},
};

/// Hears all servers of a capture: finds out who is server and who client, and has a [`Session`] for
/// each server.
///
/// ```no_run
/// use gdvar_packet::{Carrier, Engine, Item, capture::{Defragmenter, Heard, Listener, Reader}};
///
/// let mut reader = Reader::new(std::fs::File::open("game.pcap")?)?;
/// let mut fragments = Defragmenter::new();
/// let mut listener = Listener::new(Engine::Godot4, Carrier::Enet);
/// let print = |heard: Heard, item: Item<'_>| println!("{:?} {} {}", heard.time, heard.client, item.message.name());
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
    carrier: Carrier,
    limits: Limits,
    port: Option<u16>,
    only: Option<BTreeSet<SocketAddr>>,
    segments: u64,
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
    heard: Duration,
    undecided: Undecided<Heard>,
    streams: [Assembler; 2],
}

/// The place and time at which an [`Item`] was heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heard {
    /// When, since 1970.
    pub time: Duration,
    /// The server.
    pub server: SocketAddr,
    /// The client.
    pub client: SocketAddr,
    /// Which datagram or segment brought it, of those that the listener took.
    pub segment: u64,
    /// The number of bytes that this datagram or segment carries.
    pub payload_len: usize,
}

/// The most servers. Traffic that looks like more is not heard.
const SERVERS: usize = 64;

impl Listener {
    /// Hears servers at any port.
    #[must_use]
    pub fn new(engine: Engine, carrier: Carrier) -> Listener {
        Listener {
            engine,
            carrier,
            limits: Limits::default(),
            port: None,
            only: None,
            segments: 0,
            servers: BTreeMap::new(),
        }
    }

    /// Hears servers at that port only.
    #[must_use]
    pub fn with_port(self, port: u16) -> Listener {
        Listener {
            port: Some(port),
            ..self
        }
    }

    /// Hears these servers only.
    #[must_use]
    pub fn with_servers(self, servers: BTreeSet<SocketAddr>) -> Listener {
        let only = Some(servers);
        Listener { only, ..self }
    }

    /// Remembers no more than that.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Listener {
        Listener { limits, ..self }
    }

    /// The servers, and what was heard of each.
    pub fn servers(&self) -> impl Iterator<Item = (SocketAddr, &Session)> {
        self.servers
            .iter()
            .map(|(at, server)| (*at, &server.session))
    }

    /// Takes a segment; calls `each` for all packets in it. A datagram that several compressions of ENet read waits with those
    /// after it for one that decides ([`Undecided`]); its packets come then, with its own time.
    ///
    /// # Errors
    /// [`Unread::OtherConversation`] for another protocol and for what does not look like the carrier, or
    /// [`Unread::Encrypted`] if it is DTLS or TLS;
    /// [`Unread::AfterGap`] while messages cannot be told apart, because a piece of the stream is missing.
    pub fn receive(
        &mut self,
        time: Duration,
        segment: Segment<'_>,
        mut each: impl FnMut(Heard, Item<'_>),
    ) -> Result<(), Unread> {
        let is_encrypted = match segment.protocol {
            Protocol::Udp => is_dtls(segment.payload),
            Protocol::Tcp { .. } => is_tls(segment.payload),
        };
        let other = match is_encrypted {
            true => Unread::Encrypted,
            false => Unread::OtherConversation,
        };
        let is_tcp = !matches!(self.carrier, Carrier::Enet | Carrier::Values);
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
        let (engine, carrier, limits) = (self.engine, self.carrier, self.limits);
        let server = self.servers.entry(at).or_insert_with(|| Server {
            session: Session::new(engine, carrier).with_limits(limits),
            clients: BTreeMap::new(),
            next_link: 0,
        });
        server.admit(client_at, time, limits, &mut each);
        self.segments += 1;
        let heard = Heard {
            time,
            server: at,
            client: client_at,
            segment: self.segments,
            payload_len: segment.payload.len(),
        };
        server.receive(client_at, direction, heard, segment, limits, &mut each)
    }

    /// Calls `each` for what waits for a lost piece of a stream or for a datagram that decides its compression, because the
    /// capture is at its end.
    pub fn finish(&mut self, mut each: impl FnMut(Heard, Item<'_>)) {
        for (&at, server) in &mut self.servers {
            for (&client_at, client) in &mut server.clients {
                let undecided = &mut client.undecided;
                undecided.finish(&mut server.session, client.link, &mut each);
                for direction in [Direction::ToServer, Direction::ToClient] {
                    let heard = Heard {
                        time: client.heard,
                        server: at,
                        client: client_at,
                        segment: self.segments,
                        payload_len: 0,
                    };
                    let (session, link) = (&mut server.session, client.link);
                    let mut each = |item: Item<'_>| each(heard, item);
                    client.streams[direction as usize].finish(&mut |piece| {
                        give(session, link, direction, piece, &mut each);
                    });
                }
            }
        }
    }

    /// Which way a segment goes; `None` if it is not to be heard.
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
        if self.carrier == Carrier::Enet && !looks_like_enet(segment.payload) {
            return None;
        }
        // The side that opens a connection is the client; in the middle of one it is the higher
        // port.
        let opens = match segment.protocol {
            Protocol::Udp => is_enet_connect(segment.payload) || self.carrier == Carrier::Values,
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
    /// Notes that a client was heard; the one silent longest makes room for a new one.
    fn admit(
        &mut self,
        at: SocketAddr,
        time: Duration,
        limits: Limits,
        each: &mut dyn FnMut(Heard, Item<'_>),
    ) {
        if let Some(client) = self.clients.get_mut(&at) {
            client.heard = time;
            return;
        }
        if self.clients.len() >= limits.links.max(1) {
            let oldest = self.clients.iter().min_by_key(|(_, client)| client.heard);
            let oldest = oldest.map(|(&oldest, _)| oldest);
            if let Some(mut client) = oldest.and_then(|oldest| self.clients.remove(&oldest)) {
                let (session, link) = (&mut self.session, client.link);
                client.undecided.finish(session, link, each);
                session.forget(link);
            }
        }
        let client = Client {
            link: self.next_link,
            heard: time,
            undecided: Undecided::default(),
            streams: Default::default(),
        };
        self.next_link = self.next_link.wrapping_add(1);
        self.clients.insert(at, client);
    }

    fn receive(
        &mut self,
        client: SocketAddr,
        direction: Direction,
        heard: Heard,
        segment: Segment<'_>,
        limits: Limits,
        each: &mut dyn FnMut(Heard, Item<'_>),
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
            undecided.receive(session, (link, direction), segment.payload, heard, each);
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
        let (time, limit) = (heard.time, limits.packet_len);
        let mut each = |item: Item<'_>| each(heard, item);
        stream.insert(time, sequence, segment.payload, limit, &mut |piece| {
            give(session, link, direction, piece, &mut each);
        });
        let is_read = segment.payload.is_empty() || session.is_aligned(link, direction);
        is_read.then_some(()).ok_or(Unread::AfterGap)
    }
}

/// Hands a piece of a stream to the session.
fn give(
    session: &mut Session,
    link: u32,
    direction: Direction,
    piece: Piece<'_>,
    each: &mut dyn FnMut(Item<'_>),
) {
    match piece {
        Piece::Bytes(bytes) => session.receive(link, direction, bytes, each),
        Piece::Gap => session.lose(link, direction),
    }
}

/// Returns `true` if a datagram can be ENet's at all: a header and commands to the last byte, or
/// compressed. No value of `put_var` can, because byte 1 of each is zero and byte 2 is no number of a command with the
/// right length.
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

/// Returns `true` if a datagram can be the first of an ENet connection: the sender has no number yet, and asks for one.
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
