//! A server or bot of your own for games of Godot 4 (feature `multiplayer`).
//!
//! [`Multiplayer`] takes the place of the engine's `SceneMultiplayer`: it knows the peers,
//! announces and confirms paths, and writes and reads calls. [`Replicator`] takes the place of
//! MultiplayerSpawner and MultiplayerSynchronizer on the server: it spawns nodes in the clients and
//! sends their properties. Neither has sockets: the program passes in the packets that arrive, and
//! sends the packets that come out. The examples `dedicated_server` and `bot` use the crate
//! `rusty_enet`.
//!
//! ```
//! use gdvar_packet::{Arg, enet::Delivery, multiplayer::{Multiplayer, Received}};
//!
//! // The methods of the node's script that have @rpc, as the client has them.
//! let methods = ["say", "said"];
//! let (mut server, mut client) = (Multiplayer::server(), Multiplayer::client(77));
//! let game = server.add_node("Game", &methods);
//! let node = client.add_node("Game", &methods);
//! assert!(server.connect(77) && client.connect(1));
//!
//! client.call(1, node, 0, &[Arg::from("hello")], Delivery::Reliable)?;
//! while let Some(sent) = client.next_outgoing() {
//!     if let Received::Call { source, method: 0, call, .. } = server.receive(77, sent.delivery, &sent.bytes)? {
//!         let text = call.args().try_next()?.unwrap();
//!         assert_eq!((source, text.as_str()), (77, Some("hello")));
//!         server.call(0, game, 1, &[Arg::copy(text)?], Delivery::Reliable)?; // 0: to everybody
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The sources are `scene_multiplayer.cpp`, `scene_cache_interface.cpp` and
//! `scene_replication_interface.cpp` of Godot 4.6; [`docs/PACKETS.md` §2] has the layouts. A game
//! with an `auth_callback` is not supported.
//!
//! [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4

mod call_error;
mod node;
mod outgoing;
mod properties;
mod received;
mod replicator;
mod view;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    vec::Vec,
};
use core::convert::Infallible;

use crate::{
    arg::Arg,
    encode::{Encode, WriteError},
    enet::Delivery,
    error::Error,
    godot4::{Call, ConfirmPath, Message, Packet, SimplifyPath, Sys},
    name::Name,
    node_ref::NodeRef,
    traffic::SessionLimits,
};
pub use call_error::CallError;
use node::Node;
pub use node::NodeId;
pub use outgoing::Outgoing;
pub use properties::{Property, ReplicationMode};
pub use received::Received;
pub use replicator::{NewNode, ReplicateError, Replicator, Spawn, SpawnId, SyncId};

/// The peer id of the server.
const SERVER: i32 = 1;

/// The peers of a server or client, the paths to which they gave ids, and the packets to be sent.
///
/// Memory is bounded by [`SessionLimits`]: at most `links` peers, and `names_per_peer` paths for
/// each peer. [`Multiplayer::next_outgoing`] removes the packets to be sent.
#[derive(Debug)]
pub struct Multiplayer {
    own_id: i32,
    limits: SessionLimits,
    is_relay: bool,
    nodes: Vec<Node>,
    by_path: BTreeMap<Box<str>, NodeId>,
    peers: BTreeMap<i32, Peer>,
    /// The number of connections so far.
    connections: u64,
    outgoing: VecDeque<Outgoing>,
}

/// A connected peer.
#[derive(Debug)]
struct Peer {
    /// Distinguishes the peer from an earlier peer with the same id.
    connection: u64,
    /// The program's nodes whose paths were announced to the peer, and whether the peer has
    /// confirmed each path.
    announced: BTreeMap<NodeId, bool>,
    /// The paths to which the peer gave ids.
    paths: BTreeMap<u32, Box<str>>,
}

impl Multiplayer {
    /// Creates a server. It relays packets between clients (`SceneMultiplayer.server_relay`).
    #[must_use]
    pub fn server() -> Multiplayer {
        Multiplayer::client(SERVER)
    }

    /// Creates a client with the peer id `own_id`. The transport must send the same id to the
    /// server: ENet sends it in CONNECT.
    #[must_use]
    pub fn client(own_id: i32) -> Multiplayer {
        Multiplayer {
            own_id,
            limits: SessionLimits::default(),
            is_relay: own_id == SERVER,
            nodes: Vec::new(),
            by_path: BTreeMap::new(),
            peers: BTreeMap::new(),
            connections: 0,
            outgoing: VecDeque::new(),
        }
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn with_limits(mut self, limits: SessionLimits) -> Multiplayer {
        self.limits = limits;
        self
    }

    /// Switches the relay off (`server_relay = false`): the server does not tell clients about each
    /// other, and relays no packets.
    #[must_use]
    pub fn without_relay(mut self) -> Multiplayer {
        self.is_relay = false;
        self
    }

    /// Adds the node at `path`, relative to `/root`. `methods` are all methods with `@rpc` in the
    /// node's script and in the base classes of the script, in any order. The node on the other
    /// side must have the same methods; a spawner or synchronizer has none. If the path was added
    /// before, returns the earlier node unchanged.
    pub fn add_node(&mut self, path: &str, methods: &[&str]) -> NodeId {
        if let Some(&known) = self.by_path.get(path) {
            return known;
        }
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node::new(path, methods));
        self.by_path.insert(path.into(), id);
        id
    }

    /// The path of a node that was added.
    #[must_use]
    pub fn node_path(&self, node: NodeId) -> Option<&str> {
        self.nodes.get(node.index()).map(|node| &*node.path)
    }

    /// The path to which `peer` gave this id.
    #[must_use]
    pub fn path_of(&self, peer: i32, id: u32) -> Option<&str> {
        self.peers.get(&peer)?.paths.get(&id).map(|path| &**path)
    }

    /// The connected peers, in the order of their ids.
    pub fn peers(&self) -> impl Iterator<Item = i32> {
        self.peers.keys().copied()
    }

    /// Adds a peer that the transport has connected. A server tells the other clients.
    ///
    /// Returns `false` if the id is invalid or taken, or if there are too many peers. The caller
    /// should then disconnect the peer.
    pub fn connect(&mut self, peer: i32) -> bool {
        let is_full = self.peers.len() >= self.limits.links;
        if peer < SERVER || peer == self.own_id || is_full || self.peers.contains_key(&peer) {
            return false;
        }
        if self.is_relay {
            for other in self.peers().collect::<Vec<_>>() {
                self.send_system(other, Sys::AddPeer(peer));
                self.send_system(peer, Sys::AddPeer(other));
            }
        }
        self.connections += 1;
        let connected = Peer {
            connection: self.connections,
            announced: BTreeMap::new(),
            paths: BTreeMap::new(),
        };
        self.peers.insert(peer, connected);
        true
    }

    /// Removes a peer that the transport has disconnected. A server tells the other clients. A
    /// client that has lost the server forgets all peers.
    pub fn disconnect(&mut self, peer: i32) {
        if self.peers.remove(&peer).is_none() {
            return;
        }
        self.outgoing.retain(|outgoing| outgoing.peer != peer);
        if peer == SERVER {
            self.peers.clear();
        } else if self.is_relay {
            for other in self.peers().collect::<Vec<_>>() {
                self.send_system(other, Sys::DelPeer(peer));
            }
        }
    }

    /// Removes the next packet to be sent, and returns it. `None` if there is nothing to send.
    pub fn next_outgoing(&mut self) -> Option<Outgoing> {
        self.outgoing.pop_front()
    }

    /// Calls a method. `method` is its index in the list that was passed to
    /// [`Multiplayer::add_node`]. `to` is a peer id, 0 for everybody, or `-n` for everybody but
    /// `n`.
    ///
    /// For a peer that has not confirmed the node's path yet, the packet contains the path instead
    /// of its id. The engine does the same.
    ///
    /// # Errors
    /// Fails if the node, the method or the peer does not exist, there are more than 255 arguments,
    /// the path contains a NUL, or a value cannot be written.
    pub fn call(
        &mut self,
        to: i32,
        node: NodeId,
        method: usize,
        args: &[Arg<'_>],
        delivery: Delivery,
    ) -> Result<(), CallError> {
        let known = self.nodes.get(node.index());
        let known = known.ok_or(CallError::NoSuchNode)?;
        let methods = known.method_count();
        let method = known.number(method);
        let method = method.ok_or(CallError::NoSuchMethod { methods })?;
        if to > 0 && !self.peers.contains_key(&to) {
            return Err(CallError::NoSuchPeer(to));
        }
        let packet = |node: NodeRef<'_>| -> Result<Vec<u8>, WriteError<Infallible>> {
            let mut bytes = Vec::new();
            Message::Call { node, method, args }.encode(&mut bytes)?;
            Ok(bytes)
        };
        let by_path = packet(NodeRef::Path(Name::new(known.path.as_bytes())))?;
        let by_id = packet(NodeRef::Id(node.path_id()))?;
        for peer in self.receivers(to) {
            let is_confirmed = self.announce(peer, node);
            let bytes = if is_confirmed { &by_id } else { &by_path };
            self.send(peer, delivery, bytes.clone());
        }
        Ok(())
    }

    /// Sends bytes of the game in a RAW packet (`SceneMultiplayer.send_bytes`). `to` is a peer id,
    /// 0 for everybody, or `-n` for everybody but `n`.
    pub fn send_bytes(&mut self, to: i32, bytes: &[u8], delivery: Delivery) {
        let mut packet = Vec::new();
        let Ok(()) = Message::Raw(bytes).encode(&mut packet) else {
            return;
        };
        for peer in self.receivers(to) {
            self.send(peer, delivery, packet.clone());
        }
    }

    /// Takes a packet from a peer. Sends the answer that the engine would send, and returns what
    /// concerns the game. The time is linear in the length of the packet. A server copies a packet
    /// that it relays once for each receiver.
    ///
    /// # Errors
    /// Fails if the engine would not act on the packet. The program decides whether it then
    /// disconnects the peer. A packet from a peer that is not connected is [`Received::Nothing`].
    pub fn receive<'a>(
        &mut self,
        from: i32,
        delivery: Delivery,
        bytes: &'a [u8],
    ) -> Result<Received<'a>, Error> {
        if !self.peers.contains_key(&from) {
            return Ok(Received::Nothing);
        }
        let packet = Packet::parse(bytes)?;
        let Packet::Sys(Sys::Relay { peer, packet }) = packet else {
            return self.process(from, packet);
        };
        let start = bytes.len() - packet.len();
        let inner = Packet::parse(packet).map_err(|error| error.at(start))?;
        // Only the server sends messages about peers. A receiver refuses relayed ones.
        if matches!(inner, Packet::Sys(_)) {
            return Ok(Received::Nothing);
        }
        if self.own_id != SERVER {
            let is_known = from == SERVER && self.peers.contains_key(&peer);
            return match is_known {
                true => self.process(peer, inner),
                false => Ok(Received::Nothing),
            };
        }
        self.relay(from, peer, delivery, packet);
        // A packet that a client relays to the server alone is ignored, as in the engine.
        match peer != SERVER && is_meant(peer, SERVER) {
            true => self.process(from, inner),
            false => Ok(Received::Nothing),
        }
    }

    /// Passes a client's packet on to the clients that `to` names.
    fn relay(&mut self, from: i32, to: i32, delivery: Delivery, packet: &[u8]) {
        if !self.is_relay || to == SERVER {
            return;
        }
        let mut relayed = Vec::new();
        let sys = Sys::Relay { peer: from, packet };
        if Message::Sys(sys).encode(&mut relayed).is_err() {
            return;
        }
        for peer in self.receivers(to) {
            if peer != from {
                self.outgoing
                    .push_back(Outgoing::new(peer, delivery, relayed.clone()));
            }
        }
    }

    fn process<'a>(&mut self, source: i32, packet: Packet<'a>) -> Result<Received<'a>, Error> {
        packet.validate()?;
        Ok(match packet {
            Packet::Call(call) => self.called(source, call),
            Packet::SimplifyPath(simplify) => self.announced(source, simplify),
            Packet::ConfirmPath(answer) => self.confirmed(source, answer),
            Packet::Raw(bytes) => Received::Bytes { source, bytes },
            Packet::Sys(Sys::AddPeer(peer)) if source == SERVER && self.connect(peer) => {
                Received::PeerConnected(peer)
            }
            Packet::Sys(Sys::DelPeer(peer)) if source == SERVER && peer != SERVER => {
                self.disconnect(peer);
                Received::PeerDisconnected(peer)
            }
            Packet::Sys(_) => Received::Nothing,
            packet => Received::Other { source, packet },
        })
    }

    fn called<'a>(&self, source: i32, call: Call<'a>) -> Received<'a> {
        let path = match call.node() {
            NodeRef::Path(path) => path.to_str(),
            NodeRef::Id(id) => self.path_of(source, id),
        };
        let node = path.and_then(|path| self.by_path.get(path)).copied();
        let method = node.and_then(|id| {
            let place = self.nodes.get(id.index())?.place(call.method_id())?;
            Some((id, place))
        });
        match method {
            Some((node, method)) => Received::Call {
                source,
                node,
                method,
                call,
            },
            None => Received::Other {
                source,
                packet: Packet::Call(call),
            },
        }
    }

    /// Remembers a path that a peer announced. Confirms it if there is a node with this path.
    fn announced<'a>(&mut self, source: i32, simplify: SimplifyPath<'a>) -> Received<'a> {
        let limits = self.limits;
        let (Some(peer), Some(path)) = (self.peers.get_mut(&source), simplify.path.to_str()) else {
            return Received::Nothing;
        };
        let is_full = peer.paths.len() >= limits.names_per_peer;
        // As in the engine, an id cannot get another path.
        if is_full || path.len() > limits.name_len || peer.paths.contains_key(&simplify.id) {
            return Received::Nothing;
        }
        peer.paths.insert(simplify.id, path.into());
        let node = self.by_path.get(path).copied();
        let Some((id, node)) = node.and_then(|id| Some((id, self.nodes.get(id.index())?))) else {
            return Received::UnknownPath { source, path };
        };
        let matches = node.md5 == *simplify.md5;
        let answer = ConfirmPath {
            matches,
            id: simplify.id,
        };
        self.send_message(source, Message::ConfirmPath(answer));
        match matches {
            true => Received::Nothing,
            false => Received::Mismatch { source, node: id },
        }
    }

    fn confirmed<'a>(&mut self, source: i32, answer: ConfirmPath) -> Received<'a> {
        let id = NodeId::of_path(answer.id);
        let peer = self.peers.get_mut(&source);
        let announced = id.and_then(|id| Some((id, peer?.announced.get_mut(&id)?)));
        match announced {
            Some((node, is_confirmed)) => {
                *is_confirmed = true;
                match answer.matches {
                    true => Received::Nothing,
                    false => Received::Mismatch { source, node },
                }
            }
            None => Received::Nothing,
        }
    }

    /// Announces the node's path to `peer`, unless it was announced before. Returns `true` if the
    /// peer has confirmed the path.
    fn announce(&mut self, peer: i32, node: NodeId) -> bool {
        let known = self.peers.get_mut(&peer);
        let Some((known, announced)) = known.zip(self.nodes.get(node.index())) else {
            return false;
        };
        if let Some(&is_confirmed) = known.announced.get(&node) {
            return is_confirmed;
        }
        known.announced.insert(node, false);
        let mut packet = Vec::new();
        let simplify = SimplifyPath {
            md5: &announced.md5,
            id: node.path_id(),
            path: Name::new(announced.path.as_bytes()),
        };
        if Message::SimplifyPath(simplify).encode(&mut packet).is_ok() {
            self.send(peer, Delivery::Reliable, packet);
        }
        false
    }

    /// The connected peers that a packet to `to` is for.
    fn receivers(&self, to: i32) -> Vec<i32> {
        self.peers().filter(|&peer| is_meant(to, peer)).collect()
    }

    /// The peers, each with the number of its connection.
    fn connected(&self) -> Vec<(i32, u64)> {
        let peers = self.peers.iter();
        peers.map(|(&id, peer)| (id, peer.connection)).collect()
    }

    fn send_message(&mut self, to: i32, message: Message<'_>) {
        let mut packet = Vec::new();
        if message.encode(&mut packet).is_ok() {
            self.send(to, Delivery::Reliable, packet);
        }
    }

    fn send_system(&mut self, to: i32, sys: Sys<'_>) {
        self.send_message(to, Message::Sys(sys));
    }

    /// Sends a packet to a peer. A packet from client to client goes through the server.
    fn send(&mut self, to: i32, delivery: Delivery, packet: Vec<u8>) {
        if self.own_id == SERVER || to == SERVER {
            self.outgoing.push_back(Outgoing::new(to, delivery, packet));
            return;
        }
        let mut relayed = Vec::new();
        let sys = Sys::Relay {
            peer: to,
            packet: &packet,
        };
        if Message::Sys(sys).encode(&mut relayed).is_ok() {
            self.outgoing
                .push_back(Outgoing::new(SERVER, delivery, relayed));
        }
    }
}

/// Returns `true` if a packet to `to` is for `peer`: 0 is everybody, and `-n` everybody but `n`.
fn is_meant(to: i32, peer: i32) -> bool {
    to == 0 || to == peer || to < 0 && peer != to.wrapping_neg()
}
