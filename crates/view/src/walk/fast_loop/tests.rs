use alloc::{vec, vec::Vec};

use gdvar_wire::Dialect;

use super::{Backoff, advance};
use crate::{
    ReadOptions,
    bytes::{
        common::Pending,
        samples::{RecordedOffsets, array, dict, int, string, words},
    },
    walk::{
        checks::Engine,
        stack::{OpenContainer, Stack},
    },
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// A stack without a limit.
#[derive(Default)]
struct Unlimited(Vec<OpenContainer>);

impl Stack for Unlimited {
    fn suspend(&mut self, outer: OpenContainer) -> bool {
        self.0.push(outer);
        true
    }

    fn resume(&mut self, _: bool) -> Option<OpenContainer> {
        self.0.pop()
    }
}

/// A container with `left` children, which are at depth 1.
fn container(left: u32, is_dict: bool) -> OpenContainer {
    let pending = Pending { left, is_dict };
    OpenContainer::root(OPTIONS, 0)
        .inside(pending, OPTIONS)
        .unwrap()
}

/// Returns where the loop over the children of an array or dictionary stops, in which container, how many
/// containers are suspended, and which offsets were reported.
fn walk(bytes: &[u8], left: u32, is_dict: bool) -> (usize, OpenContainer, usize, RecordedOffsets) {
    let mut stack = Unlimited::default();
    let mut recorded = RecordedOffsets::default();
    let mut backoff = Backoff::default();
    let (backoff, observer) = (Some(&mut backoff), &mut recorded);
    let now = container(left, is_dict);
    let engine = &mut Engine;
    let (at, now) = advance(
        bytes, 8, now, OPTIONS, &mut stack, engine, backoff, observer,
    );
    (at, now, stack.0.len(), recorded)
}

#[test]
fn every_child_is_reported_up_to_the_first_rare_value() {
    // Containers of two children each: the outer one is suspended while the loop is in the inner one.
    let inner = array(&[int(1), array(&[int(2), int(3)]), int(4)]);
    let bytes = [int(0), inner.clone(), words(&[24, 0])].concat();
    let (at, now, kept, recorded) = walk(&bytes, 3, false);
    assert_eq!(
        (at, now.left(), now.depth(), kept),
        (8 + inner.len(), 2, 1, 0)
    );
    assert_eq!(recorded.0, [8, 16, 24, 32, 40, 48]);
    // Inside of two containers.
    let open = [
        words(&[28, 3]),
        int(1),
        words(&[27, 2]),
        string(b"k"),
        words(&[24, 0]),
    ]
    .concat();
    let bytes = [int(0), open, vec![0; 40]].concat();
    let (at, now, kept, recorded) = walk(&bytes, 2, false);
    assert_eq!((at, now.left(), now.is_dict()), (44, 3, true));
    assert_eq!((now.depth(), kept), (3, 2));
    assert_eq!(recorded.0, [8, 16, 24, 32]);
}

/// Records, numbers and texts in long arrays are reported one by one, whether shortcuts skip them or not.
#[test]
fn children_in_long_arrays_are_reported_one_by_one() {
    let record = dict(&[("name", string(b"Ari")), ("level", int(3))]);
    let many = [
        vec![record; 200],
        vec![int(9); 200],
        vec![string("ä".as_bytes()); 200],
        vec![words(&[24, 0])],
    ]
    .concat();
    let bytes = [int(0), array(&many[..600]), many[600].clone()].concat();
    let (at, now, _, recorded) = walk(&bytes, 2, false);
    assert_eq!((at, now.left()), (bytes.len() - 8, 1));
    // The array itself, 200 records of five values each, and 400 numbers and texts.
    assert_eq!(recorded.0.len(), 1 + 200 * 5 + 400);
    assert!(recorded.0.is_sorted());
}
