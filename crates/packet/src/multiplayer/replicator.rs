//! [`Replicator`]: spawns nodes in clients and keeps their properties up to date.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};
use core::{convert::Infallible, fmt, time::Duration};

use super::{
    Multiplayer,
    node::NodeId,
    properties::{MOST_WATCHED, Properties, Property},
    view::View,
};
use crate::{
    arg::Arg,
    encode::{Encode, WriteError},
    godot4::Message,
    name::Name,
    node_ref::PATH_BIT,
};

/// A node to be spawned in the clients.
#[derive(Clone, Copy, Debug)]
pub struct NewNode<'a> {
    /// The clients' MultiplayerSpawner, added by [`Multiplayer::add_node`] without methods. The
    /// server must be its authority.
    pub spawner: NodeId,
    /// The index in the spawner's list of scenes, or `None` for its spawn function.
    pub scene: Option<u8>,
    /// The name. No other node below the spawner's node may have it.
    pub name: &'a str,
    /// The argument of the spawn function. Not sent with a scene.
    pub custom: Arg<'a>,
    /// The properties of each synchronizer of the node whose authority is the server. The
    /// synchronizers are in the order of the scene tree, the properties in the order of the
    /// synchronizer's configuration.
    pub synchronizers: &'a [&'a [Property<'a>]],
}

/// A node that [`Replicator::spawn`] made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SpawnId(u32);

/// A synchronizer of a [`Replicator`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SyncId(u32);

impl SpawnId {
    /// The id in packets: SPAWN and DESPAWN.
    #[must_use]
    pub const fn net_id(self) -> u32 {
        self.0
    }
}

impl SyncId {
    /// The id in packets: SYNC and DELTA.
    #[must_use]
    pub const fn net_id(self) -> u32 {
        self.0
    }
}

/// A spawned node and its synchronizers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spawn {
    /// The node, for [`Replicator::despawn`] and [`Replicator::set_visibility_for`].
    pub id: SpawnId,
    /// The synchronizers of the node, in the order of [`NewNode::synchronizers`].
    pub synchronizers: Vec<SyncId>,
}

/// Why something cannot be replicated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplicateError {
    /// A value cannot be written.
    Value(WriteError<Infallible>),
    /// The engine refuses a node with this name: it is empty, or has one of `. : @ / " %`
    /// (`String::validate_node_name`).
    BadName,
    /// The spawner already has a node with this name.
    NameTaken,
    /// More than 64 properties are sent on change: a DELTA has 64 bits.
    TooManyWatched,
    /// There is no such node, synchronizer or property.
    Missing,
}

impl From<WriteError<Infallible>> for ReplicateError {
    fn from(error: WriteError<Infallible>) -> ReplicateError {
        ReplicateError::Value(error)
    }
}

impl fmt::Display for ReplicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplicateError::Value(error) => error.fmt(f),
            ReplicateError::BadName => {
                f.write_str("the engine refuses a node name that is empty or has . : @ / \" or %")
            }
            ReplicateError::NameTaken => f.write_str("the spawner has a node with this name"),
            ReplicateError::TooManyWatched => {
                write!(f, "at most {MOST_WATCHED} properties can be sent on change")
            }
            ReplicateError::Missing => {
                f.write_str("there is no such node, synchronizer or property")
            }
        }
    }
}

impl core::error::Error for ReplicateError {}

/// A node that the replicator spawned, and who sees it.
#[derive(Debug)]
pub(super) struct Spawned {
    pub(super) spawner: NodeId,
    pub(super) synchronizers: Vec<u32>,
    /// The peers from which the node is hidden.
    pub(super) hidden: BTreeSet<i32>,
    name: Box<str>,
    /// The bytes of the SPAWN up to the properties.
    head: Vec<u8>,
}

/// A synchronizer of a spawned node, or of a node in the clients' scene.
#[derive(Debug)]
pub(super) struct Synchronizer {
    /// The synchronizer's own path. `None` if a spawner made its node.
    pub(super) path: Option<NodeId>,
    pub(super) properties: Properties,
    pub(super) interval: Duration,
    /// When its last SYNC was sent.
    pub(super) sent: Option<Duration>,
}

/// Replicates nodes of the server in all clients, as MultiplayerSpawner and MultiplayerSynchronizer
/// of a Godot server do. Call [`Replicator::update`] once a frame. The update sends what the
/// clients lack: SPAWN, DESPAWN, SYNC at each synchronizer's interval, and DELTA for properties
/// that changed.
///
/// An update costs O(peers × (nodes + synchronizers)). The memory holds the values of the nodes,
/// and for each peer the ids of the nodes that the peer has.
///
/// ```
/// use core::time::Duration;
/// use gdvar_packet::{Arg, godot4::Packet, multiplayer::{Multiplayer, NewNode, Property, ReplicationMode, Replicator}};
///
/// let (mut server, mut replicator) = (Multiplayer::server(), Replicator::new());
/// let spawner = server.add_node("Level/Spawner", &[]);
/// let health = Property { value: Arg::from(100), is_spawned: true, mode: ReplicationMode::OnChange };
/// let player = replicator.spawn(NewNode {
///     spawner, scene: Some(0), name: "Ann", custom: Arg::Nil, synchronizers: &[&[health]],
/// })?;
/// server.connect(77);
/// replicator.update(&mut server, Duration::ZERO);
/// replicator.set(player.synchronizers[0], 0, Arg::from(90))?;
/// replicator.update(&mut server, Duration::from_millis(16));
/// let sent: Vec<_> = std::iter::from_fn(|| server.next_outgoing()).collect();
/// let names: Vec<_> = sent.iter().map(|sent| Packet::parse(&sent.bytes).unwrap().command().name()).collect();
/// assert_eq!(names, ["SIMPLIFY_PATH", "SPAWN", "DELTA"]);
/// # Ok::<(), gdvar_packet::multiplayer::ReplicateError>(())
/// ```
#[derive(Debug, Default)]
pub struct Replicator {
    spawned: BTreeMap<u32, Spawned>,
    /// The synchronizers, by their ids in packets.
    synchronizers: BTreeMap<u32, Synchronizer>,
    views: BTreeMap<i32, View>,
    /// The last id of a node or synchronizer. The engine, too, numbers both together.
    last_id: u32,
}

impl Replicator {
    /// Creates a replicator without nodes.
    #[must_use]
    pub fn new() -> Replicator {
        Replicator::default()
    }

    /// Spawns a node in all clients, also in those that connect later.
    ///
    /// # Errors
    /// Fails if the engine would refuse the node, or a value cannot be written.
    pub fn spawn(&mut self, node: NewNode<'_>) -> Result<Spawn, ReplicateError> {
        let is_bad = |c: char| matches!(c, '.' | ':' | '@' | '/' | '"' | '%' | '\0');
        if node.name.is_empty() || node.name.contains(is_bad) {
            return Err(ReplicateError::BadName);
        }
        let same = |known: &Spawned| known.spawner == node.spawner && *known.name == *node.name;
        if self.spawned.values().any(same) {
            return Err(ReplicateError::NameTaken);
        }
        let mut all = Vec::with_capacity(node.synchronizers.len());
        for properties in node.synchronizers {
            let properties = Properties::new(properties)?;
            all.push(properties.ok_or(ReplicateError::TooManyWatched)?);
        }
        let net_id = self.last_id + 1;
        let syncs: Vec<u32> = (net_id + 1..).take(all.len()).collect();
        let mut head = Vec::new();
        Message::Spawn {
            scene: node.scene,
            spawner: node.spawner.path_id(),
            net_id,
            syncs: &syncs,
            name: Name::new(node.name.as_bytes()),
            custom: node.custom,
            state: &[],
        }
        .encode(&mut head)?;
        self.last_id = net_id + syncs.len() as u32;
        for (&id, properties) in syncs.iter().zip(all) {
            self.synchronizers
                .insert(id, Synchronizer::new(None, properties));
        }
        let spawned = Spawned {
            spawner: node.spawner,
            synchronizers: syncs.clone(),
            hidden: BTreeSet::new(),
            name: node.name.into(),
            head,
        };
        self.spawned.insert(net_id, spawned);
        Ok(Spawn {
            id: SpawnId(net_id),
            synchronizers: syncs.into_iter().map(SyncId).collect(),
        })
    }

    /// Removes a node from all clients.
    pub fn despawn(&mut self, node: SpawnId) {
        if let Some(spawned) = self.spawned.remove(&node.0) {
            for id in spawned.synchronizers {
                self.synchronizers.remove(&id);
            }
        }
    }

    /// Adds a synchronizer that is in the clients' scene. `path` is the MultiplayerSynchronizer,
    /// which [`Multiplayer::add_node`] added without methods.
    ///
    /// # Errors
    /// Fails if a value cannot be written, or more than 64 properties are sent on change.
    pub fn synchronize(
        &mut self,
        path: NodeId,
        properties: &[Property<'_>],
    ) -> Result<SyncId, ReplicateError> {
        let properties = Properties::new(properties)?.ok_or(ReplicateError::TooManyWatched)?;
        let id = path.path_id() | PATH_BIT;
        self.synchronizers
            .insert(id, Synchronizer::new(Some(path), properties));
        Ok(SyncId(id))
    }

    /// Sets the time between two SYNC packets (`replication_interval`). The default is a SYNC in
    /// every update.
    pub fn set_interval(&mut self, synchronizer: SyncId, interval: Duration) {
        if let Some(synchronizer) = self.synchronizers.get_mut(&synchronizer.0) {
            synchronizer.interval = interval;
        }
    }

    /// Sets the value of a property. `property` is its index in the synchronizer's configuration.
    ///
    /// # Errors
    /// Fails if there is no such property, or the value cannot be written.
    pub fn set(
        &mut self,
        synchronizer: SyncId,
        property: usize,
        value: Arg<'_>,
    ) -> Result<(), ReplicateError> {
        let known = self.synchronizers.get_mut(&synchronizer.0);
        let known = known.ok_or(ReplicateError::Missing)?;
        let bit = known.properties.set(property, value)?;
        let bit = bit.ok_or(ReplicateError::Missing)?;
        if bit != 0 {
            for view in self.views.values_mut() {
                view.note_change(synchronizer.0, bit);
            }
        }
        Ok(())
    }

    /// Shows a node to a peer, or hides it (`set_visibility_for`). Every node is visible at first.
    ///
    /// # Errors
    /// Fails if there is no such node.
    pub fn set_visibility_for(
        &mut self,
        node: SpawnId,
        peer: i32,
        is_visible: bool,
    ) -> Result<(), ReplicateError> {
        let spawned = self.spawned.get_mut(&node.0);
        let hidden = &mut spawned.ok_or(ReplicateError::Missing)?.hidden;
        match is_visible {
            true => hidden.remove(&peer),
            false => hidden.insert(peer),
        };
        Ok(())
    }

    /// Sends each peer the nodes and values that it lacks. `now` is the time of any clock that does
    /// not go back.
    pub fn update(&mut self, multiplayer: &mut Multiplayer, now: Duration) {
        let connected = multiplayer.connected();
        let is_same = |peer: &i32, view: &View| {
            let place = connected.binary_search_by_key(peer, |(peer, _)| *peer);
            place.is_ok_and(|place| connected.get(place) == Some(&(*peer, view.connection)))
        };
        self.views.retain(|peer, view| is_same(peer, view));
        for synchronizer in self.synchronizers.values_mut() {
            synchronizer.start(now);
        }
        for (peer, connection) in connected {
            let view = self.views.entry(peer);
            let view = view.or_insert_with(|| View::new(peer, connection));
            view.spawn(multiplayer, &self.spawned, &self.synchronizers);
            view.synchronize(multiplayer, &self.synchronizers, now);
        }
    }
}

impl Spawned {
    /// Returns the SPAWN of this node, with the current values of the properties.
    pub(super) fn packet(&self, synchronizers: &BTreeMap<u32, Synchronizer>) -> Vec<u8> {
        let mut packet = self.head.clone();
        for id in &self.synchronizers {
            if let Some(synchronizer) = synchronizers.get(id) {
                synchronizer.properties.put_spawned(&mut packet);
            }
        }
        packet
    }
}

impl Synchronizer {
    fn new(path: Option<NodeId>, properties: Properties) -> Synchronizer {
        Synchronizer {
            path,
            properties,
            interval: Duration::ZERO,
            sent: None,
        }
    }

    /// Notes that a SYNC is sent now, if it is due.
    fn start(&mut self, now: Duration) {
        let elapsed = self.sent.map(|sent| now.saturating_sub(sent));
        if elapsed.is_none_or(|elapsed| elapsed >= self.interval) {
            self.sent = Some(now);
        }
    }

    /// Returns `true` if a SYNC is sent in the update at `now`.
    pub(super) fn is_due(&self, now: Duration) -> bool {
        self.sent == Some(now) && self.properties.has_always()
    }
}
