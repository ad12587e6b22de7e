//! [`Table`]: rows in columns, with types that hold all of them.

use gdvar_view::ReadOptions;

use crate::{
    builder::{BatchSize, Builder},
    column::Batch,
    query::Query,
    row::Row,
    schema::{Sample, Schema},
};

/// Rows in columns, all of them in memory.
///
/// ```
/// use gdvar_columns::{BatchSize, Dialect, Query, Row, Table};
///
/// let query = Query::new().column("record", "@record")?.column("gold", "$")?;
/// let values: [&[u8]; 2] = [b"\x02\0\0\0\x05\0\0\0", b"\x03\0\0\0\0\0\0\x3f"]; // 5 and 0.5
/// let rows = (0..).zip(values).map(|(record, value)| Row::value("game.log", record, value));
/// let table = Table::read(query, Dialect::GODOT_4, BatchSize::default(), rows);
/// assert_eq!(table.schema().fields()[1].ty().to_string(), "float64");
/// assert_eq!(table.batches()[0].rows(), 2);
/// # Ok::<(), gdvar_columns::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    schema: Schema,
    batches: Vec<Batch>,
}

impl Table {
    /// Reads rows. The first 1000 decide the initial types. If later rows need other types, such as
    /// a float among ints, all rows are read again. The iterator is cloned to do so, and both
    /// copies must give the same rows.
    pub fn read<'a, R>(
        query: Query,
        options: impl Into<ReadOptions>,
        size: BatchSize,
        rows: R,
    ) -> Table
    where
        R: IntoIterator<Item = Row<'a>>,
        R::IntoIter: Clone,
    {
        let (options, rows) = (options.into(), rows.into_iter());
        let schema = sample(query, options, rows.clone()).schema();
        let (mut batches, found) = build(&schema, options, size, rows.clone());
        if !found.has_types_of(&schema) {
            (batches, _) = build(&found, options, size, rows);
        }
        Table {
            schema: found,
            batches,
        }
    }

    /// Reads rows once, into columns of these types. The column of errors reports what does not
    /// fit.
    pub fn of_schema<'a>(
        schema: &Schema,
        options: impl Into<ReadOptions>,
        size: BatchSize,
        rows: impl IntoIterator<Item = Row<'a>>,
    ) -> Table {
        Table {
            batches: build(schema, options.into(), size, rows).0,
            schema: schema.clone(),
        }
    }

    /// Returns the types of the columns.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the rows, in batches.
    #[must_use]
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// Consumes the table and returns its batches.
    #[must_use]
    pub fn into_batches(self) -> Vec<Batch> {
        self.batches
    }
}

/// Returns batches with columns of these types, and the types that the rows have.
fn build<'a>(
    schema: &Schema,
    options: ReadOptions,
    size: BatchSize,
    rows: impl IntoIterator<Item = Row<'a>>,
) -> (Vec<Batch>, Schema) {
    let mut builder = Builder::new(schema, options).with_batch_size(size);
    let mut batches = Vec::new();
    for row in rows {
        builder.push_row(&row);
        batches.extend(std::iter::from_fn(|| builder.next_full()));
    }
    let found = builder.schema();
    batches.extend(std::iter::from_fn(|| builder.finish()));
    (batches, found)
}

/// Returns the types that hold all rows, but does not keep the rows. Use it to pass rows to a
/// [`Builder`] one after the other, in bounded memory. If there are at least 1000 rows, the first
/// 1000 are read twice, unless the query gives all types.
pub fn types<'a>(
    query: Query,
    options: impl Into<ReadOptions>,
    rows: impl Iterator<Item = Row<'a>> + Clone,
) -> Schema {
    let options = options.into();
    let sample = sample(query, options, rows.clone());
    let schema = sample.schema();
    if !sample.is_full() || schema.is_given() {
        return schema;
    }
    let mut builder = Builder::new(&schema, options);
    for row in rows {
        builder.push_row(&row);
        while builder.next_full().is_some() {}
    }
    builder.schema()
}

fn sample<'a>(query: Query, options: ReadOptions, rows: impl Iterator<Item = Row<'a>>) -> Sample {
    let mut sample = Sample::new(query, options);
    for row in rows {
        if sample.is_full() {
            break;
        }
        if let Ok(value) = row.bytes() {
            sample.see(value);
        }
    }
    sample
}
