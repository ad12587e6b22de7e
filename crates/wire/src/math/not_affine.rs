//! The error of a matrix that is more than an affine transform.

use core::{error::Error, fmt};

/// A square matrix whose last row is not 0, …, 0, 1: it is more than a transform, and
/// [`Projection`](super::Projection) is the type that can hold one of 4×4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAffine;

impl fmt::Display for NotAffine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a last row of zeros and a one, found other numbers; a 4×4 matrix fits into a Projection")
    }
}

impl Error for NotAffine {}
