//! Keys in order, so that one is found by halving. Strangers choose the keys, so text and ints are sorted
//! as they are and not by a hash.

use alloc::vec::Vec;

use super::indexed::{Indexed, foreign};
use crate::{
    error::Error,
    value::variant::VariantRef,
    walk::{digest::Digests, keys::Sought},
};

/// The pairs of all large dictionaries in the order of their keys; of equal keys in their own.
/// Text comes first, then ints, then all other keys by their hash.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SortedKeys {
    /// For each entry of the index where its pairs end in `order`; they begin where those of the
    /// entry before it end. Only dictionaries have any.
    pub(super) ends: Vec<u32>,
    /// Numbers of pairs.
    pub(super) order: Vec<u32>,
}

impl SortedKeys {
    /// Sorts the keys of all dictionaries below an outermost value.
    pub(super) fn new(root: Indexed<'_, VariantRef<'_>>) -> Result<SortedKeys, Error> {
        let (index, document) = (root.index, *root);
        let mut keys = SortedKeys {
            ends: Vec::with_capacity(index.entries.len()),
            order: Vec::new(),
        };
        let mut own: Vec<(Sought<'_>, u32)> = Vec::new();
        // Made when a key is a container: most documents have none.
        let mut digests = None;
        for (number, entry) in index.entries.iter().enumerate() {
            // Its depth is not known and needed for nothing.
            let (bytes, options) = (document.bytes(), document.options());
            let at = index.offset(entry.at);
            let (value, _) = VariantRef::new(bytes, at, options, 0)?;
            if let Some(dict) = value.as_dict() {
                own.clear();
                for pair in 0..dict.len() {
                    let key = index.key(value, number as u32, 2 * pair)?;
                    let known = match &mut digests {
                        None if key.has_children() => digests.insert(Digests::of_all_in(document)),
                        None => &mut Digests::default(),
                        Some(known) => known,
                    };
                    own.push((Sought::by(key, options.get_dialect(), known), pair as u32));
                }
                own.sort_unstable();
                keys.order.extend(own.iter().map(|&(_, pair)| pair));
            }
            keys.ends
                .push(u32::try_from(keys.order.len()).map_err(|_| foreign(document))?);
        }
        keys.order.shrink_to_fit();
        Ok(keys)
    }

    /// The order of one entry's pairs.
    pub(super) fn order(&self, entry: u32) -> Option<&[u32]> {
        let entry = entry as usize;
        let start = match entry.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.order
            .get(start as usize..*self.ends.get(entry)? as usize)
    }

    pub(super) fn size(&self) -> usize {
        size_of_val(self.ends.as_slice()) + size_of_val(self.order.as_slice())
    }
}
