//! Reads the elements of packed arrays.

use gdvar_view::{Kind, PackedStringIter, PackedStrings, VariantRef};
use serde_core::de::{DeserializeSeed, SeqAccess};

use super::{
    borrowed,
    numbers::{self, Element, NumberForm, Numbers},
};
use crate::Error;

/// The texts of a PackedStringArray.
pub(super) struct Texts<'de>(PackedStringIter<'de>, usize);

impl<'de> Texts<'de> {
    pub(super) fn new(texts: PackedStrings<'de>) -> Texts<'de> {
        Texts(texts.iter(), texts.len())
    }
}

impl<'de> SeqAccess<'de> for Texts<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(text) = self.0.try_next()? else {
            return Ok(None);
        };
        self.1 = self.1.saturating_sub(1);
        let value = seed.deserialize(borrowed(text.with_mark().to_str()?));
        value.map(Some).map_err(|error| error.or_at(text.offset()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.1)
    }
}

/// The elements of a packed array.
pub(super) struct Elements<'de> {
    bytes: &'de [u8],
    form: NumberForm,
    /// The kind of the vectors, or `None` if the elements are numbers. `size` is an element's size
    /// in bytes.
    kind: Option<Kind>,
    size: usize,
    total: usize,
}

impl<'de> Elements<'de> {
    pub(super) fn of(value: VariantRef<'de>) -> Option<Elements<'de>> {
        let (bytes, form) = numbers::packed(value)?;
        let kind = numbers::element(value.kind());
        let size = form.size() * kind.map_or(1, |(_, numbers)| numbers);
        Some(Elements {
            bytes,
            form,
            kind: kind.map(|(kind, _)| kind),
            size,
            total: bytes.len() / size,
        })
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() / self.size
    }

    pub(super) fn total(&self) -> usize {
        self.total
    }
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((element, rest)) = self.bytes.split_at_checked(self.size) else {
            return Ok(None);
        };
        if element.is_empty() {
            return Ok(None);
        }
        self.bytes = rest;
        let numbers = Numbers::new(element, self.form);
        match self.kind {
            None => seed.deserialize(numbers.alone()).map(Some),
            Some(kind) => seed.deserialize(Element { kind, numbers }).map(Some),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}
