use alloc::{format, string::String, vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::Template;
use crate::{
    ReadOptions,
    bytes::samples::{dict, int, nested, string, words},
};

const D: Dialect = Dialect::GODOT_4;

fn empty() -> Template {
    Template::EMPTY
}

/// The effect of a changed byte on a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    /// Headers, counts and keys.
    Fixed,
    /// Payloads of numbers, padding.
    Free,
    /// A value string's text.
    Text,
    /// A value string's length.
    Len,
}

/// A record with all kinds of bytes, and what they are.
fn record(name: &str, level: u32) -> (Vec<u8>, Vec<Byte>) {
    use Byte::{Fixed, Free, Len, Text};
    let mut parts: Vec<(Vec<u8>, Byte)> = vec![];
    let key = |parts: &mut Vec<(Vec<u8>, Byte)>, key: &str| {
        let bytes = string(key.as_bytes());
        let (text, padding) = bytes.split_at(8 + key.len());
        parts.push((text.to_vec(), Fixed));
        parts.push((padding.to_vec(), Free));
    };
    let value = |parts: &mut Vec<(Vec<u8>, Byte)>, text: &str| {
        let bytes = string(text.as_bytes());
        parts.push((bytes[..4].to_vec(), Fixed));
        parts.push((bytes[4..8].to_vec(), Len));
        parts.push((text.as_bytes().to_vec(), Text));
        parts.push((bytes[8 + text.len()..].to_vec(), Free));
    };
    let number = |parts: &mut Vec<(Vec<u8>, Byte)>, header: u32, payload: &[u32]| {
        parts.push((words(&[header]), Fixed));
        parts.push((words(payload), Free));
    };
    parts.push((words(&[27, 6]), Fixed));
    key(&mut parts, "id");
    number(&mut parts, 2, &[level]);
    key(&mut parts, "name");
    value(&mut parts, name);
    key(&mut parts, "position");
    number(&mut parts, 9, &[1, 2, level]);
    key(&mut parts, "items");
    parts.push((words(&[28, 3]), Fixed));
    value(&mut parts, "sword");
    number(&mut parts, 1, &[1]);
    value(&mut parts, "a longer name than sixteen bytes");
    key(&mut parts, "more");
    parts.push((words(&[27, 1]), Fixed));
    key(&mut parts, "gold");
    number(&mut parts, 0x1_0002, &[level, 0]);
    key(&mut parts, "alive");
    number(&mut parts, 1, &[1]);
    let bytes = parts.iter().flat_map(|(part, _)| part.clone()).collect();
    let kinds = parts
        .iter()
        .flat_map(|(part, kind)| part.iter().map(|_| *kind))
        .collect();
    (bytes, kinds)
}

fn learned(record: &[u8]) -> Template {
    let mut template = Template::EMPTY;
    let bytes = [record, &int(1)].concat();
    assert_eq!(template.learn::<true>(&bytes, 0, D), Some(record.len()));
    template
}

/// The end of the value at `at`, if it has the template's shape.
fn end<const CHECK: bool>(template: &Template, bytes: &[u8], at: usize) -> Option<usize> {
    let behind = template.pass::<CHECK>(bytes, bytes.get(at..)?)?;
    Some(bytes.len() - behind.len())
}

/// The ends by the template, with text looked at and without.
fn ends(template: &Template, bytes: &[u8], at: usize) -> [Option<usize>; 2] {
    [
        end::<true>(template, bytes, at),
        end::<false>(template, bytes, at),
    ]
}

#[test]
fn a_changed_bit_matters_where_it_means_something() {
    let (bytes, kinds) = record("Ari", 7);
    let template = learned(&bytes);
    let len = bytes.len();
    for front in [0, 8, 40] {
        for behind in [0, 4, 40] {
            let mut all = vec![0xee; front];
            all.extend(&bytes);
            all.resize(front + len + behind, 0xee);
            let whole = Some(front + len);
            assert_eq!(ends(&template, &all, front), [whole; 2]);
            for (at, kind) in kinds.iter().enumerate() {
                for bit in 0..8 {
                    all[front + at] ^= 1 << bit;
                    let expected = match kind {
                        Byte::Fixed => [None; 2],
                        Byte::Free => [whole; 2],
                        // An ASCII character becomes a byte that continues or begins a longer one.
                        Byte::Text if bit == 7 => [None, whole],
                        Byte::Text => [whole; 2],
                        Byte::Len => ends(&template, &all, front).map(|_| None),
                    };
                    if *kind != Byte::Len {
                        let place = (front, behind, at, bit, kind);
                        assert_eq!(ends(&template, &all, front), expected, "{place:?}");
                    }
                    all[front + at] ^= 1 << bit;
                }
            }
        }
    }
}

#[test]
fn text_may_have_any_length_and_bytes_must_not_end_early() {
    let template = learned(&record("Ari", 7).0);
    let long = "abcdefgh".repeat(12);
    for len in 0..long.len() {
        for name in [String::from(&long[..len]), format!("{}é", &long[..len])] {
            let (bytes, kinds) = record(&name, 1);
            assert_eq!(ends(&template, &bytes, 0), [Some(bytes.len()); 2], "{name}");
            for cut in 0..bytes.len() {
                assert_eq!(ends(&template, &bytes[..cut], 0), [None; 2], "{cut}");
            }
            // Half a character.
            let mut bad = bytes.clone();
            let last = kinds.iter().position(|kind| *kind == Byte::Text);
            let Some(first) = last.filter(|_| !name.is_empty()) else {
                continue;
            };
            bad[first + name.len() - 1] = 0xc3;
            assert_eq!(ends(&template, &bad, 0), [None, Some(bad.len())], "{name}");
        }
    }
}

#[test]
fn what_is_too_large_is_no_template() {
    // 8 bytes of the dictionary, 20 a number; the last string's key and header take 16.
    let with = |numbers: usize, strings: usize| {
        let mut pairs = vec![("k", int(1)); numbers];
        pairs.extend(vec![("s", string(b"")); strings]);
        [dict(&pairs), int(0)].concat()
    };
    let learn = |bytes: &[u8]| {
        let mut template = Template::EMPTY;
        let end = template.learn::<true>(bytes, 0, D);
        end.map(|end| {
            assert_eq!(end, bytes.len() - 8);
            // The learned bytes are compared whole.
            assert_eq!(ends(&template, bytes, 0), [Some(end); 2]);
            for at in (0..end).step_by(4) {
                let mut bad = bytes.to_vec();
                bad[at] ^= 0x40;
                let before = at.checked_sub(4).and_then(|start| bytes.get(start..at));
                let is_number = before == Some(&[2, 0, 0, 0]) && at > 8;
                // With the length of a text the rest moves.
                let is_len = before == Some(&[4, 0, 0, 0]) && bytes[at] == 0;
                if !is_len {
                    let end = super::tests::end::<true>(&template, &bad, 0);
                    assert_eq!(end.is_some(), is_number, "{at}");
                }
            }
            template.count
        })
    };
    // A segment takes 512 bytes at most: 8 + 24 × 20 + 16 = 504.
    assert_eq!(learn(&with(24, 1)), Some(2));
    assert_eq!(learn(&with(25, 1)), None);
    assert_eq!(learn(&with(25, 0)), Some(1));
    assert_eq!(learn(&with(26, 0)), None);
    assert_eq!(learn(&with(0, 0)), Some(1));
    // 11 strings cut it into 12 segments.
    assert_eq!(learn(&with(0, 11)), Some(12));
    assert_eq!(learn(&with(0, 12)), None);
    for numbers in 0..24 {
        assert_eq!(learn(&with(numbers, 1)), Some(2), "{numbers}");
    }
    // 14 blocks of 32 bytes between the ends of segments: 444 bytes take 12, 120 take 2.
    let two = |behind: usize| {
        let numbers = |count| vec![("k", int(1)); count];
        let pairs = [numbers(21), vec![("s", string(b""))], numbers(behind)].concat();
        learn(&[dict(&pairs), int(0)].concat())
    };
    assert_eq!(two(6), Some(2));
    assert_eq!(two(7), None);
    // Counts above 512 are not looked at, and a null at the very end has no second word.
    let many = [words(&[27, 513]), int(0)].concat();
    assert_eq!(learn(&many), None);
    let null = dict(&[("k", words(&[0]))]);
    assert_eq!(empty().learn::<true>(&null, 0, D), None);
}

#[test]
fn depth_is_counted_with_the_record_itself() {
    let limit = |max| ReadOptions::new(D).with_limits(Limits::ENGINE.with_max_depth(max));
    // At the very limit, and where it is one too deep.
    let fits = |template: &Template, deep: u16| {
        let fits = [0, 5].map(|depth| template.fits(limit(depth + deep), depth));
        let too_deep = [0, 5].map(|depth| template.fits(limit(depth + deep - 1), depth));
        fits == [true; 2] && too_deep == [false; 2]
    };
    for deep in 1..=8 {
        let value = dict(&[("k", nested(usize::from(deep) - 1, int(1)))]);
        assert!(fits(&learned(&value), deep), "{deep}");
    }
    let value = [dict(&[("k", nested(8, int(1)))]), int(0)].concat();
    assert_eq!(empty().learn::<true>(&value, 0, D), None);
    assert!(!empty().fits(limit(100), 0));
    // An empty container is one, too.
    assert!(fits(&learned(&dict(&[("k", words(&[28, 0]))])), 2));
}

#[test]
fn bad_text_is_not_learned() {
    for bad in [
        dict(&[("k", string(b"\xff"))]),
        [words(&[27, 1]), string(b"\xff"), int(1)].concat(),
        // A key that is no text, and a value that this does not know.
        [words(&[27, 1]), int(1), string(b"")].concat(),
        dict(&[("k", words(&[29, 0]))]),
        // Some of its bytes are missing.
        words(&[27, 3]),
    ] {
        let bytes = [bad.clone(), int(1), int(1)].concat();
        let end = empty().learn::<true>(&bytes, 0, D);
        // A number as a key changes nothing in the layout.
        let is_layout = bad.get(8..12) == Some(&[2, 0, 0, 0]);
        assert_eq!(end, is_layout.then_some(bad.len()), "{bad:?}");
    }
    let unchecked = [dict(&[("k", string(b"\xff"))]), int(1)].concat();
    let end = empty().learn::<false>(&unchecked, 0, D);
    assert_eq!(end, Some(unchecked.len() - 8));
}
