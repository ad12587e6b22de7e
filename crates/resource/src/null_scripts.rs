//! Adds and drops scripts that are null. Godot 4 writes one for nearly every resource of a binary file, and none into
//! a text.

use crate::parts::{Parts, Property};

/// The property that holds the script of a resource.
const SCRIPT: &str = "script";

/// The prefix of the properties that come after the script.
const METADATA: &str = "metadata/";

/// A null in encoded form.
const NULL: [u8; 4] = [0; 4];

impl Parts {
    /// Drops each property `script` that is null. Godot 4 writes none of these into a text.
    pub fn drop_null_scripts(&mut self) {
        let is_null = |one: &Property| one.name == SCRIPT && one.value == NULL;
        for part in &mut self.all {
            part.properties.retain(|property| !is_null(property));
        }
    }

    /// Gives each resource without a script a null one, in the position where Godot 4 writes it in
    /// binary files: after the properties of its class, before its metadata. Resources that are
    /// scripts get none.
    pub(crate) fn add_null_scripts(&mut self) {
        for part in &mut self.all {
            let properties = &mut part.properties;
            let has_script = properties.iter().any(|property| property.name == SCRIPT);
            if has_script || part.class.ends_with("Script") {
                continue;
            }
            let metadata = { properties.iter() }.position(|one| one.name.starts_with(METADATA));
            let script = Property {
                name: SCRIPT.to_owned(),
                value: NULL.to_vec(),
                has_references: false,
            };
            properties.insert(metadata.unwrap_or(properties.len()), script);
        }
    }
}
