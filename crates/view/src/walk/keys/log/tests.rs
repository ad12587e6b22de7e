use alloc::{format, vec::Vec};

use gdvar_wire::Dialect;

use super::{FREE, KeyLog, MAX_COMPARED, text_print, value_print};
use crate::{
    ReadOptions, VariantRef,
    bytes::samples::{array, int, string, words},
    walk::keys::equality::equal,
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// Compares all keys. Returns how many repeat an earlier one, and the offset of the first that does.
fn compared(keys: &[VariantRef<'_>]) -> (u64, usize) {
    let repeated = keys.iter().enumerate().filter(|&(n, later)| {
        let mut earlier = keys.iter().take(n);
        earlier.any(|earlier| equal(*earlier, *later))
    });
    repeated.fold((0, usize::MAX), |(count, first), (_, key)| {
        (count + 1, first.min(key.offset()))
    })
}

/// Logs the keys inside of another dictionary with a key, and checks what is found. Returns how many keys are
/// repeated.
fn check(keys: &[Vec<u8>]) -> u64 {
    let bytes = [string(b"outer"), keys.concat(), words(&[0; 2])].concat();
    let mut at = 16;
    let mut values = Vec::new();
    for key in keys {
        values.push(VariantRef::new(&bytes, at, OPTIONS, 1).unwrap().0);
        at += key.len();
    }
    let expected = compared(&values);
    let mut log = KeyLog::default();
    let logged = |log: &mut KeyLog| {
        log.open(0);
        for value in &values {
            let rest = &bytes[value.offset()..];
            match value.as_text() {
                Some(text) => {
                    let print = value_print(rest, text.as_bytes().len());
                    log.add_print(value.offset(), print.unwrap());
                }
                None => log.add(*value),
            }
        }
    };
    log.open(0);
    log.add(VariantRef::new(&bytes, 0, OPTIONS, 0).unwrap().0);
    logged(&mut log);
    assert_eq!(log.close_all(&bytes, OPTIONS, 1), expected);
    logged(&mut log);
    let found = log.close(&bytes, OPTIONS, 1);
    let first = (expected.0 > 0).then_some((0, expected.1));
    assert_eq!(found.map(|repeat| (repeat.dict, repeat.key)), first);
    // The outer dictionary is still open and unchanged.
    assert!(log.close(&bytes, OPTIONS, 1).is_none());
    assert!(log.start == 0 && log.keys.is_empty());
    expected.0
}

#[test]
fn repeated_keys_are_found_among_few_and_among_many() {
    let kinds: [fn(usize) -> Vec<u8>; 7] = [
        |n| string(format!("{n}").as_bytes()),
        // The same at both ends.
        |n| string(format!("position {n:03} of the key").as_bytes()),
        |n| int(n as u32),
        |n| words(&[2 | 1 << 16, n as u32, 1]),
        |n| words(&[3, (n as u32) << 16]),
        |n| words(&[5, n as u32, 0]),
        |n| array(&[int(n as u32), string(b"x")]),
    ];
    for count in [
        0,
        1,
        2,
        6,
        MAX_COMPARED - 1,
        MAX_COMPARED,
        MAX_COMPARED + 1,
        60,
        300,
    ] {
        for kind in 0..=kinds.len() {
            // The last kind is a mixture of the others.
            let key = |n: usize| kinds[if kind == kinds.len() { n % kind } else { kind }](n);
            let keys: Vec<_> = (0..count).map(key).collect();
            assert_eq!(check(&keys), 0, "{count} of {kind}");
            for (first, again) in [(0, 1), (0, count / 2), (count / 2, count.wrapping_sub(1))] {
                if first < again && again < count {
                    let mut keys = keys.clone();
                    keys[again] = key(first);
                    assert_eq!(check(&keys), 1, "{first} {again} {count} of {kind}");
                    keys[count - 1] = key(first);
                    assert_eq!(check(&keys), if again == count - 1 { 1 } else { 2 });
                }
            }
        }
    }
}

#[test]
fn equal_keys_with_different_bytes_have_equal_prints() {
    let name = |text: &[u8]| [words(&[21]), string(text)[4..].to_vec()].concat();
    assert_eq!(check(&[string(b"a name"), name(b"a name")]), 1);
    assert_eq!(check(&[int(7), words(&[2 | 1 << 16, 7, 0])]), 1);
    assert_eq!(
        check(&[
            int(0u32.wrapping_sub(7)),
            words(&[2 | 1 << 16, 0u32.wrapping_sub(7), u32::MAX])
        ]),
        1
    );
    assert_eq!(check(&[words(&[3, 0]), words(&[3, 1 << 31])]), 1);
    // Equal prints by chance are not a repeat.
    let text = b"abc";
    let print = text_print(text).to_le_bytes().map(u32::from);
    let [a, b, c, d, e, f, g, h] = print;
    let halves = [
        a | b << 8 | c << 16 | d << 24,
        e | f << 8 | g << 16 | h << 24,
    ];
    assert_eq!(
        check(&[string(text), words(&[2 | 1 << 16, halves[0], halves[1]])]),
        0
    );
}

#[test]
fn few_texts_that_differ_at_an_end_or_in_length_share_a_print() {
    let mut prints = Vec::new();
    for len in 0..40 {
        let text: Vec<u8> = (0..len).map(|n| b'a' + (n % 7) as u8).collect();
        prints.push(text_print(&text));
        for at in (0..len).filter(|at| *at < 4 || *at + 4 >= len) {
            let mut other = text.clone();
            other[at] = b'!';
            prints.push(text_print(&other));
        }
    }
    let all = prints.len();
    prints.sort_unstable();
    prints.dedup();
    assert!(prints.len() > all * 99 / 100, "{} of {all}", prints.len());
}

#[test]
fn value_print_equals_text_print() {
    for len in 0..40_usize {
        let text: Vec<u8> = (0..len).map(|n| 200 - n as u8).collect();
        for header in [4, 21] {
            let value = [
                words(&[header]),
                string(&text)[4..].to_vec(),
                words(&[0, 0]),
            ]
            .concat();
            assert_eq!(value_print(&value, len), Some(text_print(&text)), "{len}");
        }
    }
    // Not at the end of the buffer.
    assert_eq!(value_print(&string(b"abc"), 3), None);
}

/// Strangers may choose keys whose prints all clash, or equal the mark of a free slot. Such keys are hashed.
#[test]
fn clashing_prints_are_handled_in_linear_time() {
    let wide = |n: u64| words(&[2 | 1 << 16, n as u32, (n >> 32) as u32]);
    // The inverse of an odd number by Newton's method. Its products with small numbers have zeros in the high
    // bits.
    let inverse = (0..6).fold(super::SPREAD, |inverse, _| {
        inverse.wrapping_mul(2_u64.wrapping_sub(super::SPREAD.wrapping_mul(inverse)))
    });
    assert_eq!(inverse.wrapping_mul(super::SPREAD), 1);
    let clashing: Vec<_> = (0..500).map(|n| wide(inverse.wrapping_mul(n))).collect();
    assert_eq!(check(&clashing), 0);
    let mut keys: Vec<_> = (0..100).map(int).collect();
    keys.push(wide(FREE));
    assert_eq!(check(&keys), 0);
    keys.push(wide(FREE));
    assert_eq!(check(&keys), 1);
}
