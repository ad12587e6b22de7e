//! [`Reader`]: reads the bytes of a resource in order. Every read is checked against the end.

use crate::{Error, ErrorKind};

/// A result with the error of this crate.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// A position in the bytes, and their byte order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) is_big_endian: bool,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the offset `at`, which must not be after the end of `bytes`.
    pub(crate) fn new(bytes: &'a [u8], at: usize, is_big_endian: bool) -> Reader<'a> {
        Reader {
            bytes,
            at,
            is_big_endian,
        }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..len) else {
            let missing = u32::try_from(len - rest.len()).unwrap_or(u32::MAX);
            return Err(Error::new(self.at, ErrorKind::Truncated { missing }));
        };
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        if self.is_big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a count. Fails if the rest of the bytes cannot hold this many elements of `least`
    /// bytes each.
    pub(crate) fn count(&mut self, least: usize) -> Result<u32> {
        let at = self.at;
        let count = self.u32()?;
        self.can_hold(at, count, least)?;
        Ok(count)
    }

    /// Fails if the rest of the bytes cannot hold `count` elements of `least` bytes each. `at` is
    /// the offset of the count, for the error.
    pub(crate) fn can_hold(&self, at: usize, count: u32, least: usize) -> Result<()> {
        match (count as usize).checked_mul(least) {
            Some(len) if len <= self.left() => Ok(()),
            _ => Err(Error::new(at, ErrorKind::TooMany { count })),
        }
    }

    /// Reads a length and a text. The length includes a NUL at the end of the text; a length of 0
    /// means an empty text without a NUL.
    pub(crate) fn text(&mut self) -> Result<&'a str> {
        let at = self.at;
        let len = self.u32()?;
        self.text_of(at, len)
    }

    /// Reads a text of `len` bytes, including its NUL. `at` is the offset for errors.
    pub(crate) fn text_of(&mut self, at: usize, len: u32) -> Result<&'a str> {
        if len == 0 {
            return Ok("");
        }
        let bytes = self.take(len as usize)?;
        let bad = Error::new(at, ErrorKind::BadText);
        let (&0, text) = bytes.split_last().ok_or(bad)? else {
            return Err(bad);
        };
        match std::str::from_utf8(text) {
            Ok(text) if !text.contains('\0') => Ok(text),
            _ => Err(bad),
        }
    }
}
