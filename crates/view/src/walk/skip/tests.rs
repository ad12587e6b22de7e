use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::{REACH, near, several, value};
use crate::{
    ReadOptions,
    bytes::samples::{array, dict, int, nested, string, words},
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// Returns the end of the value at depth `depth`, with bytes after it, if no walk is needed.
fn passed(value: &[u8], options: ReadOptions, depth: u16) -> Option<usize> {
    let bytes = [value, b"behind"].concat();
    near(&bytes, 0, 1, options, depth)
}

fn ints(count: u64) -> Vec<Vec<u8>> {
    (0..count).map(|n| int(n as u32)).collect()
}

/// A NodePath `a/b` of Godot 4.
fn path() -> Vec<u8> {
    words(&[22, 2 | 1 << 31, 0, 0, 1, 0x61, 1, 0x62])
}

#[test]
fn near_values_are_skipped_without_a_walk() {
    let record = dict(&[
        ("id", int(7)),
        ("path", path()),
        ("tags", array(&[string(b"a"), string(b"b")])),
    ]);
    let all = [
        int(1),
        path(),
        array(&[]),
        array(&ints(400)),
        record.clone(),
        array(&[record.clone(), int(1), record]),
        // Only the last child of each is a container, so nothing is suspended.
        nested(40, int(7)),
    ];
    for value in all {
        assert_eq!(passed(&value, OPTIONS, 0), Some(value.len()));
        assert_eq!(passed(&value, OPTIONS.strict(), 0), None);
    }
    let three = [int(1), array(&[path()]), string(b"text")].concat();
    assert_eq!(near(&three, 0, 3, OPTIONS, 0), Some(three.len()));
    assert_eq!(near(&three, 0, 4, OPTIONS, 0), None);
}

#[test]
fn far_and_deep_values_need_a_walk() {
    let far = string(&[b'a'; REACH]);
    assert_eq!(passed(&far, OPTIONS, 0), None);
    assert_eq!(passed(&array(&ints(REACH as u64 / 8)), OPTIONS, 0), None);
    // Nine containers with a child left would have to be suspended.
    let deep = (0..10).fold(int(1), |inside, _| array(&[inside, int(2)]));
    assert_eq!(passed(&deep, OPTIONS, 0), None);
    assert_eq!(value(&deep, 0, OPTIONS, 0), Ok(deep.len()));
    assert_eq!(value(&far, 0, OPTIONS, 0), Ok(far.len()));
}

#[test]
fn the_depth_limit_is_kept() {
    let options = OPTIONS.with_limits(Limits::ENGINE.with_max_depth(10));
    for depth in 0..=10 {
        for inside in 1..=10 {
            let value = nested(inside, int(7));
            let fits = usize::from(depth) + inside <= 10;
            let end = fits.then_some(value.len());
            assert_eq!(passed(&value, options, depth), end, "{inside} at {depth}");
        }
    }
}

#[test]
fn every_way_to_skip_finds_the_same_end() {
    let all = [
        int(7),
        string(b"text"),
        array(&ints(9)),
        array(&ints(999)),
        nested(100, array(&ints(2))),
        path(),
    ];
    for one in all {
        let bytes = [&one[..], &one[..], b"behind"].concat();
        for options in [OPTIONS, OPTIONS.strict()] {
            assert_eq!(value(&bytes, 0, options, 0), Ok(one.len()));
            assert_eq!(several(&bytes, 0, 2, options, 0), Ok(2 * one.len()));
            assert_eq!(several(&bytes, 0, 0, options, 0), Ok(0));
        }
    }
}

#[test]
fn options_that_change_sizes_are_respected() {
    // A Vector4 of f64 without a flag, as precision=double builds of Godot 4 wrote it.
    let vector = [&[12, 0, 0, 0][..], &[0; 32]].concat();
    let bytes = [array(&[vector.clone(), int(1)]), vec![0; 64]].concat();
    let end = 8 + vector.len() + 8;
    let options = OPTIONS.with_unflagged_vector4_is_f64(true);
    assert_eq!(value(&bytes, 0, options, 0), Ok(end));
    assert_eq!(value(&bytes, 0, OPTIONS, 0), Ok(8 + 20 + 4));
}
