//! [`SessionState`]: the peers, paths and nodes of a session.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};
use core::ops::Bound;

use super::limits::SessionLimits;
use crate::{godot3, godot4, name::Name};

/// The peers, paths and nodes that a [`Session`](crate::Session) has learned. Each id belongs to
/// the peer that assigned it.
#[derive(Debug, Default)]
pub struct SessionState {
    limits: SessionLimits,
    /// The peer ids of the clients, by link.
    clients: BTreeMap<u32, i32>,
    peers: BTreeMap<PeerKey, PeerState>,
    refused: u64,
}

/// The peer to which ids belong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PeerKey {
    /// A client whose peer id is unknown, by its link.
    Link(u32),
    /// A peer. A relayed peer is forgotten with the link on which it was first seen.
    Peer(i32),
}

/// What one peer has announced.
#[derive(Debug, Default)]
struct PeerState {
    /// The link on which the peer was first seen.
    link: u32,
    paths: BTreeMap<u32, NodePath>,
    spawned: BTreeMap<u32, KnownNode>,
    /// For each synchronizer: the id of its spawned node.
    syncs: BTreeMap<u32, u32>,
}

/// A spawned node, and who has it: a game can hide it from some peers.
#[derive(Debug)]
struct KnownNode {
    node: Spawned,
    receivers: Vec<PeerKey>,
}

/// A path to which a peer gave an id, and whether the receiver confirmed the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodePath {
    path: Box<str>,
    md5: Option<[u8; 32]>,
    matches: Option<bool>,
}

impl NodePath {
    /// The path, relative to the root of the multiplayer API.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The MD5 of the names of the node's remote methods, as hexadecimal digits. `None` in Godot 3.
    #[must_use]
    pub fn md5(&self) -> Option<&[u8; 32]> {
        self.md5.as_ref()
    }

    /// `true` if the receiver has the same remote methods, `None` until it answered. If there are
    /// several receivers, one "no" makes this `false`. Also `false` if the id belonged to another
    /// path before.
    #[must_use]
    pub fn matches(&self) -> Option<bool> {
        self.matches
    }
}

/// A node that a MultiplayerSpawner made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spawned {
    /// The node's name.
    pub name: Box<str>,
    /// The id of the spawner's path, assigned by the same peer.
    pub spawner: u32,
    /// The index in the spawner's list of scenes, or `None` if its spawn function made the node.
    pub scene: Option<u8>,
}

/// The number of synchronizers that are remembered for each spawned node.
const SYNCS: usize = 16;

impl SessionState {
    pub(crate) fn set_limits(&mut self, limits: SessionLimits) {
        self.limits = limits;
    }

    /// The peer id of the client with this link, if it is known.
    #[must_use]
    pub fn client(&self, link: u32) -> Option<i32> {
        self.clients.get(&link).copied()
    }

    /// The link and the peer id of every client whose peer id is known.
    pub fn clients(&self) -> impl Iterator<Item = (u32, i32)> {
        self.clients.iter().map(|(&link, &peer)| (link, peer))
    }

    /// The path with this id. Ids belong to the sender of the packet that contains them: pass its
    /// link and peer id.
    #[must_use]
    pub fn path(&self, link: u32, source: Option<i32>, id: u32) -> Option<&NodePath> {
        self.peer_state(link, source)?.paths.get(&id)
    }

    /// The node with this path, as a peer announced it last. The time is linear in the number of
    /// the peer's paths.
    #[must_use]
    pub fn node(&self, link: u32, source: Option<i32>, path: &str) -> Option<&NodePath> {
        let peer_state = self.peer_state(link, source)?;
        peer_state
            .paths
            .values()
            .rev()
            .find(|node| &*node.path == path)
    }

    /// All paths that a peer has assigned ids to, in the order of the ids.
    pub fn paths(&self, link: u32, source: Option<i32>) -> impl Iterator<Item = (u32, &NodePath)> {
        let peer_state = self.peer_state(link, source);
        let paths = peer_state
            .into_iter()
            .flat_map(|peer_state| &peer_state.paths);
        paths.map(|(&id, node)| (id, node))
    }

    /// The node that a peer spawned with this id, until it is despawned for the last peer that has it.
    #[must_use]
    pub fn spawned(&self, link: u32, source: Option<i32>, net_id: u32) -> Option<&Spawned> {
        let known = self.peer_state(link, source)?.spawned.get(&net_id)?;
        Some(&known.node)
    }

    /// The spawned node of the synchronizer that a SYNC or DELTA names.
    #[must_use]
    pub fn synchronized(&self, link: u32, source: Option<i32>, sync: u32) -> Option<&Spawned> {
        let net_id = *self.peer_state(link, source)?.syncs.get(&sync)?;
        self.spawned(link, source, net_id)
    }

    /// The number of paths and nodes that were not remembered because of the limits.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn peer_state(&self, link: u32, source: Option<i32>) -> Option<&PeerState> {
        self.peers.get(&peer_key(link, source))
    }

    pub(crate) fn set_client(&mut self, link: u32, peer: i32) {
        // Another peer may have used the link before.
        self.forget_link(link);
        // The engine, too, refuses a client that claims to be the server or to have the id of
        // another client.
        let is_taken = self.clients.values().any(|&known| known == peer);
        if peer > 1 && !is_taken {
            self.clients.insert(link, peer);
        }
    }

    pub(crate) fn forget_link(&mut self, link: u32) {
        let peer = self.clients.remove(&link);
        self.peers.remove(&PeerKey::Link(link));
        if let Some(peer) = peer.filter(|&peer| peer != 1) {
            self.peers.remove(&PeerKey::Peer(peer));
        }
        let others = (Bound::Excluded(PeerKey::Peer(1)), Bound::Unbounded);
        let relayed: Vec<PeerKey> = self
            .peers
            .range(others)
            .filter(|(_, peer_state)| peer_state.link == link)
            .map(|(&key, _)| key)
            .collect();
        for key in relayed {
            self.peers.remove(&key);
        }
        self.forget_receiver(PeerKey::Link(link));
        if let Some(peer) = peer {
            self.forget_receiver(PeerKey::Peer(peer));
        }
    }

    /// Forgets the nodes that only this peer has.
    fn forget_receiver(&mut self, receiver: PeerKey) {
        for peer_state in self.peers.values_mut() {
            let spawned = &mut peer_state.spawned;
            let known = spawned.len();
            spawned.retain(|_, known| !known.lose(receiver));
            if spawned.len() < known {
                peer_state
                    .syncs
                    .retain(|_, node| spawned.contains_key(node));
            }
        }
    }

    /// The state of a peer, which is created if it is missing. `None` if there are too many peers.
    fn peer_mut(&mut self, link: u32, source: Option<i32>) -> Option<&mut PeerState> {
        let key = peer_key(link, source);
        // Each link has one client. The same number of relayed peers is allowed in addition.
        let full = self.peers.len() >= self.limits.links.saturating_mul(2);
        if full && !self.peers.contains_key(&key) {
            self.refused += 1;
            return None;
        }
        Some(self.peers.entry(key).or_insert_with(|| PeerState {
            link,
            ..PeerState::default()
        }))
    }

    fn learn_path(
        &mut self,
        link: u32,
        source: Option<i32>,
        (id, path, md5): (u32, Name<'_>, Option<[u8; 32]>),
    ) {
        let limits = self.limits;
        let Some(peer_state) = self.peer_mut(link, source) else {
            return;
        };
        let room =
            peer_state.paths.len() < limits.names_per_peer || peer_state.paths.contains_key(&id);
        match path
            .to_str()
            .filter(|path| room && path.len() <= limits.name_len)
        {
            Some(path) => {
                let known = peer_state.paths.get(&id);
                if known.is_some_and(|node| &*node.path == path && node.md5 == md5) {
                    return;
                }
                let path = path.into();
                // The id now belongs to another path. A later answer does not say which of the two
                // paths it confirms.
                let matches = known.map(|_| false);
                peer_state.paths.insert(id, NodePath { path, md5, matches });
            }
            None => self.refused += 1,
        }
    }

    pub(crate) fn learn4(&mut self, link: u32, (source, target): Ends, packet: godot4::Packet<'_>) {
        match packet {
            godot4::Packet::SimplifyPath(simplify) => {
                let named = (simplify.id, simplify.path, Some(*simplify.md5));
                self.learn_path(link, source, named);
            }
            godot4::Packet::Spawn(spawn) => self.learn_spawn(link, (source, target), spawn),
            _ => {}
        }
    }

    /// Notes the answer to a path to which `owner` assigned an id.
    pub(crate) fn learn_answer(
        &mut self,
        link: u32,
        owner: Option<i32>,
        answer: godot4::ConfirmPath,
    ) {
        let peer_state = self.peers.get_mut(&peer_key(link, owner));
        if let Some(node) = peer_state.and_then(|peer_state| peer_state.paths.get_mut(&answer.id)) {
            node.matches = Some(answer.matches && node.matches != Some(false));
        }
    }

    fn learn_spawn(&mut self, link: u32, (source, target): Ends, spawn: godot4::Spawn<'_>) {
        let limits = self.limits;
        let Some(peer_state) = self.peer_mut(link, source) else {
            return;
        };
        let id = spawn.net_id();
        let room = peer_state.spawned.len() < limits.names_per_peer
            || peer_state.spawned.contains_key(&id);
        let name = spawn.name().to_str();
        let Some(name) = name.filter(|name| room && name.len() <= limits.name_len) else {
            self.refused += 1;
            return;
        };
        for sync in spawn.syncs().take(SYNCS) {
            if peer_state.syncs.len() < limits.names_per_peer {
                peer_state.syncs.insert(sync, id);
            }
        }
        let node = Spawned {
            name: name.into(),
            spawner: spawn.spawner(),
            scene: spawn.scene(),
        };
        let known = peer_state.spawned.remove(&id);
        let known = known.filter(|known| known.node == node);
        let mut receivers = known.map(|known| known.receivers).unwrap_or_default();
        let receiver = peer_key(link, target);
        if !receivers.contains(&receiver) && receivers.len() < limits.links.saturating_mul(2) {
            receivers.push(receiver);
        }
        peer_state.spawned.insert(id, KnownNode { node, receivers });
    }

    pub(crate) fn unlearn4(
        &mut self,
        link: u32,
        (source, target): Ends,
        packet: godot4::Packet<'_>,
    ) {
        match packet {
            godot4::Packet::Despawn { net_id } => {
                let Some(peer_state) = self.peers.get_mut(&peer_key(link, source)) else {
                    return;
                };
                let known = peer_state.spawned.get_mut(&net_id);
                if known.is_some_and(|known| known.lose(peer_key(link, target))) {
                    peer_state.spawned.remove(&net_id);
                    peer_state.syncs.retain(|_, node| *node != net_id);
                }
            }
            godot4::Packet::Sys(godot4::Sys::DelPeer(peer)) if source == Some(1) => {
                self.forget_peer(peer);
            }
            _ => {}
        }
    }

    /// Forgets a peer that the server reports as gone.
    pub(crate) fn forget_peer(&mut self, peer: i32) {
        if peer != 1 {
            self.peers.remove(&PeerKey::Peer(peer));
            self.forget_receiver(PeerKey::Peer(peer));
        }
    }

    pub(crate) fn learn3(&mut self, link: u32, source: Option<i32>, packet: godot3::Packet<'_>) {
        if let godot3::Packet::SimplifyPath { id, path } = packet {
            self.learn_path(link, source, (id, path, None));
        }
    }
}

impl KnownNode {
    /// Notes that a peer no longer has the node. Returns `true` if nobody has it now.
    fn lose(&mut self, receiver: PeerKey) -> bool {
        self.receivers.retain(|known| *known != receiver);
        self.receivers.is_empty()
    }
}

/// The peer ids of a packet's sender and receiver, as far as they are known.
type Ends = (Option<i32>, Option<i32>);

const fn peer_key(link: u32, source: Option<i32>) -> PeerKey {
    match source {
        Some(peer) => PeerKey::Peer(peer),
        None => PeerKey::Link(link),
    }
}
