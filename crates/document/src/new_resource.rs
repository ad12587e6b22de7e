//! [`NewResource`]: writes a new text for a resource or scene.

use gdvar_text::Notation;
use gdvar_view::{Dialect, Document, Event, Kind};

use crate::{
    name,
    replace::{ReplaceError, stored},
    scanner::read_options,
};

type Result<T> = std::result::Result<T, ReplaceError>;

/// A property or an attribute: its name, and its value encoded in the dialect of the document.
pub type NewEntry<'v> = (&'v str, &'v [u8]);

/// A resource or scene to be written as a text. In a value, a reference to one of its resources is an inert object of
/// class `SubResource` or `ExtResource` whose only property is `id`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewResource<'v> {
    /// The class of the main resource. Ignored for a scene.
    pub class: &'v str,
    /// The global class name of the main resource's script, if it has one. Ignored for a scene.
    /// Godot 3 has none.
    pub script_class: Option<&'v str>,
    /// The unique id of the resource or scene as a text, if it has one. Godot 3 has none.
    pub uid: Option<&'v str>,
    /// The resources in other files. The first one has the id `1`, and so on.
    pub externals: Vec<NewExternal<'v>>,
    /// The resources inside the file. Each must come before those that refer to it.
    pub internals: Vec<NewInternal<'v>>,
    /// The contents of the file.
    pub contents: NewContents<'v>,
}

/// A resource in another file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NewExternal<'v> {
    /// The class of the resource.
    pub class: &'v str,
    /// The path of the file, such as `res://hero.png`.
    pub path: &'v str,
    /// The unique id of the resource as a text, if it has one.
    pub uid: Option<&'v str>,
}

/// A resource inside the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewInternal<'v> {
    /// The id, which references to it contain.
    pub id: &'v str,
    /// The class of the resource.
    pub class: &'v str,
    /// The properties in the order of the text.
    pub properties: Vec<NewEntry<'v>>,
}

/// The part of the file after the external and internal resources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewContents<'v> {
    /// The properties of the main resource.
    Resource(Vec<NewEntry<'v>>),
    /// The tags of a scene: nodes, connections and editable paths.
    Scene(Vec<NewTag<'v>>),
}

impl Default for NewContents<'_> {
    fn default() -> Self {
        NewContents::Resource(Vec::new())
    }
}

/// A tag of a scene.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewTag<'v> {
    /// `node`, `connection` or `editable`.
    pub name: &'v str,
    /// The attributes in the order of the text.
    pub attributes: Vec<NewEntry<'v>>,
    /// The properties of a node. Other tags have none.
    pub properties: Vec<NewEntry<'v>>,
}

impl NewResource<'_> {
    /// Returns the text in the layout of the dialect's engine: `.tres`, or `.tscn` for a scene.
    ///
    /// # Errors
    /// Returns [`ReplaceError::Inexpressible`] for a value that the text cannot express, and for a
    /// dialect other than Godot 3 and 4.
    pub fn text(&self, dialect: Dialect) -> Result<String> {
        if ![Dialect::GODOT_3, Dialect::GODOT_4].contains(&dialect) {
            let what = "a resource of this engine".to_owned();
            return Err(ReplaceError::Inexpressible(what));
        }
        let mut writer = TextWriter {
            dialect,
            is_godot4: dialect.notation() == Notation::Godot4,
            out: String::new(),
            owner: String::new(),
            has_vector4: false,
        };
        writer.externals(&self.externals);
        for internal in &self.internals {
            writer.tag("sub_resource", &[("type", internal.class)]);
            writer.id(internal.id);
            writer.owner = format!(" of SubResource({:?})", internal.id);
            writer.entries(&internal.properties)?;
        }
        writer.owner.clear();
        match &self.contents {
            NewContents::Resource(properties) => {
                writer.out += "[resource]\n";
                writer.entries(properties)?;
            }
            NewContents::Scene(tags) => writer.scene(tags)?,
        }
        // The values decide which format the header names.
        let mut text = self.header(writer.is_godot4, writer.has_vector4);
        text += writer.out.trim_end();
        text.push('\n');
        Ok(text)
    }

    fn header(&self, is_godot4: bool, has_vector4: bool) -> String {
        let mut text = String::new();
        let is_scene = matches!(self.contents, NewContents::Scene(_));
        if is_scene {
            text += "[gd_scene";
        } else {
            text += &format!("[gd_resource type={}", name::quoted(self.class));
        }
        if let (Some(class), false) = (self.script_class, is_scene) {
            text += &format!(" script_class={}", name::quoted(class));
        }
        if !is_godot4 {
            let steps = self.externals.len() + self.internals.len() + 1;
            if steps > 1 {
                text += &format!(" load_steps={steps}");
            }
        }
        text += match (is_godot4, has_vector4) {
            (false, _) => " format=2",
            (true, false) => " format=3",
            (true, true) => " format=4",
        };
        if let Some(uid) = self.uid {
            text += &format!(" uid={}", name::quoted(uid));
        }
        text + "]\n\n"
    }
}

struct TextWriter {
    dialect: Dialect,
    is_godot4: bool,
    out: String,
    /// The name of the resource whose values are being written, for errors. Empty for the main resource.
    owner: String,
    /// `true` if there is an array of a type that needs format 4.
    has_vector4: bool,
}

impl TextWriter {
    fn externals(&mut self, externals: &[NewExternal<'_>]) {
        for (number, external) in (1..).zip(externals) {
            let (class, path) = (("type", external.class), ("path", external.path));
            match (self.is_godot4, external.uid) {
                (false, _) => self.tag("ext_resource", &[path, class]),
                (true, None) => self.tag("ext_resource", &[class, path]),
                (true, Some(uid)) => self.tag("ext_resource", &[class, ("uid", uid), path]),
            }
            self.id(&number.to_string());
        }
        if !externals.is_empty() {
            self.out.push('\n');
        }
    }

    /// Begins a tag. The values of `attributes` are texts.
    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out += &format!("[{name}");
        for (name, text) in attributes {
            self.out += &format!(" {name}={}", name::quoted(text));
        }
    }

    /// Writes the attribute `id`, and ends the tag.
    fn id(&mut self, id: &str) {
        self.out += &match self.is_godot4 {
            true => format!(" id={}]\n", name::quoted(id)),
            false => format!(" id={id}]\n"),
        };
    }

    fn entries(&mut self, entries: &[NewEntry<'_>]) -> Result<()> {
        for (key, value) in entries {
            let value = self.value(value, key)?;
            self.out += &format!("{} = {value}\n", name::entry(key));
        }
        self.out.push('\n');
        Ok(())
    }

    fn value(&mut self, value: &[u8], name: &str) -> Result<String> {
        let place = || format!("{name}{}", self.owner);
        let text = stored(value, self.dialect, place)?;
        // Our notation has a text for an RID where the engine's may have none: Godot 3.6 cannot read one, and writes
        // nothing for it.
        if !self.is_godot4 && text.contains("RID(") && has_rid(value, self.dialect) {
            let what = format!("the {} in {}", Kind::Rid, place());
            return Err(ReplaceError::Inexpressible(what));
        }
        self.has_vector4 |= text.contains("PackedVector4Array(");
        Ok(text)
    }

    fn scene(&mut self, tags: &[NewTag<'_>]) -> Result<()> {
        for tag in tags {
            self.owner = format!(" of a {}", tag.name);
            let name = { tag.attributes.iter() }.find(|(name, _)| *name == "name");
            let name =
                name.map(|(_, value)| Document::with_options(value, read_options(self.dialect)));
            if let Some(name) = name.and_then(|name| name.root().ok()?.as_str()) {
                self.owner = format!(" of the {} {name:?}", tag.name);
            }
            self.out += &format!("[{}", tag.name);
            for (key, value) in &tag.attributes {
                let value = self.value(value, key)?;
                self.out += &format!(" {key}={value}");
            }
            self.out += "]\n";
            if tag.name == "node" {
                self.entries(&tag.properties)?;
            }
        }
        Ok(())
    }
}

/// Returns `true` if a value contains a RID.
fn has_rid(value: &[u8], dialect: Dialect) -> bool {
    let mut events = Document::with_options(value, read_options(dialect)).events();
    while let Ok(Some(event)) = events.try_next() {
        if matches!(event, Event::Value(one) if one.kind() == Kind::Rid) {
            return true;
        }
    }
    false
}
