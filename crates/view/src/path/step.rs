//! [`Step`]: one step of a path, and the keys it matches.

use core::fmt;

#[cfg(feature = "alloc")]
use gdvar_wire::Dialect;
use gdvar_wire::Kind;

use super::{
    quote::{fmt_name, fmt_quoted, same_name, unescaped},
    simple_key::SimpleKey,
};
use crate::{value::variant::VariantRef, walk::keys::equality::is_text_kind};

/// One step of a [`Path`](crate::Path), whose documentation has a table of all steps.
///
/// Texts are kept as written, with their escapes; [`Step::text`] resolves them. Two steps are equal
/// if their resolved texts are.
#[derive(Clone, Copy, Debug)]
pub enum Step<'p> {
    /// `.name` or `["name"]`: a String or StringName key, a property, or a component. A backslash
    /// escapes the character after it.
    Name(&'p str),
    /// `[3]`: an element of an array, counted from the end if negative, or an int key.
    Index(i64),
    /// `{3}`: the value of the n-th pair of a Dictionary, counted from 0.
    PairValue(u32),
    /// `{3:key}`: the key of the n-th pair of a Dictionary, counted from 0.
    PairKey(u32),
    /// `[String("text")]`: a String key, but not a StringName; escaped as in [`Step::Name`].
    String(&'p str),
    /// `[&"text"]`: a StringName key, but not a String; escaped as in [`Step::Name`].
    StringName(&'p str),
    /// `[1.5]`, `[true]`, `[Vector2i(5, 9)]`: a key that is neither a text nor an int.
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
    /// The text of a [`Name`](Step::Name), [`String`](Step::String) or
    /// [`StringName`](Step::StringName), with its escapes resolved. `None` for other steps.
    pub fn text(self) -> Option<impl Iterator<Item = char> + Clone + use<'p>> {
        match self {
            Step::Name(text) | Step::String(text) | Step::StringName(text) => Some(unescaped(text)),
            _ => None,
        }
    }

    /// Returns `true` if this step leads to the value under `key`, a key of a Dictionary. Always
    /// `false` for [`PairValue`](Step::PairValue) and [`PairKey`](Step::PairKey), which count pairs.
    ///
    /// Several keys of one Dictionary may match: [`Step::goes_first`] says which of them counts.
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
    /// Returns `true` if `key` wins over other keys that match this step; [`Step::is_key`] must hold for `key`.
    /// A String wins over a StringName in dialects where the two are different keys, and a number wins over the
    /// nearest 32-bit number. Among equals the last key in the bytes counts.
    #[must_use]
    pub fn goes_first(self, key: VariantRef<'_>) -> bool {
        match self {
            Step::Name(_) => is_text_kind(key.kind(), key.dialect()),
            Step::Key(wanted) => wanted.is_exactly(key),
            _ => true,
        }
    }

    /// Returns `true` if some key of this dialect can match this step ([`Step::is_key`]) without going first
    /// ([`Step::goes_first`]).
    #[cfg(feature = "alloc")]
    pub(crate) fn has_second_keys(self, dialect: Dialect) -> bool {
        match self {
            Step::Name(_) => !dialect.string_names_equal_strings(),
            step => matches!(step, Step::Key(_)),
        }
    }
}
