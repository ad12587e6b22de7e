//! Makes the lists of a PackedScene from the tags of a text scene, as the engine does when it loads the text.

use std::collections::HashMap;

use gdvar_document::{Section, TextDocument, node_entry};
use gdvar_view::{Dialect, DictRef, Document, ObjectRef, StrRef, VariantRef};
use gdvar_write::wire::Notation;

use super::{IS_PATH, NAME_BITS, NONE_SAVED, PERSIST, Result, encode};
use crate::forms::{FormError, TextPlace};

/// Converts `contents`, the value of a scene document, to the PackedScene Object of its binary form. Takes linear time.
pub(in crate::forms) fn value_of(
    document: &TextDocument<'_>,
    text: &str,
    contents: &[u8],
) -> Result<Vec<u8>> {
    let dialect = document.dialect();
    let root = Document::with_options(contents, crate::options(dialect)).root();
    let dict = root.ok().and_then(VariantRef::as_dict);
    let wanted = FormError::Scene("the nodes and connections of a scene");
    let dict = dict.ok_or(wanted.clone())?;
    let mut bundle = Bundle::new(dialect);
    bundle.all(dict, document, text)?;
    let mut rest = Vec::new();
    let mut pairs = dict.iter();
    while let Ok(Some((key, value))) = pairs.try_next() {
        let key = key.as_str().ok_or(wanted.clone())?;
        if !["nodes", "connections", "editable"].contains(&key) {
            rest.push((key, value.raw().map_err(|_| wanted.clone())?));
        }
    }
    bundle.value(&rest)
}

/// A node path as an engine stores it: whether it is absolute, the names of nodes, and the names of a
/// property.
type Path<'v> = (bool, Vec<&'v str>, Vec<&'v str>);

struct Bundle<'v> {
    dialect: Dialect,
    names: Vec<&'v str>,
    numbers: HashMap<&'v str, i32>,
    variants: Vec<Variant<'v>>,
    known: HashMap<Variant<'v>, i32>,
    nodes: Vec<i32>,
    node_ids: Vec<i32>,
    node_count: usize,
    connections: Vec<i32>,
    connection_count: usize,
    node_paths: Vec<Path<'v>>,
    /// For each path: the unique ids of its nodes.
    id_paths: Vec<Vec<i32>>,
    editable: Vec<Path<'v>>,
    base_scene: Option<i32>,
}

/// The bytes of one encoded value.
type Variant<'v> = &'v [u8];

impl<'v> Bundle<'v> {
    fn new(dialect: Dialect) -> Bundle<'v> {
        Bundle {
            dialect,
            names: Vec::new(),
            numbers: HashMap::new(),
            variants: Vec::new(),
            known: HashMap::new(),
            nodes: Vec::new(),
            node_ids: Vec::new(),
            node_count: 0,
            connections: Vec::new(),
            connection_count: 0,
            node_paths: Vec::new(),
            id_paths: Vec::new(),
            editable: Vec::new(),
            base_scene: None,
        }
    }

    fn all(&mut self, dict: DictRef<'v>, document: &TextDocument<'_>, text: &str) -> Result<()> {
        let list = |key: &str| {
            let list = dict.get(key).ok().flatten();
            let list = list.and_then(VariantRef::as_array);
            list.ok_or(FormError::Scene("the nodes and connections of a scene"))
        };
        let tags = |name: &'static str| {
            let sections = document.sections().iter();
            sections.filter(move |section| section.name == name)
        };
        let bad =
            |tag: &Section<'_>| FormError::Tag(TextPlace::new(text, tag.header.start, &tag.name));
        for (node, tag) in list("nodes")?.iter().zip(tags("node")) {
            let node = node.ok().and_then(VariantRef::as_object);
            let added = node.and_then(|node| self.node(node, tag));
            added.ok_or_else(|| bad(tag))?;
        }
        for (connection, tag) in list("connections")?.iter().zip(tags("connection")) {
            let connection = connection.ok().and_then(VariantRef::as_dict);
            let added = connection.and_then(|connection| self.connection(connection));
            added.ok_or_else(|| bad(tag))?;
        }
        for (editable, tag) in list("editable")?.iter().zip(tags("editable")) {
            let editable = editable.ok().and_then(VariantRef::as_dict);
            let path = editable.and_then(|editable| editable.get("path").ok()?);
            let path = path.and_then(self::text).ok_or_else(|| bad(tag))?;
            self.editable.push(path_of(path));
        }
        Ok(())
    }

    /// Adds a node. `None` if its tag lacks something that the engine needs.
    fn node(&mut self, node: ObjectRef<'v>, section: &Section<'_>) -> Option<()> {
        // The attributes come before the properties, each once. The type is not among them: it is the
        // object's class.
        let mut names: Vec<&str> = { section.attributes.iter() }
            .map(|attribute| &*attribute.name)
            .filter(|name| *name != "type")
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut attributes: HashMap<&str, VariantRef<'v>> = HashMap::new();
        let mut properties: Vec<(&'v str, VariantRef<'v>)> = Vec::new();
        for (at, property) in node.iter().enumerate() {
            let (name, value) = property.ok()?;
            let name = str_of(name)?;
            match at < names.len() {
                true => {
                    attributes.insert(name, value);
                }
                false => properties.push((node_entry(name, self.dialect), value)),
            }
        }
        let parent = match attributes.get("parent") {
            Some(parent) => {
                let mut path = path_of(text(*parent)?);
                if !path.0 && path.1.first() != Some(&".") {
                    path.1.insert(0, ".");
                }
                self.path(path, attributes.get("parent_id_path").copied())
            }
            None => -1,
        };
        let name = match attributes.get("name") {
            Some(name) => self.name(text(*name)?)?,
            None => return None,
        };
        let class = match section.attribute("type") {
            Some(_) => self.name(str_of(node.class()?)?)?,
            None => NONE_SAVED,
        };
        let mut instance = -1;
        if let Some(value) = attributes.get("instance") {
            instance = self.variant(value.raw().ok()?)?;
            if self.node_count == 0 && parent == -1 {
                self.base_scene = Some(instance);
                instance = -1;
            }
        }
        if let Some(value) = attributes.get("instance_placeholder") {
            instance = self.variant(value.raw().ok()?)? | IS_PATH;
        }
        let owner = match attributes.get("owner") {
            Some(owner) => {
                let path = path_of(text(*owner)?);
                self.path(path, attributes.get("owner_uid_path").copied())
            }
            None if parent != -1 && !(class == NONE_SAVED && instance == -1) => 0,
            None => -1,
        };
        let index = match attributes.get("index") {
            Some(index) => number(*index)?.checked_add(1)?,
            None => 0,
        };
        let place = u32::try_from(index)
            .ok()
            .filter(|place| place >> (31 - NAME_BITS) == 0)?;
        let fits = name >> NAME_BITS == 0;
        let name = fits.then_some(name | (place << NAME_BITS) as i32)?;
        self.nodes.extend([parent, owner, class, name, instance]);
        let deferred = attributes
            .get("node_paths")
            .and_then(|paths| paths.as_strings());
        let deferred: Vec<&str> = match deferred {
            Some(paths) => { paths.iter() }
                .map(|path| path.ok()?.to_str().ok())
                .collect::<Option<_>>()?,
            None => Vec::new(),
        };
        self.nodes.push(i32::try_from(properties.len()).ok()?);
        for (name, value) in properties {
            let flag = if deferred.contains(&name) { IS_PATH } else { 0 };
            let name = self.name(name)? | flag;
            let value = self.variant(value.raw().ok()?)?;
            self.nodes.extend([name, value]);
        }
        let groups: Vec<VariantRef<'v>> = match attributes.get("groups") {
            Some(groups) => { groups.as_array()?.iter() }
                .collect::<std::result::Result<_, _>>()
                .ok()?,
            None => Vec::new(),
        };
        self.nodes.push(i32::try_from(groups.len()).ok()?);
        for group in groups {
            let group = self.name(text(group)?)?;
            self.nodes.push(group);
        }
        let id = attributes.get("unique_id").map(|id| number(*id));
        self.node_ids.push(id.unwrap_or(Some(0))?);
        self.node_count += 1;
        Some(())
    }

    fn connection(&mut self, connection: DictRef<'v>) -> Option<()> {
        let get = |key: &str| connection.get(key).ok().flatten();
        let (from, to) = (path_of(text(get("from")?)?), path_of(text(get("to")?)?));
        let (signal, method) = (text(get("signal")?)?, text(get("method")?)?);
        let flags = get("flags").map_or(Some(PERSIST), number)?;
        let unbinds = get("unbinds").map_or(Some(0), number)?;
        let mut binds = Vec::new();
        if let Some(values) = get("binds") {
            for bind in values.as_array()?.iter() {
                binds.push(self.variant(bind.ok()?.raw().ok()?)?);
            }
        }
        let from = self.path(from, get("from_uid_path"));
        let to = self.path(to, get("to_uid_path"));
        let (signal, method) = (self.name(signal)?, self.name(method)?);
        self.connections.extend([from, to, signal, method, flags]);
        self.connections.push(i32::try_from(binds.len()).ok()?);
        self.connections.append(&mut binds);
        if self.has_unbinds() {
            self.connections.push(unbinds);
        }
        self.connection_count += 1;
        (unbinds == 0 || self.has_unbinds()).then_some(())
    }

    fn is_godot4(&self) -> bool {
        self.dialect.notation() == Notation::Godot4
    }

    /// Returns `true` if connections store how many arguments of the signal are dropped, as in Godot 4.
    fn has_unbinds(&self) -> bool {
        self.is_godot4()
    }

    fn name(&mut self, name: &'v str) -> Option<i32> {
        let next = i32::try_from(self.names.len()).ok()?;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        Some(number)
    }

    fn variant(&mut self, value: Variant<'v>) -> Option<i32> {
        let next = i32::try_from(self.variants.len()).ok()?;
        let number = *self.known.entry(value).or_insert(next);
        if number == next {
            self.variants.push(value);
        }
        Some(number)
    }

    fn path(&mut self, path: Path<'v>, ids: Option<VariantRef<'v>>) -> i32 {
        let ids = ids.and_then(|ids| Some(ids.as_i32s()?.iter().collect()));
        let ids: Vec<i32> = ids.unwrap_or_default();
        let number = i32::try_from(self.node_paths.len()).unwrap_or(i32::MAX);
        self.node_paths.push(path);
        self.id_paths.push(ids);
        number | IS_PATH
    }

    /// Returns the PackedScene Object with all lists, and with the properties in `rest`.
    fn value(&self, rest: &[(&str, &[u8])]) -> Result<Vec<u8>> {
        let is_godot4 = self.is_godot4();
        encode(self.dialect, |writer| {
            writer.begin_object("PackedScene", 1 + usize::from(is_godot4) + rest.len())?;
            writer.property("_bundled")?;
            let more = 2 * usize::from(is_godot4) + usize::from(self.base_scene.is_some());
            writer.begin_dict(9 + more)?;
            writer.string("names")?;
            writer.packed_strings(self.names.iter().copied())?;
            writer.string("variants")?;
            writer.begin_array(self.variants.len())?;
            { self.variants.iter() }.try_for_each(|value| writer.raw_bytes(value))?;
            writer.end()?;
            writer.string("node_count")?;
            writer.int(self.node_count as i64)?;
            writer.string("nodes")?;
            writer.packed_i32(&self.nodes)?;
            if is_godot4 {
                writer.string("node_ids")?;
                writer.packed_i32(&self.node_ids)?;
            }
            writer.string("conn_count")?;
            writer.int(self.connection_count as i64)?;
            writer.string("conns")?;
            writer.packed_i32(&self.connections)?;
            let paths = [
                ("node_paths", &self.node_paths),
                ("editable_instances", &self.editable),
            ];
            for (key, paths) in paths {
                writer.string(key)?;
                writer.begin_array(paths.len())?;
                for (is_absolute, names, subnames) in paths {
                    let names = names.iter().map(|name| name.as_bytes());
                    let subnames = subnames.iter().map(|name| name.as_bytes());
                    writer.node_path_from(names, subnames, *is_absolute)?;
                }
                writer.end()?;
                if key == "node_paths" && is_godot4 {
                    writer.string("id_paths")?;
                    writer.begin_array(self.id_paths.len())?;
                    { self.id_paths.iter() }.try_for_each(|ids| writer.packed_i32(ids))?;
                    writer.end()?;
                }
            }
            if let Some(base) = self.base_scene {
                writer.string("base_scene")?;
                writer.int(base.into())?;
            }
            writer.string("version")?;
            writer.int(if is_godot4 { 3 } else { 2 })?;
            writer.end()?;
            if is_godot4 {
                writer.property("script")?;
                writer.nil()?;
            }
            for (name, value) in rest {
                writer.property(name)?;
                writer.raw_bytes(value)?;
            }
            writer.end()
        })
    }
}

/// Splits a text at each `by`, and leaves out empty parts.
fn split(text: &str, by: char) -> Vec<&str> {
    text.split(by).filter(|part| !part.is_empty()).collect()
}

/// Splits a path of nodes.
fn path_of(text: &str) -> Path<'_> {
    let (names, subnames) = text.split_once(':').unwrap_or((text, ""));
    let mut all = split(names, '/');
    // A `.` is the root itself. In a longer path it changes nothing.
    if all.len() > 1 {
        all.retain(|name| *name != ".");
    }
    (names.starts_with('/'), all, split(subnames, ':'))
}

fn text(value: VariantRef<'_>) -> Option<&str> {
    str_of(value.as_text()?)
}

fn str_of(text: StrRef<'_>) -> Option<&str> {
    text.to_str().ok()
}

/// Returns a number that is stored as an int or as text.
fn number(value: VariantRef<'_>) -> Option<i32> {
    match value.as_i64() {
        Some(number) => i32::try_from(number).ok(),
        None => text(value)?.parse().ok(),
    }
}
