//! The parser of the path notation, step by step. Paths and patterns share it.

use core::fmt;

use super::{
    quote::{is_name, quoted},
    simple_key::SimpleKey,
    step::Step,
};

/// Why a text is not a path or a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PathError {
    /// The offset in the text at which the first bad step starts.
    pub offset: usize,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this is not a path from byte {} on; paths look like player.inventory[3][\"odd name\"]",
            self.offset
        )
    }
}

gdvar_wire::debug_is_display!(PathError);

impl core::error::Error for PathError {}

/// Calls `take` with the rest of the text until nothing is left. `take` consumes one step and
/// returns the text after it, or `None` if there is no step. Its second argument is `true` at the
/// very start, where a name needs no dot.
pub(super) fn parse_steps<'p>(
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

/// Splits off a name without quotes.
fn bare_name(text: &str) -> Option<(Step<'_>, &str)> {
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty()).then_some((Step::Name(name), rest))
}

/// Splits off the first step of a path. With `is_first` a name needs no dot.
pub(super) fn path_step(text: &str, is_first: bool) -> Option<(Step<'_>, &str)> {
    if is_first && text.starts_with(is_name) {
        return bare_name(text);
    }
    if let Some(rest) = text.strip_prefix('.') {
        return bare_name(rest);
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
