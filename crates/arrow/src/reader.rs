//! [`Reader`]: turns rows into record batches.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use gdvar_columns::{BatchSize, Builder, Query, ReadOptions, Row, Schema, types};

use crate::convert::{record_batch, schema};

/// Makes record batches of the columns of a [`Query`] from rows that are pulled one at a time:
/// records of a log, files of a folder, packets. Memory is bounded by two batches and one row.
#[derive(Debug)]
pub struct Reader<I> {
    rows: I,
    builder: Builder,
    schema: SchemaRef,
    is_done: bool,
}

impl<'a, I: Iterator<Item = Row<'a>>> Reader<I> {
    /// Creates a reader whose column types fit all rows ([`gdvar_columns`] describes the rules).
    /// Reads the rows twice: once here for the types, and once for the batches. Clones the iterator
    /// to do so, and both copies must give the same rows.
    pub fn new(
        query: Query,
        options: impl Into<ReadOptions>,
        rows: impl IntoIterator<IntoIter = I>,
    ) -> Reader<I>
    where
        I: Clone,
    {
        let (options, rows) = (options.into(), rows.into_iter());
        let schema = types(query, options, rows.clone());
        Reader::of_schema(&schema, options, BatchSize::default(), rows)
    }

    /// Creates a reader with known types, for rows that can be read only once. The column of errors
    /// reports what does not fit. The schema comes from a sample, from [`types`], or from a query
    /// whose types are all given.
    pub fn of_schema(
        types: &Schema,
        options: impl Into<ReadOptions>,
        size: BatchSize,
        rows: impl IntoIterator<IntoIter = I>,
    ) -> Reader<I> {
        Reader {
            rows: rows.into_iter(),
            builder: Builder::new(types, options).with_batch_size(size),
            schema: schema(types),
            is_done: false,
        }
    }
}

impl<'a, I: Iterator<Item = Row<'a>>> Iterator for Reader<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.builder.next_full() {
                return Some(record_batch(batch));
            }
            if self.is_done {
                return self.builder.finish().map(record_batch);
            }
            match self.rows.next() {
                Some(row) => self.builder.push_row(&row),
                None => self.is_done = true,
            }
        }
    }
}

impl<'a, I: Iterator<Item = Row<'a>>> RecordBatchReader for Reader<I> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
