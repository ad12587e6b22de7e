//! Finds references of a resource or scene to something that the file does not contain. An engine
//! does not load such a file, or leaves parts of it out.

use std::collections::HashSet;

use gdvar_view::Dialect;

use crate::{
    expand::{id_of, root_name},
    references::{Own, text_of, used},
    replace::ReplaceError,
    section::{Entry, Section},
};

/// What was expected, and where: the parts of [`ReplaceError::Form`].
type Broken = (&'static str, String);

/// Fails if the sections `new` have a broken reference that the sections `old` do not have.
pub(crate) fn check(
    old: &[Section<'_>],
    new: &[Section<'_>],
    dialect: Dialect,
) -> Result<(), ReplaceError> {
    let new = broken(new, dialect)?;
    if new.is_empty() {
        return Ok(());
    }
    let old: HashSet<Broken> = broken(old, dialect)?.into_iter().collect();
    match new.into_iter().find(|link| !old.contains(link)) {
        Some((expected, place)) => Err(ReplaceError::Form(expected, place)),
        None => Ok(()),
    }
}

fn broken(sections: &[Section<'_>], dialect: Dialect) -> Result<Vec<Broken>, ReplaceError> {
    let mut broken = Vec::new();
    for (entry, name) in missing(sections, dialect)? {
        let expected = "a resource that comes before its first use; add it, or delete what uses it";
        broken.push((expected, format!("{name} in {}", entry.name)));
    }
    nodes(sections, dialect, &mut broken);
    Ok(broken)
}

/// Returns each reference to a resource that no tag before it defines: the entry that contains the reference, and the
/// reference as text, such as `SubResource("a")`. The entries of a resource may refer to the resource itself. Linear.
pub(crate) fn missing<'s, 'a>(
    sections: &'s [Section<'a>],
    dialect: Dialect,
) -> Result<Vec<(&'s Entry<'a>, String)>, ReplaceError> {
    let mut missing = Vec::new();
    let mut resources: HashSet<(Own, String)> = HashSet::new();
    for section in sections {
        let mut find = |entries: &'s [Entry<'a>], resources: &HashSet<(Own, String)>| {
            for entry in entries {
                for one in used(&entry.value, dialect)? {
                    if !resources.contains(&one) {
                        missing.push((entry, root_name(one.0, &one.1)));
                    }
                }
            }
            Ok::<(), ReplaceError>(())
        };
        find(&section.attributes, &resources)?;
        if let Some(own) = Own::of_tag(&section.name) {
            resources.insert((own, id_of(section, dialect)));
        }
        find(&section.entries, &resources)?;
    }
    Ok(missing)
}

/// The paths of the nodes in a scene. Other paths may exist below an instance, because it has the
/// nodes of another file.
struct Nodes {
    paths: HashSet<String>,
    /// Nodes that contain nodes of another file.
    instances: HashSet<String>,
}

impl Nodes {
    fn has(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut above = path;
        while let Some(end) = above.rfind('/') {
            above = &above[..end];
            if self.instances.contains(above) {
                return true;
            }
        }
        self.paths.contains(path) || self.instances.contains(".")
    }
}

fn nodes(sections: &[Section<'_>], dialect: Dialect, broken: &mut Vec<Broken>) {
    let mut nodes = Nodes {
        paths: HashSet::new(),
        instances: HashSet::new(),
    };
    let text = |section: &Section<'_>, name: &str| {
        let attribute = section.attribute(name)?;
        text_of(&attribute.value, dialect)
    };
    for section in sections.iter().filter(|section| section.name == "node") {
        let name = text(section, "name").unwrap_or_default();
        let path = match text(section, "parent") {
            None if nodes.paths.is_empty() => ".".to_owned(),
            None => {
                broken.push((
                    "a parent of each node but the first",
                    format!("the node {name:?}"),
                ));
                continue;
            }
            Some(parent) => {
                if !nodes.has(&parent) {
                    let expected = "a node before this one with the path in parent; move or delete both in one command";
                    broken.push((expected, format!("parent {parent:?} of the node {name:?}")));
                }
                match parent.as_str() {
                    "." => name.clone(),
                    parent => format!("{}/{name}", parent.strip_prefix("./").unwrap_or(parent)),
                }
            }
        };
        let contains = ["instance", "instance_placeholder"];
        let is_typed = section.attribute("type").is_some();
        if contains
            .iter()
            .any(|name| section.attribute(name).is_some())
            || !is_typed
        {
            nodes.instances.insert(path.clone());
        }
        if !nodes.paths.insert(path.clone()) {
            broken.push((
                "another name than its siblings have",
                format!("the node {path:?}"),
            ));
        }
    }
    for section in sections {
        let ends: &[&str] = match &*section.name {
            "connection" => &["from", "to"],
            "editable" => &["path"],
            _ => continue,
        };
        for end in ends {
            let path = text(section, end).unwrap_or_default();
            if !nodes.has(&path) {
                let expected = "a node with this path; change or delete both in one command";
                broken.push((
                    expected,
                    format!("{end} {path:?} of a tag [{}]", section.name),
                ));
            }
        }
    }
    if nodes.paths.is_empty() && sections.iter().any(|section| section.name == "gd_scene") {
        broken.push(("a root node", "nodes".to_owned()));
    }
}
