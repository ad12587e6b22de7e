//! The small inputs for programs of their own: by the names of the tables they belong to.

use super::{CASES, Packets, Size, Tree};
use crate::{encode, model::Value, workloads};

/// The bytes that one pass over a workload reads, or the values that it writes.
#[derive(Debug)]
pub(crate) struct Group {
    /// The workload.
    pub(crate) name: &'static str,
    /// Godot 4's bytes of its values.
    pub(crate) blobs: Vec<Vec<u8>>,
}

/// Those in Godot 3's bytes.
pub(crate) fn groups_of_godot_3() -> Vec<Group> {
    let size = Size::Small;
    let trees = [
        workloads::plain_save(size),
        workloads::realistic(size, workloads::Engine::Three),
    ];
    let group = |tree: Tree| Group {
        name: tree.id,
        blobs: vec![tree.bytes],
    };
    trees.map(group).into()
}

/// Those in Godot 4's.
pub(crate) fn groups() -> Vec<Group> {
    let size = Size::Small;
    let entities = workloads::entities(size);
    let tree = |name, tree: Tree| Group {
        name,
        blobs: vec![tree.bytes],
    };
    let each = |name, packets: Packets| Group {
        name,
        blobs: packets.iter().map(<[u8]>::to_vec).collect(),
    };
    let batches = workloads::batches(size);
    let cases = CASES
        .iter()
        .map(|case| tree(case.id, workloads::case(size, case)));
    let mut groups: Vec<Group> = cases.collect();
    groups.push(tree(
        "S4",
        workloads::realistic(size, workloads::Engine::Four),
    ));
    groups.extend([
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
        each("W3", workloads::packets(size)),
        each("P", workloads::nine_kinds(size)),
        each("F", workloads::framed(size)),
        tree("L", workloads::leaderboard(size).0),
        tree("V", workloads::voxels(size).0),
        tree(
            "S4 text",
            workloads::realistic(size, workloads::Engine::Four),
        ),
        tree("K text", workloads::five_thousand_keys()),
        tree("B text", workloads::megabyte()),
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
    ]);
    groups
}
