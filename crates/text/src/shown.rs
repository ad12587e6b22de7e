//! [`Shown`]: a value as the engine holds it after decoding, which is what it prints.

use gdvar_view::Kind;
use gdvar_write::Precision;

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
    /// Decodes a value as an engine with single precision does.
    pub(crate) fn of(item: Item<'a>) -> Shown<'a> {
        Shown::in_precision(item, Precision::Single)
    }

    /// Decodes a value as an engine with this precision does.
    pub(crate) fn in_precision(item: Item<'a>, precision: Precision) -> Shown<'a> {
        match (item.value.has_children(), precision) {
            (true, _) => Shown::Tree(item),
            (false, Precision::Single) => Shown::Leaf(Leaf::of(item.value).narrowed()),
            (false, Precision::Double | Precision::AsGiven) => Shown::Leaf(Leaf::of(item.value)),
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
