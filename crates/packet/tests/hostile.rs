//! Hostile bytes cause no panic and no unbounded growth, and reading a packet allocates nothing.

mod common;

use std::time::Duration;

use common::{Capture, names};
use gdvar_packet::{
    Direction, Encode, Engine, Message, Name, PacketErrorKind, Session, SessionLimits, Transport,
    enet::{Body, Command, Datagram, Fragment, Handshake, Header},
    godot3, godot4,
    replication::{Losses, Replication},
};

const SMALL: SessionLimits = SessionLimits {
    links: 8,
    names_per_peer: 16,
    name_len: 64,
    fragmented: 2,
    packet_len: 4096,
};

/// All packets of the multiplayer API in the captures.
fn packets(engine: Engine) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    for name in names() {
        let capture = Capture::load(&name);
        if capture.engine != engine {
            continue;
        }
        let mut session = Session::new(capture.engine, capture.transport);
        for piece in &capture.pieces {
            session.receive(piece.link, piece.direction, &piece.bytes, |event| {
                let envelope = match capture.transport {
                    Transport::Enet => 8,
                    _ => 9,
                };
                match event.message {
                    Message::Godot4(_) => packets.push(event.bytes.to_vec()),
                    Message::Godot3(_) => packets.push(event.bytes[envelope..].to_vec()),
                    _ => {}
                }
            });
        }
    }
    packets.sort();
    packets.dedup();
    packets.retain(|packet| packet.len() < 400);
    packets
}

#[test]
fn packets_that_are_cut_or_changed_never_panic() {
    let (mut refused, mut total) = (0_u32, 0_u32);
    for engine in [Engine::Godot4, Engine::Godot3] {
        let mut check = |bytes: &[u8]| {
            let good = match engine {
                Engine::Godot4 => godot4::Packet::parse(bytes).and_then(|packet| packet.validate()),
                Engine::Godot3 => godot3::Packet::parse(bytes).and_then(|packet| packet.validate()),
            };
            total += 1;
            if let Err(error) = good {
                refused += 1;
                assert!(error.offset() <= bytes.len(), "{error} in {bytes:02x?}");
                assert!(!error.to_string().is_empty());
            }
        };
        for packet in packets(engine) {
            for end in 0..packet.len() {
                check(&packet[..end]);
            }
            let mut changed = packet.clone();
            for at in 0..packet.len() {
                for value in [0, 1, 0x7f, 0x80, 0xff, packet[at] ^ 0x20] {
                    changed[at] = value;
                    check(&changed);
                }
                changed[at] = packet[at];
            }
        }
    }
    assert!(
        total > 100_000 && refused > total / 10,
        "{refused} of {total}"
    );
}

#[test]
fn a_cut_packet_is_reported_as_truncated() {
    // CALL of method 1 of node 3 with the argument 100.
    let packet = [0x00, 3, 1, 1, 0x02, 100];
    for end in 0..packet.len() {
        let cut = godot4::Packet::parse(&packet[..end]).and_then(|packet| packet.validate());
        assert!(cut.unwrap_err().is_truncated(), "{end}");
    }
    let long = [&packet[..], &[0]].concat();
    let error = godot4::Packet::parse(&long)
        .unwrap()
        .validate()
        .unwrap_err();
    assert_eq!(
        (error.offset(), error.kind()),
        (6, PacketErrorKind::TrailingBytes { count: 1 })
    );
}

fn datagram(command: &Command<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let header = Header {
        sent_time: Some(0),
        ..Header::default()
    };
    header.encode(&mut bytes).unwrap();
    command.encode(&mut bytes).unwrap();
    bytes
}

fn reliable(sequence: u16, body: Body<'_>) -> Command<'_> {
    Command {
        wants_ack: true,
        unsequenced: false,
        channel: 0,
        sequence,
        body,
    }
}

#[test]
fn clients_names_and_fragments_are_bounded() {
    let mut session = Session::new(Engine::Godot4, Transport::Enet).with_limits(SMALL);
    let mut over_limit = 0;
    for n in 0..5000_u32 {
        let path = format!("Node{n}");
        let mut packet = Vec::new();
        godot4::Message::SimplifyPath(godot4::SimplifyPath {
            md5: b"d41d8cd98f00b204e9800998ecf8427e",
            id: n,
            path: Name::new(path.as_bytes()),
        })
        .encode(&mut packet)
        .unwrap();
        let link = n % 100;
        let bytes = datagram(&reliable(n as u16, Body::Reliable(&packet)));
        session.receive(link, Direction::ToServer, &bytes, |_| {});
        // The server is one peer. It names a node for each client, and at most 16 are kept.
        session.receive(link, Direction::ToClient, &bytes, |_| {});
        let piece = Fragment {
            reliable: true,
            start: n as u16,
            count: 2,
            number: 0,
            total: if n % 2 == 0 { 4000 } else { 4097 },
            offset: 0,
            data: b"x",
        };
        let bytes = datagram(&Command {
            channel: 1,
            ..reliable(n as u16, Body::Fragment(piece))
        });
        session.receive(link, Direction::ToServer, &bytes, |event| {
            if let Message::Damaged { error, .. } = event.message {
                assert_eq!(error.kind(), PacketErrorKind::OverLimit);
                over_limit += 1;
            }
        });
        assert!(session.links() <= SMALL.links);
        assert!(session.pending() <= SMALL.links * SMALL.fragmented * SMALL.packet_len);
    }
    assert!(session.state().paths(0, Some(1)).count() <= SMALL.names_per_peer);
    assert!(session.state().refused() > 4000);
    assert_eq!(over_limit, 2500);
}

#[test]
fn streams_that_promise_much_are_given_up() {
    let streams: [(Transport, &[u8], PacketErrorKind); 4] = [
        (
            Transport::Records,
            b"\xff\xff\xff\x7f",
            PacketErrorKind::BadLength {
                length: 0x7fff_ffff,
            },
        ),
        (
            Transport::Debugger,
            b"\x01\x10\0\0",
            PacketErrorKind::BadLength { length: 4097 },
        ),
        (
            Transport::WebSocket,
            b"HTTP/1.1 101\r\n\r\n\x82\x7f\0\0\0\0\xff\xff\xff\xff",
            PacketErrorKind::OverLimit,
        ),
        (
            Transport::WebSocket,
            b"HTTP/1.1 101\r\n\r\n\x80\0",
            PacketErrorKind::BadFrame,
        ),
    ];
    for (transport, bytes, kind) in streams {
        let mut session = Session::new(Engine::Godot4, transport).with_limits(SMALL);
        let mut errors = Vec::new();
        for _ in 0..3 {
            session.receive(0, Direction::ToClient, bytes, |event| {
                if let Message::Damaged { error, .. } = event.message {
                    errors.push(error.kind());
                }
            });
        }
        assert_eq!(errors, [kind], "{transport:?}");
        assert_eq!(session.pending(), 0);
    }
    // An HTTP header without an end.
    let mut session = Session::new(Engine::Godot4, Transport::WebSocket).with_limits(SMALL);
    for _ in 0..100 {
        session.receive(0, Direction::ToServer, &[b'x'; 1000], |_| {});
        assert!(session.pending() <= 8192);
    }
}

#[test]
fn contradicting_fragments_are_refused() {
    let piece = |count, number, total, offset| Fragment {
        reliable: true,
        start: 7,
        count,
        number,
        total,
        offset,
        data: b"abcd",
    };
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let mut errors = Vec::new();
    let pieces = [
        piece(2, 0, 8, 0),
        piece(3, 1, 8, 4),
        piece(2, 1, 9, 4),
        piece(2, 2, 8, 4),
        piece(2, 1, 8, 5),
        piece(0, 0, 8, 4),
    ];
    for (n, piece) in pieces.into_iter().enumerate() {
        let bytes = datagram(&reliable(n as u16, Body::Fragment(piece)));
        session.receive(0, Direction::ToServer, &bytes, |event| {
            if let Message::Damaged { error, .. } = event.message {
                errors.push((n, error.kind()));
            }
        });
    }
    let bad = [1, 2, 3, 4, 5].map(|n| (n, PacketErrorKind::BadFragment));
    assert_eq!(errors, bad);
}

/// The start numbers of unreliable packets begin again after each reliable packet of their channel
/// (`enet_peer_setup_outgoing_command`), so a packet that lost a fragment may have the same one as the
/// next.
#[test]
fn fragments_of_two_packets_are_not_mixed() {
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let mut heard = Vec::new();
    let raw = |text: &str| [&[3][..], text.as_bytes()].concat();
    let (first, second) = (raw("first packet"), raw("other packet"));
    let mut send = |sequence: u16, packet: &[u8], pieces: &[u32]| {
        for &number in pieces {
            let offset = number * 7;
            let data = packet.chunks(7).nth(number as usize).unwrap();
            let body = Body::Fragment(Fragment {
                reliable: false,
                start: 1,
                count: 2,
                number,
                total: packet.len() as u32,
                offset,
                data,
            });
            let command = Command {
                wants_ack: false,
                ..reliable(sequence, body)
            };
            session.receive(0, Direction::ToClient, &datagram(&command), |event| {
                if let Message::Godot4(godot4::Packet::Raw(bytes)) = event.message {
                    heard.push(bytes.to_vec());
                }
            });
        }
    };
    send(5, &first, &[0]);
    // Twice, as a network may deliver it. `enet_protocol_handle_send_unreliable_fragment` ignores a number that was
    // delivered.
    send(6, &second, &[1, 0, 1, 0]);
    send(6, &second, &[0]);
    send(7, &first, &[0, 0, 1, 1]);
    assert_eq!(heard, [b"other packet", b"first packet"]);
    assert_eq!(session.incomplete(), 1);
    session.forget(0);
    assert_eq!(session.incomplete(), 1);
}

#[test]
fn nothing_is_allocated_for_a_packet() {
    let capture = Capture::load("g4-enet-rpc");
    // Calls of a node whose path is known.
    let calls: Vec<_> = capture
        .pieces
        .iter()
        .filter(|piece| piece.direction == Direction::ToServer)
        .filter(|piece| {
            let mut commands = Datagram::parse(&piece.bytes).unwrap().commands().unwrap();
            commands.any(|command| {
                matches!(
                    command,
                    Ok(Command {
                        body: Body::Reliable([0, ..]),
                        ..
                    })
                )
            })
        })
        .collect();
    assert!(calls.len() > 50);
    let mut session = Session::new(capture.engine, capture.transport);
    let mut args = 0;
    let mut hear = |session: &mut Session, bytes: &[u8]| {
        session.receive(1, Direction::ToServer, bytes, |event| {
            assert!(event.source.is_some());
            for arg in event.message.args().into_iter().flatten() {
                args += arg.is_ok() as u32;
            }
        });
    };
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |_| {});
    }
    let info = allocation_counter::measure(|| {
        for piece in &calls {
            hear(&mut session, &piece.bytes);
        }
    });
    assert_eq!(info.count_total, 0);
    assert!(args > 50);
}

/// A client's CONNECT.
fn connect(peer: u32, connect_id: u32) -> Vec<u8> {
    let handshake = Handshake::client(0, 3, connect_id);
    let body = Body::Connect {
        handshake,
        data: peer,
    };
    datagram(&Command::reliable(255, 1, body))
}

#[test]
fn a_client_cannot_claim_to_be_another() {
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let name = |id: u32, path: &str| {
        let mut packet = Vec::new();
        let simplify = godot4::SimplifyPath {
            md5: b"d41d8cd98f00b204e9800998ecf8427e",
            id,
            path: Name::new(path.as_bytes()),
        };
        let message = godot4::Message::SimplifyPath(simplify);
        message.encode(&mut packet).unwrap();
        datagram(&Command::reliable(0, id as u16, Body::Reliable(&packet)))
    };
    session.receive(1, Direction::ToServer, &connect(77, 1), |_| {});
    session.receive(1, Direction::ToServer, &name(1, "Right"), |_| {});
    // Another link claims to be the same peer, and one to be the server.
    session.receive(2, Direction::ToServer, &connect(77, 2), |_| {});
    session.receive(2, Direction::ToServer, &name(1, "Wrong"), |_| {});
    session.receive(3, Direction::ToServer, &connect(1, 3), |_| {});
    session.receive(3, Direction::ToServer, &name(2, "Wrong"), |_| {});
    // And reports that the first peer left.
    let mut gone = Vec::new();
    let sys = godot4::Message::Sys(godot4::Sys::DelPeer(77));
    sys.encode(&mut gone).unwrap();
    let gone = datagram(&Command::reliable(0, 9, Body::Reliable(&gone)));
    session.receive(2, Direction::ToServer, &gone, |_| {});
    let known = session.state();
    assert_eq!(known.clients().collect::<Vec<_>>(), [(1, 77)]);
    assert_eq!(
        known.path(1, Some(77), 1).map(|node| node.path()),
        Some("Right")
    );
    assert_eq!(known.path(3, Some(1), 2), None);
    // Only a report of the server counts.
    session.receive(1, Direction::ToClient, &gone, |_| {});
    assert_eq!(session.state().path(1, Some(77), 1), None);
}

#[test]
fn a_new_connection_starts_without_history() {
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let raw = datagram(&Command::reliable(0, 1, Body::Reliable(&[3, 1])));
    let mut resent = Vec::new();
    let mut hear = |bytes: &[u8]| {
        session.receive(1, Direction::ToServer, bytes, |event| {
            if let gdvar_packet::TransportInfo::Enet { is_resent, .. } = event.transport {
                resent.push((event.message.name(), is_resent));
            }
        });
    };
    for bytes in [
        &connect(77, 1),
        &raw,
        &raw,
        &connect(77, 1),
        &raw,
        &connect(78, 2),
        &raw,
    ] {
        hear(bytes);
    }
    let expected = [
        ("CONNECT", false),
        ("RAW", false),
        ("RAW", true),
        ("CONNECT", true),
        ("RAW", true),
        ("CONNECT", false),
        ("RAW", false),
    ];
    assert_eq!(resent, expected);
}

/// The server names the sender of a relayed packet, so it can name any number of them.
#[test]
fn senders_of_empty_packets_do_not_grow_the_memory() {
    let mut sync = Vec::new();
    let empty = godot4::Message::Sync {
        time: 1,
        entries: &[],
    };
    empty.encode(&mut sync).unwrap();
    let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
    let mut replication = Replication::default();
    let hello = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";
    session.receive(1, Direction::ToClient, hello, |_| {});
    let (mut bytes, mut senders) = (0, 0);
    // What the counter of `replication` keeps for the first 65 536 senders, and for more.
    let mut kept = [0, 0];
    for peer in 2..70_000 {
        let sys = godot4::Sys::Relay {
            peer,
            packet: &sync,
        };
        let mut packet = Vec::new();
        godot4::Message::Sys(sys).encode(&mut packet).unwrap();
        let frame = [&[0x82, packet.len() as u8][..], &packet].concat();
        session.receive(1, Direction::ToClient, &frame, |event| {
            assert_eq!(event.source, Some(peer));
            let add = || replication.add(Duration::ZERO, &event, Losses::default());
            kept[usize::from(senders >= 65_536)] += allocation_counter::measure(add).bytes_current;
            senders += 1;
            bytes += event.bytes.len() as u64;
        });
    }
    assert_eq!(senders, 69_998);
    assert!(kept[0] > 0 && kept[1] == 0, "{kept:?}");
    assert_eq!(replication.other_bytes(), bytes);
}
