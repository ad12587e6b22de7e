//! The text of a section that a document does not have yet.

use gdvar_text::Notation;
use gdvar_view::Dialect;

use crate::{
    name,
    node_names::{self, node_entry},
    parts::{Part, Wanted},
    references::Own,
    replace::{ReplaceError, stored},
    tags::required,
};

type Result<T> = std::result::Result<T, ReplaceError>;

/// Returns `true` if a new property of `part` is written as an attribute in the tag, and `false` if
/// it is written as an entry.
pub(crate) fn is_attribute(part: &Part, name: &str, dialect: Dialect) -> bool {
    match part {
        Part::Main | Part::Own(Own::Internal, _) => false,
        Part::Tag("node", _) => node_names::is_attribute(name, dialect),
        Part::Own(Own::External, _) | Part::Tag(..) => {
            name::word_len(name.as_bytes()) == name.len() && !name.is_empty()
        }
    }
}

/// Returns the name of the entry for the property `name` of a part.
pub(crate) fn entry_name<'n>(part: &Part, name: &'n str, dialect: Dialect) -> &'n str {
    match part {
        Part::Tag("node", _) => node_entry(name, dialect),
        _ => name,
    }
}

/// Returns `true` for an attribute without which an engine does not load the file.
pub(crate) fn is_required(part: &Part, name: &str) -> bool {
    let tag = match part {
        Part::Main => return false,
        // An internal resource may have the attributes of an external one.
        Part::Own(..) => "ext_resource",
        Part::Tag(tag, _) => tag,
    };
    required(tag).contains(&name)
}

/// Returns the lines of a section: its header and its entries.
pub(crate) fn lines(part: &Part, wanted: &Wanted, dialect: Dialect) -> Result<Vec<String>> {
    match part {
        Part::Own(Own::Internal, id) => {
            let class = wanted.class.as_deref().unwrap_or_default();
            if class.is_empty() || id.is_empty() {
                return Err(form("a class and an id of a new resource", part));
            }
            let class = name::quoted(class);
            let id = id_text(id, part, dialect)?;
            let header = format!("[sub_resource type={class} id={id}]");
            with_entries(header, wanted.properties.iter(), part, dialect)
        }
        Part::Own(Own::External, id) => {
            require(wanted, &["type", "path"], part)?;
            let attributes: Vec<_> = { wanted.properties.iter() }
                .filter(|(name, _)| name != "id")
                .collect();
            let attributes = texts(attributes, part, dialect)?;
            let id = id_text(id, part, dialect)?;
            Ok(vec![format!("[ext_resource{attributes} id={id}]")])
        }
        Part::Tag("node", _) => {
            require(wanted, required("node"), part)?;
            let properties = wanted.properties.iter();
            let (attributes, entries): (Vec<_>, Vec<_>) =
                properties.partition(|(name, _)| is_attribute(part, name, dialect));
            let mut header = "[node".to_owned();
            let (first, rest): (Vec<_>, Vec<_>) =
                { attributes.iter() }.partition(|(name, _)| name == "name");
            header += &texts(first.into_iter().copied(), part, dialect)?;
            // An instance has the class of its own root.
            let is_instance = |name: &str| name == "instance" || name == "instance_placeholder";
            let class = wanted.class.as_deref().unwrap_or("Node");
            if class != "Node" || !attributes.iter().any(|(name, _)| is_instance(name)) {
                header += &format!(" type={}", name::quoted(class));
            }
            header += &texts(rest.into_iter().copied(), part, dialect)?;
            with_entries(header + "]", entries, part, dialect)
        }
        Part::Tag(tag, _) => {
            require(wanted, required(tag), part)?;
            let attributes = texts(&wanted.properties, part, dialect)?;
            Ok(vec![format!("[{tag}{attributes}]")])
        }
        Part::Main => Err(form("the resource itself", part)),
    }
}

fn form(expected: &'static str, part: &Part) -> ReplaceError {
    ReplaceError::Form(expected, part.place())
}

fn require(wanted: &Wanted, names: &[&'static str], part: &Part) -> Result<()> {
    let has = |name: &str| wanted.properties.iter().any(|(own, _)| own == name);
    match names.iter().find(|name| !has(name)) {
        Some(name) => Err(form(name, part)),
        None => Ok(()),
    }
}

/// Returns the text of an id. In Godot 3 an id is a number, and the engine loads no file with
/// another id.
fn id_text(id: &str, part: &Part, dialect: Dialect) -> Result<String> {
    match (dialect.notation(), id.parse::<u32>()) {
        (Notation::Godot4, _) => Ok(name::quoted(id)),
        (_, Ok(number)) => Ok(number.to_string()),
        _ => Err(form(
            "a number that the file does not have as the id of a new resource of Godot 3",
            part,
        )),
    }
}

/// Returns the text of `attributes`, with a blank before each.
fn texts<'w>(
    attributes: impl IntoIterator<Item = &'w (String, Vec<u8>)>,
    part: &Part,
    dialect: Dialect,
) -> Result<String> {
    let mut all = String::new();
    for (name, value) in attributes {
        let value = stored(value, dialect, || format!("{name} of {}", part.place()))?;
        all += &format!(" {name}={value}");
    }
    Ok(all)
}

fn with_entries<'w>(
    header: String,
    entries: impl IntoIterator<Item = &'w (String, Vec<u8>)>,
    part: &Part,
    dialect: Dialect,
) -> Result<Vec<String>> {
    let mut lines = vec![header];
    for (name, value) in entries {
        let value = stored(value, dialect, || format!("{name} of {}", part.place()))?;
        let name = name::entry(entry_name(part, name, dialect));
        lines.push(format!("{name} = {value}"));
    }
    Ok(lines)
}
