//! Dictionaries with keys that are nearly equal, or equal in one engine and not in another: how keys
//! are merged and sorted is where readers part most.

use gdvar::{Dialect, Kind};

use super::{
    corpus::Corpus,
    small::{TEXTS, pick, put},
};
use gdvar_conformance::alike::Random;

/// Numbers that are near each other, equal as one type and not as another, or no numbers.
const REALS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    1.000_001,
    1.000_01,
    1.000_1,
    -1.0,
    2.0,
    1e-6,
    6e-6,
    2e-5,
    1e10,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MIN_POSITIVE,
];
const INTS: [i32; 8] = [0, 1, 2, 3, -1, 255, i32::MAX, i32::MIN];
/// Texts of few characters, so that many are equal or begin alike.
const NAMES: [&[u8]; 8] = [b"", b"a", b"aa", b"ab", b"b", b"1", b"a/b", b"a:b"];

/// A dictionary of up to 20 such keys, now and then with more.
pub(super) fn dictionary(dialect: Dialect, corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let count = match random.below(8) {
        0 => 17 + random.below(30),
        _ => 2 + random.below(6),
    };
    // Mostly of one kind or two: keys of different types never meet.
    let kinds = [key_kind(dialect, random), key_kind(dialect, random)];
    let mut out = Vec::new();
    dictionary_header(&mut out, dialect, random);
    put(&mut out, count as u32);
    for n in 0..count {
        let start = out.len();
        match random.below(24) {
            0 => out.extend(corpus.any(random)),
            1 if n > 0 => key(&mut out, key_kind(dialect, random), dialect, 0, random),
            _ => key(&mut out, kinds[random.below(2)], dialect, 0, random),
        }
        if out.len() - start > 512 {
            out.truncate(start);
            put(&mut out, 0);
        }
        match random.below(16) {
            0 => key(&mut out, kinds[0], dialect, 2, random),
            _ => {
                put(&mut out, 2);
                put(&mut out, n as u32);
            }
        }
    }
    out
}

/// Now and then a typed one, where there are such.
fn dictionary_header(out: &mut Vec<u8>, dialect: Dialect, random: &mut Random) {
    let id = dialect
        .type_id(Kind::Dictionary)
        .map_or(0, |id| u32::from(id.0));
    let typed = dialect == Dialect::GODOT_4 && random.below(4) == 0;
    put(out, id | u32::from(typed) << 16);
    if typed {
        put(out, random.below(usize::from(dialect.type_count())) as u32);
    }
}

fn key_kind(dialect: Dialect, random: &mut Random) -> Kind {
    loop {
        let id = gdvar::write::wire::TypeId(random.below(usize::from(dialect.type_count())) as u8);
        match dialect.kind(id) {
            Some(kind) if random.below(3) > 0 || is_usual(kind) => return kind,
            _ => {}
        }
    }
}

const fn is_usual(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Array
            | Kind::Dictionary
            | Kind::NodePath
            | Kind::Object
            | Kind::StringName
            | Kind::Vector2
            | Kind::PackedVector2Array
            | Kind::PackedFloat32Array
    )
}

/// A key of a kind.
fn key(out: &mut Vec<u8>, kind: Kind, dialect: Dialect, depth: usize, random: &mut Random) {
    let Some(id) = dialect.type_id(kind) else {
        return put(out, 0);
    };
    let id = u32::from(id.0);
    let ints = |out: &mut Vec<u8>, count: usize, random: &mut Random| {
        for _ in 0..count {
            put(out, pick(&INTS, random) as u32);
        }
    };
    let reals = |out: &mut Vec<u8>, count: usize, random: &mut Random| {
        // Few of them differ from each other.
        let same = pick(&REALS, random);
        for _ in 0..count {
            let real = match random.below(3) {
                0 => pick(&REALS, random),
                _ => same,
            };
            put(out, real.to_bits());
        }
    };
    match kind {
        Kind::Array | Kind::Dictionary => {
            let typed = dialect == Dialect::GODOT_4 && random.below(3) == 0;
            put(out, id | u32::from(typed) << 16);
            if typed {
                put(out, random.below(usize::from(dialect.type_count())) as u32);
            }
            let count = if depth < 3 { random.below(4) } else { 0 };
            put(out, count as u32);
            let inner = key_kind(dialect, random);
            for _ in 0..if kind == Kind::Array {
                count
            } else {
                2 * count
            } {
                match random.below(3) {
                    0 => {
                        put(out, 2);
                        put(out, random.below(3) as u32);
                    }
                    _ => key(out, inner, dialect, depth + 1, random),
                }
            }
        }
        Kind::String | Kind::StringName => {
            put(out, id);
            name(out, random);
        }
        Kind::NodePath => {
            let (names, subnames) = (random.below(3), random.below(2));
            put(out, id);
            put(out, 0x8000_0000 | names as u32);
            put(out, subnames as u32);
            put(out, random.below(2) as u32);
            for _ in 0..names + subnames {
                name(out, random);
            }
        }
        Kind::Object => {
            put(out, id | 1 << 16);
            put(out, random.below(3) as u32);
            put(out, 0);
        }
        Kind::Signal => {
            put(out, id);
            name(out, random);
            put(out, random.below(2) as u32);
            put(out, 0);
        }
        Kind::PackedStringArray => {
            put(out, id);
            let count = packed_count(dialect, random);
            put(out, count as u32);
            for _ in 0..count {
                name(out, random);
            }
        }
        Kind::PackedByteArray => {
            put(out, id);
            let len = packed_count(dialect, random);
            put(out, len as u32);
            for _ in 0..len {
                out.push(random.below(3) as u8);
            }
            out.resize(out.len().next_multiple_of(4), 0);
        }
        _ if kind.is_packed() => {
            put(out, id);
            let count = packed_count(dialect, random);
            put(out, count as u32);
            let words = match kind {
                Kind::PackedInt32Array | Kind::PackedFloat32Array => 1,
                Kind::PackedVector3Array => 3,
                Kind::PackedVector4Array | Kind::PackedColorArray => 4,
                _ => 2,
            };
            match kind {
                Kind::PackedInt32Array | Kind::PackedInt64Array => ints(out, count * words, random),
                _ => reals(out, count * words, random),
            }
        }
        _ => {
            let size = dialect.fixed_payload(gdvar::write::wire::TypeId(id as u8), false);
            let words = size.unwrap_or(0) / 4;
            put(out, id);
            match kind {
                Kind::Bool => put(out, random.below(2) as u32),
                _ if kind.has_reals() || kind == Kind::Float || kind == Kind::Color => {
                    reals(out, words, random);
                }
                _ => ints(out, words, random),
            }
        }
    }
}

/// Mostly one count in Godot 3, which compares beyond the end of the shorter array and dies of it.
fn packed_count(dialect: Dialect, random: &mut Random) -> usize {
    if dialect == Dialect::GODOT_3 && random.below(100) > 0 {
        return 2;
    }
    random.below(4)
}

fn name(out: &mut Vec<u8>, random: &mut Random) {
    let text = match random.below(8) {
        0 => pick(&TEXTS, random),
        _ => pick(&NAMES, random),
    };
    put(out, text.len() as u32);
    out.extend(text);
    out.resize(out.len().next_multiple_of(4), 0);
}
