//! Texts of the printer through the parser: the same bytes come back. Damaged texts: `tests/oracle/tests/texts.rs`.

use std::collections::BTreeMap;

use gdvar::{
    Dialect, Dictionary, Document, ElementType, Event, Kind, Limits, Objects, ReadOptions, StrRef,
    Variant,
    write::{Precision, Target},
};
use gdvar_conformance::{
    vectors::{ENGINES, hex, vectors},
    with_big_stack,
};
use gdvar_text::{ParseOptions, parse_godot, write_exact};

/// A value that the notation has no signs for, by the text in its place.
fn unsayable(document: Document<'_>, text: &str) -> Option<&'static str> {
    let godot3 = document.options().dialect() == Dialect::GODOT_3;
    if text.contains("nan") {
        return Some("NaN has one form, and none in components of Godot 3");
    }
    let mut events = document.events();
    while let Some(event) = events.try_next().expect("readable") {
        let (Event::Value(value) | Event::Begin(value)) = event else {
            continue;
        };
        let class =
            |element| matches!(element, ElementType::Class(name) if name == "Object" || name == "");
        let whole = value.as_object().and_then(|object| object.class());
        if godot3 && value.kind() == Kind::Rid {
            return Some("Godot 3 prints nothing for a RID");
        } else if value
            .as_signal()
            .is_some_and(|(name, id)| name != "" || id != 0)
        {
            return Some("a signal is always printed empty");
        } else if whole.is_some_and(|class| class == "EncodedObjectAsID") {
            return Some("an EncodedObjectAsID is an id");
        } else if value
            .as_array()
            .is_some_and(|array| class(array.element_type()))
        {
            return Some("Object is the name of a type");
        } else if let Some(path) = value.as_node_path() {
            let odd =
                |name: StrRef<'_>| name == "" || name.as_bytes().iter().any(|b| b"/:".contains(b));
            if path.parts().any(|part| part.is_ok_and(odd)) {
                return Some("a name with a sign in it that separates names");
            }
        }
    }
    None
}

/// Text that was printed of every vector, read again: the bytes that the engine writes.
#[test]
fn what_is_printed_is_read_back() {
    with_big_stack(|| {
        for engine in ENGINES {
            let (mut exact, mut normalised, mut reasons) = (0, 0, BTreeMap::new());
            for vector in vectors(engine) {
                let read = ReadOptions::new(engine.dialect)
                    .with_objects(Objects::Inert)
                    .with_limits(Limits::MOST);
                let document = Document::with_options(&vector.bytes, read);
                if vector.engine_refuses {
                    continue;
                }
                let mut text = String::new();
                write_exact(&mut text, document.root().expect("readable")).expect("readable");
                if let Some(reason) = unsayable(document, &text) {
                    *reasons.entry(reason).or_insert(0) += 1;
                    continue;
                }
                let precision = if engine.double {
                    Precision::Double
                } else {
                    Precision::Single
                };
                let target = Target::from(engine.dialect).with_precision(precision);
                let options = ParseOptions::new(target)
                    .with_objects(Objects::Inert)
                    .with_limits(Limits::MOST)
                    .with_whole(true);
                let parsed = parse_godot(&text, &options);
                let parsed =
                    parsed.unwrap_or_else(|error| panic!("{}: {error}: {text}", vector.id));
                if vector.canonical {
                    assert_eq!(
                        hex(&parsed.bytes),
                        hex(&vector.clean()),
                        "{}: {text}",
                        vector.id
                    );
                    exact += 1;
                } else {
                    // Bytes that no engine writes come back as those that it writes.
                    let again = Document::with_options(&parsed.bytes, read);
                    assert_eq!(again.validate(), Ok(parsed.bytes.len()), "{}", vector.id);
                    let known = vector
                        .reenc
                        .as_ref()
                        .is_some_and(|reenc| *reenc == parsed.bytes);
                    normalised += usize::from(known);
                }
            }
            println!(
                "{}: {exact} the same bytes, {normalised} as the engine writes them again, {reasons:?}",
                engine.name
            );
            assert!(exact > 90);
        }
    });
}

/// The pairs of every Dictionary by their printed keys, as the engine prints them.
fn sorted(value: &Variant) -> Variant {
    match value {
        Variant::Array(array) => {
            let mut array = array.clone();
            array.iter_mut().for_each(|item| *item = sorted(item));
            array.into()
        }
        Variant::Dictionary(dict) => {
            let pairs = dict.iter().map(|(key, value)| (sorted(key), sorted(value)));
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_by_cached_key(|(key, _)| key.to_string());
            let (key, value) = (dict.key_type().clone(), dict.value_type().clone());
            Dictionary::from_pairs(pairs).with_types(key, value).into()
        }
        value => value.clone(),
    }
}

/// `str::parse` gives back what `Display` of the owned value printed.
#[test]
fn owned_values_come_back_from_what_they_print() {
    with_big_stack(|| {
        let (mut same, mut wrong) = (0, Vec::new());
        for engine in ENGINES {
            if engine.dialect != Dialect::GODOT_4 || engine.double {
                continue;
            }
            for vector in vectors(engine) {
                let document = Document::new(&vector.bytes, engine.dialect);
                let Ok(value) = Variant::from_slice(&vector.bytes, engine.dialect) else {
                    continue;
                };
                let text = value.to_string();
                // The engine prints some floats with fewer digits than they have, and -0.0 without its sign.
                let value = sorted(&value);
                let bytes = value.to_vec(engine.dialect).expect("it was read");
                let root = Document::new(&bytes, engine.dialect).root();
                let mut exact = String::new();
                write_exact(&mut exact, root.expect("readable")).expect("readable");
                // A byte order mark is in the owned value and in no text.
                let has_mark = vector
                    .bytes
                    .windows(3)
                    .any(|bytes| bytes == b"\xef\xbb\xbf");
                // Nor does a text say how wide components are, or that null was an object.
                let debug = format!("{value:?}");
                let is_lost = debug.contains("Double") || debug.contains("Object(Null)");
                if exact != text || has_mark || is_lost || unsayable(document, &text).is_some() {
                    continue;
                }
                match text.parse::<Variant>() {
                    Ok(again) if sorted(&again) == value => same += 1,
                    other => wrong.push(format!("{}: {text}: {other:?}", vector.id)),
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(same > 100, "{same}");
    });
}
