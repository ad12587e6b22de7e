use alloc::{format, string::String, vec, vec::Vec};

use gdvar_wire::{Dialect, Limits};

use super::{CREDIT, FIRST_LESSONS, KEPT, LESSONS, MOST_CREDIT, PAYS, Templates};
use crate::{
    ReadOptions,
    bytes::samples::{Told, dict, int, starts, string, words},
};

/// Options that let so many containers be nested.
fn limit(max_depth: u16) -> ReadOptions {
    let options = ReadOptions::new(Dialect::GODOT_4);
    options.with_limits(Limits::ENGINE.with_max_depth(max_depth))
}

/// None learned yet, and all lessons open.
fn taught() -> Templates {
    let mut templates = Templates::default();
    assert_eq!(templates.lessons, 0);
    templates.lessons = LESSONS;
    templates
}

/// A record of which no other has the key.
fn unlike(n: usize) -> Vec<u8> {
    dict(&[(&format!("k{n}"), string(b"text"))])
}

/// Runs over values: how many were passed, after the places were compared.
fn run(templates: &mut Templates, values: &[Vec<u8>], room: u16) -> usize {
    let bytes = [int(0), values.concat(), int(0)].concat();
    let mut told = Told::default();
    let left = values.len() as u32;
    let (at, left) = templates.run::<true, false>(&bytes, 8, left, limit(room), 0, &mut told);
    let passed = values.len() - left as usize;
    let starts = starts(8, values);
    assert_eq!(told.0, starts[..passed]);
    let end = starts.get(passed).copied();
    assert_eq!(at, end.unwrap_or(bytes.len() - 8));
    passed
}

#[test]
fn some_shapes_are_kept() {
    for shapes in 1..=KEPT {
        let values: Vec<_> = (0..100).map(|n| unlike(n % shapes)).collect();
        assert_eq!(run(&mut taught(), &values, 1), 100, "{shapes}");
        assert_eq!(run(&mut taught(), &values, 0), 0);
        // Kept from one call to the next.
        let mut templates = taught();
        run(&mut templates, &values[..shapes], 1);
        assert_eq!(templates.lessons, LESSONS - shapes as u32);
        assert_eq!(templates.credit, CREDIT - shapes as u32);
        assert_eq!(run(&mut templates, &values, 1), 100);
        assert_eq!(
            (templates.lessons, templates.credit),
            (LESSONS, MOST_CREDIT)
        );
    }
}

#[test]
fn a_run_stops_at_what_is_no_such_record() {
    for other in [
        int(1),
        string(b"x"),
        words(&[28, 0]),
        dict(&[("k", words(&[29, 0]))]),
    ] {
        for n in 0..5 {
            let mut values = vec![unlike(0); n];
            values.push(other.clone());
            values.extend(vec![unlike(0); 3]);
            assert_eq!(run(&mut taught(), &values, 9), n, "{other:?}");
        }
    }
    // Too deep for this place.
    let mut values = vec![unlike(0); 3];
    values.push(dict(&[("k", words(&[28, 0]))]));
    assert_eq!(run(&mut taught(), &values, 1), 3);
    assert_eq!(run(&mut taught(), &values, 2), 4);
}

#[test]
fn lessons_are_few_and_paid_for_by_matches() {
    let others: Vec<_> = (1..200).map(unlike).collect();
    let mut templates = taught();
    // Each lesson passes its record.
    assert_eq!(run(&mut templates, &others, 1), LESSONS as usize);
    assert_eq!(
        (templates.lessons, templates.credit),
        (0, CREDIT - LESSONS - 1)
    );
    for _ in 1..CREDIT - LESSONS {
        assert!(!templates.is_spent());
        assert_eq!(run(&mut templates, &others[50..], 1), 0);
    }
    assert!(templates.is_spent());
    // After a while there is half of the credit, and a lesson when siblings were seen to be alike.
    assert_eq!((templates.lessons, templates.credit), (0, CREDIT / 2));
    assert_eq!(run(&mut templates, &others[60..], 1), 0);
    templates.open_lessons();
    assert_eq!(
        run(&mut templates, &others[60..], 1),
        FIRST_LESSONS as usize
    );
    // A template pays for the next lesson by its sixteenth match.
    let paid = |matches: u32| {
        let mut templates = taught();
        let values = vec![unlike(0); 1 + matches as usize];
        templates.lessons = 1;
        assert_eq!(run(&mut templates, &values, 1), values.len());
        templates.lessons
    };
    assert_eq!([PAYS - 1, PAYS, 10 * PAYS].map(paid), [0, 1, 1]);
}

fn matches(templates: &Templates, which: usize, record: &[u8]) -> bool {
    let template = templates.kept(which, limit(1), 0).unwrap();
    template.pass::<true>(record, record).is_some()
}

#[test]
fn one_odd_record_does_not_turn_the_order_over() {
    let mut templates = taught();
    let [a, b] = [unlike(0), unlike(1)];
    run(
        &mut templates,
        &[a.clone(), b.clone(), a.clone(), a.clone()],
        1,
    );
    let first = templates.first;
    assert!(matches(&templates, first, &a));
    run(
        &mut templates,
        &[b.clone(), a.clone(), b.clone(), a.clone()],
        1,
    );
    assert_eq!(templates.first, first);
    run(&mut templates, &[b.clone(), b.clone()], 1);
    assert_ne!(templates.first, first);
    // A new template never replaces the first.
    let first = templates.first;
    for n in 2..6 {
        run(&mut templates, &[unlike(n), b.clone()], 1);
        assert_eq!(templates.first, first);
        assert!(matches(&templates, first, &b));
    }
}

#[test]
fn keys_stand_before_records_of_a_dictionary() {
    let keys = ["a", "seventeen letters", "x".repeat(90).as_str(), "é", ""].map(String::from);
    let children: Vec<_> = (0..60)
        .flat_map(|n| [string(keys[n % keys.len()].as_bytes()), unlike(n % 2)])
        .collect();
    let bytes = children.concat();
    let mut told = Told::default();
    let run = |bytes: &[u8], left, told: &mut Told| {
        taught().run::<true, true>(bytes, 0, left, limit(1), 0, told)
    };
    assert_eq!(run(&bytes, 120, &mut told), (bytes.len(), 0));
    assert_eq!(told.0, starts(0, &children));
    // A key that is no text, or not in order, is the end.
    for bad in [int(1), string(b"\xff"), string(b"seventeen letter\xc3")] {
        let stop = children[..40].concat().len();
        let mut children = children.clone();
        children[40] = bad;
        let bytes = children.concat();
        let mut told = Told::default();
        assert_eq!(run(&bytes, 120, &mut told), (stop, 80));
        assert_eq!(told.0, starts(0, &children)[..40]);
    }
}
