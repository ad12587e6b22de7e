//! The state that a session keeps of one direction of a stream.

use alloc::vec::Vec;

use gdvar_view::{Detector, Dialect, Document, Objects, ReadOptions};

use super::{
    Carrier, Direction, Engine, Limits, damaged,
    item::{Carriage, Hub, Message},
};
use crate::{
    Error, PacketErrorKind, godot3,
    websocket::{Frame, Opcode, http_head, unmask},
};

/// Bytes of a stream that are not read yet.
#[derive(Debug, Default)]
pub(super) struct Stream {
    waiting: Vec<u8>,
    /// The contents of the frames of a message that is not whole.
    message: Vec<u8>,
    /// Those frames themselves, if they are to be handed on.
    held: Vec<u8>,
    /// The first one's.
    opcode: Option<Opcode>,
    is_continued: bool,
    has_head: bool,
    has_peer_id: bool,
    is_damaged: bool,
    /// A piece is missing, and the next message was not found yet.
    is_lost: bool,
    /// Nothing more is handed on: the damage was to be dropped, and nobody can tell what comes after it.
    is_blocked: bool,
}

/// The longest head of an HTTP handshake.
const HEAD: usize = 8192;
/// The longest header of a WebSocket frame.
const FRAME_HEADER: usize = 14;

impl Stream {
    pub(super) fn pending(&self) -> usize {
        self.waiting.len() + self.message.len() + self.held.len()
    }

    /// A piece is missing. What waited for it is dropped.
    pub(super) fn lose(&mut self) {
        self.waiting.clear();
        self.message.clear();
        self.held.clear();
        self.opcode = None;
        self.is_continued = false;
        self.is_lost = true;
    }

    pub(super) fn is_aligned(&self) -> bool {
        !self.is_lost
    }

    /// Finds the first message in `bytes` after a missing piece, or `None` if messages cannot be told apart yet.
    fn find_message(&mut self, carrier: Carrier, bytes: &[u8], hub: &Hub<'_>) -> Option<usize> {
        let is_head = [&b"GET "[..], b"HTTP/1."]
            .iter()
            .any(|start| bytes.starts_with(start));
        if carrier == Carrier::WebSocket && is_head {
            self.has_head = false;
            return Some(0);
        }
        let start = match carrier {
            Carrier::WebSocket => find_frames(hub.direction, bytes)?,
            _ => are_records(bytes).then_some(0)?,
        };
        // The heads, and the client's id after them, came before.
        (self.has_head, self.has_peer_id) = (true, true);
        Some(start)
    }

    pub(super) fn receive(
        &mut self,
        carrier: Carrier,
        bytes: &[u8],
        limits: Limits,
        hub: &mut Hub<'_>,
    ) {
        if self.is_blocked {
            return;
        }
        if self.is_damaged {
            return hub.push(bytes);
        }
        let mut bytes = bytes;
        if self.is_lost {
            let Some(start) = self.find_message(carrier, bytes, hub) else {
                return hub.push(bytes);
            };
            self.is_lost = false;
            hub.push(&bytes[..start]);
            bytes = &bytes[start..];
        }
        // A packet that is whole in `bytes` is read where it stands, unless something waits before
        // it.
        let mut waiting = core::mem::take(&mut self.waiting);
        let used = if waiting.is_empty() {
            let used = self.read(carrier, bytes, limits, hub);
            waiting.extend_from_slice(&bytes[used..]);
            0
        } else {
            waiting.extend_from_slice(bytes);
            self.read(carrier, &waiting, limits, hub)
        };
        waiting.drain(..used);
        if self.is_damaged {
            waiting = Vec::new();
        }
        self.waiting = waiting;
    }

    /// Reads all that is whole; how many bytes that was.
    fn read(&mut self, carrier: Carrier, bytes: &[u8], limits: Limits, hub: &mut Hub<'_>) -> usize {
        let mut used = 0;
        while used < bytes.len() && !self.is_damaged {
            let rest = &bytes[used..];
            let read = match carrier {
                Carrier::WebSocket if !self.has_head => self.head(rest, hub),
                Carrier::WebSocket => self.frame(rest, limits, hub),
                _ => record(carrier, rest, limits, hub),
            };
            match read {
                Ok(0) => break,
                Ok(len) => used += len,
                Err(error) => {
                    self.is_damaged = true;
                    hub.say(carriage(carrier), rest, damaged(error, rest));
                    let held = core::mem::take(&mut self.held);
                    self.is_blocked = hub.is_dropped();
                    if !self.is_blocked {
                        hub.push(&held);
                        hub.push(rest);
                    }
                }
            }
        }
        used
    }

    fn head(&mut self, bytes: &[u8], hub: &mut Hub<'_>) -> Result<usize, Error> {
        let Some(len) = http_head(bytes.get(..HEAD).unwrap_or(bytes)) else {
            let too_long = bytes.len() >= HEAD;
            return if too_long {
                Err(Error::new(0, PacketErrorKind::BadFrame))
            } else {
                Ok(0)
            };
        };
        self.has_head = true;
        hub.say(Carriage::WebSocket, &bytes[..len], Message::Http);
        hub.push(&bytes[..len]);
        Ok(len)
    }

    fn frame(&mut self, bytes: &[u8], limits: Limits, hub: &mut Hub<'_>) -> Result<usize, Error> {
        let (frame, len) = match Frame::parse(bytes) {
            Ok(frame) => frame,
            Err(error) => return wait(error, bytes.len(), limits.packet_len + FRAME_HEADER),
        };
        if frame.opcode.is_control() {
            let mut payload = [0; 125];
            frame.copy_unmasked(&mut payload);
            let payload = &payload[..frame.payload.len().min(125)];
            hub.say(
                Carriage::WebSocket,
                payload,
                Message::WebSocket(frame.opcode),
            );
            hub.push(&bytes[..len]);
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
        if hub.onward.is_some() {
            self.held.extend_from_slice(&bytes[..len]);
        }
        if frame.is_last && frame.mask.is_none() && self.message.is_empty() {
            self.message(frame.payload, hub);
            self.hand_on(opcode, None, hub);
            return Ok(len);
        }
        let start = self.message.len();
        self.message.extend_from_slice(frame.payload);
        if let Some(mask) = frame.mask {
            unmask(mask, &mut self.message[start..]);
        }
        if frame.is_last {
            let mut message = core::mem::take(&mut self.message);
            self.message(&message, hub);
            self.hand_on(opcode, frame.mask, hub);
            message.clear();
            self.message = message;
        }
        Ok(len)
    }

    /// Hands on a message that is whole: its frames, or one frame with what it became.
    fn hand_on(&mut self, opcode: Opcode, mask: Option<[u8; 4]>, hub: &mut Hub<'_>) {
        self.opcode = None;
        hub.hand_on(&self.held, |edited, onward| {
            let mut payload = edited.to_vec();
            if let Some(mask) = mask {
                unmask(mask, &mut payload);
            }
            onward.push_encoded(&Frame {
                is_last: true,
                opcode,
                mask,
                payload: &payload,
            });
        });
        self.held.clear();
    }

    /// A message of WebSocket. The first one that a server of Godot 4 sends is the client's id
    /// (`websocket_multiplayer_peer.cpp:313`).
    fn message(&mut self, bytes: &[u8], hub: &mut Hub<'_>) {
        let first = !self.has_peer_id;
        self.has_peer_id = true;
        let to_client = hub.direction == Direction::ToClient;
        let is_id = first && to_client && hub.engine == Engine::Godot4;
        if let (true, Ok(id)) = (is_id, <[u8; 4]>::try_from(bytes)) {
            let id = i32::from_le_bytes(id);
            hub.known.set_client(hub.link, id);
            let notice = Message::Notice(godot3::Notice::Id(id));
            hub.say(Carriage::WebSocket, bytes, notice);
            return;
        }
        hub.packet(Carriage::WebSocket, bytes);
    }
}

/// The first bytes of a piece in which the next frame is searched.
const SEARCHED: usize = 4096;
/// This many whole frames in a row are evidence enough.
const EVIDENCE: usize = 8;

/// Finds the first place in `bytes` from where they are nothing but frames, the last of which may be cut. A place in
/// the middle takes two whole frames, because a single one is found by chance. Looks at [`SEARCHED`] times [`EVIDENCE`]
/// frames at most.
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

/// Returns `true` if `bytes` are nothing but records, the last of which may be cut.
fn are_records(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(len) = value_record(rest) {
        rest = &rest[len..];
    }
    rest.is_empty()
}

/// The length of the whole frame that `bytes` begin with, if it is one that Godot sends.
fn message_frame(direction: Direction, bytes: &[u8]) -> Option<usize> {
    let (_, len) = Frame::parse(bytes)
        .ok()
        .filter(|_| starts_frame(direction, bytes))?;
    Some(len)
}

/// Returns `true` if `bytes` begin like a frame of that side: the last of its message, and masked by clients only.
fn starts_frame(direction: Direction, bytes: &[u8]) -> bool {
    let is_masked = |second: &u8| (second & 0x80 != 0) == (direction == Direction::ToServer);
    let is_kind = |first: &u8| matches!(first, 0x81 | 0x82 | 0x88..=0x8a);
    bytes.first().is_some_and(is_kind) && bytes.get(1).is_none_or(is_masked)
}

/// The length of the record that `bytes` begin with, if its contents are one value of Godot 4 or 3. A record that is
/// cut counts if all that is there of its value can be read.
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

const fn carriage(carrier: Carrier) -> Carriage {
    match carrier {
        Carrier::WebSocket => Carriage::WebSocket,
        _ => Carriage::Record,
    }
}

/// The treatment of a frame that is cut: wait, unless it will be too long.
fn wait(error: Error, have: usize, most: usize) -> Result<usize, Error> {
    match error.kind() {
        PacketErrorKind::Truncated { missing } if have.saturating_add(missing as usize) <= most => {
            Ok(0)
        }
        PacketErrorKind::Truncated { .. } => Err(Error::new(0, PacketErrorKind::OverLimit)),
        _ => Err(error),
    }
}

/// A value behind its length.
fn record(
    carrier: Carrier,
    bytes: &[u8],
    limits: Limits,
    hub: &mut Hub<'_>,
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
    if carrier == Carrier::Debugger {
        hub.debugger(record);
    } else {
        hub.value_in(Carriage::Record, record);
    }
    hub.hand_on(&bytes[..4 + len], |edited, onward| {
        // A record is far shorter than 4 GiB.
        onward.push(&(edited.len() as u32).to_le_bytes());
        onward.push(edited);
    });
    Ok(4 + len)
}
