use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::SMALL;
use crate::{
    ReadOptions,
    bytes::samples::{array, dict, element, int, nested, string, words},
    walk::stack::SHORT,
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// Returns the end of a small value, if it is not nested deeper than `max_depth`.
fn small(bytes: &[u8], max_depth: u16) -> Option<usize> {
    let limits = Limits::ENGINE.with_max_depth(max_depth);
    super::small(bytes, OPTIONS.with_limits(limits))
}

#[test]
fn the_end_of_a_small_value_is_found() {
    let strings = [words(&[34, 2]), element("né".as_bytes()), element(b"")].concat();
    let good = [
        words(&[0]),
        int(1),
        string(b""),
        string("é日本語".as_bytes()),
        string(&[b'x'; 500]),
        words(&[9, 1, 2, 3]),
        words(&[0x1_0003, 1, 2]),
        // A StringName, packed arrays, a NodePath.
        [words(&[21]), string(b"name")[4..].to_vec()].concat(),
        [words(&[29, 5]), b"abcde\0\0\0".to_vec()].concat(),
        words(&[30, 2, 7, 8]),
        words(&[35 | 1 << 16, 1, 0, 1, 0, 2]),
        [
            words(&[22, 1 | 1 << 31, 1, 1]),
            element(b"root"),
            element("né".as_bytes()),
        ]
        .concat(),
        // Typed containers.
        [words(&[28 | 1 << 16, 2, 2]), int(1), int(2)].concat(),
        [words(&[27 | 5 << 16, 4, 2, 1]), string(b"k"), int(2)].concat(),
        [words(&[27 | 4 << 16, 2, 1]), string(b"k"), int(2)].concat(),
        array(&[]),
        dict(&[]),
        strings.clone(),
        array(&[
            int(1),
            string(b"a"),
            array(&[]),
            dict(&[("k", array(&[int(2)]))]),
            int(3),
        ]),
        dict(&[
            ("a", int(1)),
            ("b", strings),
            ("c", dict(&[("d", words(&[0]))])),
        ]),
        [
            words(&[27, 1]),
            int(5),
            string(b"a key of any type is valid"),
        ]
        .concat(),
        array(&(0..40).map(int).collect::<Vec<_>>()),
    ];
    for value in &good {
        assert_eq!(small(value, 1024), Some(value.len()), "{value:?}");
        let followed = [value.as_slice(), &[0xff; 8]].concat();
        assert_eq!(small(&followed, 1024), Some(value.len()));
        for cut in 0..value.len() {
            assert_eq!(small(&value[..cut], 1024), None, "{cut} of {value:?}");
        }
        // In a container that ends with it, and in one where another value follows.
        for outer in [
            array(core::slice::from_ref(value)),
            dict(&[("k", value.clone()), ("z", int(1))]),
        ] {
            let followed = [outer.as_slice(), &[0xff; 8]].concat();
            assert_eq!(small(&followed, 1024), Some(outer.len()));
        }
    }
}

#[test]
fn other_than_common_values_are_refused() {
    let bad = [
        // Invalid text, as a value, a key and an element.
        string(b"\xff"),
        string(b"seventeen bytes \xc3"),
        [words(&[27, 1]), string(b"\xc3"), int(1)].concat(),
        [words(&[34, 2]), element(b"a"), element(b"\xff")].concat(),
        // Rare types, types that do not exist, header bits with and without a meaning.
        words(&[24, 0]),
        words(&[26, 0]),
        words(&[200, 0]),
        // A NodePath of Godot 2, and one with a flag of Godot 2; bytes without their padding.
        words(&[22, 0, 0, 0]),
        words(&[22, 1 << 31, 0, 2]),
        [words(&[29, 5]), b"abcde".to_vec()].concat(),
        words(&[0x102, 0]),
        words(&[27 | 1 << 16, 39, 0]),
        words(&[28 | 1 << 16, 39, 0]),
        words(&[28 | 2 << 16, 0, 0]),
        // Counts that are too large for the buffer, or have the shared bit.
        words(&[28, 3, 0, 0]),
        words(&[27, 2, 0, 0]),
        words(&[28, 1 << 31, 0, 0]),
        words(&[34, 1 << 31, 0, 0]),
    ];
    for value in bad {
        assert_eq!(small(&value, 1024), None, "{value:x?}");
        let inside = array(&[int(1), value.clone(), int(2)]);
        assert_eq!(small(&inside, 1024), None, "{value:x?}");
    }
    let fits = array(&[string(&vec![b'x'; SMALL - 16])]);
    assert_eq!((fits.len(), small(&fits, 9)), (SMALL, Some(SMALL)));
    assert_eq!(small(&[fits.as_slice(), &[0]].concat(), 9), None);
}

#[test]
fn depth_is_limited_and_last_children_need_no_stack() {
    for depth in 0..60_usize {
        let single = nested(depth, int(1));
        for max in 0..64_u16 {
            let expected = (depth <= max.into()).then_some(single.len());
            assert_eq!(small(&single, max), expected, "{depth} of {max}");
        }
        // A container with another child left takes room on the stack. Around the outermost value nothing is
        // left.
        let many = (0..depth).fold(int(1), |inside, _| array(&[inside, int(2)]));
        let expected = (depth <= SHORT + 1).then_some(many.len());
        assert_eq!(small(&many, 64), expected, "{depth}");
    }
}
