//! Vectors, matrices and colours: `docs/FORMAT.md` §3.1.

use super::Set;
use super::samples::{COUNT, EDGES, NONFINITE, of_ints, of_reals};
use crate::assembler::BIT_16;

/// Types of fixed size that are made of reals.
pub(super) const REALS: [&str; 12] = [
    "Vector2",
    "Rect2",
    "Vector3",
    "Transform2D",
    "Vector4",
    "Plane",
    "Quaternion",
    "AABB",
    "Basis",
    "Transform3D",
    "Projection",
    "Color",
];

/// Types of fixed size that are made of integers.
pub(super) const INTEGERS: [&str; 4] = ["Vector2i", "Rect2i", "Vector3i", "Vector4i"];

pub(super) fn add(set: &mut Set) {
    for name in REALS {
        if !set.has(name) {
            continue;
        }
        let group = name.to_lowercase();
        for (kind, reals) in [
            ("count", &COUNT[..]),
            ("edges", &EDGES),
            ("nonfinite", &NONFINITE),
        ] {
            set.canonical(format!("{group}/{kind}"), of_reals(name, reals));
        }
        set.canonical(format!("{group}/zero"), of_reals(name, &["00000000"]));
        if !set.is_godot2() {
            // §6 row 6: the flag does not widen them, and the words are read as f32.
            let mut bytes = set.value(&of_reals(name, &COUNT));
            bytes[2] |= (BIT_16 >> 16) as u8;
            let bytes = set.bytes().raw(&bytes);
            set.accepted(
                format!("{group}/bit16-ignored"),
                bytes,
                of_reals(name, &COUNT),
            );
        }
    }
    for name in INTEGERS {
        for start in 0..4 {
            set.canonical(
                format!("{}/{start}", name.to_lowercase()),
                of_ints(name, start),
            );
        }
    }
}
