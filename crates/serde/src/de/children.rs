//! Reads the children of containers.

use serde_core::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::ValueDeserializer;
use crate::Error;

/// The unread children of a container whose header has been read: elements of an array, or pairs
/// of a Dictionary with keys of any kind.
pub(super) struct Children<'r, 'de> {
    pub(super) reader: &'r mut ValueDeserializer<'de>,
    left: u32,
    /// The number of children for which visitors may reserve memory.
    room: u32,
}

impl<'r, 'de> Children<'r, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(reader: &'r mut ValueDeserializer<'de>, count: u32) -> Children<'r, 'de> {
        let room = count.min(reader.room);
        reader.room -= room;
        Children {
            reader,
            left: count,
            room,
        }
    }

    /// Returns how many elements or pairs are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Returns the size hint for visitors, which reserve memory accordingly.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hint(&self) -> Option<usize> {
        Some(self.left.min(self.room) as usize)
    }

    /// Counts one child as read. Returns `None` if there is none left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// Deserializes the next value, or returns `None` at the end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        match self.take() {
            Some(()) => self.reader.give(seed).map(Some),
            None => Ok(None),
        }
    }
}

impl<'de> ValueDeserializer<'de> {
    /// Deserializes the outermost value. Bytes after it are an error unless `trailing` is `true`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn only<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
        trailing: bool,
    ) -> Result<T::Value, Error> {
        let value = self.give(seed)?;
        match self.serial.left() {
            left if left > 0 && !trailing => Err(Error::trailing(self.serial.offset(), left)),
            _ => Ok(value),
        }
    }

    /// Passes the next value to `seed`, and skips it if `seed` does not ask for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn give<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let before = self.serial.left();
        match seed.deserialize(&mut *self) {
            Ok(value) => {
                if self.serial.left() == before {
                    // The seed has not asked for the value, so it is skipped.
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.next(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}

impl<'de> MapAccess<'de> for Children<'_, 'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        self.next(seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.reader.give(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.hint()
    }
}
