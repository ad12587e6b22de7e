//! What games replicate, set and say by `put_var`, held against the logs of their engines: the games
//! of `scripts/crowd4.gd`, `crowd3.gd` and `chat4.gd`.

use std::collections::BTreeMap;

use gdvar_packet::{
    Dialect, Direction, Message,
    gdvar_view::Document,
    gdvar_write::{Target, Writer, transcode_value},
    godot3, godot4,
};

use super::{
    common::{Capture, Log, as_array, canonical, names, unhex},
    listen,
};

/// What a peer logs of replication: the kind of packet, the node's name, the values.
type Replicated = (&'static str, String, Vec<u8>);

/// The replicated nodes and values of a capture in the order of arrival, by receiver.
fn replicated(capture: &Capture) -> BTreeMap<u32, Vec<(Replicated, u64)>> {
    let mut all: BTreeMap<u32, Vec<(Replicated, u64)>> = BTreeMap::new();
    listen(capture, |event| {
        let receiver = match (event.direction, event.target) {
            (Direction::ToServer, Some(1)) => 0,
            (Direction::ToServer, _) => return,
            (Direction::ToClient, _) => event.link,
        };
        if event.transport.is_resent() {
            return;
        }
        let mut add = |kind, name: &str, values: Vec<u8>, mask: u64| {
            let seen = (kind, name.to_owned(), values);
            all.entry(receiver).or_default().push((seen, mask));
        };
        let node = |id: u32| match id & !(1 << 31) {
            path if path != id => {
                let path = event.state.path(event.link, event.source, path);
                let mut nodes = path.expect("a path").path().rsplit('/');
                nodes.nth(1).expect("a parent").to_owned()
            }
            _ => {
                let node = event.state.synchronized(event.link, event.source, id);
                node.expect("a spawned node").name.to_string()
            }
        };
        let Message::Godot4(packet) = event.message else {
            return;
        };
        match packet {
            godot4::Packet::Spawn(spawn) => {
                add("SPAWNED", &spawn.name().to_string(), Vec::new(), 0);
            }
            godot4::Packet::Despawn { net_id } => {
                let node = event.state.spawned(event.link, event.source, net_id);
                add("DESPAWNED", &node.expect("a node").name, Vec::new(), 0);
            }
            godot4::Packet::Sync(sync) => {
                for entry in sync.entries().map(Result::unwrap) {
                    let values: Vec<_> = entry.values().map(Result::unwrap).collect();
                    let values = as_array(&values, capture.dialect());
                    add("SYNCED", &node(entry.net_id()), values, 0);
                }
            }
            godot4::Packet::Delta(delta) => {
                for entry in delta.entries().map(Result::unwrap) {
                    let values: Vec<_> = entry.values().map(Result::unwrap).collect();
                    let values = as_array(&values, capture.dialect());
                    add("DELTA", &node(entry.net_id()), values, entry.mask());
                }
            }
            _ => {}
        }
    });
    all
}

/// The elements of an encoded Array whose bits are set, as an encoded Array.
fn chosen(array: &[u8], mask: u64, dialect: Dialect) -> Vec<u8> {
    let document = Document::new(array, dialect);
    let all = document.root().unwrap().as_array().unwrap();
    let chosen: Vec<_> = { all.iter().enumerate() }
        .filter(|(bit, _)| mask >> bit & 1 != 0)
        .map(|(_, value)| value.unwrap())
        .collect();
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    writer.begin_array(chosen.len()).unwrap();
    for value in chosen {
        transcode_value(value, &mut writer).unwrap();
    }
    writer.end().unwrap();
    writer.finish().unwrap()
}

#[test]
fn replicated_nodes_and_values_are_in_the_log_of_the_engine() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names()
        .iter()
        .filter(|name| name.contains("g4-") && name.contains("-crowd"))
    {
        let capture = Capture::load(name);
        let mut all = replicated(&capture);
        let mut logs = capture.client_logs();
        logs.push((0, capture.log("server")));
        for (receiver, log) in logs {
            let mut ours = all.remove(&receiver).unwrap_or_default();
            for kind in ["SPAWNED", "DESPAWNED", "SYNCED", "DELTA"] {
                let start = format!("{kind} ");
                let mut told: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
                for line in log.lines_after(&start) {
                    let (node, values) = line.split_once(" hex=").unwrap_or((line, ""));
                    told.entry(node.to_owned()).or_default().push(unhex(values));
                }
                let (own, rest) = ours.into_iter().partition(|((own, ..), _)| *own == kind);
                ours = rest;
                let mut seen: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
                for ((_, node, values), mask) in own {
                    let seen = seen.entry(node.clone()).or_default();
                    // A DELTA has the values that changed, and the log has all.
                    let told = told
                        .get_mut(&node)
                        .and_then(|told| told.get_mut(seen.len()));
                    if let (Some(told), "DELTA") = (told, kind) {
                        *told = chosen(told, mask, capture.dialect());
                    }
                    seen.push(values);
                }
                *counts.entry(kind).or_default() += seen.values().map(Vec::len).sum::<usize>();
                assert_eq!(seen, told, "{name}: {kind} of {receiver}");
            }
        }
        assert!(all.is_empty(), "{name}: nobody reported {all:?}");
    }
    println!("{counts:?} are what the engines reported");
    assert!(
        counts.values().all(|count| *count > 0) && counts.len() == 4,
        "{counts:?}"
    );
}

#[test]
fn properties_of_rset_are_in_the_log_of_the_engine() {
    let mut total = 0;
    for name in names()
        .iter()
        .filter(|name| name.contains("g3") && name.contains("-crowd"))
    {
        let capture = Capture::load(name);
        let mut seen: BTreeMap<u32, Vec<Vec<u8>>> = BTreeMap::new();
        listen(&capture, |event| {
            if let (Message::Godot3(godot3::Packet::Set(_)), false) =
                (event.message, event.transport.is_resent())
            {
                let receiver = match event.direction {
                    Direction::ToServer => 0,
                    Direction::ToClient => event.link,
                };
                let values: Vec<_> = event.message.args().unwrap().map(Result::unwrap).collect();
                let values = as_array(&values, capture.dialect());
                seen.entry(receiver).or_default().push(values);
            }
        });
        let mut logs = capture.client_logs();
        logs.push((0, capture.log("server")));
        for (receiver, log) in logs {
            let mut told: Vec<_> = log
                .lines_after("SET hex=")
                .map(|hex| canonical(&unhex(hex), capture.dialect()))
                .collect();
            let mut seen = seen.remove(&receiver).unwrap_or_default();
            told.sort();
            seen.sort();
            total += told.len();
            assert_eq!(seen, told, "{name}: {receiver}");
        }
    }
    assert!(total > 40, "{total}");
}

/// Values of `put_var` between a server and two clients: `scripts/chat4.gd`.
#[test]
fn values_of_a_chat_are_in_the_logs_of_the_engine() {
    let chats = names();
    let chats = chats.iter().filter(|name| name.ends_with("-chat"));
    for name in chats {
        let capture = Capture::load(name);
        let mut seen: BTreeMap<(u32, Direction), Vec<Vec<u8>>> = BTreeMap::new();
        listen(&capture, |event| {
            let Message::Value(value) = event.message else {
                panic!("{name}: {:?}", event.message);
            };
            let bytes = value.raw().expect("a value").to_vec();
            seen.entry((event.link, event.direction))
                .or_default()
                .push(bytes);
        });
        let told = |log: &Log, start: &str| {
            let mut told: Vec<_> = log.lines_after(start).map(unhex).collect();
            told.sort();
            told
        };
        let mut to_server = Vec::new();
        for (link, log) in capture.client_logs() {
            let mut sent = seen.remove(&(link, Direction::ToServer)).unwrap();
            to_server.extend(sent.iter().cloned());
            sent.sort();
            assert_eq!(sent, told(&log, "SENT hex="), "{name}: client {link} sent");
            let mut got = seen.remove(&(link, Direction::ToClient)).unwrap();
            got.sort();
            assert_eq!(got, told(&log, "RECV hex="), "{name}: client {link} got");
        }
        to_server.sort();
        let log = capture.log("server");
        assert_eq!(to_server, told(&log, "RECV hex="), "{name}: the server got");
        assert!(to_server.len() > 100);
    }
}
