//! [`LeafNumbers`]: the components of values without children.

use gdvar_view::{Kind, Math, Numbers, Packed, Real, VariantRef, math::Components};
use gdvar_write::wire::widen;

/// The components of a value in stream order.
pub(crate) enum LeafNumbers {
    Ints(Vec<i64>),
    /// Reals of 32 bits.
    Singles(Vec<f32>),
    /// Reals of 64 bits.
    Doubles(Vec<f64>),
}

fn flat<T: Copy, const N: usize>(all: impl Iterator<Item = [T; N]>) -> Vec<T> {
    all.flatten().collect()
}

/// Returns the numbers of a math type or a packed array, or `None` for other values.
pub(crate) fn numbers(value: VariantRef<'_>) -> Option<LeafNumbers> {
    macro_rules! vectors {
        ($all:expr) => {
            match $all {
                Real::Single(all) => LeafNumbers::Singles(flat(all.iter().map(|v| v.components()))),
                Real::Double(all) => LeafNumbers::Doubles(flat(all.iter().map(|v| v.components()))),
            }
        };
    }
    fn all_ints<const N: usize>(all: impl Iterator<Item = [i32; N]>) -> LeafNumbers {
        LeafNumbers::Ints(all.flatten().map(i64::from).collect())
    }
    if let Some(math) = Math::of(value) {
        let len = math.len();
        return Some(match math.numbers() {
            Numbers::Ints(all) => {
                LeafNumbers::Ints(all[..len].iter().copied().map(i64::from).collect())
            }
            Numbers::Singles(all) => LeafNumbers::Singles(all[..len].to_vec()),
            Numbers::Doubles(all) => LeafNumbers::Doubles(all[..len].to_vec()),
        });
    }
    Some(match value.as_packed()? {
        Packed::Bytes(bytes) => LeafNumbers::Ints(bytes.iter().map(|b| i64::from(*b)).collect()),
        Packed::Int32(all) => LeafNumbers::Ints(all.iter().map(i64::from).collect()),
        Packed::Int64(all) => LeafNumbers::Ints(all.iter().collect()),
        Packed::Float32(all) => LeafNumbers::Singles(all.iter().collect()),
        Packed::Float64(all) => LeafNumbers::Doubles(all.iter().collect()),
        Packed::Vector2(all) => vectors!(all),
        Packed::Vector3(all) => vectors!(all),
        Packed::Vector4(all) => vectors!(all),
        Packed::Vector2i(all) => all_ints(all.iter().map(|v| v.components())),
        Packed::Vector3i(all) => all_ints(all.iter().map(|v| v.components())),
        Packed::Vector4i(all) => all_ints(all.iter().map(|v| v.components())),
        Packed::Color(all) => LeafNumbers::Singles(flat(all.iter().map(|c| c.components()))),
    })
}

impl LeafNumbers {
    /// Returns integers unchanged in `Ok`, and reals as doubles in `Err`.
    pub(crate) fn widened(self) -> Result<Vec<i64>, Vec<f64>> {
        match self {
            LeafNumbers::Ints(ints) => Ok(ints),
            LeafNumbers::Singles(singles) => Err(singles.into_iter().map(widen).collect()),
            LeafNumbers::Doubles(doubles) => Err(doubles),
        }
    }
}

/// Returns the number of components in an element of a packed array, or 0 for other kinds.
pub(crate) fn element_len(kind: Kind) -> usize {
    match kind {
        Kind::PackedStringArray => 1,
        kind => kind.element_components(),
    }
}

/// Transposes a Basis or the basis of a Transform3D, in either direction. The bytes have them by
/// rows, the engine lists them by columns.
pub(crate) fn transposed<T: Copy>(kind: Kind, components: &mut [T]) {
    if matches!(kind, Kind::Basis | Kind::Transform3D) && components.len() >= 9 {
        for (a, b) in [(1, 3), (2, 6), (5, 7)] {
            components.swap(a, b);
        }
    }
}
