//! [`Indexed`]: a value together with the index that knows its children.

use core::ops::Deref;

use gdvar_wire::{Body, Kind};

use super::slots::{Index, Slot};
use crate::{
    bytes::head,
    document::Document,
    error::{Error, ErrorKind},
    options::ReadOptions,
    path::{Path, quote::same_name, step::Step},
    value::{array::ArrayRef, dict::DictRef, object::ObjectRef, variant::VariantRef},
};

/// A value with the [`Index`] of its children. [`Index::open`] returns the outermost one. An `Indexed` has all
/// methods of the value that it wraps. Its own methods return children without a `Result`, and find a child by
/// its position in O(1).
#[derive(Clone, Copy, Debug)]
pub struct Indexed<'i, T> {
    inner: T,
    pub(super) index: &'i Index,
    /// [`Slot::group`] of the value.
    pub(super) group: usize,
}

impl<'i, T> Indexed<'i, T> {
    #[inline(always)]
    pub(super) fn new(inner: T, index: &'i Index, group: usize) -> Indexed<'i, T> {
        Indexed {
            inner,
            index,
            group,
        }
    }

    /// Returns the value without the index.
    pub fn into_inner(self) -> T {
        self.inner
    }

    /// Returns the slots of the value's children.
    #[inline(always)]
    pub(super) fn children(&self) -> &'i [Slot] {
        self.index.children(self.group)
    }
}

impl<T> Deref for Indexed<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl Index {
    /// Returns the outermost value of the document that the index was built from, in O(1).
    ///
    /// Only the options and the length of the document are compared, not its bytes. Other bytes are read as wrong
    /// values, and nothing worse happens.
    ///
    /// # Errors
    /// Returns [`ForeignIndex`](ErrorKind::ForeignIndex) if the length or the options of `document` differ.
    pub fn open<'i, 'a>(
        &'i self,
        document: Document<'a>,
    ) -> Result<Indexed<'i, VariantRef<'a>>, Error> {
        if document.options() != self.options || document.bytes().len() != self.len {
            return Err(Error::new(0, ErrorKind::ForeignIndex));
        }
        let group = self.slots.first().map_or(0, |slot| slot.group());
        Ok(Indexed::new(document.root()?, self, group))
    }

    /// Returns the value of `slot`, a child of `owner`, with this index.
    #[inline(always)]
    pub(super) fn child<'a>(
        &self,
        owner: VariantRef<'a>,
        slot: Slot,
    ) -> Indexed<'_, VariantRef<'a>> {
        Indexed::new(self.value(owner, slot), self, slot.group())
    }

    /// Returns the value of `slot`, a child of `owner`, without the index. The document was validated, so only
    /// the header of the value is read.
    #[inline(always)]
    pub(super) fn value<'a>(&self, owner: VariantRef<'a>, slot: Slot) -> VariantRef<'a> {
        let (bytes, options) = (owner.bytes(), owner.options());
        let (at, depth) = (slot.at as usize, owner.depth().saturating_add(1));
        let header = bytes.get(at..).and_then(<[u8]>::first_chunk);
        let header = header.map_or(0, |raw| u32::from_le_bytes(*raw));
        let plain = options.dialect().plain(header);
        let known = if plain.body == Body::Rare || options.wants_checked_steps() {
            rare(bytes, at, options, depth)
        } else {
            (plain.kind, plain.wide)
        };
        VariantRef::known(bytes, at, options, depth, known)
    }
}

/// Returns the kind and the width of a value whose header is not plain. The whole value would have to be
/// returned through memory.
#[inline(never)]
fn rare(bytes: &[u8], at: usize, options: ReadOptions, depth: u16) -> (Kind, bool) {
    // An error means that the index belongs to other bytes.
    let head = head::any_head(bytes, at, options, depth);
    head.map_or((Kind::Nil, false), |head| (head.kind, head.wide))
}

impl<'i, 'a> Indexed<'i, VariantRef<'a>> {
    #[inline(always)]
    fn with<T>(self, inner: T) -> Indexed<'i, T> {
        Indexed::new(inner, self.index, self.group)
    }

    /// Like [`VariantRef::as_array`].
    #[inline]
    #[must_use]
    pub fn as_array(self) -> Option<Indexed<'i, ArrayRef<'a>>> {
        self.inner.as_array().map(|array| self.with(array))
    }

    /// Like [`VariantRef::as_dict`].
    #[inline]
    #[must_use]
    pub fn as_dict(self) -> Option<Indexed<'i, DictRef<'a>>> {
        self.inner.as_dict().map(|dict| self.with(dict))
    }

    /// Like [`VariantRef::as_object`].
    #[must_use]
    pub fn as_object(self) -> Option<Indexed<'i, ObjectRef<'a>>> {
        self.inner.as_object().map(|object| self.with(object))
    }

    /// Like [`VariantRef::get_path`], with one look-up a step.
    #[must_use]
    pub fn get_path(self, path: &Path<'_>) -> Option<Self> {
        let mut steps = path.steps().iter();
        steps.try_fold(self, |value, step| value.take_step(*step))
    }

    /// Like [`VariantRef::take_step`].
    #[must_use]
    pub fn take_step(self, step: Step<'_>) -> Option<Self> {
        if let Some(array) = self.as_array() {
            let Step::Index(index) = step else {
                return None;
            };
            let from_end = if index < 0 { array.len() as i64 } else { 0 };
            return array.get(usize::try_from(index + from_end).ok()?);
        }
        if let Some(dict) = self.as_dict() {
            return match step {
                Step::Index(index) => dict.get_int(index),
                Step::PairValue(n) => Some(dict.pair(n as usize)?.1),
                Step::PairKey(n) => Some(dict.pair(n as usize)?.0),
                Step::Name(name) if !name.contains('\\') => dict.get(name),
                step => dict.find_last(|key| step.is_key(key) && step.goes_first(key)),
            }
            .or_else(|| {
                let has_second = step.has_second_keys(self.inner.dialect());
                has_second.then(|| dict.find_last(|key| step.is_key(key)))?
            });
        }
        let (Some(object), Step::Name(name)) = (self.as_object(), step) else {
            return None;
        };
        let named = object
            .iter()
            .filter(|(own, _)| same_name(name, own.as_bytes()));
        named.last().map(|(_, value)| value)
    }
}
