//! [`Multiplayer`] and [`Replicator`]: packets of the engine are answered as the engine answers, and
//! 100 clients join a server over ENet. `scripts/engines/test-multiplayer` does it with live engines.

use std::{
    thread,
    time::{Duration, Instant},
};

use gdvar_packet::{
    Arg, Encode, Name, NodeRef, SessionLimits,
    enet::Delivery::{Reliable, Unreliable},
    godot4::{ConfirmPath, Message, Packet, SimplifyPath, Sys},
    multiplayer::{
        CallError, Multiplayer, NewNode, Outgoing, Property, Received, ReplicateError,
        ReplicationMode, Replicator,
    },
};

mod common;
#[path = "../examples/host/mod.rs"]
mod host;
use host::{EnetHost, Happened};

fn sent(multiplayer: &mut Multiplayer) -> Vec<Outgoing> {
    std::iter::from_fn(|| multiplayer.next_outgoing()).collect()
}

/// The receiver and the command of each packet to be sent.
fn commands(multiplayer: &mut Multiplayer) -> Vec<(i32, &'static str)> {
    let command = |sent: Outgoing| match Packet::parse(&sent.bytes).unwrap() {
        Packet::Sys(sys) => (sent.peer, sys.name()),
        packet => (sent.peer, packet.command().name()),
    };
    sent(multiplayer).into_iter().map(command).collect()
}

fn packet(message: Message<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes).unwrap();
    bytes
}

/// The methods of /root/Net in the captures, and the MD5 that Godot 4.6.3 sends for them.
#[test]
fn the_md5_of_methods_is_the_one_of_the_engine() {
    let capture = common::Capture::load("g4-enet-repl");
    let mut md5s = Vec::new();
    let mut session = gdvar_packet::Session::new(capture.engine, capture.transport);
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            if let gdvar_packet::Message::Godot4(Packet::SimplifyPath(simplify)) = event.message {
                md5s.push((simplify.path.to_string(), simplify.id, *simplify.md5));
            }
        });
    }
    // A spawner has no methods.
    let (_, id, md5) = md5s.iter().find(|(path, ..)| path == "Spawner").unwrap();
    let mut server = Multiplayer::server();
    let spawner = server.add_node("Spawner", &[]);
    let mut replicator = Replicator::new();
    let node = NewNode {
        spawner,
        scene: Some(0),
        name: "Thing",
        custom: Arg::Nil,
        synchronizers: &[],
    };
    replicator.spawn(node).unwrap();
    server.connect(2);
    replicator.update(&mut server, Duration::ZERO);
    let path = sent(&mut server).remove(0).bytes;
    let Packet::SimplifyPath(path) = Packet::parse(&path).unwrap() else {
        panic!("a path comes first");
    };
    assert_eq!(path.md5, md5);
    // The engine, too, numbers paths from 1 on.
    assert!(*id >= 1 && path.id == 1);
}

#[test]
fn a_path_is_sent_until_it_is_confirmed() {
    let mut server = Multiplayer::server().without_relay();
    let node = server.add_node("Net", &["b", "a"]);
    assert!(server.connect(7) && server.connect(8));
    assert!(!server.connect(7) && !server.connect(1) && !server.connect(-3));
    let call = |server: &mut Multiplayer, to| {
        server
            .call(to, node, 0, &[Arg::from(5)], Unreliable)
            .unwrap();
        sent(server)
    };
    let first = call(&mut server, 0);
    let peers: Vec<i32> = first.iter().map(|sent| sent.peer).collect();
    assert_eq!(peers, [7, 7, 8, 8]);
    assert_eq!(
        (first[0].delivery, first[1].delivery),
        (Reliable, Unreliable)
    );
    assert_eq!((first[0].enet_channel(), first[1].enet_channel()), (0, 1));
    let Packet::Call(by_path) = Packet::parse(&first[1].bytes).unwrap() else {
        panic!("a call");
    };
    // "b" is the second method when they are sorted.
    assert_eq!(
        (by_path.node(), by_path.method()),
        (NodeRef::from("Net"), 1)
    );
    let confirm = packet(Message::ConfirmPath(ConfirmPath {
        matches: true,
        id: 1,
    }));
    server.receive(7, Reliable, &confirm).unwrap();
    let second = call(&mut server, 0);
    let Packet::Call(by_id) = Packet::parse(&second[0].bytes).unwrap() else {
        panic!("a call");
    };
    assert_eq!((second[0].peer, by_id.node()), (7, NodeRef::Id(1)));
    assert_eq!(second[1].bytes, first[3].bytes);
    // All but 7, and one alone.
    assert_eq!(call(&mut server, -7).len(), 1);
    assert_eq!(call(&mut server, 8)[0].peer, 8);
    let refused = server.call(9, node, 0, &[], Reliable);
    assert_eq!(refused, Err(CallError::NoSuchPeer(9)));
    let refused = server.call(0, node, 2, &[], Reliable);
    assert_eq!(refused, Err(CallError::NoSuchMethod { methods: 2 }));
    // A peer with the same id that connects later has confirmed nothing.
    server.disconnect(7);
    assert!(server.connect(7));
    assert_eq!(call(&mut server, 7).len(), 2);
}

#[test]
fn a_path_is_confirmed_once() {
    let mut bot = Multiplayer::client(50);
    let node = bot.add_node("Net", &["b", "a"]);
    assert!(bot.connect(1));
    let mut other = Multiplayer::server();
    other.add_node("Net", &["a", "b"]);
    other.connect(50);
    let net = other.add_node("Net", &[]);
    other.call(50, net, 0, &[], Reliable).unwrap();
    let packets = sent(&mut other);
    assert!(matches!(
        bot.receive(1, Reliable, &packets[0].bytes),
        Ok(Received::Nothing)
    ));
    let answers = sent(&mut bot);
    let confirmed = Packet::parse(&answers[0].bytes).unwrap();
    let Packet::ConfirmPath(ConfirmPath {
        matches: true,
        id: 1,
    }) = confirmed
    else {
        panic!("{confirmed:?}");
    };
    assert_eq!((bot.path_of(1, 1), answers.len()), (Some("Net"), 1));
    let received = bot.receive(1, Reliable, &packets[1].bytes).unwrap();
    assert!(matches!(received, Received::Call { source: 1, node: n, method: 1, .. } if n == node));
    // The id keeps its path.
    let again = packet(Message::SimplifyPath(SimplifyPath {
        md5: &[b'0'; 32],
        id: 1,
        path: Name::new(b"Other"),
    }));
    bot.receive(1, Reliable, &again).unwrap();
    assert!(sent(&mut bot).is_empty());
    assert_eq!(bot.path_of(1, 1), Some("Net"));
    // Other methods: the engine confirms and says no.
    let mismatch = packet(Message::SimplifyPath(SimplifyPath {
        md5: &[b'0'; 32],
        id: 2,
        path: Name::new(b"Net"),
    }));
    let received = bot.receive(1, Reliable, &mismatch);
    assert!(matches!(received, Ok(Received::Mismatch { source: 1, .. })));
    let answer = sent(&mut bot).remove(0).bytes;
    assert_eq!(answer, [2, 0, 2, 0, 0, 0]);
}

#[test]
fn a_server_relays_as_the_engine_does() {
    let mut server = Multiplayer::server();
    assert!(server.connect(7) && server.connect(8) && server.connect(9));
    let told = commands(&mut server);
    assert_eq!((told.len(), told[0]), (6, (7, "ADD_PEER")));
    let mut client = Multiplayer::client(7);
    let node = client.add_node("Net", &["a"]);
    client.connect(1);
    let add = |peer| packet(Message::Sys(Sys::AddPeer(peer)));
    assert!(matches!(
        client.receive(1, Reliable, &add(8)),
        Ok(Received::PeerConnected(8))
    ));
    assert!(matches!(
        client.receive(8, Reliable, &add(9)),
        Ok(Received::Nothing)
    ));
    // To 8 only: its path, and the call. Both through the server.
    client.call(8, node, 0, &[], Reliable).unwrap();
    let mut got = Vec::new();
    for outgoing in sent(&mut client) {
        assert_eq!(outgoing.peer, 1);
        server
            .receive(7, outgoing.delivery, &outgoing.bytes)
            .unwrap();
        got.extend(sent(&mut server));
    }
    assert!(got.iter().all(|sent| sent.peer == 8) && got.len() == 2);
    let Packet::Sys(Sys::Relay {
        peer: 7,
        packet: inner,
    }) = Packet::parse(&got[1].bytes).unwrap()
    else {
        panic!("the source is named");
    };
    assert!(matches!(Packet::parse(inner), Ok(Packet::Call(_))));
    // To everybody: the others and the server itself.
    let bytes = packet(Message::Raw(b"x"));
    let to_all = |peer| {
        packet(Message::Sys(Sys::Relay {
            peer,
            packet: &bytes,
        }))
    };
    let all = to_all(0);
    let received = server.receive(7, Reliable, &all).unwrap();
    assert!(matches!(
        received,
        Received::Bytes {
            source: 7,
            bytes: b"x"
        }
    ));
    assert_eq!(commands(&mut server), [(8, "RELAY"), (9, "RELAY")]);
    let others = to_all(-1);
    let received = server.receive(7, Reliable, &others).unwrap();
    assert!(matches!(received, Received::Nothing) && commands(&mut server).len() == 2);
    // A relay in a relay goes nowhere.
    let nested = to_all(8);
    let nested = packet(Message::Sys(Sys::Relay {
        peer: 9,
        packet: &nested,
    }));
    server.receive(7, Reliable, &nested).unwrap();
    assert!(sent(&mut server).is_empty());
    server.disconnect(7);
    assert_eq!(commands(&mut server), [(8, "DEL_PEER"), (9, "DEL_PEER")]);
}

#[test]
fn memory_is_bounded() {
    let limits = SessionLimits {
        links: 2,
        names_per_peer: 3,
        name_len: 5,
        ..SessionLimits::default()
    };
    let mut server = Multiplayer::server().with_limits(limits);
    assert!(server.connect(2) && server.connect(3) && !server.connect(4));
    for id in 0..100 {
        let announced = packet(Message::SimplifyPath(SimplifyPath {
            md5: &[b'0'; 32],
            id,
            path: Name::new(if id == 0 { b"longer" } else { b"short" }),
        }));
        server.receive(2, Reliable, &announced).unwrap();
    }
    let known = (0..100).filter(|&id| server.path_of(2, id).is_some());
    assert!(known.eq([1, 2, 3]));
    // No bytes make it panic.
    for first in 0..=255 {
        for len in 0..40 {
            let bytes: Vec<u8> = std::iter::once(first)
                .chain((0..len).map(|n: u8| n.wrapping_mul(37)))
                .collect();
            let _ = server.receive(2, Reliable, &bytes);
        }
    }
}

fn property(mode: ReplicationMode, is_spawned: bool, value: i64) -> Property<'static> {
    Property {
        value: Arg::Int(value),
        is_spawned,
        mode,
    }
}

#[test]
fn each_peer_gets_what_it_lacks() {
    use ReplicationMode::{Always, Never, OnChange};
    let (mut server, mut replicator) = (Multiplayer::server().without_relay(), Replicator::new());
    let spawner = server.add_node("Spawner", &[]);
    let properties = [
        property(Always, true, 1),
        property(OnChange, true, 2),
        property(OnChange, false, 3),
        property(Never, true, 4),
    ];
    let node = |name| NewNode {
        spawner,
        scene: None,
        name,
        custom: Arg::Int(9),
        synchronizers: &[],
    };
    let ann = NewNode {
        synchronizers: &[&properties],
        ..node("Ann")
    };
    let ann = replicator.spawn(ann).unwrap();
    assert_eq!((ann.id.net_id(), ann.synchronizers[0].net_id()), (1, 2));
    assert_eq!(
        replicator.spawn(node("Ann")),
        Err(ReplicateError::NameTaken)
    );
    for bad in ["", "a/b", "a.b", "@Node@2", "100%"] {
        assert_eq!(replicator.spawn(node(bad)), Err(ReplicateError::BadName));
    }
    server.connect(7);
    let update = |server: &mut Multiplayer, replicator: &mut Replicator, ms| {
        replicator.update(server, Duration::from_millis(ms));
        sent(server)
    };
    let packets = update(&mut server, &mut replicator, 0);
    let Packet::Spawn(spawn) = Packet::parse(&packets[1].bytes).unwrap() else {
        panic!("a SPAWN follows the path");
    };
    let ints = |values: gdvar_packet::Values<'_>| -> Vec<i64> {
        values
            .map(|value| value.unwrap().as_i64().unwrap())
            .collect()
    };
    assert_eq!(
        (spawn.scene(), spawn.net_id(), spawn.name().to_str()),
        (None, 1, Some("Ann"))
    );
    assert_eq!(
        (ints(spawn.custom().unwrap()), ints(spawn.state())),
        (vec![9], vec![1, 2, 4])
    );
    let Packet::Sync(sync) = Packet::parse(&packets[2].bytes).unwrap() else {
        panic!("a SYNC");
    };
    let entry = sync.entries().next().unwrap().unwrap();
    // The engine ignores a number that is not above the last one, which is 0 at first.
    assert_eq!(
        (sync.time(), entry.net_id(), ints(entry.values())),
        (1, 2, vec![1])
    );
    assert_eq!(packets[2].delivery, Unreliable);
    // What is watched but not spawned follows in a DELTA.
    let delta = |packet: &Outgoing| {
        let Packet::Delta(delta) = Packet::parse(&packet.bytes).unwrap() else {
            panic!("a DELTA");
        };
        let entry = delta.entries().next().unwrap().unwrap();
        (entry.net_id(), entry.mask(), ints(entry.values()))
    };
    assert_eq!(delta(&packets[3]), (2, 0b10, vec![3]));
    assert_eq!(packets.len(), 4);
    // A value that stays the same is sent in the SYNC only.
    replicator
        .set(ann.synchronizers[0], 1, Arg::Int(2))
        .unwrap();
    replicator.set_interval(ann.synchronizers[0], Duration::from_millis(100));
    assert_eq!(update(&mut server, &mut replicator, 10).len(), 0);
    replicator
        .set(ann.synchronizers[0], 1, Arg::Int(70_000))
        .unwrap();
    assert_eq!(
        replicator.set(ann.synchronizers[0], 4, Arg::Nil),
        Err(ReplicateError::Missing)
    );
    let packets = update(&mut server, &mut replicator, 20);
    assert_eq!(
        (delta(&packets[0]), packets.len()),
        ((2, 0b01, vec![70_000]), 1)
    );
    // A peer that comes later gets the values of now, and only it.
    server.connect(8);
    let packets = update(&mut server, &mut replicator, 30);
    assert!(packets.iter().all(|sent| sent.peer == 8));
    let Packet::Spawn(spawn) = Packet::parse(&packets[1].bytes).unwrap() else {
        panic!("a SPAWN");
    };
    assert_eq!(ints(spawn.state()), [1, 70_000, 4]);
    assert_eq!(commands(&mut server).len(), 0);
    replicator.update(&mut server, Duration::from_millis(100));
    assert_eq!(commands(&mut server), [(7, "SYNC"), (8, "SYNC")]);
    // Hidden from one, then gone for the other; the name is free again.
    replicator.set_visibility_for(ann.id, 7, false).unwrap();
    replicator.update(&mut server, Duration::from_millis(101));
    assert_eq!(commands(&mut server), [(7, "DESPAWN")]);
    replicator.despawn(ann.id);
    replicator.spawn(node("Ann")).unwrap();
    replicator.update(&mut server, Duration::from_millis(102));
    assert_eq!(
        commands(&mut server),
        [(7, "SPAWN"), (8, "DESPAWN"), (8, "SPAWN")]
    );
    // The same id, another connection: everything is sent again.
    server.disconnect(8);
    server.connect(8);
    replicator.update(&mut server, Duration::from_millis(103));
    assert_eq!(commands(&mut server), [(8, "SIMPLIFY_PATH"), (8, "SPAWN")]);
}

#[test]
fn a_synchronizer_of_the_scene_waits_for_its_path() {
    let (mut server, mut replicator) = (Multiplayer::server(), Replicator::new());
    let path = server.add_node("World/Sync", &[]);
    let weather = property(ReplicationMode::OnChange, true, 3);
    replicator.synchronize(path, &[weather]).unwrap();
    server.connect(7);
    replicator.update(&mut server, Duration::ZERO);
    replicator.update(&mut server, Duration::ZERO);
    assert_eq!(commands(&mut server), [(7, "SIMPLIFY_PATH")]);
    let confirm = packet(Message::ConfirmPath(ConfirmPath {
        matches: true,
        id: 1,
    }));
    server.receive(7, Reliable, &confirm).unwrap();
    replicator.update(&mut server, Duration::ZERO);
    let packets = sent(&mut server);
    let Packet::Delta(delta) = Packet::parse(&packets[0].bytes).unwrap() else {
        panic!("a DELTA");
    };
    assert_eq!(delta.entries().next().unwrap().unwrap().path_id(), Some(1));
    let watched = [property(ReplicationMode::OnChange, true, 0); 65];
    let refused = replicator.synchronize(path, &watched);
    assert_eq!(refused, Err(ReplicateError::TooManyWatched));
    assert!(replicator.synchronize(path, &watched[1..]).is_ok());
}

#[test]
fn many_synchronizers_are_sent_in_several_datagrams() {
    let (mut server, mut replicator) = (Multiplayer::server(), Replicator::new());
    let spawner = server.add_node("Spawner", &[]);
    let always = property(ReplicationMode::Always, true, 1 << 40);
    for n in 0..200 {
        let node = NewNode {
            spawner,
            scene: Some(0),
            name: &format!("N{n}"),
            custom: Arg::Nil,
            synchronizers: &[&[always]],
        };
        replicator.spawn(node).unwrap();
    }
    server.connect(7);
    replicator.update(&mut server, Duration::ZERO);
    let packets = sent(&mut server);
    let syncs = packets
        .iter()
        .filter_map(|sent| match Packet::parse(&sent.bytes) {
            Ok(Packet::Sync(sync)) => Some((sent.bytes.len(), sync.time(), sync.entries().count())),
            _ => None,
        });
    let syncs: Vec<_> = syncs.collect();
    // Each entry has 8 bytes and an int of 9: 79 fit into 1350 bytes after the head of 3.
    assert_eq!(syncs, [(1346, 1, 79), (1346, 1, 79), (717, 1, 42)]);
}

/// A server and 100 clients over ENet: what one says, all hear; the kicked one leaves.
#[test]
fn a_hundred_clients_hear_a_broadcast() {
    const CLIENTS: usize = 100;
    let mut network = EnetHost::server("127.0.0.1:0", CLIENTS).unwrap();
    let address = network.address().unwrap();
    let mut server = Multiplayer::server();
    let chat = server.add_node("Game", &["say", "said"]);
    let join = |n: usize| {
        let id = n as i32 + 2;
        let mut game = Multiplayer::client(id);
        let node = game.add_node("Game", &["say", "said"]);
        (EnetHost::client(address, id).unwrap(), game, node)
    };
    let mut clients: Vec<_> = (0..CLIENTS).map(join).collect();
    let (mut connected, mut heard, mut left) = (0, 0, Vec::new());
    let mut others = vec![0; CLIENTS];
    let deadline = Instant::now() + Duration::from_secs(60);
    while left.is_empty() && Instant::now() < deadline {
        while let Some(happened) = network.service(&mut server).unwrap() {
            match happened {
                Happened::Connected(_) => connected += 1,
                Happened::Disconnected(peer) => left.push(peer),
                Happened::Packet {
                    from,
                    delivery,
                    bytes,
                } => {
                    let received = server.receive(from, delivery, &bytes).unwrap();
                    if let Received::Call {
                        method: 0, call, ..
                    } = received
                    {
                        let text = Arg::copy(call.args().next().unwrap().unwrap()).unwrap();
                        server.call(0, chat, 1, &[text], Reliable).unwrap();
                    }
                }
            }
        }
        for (n, (network, game, node)) in clients.iter_mut().enumerate() {
            while let Some(happened) = network.service(game).unwrap() {
                let Happened::Packet {
                    from,
                    delivery,
                    bytes,
                } = happened
                else {
                    continue;
                };
                match game.receive(from, delivery, &bytes).unwrap() {
                    Received::PeerConnected(_) => others[n] += 1,
                    Received::Call {
                        method: 1, call, ..
                    } => {
                        let text = call.args().next().unwrap().unwrap();
                        assert_eq!(text.as_str(), Some("hello"));
                        heard += 1;
                    }
                    _ => {}
                }
            }
            let all_know = connected == CLIENTS && others[n] == CLIENTS - 1;
            if n == 41 && all_know && heard == 0 && game.peers().count() == CLIENTS {
                others[n] += 1; // It says it once.
                game.call(1, *node, 0, &[Arg::from("hello")], Reliable)
                    .unwrap();
            }
        }
        if heard == CLIENTS {
            network.kick(43);
        }
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!((connected, heard, left), (CLIENTS, CLIENTS, vec![43]));
}
