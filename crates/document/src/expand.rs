//! Encodes a resource or scene as one value. Each external or internal resource becomes an object,
//! at the first place that refers to it.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use gdvar_text::{BuildError, Builder};
use gdvar_view::{Dialect, Kind};

use crate::{
    node_names,
    references::{self, Own, Reference, references, text_of},
    section::{Entry, Section},
    text_document::Form,
};

/// The property with the id of an internal resource. It is always the first property.
pub(crate) const ID: &str = "SubResource";

/// Resources are nested inside other resources up to this depth. A deeper resource becomes a
/// property of the root.
const MOST_DEPTH: usize = 512;

/// The indices of the external and internal resources of a document, by id, in the order of the
/// text. An id may occur twice, after a merge of two versions of the file.
pub(crate) struct Owned {
    external: HashMap<String, Vec<usize>>,
    internal: HashMap<String, Vec<usize>>,
}

impl Owned {
    pub(crate) fn of(sections: &[Section<'_>], dialect: Dialect) -> Owned {
        let mut owned = Owned {
            external: HashMap::new(),
            internal: HashMap::new(),
        };
        for (at, section) in sections.iter().enumerate() {
            let places = match Own::of_tag(&section.name) {
                Some(Own::External) => &mut owned.external,
                Some(Own::Internal) => &mut owned.internal,
                None => continue,
            };
            places.entry(id_of(section, dialect)).or_default().push(at);
        }
        owned
    }

    /// Returns the indices of all resources with this id.
    pub(crate) fn all(&self, own: Own, id: &str) -> &[usize] {
        let places = match own {
            Own::External => &self.external,
            Own::Internal => &self.internal,
        };
        places.get(id).map_or(&[], Vec::as_slice)
    }

    /// Returns the index of the resource that a reference in the section `user` means: the last one
    /// with this id before `user`, as in Godot 4.6. If all of them come after `user`, returns the
    /// first; no engine loads such a file.
    fn seen_from(&self, user: usize, own: Own, id: &str) -> Option<usize> {
        let all = self.all(own, id);
        let before = all.partition_point(|at| *at < user);
        all.get(before.saturating_sub(1)).copied()
    }
}

/// Returns the id of an external or internal resource.
pub(crate) fn id_of(section: &Section<'_>, dialect: Dialect) -> String {
    let id = section.attribute("id");
    { id.and_then(|id| text_of(&id.value, dialect)) }.unwrap_or_default()
}

/// Returns the class that the attribute `type` gives, or `otherwise` if there is none.
pub(crate) fn class_of(section: &Section<'_>, dialect: Dialect, otherwise: &str) -> String {
    let class = section.attribute("type");
    let class = class.and_then(|class| text_of(&class.value, dialect));
    let class = class.filter(|class| !class.is_empty());
    class.unwrap_or_else(|| otherwise.to_owned())
}

/// Returns the entries that are effective: of each name, the last one.
pub(crate) fn last_of_each<'s, 'a>(entries: &'s [Entry<'a>]) -> Vec<&'s Entry<'a>> {
    let mut seen = HashSet::new();
    let mut last: Vec<_> = entries
        .iter()
        .rev()
        .filter(|entry| seen.insert(&*entry.name))
        .collect();
    last.reverse();
    last
}

/// Returns the name of the property of the root that holds a resource, if no other value holds the
/// resource.
pub(crate) fn root_name(own: Own, id: &str) -> String {
    format!("{}(\"{id}\")", own.class())
}

/// Returns `true` if `name` has the form of the names that [`root_name`] returns.
pub(crate) fn is_root_name(name: &str) -> bool {
    let is = |own: Own| {
        let rest = name.strip_prefix(own.class());
        rest.is_some_and(|rest| rest.starts_with("(\"") && rest.ends_with("\")"))
    };
    is(Own::External) || is(Own::Internal)
}

/// A step that is still to be done. The last step of the list is the next one.
enum Step<'s> {
    Bytes(&'s [u8]),
    Property(&'s str),
    /// A reference to a resource: its kind and id, the index of the section that contains the
    /// reference, and the number of containers that enclose the reference.
    Refer(Own, String, usize, usize),
}

struct Expander<'s, 'a> {
    sections: &'s [Section<'a>],
    owned: &'s Owned,
    dialect: Dialect,
    out: Builder,
    steps: Vec<Step<'s>>,
    /// For each section, `true` if it has been written.
    written: Vec<bool>,
}

type Result<T> = std::result::Result<T, BuildError>;

/// Encodes the sections of a resource or scene. Each section is written only once, so the time is
/// linear in the length of the text.
pub(crate) fn expand(sections: &[Section<'_>], form: Form, dialect: Dialect) -> Result<Vec<u8>> {
    let owned = Owned::of(sections, dialect);
    let mut expander = Expander {
        sections,
        owned: &owned,
        dialect,
        out: Builder::new(dialect),
        steps: Vec::new(),
        written: vec![false; sections.len()],
    };
    match form {
        Form::Scene => expander.scene()?,
        _ => expander.resource()?,
    }
    Ok(expander.out.bytes)
}

impl<'s> Expander<'s, '_> {
    fn resource(&mut self) -> Result<()> {
        let class =
            { self.sections.first() }.map(|header| class_of(header, self.dialect, "Resource"));
        let class = class.unwrap_or_default();
        let count_at = self.out.begin(|writer| writer.begin_object(&class, 0))?;
        let mut count = 0;
        let mut sections = self.sections.iter().enumerate();
        if let Some((at, section)) = sections.find(|(_, section)| section.name == "resource") {
            for entry in last_of_each(&section.entries) {
                self.out.text_field(entry.name.as_bytes())?;
                self.value(&entry.value, at, 1)?;
                count += 1;
            }
        }
        for (name, at) in self.rest() {
            if !self.written[at] {
                self.out.text_field(name.as_bytes())?;
                self.section(at, 1)?;
                count += 1;
            }
        }
        self.out.set_count(count_at, count)
    }

    fn scene(&mut self) -> Result<()> {
        let count_at = self.out.begin(|writer| writer.begin_dict(0))?;
        let mut count = 3;
        for (key, tag) in [
            ("nodes", "node"),
            ("connections", "connection"),
            ("editable", "editable"),
        ] {
            self.out.text(Kind::String, key.as_bytes())?;
            let items_at = self.out.begin(|writer| writer.begin_array(0))?;
            let mut items = 0;
            let sections = self.sections.iter().enumerate();
            for (at, section) in sections.filter(|(_, section)| section.name == tag) {
                match tag {
                    "node" => self.node(at, section)?,
                    _ => self.attributes(at, section)?,
                }
                items += 1;
            }
            self.out.set_count(items_at, items)?;
        }
        for (name, at) in self.rest() {
            if !self.written[at] {
                self.out.text(Kind::String, name.as_bytes())?;
                self.section(at, 1)?;
                count += 1;
            }
        }
        self.out.set_count(count_at, count)
    }

    /// Returns all external and internal resources: the name that [`root_name`] gives, and the
    /// index of the section.
    fn rest(&self) -> Vec<(String, usize)> {
        let all = self.sections.iter().enumerate();
        all.filter_map(|(at, section)| {
            let own = Own::of_tag(&section.name)?;
            Some((root_name(own, &id_of(section, self.dialect)), at))
        })
        .collect()
    }

    fn node(&mut self, at: usize, section: &'s Section<'_>) -> Result<()> {
        let class = class_of(section, self.dialect, "Node");
        let count_at = self.out.begin(|writer| writer.begin_object(&class, 0))?;
        let mut count = 0;
        let attributes = last_of_each(&section.attributes).into_iter();
        let attributes = attributes
            .filter(|attribute| attribute.name != "type")
            .map(|attribute| (Cow::Borrowed(&*attribute.name), attribute));
        let entries = last_of_each(&section.entries).into_iter();
        let dialect = self.dialect;
        let entries = entries.map(|entry| (node_names::property(&entry.name, dialect), entry));
        for (name, entry) in attributes.chain(entries) {
            self.out.text_field(name.as_bytes())?;
            self.value(&entry.value, at, 3)?;
            count += 1;
        }
        self.out.set_count(count_at, count)
    }

    fn attributes(&mut self, at: usize, section: &'s Section<'_>) -> Result<()> {
        let count_at = self.out.begin(|writer| writer.begin_dict(0))?;
        let attributes = last_of_each(&section.attributes);
        let count = attributes.len();
        for attribute in attributes {
            self.out.text(Kind::String, attribute.name.as_bytes())?;
            self.value(&attribute.value, at, 3)?;
        }
        self.out.set_count(count_at, count)
    }

    /// Writes a value of the section `user` that lies inside `depth` containers, and the resources to which it refers.
    fn value(&mut self, value: &'s [u8], user: usize, depth: usize) -> Result<()> {
        self.push(value, user, depth);
        self.run()
    }

    /// Writes the object of a section that has not been written yet.
    fn section(&mut self, at: usize, depth: usize) -> Result<()> {
        self.begin(at, depth)?;
        self.run()
    }

    fn run(&mut self) -> Result<()> {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Bytes(bytes) => self.out.bytes.extend_from_slice(bytes),
                Step::Property(name) => self.out.text_field(name.as_bytes())?,
                Step::Refer(own, id, user, depth) => match self.owned.seen_from(user, own, &id) {
                    Some(at) if !self.written[at] && depth < MOST_DEPTH => self.begin(at, depth)?,
                    _ => references::write(&mut self.out, own, &id)?,
                },
            }
        }
        Ok(())
    }

    /// Begins the object of a section. [`Expander::run`] writes its properties later.
    fn begin(&mut self, at: usize, depth: usize) -> Result<()> {
        self.written[at] = true;
        let section = &self.sections[at];
        let own = Own::of_tag(&section.name);
        let class = match own {
            Some(Own::Internal) => class_of(section, self.dialect, "Resource"),
            _ => Own::External.class().to_owned(),
        };
        let first = if own == Some(Own::Internal) { ID } else { "id" };
        let id = id_of(section, self.dialect);
        let count_at = self.out.begin(|writer| writer.begin_object(&class, 0))?;
        self.out.text_field(first.as_bytes())?;
        self.out.text(Kind::String, id.as_bytes())?;
        let mut entries = match own {
            Some(Own::Internal) => last_of_each(&section.entries),
            _ => last_of_each(&section.attributes),
        };
        if own != Some(Own::Internal) {
            entries.retain(|entry| entry.name != "id");
        }
        self.out.set_count(count_at, 1 + entries.len())?;
        for entry in entries.into_iter().rev() {
            self.push(&entry.value, at, depth + 1);
            self.steps.push(Step::Property(&entry.name));
        }
        Ok(())
    }

    /// Schedules a value of the section `user` that lies inside `depth` containers, for [`Expander::run`].
    fn push(&mut self, value: &'s [u8], user: usize, depth: usize) {
        // Reading cannot fail, because the scanner encoded this value.
        let found: Vec<Reference> = references(value, self.dialect).unwrap_or_default();
        let mut end = value.len();
        for reference in found.into_iter().rev() {
            self.steps
                .push(Step::Bytes(&value[reference.place.end..end]));
            self.steps.push(Step::Refer(
                reference.own,
                reference.id,
                user,
                depth + reference.depth,
            ));
            end = reference.place.start;
        }
        self.steps.push(Step::Bytes(&value[..end]));
    }
}
