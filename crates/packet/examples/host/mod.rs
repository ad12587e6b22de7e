//! [`EnetHost`]: carries the packets of a [`Multiplayer`] over ENet, by the crate `rusty_enet`.
#![allow(dead_code, reason = "each example uses a part of it")]

use std::{
    collections::BTreeMap,
    error::Error,
    io,
    net::{SocketAddr, UdpSocket},
};

use gdvar_packet::{
    enet::Delivery,
    multiplayer::{Multiplayer, Outgoing},
};
use rusty_enet::{Event, Host, HostSettings, Packet, PeerID};

/// What happened on the network.
pub(crate) enum Happened {
    /// A peer has connected, and was taken in.
    Connected(i32),
    /// A peer has left.
    Disconnected(i32),
    /// A packet came.
    Packet {
        /// The peer on the other end.
        from: i32,
        /// How it was sent.
        delivery: Delivery,
        /// The packet.
        bytes: Vec<u8>,
    },
}

/// A host of ENet whose peers have Godot's ids.
pub(crate) struct EnetHost {
    host: Host<UdpSocket>,
    ids: BTreeMap<usize, i32>,
    places: BTreeMap<i32, PeerID>,
    is_server: bool,
}

/// The server's peer id.
const SERVER: i32 = 1;

impl EnetHost {
    /// A server for at most `clients` clients.
    pub(crate) fn server(address: &str, clients: usize) -> Result<EnetHost, Box<dyn Error>> {
        EnetHost::new(address, clients, true)
    }

    /// A client that connects to a server.
    pub(crate) fn client(server: SocketAddr, own_id: i32) -> Result<EnetHost, Box<dyn Error>> {
        let mut host = EnetHost::new("0.0.0.0:0", 1, false)?;
        // Godot's server reads the client's peer id from the CONNECT.
        host.host.connect(server, 255, own_id as u32)?;
        Ok(host)
    }

    fn new(address: &str, peers: usize, is_server: bool) -> Result<EnetHost, Box<dyn Error>> {
        let settings = HostSettings {
            peer_limit: peers,
            channel_limit: 255,
            ..HostSettings::default()
        };
        Ok(EnetHost {
            host: Host::new(UdpSocket::bind(address)?, settings)?,
            ids: BTreeMap::new(),
            places: BTreeMap::new(),
            is_server,
        })
    }

    /// The address that it is bound to.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.host.socket().local_addr()
    }

    /// Sends what is to be sent, and returns the next thing that happened, or `None` for now.
    pub(crate) fn service(&mut self, game: &mut Multiplayer) -> io::Result<Option<Happened>> {
        while let Some(outgoing) = game.next_outgoing() {
            self.send(&outgoing);
        }
        while let Some(event) = self.host.service()? {
            match event {
                Event::Connect { peer, data } => {
                    let id = if self.is_server { data as i32 } else { SERVER };
                    if !game.connect(id) {
                        peer.reset();
                        continue;
                    }
                    self.ids.insert(peer.id().0, id);
                    self.places.insert(id, peer.id());
                    return Ok(Some(Happened::Connected(id)));
                }
                Event::Disconnect { peer, .. } => {
                    if let Some(id) = self.ids.remove(&peer.id().0) {
                        self.places.remove(&id);
                        game.disconnect(id);
                        return Ok(Some(Happened::Disconnected(id)));
                    }
                }
                Event::Receive {
                    peer,
                    channel_id,
                    packet,
                } => {
                    let delivery = match channel_id {
                        1 => Delivery::Unreliable,
                        _ => Delivery::Reliable,
                    };
                    if let Some(&from) = self.ids.get(&peer.id().0) {
                        let bytes = packet.data().to_vec();
                        return Ok(Some(Happened::Packet {
                            from,
                            delivery,
                            bytes,
                        }));
                    }
                }
            }
        }
        Ok(None)
    }

    fn send(&mut self, outgoing: &Outgoing) {
        let packet = match outgoing.delivery {
            Delivery::Reliable => Packet::reliable(&outgoing.bytes[..]),
            Delivery::UnreliableOrdered => Packet::always_unreliable(&outgoing.bytes[..]),
            Delivery::Unreliable => Packet::always_unreliable_unsequenced(&outgoing.bytes[..]),
        };
        if let Some(&place) = self.places.get(&outgoing.peer) {
            // A peer that is leaving takes no more.
            let _ = self
                .host
                .peer_mut(place)
                .send(outgoing.enet_channel(), &packet);
        }
    }

    /// Disconnects a peer after all that was sent to it.
    pub(crate) fn kick(&mut self, peer: i32) {
        if let Some(&place) = self.places.get(&peer) {
            self.host.peer_mut(place).disconnect_later(0);
        }
    }
}
