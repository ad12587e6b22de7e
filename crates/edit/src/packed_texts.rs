//! [`PackedTexts`]: finds all requested texts of a PackedStringArray in one walk.

use std::{collections::HashMap, ops::Range};

use gdvar_view::{Step, StrRef, VariantRef, layout::HEADER};

/// The requested texts of a PackedStringArray. Looking them up one by one would walk over the texts before each of them.
pub(crate) struct PackedTexts<'a> {
    len: usize,
    found: HashMap<usize, PackedText<'a>>,
}

/// A text of a PackedStringArray.
#[derive(Clone)]
pub(crate) struct PackedText<'a> {
    pub(crate) text: StrRef<'a>,
    /// The bytes of the text with its length and padding.
    pub(crate) span: Range<usize>,
}

impl<'a> PackedTexts<'a> {
    /// Finds the texts that `steps` lead to. `None` if `owner` is no PackedStringArray. After damage there are no texts.
    pub(crate) fn of<'s>(
        owner: VariantRef<'a>,
        steps: impl Iterator<Item = Step<'s>>,
    ) -> Option<PackedTexts<'a>> {
        let strings = owner.as_strings()?;
        let len = strings.len();
        let mut wanted: Vec<usize> = steps.filter_map(|step| index(step, len)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found = HashMap::with_capacity(wanted.len());
        let mut wanted = wanted.into_iter().peekable();
        let mut texts = strings.iter().enumerate().peekable();
        while let (Some(nth), Some((own, text))) = (wanted.peek().copied(), texts.next()) {
            let Ok(text) = text else { break };
            if own < nth {
                continue;
            }
            wanted.next();
            let end = match texts.peek() {
                Some((_, Ok(next))) => Some(next.offset() - HEADER),
                Some((_, Err(_))) => None,
                None => owner.end().ok(),
            };
            let Some(end) = end else { break };
            // Each text is preceded by its length.
            let span = text.offset() - HEADER..end;
            found.insert(nth, PackedText { text, span });
        }
        Some(PackedTexts { len, found })
    }

    /// Returns the text that `step` leads to, which must be one of those that were asked for.
    pub(crate) fn get(&self, step: Step<'_>) -> Option<&PackedText<'a>> {
        self.found.get(&index(step, self.len)?)
    }
}

/// Returns the index that a step leads to in an array of `len` elements. A negative one counts from the end.
pub(crate) fn index(step: Step<'_>, len: usize) -> Option<usize> {
    let Step::Index(index) = step else {
        return None;
    };
    let from_end = if index < 0 { len as i64 } else { 0 };
    usize::try_from(index + from_end).ok().filter(|n| *n < len)
}
