//! Finds texts that occur several times in a file.

use std::collections::HashMap;

use gdvar_view::VariantRef;
use gdvar_wire::pad4;

/// The largest number of texts that are remembered, and their largest length in bytes.
const MOST: usize = 1 << 18;
const LONGEST: usize = 1 << 12;

/// The number of times that each text occurs, as a value or as a key.
#[derive(Debug, Default)]
pub(crate) struct Texts(HashMap<Box<[u8]>, u64>);

/// A text that occurs several times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeated<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) count: u64,
    /// The bytes of all occurrences but the first.
    pub(crate) bytes: u64,
}

impl Texts {
    /// Counts the value if it is text.
    pub(crate) fn add(&mut self, value: VariantRef<'_>) {
        let Some(text) = value.as_text().map(|text| text.raw()) else {
            return;
        };
        if let Some(count) = self.0.get_mut(text) {
            *count += 1;
        } else if self.0.len() < MOST && text.len() <= LONGEST {
            self.0.insert(text.into(), 1);
        }
    }

    /// Returns the texts that occur several times. Those that cost the most bytes come first.
    pub(crate) fn repeated(&self) -> Vec<Repeated<'_>> {
        let mut all: Vec<_> = { self.0.iter() }
            .filter(|(_, count)| **count > 1)
            .map(|(text, &count)| Repeated {
                text,
                count,
                bytes: (count - 1) * (8 + pad4(text.len()) as u64),
            })
            .collect();
        all.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.text.cmp(b.text)));
        all
    }
}
