//! Patterns: how they are written, and which values they lead to.

use gdvar::{
    Dialect, Document,
    path::{Found, PathTarget, Pattern, PatternStep, Step},
};

#[test]
fn patterns_are_steps() {
    use PatternStep::{All, AnyDepth, One, Slice};
    for (pattern, steps, shown) in [
        ("", &[][..], "$"),
        ("[*]", &[All], "$[*]"),
        ("[]", &[All], "$[*]"),
        (".*", &[All], "$[*]"),
        (
            "a[].b",
            &[One(Step::Name("a")), All, One(Step::Name("b"))],
            "$.a[*].b",
        ),
        ("..a", &[AnyDepth, One(Step::Name("a"))], "$..a"),
        (
            "$..['a b']",
            &[AnyDepth, One(Step::Name("a b"))],
            "$..[\"a b\"]",
        ),
        ("..[0]", &[AnyDepth, One(Step::Index(0))], "$..[0]"),
        ("..*", &[AnyDepth, All], "$..[*]"),
        (
            "..[]..x",
            &[AnyDepth, All, AnyDepth, One(Step::Name("x"))],
            "$..[*]..x",
        ),
        ("[1:3]", &[Slice(Some(1), Some(3))], "$[1:3]"),
        ("[:3]", &[Slice(None, Some(3))], "$[:3]"),
        ("[-2:]", &[Slice(Some(-2), None)], "$[-2:]"),
        ("[:]", &[Slice(None, None)], "$[:]"),
    ] {
        let parsed = Pattern::parse(pattern).expect(pattern);
        assert_eq!(parsed.steps(), steps, "{pattern}");
        assert_eq!(parsed.to_string(), shown, "{pattern}");
        let single = steps.iter().all(|step| matches!(step, One(_)));
        assert_eq!(parsed.as_path().is_some(), single, "{pattern}");
    }
    for (pattern, offset) in [
        ("..", 0),
        ("a..", 1),
        ("...a", 0),
        ("[1:2:3]", 0),
        ("[a:b]", 0),
    ] {
        assert_eq!(
            Pattern::parse(pattern).expect_err(pattern).offset,
            offset,
            "{pattern}"
        );
    }
    // The steps of a path do not count.
    assert!(Pattern::parse(&"[0]".repeat(500)).is_ok());
    assert!(Pattern::parse(&("[0]".repeat(500) + &"[*]".repeat(63))).is_ok());
    let error = Pattern::parse(&"[*]".repeat(64)).expect_err("too many");
    assert_eq!(error.offset, 3 * 63);
}

/// The places that a pattern leads to in values that Godot 4 would write: paths and values, in
/// order.
#[test]
fn patterns_lead_to_many_values() {
    let value: gdvar::Variant = gdvar::variant!({
        "party": [
            { "name": "Aldis", "hp": 9, "pos": (gdvar::math::Vector2::new(1.0_f32, 2.0)) },
            { "name": "Bren", "hp": 7, "bag": { "name": "bag", "ids": [1, 2, 3] } },
        ],
        "name": "slot",
        "path": (gdvar::Variant::PackedInt32Array(vec![5, 6, 7])),
    });
    let bytes = value.to_vec(Dialect::GODOT_4).expect("encoded");
    let root = Document::new(&bytes, Dialect::GODOT_4)
        .root()
        .expect("in order");
    let select = |pattern: &str| {
        let pattern = Pattern::parse(pattern).expect(pattern);
        let mut select = root.select(&pattern);
        let mut found = Vec::new();
        while let Some(one) = select.try_next().expect("in order") {
            let text = match one {
                Found::Value(value) => match (value.as_str(), value.as_i64()) {
                    (Some(text), _) => text.to_owned(),
                    (_, Some(int)) => int.to_string(),
                    _ => value.kind().name().to_owned(),
                },
                Found::Part(PathTarget::Int(int)) => int.to_string(),
                Found::Part(PathTarget::Math(math)) => {
                    format!("{:?}", math.iter().collect::<Vec<_>>())
                }
                Found::Part(PathTarget::Text(_)) => panic!("there is none"),
            };
            found.push(format!("{} {text}", select.path()));
        }
        assert!(matches!(select.try_next(), Ok(None)));
        found
    };
    assert_eq!(
        select("party[*].name"),
        ["$.party[0].name Aldis", "$.party[1].name Bren"]
    );
    assert_eq!(
        select("..name"),
        [
            "$.party[0].name Aldis",
            "$.party[1].name Bren",
            "$.party[1].bag.name bag",
            "$.name slot"
        ]
    );
    assert_eq!(
        select("party[1:]..ids[-2:]"),
        ["$.party[1].bag.ids[1] 2", "$.party[1].bag.ids[2] 3"]
    );
    assert_eq!(select("path[:2]"), ["$.path[0] 5", "$.path[1] 6"]);
    assert_eq!(select("..x"), ["$.party[0].pos.x [1.0]"]);
    assert_eq!(select("party[*].pos.y"), ["$.party[0].pos.y [2.0]"]);
    assert_eq!(select("party[0].pos.y"), ["$.party[0].pos.y [2.0]"]);
    assert_eq!(select(".*").len(), 3);
    assert_eq!(select("party[9]"), [""; 0]);
    assert_eq!(select("..[0]").len(), 3);
    assert_eq!(select("[*]{0:key}"), [""; 0]);
    assert_eq!(
        select("party[*]{0:key}"),
        ["$.party[0]{0:key} name", "$.party[1]{0:key} name"]
    );
}

/// Patterns come from command lines and configurations: of any length they are parsed about as fast as paths.
#[test]
fn long_patterns_are_parsed_in_proportion_to_their_length() {
    for (one, count) in [("[0]", 1 << 17), (".name", 1 << 16), ("[\"a\"]", 1 << 16)] {
        let text = one.repeat(count);
        let start = std::time::Instant::now();
        let path = gdvar::path::Path::parse(&text).expect("a path");
        let of_path = start.elapsed();
        let start = std::time::Instant::now();
        let pattern = gdvar::path::Pattern::parse(&text).expect("a pattern");
        let of_pattern = start.elapsed();
        assert_eq!(pattern.as_path().as_ref(), Some(&path));
        let most = 20 * of_path + std::time::Duration::from_millis(500);
        assert!(
            of_pattern < most,
            "{one}: {of_pattern:?}, a path {of_path:?}"
        );
    }
    // An escape that does not end is looked for no farther than its digits go.
    let name = "\\u{".repeat(1 << 16);
    let text = format!("[\"{name}\"]");
    let start = std::time::Instant::now();
    let path = gdvar::path::Path::parse(&text).expect("a path");
    let _ = path.to_string();
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
}
