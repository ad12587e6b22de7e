//! simd-json: JSON as a tape.

use ::simd_json::{Buffers, Node, StaticNode, tape::Tape};

use super::serde_json;
use crate::{
    harness::{Note, Suite},
    question,
    workloads::Tree,
};

/// The entry that reads everything.
pub(crate) const READ: &str = "simd-json tape, all read";
/// The entry that builds the tape.
pub(crate) const TAPE: &str = "simd-json tape";

/// Registers what reads a tree. The input is copied first, because parsing overwrites it; buffers
/// and tape are used again.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = serde_json::encoded(tree);
    let size = bytes.len();
    let note = Note::new("structure, text", "index");
    let mut build = taper(bytes.clone());
    let len = build(|tape| tape.0.len() as u64);
    suite.add(TAPE, note, size, len, move || {
        build(|tape| tape.0.len() as u64)
    });
    let mut build = taper(bytes);
    let note = Note::new("structure, text", "index; reads all");
    suite.add(READ, note, size, tree.answer, move || build(answer));
}

fn taper(bytes: Vec<u8>) -> impl FnMut(fn(&Tape<'_>) -> u64) -> u64 {
    let mut copy = Vec::with_capacity(bytes.len() + 64);
    let mut buffers = Buffers::new(bytes.len());
    let mut spare = Some(Tape(Vec::new()));
    move |read| {
        copy.clear();
        copy.extend_from_slice(&bytes);
        let mut tape = spare.take().unwrap_or_else(Tape::null).reset();
        let filled = ::simd_json::fill_tape(&mut copy, &mut buffers, &mut tape);
        let answer = filled.map_or(0, |()| read(&tape));
        spare = Some(tape.reset());
        answer
    }
}

fn answer(tape: &Tape<'_>) -> u64 {
    tape.0.iter().fold(0, |sum, node| {
        sum.wrapping_add(match node {
            Node::String(text) => question::text(text.as_bytes()),
            Node::Object { len, .. } => question::dict(*len),
            Node::Array { len, .. } => question::array(*len),
            Node::Static(StaticNode::Null) => question::NIL,
            Node::Static(StaticNode::Bool(value)) => question::bool(*value),
            Node::Static(StaticNode::I64(value)) => question::int(*value),
            Node::Static(StaticNode::U64(value)) => *value,
            Node::Static(StaticNode::F64(value)) => question::float(*value),
        })
    })
}
