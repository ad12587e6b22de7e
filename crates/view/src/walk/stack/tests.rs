use gdvar_wire::{Dialect, Limits};

use super::{OpenContainer, OpenStack, Stack};
use crate::{ReadOptions, bytes::common::Pending};

#[test]
fn suspended_containers_are_resumed() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let mut stack = OpenStack::new();
    let mut outer = OpenContainer::root(options, 0);
    for n in 0..100_u32 {
        let pending = Pending {
            left: 2 * n,
            is_dict: n % 2 == 0,
        };
        outer = outer.inside(pending, options).unwrap();
        assert!(stack.suspend(outer));
    }
    for n in (0..100_u32).rev() {
        let container = stack.resume(false).unwrap();
        let left = container.left();
        assert_eq!((left, container.is_dict()), (2 * n, n % 2 == 0));
        assert_eq!(u32::from(container.depth()), n + 1);
        assert_eq!(container.less_by(left).left(), 0);
        assert_eq!(container.less_by(left).depth(), container.depth());
    }
    assert!(stack.resume(false).is_none());
}

#[test]
fn slow_containers_are_not_resumed() {
    let options = ReadOptions::new(Dialect::GODOT_4);
    let deep = options.with_limits(Limits::ENGINE.with_max_depth(4));
    for (container, is_fast) in [
        (OpenContainer::root(options, 4), true),
        (OpenContainer::root(options.strict(), 4), false),
        (OpenContainer::root(deep, 4), true),
        (OpenContainer::root(deep, 5), false),
        (OpenContainer::DONE, false),
    ] {
        let mut stack = OpenStack::new();
        stack.push(container);
        assert_eq!(stack.resume(false).is_some(), is_fast);
        assert_eq!(stack.is_empty(), is_fast);
    }
    // Nothing is entered below the limit.
    let pending = Pending {
        left: 1,
        is_dict: false,
    };
    assert!(OpenContainer::root(deep, 3).inside(pending, deep).is_some());
    assert!(OpenContainer::root(deep, 4).inside(pending, deep).is_none());
}

#[test]
fn a_name_is_for_the_next_value_only() {
    let mut container = OpenContainer((3 * super::LEFT) | super::PROPERTIES);
    for is_script in [true, true, false] {
        assert!(container.wants_name());
        container.named(is_script);
        assert!(!container.wants_name());
        assert_eq!(container.is_script(), is_script);
        container.take();
    }
    assert_eq!(container.left(), 0);
}

/// `docs/FORMAT.md` §4.6: engines nest at most 1024 values inside of the outermost.
#[test]
fn the_nesting_of_engines_needs_no_heap() {
    let mut stack = OpenStack::new();
    (0..=1024).for_each(|_| stack.push(OpenContainer::DONE));
    assert!(!stack.spilled());
    stack.push(OpenContainer::DONE);
    assert!(stack.spilled(), "more than is needed");
}
