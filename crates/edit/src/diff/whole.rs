//! [`Whole`]: a child together with its bytes.

use gdvar_view::{Error, VariantRef};

use crate::container::{Child, ChildIter, Container, Name};

/// A child together with its bytes, so that its end is known without another walk.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    pub(super) child: Child<'a>,
    /// The bytes of the key or name and of the value.
    bytes: &'a [u8],
}

impl<'a> Whole<'a> {
    /// Creates the root. Walks the value once to find its end.
    pub(super) fn root(value: VariantRef<'a>) -> Result<Whole<'a>, Error> {
        let name = Name::Place;
        let bytes = value.raw()?;
        let child = Child { name, value };
        Ok(Whole { child, bytes })
    }

    /// Returns the bytes of the key or name, with its length and padding, and the bytes of the value.
    pub(super) fn parts(self) -> (&'a [u8], &'a [u8]) {
        let name_len = self.child.value.offset() - self.child.start();
        self.bytes.split_at(name_len.min(self.bytes.len()))
    }

    /// Returns the bytes of the value.
    pub(super) fn raw(self) -> &'a [u8] {
        self.parts().1
    }

    /// Returns the bytes of the key, or the text of the name.
    pub(super) fn name_raw(self) -> &'a [u8] {
        match self.child.name {
            Name::Property(name) => name.raw(),
            Name::Place | Name::Key(_) => self.parts().0,
        }
    }

    /// Returns `true` if both values have the same bytes and the same dialect.
    pub(super) fn is_same(self, other: Whole<'_>) -> bool {
        self.child.value.dialect() == other.child.value.dialect() && self.raw() == other.raw()
    }

    /// Iterates over the children of this value, which is `container`.
    pub(super) fn children(self, container: Container<'a>) -> Result<WholeIter<'a>, Error> {
        let mut children = container.children();
        Ok(WholeIter {
            next: children.try_next()?,
            children,
            around: self,
        })
    }
}

/// Iterates over children. Each ends where the next one starts, so one walk finds all ends.
pub(super) struct WholeIter<'a> {
    children: ChildIter<'a>,
    next: Option<Child<'a>>,
    /// The container of the children.
    around: Whole<'a>,
}

impl<'a> WholeIter<'a> {
    pub(super) fn try_next(&mut self) -> Result<Option<Whole<'a>>, Error> {
        let Some(child) = self.next.take() else {
            return Ok(None);
        };
        self.next = self.children.try_next()?;
        let (around, first) = (self.around.raw(), self.around.child.value.offset());
        let end = self.next.map_or(around.len(), |next| next.start() - first);
        let bytes = around.get(child.start() - first..end).unwrap_or_default();
        Ok(Some(Whole { child, bytes }))
    }

    /// Returns `first` and all children after the current position.
    pub(super) fn rest(mut self, first: Option<Whole<'a>>) -> Result<Vec<Whole<'a>>, Error> {
        let mut all = Vec::from_iter(first);
        while let Some(one) = self.try_next()? {
            all.push(one);
        }
        Ok(all)
    }
}
