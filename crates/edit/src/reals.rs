//! Reads the components of math types, such as Vector2 and Transform2D, as doubles.

use gdvar_view::{Math, Numbers, VariantRef};

/// Returns the components of a math type of reals as doubles. `None` if `value` is of another type.
pub(crate) fn reals(value: VariantRef<'_>) -> Option<Vec<f64>> {
    let math = Math::of(value).filter(|math| !matches!(math.numbers(), Numbers::Ints(_)))?;
    Some(math.iter().collect())
}
