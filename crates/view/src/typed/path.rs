//! Paths to values: `player.inventory[3].name`.

use core::fmt;

use smallvec::SmallVec;

use crate::{error::Error, value::variant::VariantRef};

/// A parsed path. Up to eight steps need no allocation; it borrows the text.
///
/// | step | takes |
/// |---|---|
/// | `$` | the outermost value; may stand at the start |
/// | `.name`, `["any text"]` | the value under that text key, or that property of an object |
/// | `[3]` | element 3 of an array, counted from 0; in a Dictionary the value under the int key 3 |
/// | `[-1]` | the last element of an array; in a Dictionary the value under the int key -1 |
/// | `{3}` | the value of pair 3 of a Dictionary, counted from 0, whatever its key |
/// | `{3:key}` | the key of pair 3 |
///
/// Names are letters, digits, `_` and anything that is not ASCII; others need quotes, inside which
/// `\"` and `\\` stand for `"` and `\`.
///
/// ```
/// use gdvar_view::{Path, Step};
///
/// let path = Path::parse(r#"$.player["odd name"][-1]"#)?;
/// assert_eq!(path.steps().len(), 3);
/// assert_eq!(path.steps()[2], Step::Index(-1));
/// assert_eq!(path.to_string(), r#"$.player["odd name"][-1]"#);
/// # Ok::<(), gdvar_view::PathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path<'p> {
    steps: SmallVec<[Step<'p>; 8]>,
}

/// One step of a [`Path`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'p> {
    /// A text key or a property. Backslashes escape the character behind them.
    Name(&'p str),
    /// An element of an array, or an int key.
    Index(i64),
    /// The value of the n-th pair of a Dictionary.
    PairValue(u32),
    /// The key of the n-th pair of a Dictionary.
    PairKey(u32),
}

/// Why a text is no path, and at which byte of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl core::error::Error for PathError {}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

impl<'p> Path<'p> {
    /// Parses a path; the empty text and `$` mean the outermost value.
    ///
    /// # Errors
    /// Where the text stops being a path.
    pub fn parse(text: &'p str) -> Result<Path<'p>, PathError> {
        let mut path = Path::default();
        let mut rest = text.strip_prefix('$').unwrap_or(text);
        let rooted = rest.len() != text.len();
        let here = |rest: &str| PathError {
            offset: text.len() - rest.len(),
        };
        // A name may stand at the very start without its dot.
        if !rooted && rest.starts_with(is_name) {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let (name, tail) = rest.split_at(end);
            path.steps.push(Step::Name(name));
            rest = tail;
        }
        while !rest.is_empty() {
            let (step, tail) = step(rest).ok_or_else(|| here(rest))?;
            path.steps.push(step);
            rest = tail;
        }
        Ok(path)
    }

    /// Its steps.
    #[must_use]
    pub fn steps(&self) -> &[Step<'p>] {
        &self.steps
    }
}

/// The first step of a text and what is behind it.
fn step(text: &str) -> Option<(Step<'_>, &str)> {
    if let Some(rest) = text.strip_prefix('.') {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, rest) = rest.split_at_checked(end)?;
        return if name.is_empty() {
            None
        } else {
            Some((Step::Name(name), rest))
        };
    }
    if let Some(rest) = text.strip_prefix("[\"") {
        let mut escaped = false;
        let end = rest.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        let (name, rest) = rest.split_at_checked(end)?;
        return Some((Step::Name(name), rest.strip_prefix("\"]")?));
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (index, rest) = rest.split_once(']')?;
        return Some((Step::Index(index.parse().ok()?), rest));
    }
    let (pair, rest) = text.strip_prefix('{')?.split_once('}')?;
    let step = match pair.strip_suffix(":key") {
        Some(pair) => Step::PairKey(pair.parse().ok()?),
        None => Step::PairValue(pair.parse().ok()?),
    };
    Some((step, rest))
}

/// Whether a name with its escapes is that text.
pub(crate) fn same_name(name: &str, text: &[u8]) -> bool {
    let mut escaped = false;
    let unescaped = name.bytes().filter(|&byte| {
        escaped = byte == b'\\' && !escaped;
        !escaped
    });
    unescaped.eq(text.iter().copied())
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
            Step::Name(name) if !name.is_empty() && name.chars().all(is_name) => {
                write!(f, ".{name}")
            }
            Step::Name(name) => write!(f, "[\"{name}\"]"),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::PairValue(pair) => write!(f, "{{{pair}}}"),
            Step::PairKey(pair) => write!(f, "{{{pair}:key}}"),
        }
    }
}

/// Prints a text key as a step, escaping what needs it.
pub(crate) fn fmt_name(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !text.is_empty() && text.chars().all(is_name) {
        return write!(f, ".{text}");
    }
    f.write_str("[\"")?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "{}", c.escape_default())?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"]")
}

impl<'a> VariantRef<'a> {
    /// The value at a path below this one, lazily. `Ok(None)` if there is none.
    ///
    /// # Errors
    /// If a value on the way cannot be read.
    pub fn get_path(self, path: &Path<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        let mut value = self;
        for &step in path.steps() {
            match value.take_step(step)? {
                Some(next) => value = next,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    /// The child that one step leads to. `Ok(None)` if there is none.
    ///
    /// # Errors
    /// If a value on the way cannot be read.
    pub fn take_step(self, step: Step<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        if let Some(dict) = self.as_dict() {
            return match step {
                Step::Name(name) if !name.contains('\\') => dict.get(name),
                Step::Name(name) => {
                    let mut found = None;
                    for pair in dict.iter() {
                        let (key, value) = pair?;
                        if key
                            .as_text()
                            .is_some_and(|text| same_name(name, text.as_bytes()))
                        {
                            found = Some(value);
                        }
                    }
                    Ok(found)
                }
                Step::Index(index) => dict.get_int(index),
                Step::PairValue(n) => Ok(dict
                    .iter()
                    .nth(n as usize)
                    .transpose()?
                    .map(|(_, value)| value)),
                Step::PairKey(n) => {
                    Ok(dict.iter().nth(n as usize).transpose()?.map(|(key, _)| key))
                }
            };
        }
        if let Some(array) = self.as_array() {
            let Step::Index(index) = step else {
                return Ok(None);
            };
            let index = if index < 0 {
                index + array.len() as i64
            } else {
                index
            };
            return match usize::try_from(index) {
                Ok(index) => array.get(index),
                Err(_) => Ok(None),
            };
        }
        let (Some(object), Step::Name(name)) = (self.as_object(), step) else {
            return Ok(None);
        };
        let mut found = None;
        for property in object.iter() {
            let (key, value) = property?;
            if same_name(name, key.as_bytes()) {
                found = Some(value);
            }
        }
        Ok(found)
    }
}
