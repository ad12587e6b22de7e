//! What a conversion changed in a document or left to do, and why a document is not converted.

use std::{collections::HashMap, fmt};

use gdvar_text::line_and_column;
use gdvar_view::{Dialect, Kind};
use gdvar_write::Loss;

use crate::{replace::ReplaceError, section::Entry};

/// A change that was made or is left to do: how often, and where it occurs first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextChange {
    /// The kind of the change.
    pub kind: TextChangeKind,
    /// How often the change occurs.
    pub count: u64,
    /// The line of the first entry or attribute with this change, counted from 1.
    pub line: u32,
    /// The name of that entry or attribute.
    pub name: String,
}

/// The kinds of changes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TextChangeKind {
    /// Values of this kind changed, because the other engine lacks it.
    Value {
        /// The way in which they changed.
        loss: Loss,
        /// Their kind in the old text.
        kind: Kind,
    },
    /// Godot 4 has no class of this name, and reads it as another class.
    ClassRenamed {
        /// The class in the text.
        old: String,
        /// The class that the engine makes.
        new: &'static str,
    },
    /// Godot 4 has no class of this name.
    ClassMissing(String),
    /// Values contain whole objects of this class. The properties of the objects keep their names.
    ObjectNames(String),
    /// There are properties of resources and nodes. They keep their names.
    PropertyNames,
    /// `__meta__` became `metadata/…`.
    Metadata,
    /// Metadata with a name that Godot 4 does not allow is left out.
    MetadataName,
    /// Comments inside a value are lost, because the value was written again.
    Comments,
    /// Values of this kind of Godot 3 contain a NaN. Godot 3.2 refuses a file with one of them, and 3.6 reads it.
    NotANumber(Kind),
}

impl TextChangeKind {
    /// Returns the name of the variant without its fields, such as `ClassMissing`. The name is
    /// stable, so programs can rely on it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            TextChangeKind::Value { .. } => "Value",
            TextChangeKind::ClassRenamed { .. } => "ClassRenamed",
            TextChangeKind::ClassMissing(_) => "ClassMissing",
            TextChangeKind::ObjectNames(_) => "ObjectNames",
            TextChangeKind::PropertyNames => "PropertyNames",
            TextChangeKind::Metadata => "Metadata",
            TextChangeKind::MetadataName => "MetadataName",
            TextChangeKind::Comments => "Comments",
            TextChangeKind::NotANumber(_) => "NotANumber",
        }
    }

    /// Returns `true` if something is missing for the other engine.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        match self {
            TextChangeKind::Value { loss, .. } => loss.is_lost(),
            TextChangeKind::ClassMissing(_)
            | TextChangeKind::MetadataName
            | TextChangeKind::Comments
            | TextChangeKind::NotANumber(_) => true,
            _ => false,
        }
    }
}

impl fmt::Display for TextChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextChangeKind::Value { loss, kind } => write!(f, "{kind} {loss}"),
            TextChangeKind::ClassRenamed { old, new } => {
                write!(f, "class {old}, which Godot 4 reads as {new}")
            }
            TextChangeKind::ClassMissing(class) => {
                write!(f, "class {class}, which Godot 4 does not have")
            }
            TextChangeKind::ObjectNames(class) => write!(
                f,
                "object of class {class}, whose properties keep the names of the other engine"
            ),
            TextChangeKind::PropertyNames => f.write_str(
                "property with its name of Godot 3; the project converter of Godot 4 knows the new names",
            ),
            TextChangeKind::Metadata => f.write_str("__meta__ became metadata/…"),
            TextChangeKind::MetadataName => {
                f.write_str("name of metadata that Godot 4 does not allow, left out")
            }
            TextChangeKind::Comments => f.write_str("value with comments inside, which are left out"),
            TextChangeKind::NotANumber(kind) => write!(
                f,
                "{kind} with nan, for which Godot 3.2 refuses the whole file; Godot 3.6 reads it"
            ),
        }
    }
}

/// The changes of a document, each kind once.
pub(super) struct Changes<'t> {
    text: &'t str,
    places: HashMap<TextChangeKind, usize>,
    changes: Vec<(TextChangeKind, u64, usize, String)>,
}

impl<'t> Changes<'t> {
    pub(super) fn new(text: &'t str) -> Changes<'t> {
        Changes {
            text,
            places: HashMap::new(),
            changes: Vec::new(),
        }
    }

    /// Counts a change of an entry.
    pub(super) fn add(&mut self, kind: TextChangeKind, entry: &Entry<'_>) {
        self.add_times(kind, entry, 1);
    }

    /// Counts `count` changes of an entry.
    pub(super) fn add_times(&mut self, kind: TextChangeKind, entry: &Entry<'_>, count: u64) {
        let next = self.changes.len();
        let place = *self.places.entry(kind.clone()).or_insert(next);
        if place == next {
            let name = entry.name.to_string();
            self.changes.push((kind, 0, entry.name_at.start, name));
        }
        self.changes[place].1 += count;
    }

    /// Returns all changes, in the order in which they came first.
    pub(super) fn finish(self) -> Vec<TextChange> {
        let text = self.text.as_bytes();
        let changes = self.changes.into_iter();
        changes
            .map(|(kind, count, at, name)| TextChange {
                kind,
                count,
                line: line_and_column(text, at).0,
                name,
            })
            .collect()
    }
}

/// The reason why a document is not converted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ConvertTextError {
    /// Text documents are converted between Godot 3 and 4 only. The engines are the old and the new one.
    Engines(Dialect, Dialect),
    /// A resource or scene of Godot 4 is not converted for Godot 3.
    ForwardOnly,
    /// `project.godot`, the settings of a project, is not converted.
    Project,
    /// A value or name that the other engine's text cannot express.
    Text(ReplaceError),
}

impl From<ReplaceError> for ConvertTextError {
    fn from(error: ReplaceError) -> ConvertTextError {
        ConvertTextError::Text(error)
    }
}

impl From<gdvar_view::Error> for ConvertTextError {
    fn from(error: gdvar_view::Error) -> ConvertTextError {
        ConvertTextError::Text(ReplaceError::Read(error))
    }
}

impl fmt::Display for ConvertTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertTextError::Engines(from, to) => write!(
                f,
                "a text document is converted between Godot 3 and Godot 4, this is one of {} for {}; add --plain for its values as binary data",
                from.title(),
                to.title()
            ),
            ConvertTextError::ForwardOnly => f.write_str(
                "a resource or scene of Godot 4 is not converted for Godot 3, which lacks most of its classes and properties; save it with Godot 3",
            ),
            ConvertTextError::Project => f.write_str(
                "Godot 4 has other names for many settings of a project, and its own project converter knows them: open the project in Godot 4, or run godot --convert-3to4 in its folder",
            ),
            ConvertTextError::Text(error) => {
                write!(f, "{error} for the other engine; change or delete it")
            }
        }
    }
}

impl std::error::Error for ConvertTextError {}
