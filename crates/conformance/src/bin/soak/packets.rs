//! Packets and what is to be said of them.

use gdvar::{Dialect, PrefixOrder, frames};
use gdvar_conformance::{
    alike::{Random, alike},
    hostile,
    mutate::mutate,
    vectors::{ENGINES, plain_saves, vectors},
};

/// The mark in front of a packet that is good.
pub(crate) const GOOD: u8 = b'+';

/// And in front of one that is not.
pub(crate) const BAD: u8 = b'-';

/// The mark in front of one that nobody vouches for: damaged at random.
pub(crate) const OPEN: u8 = b'?';

/// The place of a verdict in counts.
pub(crate) fn class(packet: &[u8]) -> usize {
    match packet.first() {
        Some(&GOOD) => 0,
        Some(&BAD) => 1,
        _ => 2,
    }
}

/// The largest packet: what a datagram takes.
pub(crate) const MOST: usize = 60_000;

/// Packets with their verdict in front, of Godot 4: the same for the same seed.
pub(crate) fn packets(seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    let mut good = Vec::new();
    for engine in ENGINES {
        if engine.dialect == Dialect::GODOT_4 && !engine.double {
            let all = vectors(engine).into_iter();
            // Packets that the engine wrote and reads back without leave for objects.
            let plain = all.filter(|it| it.canonical && !it.full_objects && !it.engine_refuses);
            good.extend(plain.map(|vector| vector.bytes));
        }
    }
    for save in plain_saves() {
        // Whole objects are not for servers.
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
        bytes.truncate(MOST);
        out.push(with(OPEN, &bytes));
    }
    for bytes in &good {
        out.push(with(GOOD, bytes));
        // Cut by a whole word or more: only padding may be missing (docs/FORMAT.md §6, row 19).
        if bytes.len() > 4 {
            let cut = random.below(bytes.len() - 3);
            out.push(with(BAD, bytes.get(..cut).unwrap_or_default()));
        }
        // No dialect has so many types.
        let mut unknown = bytes.clone();
        if let Some(first) = unknown.first_mut() {
            *first = 60 + random.below(190) as u8;
        }
        out.push(with(BAD, &unknown));
    }
    for shape in hostile::ALL {
        let bytes = (shape.make)(16_000);
        // Objects are refused by the policy of a server.
        let objects = shape.name.contains("objects in") || shape.name.contains("objects of");
        let objects = objects || shape.name == "objects as keys";
        let verdict = if shape.valid && !objects { GOOD } else { BAD };
        if bytes.len() < MOST {
            out.push(with(verdict, &bytes));
        }
    }
    for shape in hostile::DEEPER {
        // More levels than the engines allow.
        out.push(with(BAD, &(shape.make)(40_000)));
    }
    // Counts and lengths of thousands of millions, with nothing behind them.
    for id in [4, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38] {
        for count in [0x7fff_ffff_u32, 0x7fff_fff0, 1 << 30, 1 << 24, 1 << 16] {
            let mut bytes = vec![id, 0, 0, 0];
            bytes.extend(count.to_le_bytes());
            bytes.extend([0; 8]);
            out.push(with(BAD, &bytes));
        }
    }
    // In no order.
    for n in (1..out.len()).rev() {
        out.swap(n, random.below(n + 1));
    }
    out
}

fn with(verdict: u8, bytes: &[u8]) -> Vec<u8> {
    [&[verdict], bytes].concat()
}
