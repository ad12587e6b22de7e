//! Writes vectors, matrices and other math types.

use gdvar_wire::{
    Flags, HeaderWord, Kind, layout,
    math::{
        Aabb, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Transform2D,
        Transform3D, Vector2, Vector3, Vector4,
    },
    narrow, widen,
};

use crate::{
    error::WriteErrorKind,
    sink::Sink,
    writer::{Result, Writer},
};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// The component type of a math type: `f32` or `f64`.
///
/// The target's [`Precision`](crate::Precision) decides the width in the bytes; by default it is
/// the width that is given. For a [`Double`](crate::Precision::Double) target, `f32` is widened
/// exactly. For a [`Single`](crate::Precision::Single) target, `f64` is rounded to the nearest
/// `f32`, and to infinity beyond its range, as a single-precision engine does when it reads doubles
/// ([`docs/FORMAT.md` §2.3]). A NaN that changes its width keeps its sign and top payload bits and
/// becomes quiet.
///
/// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
pub trait Real: Copy + sealed::Sealed {
    /// `true` for `f64`.
    const WIDE: bool;

    /// Returns the value as an `f32`. An `f64` is rounded as described above.
    fn to_f32(self) -> f32;

    /// Returns the value as an `f64`, which can hold every `f32` exactly.
    fn to_f64(self) -> f64;
}

impl Real for f32 {
    const WIDE: bool = false;

    #[inline]
    fn to_f32(self) -> f32 {
        self
    }

    #[inline]
    fn to_f64(self) -> f64 {
        widen(self)
    }
}

impl Real for f64 {
    const WIDE: bool = true;

    #[inline]
    fn to_f32(self) -> f32 {
        narrow(self)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}

macro_rules! reals {
    ($($(#[$doc:meta])* $method:ident: $name:ident, $kind:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// Returns `Unrepresentable` if the target lacks the type in this precision. Also fails if
        /// no value may be written here, or with the sink's error.
        #[inline]
        pub fn $method<R: Real>(&mut self, value: $name<R>) -> Result<(), S> {
            self.reals(Kind::$kind, value.components())
        }
    )*};
}

macro_rules! ints {
    ($($(#[$doc:meta])* $method:ident: $name:ident, $kind:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// Returns `Unrepresentable` if the target lacks the type. Also fails if no value may be
        /// written here, or with the sink's error.
        #[inline]
        pub fn $method(&mut self, value: $name<i32>) -> Result<(), S> {
            let header = self.header(Kind::$kind)?;
            self.words(header, value.components().map(|item| item as u32))
        }
    )*};
}

/// Math types ([`docs/FORMAT.md` §3.1]): a header and the components in stream order, in one call
/// of [`Sink::put`]. Reals are given as `f32` or `f64` and written in the target's precision, see
/// [`Real`].
///
/// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
impl<S: Sink> Writer<S> {
    reals! {
        /// Writes a `Vector2`: 12 bytes with 32-bit components, 20 with 64-bit ones.
        vector2: Vector2, Vector2;
        /// Writes a `Vector3`: 16 bytes with 32-bit components, 28 with 64-bit ones.
        vector3: Vector3, Vector3;
        /// Writes a `Vector4`: 20 bytes with 32-bit components, 36 with 64-bit ones.
        vector4: Vector4, Vector4;
        /// Writes a `Rect2`: 20 bytes with 32-bit components, 36 with 64-bit ones.
        rect2: Rect2, Rect2;
        /// Writes a `Plane`: its normal, then its distance from the origin.
        plane: Plane, Plane;
        /// Writes a `Quaternion`: x, y, z, then the real part w.
        quaternion: Quaternion, Quaternion;
        /// Writes an `AABB`: its position, then its size.
        aabb: Aabb, Aabb;
        /// Writes a `Transform2D`, column by column.
        transform2d: Transform2D, Transform2D;
        /// Writes a `Basis`, row by row. [`Basis::from_columns`] creates one from its axes.
        basis: Basis, Basis;
        /// Writes a `Transform3D`: the rows of its basis, then the origin.
        transform3d: Transform3D, Transform3D;
        /// Writes a `Projection`, column by column.
        projection: Projection, Projection;
    }

    ints! {
        /// Writes a `Vector2i`: 12 bytes.
        vector2i: Vector2, Vector2i;
        /// Writes a `Vector3i`: 16 bytes.
        vector3i: Vector3, Vector3i;
        /// Writes a `Vector4i`: 20 bytes.
        vector4i: Vector4, Vector4i;
        /// Writes a `Rect2i`: its position, then its size, 20 bytes.
        rect2i: Rect2, Rect2i;
    }

    /// Writes a `Color`: 32-bit components for every target.
    ///
    /// # Errors
    ///
    /// Fails if no value may be written here, or with the sink's error.
    #[inline]
    pub fn color(&mut self, value: Color<f32>) -> Result<(), S> {
        let header = self.header(Kind::Color)?;
        self.words(header, value.components().map(f32::to_bits))
    }

    /// Writes a math type from its components in wire layout and stream order, such as a reader
    /// returns. `wide` says that the components are 64-bit reals. They are copied once if they have
    /// the target's precision.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer, wire::Kind};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.math_le(Kind::Vector2, false, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40])?; // 1, 2
    /// assert_eq!(writer.finish()?.len(), 12);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `NotAValue` if the number of bytes does not match the kind and width, or the kind is
    /// not a math type; `Unrepresentable` if the target lacks the kind. Also fails if no value may
    /// be written here, or with the sink's error.
    #[inline(always)]
    pub fn math_le(&mut self, kind: Kind, wide: bool, components: &[u8]) -> Result<(), S> {
        // Kinds that are not math types are shorter than 8 bytes, if their size is fixed at all.
        let size = layout::fixed_payload(kind, wide && kind.has_reals(), false);
        if size != Some(components.len()) || components.len() < 8 {
            return Err(self.error(WriteErrorKind::NotAValue {
                len: components.len(),
            }));
        }
        let header = self.header_as(kind, wide)?;
        let is_wide = header.flags() != Flags::NONE;
        if kind.has_reals() && is_wide != wide {
            return self.other_width(header, components, wide);
        }
        self.take_value()?;
        self.put_run(&header.0.to_le_bytes(), components, 0)
    }

    /// Writes components after a conversion to the other width: to 32 bits if `wide`, else to 64.
    #[cold]
    #[inline(never)]
    fn other_width(&mut self, header: HeaderWord, components: &[u8], wide: bool) -> Result<(), S> {
        let mut bytes = [0; 16 * 8];
        let len = if wide {
            let reals = components
                .chunks_exact(8)
                .filter_map(|raw| raw.first_chunk());
            for (place, raw) in bytes.chunks_exact_mut(4).zip(reals) {
                place.copy_from_slice(&narrow(f64::from_le_bytes(*raw)).to_le_bytes());
            }
            components.len() / 2
        } else {
            let reals = components
                .chunks_exact(4)
                .filter_map(|raw| raw.first_chunk());
            for (place, raw) in bytes.chunks_exact_mut(8).zip(reals) {
                place.copy_from_slice(&widen(f32::from_le_bytes(*raw)).to_le_bytes());
            }
            components.len() * 2
        };
        self.take_value()?;
        self.put_run(&header.0.to_le_bytes(), &bytes[..len], 0)
    }

    #[inline(always)]
    fn reals<R: Real, const N: usize>(&mut self, kind: Kind, value: [R; N]) -> Result<(), S> {
        let header = self.real_header::<R>(kind)?;
        if header.flags() == Flags::NONE {
            return self.words(header, value.map(|item| item.to_f32().to_bits()));
        }
        self.take_value()?;
        let mut bytes = [0; 4 + 16 * 8];
        bytes[..4].copy_from_slice(&header.0.to_le_bytes());
        for (place, item) in bytes[4..].chunks_exact_mut(8).zip(value) {
            place.copy_from_slice(&item.to_f64().to_le_bytes());
        }
        self.put(&bytes[..4 + 8 * N])
    }

    #[inline(always)]
    fn words<const N: usize>(&mut self, header: HeaderWord, words: [u32; N]) -> Result<(), S> {
        self.take_value()?;
        self.put(&word_bytes::<N, { 4 + 16 * 4 }>(header, words)[..4 + 4 * N])
    }
}

/// Returns the header and the words in the first bytes of an array.
#[inline(always)]
pub(crate) fn word_bytes<const N: usize, const SIZE: usize>(
    header: HeaderWord,
    words: [u32; N],
) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[..4].copy_from_slice(&header.0.to_le_bytes());
    for (place, word) in bytes[4..].chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

impl<S: Sink> Writer<S> {
    /// Returns the header of a kind whose components are reals of type `R`.
    #[inline]
    pub(crate) fn real_header<R: Real>(&self, kind: Kind) -> Result<HeaderWord, S> {
        self.header_as(kind, R::WIDE)
    }
}
