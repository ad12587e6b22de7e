//! Keys that are neither texts nor ints as steps of a path, and the parts of values: docs/FORMAT.md §6, "Equal keys", says
//! which keys are one; the names of parts are those of Godot's documentation.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use gdvar::{
    Dialect, Document, ErrorKind, Kind, Objects, ReadOptions, VariantRef,
    detect::Engine,
    path::{Found, Path, PathTarget, Pattern, SimpleKey, Step},
};

const GODOT_4: Dialect = Dialect::GODOT_4;

fn id(kind: Kind) -> u32 {
    u32::from(GODOT_4.type_id(kind).expect("a type").0)
}

/// A value of that type and these words.
fn value(kind: Kind, words: &[u32]) -> Vec<u8> {
    [&[id(kind)], words]
        .concat()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect()
}

fn reals(kind: Kind, numbers: &[f32]) -> Vec<u8> {
    let words: Vec<u32> = numbers.iter().map(|number| number.to_bits()).collect();
    value(kind, &words)
}

fn wide(kind: Kind, number: f64) -> Vec<u8> {
    [
        &(id(kind) | 1 << 16).to_le_bytes()[..],
        &number.to_le_bytes(),
    ]
    .concat()
}

fn text(kind: Kind, text: &str) -> Vec<u8> {
    let mut all = value(kind, &[text.len() as u32]);
    all.extend(text.as_bytes());
    all.resize(all.len().next_multiple_of(4), 0);
    all
}

fn root(bytes: &[u8]) -> VariantRef<'_> {
    Document::new(bytes, GODOT_4).root().expect("in order")
}

/// Keys in the notation of paths, and the value that each is.
fn keys() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("null", value(Kind::Nil, &[])),
        ("true", value(Kind::Bool, &[1])),
        ("false", value(Kind::Bool, &[0])),
        ("1.5", reals(Kind::Float, &[1.5])),
        ("0.1", wide(Kind::Float, 0.1)),
        ("0.20000000298023224", reals(Kind::Float, &[0.2])),
        ("-2.5", reals(Kind::Float, &[-2.5])),
        ("inf", reals(Kind::Float, &[f32::INFINITY])),
        ("nan", reals(Kind::Float, &[f32::NAN])),
        ("1e40", wide(Kind::Float, 1e40)),
        ("Vector2(1, 0.1)", reals(Kind::Vector2, &[1.0, 0.1])),
        ("Vector2(1, 0.3)", reals(Kind::Vector2, &[1.0, 0.3])),
        ("Vector2(nan, 1)", reals(Kind::Vector2, &[f32::NAN, 1.0])),
        (
            "Vector2i(5, -9)",
            value(Kind::Vector2i, &[5, -9_i32 as u32]),
        ),
        ("Vector3(1, 2, 3)", reals(Kind::Vector3, &[1.0, 2.0, 3.0])),
        ("Vector3i(1, 2, 3)", value(Kind::Vector3i, &[1, 2, 3])),
        (
            "Vector4(1, 2, 3, 4)",
            reals(Kind::Vector4, &[1.0, 2.0, 3.0, 4.0]),
        ),
        ("Vector4i(1, 2, 3, 4)", value(Kind::Vector4i, &[1, 2, 3, 4])),
        (
            "Rect2(1, 2, 3, 4)",
            reals(Kind::Rect2, &[1.0, 2.0, 3.0, 4.0]),
        ),
        ("Rect2i(1, 2, 3, 4)", value(Kind::Rect2i, &[1, 2, 3, 4])),
        (
            "Plane(1, 2, 3, 4)",
            reals(Kind::Plane, &[1.0, 2.0, 3.0, 4.0]),
        ),
        (
            "Quaternion(1, 2, 3, 4)",
            reals(Kind::Quaternion, &[1.0, 2.0, 3.0, 4.0]),
        ),
        (
            "Color(1, 0.5, 0.25, 1)",
            reals(Kind::Color, &[1.0, 0.5, 0.25, 1.0]),
        ),
    ]
}

fn key_of(text: &str) -> SimpleKey {
    let path = format!("[{text}]");
    let path = Path::parse(&path).expect(text);
    match path.steps() {
        [Step::Key(key)] => *key,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_key_is_its_own_value_and_no_other() {
    let keys = keys();
    for (text, bytes) in &keys {
        let own = SimpleKey::of(root(bytes)).expect(text);
        assert_eq!(own.kind(), root(bytes).kind());
        assert_eq!(own.to_string(), *text);
        assert_eq!(key_of(text), own, "{text}");
        for (other, other_bytes) in &keys {
            assert_eq!(
                key_of(text).is(root(other_bytes)),
                text == other,
                "{text} {other}"
            );
            assert_eq!(
                key_of(text) == key_of(other),
                text == other,
                "{text} {other}"
            );
        }
    }
    // Texts and ints have steps of their own, and what has more than four numbers no name.
    for bytes in [
        text(Kind::String, "a"),
        value(Kind::Int, &[1]),
        reals(Kind::Transform2D, &[0.0; 6]),
        value(Kind::Array, &[0]),
    ] {
        assert!(SimpleKey::of(root(&bytes)).is_none());
    }
    assert_eq!(key_of("Vector2(1, 0.1)").numbers(), [1.0, 0.1]);
    assert_eq!(
        (key_of("null").numbers(), key_of("true").numbers()),
        (&[][..], &[1.0][..])
    );
    // 0.0 is found by -0.0; they are written in two ways.
    assert!(key_of("-0.0").is(root(&reals(Kind::Float, &[0.0]))));
    assert_ne!(key_of("-0.0"), key_of("0.0"));
    for wrong in [
        "",
        "-",
        "e",
        "1.5.2",
        "nul",
        "infinity",
        "Vector2(1)",
        "Vector2(1,2,3)",
        "Vector2i(1.5, 2)",
        "Basis(1)",
    ] {
        assert!(Path::parse(&format!("[{wrong}]")).is_err(), "{wrong:?}");
    }
}

/// A Dictionary with all of these keys, whose values are their numbers.
#[test]
fn paths_lead_to_the_values_of_such_keys() {
    let keys = keys();
    let mut bytes = value(Kind::Dictionary, &[keys.len() as u32]);
    for (n, (_, key)) in keys.iter().enumerate() {
        bytes.extend(key);
        bytes.extend(value(Kind::Int, &[n as u32]));
    }
    for (n, (text, _)) in keys.iter().enumerate() {
        let text = format!("[{text}]");
        let found = root(&bytes)
            .get_path(&Path::parse(&text).expect("a path"))
            .expect("in order");
        assert_eq!(found.and_then(VariantRef::as_i64), Some(n as i64), "{text}");
        let pattern = Pattern::from(Path::parse(&text).expect("a path"));
        assert_eq!(pattern.to_string(), format!("${text}"));
        let found: Vec<_> = root(&bytes)
            .select(&pattern)
            .map(|found| found.expect("in order"))
            .collect();
        assert_eq!(found.len(), 1, "{text}");
    }
}

/// The number or text that a path ends at.
fn part(bytes: &[u8], path: &str) -> Option<String> {
    let path = Path::parse(path).expect("a path");
    let found = root(bytes).find_path(&path).expect("in order")?;
    Some(match found {
        Found::Value(value) => format!("{:?}", value.kind()),
        Found::Part(PathTarget::Math(math)) => {
            assert!(!math.is_empty() && math.len() == math.iter().count());
            let numbers: Vec<String> = math.iter().map(|number| number.to_string()).collect();
            format!("{}({})", math.kind(), numbers.join(" "))
        }
        Found::Part(PathTarget::Int(int)) => int.to_string(),
        Found::Part(PathTarget::Text(text)) => text.to_str().expect("UTF-8").to_owned(),
    })
}

#[test]
fn parts_have_the_names_of_the_engine() {
    let rect = reals(Kind::Rect2, &[1.0, 2.0, 10.0, 20.0]);
    let rect_i = value(Kind::Rect2i, &[1, 2, 10, 20]);
    let aabb = reals(Kind::Aabb, &[1.0, 2.0, 3.0, 10.0, 20.0, 30.0]);
    for (bytes, path, expected) in [
        (&rect, "position", Some("Vector2(1 2)")),
        (&rect, "size", Some("Vector2(10 20)")),
        (&rect, "end", Some("Vector2(11 22)")),
        (&rect, "end.y", Some("Float(22)")),
        (&rect_i, "end", Some("Vector2i(11 22)")),
        (&aabb, "end", Some("Vector3(11 22 33)")),
        (&aabb, "end.z", Some("Float(33)")),
        (&aabb, "size.w", None),
        (&reals(Kind::Vector2, &[1.0, 2.0]), "end", None),
    ] {
        assert_eq!(part(bytes, path).as_deref(), expected, "{path}");
    }
    let packed = value(Kind::PackedInt32Array, &[3, 7, 8, 9]);
    for (index, expected) in [
        ("[0]", Some("7")),
        ("[2]", Some("9")),
        ("[-1]", Some("9")),
        ("[-3]", Some("7")),
    ] {
        assert_eq!(part(&packed, index).as_deref(), expected, "{index}");
    }
    assert_eq!((part(&packed, "[3]"), part(&packed, "[-4]")), (None, None));
}

/// Patterns through pairs, properties' names, packed arrays and parts.
#[test]
fn patterns_select_keys_and_parts() {
    let point = reals(Kind::Vector2, &[1.0, 2.0]);
    let points = value(
        Kind::PackedVector2Array,
        &[
            2,
            1_f32.to_bits(),
            2_f32.to_bits(),
            3_f32.to_bits(),
            4_f32.to_bits(),
        ],
    );
    let mut bytes = value(Kind::Dictionary, &[3]);
    for (key, value) in [("a", &point), ("b", &point), ("c", &points)] {
        bytes.extend(text(Kind::String, key));
        bytes.extend(value);
    }
    let select = |pattern: &str| {
        let pattern = Pattern::parse(pattern).expect("a pattern");
        let mut all = root(&bytes).select(&pattern);
        let mut paths = Vec::new();
        while let Some(found) = all.try_next().expect("in order") {
            let number = match found {
                Found::Part(PathTarget::Math(math)) => math.iter().next(),
                _ => None,
            };
            paths.push((all.path().to_string(), number));
        }
        paths
    };
    let path = |path: &str, number| (path.to_owned(), number);
    assert_eq!(
        select("[*].y"),
        [path("$.a.y", Some(2.0)), path("$.b.y", Some(2.0))]
    );
    assert_eq!(
        select("c[*].x"),
        [path("$.c[0].x", Some(1.0)), path("$.c[1].x", Some(3.0))]
    );
    assert_eq!(select("c[-1:].y"), [path("$.c[1].y", Some(4.0))]);
    assert_eq!(
        select("..x"),
        [
            path("$.a.x", Some(1.0)),
            path("$.b.x", Some(1.0)),
            path("$.c[0].x", Some(1.0)),
            path("$.c[1].x", Some(3.0))
        ]
    );
    assert_eq!(select("{1:key}"), [path("${1:key}", None)]);
    assert_eq!(select("{1}.x"), [path("${1}.x", Some(1.0))]);
    assert_eq!(select("d[*]"), []);
}

#[test]
fn texts_compare_hash_and_order_as_text() {
    let (a, b) = (text(Kind::String, "abc"), text(Kind::StringName, "abd"));
    let (a, b) = (
        root(&a).as_text().expect("text"),
        root(&b).as_text().expect("text"),
    );
    assert!("abc" == a && "abd" != a && *"abc" == a && *"abd" != a);
    assert!(a < b && a.partial_cmp(&b) == Some(std::cmp::Ordering::Less));
    let state = BuildHasherDefault::<DefaultHasher>::default();
    assert_ne!(state.hash_one(a), state.hash_one(b));
    // The byte order mark, which the engine drops, is there for those who write the text again.
    let marked = text(Kind::String, "\u{feff}x");
    let marked = root(&marked).as_text().expect("text");
    assert_eq!(
        (marked.as_bytes(), marked.with_mark().as_bytes()),
        (&b"x"[..], "\u{feff}x".as_bytes())
    );
    assert_eq!(a.with_mark().as_bytes(), b"abc");
    assert_eq!(
        marked.with_mark().with_mark().as_bytes(),
        "\u{feff}x".as_bytes()
    );
}
#[test]
fn engines_that_were_never_asked_print_like_the_nearest() {
    assert_eq!(
        Dialect::GODOT_4_DOCS.notation(),
        gdvar_text::Notation::Godot4
    );
    for dialect in [
        Dialect::GODOT_2,
        Dialect::PANDEMONIUM_3,
        Dialect::PANDEMONIUM_4,
    ] {
        assert_eq!(
            dialect.notation(),
            gdvar_text::Notation::Godot3_6,
            "{dialect:?}"
        );
    }
    let names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
    let error = "godot5".parse::<Engine>().expect_err("no engine");
    assert_eq!(
        error.to_string(),
        format!("unknown engine; there are {}", names.join(", "))
    );
}

/// A whole object of class "Node" with an int `hp` and a Vector2 `pos`.
fn object() -> Vec<u8> {
    let field = |name: &str| text(Kind::String, name)[4..].to_vec();
    let mut all = value(Kind::Object, &[]);
    all.extend(field("Node"));
    all.extend(2_u32.to_le_bytes());
    all.extend(field("hp"));
    all.extend(value(Kind::Int, &[80]));
    all.extend(field("pos"));
    all.extend(reals(Kind::Vector2, &[1.0, 2.0]));
    all
}

/// Properties of objects, texts of packed arrays, and parts of parts below any depth.
#[test]
fn patterns_lead_through_objects_and_texts() {
    let mut bytes = value(Kind::Array, &[3]);
    bytes.extend(object());
    bytes.extend(value(Kind::PackedStringArray, &[3]));
    for name in ["a", "b", "c"] {
        bytes.extend(&text(Kind::String, name)[4..8]);
        bytes.extend([name.as_bytes(), b"\0\0\0"].concat());
    }
    bytes.extend(reals(Kind::Rect2, &[1.0, 2.0, 10.0, 20.0]));
    let options = ReadOptions::new(GODOT_4).with_objects(Objects::Inert);
    let root = Document::with_options(&bytes, options)
        .root()
        .expect("in order");
    let select = |pattern: &str| {
        let pattern = Pattern::parse(pattern).expect("a pattern");
        let mut all = root.select(&pattern);
        let mut found = Vec::new();
        while let Some(one) = all.try_next().expect("in order") {
            let what = match one {
                Found::Value(value) => format!("{}", value.kind()),
                Found::Part(PathTarget::Text(text)) => text.to_str().expect("UTF-8").to_owned(),
                Found::Part(PathTarget::Int(int)) => int.to_string(),
                Found::Part(PathTarget::Math(math)) => {
                    format!("{:?}", math.iter().collect::<Vec<_>>())
                }
            };
            found.push(format!("{} {what}", all.path()));
        }
        found
    };
    assert_eq!(select("[0].hp"), ["$[0].hp Int"]);
    assert_eq!(select("[0][*]"), ["$[0].hp Int", "$[0].pos Vector2"]);
    assert_eq!(select("..hp"), ["$[0].hp Int"]);
    assert_eq!(select("[*].pos.y"), ["$[0].pos.y [2.0]"]);
    assert_eq!(select("[1][*]"), ["$[1][0] a", "$[1][1] b", "$[1][2] c"]);
    assert_eq!(select("[1][-1]"), ["$[1][-1] c"]);
    assert_eq!(select("[1][1:]"), ["$[1][1] b", "$[1][2] c"]);
    assert_eq!(select("..[1]"), ["$[1] PackedStringArray", "$[1][1] b"]);
    assert_eq!(select("[2].position.x"), ["$[2].position.x [1.0]"]);
    assert_eq!(select("[2]..position"), ["$[2].position [1.0, 2.0]"]);
    assert_eq!(select("..end"), ["$[2].end [11.0, 22.0]"]);
    assert_eq!(select("[2]..position..x"), ["$[2].position.x [1.0]"]);
    assert_eq!(select("[0].position"), [] as [&str; 0]);
}

#[test]
fn steps_have_the_text_that_they_stand_for() {
    let path = Path::parse(r#"a["b c"][&"d"][String("e\"f")][3]"#).expect("a path");
    let texts: Vec<_> = path
        .steps()
        .iter()
        .map(|step| step.text().map(String::from_iter))
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        texts,
        [some("a"), some("b c"), some("d"), some("e\"f"), None]
    );
}

#[test]
fn indexed_values_are_found_by_any_key() {
    let mut bytes = value(Kind::Dictionary, &[2]);
    for (n, (_, key)) in keys().iter().enumerate().skip(9).take(2) {
        bytes.extend(key);
        bytes.extend(value(Kind::Int, &[n as u32]));
    }
    let document = Document::new(&bytes, GODOT_4);
    let index = gdvar::index::Index::build(document).expect("valid");
    let dict = index.open(document).expect("its own").as_dict();
    let dict = dict.expect("a Dictionary");
    for (n, (_, key)) in keys().iter().enumerate() {
        let found = dict.get_value(root(key)).and_then(|value| value.as_i64());
        assert_eq!(found, (9..11).contains(&n).then_some(n as i64));
    }
    let mut bytes = value(Kind::Dictionary, &[1]);
    bytes.extend(text(Kind::String, "hp"));
    bytes.extend(value(Kind::Int, &[80]));
    let document = Document::new(&bytes, GODOT_4);
    let index = gdvar::index::Index::build(document).expect("valid");
    let dict = index.open(document).expect("its own").as_dict();
    let dict = dict.expect("a Dictionary");
    assert_eq!(dict.get("hp").and_then(|value| value.as_i64()), Some(80));
    assert!(dict.get("mp").is_none());
}

/// Null is null, and so is an object that was not there; a length in front is told from a value.
#[test]
fn nulls_and_lengths_are_recognized() {
    assert!(root(&value(Kind::Nil, &[])).is_nil());
    assert!(root(&[&(id(Kind::Object) | 1 << 16).to_le_bytes()[..], &[0; 8]].concat()).is_nil());
    assert!(!root(&value(Kind::Bool, &[0])).is_nil() && !root(&value(Kind::Int, &[0])).is_nil());
    let value = text(
        Kind::String,
        "a text of so many bytes that no type has the number",
    );
    let framed = [&(value.len() as u32).to_le_bytes()[..], &value].concat();
    let prefix = |bytes: &[u8]| Document::new(bytes, GODOT_4).length_prefix();
    assert_eq!(prefix(&framed), Some(value.len() as u32));
    assert_eq!(
        (
            prefix(&value),
            prefix(&framed[..framed.len() - 1]),
            prefix(&[])
        ),
        (None, None, None)
    );
    let error = |bytes: &[u8]| {
        Document::new(bytes, GODOT_4)
            .validate()
            .expect_err("no value")
            .kind()
    };
    let length = value.len() as u32;
    assert_eq!(error(&framed), ErrorKind::LengthPrefixed { length });
    assert!(matches!(
        error(&framed[..framed.len() - 1]),
        ErrorKind::UnknownType(_)
    ));
    let inside = [&[id(Kind::Array) as u8, 0, 0, 0, 1, 0, 0, 0][..], &framed].concat();
    assert!(matches!(error(&inside), ErrorKind::UnknownType(_)));
    let wrong = [&8_u32.to_le_bytes()[..], &[0xff; 8]].concat();
    assert_eq!(prefix(&wrong), None);
}
