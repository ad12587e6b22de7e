//! [`View`]: what one peer has of the replicated nodes.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::time::Duration;

use super::{
    Multiplayer,
    replicator::{Spawned, Synchronizer},
};
use crate::{
    enet::Delivery,
    godot4::{DELTA, Message, SYNC},
};

/// The size limit of a SYNC in bytes (`sync_mtu`). A synchronizer that alone needs more gets a
/// larger packet.
const SYNC_MTU: usize = 1350;
/// The size limit of a DELTA in bytes (`delta_mtu`). A synchronizer that alone needs more gets a
/// larger packet.
const DELTA_MTU: usize = 65_535;

/// What one peer has of the replicated nodes, and what it must still get.
#[derive(Debug)]
pub(super) struct View {
    peer: i32,
    /// The number of the peer's connection. It differs if the same peer connects again.
    pub(super) connection: u64,
    /// For each node that the peer has: the ids of its synchronizers.
    spawned: BTreeMap<u32, Vec<u32>>,
    /// For each synchronizer that the peer has: the bits of the changed properties that were not
    /// sent yet.
    unsent: BTreeMap<u32, u64>,
    /// The number of the last SYNC.
    time: u16,
}

impl View {
    pub(super) fn new(peer: i32, connection: u64) -> View {
        View {
            peer,
            connection,
            spawned: BTreeMap::new(),
            unsent: BTreeMap::new(),
            time: 0,
        }
    }

    /// Notes that a watched property has changed.
    pub(super) fn note_change(&mut self, synchronizer: u32, bit: u64) {
        if let Some(unsent) = self.unsent.get_mut(&synchronizer) {
            *unsent |= bit;
        }
    }

    /// Sends a DESPAWN for each node that is gone or hidden, and a SPAWN for each visible node that
    /// the peer does not have.
    pub(super) fn spawn(
        &mut self,
        multiplayer: &mut Multiplayer,
        all: &BTreeMap<u32, Spawned>,
        synchronizers: &BTreeMap<u32, Synchronizer>,
    ) {
        let (peer, unsent) = (self.peer, &mut self.unsent);
        let is_visible = |node: &Spawned| !node.hidden.contains(&peer);
        // Remove nodes first, because a new node may have the name of an old one.
        self.spawned.retain(|net_id, syncs| {
            let is_there = all.get(net_id).is_some_and(is_visible);
            if !is_there {
                for id in syncs.iter() {
                    unsent.remove(id);
                }
                multiplayer.send_message(peer, Message::Despawn { net_id: *net_id });
            }
            is_there
        });
        for (net_id, node) in all.iter().filter(|(_, node)| is_visible(node)) {
            if self.spawned.contains_key(net_id) {
                continue;
            }
            // The SPAWN need not wait for the peer's answer, because it arrives after the path.
            let _ = multiplayer.announce(peer, node.spawner);
            multiplayer.send(peer, Delivery::Reliable, node.packet(synchronizers));
            for id in &node.synchronizers {
                if let Some(synchronizer) = synchronizers.get(id) {
                    let later = synchronizer.properties.watched(true);
                    self.unsent.insert(*id, later);
                }
            }
            self.spawned.insert(*net_id, node.synchronizers.clone());
        }
    }

    /// Sends a SYNC with the properties that are due, and a DELTA with the properties that changed.
    pub(super) fn synchronize(
        &mut self,
        multiplayer: &mut Multiplayer,
        synchronizers: &BTreeMap<u32, Synchronizer>,
        now: Duration,
    ) {
        self.meet(multiplayer, synchronizers);
        self.time = self.time.wrapping_add(1);
        let mut sync = vec![SYNC];
        sync.extend_from_slice(&self.time.to_le_bytes());
        let mut delta = vec![SYNC | DELTA];
        let (sync_start, delta_start) = (sync.len(), delta.len());
        let mut values = Vec::new();
        for (id, unsent) in &mut self.unsent {
            let Some(synchronizer) = synchronizers.get(id) else {
                continue;
            };
            if synchronizer.is_due(now) {
                values.clear();
                synchronizer.properties.put_always(&mut values);
                if sync.len() > sync_start && sync.len() + 8 + values.len() > SYNC_MTU {
                    multiplayer.send(self.peer, Delivery::Unreliable, sync.clone());
                    sync.truncate(sync_start);
                }
                put_entry(*id, &[], &values, &mut sync);
            }
            if *unsent != 0 {
                values.clear();
                synchronizer.properties.put_watched(*unsent, &mut values);
                if delta.len() > delta_start && delta.len() + 16 + values.len() > DELTA_MTU {
                    multiplayer.send(self.peer, Delivery::Reliable, delta.clone());
                    delta.truncate(delta_start);
                }
                put_entry(*id, &unsent.to_le_bytes(), &values, &mut delta);
                *unsent = 0;
            }
        }
        if sync.len() > sync_start {
            multiplayer.send(self.peer, Delivery::Unreliable, sync);
        }
        if delta.len() > delta_start {
            multiplayer.send(self.peer, Delivery::Reliable, delta);
        }
    }

    /// Begins to send synchronizers of the scene, once the peer has confirmed their paths.
    fn meet(&mut self, multiplayer: &mut Multiplayer, synchronizers: &BTreeMap<u32, Synchronizer>) {
        for (id, synchronizer) in synchronizers {
            if let Some(path) = synchronizer.path {
                if !self.unsent.contains_key(id) && multiplayer.announce(self.peer, path) {
                    let all = synchronizer.properties.watched(false);
                    self.unsent.insert(*id, all);
                }
            }
        }
    }
}

/// Appends the entry of a synchronizer to a SYNC or DELTA. `mask` is empty for a SYNC.
fn put_entry(id: u32, mask: &[u8], values: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&id.to_le_bytes());
    out.extend_from_slice(mask);
    // A transport takes no packet of more than 4 GB, so the size always fits.
    let size = u32::try_from(values.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(values);
}
