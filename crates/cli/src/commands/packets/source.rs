//! The sources of packets: files of tcpdump, or lines of hexadecimal digits.

use std::{
    io::{BufRead, BufReader, Cursor, Read},
    time::Duration,
};

use gdvar_packet::{
    Carrier, Direction, Engine, Item, Session,
    capture::{CaptureError, Listener, Reader, Segment},
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
    Lines(Box<dyn BufRead + Send>, Box<Session>, u64),
}

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
        let is_text = len > 0
            && first[..len]
                .iter()
                .all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        let read = Cursor::new(first[..len].to_vec()).chain(read);
        if is_text {
            let session = Box::new(Session::new(engine, carrier));
            return Ok(Source::Lines(Box::new(BufReader::new(read)), session, 0));
        }
        let mut listener = Listener::new(engine, carrier);
        if let Some(port) = port {
            listener = listener.with_port(port);
        }
        let reader = Reader::new(read).map_err(trouble)?;
        Ok(Source::Capture(Box::new(reader), Box::new(listener)))
    }

    /// True if somebody may wait for the output.
    pub(super) fn is_live(&self) -> bool {
        !matches!(self, Source::Lines(..))
    }

    /// The next datagram or segment, and all that is in it. False at the end.
    pub(super) fn step(&mut self, mut each: impl FnMut(Heard, Item<'_>)) -> Result<bool, Trouble> {
        match self {
            Source::Capture(reader, listener) => {
                let Some(packet) = reader.try_next().map_err(trouble)? else {
                    return Ok(false);
                };
                if let Some(segment) = Segment::find(packet.link_type, packet.data) {
                    listener.receive(packet.time, segment, |heard, item| {
                        let (time, payload_len) = (heard.time, heard.payload_len);
                        each(Heard { time, payload_len }, item);
                    });
                }
                Ok(true)
            }
            Source::Lines(lines, session, number) => {
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
                let Some((time, link, direction, bytes)) = piece(line) else {
                    return Err(Trouble::Malformed(format!(
                        "line {number} is not `seconds from>to hex`, and the file is no capture of tcpdump either"
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
