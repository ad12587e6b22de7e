//! The stack does not grow with the depth of the input.

use gdvar::{
    Dialect, Document, ErrorKind, Kind, Limits, Objects, ReadOptions,
    walk::{Event, Role},
};

use crate::entries;

/// A million levels of containers around each other, of the dialect.
fn million(dialect: Dialect, shape: &str) -> Vec<u8> {
    let id = |kind| dialect.type_id(kind).map_or(0, |id| u32::from(id.0));
    let words: Vec<u32> = match shape {
        "arrays" => vec![id(Kind::Array), 1],
        "keys" => vec![id(Kind::Dictionary), 1],
        "values" => vec![id(Kind::Dictionary), 1, 2, 7],
        // The class N, and one property without a name.
        _ => vec![id(Kind::Object), 1, u32::from(b'N'), 1, 0],
    };
    let level: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let mut bytes = level.repeat(1_000_000);
    bytes.extend([0; 4]);
    bytes
}

fn with_stack(size: usize, test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(size)
            .spawn_scoped(scope, test);
        thread.expect("a thread").join().expect("the test passes");
    });
}

const SHAPES: [&str; 4] = ["arrays", "keys", "values", "objects"];

#[test]
fn a_million_levels_need_64_kib_of_stack_through_every_entry() {
    for dialect in Dialect::ALL {
        for shape in SHAPES {
            let bytes = million(dialect, shape);
            let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
            with_stack(64 << 10, || {
                for entry in &entries::ALL {
                    (entry.run)(Document::with_options(&bytes, options));
                }
                for entry in entries::ALL.iter().filter(|entry| entry.flat) {
                    let options = options.with_limits(Limits::MOST);
                    (entry.run)(Document::with_options(&bytes, options));
                }
            });
        }
    }
}

/// `levels` containers, the innermost around a null.
fn nested(levels: usize, key: bool) -> Vec<u8> {
    let (id, level) = if key { (27, 1) } else { (28, 0) };
    let mut bytes = [id, 0, 0, 0, 1, 0, 0, 0].repeat(levels);
    bytes.extend([0; 4].repeat(1 + level * levels));
    bytes
}

#[test]
fn the_deepest_that_can_be_allowed_needs_64_kib_of_stack() {
    for key in [false, true] {
        let levels = usize::from(Limits::MOST.max_depth);
        let bytes = nested(levels, key);
        let options = ReadOptions::new(Dialect::GODOT_4).with_limits(Limits::MOST);
        let document = Document::with_options(&bytes, options);
        assert_eq!(document.validate(), Ok(bytes.len()));
        with_stack(64 << 10, || {
            // Quadratic where each level asks the next for its end: a path of a few steps is not.
            for entry in entries::ALL.iter().filter(|entry| entry.flat) {
                (entry.run)(document);
            }
        });
    }
}

#[test]
fn json_and_differences_need_64_kib_of_stack() {
    for key in [false, true] {
        let bytes = nested(usize::from(Limits::ENGINE.max_depth), key);
        with_stack(64 << 10, || {
            for entry in &entries::DEEP {
                (entry.run)(entries::open(&bytes));
            }
        });
    }
}

#[test]
fn owned_values_as_deep_as_the_engines_allow_fit_the_stack_of_a_thread() {
    for key in [false, true] {
        let bytes = nested(usize::from(Limits::ENGINE.max_depth), key);
        // The stack that a thread has by default: 2 MiB.
        with_stack(2 << 20, || {
            for entry in &entries::ALL {
                (entry.run)(entries::open(&bytes));
            }
        });
        // Reading and dropping alone.
        with_stack(512 << 10, || {
            let owned = entries::ALL.iter().find(|entry| entry.name == "owned");
            (owned.expect("the entry").run)(entries::open(&bytes));
        });
    }
}

/// Reads a value of `shape` with `levels` containers in every way that checks depths, and returns whether
/// each way accepts it. The events must have the roles that the shape says.
fn accepted(
    bytes: &[u8],
    options: ReadOptions,
    shape: &str,
    levels: usize,
) -> Vec<(&'static str, bool)> {
    let document = Document::with_options(bytes, options);
    let strict = Document::with_options(bytes, options.strict());
    let mut events = document.events();
    let mut depth = 0;
    let by_events = loop {
        match events.try_next() {
            Ok(Some(Event::Begin(value))) => {
                assert_eq!(
                    usize::from(value.depth()),
                    depth,
                    "{shape}, {levels} levels"
                );
                let inner = match shape {
                    "arrays" => Role::Element,
                    "objects" => Role::Property,
                    _ => Role::Value,
                };
                let role = if depth == 0 { Role::Root } else { inner };
                assert_eq!(events.role(), role, "{shape}, {levels} levels, at {depth}");
                depth += 1;
            }
            Ok(Some(_)) => {}
            Ok(None) => break true,
            Err(error) => {
                assert!(
                    matches!(error.kind(), ErrorKind::DepthExceeded { .. }),
                    "{shape}: {error}"
                );
                break false;
            }
        }
    };
    let whole = |document: Document<'_>| document.validate() == Ok(bytes.len());
    vec![
        ("validate", whole(document)),
        (
            "without shortcuts",
            whole(Document::with_options(
                bytes,
                options.without_shortcuts(true),
            )),
        ),
        ("strict", whole(strict)),
        ("events", by_events),
        ("end", document.root().and_then(|root| root.end()).is_ok()),
    ]
}

#[test]
fn no_way_of_reading_goes_deeper_than_the_limit() {
    let level = |shape: &str| {
        let words: &[u32] = match shape {
            "arrays" => &[28, 1],
            "values" => &[27, 1, 2, 7],
            // The class N, and its property p.
            _ => &[24, 1, u32::from(b'N'), 1, 1, u32::from(b'p')],
        };
        words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<_>>()
    };
    for shape in ["arrays", "values", "objects"] {
        for limit in [
            1, 32, 1024, 2046, 2047, 2048, 2049, 4095, 4096, 10_000, 32_768, 65_533, 65_534,
        ] {
            let options = ReadOptions::new(Dialect::GODOT_4)
                .with_objects(Objects::Inert)
                .with_limits(Limits::ENGINE.with_max_depth(limit));
            let limit = usize::from(limit);
            for levels in [
                limit - 1,
                limit,
                limit + 1,
                limit + 2,
                2 * limit,
                limit + 2048,
            ] {
                let mut bytes = level(shape).repeat(levels);
                bytes.extend([0; 4]);
                for (way, is_accepted) in accepted(&bytes, options, shape, levels) {
                    assert_eq!(
                        is_accepted,
                        levels <= limit,
                        "{way}: {levels} {shape}, limit {limit}"
                    );
                }
            }
        }
    }
}
