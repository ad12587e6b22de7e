//! [`Resource::rewrite`]: replaces the value of a resource file.
//!
//! ```text
//! both values are taken apart: the one that the file has, and the new one
//!   the header, the names and their numbers      stay
//!   a property with the same value in both       keeps its bytes, unless a number in it has changed
//!   everything else                              is written as engines write it
//! then the tables are written, and the file is packed as it was
//! ```

use std::{collections::HashMap, ops::Range};

use gdvar_io::{Limits, compressed::compress};

use crate::{
    Error, ErrorKind, Event, Resource,
    byte_writer::ByteWriter,
    parts::{Part, Parts, Property, Typed},
    payload::{PayloadWriter, Targets},
    reader::Result,
    resource::{LOCAL, MAGIC, MAGIC_COMPRESSED},
    uid::uid_of,
};

impl Resource<'_> {
    /// Returns the file with `value` as its new value, in the form that [`encode`](Resource::encode) returns.
    /// Properties, resources and references may change, be added or be missing. An object without an id becomes a new
    /// resource inside the file. A resource in another file is added to the table with its first mention, and removed
    /// with its last. A resource inside the file that is no longer nested anywhere is kept as long as something
    /// mentions its id.
    ///
    /// If nothing changes, the file is returned byte for byte. Otherwise it keeps its header, its
    /// names, the order of its tables and the bytes of each property that did not change. A
    /// compressed file is compressed again in the same mode. The new file is read back before it is
    /// returned. The time and the memory are linear in the lengths of the file and of both values.
    ///
    /// # Errors
    ///
    /// The offset of an error is relative to the start of `value`, or 0 if it is unknown. Returns
    /// `OtherShape` if `value` is not an object of the class of the main resource; `SameId`,
    /// `NoSuchId` and `BadId` for ids; `NotInEngine` for a value that the file cannot hold, such as
    /// a String with a NUL or a typed array (these types are declared by the resource's script, not
    /// in the file); `Packed` if the file's compression is not compiled in; and the errors of
    /// [`encode`](Resource::encode).
    pub fn rewrite(&self, value: &[u8], limits: Limits) -> Result<Vec<u8>> {
        let (file, typed) = self.rewrite_untyped(value, limits, false)?;
        match typed {
            Some(typed) => Err(Error::new(typed.first, ErrorKind::NotInEngine)),
            None => Ok(file),
        }
    }

    /// Returns the file with `value`, and the typed containers of `value` whose types the file does
    /// not hold. With `adds_scripts`, resources without a script get a null one.
    pub(crate) fn rewrite_untyped(
        &self,
        value: &[u8],
        limits: Limits,
        adds_scripts: bool,
    ) -> Result<(Vec<u8>, Option<Typed>)> {
        let now = self.encode(limits)?;
        if now == value && !adds_scripts {
            return Ok((self.file().to_vec(), None));
        }
        let main = self.internal(self.internals().len() - 1).id;
        let now = Parts::after(&now, self.dialect(), None, main)?;
        let mut new = Parts::after(value, self.dialect(), Some(&now), main)?;
        if adds_scripts {
            new.add_null_scripts();
        }
        if new.main().class != now.main().class {
            return Err(Error::new(0, ErrorKind::OtherShape));
        }
        let contents = Rewriter::new(self, &now, &new)?.contents()?;
        let file = match self.packing() {
            None => contents,
            Some((mode, block_size)) => {
                let packed = compress(&contents, mode, block_size);
                let mut file =
                    packed.map_err(|error| Error::new(0, ErrorKind::Packed(error.kind())))?;
                // A compressed resource has its own magic number at its start and end, not the one of a compressed
                // file.
                let end = file.len() - MAGIC_COMPRESSED.len();
                file[..MAGIC_COMPRESSED.len()].copy_from_slice(MAGIC_COMPRESSED);
                file[end..].copy_from_slice(MAGIC_COMPRESSED);
                file
            }
        };
        // Reads the new file back. If it does not contain exactly `value`, there is no file.
        let read = Resource::open(&file, Limits::FILE).and_then(|new| new.encode(limits));
        let read = read.map_err(|error| Error::new(0, error.kind()))?;
        if read != value && !new.are_after(&read, self.dialect(), main)? {
            let at = { read.iter().zip(value) }.position(|(is, shall)| is != shall);
            let at = at.unwrap_or(read.len().min(value.len()));
            return Err(Error::new(at, ErrorKind::NotInEngine));
        }
        Ok((file, new.typed))
    }
}

/// The ranges of a property in the file: of its name, and of its value.
type Place = (Range<usize>, Range<usize>);

struct Rewriter<'r, 'p> {
    resource: &'r Resource<'r>,
    new: &'p Parts,
    /// The resources of the old file with their indices, by id. The id of the main resource is empty.
    old: HashMap<&'p str, (usize, &'p Part)>,
    /// All resources of the new file, in order.
    order: Vec<usize>,
    /// `true` if the number of a kept resource changes. Then references to it must be written again.
    is_renumbered: bool,
    writer: PayloadWriter<'r>,
}

impl<'r, 'p> Rewriter<'r, 'p> {
    fn new(resource: &'r Resource<'r>, now: &'p Parts, new: &'p Parts) -> Result<Rewriter<'r, 'p>> {
        let main = resource.internals().len() - 1;
        let parts: HashMap<&str, &Part> = now.all.iter().map(|part| (&*part.id, part)).collect();
        let mut old = HashMap::from([("", (main, now.main()))]);
        for (index, internal) in resource.internals().enumerate().take(main) {
            let part = parts.get(internal.id);
            let part = part.ok_or(Error::new(internal.offset, ErrorKind::SameId))?;
            old.insert(&part.id, (index, *part));
        }
        // Kept resources stay in their order.
        let mut first: Vec<(usize, usize)> = { new.all.iter().enumerate().skip(1) }
            .filter_map(|(at, part)| Some((old.get(&*part.id)?.0, at)))
            .collect();
        first.sort_unstable();
        let first: Vec<usize> = first.into_iter().map(|(_, at)| at).collect();
        let mut order = new.order(&first);
        order.push(0);
        let mut is_renumbered = false;
        let mut internals = HashMap::new();
        for (at, &part) in order.iter().enumerate() {
            let part = &new.all[part];
            let id = match part.id.is_empty() {
                true => resource.internal(main).id,
                false => &part.id,
            };
            let number = match resource.header().refers_by_index() {
                true => u32::try_from(at).ok(),
                false => id
                    .parse()
                    .ok()
                    .filter(|number: &u32| number.to_string() == id),
            };
            is_renumbered |= old.get(&*part.id).is_some_and(|(index, _)| *index != at);
            match number {
                Some(number) => internals.insert(id.to_owned(), number),
                // Nothing refers to the main resource by its number.
                None if part.id.is_empty() => None,
                None => return Err(Error::new(0, ErrorKind::BadId)),
            };
        }
        let mut externals = Vec::with_capacity(new.externals.len());
        let mut count = 0;
        for (at, is_used) in new.is_used.iter().enumerate() {
            let number = is_used.then_some(count);
            is_renumbered |= at < resource.externals().len() && number != u32::try_from(at).ok();
            externals.push(number);
            count += u32::from(*is_used);
        }
        let targets = Targets {
            internals,
            externals,
        };
        Ok(Rewriter {
            resource,
            new,
            old,
            order,
            is_renumbered,
            writer: PayloadWriter::new(resource, targets),
        })
    }

    /// Returns the uncompressed contents of the new file.
    fn contents(mut self) -> Result<Vec<u8>> {
        let mut ends = Vec::with_capacity(self.order.len());
        for part in std::mem::take(&mut self.order) {
            self.body(&self.new.all[part])?;
            ends.push((part, self.writer.out.bytes.len()));
        }
        let tables = self
            .tables(&ends)
            .ok_or(Error::new(0, ErrorKind::NotInEngine))?;
        let mut contents = tables;
        contents.extend_from_slice(&self.writer.out.bytes);
        contents.extend_from_slice(MAGIC);
        Ok(contents)
    }

    /// Writes the header and the tables. For each resource, `ends` has its index in the parts and
    /// the end of its body, relative to the start of the first body.
    fn tables(&self, ends: &[(usize, usize)]) -> Option<Vec<u8>> {
        let (resource, old) = (self.resource, self.resource.contents());
        let mut out = ByteWriter::new(resource.header().is_big_endian);
        let names = resource.names_at();
        out.bytes.extend_from_slice(&old[..names.start]);
        out.count(resource.names().len() + self.writer.names.added.len())?;
        out.bytes
            .extend_from_slice(&old[names.start + 4..names.end]);
        for name in &self.writer.names.added {
            out.text(name)?;
        }
        let used = self.new.externals.iter().zip(&self.new.is_used);
        let used = used.filter(|(_, is_used)| **is_used);
        out.count(used.clone().count())?;
        for (external, _) in used {
            out.text(&external.class)?;
            out.text(&external.path)?;
            match (resource.header().has_uids(), &external.uid) {
                (true, Some(uid)) => out.number(&uid_of(uid)?.to_le_bytes()),
                (true, None) => out.number(&(-1_i64).to_le_bytes()),
                (false, Some(_)) => return None,
                (false, None) => {}
            }
        }
        out.count(ends.len())?;
        let paths: Vec<String> = ends.iter().map(|(part, _)| self.path(*part)).collect();
        let table: usize = paths.iter().map(|path| path.len() + 1 + 4 + 8).sum();
        let mut offset = out.bytes.len() + table;
        let bodies = offset;
        for (path, (_, end)) in paths.iter().zip(ends) {
            out.text(path)?;
            out.number(&(offset as u64).to_le_bytes());
            offset = bodies + end;
        }
        Some(out.bytes)
    }

    /// Returns the path that a resource has inside the new file.
    fn path(&self, part: usize) -> String {
        let part = &self.new.all[part];
        match self.old.get(&*part.id) {
            Some((index, _)) => self.resource.path(*index).to_owned(),
            None => format!("{LOCAL}{}", part.id),
        }
    }

    fn body(&mut self, part: &Part) -> Result<()> {
        let old = self.old.get(&*part.id).copied();
        let places = match old {
            Some((index, old)) => self.places(index, old)?,
            None => HashMap::new(),
        };
        let cannot = Error::new(0, ErrorKind::NotInEngine);
        self.writer.out.text(&part.class).ok_or(cannot)?;
        self.writer.out.count(part.properties.len()).ok_or(cannot)?;
        for property in &part.properties {
            let place = places.get(&*property.name);
            if let Some((_, (name, _))) = place {
                let name = &self.resource.contents()[name.clone()];
                self.writer.out.bytes.extend_from_slice(name);
            } else {
                self.writer.name(&property.name).ok_or(cannot)?;
            }
            match place {
                Some((old, (_, value)))
                    if old.value == property.value
                        && !(self.is_renumbered && property.has_references) =>
                {
                    let value = &self.resource.contents()[value.clone()];
                    self.writer.out.bytes.extend_from_slice(value);
                }
                _ => self.writer.value(&property.value).ok_or(cannot)?,
            }
        }
        Ok(())
    }

    /// Returns the ranges of all properties of a resource in the old file, by name.
    fn places(
        &self,
        index: usize,
        part: &'p Part,
    ) -> Result<HashMap<&'p str, (&'p Property, Place)>> {
        let mut places = HashMap::new();
        let mut body = self.resource.body(index);
        let mut properties = part.properties.iter();
        let mut start = body.position();
        let mut open: Option<(&Property, Range<usize>)> = None;
        loop {
            let event = body.try_next()?;
            if let Some(Event::Property(_)) | None = event {
                if let Some((property, name)) = open.take() {
                    let value = name.end..start;
                    places.insert(&*property.name, (property, (name, value)));
                }
            }
            match event {
                Some(Event::Property(_)) => {
                    let next = properties.next();
                    open = next.map(|property| (property, start..body.position()));
                }
                Some(_) => {}
                None => return Ok(places),
            }
            start = body.position();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    /// Writes each value of engines' files again, from the value alone. The bytes must equal the
    /// engine's.
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
                let main = resource.internal(resource.internals().len() - 1).id;
                let now = Parts::after(&value, resource.dialect(), None, main).expect("parts");
                // Other values in the file, so that nothing is copied.
                let mut other = now.clone();
                for part in &mut other.all {
                    part.properties.iter_mut().for_each(|one| one.value.clear());
                }
                let rewriter = Rewriter::new(&resource, &other, &now).expect("a resource");
                let contents = rewriter.contents().expect("a resource");
                if contents != resource.contents() {
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
