//! Finds the end of the strings of a NodePath or a PackedStringArray.

use crate::{
    bytes::{
        field::{self, Padding},
        head::{BodyForm, Head},
        text,
    },
    error::Error,
    options::ReadOptions,
};

/// Returns the offset after the strings that follow `head`. With `CHECK` their text is validated.
pub(crate) fn end<const CHECK: bool>(
    bytes: &[u8],
    head: Head,
    options: ReadOptions,
) -> Result<usize, Error> {
    let is_packed = head.form == BodyForm::PackedStrings;
    let whose = if is_packed {
        Padding::Value
    } else {
        Padding::Name
    };
    let mut at = head.next;
    for _ in 0..head.count {
        let field = field::string_field(bytes, at, options, whose)?;
        if CHECK && is_packed {
            text::check_packed(field.raw(bytes), field.start, options)?;
        } else if CHECK {
            text::check(field.raw(bytes), field.start, options)?;
        }
        at = field.end;
    }
    Ok(at)
}
