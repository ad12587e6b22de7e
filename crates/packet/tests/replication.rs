//! What spawners and synchronizers of live engines send: `testdata/captures`.

mod common;

use std::time::Duration;

use common::{Capture, folder, unhex};
use gdvar_packet::{
    Arg, Direction, Encode, Engine, Message, Session, Transport,
    godot4::{self, Properties},
    names::Names,
    replication::{
        Losses, ReplicatedNode, Replication, Smaller, SpawnedScene, SyncGap, Synchronizer,
    },
};

/// Reads a capture. Returns what is replicated in it, and the bytes of its SYNC and DELTA packets.
fn read(name: &str) -> (Replication, u64) {
    let capture = Capture::load(name);
    let mut session = Session::new(capture.engine, capture.transport);
    let (mut replication, mut bytes) = (Replication::default(), 0);
    for piece in &capture.pieces {
        let time = Duration::from_secs_f64(piece.seconds);
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            replication.add(time, &event, Losses::default());
            if let (Message::Godot4(godot4::Packet::Sync(_) | godot4::Packet::Delta(_)), false) =
                (event.message, event.transport.is_resent())
            {
                bytes += event.bytes.len() as u64;
            }
        });
    }
    (replication, bytes)
}

fn spawned<'r>(replication: &'r Replication, of: &str) -> &'r Synchronizer {
    let is_it = |seen: &&Synchronizer| matches!(seen.node(), ReplicatedNode::Spawned { name, .. } if &**name == of);
    replication.synchronizers().iter().find(is_it).expect(of)
}

fn at<'r>(replication: &'r Replication, path: &str) -> &'r Synchronizer {
    let is_it = |seen: &&Synchronizer| matches!(seen.node(), ReplicatedNode::Path(known) if &**known == path);
    replication.synchronizers().iter().find(is_it).expect(path)
}

#[test]
fn every_byte_of_a_sync_belongs_to_a_row() {
    for name in ["g4-enet-repl", "arena/g4-enet-arena"] {
        let (replication, bytes) = read(name);
        let rows = replication.synchronizers().iter();
        let sum: u64 = rows.map(|row| row.sync().bytes + row.delta().bytes).sum();
        assert_eq!(sum + replication.other_bytes(), bytes, "{name}");
        for row in replication.synchronizers() {
            let values: u64 = row.always().iter().map(|cost| cost.bytes()).sum();
            assert_eq!(values + 8 * row.sync().count, row.sync().bytes, "{name}");
            let values: u64 = row.watched().iter().map(|cost| cost.bytes()).sum();
            assert_eq!(values + 16 * row.delta().count, row.delta().bytes, "{name}");
        }
    }
}

/// `peer4.gd` spawns Ann with `position` and `hp` always, `gold` and `tag` on change, every 0.1 s;
/// `clock` of World is sent every 0.25 s and never changes.
#[test]
fn properties_of_a_live_game_are_counted() {
    let (replication, _) = read("g4-enet-repl");
    let ann = spawned(&replication, "Ann");
    assert_eq!((ann.always().len(), ann.watched().len()), (2, 2));
    assert_eq!(ann.source(), Some(1));
    let [position, hp] = ann.always() else {
        panic!()
    };
    assert_eq!(ann.sync().count, position.values());
    // It moves once, from (10, 20) to (11, 21).
    assert_eq!(position.unchanged(), position.values() - 2);
    assert_eq!(
        (hp.unchanged(), hp.bytes()),
        (hp.values() - 1, 2 * hp.values())
    );
    assert_eq!(position.kind().unwrap().name(), "Vector2");
    // 6, then 70000: a byte and a word.
    let gold = &ann.watched()[0];
    assert_eq!((gold.values(), gold.bytes()), (3, 2 + 2 + 5));
    let saved = position.unchanged_bytes() - 2 * 17;
    assert_eq!(position.on_change_saves(), Some(saved));
    let median = ann.intervals().median().unwrap().as_secs_f64();
    assert!((0.1..0.12).contains(&median), "{median}");
    // The game runs at 60 frames in a second.
    assert!(matches!(ann.intervals().median_frames(), Some(6 | 7)));

    let world = at(&replication, "World/WorldSync");
    let clock = &world.always()[0];
    assert_eq!(clock.unchanged(), clock.values() - 1);
    let median = world.intervals().median().unwrap().as_secs_f64();
    assert!((0.25..0.27).contains(&median), "{median}");

    let spawners: Vec<_> = replication.spawners().collect();
    let counts = spawners
        .iter()
        .map(|(path, scene, cost)| (*path, *scene, cost.spawns.count, cost.despawns.count));
    let spawner = Some("Spawner");
    assert!(counts.eq([
        (spawner, SpawnedScene::Scene(0), 1, 0),
        (spawner, SpawnedScene::Custom, 1, 1),
    ]));
}

/// The scenes of the arena name what its packets number.
#[test]
fn the_projects_scenes_name_properties() {
    let (replication, _) = read("arena/g4-enet-arena");
    let names = Names::scan(folder().join("arena")).unwrap();
    let score = at(&replication, "Main/Score/ScoreSync");
    let config = names.synchronizer(score).unwrap();
    assert_eq!(
        (config.scene(), config.node()),
        ("res://main.tscn", "Score/ScoreSync")
    );
    assert_eq!(config.always().collect::<Vec<_>>(), ["left"]);
    assert_eq!(config.watched().collect::<Vec<_>>(), ["red", "blue"]);
    assert_eq!((config.interval(), config.delta_interval()), (0.25, 0.1));
    let players = replication
        .synchronizers()
        .iter()
        .filter(|row| matches!(row.node(), ReplicatedNode::Spawned { .. }));
    let mut count = 0;
    for row in players {
        let config = names.synchronizer(row).unwrap();
        assert_eq!(
            (config.scene(), config.node()),
            ("res://player.tscn", "Sync")
        );
        let always: Vec<_> = config.always().collect();
        assert_eq!(always, ["position", "hp", "speed", "stance"]);
        // 4.0 never changes: 8 bytes of float could be 2 of int. "standing" is the only text.
        assert_eq!(
            row.always()[2].smaller(),
            Some((Smaller::Int, 6 * row.sync().count))
        );
        let (smaller, _) = row.always()[3].smaller().unwrap();
        assert_eq!(smaller, Smaller::Enum(1));
        count += 1;
    }
    assert_eq!(count, 2);
    let inputs = replication
        .synchronizers()
        .iter()
        .filter(|row| row.source() != Some(1));
    for row in inputs {
        let config = names.synchronizer(row).unwrap();
        assert_eq!(
            config.always().collect::<Vec<_>>(),
            ["Input:aim", "Input:fire"]
        );
    }
    // The coin is spawned and removed for both clients.
    let counts = |scene| {
        let mut spawners = replication.spawners();
        let (.., cost) = spawners
            .find(|(_, seen, _)| *seen == SpawnedScene::Scene(scene))
            .unwrap();
        (cost.spawns.count, cost.despawns.count)
    };
    assert_eq!((counts(0), counts(1)), ((4, 0), (2, 2)));
    let coin = names.spawned_scene("Main/Spawner", SpawnedScene::Scene(1));
    assert_eq!(coin, Some("res://coin.tscn"));
    assert_eq!(
        names.spawned_scene("Main/Spawner", SpawnedScene::Scene(2)),
        None
    );
}

/// Two synchronizers at one path are one only if all that the project says of them is equal.
#[test]
fn scenes_that_differ_name_no_synchronizer() {
    let (replication, _) = read("g4-enet-repl");
    let world = at(&replication, "World/WorldSync");
    let scene = |every: &str, delta: &str, property: &str| {
        format!(
            r#"[gd_scene format=3]

[sub_resource type="SceneReplicationConfig" id="a"]
properties/0/path = NodePath(".:{property}")
properties/0/replication_mode = 1
properties/1/path = NodePath(".:weather")
properties/1/replication_mode = 2

[node name="Any" type="Node"]

[node name="WorldSync" type="MultiplayerSynchronizer" parent="."]
replication_interval = {every}
delta_interval = {delta}
replication_config = SubResource("a")
"#
        )
    };
    let first = scene("0.25", "0.1", "clock");
    let found = |second: String| {
        let files = [("res://a.tscn", first.clone()), ("res://b.tscn", second)];
        let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes()));
        let names = Names::of_files(files, []);
        names
            .synchronizer(world)
            .map(|config| config.delta_interval())
    };
    assert_eq!(found(first.clone()), Some(0.1));
    assert_eq!(found(scene("0.5", "0.1", "clock")), None);
    assert_eq!(found(scene("0.25", "0.2", "clock")), None);
    assert_eq!(found(scene("0.25", "0.1", "time")), None);
}

/// A client relays its input to two others through the server: three receivers on one connection, each
/// with its own last values. The clients and the server print each value that they get.
#[test]
fn relayed_values_are_compared_by_receiver() {
    let (replication, _) = read("g4-enet-crowd");
    let input = at(&replication, "Players/Player 2/Input of Player 2/Sync");
    let (mut values, mut unchanged) = (0, [0; 2]);
    // On the way to the server and on the way to the receiver; the server itself gets one.
    for (role, times) in [("server", 1), ("client", 2), ("client2", 2)] {
        let log = Capture::load("g4-enet-crowd").log(role);
        let mut last = [Vec::new(), Vec::new()];
        for hex in log.lines_after("SYNCED Input of Player 2 hex=") {
            values += times;
            // An Array of a Vector3, 16 bytes, and a PackedByteArray.
            let bytes = unhex(hex);
            for (n, value) in [&bytes[8..24], &bytes[24..]].into_iter().enumerate() {
                unchanged[n] += if last[n] == value { times } else { 0 };
                last[n] = value.to_vec();
            }
        }
    }
    assert!(values > 50);
    for (n, property) in input.always().iter().enumerate() {
        assert_eq!(property.values(), values);
        assert_eq!(property.unchanged(), unchanged[n], "{n}");
    }
    // `make_player` asks for 150 ms.
    let median = input.intervals().median().unwrap().as_secs_f64();
    assert!((0.14..0.17).contains(&median), "{median}");
    assert_eq!(
        input.intervals().longer_than(Duration::from_millis(100)),
        input.intervals().count()
    );
}

/// A server that writes SYNC packets over WebSocket, where nothing else is in the way.
fn frame(message: &godot4::Message<'_>) -> Vec<u8> {
    let mut packet = Vec::new();
    message.encode(&mut packet).unwrap();
    assert!(packet.len() < 126);
    [&[0x82, packet.len() as u8][..], &packet].concat()
}

#[test]
fn a_long_interval_says_what_happened_in_it() {
    let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
    let mut replication = Replication::default();
    let mut losses = Losses::default();
    let hello = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";
    session.receive(1, Direction::ToClient, hello, |_| {});
    session.receive(1, Direction::ToClient, &[0x82, 4, 7, 0, 0, 0], |_| {});
    for n in 0..20_u16 {
        let values = [Arg::from(i64::from(n / 10))];
        let entries = [Properties {
            net_id: 3,
            values: &values,
        }];
        // The sender's count wraps.
        let time = (65_500 + 6 * u32::from(n)) as u16;
        let sync = frame(&godot4::Message::Sync {
            time,
            entries: &entries,
        });
        // The tenth comes late, after two losses.
        let late = if n >= 10 { 250 } else { 0 };
        losses.missing = if n >= 10 { 2 } else { 0 };
        let now = Duration::from_millis(100 * u64::from(n) + late);
        session.receive(1, Direction::ToClient, &sync, |event| {
            replication.add(now, &event, losses);
        });
    }
    let [row] = replication.synchronizers() else {
        panic!("{replication:?}")
    };
    assert_eq!(row.node(), &ReplicatedNode::Unknown(3));
    assert_eq!(
        (row.always()[0].values(), row.always()[0].unchanged()),
        (20, 18)
    );
    let intervals = row.intervals();
    assert_eq!(
        (intervals.count(), intervals.median_frames()),
        (19, Some(6))
    );
    assert_eq!(intervals.longer_than(Duration::from_millis(200)), 1);
    let expected = SyncGap {
        time: Duration::from_millis(1250),
        interval: Duration::from_millis(350),
        link: 1,
        direction: Direction::ToClient,
        target: Some(7),
        frames: 6,
        missing: 2,
        resent: 0,
    };
    assert_eq!(intervals.longest()[0], expected);
}

#[test]
fn hostile_packets_do_not_grow_the_memory() {
    let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
    let mut replication = Replication::default();
    let hello = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";
    session.receive(1, Direction::ToClient, hello, |_| {});
    session.receive(1, Direction::ToClient, &[0x82, 4, 7, 0, 0, 0], |_| {});
    let mut bytes = 0;
    for net_id in 0..40_000 {
        let values = [Arg::from(1)];
        let entries = [Properties {
            net_id,
            values: &values,
        }];
        let sync = frame(&godot4::Message::Sync {
            time: 1,
            entries: &entries,
        });
        session.receive(1, Direction::ToClient, &sync, |event| {
            bytes += event.bytes.len() as u64;
            replication.add(Duration::ZERO, &event, Losses::default());
        });
    }
    let rows = replication.synchronizers();
    assert_eq!(rows.len(), 16_384);
    let sum: u64 = rows.iter().map(|row| row.sync().bytes).sum();
    assert_eq!(sum + replication.other_bytes(), bytes);
}
