//! Makes the tags of a text scene from the lists of a PackedScene.

use std::cell::Cell;

use gdvar_resource::Part;
use gdvar_view::{Dialect, DictRef, Document, VariantRef};

use super::{
    CONNECTION, IS_PATH, MASK, NAME_BITS, NODE, NONE_SAVED, PERSIST, Result, Tag, Tags, encode,
};
use crate::forms::FormError;

/// The limit of the total length of all names, paths and values in the tags, in bytes. A path names all
/// ancestors of a node, and many tags may mention one long value, so a small file could make a text of any
/// length.
const MOST: usize = 1 << 28;
const TOO_LONG: FormError =
    FormError::Scene("a scene whose names, paths and values are shorter than 256 MiB");

/// Returns the tags of a PackedScene. Takes time linear in the length of the names, paths and values, which is limited
/// to [`MOST`] bytes.
pub(in crate::forms) fn tags_of(main: &Part, dialect: Dialect) -> Result<Tags> {
    let wanted = FormError::Scene("the lists of a PackedScene in _bundled");
    let bundled = { main.properties.iter() }.find(|property| property.name == "_bundled");
    let value = &bundled.ok_or(wanted.clone())?.value;
    let root = Document::with_options(value, crate::options(dialect)).root();
    let dict = root.ok().and_then(VariantRef::as_dict);
    let bundle = dict.and_then(Bundle::read).ok_or(wanted.clone())?;
    let mut tags = Tags::default();
    for property in &main.properties {
        let is_null = property.value.first() == Some(&0);
        if property.name != "_bundled" && !(property.name == "script" && is_null) {
            tags.left_out.push(property.name.clone());
        }
    }
    let mut reader = TagReader {
        bundle,
        dialect,
        paths: Vec::new(),
    };
    tags.all = match reader.all() {
        _ if reader.bundle.length.get() > MOST => return Err(TOO_LONG),
        all => all.ok_or(wanted)??,
    };
    Ok(tags)
}

/// The lists of a PackedScene.
struct Bundle<'v> {
    names: Vec<&'v str>,
    variants: Vec<VariantRef<'v>>,
    nodes: Vec<i32>,
    node_ids: Vec<i32>,
    connections: Vec<i32>,
    node_paths: Vec<String>,
    id_paths: Vec<VariantRef<'v>>,
    editable: Vec<String>,
    base_scene: Option<usize>,
    version: i64,
    /// The total length of all names, paths and values that were taken so far.
    length: Cell<usize>,
}

impl<'v> Bundle<'v> {
    fn read(dict: DictRef<'v>) -> Option<Bundle<'v>> {
        let get = |key: &str| dict.get(key).ok().flatten();
        let ints = |key: &str| -> Option<Vec<i32>> { Some(get(key)?.as_i32s()?.iter().collect()) };
        let values = |key: &str| -> Option<Vec<VariantRef<'v>>> {
            get(key)?
                .as_array()?
                .iter()
                .collect::<std::result::Result<_, _>>()
                .ok()
        };
        let paths = |key: &str| -> Option<Vec<String>> {
            values(key)?.into_iter().map(path_text).collect()
        };
        let names = get("names")?.as_strings()?;
        let names = names.iter().map(|name| name.ok()?.to_str().ok());
        let base_scene = get("base_scene").and_then(|index| index.as_i64());
        Some(Bundle {
            names: names.collect::<Option<_>>()?,
            variants: values("variants")?,
            nodes: ints("nodes")?,
            node_ids: ints("node_ids").unwrap_or_default(),
            connections: ints("conns")?,
            node_paths: paths("node_paths").unwrap_or_default(),
            id_paths: values("id_paths").unwrap_or_default(),
            editable: paths("editable_instances").unwrap_or_default(),
            base_scene: base_scene.map(usize::try_from).transpose().ok()?,
            version: get("version")
                .and_then(|version| version.as_i64())
                .unwrap_or(1),
            length: Cell::new(0),
        })
    }

    /// Adds the length of a name, path or value to the total. `None` if the total is above [`MOST`].
    fn takes(&self, length: usize) -> Option<()> {
        self.length.set(self.length.get().saturating_add(length));
        (self.length.get() <= MOST).then_some(())
    }

    fn name(&self, number: i32) -> Option<&'v str> {
        let name = self.names.get(usize::try_from(number).ok()?)?;
        self.takes(name.len())?;
        Some(name)
    }

    /// Returns a copy of the value with this index.
    fn variant(&self, number: i32) -> Option<Vec<u8>> {
        let value = self.variants.get(usize::try_from(number).ok()?)?;
        let value = value.raw().ok()?;
        self.takes(value.len())?;
        Some(value.to_vec())
    }
}

/// Returns a node path as text: `/root/Player:position`.
fn path_text(value: VariantRef<'_>) -> Option<String> {
    let path = value.as_node_path()?;
    let mut text = String::new();
    if path.is_absolute() {
        text.push('/');
    }
    for (at, name) in path.names().enumerate() {
        if at > 0 {
            text.push('/');
        }
        text += name.ok()?.to_str().ok()?;
    }
    for name in path.subnames() {
        text.push(':');
        text += name.ok()?.to_str().ok()?;
    }
    Some(text)
}

/// Removes a leading `./` from `path`, a node path relative to the root of the scene.
fn simple(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

struct TagReader<'v> {
    bundle: Bundle<'v>,
    dialect: Dialect,
    /// The paths of the nodes so far.
    paths: Vec<String>,
}

/// The attributes of a tag: the name and the encoded value of each.
type Attributes = Vec<(&'static str, Vec<u8>)>;

impl TagReader<'_> {
    /// Reads all tags. `None` if the lists are not as engines write them.
    fn all(&mut self) -> Option<Result<Vec<Tag>>> {
        let mut tags = Vec::new();
        let nodes = std::mem::take(&mut self.bundle.nodes);
        let mut rest = &nodes[..];
        while !rest.is_empty() {
            let (head, after) = rest.split_at_checked(5)?;
            let (properties, after) = counted(after, 2)?;
            let (groups, after) = counted(after, 1)?;
            tags.push(match self.node(head, properties, groups)? {
                Ok(tag) => tag,
                Err(error) => return Some(Err(error)),
            });
            rest = after;
        }
        let connections = std::mem::take(&mut self.bundle.connections);
        let mut rest = &connections[..];
        while !rest.is_empty() {
            let (head, after) = rest.split_at_checked(5)?;
            let (binds, after) = counted(after, 1)?;
            let (unbinds, after) = match self.bundle.version >= 3 {
                true => after
                    .split_first()
                    .map(|(unbinds, after)| (*unbinds, after))?,
                false => (0, after),
            };
            tags.push(match self.connection(head, binds, unbinds)? {
                Ok(tag) => tag,
                Err(error) => return Some(Err(error)),
            });
            rest = after;
        }
        for path in std::mem::take(&mut self.bundle.editable) {
            let path = match self.text(simple(&path)) {
                Ok(path) => path,
                Err(error) => return Some(Err(error)),
            };
            tags.push(Tag {
                name: "editable",
                attributes: vec![("path", path)],
                properties: Vec::new(),
            });
        }
        Some(Ok(tags))
    }

    fn node(&mut self, head: &[i32], properties: &[i32], groups: &[i32]) -> Option<Result<Tag>> {
        let &[parent, owner, class, name, instance] = head else {
            return None;
        };
        let number = self.paths.len();
        let is_root = parent < 0 || parent == NONE_SAVED;
        let place = name as u32 >> NAME_BITS;
        let name = self.bundle.name(name & ((1 << NAME_BITS) - 1))?;
        let class = match class {
            NONE_SAVED => None,
            class => Some(self.bundle.name(class)?),
        };
        let above = if is_root {
            None
        } else {
            Some(self.place(parent)?)
        };
        let path = match above.as_deref() {
            None => ".".to_owned(),
            Some(".") => name.to_owned(),
            Some(above) => format!("{above}/{name}"),
        };
        self.bundle.takes(path.len())?;
        self.paths.push(path);
        let owner_path = match owner < 0 || owner == NONE_SAVED {
            true => None,
            false => Some(self.place(owner)?).filter(|path| path != "."),
        };
        let unique = self.bundle.node_ids.get(number).copied().unwrap_or(0);
        let mut deferred = Vec::new();
        let mut values = Vec::new();
        for pair in properties.chunks_exact(2) {
            let name = self.bundle.name(pair[0] & MASK)?;
            if pair[0] & IS_PATH != 0 {
                deferred.push(name);
            }
            values.push((name.to_owned(), self.bundle.variant(pair[1])?));
        }
        let groups = { groups.iter() }.map(|group| self.bundle.name(*group));
        let groups: Vec<&str> = groups.collect::<Option<_>>()?;
        let held = match instance {
            ..0 if is_root => { self.bundle.base_scene }
                .map(|base| ("instance", i32::try_from(base).unwrap_or(-1))),
            ..0 => None,
            _ if instance & IS_PATH != 0 => Some(("instance_placeholder", instance & MASK)),
            _ => Some(("instance", instance & MASK)),
        };
        let held = match held {
            Some((name, variant)) => Some((name, self.bundle.variant(variant)?)),
            None => None,
        };
        let parent_ids = self.ids(parent);
        let owner_ids = self.ids(owner);
        let made = || -> Result<Attributes> {
            let int = |value: i64| encode(self.dialect, |writer| writer.int(value));
            let mut all: Vec<(&str, Option<Vec<u8>>)> = vec![
                ("name", Some(self.text(name)?)),
                ("type", class.map(|class| self.text(class)).transpose()?),
                (
                    "parent",
                    { above.as_deref() }
                        .map(|path| self.text(path))
                        .transpose()?,
                ),
                ("parent_id_path", parent_ids),
                (
                    "owner",
                    { owner_path.as_deref() }
                        .map(|path| self.text(path))
                        .transpose()?,
                ),
                ("owner_uid_path", owner_ids),
            ];
            let index = (place > 0).then(|| self.text(&(place - 1).to_string()));
            all.push(("index", index.transpose()?));
            let unique = (unique != 0).then(|| int(unique.into()));
            all.push(("unique_id", unique.transpose()?));
            let deferred = (!deferred.is_empty()).then(|| {
                encode(self.dialect, |writer| {
                    writer.packed_strings(deferred.iter().copied())
                })
            });
            all.push(("node_paths", deferred.transpose()?));
            let groups = (!groups.is_empty()).then(|| {
                encode(self.dialect, |writer| {
                    writer.begin_array(groups.len())?;
                    groups.iter().try_for_each(|group| writer.string(group))?;
                    writer.end()
                })
            });
            all.push(("groups", groups.transpose()?));
            all.extend(held.map(|(name, value)| (name, Some(value))));
            Ok(named(&NODE, all))
        };
        Some(made().map(|attributes| Tag {
            name: "node",
            attributes,
            properties: values,
        }))
    }

    fn connection(&self, head: &[i32], binds: &[i32], unbinds: i32) -> Option<Result<Tag>> {
        let &[from, to, signal, method, flags] = head else {
            return None;
        };
        let (from_path, to_path) = (self.place(from)?, self.place(to)?);
        let (signal, method) = (self.bundle.name(signal)?, self.bundle.name(method)?);
        let binds = { binds.iter() }.map(|bind| self.bundle.variant(*bind));
        let binds: Vec<Vec<u8>> = binds.collect::<Option<_>>()?;
        let made = || -> Result<Attributes> {
            let int = |value: i32| encode(self.dialect, |writer| writer.int(value.into()));
            let flags = (flags != PERSIST).then(|| int(flags)).transpose()?;
            let unbinds = (unbinds > 0).then(|| int(unbinds)).transpose()?;
            let binds = (!binds.is_empty()).then(|| {
                encode(self.dialect, |writer| {
                    writer.begin_array(binds.len())?;
                    binds.iter().try_for_each(|bind| writer.raw_bytes(bind))?;
                    writer.end()
                })
            });
            let all = vec![
                ("signal", Some(self.text(signal)?)),
                ("from", Some(self.text(&from_path)?)),
                ("to", Some(self.text(&to_path)?)),
                ("method", Some(self.text(method)?)),
                ("flags", flags),
                ("from_uid_path", self.ids(from)),
                ("to_uid_path", self.ids(to)),
                ("unbinds", unbinds),
                ("binds", binds.transpose()?),
            ];
            Ok(named(&CONNECTION, all))
        };
        Some(made().map(|attributes| Tag {
            name: "connection",
            attributes,
            properties: Vec::new(),
        }))
    }

    /// Returns the path of a node. `number` is the index of the node or, with the flag [`IS_PATH`], the index of a
    /// path.
    fn place(&self, number: i32) -> Option<String> {
        let index = usize::try_from(number & MASK).ok()?;
        let path = match number & IS_PATH != 0 {
            true => self.bundle.node_paths.get(index)?,
            false => self.paths.get(index)?,
        };
        self.bundle.takes(path.len())?;
        Some(simple(path).to_owned())
    }

    /// Returns the unique ids of the nodes in a path, as an encoded value. `number` holds the index of the path. `None`
    /// if `number` is not the index of a path, or if the scene does not have the ids.
    fn ids(&self, number: i32) -> Option<Vec<u8>> {
        if number < 0 || number == NONE_SAVED || number & IS_PATH == 0 {
            return None;
        }
        let index = usize::try_from(number & MASK).ok()?;
        let ids = self.bundle.id_paths.get(index)?;
        let is_empty = ids.as_i32s()?.is_empty();
        (!is_empty).then(|| ids.raw().ok().map(<[u8]>::to_vec))?
    }

    fn text(&self, text: &str) -> Result<Vec<u8>> {
        encode(self.dialect, |writer| writer.string(text))
    }
}

/// Returns the attributes that have a value, with their names from `known`.
fn named(known: &[&'static str], all: Vec<(&str, Option<Vec<u8>>)>) -> Attributes {
    let all = all.into_iter().filter_map(|(name, value)| {
        let name = known.iter().find(|known| **known == name)?;
        Some((*name, value?))
    });
    all.collect()
}

/// Splits a list that begins with a count. Returns the counted items, of `each` numbers, and the rest of the
/// list.
fn counted(list: &[i32], each: usize) -> Option<(&[i32], &[i32])> {
    let (&count, rest) = list.split_first()?;
    let len = usize::try_from(count).ok()?.checked_mul(each)?;
    rest.split_at_checked(len)
}
