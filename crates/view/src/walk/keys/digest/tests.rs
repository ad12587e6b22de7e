//! Equal keys have equal hashes (`docs/FORMAT.md` §6, "Equal keys"), and no key is walked twice.

use alloc::{vec, vec::Vec};

use gdvar_wire::Dialect;

use super::Digests;
use crate::{Objects, ReadOptions, VariantRef, bytes::samples::words, walk::keys::equality};

/// Words, a text without padding, and words.
fn around(before: &[u32], text: &[u8], after: &[u32]) -> Vec<u8> {
    [words(before), text.to_vec(), words(after)].concat()
}

/// The real number one: as an f32, and the high half of it as an f64.
const ONE: u32 = 0x3f80_0000;
const WIDE_ONE: u32 = 0x3ff0_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
const NAN: u32 = 0x7fc0_0001;
/// The flag for 64 bits and for ids.
const WIDE: u32 = 1 << 16;

/// Keys of Godot 4. Keys of one group are equal, keys of different groups are not.
#[rustfmt::skip]
fn groups() -> Vec<Vec<Vec<u8>>> {
    let wide = |id, words: &[u32]| -> Vec<u32> {
        let halves = words.iter().flat_map(|word| [0, *word]);
        [id | WIDE].into_iter().chain(halves).collect()
    };
    let mut groups = vec![
        vec![words(&[0]), words(&[0])],
        vec![words(&[1, 1]), words(&[1, 2])],
        vec![words(&[1, 0])],
        vec![words(&[2, 1]), words(&[2 | WIDE, 1, 0])],
        vec![words(&[2, 2])],
        vec![words(&[2 | WIDE, 1, 1])],
        // Floats: both zeros are equal, and all NaNs, in either width.
        vec![words(&[3, 0]), words(&[3, MINUS_ZERO]), words(&wide(3, &[MINUS_ZERO]))],
        vec![words(&[3, ONE]), words(&wide(3, &[WIDE_ONE]))],
        vec![words(&[3, NAN]), words(&wide(3, &[0x7ff8_0007]))],
        // Texts: a String equals a StringName here, and padding makes no difference.
        vec![around(&[4, 1], b"a\0\0\0", &[]), around(&[4, 1], b"a123", &[]), around(&[21, 1], b"a\0\0\0", &[])],
        vec![around(&[4, 1], b"b\0\0\0", &[])],
        vec![around(&[4, 2], b"ab\0\0", &[])],
        vec![around(&[4, 0], b"", &[])],
        // Vector2, Vector2i, Rect2, Color, Projection.
        vec![words(&[5, 0, ONE]), words(&[5, MINUS_ZERO, ONE]), words(&wide(5, &[0, WIDE_ONE]))],
        vec![words(&[5, ONE, 0])],
        vec![words(&[6, 0, ONE])],
        vec![words(&[6, ONE, 0])],
        vec![words(&[7, 0, 0, ONE, ONE]), words(&wide(7, &[0, 0, WIDE_ONE, WIDE_ONE]))],
        vec![words(&[20, 0, 0, ONE, ONE]), words(&[20, 0, MINUS_ZERO, ONE, ONE])],
        vec![words(&[20, 0, 0, ONE, 0])],
        // NodePaths: a/b, /a/b, a:b.
        vec![
            around(&[22, MINUS_ZERO | 2, 0, 0, 1], b"a\0\0\0", &[1, 0x62]),
            around(&[22, MINUS_ZERO | 2, 0, 0, 1], b"a123", &[1, 0x62]),
        ],
        vec![words(&[22, MINUS_ZERO | 2, 0, 1, 1, 0x61, 1, 0x62])],
        vec![words(&[22, MINUS_ZERO | 1, 1, 0, 1, 0x61, 1, 0x62])],
        vec![words(&[22, MINUS_ZERO | 2, 0, 0, 1, 0x61, 1, 0x63])],
        // Signals.
        vec![words(&[26, 1, 0x61, 7, 0]), words(&[26, 1, 0x3161, 7, 0])],
        vec![words(&[26, 1, 0x61, 8, 0])],
        vec![words(&[26, 1, 0x62, 7, 0])],
        // Objects: only null equals another.
        vec![words(&[24 | WIDE, 0, 0]), words(&[24 | WIDE, 0, 0])],
        vec![words(&[24 | WIDE, 7, 0])],
        vec![words(&[24 | WIDE, 7, 0])],
        vec![words(&[24, 1, 0x41, 1, 1, 0x61, 2, 1])],
        vec![words(&[24, 1, 0x41, 1, 1, 0x61, 2, 1])],
        // Packed arrays, by type number.
        vec![words(&[29, 1, 1]), words(&[29, 1, 0x0101])],
        vec![words(&[29, 1, 2])],
        vec![words(&[29, 2, 1])],
        vec![words(&[30, 1, 1])],
        vec![words(&[30, 1, 2])],
        vec![words(&[31, 1, 1, 0])],
        vec![words(&[31, 1, 1, 1])],
        vec![words(&[32, 2, 0, ONE]), words(&[32, 2, MINUS_ZERO, ONE])],
        vec![words(&[32, 2, ONE, 0])],
        vec![words(&[33, 1, 0, 0]), words(&[33, 1, 0, MINUS_ZERO])],
        vec![words(&[33, 1, 0, WIDE_ONE])],
        vec![words(&[34, 2, 2, 0x61, 2, 0x62]), words(&[34, 2, 2, 0x61, 1, 0x62])],
        vec![words(&[34, 2, 3, 0x6261, 1, 0])],
        vec![words(&[35, 1, 0, ONE]), words(&[35, 1, MINUS_ZERO, ONE]), words(&[35 | WIDE, 1, 0, 0, 0, WIDE_ONE])],
        vec![words(&[35, 1, ONE, 0])],
        vec![words(&[36, 1, 0, 0, ONE]), words(&[36 | WIDE, 1, 0, MINUS_ZERO, 0, 0, 0, WIDE_ONE])],
        vec![words(&[36, 1, 0, ONE, 0])],
        vec![words(&[37, 1, 0, 0, 0, ONE]), words(&[37, 1, 0, 0, MINUS_ZERO, ONE])],
        vec![words(&[37, 1, 0, 0, 0, 0])],
        vec![words(&[38, 1, 0, 0, 0, ONE]), words(&[38 | WIDE, 1, 0, MINUS_ZERO, 0, 0, 0, 0, 0, WIDE_ONE])],
        vec![words(&[38, 1, 0, 0, 0, 0])],
        // Arrays by content: [1], [2], [1.0], [[1]], [[1], 1], [[1, 1]].
        vec![words(&[28, 1, 2, 1]), words(&[28, 1, 2 | WIDE, 1, 0])],
        vec![words(&[28, 1, 2, 2])],
        vec![words(&[28, 1, 3, ONE]), words(&[28, 1, 3 | WIDE, 0, WIDE_ONE])],
        vec![words(&[28, 1, 28, 1, 2, 1])],
        vec![words(&[28, 2, 28, 1, 2, 1, 2, 1])],
        vec![words(&[28, 1, 28, 2, 2, 1, 2, 1])],
        vec![words(&[28, 0])],
        vec![words(&[27, 0])],
        // A NaN in an array or as a value equals nothing, as a key it equals others.
        vec![words(&[28, 1, 3, NAN])],
        vec![words(&[28, 1, 3, NAN])],
        vec![words(&[27, 1, 2, 1, 3, NAN])],
        vec![words(&[27, 1, 2, 1, 3, NAN])],
        vec![words(&[27, 1, 3, NAN, 2, 1]), words(&[27, 1, 3, NAN, 2, 1])],
        // {1: 2}, {2: 1}, {[1]: 2}.
        vec![words(&[27, 1, 2, 1, 2, 2]), words(&[27, 1, 2 | WIDE, 1, 0, 2, 2])],
        vec![words(&[27, 1, 2, 2, 2, 1])],
        vec![words(&[27, 1, 28, 1, 2, 1, 2, 2])],
        // An object in an array.
        vec![words(&[28, 1, 24 | WIDE, 7, 0])],
        vec![words(&[28, 1, 24 | WIDE, 7, 0])],
        vec![words(&[28, 1, 24, 1, 0x41, 0])],
        vec![words(&[28, 1, 24, 1, 0x41, 0])],
        // Texts in an array, with different padding.
        vec![around(&[28, 1, 4, 1], b"a\0\0\0", &[]), around(&[28, 1, 4, 1], b"a123", &[])],
    ];
    // Math types of reals: zeros, NaNs and widths as for floats.
    for (id, len) in [
        (5, 2), (7, 4), (9, 3), (11, 6), (12, 4), (14, 4), (15, 4), (16, 6), (17, 9), (18, 12), (19, 16),
    ] {
        let all = |first, rest| -> Vec<u32> {
            [first].into_iter().chain((1..len).map(|_| rest)).collect()
        };
        let narrow = |first, rest| words(&[vec![id], all(first, rest)].concat());
        groups.push(vec![
            narrow(NAN, ONE),
            narrow(NAN + 1, ONE),
            words(&wide(id, &all(0x7ff8_0000, WIDE_ONE))),
        ]);
        groups.push(vec![narrow(MINUS_ZERO, NAN), narrow(0, NAN)]);
        groups.push(vec![narrow(ONE, ONE), words(&wide(id, &all(WIDE_ONE, WIDE_ONE)))]);
    }
    // Packed arrays of one element, including NaN. The arrays of 64-bit floats are last.
    for (id, len) in [(32, 1), (35, 2), (36, 3), (37, 4), (38, 4)] {
        let all = |first| -> Vec<u32> {
            [id, 1, first].into_iter().chain((1..len).map(|_| ONE)).collect()
        };
        groups.push(vec![words(&all(NAN)), words(&all(NAN + 1))]);
        groups.push(vec![words(&all(2 * ONE))]);
    }
    groups.push(vec![words(&[33, 1, 0, 0x7ff8_0000]), words(&[33, 1, 1, 0x7ff8_0000])]);
    groups
}

/// Reads values one after the other, like the elements of an array.
fn values<'a>(bytes: &'a [u8], sizes: &[usize], dialect: Dialect) -> Vec<VariantRef<'a>> {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let mut at = 0;
    let mut all = vec![];
    for size in sizes {
        let (value, _) = VariantRef::new(bytes, at, options, 1).expect("a value");
        assert_eq!(value.end(), Ok(at + size), "{value:?}");
        all.push(value);
        at += size;
    }
    all
}

#[test]
fn exactly_equal_keys_have_equal_hashes() {
    let groups = groups();
    let keys: Vec<(usize, &Vec<u8>)> = groups
        .iter()
        .enumerate()
        .flat_map(|(group, keys)| keys.iter().map(move |key| (group, key)))
        .collect();
    let bytes: Vec<u8> = keys.iter().flat_map(|(_, key)| (*key).clone()).collect();
    let sizes: Vec<usize> = keys.iter().map(|(_, key)| key.len()).collect();
    let values = values(&bytes, &sizes, Dialect::GODOT_4);
    let mut digests = Digests::default();
    let hashes: Vec<u64> = values.iter().map(|value| digests.of(*value)).collect();
    for (n, (group, a)) in keys.iter().enumerate() {
        for (m, (other, b)) in keys.iter().enumerate().filter(|(m, _)| *m != n) {
            let are_equal = group == other;
            assert_eq!(
                equality::equal(values[n], values[m]),
                are_equal,
                "{a:?} {b:?}"
            );
            assert_eq!(hashes[n] == hashes[m], are_equal, "{a:?} {b:?}");
        }
    }
}

#[test]
fn in_godot_3_nans_are_equal_and_dictionaries_are_not() {
    // [NaN] twice, {1: 2} twice.
    let (array, dict) = (words(&[19, 1, 3, NAN]), words(&[18, 1, 2, 1, 2, 2]));
    let bytes = [array.clone(), array, dict.clone(), dict].concat();
    let values = values(&bytes, &[16, 16, 24, 24], Dialect::GODOT_3);
    let mut digests = Digests::default();
    let hashes: Vec<u64> = values.iter().map(|value| digests.of(*value)).collect();
    assert!(equality::equal(values[0], values[1]) && hashes[0] == hashes[1]);
    assert!(!equality::equal(values[2], values[3]) && hashes[2] != hashes[3]);
}

#[test]
fn keys_inside_of_a_key_are_walked_once() {
    // {{[1]: [2], [[3]]: 4}: 5}
    let bytes = words(&[
        27, 1, 27, 2, 28, 1, 2, 1, 28, 1, 2, 2, 28, 1, 28, 1, 2, 3, 2, 4, 2, 5,
    ]);
    let options = ReadOptions::new(Dialect::GODOT_4);
    let value = |at, depth| VariantRef::new(&bytes, at, options, depth).unwrap().0;
    let mut digests = Digests::default();
    let outer = digests.of(value(8, 1));
    let offsets = |digests: &Digests| -> Vec<usize> {
        digests.inner.iter().map(|(offset, _)| *offset).collect()
    };
    // Values and elements are not among them.
    assert_eq!((offsets(&digests), digests.end), (vec![16, 48], 80));
    let hashes = [digests.of(value(16, 2)), digests.of(value(48, 2))];
    assert_eq!((offsets(&digests), digests.end), (vec![16, 48], 80));
    for (at, hash) in [(16, hashes[0]), (48, hashes[1])] {
        assert_eq!(Digests::default().of(value(at, 2)), hash, "{at}");
    }
    assert!(hashes[0] != hashes[1] && outer != hashes[0]);
}
