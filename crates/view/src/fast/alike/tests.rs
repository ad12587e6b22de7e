use alloc::{format, vec, vec::Vec};

use gdvar_wire::Dialect;

use super::{Learned, advance};
use crate::{
    ReadOptions,
    bytes::{
        plain::Pending,
        samples::{ARRAY, Told, array, dict, int, starts, string, words},
    },
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// The number of the children of an array that are passed, after the places were compared.
fn passed(values: &[Vec<u8>]) -> usize {
    let bytes = [int(0), values.concat(), int(0)].concat();
    let now = Pending {
        left: values.len() as u32,
        is_dict: false,
    };
    let mut told = Told::default();
    let mut learned = Learned::default();
    let rest = &bytes[8..];
    let (rest, left) = advance::<true>(&bytes, rest, now, OPTIONS, 1, &mut learned, &mut told);
    let at = bytes.len() - rest.len();
    let passed = values.len() - left as usize;
    let starts = starts(8, values);
    assert_eq!(told.0, starts[..passed]);
    assert_eq!(at, starts.get(passed).copied().unwrap_or(bytes.len() - 8));
    passed
}

#[test]
fn runs_of_all_kinds_of_leaves_are_passed_one_behind_the_other() {
    let kinds = [
        int(7),
        string(b"text"),
        words(&[2 | 1 << 16, 1, 2]),
        words(&[9, 1, 2, 3]),
        words(&[0]),
    ];
    let values: Vec<_> = (0..100).map(|n| kinds[n / 20].clone()).collect();
    assert_eq!(passed(&values), 100);
    // One that is none of them ends it.
    let mut values = values;
    values[50] = words(&[ARRAY, 0]);
    assert_eq!(passed(&values), 50);
    assert_eq!(passed(&[]), 0);
}

#[test]
fn looks_that_pass_little_come_to_an_end() {
    let single = |n: usize| {
        if n % 2 == 0 {
            int(1)
        } else {
            words(&[9, 1, 2, 3])
        }
    };
    let behind = |first: usize| {
        let mut values = vec![words(&[1, 1]); first];
        values.extend((0..100).map(single));
        passed(&values)
    };
    // A look costs six: what eleven values leave is used up by the next.
    assert_eq!(behind(0), 0);
    assert_eq!(behind(5), 5);
    assert_eq!(behind(6), 7);
    assert_eq!(behind(11), 13);
    assert_eq!(behind(12), 14);
    // However long a run was, it pays for a dozen looks: 64 - 12 * 5 < 6.
    assert_eq!(behind(64), 76);
    assert_eq!(behind(1000), 1012);
}

/// The number of records that shortcuts pass of these values in an array, or with a key before each; a value that
/// they leave is passed alone.
fn records_passed(values: &[Vec<u8>], is_dict: bool) -> usize {
    let key = |n: usize| string(format!("{n}").as_bytes());
    let keyed = |(n, value): (usize, &Vec<u8>)| match is_dict {
        true => vec![key(n), value.clone()],
        false => vec![value.clone()],
    };
    let children: Vec<_> = values.iter().enumerate().flat_map(keyed).collect();
    let bytes = [int(0), children.concat(), int(0)].concat();
    let starts = starts(8, &children);
    let mut learned = Learned::default();
    let (mut next, mut passed) = (0, 0);
    while next < children.len() {
        let now = Pending {
            left: (children.len() - next) as u32,
            is_dict,
        };
        let rest = &bytes[starts[next]..];
        let (_, left) = advance::<true>(&bytes, rest, now, OPTIONS, 1, &mut learned, &mut ());
        let reached = children.len() - left as usize;
        passed += reached - next;
        next = if reached == next { next + 1 } else { reached };
    }
    if is_dict { passed / 2 } else { passed }
}

#[test]
fn records_are_learned_when_siblings_were_proved_alike() {
    let record = dict(&[("k", int(1))]);
    for is_dict in [false, true] {
        // The third is like the second, which is like the first.
        assert_eq!(records_passed(&vec![record.clone(); 100], is_dict), 98);
        // Too few to pay for a lesson.
        assert_eq!(records_passed(&vec![record.clone(); 30], is_dict), 0);
        // The sibling has another key, or a value of another kind.
        for other in [dict(&[("l", int(1))]), dict(&[("k", words(&[1, 1]))])] {
            let values: Vec<_> = (0..600).map(|n| [&record, &other][n % 2].clone()).collect();
            assert_eq!(records_passed(&values, is_dict), 0);
        }
        // No records at all.
        for other in [int(1), words(&[ARRAY, 0])] {
            let passed = records_passed(&vec![other.clone(); 600], true);
            assert_eq!(passed, 0, "{other:?}");
        }
    }
}

/// Records of which now and then some in a row are alike: what the lessons cost stays in proportion to the records.
#[test]
fn lessons_are_rare_where_records_are_seldom_alike() {
    let lists = |n: usize| {
        let items = vec![int(1); n / 3 % 7];
        dict(&[("k", int(1)), ("list", array(&items))])
    };
    let values: Vec<_> = (0..5000).map(lists).collect();
    let mut learned = Learned::default();
    let bytes = [int(0), values.concat(), int(0)].concat();
    let (mut lessons, mut before) = (0, usize::MAX);
    for (n, at) in starts(8, &values).into_iter().enumerate() {
        let now = Pending {
            left: (values.len() - n) as u32,
            is_dict: false,
        };
        let _ = advance::<true>(&bytes, &bytes[at..], now, OPTIONS, 1, &mut learned, &mut ());
        if learned.lesson_from != before {
            (lessons, before) = (lessons + 1, learned.lesson_from);
        }
    }
    assert!((1..=5000 / 100 + 1).contains(&lessons), "{lessons}");
}
