//! `size_hint` of every iterator is right before each step, on every value of every vector.

use gdvar::{Dialect, Document, Kind, Objects, ReadOptions, VariantRef, walk::Event};
use gdvar_conformance::vectors::{ENGINES, vectors};

/// The hints of one iterator are checked for at most this many steps.
const STEPS: usize = 40;

/// Checks an iterator of known length. The lower bound of its hint is only 1, because an error ends the
/// iterator early.
fn known<I: Iterator>(name: &str, make: impl Fn() -> I) -> usize {
    steps(&make, |step, iterator| {
        let hint = iterator.size_hint();
        let left = iterator.count();
        assert_eq!(hint, (left.min(1), Some(left)), "{name} before step {step}");
    })
}

/// Checks an iterator of unknown length: the number of items lies between the bounds of its hint.
fn bounded<I: Iterator>(name: &str, make: impl Fn() -> I) -> usize {
    steps(&make, |step, iterator| {
        let (least, most) = iterator.size_hint();
        let left = iterator.count();
        let most = most.unwrap_or_else(|| panic!("{name} has no upper bound"));
        assert!(least <= left && left <= most, "{name} before step {step}");
    })
}

/// Calls `look` before each of the first steps of an iterator. Returns the number of steps.
fn steps<I: Iterator>(make: &impl Fn() -> I, look: impl Fn(usize, I)) -> usize {
    for step in 0..STEPS {
        let mut iterator = make();
        let taken = iterator.by_ref().take(step).count();
        look(step, iterator);
        if taken < step {
            return taken;
        }
    }
    STEPS
}

/// The steps of each iterator: a test that saw none of a kind would say nothing.
#[derive(Default, Debug)]
struct Seen {
    items: usize,
    pairs: usize,
    properties: usize,
    strings: usize,
    names: usize,
    characters: usize,
}

fn look(value: VariantRef<'_>, seen: &mut Seen) {
    if let Some(array) = value.as_array() {
        seen.items += known("array", || array.iter());
    }
    if let Some(dict) = value.as_dict() {
        seen.pairs += known("dict", || dict.iter());
    }
    if let Some(object) = value.as_object() {
        seen.properties += known("object", || object.iter());
    }
    if let Some(strings) = value.as_strings() {
        seen.strings += known("strings", || strings.iter());
    }
    if let Some(path) = value.as_node_path() {
        seen.names += known("names", || path.names());
        seen.names += bounded("subnames", || path.subnames());
    }
    if let Some(text) = value.as_text() {
        seen.characters += bounded("characters", || text.codes());
    }
}

#[test]
fn iterators_know_how_much_is_left() {
    let mut seen = Seen::default();
    for engine in ENGINES {
        for vector in vectors(engine) {
            let options = ReadOptions::new(engine.dialect).with_objects(Objects::Inert);
            let mut events = Document::with_options(&vector.bytes, options).events();
            while let Ok(Some(event)) = events.try_next() {
                if let Event::Value(value) | Event::Begin(value) = event {
                    look(value, &mut seen);
                }
            }
        }
    }
    let Seen {
        items,
        pairs,
        properties,
        strings,
        names,
        characters,
    } = seen;
    for steps in [items, pairs, properties, strings, names, characters] {
        assert!(steps > 20, "{seen:?}");
    }
}

/// A NodePath of Godot 2 is one text (docs/FORMAT.md §3): its names are counted only while they are read.
#[test]
fn names_of_old_paths_are_bounded() {
    let id = Dialect::GODOT_2.type_id(Kind::NodePath).expect("a type").0;
    let mut seen = 0;
    for text in ["a", "/root/a/b:c:d", ":x", "a//b", ""] {
        let mut bytes = vec![id, 0, 0, 0, text.len() as u8, 0, 0, 0];
        bytes.extend(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let root = Document::new(&bytes, Dialect::GODOT_2)
            .root()
            .expect("a path");
        let path = root.as_node_path().expect("a path");
        assert!(path.old_text().is_some(), "{text}");
        seen += bounded(text, || path.names()) + bounded(text, || path.subnames());
    }
    assert!(seen >= 8, "{seen}");
}
