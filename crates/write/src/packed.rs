//! Writes packed arrays.

use core::any::TypeId as RustType;

use gdvar_wire::{
    Element, F32, F64, Flags, HeaderWord, I32, I64, Kind,
    math::{Color, Components, Vector2, Vector3, Vector4},
};
use zerocopy::IntoBytes;

use crate::{
    error::WriteErrorKind,
    math::Real,
    scalars::word_pair,
    short_text::ShortText,
    sink::Sink,
    text::padding,
    writer::{Result, Writer},
};

/// How many bytes are encoded on the stack before they go to the sink. The block is small enough to
/// stay in registers or the nearest cache until it is copied.
const BLOCK: usize = 64;

macro_rules! numbers {
    ($($(#[$doc:meta])* $method:ident: $number:ident, $kind:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// Returns `Unrepresentable` if the dialect lacks the type, or `TooLarge` if the array is
        /// larger than the engines can hold. Also fails if no value may be written here, or with
        /// the sink's error.
        pub fn $method(&mut self, values: &[$number]) -> Result<(), S> {
            let header = self.header(Kind::$kind)?;
            if cfg!(target_endian = "little") {
                return self.packed_run(header, values.len(), values.as_bytes());
            }
            const SIZE: usize = size_of::<$number>();
            self.packed_head(header, values.len(), SIZE)?;
            self.blocks::<_, SIZE>(values, |place, value| {
                place.copy_from_slice(&value.to_le_bytes());
            })
        }
    )*};
}

macro_rules! real_vectors {
    ($($(#[$doc:meta])* $method:ident: $name:ident, $kind:ident, $n:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// Returns `Unrepresentable` if the target lacks the type in this precision, or `TooLarge`
        /// if the array is larger than the engines can hold. Also fails if no value may be written
        /// here, or with the sink's error.
        pub fn $method<R: Real>(&mut self, values: &[$name<R>]) -> Result<(), S> {
            let header = self.real_header::<R>(Kind::$kind)?;
            if header.flags() == Flags::NONE {
                return self.components::<_, $n, { $n * 4 }, 4>(header, values, |item: R| {
                    item.to_f32().to_le_bytes()
                });
            }
            self.components::<_, $n, { $n * 8 }, 8>(header, values, |item: R| {
                item.to_f64().to_le_bytes()
            })
        }
    )*};
}

macro_rules! int_vectors {
    ($($(#[$doc:meta])* $method:ident: $name:ident, $kind:ident, $n:literal;)*) => {$(
        $(#[$doc])*
        /// Pandemonium only.
        ///
        /// # Errors
        ///
        /// Returns `Unrepresentable` in other dialects, or `TooLarge` if the array is larger than
        /// the engines can hold. Also fails if no value may be written here, or with the sink's
        /// error.
        pub fn $method(&mut self, values: &[$name<i32>]) -> Result<(), S> {
            let header = self.header(Kind::$kind)?;
            self.components::<_, $n, { $n * 4 }, 4>(header, values, i32::to_le_bytes)
        }
    )*};
}

/// Packed arrays ([`docs/FORMAT.md` §3.4]): a header, a count, the elements. On little-endian
/// hosts, numbers are copied once, and an [`IoSink`](crate::IoSink) passes large arrays on without
/// a copy. Vectors are encoded block by block. [`Writer::packed_le`] copies once on every host.
///
/// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
impl<S: Sink> Writer<S> {
    /// Writes a `PackedByteArray`, padded with zeros to a multiple of four.
    ///
    /// # Errors
    ///
    /// Returns `TooLarge` if the array is larger than the engines can hold. Also fails if no value
    /// may be written here, or with the sink's error.
    pub fn packed_bytes(&mut self, values: &[u8]) -> Result<(), S> {
        let header = self.header(Kind::PackedByteArray)?;
        self.packed_run(header, values.len(), values)
    }

    numbers! {
        /// Writes a `PackedInt32Array`, Godot 3's `PoolIntArray`.
        packed_i32: i32, PackedInt32Array;
        /// Writes a `PackedInt64Array`: 8 bytes for each element.
        packed_i64: i64, PackedInt64Array;
        /// Writes a `PackedFloat32Array`, Godot 3's `PoolRealArray`.
        packed_f32: f32, PackedFloat32Array;
        /// Writes a `PackedFloat64Array`: 8 bytes for each element.
        packed_f64: f64, PackedFloat64Array;
    }

    real_vectors! {
        /// Writes a `PackedVector2Array` in the target's precision.
        packed_vector2: Vector2, PackedVector2Array, 2;
        /// Writes a `PackedVector3Array` in the target's precision.
        packed_vector3: Vector3, PackedVector3Array, 3;
        /// Writes a `PackedVector4Array` in the target's precision: Godot 4.3 and later,
        /// Pandemonium 4 and 5.
        packed_vector4: Vector4, PackedVector4Array, 4;
    }

    int_vectors! {
        /// Writes a `PoolVector2iArray`.
        packed_vector2i: Vector2, PackedVector2iArray, 2;
        /// Writes a `PoolVector3iArray`.
        packed_vector3i: Vector3, PackedVector3iArray, 3;
        /// Writes a `PoolVector4iArray`.
        packed_vector4i: Vector4, PackedVector4iArray, 4;
    }

    /// Writes a `PackedColorArray`: 32-bit components for every target.
    ///
    /// # Errors
    ///
    /// Returns `TooLarge` if the array is larger than the engines can hold. Also fails if no value
    /// may be written here, or with the sink's error.
    pub fn packed_colors(&mut self, values: &[Color<f32>]) -> Result<(), S> {
        let header = self.header(Kind::PackedColorArray)?;
        self.components::<_, 4, 16, 4>(header, values, f32::to_le_bytes)
    }

    /// Writes a `PackedStringArray`. Each element ends with a NUL that its length includes, as
    /// every engine writes it ([`docs/FORMAT.md` §3.4]).
    ///
    /// ```
    /// use gdvar_write::{Target, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.packed_strings(["sword", "shield"])?;
    /// assert_eq!(writer.finish()?.len(), 32);
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `EmbeddedNul` or `TooLarge` for a text that cannot be written; `TooMany` or `TooFew`
    /// if the iterator gives more or fewer items than its length. These errors cut the output and
    /// leave the writer [broken](WriteErrorKind::Broken). Also fails if no value may be written
    /// here, or with the sink's error.
    ///
    /// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
    pub fn packed_strings<I>(&mut self, texts: I) -> Result<(), S>
    where
        I: IntoIterator<Item: AsRef<str>, IntoIter: ExactSizeIterator>,
    {
        let texts = texts.into_iter();
        self.string_head(texts.len())?;
        self.exactly(texts, |writer, text| {
            writer.string_element(text.as_ref().as_bytes())
        })
    }

    /// Writes a `PackedStringArray` from the bytes of its texts. [`Writer::string_bytes`] says
    /// which bytes a dialect takes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::packed_strings`], and `InvalidText` for bytes that the dialect
    /// does not take. This error cuts the output, too.
    pub fn packed_strings_bytes<I>(&mut self, texts: I) -> Result<(), S>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
    {
        let texts = texts.into_iter();
        self.string_head(texts.len())?;
        self.exactly(texts, |writer, text| {
            if let Err(error) = writer.check_encoding(text.as_ref()) {
                return Err(writer.break_off(error.into_kind()));
            }
            writer.string_element(text.as_ref())
        })
    }

    /// Writes a packed array from elements in wire layout, such as a reader returns: one copy on
    /// every host. The elements must match the kind and the target's precision: `u8`, [`I32`],
    /// [`I64`], [`F32`], [`F64`], or vectors and colours of them.
    ///
    /// ```
    /// use gdvar_write::{Target, Writer, wire::{F32, Kind, math::Vector2}};
    ///
    /// let points = [Vector2 { x: F32::new(1.0), y: F32::new(2.0) }; 100];
    /// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    /// writer.packed_le(Kind::PackedVector2Array, &points)?;
    /// # Ok::<(), gdvar_write::Error<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `WrongElement` if the elements do not match, `Unrepresentable` if the target lacks
    /// the kind, or `TooLarge` if the array is larger than the engines can hold. Also fails if no
    /// value may be written here, or with the sink's error.
    pub fn packed_le<T: Element>(&mut self, kind: Kind, values: &[T]) -> Result<(), S> {
        let header = self.header_as(kind, is_element_of::<T>(kind, true))?;
        if !is_element_of::<T>(kind, header.flags() != Flags::NONE) {
            return Err(self.error(WriteErrorKind::WrongElement { kind }));
        }
        self.packed_run(header, values.len(), values.as_bytes())
    }

    /// Writes a packed array whose elements are already encoded.
    fn packed_run(&mut self, header: HeaderWord, count: usize, bytes: &[u8]) -> Result<(), S> {
        self.check_size(bytes.len())?;
        let count = self.count(count)?;
        self.take_value()?;
        self.put_run(&word_pair(header.0, count), bytes, padding(bytes.len()))
    }

    /// Writes header and count. The caller then puts `count` elements of `size` bytes.
    fn packed_head(&mut self, header: HeaderWord, count: usize, size: usize) -> Result<(), S> {
        let bytes = count.saturating_mul(size);
        self.check_size(bytes)?;
        let count = self.count(count)?;
        self.take_value()?;
        self.sink.reserve(8 + bytes);
        self.put(&word_pair(header.0, count))
    }

    fn string_head(&mut self, count: usize) -> Result<(), S> {
        let header = self.header(Kind::PackedStringArray)?;
        self.check_size(count.saturating_mul(8))?;
        let count = self.count(count)?;
        self.take_value()?;
        self.put(&word_pair(header.0, count))
    }

    #[inline]
    fn string_element(&mut self, text: &[u8]) -> Result<(), S> {
        let zeros = 1 + padding(text.len() + 1);
        if let Some(short) = ShortText::new(text) {
            if short.has_nul {
                return Err(self.break_off(WriteErrorKind::EmbeddedNul));
            }
            let len = text.len() as u32 + 1;
            return self.put_short(short.behind_len(len), 4 + text.len() + zeros);
        }
        if let Err(error) = self.check_text(text) {
            return Err(self.break_off(error.into_kind()));
        }
        let len = text.len() as u32 + 1;
        self.put_run(&len.to_le_bytes(), text, zeros)
    }

    /// Writes elements of `N` components, `WIDTH` bytes each and `SIZE` bytes together.
    #[inline]
    fn components<T, const N: usize, const SIZE: usize, const WIDTH: usize>(
        &mut self,
        header: HeaderWord,
        values: &[T],
        encode: impl Fn(T::Item) -> [u8; WIDTH],
    ) -> Result<(), S>
    where
        T: Components<N> + Copy,
    {
        self.packed_head(header, values.len(), SIZE)?;
        self.blocks::<_, SIZE>(values, |place, value| {
            let items = value.components();
            for (place, item) in place.chunks_exact_mut(WIDTH).zip(items) {
                place.copy_from_slice(&encode(item));
            }
        })
    }

    /// Encodes elements block by block, so that the sink is called once a block.
    #[inline]
    fn blocks<T: Copy, const SIZE: usize>(
        &mut self,
        values: &[T],
        encode: impl Fn(&mut [u8; SIZE], T),
    ) -> Result<(), S> {
        let mut block = [[0; SIZE]; 8];
        let per_block = (BLOCK / SIZE).clamp(1, 8);
        let mut chunks = values.chunks_exact(per_block);
        for chunk in &mut chunks {
            for (place, value) in block.iter_mut().zip(chunk) {
                encode(place, *value);
            }
            self.put(block[..per_block].as_flattened())?;
        }
        for value in chunks.remainder() {
            encode(&mut block[0], *value);
            self.put(&block[0])?;
        }
        Ok(())
    }
}

/// Returns `true` if a packed array of this kind has elements of type `T`. Folds to a constant if
/// `kind` is one.
fn is_element_of<T: Element>(kind: Kind, wide: bool) -> bool {
    fn same<T: 'static, U: 'static>() -> bool {
        RustType::of::<T>() == RustType::of::<U>()
    }
    match kind {
        Kind::PackedByteArray => same::<T, u8>(),
        Kind::PackedInt32Array => same::<T, I32>(),
        Kind::PackedInt64Array => same::<T, I64>(),
        Kind::PackedFloat32Array => same::<T, F32>(),
        Kind::PackedFloat64Array => same::<T, F64>(),
        Kind::PackedVector2Array if wide => same::<T, Vector2<F64>>(),
        Kind::PackedVector2Array => same::<T, Vector2<F32>>(),
        Kind::PackedVector3Array if wide => same::<T, Vector3<F64>>(),
        Kind::PackedVector3Array => same::<T, Vector3<F32>>(),
        Kind::PackedVector4Array if wide => same::<T, Vector4<F64>>(),
        Kind::PackedVector4Array => same::<T, Vector4<F32>>(),
        Kind::PackedColorArray => same::<T, Color<F32>>(),
        Kind::PackedVector2iArray => same::<T, Vector2<I32>>(),
        Kind::PackedVector3iArray => same::<T, Vector3<I32>>(),
        Kind::PackedVector4iArray => same::<T, Vector4<I32>>(),
        _ => false,
    }
}
