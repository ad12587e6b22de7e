//! [`SortKey`]: the form by which keys are sorted and searched.

use gdvar_wire::{Dialect, Kind};

use crate::{value::variant::VariantRef, walk::keys::digest::Digests};

/// The form of a key by which keys are sorted and searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SortKey<'a> {
    /// A String, or a StringName if the dialect takes both for one key.
    Text(&'a [u8]),
    /// An int of either width.
    Int(i64),
    /// The hash of any other key. Equal keys have equal hashes.
    Hash(u64),
}

impl<'a> SortKey<'a> {
    /// Returns the form of `key` for dictionaries of `dialect`. Takes O(n) in the size of the key.
    #[inline]
    pub(crate) fn of(key: VariantRef<'a>, dialect: Dialect) -> SortKey<'a> {
        SortKey::by(key, dialect, &mut Digests::default())
    }

    /// [`SortKey::of`], but `digests` may have the hash already.
    #[inline]
    pub(crate) fn by(key: VariantRef<'a>, dialect: Dialect, digests: &mut Digests) -> SortKey<'a> {
        match key.kind() {
            Kind::Int => key.as_i64().map(SortKey::Int),
            Kind::StringName if !dialect.string_names_equal_strings() => None,
            _ => key.as_text().map(|text| SortKey::Text(text.as_bytes())),
        }
        .unwrap_or_else(|| SortKey::Hash(digests.of(key)))
    }
}
