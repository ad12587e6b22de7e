//! [`Message`]: the contents of a [`SessionEvent`](super::SessionEvent).

use gdvar_view::VariantRef;

use crate::{
    debugger, enet::Command, error::Error, godot3, godot4, name::Name, node_ref::NodeRef,
    value::Values, websocket,
};

/// The contents of a [`SessionEvent`](crate::SessionEvent).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Message<'a> {
    /// A packet of Godot 4. If the server relays it, the inner packet.
    Godot4(godot4::Packet<'a>),
    /// A packet of Godot 3.
    Godot3(godot3::Packet<'a>),
    /// The transport reports that a peer joined or left, or gives the receiver its own id.
    Notice(godot3::Notice),
    /// A value of `put_var`.
    Value(VariantRef<'a>),
    /// A message between the editor and a running game.
    Debugger(debugger::Message<'a>),
    /// An ENet command without a packet, or with a fragment that does not complete one.
    Enet(Command<'a>),
    /// A WebSocket frame that concerns the connection. Its payload is in
    /// [`SessionEvent::bytes`](crate::SessionEvent::bytes).
    WebSocket(websocket::Opcode),
    /// The HTTP header with which a WebSocket connection begins.
    Http,
    /// A packet of Godot 3 that does nothing. A proxy sent it in place of a dropped packet:
    /// [`godot3::ignored`].
    Ignored,
    /// Bytes that cannot be read.
    Damaged {
        /// The error. Its offset is relative to the start of `bytes`.
        error: Error,
        /// The datagram, the packet, or the rest of the stream.
        bytes: &'a [u8],
    },
}

/// How a packet names a method or property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'a> {
    /// The name: Godot 3.
    Name(Name<'a>),
    /// The number: Godot 4. See [`Call::method_id`](godot4::Call::method_id).
    Number(u16),
}

impl<'a> Message<'a> {
    /// The name of the command, such as `CALL`, `SYNC`, `SEND_FRAGMENT` or `PUT_VAR`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Message::Godot4(godot4::Packet::Sys(sys)) => sys.name(),
            Message::Godot4(packet) => packet.command().name(),
            Message::Godot3(packet) => packet.command().name(),
            Message::Notice(godot3::Notice::AddPeer(_)) => "ADD_PEER",
            Message::Notice(godot3::Notice::DelPeer(_)) => "DEL_PEER",
            Message::Notice(godot3::Notice::Id(_)) => "PEER_ID",
            Message::Value(_) => "PUT_VAR",
            Message::Debugger(_) => "DEBUGGER",
            Message::Enet(command) => command.name(),
            Message::WebSocket(opcode) => opcode.name(),
            Message::Http => "HTTP",
            Message::Ignored => "IGNORED",
            Message::Damaged { .. } => "DAMAGED",
        }
    }

    /// The node of a call or of a property that is set. `None` for other messages.
    #[must_use]
    pub const fn node(&self) -> Option<NodeRef<'a>> {
        match self {
            Message::Godot4(godot4::Packet::Call(call)) => Some(call.node()),
            Message::Godot3(godot3::Packet::Call(call) | godot3::Packet::Set(call)) => {
                Some(call.node())
            }
            _ => None,
        }
    }

    /// The method of a call, or the property that is set. `None` for other messages.
    #[must_use]
    pub const fn method(&self) -> Option<Named<'a>> {
        match self {
            Message::Godot4(godot4::Packet::Call(call)) => Some(Named::Number(call.method_id())),
            Message::Godot3(godot3::Packet::Call(call) | godot3::Packet::Set(call)) => {
                Some(Named::Name(call.name()))
            }
            _ => None,
        }
    }

    /// The arguments of a call, or the value of a property that is set. `None` for other messages.
    #[must_use]
    pub const fn args(&self) -> Option<Values<'a>> {
        match self {
            Message::Godot4(godot4::Packet::Call(call)) => Some(call.args()),
            Message::Godot3(godot3::Packet::Call(call) | godot3::Packet::Set(call)) => {
                Some(call.args())
            }
            _ => None,
        }
    }

    pub(crate) const fn damaged(error: Error, bytes: &'a [u8]) -> Message<'a> {
        Message::Damaged { error, bytes }
    }
}
