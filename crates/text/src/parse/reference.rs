//! The form in which a reference to a resource is stored as the element type of a container.

/// What the path of such a type begins with. Readers take no other path of a script than one in `res://`, and no file
/// has this one.
const START: &str = "res://::";

/// Returns the script path that represents a reference: `res://::ExtResource("1_a")`.
pub(crate) fn type_path(name: &str, id: &str) -> String {
    format!("{START}{name}(\"{id}\")")
}

/// Returns the class and the id of a path that [`type_path`] made. `None` for all other paths.
pub(crate) fn of_type_path(path: &str) -> Option<(&str, &str)> {
    let (name, rest) = path.strip_prefix(START)?.split_once("(\"")?;
    let is_reference = matches!(name, "ExtResource" | "SubResource");
    let id = rest.strip_suffix("\")")?;
    is_reference.then_some((name, id))
}
