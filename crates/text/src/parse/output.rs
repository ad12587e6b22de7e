//! The bytes of values, as the target's engine writes them.

use std::convert::Infallible;

use gdvar_write::{
    Precision, Target, Writer,
    wire::{Kind, math},
};

use super::{error::ParseErrorKind, node_path::PathParts, number::Number};

type Result<T> = std::result::Result<T, ParseErrorKind>;

/// Values one behind the other, and the target they are for. Containers are begun with a count of
/// zero and counted when they end.
pub(crate) struct Output {
    pub(crate) bytes: Vec<u8>,
    pub(crate) target: Target,
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

impl Output {
    /// Writes one value.
    pub(crate) fn write(&mut self, put: impl FnOnce(&mut Leaf<'_>) -> Written) -> Result<()> {
        let mut writer = Writer::new(&mut self.bytes, self.target);
        put(&mut writer).map_err(|error| ParseErrorKind::Write(error.into_kind()))
    }

    /// Begins a container by a call that begins one of length 0; returns where its count stands.
    pub(crate) fn begin(&mut self, put: impl FnOnce(&mut Leaf<'_>) -> Written) -> Result<usize> {
        self.write(|writer| {
            put(writer)?;
            writer.end()
        })?;
        Ok(self.bytes.len() - 4)
    }

    /// Writes a container's count.
    pub(crate) fn set_count(&mut self, at: usize, count: usize) -> Result<()> {
        let count = i32::try_from(count).map_err(|_| {
            ParseErrorKind::Write(gdvar_write::ErrorKind::TooLarge { size: count as u64 })
        })?;
        self.bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        Ok(())
    }

    /// Writes a length, a text and its padding.
    pub(crate) fn text_field(&mut self, text: &[u8]) -> Result<()> {
        let len = i32::try_from(text.len()).map_err(|_| {
            let size = text.len() as u64;
            ParseErrorKind::Write(gdvar_write::ErrorKind::TooLarge { size })
        })?;
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(text);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        Ok(())
    }

    pub(crate) fn text(&mut self, kind: Kind, text: &[u8]) -> Result<()> {
        if text.contains(&0) {
            // Only Godot 3 lets a NUL into a text, and writes it; readers stop there.
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

    pub(crate) fn node_path(&mut self, text: &[u8]) -> Result<()> {
        let parts = PathParts::of(text);
        self.write(|writer| writer.node_path_from(parts.names, parts.subnames, parts.absolute))
    }

    pub(crate) fn texts(&mut self, texts: &[Vec<u8>]) -> Result<()> {
        self.write(|writer| writer.packed_strings_bytes(texts))
    }

    /// Writes what a constructor of numbers makes, or says how many numbers it takes.
    pub(crate) fn construct(&mut self, kind: Kind, numbers: &[Number]) -> Result<()> {
        let expected = crate::leaf::component_count(kind);
        if expected > 0 && numbers.len() != expected {
            return Err(ParseErrorKind::ArgumentCount {
                expected: expected as u32,
                found: u32::try_from(numbers.len()).unwrap_or(u32::MAX),
            });
        }
        if self.target.precision() == Precision::Double {
            let reals: Vec<f64> = numbers.iter().map(|number| number.f64()).collect();
            self.construct_of(kind, numbers, &reals)
        } else {
            let reals: Vec<f32> = numbers.iter().map(|number| number.f32()).collect();
            self.construct_of(kind, numbers, &reals)
        }
    }

    fn construct_of<R: gdvar_write::Real>(
        &mut self,
        kind: Kind,
        numbers: &[Number],
        reals: &[R],
    ) -> Result<()> {
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
        macro_rules! one {
            ($method:ident, $name:ident, $n:literal, $values:expr) => {{
                let components = <[_; $n]>::try_from(&$values[..]).expect("they were counted");
                self.write(|writer| writer.$method(math::$name::from(components)))
            }};
        }
        match kind {
            Kind::Vector2 => one!(vector2, Vector2, 2, reals),
            Kind::Vector3 => one!(vector3, Vector3, 3, reals),
            Kind::Vector4 => one!(vector4, Vector4, 4, reals),
            Kind::Rect2 => one!(rect2, Rect2, 4, reals),
            Kind::Transform2D => one!(transform2d, Transform2D, 6, reals),
            Kind::Plane => one!(plane, Plane, 4, reals),
            Kind::Quaternion => one!(quaternion, Quaternion, 4, reals),
            Kind::Aabb => one!(aabb, Aabb, 6, reals),
            Kind::Basis => one!(basis, Basis, 9, reals),
            Kind::Transform3D => one!(transform3d, Transform3D, 12, reals),
            Kind::Projection => one!(projection, Projection, 16, reals),
            Kind::Color => one!(color, Color, 4, singles()),
            Kind::Vector2i => one!(vector2i, Vector2, 2, ints()),
            Kind::Vector3i => one!(vector3i, Vector3, 3, ints()),
            Kind::Vector4i => one!(vector4i, Vector4, 4, ints()),
            Kind::Rect2i => one!(rect2i, Rect2, 4, ints()),
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
            Kind::PackedVector2Array => {
                let all = chunks(reals, |c: [R; 2]| math::Vector2::from(c));
                self.write(|writer| writer.packed_vector2(&all))
            }
            Kind::PackedVector3Array => {
                let all = chunks(reals, |c: [R; 3]| math::Vector3::from(c));
                self.write(|writer| writer.packed_vector3(&all))
            }
            Kind::PackedVector4Array => {
                let all = chunks(reals, |c: [R; 4]| math::Vector4::from(c));
                self.write(|writer| writer.packed_vector4(&all))
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
            _ => {
                let all = chunks(&singles(), |c: [f32; 4]| math::Color::from(c));
                self.write(|writer| writer.packed_colors(&all))
            }
        }
    }
}
