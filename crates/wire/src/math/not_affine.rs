//! The error for a matrix that is more than an affine transform.

use core::{error::Error, fmt};

/// The last row of a square matrix is not 0, …, 0, 1, so the matrix is not a transform. A 4×4 matrix
/// of this kind fits into a [`Projection`](super::Projection).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAffine;

impl fmt::Display for NotAffine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a last row of zeros and a one, found other numbers; a 4×4 matrix fits into a Projection")
    }
}

impl Error for NotAffine {}
