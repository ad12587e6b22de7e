//! The range decoder against the coder of ENet itself (`rusty_enet` is that code).

mod common;

use common::{Capture, names};
use gdvar_packet::{
    Transport,
    enet::{Compression, Datagram, MAX_DATAGRAM, Unpacker},
};
use rusty_enet::{Compressor, RangeCoder};

#[test]
fn captured_datagrams_unpack_as_enet_unpacks_them() {
    let (mut ours, mut enet) = (Unpacker::new(), RangeCoder::new());
    let mut total = 0;
    for name in names().iter().filter(|name| name.contains("range")) {
        let capture = Capture::load(name);
        assert_eq!(capture.transport, Transport::Enet);
        for piece in &capture.pieces {
            let datagram = Datagram::parse(&piece.bytes).unwrap();
            if !datagram.header().compressed {
                continue;
            }
            let mut out = [0; MAX_DATAGRAM];
            let len = enet.decompress(datagram.body(), &mut out);
            assert!(len > 0);
            let unpacked = ours.unpack(Compression::Range, datagram.body());
            assert_eq!(unpacked, Some(&out[..len]), "{name}");
            total += 1;
        }
    }
    assert_eq!(total, 240, "99 + 73 + 68 datagrams");
}

/// Random numbers with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

#[test]
fn packed_bytes_are_unpacked() {
    let (mut ours, mut enet) = (Unpacker::new(), RangeCoder::new());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut packed_total = 0;
    for round in 0..3000 {
        // From one byte value to all of them, and from one byte to the most that fit.
        let values = 1 + numbers.below(if round % 2 == 0 { 4 } else { 256 });
        let len = 1 + numbers.below(MAX_DATAGRAM);
        let plain: Vec<u8> = (0..len).map(|_| numbers.below(values) as u8).collect();
        let mut packed = vec![0; 2 * MAX_DATAGRAM];
        let size = enet.compress(&[&plain], plain.len(), &mut packed);
        assert!(size > 0);
        packed_total += size;
        assert_eq!(
            ours.unpack(Compression::Range, &packed[..size]),
            Some(&plain[..]),
            "round {round}"
        );
    }
    assert!(packed_total > 100_000);
}

#[test]
fn damaged_bytes_are_refused_or_unpacked_to_something() {
    let mut ours = Unpacker::new();
    let mut numbers = Numbers(42);
    let mut refused = 0;
    for _ in 0..20_000 {
        let len = numbers.below(200);
        let bytes: Vec<u8> = (0..len).map(|_| numbers.next() as u8).collect();
        match ours.unpack(Compression::Range, &bytes) {
            Some(out) => assert!(out.len() <= MAX_DATAGRAM),
            None => refused += 1,
        }
    }
    assert!(refused > 0);
}
