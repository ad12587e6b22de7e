//! Finds the end of a value without reading its text.
//!
//! Most values that are skipped are small. The fast loop with a short stack (`walk/small.rs`) skips them in
//! less time than it takes to set up a walk. The short stack is tried on the next 4 KiB only, so that a large
//! value is not read twice.

use crate::{
    bytes::{
        common::{self, Rest},
        head::{self, BodyForm, Head},
    },
    error::Error,
    options::ReadOptions,
    value::variant::VariantRef,
    walk::{checks::Skip, small, steps::Walk, strings},
};

impl<'a> VariantRef<'a> {
    /// Returns the offset after the value. This takes O(1) for most values, and O(n) for values with children
    /// or strings.
    ///
    /// # Errors
    /// Fails if a child or string cannot be read.
    pub fn end(self) -> Result<usize, Error> {
        value(self.bytes(), self.offset(), self.options(), self.depth())
    }

    /// Returns the bytes of the value, header included. As fast as [`VariantRef::end`].
    ///
    /// # Errors
    /// Returns the errors of [`VariantRef::end`].
    pub fn raw(self) -> Result<&'a [u8], Error> {
        let end = self.end()?;
        Ok(self.bytes().get(self.offset()..end).unwrap_or_default())
    }
}

/// Returns the offset after the value at `at`, whose depth is `depth`.
pub(crate) fn value(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    depth: u16,
) -> Result<usize, Error> {
    if let Some(end) = near(bytes, at, 1, options, depth) {
        return Ok(end);
    }
    let head = head::any_head(bytes, at, options, depth)?;
    after(bytes, head, options, depth)
}

/// The most bytes that are tried before a walk is set up.
pub(super) const REACH: usize = 4096;

/// Returns the offset after `count` values from `at` on. `None` unless they are common, not nested deep, and
/// within [`REACH`].
#[inline]
fn near(bytes: &[u8], at: usize, count: u64, options: ReadOptions, depth: u16) -> Option<usize> {
    let within = bytes.get(..at.saturating_add(REACH)).unwrap_or(bytes);
    small::end(within, at, count, options, depth, &mut Skip, &mut ())
}

/// Returns the bytes after the value at the start of `rest`, the tail of `bytes`. `None` unless the value is
/// common, not nested deep, and within [`REACH`].
#[inline(always)]
pub(crate) fn common_value<'a>(
    bytes: &'a [u8],
    rest: &'a [u8],
    options: ReadOptions,
    depth: u16,
) -> Option<&'a [u8]> {
    let common = common::decode(rest, options.dialect())?;
    match common.rest {
        Rest::Nothing | Rest::Text(_) => rest.get(common.size..),
        Rest::Fields(_) | Rest::Children(_) => {
            bytes.get(near(bytes, bytes.len() - rest.len(), 1, options, depth)?..)
        }
    }
}

/// Skips `count` values of depth `depth` from `at` on, and returns the offset after them.
pub(crate) fn several(
    bytes: &[u8],
    at: usize,
    count: u64,
    options: ReadOptions,
    depth: u16,
) -> Result<usize, Error> {
    if let Some(end) = near(bytes, at, count, options, depth) {
        return Ok(end);
    }
    let mut walk = Walk::<Skip>::several(bytes, at, count, options, depth);
    walk.drain(&mut ())?;
    Ok(walk.position())
}

/// Returns the offset after the value of depth `depth` whose head was read already.
fn after(bytes: &[u8], head: Head, options: ReadOptions, depth: u16) -> Result<usize, Error> {
    match head.form {
        BodyForm::Leaf | BodyForm::Text => Ok(head.next),
        BodyForm::PackedStrings | BodyForm::Names => strings::end::<false>(bytes, head, options),
        BodyForm::Items | BodyForm::Pairs | BodyForm::Properties if head.count == 0 => {
            Ok(head.next)
        }
        BodyForm::Items | BodyForm::Pairs | BodyForm::Properties => {
            let mut walk = Walk::<Skip>::inside(bytes, head, options, depth);
            walk.drain(&mut ())?;
            Ok(walk.position())
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
