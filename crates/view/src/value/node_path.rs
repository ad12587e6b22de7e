//! [`NodePathRef`]: a NodePath.

use core::iter::FusedIterator;

use gdvar_wire::{Kind, NODE_PATH_ABSOLUTE, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY};

use crate::{
    bytes::head::{self, BodyForm, Head, Padding},
    error::Error,
    options::ReadOptions,
    value::{packed::StringFields, string::StrRef, variant::VariantRef},
};

impl<'a> VariantRef<'a> {
    /// Returns the value as a NodePath, in O(1). `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_node_path(self) -> Option<NodePathRef<'a>> {
        let head = self.head_of(Kind::NodePath)?;
        Some(NodePathRef::new(self.bytes(), self.options(), head))
    }
}

/// A NodePath ([`docs/FORMAT.md` §4.5]), such as `/root/Level/Player:position:x`: names (`root`, `Level`,
/// `Player`), sub-names (`position`, `x`), and whether it is absolute.
///
/// Godot 2 also has an old format, in which the whole path is one text. All methods read both formats.
///
/// [`docs/FORMAT.md` §4.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#45-nodepath
#[derive(Clone, Copy, Debug)]
pub struct NodePathRef<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    head: Head,
}

impl<'a> NodePathRef<'a> {
    pub(crate) fn new(bytes: &'a [u8], options: ReadOptions, head: Head) -> NodePathRef<'a> {
        NodePathRef {
            bytes,
            options,
            head,
        }
    }

    fn word(self, at: usize) -> u32 {
        head::word(self.bytes, self.head.body + at).unwrap_or(0)
    }

    /// The whole path as one text, if it has the old format of Godot 2; `None` for every other path.
    #[must_use]
    pub fn old_text(self) -> Option<StrRef<'a>> {
        if self.head.form != BodyForm::Text {
            return None;
        }
        let at = self.head.body;
        let raw = self.bytes.get(at..at + self.head.count as usize);
        Some(StrRef::new(raw.unwrap_or_default(), at, self.options))
    }

    /// Returns `true` if the path is absolute: `/root/…`. This is what the bytes say; Godot 3 and Pandemonium
    /// ignore it if there are no names.
    #[must_use]
    pub fn is_absolute(self) -> bool {
        match self.old_text() {
            Some(text) => text.as_bytes().starts_with(b"/"),
            None => self.word(8) & NODE_PATH_ABSOLUTE != 0,
        }
    }

    /// Returns `true` if the path has the property flag of Godot 2: its last sub-name is a property.
    #[must_use]
    pub fn has_property_flag(self) -> bool {
        self.head.form == BodyForm::Names && self.word(8) & NODE_PATH_PROPERTY != 0
    }

    /// Returns the number of names, in O(1), or in O(n) for the old format.
    #[must_use]
    pub fn name_count(self) -> u32 {
        match self.old_text() {
            Some(text) => OldNames::new(text, self.options)
                .filter(|(_, sub)| !sub)
                .count() as u32,
            None => self.word(0) & !NODE_PATH_NEW_FORMAT,
        }
    }

    /// Returns the number of sub-names, the property of Godot 2 included, in O(1), or in O(n) for the old
    /// format.
    #[must_use]
    pub fn subname_count(self) -> u32 {
        match self.old_text() {
            Some(text) => OldNames::new(text, self.options)
                .filter(|(_, sub)| *sub)
                .count() as u32,
            None => self.head.count.saturating_sub(self.name_count()),
        }
    }

    /// Iterates over the names, then over the sub-names.
    #[must_use]
    pub fn parts(self) -> NameIter<'a> {
        if let Some(text) = self.old_text() {
            return NameIter(NameSource::Old(OldNames::new(text, self.options)));
        }
        NameIter(NameSource::Fields(StringFields {
            bytes: self.bytes,
            at: self.head.next,
            left: self.head.count,
            options: self.options,
        }))
    }

    /// Iterates over the names. An item is an error if the bytes are damaged there.
    pub fn names(self) -> impl Iterator<Item = Result<StrRef<'a>, Error>> {
        self.parts().take(self.name_count() as usize)
    }

    /// Iterates over the sub-names. An item is an error if the bytes are damaged there. The first call of
    /// `next` takes O(n), because it skips the names.
    pub fn subnames(self) -> impl Iterator<Item = Result<StrRef<'a>, Error>> {
        self.parts().skip(self.name_count() as usize)
    }
}

/// Iterates over the names and sub-names of a [`NodePathRef`]: made by [`NodePathRef::parts`]. After an
/// error it ends.
#[derive(Clone, Debug)]
pub struct NameIter<'a>(NameSource<'a>);

#[derive(Clone, Debug)]
enum NameSource<'a> {
    Fields(StringFields<'a>),
    Old(OldNames<'a>),
}

impl<'a> Iterator for NameIter<'a> {
    type Item = Result<StrRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            NameSource::Fields(fields) => fields.try_next(Padding::Name).transpose(),
            NameSource::Old(names) => names.next().map(|(name, _)| Ok(name)),
        }
    }

    /// The lower bound is at most 1, because an error can end the iteration early.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            NameSource::Fields(fields) => fields.size_hint(),
            // A name and its separator take at least two bytes.
            NameSource::Old(names) => (0, Some(names.rest.len().div_ceil(2))),
        }
    }
}

impl FusedIterator for NameIter<'_> {}

/// Splits a path in the old format as Godot 2 does: names between slashes; after the first colon sub-names
/// between colons. Empty names are dropped.
#[derive(Clone, Debug)]
struct OldNames<'a> {
    rest: &'a [u8],
    offset: usize,
    in_subnames: bool,
    options: ReadOptions,
}

impl<'a> OldNames<'a> {
    fn new(text: StrRef<'a>, options: ReadOptions) -> OldNames<'a> {
        OldNames {
            rest: text.as_bytes(),
            offset: text.text_offset(),
            in_subnames: false,
            options,
        }
    }
}

impl<'a> Iterator for OldNames<'a> {
    /// A name, and `true` if it is a sub-name.
    type Item = (StrRef<'a>, bool);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let in_subnames = self.in_subnames;
            let ends = |&byte: &u8| byte == b':' || (byte == b'/' && !in_subnames);
            let len = self.rest.iter().position(ends).unwrap_or(self.rest.len());
            let (name, rest) = self.rest.split_at_checked(len)?;
            let start = self.offset;
            self.in_subnames |= rest.first() == Some(&b':');
            self.rest = rest.get(1..).unwrap_or_default();
            self.offset += len + 1;
            if !name.is_empty() {
                return Some((StrRef::piece(name, start, self.options), in_subnames));
            }
        }
        None
    }
}
