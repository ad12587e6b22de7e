//! The lines of keys that a path cannot name: `chunks{3:key} = [1, 2];` before `chunks{3} = "grass";`.

use std::collections::HashMap;

use gdvar::{Dictionary, Variant};
use gdvar_view::{Path, Step};

/// The pairs with such keys, in the value that is being made.
#[derive(Default)]
pub(super) struct Keys {
    /// The number of each pair in its Dictionary, by its path in the lines. Lines may be missing, so the two
    /// may differ.
    pairs: HashMap<String, u32>,
}

impl Keys {
    /// Returns the place in the value that is being made, of a path in the lines.
    ///
    /// # Errors
    /// If the line of a key on the way has not been read.
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

    /// Adds a pair with a key and the value null to the Dictionary at a path in the lines.
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
