//! [`Enveloped`]: the envelope of a Godot 3 packet in ENet and WebSocket.

use gdvar_write::Sink;

use crate::{
    byte_reader::ByteReader,
    encode::{Encode, WriteError, put},
    error::{Error, PacketErrorKind},
};

/// A packet with its sender and receiver, or a notice of the transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enveloped<'a> {
    /// A packet of the game, for one or more peers.
    Packet {
        /// The sender's id.
        source: i32,
        /// The receiver's id. 0 is everybody, and `-n` everybody but `n`.
        target: i32,
        /// The packet, for [`Packet::parse`](super::Packet::parse).
        packet: &'a [u8],
    },
    /// A notice about a peer.
    Notice(Notice),
}

/// A notice of Godot 3's transport.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// This peer joined.
    AddPeer(i32),
    /// This peer left.
    DelPeer(i32),
    /// The receiver's own id. WebSocket only: an ENet client chooses its id when it connects.
    Id(i32),
}

/// The ENet channel of notices (`networked_multiplayer_enet.h:60`).
pub(crate) const NOTICES: u8 = 0;

impl<'a> Enveloped<'a> {
    /// Parses an ENet packet (`networked_multiplayer_enet.cpp:275`). The envelope takes eight
    /// bytes.
    ///
    /// # Errors
    /// Fails if the packet is cut, or the notice is unknown.
    pub fn enet(bytes: &'a [u8], channel: u8) -> Result<Enveloped<'a>, Error> {
        let mut reader = ByteReader::new(bytes, 0);
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

    /// Parses a WebSocket message (`websocket_multiplayer_peer.cpp:190`). The envelope takes nine
    /// bytes.
    ///
    /// # Errors
    /// Fails if the message is cut, or its kind is unknown.
    pub fn websocket(bytes: &'a [u8]) -> Result<Enveloped<'a>, Error> {
        let mut reader = ByteReader::new(bytes, 0);
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

/// Writes the envelope of an ENet packet: the sender and the receiver. The caller writes the packet
/// after it.
///
/// # Errors
/// Fails if the sink does not take the bytes.
pub fn put_ends<S: Sink>(
    source: i32,
    target: i32,
    sink: &mut S,
) -> Result<(), WriteError<S::Error>> {
    put(&source.to_le_bytes(), sink)?;
    put(&target.to_le_bytes(), sink)
}

/// Returns a packet that does nothing. A proxy sends it in place of `dropped`, a reliable ENet
/// packet, because the receiver would wait for a missing packet forever. The returned packet has
/// the sender and receiver of `dropped`, and an unknown command, which the engine ignores silently.
/// On channel 0 it is an unknown notice. If `to_server`, the packet is addressed to the server
/// alone, so that the server does not relay it.
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

/// Returns `true` if `packet`, with its envelope, was made by [`ignored`].
#[cfg(feature = "alloc")]
pub(crate) fn is_ignored(packet: &[u8], channel: u8) -> bool {
    packet.len() == 9 && packet[8] == 0xff && (channel != NOTICES || packet == [0xff; 9])
}

#[cold]
fn unknown(number: u32) -> Error {
    let number = u8::try_from(number).unwrap_or(u8::MAX);
    Error::new(0, PacketErrorKind::UnknownCommand { number })
}

/// Writes an ENet packet. Writes nothing for [`Notice::Id`], which ENet does not have.
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
    /// Writes a WebSocket message. A notice is addressed to everybody.
    ///
    /// # Errors
    /// Fails if the sink does not take the bytes.
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
