//! [`SpawnCost`]: what a spawner sends for one of its scenes.

use super::synchronizer::EntryCost;

/// What a MultiplayerSpawner makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SpawnedScene {
    /// The scene with this index in the spawner's list.
    Scene(u8),
    /// A node that the spawner's spawn function returns.
    Custom,
    /// A node whose SPAWN was before the session began.
    Unknown,
}

/// The SPAWN and DESPAWN packets of one scene, over all receivers.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpawnCost {
    /// The SPAWN packets, with the properties in them.
    pub spawns: EntryCost,
    /// The DESPAWN packets.
    pub despawns: EntryCost,
}
