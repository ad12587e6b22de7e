//! Makes the packets, each with a mark for the right verdict.

use gdvar::{
    Dialect,
    frames::{PrefixOrder, frames},
};
use gdvar_conformance::{
    alike::{Random, alike},
    hostile,
    mutate::mutate,
    vectors::{ENGINES, plain_saves, vectors},
};

/// The mark before a good packet.
pub(crate) const GOOD: u8 = b'+';

/// The mark before a bad packet.
pub(crate) const BAD: u8 = b'-';

/// The mark before a randomly damaged packet, which may be good or bad.
pub(crate) const RANDOM: u8 = b'?';

/// Returns the index of a packet's mark in the counts.
pub(crate) fn class(packet: &[u8]) -> usize {
    match packet.first() {
        Some(&GOOD) => 0,
        Some(&BAD) => 1,
        _ => 2,
    }
}

/// The largest size of a packet. Chosen below 65 507 bytes, the most that a UDP datagram can carry.
pub(crate) const MAX_PACKET: usize = 60_000;

/// Returns packets of Godot 4, each after its mark. The same seed gives the same packets.
pub(crate) fn packets(seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    let mut good = Vec::new();
    for engine in ENGINES {
        if engine.dialect == Dialect::GODOT_4 && !engine.double {
            let all = vectors(engine).into_iter();
            // Keeps packets that the engine wrote, and can read back without permission for objects.
            let plain = all.filter(|it| it.canonical && !it.full_objects && !it.engine_refuses);
            good.extend(plain.map(|vector| vector.bytes));
        }
    }
    for save in plain_saves() {
        // Servers do not accept whole objects.
        if save.dialect == Dialect::GODOT_4 && !save.name.starts_with("objects") {
            let all = frames(&save.bytes, PrefixOrder::Little).flatten();
            good.extend(all.map(|frame| frame.bytes.to_vec()));
        }
    }
    good.retain(|bytes| bytes.len() <= 8_000);
    let mut out = Vec::new();
    for _ in 0..400 {
        let mut bytes = alike(Dialect::GODOT_4, &mut random);
        for _ in 0..random.below(3) {
            mutate(&mut bytes, &mut random);
        }
        bytes.truncate(MAX_PACKET);
        out.push(with(RANDOM, &bytes));
    }
    for bytes in &good {
        out.push(with(GOOD, bytes));
        // Cuts off at least a whole word. With less, the packet may only lack padding, which is allowed
        // (docs/FORMAT.md §6, row 19).
        if bytes.len() > 4 {
            let cut = random.below(bytes.len() - 3);
            out.push(with(BAD, bytes.get(..cut).unwrap_or_default()));
        }
        // Writes a type number that no dialect has.
        let mut unknown = bytes.clone();
        if let Some(first) = unknown.first_mut() {
            *first = 60 + random.below(190) as u8;
        }
        out.push(with(BAD, &unknown));
    }
    for shape in hostile::ALL {
        let bytes = (shape.make)(16_000);
        // A server's settings refuse objects.
        let objects = shape.name.contains("objects in") || shape.name.contains("objects of");
        let objects = objects || shape.name == "objects as keys";
        let verdict = if shape.valid && !objects { GOOD } else { BAD };
        if bytes.len() < MAX_PACKET {
            out.push(with(verdict, &bytes));
        }
    }
    for shape in hostile::DEEPER {
        // Adds a value deeper than the engines allow.
        out.push(with(BAD, &(shape.make)(40_000)));
    }
    // Adds counts and lengths from 2^16 to 2^31 − 1, with nothing after them.
    for id in [4, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38] {
        for count in [0x7fff_ffff_u32, 0x7fff_fff0, 1 << 30, 1 << 24, 1 << 16] {
            let mut bytes = vec![id, 0, 0, 0];
            bytes.extend(count.to_le_bytes());
            bytes.extend([0; 8]);
            out.push(with(BAD, &bytes));
        }
    }
    // Shuffle them.
    for n in (1..out.len()).rev() {
        out.swap(n, random.below(n + 1));
    }
    out
}

fn with(verdict: u8, bytes: &[u8]) -> Vec<u8> {
    [&[verdict], bytes].concat()
}
