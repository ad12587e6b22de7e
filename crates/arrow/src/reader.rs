//! [`Reader`]: rows in, record batches out.

use std::borrow::Cow;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use gdvar_columns::{Origin, Query, ReadOptions, Table};

use crate::convert::{record_batch, schema};

/// A value for a [`Reader`], and where it comes from.
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
}

/// Record batches of the columns of a [`Query`], from rows that are pulled one at a time: records of a log, files of
/// a folder, packets. Memory is bounded by two batches, the sample and one row.
///
/// The first 1000 rows decide the types before the first batch comes; [`RecordBatchReader::schema`] tells them at once.
#[derive(Debug)]
pub struct Reader<I> {
    rows: I,
    table: Table,
    schema: SchemaRef,
    is_done: bool,
}

impl<'a, I: Iterator<Item = Row<'a>>> Reader<I> {
    /// Pulls the rows of the sample.
    pub fn new(
        query: Query,
        options: impl Into<ReadOptions>,
        rows: impl IntoIterator<IntoIter = I>,
    ) -> Reader<I> {
        Reader::of_table(Table::new(query, options), rows)
    }

    /// With batches or a sample of another size, which the table was told.
    pub fn of_table(mut table: Table, rows: impl IntoIterator<IntoIter = I>) -> Reader<I> {
        let mut rows = rows.into_iter();
        let mut is_done = false;
        while table.schema().is_none() && !is_done {
            is_done = !pull(&mut table, &mut rows);
        }
        let schema = schema(&table.fix());
        Reader {
            rows,
            table,
            schema,
            is_done,
        }
    }
}

/// Gives the next row to the table; `false` if there is none.
fn pull<'a>(table: &mut Table, rows: &mut impl Iterator<Item = Row<'a>>) -> bool {
    let Some(row) = rows.next() else {
        return false;
    };
    let origin = Origin {
        file: &row.file,
        record: row.record,
    };
    match &row.value {
        Ok(bytes) => table.push(origin, bytes),
        Err(reason) => table.push_error(origin, reason),
    }
    true
}

impl<'a, I: Iterator<Item = Row<'a>>> Iterator for Reader<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.table.next_full() {
                return Some(record_batch(batch));
            }
            if self.is_done {
                return self.table.finish().map(record_batch);
            }
            self.is_done = !pull(&mut self.table, &mut self.rows);
        }
    }
}

impl<'a, I: Iterator<Item = Row<'a>>> RecordBatchReader for Reader<I> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
