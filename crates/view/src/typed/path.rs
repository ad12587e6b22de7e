//! Paths to values: `player.inventory[3].name`.

use core::fmt;

#[cfg(feature = "alloc")]
use gdvar_wire::Dialect;
use gdvar_wire::Kind;
use smallvec::SmallVec;

pub(crate) mod digits;
pub(crate) mod key;
#[cfg(feature = "alloc")]
pub(crate) mod owned;
pub(crate) mod quote;

use crate::{
    error::Error,
    typed::{
        find::{child, find},
        part::Found,
    },
    value::variant::VariantRef,
    walk::keys::equality::is_text_kind,
};
use key::SimpleKey;
use quote::{fmt_name, fmt_quoted, is_name, quoted, same_name, unescaped};

/// A parsed path to one value. Up to eight steps need no allocation; it borrows the text.
///
/// | step | takes |
/// |---|---|
/// | `$` | the outermost value; may stand at the start |
/// | `.name`, `["any text"]`, `['any text']` | the value under that text key, be it a String or a StringName; that property of an object; a component: `.x` |
/// | `[String("text")]`, `[&"text"]` | the value under the String, the StringName alone |
/// | `[3]` | element 3 of an array, counted from 0; in a Dictionary the value under the int key 3 |
/// | `[-1]` | the last element of an array; in a Dictionary the value under the int key -1 |
/// | `[1.5]`, `[true]`, `[null]`, `[Vector2i(5, 9)]` | the value under that key, or one that is it in 32 bits; also Vector2, 3 and 4, Vector3i and 4i, Rect2, Rect2i, Plane, Quaternion, Color |
/// | `{3}` | the value of pair 3 of a Dictionary, counted from 0, whatever its key |
/// | `{3:key}` | the key of pair 3 |
///
/// Plain names are letters, digits, `_` and anything that is not ASCII; others need quotes, inside which
/// `\n`, `\t`, `\r` and `\u{1b}` stand for control characters, and `\` for any other character behind
/// it. A [`Pattern`](crate::Pattern) leads to many values at once.
///
/// Components are those of scripts: `.x`, `.y`, `.z`, `.w`, `.position`, `.size`, `.end`, `.origin`,
/// `.basis`, `.normal`, `.d`, `.r`, `.g`, `.b`, `.a`. They and the elements of packed arrays are no values
/// of their own in the bytes: [`VariantRef::find_path`] finds them, [`VariantRef::get_path`] does not.
///
/// ```
/// use gdvar_view::{Path, Step};
///
/// let path = Path::parse(r#"$.player["odd name"][-1]"#)?;
/// assert_eq!(path.steps().len(), 3);
/// assert_eq!(path.steps()[2], Step::Index(-1));
/// assert_eq!(path.to_string(), r#"$.player["odd name"][-1]"#);
///
/// let tile = Path::parse("map[Vector2i(5,9)].pos.x")?;
/// assert_eq!(tile.to_string(), "$.map[Vector2i(5, 9)].pos.x");
/// # Ok::<(), gdvar_view::PathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path<'p> {
    steps: SmallVec<[Step<'p>; 8]>,
}

/// One step of a [`Path`]. Two are equal if they stand for the same text, however it is escaped.
#[derive(Clone, Copy, Debug)]
pub enum Step<'p> {
    /// A text key, a property or a component. Backslashes escape the character behind them.
    Name(&'p str),
    /// An element of an array, or an int key.
    Index(i64),
    /// The value of the n-th pair of a Dictionary.
    PairValue(u32),
    /// The key of the n-th pair of a Dictionary.
    PairKey(u32),
    /// A key that is a String, and no StringName; escaped as in [`Step::Name`].
    String(&'p str),
    /// A key that is a StringName, and no String; escaped as in [`Step::Name`].
    StringName(&'p str),
    /// A key that is no text and no int.
    Key(SimpleKey),
}

impl PartialEq for Step<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Step::Name(a), Step::Name(b))
            | (Step::String(a), Step::String(b))
            | (Step::StringName(a), Step::StringName(b)) => unescaped(a).eq(unescaped(b)),
            (Step::Index(a), Step::Index(b)) => a == b,
            (Step::PairValue(a), Step::PairValue(b)) | (Step::PairKey(a), Step::PairKey(b)) => {
                a == b
            }
            (Step::Key(a), Step::Key(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Step<'_> {}

/// Why a text is no path, and at which byte of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PathError {
    /// The first byte that does not fit.
    pub offset: usize,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this is no path from byte {} on; paths look like player.inventory[3][\"odd name\"]",
            self.offset
        )
    }
}

gdvar_wire::debug_is_display!(PathError);

impl core::error::Error for PathError {}

impl<'p> Path<'p> {
    /// Parses a path; the empty text and `$` mean the outermost value.
    ///
    /// # Errors
    /// The place where the text stops being a path to one value.
    pub fn parse(text: &'p str) -> Result<Path<'p>, PathError> {
        let mut path = Path::default();
        parse(text, |rest, first| {
            let (step, rest) = step(rest, first)?;
            path.steps.push(step);
            Some(rest)
        })?;
        Ok(path)
    }

    /// Its steps.
    #[must_use]
    pub fn steps(&self) -> &[Step<'p>] {
        &self.steps
    }
}

impl<'p> FromIterator<Step<'p>> for Path<'p> {
    fn from_iter<I: IntoIterator<Item = Step<'p>>>(steps: I) -> Path<'p> {
        Path {
            steps: steps.into_iter().collect(),
        }
    }
}

/// Parses step after step: `take` gives what is behind a step. It is told whether the step stands at the
/// very start, where a name needs no dot.
pub(super) fn parse<'p>(
    text: &'p str,
    mut take: impl FnMut(&'p str, bool) -> Option<&'p str>,
) -> Result<(), PathError> {
    let mut rest = text.strip_prefix('$').unwrap_or(text);
    while !rest.is_empty() {
        let offset = text.len() - rest.len();
        rest = take(rest, offset == 0).ok_or(PathError { offset })?;
    }
    Ok(())
}

/// The name at the start, and what is behind it.
pub(super) fn plain_name(text: &str) -> Option<(Step<'_>, &str)> {
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty()).then_some((Step::Name(name), rest))
}

/// The first step of a text and what is behind it.
pub(super) fn step(text: &str, first: bool) -> Option<(Step<'_>, &str)> {
    if first && text.starts_with(is_name) {
        return plain_name(text);
    }
    if let Some(rest) = text.strip_prefix('.') {
        return plain_name(rest);
    }
    let Some(rest) = text.strip_prefix('[') else {
        let (pair, rest) = text.strip_prefix('{')?.split_once('}')?;
        let step = match pair.strip_suffix(":key") {
            Some(pair) => Step::PairKey(pair.parse().ok()?),
            None => Step::PairValue(pair.parse().ok()?),
        };
        return Some((step, rest));
    };
    if let Some((name, rest)) = quoted(rest) {
        return Some((Step::Name(name), rest.strip_prefix(']')?));
    }
    if let Some((name, rest)) = rest.strip_prefix('&').and_then(quoted) {
        return Some((Step::StringName(name), rest.strip_prefix(']')?));
    }
    if let Some((name, rest)) = rest.strip_prefix("String(").and_then(quoted) {
        return Some((Step::String(name), rest.strip_prefix(")]")?));
    }
    let (key, rest) = rest.split_once(']')?;
    let step = match key.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Key(SimpleKey::parse(key)?),
    };
    Some((step, rest))
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.steps.iter().try_for_each(|step| step.fmt(f))
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Name(name) => fmt_name(unescaped(name), f),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::PairValue(pair) => write!(f, "{{{pair}}}"),
            Step::PairKey(pair) => write!(f, "{{{pair}:key}}"),
            Step::String(text) => {
                f.write_str("[String(")?;
                fmt_quoted(unescaped(text), f)?;
                f.write_str(")]")
            }
            Step::StringName(text) => {
                f.write_str("[&")?;
                fmt_quoted(unescaped(text), f)?;
                f.write_str("]")
            }
            Step::Key(key) => write!(f, "[{key}]"),
        }
    }
}

impl<'p> Step<'p> {
    /// The text that a name, String or StringName stands for, without its escapes.
    pub fn text(self) -> Option<impl Iterator<Item = char> + Clone + use<'p>> {
        match self {
            Step::Name(text) | Step::String(text) | Step::StringName(text) => Some(unescaped(text)),
            _ => None,
        }
    }

    /// Returns `true` if a key of a Dictionary is the one that the step asks for. Never for the steps
    /// that count pairs.
    #[must_use]
    pub fn is_key(self, key: VariantRef<'_>) -> bool {
        let is = |name: &str| {
            key.as_text()
                .is_some_and(|text| same_name(name, text.as_bytes()))
        };
        match self {
            Step::Name(name) => is(name),
            Step::String(name) => key.kind() == Kind::String && is(name),
            Step::StringName(name) => key.kind() == Kind::StringName && is(name),
            Step::Index(int) => key.as_i64() == Some(int),
            Step::Key(wanted) => wanted.is(key),
            Step::PairValue(_) | Step::PairKey(_) => false,
        }
    }
}

impl Step<'_> {
    /// Returns `true` if a key for which [`Step::is_key`] holds goes before others for which it does: the String
    /// before a StringName that is another key, and the very number before the single nearest to it. Of
    /// keys that are alike in this the last one counts.
    #[must_use]
    pub fn goes_first(self, key: VariantRef<'_>) -> bool {
        match self {
            Step::Name(_) => is_text_kind(key.kind(), key.dialect()),
            Step::Key(wanted) => wanted.is_exactly(key),
            _ => true,
        }
    }

    /// Returns `true` if [`Step::is_key`] may hold for keys of a dialect that do not go first.
    #[cfg(feature = "alloc")]
    pub(crate) fn has_second_keys(self, dialect: Dialect) -> bool {
        match self {
            Step::Name(_) => !dialect.string_names_equal_strings(),
            step => matches!(step, Step::Key(_)),
        }
    }
}

impl<'a> VariantRef<'a> {
    /// The value at a path below this one, lazily. `Ok(None)` if there is none; parts of values are none
    /// ([`VariantRef::find_path`]).
    ///
    /// # Errors
    /// If a value on the way cannot be read.
    pub fn get_path(self, path: &Path<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        Ok(self.find_path(path)?.and_then(Found::value))
    }

    /// The thing at a path below this one, lazily: a value, an element of a packed array, or a component
    /// of a vector. `Ok(None)` if there is nothing.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, Found, Kind, Path};
    ///
    /// // [Vector2(10, 20)]
    /// let bytes = b"\x1c\0\0\0\x01\0\0\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";
    /// let root = Document::new(bytes, Dialect::GODOT_4).root()?;
    /// let found = root.find_path(&Path::parse("[0].y")?)?.expect("it is there");
    /// let Found::Part(gdvar_view::Part::Math(y)) = found else { unreachable!() };
    /// assert_eq!((y.kind(), y.iter().next()), (Kind::Float, Some(20.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a value on the way cannot be read.
    pub fn find_path(self, path: &Path<'_>) -> Result<Option<Found<'a>>, Error> {
        find(self, path.steps().iter().copied())
    }

    /// The child that one step leads to. `Ok(None)` if there is none. In a Dictionary all pairs are
    /// passed, as the last of repeated keys counts.
    ///
    /// # Errors
    /// If a value on the way cannot be read.
    pub fn take_step(self, step: Step<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        child(self, step)
    }
}
