//! The search for the end of a value, without looking at its text.
//!
//! Small values are passed without a stack: what is to come of all open containers adds up. For
//! large ones the walk with its shortcuts is faster.

use gdvar_wire::Dialect;

use crate::{
    bytes::{
        head::{self, Form, Head, Padding},
        plain::{self, Rest},
    },
    error::Error,
    options::ReadOptions,
    value::variant::VariantRef,
    walk::steps::Walk,
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
    if let Some(end) = quickly(bytes, at, 1, options, depth) {
        return Ok(end);
    }
    let head = head::any_head(bytes, at, options, depth)?;
    behind(bytes, head, options, depth)
}

/// The end of so many values from `at` on, if they and all in them are plain and few.
#[inline(always)]
fn quickly(bytes: &[u8], at: usize, count: u64, options: ReadOptions, depth: u16) -> Option<usize> {
    if options.is_special() {
        return None;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let behind = few(rest, count, options.dialect(), options.room(depth)?)?;
    Some(bytes.len() - behind.len())
}

/// The end of so many values from `at` on, which stand at that depth.
pub(crate) fn several(
    bytes: &[u8],
    at: usize,
    count: u64,
    options: ReadOptions,
    depth: u16,
) -> Result<usize, Error> {
    if let Some(end) = quickly(bytes, at, count, options, depth) {
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
        Form::PackedStrings => strings(bytes, head, options, Padding::Value),
        Form::Names => strings(bytes, head, options, Padding::Name),
        Form::Items | Form::Pairs | Form::Properties if head.count == 0 => Ok(head.next),
        Form::Items | Form::Pairs | Form::Properties => {
            let mut walk = Walk::<false>::inside(bytes, head, options, depth);
            walk.drain(&mut ())?;
            Ok(walk.position())
        }
    }
}

/// The number of values that are passed without a stack.
const FEW: u64 = 65;

/// The bytes behind so many values that `rest` begins with, if they and all in them are plain and few. At most
/// `room` containers are entered: so none is nested deeper than that.
#[inline(always)]
pub(crate) fn few(rest: &[u8], count: u64, dialect: Dialect, room: u16) -> Option<&[u8]> {
    let (mut rest, mut room, mut left, mut passed) = (rest, room, count, 0);
    while left > 0 {
        passed += 1;
        if left > FEW || passed > FEW {
            return None;
        }
        let plain = plain::look(rest, dialect)?;
        match plain.rest {
            Rest::Nothing | Rest::Text(_) => {}
            Rest::Children(inside) => {
                room = room.checked_sub(1)?;
                left += u64::from(inside.left);
            }
            Rest::Fields(_) => return None,
        }
        rest = rest.get(plain.size..)?;
        left -= 1;
    }
    Some(rest)
}

fn strings(bytes: &[u8], head: Head, options: ReadOptions, whose: Padding) -> Result<usize, Error> {
    let mut at = head.next;
    for _ in 0..head.count {
        at = head::string_field(bytes, at, options, whose)?.end;
    }
    Ok(at)
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
