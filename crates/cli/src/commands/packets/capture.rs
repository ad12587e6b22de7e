//! [`Capture`]: reads packets from a capture file, or from lines of hexadecimal digits.

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

use super::{Failure, games, games::Game, unreadable};
use crate::terminal::exit::Exit;

/// A capture that is being read.
pub(super) struct Capture {
    format: Format,
    /// One listener for each game.
    listeners: Vec<Listener>,
    coverage: Coverage,
    fragments: Defragmenter,
    /// The time and the payload length of the datagram or segment that was read last.
    last: Option<(Duration, usize)>,
}

enum Format {
    Pcap(Box<Reader<'static>>),
    Text(TextLines),
}

/// A text file: lines in the text format of this command, or columns of tshark.
struct TextLines {
    lines: Box<dyn BufRead + Send>,
    number: u64,
    /// Reads lines in the command's own text format. A listener cannot, because they have no addresses.
    session: Box<Session>,
    /// For each client, the datagrams from lines in the command's own text format that are kept until it is known
    /// whether they are compressed.
    undecided: BTreeMap<u32, Undecided<EventOrigin>>,
}

/// How much of a capture was read.
#[derive(Clone, Default)]
pub(super) struct Coverage {
    pub(super) packets: u64,
    /// The number of packets that were not read, by reason.
    pub(super) unread: BTreeMap<Unread, u64>,
    /// The number of the game's packets that are only partly in the capture.
    pub(super) incomplete: u64,
}

impl Coverage {
    /// Returns the number of packets that were read.
    pub(super) fn read(&self) -> u64 {
        self.packets.saturating_sub(self.unread.values().sum())
    }
}

/// The first bytes of a pcapng file. They are the same in both byte orders.
const PCAPNG: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
/// The largest number of bytes that are read as one line. The rest of a longer line is read as the next line.
const LINE: u64 = 1 << 20;

impl Capture {
    /// Detects the format from the first four bytes.
    pub(super) fn new(
        mut read: Box<dyn Read + Send>,
        games: &[Game],
        port: Option<u16>,
    ) -> Result<Capture, Failure> {
        let mut first = Vec::new();
        { read.by_ref().take(4) }
            .read_to_end(&mut first)
            .map_err(unreadable)?;
        let is_text_byte = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        // The bytes of PCAPNG are all white space, so they would pass for text.
        let is_text = !first.is_empty() && first != PCAPNG && first.iter().all(is_text_byte);
        let read = Cursor::new(first).chain(read);
        let format = if is_text {
            let game = games.first().ok_or_else(games::nothing_found)?;
            Format::Text(TextLines {
                lines: Box::new(BufReader::new(read)),
                number: 0,
                session: Box::new(Session::new(game.engine, game.carrier)),
                undecided: BTreeMap::new(),
            })
        } else {
            Format::Pcap(Box::new(Reader::new(read).map_err(failure)?))
        };
        Ok(Capture {
            format,
            listeners: games.iter().map(|game| game.listener(port)).collect(),
            coverage: Coverage::default(),
            fragments: Defragmenter::new(),
            last: None,
        })
    }

    /// Returns `true` if any ENet datagrams were compressed.
    pub(super) fn is_compressed(&self) -> bool {
        self.sessions().any(Session::is_compressed)
    }

    /// Returns the sessions of all servers.
    fn sessions(&self) -> impl Iterator<Item = &Session> {
        let own = match &self.format {
            Format::Text(text) => Some(&*text.session),
            Format::Pcap(_) => None,
        };
        let servers = self.listeners.iter().flat_map(Listener::servers);
        own.into_iter().chain(servers.map(|(_, session)| session))
    }

    /// Returns the number of packets that were read so far, counted as Wireshark counts them.
    pub(super) fn packets(&self) -> u64 {
        self.coverage.packets
    }

    /// Returns the time and the payload length of the datagram or segment that [`Capture::step`] read, if it is one of
    /// the games' and has a payload. It may have no item: a segment may hold only a part of a message.
    pub(super) fn carried(&self) -> Option<(Duration, usize)> {
        self.last.filter(|(_, len)| *len > 0)
    }

    /// Returns how much was read so far.
    pub(super) fn coverage(&self) -> Coverage {
        let mut coverage = self.coverage.clone();
        coverage.incomplete = self.sessions().map(Session::incomplete).sum();
        let fragments = self.fragments.unread();
        if fragments > 0 {
            *coverage.unread.entry(Unread::Fragment).or_default() += fragments;
        }
        let waited: u64 = self.listeners.iter().map(Listener::unread).sum();
        if waited > 0 {
            *coverage.unread.entry(Unread::AfterGap).or_default() += waited;
        }
        coverage
    }

    /// Reads the next datagram or segment, and calls `each` for every item in it. Returns `false` at the end.
    pub(super) fn step(
        &mut self,
        mut each: impl FnMut(EventOrigin, SessionEvent<'_>),
    ) -> Result<bool, Failure> {
        self.last = None;
        let heard = match &mut self.format {
            Format::Pcap(reader) => {
                let Some(packet) = reader.try_next().map_err(failure)? else {
                    self.finish(each);
                    return Ok(false);
                };
                self.coverage.packets += 1;
                match self.fragments.find(&packet) {
                    Ok(Some(segment)) => {
                        self.last = Some((packet.time, segment.payload.len()));
                        hear(&mut self.listeners, packet.time, segment, &mut each)
                    }
                    Ok(None) => Ok(()),
                    Err(unread) => Err(unread),
                }
            }
            Format::Text(text) => {
                let mut line = String::new();
                text.number += 1;
                let read = text.lines.by_ref().take(LINE).read_line(&mut line);
                if read.map_err(unreadable)? == 0 {
                    self.finish(each);
                    return Ok(false);
                }
                // A tab at the end is not trimmed: an empty column follows it.
                let line = line.trim_end_matches(['\r', '\n']);
                if line.trim().is_empty() || line.starts_with('#') {
                    return Ok(true);
                }
                self.coverage.packets += 1;
                match columns(line) {
                    Some(Ok((time, segment, payload))) => {
                        let segment = Segment {
                            payload: &payload,
                            ..segment
                        };
                        self.last = Some((time, payload.len()));
                        hear(&mut self.listeners, time, segment, &mut each)
                    }
                    Some(Err(unread)) => Err(unread),
                    None => {
                        let (time, len) = text.own_line(line, self.coverage.packets, &mut each)?;
                        self.last = Some((time, len));
                        Ok(())
                    }
                }
            }
        };
        if let Err(unread) = heard {
            // After a gap, the segment is one of a game's, although it is not read.
            self.last = self.last.filter(|_| unread == Unread::AfterGap);
            *self.coverage.unread.entry(unread).or_default() += 1;
        }
        Ok(true)
    }

    /// Calls `each` for the items that were held back until the end.
    fn finish(&mut self, mut each: impl FnMut(EventOrigin, SessionEvent<'_>)) {
        for listener in &mut self.listeners {
            listener.finish(&mut each);
        }
        if let Format::Text(text) = &mut self.format {
            for (&link, held) in &mut text.undecided {
                held.finish(&mut text.session, link, &mut each);
            }
        }
    }
}

impl TextLines {
    /// Reads a line in the command's own text format: `1.578485 1>S 8fff…`. S is the server; E is the editor that a
    /// game's debugger talks to. Returns the time and the number of bytes.
    fn own_line(
        &mut self,
        line: &str,
        segment: u64,
        each: &mut impl FnMut(EventOrigin, SessionEvent<'_>),
    ) -> Result<(Duration, usize), Failure> {
        let Some((time, link, direction, bytes)) = own_line(line) else {
            let text = format!(
                "line {} is neither `seconds from>to hex` nor columns of tshark, and the file is not a capture of tcpdump either",
                self.number
            );
            return Err(Failure::Other(Exit::Malformed, text));
        };
        // These lines have no addresses. The client's number is used as its port, to tell clients apart.
        let address = |port| SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), port);
        let heard = EventOrigin {
            time,
            server: address(0),
            client: address(link as u16),
            segment,
            payload_len: bytes.len(),
        };
        let undecided = self.undecided.entry(link).or_default();
        undecided.receive(&mut self.session, (link, direction), &bytes, heard, each);
        Ok((time, bytes.len()))
    }
}

/// Gives a segment to the listener of its server. If no listener takes it, returns the greatest [`Unread`], which
/// explains the most.
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

/// The time, the segment without its payload, and the payload of a line with columns of tshark.
type Columns = (Duration, Segment<'static>, Vec<u8>);

/// Parses a line of `tshark -T fields` with the fields frame.time_epoch, ip.src, udp.srcport, ip.dst, udp.dstport and
/// udp.payload; for TCP the same fields of tcp, with tcp.seq_raw before tcp.payload. Without a payload the last column
/// is empty. A packet of another protocol has no ports. Returns `None` if the line has no such columns.
fn columns(line: &str) -> Option<Result<Columns, Unread>> {
    let words: Vec<&str> = line.split('\t').collect();
    let (ends, sequence, hex) = match words[..] {
        [_, a, b, c, d, hex] => ([a, b, c, d], None, hex),
        [_, a, b, c, d, sequence, hex] => ([a, b, c, d], Some(sequence), hex),
        _ => return None,
    };
    let time = seconds(words[0])?;
    if ends[1].is_empty() && ends[3].is_empty() && hex.is_empty() {
        return Some(Err(Unread::OtherProtocol));
    }
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
    Some(Ok((time, segment, bytes(&hex.replace(':', ""))?)))
}

fn own_line(line: &str) -> Option<(Duration, u32, Direction, Vec<u8>)> {
    let mut words = line.split_ascii_whitespace();
    let time = seconds(words.next()?)?;
    let (direction, client) = match words.next()?.split_once('>')? {
        (client, "S" | "E") => (Direction::ToServer, client),
        ("S" | "E", client) => (Direction::ToClient, client),
        _ => return None,
    };
    let link = client.parse().unwrap_or(1);
    Some((time, link, direction, bytes(words.next()?)?))
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let decoded = data_encoding::HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
    decoded.ok()
}

fn failure(error: CaptureError) -> Failure {
    match error {
        CaptureError::Io(error) => unreadable(error),
        error => Failure::Other(Exit::Malformed, error.to_string()),
    }
}
