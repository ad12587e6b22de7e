use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::{Engine, FEW, Frame, Looks, SMALL, Stack, advance};
use crate::{
    ReadOptions,
    bytes::{
        plain::Pending,
        samples::{Told, array, dict, element, int, nested, string, words},
    },
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// The end of a small value that is nested so deep at most.
fn small(bytes: &[u8], max_depth: u16) -> Option<usize> {
    let limits = Limits::ENGINE.with_max_depth(max_depth);
    super::small(bytes, OPTIONS.with_limits(limits))
}

#[test]
fn small_values_end_where_they_end() {
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
            string(b"a key of any type is in order"),
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
        // In a container that ends with it, and where others follow.
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
fn what_is_not_plain_is_left_to_others() {
    let bad = [
        // Text that is not in order, as a value, a key and an element.
        string(b"\xff"),
        string(b"seventeen bytes \xc3"),
        [words(&[27, 1]), string(b"\xc3"), int(1)].concat(),
        [words(&[34, 2]), element(b"a"), element(b"\xff")].concat(),
        // Other types, types that are none, bits that mean something or nothing.
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
        // Counts that are too large for the bytes, or have the shared bit.
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
fn depth_is_counted_and_a_last_child_costs_no_place() {
    for depth in 0..60_usize {
        let single = nested(depth, int(1));
        for max in 0..64_u16 {
            let expected = (depth <= max.into()).then_some(single.len());
            assert_eq!(small(&single, max), expected, "{depth} of {max}");
        }
        // One that has another child behind it needs a place; there is none around the outermost.
        let many = (0..depth).fold(int(1), |inside, _| array(&[inside, int(2)]));
        let expected = (depth <= FEW + 1).then_some(many.len());
        assert_eq!(small(&many, 64), expected, "{depth}");
    }
}

/// Room for all.
#[derive(Default)]
struct Unlimited(Vec<Frame>);

impl Stack for Unlimited {
    fn put(&mut self, outer: Frame) -> bool {
        self.0.push(outer);
        true
    }

    fn back(&mut self, _: bool) -> Option<Frame> {
        self.0.pop()
    }
}

/// A container with so many children to come, which stand at depth 1.
fn container(left: u32, is_dict: bool) -> Frame {
    let pending = Pending { left, is_dict };
    Frame::root(OPTIONS, 0).inside(pending, OPTIONS).unwrap()
}

/// The place where a walk over the children of an array or dictionary stops, in which container, and
/// where it was told they begin.
fn walk(bytes: &[u8], left: u32, is_dict: bool) -> (usize, Frame, usize, Told) {
    let mut stack = Unlimited::default();
    let mut told = Told::default();
    let mut looks = Looks::default();
    let (looks, told_to) = (Some(&mut looks), &mut told);
    let now = container(left, is_dict);
    let engine = &mut Engine;
    let (at, now) = advance(bytes, 8, now, OPTIONS, &mut stack, engine, looks, told_to);
    (at, now, stack.0.len(), told)
}

#[test]
fn a_walk_tells_every_child_and_stops_in_place() {
    // Containers of two children each: the place of the outer one is kept while the inner one is
    // walked.
    let inner = array(&[int(1), array(&[int(2), int(3)]), int(4)]);
    let bytes = [int(0), inner.clone(), words(&[24, 0])].concat();
    let (at, now, kept, told) = walk(&bytes, 3, false);
    assert_eq!(
        (at, now.left(), now.depth(), kept),
        (8 + inner.len(), 2, 1, 0)
    );
    assert_eq!(told.0, [8, 16, 24, 32, 40, 48]);
    // In the middle of two containers.
    let open = [
        words(&[28, 3]),
        int(1),
        words(&[27, 2]),
        string(b"k"),
        words(&[24, 0]),
    ]
    .concat();
    let bytes = [int(0), open, vec![0; 40]].concat();
    let (at, now, kept, told) = walk(&bytes, 2, false);
    assert_eq!((at, now.left(), now.is_dict()), (44, 3, true));
    assert_eq!((now.depth(), kept), (3, 2));
    assert_eq!(told.0, [8, 16, 24, 32]);
}

/// Records, numbers and texts in long arrays are told one by one, with shortcuts and without.
#[test]
fn children_that_are_alike_are_told_as_all_others() {
    let record = dict(&[("name", string(b"Ari")), ("level", int(3))]);
    let many = [
        vec![record; 200],
        vec![int(9); 200],
        vec![string("ä".as_bytes()); 200],
        vec![words(&[24, 0])],
    ]
    .concat();
    let bytes = [int(0), array(&many[..600]), many[600].clone()].concat();
    let (at, now, _, told) = walk(&bytes, 2, false);
    assert_eq!((at, now.left()), (bytes.len() - 8, 1));
    // The array, and 200 records of four values each.
    assert_eq!(told.0.len(), 1 + 200 * 5 + 400);
    assert!(told.0.is_sorted());
}
