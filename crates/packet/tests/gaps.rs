//! Incomplete captures: lost segments, streams that began earlier, IP fragments, cut packets.
//! Everything readable is read, the rest has a reason, and nothing is invented.

mod common;

use std::{collections::BTreeMap, net::SocketAddr, time::Duration};

use common::{Capture, Piece};
use gdvar_packet::{
    Direction, Engine, Message, Session, Transport,
    capture::{
        Captured, Defragmenter, LinkType, Listener, Protocol, Reader, Segment, Unread, Writer,
    },
    godot4,
};

type EventOrigin = (u32, Direction, &'static str, Vec<u8>);

fn streams() -> Vec<Capture> {
    let names = common::names();
    let all = names.iter().map(|name| Capture::load(name));
    let streams: Vec<_> = all
        .filter(|capture| !matches!(capture.transport, Transport::Enet | Transport::Values))
        .collect();
    assert!(streams.len() >= 5);
    streams
}

fn server() -> SocketAddr {
    "10.0.0.1:7777".parse().unwrap()
}

fn client(link: u32) -> SocketAddr {
    format!("10.0.0.9:{}", 40_000 + link).parse().unwrap()
}

/// Sends the pieces as segments, and loses some of them. Returns the events of each segment, and
/// the reason if it is not read.
fn listen(
    capture: &Capture,
    is_lost: impl Fn(usize) -> bool,
    has_start: bool,
) -> (Vec<EventOrigin>, BTreeMap<Unread, u64>, u64) {
    listen_to(capture, is_lost, has_start, false)
}

/// Does the same as [`listen`]. With `has_acks`, the receiver of each piece answers with a segment
/// without payload, as TCP does; so does the one of a lost piece if the next piece arrives.
fn listen_to(
    capture: &Capture,
    is_lost: impl Fn(usize) -> bool,
    has_start: bool,
    has_acks: bool,
) -> (Vec<EventOrigin>, BTreeMap<Unread, u64>, u64) {
    let mut listener = Listener::new(capture.engine, capture.transport).with_port(server().port());
    let mut heard = Vec::new();
    let mut unread = BTreeMap::new();
    let mut each = |at: gdvar_packet::capture::EventOrigin,
                    event: gdvar_packet::SessionEvent<'_>| {
        let link = u32::from(at.client.port()) - 40_000;
        assert!(
            !matches!(event.message, Message::Damaged { .. }),
            "{}: {:?}",
            capture.name,
            event.message
        );
        heard.push((
            link,
            event.direction,
            event.message.name(),
            event.bytes.to_vec(),
        ));
    };
    let mut sequences: BTreeMap<(u32, Direction), u32> = BTreeMap::new();
    for (n, piece) in capture.pieces.iter().enumerate() {
        let (source, target) = match piece.direction {
            Direction::ToServer => (client(piece.link), server()),
            Direction::ToClient => (server(), client(piece.link)),
        };
        let time = Duration::from_secs_f64(piece.seconds);
        let key = (piece.link, piece.direction);
        if has_start && !sequences.contains_key(&key) {
            let protocol = Protocol::Tcp {
                sequence: 999,
                is_syn: true,
                is_ack: piece.direction == Direction::ToClient,
                is_end: false,
            };
            let payload = &[];
            let opening = Segment {
                source,
                target,
                protocol,
                payload,
            };
            assert_eq!(listener.receive(time, opening, &mut each), Ok(()));
        }
        let back = match piece.direction {
            Direction::ToServer => Direction::ToClient,
            Direction::ToClient => Direction::ToServer,
        };
        let next_back = sequences.get(&(piece.link, back)).copied().unwrap_or(1000);
        let sequence = sequences.entry(key).or_insert(1000);
        let protocol = Protocol::Tcp {
            sequence: *sequence,
            is_syn: false,
            is_ack: true,
            is_end: false,
        };
        *sequence = sequence.wrapping_add(piece.bytes.len() as u32);
        let acknowledgement = Segment {
            source: target,
            target: source,
            protocol: Protocol::Tcp {
                sequence: next_back,
                is_syn: false,
                is_ack: true,
                is_end: false,
            },
            payload: &[],
        };
        if is_lost(n) {
            if has_acks && !is_lost(n + 1) {
                let received = listener.receive(time, acknowledgement, &mut each);
                assert_eq!(received, Ok(()));
            }
            continue;
        }
        let segment = Segment {
            source,
            target,
            protocol,
            payload: &piece.bytes,
        };
        if let Err(why) = listener.receive(time, segment, &mut each) {
            *unread.entry(why).or_default() += 1;
        }
        if has_acks {
            let received = listener.receive(time, acknowledgement, &mut each);
            assert_eq!(received, Ok(()));
        }
    }
    listener.finish(&mut each);
    if listener.unread() > 0 {
        *unread.entry(Unread::AfterGap).or_default() += listener.unread();
    }
    let sessions = listener.servers();
    let incomplete = sessions.map(|(_, session)| session.incomplete()).sum();
    (heard, unread, incomplete)
}

/// The events of each piece in a session that loses nothing.
fn said(capture: &Capture) -> Vec<Vec<EventOrigin>> {
    let mut session = Session::new(capture.engine, capture.transport);
    let pieces = capture.pieces.iter();
    pieces
        .map(|piece| {
            let mut own = Vec::new();
            session.receive(piece.link, piece.direction, &piece.bytes, |event| {
                let name = event.message.name();
                own.push((piece.link, event.direction, name, event.bytes.to_vec()));
            });
            own
        })
        .collect()
}

/// The number of pieces of which an event is missing, without the piece `lost`. An event whose bytes
/// began in the lost piece is not counted.
fn incomplete(
    capture: &Capture,
    said: &[Vec<EventOrigin>],
    heard: &[EventOrigin],
    lost: usize,
) -> u64 {
    let key = |n: usize| (capture.pieces[n].link, capture.pieces[n].direction);
    let mut left = heard.to_vec();
    let mut take = |event: &EventOrigin| {
        let place = left.iter().position(|one| one == event);
        place.map(|place| left.swap_remove(place)).is_some()
    };
    // The events before the gap first, then the last ones, so that equal events are taken where they
    // were heard.
    for event in said[..lost].iter().flatten() {
        assert!(take(event), "{}: {} before the gap", capture.name, event.2);
    }
    let after = lost + 1..said.len();
    let next = after
        .clone()
        .find(|&n| key(n) == key(lost) && !said[n].is_empty());
    let mut count = 0;
    for n in after.rev() {
        let whole: Vec<bool> = said[n].iter().rev().map(&mut take).collect();
        let missing = whole.iter().filter(|is_heard| !**is_heard).count();
        let straddles = Some(n) == next && whole.last() == Some(&false);
        count += u64::from(missing > usize::from(straddles));
    }
    count
}

/// Removes the events of `some` from `all` and returns the rest.
fn without(all: Vec<EventOrigin>, some: &[EventOrigin]) -> Vec<EventOrigin> {
    let mut left = all;
    for event in some {
        let place = left.iter().position(|one| one == event);
        left.remove(place.unwrap_or_else(|| panic!("{} was never said", event.2)));
    }
    left
}

#[test]
fn a_lost_segment_loses_only_its_messages() {
    for capture in streams() {
        let said = said(&capture);
        let all: Vec<EventOrigin> = said.concat();
        let count = capture.pieces.len();
        let (_, _, cut) = listen(&capture, |_| false, true);
        assert_eq!(cut, 0, "{}", capture.name);
        for lost in (0..count).step_by(1 + count / 100) {
            let (heard, unread, cut) = listen(&capture, |n| n == lost, true);
            // A gap is known if more of the stream follows it.
            let key = |n: usize| (capture.pieces[n].link, capture.pieces[n].direction);
            let is_known = (lost + 1..count)
                .any(|n| key(n) == key(lost) && !capture.pieces[n].bytes.is_empty());
            let is_known = is_known && !capture.pieces[lost].bytes.is_empty();
            // Otherwise the message whose start came before is incomplete, if there is one.
            assert!(
                cut == 1 || cut == 0 && !is_known,
                "{} without segment {lost} of {count}: {cut}",
                capture.name
            );
            let missing = without(all.clone(), &heard);
            // Lost are the messages in the segment and the ones that it completed, and further ones
            // up to two complete messages in a row.
            let own = said[lost].len();
            // Records have no marker, and these captures cut them anywhere, so the next
            // recognizable place may be far away.
            let is_near = missing.len() <= own + 2 || capture.transport != Transport::WebSocket;
            let not_read = unread.values().sum::<u64>();
            let incomplete = incomplete(&capture, &said, &heard, lost);
            assert!(
                incomplete <= not_read,
                "{} without segment {lost} of {count}: {incomplete} segments lack an event, {not_read} are not read",
                capture.name
            );
            assert!(
                is_near,
                "{} without segment {lost} of {count}: {} missing, {own} in it, {unread:?}",
                capture.name,
                missing.len()
            );
        }
    }
}

/// Bytes in which there is no message, after a missing piece: each of their segments is not read, and
/// is counted once, in whatever order and after whatever time they arrive.
#[test]
fn a_segment_that_waits_is_counted_once() {
    for transport in [
        Transport::WebSocket,
        Transport::Records,
        Transport::Debugger,
    ] {
        for (order, wait) in [
            ([1, 2, 3], 0),
            ([3, 1, 2], 0),
            ([2, 3, 1], 2),
            ([1, 3, 2], 9),
        ] {
            let mut listener = Listener::new(Engine::Godot4, transport).with_port(server().port());
            let mut segment = |second: u64, sequence: u32, is_syn: bool, payload: &[u8]| {
                let protocol = Protocol::Tcp {
                    sequence,
                    is_syn,
                    is_ack: false,
                    is_end: false,
                };
                let segment = Segment {
                    source: client(1),
                    target: server(),
                    protocol,
                    payload,
                };
                let time = Duration::from_secs(second);
                u64::from(listener.receive(time, segment, |_, _| {}).is_err())
            };
            let mut unread = segment(0, 999, true, &[]);
            for (n, place) in (1..).zip(order) {
                unread += segment(n * wait, 1000 + 8 * place, false, &[0xff; 8]);
            }
            listener.finish(|_, _| {});
            let name = format!("{transport:?}, {order:?}, {wait} seconds");
            assert_eq!(unread + listener.unread(), 3, "{name}");
        }
    }
}

/// What a server of 4.6.3 sends after its HTTP header: the client's id, then ADD_PEER. The header is lost.
#[test]
fn the_id_of_a_client_is_no_packet() {
    let [head, id] = [&[0x82, 4][..], &[0x43, 0xf1, 0x02, 0x1d]];
    for pieces in [vec![[head, id].concat()], vec![head.to_vec(), id.to_vec()]] {
        let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
        let mut heard = Vec::new();
        let added = vec![0x82, 6, 7, 1, 0x43, 0xf1, 0x02, 0x1d];
        session.lose(1, Direction::ToClient);
        for piece in pieces.iter().chain([&added]) {
            session.receive(1, Direction::ToClient, piece, |event| {
                heard.push(match event.message {
                    Message::WebSocket(opcode) => opcode.name(),
                    Message::Godot4(godot4::Packet::Sys(godot4::Sys::AddPeer(_))) => "ADD_PEER",
                    other => panic!("{other:?}"),
                });
            });
        }
        assert_eq!(heard, ["BINARY", "ADD_PEER"]);
        assert_eq!(session.state().client(1), None);
    }
}

#[test]
fn a_stream_that_began_before_the_capture_is_read() {
    for capture in streams() {
        let said = said(&capture);
        let count = capture.pieces.len();
        for start in [count / 4, count / 2] {
            let (heard, _, cut) = listen(&capture, |n| n < start, false);
            assert_eq!(cut, 0, "{}", capture.name);
            let missing = without(said[start..].concat(), &heard);
            // The client's id is one message, and each direction may start in the middle of a
            // message.
            assert!(
                missing.len() <= 6,
                "{} from segment {start}: {} of {} missing",
                capture.name,
                missing.len(),
                said[start..].concat().len()
            );
            assert!(!heard.is_empty(), "{}", capture.name);
        }
    }
}

/// A server of 3.6.2 sends the header of a CLOSE, and its two bytes in the next segment or never. A CLOSE is no packet
/// of the game.
#[test]
fn a_close_without_its_payload_is_no_lost_packet() {
    let mut capture = Capture::load("g36-ws-rpc");
    let last = capture.pieces.pop().expect("the payload");
    let header = capture.pieces.last().expect("the header");
    assert_eq!(
        (&*header.bytes, &*last.bytes),
        (&[0x88, 2][..], &[3, 0xe8][..])
    );
    assert_eq!(listen(&capture, |_| false, true).2, 0);
    // The header of a message whose payload does not come is one.
    let header = capture.pieces.last_mut().expect("the header");
    header.bytes = vec![0x82, 2];
    assert_eq!(listen(&capture, |_| false, true).2, 1);
}

/// Whichever segment the capture begins with, and whether or not acknowledgements without payload are among them: each
/// direction is read from its next complete message on. What comes before is counted.
#[test]
fn a_capture_may_begin_at_any_segment() {
    for capture in streams() {
        let said = said(&capture);
        let count = capture.pieces.len();
        for start in (0..count).step_by(1 + count / 200) {
            let (heard, unread, cut) = listen(&capture, |n| n < start, false);
            let with_acks = listen_to(&capture, |n| n < start, false, true);
            let name = format!("{} from segment {start} of {count}", capture.name);
            assert_eq!(with_acks, (heard.clone(), unread.clone(), cut), "{name}");
            let mut missing: BTreeMap<(u32, Direction), u64> = BTreeMap::new();
            for (link, direction, ..) in without(said[start..].concat(), &heard) {
                *missing.entry((link, direction)).or_default() += 1;
            }
            // The message that the start cut, and the client's id, which is not told from another message. Records have
            // no marker, so the next recognizable place may be far away.
            let most = missing.values().max().copied().unwrap_or_default();
            let is_near = most <= 2 || capture.transport != Transport::WebSocket;
            assert!(is_near, "{name}: {missing:?} missing, {unread:?}");
        }
    }
}

/// A datagram as fragments of `size` bytes of IP payload each.
fn fragments(packet: &[u8], size: usize, number: u16) -> Vec<Vec<u8>> {
    let (head, body) = packet.split_at(20);
    let pieces: Vec<_> = body.chunks(size).collect();
    let last = pieces.len() - 1;
    pieces
        .iter()
        .enumerate()
        .map(|(n, piece)| {
            let mut out = head.to_vec();
            let more = u16::from(n < last) << 13;
            let len = 20 + piece.len() as u16;
            out[2..4].copy_from_slice(&len.to_be_bytes());
            out[4..6].copy_from_slice(&number.to_be_bytes());
            out[6..8].copy_from_slice(&(more | (n * size / 8) as u16).to_be_bytes());
            out.extend_from_slice(piece);
            out
        })
        .collect()
}

/// The datagrams of a capture as IP packets.
fn packets(pieces: &[Piece]) -> Vec<Vec<u8>> {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file).unwrap();
    for piece in pieces {
        let (source, target) = match piece.direction {
            Direction::ToServer => (client(piece.link), server()),
            Direction::ToClient => (server(), client(piece.link)),
        };
        let protocol = Protocol::Udp;
        let payload = &piece.bytes[..];
        let segment = Segment {
            source,
            target,
            protocol,
            payload,
        };
        writer.write(Duration::from_secs(1), segment).unwrap();
    }
    let mut reader = Reader::new(&file[..]).unwrap();
    let mut all = Vec::new();
    while let Some(packet) = reader.try_next().unwrap() {
        all.push(packet.data.to_vec());
    }
    all
}

fn captured(data: &[u8], wire_len: usize) -> Captured<'_> {
    Captured {
        time: Duration::from_secs(1),
        link_type: LinkType(101),
        wire_len: wire_len as u32,
        data,
    }
}

#[test]
fn fragments_are_put_together_in_any_order() {
    let capture = Capture::load("g4-enet-big");
    let whole = packets(&capture.pieces);
    let mut defragmenter = Defragmenter::new();
    let mut fragmented = 0;
    for (n, packet) in whole.iter().enumerate() {
        let expected = Segment::find(LinkType(101), packet).unwrap();
        let mut parts = fragments(packet, 64, n as u16);
        fragmented += u64::from(parts.len() > 1);
        if n % 3 == 1 {
            parts.reverse();
        }
        let last = parts.len() - 1;
        for (at, part) in parts.iter().enumerate() {
            let packet = captured(part, part.len());
            let found = defragmenter
                .find(&packet)
                .expect("a datagram or a part of one");
            assert_eq!(found.is_some(), at == last);
            if let Some(found) = found {
                assert_eq!(found.payload, expected.payload);
                assert_eq!(
                    (found.source, found.target),
                    (expected.source, expected.target)
                );
            }
        }
    }
    assert!(fragmented > 20, "{fragmented}");
    assert_eq!(defragmenter.unread(), 0);
    // One fragment of each is missing.
    let long = whole
        .iter()
        .enumerate()
        .filter(|(_, packet)| packet.len() > 200);
    let mut waiting = 0;
    for (n, packet) in long {
        // Other numbers: a copy of an earlier fragment is not missing anything.
        let parts = fragments(packet, 64, 10_000 + n as u16);
        waiting += parts.len() as u64 - 1;
        for part in &parts[1..] {
            assert!(matches!(
                defragmenter.find(&captured(part, part.len())),
                Ok(None)
            ));
        }
    }
    assert_eq!(defragmenter.unread(), waiting);
}

/// A capture of several interfaces has every fragment twice, at once or after the whole packet.
#[test]
fn copies_of_fragments_are_not_missing_anything() {
    let capture = Capture::load("g4-enet-big");
    for is_at_once in [true, false] {
        let (mut defragmenter, mut whole, mut copies) = (Defragmenter::new(), 0, 0);
        let packets = packets(&capture.pieces);
        let mut long: Vec<_> = packets.iter().filter(|packet| packet.len() > 200).collect();
        long.truncate(40);
        for (n, packet) in long.iter().enumerate() {
            let mut parts = fragments(packet, 64, n as u16);
            parts = match is_at_once {
                true => parts
                    .into_iter()
                    .flat_map(|part| [part.clone(), part])
                    .collect(),
                false => [parts.clone(), parts].concat(),
            };
            copies += parts.len() / 2;
            for part in &parts {
                let found = defragmenter.find(&captured(part, part.len()));
                whole += usize::from(found.expect("a fragment").is_some());
            }
        }
        assert!(copies > 100, "{copies}");
        assert_eq!((whole, defragmenter.unread()), (long.len(), 0));
    }
    // Other bytes under the number of a whole packet are another packet.
    let packets = packets(&capture.pieces);
    let [one, other] = [&packets[0], packets.last().unwrap()].map(|packet| {
        let mut packet = packet.clone();
        packet.resize(200, packet.len() as u8);
        packet
    });
    assert_ne!(one, other);
    let mut defragmenter = Defragmenter::new();
    for packet in [&one, &other] {
        let parts = fragments(packet, 96, 7);
        let found = parts.iter().map(|part| {
            let found = defragmenter.find(&captured(part, part.len()));
            matches!(found, Ok(Some(_)) | Err(Unread::Damaged))
        });
        assert!(found.last().unwrap());
    }
}

#[test]
fn hostile_fragments_take_no_memory() {
    let packet = &packets(&Capture::load("g4-enet-big").pieces)[0];
    let mut defragmenter = Defragmenter::new();
    for n in 0..20_000_u32 {
        let mut part = fragments(packet, 8, n as u16).remove(0);
        // Also from many addresses.
        part[12..14].copy_from_slice(&((n >> 16) as u16).to_be_bytes());
        part[15] = n as u8;
        let _ = defragmenter.find(&captured(&part, part.len()));
    }
    assert_eq!(defragmenter.unread(), 20_000);
    assert!(format!("{defragmenter:?}").contains("waiting: "));
}

#[test]
fn cut_packets_are_reported_as_cut() {
    for packet in packets(&Capture::load("g4-enet-rpc").pieces) {
        for len in [10, 24, packet.len() - 1] {
            let found = Defragmenter::new()
                .find(&captured(&packet[..len], packet.len()))
                .map(drop);
            assert_eq!(found, Err(Unread::Cut), "{len}");
        }
        let found = Defragmenter::new()
            .find(&captured(&packet[..12], 12))
            .map(drop);
        assert_eq!(found, Err(Unread::Damaged));
    }
}
