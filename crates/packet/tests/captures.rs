//! All packets of all captures are read to their last byte, and every call is the one that the
//! receiving engine logged. `testdata/captures/README.md` says how they were made.

mod common;
#[path = "captures/games.rs"]
mod games;

use std::collections::BTreeMap;

use common::{Capture, Log, Received, as_array, canonical, names, unhex};
use gdvar_packet::{
    Direction, Engine, Message, Named, Session, SessionEvent, Transport, TransportInfo,
    enet::Compression,
    gdvar_write::{Target, Writer},
    godot3, godot4,
    names::Names,
};

/// The remote methods of the captures' script, by their numbers in Godot 4: `scripts/net4.gd`.
const METHODS: [&str; 8] = [
    "a_none",
    "b_one",
    "c_two",
    "d_bytes",
    "e_unreliable",
    "f_ordered",
    "g_channel3",
    "h_local",
];

/// Calls `each` for every event of a capture, and checks that it is not damaged.
fn listen(capture: &Capture, mut each: impl FnMut(&SessionEvent<'_>)) -> Session {
    let mut session = Session::new(capture.engine, capture.transport);
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            if let Message::Damaged { error, bytes } = event.message {
                panic!("{}: {error} in {bytes:02x?}", capture.name);
            }
            each(&event);
        });
    }
    session
}

/// The name of a method as the receiver logs it. The halls of `scripts/crowd4.gd` and `crowd3.gd` add
/// their paths.
fn method(capture: &Capture, names: &Names, event: &SessionEvent<'_>, named: Named<'_>) -> String {
    if capture.name.contains("-crowd") {
        let method = names.method(event).expect("a method of the scripts");
        let path = event.node_path().expect("a path").replace(' ', "_");
        return format!("{method}@{path}");
    }
    match named {
        Named::Name(name) => name.to_string(),
        Named::Number(0x8000) => "i_configured".to_owned(),
        Named::Number(number) => METHODS[usize::from(number)].to_owned(),
    }
}

/// The arguments as the method logs them: `d_bytes` logs sizes and first bytes.
fn reported(capture: &Capture, method: &str, event: &SessionEvent<'_>) -> Vec<u8> {
    let args = event.message.args().expect("a call");
    let args: Vec<_> = args.map(|arg| arg.expect("a value")).collect();
    if method != "d_bytes" {
        return as_array(&args, capture.dialect());
    }
    let array = as_array(&args, capture.dialect());
    // After the header and count of the array, and the header of the value.
    let bytes = &array[16..];
    let len = u32::from_le_bytes(array[12..16].try_into().unwrap()) as usize;
    let mut writer = Writer::new(Vec::new(), Target::from(capture.dialect()));
    match capture.engine {
        Engine::Godot3 => {
            writer.begin_array(1).unwrap();
            writer.int(len as i64).unwrap();
        }
        Engine::Godot4 => {
            let hex = |bytes: &[u8]| {
                bytes
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect::<String>()
            };
            writer.begin_array(2).unwrap();
            writer.int(len as i64).unwrap();
            writer.string(&hex(&bytes[..len.min(32)])).unwrap();
        }
    }
    writer.end().unwrap();
    writer.finish().unwrap()
}

/// True if the server executes the call, and does not only relay it.
fn is_for_server(capture: &Capture, target: i32) -> bool {
    match (capture.engine, capture.transport) {
        // Godot 3's WebSocket server also executes calls for everybody but itself: its log says so.
        (Engine::Godot3, Transport::WebSocket) => target <= 1,
        // A negative number means all but that one.
        _ => target == 1 || target == 0 || target < -1,
    }
}

/// All calls that the engines should have executed, by receiver: 0 is the server, n the client with
/// link n.
fn calls(capture: &Capture) -> BTreeMap<u32, Vec<Received>> {
    let mut calls: BTreeMap<u32, Vec<Received>> = BTreeMap::new();
    let names = Names::scan(common::folder().join("scripts")).expect("the scripts");
    listen(capture, |event| {
        let is_resent = matches!(
            event.transport,
            TransportInfo::Enet {
                is_resent: true,
                ..
            }
        );
        let (Some(named), false) = (event.message.method(), is_resent) else {
            return;
        };
        if matches!(event.message, Message::Godot3(godot3::Packet::Set(_))) {
            return;
        }
        let method = method(capture, &names, event, named);
        let args = event.message.args().expect("a call");
        if method == "d_bytes" && args.announced() == Some(0) {
            // A single empty PackedByteArray is sent as no argument, and the engine refuses the
            // call.
            return;
        }
        let receiver = match event.direction {
            Direction::ToServer if is_for_server(capture, event.target.expect("a target")) => 0,
            Direction::ToServer => return,
            Direction::ToClient => event.link,
        };
        calls.entry(receiver).or_default().push(Received {
            from: event.source.expect("a source"),
            args: reported(capture, &method, event),
            method,
        });
    });
    calls
}

/// The log of an engine in canonical bytes: Godot 3 leaves heap bytes in the padding of NodePaths.
fn engine_says(capture: &Capture, log: &Log, own_id: i32) -> Vec<Received> {
    let mut calls = log.received(own_id);
    for call in &mut calls {
        call.args = canonical(&call.args, capture.dialect());
    }
    calls
}

/// Packets of several channels arrive in any order.
fn sorted(mut calls: Vec<Received>) -> Vec<Received> {
    calls.sort();
    calls
}

#[test]
fn every_call_is_in_the_log_of_the_engine() {
    let (mut captures, mut total) = (0, 0);
    for name in names() {
        let capture = Capture::load(&name);
        if !matches!(capture.transport, Transport::Enet | Transport::WebSocket) {
            continue;
        }
        captures += 1;
        let mut ours = calls(&capture);
        let server = sorted(engine_says(&capture, &capture.log("server"), 1));
        let got = sorted(ours.remove(&0).unwrap_or_default());
        assert_eq!(got, server, "{name}: the server's calls");
        total += server.len();
        for (link, log) in capture.client_logs() {
            let client = sorted(engine_says(&capture, &log, log.id()));
            let got = sorted(ours.remove(&link).unwrap_or_default());
            assert_eq!(got, client, "{name}: the calls of client {link}");
            total += client.len();
        }
        assert!(ours.is_empty(), "{name}: nobody reported {ours:?}");
    }
    // The number of lines in the logs (`grep -h RECV *.log`), without the calls of a peer to
    // itself.
    if common::fresh().is_none() {
        assert_eq!((captures, total), (30, 2026));
    }
    assert!(total > 50);
    println!("{total} calls in {captures} captures are what the engines reported");
}

#[test]
fn there_are_34_captures_and_all_of_their_bytes_are_read() {
    let mut names = names();
    assert_eq!(names.len(), 34);
    names.retain(|name| {
        let mut items = 0;
        let session = listen(&Capture::load(name), |_| items += 1);
        items == 0 || session.pending() != 0
    });
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn clients_have_their_own_ids() {
    for name in names() {
        let capture = Capture::load(&name);
        if !matches!(capture.transport, Transport::Enet | Transport::WebSocket) {
            continue;
        }
        let session = listen(&capture, |_| {});
        for (link, log) in capture.client_logs() {
            assert_eq!(
                session.state().client(link),
                Some(log.id()),
                "{name}, {link}"
            );
        }
    }
}

#[test]
fn compression_is_found() {
    let captures = [
        ("g4-enet-rpc", None),
        ("g4-enet-range", Some(Compression::Range)),
        ("g4-enet-fastlz", Some(Compression::FastLz)),
        ("g4-enet-zlib", Some(Compression::Zlib)),
        ("g4-enet-zstd", Some(Compression::Zstd)),
        ("g3-enet-range", Some(Compression::Range)),
        ("g3-enet-fastlz", Some(Compression::FastLz)),
        ("g3-enet-zlib", Some(Compression::Zlib)),
        ("g3-enet-zstd", Some(Compression::Zstd)),
        ("g36-enet-range", Some(Compression::Range)),
        ("g36-enet-rpc", None),
    ];
    for (name, expected) in captures {
        let session = listen(&Capture::load(name), |_| {});
        assert_eq!(session.compression(1), expected, "{name}");
    }
}

#[test]
fn raw_packets_and_authentication_are_in_the_log_of_the_engine() {
    let mut total = 0;
    for name in names() {
        let capture = Capture::load(&name);
        if !matches!(capture.transport, Transport::Enet | Transport::WebSocket) {
            continue;
        }
        let mut raw = Vec::new();
        let mut auth = Vec::new();
        listen(&capture, |event| {
            let from = event.source.unwrap_or_default();
            if event.transport.is_resent() {
                return;
            }
            match event.message {
                Message::Godot4(godot4::Packet::Raw(bytes))
                | Message::Godot3(godot3::Packet::Raw(bytes)) => raw.push((from, bytes.to_vec())),
                Message::Godot4(godot4::Packet::Sys(godot4::Sys::Auth(data)))
                    if !data.is_empty() =>
                {
                    auth.push((from, data.to_vec()));
                }
                _ => {}
            }
        });
        let mut logs = capture.client_logs();
        logs.push((0, capture.log("server")));
        let told = |start: &str, bytes: fn(&str) -> Vec<u8>| {
            let mut told = Vec::new();
            for (_, log) in &logs {
                for line in log.lines_after(start) {
                    let (from, rest) = line.split_once(' ').expect("from and bytes");
                    told.push((from.parse::<i32>().expect("an id"), bytes(rest)));
                }
            }
            told.sort();
            told
        };
        raw.sort();
        auth.sort();
        total += raw.len() + auth.len();
        assert_eq!(raw, told("RAW from=", unhex), "{name}");
        assert_eq!(
            auth,
            told("AUTH from=", |text| text.as_bytes().to_vec()),
            "{name}"
        );
    }
    if common::fresh().is_none() {
        assert_eq!(total, 24, "`grep -c` of RAW and AUTH in the logs");
    }
}

#[test]
fn values_of_put_var_are_in_the_log_of_the_engine() {
    for name in ["g4-udp-put_var", "g4-tcp-put_var"] {
        let capture = Capture::load(name);
        let mut got = Vec::new();
        let mut answers = 0;
        listen(&capture, |event| {
            let Message::Value(value) = event.message else {
                panic!("{name}: {:?}", event.message);
            };
            match event.direction {
                Direction::ToServer => {
                    // The log has an array around the value.
                    let array = [&[28, 0, 0, 0, 1, 0, 0, 0], value.raw().unwrap()].concat();
                    got.push(array);
                }
                Direction::ToClient => answers += 1,
            }
        });
        let log = capture.log("server");
        let told: Vec<_> = log
            .lines_after("RECV ")
            .map(|line| unhex(line.rsplit(' ').next().unwrap()))
            .collect();
        assert_eq!(told.len(), 66, "{name}");
        assert_eq!(got[..66], told, "{name}");
        assert_eq!(answers, 66 + usize::from(name.contains("tcp")), "{name}");
        if name.contains("tcp") {
            // From here on the stream is a PacketPeerStream.
            assert_eq!(got.len(), 67);
            assert!(log.0.contains(r#"PACKET { "packet": 1 }"#));
        }
    }
}

#[test]
fn debugger_messages_have_the_output_of_the_game() {
    let capture = Capture::load("g4-debugger");
    let mut names = Vec::new();
    let mut texts = String::new();
    let mut errors = Vec::new();
    let mut nodes = Vec::new();
    listen(&capture, |event| {
        let Message::Debugger(message) = event.message else {
            panic!("{:?}", event.message);
        };
        names.push((event.direction, message.name().to_owned()));
        for field in message.fields() {
            let (name, value) = field.unwrap();
            match (message.name(), name) {
                ("output", "texts") => {
                    let lines = value.as_strings().expect("strings");
                    for line in lines {
                        texts.push_str(line.unwrap().to_str().unwrap());
                        texts.push('\n');
                    }
                }
                ("error", "error" | "description") => {
                    errors.push(value.as_str().expect("text").to_owned());
                }
                ("scene:scene_tree", "name") => {
                    nodes.push(value.as_str().expect("text").to_owned());
                }
                ("set_pid" | "output" | "error" | "scene:scene_tree", "") => {
                    panic!("{} has no name for {value:?}", message.name());
                }
                _ => {}
            }
        }
    });
    assert_eq!(names[0], (Direction::ToServer, "set_pid".to_owned()));
    let asked = (Direction::ToClient, "scene:request_scene_tree".to_owned());
    assert!(names.contains(&asked), "{names:?}");
    for n in 1..5 {
        assert!(
            texts.contains(&format!("frame {n} of the debuggee")),
            "{texts}"
        );
    }
    assert!(
        errors.iter().any(|error| error.contains("a warning")),
        "{errors:?}"
    );
    assert_eq!(nodes, ["root"]);
}

#[test]
fn replicated_nodes_match_the_script() {
    // `scripts/peer4.gd`: Ann is spawned at (10, 20), gets gold 6 and a tag, then gold 70000; a scene; the
    // weather changes; Ann goes.
    let capture = Capture::load("g4-enet-repl");
    let (mut spawned, mut despawned) = (Vec::new(), 0);
    let (mut golds, mut tags, mut weather) = (Vec::new(), Vec::new(), Vec::new());
    let mut positions = 0;
    listen(&capture, |event| match event.message {
        Message::Godot4(godot4::Packet::Spawn(spawn)) => {
            let spawner = event.state.path(event.link, event.source, spawn.spawner());
            assert_eq!(spawner.expect("a path").path(), "Spawner");
            if let Some(custom) = spawn.custom() {
                let value = custom.map(Result::unwrap).next().unwrap();
                let dict = value
                    .as_variant()
                    .and_then(|value| value.as_dict())
                    .unwrap();
                let at = dict.get("at").unwrap().unwrap().as_vector2().unwrap();
                assert_eq!((at.x, at.y), (10.0, 20.0));
                let state: Vec<_> = spawn.state().map(Result::unwrap).collect();
                assert_eq!(state[1].as_i64(), Some(100));
                assert_eq!(state[2].as_i64(), Some(5));
                assert_eq!(state[4].as_str(), Some("L"));
                assert_eq!(spawn.syncs().len(), 1);
            }
            spawned.push(spawn.name().to_string());
        }
        Message::Godot4(godot4::Packet::Despawn { net_id }) => {
            let node = event.state.spawned(event.link, event.source, net_id);
            assert_eq!(&*node.expect("a node").name, "Ann");
            despawned += 1;
        }
        Message::Godot4(godot4::Packet::Delta(delta)) => {
            for entry in delta.entries() {
                let entry = entry.unwrap();
                let values: Vec<_> = entry.values().map(Result::unwrap).collect();
                assert_eq!(values.len(), entry.mask().count_ones() as usize);
                match entry.path_id() {
                    Some(path) => {
                        let path = event.state.path(event.link, event.source, path).unwrap();
                        assert_eq!(path.path(), "World/WorldSync");
                        weather.extend(values.iter().filter_map(|v| v.as_str()).map(str::to_owned));
                    }
                    None => {
                        let node =
                            event
                                .state
                                .synchronized(event.link, event.source, entry.net_id());
                        assert_eq!(&*node.expect("a node").name, "Ann");
                        golds.extend(values.iter().filter_map(|value| value.as_i64()));
                        tags.extend(values.iter().filter_map(|v| v.as_str()).map(str::to_owned));
                    }
                }
            }
        }
        Message::Godot4(godot4::Packet::Sync(sync)) => {
            for entry in sync.entries() {
                let values: Vec<_> = entry.unwrap().values().map(Result::unwrap).collect();
                let position = values[0].as_variant().and_then(|value| value.as_vector2());
                positions += usize::from(position.is_some_and(|at| (at.x, at.y) == (11.0, 21.0)));
            }
        }
        _ => {}
    });
    assert_eq!(spawned, ["Ann", "Thing"]);
    assert_eq!(despawned, 1);
    assert_eq!(golds, [5, 6, 70_000]);
    assert_eq!(tags, ["new", "rich"]);
    assert_eq!(weather, ["sun", "rain"]);
    assert!(positions > 0);
}

#[test]
fn paths_are_known_by_their_ids() {
    let capture = Capture::load("g4-enet-nodes");
    let mut paths = Vec::new();
    let session = listen(&capture, |event| {
        if event.message.method().is_some() {
            paths.push(event.node_path().expect("a path").to_owned());
        }
    });
    let mut expected: Vec<String> = (0..300).map(|n| format!("N{n}")).collect();
    expected.extend([0, 253, 254, 255, 299].map(|n| format!("N{n}")));
    assert_eq!(paths, expected);
    let client = session.state().client(1);
    let net = session.state().node(1, client, "N255").expect("a node");
    assert_eq!(net.matches(), Some(true), "both peers have the same script");
    assert_eq!(net.md5().unwrap(), b"c7df382b90e0d9437fe4565a88a92bbd");
    assert_eq!(session.state().refused(), 0);
}
