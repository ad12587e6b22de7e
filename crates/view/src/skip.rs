//! Where a value ends, without looking at its text.

use crate::{
    cursor::{self, Form, Head, Padding},
    error::Error,
    options::ReadOptions,
    walk::Walk,
};

/// The end of the value whose head was read at that depth.
#[inline]
pub(crate) fn end(
    bytes: &[u8],
    head: Head,
    options: ReadOptions,
    depth: u16,
) -> Result<usize, Error> {
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

fn strings(bytes: &[u8], head: Head, options: ReadOptions, whose: Padding) -> Result<usize, Error> {
    let mut at = head.next;
    for _ in 0..head.count {
        at = cursor::string_field(bytes, at, options, whose)?.end;
    }
    Ok(at)
}
