//! [`Shown`]: a value as the engine holds it after decoding, which is what it prints.

use gdvar_view::Kind;

use crate::{leaf::Leaf, outline::Item};

/// A value as the engine holds it.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'a> {
    Leaf(Leaf<'a>),
    /// An Array, a Dictionary or a whole object.
    Tree(Item<'a>),
    /// An Array that was converted to a packed array of this kind.
    PackedFrom(Kind, Item<'a>),
}

impl<'a> Shown<'a> {
    pub(crate) fn of(item: Item<'a>) -> Shown<'a> {
        if item.value.has_children() {
            Shown::Tree(item)
        } else {
            Shown::Leaf(Leaf::of(item.value).narrowed())
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Shown::Leaf(leaf) => leaf.kind(),
            Shown::Tree(item) => item.value.kind(),
            Shown::PackedFrom(kind, _) => *kind,
        }
    }
}
