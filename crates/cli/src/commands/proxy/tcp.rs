//! Streams: for each client a connection to the server.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, Read, Write},
    net::Shutdown,
    time::{Duration, Instant},
};

use gdvar_packet::{Direction, capture::Protocol};
use mio::{
    Events, Interest, Poll, Token,
    net::{TcpListener, TcpStream},
};

use super::{
    network::Network,
    relay::{Failure, Line, Place, Relay},
};

/// No more is read while so many bytes wait to be written.
const WAITING: usize = 256 << 10;
const LISTEN: Token = Token(0);

/// One end of a connection, and what it is ready for.
struct Side {
    stream: TcpStream,
    readable: bool,
    writable: bool,
}

/// The bytes that are on their way in one direction.
#[derive(Default)]
struct Pipe {
    late: VecDeque<(Instant, Vec<u8>)>,
    ready: Vec<u8>,
    waiting: usize,
    /// The sender sends no more.
    has_ended: bool,
    /// The receiver was told so.
    is_closed: bool,
    /// The sequence number of the recording.
    sequence: u32,
}

struct Connection {
    line: Line,
    /// The client, the server.
    sides: [Side; 2],
    /// To the server, to the client.
    pipes: [Pipe; 2],
}

const DIRECTIONS: [Direction; 2] = [Direction::ToServer, Direction::ToClient];

/// Runs until its time is over.
pub(super) fn run(relay: &mut Relay<'_>, place: &Place, network: Network) -> Result<(), Failure> {
    let socket = |error: io::Error| Failure::socket("the system's sockets", &error);
    let mut poll = Poll::new().map_err(socket)?;
    let mut listener = TcpListener::bind(place.listen)
        .map_err(|error| Failure::socket(&place.listen.to_string(), &error))?;
    poll.registry()
        .register(&mut listener, LISTEN, Interest::READABLE)
        .map_err(socket)?;
    relay.ready(place, listener.local_addr().map_err(socket)?)?;
    let mut connections = BTreeMap::<u32, Connection>::new();
    let mut events = Events::with_capacity(256);
    let mut buffer = vec![0; 1 << 16];
    let mut next_link = 0;
    loop {
        let now = Instant::now();
        if place.until.is_some_and(|until| until <= now) {
            return Ok(());
        }
        let late = connections
            .values()
            .flat_map(|connection| &connection.pipes);
        let late = late.filter_map(|pipe| pipe.late.front().map(|(due, _)| *due));
        let next = late.chain(place.until).min();
        relay.flush()?;
        let timeout = next.map(|next| next.saturating_duration_since(now));
        match poll.poll(&mut events, timeout) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(socket(error)),
            _ => {}
        }
        for event in &events {
            let Token(token) = event.token();
            if token == LISTEN.0 {
                accept(
                    relay,
                    place,
                    &listener,
                    &poll,
                    &mut connections,
                    &mut next_link,
                )?;
                continue;
            }
            // Two tokens for each line.
            let (link, side) = (((token - 1) / 2) as u32, (token - 1) % 2);
            if let Some(connection) = connections.get_mut(&link) {
                let side = &mut connection.sides[side];
                side.readable |= event.is_readable() || event.is_read_closed() || event.is_error();
                side.writable |= event.is_writable() || event.is_error();
            }
        }
        connections.retain(|_, connection| {
            let goes_on = connection.pump(relay, network.latency(), &mut buffer);
            if !goes_on {
                for side in &mut connection.sides {
                    let _ = poll.registry().deregister(&mut side.stream);
                }
                relay.forget(connection.line.link);
            }
            goes_on
        });
    }
}

/// Takes all clients that wait.
fn accept(
    relay: &mut Relay<'_>,
    place: &Place,
    listener: &TcpListener,
    poll: &Poll,
    connections: &mut BTreeMap<u32, Connection>,
    next_link: &mut u32,
) -> Result<(), Failure> {
    loop {
        let (client, address) = match listener.accept() {
            Ok(accepted) => accepted,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            // A client that is gone already, or no file is left for it.
            Err(_) => {
                relay.counts.refused += 1;
                return Ok(());
            }
        };
        if connections.len() >= place.clients {
            relay.counts.refused += 1;
            continue;
        }
        let Ok(server) = TcpStream::connect(place.target) else {
            relay.counts.refused += 1;
            continue;
        };
        let link = *next_link;
        // Half of what a token holds, on the smallest machine.
        *next_link = (*next_link + 1) % (1 << 30);
        let line = Line {
            link,
            client: address,
            server: place.target,
        };
        let mut connection = Connection::new(line, client, server);
        for (side, end) in connection.sides.iter_mut().enumerate() {
            let token = Token(1 + 2 * link as usize + side);
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry()
                .register(&mut end.stream, token, interest)
                .map_err(|error| Failure::socket("the system's sockets", &error))?;
            // Godot does the same: packets are small, and late enough.
            let _ = end.stream.set_nodelay(true);
        }
        connection.record_opening(relay);
        relay.counts.clients += 1;
        connections.insert(link, connection);
    }
}

impl Connection {
    fn new(line: Line, client: TcpStream, server: TcpStream) -> Connection {
        let side = |stream| Side {
            stream,
            readable: false,
            writable: false,
        };
        Connection {
            line,
            sides: [side(client), side(server)],
            pipes: Default::default(),
        }
    }

    fn record_opening(&mut self, relay: &mut Relay<'_>) {
        for (pipe, direction) in self.pipes.iter_mut().zip(DIRECTIONS) {
            let protocol = Protocol::Tcp {
                sequence: 0,
                is_syn: true,
                is_ack: direction == Direction::ToClient,
                is_end: false,
            };
            relay.record(self.line, direction, protocol, &[]);
            pipe.sequence = 1;
        }
    }

    /// Reads and writes all that is possible now. False when the connection is over.
    fn pump(&mut self, relay: &mut Relay<'_>, latency: Duration, buffer: &mut [u8]) -> bool {
        let now = Instant::now();
        for (n, direction) in DIRECTIONS.into_iter().enumerate() {
            loop {
                let has_read = match self.read(n, direction, relay, now + latency, buffer) {
                    Ok(has_read) => has_read,
                    Err(_) => return false,
                };
                let pipe = &mut self.pipes[n];
                while pipe.late.front().is_some_and(|(due, _)| *due <= now) {
                    let (_, bytes) = pipe.late.pop_front().unwrap_or((now, Vec::new()));
                    pipe.ready.extend_from_slice(&bytes);
                }
                if self.write(n).is_err() {
                    return false;
                }
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
        !self.pipes.iter().all(|pipe| pipe.is_closed)
    }

    /// Reads once; whether there may be more.
    fn read(
        &mut self,
        n: usize,
        direction: Direction,
        relay: &mut Relay<'_>,
        due: Instant,
        buffer: &mut [u8],
    ) -> io::Result<bool> {
        let (side, pipe, line) = (&mut self.sides[n], &mut self.pipes[n], self.line);
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
        let (mut out, mut ready) = (Vec::new(), &mut pipe.ready);
        let is_late = due > Instant::now() || !pipe.late.is_empty();
        if is_late || relay.is_recorded() {
            ready = &mut out;
        }
        let before = ready.len();
        relay.pass(line, direction, &buffer[..len], |bytes| {
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
            relay.record(line, direction, protocol, &out);
            pipe.sequence = pipe.sequence.wrapping_add(out.len() as u32);
        }
        if !out.is_empty() {
            pipe.late.push_back((due, out));
        }
        Ok(true)
    }

    /// Writes what the receiver takes.
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

/// Returns `true` if the error only says that it is to be waited for, as for a connection that is not made yet.
fn is_wait(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, NotConnected, WouldBlock};
    matches!(error.kind(), WouldBlock | NotConnected | Interrupted)
}
