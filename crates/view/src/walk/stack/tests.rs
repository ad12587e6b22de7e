use gdvar_wire::{Dialect, Limits};

use super::{Around, Frame};
use crate::{ReadOptions, bytes::plain::Pending, walk::validate::Stack};

#[test]
fn shortcuts_come_back_to_what_they_put_aside() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let mut around = Around::new();
    let mut outer = Frame::root(options, 0);
    for n in 0..100_u32 {
        let pending = Pending {
            left: 2 * n,
            is_dict: n % 2 == 0,
        };
        outer = outer.inside(pending, options).unwrap();
        assert!(around.put(outer));
    }
    for n in (0..100_u32).rev() {
        let frame = around.back(false).unwrap();
        let left = frame.left();
        assert_eq!((left, frame.is_dict()), (2 * n, n % 2 == 0));
        assert_eq!(u32::from(frame.depth()), n + 1);
        assert_eq!(frame.less_by(left).left(), 0);
        assert_eq!(frame.less_by(left).depth(), frame.depth());
    }
    assert!(around.back(false).is_none());
}

#[test]
fn shortcuts_do_not_come_back_to_what_needs_care() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let deep = options.with_limits(Limits::ENGINE.with_max_depth(4));
    for (frame, is_plain) in [
        (Frame::root(options, 4), true),
        (Frame::root(options.strict(), 4), false),
        (Frame::root(deep, 4), true),
        (Frame::root(deep, 5), false),
        (Frame::DONE, false),
    ] {
        let mut around = Around::new();
        around.push(frame);
        assert_eq!(around.back(false).is_some(), is_plain);
        assert_eq!(around.is_empty(), is_plain);
    }
    // Nothing is entered below the limit.
    let pending = Pending {
        left: 1,
        is_dict: false,
    };
    assert!(Frame::root(deep, 3).inside(pending, deep).is_some());
    assert!(Frame::root(deep, 4).inside(pending, deep).is_none());
}

#[test]
fn a_name_counts_for_the_next_value_alone() {
    let mut frame = Frame((3 * super::LEFT) | super::PROPERTIES);
    for is_script in [true, true, false] {
        assert!(frame.wants_name());
        frame.named(is_script);
        assert!(!frame.wants_name());
        assert_eq!(frame.is_script(), is_script);
        frame.take();
    }
    assert_eq!(frame.left(), 0);
}

/// `docs/FORMAT.md` §4.6: engines nest 1024 values at most, inside of the outermost.
#[test]
fn what_engines_nest_takes_no_heap() {
    let mut around = Around::new();
    (0..=1024).for_each(|_| around.push(Frame::DONE));
    assert!(!around.spilled());
    around.push(Frame::DONE);
    assert!(around.spilled(), "more than is needed");
}
