//! Where a value ends, without looking at its text.
//!
//! Small values are passed without a stack: what is to come of all open containers adds up. For
//! large ones the walk with its shortcuts is faster.

use crate::{
    cursor::{self, Form, Head, Padding},
    error::Error,
    options::ReadOptions,
    plain,
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
            if let (false, Form::Items | Form::Pairs) = (options.is_special(), head.form) {
                let children = match head.form {
                    Form::Pairs => 2 * u64::from(head.count),
                    _ => u64::from(head.count),
                };
                if let Some(end) = few(bytes, head.next, children, options, depth) {
                    return Ok(end);
                }
            }
            let mut walk = Walk::<false>::inside(bytes, head, options, depth);
            walk.drain(&mut ())?;
            Ok(walk.position())
        }
    }
}

/// How many values are passed without a stack.
const FEW: u64 = 64;

/// The end of so many values at `at`, the children of a container of that depth, if they and all
/// in them are plain and few.
pub(crate) fn few(
    bytes: &[u8],
    at: usize,
    children: u64,
    options: ReadOptions,
    depth: u16,
) -> Option<usize> {
    // As long as no more containers were entered than may be nested, none is too deep.
    let mut room = options.max_depth().checked_sub(depth)?.checked_sub(1)?;
    let dialect = options.get_dialect();
    let mut rest = bytes.get(at..)?;
    let (mut left, mut passed) = (children, 0);
    while left > 0 {
        passed += 1;
        if left > FEW || passed > FEW {
            return None;
        }
        let size = match plain::plain(rest, dialect) {
            Some(plain) => plain.size,
            None => {
                let (container, inside) = plain::container(rest, dialect)?;
                room = room.checked_sub(1)?;
                left += u64::from(inside.left);
                container.size
            }
        };
        rest = rest.get(size..)?;
        left -= 1;
    }
    Some(bytes.len() - rest.len())
}

fn strings(bytes: &[u8], head: Head, options: ReadOptions, whose: Padding) -> Result<usize, Error> {
    let mut at = head.next;
    for _ in 0..head.count {
        at = cursor::string_field(bytes, at, options, whose)?.end;
    }
    Ok(at)
}
