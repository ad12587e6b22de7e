use alloc::{vec, vec::Vec};

use gdvar_wire::Dialect;

use super::{Looks, MANY, PAUSE, SAMPLE, WORTH, advance};
use crate::bytes::samples::{ARRAY, Told, int, starts, string, words};

/// The number of the elements of an array that are passed, after the places were compared.
fn passed(values: &[Vec<u8>]) -> usize {
    let bytes = [int(0), values.concat(), int(0)].concat();
    let mut told = Told::default();
    let mut looks = Looks::default();
    let count = values.len() as u32;
    let dialect = Dialect::GODOT_4;
    let (at, passed) = advance(&bytes, 8, count, dialect, true, &mut looks, &mut told);
    let passed = passed as usize;
    let starts = starts(8, values);
    assert_eq!(told.0, starts[..passed]);
    assert_eq!(at, starts.get(passed).copied().unwrap_or(bytes.len() - 8));
    // After a look in vain there is none for a while.
    let next = if passed == 0 { at + PAUSE } else { at };
    assert!(looks.are_due(next, MANY) && !looks.are_due(next - 1, MANY));
    assert!(!looks.are_due(next, MANY - 1));
    passed
}

#[test]
fn runs_of_all_kinds_of_leaves_are_passed_one_after_the_other() {
    let kinds = [
        int(7),
        string("täxt".as_bytes()),
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
fn runs_that_are_short_come_to_an_end() {
    let single = |n: usize| {
        if n % 2 == 0 {
            int(1)
        } else {
            words(&[9, 1, 2, 3])
        }
    };
    for first in 0..3 * WORTH as usize {
        let mut values = vec![words(&[1, 1]); first];
        values.extend((0..100).map(single));
        // After a run that was worth it one more is tried.
        let expected = match first {
            first if first < SAMPLE => 0,
            first if first < WORTH as usize => first,
            first => first + 1,
        };
        assert_eq!(passed(&values), expected, "{first}");
    }
}

/// Text that is short and ASCII is passed as fast by the loop.
#[test]
fn texts_are_passed_together_where_that_is_faster() {
    for (text, is_worth) in [
        (&b"short"[..], false),
        (&[b'x'; 32], false),
        (&[b'x'; 33], true),
        ("ä".as_bytes(), true),
        (b"", false),
    ] {
        let mut values = vec![string(b"abcd"); 200];
        values[SAMPLE - 1] = string(text);
        let expected = if is_worth { 200 } else { 0 };
        assert_eq!(passed(&values), expected, "{text:?}");
        values.swap(SAMPLE - 1, SAMPLE);
        assert_eq!(passed(&values), 0, "{text:?}");
    }
    // Cut short.
    let bytes = string("ä".as_bytes()).repeat(SAMPLE);
    let mut looks = Looks::default();
    let mut look =
        |bytes: &[u8]| advance(bytes, 0, 200, Dialect::GODOT_4, true, &mut looks, &mut ()).1;
    assert_eq!(look(&bytes), SAMPLE as u32);
    assert_eq!(look(&bytes[..bytes.len() - 1]), 0);
}
