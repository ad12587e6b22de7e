//! What a document consists of: sections and entries, each with its place in the text.

use std::{borrow::Cow, ops::Range};

/// A section: its header, and the entries up to the next header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// In a ConfigFile the name of the section, empty for the entries before all headers. In a resource or
    /// scene the word after the `[`, such as `sub_resource`.
    pub name: Cow<'a, str>,
    /// The place of the header, from its `[` to after its `]`. Empty if there is none.
    pub header: Range<usize>,
    /// The attributes in the header of a resource or scene, such as `type` and `id`.
    pub attributes: Vec<Entry<'a>>,
    /// The entries.
    pub entries: Vec<Entry<'a>>,
}

/// An entry or attribute: `name=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// The name as the engine reads it.
    pub name: Cow<'a, str>,
    /// The place of the name.
    pub name_at: Range<usize>,
    /// The value, encoded in the dialect of the document. A reference to a resource is an inert object.
    pub value: Vec<u8>,
    /// The place of the value.
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
