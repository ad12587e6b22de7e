//! Keys that a path cannot name have lines of their own: `chunks{3:key} = [1, 2];` before `chunks{3} = "grass";`.

use std::collections::HashMap;

use gdvar::{Dictionary, Kind, Variant};
use gdvar_text::{Builder, Number};
use gdvar_view::{Path, SimpleKey, Step};
use gdvar_write::Target;

/// The pairs whose keys a path cannot name, in the value that is built from the lines.
#[derive(Default)]
pub(super) struct Keys {
    /// Finds a pair by the pair around it, which is 0 if there is none, and by the path from there in the lines. Whole
    /// paths would take quadratic time for each line of a deep value.
    pairs: HashMap<(usize, String), NumberedPair>,
}

/// A pair in the lines.
#[derive(Clone, Copy)]
struct NumberedPair {
    /// A number that no other pair of the lines has; from 1 on.
    id: usize,
    /// The number of this pair in the Dictionary that is built. It differs from the number in the path if lines are
    /// missing.
    place: u32,
}

/// Returns the text of these steps.
fn text(steps: &[Step<'_>]) -> String {
    steps.iter().map(Step::to_string).collect()
}

impl Keys {
    /// Translates a path in the lines to a path in the built value.
    ///
    /// # Errors
    /// Fails if the path goes through a key whose line has not been read.
    pub(super) fn place<'p>(&self, steps: &[Step<'p>]) -> Result<Vec<Step<'p>>, String> {
        Ok(self.walk(steps)?.0)
    }

    /// Translates a path like [`Keys::place`]. Also returns the id of the last pair on it, and the number of steps up to
    /// there.
    fn walk<'p>(&self, steps: &[Step<'p>]) -> Result<(Vec<Step<'p>>, usize, usize), String> {
        let (mut around, mut start) = (0, 0);
        let mut translated = Vec::with_capacity(steps.len());
        for (n, &step) in steps.iter().enumerate() {
            let Step::PairValue(pair) = step else {
                translated.push(step);
                continue;
            };
            let known = self.pairs.get(&(around, text(&steps[start..=n])));
            let known = known.ok_or_else(|| {
                let dict: Path<'_> = steps[..n].iter().copied().collect();
                format!("the line of the key must come first: {dict}{{{pair}:key}} = KEY;")
            })?;
            (around, start) = (known.id, n + 1);
            translated.push(Step::PairValue(known.place));
        }
        Ok((translated, around, start))
    }

    /// Adds a pair to the Dictionary at the path `dict` in the lines. `pair` is the number of the pair in the lines.
    /// The pair's value is null for now.
    pub(super) fn add(
        &mut self,
        root: &mut Variant,
        dict: &[Step<'_>],
        pair: u32,
        key: Variant,
    ) -> Result<(), String> {
        let (place, around, start) = self.walk(dict)?;
        let place: Path<'_> = place.into_iter().collect();
        if matches!(root.get_path(&place), Ok(None)) {
            let made = root.set_path(&place, Variant::Nil);
            made.map_err(|error| error.to_string())?;
        }
        let there = root.get_path_mut(&place).ok().flatten();
        let there = there.ok_or_else(|| format!("{place} has no keys"))?;
        if there.is_nil() {
            *there = Variant::from(Dictionary::new());
        }
        let Some(pairs) = there.as_dict_mut() else {
            return Err(format!("{place} has no keys"));
        };
        let number = u32::try_from(pairs.len()).map_err(|error| error.to_string())?;
        if pairs.insert(key, Variant::Nil).is_some() {
            return Err("the Dictionary has this key already".to_owned());
        }
        let path = text(&dict[start..]) + &Step::PairValue(pair).to_string();
        let id = self.pairs.len() + 1;
        let place = number;
        self.pairs
            .insert((around, path), NumberedPair { id, place });
        Ok(())
    }
}

/// Returns `true` if [`under_reals`] finds such keys. As paths find keys with NaNs, they are not among them.
pub(super) fn has_reals(key: SimpleKey) -> bool {
    let kind = key.kind();
    (kind == Kind::Float || kind == Kind::Color || kind.has_reals())
        && !key.numbers().iter().any(|number| number.is_nan())
}

/// Returns the value under a key of reals, and adds the key if `dict` lacks it. Unlike a path, finds no key with the
/// nearest 32-bit reals, because the lines have all digits, and adds the key in the width of the target's reals.
/// `None` if the target lacks the type.
pub(super) fn under_reals(
    dict: &mut Dictionary,
    key: SimpleKey,
    target: Target,
) -> Option<&mut Variant> {
    let numbers = key.numbers();
    // As keys, 0.0 and -0.0 are equal. Each bit of `signs` turns the sign of one zero.
    let is_zero = |n: usize| numbers.get(n).is_some_and(|real| *real == 0.0);
    let turns_zeros = |signs: &u32| (0..numbers.len()).all(|n| is_zero(n) || signs >> n & 1 == 0);
    let signs = (0..1_u32 << numbers.len()).filter(turns_zeros);
    let there = signs.map(|signs| {
        let signed = numbers.iter().enumerate().map(|(n, real)| match *real {
            zero if signs >> n & 1 == 1 => -zero,
            real => real,
        });
        stored(key.kind(), signed, target)
    });
    let mut there = there.flatten().filter(|key| dict.contains_key(key));
    let own = match there.next() {
        Some(there) => there,
        None => {
            let new = stored(key.kind(), numbers.iter().copied(), target)?;
            dict.insert(new.clone(), Variant::Nil);
            new
        }
    };
    dict.get_mut(&own)
}

/// Returns a key of this kind as the target's engine writes it. `None` if it lacks the type.
fn stored(kind: Kind, reals: impl Iterator<Item = f64>, target: Target) -> Option<Variant> {
    let reals: Vec<Number> = reals.map(Number::Float).collect();
    if let (Kind::Float, [Number::Float(float)]) = (kind, &reals[..]) {
        return Some(Variant::from(*float));
    }
    let mut builder = Builder::new(target);
    builder.construct(kind, &reals).ok()?;
    Variant::from_slice(&builder.bytes, target.dialect()).ok()
}
