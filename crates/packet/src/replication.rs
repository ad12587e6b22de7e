//! [`Replication`]: what MultiplayerSynchronizers and MultiplayerSpawners send, by node and property.

mod counts;
mod flows;
mod intervals;
mod property;
mod rows;
mod spawner;
mod synchronizer;

use alloc::{
    boxed::Box,
    collections::{BTreeMap, btree_map::Entry},
    vec::Vec,
};
use core::time::Duration;

pub use counts::Counts;
pub use intervals::{Intervals, SyncGap};
pub use property::{PropertyCost, Smaller};
pub use spawner::{SpawnCost, SpawnedScene};
pub use synchronizer::{EntryCost, ReplicatedNode, Synchronizer};

use crate::{
    error::Error,
    godot4::{Delta, Packet, Spawn, Sync},
    node_ref::PATH_BIT,
    traffic::{Message, SessionEvent},
    value::Values,
};
use flows::{FLOWS, Flow, Flows, LastSync, Receiver, receiver};
use property::LastValues;
use rows::Rows;

/// The limit for the last values that are remembered, in bytes.
const REMEMBERED: usize = 32 << 20;
/// The limit for the pairs of a spawner and a scene that are counted.
const SCENES: usize = 4096;

/// The packets of a connection that were lost or sent again so far. The caller counts them: see
/// [`Replication::add`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Losses {
    /// Packets that did not arrive.
    pub missing: u64,
    /// Reliable commands that were sent again.
    pub resent: u64,
}

/// The costs and intervals of all SYNC, DELTA, SPAWN and DESPAWN packets of one session (Godot 4).
///
/// Pass every event that a [`Session`](crate::Session) reports to [`Replication::add`]. Resent
/// packets and packets of other kinds are not counted. Counting a SYNC or DELTA takes a look-up for
/// each synchronizer and a comparison for each value. Memory is bounded: 32 MiB of values, 16 384
/// synchronizers, and 65 536 pairs of a synchronizer and a receiver.
#[derive(Debug, Default)]
pub struct Replication {
    rows: Rows,
    flows: BTreeMap<Receiver, Flows>,
    /// The number of flows of all receivers together.
    flow_count: usize,
    spawners: BTreeMap<SpawnerScene, SpawnCost>,
    /// For each receiver, the nodes that it knows, by id: the path of the spawner and the scene.
    /// The session cannot tell this, because it remembers a node once for all receivers.
    spawned: BTreeMap<(Receiver, u32), SpawnerScene>,
    other_bytes: u64,
    /// The size of all last values in `flows`, in bytes.
    remembered: usize,
}

/// The path of a spawner, if it is known, and what it made.
type SpawnerScene = (Option<Box<str>>, SpawnedScene);

impl Replication {
    /// Counts an event that arrived at `time`. `losses` are the losses of the event's connection up
    /// to this event. They explain late packets ([`SyncGap`]).
    pub fn add(&mut self, time: Duration, event: &SessionEvent<'_>, losses: Losses) {
        let Message::Godot4(packet) = event.message else {
            return;
        };
        if event.transport.is_resent() {
            return;
        }
        match packet {
            Packet::Sync(sync) => self.sync(time, event, sync, losses),
            Packet::Delta(delta) => self.delta(event, delta),
            Packet::Spawn(spawn) => self.spawn(event, spawn),
            Packet::Despawn { net_id } => self.despawn(event, net_id),
            Packet::SimplifyPath(simplify) => {
                // The id may have belonged to another path.
                self.forget(receiver(event), PATH_BIT | simplify.id);
            }
            _ => {}
        }
    }

    /// All synchronizers, in the order in which they were first seen.
    #[must_use]
    pub fn synchronizers(&self) -> &[Synchronizer] {
        &self.rows.synchronizers
    }

    /// What each spawner sent, by its path and the scene. The path is `None` if it was announced
    /// before the session began.
    pub fn spawners(&self) -> impl Iterator<Item = (Option<&str>, SpawnedScene, &SpawnCost)> {
        let spawners = self.spawners.iter();
        spawners.map(|((path, scene), cost)| (path.as_deref(), *scene, cost))
    }

    /// The bytes of SYNC and DELTA packets that are not counted for a synchronizer: the bytes
    /// before the first entry of each packet, and the entries above the limits.
    #[must_use]
    pub fn other_bytes(&self) -> u64 {
        self.other_bytes
    }

    /// Returns `true` if nothing was replicated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.synchronizers.is_empty() && self.spawners.is_empty() && self.other_bytes == 0
    }

    fn sync(&mut self, time: Duration, event: &SessionEvent<'_>, sync: Sync<'_>, losses: Losses) {
        let packet = event.bytes.get(event.packet_start()..).unwrap_or_default();
        let mut other = event.bytes.len() as u64;
        let frame = sync.time();
        let Some(mut found) = self.found(event) else {
            self.other_bytes += other;
            return;
        };
        for entry in sync.entries().map_while(Result::ok) {
            let Some((row, flow, remembered)) = found.flow(event, entry.net_id()) else {
                continue;
            };
            let size = 8 + u64::from(entry.size());
            other -= size.min(other);
            row.sync.add(size);
            if let Some(last) = flow.last {
                let gap = SyncGap {
                    time,
                    interval: time.saturating_sub(last.time),
                    link: event.link,
                    direction: event.direction,
                    target: event.target,
                    frames: frame.wrapping_sub(last.frame),
                    missing: losses.missing.saturating_sub(last.losses.missing),
                    resent: losses.resent.saturating_sub(last.losses.resent),
                };
                row.intervals.add(gap);
            }
            flow.last = Some(LastSync {
                time,
                frame,
                losses,
            });
            let (costs, last) = (&mut row.always, &mut flow.always);
            let counted = count(packet, entry.values(), 0.., costs, last, remembered);
            row.note_values(counted);
        }
        self.other_bytes += other;
    }

    fn delta(&mut self, event: &SessionEvent<'_>, delta: Delta<'_>) {
        let packet = event.bytes.get(event.packet_start()..).unwrap_or_default();
        let mut other = event.bytes.len() as u64;
        let Some(mut found) = self.found(event) else {
            self.other_bytes += other;
            return;
        };
        for entry in delta.entries().map_while(Result::ok) {
            let Some((row, flow, remembered)) = found.flow(event, entry.net_id()) else {
                continue;
            };
            let size = 16 + u64::from(entry.size());
            other -= size.min(other);
            row.delta.add(size);
            let mask = entry.mask();
            let bits = (0..64).filter(|bit| mask >> bit & 1 != 0);
            let (costs, last) = (&mut row.watched, &mut flow.watched);
            // The session has checked the values.
            let _ = count(packet, entry.values(), bits, costs, last, remembered);
        }
        self.other_bytes += other;
    }

    fn spawn(&mut self, event: &SessionEvent<'_>, spawn: Spawn<'_>) {
        let (link, source) = (event.link, event.source);
        let spawner = event.state.path(link, source, spawn.spawner());
        let spawner = spawner.map(|node| node.path());
        let scene = spawn
            .scene()
            .map_or(SpawnedScene::Custom, SpawnedScene::Scene);
        let of = (spawner.map(Into::into), scene);
        if self.spawned.len() < FLOWS {
            self.spawned
                .insert((receiver(event), spawn.net_id()), of.clone());
        }
        if let Some(cost) = self.spawn_cost(of) {
            cost.spawns.add(event.bytes.len() as u64);
        }
        let name = spawn.name().to_str().unwrap_or_default();
        for (sync, id) in spawn.syncs().enumerate().take(16) {
            self.forget(receiver(event), id);
            let node = ReplicatedNode::Spawned {
                spawner: spawner.map(Into::into),
                scene,
                name: name.into(),
                sync,
            };
            if self.flow_count < FLOWS {
                if let Some(row) = self.rows.row(source, node) {
                    let flows = self.flows.entry(receiver(event)).or_default();
                    flows.add(id, row);
                    self.flow_count += 1;
                }
            }
        }
    }

    fn despawn(&mut self, event: &SessionEvent<'_>, net_id: u32) {
        let of = self.spawned.remove(&(receiver(event), net_id));
        if let Some(cost) = self.spawn_cost(of.unwrap_or((None, SpawnedScene::Unknown))) {
            cost.despawns.add(event.bytes.len() as u64);
        }
    }

    fn spawn_cost(&mut self, of: SpawnerScene) -> Option<&mut SpawnCost> {
        let is_full = self.spawners.len() >= SCENES;
        match self.spawners.entry(of) {
            Entry::Vacant(_) if is_full => None,
            entry => Some(entry.or_default()),
        }
    }

    /// Returns the rows, and the flows of the packet's receiver. Returns `None` if there are too
    /// many receivers. Receivers need their own limit, because a packet without entries adds a
    /// receiver but no flow.
    fn found(&mut self, event: &SessionEvent<'_>) -> Option<Found<'_>> {
        let receiver = receiver(event);
        if self.flows.len() >= FLOWS && !self.flows.contains_key(&receiver) {
            return None;
        }
        Some(Found {
            flows: self.flows.entry(receiver).or_default(),
            rows: &mut self.rows,
            flow_count: &mut self.flow_count,
            remembered: &mut self.remembered,
        })
    }

    fn forget(&mut self, receiver: Receiver, id: u32) {
        let flows = self.flows.get_mut(&receiver);
        if let Some(bytes) = flows.and_then(|flows| flows.forget(id)) {
            self.flow_count -= 1;
            self.remembered = self.remembered.saturating_sub(bytes);
        }
    }
}

/// The parts of a [`Replication`] that counting a packet changes.
struct Found<'r> {
    flows: &'r mut Flows,
    rows: &'r mut Rows,
    flow_count: &'r mut usize,
    remembered: &'r mut usize,
}

impl Found<'_> {
    /// Returns the synchronizer with this id, its flow, and the size of all last values. `None`
    /// above the limits.
    fn flow(
        &mut self,
        event: &SessionEvent<'_>,
        id: u32,
    ) -> Option<(&mut Synchronizer, &mut Flow, &mut usize)> {
        if !self.flows.has(id) {
            self.add(event, id)?;
        }
        let flow = self.flows.found()?;
        let row = self.rows.synchronizers.get_mut(flow.row)?;
        Some((row, flow, self.remembered))
    }

    /// Adds the flow of a synchronizer that does not belong to a spawned node.
    #[cold]
    fn add(&mut self, event: &SessionEvent<'_>, id: u32) -> Option<()> {
        if *self.flow_count >= FLOWS {
            return None;
        }
        let path_id = id & !PATH_BIT;
        let node = if path_id == id {
            None
        } else {
            event.state.path(event.link, event.source, path_id)
        };
        let node = match node {
            Some(node) => ReplicatedNode::Path(node.path().into()),
            None => ReplicatedNode::Unknown(id),
        };
        let row = self.rows.row(event.source, node)?;
        self.flows.add(id, row);
        *self.flow_count += 1;
        Some(())
    }
}

/// Counts the values of an entry. `places` are the indices of their properties. Returns the number
/// of values.
fn count(
    packet: &[u8],
    mut values: Values<'_>,
    places: impl IntoIterator<Item = usize>,
    costs: &mut Vec<PropertyCost>,
    last: &mut LastValues,
    remembered: &mut usize,
) -> Result<usize, Error> {
    let mut counted = 0;
    for place in places {
        // A SYNC has no mask that limits the number of its properties, so this limits them.
        if place >= MAX_PROPERTIES {
            break;
        }
        let Some(value) = values.try_next()? else {
            break;
        };
        let start = value.offset();
        let bytes = packet.get(start..start + value.size()).unwrap_or_default();
        if costs.len() <= place {
            costs.resize_with(place + 1, PropertyCost::default);
        }
        let budget = REMEMBERED.saturating_sub(*remembered);
        let (is_unchanged, grown) = last.replace(place, bytes, budget);
        *remembered = remembered.saturating_add_signed(grown);
        if let Some(cost) = costs.get_mut(place) {
            cost.add(value, is_unchanged);
        }
        counted += 1;
    }
    Ok(counted)
}

/// The limit for the properties of a synchronizer that are counted. The engine watches at most 64.
const MAX_PROPERTIES: usize = 256;
