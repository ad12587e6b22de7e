//! The search for the end of a value, without looking at its text.
//!
//! Most values that are passed are small. The loop over plain values (`walk/validate.rs`) passes those at once, with
//! room for eight containers; a walk, which has room for a thousand, takes longer to prepare than most values take to pass. So the loop is tried on the next 4 KiB alone.

use crate::{
    bytes::{
        head::{self, Form, Head},
        plain::{self, Rest},
    },
    error::Error,
    options::ReadOptions,
    value::variant::VariantRef,
    walk::{
        steps::Walk,
        strings,
        validate::{self, Skip},
    },
};

impl<'a> VariantRef<'a> {
    /// The end of the value: O(1) for most, O(n) for what has children.
    ///
    /// # Errors
    /// If a child or string cannot be read.
    pub fn end(self) -> Result<usize, Error> {
        value(self.bytes(), self.offset(), self.options(), self.depth())
    }

    /// The bytes of the value, header included: as [`VariantRef::end`].
    ///
    /// # Errors
    /// As [`VariantRef::end`].
    pub fn raw(self) -> Result<&'a [u8], Error> {
        let end = self.end()?;
        Ok(self.bytes().get(self.offset()..end).unwrap_or_default())
    }
}

/// The end of the value at `at`, which stands at that depth.
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
    behind(bytes, head, options, depth)
}

/// The most bytes that are tried before a walk is prepared.
pub(super) const REACH: usize = 4096;

/// The end of so many values from `at` on, if they are plain, not nested deep, and within reach.
#[inline]
fn near(bytes: &[u8], at: usize, count: u64, options: ReadOptions, depth: u16) -> Option<usize> {
    let within = bytes.get(..at.saturating_add(REACH)).unwrap_or(bytes);
    validate::flat(within, at, count, options, depth, &mut Skip, &mut ())
}

/// The bytes behind the value that `rest`, the end of `bytes`, begins with, if it is plain, not nested deep, and
/// within reach.
#[inline(always)]
pub(crate) fn plain_value<'a>(
    bytes: &'a [u8],
    rest: &'a [u8],
    options: ReadOptions,
    depth: u16,
) -> Option<&'a [u8]> {
    let plain = plain::look(rest, options.dialect())?;
    match plain.rest {
        Rest::Nothing | Rest::Text(_) => rest.get(plain.size..),
        Rest::Fields(_) | Rest::Children(_) => {
            bytes.get(near(bytes, bytes.len() - rest.len(), 1, options, depth)?..)
        }
    }
}

/// The end of so many values from `at` on, which stand at that depth.
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
    let mut walk = Walk::<false>::several(bytes, at, count, options, depth);
    walk.drain(&mut ())?;
    Ok(walk.position())
}

/// The end of the value whose head was read at that depth.
fn behind(bytes: &[u8], head: Head, options: ReadOptions, depth: u16) -> Result<usize, Error> {
    match head.form {
        Form::Leaf | Form::Text => Ok(head.next),
        Form::PackedStrings | Form::Names => strings::end::<false>(bytes, head, options),
        Form::Items | Form::Pairs | Form::Properties if head.count == 0 => Ok(head.next),
        Form::Items | Form::Pairs | Form::Properties => {
            let mut walk = Walk::<false>::inside(bytes, head, options, depth);
            walk.drain(&mut ())?;
            Ok(walk.position())
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
