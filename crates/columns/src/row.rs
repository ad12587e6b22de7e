//! [`Row`]: a value, and where it comes from ([`Origin`]).

use std::borrow::Cow;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin<'s> {
    /// The name of the value's file or stream.
    pub file: &'s str,
    /// The number of the value in the file.
    pub record: u64,
}

/// A value that is a row of a table, or that contains the rows of
/// [`Query::each`](crate::Query::each), and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    file: Cow<'a, str>,
    record: u64,
    value: Result<Cow<'a, [u8]>, Cow<'a, str>>,
}

impl<'a> Row<'a> {
    /// Creates a row from the bytes of a bare value. `file` and `record` become the columns `@file`
    /// and `@record`.
    pub fn value(
        file: impl Into<Cow<'a, str>>,
        record: u64,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Row<'a> {
        Row {
            file: file.into(),
            record,
            value: Ok(bytes.into()),
        }
    }

    /// Creates a row for something that could not be read. The reason goes into the column of
    /// errors.
    pub fn error(
        file: impl Into<Cow<'a, str>>,
        record: u64,
        reason: impl Into<Cow<'a, str>>,
    ) -> Row<'a> {
        Row {
            file: file.into(),
            record,
            value: Err(reason.into()),
        }
    }

    /// Returns where the row comes from.
    #[must_use]
    pub fn origin(&self) -> Origin<'_> {
        Origin {
            file: &self.file,
            record: self.record,
        }
    }

    /// Returns the bytes of the value.
    ///
    /// # Errors
    ///
    /// Returns the reason if the value could not be read.
    pub fn bytes(&self) -> Result<&[u8], &str> {
        self.value.as_deref().map_err(|reason| &**reason)
    }
}
