//! What one form of a resource has and the other form cannot hold.

use std::fmt;

/// Something that one form of a resource has and the other form cannot hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormLoss {
    /// The types of this many arrays and dictionaries. A binary file does not store them: the script of the
    /// resource declares them.
    Types(u64),
    /// The ids of this many resources in other files. A binary file identifies these by their place in a
    /// table.
    ExternalIds(u64),
    /// Comments, which a binary file cannot hold.
    Comments,
    /// The attribute with this name in a tag.
    Attribute(String),
    /// The property with this name of the scene itself. A text only has properties of nodes.
    Property(String),
    /// The paths of this many resources that were bundled into the file. A text only has ids.
    Paths(u64),
    /// This many RIDs. The engine reads a number in place of each.
    Rids(u64),
}

impl FormLoss {
    /// Returns the name without numbers: `Types`. The name is stable, so programs can rely on it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            FormLoss::Types(_) => "Types",
            FormLoss::ExternalIds(_) => "ExternalIds",
            FormLoss::Comments => "Comments",
            FormLoss::Attribute(_) => "Attribute",
            FormLoss::Property(_) => "Property",
            FormLoss::Paths(_) => "Paths",
            FormLoss::Rids(_) => "Rids",
        }
    }

    /// Returns `false` for [`FormLoss::ExternalIds`]: nothing is missing, because the other form has numbers in place
    /// of the ids.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        !matches!(self, FormLoss::ExternalIds(_))
    }

    /// Returns how many things of this kind are lost; 1 for comments, an attribute or a property.
    #[must_use]
    pub const fn count(&self) -> u64 {
        match self {
            FormLoss::Types(count)
            | FormLoss::ExternalIds(count)
            | FormLoss::Paths(count)
            | FormLoss::Rids(count) => *count,
            FormLoss::Comments | FormLoss::Attribute(_) | FormLoss::Property(_) => 1,
        }
    }
}

impl fmt::Display for FormLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormLoss::Types(count) => write!(
                f,
                "the types of arrays and dictionaries ({count}): a binary resource does not store them, the script declares them"
            ),
            FormLoss::ExternalIds(count) => write!(
                f,
                "the ids of resources in other files ({count}): a binary resource has numbers instead"
            ),
            FormLoss::Comments => f.write_str("comments: a binary resource has none"),
            FormLoss::Attribute(name) => {
                write!(
                    f,
                    "the attribute {name}: a binary resource has no place for it"
                )
            }
            FormLoss::Property(name) => {
                write!(
                    f,
                    "the property {name} of the scene itself: a text has only nodes"
                )
            }
            FormLoss::Paths(count) => write!(
                f,
                "the paths of bundled resources ({count}): a text has only their ids"
            ),
            FormLoss::Rids(count) => write!(
                f,
                "RIDs ({count}): the engine reads a number where a binary resource has one"
            ),
        }
    }
}
