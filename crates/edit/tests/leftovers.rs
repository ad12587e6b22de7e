//! Recovery when parts of an older file follow the last record.

use gdvar_edit::{Segment, recover_records};
use gdvar_view::{Dialect, PrefixOrder, ReadOptions, frames};
/// Bytes after the last record: slices of saves at words and anywhere, noise, text, zeros, and small words. No
/// whole record may be lost. A few of a thousand leftovers become a record, because two words fit by chance.
/// Before records needed proof, these were 8 of 1000 slices at words, and 83 of 1000 runs of small words.
#[test]
fn leftovers_become_few_records_and_no_record_is_lost() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/saves/");
    let mut saves = vec![];
    for n in [
        "camp3.sav",
        "camp4.sav",
        "exact3.sav",
        "exact4.sav",
        "leaderboard3.dat",
        "leaderboard4.dat",
        "objects3.sav",
        "objects4.sav",
        "rpg3.sav",
        "rpg4.sav",
    ] {
        saves.push((n, std::fs::read(format!("{dir}{n}")).expect("it")));
    }
    let known: Vec<Vec<u8>> = saves
        .iter()
        .flat_map(|(_, s)| {
            frames(s, PrefixOrder::Little)
                .map(|f| f.expect("it").bytes.to_vec())
                .collect::<Vec<_>>()
        })
        .collect();
    let mut seed = 7u64;
    let mut dice = |m: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((seed >> 33) as usize) % m
    };
    let words = [0u32, 1, 2, 3, 4, 5, 8, 12, 16, 18, 20, 24, 27, 28, 7, 36];
    let opt = |n: &str| {
        ReadOptions::new(if n.contains('3') {
            Dialect::GODOT_3
        } else {
            Dialect::GODOT_4
        })
        .with_objects(gdvar_view::Objects::Inert)
    };
    let mut made = [0; 6];
    for t in 0..6000 {
        let (n, w) = &saves[dice(10)];
        let len = 16 + dice(385);
        let k = t % 6;
        let tail: Vec<u8> = match k {
            0 | 5 => {
                let o = &saves[dice(10)].1;
                let mut at = dice(o.len() - 400);
                let mut l = len;
                if k == 0 {
                    at = at / 4 * 4;
                    l = l / 4 * 4;
                }
                o[at..at + l].to_vec()
            }
            1 => (0..len).map(|_| dice(256) as u8).collect(),
            2 => (0..len).map(|_| b"abc {}\":,01\n"[dice(12)]).collect(),
            3 => vec![0; len],
            _ => (0..len / 4)
                .flat_map(|_| words[dice(16)].to_le_bytes())
                .collect(),
        };
        let file = [&w[..], &tail].concat();
        let found = recover_records(&[Segment::from(&file[..])], PrefixOrder::Little, opt(n));
        let mut out = vec![];
        found.write_to(&mut out).expect("it");
        assert!(out.starts_with(w), "turn {t}: {n} is not whole");
        for f in frames(&out[w.len()..], PrefixOrder::Little) {
            let f = f.expect("it");
            if !known.iter().any(|o| o == f.bytes) {
                made[k] += 1;
                break;
            }
        }
    }
    let [slices, noise, text, zeros, words, anywhere] = made;
    // A record after a single value may begin like none before it, which costs one here.
    assert!(slices <= 3 && words <= 35 && anywhere <= 1, "{made:?}");
    assert_eq!([noise, text, zeros], [0; 3]);
}
