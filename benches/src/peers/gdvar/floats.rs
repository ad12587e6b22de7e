//! A packed array of floats through its view.

use gdvar_view::{Dialect, Document, VariantRef};

use crate::{
    harness::{Note, Suite},
    model::Value,
    workloads::Tree,
};

/// The entry that sums floats through the view.
pub(crate) const SUM: &str = "gdvar sum of floats through the view";

/// Registers the sum of W2's floats.
pub(crate) fn floats<'a>(suite: &mut Suite<'a>, bytes: &'a [u8], size: usize, expected: u64) {
    let note = Note::new("structure up to there", "nothing");
    suite.add(SUM, note, size, expected, move || {
        let value = Document::new(bytes, Dialect::GODOT_4)
            .get("floats")
            .ok()
            .flatten();
        match value.and_then(VariantRef::as_f32s) {
            Some(floats) => sum_lanes(floats.as_le(), |float| float.get()).to_bits(),
            None => 0,
        }
    });
}

/// A sum in lanes, which a processor can do side by side.
pub(crate) fn sum_lanes<T: Copy>(floats: &[T], get: impl Fn(T) -> f32) -> f64 {
    let mut lanes = [0f32; 32];
    let blocks = floats.chunks_exact(lanes.len());
    let rest: f64 = blocks
        .remainder()
        .iter()
        .map(|&float| f64::from(get(float)))
        .sum();
    for block in blocks {
        for (lane, &float) in lanes.iter_mut().zip(block) {
            *lane += get(float);
        }
    }
    rest + lanes.iter().copied().map(f64::from).sum::<f64>()
}

/// The bytes that W2's floats take, and the sum to expect.
pub(crate) fn floats_of(tree: &Tree) -> Option<(&[f32], u64)> {
    let Value::Dict(pairs) = &tree.value else {
        return None;
    };
    let Value::Floats(floats) = &pairs.first()?.value else {
        return None;
    };
    let sum: f64 = floats.iter().copied().map(f64::from).sum();
    Some((floats, sum.to_bits()))
}
