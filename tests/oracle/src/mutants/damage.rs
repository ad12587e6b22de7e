//! Damage that knows the format: at the places where readers part.

use gdvar::{Dialect, Kind, walk::Event};

use super::{
    corpus::Corpus,
    small::{TEXTS, WORDS, descriptor, field, header, pick, put},
};
use crate::open;
use gdvar_conformance::alike::Random;

/// The place of a value.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: usize,
    end: usize,
    kind: Kind,
}

/// The values of what can be read.
fn places(bytes: &[u8], dialect: Dialect) -> Vec<Place> {
    let mut out = Vec::new();
    let mut events = open(bytes, dialect).events();
    while let Ok(Some(event)) = events.try_next() {
        let (Event::Begin(value) | Event::Value(value)) = event else {
            continue;
        };
        out.push(Place {
            start: value.offset(),
            end: value.end().unwrap_or(bytes.len()).min(bytes.len()),
            kind: value.kind(),
        });
    }
    out
}

fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn set(bytes: &mut [u8], at: usize, word: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

fn id(dialect: Dialect, kind: Kind) -> u32 {
    dialect.type_id(kind).map_or(0, |id| u32::from(id.0))
}

/// Damages a value of the bytes, or what there is.
pub(super) fn damage(bytes: &mut Vec<u8>, dialect: Dialect, corpus: &Corpus, random: &mut Random) {
    let places = places(bytes, dialect);
    if places.is_empty() {
        let at = 4 * random.below(bytes.len() / 4);
        set(bytes, at, pick(&WORDS, random));
        return;
    }
    let place = pick(&places, random);
    match random.below(16) {
        // Another type, or flags.
        0 => set(bytes, place.start, header(dialect, random)),
        1 => {
            let old = word_at(bytes, place.start).unwrap_or_default();
            let bit = pick(&[8, 15, 16, 16, 16, 17, 18, 19, 20, 31], random);
            set(bytes, place.start, old ^ 1 << bit);
        }
        // Another value in its place, none, or twice.
        2 => drop(bytes.splice(place.start..place.end, corpus.any(random).iter().copied())),
        3 => drop(bytes.drain(place.start..place.end)),
        4 => {
            let twice = bytes[place.start..place.end].to_vec();
            drop(bytes.splice(place.start..place.start, twice));
        }
        5 => {
            let other = pick(&places, random);
            let copy = bytes[other.start..other.end].to_vec();
            drop(bytes.splice(place.start..place.end, copy));
        }
        // It ends, or the input does, a little early or late.
        6 => bytes.truncate(place.end.saturating_sub(random.below(6))),
        7 => {
            let at = place.end;
            let more = [0_u8; 8];
            drop(bytes.splice(at..at, more[..1 + random.below(8)].iter().copied()));
        }
        8 => pair_of_keys(bytes, place, dialect, random),
        _ => inside(bytes, place, dialect, random),
    }
}

/// Something that only this kind has.
fn inside(bytes: &mut Vec<u8>, place: Place, dialect: Dialect, random: &mut Random) {
    let Place { start, end, kind } = place;
    match kind {
        Kind::String | Kind::StringName => {
            let mut new = bytes[start..start + 4].to_vec();
            field(&mut new, pick(&TEXTS, random), random);
            drop(bytes.splice(start..end, new));
        }
        Kind::NodePath => {
            let at = start + 4 + 4 * random.below(2);
            let old = word_at(bytes, at).unwrap_or_default();
            let near = pick(&[1, u32::MAX, 0x8000_0000], random);
            match random.below(4) {
                0 | 1 => set(bytes, at, old.wrapping_add(near)),
                2 => {
                    let flags = word_at(bytes, start + 12).unwrap_or_default();
                    set(bytes, start + 12, flags ^ 1 << random.below(5));
                }
                _ => {
                    let mut name = Vec::new();
                    field(&mut name, pick(&TEXTS, random), random);
                    let count = word_at(bytes, start + 4).unwrap_or_default();
                    set(bytes, start + 4, count.wrapping_add(1));
                    let at = start + 16;
                    drop(bytes.splice(at..at, name));
                }
            }
        }
        Kind::Array | Kind::Dictionary => container(bytes, place, dialect, random),
        Kind::Object => {
            let words = [0, 1, 4, 5, 0x8000_0000];
            match random.below(3) {
                0 => set(bytes, start + 4, pick(&words, random)),
                1 => set(bytes, start + 8, pick(&words, random)),
                _ => {
                    let mut new = Vec::new();
                    put(&mut new, id(dialect, Kind::Object));
                    field(&mut new, pick(&TEXTS, random), random);
                    put(&mut new, pick(&WORDS, random));
                    drop(bytes.splice(start..end, new));
                }
            }
        }
        // Numbers, counts and elements.
        _ if end >= start + 8 => {
            let at = match random.below(3) {
                0 => start + 4,
                _ => start + 4 + 4 * random.below((end - start - 4) / 4),
            };
            let old = word_at(bytes, at).unwrap_or_default();
            let word = match random.below(6) {
                0 => old.wrapping_add(1),
                1 => old.wrapping_sub(1),
                2 => old ^ 0x8000_0000,
                _ => pick(&WORDS, random),
            };
            set(bytes, at, word);
        }
        _ => set(bytes, start, header(dialect, random)),
    }
}

/// The count of a container, or what it says of its elements.
fn container(bytes: &mut Vec<u8>, place: Place, dialect: Dialect, random: &mut Random) {
    let Place { start, kind, .. } = place;
    let header = word_at(bytes, start).unwrap_or_default();
    let typed = header >> 16 & 15;
    let at = start + 4;
    if dialect != Dialect::GODOT_4 || random.below(3) == 0 {
        let old = word_at(bytes, at).unwrap_or_default();
        let near = [
            old.wrapping_add(1),
            old.wrapping_sub(1),
            old ^ 0x8000_0000,
            pick(&WORDS, random),
        ];
        set(bytes, at, pick(&near, random));
    } else if typed == 0 || random.below(3) == 0 {
        // Typed, where it was not.
        let flags = 1 + random.below(if kind == Kind::Array { 3 } else { 15 }) as u32;
        let mut types = Vec::new();
        descriptor(&mut types, flags & 3, random);
        descriptor(&mut types, flags >> 2, random);
        set(bytes, start, header | flags << 16);
        drop(bytes.splice(at..at, types));
    } else {
        set(bytes, at, random.below(42) as u32);
    }
}

/// Two keys that some take for one: a dictionary in the place of the value, which is kept in it.
fn pair_of_keys(bytes: &mut Vec<u8>, place: Place, dialect: Dialect, random: &mut Random) {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    for number in [
        0x0000_0000,
        0x8000_0000,
        0x3f80_0000,
        0x7fc0_0000,
        0xffc0_0001,
    ] {
        keys.push(
            [3, number]
                .iter()
                .flat_map(|word: &u32| word.to_le_bytes())
                .collect(),
        );
        let vector = [id(dialect, Kind::Vector2), number, 0];
        keys.push(vector.iter().flat_map(|word| word.to_le_bytes()).collect());
    }
    for number in [0, 1] {
        keys.push(
            [1, number]
                .iter()
                .flat_map(|word: &u32| word.to_le_bytes())
                .collect(),
        );
        keys.push(
            [2, number]
                .iter()
                .flat_map(|word: &u32| word.to_le_bytes())
                .collect(),
        );
        let wide = [2 | 1 << 16, number, 0];
        keys.push(
            wide.iter()
                .flat_map(|word: &u32| word.to_le_bytes())
                .collect(),
        );
    }
    for text in [&b"a\0\0\0"[..], b"a\0b\0", b"b\0\0\0"] {
        for kind in [Kind::String, Kind::StringName] {
            let mut key = Vec::new();
            put(&mut key, id(dialect, kind));
            put(&mut key, if text[2] == 0 { 1 } else { 3 });
            key.extend(text);
            keys.push(key);
        }
    }
    keys.push(bytes[place.start..place.end].to_vec());
    let mut list = Vec::new();
    put(&mut list, id(dialect, Kind::Array));
    put(&mut list, 1);
    let wrapped = random.below(4) == 0;
    let count = 2 + random.below(4);
    let mut new = Vec::new();
    put(&mut new, id(dialect, Kind::Dictionary));
    put(&mut new, count as u32);
    for n in 0..count {
        if wrapped {
            new.extend(&list);
        }
        let key = &keys[random.below(keys.len())];
        new.extend(key);
        if n == 0 {
            new.extend(&bytes[place.start..place.end]);
        } else {
            put(&mut new, 2);
            put(&mut new, n as u32);
        }
    }
    drop(bytes.splice(place.start..place.end, new));
}
