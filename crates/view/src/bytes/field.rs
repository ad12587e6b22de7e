//! Words, lengths and string fields, read with bounds checks. [`head`](super::head) and
//! [`descriptor`](super::descriptor) are built from these functions.

use gdvar_wire::{layout::MAX_SIZE, pad4};

use crate::{
    error::{Error, ErrorKind},
    options::ReadOptions,
};

/// The offsets of a string field: its text is `start..start + len`, and its padding ends at `end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringField {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) end: usize,
}

impl StringField {
    /// Returns the bytes of the text.
    #[inline]
    pub(crate) fn raw(self, bytes: &[u8]) -> &[u8] {
        bytes
            .get(self.start..self.start + self.len)
            .unwrap_or_default()
    }
}

/// The kind of string that the padding belongs to. Engines leave the padding of some kinds unset
/// (`docs/FORMAT.md` §1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Padding {
    /// A value, a type, or an element of a packed array.
    Value,
    /// A name in a NodePath.
    Name,
}

#[inline]
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> Result<u32, Error> {
    match array(bytes, at) {
        Some(word) => Ok(u32::from_le_bytes(word)),
        None => Err(Error::truncated(at, 4 - remaining(bytes, at).min(4))),
    }
}

/// Returns the number of bytes from `at` to the end of the buffer.
#[inline]
pub(crate) fn remaining(bytes: &[u8], at: usize) -> usize {
    bytes.len().saturating_sub(at)
}

/// Returns the offset after the `size` bytes at `at`, or `Truncated` if the buffer is shorter.
#[inline]
pub(super) fn end_of(bytes: &[u8], at: usize, size: usize) -> Result<usize, Error> {
    let left = remaining(bytes, at);
    if size > left {
        return Err(Error::truncated(at, size - left));
    }
    Ok(at + size)
}

/// Refuses a count of children that the buffer cannot hold (`docs/FORMAT.md` §3.5). `first` is the offset of
/// the first child, `min` the size of the smallest, and `at` the offset of the count, for the error.
///
/// Counts may be hostile. After this check a count is at most the number of bytes, so it is safe to reserve
/// memory for it.
#[inline]
pub(super) fn check_count(
    bytes: &[u8],
    at: usize,
    first: usize,
    count: u32,
    min: usize,
) -> Result<(), Error> {
    let left = remaining(bytes, first);
    let least = (count as usize).saturating_mul(min);
    if least > left {
        return Err(Error::truncated(at, least - left));
    }
    Ok(())
}

/// True if strict mode accepts any padding after this kind of string, because engines leave it unset
/// (`docs/FORMAT.md` §1.2).
pub(crate) fn ignores_padding(options: ReadOptions, whose: Padding) -> bool {
    let dialect = options.dialect();
    dialect.leaves_padding_unset()
        || match whose {
            Padding::Value => options.has_early_padding(),
            // No engine writes the dialect of the outdated document, so no padding is unset there.
            Padding::Name => !options.wants_zero_node_path_padding() && dialect.is_of_an_engine(),
        }
}

/// Returns an error if the padding at `from..to` has a byte that is not zero, unless engines leave this padding
/// unset. Only strict mode calls this.
pub(super) fn check_padding(
    bytes: &[u8],
    from: usize,
    to: usize,
    options: ReadOptions,
    whose: Padding,
) -> Result<(), Error> {
    if !ignores_padding(options, whose) {
        let padding = bytes.get(from..to).unwrap_or_default();
        if let Some(at) = padding.iter().position(|&byte| byte != 0) {
            return Err(Error::new(from + at, ErrorKind::NonZeroPadding));
        }
    }
    Ok(())
}

/// Reads the length of the string field at `at` (`docs/FORMAT.md` §3.2). Its text is not validated.
#[inline]
pub(crate) fn string_field(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    whose: Padding,
) -> Result<StringField, Error> {
    let len = word(bytes, at)?;
    if len as usize > MAX_SIZE - 3 {
        return Err(Error::new(at, ErrorKind::InvalidLength { value: len }));
    }
    let len = len as usize;
    let start = at + 4;
    let end = end_of(bytes, start, pad4(len))?;
    if options.is_strict() {
        check_padding(bytes, start + len, end, options, whose)?;
    }
    Ok(StringField { start, len, end })
}
