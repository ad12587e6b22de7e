//! The strings of a NodePath or a PackedStringArray, one after the other.

use crate::{
    bytes::{
        head::{self, Form, Head, Padding},
        text,
    },
    error::Error,
    options::ReadOptions,
};

/// Passes the strings after that head and returns their end. With `CHECK` their text is looked at.
pub(crate) fn end<const CHECK: bool>(
    bytes: &[u8],
    head: Head,
    options: ReadOptions,
) -> Result<usize, Error> {
    let is_packed = head.form == Form::PackedStrings;
    let whose = if is_packed {
        Padding::Value
    } else {
        Padding::Name
    };
    let mut at = head.next;
    for _ in 0..head.count {
        let field = head::string_field(bytes, at, options, whose)?;
        if CHECK && is_packed {
            text::check_packed(field.raw(bytes), field.start, options)?;
        } else if CHECK {
            text::check(field.raw(bytes), field.start, options)?;
        }
        at = field.end;
    }
    Ok(at)
}
