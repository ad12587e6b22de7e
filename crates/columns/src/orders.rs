//! [`Orders`]: the keys of the Dictionaries that were walked before, in the order in which they stood.
//!
//! Saves of one game have their keys in one order, also those that no column wants. So a key is compared with the keys that
//! followed last time, byte by byte, before its text is read and looked up among the paths. Three columns of 100 000 records
//! of five keys take four fifths of the time so (`crates/python/bench/bench.py`). An order grows to 64 keys: a
//! Dictionary of thousands of different keys is not remembered.

use gdvar_view::Cursor;

/// The most keys of an order.
const MOST: usize = 64;

/// So many of the next keys are compared: optional ones may be missing between them.
const AHEAD: usize = 4;

/// An order for each place of the tree of paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders(Vec<Vec<Key>>);

/// A key, and the number of the step that leads on from it.
#[derive(Clone, Debug)]
struct Key {
    text: Box<str>,
    step: Option<usize>,
}

impl Orders {
    pub(crate) fn new(nodes: usize) -> Orders {
        Orders(vec![Vec::new(); nodes])
    }

    /// Takes the key at the cursor if it is one of those that are next in the order of that node. `next` moves behind it.
    #[inline]
    pub(crate) fn take(
        &self,
        node: usize,
        next: &mut usize,
        cursor: &mut Cursor<'_>,
    ) -> Option<Option<usize>> {
        let keys = self.0.get(node)?.get(*next..)?;
        let place = keys
            .iter()
            .take(AHEAD)
            .position(|key| cursor.name(&key.text))?;
        *next += place + 1;
        Some(keys.get(place)?.step)
    }

    /// Takes note of a key that was not expected. One that a step leads on from may stand elsewhere in the order:
    /// then the order goes on from there.
    #[cold]
    pub(crate) fn learn(&mut self, node: usize, next: &mut usize, text: &str, step: Option<usize>) {
        let Some(keys) = self.0.get_mut(node) else {
            return;
        };
        if step.is_some() {
            if let Some(place) = keys.iter().position(|key| key.step == step) {
                *next = place + 1;
                return;
            }
        }
        if keys.len() < MOST {
            let text = text.into();
            keys.insert(*next, Key { text, step });
            *next += 1;
        }
    }
}
