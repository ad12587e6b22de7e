//! The sources of packets: files of tcpdump, or lines of hexadecimal digits.

use std::{
    io::{BufRead, BufReader, Cursor, Read},
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Carrier, Direction, Engine, Item, Session,
    capture::{CaptureError, Listener, Protocol, Reader, Segment},
};

use super::Trouble;

/// When something was heard, and how many bytes the datagram or segment carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) time: Duration,
    pub(super) payload_len: usize,
}

/// A capture that is being read.
pub(super) enum Source {
    Capture(Box<Reader<'static>>, Box<Listener>),
    Lines {
        lines: Box<dyn BufRead + Send>,
        number: u64,
        /// The session of our own lines.
        session: Box<Session>,
        /// The listener of tshark's columns.
        listener: Box<Listener>,
    },
}

/// The first number of a pcapng, in either order of bytes.
const PCAPNG: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
/// A line of hexadecimal digits longer than that is no packet.
const LINE: u64 = 1 << 20;

impl Source {
    /// Looks at the first bytes, and reads on in their form.
    pub(super) fn new(
        mut read: Box<dyn Read + Send>,
        engine: Engine,
        carrier: Carrier,
        port: Option<u16>,
    ) -> Result<Source, Trouble> {
        let mut first = [0; 4];
        let mut len = 0;
        while len < first.len() {
            match read.read(&mut first[len..]) {
                Ok(0) => break,
                Ok(more) => len += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Trouble::Io(error)),
            }
        }
        // The number of pcapng is white space, too.
        let is_text = len > 0
            && first != PCAPNG
            && first[..len]
                .iter()
                .all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        let read = Cursor::new(first[..len].to_vec()).chain(read);
        let mut listener = Listener::new(engine, carrier);
        if let Some(port) = port {
            listener = listener.with_port(port);
        }
        if is_text {
            return Ok(Source::Lines {
                lines: Box::new(BufReader::new(read)),
                number: 0,
                session: Box::new(Session::new(engine, carrier)),
                listener: Box::new(listener),
            });
        }
        let reader = Reader::new(read).map_err(trouble)?;
        Ok(Source::Capture(Box::new(reader), Box::new(listener)))
    }

    /// The next datagram or segment, and all that is in it. False at the end.
    pub(super) fn step(&mut self, mut each: impl FnMut(Heard, Item<'_>)) -> Result<bool, Trouble> {
        match self {
            Source::Capture(reader, listener) => {
                let Some(packet) = reader.try_next().map_err(trouble)? else {
                    return Ok(false);
                };
                if let Some(segment) = Segment::find(packet.link_type, packet.data) {
                    hear(listener, packet.time, segment, &mut each);
                }
                Ok(true)
            }
            Source::Lines {
                lines,
                number,
                session,
                listener,
            } => {
                let mut line = String::new();
                *number += 1;
                let read = lines.take(LINE).read_line(&mut line).map_err(Trouble::Io)?;
                if read == 0 {
                    return Ok(false);
                }
                let line = line.trim();
                if line.is_empty() || line.starts_with('#') {
                    return Ok(true);
                }
                if let Some((time, segment, payload)) = columns(line) {
                    let segment = Segment {
                        payload: &payload,
                        ..segment
                    };
                    hear(listener, time, segment, &mut each);
                    return Ok(true);
                }
                let Some((time, link, direction, bytes)) = piece(line) else {
                    return Err(Trouble::Malformed(format!(
                        "line {number} is neither `seconds from>to hex` nor columns of tshark, and the file is no capture of tcpdump either"
                    )));
                };
                let payload_len = bytes.len();
                session.receive(link, direction, &bytes, |item| {
                    each(Heard { time, payload_len }, item);
                });
                Ok(true)
            }
        }
    }
}

fn hear(
    listener: &mut Listener,
    time: Duration,
    segment: Segment<'_>,
    each: &mut impl FnMut(Heard, Item<'_>),
) {
    listener.receive(time, segment, |heard, item| {
        let (time, payload_len) = (heard.time, heard.payload_len);
        each(Heard { time, payload_len }, item);
    });
}

/// The line that `tshark -T fields` prints for frame.time_epoch, ip.src, udp.srcport, ip.dst, udp.dstport and
/// udp.payload; for TCP the same of tcp, with tcp.seq_raw before tcp.payload.
fn columns(line: &str) -> Option<(Duration, Segment<'static>, Vec<u8>)> {
    let words: Vec<&str> = line.split('\t').collect();
    let (ends, sequence, hex) = match words[..] {
        [_, a, b, c, d, hex] => ([a, b, c, d], None, hex),
        [_, a, b, c, d, sequence, hex] => ([a, b, c, d], Some(sequence), hex),
        _ => return None,
    };
    let time = Duration::try_from_secs_f64(words[0].parse().ok()?).ok()?;
    let address =
        |ip: &str, port: &str| Some(SocketAddr::new(ip.parse().ok()?, port.parse().ok()?));
    let protocol = match sequence {
        None => Protocol::Udp,
        Some(sequence) => Protocol::Tcp {
            sequence: sequence.parse().ok()?,
            is_syn: false,
            is_ack: true,
            is_end: false,
        },
    };
    let segment = Segment {
        source: address(ends[0], ends[1])?,
        target: address(ends[2], ends[3])?,
        protocol,
        payload: &[],
    };
    let hex = hex.replace(':', "");
    let payload = data_encoding::HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
    Some((time, segment, payload.ok()?))
}

fn trouble(error: CaptureError) -> Trouble {
    match error {
        CaptureError::Io(error) => Trouble::Io(error),
        error => Trouble::Malformed(error.to_string()),
    }
}

/// `1.578485 1>S 8fff…`: S is the server, E the editor that a game's debugger stream goes to.
fn piece(line: &str) -> Option<(Duration, u32, Direction, Vec<u8>)> {
    let mut words = line.split_ascii_whitespace();
    let seconds: f64 = words.next()?.parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    let (from, to) = words.next()?.split_once('>')?;
    let (direction, client) = match (from, to) {
        (client, "S" | "E") => (Direction::ToServer, client),
        ("S" | "E", client) => (Direction::ToClient, client),
        _ => return None,
    };
    let bytes = data_encoding::HEXLOWER_PERMISSIVE
        .decode(words.next()?.as_bytes())
        .ok()?;
    Some((time, client.parse().unwrap_or(1), direction, bytes))
}
