//! [`PathBuilder`]: the path of the current value during a walk, as text.

use gdvar_view::{Kind, Step};

use crate::container::Name;

/// The path of the current value. Steps are appended and removed as the walk goes down and up.
#[derive(Clone, Debug)]
pub(crate) struct PathBuilder(String);

impl PathBuilder {
    pub(crate) fn new() -> PathBuilder {
        PathBuilder("$".to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Appends the step that leads to child `nth`.
    pub(crate) fn push(&mut self, name: Name<'_>, nth: usize) {
        self.push_step(&step(name, nth));
    }

    pub(crate) fn push_step(&mut self, step: &str) {
        self.0 += step;
    }

    /// Returns the path of child `nth`, and leaves the builder unchanged.
    pub(crate) fn with(&self, name: Name<'_>, nth: usize) -> String {
        self.0.clone() + &step(name, nth)
    }
}

/// Returns the step to a child: by name if a path can express that, otherwise by index.
pub(crate) fn step(name: Name<'_>, nth: usize) -> String {
    let pair = Step::PairValue(u32::try_from(nth).unwrap_or(u32::MAX));
    let text = match name {
        Name::Place => return format!("[{nth}]"),
        Name::Property(name) => name,
        Name::Key(key) => match (key.kind(), key.as_text()) {
            (Kind::Int, _) => {
                let int = key.as_i64().map(Step::Index);
                return int.unwrap_or(pair).to_string();
            }
            (Kind::StringName, _) if !key.dialect().string_names_equal_strings() => {
                return pair.to_string();
            }
            (_, Some(text)) => text,
            _ => return pair.to_string(),
        },
    };
    // Leaves out a text that the engine reads differently, and a text with control characters.
    let is_plain = |text: &&str| text.len() == text_len(name) && !text.contains(char::is_control);
    match text.to_str().ok().filter(is_plain) {
        Some(text) => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            Step::Name(&escaped).to_string()
        }
        None => pair.to_string(),
    }
}

fn text_len(name: Name<'_>) -> usize {
    match name {
        Name::Key(key) => key.as_text().map_or(0, |text| text.raw().len()),
        Name::Property(name) => name.raw().len(),
        Name::Place => 0,
    }
}
