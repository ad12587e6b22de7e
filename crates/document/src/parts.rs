//! The contents of each section of a resource or scene, independent of its position in the text.

use std::collections::HashMap;

use gdvar_text::{BuildError, Builder};
use gdvar_view::{Dialect, Kind};

use crate::{
    expand::{Owned, class_of, id_of, is_root_name, last_of_each, root_name},
    node_names,
    references::Own,
    section::{Entry, Section},
};

/// Identifies a section of a document, independent of its position in the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    /// The section `[resource]`.
    Main,
    /// An external or internal resource, with its id.
    Own(Own, String),
    /// A tag of a scene, and the number of tags with the same name before it.
    Tag(&'static str, usize),
}

impl Part {
    /// Returns a phrase that names this part in errors.
    pub(crate) fn place(&self) -> String {
        match self {
            Part::Main => "the resource".to_owned(),
            Part::Own(own, id) => root_name(*own, id),
            Part::Tag("node", at) => format!("nodes[{at}]"),
            Part::Tag("connection", at) => format!("connections[{at}]"),
            Part::Tag(tag, at) => format!("{tag}[{at}]"),
        }
    }
}

/// The contents of a section.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Wanted {
    /// The class. `None` for external resources, and for tags without a class.
    pub(crate) class: Option<String>,
    /// The attributes and entries, in order, as names and encoded values.
    pub(crate) properties: Vec<(String, Vec<u8>)>,
}

/// The contents of all sections.
pub(crate) type Parts = HashMap<Part, Wanted>;

/// The meaning of one section of the text.
pub(crate) enum Found {
    Part(Part, Wanted),
    /// Not a part: the header of the file, or an external resource with nothing but an id.
    Nothing,
    /// A resource whose id occurred before.
    Twice,
}

/// Returns the meaning of each section, in the order of the text.
pub(crate) fn of_sections(
    sections: &[Section<'_>],
    owned: &Owned,
    dialect: Dialect,
) -> Result<Vec<Found>, BuildError> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::with_capacity(sections.len());
    for (at, section) in sections.iter().enumerate() {
        let class = |section, otherwise| Some(class_of(section, dialect, otherwise));
        let (attributes, entries) = (&section.attributes, &section.entries);
        let mut wanted = Wanted::default();
        let tag = match &*section.name {
            "resource" => {
                wanted.class = sections
                    .first()
                    .and_then(|header| class(header, "Resource"));
                wanted.add(entries, |name| !is_root_name(name));
                found.push(Found::Part(Part::Main, wanted));
                continue;
            }
            "node" => {
                wanted.class = class(section, "Node");
                wanted.add(attributes, |name| name != "type");
                let before = wanted.properties.len();
                wanted.add(entries, |_| true);
                for (name, _) in &mut wanted.properties[before..] {
                    *name = node_names::property(name, dialect).into_owned();
                }
                "node"
            }
            "connection" => "connection",
            "editable" => "editable",
            name => {
                found.push(match Own::of_tag(name) {
                    Some(own) => owned_part(own, section, at, owned, dialect)?,
                    None => Found::Nothing,
                });
                continue;
            }
        };
        if tag != "node" {
            wanted.add(attributes, |_| true);
        }
        let count = counts.entry(tag).or_default();
        found.push(Found::Part(Part::Tag(tag, *count), wanted));
        *count += 1;
    }
    Ok(found)
}

/// Returns the meaning of the section at `at`, which is an external or internal resource.
fn owned_part(
    own: Own,
    section: &Section<'_>,
    at: usize,
    owned: &Owned,
    dialect: Dialect,
) -> Result<Found, BuildError> {
    let id = id_of(section, dialect);
    if owned.all(own, &id).first() != Some(&at) {
        return Ok(Found::Twice);
    }
    let mut wanted = Wanted::default();
    match own {
        Own::Internal => {
            wanted.class = Some(class_of(section, dialect, "Resource"));
            wanted.add(&section.entries, |_| true);
        }
        Own::External => {
            let mut out = Builder::new(dialect);
            out.text(Kind::String, id.as_bytes())?;
            wanted.properties.push(("id".to_owned(), out.bytes));
            wanted.add(&section.attributes, |name| name != "id");
            if wanted.properties.len() == 1 {
                return Ok(Found::Nothing);
            }
        }
    }
    Ok(Found::Part(Part::Own(own, id), wanted))
}

impl Wanted {
    /// Adds the last entry of each name for which `keeps` returns `true`.
    fn add(&mut self, entries: &[Entry<'_>], keeps: impl Fn(&str) -> bool) {
        let kept = last_of_each(entries).into_iter();
        let kept = kept.filter(|entry| keeps(&entry.name));
        let pairs = kept.map(|entry| (entry.name.to_string(), entry.value.clone()));
        self.properties.extend(pairs);
    }

    /// Returns `true` if class and properties are equal. The order of the properties does not
    /// matter.
    pub(crate) fn is_same(&self, other: &Wanted) -> bool {
        self == other || self.class == other.class && self.sorted() == other.sorted()
    }

    fn sorted(&self) -> Vec<&(String, Vec<u8>)> {
        let mut properties: Vec<_> = self.properties.iter().collect();
        properties.sort();
        properties
    }
}
