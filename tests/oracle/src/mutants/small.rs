//! Small inputs that were never a value: headers from a dictionary, words that are edges of
//! something, and now and then what belongs together.

use gdvar::Dialect;

use gdvar_conformance::alike::Random;

/// Counts, lengths, flags, and bits of floats at their edges.
pub(super) const WORDS: [u32; 30] = [
    0,
    0,
    1,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    17,
    24,
    27,
    28,
    39,
    255,
    0x1_0000,
    0x0100_0000,
    0x3f80_0000,
    0x7f80_0000,
    0x7fa0_0001,
    0x7fc0_0000,
    0x7fff_fffc,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0x8000_0002,
    0xff80_0000,
    0xffc0_0001,
    0xffff_ffff,
];

/// Texts that readers disagree on.
pub(super) const TEXTS: [&[u8]; 32] = [
    b"",
    b"a",
    b"ab",
    b"abc",
    b"abcd",
    b"x/y:z",
    b"res://item.gd",
    b"script",
    b"EncodedObjectAsID",
    b"\0",
    b"a\0\xff",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbfa",
    b"\xef\xbb\xbf\xef\xbb\xbf",
    b"a\xef\xbb\xbf",
    b"\xef\xbb",
    b"\xef\xbf\xbd",
    b"\xc3\xa9",
    b"\xc3",
    b"\x80",
    b"\xff",
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xe0\x80\x80",
    b"\xe0\x9f\xbf",
    b"\xf0\x80\x80\x80",
    b"\xf0\x8f\xbf\xbf",
    b"\xed\xa0\x80",
    b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xfd\xbf\xbf\xbf\xbf\xbf",
];

pub(super) fn pick<T: Copy>(from: &[T], random: &mut Random) -> T {
    from[random.below(from.len())]
}

pub(super) fn put(out: &mut Vec<u8>, word: u32) {
    out.extend(word.to_le_bytes());
}

/// A header: some type of the dialect or just behind the last, mostly without flags.
pub(super) fn header(dialect: Dialect, random: &mut Random) -> u32 {
    let id = random.below(usize::from(dialect.type_count()) + 2) as u32;
    id | match random.below(12) {
        0 => 1 << 16,
        1 => 2 << 16,
        2 => 3 << 16,
        3 => (random.below(16) as u32) << 16,
        4 => 1 << (8 + random.below(24)),
        _ => 0,
    }
}

/// A string field: length, bytes, padding that is mostly there and mostly zero.
pub(super) fn field(out: &mut Vec<u8>, text: &[u8], random: &mut Random) {
    let len = match random.below(24) {
        0 => text.len() as u32 + 1,
        1 => (text.len() as u32).wrapping_sub(1),
        _ => text.len() as u32,
    };
    put(out, len);
    out.extend(text);
    let padding = [0, 0, 0, 0, 0xff, b'a'][random.below(6)];
    if random.below(30) > 0 {
        out.resize(out.len().next_multiple_of(4), padding);
    }
}

/// One value, more or less.
fn value(out: &mut Vec<u8>, dialect: Dialect, depth: usize, random: &mut Random) {
    use gdvar::Kind::{self, Array, Dictionary, NodePath, Object, Signal};
    let header = header(dialect, random);
    put(out, header);
    let kind = dialect.kind(gdvar::write::wire::TypeId(header as u8));
    let flags = header >> 16;
    match kind {
        Some(Kind::String | Kind::StringName) => field(out, pick(&TEXTS, random), random),
        Some(Kind::PackedStringArray) => {
            let count = random.below(4);
            put(out, count as u32);
            for _ in 0..count {
                let mut text = pick(&TEXTS, random).to_vec();
                text.extend((random.below(3) > 0).then_some(0));
                field(out, &text, random);
            }
        }
        Some(NodePath) => {
            let (names, subnames) = (random.below(3), random.below(3));
            put(out, 0x8000_0000 | names as u32);
            put(out, subnames as u32);
            put(out, pick(&[0, 1, 2, 3, 4, 0x8000_0000], random));
            for _ in 0..names + subnames {
                field(out, pick(&TEXTS, random), random);
            }
        }
        Some(Signal) => {
            field(out, pick(&TEXTS, random), random);
            put(out, random.below(9) as u32);
            put(out, pick(&WORDS, random));
        }
        Some(Object) if flags & 1 == 0 => {
            field(out, pick(&TEXTS, random), random);
            put(out, 0);
        }
        Some(Array | Dictionary) if depth < 4 => {
            let count = random.below(4);
            if dialect == Dialect::GODOT_4 {
                descriptor(out, flags & 3, random);
                if kind == Some(Dictionary) {
                    descriptor(out, flags >> 2 & 3, random);
                }
            }
            put(out, count as u32 | pick(&[0, 0, 0, 0x8000_0000], random));
            let children = if kind == Some(Array) {
                count
            } else {
                2 * count
            };
            for _ in 0..children {
                value(out, dialect, depth + 1, random);
            }
        }
        _ => {
            let words = match kind {
                Some(Kind::Nil) => 0,
                Some(Kind::Bool | Kind::Int | Kind::Float) => 1 + (flags & 1) as usize,
                _ => random.below(17),
            };
            for _ in 0..words {
                let word = match random.below(3) {
                    0 => random.next_number() as u32,
                    _ => pick(&WORDS, random),
                };
                put(out, word);
            }
        }
    }
}

/// The type that a container names for its elements.
pub(super) fn descriptor(out: &mut Vec<u8>, kind: u32, random: &mut Random) {
    match kind {
        0 => {}
        1 => put(out, random.below(42) as u32),
        _ => {
            let names: [&[u8]; 7] = [
                b"",
                b"Node",
                b"EncodedObjectAsID",
                b"res://item4.gd",
                b"nonsense",
                b"\xff",
                b"a\0b",
            ];
            field(out, pick(&names, random), random);
        }
    }
}

/// A small input.
pub(super) fn small(dialect: Dialect, random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    value(&mut out, dialect, 0, random);
    out
}
