//! What a session keeps of an ENet connection.

use alloc::vec::Vec;

use super::{
    Limits, damaged,
    fragments::Fragments,
    item::{Carriage, Hub, Message},
};
use crate::{
    Error, ErrorKind,
    enet::{Body, Command, Datagram, Unpacker, Window, commands},
};

/// Both directions of a connection.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    lanes: [Lane; 2],
    /// The client's number for the connection.
    connect_id: Option<u32>,
}

#[derive(Debug, Default)]
struct Lane {
    /// The reliable numbers seen, by channel.
    windows: Vec<(u8, Window)>,
    fragments: Fragments,
}

impl Lane {
    fn clear(&mut self) {
        self.windows.clear();
        self.fragments.clear();
    }

    /// Whether a reliable command came before.
    fn is_resent(&mut self, command: &Command<'_>) -> bool {
        let channel = command.channel;
        let place = match self.windows.iter().position(|(known, _)| *known == channel) {
            Some(place) => place,
            None => {
                self.windows.push((channel, Window::default()));
                self.windows.len() - 1
            }
        };
        !self.windows[place].1.insert(command.sequence)
    }
}

impl Lanes {
    pub(super) fn pending(&self) -> usize {
        self.lanes.iter().map(|lane| lane.fragments.pending()).sum()
    }

    pub(super) fn receive(
        &mut self,
        bytes: &[u8],
        unpacker: &mut Unpacker,
        limits: Limits,
        hub: &mut Hub<'_>,
    ) {
        let datagram = match Datagram::parse(bytes) {
            Ok(datagram) => datagram,
            Err(error) => return hub.say(Carriage::Datagram, bytes, damaged(error, bytes)),
        };
        let body = if datagram.header().compressed {
            match unpacker.unpack(datagram.body()) {
                Some(body) => body,
                None => {
                    let start = bytes.len() - datagram.body().len();
                    let error = Error::new(start, ErrorKind::NotUnpacked);
                    return hub.say(Carriage::Datagram, bytes, damaged(error, bytes));
                }
            }
        } else {
            datagram.body()
        };
        for command in commands(body) {
            match command {
                Ok(command) => self.command(command, limits, hub),
                Err(error) => hub.say(Carriage::Datagram, body, damaged(error, body)),
            }
        }
    }

    fn command(&mut self, command: Command<'_>, limits: Limits, hub: &mut Hub<'_>) {
        if let Body::Connect { handshake, data } = command.body {
            // A client that asks again, because nobody answered, asks for the same connection.
            if self.connect_id.replace(handshake.connect_id) != Some(handshake.connect_id) {
                self.lanes.iter_mut().for_each(Lane::clear);
                hub.known.set_client(hub.link, data as i32);
            }
        }
        let lane = &mut self.lanes[hub.direction.index()];
        let is_resent = command.wants_ack && lane.is_resent(&command);
        let fragments = match command.body {
            Body::Fragment(piece) => piece.count,
            _ => 1,
        };
        let carriage = Carriage::Enet {
            channel: command.channel,
            delivery: command.delivery(),
            sequence: command.sequence,
            fragments,
            is_resent,
        };
        match command.body {
            Body::Reliable(packet)
            | Body::Unreliable { packet, .. }
            | Body::Unsequenced { packet, .. } => hub.packet(carriage, packet),
            Body::Fragment(piece) if !is_resent => {
                match lane.fragments.insert(command.channel, piece, limits) {
                    Ok(Some(packet)) => hub.packet(carriage, packet),
                    Ok(None) => hub.say(carriage, piece.data, Message::Enet(command)),
                    Err(error) => hub.say(carriage, piece.data, damaged(error, piece.data)),
                }
            }
            _ => hub.say(carriage, &[], Message::Enet(command)),
        }
    }
}
