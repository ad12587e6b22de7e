//! The envelope that ENet and WebSocket put before a packet of Godot 3.

use gdvar_write::Sink;

use crate::{Encode, Error, PacketErrorKind, WriteError, arg::put, reader::Reader};

/// A packet and from whom to whom it is, or a notice of the carrier itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enveloped<'a> {
    /// A packet.
    Packet {
        /// The sender's id.
        source: i32,
        /// The receiver's id. 0 is all, and `-n` all but `n`.
        target: i32,
        /// The packet, for [`Packet::parse`](super::Packet::parse).
        packet: &'a [u8],
    },
    /// The carrier tells of peers.
    Notice(Notice),
}

/// The notices of a carrier of Godot 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A peer came.
    AddPeer(i32),
    /// A peer is gone.
    DelPeer(i32),
    /// The receiver's own id. WebSocket only: in ENet the client tells it when it connects.
    Id(i32),
}

/// The channel of ENet on which the server tells of peers (`networked_multiplayer_enet.h:60`).
pub(crate) const NOTICES: u8 = 0;

impl<'a> Enveloped<'a> {
    /// Reads the contents of an ENet packet (`networked_multiplayer_enet.cpp:275`). Eight bytes are
    /// the envelope.
    ///
    /// # Errors
    /// If it is cut, or a notice of another number.
    pub fn enet(bytes: &'a [u8], channel: u8) -> Result<Enveloped<'a>, Error> {
        let mut reader = Reader::new(bytes, 0);
        if channel != NOTICES {
            return Ok(Enveloped::Packet {
                source: reader.i32()?,
                target: reader.i32()?,
                packet: reader.rest(),
            });
        }
        let number = reader.u32()?;
        let peer = reader.i32()?;
        reader.done()?;
        Ok(Enveloped::Notice(match number {
            0 => Notice::AddPeer(peer),
            1 => Notice::DelPeer(peer),
            _ => return Err(unknown(number)),
        }))
    }

    /// Reads the contents of a WebSocket message (`websocket_multiplayer_peer.cpp:190`). Nine bytes are
    /// the envelope.
    ///
    /// # Errors
    /// If it is cut, or of another number.
    pub fn websocket(bytes: &'a [u8]) -> Result<Enveloped<'a>, Error> {
        let mut reader = Reader::new(bytes, 0);
        let number = reader.u8()?;
        let (source, target) = (reader.i32()?, reader.i32()?);
        if number == 0 {
            let packet = reader.rest();
            return Ok(Enveloped::Packet {
                source,
                target,
                packet,
            });
        }
        let peer = reader.i32()?;
        reader.done()?;
        Ok(Enveloped::Notice(match number {
            1 => Notice::AddPeer(peer),
            2 => Notice::DelPeer(peer),
            3 => Notice::Id(peer),
            _ => return Err(unknown(number.into())),
        }))
    }
}

/// Writes the envelope of a packet in ENet, behind which the packet is written.
///
/// # Errors
/// If the sink does not take the bytes.
pub fn put_ends<S: Sink>(
    source: i32,
    target: i32,
    sink: &mut S,
) -> Result<(), WriteError<S::Error>> {
    put(&source.to_le_bytes(), sink)?;
    put(&target.to_le_bytes(), sink)
}

/// The stand-in for a reliable packet that is dropped on its way through ENet, whose receiver would wait
/// for that one for ever: a packet with the same ends, and a command that the engine does not know and passes over
/// without a word; on channel 0 a notice of that kind. To the server it is for the server alone, so that nothing is
/// relayed.
#[must_use]
pub fn ignored(dropped: &[u8], channel: u8, to_server: bool) -> [u8; 9] {
    let mut packet = [0xff; 9];
    if let (true, Some(ends)) = (channel != NOTICES, dropped.first_chunk::<8>()) {
        packet[..8].copy_from_slice(ends);
        if to_server {
            packet[4..8].copy_from_slice(&1_i32.to_le_bytes());
        }
    }
    packet
}

#[cold]
fn unknown(number: u32) -> Error {
    let number = u8::try_from(number).unwrap_or(u8::MAX);
    Error::new(0, PacketErrorKind::UnknownCommand { number })
}

/// Writes the contents of an ENet packet. The notice of an own id, which ENet does not have, is none.
impl Encode for Enveloped<'_> {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let (first, second, packet): (i32, i32, &[u8]) = match *self {
            Enveloped::Packet {
                source,
                target,
                packet,
            } => (source, target, packet),
            Enveloped::Notice(Notice::AddPeer(peer)) => (0, peer, &[]),
            Enveloped::Notice(Notice::DelPeer(peer)) => (1, peer, &[]),
            Enveloped::Notice(Notice::Id(_)) => return Ok(()),
        };
        put_ends(first, second, sink)?;
        put(packet, sink)
    }
}

impl Enveloped<'_> {
    /// Writes the contents of a WebSocket message. A notice names the peer and is for everybody.
    ///
    /// # Errors
    /// If the sink does not take the bytes.
    pub fn encode_websocket<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let (number, peer) = match *self {
            Enveloped::Packet {
                source,
                target,
                packet,
            } => {
                put(&[0], sink)?;
                put_ends(source, target, sink)?;
                return put(packet, sink);
            }
            Enveloped::Notice(Notice::AddPeer(peer)) => (1, peer),
            Enveloped::Notice(Notice::DelPeer(peer)) => (2, peer),
            Enveloped::Notice(Notice::Id(peer)) => (3, peer),
        };
        put(&[number], sink)?;
        put_ends(1, 0, sink)?;
        put(&peer.to_le_bytes(), sink)
    }
}
