//! Makes the tables of `--stats` about MultiplayerSpawners and MultiplayerSynchronizers.

use std::{cmp::Reverse, collections::BTreeMap, net::SocketAddr, time::Duration};

use gdvar_packet::{
    Message, SessionEvent,
    gdvar_view::Kind,
    godot4,
    names::{Names, SynchronizerConfig},
    replication::{
        PropertyCost, ReplicatedNode, Replication, Smaller, SpawnCost, SpawnedScene, Synchronizer,
    },
};

use super::{
    Order,
    line::number,
    seconds,
    tables::{StatRow, StatTable, ms, per_second, with_server},
};
use crate::show::{summary, value};

/// The number of rows of a table that text shows without `--limit`.
const ROWS: usize = 20;

/// Returns `true` for the packets that [`Replication`] counts.
pub(super) fn concerns(item: &SessionEvent<'_>) -> bool {
    use godot4::Packet;
    matches!(
        item.message,
        Message::Godot4(
            Packet::Sync(_)
                | Packet::Delta(_)
                | Packet::Spawn(_)
                | Packet::Despawn { .. }
                | Packet::SimplifyPath(_)
        )
    )
}

/// A synchronizer, and its configuration in the project.
pub(super) struct SynchronizerRow<'r> {
    pub(super) name: String,
    pub(super) seen: &'r Synchronizer,
    pub(super) config: Option<&'r SynchronizerConfig>,
}

/// A property, counted over all nodes of a scene, or for one node.
struct PropertyRow {
    /// The scene, or the node if its scene is not known.
    of: String,
    property: String,
    is_watched: bool,
    cost: PropertyCost,
}

impl SynchronizerRow<'_> {
    fn bytes(&self) -> u64 {
        self.seen.sync().bytes + self.seen.delta().bytes
    }

    fn entries(&self) -> u64 {
        self.seen.sync().count + self.seen.delta().count
    }

    /// Returns the interval between SYNC packets that the project asks for, in seconds.
    pub(super) fn asked(&self) -> Option<f64> {
        let config = self.config.filter(|_| self.seen.sync().count > 0)?;
        Some(config.interval())
    }

    /// Formats the interval that the project asks for: `100 ms`, `every frame`.
    pub(super) fn asked_text(&self) -> String {
        match self.asked() {
            None => "-".to_owned(),
            Some(seconds) if seconds <= 0.0 => "every frame".to_owned(),
            Some(seconds) => format!("{} ms", (seconds * 1e6).round() / 1e3),
        }
    }
}

/// Returns the synchronizers of all servers that sent something, each with its name and its configuration.
pub(super) fn synchronizers<'r>(
    replication: &'r BTreeMap<SocketAddr, Replication>,
    names: &'r Names,
) -> Vec<SynchronizerRow<'r>> {
    let is_one = replication.len() < 2;
    let all = replication.iter().flat_map(|(server, replication)| {
        let seen = replication.synchronizers().iter();
        seen.map(move |seen| (server, seen))
    });
    let row = |(server, seen): (&SocketAddr, &'r Synchronizer)| SynchronizerRow {
        name: with_server(is_one, server, &synchronizer_name(seen, names)),
        seen,
        config: names.synchronizer(seen),
    };
    // Leaves out spawned nodes that have sent nothing.
    let is_used = |row: &SynchronizerRow<'_>| row.entries() > 0;
    all.map(row).filter(is_used).collect()
}

/// Names a synchronizer: `Main/Spawner > Ann (res://player.tscn)`, or its path.
fn synchronizer_name(seen: &Synchronizer, names: &Names) -> String {
    let mut name = match seen.node() {
        ReplicatedNode::Path(path) => path.to_string(),
        ReplicatedNode::Unknown(id) => format!("id {id:#x}"),
        ReplicatedNode::Spawned {
            spawner,
            scene,
            name,
            sync,
        } => {
            let spawner = spawner.as_deref();
            let scene = scene_name(spawner, *scene, names);
            let sync = match sync {
                0 => String::new(),
                sync => format!(", synchronizer {sync}"),
            };
            format!("{} > {name} ({scene}{sync})", spawner.unwrap_or("?"))
        }
    };
    if let Some(peer) = seen.source().filter(|peer| *peer != 1) {
        name += &format!(" from {peer}");
    }
    name
}

/// Returns the path of a scene, or its number if the path is not known.
fn scene_name(spawner: Option<&str>, scene: SpawnedScene, names: &Names) -> String {
    let path = spawner.and_then(|spawner| names.spawned_scene(spawner, scene));
    match (path, scene) {
        (Some(path), _) => path.to_owned(),
        (None, SpawnedScene::Scene(index)) => format!("scene {index}"),
        (None, SpawnedScene::Custom) => "spawn function".to_owned(),
        (None, SpawnedScene::Unknown) => "spawned before the capture".to_owned(),
    }
}

/// Names what a property is counted for: the scene, or the node if its scene is not known.
fn owner(row: &SynchronizerRow<'_>) -> String {
    match (row.config, row.seen.node()) {
        (Some(config), _) => format!("{} {}", config.scene(), config.node()),
        (None, ReplicatedNode::Spawned { spawner, scene, .. }) => {
            let scene = scene_name(spawner.as_deref(), *scene, &Names::default());
            format!("{} > {scene}", spawner.as_deref().unwrap_or("?"))
        }
        (None, _) => row.name.clone(),
    }
}

/// Counts the properties of all synchronizers. Nodes of the same scene share rows.
fn properties(synchronizers: &[SynchronizerRow<'_>]) -> Vec<PropertyRow> {
    let mut all: BTreeMap<(String, bool, usize), (String, PropertyCost)> = BTreeMap::new();
    for row in synchronizers {
        let owner = owner(row);
        for (is_watched, costs) in [(false, row.seen.always()), (true, row.seen.watched())] {
            for (place, cost) in costs.iter().enumerate() {
                let name = row.config.and_then(|config| match is_watched {
                    true => config.watched().nth(place),
                    false => config.always().nth(place),
                });
                let number = || match is_watched {
                    true => format!("DELTA[{place}]"),
                    false => format!("SYNC[{place}]"),
                };
                let (_, sum) = all
                    .entry((owner.clone(), is_watched, place))
                    .or_insert_with(|| {
                        (
                            name.map_or_else(number, str::to_owned),
                            PropertyCost::default(),
                        )
                    });
                sum.merge(cost);
            }
        }
    }
    let all = all.into_iter().filter(|(_, (_, cost))| cost.values() > 0);
    let row = |((of, is_watched, _), (property, cost))| PropertyRow {
        of,
        property,
        is_watched,
        cost,
    };
    all.map(row).collect()
}

impl PropertyRow {
    /// Returns the bytes that would be saved by sending the property on change. `None` if it is sent on change already.
    fn on_change(&self) -> Option<u64> {
        self.cost.on_change_saves().filter(|_| !self.is_watched)
    }

    /// Returns the type of the values, or `several types`.
    fn kind(&self) -> &'static str {
        self.cost.kind().map_or("several types", type_name)
    }
}

/// Returns the name of a type in GDScript.
pub(super) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Nil => "null",
        _ => summary::scalar_name(kind),
    }
}

/// Names a smaller type: `int`, `enum of 3`.
fn smaller_name(smaller: Smaller) -> String {
    match smaller {
        Smaller::Int => "int".to_owned(),
        Smaller::Enum(count) => format!("enum of {count}"),
    }
}

/// Makes the tables of the synchronizers, the properties and the spawns of all servers.
pub(super) fn tables(
    replication: &BTreeMap<SocketAddr, Replication>,
    names: &Names,
    sort: Option<Order>,
    duration: Duration,
) -> [StatTable; 3] {
    let key = |count: u64, bytes: u64| match sort {
        Some(Order::Name) => Reverse(0),
        Some(Order::Packets) => Reverse(count),
        _ => Reverse(bytes),
    };
    let is_one = replication.len() < 2;
    let mut synchronizers = synchronizers(replication, names);
    let mut properties = properties(&synchronizers);
    let spawns = replication.iter().flat_map(|(server, replication)| {
        replication.spawners().map(move |(spawner, scene, cost)| {
            let scene = scene_name(spawner, scene, names);
            let name = format!("{} > {scene}", spawner.unwrap_or("?"));
            (with_server(is_one, server, &name), *cost)
        })
    });
    let mut spawns: Vec<_> = spawns.collect();
    synchronizers.sort_by_cached_key(|row| (key(row.entries(), row.bytes()), row.name.clone()));
    properties.sort_by_cached_key(|row| {
        let key = key(row.cost.values(), row.cost.bytes());
        (key, row.of.clone(), row.property.clone())
    });
    spawns.sort_by_cached_key(|(name, cost)| {
        let sum = cost.spawns.bytes + cost.despawns.bytes;
        (key(cost.spawns.count, sum), name.clone())
    });
    let rate = |bytes: u64| format!("{:.0}", per_second(bytes, duration));
    let headers = replication.values().map(Replication::other_bytes).sum();
    [
        synchronizer_table(&synchronizers, headers, rate),
        property_table(&properties, rate),
        spawn_table(&spawns),
    ]
}

fn null() -> Vec<u8> {
    b"null".to_vec()
}

/// Makes the table of the synchronizers. `headers` is the number of bytes that belong to none of them.
fn synchronizer_table(
    synchronizers: &[SynchronizerRow<'_>],
    headers: u64,
    rate: impl Fn(u64) -> String,
) -> StatTable {
    let rows = synchronizers.iter().map(|row| {
        let intervals = row.seen.intervals();
        let [median, longest] = [
            intervals.median(),
            intervals.longest().first().map(|gap| gap.interval),
        ];
        let shown = |time: Option<Duration>| time.map_or("-".to_owned(), ms);
        let time = |time: Option<Duration>| time.map_or_else(null, |time| seconds(time).into());
        let scene = row.config.map(SynchronizerConfig::scene);
        StatRow::new(
            [
                row.bytes().into(),
                row.entries().into(),
                rate(row.bytes()).into(),
                shown(median).into(),
                shown(longest).into(),
                row.asked_text().into(),
            ],
            &*row.name,
            [
                ("table", value::string("synchronizer")),
                ("name", value::string(&row.name)),
                ("scene", scene.map_or_else(null, value::string)),
                ("source", row.seen.source().map_or_else(null, number)),
                ("sync_entries", number(row.seen.sync().count)),
                ("sync_bytes", number(row.seen.sync().bytes)),
                ("delta_entries", number(row.seen.delta().count)),
                ("delta_bytes", number(row.seen.delta().bytes)),
                ("interval", time(median)),
                ("longest_interval", time(longest)),
                ("interval_asked", row.asked().map_or_else(null, number)),
            ],
        )
    });
    let rows: Vec<_> = rows.collect();
    let last = StatRow::new(
        [
            headers.into(),
            String::new().into(),
            rate(headers).into(),
            String::new().into(),
            String::new().into(),
            String::new().into(),
        ],
        "(the first bytes of each SYNC and DELTA)",
        [
            ("table", value::string("replication_headers")),
            ("bytes", number(headers)),
        ],
    );
    StatTable {
        id: "synchronizer",
        heading: "Synchronizers",
        columns: &[
            ("bytes", 10),
            ("entries", 9),
            ("B/s", 9),
            ("interval", 9),
            ("longest", 9),
            ("asked", 11),
        ],
        title: "synchronizer",
        last: (!rows.is_empty()).then_some(last),
        rows,
        shown: Some(ROWS),
        unit: "row",
        sums: 1,
        legend: "The SYNC and DELTA packets of each MultiplayerSynchronizer. Interval, longest: the median and the \
            longest time between two SYNC packets at a receiver. Asked: the interval in the project's scene.",
        ..StatTable::default()
    }
}

fn property_table(properties: &[PropertyRow], rate: impl Fn(u64) -> String) -> StatTable {
    let rows = properties.iter().map(|row| {
        let cost = &row.cost;
        let (smaller, smaller_saves) = cost.smaller().unzip();
        let smaller = smaller.map(smaller_name);
        let mut about = row.kind().to_owned();
        if let Some(smaller) = &smaller {
            about += &format!(", could be {smaller}");
        }
        if row.is_watched {
            about += ", on change";
        }
        let saved = |saved: Option<u64>| match saved {
            Some(saved) => format!("-{saved}"),
            None => "-".to_owned(),
        };
        let smaller = smaller.as_deref();
        StatRow::new(
            [
                cost.bytes().into(),
                cost.values().into(),
                rate(cost.bytes()).into(),
                cost.unchanged().into(),
                saved(row.on_change()).into(),
                saved(smaller_saves).into(),
            ],
            format!("{}: {} ({about})", row.of, row.property),
            [
                ("table", value::string("property")),
                ("of", value::string(&row.of)),
                ("property", value::string(&row.property)),
                ("type", value::string(row.kind())),
                ("on_change", row.is_watched.to_string().into_bytes()),
                ("values", number(cost.values())),
                ("bytes", number(cost.bytes())),
                ("unchanged", number(cost.unchanged())),
                ("unchanged_bytes", number(cost.unchanged_bytes())),
                ("on_change_saves", row.on_change().map_or_else(null, number)),
                ("smaller_type", smaller.map_or_else(null, value::string)),
                (
                    "smaller_type_saves",
                    smaller_saves.map_or_else(null, number),
                ),
            ],
        )
    });
    StatTable {
        id: "property",
        heading: "Properties",
        columns: &[
            ("bytes", 10),
            ("values", 9),
            ("B/s", 9),
            ("unchanged", 9),
            ("on change", 9),
            ("smaller", 9),
        ],
        title: "property",
        rows: rows.collect(),
        shown: Some(ROWS),
        unit: "row",
        sums: 1,
        legend: "The properties that MultiplayerSynchronizers send, counted together for all nodes of a scene. \
            Unchanged: values that equal the value before. On change: the bytes saved if the property were sent on \
            change. Smaller: the bytes saved by a smaller type that holds all values seen.",
        ..StatTable::default()
    }
}

fn spawn_table(spawns: &[(String, SpawnCost)]) -> StatTable {
    let rows = spawns.iter().map(|(name, SpawnCost { spawns, despawns })| {
        StatRow::new(
            [spawns.bytes, spawns.count, despawns.bytes, despawns.count].map(Into::into),
            &**name,
            [
                ("table", value::string("spawn")),
                ("name", value::string(name)),
                ("spawns", number(spawns.count)),
                ("spawn_bytes", number(spawns.bytes)),
                ("despawns", number(despawns.count)),
                ("despawn_bytes", number(despawns.bytes)),
            ],
        )
    });
    StatTable {
        id: "spawn",
        heading: "Spawned nodes",
        columns: &[("bytes", 10), ("spawns", 9), ("bytes", 9), ("despawns", 9)],
        title: "spawned",
        rows: rows.collect(),
        shown: Some(ROWS),
        unit: "row",
        sums: 1,
        legend: "The nodes that MultiplayerSpawners add and remove at clients, by spawner and scene.",
        ..StatTable::default()
    }
}
