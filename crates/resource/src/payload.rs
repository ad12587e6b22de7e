//! Writes values in the form that they have in binary resources.

use std::collections::HashMap;

use gdvar_view::{Event, ObjectRef, VariantRef};
use gdvar_wire::Kind;

use crate::{
    Resource,
    byte_writer::ByteWriter,
    parts::{self, INTERNAL},
    tag::{self, Payload},
};

/// The first format version with PackedVector4Array.
const HAS_VECTOR4_ARRAYS: u32 = 6;

/// The bit that marks an absolute node path.
const ABSOLUTE: u16 = 1 << 15;

/// The names of the old file, and the names that the new file adds.
pub(crate) struct Names {
    numbers: HashMap<String, u32>,
    /// The new names that are added to the file's table.
    pub(crate) added: Vec<String>,
}

impl Names {
    pub(crate) fn of(resource: &Resource<'_>) -> Names {
        let mut numbers = HashMap::new();
        for (number, name) in (0..).zip(resource.names()) {
            numbers.entry(name.to_owned()).or_insert(number);
        }
        Names {
            numbers,
            added: Vec::new(),
        }
    }

    /// Returns the number of a name, and adds the name if it is new. `known` is the number of names in the old
    /// table. `None` if the file cannot hold more names.
    pub(crate) fn number(&mut self, name: &str, known: usize) -> Option<u32> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let number = u32::try_from(known + self.added.len()).ok()?;
        self.numbers.insert(name.to_owned(), number);
        self.added.push(name.to_owned());
        Some(number)
    }
}

/// The numbers of the resources that values refer to.
pub(crate) struct Targets {
    /// The numbers of resources inside the file, by id.
    pub(crate) internals: HashMap<String, u32>,
    /// The numbers of resources in other files, by index. `None` if the new file does not contain the resource.
    pub(crate) externals: Vec<Option<u32>>,
}

/// Appends values in the byte order and the format version of a resource.
pub(crate) struct PayloadWriter<'r> {
    resource: &'r Resource<'r>,
    targets: Targets,
    pub(crate) names: Names,
    pub(crate) out: ByteWriter,
}

impl<'r> PayloadWriter<'r> {
    pub(crate) fn new(resource: &'r Resource<'r>, targets: Targets) -> PayloadWriter<'r> {
        PayloadWriter {
            resource,
            targets,
            names: Names::of(resource),
            out: ByteWriter::new(resource.header().is_big_endian),
        }
    }

    /// Writes the number of a name. Returns `None` if the file cannot hold it.
    pub(crate) fn name(&mut self, name: &str) -> Option<()> {
        let known = self.resource.names().len();
        let number = self.names.number(name, known)?;
        self.out.u32(number);
        Some(())
    }

    /// Writes the value of a [`Property`](crate::Property) and everything in it. Returns `None` if the file cannot
    /// hold it.
    pub(crate) fn value(&mut self, bytes: &[u8]) -> Option<()> {
        let mut events = parts::events(bytes, self.resource.dialect());
        while let Some(event) = events.try_next().ok()? {
            match event {
                Event::Begin(value) => {
                    if let Some(array) = value.as_array() {
                        self.out.u32(30);
                        self.out.count(array.len())?;
                    } else if let Some(dict) = value.as_dict() {
                        self.out.u32(26);
                        self.out.count(dict.len())?;
                    } else {
                        self.reference(value.as_object()?)?;
                        events.pass_children().ok()?;
                    }
                }
                Event::Value(value) => {
                    let payload = value.offset() + 4..events.position();
                    self.leaf(value, bytes.get(payload)?)?;
                }
                Event::Property(_) | Event::End => {}
            }
        }
        Some(())
    }

    fn reference(&mut self, object: ObjectRef<'_>) -> Option<()> {
        let (_, id) = object.iter().try_next().ok()??;
        let id = id.as_str()?;
        let (kind, number) = match object.class()? == *INTERNAL {
            true => (2, *self.targets.internals.get(id)?),
            false => {
                let index = id.parse::<usize>().ok()?.checked_sub(1)?;
                (3, (*self.targets.externals.get(index)?)?)
            }
        };
        for word in [24, kind, number] {
            self.out.u32(word);
        }
        Some(())
    }

    /// Writes a value without children. Returns `None` if the file cannot hold it.
    fn leaf(&mut self, value: VariantRef<'_>, payload: &[u8]) -> Option<()> {
        if value.is_nil() {
            self.out.u32(1);
            return Some(());
        }
        match value.kind() {
            Kind::Bool => {
                self.out.u32(2);
                self.out.u32(value.as_bool()?.into());
            }
            Kind::Int => self.int(value.as_i64()?),
            Kind::Float => self.float(value.as_f64()?),
            Kind::String => {
                self.out.u32(5);
                self.out.text(value.as_text()?.to_str().ok()?)?;
            }
            Kind::StringName => {
                self.out.u32(44);
                self.out.text(value.as_text()?.to_str().ok()?)?;
            }
            Kind::NodePath => self.node_path(value)?,
            Kind::Rid => {
                self.out.u32(23);
                self.out.u32(u32::try_from(value.as_rid()?).ok()?);
            }
            Kind::Callable => self.out.u32(42),
            Kind::Signal if value.as_signal()?.0.as_bytes().is_empty() => self.out.u32(43),
            Kind::PackedByteArray => {
                let bytes = value.as_bytes()?;
                self.out.u32(31);
                self.out.count(bytes.len())?;
                self.out.bytes.extend_from_slice(bytes);
                let padding = bytes.len().next_multiple_of(4) - bytes.len();
                self.out.bytes.extend_from_slice(&[0; 3][..padding]);
            }
            Kind::PackedStringArray => {
                let strings = value.as_strings()?;
                self.out.u32(34);
                self.out.count(strings.len())?;
                for string in strings {
                    self.out.text(string.ok()?.to_str().ok()?)?;
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
        // The type number, the numbers in an element, their width in bytes, and whether a count precedes them.
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
        self.out.u32(number);
        let (count, numbers) = match is_packed {
            true => {
                let (count, numbers) = payload.split_first_chunk()?;
                let count = u32::from_le_bytes(*count);
                self.out.u32(count);
                (count as usize * each, numbers)
            }
            false => (each, payload),
        };
        let from = numbers.len().checked_div(count).unwrap_or(width);
        for number in numbers.chunks_exact(from.max(1)) {
            match (number.len(), width) {
                (4, 8) => {
                    let number = f32::from_le_bytes(number.try_into().ok()?);
                    self.out.number(&f64::from(number).to_le_bytes());
                }
                (8, 4) => {
                    let wide = f64::from_le_bytes(number.try_into().ok()?);
                    let narrow = wide as f32;
                    if f64::from(narrow) != wide && !wide.is_nan() {
                        return None;
                    }
                    self.out.number(&narrow.to_le_bytes());
                }
                _ => self.out.number(number),
            }
        }
        Some(())
    }

    /// Writes an int, in 32 bits if it fits, as engines do.
    fn int(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value) => {
                self.out.u32(3);
                self.out.number(&value.to_le_bytes());
            }
            Err(_) => {
                self.out.u32(40);
                self.out.number(&value.to_le_bytes());
            }
        }
    }

    /// Writes a float, in 32 bits if that is exact, as engines do.
    fn float(&mut self, value: f64) {
        let narrow = value as f32;
        match f64::from(narrow) == value && !self.resource.header().has_doubles() {
            true => {
                self.out.u32(4);
                self.out.number(&narrow.to_le_bytes());
            }
            false => {
                self.out.u32(41);
                self.out.number(&value.to_le_bytes());
            }
        }
    }

    fn node_path(&mut self, value: VariantRef<'_>) -> Option<()> {
        let path = value.as_node_path()?;
        let names = u16::try_from(path.name_count()).ok()?;
        // Before format 3, the count of subnames does not include the last one.
        let uncounted = u32::from(self.resource.header().format < 3);
        let subnames = path.subname_count().checked_sub(uncounted)?;
        let subnames = u16::try_from(subnames).ok().filter(|n| n & ABSOLUTE == 0)?;
        let absolute = if path.is_absolute() { ABSOLUTE } else { 0 };
        self.out.u32(22);
        self.out.number(&names.to_le_bytes());
        self.out.number(&(subnames | absolute).to_le_bytes());
        for part in path.parts() {
            self.name(part.ok()?.to_str().ok()?)?;
        }
        Some(())
    }
}
