//! [`SynchronizerConfig`]: what the project's scenes say about synchronizers and spawners.

use std::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};

use super::{
    node_replication::{ReplicatedProperty, ReplicationMode},
    scene::Scene,
};
use crate::replication::{ReplicatedNode, SpawnedScene, Synchronizer};

/// A MultiplayerSynchronizer of a scene of the project.
#[derive(Clone, PartialEq, Debug)]
pub struct SynchronizerConfig {
    scene: String,
    /// The name of the scene's root.
    root: String,
    node: String,
    interval: f64,
    delta_interval: f64,
    properties: Vec<ReplicatedProperty>,
}

/// The synchronizers and spawners of the project's scenes.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplicatedScenes {
    /// Sorted by scene. Each scene includes the synchronizers of the scenes that it instances.
    synchronizers: Vec<SynchronizerConfig>,
    /// For each spawner: its path below the root of its scene, and the paths of the scenes that it
    /// can spawn.
    spawners: Vec<(String, Vec<String>)>,
}

impl SynchronizerConfig {
    /// The scene: `res://player.tscn`.
    #[must_use]
    pub fn scene(&self) -> &str {
        &self.scene
    }

    /// The path of the synchronizer, below the root of its scene.
    #[must_use]
    pub fn node(&self) -> &str {
        &self.node
    }

    /// `replication_interval` in seconds. 0 is every frame.
    #[must_use]
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// `delta_interval` in seconds. 0 is every frame.
    #[must_use]
    pub fn delta_interval(&self) -> f64 {
        self.delta_interval
    }

    /// The properties that are always sent, such as `position` or `Input:aim`, in their order in a
    /// SYNC.
    pub fn always(&self) -> impl Iterator<Item = &str> {
        self.properties_of(ReplicationMode::Always)
    }

    /// The properties that are sent on change, in the order of the bits in a DELTA.
    pub fn watched(&self) -> impl Iterator<Item = &str> {
        self.properties_of(ReplicationMode::OnChange)
    }

    fn properties_of(&self, mode: ReplicationMode) -> impl Iterator<Item = &str> {
        let properties = self.properties.iter();
        let properties = properties.filter(move |property| property.mode == mode);
        properties.map(|property| property.path.trim_start_matches(".:"))
    }

    /// Returns `true` if this synchronizer can have sent the packets: each SYNC has the right
    /// number of values, and no DELTA has a property that is not watched.
    fn agrees(&self, seen: &Synchronizer) -> bool {
        let always =
            seen.sync().count == 0 || seen.values_per_sync() == Some(self.always().count());
        always && seen.watched().len() <= self.watched().count()
    }
}

impl ReplicatedScenes {
    pub(super) fn read(scenes: &BTreeMap<String, Scene>) -> ReplicatedScenes {
        let uids: BTreeMap<&str, &str> = scenes
            .iter()
            .filter_map(|(path, scene)| Some((scene.uid.as_deref()?, path.as_str())))
            .collect();
        let mut all = ReplicatedScenes::default();
        for (path, scene) in scenes {
            scene.replicated_nodes(scenes, &mut |node, replication| {
                if !replication.spawnable.is_empty() {
                    let known = |scene: &String| uids.get(scene.as_str()).copied();
                    let spawnable = replication.spawnable.iter();
                    let spawnable = spawnable.map(|scene| known(scene).unwrap_or(scene).to_owned());
                    all.spawners.push((node.to_owned(), spawnable.collect()));
                }
                if !replication.properties.is_empty() {
                    let mut properties = replication.properties.clone();
                    properties.sort_by_key(|property| property.number);
                    all.synchronizers.push(SynchronizerConfig {
                        scene: path.clone(),
                        root: scene.root().to_owned(),
                        node: node.to_owned(),
                        interval: replication.interval,
                        delta_interval: replication.delta_interval,
                        properties,
                    });
                }
            });
        }
        all
    }
}

impl ReplicatedScenes {
    /// See [`Names::spawned_scene`](super::Names::spawned_scene).
    pub(super) fn spawned_scene(&self, spawner: &str, scene: SpawnedScene) -> Option<&str> {
        let SpawnedScene::Scene(index) = scene else {
            return None;
        };
        let spawners = self.spawners.iter();
        let here = spawners.filter(|(node, _)| ends_with(spawner, node));
        only(here.map(|(_, scenes)| scenes.get(usize::from(index)).map(String::as_str)))?
    }

    /// See [`Names::synchronizer`](super::Names::synchronizer).
    pub(super) fn synchronizer(&self, seen: &Synchronizer) -> Option<&SynchronizerConfig> {
        match seen.node() {
            ReplicatedNode::Spawned { spawner, scene, .. } => {
                let scene = self.spawned_scene(spawner.as_deref()?, *scene)?;
                self.only_synchronizer(seen, |config| config.scene == scene)
            }
            ReplicatedNode::Path(path) => {
                // A scene that has the whole path is the main scene.
                let is_whole = |config: &SynchronizerConfig| {
                    let below = path.strip_prefix(config.root.as_str());
                    below.and_then(|below| below.strip_prefix('/')) == Some(&config.node)
                };
                self.only_synchronizer(seen, is_whole).or_else(|| {
                    self.only_synchronizer(seen, |config| ends_with(path, &config.node))
                })
            }
            ReplicatedNode::Unknown(_) => None,
        }
    }

    /// Returns the synchronizer for which `is_here` is true and that can have sent the packets. If
    /// there are several, they must have the same intervals and properties; otherwise returns
    /// `None`.
    fn only_synchronizer(
        &self,
        seen: &Synchronizer,
        is_here: impl Fn(&SynchronizerConfig) -> bool,
    ) -> Option<&SynchronizerConfig> {
        let configs = self.synchronizers.iter();
        let mut configs = configs.filter(|config| is_here(config) && config.agrees(seen));
        let first = configs.next()?;
        let is_same = |config: &SynchronizerConfig| {
            config.interval == first.interval
                && config.delta_interval == first.delta_interval
                && config.properties == first.properties
        };
        configs.all(is_same).then_some(first)
    }
}

/// Returns the first item if all are equal.
fn only<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

/// Returns `true` if `path` is `node`, or ends with `/` and `node`.
fn ends_with(path: &str, node: &str) -> bool {
    let before = path.strip_suffix(node);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
