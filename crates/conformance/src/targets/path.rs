//! Follows any text as a path through any bytes, and compares the result with a naive walk over the tree.

use gdvar::{
    Dialect, Document, Error, Kind, Variant, VariantRef,
    index::Index,
    path::{Path, Pattern, Step},
};
use serde_json::Value as Json;

mod pattern;

use super::Input;
use crate::{
    reference::{Component, Text, Value, decode, tagged as described},
    tagged::{self, Precision},
    vectors::hex,
};

/// Uses the first part of the input as the text, and the rest as a value. The lower byte of the
/// choice is the length of the text.
///
/// # Panics
/// If a path or pattern leads to other values than the naive walk finds, or its text parses to
/// another path or pattern.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let len = usize::from(input.choice & 0xff).min(input.bytes.len());
    let (text, bytes) = input.bytes.split_at(len);
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let Some(pattern) = parsed(text, Pattern::parse(text)) else {
        assert!(Path::parse(text).is_err(), "{text:?}");
        return;
    };
    shown_pattern(&pattern);
    patterns(&pattern, bytes, &input);
    let path = parsed(text, Path::parse(text));
    assert_eq!(pattern.as_path(), path, "{text:?}");
    let Some(path) = path else {
        return;
    };
    shown(&path);

    let document = Document::with_options(bytes, input.rules.options());
    let Ok(decoded) = decode(bytes, input.rules) else {
        if let Ok(root) = document.root() {
            let _ = root.get_path(&path);
        }
        return;
    };
    let who = || format!("{path} {:?} {}", input.rules, hex(bytes));
    let mut index = Index::build(document).unwrap_or_else(|error| panic!("{error}: {}", who()));
    let root = document.root().expect("it was checked");
    let lazily = root.get_path(&path);
    let found: Option<VariantRef<'_>> = lazily.unwrap_or_else(|error| panic!("{error}: {}", who()));
    let dialect = input.rules.dialect;
    let mut steps = path.steps().iter();
    let expected = steps.try_fold(&decoded.value, |value, step| take(value, step, dialect));
    let expected = expected.map(json);
    assert_eq!(found.map(events), expected.map(Ok), "{}", who());
    let place = found.map(VariantRef::offset);
    for _ in ["as built", "with sorted keys"] {
        let indexed = index.open(document).expect("the same document");
        let in_index = indexed.get_path(&path).map(|value| value.offset());
        assert_eq!(in_index, place, "{}", who());
        index.sort_keys(document).expect("the same document");
    }
    owned(root, &path, found);
}

/// Compares the owned value at a path with the one found in the bytes. Only for Godot 4, because the tree
/// compares keys as Godot 4 does.
fn owned(root: VariantRef<'_>, path: &Path<'_>, found: Option<VariantRef<'_>>) {
    if root.dialect() != Dialect::GODOT_4 {
        return;
    }
    let (Ok(tree), Ok(expected)) = (
        Variant::from_ref(root),
        found.map(Variant::from_ref).transpose(),
    ) else {
        return;
    };
    let in_tree = tree.get_path(path).expect("it was parsed");
    let debug = |value: &Variant| format!("{value:?}");
    assert_eq!(
        in_tree.map(debug),
        expected.as_ref().map(debug),
        "{path} {tree:?}"
    );
}

/// Returns the parsed path or pattern. If the text is invalid, checks the offset of the error and returns
/// `None`.
fn parsed<T>(text: &str, result: Result<T, gdvar::path::PathError>) -> Option<T> {
    let error = match result {
        Ok(parsed) => return Some(parsed),
        Err(error) => error,
    };
    let is_place = error.offset <= text.len() && text.is_char_boundary(error.offset);
    assert!(is_place, "{text:?}");
    assert!(!error.to_string().is_empty());
    None
}

/// Checks that the text of a pattern parses to the same pattern.
fn shown_pattern(pattern: &Pattern<'_>) {
    let shown = pattern.to_string();
    let again = Pattern::parse(&shown).unwrap_or_else(|error| panic!("{error}: {shown:?}"));
    assert_eq!(again.steps(), pattern.steps(), "{shown:?}");
    assert_eq!(again.to_string(), shown);
}

/// Checks that a pattern finds the same values as a search through the whole tree. Each reported path must
/// lead to its value again, unless keys are repeated.
fn patterns(pattern: &Pattern<'_>, bytes: &[u8], input: &Input<'_>) {
    let document = Document::with_options(bytes, input.rules.options());
    let Ok(decoded) = decode(bytes, input.rules) else {
        if let Ok(root) = document.root() {
            let mut select = root.select(pattern);
            while let Ok(Some(_)) = select.try_next() {}
            assert!(matches!(select.try_next(), Ok(None)));
        }
        return;
    };
    let who = || format!("{pattern} {:?} {}", input.rules, hex(bytes));
    let dialect = input.rules.dialect;
    let (node, steps) = pattern::start(&decoded.value, pattern, dialect);
    let expected = match node {
        Some(node) => pattern::select(node, steps, dialect),
        None => Some(Vec::new()),
    };
    let Some(expected) = expected else {
        return;
    };
    let root = document.root().expect("it was decoded");
    let mut select = root.select(pattern);
    let mut found = Vec::new();
    let (mut last, mut places) = (0, Vec::new());
    while let Some(one) = { select.try_next() }.unwrap_or_else(|error| panic!("{error}: {}", who()))
    {
        if let Some(value) = one.value() {
            assert!(value.offset() >= last, "{}", who());
            last = value.offset();
        }
        let path = select.path().to_string();
        if let Ok(parsed) = Path::parse(&path) {
            let again = root.find_path(&parsed).expect("it was decoded");
            assert!(again.is_some() || repeats(root), "{path} of {}", who());
            let place = |found: gdvar::path::Found<'_>| found.value().map(VariantRef::offset);
            places.push((parsed.to_string(), place(one), again.and_then(place)));
        } else {
            // Names of properties may not be text.
            assert!(
                path.contains("[b\"") || path.contains("[\""),
                "{path} of {}",
                who()
            );
        }
        found.push(pattern::shown_found(one));
    }
    // A path that is reported once finds its value, unless a key is repeated.
    let is_unique =
        || !repeats(root) && gdvar::walk::repeated_keys(root).is_ok_and(|all| all.is_empty());
    if !places.iter().all(|(_, place, again)| place == again) && is_unique() {
        panic!("{places:?} of {}", who());
    }
    let mut expected: Vec<_> = expected.iter().map(Json::to_string).collect();
    let mut found: Vec<_> = found.iter().map(Json::to_string).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "{}", who());
}

/// Returns `true` if two values have the same path. The path then leads to the second one, and the
/// children of the first cannot be found.
fn repeats(root: VariantRef<'_>) -> bool {
    let everything = Pattern::parse("..[*]").expect("a pattern");
    let mut select = root.select(&everything);
    let mut paths = std::collections::HashSet::new();
    while let Ok(Some(_)) = select.try_next() {
        if !paths.insert(select.path().to_string()) {
            return true;
        }
    }
    false
}

/// Checks that the text of a path parses to the same path.
fn shown(path: &Path<'_>) {
    let shown = path.to_string();
    let again = Path::parse(&shown).unwrap_or_else(|error| panic!("{error}: {shown:?}"));
    assert_eq!(again.steps(), path.steps());
    assert_eq!(again.to_string(), shown);
}

fn json(value: &Value) -> Json {
    described(value, Precision::Double)
}

/// Describes a value inside a document as tagged JSON.
fn events(value: VariantRef<'_>) -> Result<Json, Error> {
    tagged::lazy(value, Precision::Double)
}

/// Takes one step from a value to a child. `None` if there is none.
fn take<'v>(value: &'v Value, step: &Step<'_>, dialect: Dialect) -> Option<&'v Value> {
    match (value, *step) {
        (Value::Array(.., items), Step::Index(index)) => {
            let from_end = items.len() as i64 + index;
            items.get(usize::try_from(if index < 0 { from_end } else { index }).ok()?)
        }
        (Value::Dictionary(.., pairs), step) => match step {
            Step::PairValue(n) => pairs.get(n as usize).map(|(_, value)| value),
            Step::PairKey(n) => pairs.get(n as usize).map(|(key, _)| key),
            step => last(pairs, |key| is_key(key, &step, dialect, false))
                .or_else(|| last(pairs, |key| is_key(key, &step, dialect, true))),
        },
        (Value::Object(_, properties), Step::Name(name)) => {
            let name = unescaped(name);
            let mut properties = properties.iter().rev();
            { properties.find(|(key, _)| *key == name) }.map(|(_, value)| value)
        }
        _ => None,
    }
}

fn last(pairs: &[(Value, Value)], is_key: impl Fn(&Value) -> bool) -> Option<&Value> {
    let mut pairs = pairs.iter().rev();
    pairs.find(|(key, _)| is_key(key)).map(|(_, value)| value)
}

/// Returns `true` if a step finds a key. Without `both`, a name finds only a String in dialects in which a
/// StringName is another key, and digits find only the exact real. With `both`, a name also finds a
/// StringName, and digits also find the nearest 32-bit real.
fn is_key(key: &Value, step: &Step<'_>, dialect: Dialect, both: bool) -> bool {
    let is_text = |kind: Kind| kind == Kind::String || both || dialect == Dialect::GODOT_4;
    match (key, *step) {
        (Value::Text(kind, text), Step::Name(name)) => is_text(*kind) && *text == unescaped(name),
        (Value::Text(Kind::String, text), Step::String(name))
        | (Value::Text(Kind::StringName, text), Step::StringName(name)) => *text == unescaped(name),
        (Value::Int(own), Step::Index(int)) => *own == int,
        (key, Step::Key(wanted)) if key.kind() == wanted.kind() => {
            let same = |own: f64, wanted: f64| own == wanted || own.is_nan() && wanted.is_nan();
            let close =
                |own, wanted| same(own, wanted) || both && same(own, f64::from(wanted as f32));
            match key {
                Value::Nil => true,
                Value::Bool(own) => wanted.numbers() == [f64::from(u8::from(*own))],
                Value::Float(bits) => {
                    let own = f64::from_bits(*bits);
                    close(own, wanted.numbers()[0])
                }
                Value::Math(_, all) => {
                    all.iter()
                        .zip(wanted.numbers())
                        .all(|(own, &wanted)| match *own {
                            Component::Single(bits) => {
                                close(f64::from(f32::from_bits(bits)), wanted)
                            }
                            Component::Double(bits) => same(f64::from_bits(bits), wanted),
                            Component::Int(own) => same(own.into(), wanted),
                            Component::Long(own) => same(own as f64, wanted),
                        })
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Returns the text of a name: a backslash and the character after it become this character or a control
/// character.
fn unescaped(name: &str) -> Text {
    let mut codes = Vec::new();
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            codes.push(u32::from(c));
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        rest = &rest[c.len_utf8()..];
        let braces = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let code = braces
            .filter(|(digits, _)| (1..=6).contains(&digits.len()) && !digits.starts_with('+'))
            .and_then(|(digits, tail)| Some((u32::from_str_radix(digits, 16).ok()?, tail)))
            .filter(|(code, _)| char::from_u32(*code).is_some());
        match (c, code) {
            ('n', _) => codes.push(10),
            ('t', _) => codes.push(9),
            ('r', _) => codes.push(13),
            ('u', Some((code, tail))) => {
                codes.push(code);
                rest = tail;
            }
            (c, _) => codes.push(u32::from(c)),
        }
    }
    Text(codes)
}
