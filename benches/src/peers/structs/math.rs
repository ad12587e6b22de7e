//! Vectors, and structs of little else.

use serde::Serialize;

use super::{Format, packets::written};
use crate::{harness::Suite, random::Random};

/// The number of structs.
const COUNT: usize = 1_000;
/// Values in each: itself, keys and vectors.
const EACH: usize = 11;

#[derive(Serialize)]
#[serde(bound = "")]
struct Body<F: Format> {
    position: F::Vector3,
    cell: F::Vector2i,
    size: F::Vector2,
    tint: F::Color,
    transform: F::Transform,
}

/// The number of values.
pub(crate) const VALUES: usize = COUNT * EACH;

/// Registers the writing of structs of vectors, each into a buffer that is used again.
pub(crate) fn write<F: Format>(suite: &mut Suite<'_>) {
    let mut random = Random::new(0x5eed_0014);
    let bodies = (0..COUNT).map(|_| Body::<F> {
        position: [(); 3].map(|()| random.coordinate()).into(),
        cell: [(); 2].map(|()| random.between(-512, 512) as i32).into(),
        size: [(); 2].map(|()| random.coordinate()).into(),
        tint: [(); 4].map(|()| random.coordinate()).into(),
        transform: [(); 12].map(|()| random.coordinate()).into(),
    });
    written::<F, _>(suite, bodies.collect());
}
