//! [`Item`]: one thing that a session heard.

use alloc::vec::Vec;
use core::time::Duration;

use gdvar_view::{Document, VariantRef};

use super::{
    Direction, Engine, Known, NodePath, damaged,
    onward::{self, Change, MAX_HELD, Onward},
    options, parse3, parse4,
};
use crate::{
    Edit, Error, NodeRef, PacketErrorKind, debugger,
    enet::{Body, Command, Delivery},
    godot3, godot4,
    tls::is_dtls,
    websocket,
};

/// One packet, or one thing that the carrier says for itself.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The client's number, as it was given to [`Session::receive`](super::Session::receive).
    pub link: u32,
    /// Which way it goes.
    pub direction: Direction,
    /// The peer id of the sender: 1 for the server; `None` for a client whose connection began before the
    /// session did.
    pub source: Option<i32>,
    /// The peer id of the receiver, if the packet names it or it is known. 0 is all, and `-n` all but `n`.
    pub target: Option<i32>,
    /// `true` if the server hands it on from client to client.
    pub is_relayed: bool,
    /// When it came, since some moment: a session has no clock, so it is `None` until somebody sets it. A [`Filter`](crate::Filter) asks
    /// for it.
    pub time: Option<Duration>,
    /// How it travels.
    pub carriage: Carriage,
    /// The packet's bytes: what the game handed to its carrier, put together, unmasked and unpacked.
    pub bytes: &'a [u8],
    /// The message.
    pub message: Message<'a>,
    /// The knowledge of the session, this packet included.
    pub known: &'a Known,
}

/// The most bytes of a datagram of UDP over IPv4.
pub(super) const MAX_UDP: usize = 65_507;

/// How a packet travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carriage {
    /// In a command of ENet.
    Enet {
        /// The channel.
        channel: u8,
        /// How it is sent; `None` for a command without a packet.
        delivery: Option<Delivery>,
        /// Its number in the channel.
        sequence: u16,
        /// The own number of an unreliable packet: one outside all order among those of its sender, another one since
        /// the last reliable command of the channel.
        number: Option<u16>,
        /// In how many pieces.
        fragments: u32,
        /// `true` if the same command came before: a reliable one, because its sender waited in vain for an
        /// acknowledgement; an unreliable packet, because the network delivered it twice.
        is_resent: bool,
    },
    /// In a WebSocket message.
    WebSocket,
    /// A datagram of its own.
    Datagram,
    /// A record of a stream.
    Record,
}

impl Carriage {
    /// `true` if this command of ENet came before.
    #[must_use]
    pub const fn is_resent(self) -> bool {
        matches!(
            self,
            Carriage::Enet {
                is_resent: true,
                ..
            }
        )
    }
}

/// The message of an [`Item`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Message<'a> {
    /// A packet of Godot 4. One that is relayed stands here without its relay.
    Godot4(godot4::Packet<'a>),
    /// A packet of Godot 3.
    Godot3(godot3::Packet<'a>),
    /// The carrier tells of peers, or the receiver's own id.
    Notice(godot3::Notice),
    /// A value of `put_var`.
    Value(VariantRef<'a>),
    /// A message of the debugger.
    Debugger(debugger::Message<'a>),
    /// A command of ENet without a packet, or with a piece that completes none.
    Enet(Command<'a>),
    /// A WebSocket frame that concerns the connection; its payload is in [`Item::bytes`].
    WebSocket(websocket::Opcode),
    /// The head of the HTTP handshake that begins a WebSocket.
    Http,
    /// Bytes that cannot be read.
    Damaged {
        /// Why. It counts from the start of `bytes`.
        error: Error,
        /// The datagram, packet or rest of the stream.
        bytes: &'a [u8],
    },
}

/// A method or property, by its name or its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'a> {
    /// Godot 3 sends the name.
    Name(crate::Name<'a>),
    /// Godot 4 sends a number: [`Call::method_id`](godot4::Call::method_id).
    Number(u16),
}

impl<'a> Message<'a> {
    /// The name of the command: `CALL`, `SYNC`, `SEND_FRAGMENT`, `PUT_VAR`.
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
            Message::Damaged { .. } => "DAMAGED",
        }
    }

    /// The node of a call or a set property, as the packet names it.
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

    /// The method of a call, or the property that is set.
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

    /// The arguments of a call, or the value of a set property.
    #[must_use]
    pub const fn args(&self) -> Option<crate::Values<'a>> {
        match self {
            Message::Godot4(godot4::Packet::Call(call)) => Some(call.args()),
            Message::Godot3(godot3::Packet::Call(call) | godot3::Packet::Set(call)) => {
                Some(call.args())
            }
            _ => None,
        }
    }
}

impl<'a> Item<'a> {
    /// The path of the node that a call is for: from the packet, or from the ids that its sender gave.
    /// `None` for another command, and for an id that was given before the session began.
    #[must_use]
    pub fn node_path(&self) -> Option<&'a str> {
        match self.message.node()? {
            NodeRef::Path(path) => path.to_str(),
            NodeRef::Id(id) => Some(self.known.path(self.link, self.source, id)?.path()),
        }
    }

    /// The node that a call is for, as the sender told it.
    #[must_use]
    pub fn node(&self) -> Option<&'a NodePath> {
        match self.message.node()? {
            NodeRef::Path(path) => self.known.node(self.link, self.source, path.to_str()?),
            NodeRef::Id(id) => self.known.path(self.link, self.source, id),
        }
    }

    /// Returns `true` if [`Session::rewrite`](super::Session::rewrite) can change it: not what was damaged, and no packet of
    /// ENet in pieces that is longer than 32 KiB, whose first pieces are on their way when the last one comes, nor these
    /// pieces themselves. All of them can be dropped.
    #[must_use]
    pub fn is_editable(&self) -> bool {
        let in_pieces = matches!(self.carriage, Carriage::Enet { fragments: 2.., .. });
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

    /// The most bytes of a packet that [`Session::rewrite`](super::Session::rewrite) can hand on in its place. One that
    /// would be longer is handed on as it came: [`Onward::too_long`](super::Onward::too_long).
    ///
    /// * A reliable packet of ENet leaves in as many commands as it came in, because the receiver counts them: 4064
    ///   bytes for each.
    /// * An unreliable, ordered packet of ENet leaves in as many pieces as it needs, up to 1 MiB.
    /// * An unreliable packet of ENet outside all order leaves in one command: 4064 bytes.
    /// * A datagram has 65 507 bytes, and the message of a stream what the length in front of it can say.
    #[must_use]
    pub fn max_len(&self) -> usize {
        match self.carriage {
            Carriage::Enet {
                delivery,
                fragments,
                ..
            } => delivery.map_or(0, |delivery| onward::max_len(delivery, fragments)),
            Carriage::Datagram => MAX_UDP,
            _ => u32::MAX as usize,
        }
    }

    /// The place in [`Item::bytes`] where the packet itself begins: behind relay or envelope.
    #[must_use]
    pub const fn packet_start(&self) -> usize {
        match (self.message, self.carriage) {
            (Message::Godot4(_), _) if self.is_relayed => 6,
            (Message::Godot3(_), Carriage::Enet { .. }) => 8,
            (Message::Godot3(_), _) => 9,
            _ => 0,
        }
    }

    /// The item as it is with other bytes, for instance those that a
    /// [`PacketEditor`](crate::PacketEditor) made.
    ///
    /// # Errors
    /// If they are no packet of the same kind.
    pub fn with_bytes<'b>(&self, bytes: &'b [u8]) -> Result<Item<'b>, Error>
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
        Ok(Item {
            bytes,
            message,
            ..*self
        })
    }
}

/// The maker of items: the part that is common to all that one `receive` finds.
pub(super) struct Hub<'h> {
    pub(super) engine: Engine,
    pub(super) link: u32,
    pub(super) direction: Direction,
    pub(super) known: &'h mut Known,
    pub(super) each: &'h mut dyn FnMut(Item<'_>, &mut Vec<u8>) -> Edit,
    /// The packet that the last item is to become.
    pub(super) edit: Edit,
    /// The buffer for what is handed on, if somebody wants it.
    pub(super) onward: Option<&'h mut Onward>,
}

impl Hub<'_> {
    /// The sender and receiver as far as the line itself tells.
    fn ends(&self) -> (Option<i32>, Option<i32>) {
        let client = self.known.client(self.link);
        match self.direction {
            Direction::ToServer => (client, Some(1)),
            Direction::ToClient => (Some(1), client),
        }
    }

    /// Something that the carrier says for itself.
    pub(super) fn say(&mut self, carriage: Carriage, bytes: &[u8], message: Message<'_>) {
        let (source, target) = self.ends();
        self.emit(carriage, bytes, message, (source, target), false);
    }

    fn emit(
        &mut self,
        carriage: Carriage,
        bytes: &[u8],
        message: Message<'_>,
        (source, target): (Option<i32>, Option<i32>),
        is_relayed: bool,
    ) {
        let mut unwanted = Vec::new();
        let edited = match &mut self.onward {
            Some(onward) => &mut onward.edited,
            None => &mut unwanted,
        };
        let item = Item {
            link: self.link,
            direction: self.direction,
            source,
            target,
            is_relayed,
            time: None,
            carriage,
            bytes,
            message,
            known: self.known,
        };
        self.edit = (self.each)(item, edited);
    }

    /// How the packet that was just told of is handed on.
    pub(super) fn change<'a>(&self, packet: &'a [u8]) -> Change<'a> {
        Change {
            engine: self.engine,
            direction: self.direction,
            edit: self.edit,
            packet,
        }
    }

    /// Hands on a datagram or a part of a stream by the word on its item: as it came, or as `rewritten` writes it,
    /// or not at all.
    pub(super) fn hand_on(&mut self, raw: &[u8], rewritten: impl FnOnce(&[u8], &mut Onward)) {
        let Some(onward) = &mut self.onward else {
            return;
        };
        match self.edit {
            Edit::Unchanged => onward.push(raw),
            Edit::Rewritten => {
                let edited = core::mem::take(&mut onward.edited);
                rewritten(&edited, onward);
                onward.edited = edited;
            }
            Edit::Dropped => {}
        }
    }

    /// Hands on bytes that nobody can change.
    pub(super) fn push(&mut self, raw: &[u8]) {
        if let Some(onward) = &mut self.onward {
            onward.push(raw);
        }
    }

    /// A datagram of ENet that cannot be read is handed on as it came, unless the word on it is to drop it.
    pub(super) fn datagram(&mut self, bytes: &[u8]) {
        let is_dropped = self.is_dropped();
        match &mut self.onward {
            Some(onward) if is_dropped => onward.leave_out(),
            Some(onward) => onward.push(bytes),
            None => {}
        }
    }

    /// The rest of a datagram that cannot be read is handed on likewise.
    pub(super) fn rest(&mut self, rest: &[u8]) {
        let is_dropped = self.is_dropped();
        match &mut self.onward {
            Some(onward) if is_dropped => onward.leave_out(),
            Some(onward) => onward.same(rest),
            None => {}
        }
    }

    /// A piece of a packet is handed on as it came, unless the word on it is to drop it.
    pub(super) fn piece(&mut self, command: Command<'_>, raw: &[u8]) {
        let mut change = self.change(&[]);
        if change.edit != Edit::Dropped {
            change.edit = Edit::Unchanged;
        }
        if let Some(onward) = &mut self.onward {
            change.command(command, raw, onward);
        }
    }

    /// Returns `true` if the last item is to be dropped.
    pub(super) fn is_dropped(&self) -> bool {
        self.edit == Edit::Dropped
    }

    /// A packet of the multiplayer API. One that came before is told, but teaches nothing.
    pub(super) fn packet(&mut self, carriage: Carriage, bytes: &[u8]) {
        match self.engine {
            Engine::Godot4 => self.godot4(carriage, bytes),
            Engine::Godot3 => {
                let enveloped = match carriage {
                    Carriage::Enet { channel, .. } => godot3::Enveloped::enet(bytes, channel),
                    _ => godot3::Enveloped::websocket(bytes),
                };
                self.godot3(carriage, bytes, enveloped);
            }
        }
    }

    fn godot4(&mut self, carriage: Carriage, bytes: &[u8]) {
        let is_resent = carriage.is_resent();
        let (mut source, mut target) = self.ends();
        let mut packet = parse4(bytes);
        let mut is_relayed = false;
        if let Ok(godot4::Packet::Sys(godot4::Sys::Relay {
            peer,
            packet: inner,
        })) = packet
        {
            is_relayed = true;
            match self.direction {
                Direction::ToServer => target = Some(peer),
                Direction::ToClient => source = Some(peer),
            }
            let start = bytes.len() - inner.len();
            packet = parse4(inner).map_err(|error| error.at(start));
        }
        match packet.and_then(|packet| packet.validate().map(|()| packet)) {
            Ok(packet) => {
                if !is_resent {
                    self.known.learn4(self.link, source, packet);
                    if let godot4::Packet::ConfirmPath(answer) = packet {
                        self.known.learn_answer(self.link, target, answer);
                    }
                }
                let message = Message::Godot4(packet);
                self.emit(carriage, bytes, message, (source, target), is_relayed);
                if !is_resent {
                    self.known.unlearn4(self.link, source, packet);
                }
            }
            Err(error) => {
                let message = damaged(error, bytes);
                self.emit(carriage, bytes, message, (source, target), is_relayed);
            }
        }
    }

    fn godot3(
        &mut self,
        carriage: Carriage,
        bytes: &[u8],
        enveloped: Result<godot3::Enveloped<'_>, Error>,
    ) {
        let is_resent = carriage.is_resent();
        let read = enveloped.and_then(|enveloped| match enveloped {
            godot3::Enveloped::Notice(notice) => Ok((None, Message::Notice(notice))),
            godot3::Enveloped::Packet {
                source,
                target,
                packet,
            } => {
                let at = |error: Error| error.at(bytes.len() - packet.len());
                let packet = parse3(packet).map_err(at)?;
                packet.validate().map_err(at)?;
                Ok((Some((source, target)), Message::Godot3(packet)))
            }
        });
        match read {
            Ok((named, message)) => {
                if let (Message::Notice(godot3::Notice::Id(peer)), Direction::ToClient) =
                    (message, self.direction)
                {
                    self.known.set_client(self.link, peer);
                }
                let line = self.ends();
                let (ends, is_relayed) = match named {
                    None => (line, false),
                    // A client writes its own id; nobody checks it, and the server trusts the line.
                    Some((source, target)) => match self.direction {
                        Direction::ToServer => {
                            ((line.0.or(Some(source)), Some(target)), target != 1)
                        }
                        Direction::ToClient => ((Some(source), Some(target)), source != 1),
                    },
                };
                if let (Message::Godot3(packet), false) = (message, is_resent) {
                    self.known.learn3(self.link, ends.0, packet);
                }
                self.emit(carriage, bytes, message, ends, is_relayed);
                if let (Message::Notice(godot3::Notice::DelPeer(peer)), Direction::ToClient) =
                    (message, self.direction)
                {
                    self.known.forget_peer(peer);
                }
            }
            Err(error) => self.say(carriage, bytes, damaged(error, bytes)),
        }
    }

    /// A datagram of `put_var`.
    pub(super) fn value(&mut self, bytes: &[u8]) {
        self.value_in(Carriage::Datagram, bytes);
    }

    /// A value, whole or in a record.
    pub(super) fn value_in(&mut self, carriage: Carriage, bytes: &[u8]) {
        let document = Document::with_options(bytes, options(self.engine));
        let message = match document.validate().and_then(|_| document.root()) {
            // Its type is one that a value may have, too.
            _ if is_dtls(bytes) => damaged(Error::new(0, PacketErrorKind::Dtls), bytes),
            Ok(value) => Message::Value(value),
            Err(error) => damaged(Error::value(0, error), bytes),
        };
        self.say(carriage, bytes, message);
    }

    /// A message of the debugger.
    pub(super) fn debugger(&mut self, bytes: &[u8]) {
        let message = match debugger::Message::parse(bytes) {
            Ok(message) => Message::Debugger(message),
            Err(error) => damaged(error, bytes),
        };
        self.say(Carriage::Record, bytes, message);
    }
}
