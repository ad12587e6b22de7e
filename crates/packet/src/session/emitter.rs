//! [`Emitter`]: reports events, and forwards packets as the caller decides.

use alloc::vec::Vec;

use gdvar_view::Document;

use crate::{
    debugger,
    enet::Command,
    error::{Error, PacketErrorKind},
    godot3, godot4,
    rewrite::{EditedPacket, Forwarded, PacketEdit},
    tls::is_dtls,
    traffic::{
        Direction, Engine, Message, SessionEvent, SessionState, TransportInfo, options, parse3,
        parse4,
    },
};

/// Everything that the events of one `receive` have in common.
pub(super) struct Emitter<'h> {
    pub(super) engine: Engine,
    pub(super) link: u32,
    pub(super) direction: Direction,
    pub(super) state: &'h mut SessionState,
    pub(super) each: &'h mut dyn FnMut(SessionEvent<'_>, &mut Vec<u8>) -> PacketEdit,
    /// The decision about the last event.
    pub(super) edit: PacketEdit,
    /// The output, if the caller is a proxy.
    pub(super) forwarded: Option<&'h mut Forwarded>,
}

impl Emitter<'_> {
    /// The peer ids of the sender and receiver, as far as the link determines them.
    fn ends(&self) -> (Option<i32>, Option<i32>) {
        let client = self.state.client(self.link);
        match self.direction {
            Direction::ToServer => (client, Some(1)),
            Direction::ToClient => (Some(1), client),
        }
    }

    /// Reports an event whose sender and receiver follow from the link.
    pub(super) fn report(&mut self, info: TransportInfo, bytes: &[u8], message: Message<'_>) {
        let (source, target) = self.ends();
        self.emit(info, bytes, message, (source, target), false);
    }

    fn emit(
        &mut self,
        info: TransportInfo,
        bytes: &[u8],
        message: Message<'_>,
        (source, target): (Option<i32>, Option<i32>),
        is_relayed: bool,
    ) {
        let mut unwanted = Vec::new();
        let edited = match &mut self.forwarded {
            Some(forwarded) => &mut forwarded.edited,
            None => &mut unwanted,
        };
        let event = SessionEvent {
            link: self.link,
            direction: self.direction,
            source,
            target,
            is_relayed,
            time: None,
            transport: info,
            bytes,
            message,
            state: self.state,
        };
        self.edit = (self.each)(event, edited);
    }

    /// Returns `packet` together with the decision about the last event.
    pub(super) fn edited_packet<'a>(&self, packet: &'a [u8]) -> EditedPacket<'a> {
        EditedPacket {
            engine: self.engine,
            direction: self.direction,
            edit: self.edit,
            packet,
        }
    }

    /// Sends on a datagram or a part of a stream according to the decision about its event:
    /// unchanged, or as `rewritten` writes it, or not at all.
    pub(super) fn forward(&mut self, raw: &[u8], rewritten: impl FnOnce(&[u8], &mut Forwarded)) {
        let Some(forwarded) = &mut self.forwarded else {
            return;
        };
        match self.edit {
            PacketEdit::Unchanged => forwarded.push(raw),
            PacketEdit::Rewritten => {
                let edited = core::mem::take(&mut forwarded.edited);
                rewritten(&edited, forwarded);
                forwarded.edited = edited;
            }
            PacketEdit::Dropped | PacketEdit::Withheld => {}
        }
    }

    /// Sends on bytes that cannot be changed.
    pub(super) fn push(&mut self, raw: &[u8]) {
        if let Some(forwarded) = &mut self.forwarded {
            forwarded.push(raw);
        }
    }

    /// Sends on an unreadable ENet datagram, unless it is to be dropped.
    pub(super) fn datagram(&mut self, bytes: &[u8]) {
        let is_dropped = self.is_dropped();
        match &mut self.forwarded {
            Some(forwarded) if is_dropped => forwarded.leave_out(),
            Some(forwarded) => forwarded.push(bytes),
            None => {}
        }
    }

    /// Sends on the unreadable rest of an ENet datagram, unless it is to be dropped.
    pub(super) fn rest(&mut self, rest: &[u8]) {
        let is_dropped = self.is_dropped();
        match &mut self.forwarded {
            Some(forwarded) if is_dropped => forwarded.leave_out(),
            Some(forwarded) => forwarded.push_command(rest),
            None => {}
        }
    }

    /// Sends on a fragment unchanged, unless it is to be dropped.
    pub(super) fn piece(&mut self, command: Command<'_>, raw: &[u8]) {
        let mut edited = self.edited_packet(&[]);
        if edited.edit == PacketEdit::Rewritten {
            edited.edit = PacketEdit::Unchanged;
        }
        if let Some(forwarded) = &mut self.forwarded {
            edited.forward_command(command, raw, forwarded);
        }
    }

    /// True if the last event is not to be sent on.
    pub(super) fn is_dropped(&self) -> bool {
        matches!(self.edit, PacketEdit::Dropped | PacketEdit::Withheld)
    }

    /// Reports a packet of the multiplayer API. A retransmitted packet is reported but does not
    /// change the state.
    pub(super) fn packet(&mut self, info: TransportInfo, bytes: &[u8]) {
        match self.engine {
            Engine::Godot4 => self.godot4(info, bytes),
            Engine::Godot3 => {
                let enveloped = match info {
                    TransportInfo::Enet { channel, .. } if godot3::is_ignored(bytes, channel) => {
                        return self.report(info, bytes, Message::Ignored);
                    }
                    TransportInfo::Enet { channel, .. } => godot3::Enveloped::enet(bytes, channel),
                    _ => godot3::Enveloped::websocket(bytes),
                };
                self.godot3(info, bytes, enveloped);
            }
        }
    }

    fn godot4(&mut self, info: TransportInfo, bytes: &[u8]) {
        let is_resent = info.is_resent();
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
                    self.state.learn4(self.link, (source, target), packet);
                    if let godot4::Packet::ConfirmPath(answer) = packet {
                        self.state.learn_answer(self.link, target, answer);
                    }
                }
                let message = Message::Godot4(packet);
                self.emit(info, bytes, message, (source, target), is_relayed);
                if !is_resent {
                    self.state.unlearn4(self.link, (source, target), packet);
                }
            }
            Err(error) => {
                let message = Message::damaged(error, bytes);
                self.emit(info, bytes, message, (source, target), is_relayed);
            }
        }
    }

    fn godot3(
        &mut self,
        info: TransportInfo,
        bytes: &[u8],
        enveloped: Result<godot3::Enveloped<'_>, Error>,
    ) {
        let is_resent = info.is_resent();
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
                    self.state.set_client(self.link, peer);
                }
                let line = self.ends();
                let (ends, is_relayed) = match named {
                    None => (line, false),
                    // The client writes its own id here, unchecked. The server goes by the
                    // connection instead.
                    Some((source, target)) => match self.direction {
                        Direction::ToServer => {
                            ((line.0.or(Some(source)), Some(target)), target != 1)
                        }
                        Direction::ToClient => ((Some(source), Some(target)), source != 1),
                    },
                };
                if let (Message::Godot3(packet), false) = (message, is_resent) {
                    self.state.learn3(self.link, ends.0, packet);
                }
                self.emit(info, bytes, message, ends, is_relayed);
                if let (Message::Notice(godot3::Notice::DelPeer(peer)), Direction::ToClient) =
                    (message, self.direction)
                {
                    self.state.forget_peer(peer);
                }
            }
            Err(error) => self.report(info, bytes, Message::damaged(error, bytes)),
        }
    }

    /// Reports a datagram of `put_var`.
    pub(super) fn value(&mut self, bytes: &[u8]) {
        self.value_in(TransportInfo::Datagram, bytes);
    }

    /// Reports a value, or why it cannot be read.
    pub(super) fn value_in(&mut self, info: TransportInfo, bytes: &[u8]) {
        let document = Document::with_options(bytes, options(self.engine));
        let message = match document.validate().and_then(|_| document.root()) {
            // By its first byte, a DTLS record could be a value.
            _ if is_dtls(bytes) => Message::damaged(Error::new(0, PacketErrorKind::Dtls), bytes),
            Ok(value) => Message::Value(value),
            Err(error) => Message::damaged(Error::value(0, error), bytes),
        };
        self.report(info, bytes, message);
    }

    /// Reports a message of the debugger, or why it cannot be read.
    pub(super) fn debugger(&mut self, bytes: &[u8]) {
        let message = match debugger::Message::parse(bytes) {
            Ok(message) => Message::Debugger(message),
            Err(error) => Message::damaged(error, bytes),
        };
        self.report(TransportInfo::Record, bytes, message);
    }
}
