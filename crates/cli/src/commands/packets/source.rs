//! The sources of packets: files of tcpdump, or lines of hexadecimal digits.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Cursor, Read},
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use gdvar_packet::{
    Direction, Session, SessionEvent, Undecided,
    capture::{
        CaptureError, Defragmenter, EventOrigin, Listener, Protocol, Reader, Segment, Unread,
    },
};

use super::{Trouble, ways::Way};

/// A capture that is being read.
pub(super) struct Source {
    form: Form,
    /// One for each engine and carrier.
    listeners: Vec<Listener>,
    packets: u64,
    unread: BTreeMap<Unread, u64>,
    fragments: Defragmenter,
}

/// The form of a capture.
enum Form {
    Capture(Box<Reader<'static>>),
    Lines {
        lines: Box<dyn BufRead + Send>,
        number: u64,
        /// The session of our own lines.
        session: Box<Session>,
        /// By client.
        undecided: BTreeMap<u32, Undecided<EventOrigin>>,
    },
}

/// The packets of a capture, and those of them in which nothing was heard.
pub(super) struct Account {
    pub(super) packets: u64,
    pub(super) unread: BTreeMap<Unread, u64>,
}

/// The first number of a pcapng, in either order of bytes.
const PCAPNG: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
/// A line of hexadecimal digits longer than that is no packet.
const LINE: u64 = 1 << 20;

impl Source {
    /// Looks at the first bytes, and reads on in their form.
    pub(super) fn new(
        mut read: Box<dyn Read + Send>,
        ways: &[Way],
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
        let form = if is_text {
            let way = ways.first().ok_or(Trouble::Usage(super::NOTHING))?;
            Form::Lines {
                lines: Box::new(BufReader::new(read)),
                number: 0,
                session: Box::new(Session::new(way.engine, way.carrier)),
                undecided: BTreeMap::new(),
            }
        } else {
            Form::Capture(Box::new(Reader::new(read).map_err(trouble)?))
        };
        let listeners = ways.iter().map(|way| way.listener(port)).collect();
        Ok(Source {
            form,
            listeners,
            packets: 0,
            unread: BTreeMap::new(),
            fragments: Defragmenter::new(),
        })
    }

    /// Returns `true` if datagrams of ENet were compressed.
    pub(super) fn is_compressed(&self) -> bool {
        let servers = self.listeners.iter().flat_map(Listener::servers);
        let own = match &self.form {
            Form::Lines { session, .. } => session.is_compressed(),
            Form::Capture(_) => false,
        };
        own || servers
            .into_iter()
            .any(|(_, session)| session.is_compressed())
    }

    /// What was read so far, and what was not.
    pub(super) fn account(&self) -> Account {
        let mut unread = self.unread.clone();
        let fragments = self.fragments.unread();
        if fragments > 0 {
            *unread.entry(Unread::Fragment).or_default() += fragments;
        }
        Account {
            packets: self.packets,
            unread,
        }
    }

    /// Reads the next datagram or segment, and all that is in it. Returns `false` at the end.
    pub(super) fn step(
        &mut self,
        mut each: impl FnMut(EventOrigin, SessionEvent<'_>),
    ) -> Result<bool, Trouble> {
        match &mut self.form {
            Form::Capture(reader) => {
                let Some(packet) = reader.try_next().map_err(trouble)? else {
                    for listener in &mut self.listeners {
                        listener.finish(&mut each);
                    }
                    return Ok(false);
                };
                self.packets += 1;
                let heard = match self.fragments.find(&packet) {
                    Ok(Some(segment)) => hear(&mut self.listeners, packet.time, segment, &mut each),
                    Ok(None) => Ok(()),
                    Err(unread) => Err(unread),
                };
                count(&mut self.unread, heard);
                Ok(true)
            }
            Form::Lines {
                lines,
                number,
                session,
                undecided,
            } => {
                let mut line = String::new();
                *number += 1;
                let read = lines.take(LINE).read_line(&mut line).map_err(Trouble::Io)?;
                if read == 0 {
                    for listener in &mut self.listeners {
                        listener.finish(&mut each);
                    }
                    for (&link, held) in undecided {
                        held.finish(session, link, &mut each);
                    }
                    return Ok(false);
                }
                let line = line.trim();
                if line.is_empty() || line.starts_with('#') {
                    return Ok(true);
                }
                self.packets += 1;
                if let Some((time, segment, payload)) = columns(line) {
                    let segment = Segment {
                        payload: &payload,
                        ..segment
                    };
                    let heard = hear(&mut self.listeners, time, segment, &mut each);
                    count(&mut self.unread, heard);
                    return Ok(true);
                }
                let Some((time, link, direction, bytes)) = piece(line) else {
                    return Err(Trouble::Malformed(format!(
                        "line {number} is neither `seconds from>to hex` nor columns of tshark, and the file is no capture of tcpdump either"
                    )));
                };
                let payload_len = bytes.len();
                // The lines name no addresses.
                let server = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), 0);
                let client = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), link as u16);
                let heard = EventOrigin {
                    time,
                    server,
                    client,
                    segment: self.packets,
                    payload_len,
                };
                let undecided = undecided.entry(link).or_default();
                undecided.receive(session, (link, direction), &bytes, heard, &mut each);
                Ok(true)
            }
        }
    }
}

fn count(counts: &mut BTreeMap<Unread, u64>, heard: Result<(), Unread>) {
    if let Err(unread) = heard {
        *counts.entry(unread).or_default() += 1;
    }
}

/// Gives a segment to the listener of its server. The most telling reason is returned if none hears it.
fn hear(
    listeners: &mut [Listener],
    time: Duration,
    segment: Segment<'_>,
    each: &mut impl FnMut(EventOrigin, SessionEvent<'_>),
) -> Result<(), Unread> {
    let mut why = Unread::OtherConversation;
    for listener in listeners {
        match listener.receive(time, segment, &mut *each) {
            Ok(()) => return Ok(()),
            Err(unread) => why = why.max(unread),
        }
    }
    Err(why)
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
