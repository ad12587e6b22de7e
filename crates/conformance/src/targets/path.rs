//! Any text as a path, and any bytes to go along it: what it leads to is what a naive walk over the
//! tree leads to.

use gdvar::{Checked, Dialect, Document, Error, Index, Kind, Path, Step, VariantRef};
use serde_json::Value as Json;

use super::Input;
use crate::{
    reference::{Text, Value, decode, tagged as described},
    tagged::{self, Precision},
    vectors::hex,
};

/// The first bytes are the text, as many as the choice says, the rest is a value.
///
/// # Panics
/// If a promise is broken.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let len = usize::from(input.choice & 0xff).min(input.bytes.len());
    let (text, bytes) = input.bytes.split_at(len);
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let path = match Path::parse(text) {
        Ok(path) => path,
        Err(error) => {
            assert!(
                error.offset <= text.len() && text.is_char_boundary(error.offset),
                "{text:?}"
            );
            assert!(!error.to_string().is_empty());
            return;
        }
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
    let root = document
        .check()
        .unwrap_or_else(|error| panic!("{error}: {}", who()));
    let lazily = root.into_inner().get_path(&path);
    let found: Option<VariantRef<'_>> = lazily.unwrap_or_else(|error| panic!("{error}: {}", who()));
    let dialect = input.rules.dialect;
    let mut steps = path.steps().iter();
    let expected = steps.try_fold(&decoded.value, |value, step| take(value, step, dialect));
    let expected = expected.map(json);
    assert_eq!(found.map(events), expected.map(Ok), "{}", who());
    let place = found.map(VariantRef::offset);
    let in_checked = root.get_path(&path).map(Checked::into_inner);
    assert_eq!(in_checked.map(VariantRef::offset), place, "{}", who());
    let mut index = Index::build(document).expect("it was checked");
    index.sort_keys(document).expect("the same document");
    let in_index = index
        .open(document)
        .expect("the same document")
        .get_path(&path);
    let in_index = in_index
        .expect("it was checked")
        .map(|value| value.offset());
    assert_eq!(in_index, place, "{}", who());
}

/// What a path displays as is the same path.
fn shown(path: &Path<'_>) {
    let shown = path.to_string();
    let again = Path::parse(&shown).unwrap_or_else(|error| panic!("{error}: {shown:?}"));
    assert_eq!(again.steps(), path.steps());
    assert_eq!(again.to_string(), shown);
}

fn json(value: &Value) -> Json {
    described(value, Precision::Double)
}

/// A value inside a document as tagged JSON.
fn events(value: VariantRef<'_>) -> Result<Json, Error> {
    tagged::lazy(value, Precision::Double)
}

/// One step from a value to another.
fn take<'v>(value: &'v Value, step: &Step<'_>, dialect: Dialect) -> Option<&'v Value> {
    match (value, *step) {
        (Value::Array(.., items), Step::Index(index)) => {
            let from_end = items.len() as i64 + index;
            items.get(usize::try_from(if index < 0 { from_end } else { index }).ok()?)
        }
        (Value::Dictionary(.., pairs), step) => match step {
            Step::PairValue(n) => pairs.get(n as usize).map(|(_, value)| value),
            Step::PairKey(n) => pairs.get(n as usize).map(|(key, _)| key),
            Step::Name(name) => {
                let name = unescaped(name);
                // Only for Godot 4 a StringName is the same key as a String.
                let is_text = |kind| kind == Kind::String || dialect == Dialect::GODOT_4;
                last(
                    pairs,
                    |key| matches!(key, Value::Text(kind, text) if is_text(*kind) && *text == name),
                )
            }
            Step::Index(int) => last(pairs, |key| *key == Value::Int(int)),
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

/// A backslash stands for the character behind it.
fn unescaped(name: &str) -> Text {
    let mut codes = Vec::new();
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        let c = if c == '\\' { chars.next() } else { Some(c) };
        codes.extend(c.map(u32::from));
    }
    Text(codes)
}
