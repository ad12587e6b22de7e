//! Writes values without objects as they are in resources.

use gdvar_view::{Event, VariantRef};
use gdvar_wire::Kind;

use crate::{
    Error, ErrorKind, Resource,
    reader::Result,
    tag::{self, Payload},
};

/// The first format with PackedVector4Array.
const HAS_VECTOR4_ARRAYS: u32 = 6;

/// The bit of a name that follows in place, and of a node path that is absolute.
const IN_PLACE: u32 = 1 << 31;
const ABSOLUTE: u16 = 1 << 15;

/// Appends values in the byte order and the format of a resource.
pub(crate) struct PayloadWriter<'r, 'o> {
    resource: &'r Resource<'r>,
    out: &'o mut Vec<u8>,
}

impl<'r, 'o> PayloadWriter<'r, 'o> {
    pub(crate) fn new(resource: &'r Resource<'r>, out: &'o mut Vec<u8>) -> PayloadWriter<'r, 'o> {
        PayloadWriter { resource, out }
    }

    /// Writes a value of `bytes` with everything in it, but no objects other than null.
    pub(crate) fn value(&mut self, bytes: &[u8], value: VariantRef<'_>) -> Result<()> {
        let mut events = value.events();
        let shape = |at| Error::new(at, ErrorKind::OtherShape);
        while let Some(event) = events.try_next().map_err(|error| shape(error.offset()))? {
            match event {
                Event::Begin(value) => {
                    let at = value.offset();
                    if let Some(array) = value.as_array() {
                        self.u32(30);
                        self.count(array.len(), at)?;
                    } else if let Some(dict) = value.as_dict() {
                        self.u32(26);
                        self.count(dict.len(), at)?;
                    } else {
                        return Err(shape(at));
                    }
                }
                Event::Value(value) => {
                    let payload = value.offset() + 4..events.position();
                    let payload = bytes.get(payload).unwrap_or_default();
                    let written = self.leaf(value, payload);
                    written.ok_or(Error::new(value.offset(), ErrorKind::NotInEngine))?;
                }
                Event::Property(_) | Event::End => {}
            }
        }
        Ok(())
    }

    /// Returns `None` for a value that the file cannot hold.
    fn leaf(&mut self, value: VariantRef<'_>, payload: &[u8]) -> Option<()> {
        if value.is_nil() {
            self.u32(1);
            return Some(());
        }
        match value.kind() {
            Kind::Bool => {
                self.u32(2);
                self.u32(value.as_bool()?.into());
            }
            Kind::Int => self.int(value.as_i64()?),
            Kind::Float => self.float(value.as_f64()?),
            Kind::String => {
                self.u32(5);
                self.text(value.as_text()?.to_str().ok()?)?;
            }
            Kind::StringName => {
                self.u32(44);
                self.text(value.as_text()?.to_str().ok()?)?;
            }
            Kind::NodePath => self.node_path(value)?,
            Kind::Rid => {
                self.u32(23);
                self.u32(u32::try_from(value.as_rid()?).ok()?);
            }
            Kind::Callable => self.u32(42),
            Kind::Signal if value.as_signal()?.0.as_bytes().is_empty() => self.u32(43),
            Kind::PackedByteArray => {
                let bytes = value.as_bytes()?;
                self.u32(31);
                self.u32(u32::try_from(bytes.len()).ok()?);
                self.out.extend_from_slice(bytes);
                let padding = bytes.len().next_multiple_of(4) - bytes.len();
                self.out.extend_from_slice(&[0; 3][..padding]);
            }
            Kind::PackedStringArray => {
                let strings = value.as_strings()?;
                self.u32(34);
                self.u32(u32::try_from(strings.len()).ok()?);
                for string in strings {
                    self.text(string.ok()?.to_str().ok()?)?;
                }
            }
            kind => self.numbers(kind, payload)?,
        }
        Some(())
    }

    /// Writes a math type or a packed array of numbers.
    fn numbers(&mut self, kind: Kind, payload: &[u8]) -> Option<()> {
        let header = self.resource.header();
        if kind == Kind::PackedVector4Array && header.format < HAS_VECTOR4_ARRAYS {
            return None;
        }
        let real = if header.has_doubles() { 8 } else { 4 };
        let is_godot4 = header.is_godot4();
        // The number of the type, how many numbers an element has, their width, and whether a count precedes.
        let (number, each, width, is_packed) = (1..=53).find_map(|number| {
            let (own, each, width, is_packed) = match tag::payload(number, is_godot4)? {
                Payload::Reals(own, each) => (own, each, real, false),
                Payload::Ints(own, each) => (own, each, 4, false),
                Payload::Color => (Kind::Color, 4, 4, false),
                Payload::PackedReals(own, each) => (own, each, real, true),
                Payload::Packed(own, each, width) => (own, each, width, true),
                _ => return None,
            };
            (own == kind).then_some((number, each, width, is_packed))
        })?;
        self.u32(number);
        let (count, numbers) = match is_packed {
            true => {
                let (count, numbers) = payload.split_first_chunk()?;
                let count = u32::from_le_bytes(*count);
                self.u32(count);
                (count as usize * each, numbers)
            }
            false => (each, payload),
        };
        let from = numbers.len().checked_div(count).unwrap_or(width);
        for number in numbers.chunks_exact(from.max(1)) {
            match (number.len(), width) {
                (4, 8) => {
                    let number = f32::from_le_bytes(number.try_into().ok()?);
                    self.number(&f64::from(number).to_le_bytes());
                }
                (8, 4) => {
                    let wide = f64::from_le_bytes(number.try_into().ok()?);
                    let narrow = wide as f32;
                    if f64::from(narrow) != wide && !wide.is_nan() {
                        return None;
                    }
                    self.number(&narrow.to_le_bytes());
                }
                _ => self.number(number),
            }
        }
        Some(())
    }

    /// Writes an int in 32 bits if it fits, as engines do.
    fn int(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value) => {
                self.u32(3);
                self.number(&value.to_le_bytes());
            }
            Err(_) => {
                self.u32(40);
                self.number(&value.to_le_bytes());
            }
        }
    }

    /// Writes a float in 32 bits if that is exact, as engines do.
    fn float(&mut self, value: f64) {
        let narrow = value as f32;
        match f64::from(narrow) == value && !self.resource.header().has_doubles() {
            true => {
                self.u32(4);
                self.number(&narrow.to_le_bytes());
            }
            false => {
                self.u32(41);
                self.number(&value.to_le_bytes());
            }
        }
    }

    fn node_path(&mut self, value: VariantRef<'_>) -> Option<()> {
        let path = value.as_node_path()?;
        let names = u16::try_from(path.name_count()).ok()?;
        // Before format 3 the last subname is not counted.
        let uncounted = u32::from(self.resource.header().format < 3);
        let subnames = path.subname_count().checked_sub(uncounted)?;
        let subnames = u16::try_from(subnames).ok().filter(|n| n & ABSOLUTE == 0)?;
        let absolute = if path.is_absolute() { ABSOLUTE } else { 0 };
        self.u32(22);
        self.number(&names.to_le_bytes());
        self.number(&(subnames | absolute).to_le_bytes());
        for part in path.parts() {
            let part = part.ok()?.to_str().ok()?;
            let number = self.resource.names().position(|name| name == part);
            match number.and_then(|number| u32::try_from(number).ok()) {
                Some(number) => self.u32(number),
                None => self.counted(part, IN_PLACE)?,
            }
        }
        Some(())
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.counted(text, 0)
    }

    /// Writes the length of a text with its NUL, and the text. A text cannot have another NUL.
    fn counted(&mut self, text: &str, mark: u32) -> Option<()> {
        let len = u32::try_from(text.len() + 1).ok()?;
        if len & IN_PLACE != 0 || text.contains('\0') {
            return None;
        }
        self.u32(len | mark);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(0);
        Some(())
    }

    fn count(&mut self, count: usize, at: usize) -> Result<()> {
        let count = u32::try_from(count).ok();
        self.u32(count.ok_or(Error::new(at, ErrorKind::NotInEngine))?);
        Ok(())
    }

    fn u32(&mut self, number: u32) {
        self.number(&number.to_le_bytes());
    }

    /// Writes a number whose lowest byte is first in the byte order of the file.
    fn number(&mut self, bytes: &[u8]) {
        match self.resource.header().is_big_endian {
            true => self.out.extend(bytes.iter().rev()),
            false => self.out.extend_from_slice(bytes),
        }
    }
}
