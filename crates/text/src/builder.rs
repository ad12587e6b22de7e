//! [`Builder`]: encodes values for parsers, and fills in counts of containers at their end.

use std::convert::Infallible;

use gdvar_write::{
    Precision, Real, Target, WriteErrorKind, Writer,
    wire::{Kind, math},
};

use crate::{error::BuildError, number_value::Number, parse::node_path::PathParts};

type Result<T> = std::result::Result<T, BuildError>;

/// Encodes values one after the other in memory, as the target's engine writes them. Use it in
/// parsers that do not know the number of a container's children in advance: a container begins
/// with a count of zero, and [`Builder::set_count`] fills in the count at its end. The builder does
/// not track which containers are open.
///
/// ```
/// use gdvar_text::Builder;
/// use gdvar_write::Target;
///
/// let mut builder = Builder::new(Target::GODOT_4);
/// let count_at = builder.begin(|writer| writer.begin_array(0))?;
/// builder.write(|writer| writer.int(7))?;
/// builder.set_count(count_at, 1)?;
/// assert_eq!(builder.bytes.len(), 16);
/// # Ok::<(), gdvar_text::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    /// The bytes written so far.
    pub bytes: Vec<u8>,
    target: Target,
}

/// A writer of one value.
pub(crate) type Leaf<'a> = Writer<&'a mut Vec<u8>>;
pub(crate) type Written = std::result::Result<(), gdvar_write::Error<Infallible>>;

fn chunks<T: Copy, U, const N: usize>(values: &[T], make: impl Fn([T; N]) -> U) -> Vec<U> {
    values
        .chunks_exact(N)
        .filter_map(|chunk| chunk.try_into().ok())
        .map(make)
        .collect()
}

impl Builder {
    /// Creates an empty builder.
    #[must_use]
    pub fn new(target: impl Into<Target>) -> Builder {
        Builder {
            bytes: Vec::new(),
            target: target.into(),
        }
    }

    /// Returns the target that values are written for.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Writes one value with `put`.
    ///
    /// # Errors
    ///
    /// Returns the writer's error.
    pub fn write(&mut self, put: impl FnOnce(&mut Leaf<'_>) -> Written) -> Result<()> {
        let mut writer = Writer::new(&mut self.bytes, self.target);
        put(&mut writer).map_err(gdvar_write::Error::into_kind)
    }

    /// Begins a container by calling `put`, which must begin a container of length 0. Returns the
    /// offset of the count.
    ///
    /// # Errors
    ///
    /// Returns the writer's error.
    pub fn begin(&mut self, put: impl FnOnce(&mut Leaf<'_>) -> Written) -> Result<usize> {
        self.write(|writer| {
            put(writer)?;
            writer.end()
        })?;
        Ok(self.bytes.len() - 4)
    }

    /// Writes the count of a container at the offset `at` that [`Builder::begin`] returned.
    ///
    /// # Errors
    ///
    /// Returns `TooLarge` for a count that the engines cannot hold.
    ///
    /// # Panics
    ///
    /// Panics if `at` is not followed by four bytes.
    pub fn set_count(&mut self, at: usize, count: usize) -> Result<()> {
        let count =
            i32::try_from(count).map_err(|_| WriteErrorKind::TooLarge { size: count as u64 })?;
        self.bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        Ok(())
    }

    /// Writes a string field: length, text and padding. Objects have their property names in this
    /// form.
    ///
    /// # Errors
    ///
    /// Returns `TooLarge` for a text that the engines cannot hold.
    pub fn text_field(&mut self, text: &[u8]) -> Result<()> {
        let len = i32::try_from(text.len()).map_err(|_| {
            let size = text.len() as u64;
            WriteErrorKind::TooLarge { size }
        })?;
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(text);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        Ok(())
    }

    /// Writes a String or StringName from bytes that the target's engine can decode.
    ///
    /// # Errors
    ///
    /// Returns the writer's error.
    pub fn text(&mut self, kind: Kind, text: &[u8]) -> Result<()> {
        if text.contains(&0) {
            // Only Godot 3 accepts and writes a NUL in a text. Readers end the text there.
            if let Some(id) = self.target.dialect().type_id(kind) {
                self.bytes.extend_from_slice(&[id.0, 0, 0, 0]);
                return self.text_field(text);
            }
        }
        match (kind, std::str::from_utf8(text)) {
            (Kind::StringName, Ok(text)) => self.write(|writer| writer.string_name(text)),
            _ => self.write(|writer| writer.string_bytes(text)),
        }
    }

    /// Writes a NodePath from its text, split into names as the engines split it.
    ///
    /// # Errors
    ///
    /// Returns the writer's error.
    pub fn node_path(&mut self, text: &[u8]) -> Result<()> {
        let parts = PathParts::of(text);
        self.write(|writer| writer.node_path_from(parts.names, parts.subnames, parts.absolute))
    }

    /// Writes a PackedStringArray.
    ///
    /// # Errors
    ///
    /// Returns the writer's error.
    pub fn texts(&mut self, texts: &[Vec<u8>]) -> Result<()> {
        self.write(|writer| writer.packed_strings_bytes(texts))
    }

    /// Writes a math type or a packed array of numbers from its components. The components have the
    /// order of the notation, and are converted as the engines convert them. An incomplete last
    /// element of a packed array is dropped.
    ///
    /// # Errors
    ///
    /// Returns `WrongElement` for a wrong number of components, or the writer's error.
    pub fn construct(&mut self, kind: Kind, numbers: &[Number]) -> Result<()> {
        let expected = kind.component_count();
        if expected > 0 && numbers.len() != expected {
            return Err(WriteErrorKind::WrongElement { kind });
        }
        if kind.has_reals() {
            return if self.target.precision() == Precision::Double {
                let reals: Vec<f64> = numbers.iter().map(|number| number.f64()).collect();
                self.reals(kind, &reals)
            } else {
                let reals: Vec<f32> = numbers.iter().map(|number| number.f32()).collect();
                self.reals(kind, &reals)
            };
        }
        let singles = || {
            numbers
                .iter()
                .map(|number| number.f32())
                .collect::<Vec<f32>>()
        };
        let ints = || {
            numbers
                .iter()
                .map(|number| number.i32())
                .collect::<Vec<i32>>()
        };
        match kind {
            Kind::Color => match <[f32; 4]>::try_from(&singles()[..]) {
                Ok(parts) => self.write(|writer| writer.color(math::Color::from(parts))),
                Err(_) => Err(WriteErrorKind::WrongElement { kind }),
            },
            kind if kind.has_ints() => {
                let bytes: Vec<u8> = ints().into_iter().flat_map(i32::to_le_bytes).collect();
                self.write(|writer| writer.math_le(kind, false, &bytes))
            }
            Kind::PackedByteArray => {
                let bytes: Vec<u8> = numbers.iter().map(|number| number.i32() as u8).collect();
                self.write(|writer| writer.packed_bytes(&bytes))
            }
            Kind::PackedInt32Array => self.write(|writer| writer.packed_i32(&ints())),
            Kind::PackedInt64Array => {
                let ints: Vec<i64> = numbers.iter().map(|number| number.i64()).collect();
                self.write(|writer| writer.packed_i64(&ints))
            }
            Kind::PackedFloat32Array => self.write(|writer| writer.packed_f32(&singles())),
            Kind::PackedFloat64Array => {
                let doubles: Vec<f64> = numbers.iter().map(|number| number.f64()).collect();
                self.write(|writer| writer.packed_f64(&doubles))
            }
            Kind::PackedVector2iArray => {
                let all = chunks(&ints(), |c: [i32; 2]| math::Vector2::from(c));
                self.write(|writer| writer.packed_vector2i(&all))
            }
            Kind::PackedVector3iArray => {
                let all = chunks(&ints(), |c: [i32; 3]| math::Vector3::from(c));
                self.write(|writer| writer.packed_vector3i(&all))
            }
            Kind::PackedVector4iArray => {
                let all = chunks(&ints(), |c: [i32; 4]| math::Vector4::from(c));
                self.write(|writer| writer.packed_vector4i(&all))
            }
            Kind::PackedColorArray => {
                let all = chunks(&singles(), |c: [f32; 4]| math::Color::from(c));
                self.write(|writer| writer.packed_colors(&all))
            }
            _ => Err(WriteErrorKind::WrongElement { kind }),
        }
    }

    /// Writes a math type or a packed array of reals from its components in stream order. If the
    /// target has reals of this width, their bits are kept. Colours are refused, because they have
    /// the same width everywhere.
    ///
    /// # Errors
    ///
    /// Returns `WrongElement` for another kind or a wrong number of components, or the writer's
    /// error.
    pub fn reals<R: Real>(&mut self, kind: Kind, reals: &[R]) -> Result<()> {
        macro_rules! one {
            ($method:ident, $name:ident, $n:literal) => {
                match <[R; $n]>::try_from(reals) {
                    Ok(value) => self.write(|writer| writer.$method(math::$name::from(value))),
                    Err(_) => Err(WriteErrorKind::WrongElement { kind }),
                }
            };
        }
        macro_rules! all {
            ($method:ident, $name:ident, $n:literal) => {{
                let all = chunks(reals, |c: [R; $n]| math::$name::from(c));
                self.write(|writer| writer.$method(&all))
            }};
        }
        match kind {
            Kind::Vector2 => one!(vector2, Vector2, 2),
            Kind::Vector3 => one!(vector3, Vector3, 3),
            Kind::Vector4 => one!(vector4, Vector4, 4),
            Kind::Rect2 => one!(rect2, Rect2, 4),
            Kind::Transform2D => one!(transform2d, Transform2D, 6),
            Kind::Plane => one!(plane, Plane, 4),
            Kind::Quaternion => one!(quaternion, Quaternion, 4),
            Kind::Aabb => one!(aabb, Aabb, 6),
            Kind::Basis => one!(basis, Basis, 9),
            Kind::Transform3D => one!(transform3d, Transform3D, 12),
            Kind::Projection => one!(projection, Projection, 16),
            Kind::PackedVector2Array => all!(packed_vector2, Vector2, 2),
            Kind::PackedVector3Array => all!(packed_vector3, Vector3, 3),
            Kind::PackedVector4Array => all!(packed_vector4, Vector4, 4),
            _ => Err(WriteErrorKind::WrongElement { kind }),
        }
    }
}
