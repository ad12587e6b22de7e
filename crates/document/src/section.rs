//! [`Section`] and [`Entry`]: the parts of a document, with their positions in the text.

use std::{borrow::Cow, ops::Range};

/// A section: a header, and the entries up to the next header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// In a ConfigFile the name of the section, which is empty for the entries before the first header. In
    /// a resource or scene the word after the `[`, such as `sub_resource`.
    pub name: Cow<'a, str>,
    /// The range of the header, from its `[` to after its `]`. Empty if there is no header.
    pub header: Range<usize>,
    /// The attributes in the header of a resource or scene, such as `type` and `id`.
    pub attributes: Vec<Entry<'a>>,
    /// The entries in the order of the text.
    pub entries: Vec<Entry<'a>>,
}

/// An entry or attribute: `name=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// The name as the engine reads it.
    pub name: Cow<'a, str>,
    /// The range of the name in the text.
    pub name_at: Range<usize>,
    /// The value, encoded in the dialect of the document. A reference to a resource is an inert object.
    pub value: Vec<u8>,
    /// The range of the value in the text.
    pub value_at: Range<usize>,
}

impl Section<'_> {
    pub(crate) fn new<'a>(name: Cow<'a, str>, header: Range<usize>) -> Section<'a> {
        Section {
            name,
            header,
            attributes: Vec::new(),
            entries: Vec::new(),
        }
    }
}

impl Entry<'_> {
    /// Returns `true` if the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.value.first() == Some(&0)
    }
}
