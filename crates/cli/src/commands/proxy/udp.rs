//! Relays datagrams. All clients share one socket; each client has its own socket to the server.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::{Duration, Instant},
};

use gdvar_packet::{Direction, capture::Protocol};
use mio::{Events, Interest, Poll, Token, net::UdpSocket};

use super::{
    network::{DIRECTIONS, Fate, HELD, Network, Way},
    queue::Queue,
    relay::{self, Counts, LISTEN, Link, Relay, system},
};
use crate::commands::{fnv::fnv, packets::Failure};

/// The size of the receive buffer, which is larger than any datagram.
const LONGEST: usize = 1 << 16;
/// The largest number of datagrams that are read from a socket before the next socket gets its turn.
const TURN: usize = 64;
/// A client that has been silent for this long can be replaced by a new one. ENet sends something every half second.
const SILENCE: Duration = Duration::from_secs(10);

struct Client {
    link: Link,
    socket: UdpSocket,
    /// The way to the server, and the way to the client.
    ways: [Way; 2],
    /// The time when the client's last datagram came.
    heard: Instant,
}

/// The destination of a datagram. `link` is unique, so that a late datagram does not reach a new client that has the
/// same index `place`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Destination {
    direction: Direction,
    place: usize,
    link: u32,
}

struct Proxy<'r, 'a> {
    relay: &'r mut Relay<'a>,
    network: &'r Network,
    listen: UdpSocket,
    poll: Poll,
    clients: Vec<Client>,
    /// The index in `clients` of each address.
    places: HashMap<SocketAddr, usize>,
    next_link: u32,
    queue: Queue<Destination>,
}

/// Relays until [`Relay::is_over`].
pub(super) fn run(relay: &mut Relay<'_>, network: &Network) -> Result<(), Failure> {
    let (listen, poll) = relay::listen(relay, UdpSocket::bind)?;
    relay.ready(listen.local_addr().map_err(system)?)?;
    Proxy {
        relay,
        network,
        listen,
        poll,
        clients: Vec::new(),
        places: HashMap::new(),
        next_link: 0,
        queue: Queue::default(),
    }
    .run()
}

impl Proxy<'_, '_> {
    fn run(mut self) -> Result<(), Failure> {
        let mut events = Events::with_capacity(256);
        let mut buffer = vec![0; LONGEST];
        // The sockets that may have more datagrams than one turn allows.
        let mut again: Vec<Token> = Vec::new();
        loop {
            let now = Instant::now();
            if self.relay.is_over(now) {
                return Ok(());
            }
            while let Some((destination, bytes)) = self.queue.pop(now) {
                self.send(destination, &bytes);
            }
            let mut next = self
                .queue
                .next_due()
                .into_iter()
                .chain(self.relay.until)
                .min();
            if again.is_empty() {
                self.relay.flush()?;
            } else {
                next = Some(now);
            }
            relay::wait(&mut self.poll, &mut events, next)?;
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

    /// Reads the datagrams of clients, up to `TURN` of them. Returns `true` if there are no more.
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
                // The error concerns one client that has left; there may be datagrams of others.
                Err(_) => {}
            }
        }
        false
    }

    /// Reads the server's datagrams for a client, up to `TURN` of them. Returns `true` if there are no more.
    fn take_from_server(&mut self, place: usize, buffer: &mut [u8]) -> bool {
        for _ in 0..TURN {
            let Some(client) = self.clients.get(place) else {
                return true;
            };
            match client.socket.recv(buffer) {
                Ok(len) => self.take(Direction::ToClient, place, &buffer[..len]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return true,
                // The server does not listen yet.
                Err(_) => {}
            }
        }
        false
    }

    /// Processes a datagram: loses it, sends it on, or queues it.
    fn take(&mut self, direction: Direction, place: usize, bytes: &[u8]) {
        let Some(client) = self.clients.get_mut(place) else {
            return;
        };
        let Client {
            link, socket, ways, ..
        } = client;
        let [up, down] = ways;
        let (link, sockets) = (*link, (&self.listen, &*socket));
        let (network, now) = (self.network, Instant::now());
        let way = match direction {
            Direction::ToServer => up,
            Direction::ToClient => down,
        };
        if way.loses(network, now) {
            self.relay.counts.heard += 1;
            self.relay.counts.lost += 1;
            return;
        }
        let destination = Destination {
            direction,
            place,
            link: link.number,
        };
        let (queue, mut counts) = (&mut self.queue, Counts::default());
        let mut handed_on: Vec<Vec<u8>> = Vec::new();
        let is_recorded = self.relay.is_recorded();
        self.relay.pass(link, direction, bytes, |bytes| {
            let fate = way.datagram(network, now, bytes.len());
            let Some(Fate {
                due,
                is_twice,
                is_held,
            }) = fate
            else {
                counts.lost += 1;
                return;
            };
            let times = 1 + usize::from(is_twice);
            for _ in 0..times {
                if is_held {
                    let place = queue.push(due + HELD, destination, bytes);
                    counts.lost += u64::from(place.is_none());
                    way.held.extend(place);
                } else if due <= now {
                    send(sockets, link, direction, bytes);
                } else {
                    let place = queue.push(due, destination, bytes);
                    counts.lost += u64::from(place.is_none());
                }
            }
            counts.doubled += u64::from(is_twice);
            if !is_held {
                let late = way.held.drain(..).map(|held| queue.put_off(held, due));
                counts.overtaken += u64::from(late.fold(false, |any, late| any | late));
            }
            if is_recorded {
                handed_on.extend((0..times).map(|_| bytes.to_vec()));
            }
        });
        let total = &mut self.relay.counts;
        total.lost += counts.lost;
        total.doubled += counts.doubled;
        total.overtaken += counts.overtaken;
        for bytes in handed_on {
            self.relay.record(link, direction, Protocol::Udp, &bytes);
        }
    }

    /// Sends a datagram from the queue, unless its client has been replaced.
    fn send(&self, to: Destination, bytes: &[u8]) {
        let client = self.clients.get(to.place);
        if let Some(client) = client.filter(|client| client.link.number == to.link) {
            let sockets = (&self.listen, &client.socket);
            send(sockets, client.link, to.direction, bytes);
        }
    }

    /// Returns the index of the client at `address`, and creates the client if it is new. `None` if there are too many
    /// clients, or if the system has no socket for a new one.
    fn client(&mut self, address: SocketAddr) -> Option<usize> {
        let now = Instant::now();
        if let Some(&place) = self.places.get(&address) {
            self.clients[place].heard = now;
            return Some(place);
        }
        let place = if self.clients.len() < self.relay.most_clients() {
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
        let target = self.relay.target;
        let mut socket = upstream(target, address).ok()?;
        let registry = self.poll.registry();
        registry
            .register(&mut socket, Token(place + 1), Interest::READABLE)
            .ok()?;
        let (network, number) = (self.network, self.next_link);
        let client = Client {
            link: Link {
                number,
                client: address,
            },
            socket,
            ways: DIRECTIONS.map(|direction| Way::new(network, number, direction)),
            heard: now,
        };
        self.next_link = self.next_link.wrapping_add(1);
        self.relay.counts.clients += 1;
        if let Some(old) = self.clients.get_mut(place) {
            let mut old = std::mem::replace(old, client);
            let _ = registry.deregister(&mut old.socket);
            self.places.remove(&old.link.client);
            self.relay.forget(old.link.number);
        } else {
            self.clients.push(client);
        }
        self.places.insert(address, place);
        Some(place)
    }
}

/// Sends a datagram to the client or the server. If that fails, the datagram is lost, as in any network.
fn send(
    (listen, server): (&UdpSocket, &UdpSocket),
    link: Link,
    direction: Direction,
    bytes: &[u8],
) {
    let _ = match direction {
        Direction::ToServer => server.send(bytes),
        Direction::ToClient => listen.send_to(bytes, link.client),
    };
}

/// The dynamic ports, which no service has (RFC 6335).
const PORTS: std::ops::RangeInclusive<u16> = 49_152..=65_535;

/// Creates a socket to the server for a client. The port is a hash of both addresses, so that the server recognizes the
/// client after the proxy was restarted.
fn upstream(target: SocketAddr, client: SocketAddr) -> io::Result<UdpSocket> {
    let ip: IpAddr = match target {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let hash = fnv(format!("{client} {target}").as_bytes());
    let count = u64::from(PORTS.end() - PORTS.start()) + 1;
    // Tries several ports, because other programs may use some of them. Port 0 lets the system choose.
    let ports = (0..4).map(|n| PORTS.start() + ((hash >> (16 * n)) % count) as u16);
    let socket = { ports.chain([0]) }.find_map(|port| UdpSocket::bind((ip, port).into()).ok());
    let socket = socket.ok_or(io::ErrorKind::AddrInUse)?;
    socket.connect(target)?;
    Ok(socket)
}
