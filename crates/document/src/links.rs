//! Finds references of a resource or scene to something that the file does not contain. An engine
//! does not load such a file, or leaves parts of it out.

use std::collections::HashSet;

use gdvar_view::Dialect;

use crate::{
    error::{DocumentError, DocumentErrorKind},
    expand::{id_of, root_name},
    references::{Own, text_of, used},
    replace::ReplaceError,
    section::{Entry, Section},
    text_document::Form,
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
/// reference as text, such as `SubResource("a")`. Linear.
fn missing<'s, 'a>(
    sections: &'s [Section<'a>],
    dialect: Dialect,
) -> Result<Vec<(&'s Entry<'a>, String)>, ReplaceError> {
    let mut missing = Vec::new();
    let mut resources: HashSet<(Own, String)> = HashSet::new();
    for section in sections {
        for entry in section.attributes.iter().chain(&section.entries) {
            for one in used(&entry.value, dialect)? {
                if !resources.contains(&one) {
                    missing.push((entry, root_name(one.0, &one.1)));
                }
            }
        }
        if let Some(own) = Own::of_tag(&section.name) {
            resources.insert((own, id_of(section, dialect)));
        }
    }
    Ok(missing)
}

/// Finds the first reason why no engine makes anything of a resource or scene whose values can all be read. The
/// engines do not load a file with a reference to a resource that no tag before it defines, or a scene without nodes.
/// They load a scene with a second node without a parent, and instantiate nothing. Takes linear time.
///
/// Other broken links do less harm: the engine moves or renames nodes, and leaves out connections.
pub(crate) fn check_loading(
    text: &str,
    form: Form,
    sections: &[Section<'_>],
    dialect: Dialect,
) -> Result<(), DocumentError> {
    let entries_before = |offset: usize| {
        let entries = sections.iter().flat_map(|section| &section.entries);
        entries.filter(|entry| entry.value_at.end <= offset).count()
    };
    let error = |offset: usize, kind: DocumentErrorKind| {
        let mut error = DocumentError::new(text, offset, kind);
        error.entries_before = entries_before(offset);
        error
    };
    // All values were read, so none of them is damaged.
    if let Some((entry, name)) = missing(sections, dialect)
        .unwrap_or_default()
        .into_iter()
        .next()
    {
        return Err(error(
            entry.value_at.start,
            DocumentErrorKind::NoSuchResource { name },
        ));
    }
    let nodes = sections.iter().filter(|section| section.name == "node");
    let mut roots = nodes
        .clone()
        .filter(|node| node.attribute("parent").is_none());
    let expected = "the attribute parent, which each node but the first has";
    if let Some(second) = roots.nth(1) {
        let found = "a second node without it";
        return Err(error(
            second.header.start,
            DocumentErrorKind::Expected { expected, found },
        ));
    }
    if form == Form::Scene && nodes.count() == 0 {
        let (expected, found) = ("a node", "the end of the text");
        return Err(error(
            text.len(),
            DocumentErrorKind::Expected { expected, found },
        ));
    }
    Ok(())
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
