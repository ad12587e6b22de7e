use alloc::{format, vec, vec::Vec};

use gdvar_wire::Dialect;

use super::{Learned, advance};
use crate::{
    ReadOptions,
    bytes::{
        plain::Pending,
        samples::{ARRAY, Told, dict, int, starts, string, words},
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
    // So are records, up to what is none.
    let mut records = vec![dict(&[("k", int(1))]); 60];
    assert_eq!(passed(&records), 60);
    records.extend(values.clone());
    assert_eq!(passed(&records), 60);
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
    assert_eq!(behind(0), 1);
    assert_eq!(behind(5), 5);
    assert_eq!(behind(6), 7);
    assert_eq!(behind(11), 13);
    assert_eq!(behind(12), 14);
    // However long a run was, it pays for a dozen looks: 64 - 12 * 5 < 6.
    assert_eq!(behind(64), 76);
    assert_eq!(behind(1000), 1012);
}

#[test]
fn of_dictionaries_only_those_of_records_are_looked_at() {
    let record = dict(&[("k", int(1))]);
    let pass = |value: &[u8], key: Vec<u8>| {
        let mut pair = vec![key, value.to_vec()];
        pair.extend((0..40).flat_map(|n| [string(format!("{n}").as_bytes()), record.clone()]));
        let now = Pending {
            left: pair.len() as u32,
            is_dict: true,
        };
        let bytes = pair.concat();
        let mut learned = Learned::default();
        let (rest, left) = advance::<true>(&bytes, &bytes, now, OPTIONS, 1, &mut learned, &mut ());
        assert_eq!(rest.len() == bytes.len(), left == now.left);
        assert_eq!(left == 0, rest.is_empty());
        (left, learned.state().1)
    };
    assert_eq!(pass(&record, string(b"key")), (0, true));
    assert_eq!(pass(&int(1), string(b"key")), (82, false));
    assert_eq!(pass(&words(&[ARRAY, 0]), string(b"key")), (82, false));
    assert_eq!(pass(&record, int(1)), (82, false));
}
