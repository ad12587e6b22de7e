//! [`Rows`]: the synchronizers that are counted.

use alloc::{
    collections::{BTreeMap, btree_map::Entry},
    vec::Vec,
};

use super::synchronizer::{ReplicatedNode, Synchronizer};

/// The limit for the synchronizers that are counted.
const SYNCHRONIZERS: usize = 16_384;

/// The synchronizers, in the order in which they were first seen.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) synchronizers: Vec<Synchronizer>,
    by_node: BTreeMap<(Option<i32>, ReplicatedNode), usize>,
}

impl Rows {
    /// Returns the index of a synchronizer, after adding it if it is new. `None` above the limit.
    pub(super) fn row(&mut self, source: Option<i32>, node: ReplicatedNode) -> Option<usize> {
        let next = self.synchronizers.len();
        match self.by_node.entry((source, node)) {
            Entry::Occupied(row) => Some(*row.get()),
            Entry::Vacant(_) if next >= SYNCHRONIZERS => None,
            Entry::Vacant(row) => {
                let node = row.key().1.clone();
                row.insert(next);
                self.synchronizers.push(Synchronizer::new(source, node));
                Some(next)
            }
        }
    }
}
