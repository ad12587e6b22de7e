use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::{few, value};
use crate::{
    ReadOptions,
    bytes::samples::{array, dict, int, nested, string},
};

/// The number of values that are passed besides the outermost.
const FEW: u64 = super::FEW - 1;

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// How far the passing without a stack comes over a value at that depth, bytes behind it.
fn passed(value: &[u8], options: ReadOptions, depth: u16) -> Option<usize> {
    let bytes = [value, b"behind"].concat();
    let room = options.max_depth().checked_sub(depth)?;
    let behind = few(&bytes, 1, options.dialect(), room)?;
    Some(bytes.len() - behind.len())
}

fn ints(count: u64) -> Vec<Vec<u8>> {
    (0..count).map(|n| int(n as u32)).collect()
}

#[test]
fn few_plain_values_are_passed_without_a_stack() {
    let record = dict(&[
        ("id", int(7)),
        ("tags", array(&[string(b"a"), string(b"b")])),
    ]);
    let all = [
        array(&[]),
        array(&ints(1)),
        array(&ints(FEW)),
        record.clone(),
        array(&[record.clone(), int(1), record]),
        nested(40, int(7)),
    ];
    for value in all {
        assert_eq!(passed(&value, OPTIONS, 0), Some(value.len()));
    }
}

#[test]
fn many_values_are_not() {
    assert_eq!(passed(&array(&ints(FEW + 1)), OPTIONS, 0), None);
    // Two children inside of one of them, which are one or two too many with it.
    for (beside, fits) in [(FEW - 3, true), (FEW - 2, false), (FEW - 1, false)] {
        for at in [0, beside as usize] {
            let mut children = ints(beside);
            children.insert(at, array(&ints(2)));
            let value = array(&children);
            let end = fits.then_some(value.len());
            assert_eq!(passed(&value, OPTIONS, 0), end, "{beside} {at}");
        }
    }
    let others = vec![array(&ints(3)); 16];
    assert_eq!(
        passed(&array(&others), OPTIONS, 0),
        Some(others.concat().len() + 8)
    );
    let others = vec![array(&ints(3)); 17];
    assert_eq!(passed(&array(&others), OPTIONS, 0), None);
}

#[test]
fn what_might_be_too_deep_is_not() {
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
fn the_end_is_the_same_in_every_way() {
    let all = [
        int(7),
        string(b"text"),
        array(&ints(FEW)),
        array(&ints(FEW + 1)),
        nested(100, array(&ints(2))),
    ];
    for one in all {
        let bytes = [&one[..], b"behind"].concat();
        for options in [OPTIONS, OPTIONS.strict()] {
            assert_eq!(value(&bytes, 0, options, 0), Ok(one.len()));
        }
    }
}

#[test]
fn options_that_change_sizes_are_kept() {
    // A Vector4 of f64 without a flag, as precision=double builds of Godot 4 wrote it.
    let vector = [&[12, 0, 0, 0][..], &[0; 32]].concat();
    let bytes = [array(&[vector.clone(), int(1)]), vec![0; 64]].concat();
    let end = 8 + vector.len() + 8;
    let options = OPTIONS.with_unflagged_vector4_is_f64(true);
    assert_eq!(value(&bytes, 0, options, 0), Ok(end));
    assert_eq!(value(&bytes, 0, OPTIONS, 0), Ok(8 + 20 + 4));
}
