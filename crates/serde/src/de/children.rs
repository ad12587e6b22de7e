//! The children of containers, one after the other.

use serde_core::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::Reader;
use crate::Error;

/// The rest of a container that was entered: elements of an array, or pairs of a Dictionary
/// whose keys may be any value.
pub(super) struct Children<'r, 'de> {
    pub(super) reader: &'r mut Reader<'de>,
    left: u32,
}

impl<'r, 'de> Children<'r, 'de> {
    #[inline(always)]
    pub(super) fn new(reader: &'r mut Reader<'de>, count: u32) -> Children<'r, 'de> {
        Children {
            reader,
            left: count,
        }
    }

    /// The number of elements or pairs still to come.
    #[inline(always)]
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Counts the next one. `None` at the end.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// Gives the next value to a seed, if one is to come.
    #[inline(always)]
    fn next<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        match self.take() {
            Some(()) => self.reader.give(seed).map(Some),
            None => Ok(None),
        }
    }
}

impl<'de> Reader<'de> {
    /// Gives the next value to a seed.
    #[inline(always)]
    pub(super) fn give<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let before = self.serial.left();
        match seed.deserialize(&mut *self) {
            Ok(value) => {
                if self.serial.left() == before {
                    // The seed did not even ask what it is.
                    self.serial.skip()?;
                }
                Ok(value)
            }
            Err(error) => Err(error.or_at(self.serial.offset_of(before))),
        }
    }
}

impl<'de> SeqAccess<'de> for Children<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.next(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left as usize)
    }
}

impl<'de> MapAccess<'de> for Children<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next(seed)
    }

    #[inline(always)]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.reader.give(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left as usize)
    }
}
