//! Takes the parts of a value of one of Godot's own types.

use alloc::boxed::Box;

use gdvar_view::{Dialect, Kind};
use gdvar_write::{ElementType, ImageParts, Writer};
use serde_core::{
    Serialize, Serializer,
    ser::{Impossible, SerializeSeq, SerializeTuple},
};
use smallvec::SmallVec;

use super::{
    Output, Result, ValueSerializer,
    native::unfit,
    numbers::NumberSerializer,
    open::ContainerSerializer,
    refuse::{refuse, refuse_lists, refuse_named, refuse_wrapped},
    text_only::TextOnly,
};
use crate::Error;

/// The serializer for the parts of a value, one after the other.
pub(super) enum Parts<'w, S: Output> {
    /// Components of a vector or matrix.
    Numbers(NumberSerializer<'w, S>),
    /// Anything else. Boxed, so that the compiler can keep components in registers.
    Other(Box<Other<'w, S>>),
}

impl<'w, S: Output> Parts<'w, S> {
    #[inline(always)]
    pub(super) fn numbers(writer: &'w mut Writer<S>, kind: Kind, wide: bool) -> Self {
        Parts::Numbers(NumberSerializer::new(writer, kind, wide))
    }

    pub(super) fn mixed(writer: &'w mut Writer<S>, kind: Option<Kind>, len: usize) -> Self {
        Parts::Other(Box::new(Other::Mixed {
            writer: Some(writer),
            kind,
            len,
            numbers: Numerals::new(),
            texts: Texts::default(),
        }))
    }

    #[inline(always)]
    fn take<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            Parts::Numbers(numbers) => numbers.take(value),
            Parts::Other(other) => other.take(value),
        }
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match self {
            Parts::Numbers(numbers) => numbers.finish(),
            Parts::Other(other) => other.finish(),
        }
    }
}

/// The parts of a value that is neither a vector nor a matrix.
pub(super) enum Other<'w, S: Output> {
    /// Numbers and texts that are collected first. They are written when the last part has arrived,
    /// or, for an Array, a Dictionary or an Object, when all parts of its head have.
    Mixed {
        /// `None` once the children have begun.
        writer: Option<&'w mut Writer<S>>,
        kind: Option<Kind>,
        /// The total number of parts.
        len: usize,
        numbers: Numerals,
        texts: Texts,
    },
    /// The children of a typed container, after its types have arrived.
    Children(ContainerSerializer<'w, S>),
    /// The properties of an object. `true` if the next part is a value.
    Properties(&'w mut Writer<S>, bool),
}

impl<S: Output> Other<'_, S> {
    #[inline(never)]
    fn take<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let (kind, numbers, texts) = match self {
            Other::Children(open) => return open.item(value),
            Other::Properties(writer, is_value) => {
                *is_value = !*is_value;
                if *is_value {
                    let name = value.serialize(TextOnly::default())?;
                    return writer.property_bytes(&name).map_err(Error::write);
                }
                return value.serialize(ValueSerializer::new(writer));
            }
            Other::Mixed {
                kind,
                numbers,
                texts,
                ..
            } => (*kind, numbers, texts),
        };
        let before = numbers.len() + texts.ends.len();
        value.serialize(Part {
            kind,
            numbers,
            texts,
        })?;
        // One more part has arrived, so the head of a typed container may be complete.
        if before + 1 == head_len(kind) {
            return self.begin_children();
        }
        Ok(())
    }

    /// Begins a container. All parts of its head have arrived.
    fn begin_children(&mut self) -> Result<()> {
        let Other::Mixed {
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
            Some(Kind::Object) => Other::Properties(writer, false),
            _ => Other::Children(ContainerSerializer::begun(writer)),
        };
        Ok(())
    }

    fn finish(self) -> Result<()> {
        match self {
            Other::Mixed {
                writer: Some(writer),
                kind,
                numbers,
                texts,
                ..
            } => write_mixed(writer, kind, &numbers, &texts),
            Other::Mixed { kind, .. } => Err(unfit(kind)),
            Other::Children(open) => open.close(),
            Other::Properties(writer, _) => writer.end().map_err(Error::write),
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

/// Returns the number of parts before the children. An Array has its form, whether it is shared,
/// and the form and name of its element type. A Dictionary has whether it is shared, and the form
/// and name of the type of its keys and of its values.
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
            let subnames = texts.iter().skip(names);
            writer.node_path_from(texts.iter().take(names), subnames, absolute != 0)
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

/// A few numbers. Most values need no heap memory for them, nor for their texts.
type Numerals = SmallVec<[u64; 4]>;

/// Several texts in one buffer.
#[derive(Default)]
pub(super) struct Texts {
    bytes: SmallVec<[u8; 64]>,
    ends: SmallVec<[usize; 8]>,
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

/// Takes one part, a number or a text.
struct Part<'p> {
    kind: Option<Kind>,
    numbers: &'p mut Numerals,
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
