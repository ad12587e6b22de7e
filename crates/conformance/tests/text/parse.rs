//! Texts of the printer through the parser: the same bytes come back. Damaged texts: `tests/oracle/tests/texts.rs`.

use std::collections::BTreeMap;

use gdvar::{
    Dialect, Dictionary, Document, Limits, Objects, ReadOptions, Variant,
    values::ElementType,
    walk::Event,
    write::{Precision, Target},
};
use gdvar_conformance::{
    vectors::{ENGINES, hex, testdata, unhex, vectors},
    with_big_stack,
};
use gdvar_text::{ParseOptions, parse_godot, write_exact};

/// A value that the notation has no signs for, by the text in its place.
fn unsayable(document: Document<'_>, text: &str) -> Option<&'static str> {
    if text.contains("nan") {
        return Some("the bits of a NaN");
    }
    let mut events = document.events();
    while let Some(event) = events.try_next().expect("readable") {
        let (Event::Value(value) | Event::Begin(value)) = event else {
            continue;
        };
        let array = value.as_array().map(|array| array.element_type());
        if let Some(ElementType::Class(name)) = array {
            if name == "" {
                return Some("a class without a name is the type Object");
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
                let mut parsed = parse_godot(&text, &options);
                if let (Err(error), false) = (&parsed, vector.canonical) {
                    // Elements that the engine converts to another number.
                    assert!(
                        error.to_string().contains("number"),
                        "{}: {error}",
                        vector.id
                    );
                    parsed = parse_godot(&text, &options.with_engine_rules(true));
                }
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
                let Ok((value, _)) = Variant::from_prefix(&vector.bytes, engine.dialect) else {
                    continue;
                };
                let text = value.to_string();
                // A byte order mark is in the owned value and in no text.
                let marked = |bytes: &[u8]| bytes == b"\xef\xbb\xbf";
                let has_mark = vector.bytes.windows(3).any(marked);
                // Nor does a text say how wide components are, or that null was an object.
                let debug = format!("{value:?}");
                let is_lost = debug.contains("Double") || debug.contains("Object(Null)");
                // The engine merges repeated keys, and converts or drops elements of another type.
                let is_strict = value.to_vec(engine.dialect).is_ok_and(|bytes| {
                    let document = Document::new(&bytes, engine.dialect);
                    document.strict().validate().is_ok()
                });
                let skipped = has_mark || is_lost || !is_strict;
                if skipped || unsayable(document, &text).is_some() {
                    continue;
                }
                match text.parse::<Variant>() {
                    Ok(again) if again == value => same += 1,
                    other => wrong.push(format!("{}: {text}: {other:?}", vector.id)),
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(same > 300, "{same}");
    });
}

/// The same for real saves of Godot 4, every record of them.
#[test]
fn saves_come_back_from_what_they_print() {
    let mut count = 0;
    for entry in std::fs::read_dir(testdata("saves")).expect("the saves") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        let mut rest = &bytes[..];
        while let Some((len, behind)) = rest.split_first_chunk() {
            let len = u32::from_le_bytes(*len) as usize;
            let Some((record, behind)) = behind.split_at_checked(len) else {
                break;
            };
            rest = behind;
            let document = Document::new(record, Dialect::GODOT_4)
                .with_objects(Objects::Inert)
                .strict();
            if document.validate() != Ok(record.len()) {
                break;
            }
            let value = Variant::from_slice_with(record, document.options()).expect("valid");
            let debug = format!("{value:?}");
            if debug.contains("Double(") {
                continue;
            }
            let again: Variant = value.to_string().parse().expect("our own text");
            assert_eq!(again, value, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

/// Names that a reader could take for something else. The test uses each as a class of elements and of objects, as a
/// key, as a property, and in node paths.
const HOSTILE: &[&str] = &[
    "int",
    "Int",
    "float",
    "String",
    "Object",
    "Variant",
    "Nil",
    "Array",
    "Resource",
    "null",
    "inf",
    "-x",
    "A:b",
    "a/b",
    "a b",
    "9a",
    "a-b",
    "a.b",
    "Résumé",
    "a\"b",
    "a\\b",
    "a\nb",
    "]",
    ")",
    "[",
    "\u{1b}[2J",
    "EncodedObjectAsID",
    "Node",
    "Foo_Bar",
    ":",
    "/",
    "res://x.gd",
    "{\"",
    "\u{202e}x",
    "int]([1, 2]), \"injected\", Array[int",
];

#[test]
fn hostile_names_come_back_from_text_and_from_json() {
    use gdvar::{
        Array,
        tree::{FullObject, NodePath, Object, OwnedElementType, Signal, Text},
    };
    use gdvar_json::{ReadOptions as JsonOptions, Style, read, write};
    for &name in HOSTILE {
        let text = || Text::from(name);
        let class = || OwnedElementType::Class(Box::new(text()));
        let object = FullObject {
            class: text(),
            properties: vec![
                (text(), Variant::from(name)),
                ("object_id".into(), 7.into()),
            ],
        };
        let path = |absolute, names: &[&str], subnames: &[&str]| NodePath {
            names: names.iter().copied().map(Text::from).collect(),
            subnames: subnames.iter().copied().map(Text::from).collect(),
            absolute,
        };
        let mut values = vec![
            Variant::from(Array::new().with_element_type(class())),
            Variant::from(Array::from(vec![Variant::Nil]).with_element_type(class())),
            Variant::from(Dictionary::new().with_types(class(), class())),
            Variant::from(Object::Full(Box::new(object))),
            Variant::from(path(true, &[name, "x"], &[name])),
            Variant::from(path(false, &[name], &["", name])),
            Variant::from(path(false, &["", name, ""], &[])),
            Variant::from(Signal {
                name: text(),
                object_id: 7,
            }),
            Variant::from(Dictionary::from_pairs(vec![(
                Variant::from(name),
                1.into(),
            )])),
            Variant::StringName(text()),
            Variant::PackedStringArray(vec![text(), "".into()]),
        ];
        if let Some(path) = name.strip_prefix("res://") {
            let script = OwnedElementType::Script(Box::new(format!("res://{path}\"").into()));
            values.push(Variant::from(Array::new().with_element_type(script)));
        }
        for value in values {
            // Between other values, which must stay as they are.
            let whole = Variant::from(vec![Variant::from(1), value, Variant::from("last")]);
            let printed = whole.to_string();
            let again = printed.parse::<Variant>();
            assert_eq!(again.as_ref(), Ok(&whole), "{printed}");
            let bytes = whole.to_vec(Target::GODOT_4).expect("a value of Godot 4");
            let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
            let root = Document::with_options(&bytes, options)
                .root()
                .expect("our own bytes");
            for style in [Style::Tagged, Style::Native] {
                let mut json = Vec::new();
                let report = write(root, style, &mut json).expect("readable");
                let options = JsonOptions::new(style, Target::GODOT_4).with_objects(Objects::Inert);
                let shown = String::from_utf8_lossy(&json);
                let again = read(&json, &options);
                if report.is_lossless() {
                    assert_eq!(
                        again.map(|again| hex(&again)),
                        Ok(hex(&bytes)),
                        "{style:?} {shown}"
                    );
                }
            }
        }
    }
}

/// An array of one whose class says `int]([1, 2]), "injected", Array[int`, and an array with a script without a path,
/// which an engine reads if it lets no objects in.
#[test]
fn element_types_are_no_text_and_no_path() {
    use gdvar_json::{ReadOptions as JsonOptions, Style, read, write};
    let injection = "1c000000010000001c00020023000000696e745d285b312c20325d292c2022696e\
        6a6563746564222c2041727261795b696e7400000000 00"
        .replace(' ', "");
    let script = "1c000300000000000100000005000000\
        0000000000000000";
    for (bytes, objects) in [(&*injection, Objects::Inert), (script, Objects::Ids)] {
        let bytes = unhex(bytes);
        let options = ReadOptions::new(Dialect::GODOT_4).with_objects(objects);
        let document = Document::with_options(&bytes, options);
        assert_eq!(document.validate(), Ok(bytes.len()));
        let root = document.root().expect("readable");
        let mut json = Vec::new();
        write(root, Style::Tagged, &mut json).expect("readable");
        let options = JsonOptions::new(Style::Tagged, Target::GODOT_4).with_objects(Objects::Inert);
        let again = read(&json, &options).map(|again| hex(&again));
        assert_eq!(again, Ok(hex(&bytes)), "{}", String::from_utf8_lossy(&json));
        let mut text = String::new();
        write_exact(&mut text, root).expect("readable");
        let options = ParseOptions::new(Target::GODOT_4)
            .with_objects(Objects::Inert)
            .with_whole(true);
        let again = parse_godot(&text, &options).expect("our own text").bytes;
        if objects == Objects::Inert {
            assert_eq!(hex(&again), hex(&bytes), "{text}");
        } else {
            assert_eq!(text, "Array[EncodedObjectAsID]([Vector2(0, 0)])");
        }
    }
}
