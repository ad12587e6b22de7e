//! Keys that a path cannot name have lines of their own: `chunks{3:key} = [1, 2];` before `chunks{3} = "grass";`.

use std::collections::HashMap;

use gdvar::{Dictionary, Variant};
use gdvar_view::{Path, Step};

/// The pairs whose keys a path cannot name, in the value that is built from the lines.
#[derive(Default)]
pub(super) struct Keys {
    /// Maps the path of a pair in the lines to the number of this pair in the Dictionary that is built. The number
    /// differs from the number in the path if lines are missing.
    pairs: HashMap<String, u32>,
}

impl Keys {
    /// Translates a path in the lines to a path in the built value.
    ///
    /// # Errors
    /// Fails if the path goes through a key whose line has not been read.
    pub(super) fn place<'p>(&self, steps: &[Step<'p>]) -> Result<Path<'p>, String> {
        let place = |(n, step): (usize, &Step<'p>)| {
            let Step::PairValue(pair) = *step else {
                return Ok(*step);
            };
            let path: Path<'_> = steps[..=n].iter().copied().collect();
            let known = self.pairs.get(&path.to_string());
            known.map(|pair| Step::PairValue(*pair)).ok_or_else(|| {
                let dict: Path<'_> = steps[..n].iter().copied().collect();
                format!("the line of the key must come first: {dict}{{{pair}:key}} = KEY;")
            })
        };
        steps.iter().enumerate().map(place).collect()
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
        let place = self.place(dict)?;
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
        let path = dict.iter().copied().chain([Step::PairValue(pair)]);
        let path: Path<'_> = path.collect();
        self.pairs.insert(path.to_string(), number);
        Ok(())
    }
}
