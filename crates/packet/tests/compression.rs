//! A datagram that only one compression reads decides about its connection. Until then, datagrams
//! that several compressions read are not reported.

mod common;

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use common::{Capture, Piece, unhex};
use gdvar_packet::{
    Direction, Engine, Filter, Forwarded, Message, PacketEdit, PacketEditor, PacketErrorKind,
    Session, SessionEvent, SessionLimits, Transport, Undecided,
    capture::{EventOrigin, Listener, Protocol, Segment},
    enet::{Candidates, Compression, Datagram, Unpacker, commands},
};

/// A SEND_UNRELIABLE of FastLZ on channel 3, and of the range coder on channel 11.
const AMBIGUOUS: [&str; 2] = [
    "400008070300200000000a004001400100a4",
    // `send_bytes` in Godot 4.
    "4001080703001e0000000a034001400000ce",
];

/// The captures of calls, and how they are compressed.
const CAPTURES: [(&str, Option<Compression>); 11] = [
    ("g4-enet-rpc", None),
    ("g4-enet-range", Some(Compression::Range)),
    ("g4-enet-fastlz", Some(Compression::FastLz)),
    ("g4-enet-zlib", Some(Compression::Zlib)),
    ("g4-enet-zstd", Some(Compression::Zstd)),
    ("g3-enet-rpc", None),
    ("g3-enet-range", Some(Compression::Range)),
    ("g3-enet-fastlz", Some(Compression::FastLz)),
    ("g3-enet-zlib", Some(Compression::Zlib)),
    ("g3-enet-zstd", Some(Compression::Zstd)),
    ("g36-enet-range", Some(Compression::Range)),
];

/// An event as text.
fn say(event: &SessionEvent<'_>) -> String {
    let ends = (
        event.direction,
        event.source,
        event.target,
        event.is_relayed,
    );
    format!("{ends:?} {:?} {:?}", event.transport, event.message)
}

/// The events of a session with this compression set, each with the number of its datagram.
fn told(
    engine: Engine,
    compression: Option<Compression>,
    pieces: &[Piece],
) -> Vec<(usize, String)> {
    let mut session = Session::new(engine, Transport::Enet);
    if let Some(compression) = compression {
        session = session.with_compression(compression);
    }
    let mut items = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        session.receive(1, piece.direction, &piece.bytes, |event| {
            items.push((n, say(&event)));
        });
    }
    items
}

/// The events of a session that finds out the compression, and the compression that it found.
fn found(engine: Engine, pieces: &[Piece]) -> (Vec<(usize, String)>, Option<Compression>) {
    let mut session = Session::new(engine, Transport::Enet);
    let (mut undecided, mut items) = (Undecided::default(), Vec::new());
    let mut each = |n: usize, event: SessionEvent<'_>| items.push((n, say(&event)));
    for (n, piece) in pieces.iter().enumerate() {
        let (line, bytes) = ((1, piece.direction), &piece.bytes);
        undecided.receive(&mut session, line, bytes, n, &mut each);
    }
    undecided.finish(&mut session, 1, &mut each);
    (items, session.compression(1))
}

fn piece(hex: &str) -> Piece {
    Piece {
        seconds: 0.0,
        link: 1,
        direction: Direction::ToServer,
        bytes: unhex(hex),
    }
}

fn kind(
    unpacker: &mut Unpacker,
    candidates: &mut Candidates,
    bytes: &[u8],
) -> Option<PacketErrorKind> {
    let datagram = Datagram::parse(bytes).expect("a header");
    let body = unpacker.body(datagram, candidates);
    body.err().map(gdvar_packet::Error::kind)
}

#[test]
fn a_datagram_decides_if_only_one_compression_reads_it() {
    let mut unpacker = Unpacker::new();
    for hex in AMBIGUOUS {
        let bytes = unhex(hex);
        // Both results are commands to the last byte.
        for one in [Compression::FastLz, Compression::Range] {
            let body = unpacker.unpack(one, &bytes[2..]).expect("unpacked");
            assert!(commands(body).all(|command| command.is_ok()), "{one:?}");
        }
        let mut candidates = Candidates::default();
        let refused = kind(&mut unpacker, &mut candidates, &bytes);
        assert_eq!(refused, Some(PacketErrorKind::Undecided(candidates)));
        let left: Vec<_> = candidates.iter().map(Compression::name).collect();
        assert_eq!(left, ["range", "fastlz"]);
        // A datagram that neither reads changes nothing.
        let refused = kind(&mut unpacker, &mut candidates, &[0x40, 0, 255, 255, 255]);
        assert_eq!(refused, Some(PacketErrorKind::NotUnpacked));
        assert_eq!(candidates.iter().count(), 2);
        // The first datagram of Godot 3.6.
        let proof = unhex("c0002c5b8b7390abd45c3a4454d3");
        assert_eq!(kind(&mut unpacker, &mut candidates, &proof), None);
        assert_eq!(candidates.decided(), Some(Compression::Range));
        assert_eq!(kind(&mut unpacker, &mut candidates, &bytes), None);
    }
    // The range coder unpacks it to two DISCONNECTs on channels 137 and 62. ENet sends only one, on
    // channel 255.
    let bytes = unhex("c0000001058600000f000760020100f2");
    let mut candidates = Candidates::default();
    assert_eq!(kind(&mut unpacker, &mut candidates, &bytes), None);
    assert_eq!(candidates.decided(), Some(Compression::FastLz));
}

#[test]
fn every_captured_datagram_decides_and_no_random_one_does() {
    let mut unpacker = Unpacker::new();
    let mut total = 0;
    for (name, compression) in CAPTURES {
        for piece in Capture::load(name).pieces {
            let mut candidates = Candidates::default();
            if piece.bytes[0] & 0x40 != 0 {
                let refused = kind(&mut unpacker, &mut candidates, &piece.bytes);
                assert_eq!(
                    (refused, candidates.decided()),
                    (None, compression),
                    "{name}"
                );
                total += 1;
            }
        }
    }
    assert_eq!(total, 469);
    // Random numbers with a fixed seed.
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut whole = BTreeMap::new();
    for _ in 0..50_000 {
        // With a sent time and the number of a connected sender.
        let len = 8 + next() as usize % 60;
        let mut bytes: Vec<u8> = (0..len).map(|_| next() as u8).collect();
        bytes[0] = 0xc0;
        let mut candidates = Candidates::default();
        let refused = kind(&mut unpacker, &mut candidates, &bytes);
        assert_eq!(refused, Some(PacketErrorKind::NotUnpacked), "{bytes:02x?}");
        for one in Compression::ALL {
            let body = unpacker.unpack(one, &bytes[4..]).unwrap_or_default();
            let is_whole = !body.is_empty() && commands(body).all(|command| command.is_ok());
            *whole.entry(one.name()).or_insert(0) += u32::from(is_whole);
        }
    }
    println!("whole commands, of 50000 random datagrams: {whole:?}");
    assert!(
        whole["range"] > 50,
        "nothing was to be told apart: {whole:?}"
    );
}

#[test]
fn a_capture_that_begins_anywhere_is_read_as_with_the_compression_set() {
    for (name, compression) in CAPTURES {
        let capture = Capture::load(name);
        for start in 0..capture.pieces.len() {
            let rest = &capture.pieces[start..];
            let (items, left) = found(capture.engine, rest);
            assert_eq!(
                items,
                told(capture.engine, compression, rest),
                "{name} {start}"
            );
            let is_compressed = |piece: &Piece| piece.bytes[0] & 0x40 != 0;
            let expected = compression.filter(|_| rest.iter().any(is_compressed));
            assert_eq!(left, expected, "{name} {start}");
        }
    }
}

#[test]
fn undecided_datagrams_wait_for_one_that_decides() {
    let may_have_it = [None, Some(Compression::FastLz), Some(Compression::Range)];
    for (name, compression) in CAPTURES {
        if !may_have_it.contains(&compression) {
            continue;
        }
        let capture = Capture::load(name);
        // A new connection would end the wait.
        let is_new = |piece: &Piece| piece.bytes[0] & 0xf == 0xf && piece.bytes[1] == 0xff;
        for start in [0, 5, capture.pieces.len() / 2] {
            let mut pieces: Vec<Piece> = AMBIGUOUS.map(piece).into();
            let rest = capture.pieces.iter().skip(start);
            pieces.extend(rest.filter(|piece| !is_new(piece)).cloned());
            let (mut items, left) = found(capture.engine, &pieces);
            let mut expected = told(capture.engine, compression, &pieces);
            assert_eq!(left, compression, "{name} {start}");
            if compression.is_none() {
                // The datagram is reported as damaged, not as a false packet, and everything after
                // it is read.
                for (_, event) in items.drain(..AMBIGUOUS.len()) {
                    assert!(
                        event.contains("Damaged") && event.contains("Undecided"),
                        "{event}"
                    );
                }
                expected.retain(|(n, _)| *n >= AMBIGUOUS.len());
            }
            assert_eq!(items, expected, "{name} {start}");
        }
    }
}

#[test]
fn a_live_session_reports_undecided_datagrams() {
    for hex in AMBIGUOUS {
        let mut session = Session::new(Engine::Godot4, Transport::Enet);
        let mut kinds = Vec::new();
        session.receive(0, Direction::ToServer, &unhex(hex), |event| {
            assert_eq!(event.source, None);
            if let Message::Damaged { error, .. } = event.message {
                kinds.push(error.kind().name());
                assert!(error.to_string().contains("range or fastlz"), "{error}");
            }
        });
        assert_eq!(kinds, ["Undecided"]);
        assert_eq!(session.compression(0), None);
        // It is unclear whether a rule that drops applies to it.
        let filter = Filter::parse("method == 1").expect("a filter");
        let mut editor = PacketEditor::new().drop_packets(filter);
        let (mut forwarded, mut refusals) = (Forwarded::new(), Vec::new());
        let to_server = Direction::ToServer;
        session.rewrite(0, to_server, &unhex(hex), &mut forwarded, |event, out| {
            refusals.push(
                editor
                    .edit(&event, None, out)
                    .map_err(gdvar_packet::Error::kind),
            );
            PacketEdit::Dropped
        });
        assert_eq!(refusals, [Err(PacketErrorKind::Unclear { hides: true })]);
        assert_eq!(forwarded.pieces().count(), 0);
    }
}

#[test]
fn a_new_connection_may_have_another_compression() {
    let first = Capture::load("g4-enet-range");
    let second = Capture::load("g4-enet-fastlz");
    let all =
        |compression, capture: &Capture| told(Engine::Godot4, compression, &capture.pieces).len();
    let expected = all(Some(Compression::Range), &first) + all(Some(Compression::FastLz), &second);
    let mut pieces = first.pieces;
    pieces.extend(second.pieces);
    let (items, left) = found(Engine::Godot4, &pieces);
    assert!(items.iter().all(|(_, event)| !event.contains("Damaged")));
    assert_eq!((items.len(), left), (expected, Some(Compression::FastLz)));
}

#[test]
fn at_most_one_mebibyte_is_held() {
    let plain = Capture::load("g4-enet-rpc");
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let mut undecided = Undecided::default();
    let (mut came, mut seen) = (0_usize, 0_usize);
    let mut most = 0;
    let long = plain
        .pieces
        .iter()
        .max_by_key(|piece| piece.bytes.len())
        .expect("a piece");
    for n in 0..20_000 {
        let ambiguous = unhex(AMBIGUOUS[0]);
        let bytes = if n == 0 { &ambiguous } else { &long.bytes };
        came += 1;
        undecided.receive(
            &mut session,
            (1, Direction::ToServer),
            bytes,
            n,
            &mut |_, _| seen += 1,
        );
        most = most.max(came - seen.min(came));
        if seen > 0 {
            break;
        }
    }
    let len = long.bytes.len() + 64;
    assert!(
        seen > 0 && most * len <= (1 << 20) + len,
        "{most} of {len} bytes"
    );
}

/// Several games of one engine in a capture. Each begins with an undecided datagram, if it can be
/// the game's.
#[test]
fn games_in_one_capture_are_kept_apart() {
    for engine in [Engine::Godot4, Engine::Godot3] {
        let mut listener = Listener::new(engine, Transport::Enet).with_port(7777);
        let (mut expected, mut segments) = (BTreeMap::new(), Vec::new());
        for (n, (name, compression)) in CAPTURES.into_iter().enumerate() {
            let capture = Capture::load(name);
            if capture.engine != engine {
                continue;
            }
            let server: SocketAddr = (Ipv4Addr::new(10, 0, 0, n as u8), 7777).into();
            let client: SocketAddr = (Ipv4Addr::new(10, 0, 1, 1), 40_000).into();
            let mut pieces = Vec::new();
            if matches!(compression, Some(Compression::FastLz | Compression::Range)) {
                pieces.extend(AMBIGUOUS.map(piece));
            }
            pieces.extend(capture.pieces.into_iter().skip(6));
            expected.insert(server, told(engine, compression, &pieces));
            for (n, piece) in pieces.into_iter().enumerate() {
                let (source, target) = match piece.direction {
                    Direction::ToServer => (client, server),
                    Direction::ToClient => (server, client),
                };
                segments.push((n, source, target, piece.bytes));
            }
        }
        segments.sort_by_key(|(n, ..)| *n);
        let mut seen: BTreeMap<SocketAddr, Vec<(usize, String)>> = BTreeMap::new();
        let mut each = |heard: EventOrigin, event: SessionEvent<'_>| {
            let n = heard.time.as_secs() as usize;
            seen.entry(heard.server).or_default().push((n, say(&event)));
        };
        for (n, source, target, payload) in &segments {
            let segment = Segment {
                source: *source,
                target: *target,
                protocol: Protocol::Udp,
                payload,
            };
            let time = Duration::from_secs(*n as u64);
            listener.receive(time, segment, &mut each).expect("heard");
        }
        listener.finish(&mut each);
        assert!(expected.len() >= 5);
        assert_eq!(seen, expected, "{engine:?}");
    }
}

#[test]
fn a_replaced_client_reports_its_held_datagrams() {
    let limits = SessionLimits {
        links: 1,
        ..SessionLimits::default()
    };
    let mut listener = Listener::new(Engine::Godot4, Transport::Enet)
        .with_port(7777)
        .with_limits(limits);
    let server: SocketAddr = (Ipv4Addr::LOCALHOST, 7777).into();
    let payload = unhex(AMBIGUOUS[0]);
    let mut seen = Vec::new();
    for client in [1, 2, 3] {
        let segment = Segment {
            source: (Ipv4Addr::LOCALHOST, client).into(),
            target: server,
            protocol: Protocol::Udp,
            payload: &payload,
        };
        let time = Duration::from_secs(client.into());
        let each = |heard: EventOrigin, _: SessionEvent<'_>| {
            seen.push((heard.time.as_secs(), heard.client.port()));
        };
        listener.receive(time, segment, each).expect("heard");
    }
    assert_eq!(seen, [(1, 1), (2, 2)]);
    listener.finish(|heard, _| seen.push((heard.time.as_secs(), heard.client.port())));
    assert_eq!(seen, [(1, 1), (2, 2), (3, 3)]);
}
