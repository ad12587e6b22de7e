//! NodePath: names, sub-names and whether it is absolute.

use gdvar_wire::{NODE_PATH_ABSOLUTE, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY};

use crate::{
    cursor::{self, Form, Head, Padding},
    error::Error,
    options::ReadOptions,
    packed::Fields,
    text::StrRef,
};

/// A NodePath (`docs/FORMAT.md` §4.5).
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
        cursor::word(self.bytes, self.head.body + at).unwrap_or(0)
    }

    /// Godot 2's old format: the whole path as one text. Then there are no separate names.
    #[must_use]
    pub fn old_text(self) -> Option<StrRef<'a>> {
        if self.head.form != Form::Text {
            return None;
        }
        let at = self.head.body;
        let raw = self.bytes.get(at..at + self.head.count as usize);
        Some(StrRef::new(raw.unwrap_or_default(), at, self.options))
    }

    /// Whether it begins at the root: `/root/…`. The bit as it stands there; Godot 3 and
    /// Pandemonium forget it where there are no names.
    #[must_use]
    pub fn is_absolute(self) -> bool {
        match self.old_text() {
            Some(text) => text.as_bytes().starts_with(b"/"),
            None => self.word(8) & NODE_PATH_ABSOLUTE != 0,
        }
    }

    /// Whether the last sub-name is a property set apart by the flag of Godot 2.
    #[must_use]
    pub fn has_property_flag(self) -> bool {
        self.head.form == Form::Names && self.word(8) & NODE_PATH_PROPERTY != 0
    }

    /// How many names.
    #[must_use]
    pub fn name_count(self) -> u32 {
        match self.head.form {
            Form::Names => self.word(0) & !NODE_PATH_NEW_FORMAT,
            _ => 0,
        }
    }

    /// How many sub-names, the property of Godot 2 included.
    #[must_use]
    pub fn subname_count(self) -> u32 {
        match self.head.form {
            Form::Names => self.head.count - self.name_count().min(self.head.count),
            _ => 0,
        }
    }

    /// The names, then the sub-names: [`NodePathRef::name_count`] and
    /// [`NodePathRef::subname_count`] of them. None in the old format.
    #[must_use]
    pub fn parts(self) -> NameIter<'a> {
        let left = match self.head.form {
            Form::Names => self.head.count,
            _ => 0,
        };
        NameIter(Fields {
            bytes: self.bytes,
            at: self.head.next,
            left,
            options: self.options,
        })
    }

    /// The names.
    pub fn names(self) -> impl Iterator<Item = Result<StrRef<'a>, Error>> {
        self.parts().take(self.name_count() as usize)
    }

    /// The sub-names; the names are passed first.
    pub fn subnames(self) -> impl Iterator<Item = Result<StrRef<'a>, Error>> {
        self.parts().skip(self.name_count() as usize)
    }
}

/// Names of a [`NodePathRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct NameIter<'a>(Fields<'a>);

impl<'a> Iterator for NameIter<'a> {
    type Item = Result<StrRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.try_next(Padding::Name).transpose()
    }
}
