//! [`SessionEvent`]: a packet or message that a session reports.

use core::time::Duration;

use gdvar_view::Document;

use super::{
    message::Message,
    parse::{parse3, parse4},
    size::{self, MAX_HELD, MAX_UDP},
    state::{NodePath, SessionState},
    transport::{Direction, TransportInfo},
};
use crate::{debugger, enet::Body, error::Error, node_ref::NodeRef};

/// A packet, or a message of the transport itself, as a [`Session`](crate::Session) reports it. A
/// `SessionEvent` borrows the bytes and the session.
#[derive(Clone, Copy, Debug)]
pub struct SessionEvent<'a> {
    /// The client's number that was passed to [`Session::receive`](crate::Session::receive).
    pub link: u32,
    /// The direction of the packet.
    pub direction: Direction,
    /// The peer id of the sender; 1 is the server. `None` for a client that connected before the
    /// session began.
    pub source: Option<i32>,
    /// The peer id of the receiver, if the packet names the receiver or the session knows it. 0 is
    /// everybody, and `-n` everybody but `n`.
    pub target: Option<i32>,
    /// `true` if the server relays the packet from client to client.
    pub is_relayed: bool,
    /// The time of arrival, for a [`Filter`](crate::Filter) that compares it. A session has no
    /// clock: this is `None` until the caller sets it.
    pub time: Option<Duration>,
    /// How the packet was sent.
    pub transport: TransportInfo,
    /// The packet's bytes: defragmented, unmasked and unpacked, as the game sent them.
    pub bytes: &'a [u8],
    /// The parsed contents of `bytes`.
    pub message: Message<'a>,
    /// The state of the session. It includes what this packet announces. What this packet removes
    /// is removed after the event.
    pub state: &'a SessionState,
}

impl<'a> SessionEvent<'a> {
    /// The path of a call's node: from the packet, or from the ids that its sender assigned. `None`
    /// for another message, and for an id that was assigned before the session began.
    #[must_use]
    pub fn node_path(&self) -> Option<&'a str> {
        match self.message.node()? {
            NodeRef::Path(path) => path.to_str(),
            NodeRef::Id(id) => Some(self.state.path(self.link, self.source, id)?.path()),
        }
    }

    /// The node of a call, as its sender announced it. `None` if the sender did not announce it.
    #[must_use]
    pub fn node(&self) -> Option<&'a NodePath> {
        match self.message.node()? {
            NodeRef::Path(path) => self.state.node(self.link, self.source, path.to_str()?),
            NodeRef::Id(id) => self.state.path(self.link, self.source, id),
        }
    }

    /// Returns `true` if [`Session::rewrite`](crate::Session::rewrite) can change the packet.
    /// `rewrite` cannot change a damaged packet, nor an ENet packet of more than 32 KiB that comes
    /// in fragments, because the first fragments are sent on before the last one arrives. `rewrite`
    /// can drop every packet.
    #[must_use]
    pub fn is_editable(&self) -> bool {
        let in_pieces = matches!(self.transport, TransportInfo::Enet { fragments: 2.., .. });
        let is_damaged = matches!(self.message, Message::Damaged { .. });
        let is_piece = match self.message {
            Message::Enet(command) => match command.body {
                Body::Fragment(piece) => piece.total as usize > MAX_HELD,
                _ => false,
            },
            _ => false,
        };
        !(is_damaged || is_piece || in_pieces && self.bytes.len() > MAX_HELD)
    }

    /// The longest packet that [`Session::rewrite`](crate::Session::rewrite) can send on in place
    /// of this one. If the new packet is longer, the original is sent on, and
    /// [`Forwarded::too_long`](crate::Forwarded::too_long) counts it.
    ///
    /// * A reliable ENet packet is sent in the same number of commands in which it arrived, because
    ///   the receiver counts them: 4064 bytes each.
    /// * An unreliable, ordered ENet packet is sent in any number of fragments: 1 MiB.
    /// * An unsequenced ENet packet is sent in one command: 4064 bytes.
    /// * A datagram holds 65 507 bytes, and a message of a stream as many as its length field can
    ///   express.
    #[must_use]
    pub fn max_len(&self) -> usize {
        match self.transport {
            TransportInfo::Enet {
                delivery,
                fragments,
                ..
            } => delivery.map_or(0, |delivery| size::max_len(delivery, fragments)),
            TransportInfo::Datagram => MAX_UDP,
            _ => u32::MAX as usize,
        }
    }

    /// The offset in [`SessionEvent::bytes`] at which the packet begins, after its relay or
    /// envelope.
    #[must_use]
    pub const fn packet_start(&self) -> usize {
        match (self.message, self.transport) {
            (Message::Godot4(_), _) if self.is_relayed => 6,
            (Message::Godot3(_), TransportInfo::Enet { .. }) => 8,
            (Message::Godot3(_), _) => 9,
            _ => 0,
        }
    }

    /// Returns this event with other bytes, for instance the output of a
    /// [`PacketEditor`](crate::PacketEditor).
    ///
    /// # Errors
    /// Fails if the bytes cannot be parsed as the same variant of [`Message`].
    pub fn with_bytes<'b>(&self, bytes: &'b [u8]) -> Result<SessionEvent<'b>, Error>
    where
        'a: 'b,
    {
        let start = self.packet_start();
        let packet = bytes.get(start..).unwrap_or_default();
        let at = |error: Error| error.at(start);
        let message = match self.message {
            Message::Godot4(_) => Message::Godot4(parse4(packet).map_err(at)?),
            Message::Godot3(_) => Message::Godot3(parse3(packet).map_err(at)?),
            Message::Debugger(_) => Message::Debugger(debugger::Message::parse(bytes)?),
            Message::Value(old) => {
                let document = Document::with_options(bytes, old.options());
                let value = document.validate().and_then(|_| document.root());
                Message::Value(value.map_err(|error| Error::value(0, error))?)
            }
            other => other,
        };
        Ok(SessionEvent {
            bytes,
            message,
            ..*self
        })
    }
}
