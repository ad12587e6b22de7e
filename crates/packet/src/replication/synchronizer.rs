//! [`Synchronizer`]: what one MultiplayerSynchronizer sends.

use alloc::{boxed::Box, vec::Vec};

use super::{intervals::Intervals, property::PropertyCost, spawner::SpawnedScene};

/// A synchronizer, as the packets name it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReplicatedNode {
    /// The synchronizer belongs to a node that a MultiplayerSpawner made.
    Spawned {
        /// The path of the spawner. `None` if it was announced before the session began.
        spawner: Option<Box<str>>,
        /// The scene of the node.
        scene: SpawnedScene,
        /// The name of the node.
        name: Box<str>,
        /// The index of the synchronizer in the node's SPAWN, from 0.
        sync: usize,
    },
    /// No spawner made the synchronizer. This is its path, relative to the root of the multiplayer API.
    Path(Box<str>),
    /// Only the id of the synchronizer is known, because its path or SPAWN was sent before the session
    /// began.
    Unknown(u32),
}

/// A number of packets, or of parts of packets, and their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EntryCost {
    /// The number of packets or parts.
    pub count: u64,
    /// The size of all packets or parts, in bytes.
    pub bytes: u64,
}

impl EntryCost {
    pub(super) fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }
}

/// What one synchronizer sends, over all receivers. Resent packets are not counted.
#[derive(Clone, Debug)]
pub struct Synchronizer {
    source: Option<i32>,
    node: ReplicatedNode,
    pub(super) sync: EntryCost,
    pub(super) delta: EntryCost,
    pub(super) always: Vec<PropertyCost>,
    pub(super) watched: Vec<PropertyCost>,
    pub(super) intervals: Intervals,
    /// The number of values of the first SYNC.
    values: Option<usize>,
    is_uneven: bool,
}

impl Synchronizer {
    pub(super) fn new(source: Option<i32>, node: ReplicatedNode) -> Synchronizer {
        Synchronizer {
            source,
            node,
            sync: EntryCost::default(),
            delta: EntryCost::default(),
            always: Vec::new(),
            watched: Vec::new(),
            intervals: Intervals::default(),
            values: None,
            is_uneven: false,
        }
    }

    /// Notes the number of values of a SYNC.
    pub(super) fn note_values<E>(&mut self, counted: Result<usize, E>) {
        match counted {
            Ok(counted) => {
                self.is_uneven |= *self.values.get_or_insert(counted) != counted;
            }
            Err(_) => self.is_uneven = true,
        }
    }

    /// The peer id of the sender, which is the synchronizer's authority. `None` if it is unknown.
    #[must_use]
    pub fn source(&self) -> Option<i32> {
        self.source
    }

    /// The place of the synchronizer: its node, its path or its id.
    #[must_use]
    pub fn node(&self) -> &ReplicatedNode {
        &self.node
    }

    /// The entries of the synchronizer in SYNC packets: 8 bytes and the values each.
    #[must_use]
    pub fn sync(&self) -> EntryCost {
        self.sync
    }

    /// The entries of the synchronizer in DELTA packets: 16 bytes and the values each.
    #[must_use]
    pub fn delta(&self) -> EntryCost {
        self.delta
    }

    /// The properties that are always sent, in the order of the synchronizer's configuration.
    #[must_use]
    pub fn always(&self) -> &[PropertyCost] {
        &self.always
    }

    /// The properties that are sent on change, in the order of the synchronizer's configuration.
    /// The properties after the last one that changed are missing.
    #[must_use]
    pub fn watched(&self) -> &[PropertyCost] {
        &self.watched
    }

    /// The number of values in each SYNC entry of the synchronizer. `None` if there are no SYNC
    /// entries, if the numbers differ because the configuration changed, or if a value could not be
    /// read.
    #[must_use]
    pub fn values_per_sync(&self) -> Option<usize> {
        self.values.filter(|_| !self.is_uneven)
    }

    /// The times between two SYNC packets, as a receiver got them.
    #[must_use]
    pub fn intervals(&self) -> &Intervals {
        &self.intervals
    }
}
