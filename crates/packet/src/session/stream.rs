//! [`Stream`]: finds the messages in one direction of a stream.

use alloc::vec::Vec;

use gdvar_view::{Detector, Dialect, Document, Objects, ReadOptions};

use super::emitter::Emitter;
use crate::{
    error::{Error, PacketErrorKind},
    godot3,
    traffic::{Direction, Engine, Message, SessionLimits, Transport, TransportInfo},
    websocket::{Frame, Opcode, header_len, http_head, unmask},
};

/// The state of one direction of a stream.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The start of an incomplete message. After a missing piece, a header whose payload may follow.
    waiting: Vec<u8>,
    /// The payloads of the frames of an incomplete message.
    message: Vec<u8>,
    /// The original bytes of these frames, if they are to be sent on.
    held: Vec<u8>,
    /// The opcode of the first of these frames.
    opcode: Option<Opcode>,
    is_continued: bool,
    has_head: bool,
    peer_id: PeerId,
    is_damaged: bool,
    /// A piece is missing, and no message was recognized after it yet.
    is_lost: bool,
    /// The number of messages that a missing piece cut, at least: one for each missing piece.
    cut: u64,
    /// Damage was dropped, so nothing after it is sent on either.
    is_blocked: bool,
}

/// Where the message with the client's id is. A server of Godot 4 sends it first
/// (`websocket_multiplayer_peer.cpp:313`).
#[derive(Clone, Copy, Debug, Default)]
enum PeerId {
    #[default]
    Next,
    /// It may be the next message, or lost with the start of the stream.
    Unknown,
    Past,
}

/// The longest HTTP header that is accepted.
const HEAD: usize = 8192;
/// The longest header of a WebSocket frame.
const FRAME_HEADER: usize = 14;

impl Stream {
    pub(super) fn pending(&self) -> usize {
        self.waiting.len() + self.message.len() + self.held.len()
    }

    /// The number of messages that began or ended in a missing piece, and of the ones that are not
    /// complete yet.
    pub(super) fn incomplete(&self) -> u64 {
        let is_waiting = !self.is_lost && !self.is_damaged && self.pending() > 0;
        self.cut + u64::from(is_waiting && !self.is_in_control_frame())
    }

    /// True if only the start of a control frame of a WebSocket waits. It is no packet of the game. Servers of Godot 3.6.2
    /// end some connections with the header of a CLOSE frame alone.
    fn is_in_control_frame(&self) -> bool {
        let is_control = matches!(self.waiting.first(), Some(0x88..=0x8a));
        is_control && self.has_head && self.message.is_empty()
    }

    /// Notes a missing piece. Two of them without a message between may be of the same message.
    pub(super) fn lose(&mut self) {
        self.cut += u64::from(!self.is_lost);
        self.join();
    }

    /// Starts in the middle of the stream: drops everything that was incomplete.
    pub(super) fn join(&mut self) {
        self.waiting.clear();
        self.message.clear();
        self.held.clear();
        self.opcode = None;
        self.is_continued = false;
        self.is_lost = true;
    }

    /// True if the last piece was read, or may be the header of the next message.
    pub(super) fn is_aligned(&self) -> bool {
        !self.is_lost || !self.waiting.is_empty()
    }

    /// Returns the offset of the first message in `bytes` after a missing piece. `None` if no
    /// message is recognized.
    fn find_message(
        &mut self,
        transport: Transport,
        bytes: &[u8],
        emitter: &Emitter<'_>,
    ) -> Option<usize> {
        let is_head = [&b"GET "[..], b"HTTP/1."]
            .iter()
            .any(|start| bytes.starts_with(start));
        if transport == Transport::WebSocket && is_head {
            self.has_head = false;
            return Some(0);
        }
        let start = match transport {
            Transport::WebSocket => find_frames(emitter.direction, bytes)?,
            _ => are_records(bytes).then_some(0)?,
        };
        // The HTTP header was sent before, and the client's id if not only the header is lost.
        self.has_head = true;
        if let PeerId::Next = self.peer_id {
            self.peer_id = PeerId::Unknown;
        }
        Some(start)
    }

    pub(super) fn receive(
        &mut self,
        transport: Transport,
        bytes: &[u8],
        limits: SessionLimits,
        emitter: &mut Emitter<'_>,
    ) {
        if self.is_blocked {
            return;
        }
        if self.is_damaged {
            return emitter.push(bytes);
        }
        let mut bytes = bytes;
        let joined;
        if self.is_lost {
            // Godot often sends a frame in two segments: its header, then its payload.
            let header = core::mem::take(&mut self.waiting);
            if transport == Transport::WebSocket && is_header(emitter.direction, bytes) {
                self.waiting = bytes.to_vec();
                return emitter.push(&header);
            }
            joined = [&header, bytes].concat();
            let Some(start) = self.find_message(transport, &joined, emitter) else {
                return emitter.push(&joined);
            };
            self.is_lost = false;
            emitter.push(&joined[..start]);
            bytes = &joined[start..];
        }
        // Read messages in `bytes` itself, without a copy, unless an incomplete one waits before
        // them.
        let mut waiting = core::mem::take(&mut self.waiting);
        let used = if waiting.is_empty() {
            let used = self.read(transport, bytes, limits, emitter);
            waiting.extend_from_slice(&bytes[used..]);
            0
        } else {
            waiting.extend_from_slice(bytes);
            self.read(transport, &waiting, limits, emitter)
        };
        waiting.drain(..used);
        if self.is_damaged {
            waiting = Vec::new();
        }
        self.waiting = waiting;
    }

    /// Reads the complete messages, and returns their length in bytes.
    fn read(
        &mut self,
        transport: Transport,
        bytes: &[u8],
        limits: SessionLimits,
        emitter: &mut Emitter<'_>,
    ) -> usize {
        let mut used = 0;
        while used < bytes.len() && !self.is_damaged {
            let rest = &bytes[used..];
            let read = match transport {
                Transport::WebSocket if !self.has_head => self.head(rest, emitter),
                Transport::WebSocket => self.frame(rest, limits, emitter),
                _ => record(transport, rest, limits, emitter),
            };
            match read {
                Ok(0) => break,
                Ok(len) => used += len,
                Err(error) => {
                    self.is_damaged = true;
                    emitter.report(info_of(transport), rest, Message::damaged(error, rest));
                    let held = core::mem::take(&mut self.held);
                    self.is_blocked = emitter.is_dropped();
                    if !self.is_blocked {
                        emitter.push(&held);
                        emitter.push(rest);
                    }
                }
            }
        }
        used
    }

    fn head(&mut self, bytes: &[u8], emitter: &mut Emitter<'_>) -> Result<usize, Error> {
        let Some(len) = http_head(bytes.get(..HEAD).unwrap_or(bytes)) else {
            let too_long = bytes.len() >= HEAD;
            return if too_long {
                Err(Error::new(0, PacketErrorKind::BadFrame))
            } else {
                Ok(0)
            };
        };
        self.has_head = true;
        emitter.report(TransportInfo::WebSocket, &bytes[..len], Message::Http);
        emitter.push(&bytes[..len]);
        Ok(len)
    }

    fn frame(
        &mut self,
        bytes: &[u8],
        limits: SessionLimits,
        emitter: &mut Emitter<'_>,
    ) -> Result<usize, Error> {
        let (frame, len) = match Frame::parse(bytes) {
            Ok(frame) => frame,
            Err(error) => return wait(error, bytes.len(), limits.packet_len + FRAME_HEADER),
        };
        if frame.opcode.is_control() {
            let mut payload = [0; 125];
            frame.copy_unmasked(&mut payload);
            let payload = &payload[..frame.payload.len().min(125)];
            emitter.report(
                TransportInfo::WebSocket,
                payload,
                Message::WebSocket(frame.opcode),
            );
            emitter.push(&bytes[..len]);
            return Ok(len);
        }
        if self.is_continued != (frame.opcode == Opcode::Continuation) {
            return Err(Error::new(0, PacketErrorKind::BadFrame));
        }
        if self.message.len() + frame.payload.len() > limits.packet_len {
            return Err(Error::new(0, PacketErrorKind::OverLimit));
        }
        self.is_continued = !frame.is_last;
        let opcode = *self.opcode.get_or_insert(frame.opcode);
        if emitter.forwarded.is_some() {
            self.held.extend_from_slice(&bytes[..len]);
        }
        if frame.is_last && frame.mask.is_none() && self.message.is_empty() {
            self.message(frame.payload, emitter);
            self.forward(opcode, None, emitter);
            return Ok(len);
        }
        let start = self.message.len();
        self.message.extend_from_slice(frame.payload);
        if let Some(mask) = frame.mask {
            unmask(mask, &mut self.message[start..]);
        }
        if frame.is_last {
            let mut message = core::mem::take(&mut self.message);
            self.message(&message, emitter);
            self.forward(opcode, frame.mask, emitter);
            message.clear();
            self.message = message;
        }
        Ok(len)
    }

    /// Sends on a complete message: its original frames, or one new frame.
    fn forward(&mut self, opcode: Opcode, mask: Option<[u8; 4]>, emitter: &mut Emitter<'_>) {
        self.opcode = None;
        emitter.forward(&self.held, |edited, forwarded| {
            let mut payload = edited.to_vec();
            if let Some(mask) = mask {
                unmask(mask, &mut payload);
            }
            forwarded.push_encoded(&Frame {
                is_last: true,
                opcode,
                mask,
                payload: &payload,
            });
        });
        self.held.clear();
    }

    /// Takes a WebSocket message. The first message that a server of Godot 4 sends is the client's
    /// id (`websocket_multiplayer_peer.cpp:313`).
    fn message(&mut self, bytes: &[u8], emitter: &mut Emitter<'_>) {
        let place = core::mem::replace(&mut self.peer_id, PeerId::Past);
        let to_client = emitter.direction == Direction::ToClient;
        let may_be_id = to_client && emitter.engine == Engine::Godot4;
        if let (true, Ok(id)) = (may_be_id, <[u8; 4]>::try_from(bytes)) {
            let id = i32::from_le_bytes(id);
            match place {
                PeerId::Next => {
                    emitter.state.set_client(emitter.link, id);
                    let notice = Message::Notice(godot3::Notice::Id(id));
                    return emitter.report(TransportInfo::WebSocket, bytes, notice);
                }
                // The id or a packet of four bytes. A wrong guess would name all that follows wrongly, or
                // invent a packet.
                PeerId::Unknown => {
                    let frame = Message::WebSocket(Opcode::Binary);
                    return emitter.report(TransportInfo::WebSocket, bytes, frame);
                }
                PeerId::Past => {}
            }
        }
        emitter.packet(TransportInfo::WebSocket, bytes);
    }
}

/// The number of offsets in a piece at which frames are looked for.
const SEARCHED: usize = 4096;
/// The number of complete frames in a row that is enough to recognize messages.
const EVIDENCE: usize = 8;

/// Finds the first offset of `bytes` from which there are only frames; the last frame may be cut. A
/// single frame is easily found by chance, so an offset other than 0 needs two complete frames.
/// Checks at most [`SEARCHED`] × [`EVIDENCE`] frames.
fn find_frames(direction: Direction, bytes: &[u8]) -> Option<usize> {
    let are_frames = |&start: &usize| {
        let (mut rest, mut whole) = (&bytes[start..], 0);
        while let Some(len) = message_frame(direction, rest).filter(|_| whole < EVIDENCE) {
            rest = &rest[len..];
            whole += 1;
        }
        let goes_on = rest.is_empty() || starts_frame(direction, rest);
        whole >= EVIDENCE || goes_on && whole > usize::from(start > 0)
    };
    (0..bytes.len().min(SEARCHED)).find(are_frames)
}

/// True if `bytes` are only records; the last record may be cut.
fn are_records(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(len) = value_record(rest) {
        rest = &rest[len..];
    }
    rest.is_empty()
}

/// The length of the complete frame at the start of `bytes`, if Godot would send it.
fn message_frame(direction: Direction, bytes: &[u8]) -> Option<usize> {
    let (_, len) = Frame::parse(bytes)
        .ok()
        .filter(|_| starts_frame(direction, bytes))?;
    Some(len)
}

/// True if `bytes` are the header of a frame of this side, without any of its payload.
fn is_header(direction: Direction, bytes: &[u8]) -> bool {
    let is_all = |second: &u8| bytes.len() == header_len(*second);
    let is_whole = Frame::parse(bytes).is_ok();
    starts_frame(direction, bytes) && bytes.get(1).is_some_and(is_all) && !is_whole
}

/// True if `bytes` begin like a frame that this side sends: the last frame of its message, and
/// masked if a client sends it.
fn starts_frame(direction: Direction, bytes: &[u8]) -> bool {
    let is_masked = |second: &u8| (second & 0x80 != 0) == (direction == Direction::ToServer);
    let is_kind = |first: &u8| matches!(first, 0x81 | 0x82 | 0x88..=0x8a);
    bytes.first().is_some_and(is_kind) && bytes.get(1).is_none_or(is_masked)
}

/// Returns the length of the record at the start of `bytes`, if it contains one value of Godot 4 or
/// 3. A cut record counts, too, if the part of its value that arrived can be read.
fn value_record(bytes: &[u8]) -> Option<usize> {
    let (prefix, rest) = bytes.split_first_chunk()?;
    let len = u32::from_le_bytes(*prefix) as usize;
    let value = rest.get(..len).unwrap_or(rest);
    let is_value = |dialect: &Dialect| {
        let options = ReadOptions::new(*dialect).with_objects(Objects::Inert);
        match Document::with_options(value, options).validate() {
            Ok(end) => end == len,
            Err(error) => value.len() < len && error.is_truncated(),
        }
    };
    let is_record = value.len() >= 4 && Detector::AUTO.iter().any(is_value);
    is_record.then_some(4 + value.len())
}

const fn info_of(transport: Transport) -> TransportInfo {
    match transport {
        Transport::WebSocket => TransportInfo::WebSocket,
        _ => TransportInfo::Record,
    }
}

/// Returns 0 if `error` only means that more bytes are needed, and at most `most` in total.
/// Otherwise returns an error.
fn wait(error: Error, have: usize, most: usize) -> Result<usize, Error> {
    match error.kind() {
        PacketErrorKind::Truncated { missing } if have.saturating_add(missing as usize) <= most => {
            Ok(0)
        }
        PacketErrorKind::Truncated { .. } => Err(Error::new(0, PacketErrorKind::OverLimit)),
        _ => Err(error),
    }
}

/// Reads and reports a record: a length and a value. Returns the number of bytes of both, or 0 if
/// the record is incomplete.
fn record(
    transport: Transport,
    bytes: &[u8],
    limits: SessionLimits,
    emitter: &mut Emitter<'_>,
) -> Result<usize, Error> {
    let Some(prefix) = bytes.first_chunk() else {
        return Ok(0);
    };
    let length = u32::from_le_bytes(*prefix);
    let len = length as usize;
    if len > limits.packet_len {
        return Err(Error::new(0, PacketErrorKind::BadLength { length }));
    }
    let Some(record) = bytes.get(4..4 + len) else {
        return Ok(0);
    };
    if transport == Transport::Debugger {
        emitter.debugger(record);
    } else {
        emitter.value_in(TransportInfo::Record, record);
    }
    emitter.forward(&bytes[..4 + len], |edited, forwarded| {
        // Records are far shorter than 4 GiB.
        forwarded.push(&(edited.len() as u32).to_le_bytes());
        forwarded.push(edited);
    });
    Ok(4 + len)
}
