//! [`Known`]: peers, paths and nodes that a conversation told of.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};
use core::ops::Bound;

use super::Limits;
use crate::{Name, godot3, godot4};

/// The knowledge of a session. Ids belong to the peer that gave them.
#[derive(Debug, Default)]
pub struct Known {
    limits: Limits,
    /// The peer ids of clients, by link.
    clients: BTreeMap<u32, i32>,
    tellers: BTreeMap<Teller, Told>,
    refused: u64,
}

/// The side whose ids they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Teller {
    /// A client of which only the line is known.
    Link(u32),
    /// A peer; those that only a link tells of are forgotten with it.
    Peer(i32),
}

/// The words of one peer.
#[derive(Debug, Default)]
struct Told {
    /// The line that it was heard on first.
    link: u32,
    paths: BTreeMap<u32, NodePath>,
    spawned: BTreeMap<u32, Spawned>,
    /// Which spawned node a synchronizer belongs to.
    syncs: BTreeMap<u32, u32>,
}

/// A path that has an id, and what its receiver thinks of it.
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

    /// The MD5 of the names of its remote methods, in hexadecimal digits. Godot 4 only.
    #[must_use]
    pub fn md5(&self) -> Option<&[u8; 32]> {
        self.md5.as_ref()
    }

    /// Returns `true` if the receiver has the same remote methods; `None` until it answered. The last
    /// answer, if there were several receivers and one of them said no, is no.
    #[must_use]
    pub fn matches(&self) -> Option<bool> {
        self.matches
    }
}

/// A node that a spawner made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spawned {
    /// The node's name.
    pub name: Box<str>,
    /// The id of the spawner's path, given by the same peer.
    pub spawner: u32,
    /// The place in the spawner's list of scenes; `None` for its spawn function.
    pub scene: Option<u8>,
}

/// The most synchronizers of a spawned node that are remembered.
const SYNCS: usize = 16;

impl Known {
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// The peer id of the client on that line.
    #[must_use]
    pub fn client(&self, link: u32) -> Option<i32> {
        self.clients.get(&link).copied()
    }

    /// All clients whose peer id is known: line and id.
    pub fn clients(&self) -> impl Iterator<Item = (u32, i32)> {
        self.clients.iter().map(|(&link, &peer)| (link, peer))
    }

    /// The path that a peer gave an id to: the sender of the packet that has the id.
    #[must_use]
    pub fn path(&self, link: u32, source: Option<i32>, id: u32) -> Option<&NodePath> {
        self.told(link, source)?.paths.get(&id)
    }

    /// The words of a peer about the node with that path. O(paths of the peer).
    #[must_use]
    pub fn node(&self, link: u32, source: Option<i32>, path: &str) -> Option<&NodePath> {
        let told = self.told(link, source)?;
        told.paths.values().rev().find(|node| &*node.path == path)
    }

    /// All paths that a peer gave ids to, by id.
    pub fn paths(&self, link: u32, source: Option<i32>) -> impl Iterator<Item = (u32, &NodePath)> {
        let told = self.told(link, source);
        let paths = told.into_iter().flat_map(|told| &told.paths);
        paths.map(|(&id, node)| (id, node))
    }

    /// The node that a peer spawned with that id.
    #[must_use]
    pub fn spawned(&self, link: u32, source: Option<i32>, net_id: u32) -> Option<&Spawned> {
        self.told(link, source)?.spawned.get(&net_id)
    }

    /// The spawned node that a synchronizer of a SYNC or DELTA belongs to.
    #[must_use]
    pub fn synchronized(&self, link: u32, source: Option<i32>, sync: u32) -> Option<&Spawned> {
        let told = self.told(link, source)?;
        told.spawned.get(told.syncs.get(&sync)?)
    }

    /// The number of paths and nodes that were not remembered because of the limits.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn told(&self, link: u32, source: Option<i32>) -> Option<&Told> {
        self.tellers.get(&teller(link, source))
    }

    pub(super) fn set_client(&mut self, link: u32, peer: i32) {
        // The peer that had the line before is another.
        self.forget_link(link);
        // As the engine refuses whoever claims to be the server, or somebody who is there.
        let is_taken = self.clients.values().any(|&known| known == peer);
        if peer > 1 && !is_taken {
            self.clients.insert(link, peer);
        }
    }

    pub(super) fn forget_link(&mut self, link: u32) {
        let peer = self.clients.remove(&link);
        self.tellers.remove(&Teller::Link(link));
        if let Some(peer) = peer.filter(|&peer| peer != 1) {
            self.tellers.remove(&Teller::Peer(peer));
        }
        let others = (Bound::Excluded(Teller::Peer(1)), Bound::Unbounded);
        let relayed: Vec<Teller> = self
            .tellers
            .range(others)
            .filter(|(_, told)| told.link == link)
            .map(|(&teller, _)| teller)
            .collect();
        for teller in relayed {
            self.tellers.remove(&teller);
        }
    }

    /// The place where a peer's words are kept, unless there are too many peers.
    fn told_mut(&mut self, link: u32, source: Option<i32>) -> Option<&mut Told> {
        let teller = teller(link, source);
        // Each line brings its client; those that a server relays from come on top.
        let full = self.tellers.len() >= self.limits.links.saturating_mul(2);
        if full && !self.tellers.contains_key(&teller) {
            self.refused += 1;
            return None;
        }
        Some(self.tellers.entry(teller).or_insert_with(|| Told {
            link,
            ..Told::default()
        }))
    }

    fn learn_path(
        &mut self,
        link: u32,
        source: Option<i32>,
        (id, path, md5): (u32, Name<'_>, Option<[u8; 32]>),
    ) {
        let limits = self.limits;
        let Some(told) = self.told_mut(link, source) else {
            return;
        };
        let room = told.paths.len() < limits.names_per_peer || told.paths.contains_key(&id);
        match path
            .to_str()
            .filter(|path| room && path.len() <= limits.name_len)
        {
            Some(path) => {
                let known = told.paths.get(&id);
                if known.is_some_and(|node| &*node.path == path && node.md5 == md5) {
                    return;
                }
                let path = path.into();
                // An id that means something else now: no answer says to which of the two it belongs.
                let matches = known.map(|_| false);
                told.paths.insert(id, NodePath { path, md5, matches });
            }
            None => self.refused += 1,
        }
    }

    pub(super) fn learn4(&mut self, link: u32, source: Option<i32>, packet: godot4::Packet<'_>) {
        match packet {
            godot4::Packet::SimplifyPath(simplify) => {
                let named = (simplify.id, simplify.path, Some(*simplify.md5));
                self.learn_path(link, source, named);
            }
            godot4::Packet::Spawn(spawn) => self.learn_spawn(link, source, spawn),
            _ => {}
        }
    }

    /// An answer to a path that `owner` gave an id to.
    pub(super) fn learn_answer(
        &mut self,
        link: u32,
        owner: Option<i32>,
        answer: godot4::ConfirmPath,
    ) {
        let told = self.tellers.get_mut(&teller(link, owner));
        if let Some(node) = told.and_then(|told| told.paths.get_mut(&answer.id)) {
            node.matches = Some(answer.matches && node.matches != Some(false));
        }
    }

    fn learn_spawn(&mut self, link: u32, source: Option<i32>, spawn: godot4::Spawn<'_>) {
        let limits = self.limits;
        let Some(told) = self.told_mut(link, source) else {
            return;
        };
        let id = spawn.net_id();
        let room = told.spawned.len() < limits.names_per_peer || told.spawned.contains_key(&id);
        let name = spawn.name().to_str();
        let Some(name) = name.filter(|name| room && name.len() <= limits.name_len) else {
            self.refused += 1;
            return;
        };
        for sync in spawn.syncs().take(SYNCS) {
            if told.syncs.len() < limits.names_per_peer {
                told.syncs.insert(sync, id);
            }
        }
        let spawned = Spawned {
            name: name.into(),
            spawner: spawn.spawner(),
            scene: spawn.scene(),
        };
        told.spawned.insert(id, spawned);
    }

    pub(super) fn unlearn4(&mut self, link: u32, source: Option<i32>, packet: godot4::Packet<'_>) {
        match packet {
            godot4::Packet::Despawn { net_id } => {
                if let Some(told) = self.tellers.get_mut(&teller(link, source)) {
                    told.spawned.remove(&net_id);
                    told.syncs.retain(|_, node| *node != net_id);
                }
            }
            godot4::Packet::Sys(godot4::Sys::DelPeer(peer)) if source == Some(1) => {
                self.forget_peer(peer);
            }
            _ => {}
        }
    }

    /// The server says that a peer is gone.
    pub(super) fn forget_peer(&mut self, peer: i32) {
        if peer != 1 {
            self.tellers.remove(&Teller::Peer(peer));
        }
    }

    pub(super) fn learn3(&mut self, link: u32, source: Option<i32>, packet: godot3::Packet<'_>) {
        if let godot3::Packet::SimplifyPath { id, path } = packet {
            self.learn_path(link, source, (id, path, None));
        }
    }
}

const fn teller(link: u32, source: Option<i32>) -> Teller {
    match source {
        Some(peer) => Teller::Peer(peer),
        None => Teller::Link(link),
    }
}
