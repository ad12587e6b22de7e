//! The captures as pcap and pcapng files: the listener reports the same events as a session that
//! reads the datagrams themselves.

mod common;

use std::io::{self, Read};

use common::{Capture, Piece};
use etherparse::PacketBuilder;
use gdvar_packet::{
    Direction, Message, Session, Transport,
    capture::{CaptureError, LinkType, Listener, Reader, Segment, Unread},
};

/// The start of the captures, in seconds since 1970.
const EPOCH: f64 = 1_700_000_000.0;
const SERVER: ([u8; 4], u16) = ([10, 0, 0, 1], 7777);

/// The format of a test file.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    /// pcap without link headers.
    Pcap,
    /// The same with big-endian numbers, times in nanoseconds.
    PcapBig,
    /// pcapng of Ethernet, times in nanoseconds.
    PcapNg,
    /// Times in parts of 2³⁰, as some capture cards write them.
    PcapNgBase2,
    /// Big-endian numbers, times in microseconds from an hour after 1970 on.
    PcapNgBig,
}

impl Form {
    const ALL: [Form; 5] = [
        Form::Pcap,
        Form::PcapBig,
        Form::PcapNg,
        Form::PcapNgBase2,
        Form::PcapNgBig,
    ];

    fn is_big(self) -> bool {
        matches!(self, Form::PcapBig | Form::PcapNgBig)
    }

    fn u32(self, value: u32) -> [u8; 4] {
        match self.is_big() {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        }
    }

    fn u16(self, value: u16) -> [u8; 2] {
        match self.is_big() {
            true => value.to_be_bytes(),
            false => value.to_le_bytes(),
        }
    }

    fn has_ethernet(self) -> bool {
        !matches!(self, Form::Pcap | Form::PcapBig)
    }

    /// The start of a file.
    fn head(self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.has_ethernet() {
            let magic = match self {
                Form::Pcap => 0xa1b2_c3d4,
                _ => 0xa1b2_3c4d,
            };
            out.extend(self.u32(magic));
            out.extend([self.u16(2), self.u16(4)].concat());
            out.extend([0; 8]);
            out.extend([self.u32(0xffff), self.u32(101)].concat());
            return out;
        }
        let section = [&self.u32(0x1a2b_3c4d)[..], &self.u16(1), &[0; 2], &[255; 8]];
        block(&mut out, self, 0x0a0d_0d0a, &section.concat());
        let mut interface = [&self.u16(1)[..], &[0; 2], &self.u32(0xffff)].concat();
        let resolution = match self {
            Form::PcapNg => 9,
            Form::PcapNgBase2 => 0x80 | 30,
            _ => 6,
        };
        // if_tsresol is 9 and if_tsoffset 14.
        interface.extend([&self.u16(9)[..], &self.u16(1), &[resolution, 0, 0, 0]].concat());
        if self == Form::PcapNgBig {
            let hour = 3600_i64.to_be_bytes();
            interface.extend([&self.u16(14)[..], &self.u16(8), &hour].concat());
        }
        interface.extend([0; 4]);
        block(&mut out, self, 1, &interface);
        out
    }
}

/// Writes a capture to a file. TCP gets its headers, a wrong order, and some segments twice.
fn file(capture: &Capture, form: Form) -> Vec<u8> {
    let mut out = form.head();
    let is_tcp = !matches!(capture.transport, Transport::Enet | Transport::Values);
    // The TCP sequence numbers by link and direction. They wrap around.
    let mut sequences = [[u32::MAX - 100; 2]; 4];
    let mut late: Option<(f64, Vec<u8>)> = None;
    if is_tcp {
        for link in 1..=2 {
            for direction in [Direction::ToServer, Direction::ToClient] {
                let opening = Piece {
                    seconds: 0.0,
                    link,
                    direction,
                    bytes: Vec::new(),
                };
                let sequence = sequences[link as usize][direction as usize].wrapping_sub(1);
                let frame = frame(&opening, form, Some((sequence, true)));
                record(&mut out, form, 0.0, &frame);
            }
        }
    }
    for (n, piece) in capture.pieces.iter().enumerate() {
        if !is_tcp {
            record(&mut out, form, piece.seconds, &frame(piece, form, None));
            continue;
        }
        let sequence = &mut sequences[piece.link as usize][piece.direction as usize];
        for chunk in piece.bytes.chunks(700) {
            let part = Piece {
                bytes: chunk.to_vec(),
                ..*piece
            };
            let frame = frame(&part, form, Some((*sequence, false)));
            *sequence = sequence.wrapping_add(chunk.len() as u32);
            // Every seventh segment arrives after its successor, every fifth arrives twice.
            if n % 7 == 3 && late.is_none() {
                late = Some((piece.seconds, frame));
                continue;
            }
            record(&mut out, form, piece.seconds, &frame);
            if n % 5 == 0 {
                record(&mut out, form, piece.seconds, &frame);
            }
            if let Some((seconds, frame)) = late.take() {
                record(&mut out, form, seconds, &frame);
            }
        }
    }
    if let Some((seconds, frame)) = late.take() {
        record(&mut out, form, seconds, &frame);
    }
    out
}

fn frame(piece: &Piece, form: Form, tcp: Option<(u32, bool)>) -> Vec<u8> {
    let client = (
        [10, 0, 0, 100 + piece.link as u8],
        40_000 + piece.link as u16,
    );
    let (from, to) = match piece.direction {
        Direction::ToServer => (client, SERVER),
        Direction::ToClient => (SERVER, client),
    };
    let mut out = Vec::new();
    let ip = match form.has_ethernet() {
        false => PacketBuilder::ipv4(from.0, to.0, 64),
        true => PacketBuilder::ethernet2([2; 6], [4; 6]).ipv4(from.0, to.0, 64),
    };
    match tcp {
        None => ip.udp(from.1, to.1).write(&mut out, &piece.bytes).unwrap(),
        Some((sequence, is_syn)) => {
            let mut tcp = ip.tcp(from.1, to.1, sequence, 65_535);
            if is_syn {
                tcp = tcp.syn();
            }
            if !is_syn || piece.direction == Direction::ToClient {
                tcp = tcp.ack(1);
            }
            tcp.write(&mut out, &piece.bytes).unwrap();
        }
    }
    out
}

fn block(out: &mut Vec<u8>, form: Form, kind: u32, body: &[u8]) {
    let padded = body.len().next_multiple_of(4);
    let len = form.u32((12 + padded) as u32);
    out.extend([form.u32(kind), len].concat());
    out.extend(body);
    out.resize(out.len() + padded - body.len(), 0);
    out.extend(len);
}

fn record(out: &mut Vec<u8>, form: Form, seconds: f64, frame: &[u8]) {
    let seconds = EPOCH + seconds;
    let len = form.u32(frame.len() as u32);
    let ticks = |per_second: f64| (seconds * per_second) as u64;
    if !form.has_ethernet() {
        let fraction = match form {
            Form::Pcap => seconds.fract() * 1e6,
            _ => seconds.fract() * 1e9,
        };
        out.extend([form.u32(seconds as u32), form.u32(fraction as u32)].concat());
        out.extend([len, len].concat());
        out.extend(frame);
        return;
    }
    let ticks = match form {
        Form::PcapNg => ticks(1e9),
        Form::PcapNgBase2 => ticks((1_u64 << 30) as f64),
        _ => (seconds * 1e6 - 3600e6) as i64 as u64,
    };
    let mut body = vec![0; 4];
    body.extend([form.u32((ticks >> 32) as u32), form.u32(ticks as u32)].concat());
    body.extend([len, len].concat());
    body.extend(frame);
    block(out, form, 6, &body);
}

/// Returns a few bytes at a time, as a pipe does.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.0.len().min(out.len()).min(7);
        let (now, rest) = self.0.split_at(len);
        out[..len].copy_from_slice(now);
        self.0 = rest;
        Ok(len)
    }
}

/// The reported messages: client, direction, command, bytes. Sorted, because the lines interleave
/// differently.
type Lines = Vec<(u32, Direction, &'static str, Vec<u8>)>;

fn heard(capture: &Capture, read: impl Read + Send) -> Lines {
    let mut lines = Vec::new();
    let mut reader = Reader::new(read).expect("a capture");
    let mut listener = Listener::new(capture.engine, capture.transport);
    let mut last = std::time::Duration::ZERO;
    while let Some(packet) = reader.try_next().expect("a packet") {
        let segment = Segment::find(packet.link_type, packet.data).expect("UDP or TCP");
        last = packet.time;
        let heard = listener.receive(packet.time, segment, |heard, event| {
            assert_eq!(heard.server.port(), SERVER.1);
            let link = u32::from(heard.client.port() - 40_000);
            let name = event.message.name();
            lines.push((link, event.direction, name, event.bytes.to_vec()));
        });
        assert_eq!(heard, Ok(()));
    }
    let end = EPOCH
        + capture
            .pieces
            .iter()
            .map(|piece| piece.seconds)
            .fold(0.0, f64::max);
    assert!((last.as_secs_f64() - end).abs() < 0.5, "{last:?}, {end}");
    lines.sort();
    lines
}

fn said(capture: &Capture) -> Lines {
    let mut lines = Vec::new();
    let mut session = Session::new(capture.engine, capture.transport);
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            assert!(!matches!(event.message, Message::Damaged { .. }));
            let name = event.message.name();
            lines.push((piece.link, event.direction, name, event.bytes.to_vec()));
        });
    }
    lines.sort();
    lines
}

#[test]
fn captures_are_read_from_files_of_tcpdump() {
    for name in [
        "g4-enet-rpc",
        "g4-enet-relay",
        "g36-enet-range",
        "g4-udp-put_var",
        "g4-tcp-put_var",
        "g4-ws-rpc",
        "g4-ws-relay",
        "g3-ws-relay",
    ] {
        let capture = Capture::load(name);
        let expected = said(&capture);
        assert!(!expected.is_empty());
        for form in Form::ALL {
            let bytes = file(&capture, form);
            assert!(heard(&capture, &bytes[..]) == expected, "{name}, {form:?}");
            assert!(
                heard(&capture, Trickle(&bytes)) == expected,
                "{name}, {form:?}, a pipe"
            );
        }
    }
}

/// The type and the body of each block in a file.
fn blocks(form: Form, file: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let number = |bytes: &[u8]| {
        let bytes = bytes.try_into().unwrap();
        match form.is_big() {
            true => u32::from_be_bytes(bytes),
            false => u32::from_le_bytes(bytes),
        }
    };
    let (mut all, mut rest) = (Vec::new(), file);
    while !rest.is_empty() {
        let len = number(&rest[4..8]) as usize;
        all.push((number(&rest[..4]), rest[8..len - 4].to_vec()));
        rest = &rest[len..];
    }
    all
}

/// Programs before 2011 wrote the obsolete Packet Block: its interface has 16 bits.
#[test]
fn obsolete_packet_blocks_are_read() {
    for name in ["g4-enet-rpc", "g4-tcp-put_var"] {
        let capture = Capture::load(name);
        let expected = said(&capture);
        for form in [Form::PcapNg, Form::PcapNgBase2, Form::PcapNgBig] {
            let mut old = Vec::new();
            for (kind, mut bytes) in blocks(form, &file(&capture, form)) {
                let kind = if kind == 6 { 2 } else { kind };
                if kind == 2 {
                    bytes[..4].copy_from_slice(&[form.u16(0), form.u16(9)].concat());
                }
                block(&mut old, form, kind, &bytes);
            }
            assert!(heard(&capture, &old[..]) == expected, "{name}, {form:?}");
        }
    }
}

/// A packet whose interface is not described cannot be read, but it is a packet of the capture.
#[test]
fn packets_of_undescribed_interfaces_are_counted() {
    let form = Form::PcapNg;
    let capture = Capture::load("g4-enet-rpc");
    let whole = blocks(form, &file(&capture, form));
    let packets = whole.iter().filter(|(kind, _)| *kind == 6).count();
    // Enhanced, obsolete and simple packets, with a wrong number or without any description.
    for (kind, has_description) in [(6, true), (6, false), (2, true), (2, false), (3, false)] {
        let mut other = Vec::new();
        for (own, mut bytes) in whole.clone() {
            match own {
                1 if !has_description => continue,
                6 if kind == 3 => drop(bytes.drain(..16)),
                6 => bytes[0] = 3,
                _ => {}
            }
            let own = if own == 6 { kind } else { own };
            block(&mut other, form, own, &bytes);
        }
        let mut reader = Reader::new(&other[..]).unwrap();
        let mut count = 0;
        while let Some(packet) = reader.try_next().unwrap() {
            count += 1;
            let found = Segment::find(packet.link_type, packet.data).map(drop);
            assert_eq!(found, Err(Unread::UnknownInterface), "{kind}");
        }
        assert_eq!(count, packets, "{kind}, {has_description}");
    }
}

/// A Linux cooked capture names the kind of its device: 1 Ethernet, 512 PPP, 768 and 776 tunnels,
/// 772 loopback, 778 GRE, 65534 none. IP has the same number in all of them.
#[test]
fn linux_cooked_captures_of_every_device_are_read() {
    let capture = Capture::load("g4-enet-rpc");
    let ethernet = frame(&capture.pieces[0], Form::PcapNg, None);
    let found = |link_type, packet: &[u8]| {
        let segment = Segment::find(LinkType(link_type), packet)?;
        Ok((segment.source, segment.target, segment.payload.to_vec()))
    };
    let expected = found(1, &ethernet);
    assert!(expected.is_ok());
    for device in 0..=u16::MAX {
        let [high, low] = device.to_be_bytes();
        let one = [&[0, 0, high, low, 0, 6][..], &[2; 8], &ethernet[12..]].concat();
        assert_eq!(found(113, &one), expected, "{device}");
        let address = [&[0; 6][..], &[high, low, 0, 6], &[2; 8]].concat();
        let two = [&ethernet[12..14], &address, &ethernet[14..]].concat();
        assert_eq!(found(276, &two), expected, "{device}");
        for packet in [&one[..15], &two[..19]] {
            let link_type = if packet.len() == 15 { 113 } else { 276 };
            assert_eq!(found(link_type, packet), Err(Unread::Damaged));
        }
    }
    // With a VLAN tag, and ARP.
    let tagged = [
        &[0, 0, 3, 4, 0, 6][..],
        &[2; 8],
        &[0x81, 0, 0, 5],
        &ethernet[12..],
    ]
    .concat();
    assert_eq!(found(113, &tagged), expected);
    let arp = [
        &[0, 0, 3, 4, 0, 6][..],
        &[2; 8],
        &[0x08, 0x99],
        &ethernet[14..],
    ]
    .concat();
    assert_eq!(found(113, &arp), Err(Unread::OtherProtocol));
}

#[test]
fn a_capture_may_begin_in_the_middle() {
    let mut capture = Capture::load("g4-enet-rpc");
    capture.pieces.drain(..20);
    let lines = heard(&capture, &file(&capture, Form::Pcap)[..]);
    assert!(lines.iter().filter(|line| line.2 == "CALL").count() > 50);
}

#[test]
fn other_files_are_refused() {
    let bad = |bytes: &[u8]| matches!(Reader::new(bytes), Err(CaptureError::NotACapture));
    assert!(bad(b""));
    assert!(bad(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    let whole = file(&Capture::load("g4-enet-relay"), Form::Pcap);
    let mut cut = Reader::new(&whole[..whole.len() - 3]).unwrap();
    let end = loop {
        match cut.try_next() {
            Ok(Some(_)) => {}
            other => break other.map(|packet| packet.is_some()),
        }
    };
    assert!(matches!(end, Err(CaptureError::Cut)), "{end:?}");
}
