//! Which values fast steps take, and how far the fast loop goes.

use alloc::vec::Vec;

use gdvar_wire::{Dialect, Kind};

use super::{CheckedStep, FastStep, Walk};
use crate::{
    Document, ErrorKind, Event, Objects, ReadOptions, Role,
    bytes::samples::{RecordedOffsets, array, dict, int, nested, string, words},
    walk::{checks::Skip, fast_loop::Backoff, validate::Validation},
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

#[test]
fn valid_common_values_are_taken_by_fast_steps() {
    let long = [b'x'; 100];
    for text in [
        &b"short"[..],
        "äöü".as_bytes(),
        &long,
        "ä".repeat(40).as_bytes(),
    ] {
        let bytes = string(text);
        let mut walk = Walk::<Validation>::new(&bytes, 0, OPTIONS, 0);
        let FastStep::Value(value) = walk.fast_step() else {
            panic!("{text:?}");
        };
        assert_eq!(value.as_text().unwrap().as_bytes(), text);
        assert_eq!(walk.at, bytes.len());
        assert!(matches!(walk.fast_step(), FastStep::None));
    }
    // Invalid text is left to a checked step. A walk that does not validate text takes it.
    let bytes = string(b"a\xff");
    let first = |options| Walk::<Validation>::new(&bytes, 0, options, 0).fast_step();
    assert!(matches!(first(OPTIONS), FastStep::None));
    let skipped = Walk::<Skip>::new(&bytes, 0, OPTIONS, 0).fast_step();
    assert!(matches!(skipped, FastStep::Value(_)));
    let bytes = int(7);
    let first = |options| Walk::<Validation>::new(&bytes, 0, options, 0).fast_step();
    assert!(matches!(first(OPTIONS), FastStep::Value(_)));
    assert!(matches!(first(OPTIONS.strict()), FastStep::None));
    // Tests each kind that has its own branch: complete, and without its last byte.
    let name = [&words(&[21])[..], &string(b"abc")[4..]].concat();
    let wide = |header: u32| words(&[header, 0, 0x3ff0_0000]);
    let all = [
        (int(7), Kind::Int),
        (words(&[3, 0x3f80_0000]), Kind::Float),
        (wide(0x1_0002), Kind::Int),
        (wide(0x1_0003), Kind::Float),
        (name, Kind::StringName),
        (string(b"abc"), Kind::String),
    ];
    for (bytes, kind) in &all {
        let mut walk = Walk::<Validation>::new(bytes, 0, OPTIONS, 0);
        let FastStep::Value(value) = walk.fast_step() else {
            panic!("{kind}");
        };
        assert_eq!((value.kind(), walk.at), (*kind, bytes.len()));
        let mut cut = Walk::<Validation>::new(&bytes[..bytes.len() - 1], 0, OPTIONS, 0);
        assert!(matches!(cut.fast_step(), FastStep::None), "{kind}");
    }
}

/// In strict mode the fast loop takes most values, and leaves the others to checked steps.
#[test]
fn canonical_values_are_taken_by_the_loop_in_strict_mode() {
    let strict = OPTIONS.strict();
    let wide = |header: u32| words(&[header, 0, 1 << 30]);
    let padded = |text: &[u8]| {
        let mut all = string(text);
        all[8 + text.len()..].fill(0);
        all
    };
    let typed = |header: u32, types: &[u32], values: &[Vec<u8>]| {
        let pairs = if header as u8 == 27 { 2 } else { 1 };
        let count = (values.len() / pairs) as u32;
        [
            words(&[header]),
            words(types),
            words(&[count]),
            values.concat(),
        ]
        .concat()
    };
    const FIRST: u32 = 1 << 16;
    const SECOND: u32 = 1 << 18;
    let path = |flags: u32, padding: u8| {
        let head = words(&[22, 1 << 31 | 1, 0, flags]);
        let mut bytes = [head, words(&[2]), b"ab\0\0".to_vec()].concat();
        bytes[22..].fill(padding);
        bytes
    };
    let names = |text: &[u8], padding: u8| {
        let mut bytes = [words(&[34, 1]), words(&[text.len() as u32]), text.to_vec()].concat();
        bytes.resize(bytes.len().next_multiple_of(4), padding);
        bytes
    };
    for (value, is_canonical) in [
        (padded(b"abc"), true),
        (
            padded("a longer text, of more than 32 bytes, with an ä".as_bytes()),
            true,
        ),
        (string(b"abc"), false),
        (padded(b"a\0c"), false),
        (padded(b"a\xffc"), false),
        (padded("\u{feff}abc".as_bytes()), false),
        (int(7), true),
        (words(&[0]), true),
        (words(&[1, 1]), true),
        (words(&[1, 2]), false),
        (words(&[3, 0x3f80_0000]), true),
        (words(&[3, 0x7f80_0000]), true),
        (words(&[3, 0x7fc0_0000]), false),
        (wide(0x1_0002), true),
        (words(&[0x1_0002, 5, 0]), false),
        (words(&[0x1_0003, 1, 0]), true),
        (wide(0x1_0003), false),
        (words(&[5, 0, 0]), true),
        (words(&[29, 3, 0x0001_0203]), true),
        (words(&[29, 3, 0x0100_0203]), false),
        (words(&[29, 4, 0x0100_0203]), true),
        (words(&[30, 1, 5]), true),
        (names(b"ab\0", 0), true),
        (names(b"abc\0", 0), true),
        (names(b"\0", 0), true),
        (names(b"ab", 0), false),
        (names(b"", 0), false),
        (names(b"a\0b\0", 0), false),
        (names(b"ab\0", 1), false),
        (path(1, 0), true),
        (path(1, 9), true),
        (path(2, 0), false),
        (path(4, 0), false),
        (array(&[]), true),
        (dict(&[]), true),
        (array(&[int(1), array(&[int(2)]), int(3)]), true),
        // Array[int], an empty one, an array of objects with nulls, and one whose type is null.
        (typed(28 | FIRST, &[2], &[int(7), int(8)]), true),
        (typed(28 | FIRST, &[2], &[int(7), words(&[1, 1])]), false),
        (typed(28 | FIRST, &[24], &[words(&[0]), words(&[0])]), true),
        (typed(28 | FIRST, &[24], &[words(&[0]), int(7)]), false),
        (typed(28 | FIRST, &[2], &[]), false),
        (typed(28 | FIRST, &[0], &[words(&[0]), words(&[0])]), false),
        (typed(27 | FIRST, &[2], &[int(7), padded(b"x")]), true),
        (typed(27 | FIRST, &[4], &[int(7), padded(b"x")]), false),
        (typed(27 | SECOND, &[4], &[int(7), padded(b"x")]), true),
        (typed(27 | SECOND, &[2], &[int(7), padded(b"x")]), false),
        (
            typed(27 | FIRST | SECOND, &[2, 4], &[int(7), padded(b"x")]),
            true,
        ),
        (
            typed(27 | FIRST | SECOND, &[4, 2], &[int(7), padded(b"x")]),
            false,
        ),
        (
            typed(27 | FIRST | SECOND, &[0, 4], &[int(7), padded(b"x")]),
            false,
        ),
        (
            typed(27 | FIRST | SECOND, &[2, 0], &[int(7), padded(b"x")]),
            false,
        ),
        // Keys of several kinds, and repeated ones.
        (typed(27, &[], &[int(7), int(8), int(8), int(8)]), true),
        (typed(27, &[], &[int(7), int(8), int(7), int(8)]), false),
        (
            typed(
                27,
                &[],
                &[words(&[6, 1, 2]), int(8), words(&[6, 2, 1]), int(8)],
            ),
            true,
        ),
        (
            typed(
                27,
                &[],
                &[words(&[6, 1, 2]), int(8), words(&[6, 1, 2]), int(8)],
            ),
            false,
        ),
        (
            typed(
                27,
                &[],
                &[array(&[int(1)]), int(8), array(&[int(2)]), int(8)],
            ),
            true,
        ),
        (
            typed(
                27,
                &[],
                &[array(&[int(1)]), int(8), array(&[int(1)]), int(8)],
            ),
            false,
        ),
    ] {
        // Another value follows, so that the walk stops at this one.
        let all = array(&[value.clone(), int(1)]);
        let mut walk = Walk::<Validation>::new(&all, 0, strict, 0);
        walk.advance(&mut Backoff::default(), &mut ());
        assert_eq!(walk.at == all.len(), is_canonical, "{value:02x?}");
        assert!(walk.at <= all.len() - 8 || is_canonical, "{value:02x?}");
        // A checked step takes over where the loop stopped. The verdict is the same as without shortcuts.
        let found = Walk::<Validation>::new(&all, 0, strict, 0).drain(&mut ());
        let checked = strict.without_shortcuts(true);
        let expected = Walk::<Validation>::new(&all, 0, checked, 0).drain(&mut ());
        assert_eq!(found, expected, "{value:02x?}");
        if is_canonical {
            assert_eq!(found, Ok(()), "{value:02x?}");
        }
        // With options that change the meaning of headers the loop takes nothing.
        let mut walk = Walk::<Validation>::new(&all, 0, checked, 0);
        walk.advance(&mut Backoff::default(), &mut ());
        assert_eq!(walk.at, 0);
    }
}

#[test]
fn untyped_containers_are_entered_and_left_by_fast_steps() {
    let bytes = nested(2, int(7));
    let mut walk = Walk::<Validation>::new(&bytes, 0, OPTIONS, 0);
    for (depth, at) in [(1, 8), (2, 16)] {
        assert!(matches!(walk.fast_step(), FastStep::Begin(value) if value.offset() == at - 8));
        assert_eq!((walk.depth(), walk.at), (depth, at));
    }
    assert!(matches!(walk.fast_step(), FastStep::Value(value) if value.as_i64() == Some(7)));
    for depth in [1, 0] {
        assert!(matches!(walk.fast_step(), FastStep::End));
        assert_eq!(walk.depth(), depth);
    }
    assert!(matches!(walk.fast_step(), FastStep::None));
    assert_eq!(walk.checked_step(), CheckedStep::Finished);
    let mut deep = Walk::<Validation>::new(&bytes, 0, OPTIONS, OPTIONS.max_depth());
    assert!(matches!(deep.fast_step(), FastStep::None));
}

/// Also in deep nesting, where the last child of each container is a container.
#[test]
fn events_report_open_containers_and_roles() {
    let deep = nested(700, int(7));
    let between = |value| array(&[int(1), dict(&[("this", value), ("next", int(2))])]);
    let with_siblings = (0..200).fold(int(7), |value, _| between(value));
    let last = |value| dict(&[("this", int(1)), ("next", array(&[int(2), value]))]);
    let at_the_end = (0..300).fold(array(&[]), |value, _| last(value));
    let all = [deep, with_siblings, at_the_end];
    let all = [
        array(&all),
        dict(&[("this", array(&all)), ("next", int(7))]),
    ]
    .concat();
    let all = [words(&[28, 2]), all].concat();
    for options in [OPTIONS, OPTIONS.strict(), OPTIONS.without_shortcuts(true)] {
        let root = Document::with_options(&all, options).root().unwrap();
        let first = root.as_array().unwrap().iter().next().unwrap().unwrap();
        for (value, depth) in [(root, 0), (first, 1)] {
            // For each open container: whether it is a dictionary, and how many of its children have begun.
            let mut open: Vec<(bool, usize)> = Vec::new();
            let mut events = value.events();
            while let Some(event) = events.try_next().unwrap() {
                if let Event::Value(value) | Event::Begin(value) = event {
                    let role = match open.last_mut() {
                        None => Role::Root,
                        Some((is_dict, begun)) => {
                            *begun += 1;
                            match (*is_dict, *begun % 2) {
                                (false, _) => Role::Element,
                                (true, 1) => Role::Key,
                                (true, _) => Role::Value,
                            }
                        }
                    };
                    assert_eq!(events.role(), role, "{}", value.offset());
                    assert_eq!(usize::from(value.depth()), depth + open.len());
                }
                match event {
                    Event::Begin(value) => open.push((value.as_dict().is_some(), 0)),
                    Event::End => assert!(open.pop().is_some()),
                    _ => {}
                }
                assert_eq!(events.open(), open.len());
            }
            assert!(open.is_empty());
        }
    }
}

#[test]
fn the_loop_advances_to_the_end_of_common_data() {
    let bytes = array(&[int(1), array(&[int(2), string(b"three")]), int(4)]);
    let mut recorded = RecordedOffsets::default();
    let mut walk = Walk::<Validation>::new(&bytes, 0, OPTIONS, 0);
    walk.advance(&mut Backoff::default(), &mut recorded);
    assert_eq!((walk.at, walk.depth()), (bytes.len(), 1));
    assert_eq!(recorded.0, [0, 8, 16, 24, 32, 48]);
}

/// `docs/FORMAT.md` §4.4: Godot 4 writes a script as null or as a String with its path.
#[test]
fn scripts_must_be_null_or_paths() {
    let object = |script: &[u8]| {
        let head = words(&[24, 1, 0x41, 1, 6]);
        [&head[..], b"script\0\0", script].concat()
    };
    let string_name = [words(&[21]), string(b"res://a.gd")[4..].to_vec()].concat();
    let mut padded = string(b"res://a.gd");
    padded[18..].fill(0);
    let mut named = string_name;
    named[18..].fill(0);
    let mut other = string(b"user://a");
    other[16..].fill(0);
    let options = OPTIONS.strict().with_objects(Objects::Inert);
    for (script, is_good) in [
        (words(&[0]), true),
        (padded, true),
        (named, false),
        (other, false),
        (int(7), false),
    ] {
        let bytes = object(&script);
        let found = Document::with_options(&bytes, options).validate();
        let kind = found.err().map(|error| (error.kind(), error.offset()));
        let expected = (!is_good).then_some((ErrorKind::BadScriptProperty, 28));
        assert_eq!(kind, expected, "{script:x?}");
    }
}

/// `docs/FORMAT.md` §4.3: a Dictionary may name types for its keys and for its values.
#[test]
fn keys_and_values_are_checked_against_their_types() {
    const KEYS: u32 = 1 << 16;
    const VALUES: u32 = 1 << 18;
    let text = words(&[4, 4, 0x7478_6574]);
    for (header, types, expected) in [
        (KEYS | VALUES, &[2, 4][..], None),
        (KEYS | VALUES, &[4, 4], Some(0)),
        (KEYS | VALUES, &[2, 2], Some(8)),
        (KEYS, &[2], None),
        (KEYS, &[4], Some(0)),
        (VALUES, &[4], None),
        (VALUES, &[2], Some(8)),
    ] {
        let first = 8 + 4 * types.len();
        let head = [&[27 | header][..], types, &[1]].concat();
        let bytes = [words(&head), int(7), text.clone()].concat();
        let found = Document::with_options(&bytes, OPTIONS.strict()).validate();
        let found = found
            .err()
            .map(|error| (error.kind(), error.offset() - first));
        let expected = expected.map(|at| (ErrorKind::ElementTypeMismatch, at));
        assert_eq!(found, expected, "{types:?}");
    }
}
