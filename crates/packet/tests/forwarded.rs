//! The packets that a proxy sends on: captures pass through `Session::rewrite`, and another session
//! reads the output.

mod common;

use common::{Capture, names};
use gdvar_packet::{
    Arg, Direction, Encode, Engine, Filter, Forwarded, Message, PacketEdit, PacketEditor, Session,
    SessionEvent, Transport, TransportInfo,
    enet::{self, Candidates, Datagram, Unpacker, commands},
    gdvar_write::Target,
    godot3, godot4, websocket,
};

fn filter(text: &str) -> Filter {
    Filter::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Everything that is sent on: link, direction, bytes.
type ForwardedPieces = Vec<(u32, Direction, Vec<u8>)>;

fn forward(
    capture: &Capture,
    session: &mut Session,
    mut each: impl FnMut(SessionEvent<'_>, &mut Vec<u8>) -> PacketEdit,
) -> ForwardedPieces {
    let (mut forwarded, mut out) = (Forwarded::new(), Vec::new());
    for piece in &capture.pieces {
        let (link, direction) = (piece.link, piece.direction);
        session.rewrite(link, direction, &piece.bytes, &mut forwarded, &mut each);
        out.extend(
            forwarded
                .pieces()
                .map(|bytes| (link, direction, bytes.to_vec())),
        );
    }
    out
}

fn edited(capture: &Capture, mut editor: PacketEditor) -> ForwardedPieces {
    let mut session = Session::new(capture.engine, capture.transport);
    forward(capture, &mut session, |event, out| {
        editor.edit(&event, None, out).expect("it was read")
    })
}

/// The packets that a session reports, in order: command and bytes.
fn heard(capture: &Capture, pieces: &ForwardedPieces) -> Vec<(&'static str, Vec<u8>)> {
    let mut session = Session::new(capture.engine, capture.transport);
    let mut packets = Vec::new();
    for (link, direction, bytes) in pieces {
        session.receive(*link, *direction, bytes, |event| {
            if !matches!(event.message, Message::Enet(_)) && !event.transport.is_resent() {
                packets.push((event.message.name(), event.bytes.to_vec()));
            }
        });
    }
    packets
}

fn original(capture: &Capture) -> ForwardedPieces {
    let piece = |piece: &common::Piece| (piece.link, piece.direction, piece.bytes.clone());
    capture.pieces.iter().map(piece).collect()
}

/// True if a datagram has a fragment command with one of these numbers: 8 is reliable, 12 is not.
fn has_piece(bytes: &[u8], numbers: &[u8]) -> bool {
    let all = Datagram::parse(bytes).and_then(Datagram::commands);
    let is_piece = |command: enet::Command<'_>| numbers.contains(&command.number());
    all.is_ok_and(|mut all| all.any(|command| command.is_ok_and(is_piece)))
}

fn in_pieces(bytes: &[u8]) -> bool {
    has_piece(bytes, &[8, 12])
}

/// The channels and numbers of the reliable commands, sorted.
fn numbers(pieces: &ForwardedPieces) -> Vec<(u32, Direction, u8, u16)> {
    let mut numbers = Vec::new();
    let (mut unpacker, mut candidates) = (Unpacker::new(), Candidates::default());
    for (link, direction, bytes) in pieces {
        let datagram = Datagram::parse(bytes).unwrap();
        let body = unpacker.body(datagram, &mut candidates).unwrap();
        for command in commands(body) {
            let command = command.unwrap();
            if command.wants_ack {
                numbers.push((*link, *direction, command.channel, command.sequence));
            }
        }
    }
    numbers.sort_unstable();
    numbers
}

#[test]
fn unchanged_bytes_are_sent_on() {
    for name in names() {
        let capture = Capture::load(&name);
        let mut session = Session::new(capture.engine, capture.transport);
        let out = forward(&capture, &mut session, |_, _| PacketEdit::Unchanged);
        let original = original(&capture);
        if matches!(capture.transport, Transport::Enet | Transport::Values) {
            let whole = |all: &ForwardedPieces| {
                let whole = all.iter().filter(|(_, _, bytes)| !in_pieces(bytes));
                whole.cloned().collect::<Vec<_>>()
            };
            if original.iter().any(|(_, _, bytes)| in_pieces(bytes)) {
                assert_eq!(whole(&out), whole(&original), "{name}");
            } else if !out.iter().any(|(_, _, bytes)| in_pieces(bytes)) {
                assert_eq!(out, original, "{name}");
            }
            assert_eq!(heard(&capture, &out), heard(&capture, &original), "{name}");
            if capture.transport == Transport::Enet {
                assert_eq!(numbers(&out), numbers(&original), "{name}");
            }
            continue;
        }
        for link in [1, 2] {
            for direction in [Direction::ToServer, Direction::ToClient] {
                let stream = |all: &ForwardedPieces| -> Vec<u8> {
                    let its = all.iter().filter(|one| (one.0, one.1) == (link, direction));
                    its.flat_map(|(_, _, bytes)| bytes.clone()).collect()
                };
                let (before, after) = (stream(&original), stream(&out));
                assert!(before.starts_with(&after), "{name}");
                // The rest is a cut message, which is held.
                assert!(before.len() - after.len() <= session.pending(), "{name}");
            }
        }
    }
}

#[test]
fn a_dropped_packet_leaves_no_gap() {
    for (name, rule, dropped) in [
        ("g4-enet-rpc", "method == 1", 45),
        ("g4-enet-range", "method == 1", 45),
        ("g4-enet-relay", "relayed", 0),
        ("g3-enet-rpc", r#"method == "c_two""#, 1),
        ("g36-enet-range", r#"method == "c_two""#, 1),
        ("g3-enet-relay", r#"command == "ADD_PEER""#, 0),
        ("g4-enet-big", "size > 1000", 0),
    ] {
        let capture = Capture::load(name);
        let rule = filter(rule);
        let out = edited(&capture, PacketEditor::new().drop_packets(rule.clone()));
        assert_eq!(
            numbers(&out).len(),
            numbers(&original(&capture)).len(),
            "{name}"
        );
        assert_eq!(numbers(&out), numbers(&original(&capture)), "{name}");
        let mut session = Session::new(capture.engine, capture.transport);
        let (mut ignored, mut reliable) = (0, 0);
        for (link, direction, bytes) in &out {
            session.receive(*link, *direction, bytes, |event| {
                assert!(!rule.matches(&event, None), "{name}: {event:?}");
                let is_ignored = match capture.engine {
                    Engine::Godot4 => event.bytes == godot4::IGNORED,
                    Engine::Godot3 => event.bytes.len() == 9 && event.bytes[8] == 0xff,
                };
                ignored += u32::from(is_ignored);
                reliable += u32::from(matches!(event.transport, TransportInfo::Enet { .. }));
            });
        }
        assert!(ignored >= dropped.max(1), "{name}: {ignored}");
        assert!(reliable > ignored);
    }
}

/// Every packet of every game of Godot 3 is dropped: a reader of what is sent on finds nothing damaged in it.
#[test]
fn what_replaces_packets_of_godot_3_is_known() {
    let mut all = 0;
    for name in names() {
        let capture = Capture::load(&name);
        if (capture.engine, capture.transport) != (Engine::Godot3, Transport::Enet) {
            continue;
        }
        let mut session = Session::new(capture.engine, capture.transport);
        let mut dropped = 0;
        let out = forward(&capture, &mut session, |event, _| {
            let is_packet = matches!(event.message, Message::Godot3(_) | Message::Notice(_));
            let is_reliable = matches!(
                event.transport,
                TransportInfo::Enet {
                    delivery: Some(enet::Delivery::Reliable),
                    ..
                }
            );
            dropped += u32::from(is_packet && is_reliable);
            match is_packet {
                true => PacketEdit::Dropped,
                false => PacketEdit::Unchanged,
            }
        });
        let mut session = Session::new(capture.engine, capture.transport);
        let (mut ignored, mut channels) = (0, Vec::new());
        for (link, direction, bytes) in &out {
            session.receive(*link, *direction, bytes, |event| match event.message {
                Message::Enet(_) => {}
                Message::Ignored => {
                    ignored += 1;
                    if let TransportInfo::Enet { channel, .. } = event.transport {
                        channels.push(channel);
                    }
                }
                message => panic!("{name}: {message:?}"),
            });
        }
        assert!(
            ignored >= dropped && dropped > 0,
            "{name}: {ignored} {dropped}"
        );
        let has_notices = name.contains("relay") || name.contains("crowd");
        assert_eq!(channels.contains(&0), has_notices, "{name}");
        all += ignored;
    }
    assert!(all > 500, "{all}");
}

#[test]
fn a_replacement_is_addressed_to_the_server_only() {
    let packet = b"\x07\0\0\0\xfe\xff\xff\xff\x00rest";
    assert_eq!(
        godot3::ignored(packet, 1, true),
        *b"\x07\0\0\0\x01\0\0\0\xff"
    );
    assert_eq!(
        godot3::ignored(packet, 1, false),
        *b"\x07\0\0\0\xfe\xff\xff\xff\xff"
    );
    assert_eq!(godot3::ignored(packet, 0, false), [0xff; 9]);
    assert_eq!(godot3::ignored(b"cut", 1, true), [0xff; 9]);
}

#[test]
fn fragmented_packets_are_rewritten() {
    let capture = Capture::load("g4-enet-big");
    for (value, is_shorter) in [(Arg::from("short"), true), (Arg::from(1_i64 << 60), false)] {
        let path = if is_shorter {
            "args[0]"
        } else {
            "args[0][399].id"
        };
        let rule = filter("args[0][399].id == 399");
        let editor = PacketEditor::new().replace(rule, path, value, Target::GODOT_4);
        let out = edited(&capture, editor.unwrap());
        assert_eq!(numbers(&out), numbers(&original(&capture)));
        let (before, after) = (heard(&capture, &original(&capture)), heard(&capture, &out));
        let is_call = |(name, _): &&(&str, Vec<u8>)| *name == "CALL";
        let change = filter("args[0][399].id == 1152921504606846976 or args[0] == \"short\"");
        let mut session = Session::new(capture.engine, capture.transport);
        let mut found = 0;
        for (link, direction, bytes) in &out {
            session.receive(*link, *direction, bytes, |event| {
                found += u32::from(change.matches(&event, None));
            });
        }
        assert_eq!(found, 1);
        assert_eq!(
            before.iter().filter(is_call).count(),
            after.iter().filter(is_call).count()
        );
        let changed = after.iter().filter(|packet| !before.contains(packet));
        // A packet that fits into one command leaves numbers unused. Each of them needs a packet.
        assert!(
            changed
                .clone()
                .all(|(_, bytes)| bytes.len() != 2 || bytes == &godot4::IGNORED)
        );
    }
}

#[test]
fn repeated_fragments_are_forwarded_with_equal_bytes() {
    let mut capture = Capture::load("g4-enet-big");
    let rule = || filter("args[0][399].id == 399");
    let editor = || {
        PacketEditor::new()
            .redact(rule(), "args[0][399].pos")
            .unwrap()
    };
    let once = edited(&capture, editor());
    // Repeat all these datagrams at the end, as if all acknowledgements were lost.
    let again = |piece: &common::Piece| common::Piece {
        bytes: piece.bytes.clone(),
        ..*piece
    };
    let pieces = capture.pieces.iter();
    let again: Vec<_> = { pieces.filter(|piece| has_piece(&piece.bytes, &[8])) }
        .map(again)
        .collect();
    let resent = again.len();
    capture.pieces.extend(again);
    let out = edited(&capture, editor());
    assert_eq!(heard(&capture, &out), heard(&capture, &once));
    let again = filter("resent");
    let mut session = Session::new(capture.engine, capture.transport);
    let mut count = 0;
    for (link, direction, bytes) in &out {
        session.receive(*link, *direction, bytes, |event| {
            let is_piece = matches!(event.message, Message::Enet(command) if command.number() == 8);
            count += u32::from(is_piece && again.matches(&event, None));
        });
    }
    assert_eq!((count, resent > 10), (resent as u32, true));
}

#[test]
fn messages_of_websocket_are_rewritten() {
    for name in ["g4-ws-rpc", "g4-ws-relay", "g3-ws-rpc", "g36-ws-rpc"] {
        let mut capture = Capture::load(name);
        // In messages of two frames, byte by byte.
        let split = |piece: common::Piece| {
            let bytes: Vec<_> = piece.bytes.chunks(7).map(<[u8]>::to_vec).collect();
            bytes
                .into_iter()
                .map(move |bytes| common::Piece { bytes, ..piece })
        };
        capture.pieces = capture.pieces.into_iter().flat_map(split).collect();
        let rule = filter(r#"command == "CALL" and args > 0"#);
        let editor = PacketEditor::new().redact(rule, "args[0]").unwrap();
        let out = edited(&capture, editor.drop_packets(filter(r#"command == "RAW""#)));
        let calls = |pieces: &ForwardedPieces| {
            let all = heard(&capture, pieces).into_iter();
            all.filter(|(name, _)| *name == "CALL")
                .map(|(_, bytes)| bytes)
                .collect::<Vec<_>>()
        };
        let (before, after) = (calls(&original(&capture)), calls(&out));
        assert_eq!(before.len(), after.len(), "{name}");
        assert_ne!(before, after, "{name}");
        let commands: Vec<_> = heard(&capture, &out)
            .iter()
            .map(|(name, _)| *name)
            .collect();
        assert!(
            !commands.contains(&"RAW") && !commands.contains(&"DAMAGED"),
            "{name}"
        );
    }
}

#[test]
fn frames_of_one_message_become_one() {
    let frame = |is_last, opcode, payload: &[u8]| {
        let (mask, mut masked) = ([1, 2, 3, 4], payload.to_vec());
        websocket::unmask(mask, &mut masked);
        let mut bytes = Vec::new();
        websocket::Frame {
            is_last,
            opcode,
            mask: Some(mask),
            payload: &masked,
        }
        .encode(&mut bytes)
        .unwrap();
        bytes
    };
    use websocket::Opcode::{Binary, Continuation, Ping};
    let head = b"GET / HTTP/1.1\r\n\r\n".to_vec();
    let ping = frame(true, Ping, b"hello");
    let pieces = [
        frame(false, Binary, b"\0\x03\x01"),
        ping.clone(),
        frame(true, Continuation, b"\x01\x02\x64"),
    ];
    for (edit, expected) in [
        (
            PacketEdit::Unchanged,
            [&ping[..], &pieces[0], &pieces[2]].concat(),
        ),
        (
            PacketEdit::Rewritten,
            [&ping[..], &frame(true, Binary, b"new")].concat(),
        ),
        (PacketEdit::Dropped, ping.clone()),
    ] {
        let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
        let (mut forwarded, mut out) = (Forwarded::new(), Vec::<u8>::new());
        for bytes in [&head].into_iter().chain(&pieces) {
            session.rewrite(
                0,
                Direction::ToServer,
                bytes,
                &mut forwarded,
                |event, out| {
                    if !matches!(event.message, Message::Godot4(_)) {
                        return PacketEdit::Unchanged;
                    }
                    assert_eq!(event.bytes, b"\0\x03\x01\x01\x02\x64");
                    out.clear();
                    out.extend(b"new");
                    edit
                },
            );
            out.extend(forwarded.pieces().flatten());
        }
        assert_eq!(out, [&head[..], &expected].concat(), "{edit:?}");
    }
}

#[test]
fn a_damaged_stream_is_sent_on() {
    let mut session = Session::new(Engine::Godot4, Transport::Records);
    let (mut forwarded, mut out) = (Forwarded::new(), Vec::<u8>::new());
    let stream = b"\x04\0\0\0\0\0\0\0\xff\xff\xff\xffwhatever this is";
    for piece in stream.chunks(3) {
        session.rewrite(0, Direction::ToServer, piece, &mut forwarded, |_, _| {
            PacketEdit::Unchanged
        });
        out.extend(forwarded.pieces().flatten());
    }
    assert_eq!(out, stream);
    assert_eq!(session.pending(), 0);
}

#[test]
fn the_steady_state_allocates_nothing() {
    let capture = Capture::load("g4-enet-rpc");
    let rule = filter("method == 2 and args[0] == 7");
    let mut editor = PacketEditor::new()
        .replace(rule, "args[0]", Arg::from(1), Target::GODOT_4)
        .unwrap();
    let mut session = Session::new(capture.engine, capture.transport);
    let mut forwarded = Forwarded::new();
    let mut rewrite = |piece: &common::Piece| {
        session.rewrite(
            piece.link,
            piece.direction,
            &piece.bytes,
            &mut forwarded,
            |event, out| editor.edit(&event, None, out).unwrap(),
        );
    };
    capture.pieces.iter().for_each(&mut rewrite);
    let info = allocation_counter::measure(|| capture.pieces.iter().for_each(&mut rewrite));
    // The client connects again and assigns its paths again.
    assert!(
        info.count_total < 40,
        "{} for {}",
        info.count_total,
        capture.pieces.len()
    );
}
