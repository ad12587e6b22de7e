//! [`Parts`]: splits the one value of a resource into the main resource, the resources inside the file and those in
//! other files. References take the place of whole resources.

use std::collections::{HashMap, HashSet};

use gdvar_view::{
    Document, ElementType, Event, Events, Limits as Depth, ObjectRef, Objects, ReadOptions, StrRef,
    VariantRef,
};
use gdvar_wire::{Dialect, Notation};
use gdvar_write::Writer;

use crate::{Error, ErrorKind, reader::Result};

/// The property with the id of a resource inside the file. It is always the first property.
pub(crate) const ID: &str = "SubResource";

/// The classes of objects that refer to resources.
pub(crate) const INTERNAL: &str = "SubResource";
const EXTERNAL: &str = "ExtResource";

/// A property of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Property {
    /// The name of the property.
    pub name: String,
    /// The encoded value. References to resources are objects of class `SubResource` or `ExtResource` whose only
    /// property is `id`. The id of a resource in another file is its number in [`Parts::externals`], counted from 1.
    pub value: Vec<u8>,
    /// `true` if the value contains references.
    pub(crate) has_references: bool,
}

/// A resource inside the file. Resources nested in it are parts of their own.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The id, which references contain. Empty for the main resource.
    pub id: String,
    /// The class of the resource.
    pub class: String,
    /// The properties in the order of the value.
    pub properties: Vec<Property>,
    mentions: Vec<Mention>,
}

/// A resource in another file.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub struct ExternalPart {
    /// The class of the resource.
    pub class: String,
    /// The path of the other file, such as `res://icon.png`.
    pub path: String,
    /// The unique id of the other file as text, or `None` if the reference has none.
    pub uid: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Mention {
    /// The id of a resource inside the file.
    Internal(String),
    /// The index of a resource in another file.
    External(usize),
}

/// The typed arrays and dictionaries of a value. A binary resource does not store their types, because the script of
/// the resource declares them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Typed {
    /// The number of typed arrays and dictionaries.
    pub count: u64,
    /// The offset of the first one in the value.
    pub first: usize,
}

/// All resources of one value. The value has the form that [`Resource::encode`](crate::Resource::encode) or
/// `gdvar_document::TextDocument::encode` returns.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Parts {
    /// The main resource, followed by the resources inside the file in the order of the value.
    pub(crate) all: Vec<Part>,
    /// The resources in other files.
    pub(crate) externals: Vec<ExternalPart>,
    /// For each resource in another file, `true` if the value refers to it.
    pub(crate) is_used: Vec<bool>,
    /// The containers that are typed in the value. They are untyped in the parts.
    pub typed: Option<Typed>,
}

impl Parts {
    /// Splits a value. An object inside a property becomes a resource inside the file, unless it is
    /// a reference. If its first property is not the id `SubResource`, it gets a new id. The time
    /// is linear in the length of the value, which is copied once.
    ///
    /// # Errors
    ///
    /// The offset of an error is relative to the start of `value`. Returns `OtherShape` if `value`
    /// is not one whole object, or has an `ExtResource` without a path. Returns `SameId` and
    /// `NoSuchId` for ids.
    pub fn read(value: &[u8], dialect: Dialect) -> Result<Parts> {
        Parts::after(value, dialect, None, "")
    }

    /// Splits a value that replaces the value of `before`. If it refers to an id that none of its
    /// resources has, the resource is copied from `before`. Resources in other files keep the
    /// numbers that they have in `before`. `main` is the id of the main resource.
    pub(crate) fn after(
        value: &[u8],
        dialect: Dialect,
        before: Option<&Parts>,
        main: &str,
    ) -> Result<Parts> {
        let mut reader = PartsReader {
            value,
            dialect,
            parts: Parts {
                all: Vec::new(),
                externals: before.map_or_else(Vec::new, |before| before.externals.clone()),
                is_used: Vec::new(),
                typed: None,
            },
            numbers: HashMap::new(),
            by_id: HashMap::new(),
            ids: None,
        };
        let externals = reader.parts.externals.iter().cloned();
        reader.numbers = externals.enumerate().map(|(at, one)| (one, at)).collect();
        reader.parts.is_used = vec![false; reader.parts.externals.len()];
        reader.read()?;
        reader.parts.resolve(before, main)?;
        Ok(reader.parts)
    }

    /// Returns the main resource. Its id is empty.
    #[must_use]
    pub fn main(&self) -> &Part {
        &self.all[0]
    }

    /// Returns the resources inside the file. Each comes before those that refer to it, except in cycles.
    #[must_use]
    pub fn internals(&self) -> impl ExactSizeIterator<Item = &Part> {
        let order = self.order(&[]);
        order.into_iter().map(|at| &self.all[at])
    }

    /// Returns the resources in other files.
    #[must_use]
    pub fn externals(&self) -> impl ExactSizeIterator<Item = &ExternalPart> {
        self.externals.iter()
    }

    /// Returns `true` if a value has exactly these resources with these properties. The order in
    /// which it refers to them does not matter.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Parts::read`].
    pub fn are_in(&self, value: &[u8], dialect: Dialect) -> Result<bool> {
        self.are_after(value, dialect, "")
    }

    /// Splits a value like [`Parts::read`]. Resources in other files get the numbers that they have in these parts.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Parts::read`].
    pub fn read_like(&self, value: &[u8], dialect: Dialect) -> Result<Parts> {
        Parts::after(value, dialect, Some(self), "")
    }

    /// Compares like [`Parts::are_in`]. `main` is the id of the main resource.
    pub(crate) fn are_after(&self, value: &[u8], dialect: Dialect, main: &str) -> Result<bool> {
        let read = Parts::after(value, dialect, Some(self), main)?;
        Ok(read.is_used == self.is_used && read.contents() == self.contents())
    }

    /// Returns the class and the properties of each resource, by its id.
    fn contents(&self) -> HashMap<&str, (&str, &[Property])> {
        let all = self.all.iter();
        all.map(|part| (&*part.id, (&*part.class, &*part.properties)))
            .collect()
    }

    /// Checks that every id that is referred to exists. Copies missing resources from `before`.
    fn resolve(&mut self, before: Option<&Parts>, main: &str) -> Result<()> {
        let mut ids: HashSet<String> = self.all.iter().map(|part| part.id.clone()).collect();
        let before: HashMap<&str, &Part> = { before.into_iter() }
            .flat_map(|before| &before.all[1..])
            .map(|part| (&*part.id, part))
            .collect();
        let mut next = 0;
        while next < self.all.len() {
            for mention in self.all[next].mentions.clone() {
                match mention {
                    Mention::External(index) => self.is_used[index] = true,
                    Mention::Internal(id) if id == main || ids.contains(&id) => {}
                    Mention::Internal(id) => {
                        let kept = before.get(&*id);
                        let kept = kept.ok_or(Error::new(0, ErrorKind::NoSuchId))?;
                        self.all.push((*kept).clone());
                        ids.insert(id);
                    }
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// Returns the indices of all resources inside the file. Each comes after the resources that it
    /// refers to, except in cycles. Otherwise, the resources in `first` come first, in their order.
    pub(crate) fn order(&self, first: &[usize]) -> Vec<usize> {
        let all = self.all.iter().enumerate();
        let by_id: HashMap<&str, usize> = all.map(|(at, part)| (&*part.id, at)).collect();
        // The main resource is not in the list. It always comes last.
        let mut is_visited = vec![false; self.all.len()];
        is_visited[0] = true;
        let mut order = Vec::with_capacity(self.all.len() - 1);
        for start in { first.iter().copied() }.chain(1..self.all.len()) {
            if std::mem::replace(&mut is_visited[start], true) {
                continue;
            }
            let mut open = vec![(start, self.all[start].mentions.iter())];
            while let Some((at, mentions)) = open.last_mut() {
                match mentions.next() {
                    Some(Mention::Internal(id)) => {
                        let target = by_id.get(&**id).copied().unwrap_or(0);
                        if !std::mem::replace(&mut is_visited[target], true) {
                            open.push((target, self.all[target].mentions.iter()));
                        }
                    }
                    Some(Mention::External(_)) => {}
                    None => {
                        order.push(*at);
                        open.pop();
                    }
                }
            }
        }
        order
    }
}

/// A resource whose properties are being read.
struct Open {
    /// The index of the resource.
    part: usize,
    /// The number of containers that are open while the direct properties of this resource are
    /// read.
    inside: usize,
    /// `true` if its first property is its id.
    has_id: bool,
}

struct PartsReader<'v> {
    value: &'v [u8],
    dialect: Dialect,
    parts: Parts,
    numbers: HashMap<ExternalPart, usize>,
    /// The index of each external resource, by the id that it has in a text document.
    by_id: HashMap<String, usize>,
    /// All ids in the value. Collected when a new id is needed.
    ids: Option<HashSet<String>>,
}

impl PartsReader<'_> {
    fn read(&mut self) -> Result<()> {
        let mut events = events(self.value, self.dialect);
        let mut open: Vec<Open> = Vec::new();
        let mut known = HashSet::new();
        let mut at = 0;
        while let Some(event) = { events.try_next() }.map_err(|error| shape(error.offset()))? {
            let bytes = &self.value[at..events.position()];
            let start = at;
            at = events.position();
            match event {
                Event::Begin(value) => {
                    let object = value.as_object();
                    let is_property = { open.last() }
                        .is_some_and(|open| open.part == 0 && events.open() == open.inside + 1);
                    let Some((object, class)) =
                        object.and_then(|object| Some((object, object.class()?)))
                    else {
                        if open.is_empty() {
                            return Err(shape(start));
                        }
                        let plain = self.untyped(value, bytes);
                        self.append(&open, plain.as_deref().unwrap_or(bytes));
                        continue;
                    };
                    if open.is_empty() {
                        self.begin(String::new(), class)?;
                        open.push(Open {
                            part: 0,
                            inside: events.open(),
                            has_id: false,
                        });
                        continue;
                    }
                    if class == *EXTERNAL {
                        let index = self.external(object, start)?;
                        pass(&mut events)?;
                        at = events.position();
                        if !(is_property && self.drops(EXTERNAL, None)) {
                            self.refer_external(&open, index)?;
                        }
                    } else if let Some(id) = mentioned(object) {
                        pass(&mut events)?;
                        at = events.position();
                        self.refer_internal(&open, id)?;
                    } else {
                        let own = { object.iter().try_next() }.ok().flatten();
                        let own = own.filter(|(name, _)| *name == *ID);
                        let own = own.and_then(|(_, id)| id.as_str());
                        let id = match own {
                            Some(id) => id.to_owned(),
                            None => self.new_id(class)?,
                        };
                        if id.is_empty() || !known.insert(id.clone()) {
                            return Err(Error::new(start, ErrorKind::SameId));
                        }
                        if !(is_property && self.drops(INTERNAL, Some(&id))) {
                            self.refer_internal(&open, &id)?;
                        }
                        let part = self.begin(id, class)?;
                        open.push(Open {
                            part,
                            inside: events.open(),
                            has_id: own.is_some(),
                        });
                    }
                }
                Event::Property(name)
                    if open.last().is_some_and(|open| open.inside == events.open()) =>
                {
                    if let Some(open) = open.last() {
                        let name = text(name)?;
                        self.parts.all[open.part].properties.push(Property {
                            name,
                            value: Vec::new(),
                            has_references: false,
                        });
                    }
                }
                Event::End if open.last().is_some_and(|open| open.inside > events.open()) => {
                    // Removes the id from the properties, because the file does not store it there.
                    if let Some(Open {
                        part, has_id: true, ..
                    }) = open.pop()
                    {
                        self.parts.all[part].properties.remove(0);
                    }
                }
                _ => self.append(&open, bytes),
            }
        }
        match self.parts.all.is_empty() || at != self.value.len() {
            true => Err(shape(at)),
            false => Ok(()),
        }
    }

    /// Adds a resource without properties. Returns its index.
    fn begin(&mut self, id: String, class: StrRef<'_>) -> Result<usize> {
        let at = class.offset();
        let class = text(class)?;
        if class.is_empty() {
            return Err(Error::new(at, ErrorKind::NoClass));
        }
        self.parts.all.push(Part {
            id,
            class,
            ..Part::default()
        });
        Ok(self.parts.all.len() - 1)
    }

    /// Drops the last property of the main resource if it only holds a resource to which nothing
    /// refers, such as `SubResource("id")`. The name must contain `class` and, if it is given,
    /// `id`. Returns `true` if the property was dropped.
    fn drops(&mut self, class: &str, id: Option<&str>) -> bool {
        let properties = &mut self.parts.all[0].properties;
        let Some(last) = properties.last() else {
            return false;
        };
        let inside = last.name.strip_prefix(class);
        let inside = inside.and_then(|rest| rest.strip_prefix("(\"")?.strip_suffix("\")"));
        let is_it = inside.is_some_and(|inside| id.is_none_or(|id| id == inside));
        if is_it {
            properties.pop();
        }
        is_it
    }

    fn append(&mut self, open: &[Open], bytes: &[u8]) {
        if let Some(property) = self.current(open) {
            property.value.extend_from_slice(bytes);
        }
    }

    fn current(&mut self, open: &[Open]) -> Option<&mut Property> {
        let part = open.last()?.part;
        self.parts.all[part].properties.last_mut()
    }

    /// Returns the bytes before the first child of a typed container, without its types. `None` if the container is
    /// untyped.
    fn untyped(&mut self, value: VariantRef<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_untyped = |one: ElementType<'_>| one == ElementType::Untyped;
        let is_plain = match (value.as_array(), value.as_dict()) {
            (Some(array), _) => is_untyped(array.element_type()),
            (_, Some(dict)) => is_untyped(dict.key_type()) && is_untyped(dict.value_type()),
            (None, None) => true,
        };
        if is_plain {
            return None;
        }
        let typed = self.parts.typed.get_or_insert(Typed {
            count: 0,
            first: value.offset(),
        });
        typed.count += 1;
        // Keeps the type number without its flags, and the count, which is the last word.
        let count = bytes.len() - 4;
        Some([&[bytes[0], 0, 0, 0], &bytes[count..]].concat())
    }

    fn refer_internal(&mut self, open: &[Open], id: &str) -> Result<()> {
        let bytes = self.reference(INTERNAL, id)?;
        self.refer(open, &bytes, Mention::Internal(id.to_owned()));
        Ok(())
    }

    fn refer_external(&mut self, open: &[Open], index: usize) -> Result<()> {
        let bytes = self.reference(EXTERNAL, &(index + 1).to_string())?;
        self.refer(open, &bytes, Mention::External(index));
        Ok(())
    }

    fn refer(&mut self, open: &[Open], bytes: &[u8], mention: Mention) {
        let Some(open) = open.last() else { return };
        let part = &mut self.parts.all[open.part];
        part.mentions.push(mention);
        if let Some(property) = part.properties.last_mut() {
            property.value.extend_from_slice(bytes);
            property.has_references = true;
        }
    }

    fn reference(&self, class: &str, id: &str) -> Result<Vec<u8>> {
        let mut writer = Writer::new(Vec::new(), self.dialect);
        let written = { writer.begin_object(class, 1) }
            .and_then(|()| writer.property("id"))
            .and_then(|()| writer.string(id))
            .and_then(|()| writer.end());
        let finished = written.and_then(|()| writer.finish());
        finished.map_err(|_| Error::new(0, ErrorKind::NotInEngine))
    }

    /// Returns the index of the external resource that an object is or refers to by an id.
    fn external(&mut self, object: ObjectRef<'_>, at: usize) -> Result<usize> {
        let mut external = ExternalPart::default();
        let mut id = None;
        let mut properties = object.iter();
        let read = |error: gdvar_view::Error| shape(error.offset());
        while let Some((name, value)) = properties.try_next().map_err(read)? {
            let text = value.as_str().ok_or(shape(value.offset()))?.to_owned();
            match name.to_str() {
                Ok("id") => id = Some(text),
                Ok("type") => external.class = text,
                Ok("path") => external.path = text,
                Ok("uid") => external.uid = Some(text),
                _ => return Err(shape(name.offset())),
            }
        }
        if let (Some(id), true) = (&id, object.len() == 1) {
            let index = self.by_id.get(id).copied();
            return index.ok_or(Error::new(at, ErrorKind::NoSuchId));
        }
        if external.path.is_empty() && external.uid.is_none() {
            return Err(shape(at));
        }
        let next = self.parts.externals.len();
        let index = *self.numbers.entry(external.clone()).or_insert(next);
        if index == next {
            self.parts.externals.push(external);
            self.parts.is_used.push(false);
        }
        self.parts.is_used[index] = true;
        if let Some(id) = id {
            self.by_id.insert(id, index);
        }
        Ok(index)
    }

    /// Returns an id that no resource of the value has.
    fn new_id(&mut self, class: StrRef<'_>) -> Result<String> {
        let ids = match &mut self.ids {
            Some(ids) => ids,
            none => none.insert(all_ids(self.value, self.dialect)),
        };
        // In Godot 3 ids are numbers.
        let class = match self.dialect.notation() == Notation::Godot4 {
            true => format!("{}_", text(class)?),
            false => String::new(),
        };
        let mut number = ids.len() + 1;
        loop {
            let id = format!("{class}{number}");
            if ids.insert(id.clone()) {
                return Ok(id);
            }
            number += 1;
        }
    }
}

fn shape(at: usize) -> Error {
    Error::new(at, ErrorKind::OtherShape)
}

fn text(text: StrRef<'_>) -> Result<String> {
    let bad = |_| Error::new(text.offset(), ErrorKind::BadText);
    Ok(text.to_str().map_err(bad)?.to_owned())
}

/// Skips the children of the container that has just begun.
fn pass(events: &mut Events<'_>) -> Result<()> {
    { events.pass_children() }.map_err(|error| shape(error.offset()))
}

/// Returns the id of the resource inside the file to which an object refers. `None` if it is not a reference.
fn mentioned<'v>(object: ObjectRef<'v>) -> Option<&'v str> {
    let is_reference = object.len() == 1 && object.class()? == *INTERNAL;
    let (name, id) = object.iter().try_next().ok()??;
    (is_reference && name == *"id").then(|| id.as_str())?
}

/// Returns the ids of all resources in a value.
fn all_ids(value: &[u8], dialect: Dialect) -> HashSet<String> {
    let mut ids = HashSet::new();
    let mut events = events(value, dialect);
    while let Ok(Some(event)) = events.try_next() {
        let Event::Begin(value) = event else { continue };
        let own = { value.as_object() }.and_then(|object| object.iter().try_next().ok()?);
        let own = own.filter(|(name, _)| *name == *ID);
        ids.extend(own.and_then(|(_, id)| id.as_str()).map(str::to_owned));
    }
    ids
}

pub(crate) fn events(value: &[u8], dialect: Dialect) -> Events<'_> {
    let options = ReadOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_limits(Depth::ENGINE);
    Document::with_options(value, options).events()
}
