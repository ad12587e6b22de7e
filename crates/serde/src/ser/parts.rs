//! The parts of a value of one of Godot's own types, one after the other.

use alloc::vec::Vec;

use gdvar_view::{Dialect, Kind};
use gdvar_wire::math::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D, Vector2,
    Vector3, Vector4,
};
use gdvar_write::{ElementType, ImageParts, Writer};
use serde_core::{
    Serialize, Serializer,
    ser::{Impossible, SerializeSeq, SerializeTuple},
};

use super::{
    Output, Result, ValueSerializer,
    native::unfit,
    open::Open,
    refuse::{refuse, refuse_lists, refuse_named, refuse_wrapped},
    text_only::TextOnly,
};
use crate::Error;

/// Whether a kind is a fixed number of components.
#[inline(always)]
pub(super) const fn is_math(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Vector2
            | Kind::Vector2i
            | Kind::Vector3
            | Kind::Vector3i
            | Kind::Vector4
            | Kind::Vector4i
            | Kind::Rect2
            | Kind::Rect2i
            | Kind::Plane
            | Kind::Quaternion
            | Kind::Aabb
            | Kind::Transform2D
            | Kind::Basis
            | Kind::Transform3D
            | Kind::Projection
            | Kind::Color
    )
}

/// Parts while they come in.
pub(super) enum Parts<'w, S: Output> {
    /// Components.
    Numbers {
        writer: &'w mut Writer<S>,
        kind: Kind,
        wide: bool,
        len: usize,
        /// Their bits.
        all: [u64; 16],
    },
    /// A few numbers and texts, written at the end.
    Mixed {
        /// There until children are begun.
        writer: Option<&'w mut Writer<S>>,
        kind: Option<Kind>,
        /// How many parts there will be.
        len: usize,
        numbers: Vec<u64>,
        texts: Texts,
    },
    /// The children of a typed container, whose types are known.
    Children(Open<'w, S>),
    /// The properties of an object; whether a value comes next.
    Properties(&'w mut Writer<S>, bool),
}

impl<'w, S: Output> Parts<'w, S> {
    #[inline(always)]
    pub(super) fn numbers(writer: &'w mut Writer<S>, kind: Kind, wide: bool) -> Self {
        Parts::Numbers {
            writer,
            kind,
            wide,
            len: 0,
            all: [0; 16],
        }
    }

    pub(super) fn mixed(writer: &'w mut Writer<S>, kind: Option<Kind>, len: usize) -> Self {
        Parts::Mixed {
            writer: Some(writer),
            kind,
            len,
            numbers: Vec::new(),
            texts: Texts::default(),
        }
    }

    #[inline(always)]
    fn take<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            Parts::Numbers { kind, len, all, .. } => {
                let Some(place) = all.get_mut(*len) else {
                    return Err(unfit(Some(*kind)));
                };
                *place = value.serialize(Number(*kind))?;
                *len += 1;
                Ok(())
            }
            Parts::Children(open) => open.item(value),
            Parts::Properties(writer, is_value) => {
                *is_value = !*is_value;
                if *is_value {
                    let name = value.serialize(TextOnly)?;
                    return writer.property(&name).map_err(Error::write);
                }
                value.serialize(ValueSerializer(writer))
            }
            Parts::Mixed { .. } => self.take_mixed(value),
        }
    }

    #[inline(never)]
    fn take_mixed<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let Parts::Mixed {
            kind,
            numbers,
            texts,
            ..
        } = self
        else {
            return Ok(());
        };
        let (kind, before) = (*kind, numbers.len() + texts.ends.len());
        value.serialize(Part {
            kind,
            numbers,
            texts,
        })?;
        // One is taken: the head of a typed container may be whole.
        if before + 1 == head_len(kind) {
            return self.begin_children();
        }
        Ok(())
    }

    /// Begins the container whose head is known.
    fn begin_children(&mut self) -> Result<()> {
        let Parts::Mixed {
            writer,
            kind,
            len,
            numbers,
            texts,
        } = self
        else {
            return Ok(());
        };
        let Some(writer) = writer.take() else {
            return Err(unfit(*kind));
        };
        let children = len.saturating_sub(head_len(*kind));
        begin(writer, *kind, children, numbers, texts)?;
        *self = match kind {
            Some(Kind::Object) => Parts::Properties(writer, false),
            _ => Parts::Children(Open::begun(writer)),
        };
        Ok(())
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match self {
            Parts::Numbers {
                writer,
                kind,
                wide,
                len,
                all,
            } => write_numbers(writer, kind, wide, len, &all),
            Parts::Mixed {
                writer: Some(writer),
                kind,
                numbers,
                texts,
                ..
            } => write_mixed(writer, kind, &numbers, &texts),
            Parts::Mixed { kind, .. } => Err(unfit(kind)),
            Parts::Children(open) => open.close(),
            Parts::Properties(writer, _) => writer.end().map_err(Error::write),
        }
    }
}

impl<S: Output> SerializeTuple for Parts<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.take(value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl<S: Output> SerializeSeq for Parts<'_, S> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.take(value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

#[inline(always)]
fn write_numbers<S: Output>(
    writer: &mut Writer<S>,
    kind: Kind,
    wide: bool,
    len: usize,
    all: &[u64; 16],
) -> Result<()> {
    /// The first so many, if there are just these.
    #[inline(always)]
    fn first<const N: usize>(all: &[u64; 16], len: usize) -> Option<[u64; N]> {
        all.first_chunk().filter(|_| len == N).copied()
    }
    let single = |bits: u64| f32::from_bits(bits as u32);
    let int = |bits: u64| bits as u32 as i32;
    macro_rules! real {
        ($name:ident, $method:ident) => {
            match first(all, len) {
                None => return Err(unfit(Some(kind))),
                Some(bits) if wide => writer.$method($name::from(bits.map(f64::from_bits))),
                Some(bits) => writer.$method($name::from(bits.map(single))),
            }
        };
    }
    macro_rules! fixed {
        ($name:ident, $method:ident, $number:ident) => {
            match first(all, len) {
                None => return Err(unfit(Some(kind))),
                Some(bits) => writer.$method($name::from(bits.map($number))),
            }
        };
    }
    let done = match kind {
        Kind::Vector2 => real!(Vector2, vector2),
        Kind::Vector2i => fixed!(Vector2, vector2i, int),
        Kind::Vector3 => real!(Vector3, vector3),
        Kind::Vector3i => fixed!(Vector3, vector3i, int),
        Kind::Vector4 => real!(Vector4, vector4),
        Kind::Vector4i => fixed!(Vector4, vector4i, int),
        Kind::Rect2 => real!(Rect2, rect2),
        Kind::Rect2i => fixed!(Rect2, rect2i, int),
        Kind::Plane => real!(Plane, plane),
        Kind::Quaternion => real!(Quaternion, quaternion),
        Kind::Aabb => real!(Aabb, aabb),
        Kind::Transform2D => real!(Transform2D, transform2d),
        Kind::Basis => real!(Basis, basis),
        Kind::Transform3D => real!(Transform3D, transform3d),
        Kind::Projection => real!(Projection, projection),
        Kind::Color => fixed!(Color, color, single),
        kind => return Err(unfit(Some(kind))),
    };
    done.map_err(Error::write)
}

/// How many parts stand before the children: of an Array its form, whether it is shared, and the
/// sort and name of its element type; of a Dictionary the last two for keys and for values.
const fn head_len(kind: Option<Kind>) -> usize {
    match kind {
        Some(Kind::Array) => 4,
        Some(Kind::Dictionary) => 5,
        Some(Kind::Object) => 1,
        _ => 0,
    }
}

fn element_type(sort: u64, name: &[u8]) -> Option<ElementType<'_>> {
    let name = core::str::from_utf8(name).ok()?;
    Some(match sort {
        0 => ElementType::Untyped,
        1 => ElementType::Builtin(*Kind::ALL.iter().find(|kind| kind.name() == name)?),
        2 => ElementType::Class(name),
        _ => ElementType::Script(name),
    })
}

fn begin<S: Output>(
    writer: &mut Writer<S>,
    kind: Option<Kind>,
    children: usize,
    numbers: &[u64],
    texts: &Texts,
) -> Result<()> {
    let mut texts = texts.iter();
    if kind == Some(Kind::Object) {
        let class = texts
            .next()
            .and_then(|class| core::str::from_utf8(class).ok());
        let class = class.ok_or_else(|| unfit(kind))?;
        return writer
            .begin_object(class, children / 2)
            .map_err(Error::write);
    }
    let mut next = |sort: u64| {
        let name = texts.next().ok_or_else(|| unfit(kind))?;
        element_type(sort, name).ok_or_else(|| unfit(kind))
    };
    let done = match (kind, numbers) {
        (Some(Kind::Array), &[form, shared, sort]) => {
            let element = next(sort)?;
            match (form, shared) {
                (1, _) => writer.begin_pandemonium_typed_array(Kind::TypedArray, element, children),
                (2, _) => {
                    writer.begin_pandemonium_typed_array(Kind::PackedTypedArray, element, children)
                }
                (_, 0) => writer.begin_typed_array(element, children),
                _ => writer.begin_array_shared(children),
            }
        }
        (Some(Kind::Dictionary), &[shared, key, value]) => {
            let (key, value) = (next(key)?, next(value)?);
            match shared {
                0 => writer.begin_typed_dict(key, value, children / 2),
                _ => writer.begin_dict_shared(children / 2),
            }
        }
        _ => return Err(unfit(kind)),
    };
    done.map_err(Error::write)
}

fn write_mixed<S: Output>(
    writer: &mut Writer<S>,
    kind: Option<Kind>,
    numbers: &[u64],
    texts: &Texts,
) -> Result<()> {
    let done = match (kind, numbers) {
        (Some(Kind::PackedStringArray), []) => writer.packed_strings_bytes(texts.iter()),
        (Some(Kind::NodePath), &[absolute, names]) => {
            let names = usize::try_from(names).unwrap_or(usize::MAX);
            if names > texts.ends.len() {
                return Err(unfit(kind));
            }
            let all: Vec<&[u8]> = texts.iter().collect();
            let (names, subnames) = all.split_at(names);
            writer.node_path_from(names, subnames, absolute != 0)
        }
        (Some(Kind::Signal), &[id]) => {
            let name = texts
                .iter()
                .next()
                .and_then(|name| core::str::from_utf8(name).ok());
            writer.signal(name.ok_or_else(|| unfit(kind))?, id)
        }
        (Some(Kind::Image), &[format, mipmaps, width, height]) => {
            let Some(data) = texts.iter().next() else {
                return Err(unfit(kind));
            };
            writer.image(&ImageParts {
                format: format as u32,
                mipmaps: mipmaps as u32,
                width: width as u32,
                height: height as u32,
                data,
            })
        }
        (Some(Kind::InputEvent), &[sort, device]) => {
            let Some(body) = texts.iter().next() else {
                return Err(unfit(kind));
            };
            writer.input_event(sort as u32, device as u32 as i32, body)
        }
        (None, []) => {
            let mut texts = texts.iter();
            let (Some(dialect), Some(bytes)) = (texts.next(), texts.next()) else {
                return Err(unfit(kind));
            };
            let dialect = core::str::from_utf8(dialect)
                .ok()
                .and_then(|name| name.parse().ok());
            let dialect: Dialect = dialect.ok_or_else(|| unfit(kind))?;
            if dialect != writer.dialect() {
                return Err(foreign(dialect, writer.dialect()));
            }
            writer.raw_bytes(bytes)
        }
        _ => return Err(unfit(kind)),
    };
    done.map_err(Error::write)
}

#[cold]
fn foreign(from: Dialect, to: Dialect) -> Error {
    Error::text(alloc::format!(
        "a RawVariant that was read as {} cannot be written for {}, whose bytes mean something \
         else; read a Variant instead",
        from.title(),
        to.title()
    ))
}

/// Texts one behind the other.
#[derive(Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let text = self.bytes.get(start..end).unwrap_or_default();
            start = end;
            text
        })
    }
}

/// Takes a component: its bits.
struct Number(Kind);

type NoBits = Impossible<u64, Error>;

impl Serializer for Number {
    type Ok = u64;
    type Error = Error;
    type SerializeSeq = NoBits;
    type SerializeTuple = NoBits;
    type SerializeTupleStruct = NoBits;
    type SerializeTupleVariant = NoBits;
    type SerializeMap = NoBits;
    type SerializeStruct = NoBits;
    type SerializeStructVariant = NoBits;

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<u64> {
        Ok(value.to_bits().into())
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<u64> {
        Ok(value.to_bits())
    }

    #[inline(always)]
    fn serialize_i32(self, value: i32) -> Result<u64> {
        Ok((value as u32).into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<u64> {
        Err(unfit(Some(self.0)))
    }

    refuse! {
        |this| unfit(Some(this.0));
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_char(char) serialize_str(&str) serialize_bytes(&[u8]) serialize_none()
        serialize_unit() serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }
    refuse_wrapped!(|this| unfit(Some(this.0)));
    refuse_lists!(|this| unfit(Some(this.0)));
    refuse_named!(|this| unfit(Some(this.0)));

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Takes a number or a text.
struct Part<'p> {
    kind: Option<Kind>,
    numbers: &'p mut Vec<u64>,
    texts: &'p mut Texts,
}

type No = Impossible<(), Error>;

impl Serializer for Part<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.numbers.push(value.into());
        Ok(())
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.numbers.push(value.into());
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.numbers.push(value);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.texts.push(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.texts.push(value);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    refuse! {
        |this| unfit(this.kind);
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_f32(f32) serialize_f64(f64)
        serialize_char(char) serialize_none() serialize_unit() serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }
    refuse_wrapped!(|this| unfit(this.kind));
    refuse_lists!(|this| unfit(this.kind));
    refuse_named!(|this| unfit(this.kind));

    fn is_human_readable(&self) -> bool {
        false
    }
}
