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
    /// A value that contains what the column wants, and how many steps of the column's path led to
    /// the value. The other steps lead on from it.
    Part(VariantRef<'a>, usize),
    /// A packed array, and the index of the element from which the column's path leads on.
    Element(VariantRef<'a>, usize),
    /// A value, and the number of the column's steps that led to it. The rest of the column's path
    /// contains a pattern, so it can lead to several values inside this value.
    Many(VariantRef<'a>, usize),
}

impl<'a> Cell<'a> {
    /// Takes the value at the cursor, and moves the cursor past it.
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
