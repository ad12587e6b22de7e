//! [`Orders`]: the order of keys in the Dictionaries that were walked before.
//!
//! Saves of one game have their keys in the same order, including keys that no column wants. So a
//! key is first compared, byte by byte, with the keys that followed last time. Only if none is
//! equal, its text is read and looked up among the paths. This reduces the time for three columns
//! of 100 000 records of five keys to four fifths (`crates/python/bench/bench.py`). An order grows
//! to 64 keys: a Dictionary of thousands of different keys is not remembered.

use gdvar_view::Cursor;

/// The most keys of an order.
const MOST: usize = 64;

/// How many of the next keys are compared, because optional keys may be missing.
const AHEAD: usize = 4;

/// One order for each node of the tree of paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders(Vec<Vec<Key>>);

/// A key, and the index of the step that leads on from it, if there is one.
#[derive(Clone, Debug)]
struct Key {
    text: Box<str>,
    step: Option<usize>,
}

impl Orders {
    pub(crate) fn new(nodes: usize) -> Orders {
        Orders(vec![Vec::new(); nodes])
    }

    /// Takes the key at the cursor if it is one of the next keys in the order of `node`, and moves
    /// `next` past it. Returns the index of the step that leads on from the key; the inner `None`
    /// means that no step does.
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

    /// Records the key `text`, which was not expected. If the order already has a key that leads to
    /// the same step, the order continues after that key. Otherwise the new key is inserted at
    /// `next`.
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
