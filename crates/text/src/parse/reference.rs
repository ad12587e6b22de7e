//! The form in which a reference to a resource is stored as the element type of a container.

/// The prefix of the script path that means a reference to a resource. It begins with
/// `res://`, because readers that allow objects refuse all other script paths. No file has such a
/// path.
const START: &str = "res://::";

/// Returns the script path that represents a reference: `res://::ExtResource("1_a")`.
pub(crate) fn type_path(name: &str, id: &str) -> String {
    format!("{START}{name}(\"{id}\")")
}

/// Returns the class and the id in the script path of a type that is a reference to a resource, as
/// [`ParseOptions::with_references`](crate::ParseOptions::with_references) keeps it. `None` for all other paths.
///
/// ```
/// use gdvar_text::type_reference;
/// assert_eq!(type_reference("res://::ExtResource(\"1_a\")"), Some(("ExtResource", "1_a")));
/// assert_eq!(type_reference("res://item.gd"), None);
/// ```
#[must_use]
pub fn type_reference(path: &str) -> Option<(&str, &str)> {
    let (name, rest) = path.strip_prefix(START)?.split_once("(\"")?;
    let is_reference = matches!(name, "ExtResource" | "SubResource");
    let id = rest.strip_suffix("\")")?;
    is_reference.then_some((name, id))
}
