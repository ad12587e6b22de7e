//! Looks up keys in dictionaries whose keys are nearly equal. Every way to look up a key must find the value
//! that docs/FORMAT.md prescribes. The properties that other targets check must also hold.

use gdvar::{Dialect, Document, Kind, Variant, VariantRef, index::Index, path::Pattern};

use super::{Input, agree, engine, json, roundtrip, text, transcode};
use crate::{
    reference::{Rules, Value, decode, is_one_key},
    vectors::hex,
};

/// The greatest number of pairs in a dictionary.
const MAX_PAIRS: usize = 24;

/// Makes a dictionary with one key per byte of the input, inside a container that the input chooses.
///
/// # Panics
/// If a look-up finds another pair than docs/FORMAT.md prescribes, or a check of another target
/// fails.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let Some(bytes) = build(&input) else {
        return;
    };
    let rules = Rules {
        max_depth: 1024,
        ..input.rules
    };
    let made = Input {
        rules,
        bytes: &bytes,
        ..input
    };
    for strict in [false, true] {
        engine::check(&bytes, Rules { strict, ..rules });
    }
    agree::check(&bytes, rules.options());
    let data = made.join();
    for run in [text::run, transcode::run, roundtrip::run, json::run] {
        run(&data);
    }
    look_up(&bytes, rules);
}

/// Returns the header word of a type, if the dialect has it.
fn word(dialect: Dialect, kind: Kind) -> Option<u32> {
    dialect.type_id(kind).map(|id| u32::from(id.0))
}

/// Collects words and texts.
#[derive(Default)]
struct ByteBuilder(Vec<u8>);

impl ByteBuilder {
    fn words(&mut self, words: &[u32]) -> &mut ByteBuilder {
        let words = words.iter().flat_map(|word| word.to_le_bytes());
        self.0.extend(words);
        self
    }

    fn field(&mut self, text: &str) -> &mut ByteBuilder {
        self.words(&[text.len() as u32]);
        self.0.extend(text.as_bytes());
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        self
    }
}

const TEXTS: [&str; 8] = ["", "a", "/a", "a:b", "a/b", "\u{feff}", "\u{feff}a", "é"];

/// The names and subnames of paths, and whether they are absolute. Some of the paths have the same text.
const PATHS: [(&[&str], &[&str], bool); 10] = [
    (&[], &[], false),
    (&[], &[], true),
    (&["a"], &[], false),
    (&["a"], &[], true),
    (&["/a"], &[], false),
    (&["a", "b"], &[], false),
    (&["a/b"], &[], false),
    (&["a"], &["b"], false),
    (&["a:b"], &[], false),
    (&["\u{feff}"], &[], false),
];

/// The bits of 32-bit reals: both zeros, 0.1, 1.0 and two NaNs.
const SINGLES: [u32; 6] = [
    0,
    0x8000_0000,
    0x3dcc_cccd,
    0x3f80_0000,
    0x7fc0_0000,
    0xffc0_0001,
];

/// Returns the key for a number, or `None` if the dialect does not have its type.
fn key(number: u8, dialect: Dialect) -> Option<Vec<u8>> {
    let of = |kind| word(dialect, kind);
    let n = usize::from(number >> 4);
    let mut out = ByteBuilder::default();
    match number & 15 {
        0 | 1 => out.words(&[4]).field(TEXTS[n % TEXTS.len()]),
        2 | 3 => out
            .words(&[of(Kind::StringName)?])
            .field(TEXTS[n % TEXTS.len()]),
        4..=6 => {
            let (names, subnames, absolute) = PATHS[n % PATHS.len()];
            let flags = u32::from(absolute);
            let count = names.len() as u32 | 1 << 31;
            out.words(&[of(Kind::NodePath)?, count, subnames.len() as u32, flags]);
            for name in names.iter().chain(subnames) {
                out.field(name);
            }
            &mut out
        }
        7 => out.words(&[3, SINGLES[n % SINGLES.len()]]),
        8 => {
            let wide = f64::from(f32::from_bits(SINGLES[n % SINGLES.len()]));
            let wide = if n > 7 { 0.1 } else { wide }.to_bits();
            out.words(&[3 | 1 << 16, wide as u32, (wide >> 32) as u32])
        }
        9 => out.words(&[2, n as u32 % 3]),
        10 => out.words(&[2 | 1 << 16, n as u32 % 3, 0]),
        11 => {
            let count = n as u32 % 3;
            out.words(&[of(Kind::PackedFloat32Array)?, count]);
            out.words(&SINGLES[n % 4..][..count as usize])
        }
        12 => out.words(&[of(Kind::Array)?, 1, 3, SINGLES[n % SINGLES.len()]]),
        13 => out.words(&[of(Kind::Vector2)?, SINGLES[n % SINGLES.len()], 0]),
        14 => out
            .words(&[of(Kind::Dictionary)?, 1, 4])
            .field(TEXTS[n % TEXTS.len()])
            .words(&[0]),
        _ => match n {
            0..=5 => out.words(&[0]),
            6..=10 => out.words(&[1, n as u32 % 2]),
            _ => out
                .words(&[of(Kind::Rid)?])
                .words(match dialect.rid_has_id() {
                    true => &[0, 0],
                    false => &[],
                }),
        },
    };
    Some(out.0)
}

/// Returns the dictionary of an input. Each value is the number of its pair.
fn build(input: &Input<'_>) -> Option<Vec<u8>> {
    let dialect = input.rules.dialect;
    let mut pairs = ByteBuilder::default();
    let mut count = 0;
    for key in input
        .bytes
        .iter()
        .take(MAX_PAIRS)
        .filter_map(|byte| key(*byte, dialect))
    {
        pairs.0.extend(key);
        pairs.words(&[2, count]);
        count += 1;
    }
    let typed = [
        None,
        Some(Kind::String),
        Some(Kind::StringName),
        Some(Kind::NodePath),
        Some(Kind::Float),
    ][usize::from(input.choice % 5)]
    .filter(|_| dialect.has_typed_containers());
    let mut out = ByteBuilder::default();
    let dict = word(dialect, Kind::Dictionary)?;
    match typed.and_then(|kind| word(dialect, kind)) {
        Some(kind) => out.words(&[dict | 1 << 16, kind, count]),
        None => out.words(&[dict, count]),
    };
    out.0.extend(pairs.0);
    Some(out.0)
}

/// Returns, for each pair, the number of the pair that a look-up of its key must find: the last pair with an
/// equal key. `None` for a key that equals nothing, not even itself.
fn last_of_each(value: &Value, dialect: Dialect) -> Vec<Option<i64>> {
    let Value::Dictionary(.., pairs) = value else {
        return Vec::new();
    };
    let last = |own: &Value| {
        let found = pairs
            .iter()
            .rposition(|(key, _)| is_one_key(own, key, dialect));
        found.map(|n| n as i64)
    };
    pairs.iter().map(|(key, _)| last(key)).collect()
}

/// Returns `true` if a key may contain reals, which the owned tree distinguishes by their bits.
fn has_reals(key: VariantRef<'_>) -> bool {
    let plain = [
        Kind::Nil,
        Kind::Bool,
        Kind::Int,
        Kind::String,
        Kind::StringName,
        Kind::NodePath,
    ];
    !plain.contains(&key.kind())
}

/// Checks that every way to look up a key finds the pair that docs/FORMAT.md prescribes.
fn look_up(bytes: &[u8], rules: Rules) {
    let document = Document::with_options(
        bytes,
        Rules {
            strict: false,
            ..rules
        }
        .options(),
    );
    let Ok(decoded) = decode(
        bytes,
        Rules {
            strict: false,
            ..rules
        },
    ) else {
        return;
    };
    let expected = last_of_each(&decoded.value, rules.dialect);
    let who = |n: usize, way: &str| format!("{way} of pair {n}, {rules:?} {}", hex(bytes));
    let number = |found: Option<VariantRef<'_>>| found.and_then(VariantRef::as_i64);
    let root = document.root().expect("it was decoded");
    let plain = Index::build(document).expect("it was decoded");
    let indexed = plain.open(document).expect("its own");
    let dict = indexed.as_dict().expect("it was built");
    let mut sorted = plain.clone();
    sorted.sort_keys(document).expect("its own bytes");
    let tree = (rules.dialect == Dialect::GODOT_4)
        .then(|| Variant::from_ref(root).expect("it was decoded"));
    for (n, (key, _)) in dict.iter().enumerate() {
        let (key, expected) = (key.into_inner(), expected[n]);
        let lazy = dict.into_inner().get_value(key).expect("it was decoded");
        assert_eq!(number(lazy), expected, "{}", who(n, "get_value"));
        for index in [&plain, &sorted] {
            let dict = index
                .open(document)
                .expect("its own")
                .as_dict()
                .expect("one");
            let found = dict.get_value(key).map(|found| *found);
            assert_eq!(number(found), expected, "{}", who(n, "Index"));
        }
        if let Some(tree) = tree
            .as_ref()
            .and_then(Variant::as_dict)
            .filter(|_| !has_reals(key))
        {
            let key = Variant::from_ref(key).expect("it was decoded");
            let found = tree.get(&key).and_then(Variant::as_i64);
            assert_eq!(found, expected, "{}", who(n, "Variant"));
        }
        let texts = key
            .as_text()
            .filter(|_| key.kind() == Kind::String || rules.dialect.string_names_equal_strings());
        if let Some(text) = texts.and_then(|text| text.to_str().ok()) {
            let found = dict.get(text).map(|found| found.into_inner());
            assert_eq!(number(found), expected, "{}", who(n, "get"));
            for index in [&plain, &sorted] {
                let dict = index
                    .open(document)
                    .expect("its own")
                    .as_dict()
                    .expect("one");
                let found = dict.get(text).map(|found| *found);
                assert_eq!(number(found), expected, "{}", who(n, "get of Index"));
            }
        }
        if let Some(int) = key.as_i64() {
            let found = dict.get_int(int).map(|found| found.into_inner());
            assert_eq!(number(found), expected, "{}", who(n, "get_int"));
        }
    }
    by_paths(document, &expected, &who, tree.as_ref());
}

/// Checks the paths that a pattern reports. Each path must lead to the last pair with an equal key,
/// in every way to follow a path.
fn by_paths(
    document: Document<'_>,
    expected: &[Option<i64>],
    who: &impl Fn(usize, &str) -> String,
    tree: Option<&Variant>,
) {
    let index = Index::build(document).expect("it was decoded");
    let every = Pattern::parse("[*]").expect("a pattern");
    let root = document.root().expect("it was decoded");
    let mut select = root.select(&every);
    let mut n = 0;
    while let Some(found) = select.try_next().expect("it was decoded") {
        let path = select.path().to_string();
        let own = found.value().and_then(VariantRef::as_i64);
        // The path gives the number of its pair, or it names the key.
        let expected = if path.starts_with("${") {
            own
        } else {
            expected[n]
        };
        let lazy = document.get(&path).expect("a path");
        assert_eq!(
            lazy.and_then(VariantRef::as_i64),
            expected,
            "{path}, {}",
            who(n, "path")
        );
        let parsed = gdvar::path::Path::parse(&path).expect("a path");
        let indexed = index.open(document).expect("its own").get_path(&parsed);
        let indexed = indexed.and_then(|found| found.as_i64());
        assert_eq!(indexed, expected, "{path}, {}", who(n, "path of Index"));
        // The tree has no repeated keys, so the numbers of its pairs may differ.
        let is_real = path.contains('.') && !path.contains('"') || path.contains("nan");
        if let Some(tree) = tree.filter(|_| !path.starts_with("${") && !is_real) {
            let found = tree.get_path(&parsed).expect("a path");
            assert_eq!(
                found.and_then(Variant::as_i64),
                expected,
                "{path}, {}",
                who(n, "path of Variant")
            );
        }
        n += 1;
    }
}
