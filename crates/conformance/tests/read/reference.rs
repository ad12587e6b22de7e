//! The reference decoder, which was written from docs/FORMAT.md alone, reads the engines' bytes as
//! the engines do.

use gdvar::Dialect;
use gdvar_conformance::{
    deliberate, derived,
    reference::{Rules, decode, tagged},
    tagged::Precision,
    vectors::{ENGINES, Engine, odd_inputs, plain_saves, unfold, vectors},
    with_big_stack,
};
use serde_json::Value;

fn rules(dialect: Dialect, full_objects: bool) -> Rules {
    let rules = Rules::new(dialect);
    if full_objects { rules.inert() } else { rules }
}

fn precision(engine: Engine) -> Precision {
    if engine.double {
        Precision::Double
    } else {
        Precision::Single
    }
}

/// The value and its length, or the name of the error.
fn read(bytes: &[u8], rules: Rules, precision: Precision) -> Result<(Value, usize), &'static str> {
    let decoded = decode(bytes, rules).map_err(|refusal| refusal.0)?;
    Ok((tagged(&decoded.value, precision), decoded.len))
}

fn is_deliberate(table: &[deliberate::Difference], id: &str, engine: &str, ours: &str) -> bool {
    deliberate::reason(table, id, engine, ours).is_some()
}

#[test]
fn engine_vectors_have_their_values() {
    with_big_stack(|| {
        for engine in ENGINES {
            for vector in vectors(engine) {
                let who = format!("{} {}", engine.name, vector.id);
                let rules = rules(engine.dialect, vector.full_objects);
                match read(&vector.bytes, rules, precision(engine)) {
                    Err(_) if vector.engine_refuses => {}
                    Ok((value, len)) => {
                        if vector.wire_value.as_ref() != Some(&value) {
                            assert_eq!(value, vector.value, "{who}");
                        }
                        assert_eq!(len, vector.bytes.len(), "{who}");
                    }
                    Err(name) => assert!(
                        is_deliberate(deliberate::VERDICTS, &vector.id, engine.name, name),
                        "{who}: {name}"
                    ),
                }
                let has_codes = vector.value.to_string().contains("\"codes\"");
                if vector.canonical && !has_codes {
                    let strict = decode(&vector.clean(), rules.strictly());
                    let name = strict.map(drop).map_err(|refusal| refusal.0);
                    let excused = name.is_err_and(|name| {
                        is_deliberate(deliberate::VERDICTS, &vector.id, engine.name, name)
                    });
                    assert!(name.is_ok() || excused, "{who}: {name:?}");
                }
            }
        }
    });
}

#[test]
fn odd_inputs_get_the_verdict_of_the_engine() {
    with_big_stack(|| {
        for file in ["reject.jsonl", "pandemonium5-reject.jsonl"] {
            for input in odd_inputs(file) {
                for theirs in &input.verdicts {
                    let engine = ENGINES
                        .into_iter()
                        .find(|engine| engine.name == theirs.engine);
                    let engine = engine.expect("a known engine");
                    let rules = rules(engine.dialect, input.full_objects);
                    let ours = read(&input.bytes, rules, Precision::Single);
                    let who = format!("{} in {}", input.id, engine.name);
                    let differs = |table| {
                        let name = ours.as_ref().err().copied().unwrap_or("accepted");
                        is_deliberate(table, &input.id, engine.name, name)
                    };
                    match &ours {
                        Ok((value, len)) if theirs.accepted => {
                            let is_theirs = theirs.value.as_ref().is_none_or(|v| v == value);
                            assert!(is_theirs || differs(deliberate::VALUES), "{who}: {value}");
                            if let Some(consumed) = theirs.consumed {
                                let most = consumed.min(input.bytes.len());
                                assert!(*len == most || !is_theirs, "{who}: {len} bytes");
                            }
                        }
                        Err(_) if !theirs.accepted => {}
                        ours => assert!(
                            theirs.crash || differs(deliberate::VERDICTS),
                            "{who}: {ours:?}"
                        ),
                    }
                }
            }
        }
    });
}

#[test]
fn derived_vectors_have_their_values_and_errors() {
    with_big_stack(|| {
        for vector in derived::derived_vectors() {
            let who = format!("{} {}", vector.dialect, vector.id);
            let rules = rules(
                vector.dialect.parse().expect("a dialect"),
                vector.full_objects,
            );
            let value = read(&vector.bytes, rules, Precision::Single);
            let expected = (unfold(vector.value.clone()), vector.bytes.len());
            assert_eq!(value, Ok(expected), "{who}");
            if vector.canonical {
                let strict = decode(&vector.bytes, rules.strictly());
                assert!(strict.is_ok(), "{who}: {:?}", strict.map(drop));
            }
        }
        let refusals = derived::derived_rejects().into_iter().map(|r| (r, false));
        let strict = derived::derived_strict_rejects();
        for (reject, strict) in refusals.chain(strict.into_iter().map(|r| (r, true))) {
            let who = format!("{} {}", reject.dialect, reject.id);
            let dialect = reject.dialect.parse().expect("a dialect");
            let rules = rules(dialect, reject.full_objects);
            let engine = decode(&reject.bytes, rules).map(drop);
            let strictly = decode(&reject.bytes, rules.strictly()).map(drop);
            assert_eq!(engine.is_ok(), strict, "{who}");
            let refusal = if strict { strictly } else { engine };
            assert_eq!(
                refusal.map_err(|refusal| refusal.0),
                Err(reject.error),
                "{who}"
            );
        }
    });
}

#[test]
fn saves_have_their_values() {
    with_big_stack(|| {
        for save in plain_saves() {
            let rules = rules(save.dialect, true);
            let mut rest = save.bytes.as_slice();
            let mut values = Vec::new();
            // §7.1
            while let Some((prefix, behind)) = rest.split_first_chunk() {
                let (record, next) = behind.split_at(u32::from_le_bytes(*prefix) as usize);
                let (value, len) = read(record, rules, Precision::Single).expect("a record");
                assert_eq!(len, record.len());
                assert!(decode(record, rules.strictly()).is_ok(), "{}", save.name);
                values.push(value);
                rest = next;
            }
            assert_eq!(values, save.values, "{}", save.name);
        }
    });
}
