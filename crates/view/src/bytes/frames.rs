//! Records: values after length prefixes, as `store_var` files and `put_var` streams have them
//! (`docs/FORMAT.md` §7.1).

use crate::{
    bytes::field,
    error::{Error, ErrorKind},
};

/// The byte order of length prefixes. The values after them are always little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PrefixOrder {
    /// Little-endian: files and streams unless `big_endian` is set, and always PacketPeerStream.
    #[default]
    Little,
    /// Files and streams with `big_endian` set (Godot 3: `endian_swap`).
    Big,
}

/// A record of a `store_var` file or `put_var` stream (`docs/FORMAT.md` §7.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// The offset of the value, after the prefix, from the start of the buffer.
    pub offset: usize,
    /// The bytes of the value. Shorter than `declared` only in the last record of a cut file.
    pub bytes: &'a [u8],
    /// The length in the prefix.
    pub declared: u32,
}

impl Frame<'_> {
    /// True if the buffer ends inside this record.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        self.bytes.len() < self.declared as usize
    }
}

/// Splits a buffer into its records. Each step takes O(1), because the value in a record is not read.
///
/// ```
/// use gdvar_view::{PrefixOrder, frames};
///
/// // store_var(5), store_var("hi")
/// let file = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x0c\0\0\0\x04\0\0\0\x02\0\0\0hi\0\0";
/// let mut records = frames(file, PrefixOrder::Little);
/// assert_eq!(records.next().unwrap()?.bytes.len(), 8);
/// assert_eq!(records.next().unwrap()?.offset, 16);
/// assert!(records.next().is_none());
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[must_use]
pub const fn frames(bytes: &[u8], order: PrefixOrder) -> Frames<'_> {
    Frames {
        bytes,
        at: 0,
        order,
        done: false,
    }
}

/// Iterator over records, from [`frames`]. After an error it returns no more records.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    at: usize,
    order: PrefixOrder,
    done: bool,
}

impl<'a> Frames<'a> {
    /// Returns the next record, or `Ok(None)` at the end. The last record may be cut ([`Frame::is_cut`]).
    ///
    /// # Errors
    /// Returns [`Truncated`](ErrorKind::Truncated) if less than a prefix is left;
    /// [`BadFrame`](ErrorKind::BadFrame) if a length is above 2³¹ − 1, which no value has. A record
    /// shorter than 4 bytes has no value either, but the engines read null from it and go on with
    /// the next. Such a record is returned; reading its value gives
    /// [`Truncated`](ErrorKind::Truncated).
    pub fn try_next(&mut self) -> Result<Option<Frame<'a>>, Error> {
        if self.done || self.at == self.bytes.len() {
            return Ok(None);
        }
        self.done = true;
        let prefix = field::word(self.bytes, self.at)?;
        let declared = match self.order {
            PrefixOrder::Little => prefix,
            PrefixOrder::Big => prefix.swap_bytes(),
        };
        if declared > i32::MAX as u32 {
            return Err(Error::new(
                self.at,
                ErrorKind::BadFrame { length: declared },
            ));
        }
        let offset = self.at + 4;
        let rest = self.bytes.get(offset..).unwrap_or_default();
        let bytes = rest.get(..declared as usize).unwrap_or(rest);
        self.at = offset + bytes.len();
        // After a cut record nothing is left, so `at` is at the end.
        self.done = false;
        Ok(Some(Frame {
            offset,
            bytes,
            declared,
        }))
    }

    /// Returns the offset of the first byte after the records that were returned.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
