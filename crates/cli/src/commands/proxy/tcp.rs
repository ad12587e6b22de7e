//! Relays streams. Each client gets its own connection to the server.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, Read, Write},
    net::Shutdown,
    time::Instant,
};

use gdvar_packet::{Direction, capture::Protocol};
use mio::{
    Events, Interest, Poll, Token,
    net::{TcpListener, TcpStream},
};

use super::{
    network::{DIRECTIONS, Network, Way},
    relay::{self, LISTEN, Link, Relay, system},
};
use crate::commands::packets::Failure;

/// The proxy stops reading while this many bytes wait to be written.
const WAITING: usize = 256 << 10;

/// One end of a connection, and whether it can be read and written.
struct Side {
    stream: TcpStream,
    readable: bool,
    writable: bool,
}

/// The bytes of one direction that were read and not yet written.
struct Pipe {
    way: Way,
    late: VecDeque<(Instant, Vec<u8>)>,
    ready: Vec<u8>,
    /// The number of bytes in `late` and `ready`.
    waiting: usize,
    /// `true` if the sender has closed its direction.
    has_ended: bool,
    /// `true` if the receiver was told that the sender has closed its direction.
    is_closed: bool,
    /// The next sequence number of the recording.
    sequence: u32,
}

struct Connection {
    link: Link,
    /// The client's end, then the server's end.
    sides: [Side; 2],
    /// The pipe to the server, then the pipe to the client.
    pipes: [Pipe; 2],
    /// `true` if there is a connection to the server.
    is_reached: bool,
}

/// The index of the server's end in [`Connection::sides`].
const SERVER: usize = 1;

struct Proxy<'r, 'a> {
    relay: &'r mut Relay<'a>,
    listener: TcpListener,
    poll: Poll,
    connections: BTreeMap<u32, Connection>,
    next_link: u32,
}

/// Relays until [`Relay::is_over`].
pub(super) fn run(relay: &mut Relay<'_>, network: &Network) -> Result<(), Failure> {
    let (listener, poll) = relay::listen(relay, TcpListener::bind)?;
    relay.ready(listener.local_addr().map_err(system)?)?;
    Proxy {
        relay,
        listener,
        poll,
        connections: BTreeMap::new(),
        next_link: 0,
    }
    .run(network)
}

impl Proxy<'_, '_> {
    fn run(mut self, network: &Network) -> Result<(), Failure> {
        let mut events = Events::with_capacity(256);
        let mut buffer = vec![0; 1 << 16];
        while !self.relay.is_over(Instant::now()) {
            let pipes = { self.connections.values() }.flat_map(|connection| &connection.pipes);
            let late = pipes.filter_map(|pipe| pipe.late.front().map(|(due, _)| *due));
            let next = late.chain(self.relay.until).min();
            self.relay.flush()?;
            relay::wait(&mut self.poll, &mut events, next)?;
            for event in &events {
                let Token(token) = event.token();
                if event.token() == LISTEN {
                    self.accept(network)?;
                    continue;
                }
                // Each link has two tokens, one for each side.
                let (link, side) = (((token - 1) / 2) as u32, (token - 1) % 2);
                if let Some(connection) = self.connections.get_mut(&link) {
                    let side = &mut connection.sides[side];
                    side.readable |=
                        event.is_readable() || event.is_read_closed() || event.is_error();
                    side.writable |= event.is_writable() || event.is_error();
                    let is_server = (token - 1) % 2 == SERVER;
                    connection.is_reached |= is_server && side.stream.peer_addr().is_ok();
                }
            }
            self.connections.retain(|_, connection| {
                let pumped = connection.pump(self.relay, network, &mut buffer);
                if let (Err((SERVER, error)), false) = (&pumped, connection.is_reached) {
                    self.relay.unreached(error);
                }
                let goes_on = pumped.unwrap_or(false);
                if !goes_on {
                    for side in &mut connection.sides {
                        let _ = self.poll.registry().deregister(&mut side.stream);
                    }
                    self.relay.forget(connection.link.number);
                }
                goes_on
            });
        }
        Ok(())
    }

    /// Accepts all waiting clients.
    fn accept(&mut self, network: &Network) -> Result<(), Failure> {
        loop {
            let (client, address) = match self.listener.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                // The client has left already, or the system has no file descriptor for it.
                Err(_) => {
                    self.relay.counts.refused += 1;
                    return Ok(());
                }
            };
            if self.connections.len() >= self.relay.most_clients() {
                self.relay.counts.refused += 1;
                continue;
            }
            let server = match TcpStream::connect(self.relay.target) {
                Ok(server) => server,
                Err(error) => {
                    self.relay.unreached(&error);
                    continue;
                }
            };
            let number = self.next_link;
            // A link needs two tokens, and a token has only 32 bits on some machines.
            self.next_link = (number + 1) % (1 << 30);
            let side = |stream| Side {
                stream,
                readable: false,
                writable: false,
            };
            let pipe = |direction| Pipe {
                way: Way::new(network, number, direction),
                late: VecDeque::new(),
                ready: Vec::new(),
                waiting: 0,
                has_ended: false,
                is_closed: false,
                sequence: 0,
            };
            let mut connection = Connection {
                link: Link {
                    number,
                    client: address,
                },
                sides: [side(client), side(server)],
                pipes: DIRECTIONS.map(pipe),
                is_reached: false,
            };
            for (side, end) in connection.sides.iter_mut().enumerate() {
                let token = Token(1 + 2 * number as usize + side);
                let interest = Interest::READABLE | Interest::WRITABLE;
                let registry = self.poll.registry();
                registry
                    .register(&mut end.stream, token, interest)
                    .map_err(system)?;
                // Sends small packets at once, as Godot does.
                let _ = end.stream.set_nodelay(true);
            }
            connection.record_opening(self.relay);
            self.relay.counts.clients += 1;
            self.connections.insert(number, connection);
        }
    }
}

impl Connection {
    fn record_opening(&mut self, relay: &mut Relay<'_>) {
        for (pipe, direction) in self.pipes.iter_mut().zip(DIRECTIONS) {
            let protocol = Protocol::Tcp {
                sequence: 0,
                is_syn: true,
                is_ack: direction == Direction::ToClient,
                is_end: false,
            };
            relay.record(self.link, direction, protocol, &[]);
            pipe.sequence = 1;
        }
    }

    /// Reads and writes as much as is possible now. Returns `false` if the connection is over.
    ///
    /// # Errors
    /// Returns the index of the side that failed, and its error.
    fn pump(
        &mut self,
        relay: &mut Relay<'_>,
        network: &Network,
        buffer: &mut [u8],
    ) -> Result<bool, (usize, io::Error)> {
        let now = Instant::now();
        for (n, direction) in DIRECTIONS.into_iter().enumerate() {
            loop {
                let has_read = self.read(n, direction, relay, network, buffer);
                let has_read = has_read.map_err(|error| (n, error))?;
                let pipe = &mut self.pipes[n];
                while pipe.late.front().is_some_and(|(due, _)| *due <= now) {
                    let (_, bytes) = pipe.late.pop_front().unwrap_or((now, Vec::new()));
                    pipe.ready.extend_from_slice(&bytes);
                }
                self.write(n).map_err(|error| (1 - n, error))?;
                if !has_read {
                    break;
                }
            }
            let pipe = &mut self.pipes[n];
            if pipe.has_ended && pipe.waiting == 0 && !pipe.is_closed {
                pipe.is_closed = true;
                let _ = self.sides[1 - n].stream.shutdown(Shutdown::Write);
            }
        }
        Ok(!self.pipes.iter().all(|pipe| pipe.is_closed))
    }

    /// Reads from side `n` once. Returns `true` if there may be more.
    fn read(
        &mut self,
        n: usize,
        direction: Direction,
        relay: &mut Relay<'_>,
        network: &Network,
        buffer: &mut [u8],
    ) -> io::Result<bool> {
        let (side, pipe, link) = (&mut self.sides[n], &mut self.pipes[n], self.link);
        if !side.readable || pipe.has_ended || pipe.waiting >= WAITING {
            return Ok(false);
        }
        let len = match side.stream.read(buffer) {
            Ok(0) => {
                pipe.has_ended = true;
                return Ok(false);
            }
            Ok(len) => len,
            Err(error) if is_wait(&error) => {
                side.readable = false;
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let now = Instant::now();
        let due = pipe.way.stream(network, now, len);
        let (mut out, mut ready) = (Vec::new(), &mut pipe.ready);
        let is_late = due > now || !pipe.late.is_empty();
        if is_late || relay.is_recorded() {
            ready = &mut out;
        }
        let before = ready.len();
        relay.pass(link, direction, &buffer[..len], |bytes| {
            ready.extend_from_slice(bytes);
        });
        pipe.waiting += ready.len() - before;
        if relay.is_recorded() && !out.is_empty() {
            let protocol = Protocol::Tcp {
                sequence: pipe.sequence,
                is_syn: false,
                is_ack: true,
                is_end: false,
            };
            relay.record(link, direction, protocol, &out);
            pipe.sequence = pipe.sequence.wrapping_add(out.len() as u32);
        }
        if !out.is_empty() {
            pipe.late.push_back((due, out));
        }
        Ok(true)
    }

    /// Writes as much of pipe `n` as the receiver accepts.
    fn write(&mut self, n: usize) -> io::Result<()> {
        let (side, pipe) = (&mut self.sides[1 - n], &mut self.pipes[n]);
        let mut written = 0;
        while side.writable && written < pipe.ready.len() {
            match side.stream.write(&pipe.ready[written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(len) => written += len,
                Err(error) if is_wait(&error) => side.writable = false,
                Err(error) => return Err(error),
            }
        }
        pipe.ready.drain(..written);
        pipe.waiting -= written;
        Ok(())
    }
}

/// Returns `true` if the socket is not ready, for example because it is not connected yet.
fn is_wait(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, NotConnected, WouldBlock};
    matches!(error.kind(), WouldBlock | NotConnected | Interrupted)
}
