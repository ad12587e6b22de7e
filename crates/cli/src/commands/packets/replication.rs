//! Makes the tables of `--stats` about MultiplayerSpawners and MultiplayerSynchronizers.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fmt::{self, Write},
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Message, SessionEvent,
    gdvar_view::Kind,
    godot4,
    names::{Names, SynchronizerConfig},
    replication::{
        PropertyCost, ReplicatedNode, Replication, Smaller, SpawnCost, SpawnedScene, Synchronizer,
    },
};

use super::{Order, PacketsArgs, line::number, seconds};
use crate::{
    show::{rows, summary, value},
    terminal::{safe_text, words},
};

/// The largest number of rows of a table that are shown without `--limit`.
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

/// Formats milliseconds: `12.5 ms`.
pub(super) fn ms(time: Duration) -> String {
    format!("{:.1} ms", 1e3 * time.as_secs_f64())
}

/// The rows of the tables, sorted.
pub(super) struct Tables<'r> {
    synchronizers: Vec<SynchronizerRow<'r>>,
    properties: Vec<PropertyRow>,
    spawns: Vec<(String, SpawnCost)>,
    other_bytes: u64,
    duration: Duration,
    limit: usize,
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

fn with_server(is_one: bool, server: &SocketAddr, name: &str) -> String {
    match is_one {
        true => name.to_owned(),
        false => format!("{server} {name}"),
    }
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

impl<'r> Tables<'r> {
    pub(super) fn new(
        replication: &'r BTreeMap<SocketAddr, Replication>,
        names: &'r Names,
        args: &PacketsArgs,
        duration: Duration,
    ) -> Tables<'r> {
        let mut synchronizers = synchronizers(replication, names);
        let mut properties = properties(&synchronizers);
        let is_one = replication.len() < 2;
        let spawns = replication.iter().flat_map(|(server, replication)| {
            replication.spawners().map(move |(spawner, scene, cost)| {
                let scene = scene_name(spawner, scene, names);
                let name = format!("{} > {scene}", spawner.unwrap_or("?"));
                (with_server(is_one, server, &name), *cost)
            })
        });
        let mut spawns: Vec<_> = spawns.collect();
        let key = |count: u64, bytes: u64| match args.sort {
            Some(Order::Name) => Reverse(0),
            Some(Order::Packets) => Reverse(count),
            _ => Reverse(bytes),
        };
        synchronizers.sort_by_cached_key(|row| (key(row.entries(), row.bytes()), row.name.clone()));
        properties.sort_by_cached_key(|row| {
            let cost = &row.cost;
            (
                key(cost.values(), cost.bytes()),
                row.of.clone(),
                row.property.clone(),
            )
        });
        spawns.sort_by_cached_key(|(name, cost)| {
            let sum = cost.spawns.bytes + cost.despawns.bytes;
            (key(cost.spawns.count, sum), name.clone())
        });
        Tables {
            synchronizers,
            properties,
            spawns,
            other_bytes: replication.values().map(Replication::other_bytes).sum(),
            duration,
            limit: args.limit.unwrap_or(match args.json_lines {
                true => usize::MAX,
                false => ROWS,
            }),
        }
    }

    fn per_second(&self, bytes: u64) -> f64 {
        bytes as f64 / self.duration.as_secs_f64().max(0.001)
    }

    /// Appends the tables, or nothing if nothing is replicated.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        self.write_synchronizers(out)?;
        self.write_properties(out)?;
        self.write_spawns(out)
    }

    fn write_rest(&self, out: &mut String, count: usize, bytes: u64, unit: &str) -> fmt::Result {
        if count <= self.limit {
            return Ok(());
        }
        let more = words::plural((count - self.limit) as u64, unit);
        writeln!(out, "{bytes:>10}  in {more} more")
    }

    fn write_synchronizers(&self, out: &mut String) -> fmt::Result {
        if self.synchronizers.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{:>10} {:>9} {:>9} {:>9} {:>9} {:>11}  synchronizer",
            "bytes", "entries", "B/s", "interval", "longest", "asked"
        )?;
        for row in self.synchronizers.iter().take(self.limit) {
            let intervals = row.seen.intervals();
            let dash = || "-".to_owned();
            let longest = intervals.longest().first();
            writeln!(
                out,
                "{:>10} {:>9} {:>9.0} {:>9} {:>9} {:>11}  {}",
                row.bytes(),
                row.entries(),
                self.per_second(row.bytes()),
                intervals.median().map_or_else(dash, ms),
                longest.map_or_else(dash, |gap| ms(gap.interval)),
                row.asked_text(),
                safe_text::safe_line(&row.name),
            )?;
        }
        let rest = self.synchronizers.iter().skip(self.limit);
        let rest = rest.map(SynchronizerRow::bytes).sum();
        self.write_rest(out, self.synchronizers.len(), rest, "row")?;
        writeln!(
            out,
            "{:>10} {:>9} {:>9.0} {:>9} {:>9} {:>11}  (the first bytes of each SYNC and DELTA)",
            self.other_bytes,
            "",
            self.per_second(self.other_bytes),
            "",
            "",
            ""
        )
    }

    fn write_properties(&self, out: &mut String) -> fmt::Result {
        if self.properties.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{:>10} {:>9} {:>9} {:>9} {:>9}  property",
            "bytes", "values", "unchanged", "on change", "smaller"
        )?;
        for row in self.properties.iter().take(self.limit) {
            let saved = |saved: Option<u64>| match saved {
                Some(saved) => format!("-{saved}"),
                None => "-".to_owned(),
            };
            let smaller = row.cost.smaller();
            let mut about = row.kind().to_owned();
            if let Some((smaller, _)) = smaller {
                about += &format!(", could be {}", smaller_name(smaller));
            }
            if row.is_watched {
                about += ", on change";
            }
            let name = format!("{}: {} ({about})", row.of, row.property);
            writeln!(
                out,
                "{:>10} {:>9} {:>9} {:>9} {:>9}  {}",
                row.cost.bytes(),
                row.cost.values(),
                row.cost.unchanged(),
                saved(row.on_change()),
                saved(smaller.map(|(_, saved)| saved)),
                safe_text::safe_line(&name),
            )?;
        }
        let rest = self.properties.iter().skip(self.limit);
        let rest = rest.map(|row| row.cost.bytes()).sum();
        self.write_rest(out, self.properties.len(), rest, "row")
    }

    fn write_spawns(&self, out: &mut String) -> fmt::Result {
        if self.spawns.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{:>10} {:>9} {:>9} {:>9}  spawned",
            "bytes", "spawns", "bytes", "despawns"
        )?;
        for (name, cost) in self.spawns.iter().take(self.limit) {
            writeln!(
                out,
                "{:>10} {:>9} {:>9} {:>9}  {}",
                cost.spawns.bytes,
                cost.spawns.count,
                cost.despawns.bytes,
                cost.despawns.count,
                safe_text::safe_line(name),
            )?;
        }
        let rest = self.spawns.iter().skip(self.limit);
        let rest = rest.map(|(_, cost)| cost.spawns.bytes).sum();
        self.write_rest(out, self.spawns.len(), rest, "row")
    }

    /// Returns the rows as lines of JSON.
    pub(super) fn json(&self) -> Vec<u8> {
        let none = || b"null".to_vec();
        let time = |time: Option<Duration>| time.map_or_else(none, |time| seconds(time).into());
        let mut out = Vec::new();
        for row in self.synchronizers.iter().take(self.limit) {
            let intervals = row.seen.intervals();
            let scene = row.config.map(SynchronizerConfig::scene);
            out.extend(rows::object(&[
                ("table", value::string("synchronizer")),
                ("name", value::string(&row.name)),
                ("scene", scene.map_or_else(none, value::string)),
                ("source", row.seen.source().map_or_else(none, number)),
                ("sync_entries", number(row.seen.sync().count)),
                ("sync_bytes", number(row.seen.sync().bytes)),
                ("delta_entries", number(row.seen.delta().count)),
                ("delta_bytes", number(row.seen.delta().bytes)),
                ("interval", time(intervals.median())),
                (
                    "longest_interval",
                    time(intervals.longest().first().map(|gap| gap.interval)),
                ),
                ("interval_asked", row.asked().map_or_else(none, number)),
            ]));
        }
        if !self.synchronizers.is_empty() {
            out.extend(rows::object(&[
                ("table", value::string("replication_headers")),
                ("bytes", number(self.other_bytes)),
            ]));
        }
        for row in self.properties.iter().take(self.limit) {
            let smaller = row.cost.smaller();
            out.extend(rows::object(&[
                ("table", value::string("property")),
                ("of", value::string(&row.of)),
                ("property", value::string(&row.property)),
                ("type", value::string(row.kind())),
                ("on_change", row.is_watched.to_string().into_bytes()),
                ("values", number(row.cost.values())),
                ("bytes", number(row.cost.bytes())),
                ("unchanged", number(row.cost.unchanged())),
                ("unchanged_bytes", number(row.cost.unchanged_bytes())),
                ("on_change_saves", row.on_change().map_or_else(none, number)),
                (
                    "smaller_type",
                    smaller.map_or_else(none, |(smaller, _)| value::string(&smaller_name(smaller))),
                ),
                (
                    "smaller_type_saves",
                    smaller.map_or_else(none, |(_, saved)| number(saved)),
                ),
            ]));
        }
        for (name, cost) in self.spawns.iter().take(self.limit) {
            out.extend(rows::object(&[
                ("table", value::string("spawn")),
                ("name", value::string(name)),
                ("spawns", number(cost.spawns.count)),
                ("spawn_bytes", number(cost.spawns.bytes)),
                ("despawns", number(cost.despawns.count)),
                ("despawn_bytes", number(cost.despawns.bytes)),
            ]));
        }
        out
    }
}
