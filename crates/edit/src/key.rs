//! Keys: how children are looked up by them, and how new ones are encoded.

use core::convert::Infallible;
use std::{borrow::Cow, collections::HashMap};

use gdvar_view::{Dialect, Document, Kind, ReadOptions, SimpleKey, Step, VariantRef, key_hash};
use gdvar_write::{IntRule, Target, WriteErrorKind, Writer, wire::narrow};

use crate::{
    container::{Child, Container, Name},
    reals::reals,
};

/// What a lookup searches for: a key or an index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KeyQuery<'k> {
    Text(Cow<'k, [u8]>),
    /// A text that must have this type: String or StringName.
    TypedText(Kind, Cow<'k, [u8]>),
    Int(i64),
    /// A key of another type, with bytes that are equal if and only if the values are: the integers of a
    /// Vector2i, or the reals of a Color as doubles.
    Exact(Kind, Cow<'k, [u8]>),
    /// The index among the children.
    Nth(usize),
}

/// Returns a query for a key that consists of `reals`. As keys, 0.0 equals -0.0 and NaN equals NaN.
fn exact<'k>(kind: Kind, reals: impl IntoIterator<Item = f64>) -> KeyQuery<'k> {
    let bits = reals.into_iter().flat_map(|real| {
        let real = match real {
            real if real.is_nan() => f64::NAN,
            // Turns -0.0 into 0.0.
            real => real + 0.0,
        };
        real.to_le_bytes()
    });
    KeyQuery::Exact(kind, bits.collect())
}

impl<'k> KeyQuery<'k> {
    /// Returns the key as the engine compares it, or `None` if only the engine can compare it.
    pub(crate) fn of_key(key: VariantRef<'k>) -> Option<KeyQuery<'k>> {
        match key.kind() {
            kind @ (Kind::String | Kind::StringName) => {
                let text = key.as_text()?.as_bytes().into();
                Some(KeyQuery::of_text(kind, text, key.dialect()))
            }
            Kind::Int => key.as_i64().map(KeyQuery::Int),
            kind if kind == Kind::Nil || kind.has_ints() => {
                let payload = key.raw().ok()?.get(4..)?;
                Some(KeyQuery::Exact(kind, payload.into()))
            }
            kind @ Kind::Bool => key.as_bool().map(|is| exact(kind, [f64::from(is)])),
            kind @ Kind::Float => key.as_f64().map(|float| exact(kind, [float])),
            kind => reals(key).map(|reals| exact(kind, reals)),
        }
    }

    /// Returns a text key as the engine compares it.
    fn of_text(kind: Kind, text: Cow<'k, [u8]>, dialect: Dialect) -> KeyQuery<'k> {
        match kind == Kind::String || dialect.string_names_equal_strings() {
            true => KeyQuery::Text(text),
            false => KeyQuery::TypedText(kind, text),
        }
    }

    /// Returns the key that a step adds to a Dictionary, as the engine compares it. `None` if it adds no key.
    pub(crate) fn of_new(step: Step<'k>, dialect: Dialect) -> Option<KeyQuery<'k>> {
        Some(match step {
            Step::Name(text) => KeyQuery::Text(unescaped(text)),
            Step::String(text) => KeyQuery::of_text(Kind::String, unescaped(text), dialect),
            Step::StringName(text) => KeyQuery::of_text(Kind::StringName, unescaped(text), dialect),
            Step::Index(int) => KeyQuery::Int(int),
            Step::Key(key) => of_simple(key),
            Step::PairValue(_) | Step::PairKey(_) => return None,
        })
    }

    /// Returns the key of `child` as the engine compares it.
    pub(crate) fn of_child(child: Child<'k>) -> Option<KeyQuery<'k>> {
        match child.name {
            Name::Place => None,
            Name::Key(key) => KeyQuery::of_key(key),
            Name::Property(name) => Some(KeyQuery::Text(name.as_bytes().into())),
        }
    }
}

/// Returns a key of a path, as the engine compares it.
fn of_simple<'k>(key: SimpleKey) -> KeyQuery<'k> {
    match key.kind() {
        kind if kind.has_ints() => {
            let ints = key.numbers().iter().map(|number| *number as i32);
            KeyQuery::Exact(kind, ints.flat_map(i32::to_le_bytes).collect())
        }
        kind => exact(kind, key.numbers().iter().copied()),
    }
}

/// What a step of a path looks for among the children of a container.
pub(crate) struct StepQuery<'k> {
    pub(crate) first: KeyQuery<'k>,
    /// The query to use if `first` finds nothing. The second query compares reals as `f32`, so that
    /// `[Vector2(0.1, 0)]` finds a vector of 32-bit reals, and lets a name find a StringName.
    pub(crate) second: Option<KeyQuery<'k>>,
}

impl<'k> StepQuery<'k> {
    /// Returns the queries for `step`, or `None` if the step cannot lead anywhere in this kind of container.
    pub(crate) fn new(step: Step<'k>, container: Container<'_>) -> Option<StepQuery<'k>> {
        let dialect = container.value.dialect();
        let mut second = None;
        let first = match step {
            Step::Index(index) if container.is_array() => {
                let from_end = if index < 0 { container.len as i64 } else { 0 };
                KeyQuery::Nth(usize::try_from(index.checked_add(from_end)?).ok()?)
            }
            Step::PairValue(nth) if !container.is_array() => KeyQuery::Nth(nth as usize),
            Step::Name(text) if !container.is_array() => {
                let text = unescaped(text);
                if container.is_dict() && !dialect.string_names_equal_strings() {
                    second = Some(KeyQuery::TypedText(Kind::StringName, text.clone()));
                }
                KeyQuery::Text(text)
            }
            Step::Index(int) if container.is_dict() => KeyQuery::Int(int),
            Step::String(text) if container.is_dict() => {
                KeyQuery::TypedText(Kind::String, unescaped(text))
            }
            Step::StringName(text) if container.is_dict() => {
                KeyQuery::TypedText(Kind::StringName, unescaped(text))
            }
            Step::Key(key) if container.is_dict() => {
                second = in_32_bits(key);
                of_simple(key)
            }
            _ => return None,
        };
        Some(StepQuery { first, second })
    }
}

/// Returns `key` with its reals rounded to 32 bits. `None` if rounding changes nothing, or if `key` does not find
/// the rounded reals: see [`SimpleKey::has`].
fn in_32_bits<'k>(key: SimpleKey) -> Option<KeyQuery<'k>> {
    let narrowed = key.numbers().iter().map(|real| f64::from(narrow(*real)));
    let finds = narrowed
        .clone()
        .enumerate()
        .all(|(n, own)| key.has(n, own, true));
    let query = exact(key.kind(), narrowed);
    (finds && query != of_simple(key)).then_some(query)
}

/// What the existing keys of a Dictionary have in common. A new key gets the same text type and the
/// same width.
#[derive(Clone, Copy, Default)]
pub(crate) struct KeyStyle {
    /// The type of its text keys.
    pub(crate) text: Option<Kind>,
    /// `true` if the reals of its keys have 64 bits.
    pub(crate) is_wide: bool,
}

/// Returns the bytes of the key that a step adds to a Dictionary, or `None` if the step is not a key.
///
/// # Errors
/// Fails if the dialect lacks the type or cannot hold the number.
pub(crate) fn new_key(
    step: Step<'_>,
    dialect: Dialect,
    like: KeyStyle,
) -> Result<Option<Vec<u8>>, WriteErrorKind<Infallible>> {
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    let text = |name| String::from_utf8_lossy(&unescaped(name)).into_owned();
    let written = match step {
        Step::Name(name) => return Ok(Some(text_key(dialect, &unescaped(name), like.text))),
        Step::PairValue(_) | Step::PairKey(_) => return Ok(None),
        Step::Index(int) => writer.int(int),
        Step::String(name) => writer.string(&text(name)),
        Step::StringName(name) => writer.string_name(&text(name)),
        Step::Key(key) => simple(&mut writer, key, like.is_wide),
    };
    let finished = written.and_then(|()| writer.finish());
    finished.map(Some).map_err(gdvar_write::Error::into_kind)
}

fn simple(
    writer: &mut Writer<Vec<u8>>,
    key: SimpleKey,
    wide: bool,
) -> Result<(), gdvar_write::Error<Infallible>> {
    let first = key.numbers().first().copied().unwrap_or_default();
    let kind = key.kind();
    let wide = wide && kind != Kind::Color;
    let numbers = key.numbers().iter();
    let components: Vec<u8> = match kind {
        Kind::Nil => return writer.nil(),
        Kind::Bool => return writer.bool(first != 0.0),
        // Godot 2 has floats of 32 bits only.
        Kind::Float if writer.target().int_rule() == IntRule::Always32 => {
            let narrowed = narrow(first);
            return match narrowed.is_finite() == first.is_finite() {
                true => writer.float_f32(narrowed),
                false => writer.float(first),
            };
        }
        Kind::Float => return writer.float(first),
        kind if kind.has_ints() => numbers
            .flat_map(|number| (*number as i32).to_le_bytes())
            .collect(),
        _ if wide => numbers.flat_map(|number| number.to_le_bytes()).collect(),
        _ => numbers
            .flat_map(|number| narrow(*number).to_le_bytes())
            .collect(),
    };
    writer.math_le(kind, wide && kind.has_reals(), &components)
}

/// Returns the text of a name in a path, with its escapes resolved.
pub(crate) fn unescaped(name: &str) -> Cow<'_, [u8]> {
    if !name.contains('\\') {
        return name.as_bytes().into();
    }
    let mut text = String::new();
    let mut rest = name;
    while let Some((before, behind)) = rest.split_once('\\') {
        text += before;
        let mut chars = behind.chars();
        let code = behind
            .strip_prefix("u{")
            .and_then(|code| code.split_once('}'));
        let code = code.and_then(|(code, rest)| {
            let char = u32::from_str_radix(code, 16)
                .ok()
                .and_then(char::from_u32)?;
            Some((char, rest))
        });
        (text, rest) = match (code, chars.next()) {
            (Some((char, rest)), _) => (text + char.encode_utf8(&mut [0; 4]), rest),
            (None, Some(char)) => {
                let char = match char {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                };
                (text + char.encode_utf8(&mut [0; 4]), chars.as_str())
            }
            (None, None) => (text, ""),
        };
    }
    (text + rest).into_bytes().into()
}

/// Returns the bytes of a string field: length, text and padding ([`docs/FORMAT.md` §3.2]).
///
/// [`docs/FORMAT.md` §3.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#32-string-field
pub(crate) fn field(text: &[u8]) -> Vec<u8> {
    // The text comes from a value, and values with longer texts were refused.
    let mut out = (text.len() as u32).to_le_bytes().to_vec();
    out.extend_from_slice(text);
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

/// Returns the bytes of a new text key: a StringName if `like` is `Some(Kind::StringName)` and the dialect has
/// StringNames, otherwise a String.
pub(crate) fn text_key(dialect: Dialect, text: &[u8], like: Option<Kind>) -> Vec<u8> {
    let id = like
        .filter(|kind| *kind == Kind::StringName)
        .and_then(|kind| dialect.type_id(kind));
    // The type number of String in every dialect.
    let id = id.map_or(4, |id| u32::from(id.0));
    let mut out = id.to_le_bytes().to_vec();
    out.extend_from_slice(&field(text));
    out
}

/// Keys that edits will add to one Dictionary, to detect the ones that it already has.
#[derive(Default)]
pub(crate) struct NewKeys {
    known: HashMap<KeyQuery<'static>, usize>,
    /// Keys that only the engine can compare, by their hashes.
    others: HashMap<u64, SameHash>,
}

/// The new keys with one hash. There are several if somebody constructed a collision, and of keys that equal no other,
/// such as an Array with NaN.
#[derive(Default)]
struct SameHash {
    /// Consecutive pairs of key and null.
    pairs: Vec<u8>,
    /// For each key, the edit that adds it.
    edits: Vec<usize>,
}

impl NewKeys {
    /// Adds the key of an edit. Returns `false` if it was added before.
    pub(crate) fn add(&mut self, key: VariantRef<'_>, raw: &[u8], edit: usize) -> bool {
        if let Some(query) = KeyQuery::of_key(key) {
            return self.add_query(&query, edit);
        }
        let same = self.others.entry(key_hash(key)).or_default();
        if same.find(key).is_some() {
            return false;
        }
        same.pairs.extend_from_slice(raw);
        same.pairs.extend_from_slice(&[0; 4]);
        same.edits.push(edit);
        true
    }

    /// Adds a key in the form of a query. Returns `false` if it was added before.
    pub(crate) fn add_query(&mut self, query: &KeyQuery<'_>, edit: usize) -> bool {
        let query = match query {
            KeyQuery::Text(text) => KeyQuery::Text(Cow::Owned(text.to_vec())),
            KeyQuery::Int(int) => KeyQuery::Int(*int),
            KeyQuery::TypedText(kind, text) => KeyQuery::TypedText(*kind, text.to_vec().into()),
            KeyQuery::Exact(kind, payload) => KeyQuery::Exact(*kind, Cow::Owned(payload.to_vec())),
            KeyQuery::Nth(_) => return true,
        };
        self.known.insert(query, edit).is_none()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.others.is_empty()
    }

    /// Returns the edit that adds the key of `child`, if there is one.
    pub(crate) fn find(&self, child: Child<'_>) -> Option<usize> {
        match (KeyQuery::of_child(child), child.name) {
            (Some(query), _) => self.known.get(&query).copied(),
            (None, Name::Key(key)) if !self.others.is_empty() => {
                self.others.get(&key_hash(key))?.find(key)
            }
            _ => None,
        }
    }
}

impl SameHash {
    /// Returns the edit that adds `key`, if there is one.
    fn find(&self, key: VariantRef<'_>) -> Option<usize> {
        if self.edits.is_empty() {
            return None;
        }
        // Looks the key up in a temporary dictionary of the new keys, which compares as the engine does.
        let mut dict = Vec::new();
        let id = key.dialect().type_id(Kind::Dictionary)?;
        dict.extend_from_slice(&u32::from(id.0).to_le_bytes());
        dict.extend_from_slice(&(self.edits.len() as u32).to_le_bytes());
        dict.extend_from_slice(&self.pairs);
        let options = ReadOptions::new(key.dialect()).with_objects(gdvar_view::Objects::Inert);
        let dict = Document::with_options(&dict, options)
            .root()
            .ok()?
            .as_dict()?;
        let value = dict.get_value(key).ok()??;
        let place = dict
            .iter()
            .position(|pair| pair.is_ok_and(|(_, one)| one.offset() == value.offset()));
        self.edits.get(place?).copied()
    }
}
