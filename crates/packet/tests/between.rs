//! `Session::rewrite` between a client and a server that run ENet itself (`rusty_enet` is its
//! code). They accept everything that is sent on, and ENet delivers what the rules intend.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    io,
    rc::Rc,
    time::Duration,
};

use gdvar_packet::{
    Arg, Direction, Engine, Filter, Forwarded, Message, PacketEdit, PacketEditor, PacketErrorKind,
    Session, SessionEvent, Transport, enet::NO_PEER, gdvar_write::Target,
};
use rusty_enet::{Event, Host, HostSettings, MTU_MAX, Packet, PacketReceived, Socket};

type Line = Rc<RefCell<VecDeque<Vec<u8>>>>;

/// One end of a connection in memory.
struct End {
    sent: Line,
    received: Line,
}

impl Socket for End {
    type Address = ();
    type Error = io::Error;

    fn send(&mut self, (): (), bytes: &[u8]) -> io::Result<usize> {
        self.sent.borrow_mut().push_back(bytes.to_vec());
        Ok(bytes.len())
    }

    fn receive(&mut self, buffer: &mut [u8; MTU_MAX]) -> io::Result<Option<((), PacketReceived)>> {
        let Some(bytes) = self.received.borrow_mut().pop_front() else {
            return Ok(None);
        };
        assert!(bytes.len() <= MTU_MAX, "ENet would not take it");
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(Some(((), PacketReceived::Complete(bytes.len()))))
    }
}

/// A client, a server, and the proxy between them.
struct Between {
    client: Host<End>,
    server: Host<End>,
    /// The queues: from the client, to the server, from the server, to the client.
    lines: [Line; 4],
    clock: Rc<Cell<Duration>>,
    session: Session,
    forwarded: Forwarded,
    /// The percentage of datagrams that are lost.
    loss: u64,
    random: u64,
    too_long: usize,
    delivered: Vec<(u8, Vec<u8>)>,
}

impl Between {
    fn new(loss: u64) -> Between {
        let lines: [Line; 4] = Default::default();
        let clock = Rc::new(Cell::new(Duration::from_secs(1)));
        let host = |sent: &Line, received: &Line| {
            let clock = Rc::clone(&clock);
            let settings = HostSettings {
                peer_limit: 1,
                channel_limit: 4,
                time: Box::new(move || clock.get()),
                seed: Some(20),
                ..HostSettings::default()
            };
            let end = End {
                sent: Rc::clone(sent),
                received: Rc::clone(received),
            };
            Host::new(end, settings).expect("a host")
        };
        let (mut client, server) = (host(&lines[0], &lines[3]), host(&lines[2], &lines[1]));
        client.connect((), 4, 77).expect("a peer");
        Between {
            client,
            server,
            lines,
            clock,
            session: Session::new(Engine::Godot4, Transport::Enet),
            forwarded: Forwarded::new(),
            loss,
            random: 20,
            too_long: 0,
            delivered: Vec::new(),
        }
    }

    /// Advances the time by ten milliseconds.
    fn step(&mut self, each: &mut dyn FnMut(SessionEvent<'_>, &mut Vec<u8>) -> PacketEdit) {
        self.clock.set(self.clock.get() + Duration::from_millis(10));
        while self.client.service().expect("no errors").is_some() {}
        let lines = self.lines.clone();
        self.hand_on(Direction::ToServer, &lines[0], &lines[1], each);
        while let Some(event) = self.server.service().expect("no errors") {
            match event {
                Event::Receive {
                    channel_id, packet, ..
                } => self.delivered.push((channel_id, packet.data().to_vec())),
                Event::Connect { data, .. } => assert_eq!(data, 77),
                Event::Disconnect { .. } => panic!("the server minds"),
            }
        }
        self.hand_on(Direction::ToClient, &lines[2], &lines[3], each);
    }

    fn hand_on(
        &mut self,
        direction: Direction,
        from: &Line,
        to: &Line,
        each: &mut dyn FnMut(SessionEvent<'_>, &mut Vec<u8>) -> PacketEdit,
    ) {
        while let Some(bytes) = from.borrow_mut().pop_front() {
            self.session
                .rewrite(0, direction, &bytes, &mut self.forwarded, &mut *each);
            self.too_long += self.forwarded.too_long();
            let is_handshake = bytes[0] & 0xf == (NO_PEER >> 8) as u8 && bytes[1] == NO_PEER as u8;
            for piece in self.forwarded.pieces() {
                self.random =
                    { self.random.wrapping_mul(6_364_136_223_846_793_005) }.wrapping_add(1);
                if is_handshake || (self.random >> 33) % 100 >= self.loss {
                    to.borrow_mut().push_back(piece.to_vec());
                }
            }
        }
    }
}

/// A RAW packet of Godot 4 that contains `number` and has `len` bytes.
fn raw(number: u8, len: usize) -> Vec<u8> {
    let mut bytes = vec![number; len];
    bytes[0] = 3;
    bytes
}

/// Sends packets of the first lengths, which must arrive with the second lengths.
fn deliver(
    loss: u64,
    packet: impl Fn(Vec<u8>) -> Packet,
    channel: u8,
    lens: &[(usize, usize)],
) -> (Vec<(u8, Vec<u8>)>, usize) {
    let mut between = Between::new(loss);
    let wanted = lens.to_vec();
    let mut each = |event: SessionEvent<'_>, out: &mut Vec<u8>| {
        let (Message::Godot4(_), [3, number, ..]) = (event.message, event.bytes) else {
            return PacketEdit::Unchanged;
        };
        let number = *number;
        let (from, to) = wanted[usize::from(number)];
        assert!(event.bytes == raw(number, from));
        out.clear();
        out.extend(raw(number, to));
        if from == to {
            PacketEdit::Unchanged
        } else {
            PacketEdit::Rewritten
        }
    };
    (0..50).for_each(|_| between.step(&mut each));
    assert!(between.client.peer(rusty_enet::PeerID(0)).connected());
    for (number, (from, _)) in lens.iter().enumerate() {
        let packet = packet(raw(number as u8, *from));
        let peer = between.client.peer_mut(rusty_enet::PeerID(0));
        peer.send(channel, &packet).expect("it is sent");
    }
    (0..2000).for_each(|_| between.step(&mut each));
    assert!(between.client.peer(rusty_enet::PeerID(0)).connected());
    (between.delivered, between.too_long)
}

fn arriving(channel: u8, lens: impl IntoIterator<Item = usize>) -> Vec<(u8, Vec<u8>)> {
    let numbered = lens.into_iter().enumerate();
    numbered
        .map(|(number, len)| (channel, raw(number as u8, len)))
        .collect()
}

#[test]
fn reliable_packets_grow_and_shrink_in_place() {
    // One command, then three and four fragments: each can carry 4064 bytes.
    let lens = [
        (20, 4064),
        (20, 20),
        (4000, 3 * 4064),
        (5000, 2),
        (30, 3),
        (5000, 4 * 4064),
        (5000, 5000),
        (40, 41),
    ];
    for loss in [0, 5, 25] {
        let (delivered, too_long) = deliver(loss, Packet::reliable, 0, &lens);
        // Two bytes leave two of four numbers without data. Each of them gets a packet that does
        // nothing.
        let delivered: Vec<_> = { delivered.into_iter() }
            .filter(|(_, bytes)| *bytes != gdvar_packet::godot4::IGNORED)
            .collect();
        assert!(
            delivered == arriving(0, lens.map(|(_, to)| to)),
            "{loss} % lost: {:?}",
            delivered
                .iter()
                .map(|(_, bytes)| bytes.len())
                .collect::<Vec<_>>()
        );
        assert_eq!(too_long, 0);
    }
}

#[test]
fn a_withheld_reliable_packet_is_asked_about_again_and_arrives_in_its_place() {
    // One command, then three fragments.
    let lens = [20, 5000, 30, 8000, 40];
    for loss in [0, 25] {
        let mut between = Between::new(loss);
        let mut asked = [0; 5];
        let mut each = |event: SessionEvent<'_>, _: &mut Vec<u8>| {
            let (Message::Godot4(_), [3, number, ..]) = (event.message, event.bytes) else {
                return PacketEdit::Unchanged;
            };
            let number = usize::from(*number);
            assert_eq!(event.bytes, raw(number as u8, lens[number]));
            asked[number] += 1;
            match asked[number] {
                ..3 => PacketEdit::Withheld,
                _ => PacketEdit::Unchanged,
            }
        };
        (0..50).for_each(|_| between.step(&mut each));
        for (number, len) in lens.iter().enumerate() {
            let packet = Packet::reliable(raw(number as u8, *len));
            let peer = between.client.peer_mut(rusty_enet::PeerID(0));
            peer.send(0, &packet).expect("it is sent");
        }
        (0..2000).for_each(|_| between.step(&mut each));
        assert!(between.client.peer(rusty_enet::PeerID(0)).connected());
        assert!(between.delivered == arriving(0, lens), "{loss} % lost");
        assert!(asked.iter().all(|times| *times >= 3), "{asked:?}");
    }
}

#[test]
fn unreliable_packets_are_sent_in_as_many_fragments_as_they_need() {
    let lens = [
        (20, 1360),
        (20, 1361),
        (30, 30),
        (20, 20_000),
        (1300, 1300),
        (3000, 9000),
        (3000, 10),
        (7, 8),
    ];
    let (delivered, too_long) = deliver(0, Packet::always_unreliable, 1, &lens);
    assert!(delivered == arriving(1, lens.map(|(_, to)| to)));
    assert_eq!(too_long, 0);
}

#[test]
fn a_packet_that_grows_too_long_arrives_unchanged_and_is_counted() {
    let lens = [(20, 4065), (21, 22), (5000, 4 * 4064 + 1), (23, 23)];
    let (delivered, too_long) = deliver(0, Packet::reliable, 0, &lens);
    assert!(delivered == arriving(0, [20, 22, 5000, 23]));
    assert_eq!(too_long, 2);
    let lens = [(20, 4065), (20, 4064)];
    let (delivered, too_long) = deliver(0, Packet::unreliable_unsequenced, 1, &lens);
    assert!(delivered == arriving(1, [20, 4064]));
    assert_eq!(too_long, 1);
}

#[test]
fn the_editor_refuses_a_packet_that_grows_too_long() {
    let all = || Filter::parse("args[0] == 100").unwrap();
    let text = "x".repeat(5000);
    let mut editor = PacketEditor::new()
        .replace(all(), "args[0]", Arg::from(&*text), Target::GODOT_4)
        .unwrap();
    let mut out = Vec::new();
    for (datagram, most) in [
        // Reliable; unreliable and ordered; unsequenced.
        (
            &b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64"[..],
            Some(4064),
        ),
        (b"\0\0\x07\x01\0\0\0\x01\0\x06\0\x03\x01\x01\x02\x64", None),
        (
            b"\0\0\x49\x01\0\0\0\x01\0\x06\0\x03\x01\x01\x02\x64",
            Some(4064),
        ),
    ] {
        let mut session = Session::new(Engine::Godot4, Transport::Enet);
        let mut count = 0;
        session.receive(0, Direction::ToServer, datagram, |event| {
            count += 1;
            let edit = editor
                .edit(&event, None, &mut out)
                .map_err(|error| error.kind());
            let Some(most) = most else {
                return assert_eq!((edit, out.len()), (Ok(PacketEdit::Rewritten), 5012));
            };
            let expected = PacketErrorKind::TooLong { len: 5012, most };
            assert_eq!(edit, Err(expected));
            assert_eq!(event.max_len(), most as usize);
        });
        assert_eq!(count, 1);
    }
}
