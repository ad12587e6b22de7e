//! [`Body`]: walks over the properties and values of one resource, event by event.

use std::borrow::Cow;

use gdvar_wire::Kind;

use crate::{
    Error, ErrorKind, Resource,
    reader::{Reader, Result},
    tag::{self, Payload},
};

/// The greatest depth of nested Arrays and Dictionaries.
const DEEPEST: usize = 512;

/// The bits of a count. The highest bit marks a shared Array or Dictionary, and engines ignore it.
const COUNT: u32 = 0x7fff_ffff;

/// The bit of a name that marks a text in place, and the bit that marks an absolute node path.
const IN_PLACE: u32 = 1 << 31;
const ABSOLUTE: u16 = 1 << 15;

/// A part of a resource, in file order.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'r> {
    /// The name of the next property, in UTF-8. Its value comes next.
    Property(&'r [u8]),
    /// The start of an Array of this many values.
    BeginArray(usize),
    /// The start of a Dictionary with this many pairs. Each pair follows as its key, then its
    /// value.
    BeginDictionary(usize),
    /// The end of an Array or a Dictionary.
    End,
    /// Any other value.
    Value(Value<'r>),
}

/// A value that contains no others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value<'r> {
    /// Null. Also an object that is null, and a reference to a resource in another file that is not in the
    /// table: engines read this as null and warn.
    Nil,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float that is stored as an f32.
    Float32(f32),
    /// A float that is stored as an f64.
    Float64(f64),
    /// A String.
    String(&'r str),
    /// A StringName.
    StringName(&'r str),
    /// A math type other than a number: vector, rectangle, matrix, colour and so on.
    Math(Kind, Numbers<'r>),
    /// A packed array of numbers, vectors or colours.
    Packed(Kind, Numbers<'r>),
    /// A PackedByteArray.
    Bytes(&'r [u8]),
    /// A PackedStringArray.
    Strings(Texts<'r>),
    /// A NodePath.
    NodePath {
        /// `true` if it begins with `/`.
        is_absolute: bool,
        /// The names before the first `:`.
        names: Texts<'r>,
        /// The names after `:`.
        subnames: Texts<'r>,
    },
    /// An RID. It has a meaning only in the run of the game that wrote it.
    Rid(u32),
    /// An empty Callable. Engines store no others.
    Callable,
    /// An empty Signal. Engines store no others.
    Signal,
    /// A resource inside the file, as its index in [`Resource::internals`].
    Internal(usize),
    /// A resource in another file, as its index in [`Resource::externals`].
    External(usize),
    /// A resource in another file, without an entry in the table. Engines no longer write this form, but load
    /// it.
    ExternalInPlace {
        /// The class of the resource.
        class: &'r str,
        /// The path of the other file.
        path: &'r str,
    },
}

/// Numbers in the byte order of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers<'r> {
    bytes: &'r [u8],
    width: usize,
    is_big_endian: bool,
}

impl<'r> Numbers<'r> {
    /// Returns the numbers with their lowest byte first. Copies them if the file has the other order.
    #[must_use]
    pub fn little_endian(self) -> Cow<'r, [u8]> {
        if !self.is_big_endian {
            return Cow::Borrowed(self.bytes);
        }
        let mut bytes = self.bytes.to_vec();
        bytes.chunks_exact_mut(self.width).for_each(<[u8]>::reverse);
        Cow::Owned(bytes)
    }

    /// Returns `true` if each number has 64 bits.
    #[must_use]
    pub const fn are_wide(self) -> bool {
        self.width == 8
    }
}

/// Texts in UTF-8, as bytes. [`Resource::open`] has already checked them: a file can use one long
/// name many times, so a check at each use would take more than linear time.
#[derive(Clone, Debug)]
pub struct Texts<'r> {
    resource: &'r Resource<'r>,
    reader: Reader<'r>,
    left: usize,
    are_names: bool,
}

impl<'r> Iterator for Texts<'r> {
    type Item = &'r [u8];

    fn next(&mut self) -> Option<&'r [u8]> {
        self.left = self.left.checked_sub(1)?;
        let text = match self.are_names {
            true => name(self.resource, &mut self.reader),
            false => self.reader.text().map(str::as_bytes),
        };
        // Reading cannot fail, because `Resource::open` has read this text.
        Some(text.unwrap_or_default())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Texts<'_> {}

/// A walk over the properties and values of one resource, without recursion. Memory grows with the depth only.
#[derive(Clone, Debug)]
pub struct Body<'r> {
    resource: &'r Resource<'r>,
    reader: Reader<'r>,
    /// The number of properties left.
    properties: u32,
    is_value_next: bool,
    /// The number of values left in each open container.
    open: Vec<u64>,
}

impl<'r> Body<'r> {
    pub(crate) fn new(resource: &'r Resource<'r>, reader: Reader<'r>, properties: u32) -> Body<'r> {
        Body {
            resource,
            reader,
            properties,
            is_value_next: false,
            open: Vec::new(),
        }
    }

    /// Returns the offset of the next part in [`Resource::contents`].
    #[must_use]
    pub fn position(&self) -> usize {
        self.reader.at()
    }

    /// Returns the number of open containers.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the next part, or `None` at the end. In a resource that was opened this returns no
    /// errors, because [`Resource::open`] has read all parts.
    ///
    /// # Errors
    ///
    /// Returns an error of [`Resource::open`] that concerns a value.
    pub fn try_next(&mut self) -> Result<Option<Event<'r>>> {
        match self.open.last_mut() {
            Some(0) => {
                self.open.pop();
                return Ok(Some(Event::End));
            }
            Some(left) => *left -= 1,
            None if self.is_value_next => self.is_value_next = false,
            None if self.properties == 0 => return Ok(None),
            None => {
                self.properties -= 1;
                self.is_value_next = true;
                let name = name(self.resource, &mut self.reader)?;
                return Ok(Some(Event::Property(name)));
            }
        }
        self.value().map(Some)
    }

    fn value(&mut self) -> Result<Event<'r>> {
        let at = self.reader.at();
        let number = self.reader.u32()?;
        let header = self.resource.header();
        let payload = tag::payload(number, header.is_godot4());
        let payload = payload.ok_or(Error::new(at, ErrorKind::UnknownType { number }))?;
        let real = if header.has_doubles() { 8 } else { 4 };
        let reader = &mut self.reader;
        Ok(Event::Value(match payload {
            Payload::Nil => Value::Nil,
            Payload::Bool => Value::Bool(reader.u32()? != 0),
            Payload::Int32 => Value::Int((reader.u32()? as i32).into()),
            Payload::Int64 => Value::Int(reader.u64()? as i64),
            Payload::Real if real == 4 => Value::Float32(f32::from_bits(reader.u32()?)),
            Payload::Real | Payload::Float64 => Value::Float64(f64::from_bits(reader.u64()?)),
            Payload::String => Value::String(reader.text()?),
            Payload::StringName => Value::StringName(reader.text()?),
            Payload::Reals(kind, count) => Value::Math(kind, numbers(reader, count, real)?),
            Payload::Ints(kind, count) => Value::Math(kind, numbers(reader, count, 4)?),
            Payload::Color => Value::Math(Kind::Color, numbers(reader, 4, 4)?),
            Payload::NodePath => self.node_path()?,
            Payload::Rid => Value::Rid(reader.u32()?),
            Payload::Object => self.object()?,
            Payload::Callable => Value::Callable,
            Payload::Signal => Value::Signal,
            Payload::Dictionary => {
                let count = self.begin(8)?;
                self.open.push(2 * count as u64);
                return Ok(Event::BeginDictionary(count));
            }
            Payload::Array => {
                let count = self.begin(4)?;
                self.open.push(count as u64);
                return Ok(Event::BeginArray(count));
            }
            Payload::Bytes => {
                let count = reader.count(1)? as usize;
                let bytes = reader.take(count)?;
                reader.take(count.next_multiple_of(4) - count)?;
                Value::Bytes(bytes)
            }
            Payload::PackedReals(kind, each) => Value::Packed(kind, packed(reader, each, real)?),
            Payload::Packed(kind, each, width) => Value::Packed(kind, packed(reader, each, width)?),
            Payload::Strings => {
                let left = reader.count(4)? as usize;
                let texts = Texts {
                    resource: self.resource,
                    reader: *reader,
                    left,
                    are_names: false,
                };
                for _ in 0..left {
                    reader.text()?;
                }
                Value::Strings(texts)
            }
        }))
    }

    /// Reads the count of a container whose elements take at least `least` bytes.
    fn begin(&mut self, least: usize) -> Result<usize> {
        let at = self.reader.at();
        let count = self.reader.u32()? & COUNT;
        self.reader.can_hold(at, count, least)?;
        if self.open.len() == DEEPEST {
            return Err(Error::new(at, ErrorKind::TooDeep));
        }
        Ok(count as usize)
    }

    fn node_path(&mut self) -> Result<Value<'r>> {
        let names = usize::from(self.reader.u16()?);
        let word = self.reader.u16()?;
        // Before format 3, the count of subnames does not include the last one, the property.
        let property = usize::from(self.resource.header().format < 3);
        let subnames = usize::from(word & !ABSOLUTE) + property;
        Ok(Value::NodePath {
            is_absolute: word & ABSOLUTE != 0,
            names: self.names(names)?,
            subnames: self.names(subnames)?,
        })
    }

    fn names(&mut self, left: usize) -> Result<Texts<'r>> {
        let texts = Texts {
            resource: self.resource,
            reader: self.reader,
            left,
            are_names: true,
        };
        for _ in 0..left {
            name(self.resource, &mut self.reader)?;
        }
        Ok(texts)
    }

    fn object(&mut self) -> Result<Value<'r>> {
        let reader = &mut self.reader;
        let at = reader.at();
        let number = reader.u32()?;
        let field = reader.at();
        Ok(match number {
            0 => Value::Nil,
            1 => Value::ExternalInPlace {
                class: reader.text()?,
                path: reader.text()?,
            },
            2 => {
                let number = reader.u32()?;
                let index = self.resource.referred(number);
                let missing = Error::new(field, ErrorKind::NoSuchResource { number });
                Value::Internal(index.ok_or(missing)?)
            }
            3 => {
                let index = reader.u32()? as usize;
                // With `FLAG_BUNDLE_RESOURCES`, Godot 4.6.3 itself writes numbers that are not in the table,
                // and reads them as null.
                match index < self.resource.externals().len() {
                    true => Value::External(index),
                    false => Value::Nil,
                }
            }
            _ => return Err(Error::new(at, ErrorKind::UnknownObject { number })),
        })
    }
}

/// Reads a name: its number in the table, or a length and the text.
fn name<'r>(resource: &'r Resource<'r>, reader: &mut Reader<'r>) -> Result<&'r [u8]> {
    let at = reader.at();
    let word = reader.u32()?;
    if word & IN_PLACE != 0 {
        return reader.text_of(at, word & !IN_PLACE).map(str::as_bytes);
    }
    let names = u32::try_from(resource.names().len()).unwrap_or(u32::MAX);
    let number = word;
    resource
        .name(number)
        .ok_or(Error::new(at, ErrorKind::NoSuchName { number, names }))
}

fn numbers<'r>(reader: &mut Reader<'r>, count: usize, width: usize) -> Result<Numbers<'r>> {
    Ok(Numbers {
        bytes: reader.take(count * width)?,
        width,
        is_big_endian: reader.is_big_endian,
    })
}

/// Reads a count, and this many elements of `each` numbers. `width` is the size of a number in bytes.
fn packed<'r>(reader: &mut Reader<'r>, each: usize, width: usize) -> Result<Numbers<'r>> {
    let count = reader.count(each * width)?;
    numbers(reader, count as usize * each, width)
}
