//! Values behind their length, one after the other: `store_var` files and `put_var` streams
//! (`docs/FORMAT.md` §7.1).

use crate::{
    bytes::head,
    error::{Error, ErrorKind},
};

/// The byte order of length prefixes. Values are little-endian whatever it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PrefixOrder {
    /// Files and streams as they are opened by default, and PacketPeerStream always.
    #[default]
    Little,
    /// Files and streams with `big_endian` set (Godot 3: `endian_swap`).
    Big,
}

/// One record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// The first byte of the value, behind the prefix, counted from the start of the buffer.
    pub offset: usize,
    /// The bytes of the value. Shorter than `declared` only in the last frame of a cut file.
    pub bytes: &'a [u8],
    /// The length that the prefix gives.
    pub declared: u32,
}

impl Frame<'_> {
    /// True if the buffer ends inside this frame.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        self.bytes.len() < self.declared as usize
    }
}

/// The records of a buffer: O(1) each, nothing inside them is read.
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

/// Iterator of [`frames`], fused after an error.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    at: usize,
    order: PrefixOrder,
    done: bool,
}

impl<'a> Frames<'a> {
    /// The next record; `Ok(None)` at the end. A record that the buffer does not hold whole is
    /// still handed out, and is the last: see [`Frame::is_cut`].
    ///
    /// # Errors
    /// [`Truncated`](ErrorKind::Truncated) where less than a prefix is left;
    /// [`BadFrame`](ErrorKind::BadFrame) for a length above 2³¹ − 1, which no value has. A length
    /// below 4 is none either; the engines read null from such a record and go on with the next,
    /// so it is handed out, and its value is [`Truncated`](ErrorKind::Truncated).
    pub fn try_next(&mut self) -> Result<Option<Frame<'a>>, Error> {
        if self.done || self.at == self.bytes.len() {
            return Ok(None);
        }
        self.done = true;
        let prefix = head::word(self.bytes, self.at)?;
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
        // Behind one that is cut nothing is left.
        self.done = false;
        Ok(Some(Frame {
            offset,
            bytes,
            declared,
        }))
    }

    /// The first byte that belongs to no record handed out yet.
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
