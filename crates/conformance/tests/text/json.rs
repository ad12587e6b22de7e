//! Values of real engines to JSON and back, in every style.

use std::collections::{BTreeMap, HashMap};

use gdvar::{
    Dialect, Document, Kind, Limits, Objects, ReadOptions, VariantRef, path::Step, write::Target,
};
use gdvar_conformance::{
    derived::derived_vectors,
    vectors::{ENGINES, Engine, Vector, hex, lines, vectors},
    with_big_stack,
};
use gdvar_json::{Loss, ReadOptions as JsonOptions, Style, read, write, write_part};

fn json_of(
    engine: Engine,
    bytes: &[u8],
    style: Style,
    objects: Objects,
) -> Option<(Vec<u8>, gdvar_json::Report)> {
    let options = ReadOptions::new(engine.dialect)
        .with_objects(objects)
        .with_limits(Limits::MOST);
    let root = Document::with_options(bytes, options).root().ok()?;
    let mut json = Vec::new();
    let report = write(root, style, &mut json).expect("a readable value");
    Some((json, report))
}

fn back(engine: Engine, json: &[u8], style: Style) -> Result<Vec<u8>, gdvar_json::ReadError> {
    let options = JsonOptions::new(style, Target::from(engine.dialect))
        .with_objects(Objects::Inert)
        .with_limits(Limits::MOST);
    read(json, &options)
}

fn second(array: VariantRef<'_>) -> VariantRef<'_> {
    let array = array.as_array().expect("an array");
    array
        .get(1)
        .expect("a readable array")
        .expect("a second element")
}

/// The JSON of the components of a vector, and of the elements of a packed array, is what the JSON of the whole
/// value has in their places.
#[test]
fn the_parts_of_a_value_are_written_as_in_the_whole() {
    let (mut parts, mut signs) = (0, 0);
    for engine in ENGINES {
        for Vector { bytes, .. } in vectors(engine) {
            let options = ReadOptions::new(engine.dialect).with_limits(Limits::MOST);
            let Ok(value) = Document::with_options(&bytes, options).root() else {
                continue;
            };
            let steps: Vec<_> = match value.kind() {
                Kind::Vector2 | Kind::Vector2i => ["x", "y"].map(Step::Name).to_vec(),
                Kind::Vector3 | Kind::Vector3i => ["x", "y", "z"].map(Step::Name).to_vec(),
                Kind::Vector4 | Kind::Vector4i | Kind::Quaternion => {
                    ["x", "y", "z", "w"].map(Step::Name).to_vec()
                }
                Kind::Color => ["r", "g", "b", "a"].map(Step::Name).to_vec(),
                _ => match value.packed_len() {
                    Some(len) => (0..len as i64).map(Step::Index).collect(),
                    None => continue,
                },
            };
            let mut whole = Vec::new();
            let Ok(report) = write(value, Style::Plain, &mut whole) else {
                continue;
            };
            let (mut joined, mut nulls) = (b"[".to_vec(), 0);
            for (n, step) in steps.iter().enumerate() {
                joined.extend_from_slice(if n > 0 { b"," } else { b"" });
                let part = value.part(*step).expect("a part that is there");
                let report = write_part(part, &mut joined).expect("a readable part");
                nulls += report.count(Loss::NotFinite);
                parts += 1;
            }
            joined.push(b']');
            let texts = [&joined, &whole].map(|json| String::from_utf8_lossy(json));
            assert_eq!(texts[0], texts[1], "{engine:?} {}", hex(&bytes));
            assert_eq!(nulls, report.count(Loss::NotFinite), "{}", hex(&bytes));
            if !value.is_wide() {
                signs += texts[1].matches("-0.0").count();
            }
        }
    }
    assert!(
        parts > 5_000 && signs > 0,
        "{parts} parts, {signs} negative zeros of 32 bits"
    );
}

/// The JSON of a value inside of a document is the JSON of its own bytes. An error in it has its offset in
/// the document.
#[test]
fn a_value_inside_of_a_document_is_written_as_by_itself() {
    // The Dictionary { 2: 1, 2: 1 }, which strict mode refuses at the second key.
    let repeated: Vec<u8> = [27u32, 2, 2, 2, 2, 1, 2, 2, 2, 1]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    for style in [Style::Plain, Style::Native, Style::Tagged] {
        for engine in ENGINES {
            for Vector { bytes, .. } in vectors(engine) {
                let options = ReadOptions::new(engine.dialect)
                    .with_objects(Objects::Inert)
                    .with_limits(Limits::MOST);
                let Ok(root) = Document::with_options(&bytes, options).root() else {
                    continue;
                };
                let mut alone = Vec::new();
                let failed = write(root, style, &mut alone).is_err();
                // [null, VALUE]
                let array = engine
                    .dialect
                    .type_id(Kind::Array)
                    .expect("every engine has arrays");
                let mut within = [u32::from(array.0), 2, 0].map(u32::to_le_bytes).concat();
                within.extend_from_slice(&bytes);
                let root = Document::with_options(&within, options)
                    .root()
                    .expect("an array");
                let mut json = Vec::new();
                let written = write(second(root), style, &mut json);
                assert_eq!((written.is_err(), json), (failed, alone));
            }
        }
        let mut within = [28u32, 2, 0].map(u32::to_le_bytes).concat();
        within.extend_from_slice(&repeated);
        let options = ReadOptions::new(Dialect::GODOT_4).strict();
        // The root of a strict document would refuse it already.
        let root = Document::with_options(&within, options)
            .cursor()
            .value()
            .expect("an array");
        let error = write(second(root), style, &mut Vec::new());
        let Err(gdvar_json::WriteError::Read(error)) = error else {
            panic!("strict mode refuses the second key: {error:?}");
        };
        assert_eq!(error.offset(), within.len() - 16, "{style:?}");
    }
}

/// Every value comes back as the same bytes, those that no engine writes too.
#[test]
fn tagged_json_loses_nothing() {
    with_big_stack(|| {
        for engine in ENGINES {
            let mut count = 0;
            for vector in vectors(engine) {
                if vector.engine_refuses {
                    continue;
                }
                let (json, report) = json_of(engine, &vector.bytes, Style::Tagged, Objects::Inert)
                    .expect("readable");
                assert!(report.is_lossless());
                let again = back(engine, &json, Style::Tagged);
                let text = String::from_utf8_lossy(&json);
                let again = again.unwrap_or_else(|error| panic!("{}: {error}: {text}", vector.id));
                assert_eq!(hex(&again), hex(&vector.bytes), "{}: {text}", vector.id);
                count += 1;
            }
            println!("{}: {count} the same bytes", engine.name);
            assert!(count > 100);
        }
    });
}

/// The other dialects, with the vectors that follow from the documents.
#[test]
fn tagged_json_loses_nothing_in_derived_vectors() {
    let mut dialects = BTreeMap::new();
    for vector in derived_vectors() {
        let dialect: Dialect = vector.dialect.parse().expect("a dialect");
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        let root = Document::with_options(&vector.bytes, options)
            .root()
            .expect("readable");
        let mut json = Vec::new();
        write(root, Style::Tagged, &mut json).expect("readable");
        let options =
            JsonOptions::new(Style::Tagged, Target::from(dialect)).with_objects(Objects::Inert);
        let text = String::from_utf8_lossy(&json);
        let again = read(&json, &options).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(
            hex(&again),
            hex(&vector.bytes),
            "{}: {text}",
            vector.dialect
        );
        *dialects.entry(vector.dialect).or_insert(0) += 1;
    }
    println!("{dialects:?}");
    assert_eq!(dialects.len(), 4);
}

/// Mistakes have a place and say what had to come.
#[test]
fn mistakes_are_named() {
    let cases = [
        (
            Style::Plain,
            "{\"a\" 1}",
            "line 1, column 6: expected ':' after the key",
        ),
        (
            Style::Plain,
            "[1,\n 2,,]",
            "line 2, column 4: expected a value",
        ),
        (
            Style::Plain,
            "[1] 2",
            "line 1, column 5: expected nothing after the value",
        ),
        (
            Style::Plain,
            "\"\\ud800\"",
            "line 1, column 8: half of a surrogate pair",
        ),
        (
            Style::Plain,
            "\"a\0b\"",
            "line 1, column 3: this text has no closing quote, or a NUL in it",
        ),
        (
            Style::Native,
            "{\"type\":\"Vector2\",\"args\":[1]}",
            "line 1, column 29: a Vector2 cannot be made of 1 numbers",
        ),
        (
            Style::Native,
            "[1]",
            "line 1, column 3: expected \"i:…\" or \"f:…\": numbers are texts in this style",
        ),
        (
            Style::Tagged,
            "{\"Integer\":\"1\"}",
            "line 1, column 2: no type of this style (another --style, plain, native or tagged, may be the one)",
        ),
        (
            Style::Tagged,
            "{\"Raw\":\"0102\"}",
            "line 1, column 1: these raw bytes are not a value of the target",
        ),
    ];
    for (style, json, expected) in cases {
        let error = read(json.as_bytes(), &JsonOptions::new(style, Target::GODOT_4)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{json}");
    }
    let deep = "[".repeat(5000);
    let error = read(
        deep.as_bytes(),
        &JsonOptions::new(Style::Plain, Target::GODOT_4),
    );
    assert_eq!(
        error.unwrap_err().kind(),
        gdvar_json::ReadErrorKind::TooDeep { limit: 1024 }
    );
}

/// `JSON.parse` of Godot 4.6.3 and 3.6.2 gave each of these texts as it was. `JSON.stringify` and `JSON.print` write
/// `\v`, which both do not read.
#[test]
fn control_characters_are_read_as_the_engine_writes_them() {
    let text: String = ('\u{1}'..=' ').collect();
    let value = back(godot4(), format!("\"{text}\"").as_bytes(), Style::Plain);
    let value = value.expect("a text");
    assert_eq!(&value[8..40], text.as_bytes());
    for (style, json) in [
        (Style::Native, format!("\"s:{text}\"")),
        (Style::Tagged, format!("{{\"String\":\"{text}\"}}")),
        (
            Style::Plain,
            format!("\"{}\"", text.replace('\u{b}', "\\v")),
        ),
    ] {
        assert_eq!(back(godot4(), json.as_bytes(), style).as_ref(), Ok(&value));
    }
}

/// The JSON that people see, the losses that are counted, and the values that come back.
#[test]
fn plain_json_says_what_it_loses() {
    let value = gdvar::variant!({
        "hp": 80,
        "speed": 2.0,
        "nan": (f64::NAN),
        "list": [1, null, true],
        (gdvar::Variant::from(7)): "seven",
    });
    let bytes = value.to_vec(Target::GODOT_4).expect("a value");
    let (json, report) = json_of(godot4(), &bytes, Style::Plain, Objects::Inert).expect("readable");
    assert_eq!(
        String::from_utf8_lossy(&json),
        r#"{"hp":80,"speed":2.0,"nan":null,"list":[1,null,true],"7":"seven"}"#
    );
    assert_eq!(
        report.to_string(),
        "1 number that is not finite, 1 key that is not text"
    );
    let back = back(godot4(), &json, Style::Plain).expect("JSON");
    let (again, report) = json_of(godot4(), &back, Style::Plain, Objects::Inert).expect("readable");
    assert_eq!(again, json);
    assert!(report.is_lossless());
}

/// Of every value that an engine wrote: if no loss is counted, the JSON is read back as the same bytes.
#[test]
fn plain_json_that_loses_nothing_comes_back() {
    with_big_stack(|| {
        let (mut same, mut lost) = (0, 0);
        for engine in ENGINES {
            for vector in vectors(engine) {
                let document =
                    Document::with_options(&vector.bytes, ReadOptions::new(engine.dialect));
                let readable = document.validate().is_ok();
                if !readable || !vector.canonical || !vector.dirty.is_empty() {
                    continue;
                }
                let json = json_of(engine, &vector.bytes, Style::Plain, Objects::Ids);
                let (json, report) = json.expect("a valid value");
                if !report.is_lossless() {
                    lost += 1;
                    continue;
                }
                let again = back(engine, &json, Style::Plain);
                let text = String::from_utf8_lossy(&json);
                assert_eq!(
                    again.as_ref(),
                    Ok(&vector.bytes),
                    "{} {}: {text}",
                    engine.name,
                    vector.id
                );
                same += 1;
            }
        }
        assert!(
            same > 200 && lost > 800,
            "{same} come back, {lost} lose something"
        );
    });
}

/// Members in another order, as `jq -S` leaves them, mean the same.
#[test]
fn native_members_may_come_in_any_order() {
    let sorted = r#"{"args":["s:a",{"args":[1.0,2.0],"type":"Vector2"},"s:b",
        {"args":["i:1"],"elem_type":"int","type":"Array"}],"type":"Dictionary"}"#;
    let usual = r#"{"type":"Dictionary","args":["s:a",{"type":"Vector2","args":[1.0,2.0]},"s:b",
        {"type":"Array","elem_type":"int","args":["i:1"]}]}"#;
    let read = |json: &str| back(godot4(), json.as_bytes(), Style::Native).expect("JSON");
    assert_eq!(read(sorted), read(usual));
}

fn godot4() -> Engine {
    ENGINES[1]
}

/// The engine prints control characters as they are, and one as `\\v`, which JSON has not.
fn as_json(engine_text: &str) -> String {
    let mut text = String::new();
    let mut escaped = false;
    for character in engine_text.chars() {
        match character {
            'v' if escaped => {
                text.pop();
                text.push_str("\\u000b");
            }
            '\0'..' ' => text.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => text.push(character),
        }
        escaped = character == '\\' && !escaped;
    }
    text
}

/// Our output for every vector is what Godot 4.6.3 printed for its own JSON.from_native, and our
/// reading of that is what its JSON.to_native makes of it.
#[test]
fn native_json_is_the_engines() {
    with_big_stack(|| {
        let known: HashMap<String, Vector> = vectors(godot4())
            .into_iter()
            .map(|vector| (vector.id.clone(), vector))
            .collect();
        let (mut apart, mut carried, mut lost) = (0, 0, 0);
        let all = lines("json4.jsonl");
        for line in &all {
            let id = line["id"].as_str().expect("an id");
            let vector = &known[id];
            let engine_text = line["native"].as_str().expect("a text");
            let (json, report) =
                json_of(godot4(), &vector.bytes, Style::Native, Objects::Ids).expect("readable");
            let ours = String::from_utf8(json).expect("UTF-8");
            // Crafted bytes: 64-bit reals are kept here, and narrowed by that engine; repeated keys
            // are kept that it merges.
            let differs = ours != as_json(engine_text);
            if differs {
                assert!(
                    !vector.canonical,
                    "{id}\n  ours   {ours}\n  engine {engine_text}"
                );
                apart += 1;
            }
            match line["back"].as_str() {
                Some(back_hex) if !differs => {
                    for text in [&*ours, engine_text] {
                        let again = back(godot4(), text.as_bytes(), Style::Native).expect(text);
                        assert_eq!(hex(&again), back_hex, "{id}: {text}");
                    }
                    // The engine reads reals in 32 bits and drops a byte order mark, which is told.
                    let is_told = report.count(Loss::Width) + report.count(Loss::Mark) > 0;
                    assert!(report.is_lossless() || is_told, "{id}: {report}");
                    carried += 1;
                }
                _ => lost += usize::from(!report.is_lossless()),
            }
        }
        let count = all.len();
        println!(
            "{count} lines, {apart} crafted ones differ, {carried} come back, {lost} reported"
        );
        assert!(apart < 30 && carried > 650 && lost > 80);
    });
}
