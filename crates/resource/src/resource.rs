//! [`Resource`]: a binary resource with its header, its tables, and the offset of each resource in it.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use gdvar_io::{
    Limits,
    compressed::{Compressed, Mode},
};

use crate::{
    Body, Error, ErrorKind, Header, plan,
    reader::{Reader, Result},
};

pub(crate) const MAGIC: &[u8; 4] = b"RSRC";
pub(crate) const MAGIC_COMPRESSED: &[u8; 4] = b"RSCC";

/// The prefix of the paths of resources inside the file.
pub(crate) const LOCAL: &str = "local://";

/// A resource in another file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct External<'r> {
    /// The class of the resource.
    pub class: &'r str,
    /// The path of the file, usually `res://…`.
    pub path: &'r str,
    /// The unique id, or `None` if the file stores no unique ids; -1 means that this resource has
    /// none. An engine that knows the id loads the file of this id, and ignores the path.
    pub uid: Option<i64>,
}

/// A resource inside the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Internal<'r> {
    /// The class of the resource.
    pub class: &'r str,
    /// The id: the text after `local://` in the path. A resource that `FLAG_BUNDLE_RESOURCES` copied into the
    /// file has the whole path as its id.
    pub id: &'r str,
    /// The number of properties.
    pub properties: u32,
    /// The offset of the resource in [`Resource::contents`]. Its class comes first.
    pub offset: usize,
}

/// The compression of a file, and the size of its blocks.
type Packing = (Mode, u32);

/// The range of a text in the contents.
type Place = Range<usize>;

struct ExternalPlace {
    class: Place,
    path: Place,
    uid: Option<i64>,
}

struct InternalPlace {
    path: Place,
    id: Place,
    class: Place,
    properties: u32,
    offset: usize,
    /// The offset of the first property.
    body: usize,
}

/// A binary resource that was read to its last byte. Every table, every property and every value is complete,
/// and there is nothing between or after them.
///
/// ```no_run
/// use gdvar_resource::{Limits, Resource};
///
/// let file = std::fs::read("hero.res")?;
/// let resource = Resource::open(&file, Limits::unpacking(file.len()))?;
/// println!("{} of Godot {}", resource.header().class, resource.header().major);
/// for external in resource.externals() {
///     println!("loads {} {}", external.class, external.path);
/// }
/// let value = resource.encode(Limits::unpacking(file.len()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Resource<'a> {
    file: &'a [u8],
    contents: Cow<'a, [u8]>,
    packing: Option<Packing>,
    header: Header,
    names: Vec<Place>,
    /// The range of the table of names, including the count before it.
    names_at: Place,
    externals: Vec<ExternalPlace>,
    internals: Vec<InternalPlace>,
    /// The index of each resource, by the number in its path. Godot 3 refers to resources by this number.
    numbers: HashMap<u32, u32>,
    mentions: plan::Mentions,
}

impl<'a> Resource<'a> {
    /// Reads a file to its last byte. Unpacks it within `limits` if it is compressed, and checks
    /// the header, the tables and every value. The time is linear in the length of the contents. A
    /// count is an error if the bytes that follow cannot hold this many elements.
    ///
    /// This function is stricter than the engines, which read missing bytes as zeros and crash on
    /// some damage: a read past the end, a gap between resources and bytes after the end are
    /// errors.
    ///
    /// # Errors
    ///
    /// Returns an [`ErrorKind`] other than `TooLong`, with the offset of the field.
    pub fn open(file: &'a [u8], limits: Limits) -> Result<Resource<'a>> {
        let (contents, packing) = contents(file, limits)?;
        let start = if packing.is_some() { 0 } else { MAGIC.len() };
        let mut reader = Reader::new(&contents, start, false);
        let header = Header::read(&mut reader)?;
        let mut names = Vec::new();
        let names_start = reader.at();
        for _ in 0..reader.count(4)? {
            names.push(text_place(&mut reader)?);
        }
        let names_at = names_start..reader.at();
        let mut externals = Vec::new();
        for _ in 0..reader.count(8)? {
            externals.push(ExternalPlace {
                class: text_place(&mut reader)?,
                path: text_place(&mut reader)?,
                uid: match header.has_uids() {
                    true => Some(reader.u64()? as i64),
                    false => None,
                },
            });
        }
        let count = reader.count(12)?;
        if count == 0 {
            return Err(Error::new(reader.at(), ErrorKind::NoResource));
        }
        let mut internals = Vec::new();
        let mut numbers = HashMap::new();
        for index in 0..count {
            let path = text_place(&mut reader)?;
            let offset = reader.u64()?;
            let text = text(&contents, &path);
            let local = text.strip_prefix(LOCAL);
            let number = local.and_then(|id| Some((id, id.parse::<u32>().ok()?)));
            // The engine searches for the digits of the number, so an id such as `01` is never found.
            if let Some((_, number)) = number.filter(|(id, number)| *id == number.to_string()) {
                numbers.insert(number, index);
            }
            let id = path.end - local.unwrap_or(text).len()..path.end;
            internals.push((path, id, offset));
        }
        let bodies_at = reader.at();
        let mut resource = Resource {
            file,
            contents: Cow::Borrowed(&[]),
            packing,
            header,
            names,
            names_at,
            externals,
            internals: Vec::new(),
            numbers,
            mentions: plan::Mentions::default(),
        };
        resource.contents = contents;
        resource.bodies(internals, bodies_at)?;
        Ok(resource)
    }

    /// Reads all resources. Each must start where the one before it ends.
    fn bodies(&mut self, entries: Vec<(Place, Place, u64)>, mut at: usize) -> Result<()> {
        let mut mentions = plan::Mentions::default();
        let places: Vec<_> = entries.iter().map(|(_, _, offset)| *offset).collect();
        for (path, id, _) in entries {
            self.internals.push(InternalPlace {
                path,
                id,
                class: 0..0,
                properties: 0,
                offset: 0,
                body: 0,
            });
        }
        for (index, &offset) in places.iter().enumerate() {
            if offset != at as u64 {
                let expected = u32::try_from(at).unwrap_or(u32::MAX);
                let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                return Err(Error::new(offset, ErrorKind::NotHere { expected }));
            }
            let mut reader = self.reader(at);
            let class = text_place(&mut reader)?;
            if class.is_empty() {
                return Err(Error::new(at, ErrorKind::NoClass));
            }
            let properties = reader.count(8)?;
            let body = reader.at();
            let place = &mut self.internals[index];
            place.class = class;
            place.offset = at;
            place.properties = properties;
            place.body = body;
            let mut body = self.body(index);
            mentions.read(&mut body)?;
            at = body.position();
        }
        self.mentions = mentions;
        let mut reader = self.reader(at);
        if reader.take(MAGIC.len())? != MAGIC || reader.left() > 0 {
            return Err(Error::new(at, ErrorKind::BadEnd));
        }
        Ok(())
    }

    /// Returns the header of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns how the file was compressed, or `None` if it was not.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        self.packing.map(|(mode, _)| mode)
    }

    /// Returns how the file was compressed, and the size of its blocks. `None` if it was not compressed.
    pub(crate) fn packing(&self) -> Option<Packing> {
        self.packing
    }

    /// Returns the file that was opened.
    pub(crate) fn file(&self) -> &'a [u8] {
        self.file
    }

    /// Returns the range in the contents of the table of names, including the count before it.
    pub(crate) fn names_at(&self) -> Place {
        self.names_at.clone()
    }

    /// Returns the path of a resource inside the file, usually `local://` and its id.
    pub(crate) fn path(&self, index: usize) -> &str {
        self.text(&self.internals[index].path)
    }

    /// Returns the bytes to which offsets refer: the file itself or, if it is compressed, its unpacked contents.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// Returns the table of names. They are names of properties and parts of node paths. Engines also store the
    /// names of properties of the class that the file does not use.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|place| self.text(place))
    }

    /// Returns the resources in other files. An engine loads them together with this one.
    #[must_use]
    pub fn externals(&self) -> impl ExactSizeIterator<Item = External<'_>> {
        (0..self.externals.len()).map(|index| self.external(index))
    }

    /// Returns the resources inside the file. The last one is the main resource.
    #[must_use]
    pub fn internals(&self) -> impl ExactSizeIterator<Item = Internal<'_>> {
        (0..self.internals.len()).map(|index| self.internal(index))
    }

    /// Returns the properties of the resource with this index, or `None` if there is no such resource.
    #[must_use]
    pub fn properties(&self, index: usize) -> Option<Body<'_>> {
        (index < self.internals.len()).then(|| self.body(index))
    }

    pub(crate) fn external(&self, index: usize) -> External<'_> {
        let place = &self.externals[index];
        External {
            class: self.text(&place.class),
            path: self.text(&place.path),
            uid: place.uid,
        }
    }

    pub(crate) fn internal(&self, index: usize) -> Internal<'_> {
        let place = &self.internals[index];
        Internal {
            class: self.text(&place.class),
            id: self.text(&place.id),
            properties: place.properties,
            offset: place.offset,
        }
    }

    pub(crate) fn body(&self, index: usize) -> Body<'_> {
        let place = &self.internals[index];
        Body::new(self, self.reader(place.body), place.properties)
    }

    pub(crate) fn mentions(&self) -> &plan::Mentions {
        &self.mentions
    }

    pub(crate) fn name(&self, number: u32) -> Option<&[u8]> {
        let place = self.names.get(number as usize)?;
        self.contents.get(place.clone())
    }

    /// Returns the index of the resource to which a reference with this number refers.
    pub(crate) fn referred(&self, number: u32) -> Option<usize> {
        let index = match self.header.refers_by_index() {
            true => number,
            false => *self.numbers.get(&number)?,
        };
        ((index as usize) < self.internals.len()).then_some(index as usize)
    }

    fn reader(&self, at: usize) -> Reader<'_> {
        Reader::new(&self.contents, at, self.header.is_big_endian)
    }

    fn text(&self, place: &Place) -> &str {
        text(&self.contents, place)
    }
}

/// Shows the header and the number of resources, not the contents.
impl std::fmt::Debug for Resource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resource")
            .field("header", &self.header)
            .field("resources", &self.internals.len())
            .finish_non_exhaustive()
    }
}

/// Returns `true` if a file begins like a binary resource, compressed or not. Reads four bytes.
#[must_use]
pub fn is_resource(file: &[u8]) -> bool {
    file.starts_with(MAGIC) || file.starts_with(MAGIC_COMPRESSED)
}

/// Returns the file itself or, if it is compressed, its unpacked contents.
fn contents(file: &[u8], limits: Limits) -> Result<(Cow<'_, [u8]>, Option<Packing>)> {
    if file.starts_with(MAGIC) {
        return Ok((Cow::Borrowed(file), None));
    }
    if !file.starts_with(MAGIC_COMPRESSED) {
        return Err(Error::new(0, ErrorKind::BadMagic));
    }
    let packed = |error: gdvar_io::Error| {
        let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX);
        Error::new(offset, ErrorKind::Packed(error.kind()))
    };
    let opened = Compressed::open_as(file, MAGIC_COMPRESSED, limits).map_err(packed)?;
    let contents = opened.to_vec().map_err(packed)?;
    let end = file.len() - opened.rest().len();
    if opened.rest() != MAGIC_COMPRESSED {
        return Err(Error::new(end, ErrorKind::BadEnd));
    }
    let packing = (opened.mode(), opened.block_size());
    Ok((Cow::Owned(contents), Some(packing)))
}

/// Reads a text that has its length before it. Returns its range without the NUL.
fn text_place(reader: &mut Reader<'_>) -> Result<Place> {
    let text = reader.text()?;
    // A text of length 0 has no NUL.
    let end = match text.is_empty() {
        true => reader.at(),
        false => reader.at() - 1,
    };
    Ok(end - text.len()..end)
}

/// Returns the text in a range. The range has already been checked.
fn text<'t>(contents: &'t [u8], place: &Place) -> &'t str {
    let bytes = contents.get(place.clone()).unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default()
}
