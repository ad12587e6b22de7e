//! The form in which a reference to a resource is stored as the element type of a container.

/// Returns the script path that represents a reference, such as `ExtResource("1_a")`.
pub(crate) fn type_path(name: &str, id: &str) -> String {
    format!("{name}(\"{id}\")")
}

/// Returns the class and the id of a path that [`type_path`] made. `None` for all other paths.
pub(crate) fn of_type_path(path: &str) -> Option<(&str, &str)> {
    let (name, rest) = path.split_once("(\"")?;
    let is_reference = matches!(name, "ExtResource" | "SubResource");
    let id = rest.strip_suffix("\")")?;
    is_reference.then_some((name, id))
}
