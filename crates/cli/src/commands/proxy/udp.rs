//! Datagrams: a socket for all clients, and one to the server for each of them.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::{Duration, Instant},
};

use gdvar_packet::{Direction, capture::Protocol};
use mio::{Events, Interest, Poll, Token, net::UdpSocket};

use super::{
    network::{Network, Queue},
    relay::{Failure, Line, Place, Relay},
};

/// The longest datagram.
const LONGEST: usize = 1 << 16;
/// As many datagrams of a socket are taken before it is another's turn.
const TURN: usize = 64;
/// A client that was silent so long makes room for a new one. ENet says something every half second.
const SILENCE: Duration = Duration::from_secs(10);
const LISTEN: Token = Token(0);

struct Client {
    line: Line,
    socket: UdpSocket,
    heard: Instant,
}

/// The target of a datagram: which client's side, and which line. A line's number is never used again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Way {
    direction: Direction,
    place: usize,
    link: u32,
}

struct Proxy<'m, 'a> {
    relay: &'m mut Relay<'a>,
    network: Network,
    place: Place,
    listen: UdpSocket,
    poll: Poll,
    clients: Vec<Client>,
    places: HashMap<SocketAddr, usize>,
    next_link: u32,
    queue: Queue<Way>,
}

/// Runs until its time is over.
pub(super) fn run(relay: &mut Relay<'_>, place: &Place, network: Network) -> Result<(), Failure> {
    let socket = |error| Failure::socket("the system's sockets", &error);
    let poll = Poll::new().map_err(socket)?;
    let mut listen = UdpSocket::bind(place.listen)
        .map_err(|error| Failure::socket(&place.listen.to_string(), &error))?;
    poll.registry()
        .register(&mut listen, LISTEN, Interest::READABLE)
        .map_err(socket)?;
    relay.ready(place, listen.local_addr().map_err(socket)?)?;
    Proxy {
        relay,
        network,
        place: *place,
        listen,
        poll,
        clients: Vec::new(),
        places: HashMap::new(),
        next_link: 0,
        queue: Queue::new(),
    }
    .run()
}

impl Proxy<'_, '_> {
    fn run(mut self) -> Result<(), Failure> {
        let mut events = Events::with_capacity(256);
        let mut buffer = vec![0; LONGEST];
        // Sockets that had more than a turn's datagrams.
        let mut again: Vec<Token> = Vec::new();
        loop {
            let now = Instant::now();
            if self.place.until.is_some_and(|until| until <= now) {
                return Ok(());
            }
            while let Some((way, bytes)) = self.queue.pop(now) {
                self.send(way, &bytes);
            }
            let next = [self.queue.next_due(), self.place.until];
            let next = next.into_iter().flatten().min();
            let mut timeout = next.map(|next| next.saturating_duration_since(now));
            if again.is_empty() {
                self.relay.flush()?;
            } else {
                timeout = Some(Duration::ZERO);
            }
            match self.poll.poll(&mut events, timeout) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                    return Err(Failure::socket("the system's sockets", &error));
                }
                _ => {}
            }
            let mut ready = std::mem::take(&mut again);
            let new = events.iter().map(mio::event::Event::token);
            let new: Vec<Token> = new.filter(|token| !ready.contains(token)).collect();
            ready.extend(new);
            for token in ready {
                let is_empty = match token {
                    LISTEN => self.take_from_clients(&mut buffer),
                    Token(n) => self.take_from_server(n - 1, &mut buffer),
                };
                if !is_empty {
                    again.push(token);
                }
            }
        }
    }

    /// Takes a turn's datagrams of clients; whether those were all.
    fn take_from_clients(&mut self, buffer: &mut [u8]) -> bool {
        for _ in 0..TURN {
            match self.listen.recv_from(buffer) {
                Ok((len, from)) => {
                    if let Some(place) = self.client(from) {
                        self.take(Direction::ToServer, place, &buffer[..len]);
                    } else {
                        self.relay.counts.refused += 1;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                // A client that is gone; there may be others.
                Err(_) => {}
            }
        }
        false
    }

    /// Takes a turn's datagrams of the server for a client.
    fn take_from_server(&mut self, place: usize, buffer: &mut [u8]) -> bool {
        for _ in 0..TURN {
            let Some(client) = self.clients.get(place) else {
                return true;
            };
            match client.socket.recv(buffer) {
                Ok(len) => self.take(Direction::ToClient, place, &buffer[..len]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                // A server that is not there yet.
                Err(_) => {}
            }
        }
        false
    }

    /// Takes one datagram.
    fn take(&mut self, direction: Direction, place: usize, bytes: &[u8]) {
        if self.network.loses() {
            self.relay.counts.heard += 1;
            self.relay.counts.lost += 1;
            return;
        }
        let Some(client) = self.clients.get(place) else {
            return;
        };
        let line = client.line;
        let way = Way {
            direction,
            place,
            link: line.link,
        };
        let (network, queue) = (&mut self.network, &mut self.queue);
        let (listen, mut lost) = (&self.listen, 0);
        let mut handed_on: Vec<Vec<u8>> = Vec::new();
        let is_recorded = self.relay.is_recorded();
        self.relay.pass(line, direction, bytes, |bytes| {
            let delay = network.delay();
            if delay.is_zero() {
                send(listen, client, direction, bytes);
            } else if !queue.push(Instant::now() + delay, way, bytes) {
                lost += 1;
            }
            if is_recorded {
                handed_on.push(bytes.into());
            }
        });
        self.relay.counts.lost += lost;
        for bytes in handed_on {
            self.relay.record(line, direction, Protocol::Udp, &bytes);
        }
    }

    /// Sends a datagram that was late.
    fn send(&self, way: Way, bytes: &[u8]) {
        let client = self.clients.get(way.place);
        if let Some(client) = client.filter(|client| client.line.link == way.link) {
            send(&self.listen, client, way.direction, bytes);
        }
    }

    /// The place of the client with that address, new or known; `None` if there are too many.
    fn client(&mut self, address: SocketAddr) -> Option<usize> {
        let now = Instant::now();
        if let Some(&place) = self.places.get(&address) {
            self.clients[place].heard = now;
            return Some(place);
        }
        let place = if self.clients.len() < self.place.clients {
            self.clients.len()
        } else {
            let (place, silent) = { self.clients.iter().enumerate() }
                .min_by_key(|(_, client)| client.heard)
                .map(|(place, client)| (place, now.duration_since(client.heard)))?;
            if silent < SILENCE {
                return None;
            }
            place
        };
        let target = self.place.target;
        let mut socket = UdpSocket::bind(any(target)).ok()?;
        socket.connect(target).ok()?;
        let registry = self.poll.registry();
        registry
            .register(&mut socket, Token(place + 1), Interest::READABLE)
            .ok()?;
        let client = Client {
            line: Line {
                link: self.next_link,
                client: address,
                server: target,
            },
            socket,
            heard: now,
        };
        self.next_link = self.next_link.wrapping_add(1);
        self.relay.counts.clients += 1;
        if let Some(old) = self.clients.get_mut(place) {
            let mut old = std::mem::replace(old, client);
            let _ = registry.deregister(&mut old.socket);
            self.places.remove(&old.line.client);
            self.relay.forget(old.line.link);
        } else {
            self.clients.push(client);
        }
        self.places.insert(address, place);
        Some(place)
    }
}

/// A datagram that cannot be sent is lost, as in any network.
fn send(listen: &UdpSocket, client: &Client, direction: Direction, bytes: &[u8]) {
    let _ = match direction {
        Direction::ToServer => client.socket.send(bytes),
        Direction::ToClient => listen.send_to(bytes, client.line.client),
    };
}

/// Any port of the same kind of address.
fn any(target: SocketAddr) -> SocketAddr {
    let ip: IpAddr = match target {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    SocketAddr::new(ip, 0)
}
