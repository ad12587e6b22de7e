//! [`NodeId`]: a node of the program, its path and remote methods.

use alloc::{boxed::Box, vec::Vec};

use crate::method_digest::method_digest;

/// A node that [`Multiplayer::add_node`](super::Multiplayer::add_node) added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    pub(super) fn new(index: usize) -> NodeId {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The node whose path has this id.
    pub(super) fn of_path(id: u32) -> Option<NodeId> {
        id.checked_sub(1).map(NodeId)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of the node's path in packets. Ids begin with 1, as in the engine.
    pub(super) const fn path_id(self) -> u32 {
        self.0.wrapping_add(1)
    }
}

/// What peers must know of a node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) path: Box<str>,
    pub(super) md5: [u8; 32],
    /// For each method in the program's list: its number in packets.
    numbers: Vec<u16>,
}

impl Node {
    pub(super) fn new(path: &str, methods: &[&str]) -> Node {
        let mut sorted = methods.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let number = |name: &&str| sorted.binary_search(name).unwrap_or_default() as u16;
        Node {
            path: path.into(),
            md5: method_digest(&sorted),
            numbers: methods.iter().map(number).collect(),
        }
    }

    pub(super) fn method_count(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number in packets of the method with index `place` in the program's list.
    pub(super) fn number(&self, place: usize) -> Option<u16> {
        self.numbers.get(place).copied()
    }

    /// Returns the index in the program's list of the method that has this number in packets.
    pub(super) fn place(&self, number: u16) -> Option<usize> {
        self.numbers.iter().position(|known| *known == number)
    }
}
