//! [`NodeReplication`]: what a scene file says about a spawner or a synchronizer.

use std::{borrow::ToOwned, string::String, vec::Vec};

/// A property in a SceneReplicationConfig.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ReplicatedProperty {
    pub(super) number: u32,
    /// The path of the property, such as `.:position`, relative to the synchronizer's root.
    pub(super) path: String,
    pub(super) mode: ReplicationMode,
}

/// When a property is sent after the SPAWN (`SceneReplicationConfig.ReplicationMode`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplicationMode {
    Never,
    Always,
    OnChange,
}

/// The properties of a spawner or a synchronizer in a scene.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeReplication {
    pub(super) interval: f64,
    pub(super) delta_interval: f64,
    pub(super) properties: Vec<ReplicatedProperty>,
    pub(super) spawnable: Vec<String>,
}

impl ReplicatedProperty {
    /// Reads a line such as `properties/0/path = NodePath(".:hp")`.
    pub(super) fn read(line: &str, properties: &mut Vec<ReplicatedProperty>) {
        let Some((key, value)) = line.split_once(" = ") else {
            return;
        };
        let mut parts = key.split('/').skip(1);
        let (Some(number), Some(part)) = (parts.next(), parts.next()) else {
            return;
        };
        let Ok(number) = number.parse() else {
            return;
        };
        let place = properties
            .iter()
            .position(|property| property.number == number);
        let place = place.unwrap_or_else(|| {
            properties.push(ReplicatedProperty {
                number,
                path: String::new(),
                mode: ReplicationMode::Always,
            });
            properties.len() - 1
        });
        let Some(property) = properties.get_mut(place) else {
            return;
        };
        match (part, value) {
            ("path", value) => {
                let mut quotes = value.split('"');
                property.path = quotes.nth(1).unwrap_or_default().to_owned();
            }
            ("replication_mode", "0") => property.mode = ReplicationMode::Never,
            ("replication_mode", "1") => property.mode = ReplicationMode::Always,
            ("replication_mode", "2") => property.mode = ReplicationMode::OnChange,
            // Instead of a mode, Godot 4.0 and 4.1 wrote two booleans.
            ("sync", "false") => property.mode = ReplicationMode::Never,
            ("watch", "true") => property.mode = ReplicationMode::OnChange,
            _ => {}
        }
    }
}

impl NodeReplication {
    /// Reads a line of a node. `config` finds the properties of a SceneReplicationConfig in the
    /// same file.
    pub(super) fn read(
        &mut self,
        line: &str,
        config: impl Fn(&str) -> Option<Vec<ReplicatedProperty>>,
    ) {
        match line.split_once(" = ") {
            Some(("replication_interval", value)) => self.interval = value.parse().unwrap_or(0.0),
            Some(("delta_interval", value)) => self.delta_interval = value.parse().unwrap_or(0.0),
            Some(("replication_config", value)) => {
                self.properties = config(value).unwrap_or_default();
            }
            Some(("_spawnable_scenes", value)) => {
                let texts = value.split('"').skip(1).step_by(2);
                self.spawnable = texts.map(str::to_owned).collect();
            }
            _ => {}
        }
    }

    /// Returns `true` for a spawner with scenes, and for a synchronizer with properties.
    pub(super) fn is_any(&self) -> bool {
        !self.properties.is_empty() || !self.spawnable.is_empty()
    }
}
