use alloc::{vec, vec::Vec};

use gdvar_wire::Dialect;

use super::{Backoff, MIN_CHILDREN, MIN_RUN, PAUSE, SAMPLE, advance};
use crate::bytes::samples::{ARRAY, RecordedOffsets, int, starts, string, words};

/// Returns how many elements of an array are skipped, after checking the reported offsets.
fn passed(values: &[Vec<u8>]) -> usize {
    let bytes = [int(0), values.concat(), int(0)].concat();
    let mut recorded = RecordedOffsets::default();
    let mut backoff = Backoff::default();
    let count = values.len() as u32;
    let dialect = Dialect::GODOT_4;
    let (at, passed) = advance(&bytes, 8, count, dialect, true, &mut backoff, &mut recorded);
    let passed = passed as usize;
    let starts = starts(8, values);
    assert_eq!(recorded.0, starts[..passed]);
    assert_eq!(at, starts.get(passed).copied().unwrap_or(bytes.len() - 8));
    // After a failure there is a pause.
    let next = if passed == 0 { at + PAUSE } else { at };
    assert!(backoff.is_due(next, MIN_CHILDREN) && !backoff.is_due(next - 1, MIN_CHILDREN));
    assert!(!backoff.is_due(next, MIN_CHILDREN - 1));
    passed
}

#[test]
fn runs_of_different_kinds_follow_each_other() {
    let kinds = [
        int(7),
        string("täxt".as_bytes()),
        words(&[2 | 1 << 16, 1, 2]),
        words(&[9, 1, 2, 3]),
        words(&[0]),
    ];
    let values: Vec<_> = (0..100).map(|n| kinds[n / 20].clone()).collect();
    assert_eq!(passed(&values), 100);
    // A value of another kind ends the run.
    let mut values = values;
    values[50] = words(&[ARRAY, 0]);
    assert_eq!(passed(&values), 50);
    assert_eq!(passed(&[]), 0);
}

#[test]
fn short_runs_end_the_attempt() {
    let single = |n: usize| {
        if n % 2 == 0 {
            int(1)
        } else {
            words(&[9, 1, 2, 3])
        }
    };
    for first in 0..3 * MIN_RUN as usize {
        let mut values = vec![words(&[1, 1]); first];
        values.extend((0..100).map(single));
        // After a run that was long enough one more is tried.
        let expected = match first {
            first if first < SAMPLE => 0,
            first if first < MIN_RUN as usize => first,
            first => first + 1,
        };
        assert_eq!(passed(&values), expected, "{first}");
    }
}

/// Short ASCII is as fast in the loop.
#[test]
fn texts_are_skipped_together_where_that_is_faster() {
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
    // Cut off.
    let bytes = string("ä".as_bytes()).repeat(SAMPLE);
    let mut backoff = Backoff::default();
    let mut try_run =
        |bytes: &[u8]| advance(bytes, 0, 200, Dialect::GODOT_4, true, &mut backoff, &mut ()).1;
    assert_eq!(try_run(&bytes), SAMPLE as u32);
    assert_eq!(try_run(&bytes[..bytes.len() - 1]), 0);
}
