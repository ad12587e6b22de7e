//! Parsed packets can be written again: every packet, command and frame of the captures comes out
//! with the bytes that the engines sent.

mod common;

use common::{Capture, names};
use gdvar_packet::{
    Arg, Direction, Encode, Engine, Message, Session, Transport, Values,
    enet::{Candidates, Datagram, Unpacker, commands},
    godot3, godot4,
    websocket::{Frame, http_head},
};

fn written(what: &impl Encode) -> Vec<u8> {
    let mut bytes = Vec::new();
    what.encode(&mut bytes).expect("it was read");
    assert_eq!(what.size(), Ok(bytes.len()));
    bytes
}

fn args(values: Values<'_>) -> Vec<Arg<'_>> {
    values
        .map(|value| Arg::copy(value.expect("a value")).expect("a value"))
        .collect()
}

fn godot4_again(packet: godot4::Packet<'_>) -> Vec<u8> {
    use godot4::{Message, Packet, Properties};
    match packet {
        Packet::Call(call) => written(&Message::Call {
            node: call.node(),
            method: call.method_id(),
            args: &args(call.args()),
        }),
        Packet::SimplifyPath(simplify) => written(&Message::SimplifyPath(simplify)),
        Packet::ConfirmPath(confirm) => written(&Message::ConfirmPath(confirm)),
        Packet::Raw(bytes) => written(&Message::Raw(bytes)),
        Packet::Spawn(spawn) => written(&Message::Spawn {
            scene: spawn.scene(),
            spawner: spawn.spawner(),
            net_id: spawn.net_id(),
            syncs: &spawn.syncs().collect::<Vec<_>>(),
            name: spawn.name(),
            custom: spawn.custom().map_or(Arg::Nil, |custom| args(custom)[0]),
            state: &args(spawn.state()),
        }),
        Packet::Despawn { net_id } => written(&Message::Despawn { net_id }),
        Packet::Sync(sync) => {
            let entries: Vec<_> = sync.entries().map(Result::unwrap).collect();
            let values: Vec<_> = entries.iter().map(|entry| args(entry.values())).collect();
            let entries: Vec<_> = entries
                .iter()
                .zip(&values)
                .map(|(entry, values)| Properties {
                    net_id: entry.net_id(),
                    values,
                })
                .collect();
            written(&Message::Sync {
                time: sync.time(),
                entries: &entries,
            })
        }
        Packet::Delta(delta) => {
            let entries: Vec<_> = delta.entries().map(Result::unwrap).collect();
            let values: Vec<_> = entries.iter().map(|entry| args(entry.values())).collect();
            let entries: Vec<_> = entries
                .iter()
                .zip(&values)
                .map(|(entry, values)| {
                    let net_id = entry.net_id();
                    (entry.mask(), Properties { net_id, values })
                })
                .collect();
            written(&Message::Delta { entries: &entries })
        }
        Packet::Sys(sys) => written(&Message::Sys(sys)),
    }
}

fn godot3_again(packet: godot3::Packet<'_>) -> Vec<u8> {
    use godot3::{Message, Packet};
    match packet {
        Packet::Call(call) => written(&Message::Call {
            node: call.node(),
            method: call.name(),
            args: &args(call.args()),
        }),
        Packet::Set(set) => written(&Message::Set {
            node: set.node(),
            property: set.name(),
            value: args(set.args())[0],
        }),
        Packet::SimplifyPath { id, path } => written(&Message::SimplifyPath { id, path }),
        Packet::ConfirmPath { path } => written(&Message::ConfirmPath { path }),
        Packet::Raw(bytes) => written(&Message::Raw(bytes)),
    }
}

#[test]
fn packets_are_written_as_the_engines_write_them() {
    let (mut godot4, mut godot3, mut wide_ids) = (0, 0, 0);
    for name in names() {
        let capture = Capture::load(&name);
        let mut session = Session::new(capture.engine, capture.transport);
        for piece in &capture.pieces {
            session.receive(piece.link, piece.direction, &piece.bytes, |event| {
                match event.message {
                    Message::Godot4(packet) => {
                        let mut again = godot4_again(packet);
                        if event.is_relayed {
                            let peer = match event.direction {
                                Direction::ToServer => event.target.unwrap(),
                                Direction::ToClient => event.source.unwrap(),
                            };
                            let packet = &again[..];
                            let relay = godot4::Sys::Relay { peer, packet };
                            again = written(&godot4::Message::Sys(relay));
                        }
                        if again.len() + 3 == event.bytes.len() {
                            // A call to several peers uses a four-byte id for all of them if one
                            // does not know the id yet.
                            let start = if event.is_relayed { 6 } else { 0 };
                            assert_eq!(event.bytes[start], again[start] | 0x20, "{name}");
                            assert_eq!(event.bytes[start + 5..], again[start + 2..], "{name}");
                            wide_ids += 1;
                        } else {
                            assert_eq!(again, event.bytes, "{name}");
                        }
                        godot4 += 1;
                    }
                    Message::Godot3(packet) => {
                        let packet = &godot3_again(packet)[..];
                        let (source, target) = (event.source.unwrap(), event.target.unwrap());
                        let enveloped = godot3::Enveloped::Packet {
                            source,
                            target,
                            packet,
                        };
                        let mut again = Vec::new();
                        if capture.transport == Transport::Enet {
                            enveloped.encode(&mut again).unwrap();
                        } else {
                            enveloped.encode_websocket(&mut again).unwrap();
                        }
                        assert_eq!(again, event.bytes, "{name}");
                        godot3 += 1;
                    }
                    Message::Notice(notice) if capture.engine == Engine::Godot3 => {
                        let enveloped = godot3::Enveloped::Notice(notice);
                        let mut again = Vec::new();
                        if capture.transport == Transport::Enet {
                            enveloped.encode(&mut again).unwrap();
                            assert_eq!(again, event.bytes, "{name}");
                        } else {
                            enveloped.encode_websocket(&mut again).unwrap();
                            // The sender and receiver of a notice depend on the server's state.
                            assert_eq!(again[9..], event.bytes[9..], "{name}");
                        }
                    }
                    _ => {}
                }
            });
        }
    }
    assert!(wide_ids <= 9, "{wide_ids}");
    assert!(godot4 > 1000 && godot3 > 400, "{godot4} and {godot3}");
}

#[test]
fn calls_made_by_hand_equal_the_engine_s() {
    // `scripts/peer4.gd` calls these; the node's id is 1 by then.
    let calls = [
        (2, vec![Arg::from(7), Arg::from("seven")]),
        (2, vec![Arg::Bytes(&[1, 2, 3]), Arg::from(true)]),
        (3, vec![Arg::Bytes(&[0xde, 0xad, 0xbe, 0xef, 1])]),
        (3, vec![]),
        (4, vec![Arg::from(1)]),
        (0x8000, vec![Arg::from(5)]),
        (1, vec![Arg::Nil]),
        (1, vec![Arg::from(false)]),
        (1, vec![Arg::from(-129)]),
        (1, vec![Arg::from(i64::MIN)]),
        (1, vec![Arg::from(2_147_483_648_i64)]),
        (1, vec![Arg::from(0.5)]),
        (1, vec![Arg::from(0.1)]),
        (1, vec![Arg::from("häß €")]),
    ];
    let capture = Capture::load("g4-enet-rpc");
    let mut packets = Vec::new();
    let mut session = Session::new(capture.engine, capture.transport);
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            packets.push(event.bytes.to_vec());
        });
    }
    for (method, args) in &calls {
        let call = godot4::Message::Call {
            node: 1.into(),
            method: *method,
            args,
        };
        let bytes = written(&call);
        assert!(packets.contains(&bytes), "{args:?}: {bytes:02x?}");
    }
}

#[test]
fn datagrams_are_written_as_enet_writes_them() {
    let mut total = 0;
    for name in names() {
        let capture = Capture::load(&name);
        if capture.transport != Transport::Enet {
            continue;
        }
        let (mut unpacker, mut candidates) = (Unpacker::new(), Candidates::default());
        for piece in &capture.pieces {
            let datagram = Datagram::parse(&piece.bytes).unwrap();
            let header = written(&datagram.header());
            assert_eq!([&header, datagram.body()].concat(), piece.bytes, "{name}");
            let body = unpacker.body(datagram, &mut candidates).expect("unpacked");
            let again: Vec<_> = commands(body)
                .flat_map(|command| written(&command.unwrap()))
                .collect();
            assert_eq!(again, body, "{name}");
            total += 1;
        }
    }
    assert!(total > 2000, "{total}");
}

#[test]
fn frames_are_written_as_the_engines_write_them() {
    let mut sizes = Vec::new();
    for name in names() {
        let capture = Capture::load(&name);
        if capture.transport != Transport::WebSocket {
            continue;
        }
        for (link, direction) in [(1, Direction::ToServer), (1, Direction::ToClient)] {
            let pieces = capture
                .pieces
                .iter()
                .filter(|piece| (piece.link, piece.direction) == (link, direction));
            let stream: Vec<_> = pieces.flat_map(|piece| piece.bytes.clone()).collect();
            let mut rest = &stream[http_head(&stream).expect("a head")..];
            while !rest.is_empty() {
                let (frame, len) = Frame::parse(rest).unwrap();
                assert_eq!(written(&frame), rest[..len], "{name}");
                assert_eq!(frame.mask.is_some(), direction == Direction::ToServer);
                sizes.push(frame.payload.len());
                rest = &rest[len..];
            }
        }
    }
    assert!(
        sizes.iter().any(|size| *size > 125),
        "16-bit lengths are there"
    );
}

#[test]
fn an_empty_byte_array_stays_an_argument() {
    // The engine's short form loses the argument: "expected 1 argument(s), but called with 0".
    let bytes = written(&godot4::Message::Call {
        node: 1.into(),
        method: 3,
        args: &[Arg::Bytes(&[])],
    });
    let godot4::Packet::Call(call) = godot4::Packet::parse(&bytes).unwrap() else {
        panic!("{bytes:02x?}");
    };
    let kinds: Vec<_> = call.args().map(|arg| arg.unwrap().kind().name()).collect();
    assert_eq!(kinds, ["PackedByteArray"]);
}
