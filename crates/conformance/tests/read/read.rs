//! Reads every test vector and save of real engines, and every derived vector, in every way that
//! the library has.

use gdvar::{
    Dialect, Document, Error, Objects, ReadOptions,
    frames::{PrefixOrder, frames},
};
use gdvar_conformance::{
    deliberate, derived,
    tagged::{self, Precision},
    tagged_owned::{As, owned},
    vectors::{ENGINES, Engine, odd_inputs, plain_saves, vectors},
    with_big_stack,
};
use serde_json::Value;

fn options(dialect: Dialect, full_objects: bool) -> ReadOptions {
    let objects = if full_objects {
        Objects::Inert
    } else {
        Objects::Ids
    };
    ReadOptions::new(dialect).with_objects(objects)
}

/// Our answer, as the table of deliberate differences names it.
fn verdict<T>(ours: &Result<T, Error>) -> &'static str {
    match ours {
        Ok(_) => "accepted",
        Err(error) => error.kind().name(),
    }
}

fn precision(engine: Engine) -> Precision {
    if engine.double {
        Precision::Double
    } else {
        Precision::Single
    }
}

/// The value through all entry points, which must agree, also in what they refuse.
fn read(bytes: &[u8], options: ReadOptions, precision: Precision) -> Result<Value, Error> {
    let document = Document::with_options(bytes, options);
    let events = tagged::events(document, precision);
    let lazy = document
        .root()
        .and_then(|root| tagged::lazy(root, precision));
    assert_eq!(events, lazy, "events and lazy disagree");
    let indexed = tagged::indexed(document, precision);
    assert_eq!(events, indexed, "events and the index disagree");
    let how = As {
        precision,
        dialect: options.dialect(),
    };
    let tree = gdvar_conformance::owned(bytes, options).map(|tree| owned(&tree, how));
    // A type number that is none says nothing a tree could keep.
    let is_unknown = |value: &Value| {
        let text = value.to_string();
        text.contains("{\"builtin\":40}") || text.contains("{\"builtin\":255}")
    };
    if !matches!(&events, Ok(value) if is_unknown(value)) {
        assert_eq!(events, tree, "events and the owned tree disagree");
    }
    events
}

#[test]
fn engine_vectors_have_their_values() {
    with_big_stack(|| {
        for engine in ENGINES {
            let all = vectors(engine);
            for vector in &all {
                let options = options(engine.dialect, vector.full_objects);
                let ours = read(&vector.bytes, options, precision(engine));
                let name = verdict(&ours);
                match ours {
                    Err(_) if vector.engine_refuses => continue,
                    // The reader may keep more of the bytes than the engine does.
                    Ok(value) if vector.wire_value.as_ref() == Some(&value) => {}
                    Ok(value) => assert_eq!(value, vector.value, "{} {}", engine.name, vector.id),
                    Err(error) => {
                        let why =
                            deliberate::reason(deliberate::VERDICTS, &vector.id, engine.name, name);
                        assert!(why.is_some(), "{} {}: {error}", engine.name, vector.id);
                        continue;
                    }
                }
                let consumed = Document::with_options(&vector.bytes, options).validate();
                assert_eq!(
                    consumed,
                    Ok(vector.bytes.len()),
                    "{} {}",
                    engine.name,
                    vector.id
                );
            }
            println!("{}: {} vectors", engine.name, all.len());
        }
    });
}

#[test]
fn strict_mode_takes_what_the_engines_write() {
    with_big_stack(|| {
        for engine in ENGINES {
            for vector in vectors(engine) {
                let options = options(engine.dialect, vector.full_objects).strict();
                let bytes = vector.clean();
                let strict = Document::with_options(&bytes, options).validate();
                let has_codes = vector.value.to_string().contains("\"codes\"");
                let excused = deliberate::reason(
                    deliberate::VERDICTS,
                    &vector.id,
                    engine.name,
                    verdict(&strict),
                );
                if vector.canonical && !has_codes && excused.is_none() {
                    // Scripts of Godot 4.2 and earlier are refused, as in 4.3 and later.
                    assert_eq!(
                        strict,
                        Ok(vector.bytes.len()),
                        "{} {}",
                        engine.name,
                        vector.id
                    );
                } else if strict.is_ok() && !vector.canonical {
                    let why = deliberate::reason(deliberate::STRICT, &vector.id, "", "accepted");
                    let why = why.or_else(|| {
                        vector.id.split_once('/').and_then(|(_, name)| {
                            deliberate::reason(deliberate::STRICT_NAMES, name, "", "accepted")
                        })
                    });
                    assert!(
                        why.is_some(),
                        "{} {} is not canonical",
                        engine.name,
                        vector.id
                    );
                }
            }
        }
    });
}

#[test]
fn odd_inputs_get_the_verdict_of_the_engine() {
    with_big_stack(|| {
        let mut deliberate_ones = 0;
        for file in ["reject.jsonl", "pandemonium5-reject.jsonl"] {
            for input in odd_inputs(file) {
                for theirs in &input.verdicts {
                    let engine = ENGINES
                        .into_iter()
                        .find(|engine| engine.name == theirs.engine);
                    let engine = engine.expect("a known engine");
                    let options = options(engine.dialect, input.full_objects);
                    let ours = read(&input.bytes, options, Precision::Single);
                    let who = format!("{} in {}", input.id, engine.name);
                    if ours.is_ok() != theirs.accepted {
                        let why = deliberate::reason(
                            deliberate::VERDICTS,
                            &input.id,
                            engine.name,
                            verdict(&ours),
                        );
                        assert!(why.is_some() || theirs.crash, "{who}: ours is {ours:?}");
                        deliberate_ones += 1;
                        continue;
                    }
                    let (Ok(ours), Some(value)) = (ours, &theirs.value) else {
                        continue;
                    };
                    if ours != *value {
                        let why = deliberate::reason(
                            deliberate::VALUES,
                            &input.id,
                            engine.name,
                            "accepted",
                        );
                        assert!(why.is_some(), "{who}: {ours} is not {value}");
                    }
                    if let Some(consumed) = theirs.consumed {
                        let used = Document::with_options(&input.bytes, options).validate();
                        // The engine counts missing padding of bytes as used (row 19).
                        assert_eq!(used, Ok(consumed.min(input.bytes.len())), "{who}");
                    }
                }
            }
        }
        println!("{deliberate_ones} verdicts differ deliberately");
    });
}

#[test]
fn saves_have_their_values() {
    with_big_stack(|| {
        for save in plain_saves() {
            let options = options(save.dialect, true);
            let mut sizes = Vec::new();
            let mut values = Vec::new();
            for frame in frames(&save.bytes, PrefixOrder::Little) {
                let frame = frame.unwrap_or_else(|error| panic!("{}: {error}", save.name));
                sizes.push(frame.bytes.len());
                values.push(
                    read(frame.bytes, options, Precision::Single).expect("a readable record"),
                );
                let strict = Document::with_options(frame.bytes, options)
                    .strict()
                    .validate();
                assert_eq!(strict, Ok(frame.bytes.len()), "{}", save.name);
            }
            assert_eq!(sizes.len(), save.records, "{}", save.name);
            assert!(sizes.starts_with(&save.first_sizes), "{}", save.name);
            assert_eq!(values, save.values, "{}", save.name);
        }
    });
}

#[test]
fn derived_vectors_have_their_values() {
    with_big_stack(|| {
        for vector in derived::derived_vectors() {
            let dialect: Dialect = vector.dialect.parse().expect("a dialect");
            let options = options(dialect, vector.full_objects);
            let who = format!("{} {}", vector.dialect, vector.id);
            let value = read(&vector.bytes, options, Precision::Single);
            let expected = gdvar_conformance::vectors::unfold(vector.value.clone());
            assert_eq!(value, Ok(expected), "{who}");
            if vector.canonical {
                let strict = Document::with_options(&vector.bytes, options)
                    .strict()
                    .validate();
                assert_eq!(strict, Ok(vector.bytes.len()), "{who}");
            }
        }
        for reject in derived::derived_rejects() {
            let dialect: Dialect = reject.dialect.parse().expect("a dialect");
            let options = options(dialect, reject.full_objects);
            let error = read(&reject.bytes, options, Precision::Single).expect_err(&reject.id);
            assert_eq!(
                error.kind().name(),
                reject.error,
                "{} {}",
                reject.dialect,
                reject.id
            );
        }
        for reject in derived::derived_strict_rejects() {
            let dialect: Dialect = reject.dialect.parse().expect("a dialect");
            let document =
                Document::with_options(&reject.bytes, options(dialect, reject.full_objects));
            let who = format!("{} {}", reject.dialect, reject.id);
            assert!(
                document.validate().is_ok(),
                "{who} is refused in engine mode"
            );
            let error = document.strict().validate().expect_err(&who);
            assert_eq!(error.kind().name(), reject.error, "{who}");
        }
    });
}
