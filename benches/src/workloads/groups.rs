//! The small inputs for programs of their own: by the names of the tables they belong to.

use super::{Size, Tree};
use crate::{encode, model::Value, workloads};

/// What one pass over a workload reads, or what it writes.
#[derive(Debug)]
pub(crate) struct Group {
    /// The workload.
    pub(crate) name: &'static str,
    /// Godot 4's bytes of its values.
    pub(crate) blobs: Vec<Vec<u8>>,
}

/// All of them.
pub(crate) fn groups() -> Vec<Group> {
    let size = Size::Small;
    let entities = workloads::entities(size);
    let tree = |name, tree: Tree| Group {
        name,
        blobs: vec![tree.bytes],
    };
    let packets = workloads::packets(size);
    let batches = workloads::batches(size);
    vec![
        tree("W1", workloads::save(&entities)),
        tree("W1f", workloads::flat_save(size, &entities)),
        tree("W1b", workloads::records(size)),
        tree("W2", workloads::packed(size)),
        tree("W4", workloads::strings(size)),
        tree("W4p", workloads::packed_strings(size)),
        tree("W6", workloads::nested(size)),
        tree("W6s", workloads::nested_with_siblings(size)),
        tree("W6f", workloads::shallow(size)),
        tree("W7", workloads::ints(size)),
        Group {
            name: "W3",
            blobs: packets
                .ranges
                .iter()
                .map(|range| packets.bytes[range.clone()].to_vec())
                .collect(),
        },
        tree("W1f write", workloads::flat_save(size, &entities)),
        Group {
            name: "W1 write",
            blobs: batches
                .iter()
                .map(|batch| {
                    let records = batch.iter().map(workloads::Entity::value);
                    encode::bytes(&Value::Array(records.collect()))
                })
                .collect(),
        },
    ]
}
