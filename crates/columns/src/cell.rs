//! [`Cell`]: what a walk found for one column of one row.

use gdvar_view::{Cursor, Error, Kind, VariantRef};

/// What was found for one column of one row. No text and no element is copied.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Cell<'a> {
    #[default]
    Missing,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a str),
    Value(VariantRef<'a>),
    /// The part of a value that the column's path leads to, from this many steps on.
    Part(VariantRef<'a>, usize),
    /// The part that the column's path leads to in this element of a packed array.
    Element(VariantRef<'a>, usize),
    /// The values that the rest of the column's path, from this many steps on, leads to inside a
    /// value.
    Many(VariantRef<'a>, usize),
}

impl<'a> Cell<'a> {
    /// Takes the value at the cursor.
    #[inline]
    pub(crate) fn take(cursor: &mut Cursor<'a>) -> Result<Cell<'a>, Error> {
        let plain = match cursor.common_kind() {
            Some(Kind::Int) => cursor.int().map(Cell::Int),
            Some(Kind::Float) => cursor.float().map(Cell::Float),
            // Text that is not UTF-8 must not make the whole row an error.
            Some(Kind::String) => cursor.text().unwrap_or_default().map(Cell::Text),
            Some(Kind::Bool) => cursor.bool().map(Cell::Bool),
            _ => None,
        };
        if let Some(plain) = plain {
            return Ok(plain);
        }
        let value = cursor.value()?;
        cursor.skip()?;
        Ok(Cell::Value(value))
    }
}
