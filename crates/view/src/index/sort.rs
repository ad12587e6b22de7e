//! [`Index::sort_keys`]: collects the keys of all large dictionaries.

use alloc::vec::Vec;

use gdvar_wire::Kind;

use super::{
    indexed::Indexed,
    keys::{FEW_PAIRS, HashedKey, SortedKeys, hash},
    slots::Index,
};
use crate::{
    document::Document,
    error::Error,
    value::variant::VariantRef,
    walk::keys::{digest::Digests, sort_key::SortKey},
};

impl Index {
    /// Sorts the keys of all dictionaries of more than 16 pairs by their hashes. A look-up in such a dictionary
    /// then takes O(1) on average, whatever the kind of its keys, instead of comparing all keys. The sorted
    /// keys take 13 bytes each, and sorting takes O(n log n) comparisons of numbers.
    ///
    /// Hostile keys cannot make a look-up slower than O(log n): only keys with equal 64-bit hashes are compared one
    /// by one.
    ///
    /// # Errors
    /// Returns the errors of [`Index::open`].
    pub fn sort_keys(&mut self, document: Document<'_>) -> Result<(), Error> {
        self.keys = Some(SortedKeys::new(self.open(document)?));
        Ok(())
    }
}

impl SortedKeys {
    /// Sorts the keys of all large dictionaries in an outermost value.
    fn new(root: Indexed<'_, VariantRef<'_>>) -> SortedKeys {
        let (index, dialect) = (root.index, root.dialect());
        let mut all = Vec::new();
        // Made only if a key is a container, which most documents do not have.
        let mut digests = None;
        for slot in &index.slots {
            let children = index.children(slot.group());
            let is_large = children.len() > 2 * FEW_PAIRS;
            if !is_large || index.value(*root, *slot).kind() != Kind::Dictionary {
                continue;
            }
            for (n, own) in (slot.group() + 1..).zip(children).step_by(2) {
                let key = index.value(*root, *own);
                let known = match &mut digests {
                    None if key.has_children() => digests.insert(Digests::of_all_in(*root)),
                    None => &mut Digests::default(),
                    Some(known) => known,
                };
                let key = SortKey::by(key, dialect, known);
                all.push(HashedKey::new(hash(key, slot.group()), n));
            }
        }
        all.shrink_to_fit();
        SortedKeys::sorted(all)
    }
}
