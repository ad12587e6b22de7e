//! [`Row`]: a value, and where it comes from.

use std::borrow::Cow;

use crate::builder::Origin;

/// A value that is a row of a table, or the rows of [`Query::each`](crate::Query::each), and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    file: Cow<'a, str>,
    record: u64,
    value: Result<Cow<'a, [u8]>, Cow<'a, str>>,
}

impl<'a> Row<'a> {
    /// The bytes of a bare value; `file` and `record` are what the columns `@file` and `@record` say.
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

    /// A row for something that could not be read, with the reason in the column of errors.
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

    /// Where it comes from.
    #[must_use]
    pub fn origin(&self) -> Origin<'_> {
        Origin {
            file: &self.file,
            record: self.record,
        }
    }

    /// The bytes of the value.
    ///
    /// # Errors
    /// The reason why there are none.
    pub fn bytes(&self) -> Result<&[u8], &str> {
        self.value.as_deref().map_err(|reason| &**reason)
    }
}
