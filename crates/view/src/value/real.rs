//! [`Real`]: a value with real numbers, which the bytes store as 32-bit or as 64-bit floats.

/// A math type or packed array in the width that it has in the bytes: 32 bits, unless the header has the
/// 64-bit flag ([`docs/FORMAT.md` §2.3]).
///
/// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Real<S, D> {
    /// The components are `f32`.
    Single(S),
    /// The components are `f64`, written by a double-precision build of Godot 4.
    Double(D),
}
