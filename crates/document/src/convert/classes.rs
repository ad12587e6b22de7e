//! The classes of Godot 3 that Godot 4 does not have.

use std::collections::HashMap;

/// Each line has a class of Godot 3.6.2, and the class that Godot 4.6.3 makes of it, if it makes
/// any. From `testdata/oracle/classes3.gd` and `classes4.gd`.
const CLASSES: &str = include_str!("classes.txt");

/// The classes of Godot 3 that Godot 4 does not have, with what it makes of them.
pub(super) struct Classes(HashMap<&'static str, Option<&'static str>>);

impl Classes {
    pub(super) fn new() -> Classes {
        let line = |line: &'static str| match line.split_once(' ') {
            Some((old, new)) => (old, Some(new)),
            None => (line, None),
        };
        Classes(CLASSES.lines().map(line).collect())
    }

    /// Returns `Some` for a class that Godot 4 does not have, with the class that it makes instead, if any.
    pub(super) fn get(&self, class: &str) -> Option<Option<&'static str>> {
        self.0.get(class).copied()
    }
}
