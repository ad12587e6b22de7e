//! Looks up the value at a path. Packed elements and components have paths too.

use gdvar_view::{Error, Found, Kind, Path, SimpleKey, Step, VariantRef};

use crate::{
    show::summary::{self, Item},
    terminal::{safe_text, words::plural},
};

/// The result of [`lookup`].
#[derive(Debug)]
pub(crate) enum Lookup<'a> {
    /// The value was found. The error is the first damage that was noticed after the value, if any: a Dictionary is
    /// searched to its end, because a later pair may repeat the key.
    Found(Found<'a>, Option<Error>),
    /// There is no such value.
    Missing(Missing),
}

/// Why a path leads to no value: the part of it that exists, and the first step that does not.
#[derive(Debug)]
pub(crate) struct Missing {
    /// The part of the path that exists.
    pub exists: String,
    /// The first step that does not exist.
    pub step: String,
    /// A description of the last value that exists.
    pub there: String,
    /// The step to the most similar key, without a leading dot.
    pub meant: Option<String>,
}

/// Follows a path. First tries one pass over the bytes. If that fails, goes step by step, to find out what is missing
/// or damaged.
pub(crate) fn lookup<'a>(root: VariantRef<'a>, path: &Path<'_>) -> Result<Lookup<'a>, Error> {
    if let Ok(Some(found)) = root.find_path(path) {
        return Ok(Lookup::Found(found, None));
    }
    let mut here = Found::Value(root);
    let mut damage = None;
    for (n, &step) in path.steps().iter().enumerate() {
        let next = match &here {
            Found::Value(value) => match value.take_step(step) {
                Ok(Some(value)) => Some(Found::Value(value)),
                Ok(None) => value.part(step).map(Found::Part),
                Err(error) => {
                    let before = before_damage(*value, step).ok_or(error)?;
                    damage = damage.or(Some(error));
                    Some(Found::Value(before))
                }
            },
            Found::Part(part) => part.take_step(step).map(Found::Part),
        };
        match next {
            Some(next) => here = next,
            None => return missing(&here, path, n).map(Lookup::Missing),
        }
    }
    Ok(Lookup::Found(here, damage))
}

/// Returns the child that `step` leads to, if it comes before the damage.
fn before_damage<'a>(value: VariantRef<'a>, step: Step<'_>) -> Option<VariantRef<'a>> {
    let mut found = None;
    if let Some(dict) = value.as_dict() {
        let mut is_first = false;
        let mut pairs = dict.iter();
        while let Ok(Some((key, value))) = pairs.try_next() {
            if step.is_key(key) && (step.goes_first(key) || !is_first) {
                is_first = step.goes_first(key);
                found = Some(value);
            }
        }
    } else if let (Some(object), Step::Name(wanted)) = (value.as_object(), step) {
        let mut properties = object.iter();
        while let Ok(Some((name, value))) = properties.try_next() {
            if name == wanted {
                found = Some(value);
            }
        }
    }
    found
}

fn missing(here: &Found<'_>, path: &Path<'_>, steps: usize) -> Result<Missing, Error> {
    let exists: String = path.steps()[..steps].iter().map(Step::to_string).collect();
    let mut missing = Missing {
        exists: format!("${exists}"),
        step: path.steps()[steps].to_string(),
        there: String::new(),
        meant: None,
    };
    let wanted = match path.steps()[steps] {
        Step::Index(index) => Some(index.to_string()),
        step => step.text().map(String::from_iter),
    };
    let value = match here {
        Found::Value(value) => *value,
        Found::Part(part) => {
            missing.there = Item::of(*part).text(summary::Cut::LINE);
            return Ok(missing);
        }
    };
    let mut keys: Vec<KeyStep> = Vec::new();
    if let Some(dict) = value.as_dict() {
        for (pair, entry) in dict.iter().enumerate() {
            let (key, _) = entry?;
            keys.push(KeyStep::of(key, pair as u32));
        }
    } else if let Some(object) = value.as_object() {
        for property in object.iter() {
            let (name, _) = property?;
            keys.extend(name.to_str().ok().and_then(KeyStep::of_text));
        }
    }
    missing.there = summary::leaf(value, summary::Cut { text: 40, items: 4 });
    if let Some(wanted) = wanted {
        missing.meant = closest(&wanted, &keys);
    }
    if keys.is_empty() {
        if let Some(array) = value.as_array().filter(|array| !array.is_empty()) {
            missing.there += &format!(", elements [0] to [{}]", array.len() - 1);
        } else if let Some(len) = value.packed_len().filter(|&len| len > 0) {
            missing.there += &format!(", elements [0] to [{}]", len - 1);
        }
    } else {
        // One more key takes no more room than the words "and 1 more key".
        let most = if keys.len() == 13 { 13 } else { 12 };
        let shown: Vec<_> = keys
            .iter()
            .take(most)
            .map(|key| key.shown.as_str())
            .collect();
        missing.there += &format!(" with {}", shown.join(", "));
        if keys.len() > most {
            missing.there += &format!(" and {}", plural((keys.len() - most) as u64, "more key"));
        }
    }
    Ok(missing)
}

/// A key of a Dictionary, or the name of a property, as a step of a path.
struct KeyStep {
    /// The step as the message shows it. Includes the key if the step alone does not show the key.
    shown: String,
    /// The step, without a leading dot.
    step: String,
    /// The text to compare with a mistyped step. Empty if the step does not show the key.
    text: String,
}

impl KeyStep {
    fn of(key: VariantRef<'_>, pair: u32) -> KeyStep {
        let number = key.as_i64().filter(|_| key.kind() == Kind::Int);
        if let Some(number) = number {
            let step = Step::Index(number).to_string();
            let text = number.to_string();
            return KeyStep {
                shown: step.clone(),
                step,
                text,
            };
        }
        if let Some(key) = SimpleKey::of(key) {
            let step = Step::Key(key).to_string();
            return KeyStep {
                shown: step.clone(),
                step,
                text: key.to_string(),
            };
        }
        let text = key.as_text().filter(|text| summary::behind_nul(*text) == 0);
        let text = text.and_then(|text| text.to_str().ok());
        text.and_then(KeyStep::of_text).unwrap_or_else(|| {
            let step = Step::PairValue(pair).to_string();
            let what = summary::leaf(key, summary::Cut { text: 40, items: 4 });
            KeyStep {
                shown: format!("{step} {what}"),
                step,
                text: String::new(),
            }
        })
    }

    /// Creates the step for a text key. `None` if the text is long or has characters that a terminal would obey.
    fn of_text(text: &str) -> Option<KeyStep> {
        if !text.chars().all(safe_text::is_safe) || text.len() > 200 {
            return None;
        }
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
        let step = Step::Name(&escaped).to_string();
        let step = step.strip_prefix('.').unwrap_or(&step).to_owned();
        let shown = safe_text::short_name(&step);
        Some(KeyStep {
            shown,
            step,
            text: text.to_owned(),
        })
    }
}

/// Returns the step to the key that is most similar to `wanted`.
fn closest(wanted: &str, keys: &[KeyStep]) -> Option<String> {
    let score =
        |key: &KeyStep| strsim::jaro_winkler(&wanted.to_lowercase(), &key.text.to_lowercase());
    keys.iter()
        // A file can have millions of keys, and comparing them is slow.
        .take(1000)
        .filter(|key| !key.text.is_empty())
        .map(|key| (score(key), key))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, key)| key.step.clone())
}
