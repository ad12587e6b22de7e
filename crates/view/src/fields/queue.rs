//! [`Queue`]: fields that were found together, until they are returned one by one.

use crate::fields::part::{WireField, WireOwner, WirePart};

/// The most fields of a head: a Dictionary with named types, or an Image.
const MOST: usize = 8;

#[derive(Clone)]
pub(super) struct Queue {
    fields: [WireField; MOST],
    first: usize,
    end: usize,
}

impl Queue {
    pub(super) const fn new() -> Queue {
        Queue {
            fields: [WireField::new(0, 0, WirePart::Unread, WireOwner::Value); MOST],
            first: 0,
            end: 0,
        }
    }

    pub(super) fn push(&mut self, field: WireField) {
        debug_assert!(self.end < MOST, "{field:?} is one too many");
        if let Some(slot) = self.fields.get_mut(self.end) {
            *slot = field;
            self.end += 1;
        }
    }

    pub(super) fn pop(&mut self) -> Option<WireField> {
        if self.first == self.end {
            (self.first, self.end) = (0, 0);
            return None;
        }
        self.first += 1;
        self.fields.get(self.first - 1).copied()
    }
}
