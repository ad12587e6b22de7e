//! Where a value ends, without looking at its text.
//!
//! Small values are passed without a stack: what is to come of all open containers adds up. For
//! large ones the walk with its shortcuts is faster.

use crate::{
    cursor::{self, Form, Head, Padding},
    error::Error,
    fast::Pending,
    options::ReadOptions,
    plain,
    walk::Walk,
};

/// The end of the value at `at`, which stands at that depth.
pub(crate) fn value(
    bytes: &[u8],
    at: usize,
    options: ReadOptions,
    depth: u16,
) -> Result<usize, Error> {
    if !options.is_special() {
        let rest = bytes.get(at..).unwrap_or_default();
        if let Some(end) = plain::container(rest, options.get_dialect())
            .and_then(|(container, inside)| few(bytes, at + container.size, inside, options, depth))
        {
            return Ok(end);
        }
    }
    behind(
        bytes,
        cursor::any_head(bytes, at, options, depth)?,
        options,
        depth,
    )
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

/// How many values are passed without a stack.
const FEW: u64 = 64;

/// The end of the children at `at` of a container of that depth, if they and all in them are plain
/// and few.
fn few(
    bytes: &[u8],
    at: usize,
    children: Pending,
    options: ReadOptions,
    depth: u16,
) -> Option<usize> {
    // As long as no more containers were entered than may be nested, none is too deep.
    let mut room = options.max_depth().checked_sub(depth)?.checked_sub(1)?;
    let dialect = options.get_dialect();
    let mut rest = bytes.get(at..)?;
    let (mut left, mut passed) = (u64::from(children.left), 0);
    while left > 0 {
        passed += 1;
        if left > FEW || passed > FEW {
            return None;
        }
        let (plain, inside) = plain::any(rest, dialect)?;
        if let Some(inside) = inside {
            room = room.checked_sub(1)?;
            left += u64::from(inside.left);
        }
        rest = rest.get(plain.size..)?;
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

#[cfg(all(test, feature = "alloc"))]
mod tests;
