//! What an iterator reports to the iterator around it, and when the fast way is open.

use alloc::vec::Vec;

use gdvar_wire::{Dialect, Limits};

use crate::{
    ArrayIter, Document, ErrorKind, Objects, ReadOptions, VariantRef, bytes::samples::words,
};

/// [[1, 2], [3, [4]], 5]: its children at 8, 32 and 64.
fn rows() -> Vec<u8> {
    words(&[28, 3, 28, 2, 2, 1, 2, 2, 28, 2, 2, 3, 28, 1, 2, 4, 2, 5])
}

fn walk(bytes: &[u8], options: ReadOptions) -> ArrayIter<'_> {
    let root = Document::with_options(bytes, options).root().unwrap();
    root.as_array().unwrap().iter()
}

fn godot_4(bytes: &[u8]) -> ArrayIter<'_> {
    walk(bytes, ReadOptions::new(Dialect::GODOT_4))
}

fn next<'a>(rows: &mut ArrayIter<'a>) -> VariantRef<'a> {
    rows.try_next().unwrap().unwrap()
}

fn inside(value: VariantRef<'_>) -> ArrayIter<'_> {
    value.as_array().unwrap().iter()
}

#[test]
fn the_fast_way_is_open_between_skipped_children() {
    let bytes = rows();
    let options = ReadOptions::new(Dialect::GODOT_4);
    let mut walked = walk(&bytes, options);
    assert_eq!(walked.0.fast_position(), Some((8, 3)));
    next(&mut walked);
    assert_eq!(walked.0.fast_position(), None, "a row is not skipped yet");
    walked.0.settle().unwrap();
    assert_eq!(walked.0.fast_position(), Some((32, 2)));
    next(&mut walked);
    next(&mut walked);
    walked.0.settle().unwrap();
    assert_eq!(walked.0.fast_position(), Some((72, 0)));
    let at_limit = options.with_limits(Limits::ENGINE.with_max_depth(0));
    let below = options.with_limits(Limits::ENGINE.with_max_depth(1));
    assert_eq!(walk(&bytes, at_limit).0.fast_position(), None);
    assert_eq!(walk(&bytes, below).0.fast_position(), Some((8, 3)));
    // In strict mode it never is, not even after a row.
    let mut walked = walk(&bytes, options.strict());
    assert_eq!(walked.0.fast_position(), None);
    next(&mut walked);
    walked.0.settle().unwrap();
    assert_eq!(walked.0.fast_position(), None);
}

#[test]
fn pass_continues_after_the_child() {
    let bytes = rows();
    for options in [
        ReadOptions::new(Dialect::GODOT_4),
        ReadOptions::new(Dialect::GODOT_4).strict(),
    ] {
        // From each of the two rows 0, 1 or 2 children are taken. The last child of the second row is a row
        // itself.
        for taken in 0..=2 {
            let mut outer = walk(&bytes, options);
            for end in [32, 64] {
                let mut inner = inside(next(&mut outer));
                for _ in 0..taken {
                    next(&mut inner);
                }
                outer.pass(&inner).unwrap();
                assert_eq!(outer.0.at, end, "{taken}");
                assert!(!outer.0.is_pending(), "{taken}");
            }
            assert_eq!(next(&mut outer).as_i64(), Some(5));
            assert!(outer.try_next().unwrap().is_none());
        }
    }
}

#[test]
fn pass_ignores_iterators_over_other_values() {
    let bytes = rows();
    let [first, second] = [0, 1].map(|n| {
        let mut rows = godot_4(&bytes);
        for _ in 0..n {
            next(&mut rows);
        }
        next(&mut rows)
    });
    let drained = |row| {
        let mut row = inside(row);
        while row.try_next().unwrap().is_some() {}
        row
    };
    // Before the row was returned.
    let mut outer = godot_4(&bytes);
    outer.pass(&drained(first)).unwrap();
    assert_eq!(next(&mut outer).offset(), 8);
    // Another row.
    outer.pass(&drained(second)).unwrap();
    assert_eq!((outer.0.at, outer.0.is_pending()), (8, true));
    // A longer row at the same offset of another buffer: [[1, 2, 3]].
    let others = words(&[28, 1, 28, 3, 2, 1, 2, 2, 2, 3]);
    outer.pass(&drained(next(&mut godot_4(&others)))).unwrap();
    assert_eq!(next(&mut outer).offset(), 32);
    // A row that was skipped already.
    outer.pass(&drained(first)).unwrap();
    assert_eq!((outer.0.at, outer.0.is_pending()), (32, true));
}

#[test]
fn pass_continues_after_objects_and_dictionaries() {
    // [Object A {a: 1, b: [2], c: 3}, {4: [5], 6: 7}, 8]
    #[rustfmt::skip]
    let bytes = words(&[
        28, 3,
        24, 1, 0x41, 3, 1, 0x61, 2, 1, 1, 0x62, 28, 1, 2, 2, 1, 0x63, 2, 3,
        27, 2, 2, 4, 28, 1, 2, 5, 2, 6, 2, 7,
        2, 8,
    ]);
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    for taken in 0..=3 {
        let mut outer = walk(&bytes, options);
        let mut object = next(&mut outer).as_object().unwrap().iter();
        for _ in 0..taken {
            object.try_next().unwrap();
        }
        outer.pass(&object).unwrap();
        assert_eq!(outer.0.at, 80, "{taken}");
        let mut dict = next(&mut outer).as_dict().unwrap().iter();
        for _ in 0..taken {
            dict.try_next().unwrap();
        }
        outer.pass(&dict).unwrap();
        assert_eq!(outer.0.at, 128, "{taken}");
        assert_eq!(next(&mut outer).as_i64(), Some(8));
    }
}

#[test]
fn pass_after_an_error_returns_the_error() {
    // [[[]]] with a limit of two levels: the outer iterator gives the error of the inner one.
    let bytes = words(&[28, 1, 28, 1, 28, 0]);
    let options = ReadOptions::new(Dialect::GODOT_4).with_limits(Limits::ENGINE.with_max_depth(1));
    let mut outer = walk(&bytes, options);
    let mut inner = inside(next(&mut outer));
    let error = inner.try_next().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthExceeded { limit: 1 });
    assert!(inner.try_next().unwrap().is_none());
    assert_eq!(outer.pass(&inner), Err(error));
    assert!(outer.try_next().unwrap().is_none());
    // A property whose name is longer than the buffer. Read as a value it would be an int.
    let bytes = words(&[28, 2, 24, 1, 0x41, 1, 0x0100_0002, 1, 2, 1]);
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let mut outer = walk(&bytes, options);
    let mut object = next(&mut outer).as_object().unwrap().iter();
    let error = object.try_next().unwrap_err();
    assert_eq!((error.offset(), error.is_truncated()), (28, true));
    assert_eq!(outer.pass(&object), Err(error));
    assert!(outer.try_next().unwrap().is_none());
}
