//! A resource with other values at the same places.
//!
//! ```text
//! three walks side by side: the file, the value it has now, and the new value
//!   the same bytes in both values     copy the bytes of the file
//!   another value without objects     write it
//!   another property or object        refuse
//! then the offsets in the table of resources are set, and the file is packed as it was
//! ```

use std::ops::Range;

use gdvar_io::{Limits, compressed::compress};
use gdvar_view::{
    Document, Event as Part, Events, Limits as Depth, Objects, ReadOptions, VariantRef,
};

use crate::{
    Body, Error, ErrorKind, Event, Resource, Value,
    payload::PayloadWriter,
    plan::Plan,
    reader::Result,
    resource::{MAGIC, MAGIC_COMPRESSED},
};

impl Resource<'_> {
    /// Returns the file with the values of `value`, which has the form that [`encode`](Resource::encode) gives:
    /// the same objects with the same properties, and any other values without objects in them.
    ///
    /// What is equal in both keeps its bytes, also the header, the ids and the order of the tables; without a
    /// change an uncompressed file is returned byte for byte. A compressed file is packed again in its mode.
    /// The new file is read again before it is returned. Linear in the file and in both values; takes the
    /// memory of both.
    ///
    /// # Errors
    ///
    /// The offset counts in `value`. `OtherShape` if `value` has other objects, properties or references;
    /// `NotInEngine` for a value that the file cannot hold, such as a typed array (the class of the resource
    /// declares such types, not the file) or a String with a NUL; `Packed` if its
    /// compression is not compiled in; and the errors of [`encode`](Resource::encode).
    pub fn rewrite(&self, value: &[u8], limits: Limits) -> Result<Vec<u8>> {
        let now = self.encode(limits)?;
        let mut rewriter = Rewriter {
            resource: self,
            plan: Plan::new(self.mentions()),
            is_written: vec![false; self.internals().len()],
            now: Walk::new(&now, self),
            wanted: Walk::new(value, self),
            bodies: vec![Vec::new(); self.internals().len()],
        };
        rewriter.all()?;
        let contents = self.assemble(&rewriter.bodies);
        let file = match self.packing() {
            None => contents,
            Some((mode, block_size)) => {
                let packed = compress(&contents, mode, block_size);
                let mut file =
                    packed.map_err(|error| Error::new(0, ErrorKind::Packed(error.kind())))?;
                // A compressed resource has other marks at its start and end than a compressed file.
                let end = file.len() - MAGIC_COMPRESSED.len();
                file[..MAGIC_COMPRESSED.len()].copy_from_slice(MAGIC_COMPRESSED);
                file[end..].copy_from_slice(MAGIC_COMPRESSED);
                file
            }
        };
        // Nothing is changed silently: what the file has now is `value`, or there is no file.
        let read = Resource::open(&file, Limits::FILE).and_then(|new| new.encode(limits));
        let read = read.map_err(|error| Error::new(0, error.kind()))?;
        if read != value {
            let at = { read.iter().zip(value) }.position(|(is, shall)| is != shall);
            let at = at.unwrap_or(read.len().min(value.len()));
            return Err(Error::new(at, ErrorKind::NotInEngine));
        }
        Ok(file)
    }

    /// Puts the resources together again, with the offsets that they have now.
    fn assemble(&self, bodies: &[Vec<u8>]) -> Vec<u8> {
        let start = self.internal(0).offset;
        let mut contents = self.contents()[..start].to_vec();
        for (index, body) in bodies.iter().enumerate() {
            let mut offset = (contents.len() as u64).to_le_bytes();
            if self.header().is_big_endian {
                offset.reverse();
            }
            let at = self.offset_at(index);
            contents[at..at + offset.len()].copy_from_slice(&offset);
            contents.extend_from_slice(body);
        }
        contents.extend_from_slice(MAGIC);
        contents
    }
}

/// The events of a value and its bytes.
struct Walk<'v> {
    bytes: &'v [u8],
    events: Events<'v>,
}

impl<'v> Walk<'v> {
    fn new(bytes: &'v [u8], resource: &Resource<'_>) -> Walk<'v> {
        let options = ReadOptions::new(resource.dialect())
            .with_objects(Objects::Inert)
            .with_limits(Depth::ENGINE);
        let events = Document::with_options(bytes, options).events();
        Walk { bytes, events }
    }

    fn other_shape(&self) -> Error {
        Error::new(self.events.position(), ErrorKind::OtherShape)
    }

    fn next(&mut self) -> Result<Part<'v>> {
        let next = self.events.try_next();
        next.ok().flatten().ok_or(self.other_shape())
    }

    /// Passes a whole value that begins with `part`, and returns it with the range of its bytes.
    fn whole(&mut self, part: Part<'v>) -> Result<(VariantRef<'v>, Range<usize>)> {
        let value = match part {
            Part::Value(value) => value,
            Part::Begin(value) => {
                let passed = self.events.pass_children();
                passed.map_err(|_| self.other_shape())?;
                value
            }
            Part::Property(_) | Part::End => return Err(self.other_shape()),
        };
        Ok((value, value.offset()..self.events.position()))
    }
}

struct Rewriter<'r, 'v> {
    resource: &'r Resource<'r>,
    plan: Plan,
    is_written: Vec<bool>,
    now: Walk<'v>,
    wanted: Walk<'v>,
    /// The bytes of each resource in the file.
    bodies: Vec<Vec<u8>>,
}

impl<'r, 'v> Rewriter<'r, 'v> {
    fn all(&mut self) -> Result<()> {
        let roots = std::mem::take(&mut self.plan.roots);
        let main = self.bodies.len() - 1;
        self.begin(main)?;
        self.resource_and_nested(main)?;
        for root in roots {
            self.property()?;
            self.begin(root)?;
            self.resource_and_nested(root)?;
            self.end()?;
        }
        // Resources in other files that nothing mentions, and the end of the main resource.
        let now = &self.now.bytes[self.now.events.position()..];
        let wanted = &self.wanted.bytes[self.wanted.events.position()..];
        match now == wanted {
            true => Ok(()),
            false => Err(self.wanted.other_shape()),
        }
    }

    /// Begins a resource: both values have an object of the same class with as many properties.
    fn begin(&mut self, index: usize) -> Result<()> {
        self.is_written[index] = true;
        let (now, wanted) = (self.now.next()?, self.wanted.next()?);
        let (Some(now), Some(wanted)) = (object(&now), object(&wanted)) else {
            return Err(self.wanted.other_shape());
        };
        if now != wanted {
            return Err(self.wanted.other_shape());
        }
        let head = self.resource.internal(index).offset..self.resource.body(index).position();
        self.copy(index, head);
        Ok(())
    }

    fn property(&mut self) -> Result<()> {
        match (self.now.next()?, self.wanted.next()?) {
            (Part::Property(now), Part::Property(wanted))
                if now.as_bytes() == wanted.as_bytes() =>
            {
                Ok(())
            }
            _ => Err(self.wanted.other_shape()),
        }
    }

    fn end(&mut self) -> Result<()> {
        match (self.now.next()?, self.wanted.next()?) {
            (Part::End, Part::End) => Ok(()),
            _ => Err(self.wanted.other_shape()),
        }
    }

    /// Appends bytes of the file to the bytes of a resource.
    fn copy(&mut self, index: usize, range: Range<usize>) {
        self.bodies[index].extend_from_slice(&self.resource.contents()[range]);
    }

    /// Writes the properties of a resource, and all resources that are nested in it.
    fn resource_and_nested(&mut self, first: usize) -> Result<()> {
        let mut open = vec![(first, self.resource.body(first))];
        while let Some((index, body)) = open.last_mut() {
            let (index, start) = (*index, body.position());
            let Some(event) = body.try_next()? else {
                open.pop();
                if open.is_empty() {
                    return Ok(());
                }
                self.end()?;
                continue;
            };
            let range = start..body.position();
            match event {
                Event::Property(_) => {
                    self.property()?;
                    self.copy(index, range);
                }
                Event::End => self.end()?,
                Event::BeginArray(_) | Event::BeginDictionary(_) => {
                    self.container(index, body, range)?;
                }
                Event::Value(Value::Internal(nested))
                    if self.plan.is_nested(nested) && !self.is_written[nested] =>
                {
                    self.begin(nested)?;
                    self.copy(index, range);
                    open.push((nested, self.resource.body(nested)));
                }
                Event::Value(_) => {
                    let now = self.now.next()?;
                    let now = self.now.whole(now)?.1;
                    let wanted = self.wanted.next()?;
                    let (value, bytes) = self.wanted.whole(wanted)?;
                    match self.now.bytes[now] == self.wanted.bytes[bytes] {
                        true => self.copy(index, range),
                        false => self.write(index, value)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Enters a container that has as many values in both, or writes the other one.
    fn container(&mut self, index: usize, body: &mut Body<'r>, range: Range<usize>) -> Result<()> {
        let (now, wanted) = (self.now.next()?, self.wanted.next()?);
        if size(&now).is_some() && size(&now) == size(&wanted) {
            self.copy(index, range);
            return Ok(());
        }
        self.now.whole(now)?;
        let value = self.wanted.whole(wanted)?.0;
        let inside = body.depth();
        while body.depth() >= inside {
            // A resource that is nested here would be lost.
            if let Some(Event::Value(Value::Internal(_))) = body.try_next()? {
                return Err(Error::new(value.offset(), ErrorKind::OtherShape));
            }
        }
        self.write(index, value)
    }

    fn write(&mut self, index: usize, value: VariantRef<'v>) -> Result<()> {
        let mut writer = PayloadWriter::new(self.resource, &mut self.bodies[index]);
        writer.value(self.wanted.bytes, value)
    }
}

/// The class of an object that begins, and the number of its properties.
fn object<'v>(part: &Part<'v>) -> Option<(&'v [u8], usize)> {
    let Part::Begin(value) = part else {
        return None;
    };
    let object = value.as_object()?;
    Some((object.class()?.as_bytes(), object.len()))
}

/// Whether an array or a dictionary begins, and its number of elements.
fn size(part: &Part<'_>) -> Option<(bool, usize)> {
    let Part::Begin(value) = part else {
        return None;
    };
    match value.as_array() {
        Some(array) => Some((false, array.len())),
        None => Some((true, value.as_dict()?.len())),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    /// Returns other bytes for every value but references, so that nothing else is copied.
    fn other_bytes(value: &[u8], resource: &Resource<'_>) -> Vec<u8> {
        let mut other: Vec<u8> = value.iter().map(|byte| !byte).collect();
        let mut walk = Walk::new(value, resource);
        while let Ok(part) = walk.next() {
            let class = object(&part).map(|(class, _)| class);
            if matches!(class, Some(b"ExtResource" | b"SubResource")) {
                let range = walk.whole(part).expect("a whole object").1;
                other[range.clone()].copy_from_slice(&value[range]);
            }
        }
        other
    }

    /// Writes each value of files that engines made from the value alone: the bytes are the engine's.
    #[test]
    fn values_are_written_as_engines_write_them() {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let (mut files, mut differ) = (0, Vec::<String>::new());
        for engine in ["godot4", "godot3", "godot3.2"] {
            let folder = here.join("../../testdata/resources").join(engine);
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("a file").path();
                let file = fs::read(&path).expect("a file");
                let Ok(resource) = Resource::open(&file, Limits::FILE) else {
                    continue;
                };
                let value = resource.encode(Limits::FILE).expect("a value");
                let other = other_bytes(&value, &resource);
                let mut now = Walk::new(&value, &resource);
                now.bytes = &other;
                let mut rewriter = Rewriter {
                    resource: &resource,
                    plan: Plan::new(resource.mentions()),
                    is_written: vec![false; resource.internals().len()],
                    now,
                    wanted: Walk::new(&value, &resource),
                    bodies: vec![Vec::new(); resource.internals().len()],
                };
                rewriter.all().expect("a resource");
                if resource.assemble(&rewriter.bodies) != resource.contents() {
                    let name = path.file_name().expect("a name");
                    differ.push(name.to_string_lossy().into_owned());
                }
                files += 1;
            }
        }
        assert!(files >= 165, "{files}");
        // Engines write some nulls as an object of kind 0, or as a reference that they cannot resolve.
        differ.sort();
        assert_eq!(
            differ,
            [
                "bundled.res",
                "class_ParticlesMaterial.res",
                "class_SpatialMaterial.res"
            ]
        );
    }
}
