//! What each section of a resource or scene says, independent of its place in the text.

use std::collections::HashMap;

use gdvar_text::{BuildError, Builder};
use gdvar_view::{Dialect, Kind};

use crate::{
    expand::{Owned, class_of, id_of, is_root_name, last_of_each},
    references::Own,
    section::{Entry, Section},
};

/// A section of the document, independent of its place in the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    /// The section `[resource]`.
    Main,
    /// An external or internal resource with its id.
    Own(Own, String),
    /// A tag of a scene, and how many with its name are before it.
    Tag(&'static str, usize),
}

/// What a section says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Wanted {
    /// The class, except of external resources and of tags without one.
    pub(crate) class: Option<String>,
    /// Attributes and entries, in order.
    pub(crate) properties: Vec<(String, Vec<u8>)>,
}

/// What each section says.
pub(crate) type Parts = HashMap<Part, Wanted>;

/// The part that a section of the text is.
pub(crate) enum Found {
    Part(Part, Wanted),
    /// The header of the file, or an external resource that is nothing but an id.
    Nothing,
    /// A resource whose id came before.
    Twice,
}

/// Returns what each of the sections is, in their order. Linear.
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
                wanted.add(entries, |_| true);
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

/// Returns what the section at `at` is, which is an external or internal resource.
fn owned_part(
    own: Own,
    section: &Section<'_>,
    at: usize,
    owned: &Owned,
    dialect: Dialect,
) -> Result<Found, BuildError> {
    let id = id_of(section, dialect);
    if owned.get(own, &id) != Some(at) {
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

    /// Returns `true` if both say the same, whatever the order of the properties.
    pub(crate) fn is_same(&self, other: &Wanted) -> bool {
        self == other || self.class == other.class && self.sorted() == other.sorted()
    }

    fn sorted(&self) -> Vec<&(String, Vec<u8>)> {
        let mut properties: Vec<_> = self.properties.iter().collect();
        properties.sort();
        properties
    }
}
