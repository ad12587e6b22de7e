//! [`Builder`]: turns values into batches of rows.

use std::{collections::VecDeque, sync::Arc};

use gdvar_view::{Document, ReadOptions};

use crate::{
    cell::Cell,
    census::Census,
    column::{Array, Batch, Column},
    fill::{content, fill},
    orders::Orders,
    query::{Query, Source},
    row::{Origin, Row},
    rows::{Take, recycle, rows},
    schema::{Field, Schema},
    ty::Type,
};

/// How large batches may grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchSize {
    /// The most rows of a batch.
    pub rows: usize,
    /// A batch ends when its buffers hold this many bytes. The buffers are measured each time
    /// values of this total size were added, so a batch can be larger by the rows of these values.
    pub bytes: usize,
}

impl Default for BatchSize {
    /// 65 536 rows, 64 MiB.
    fn default() -> BatchSize {
        BatchSize {
            rows: 1 << 16,
            bytes: 64 << 20,
        }
    }
}

/// Puts the rows of values into columns of fixed types.
///
/// Only what the paths lead to is read. The rest is skipped: its lengths and counts are checked,
/// its text is not. So a value may give a row although [`Document::validate`] refuses it.
///
/// Nothing is lost silently. If the paths in a value cannot be followed to the end, its row has
/// missing values, and the column of errors gives the reason. A value that does not fit its
/// column's type is missing, with the reason too. A null is missing without a reason, and so is the
/// value of a path that leads nowhere. But if no path leads anywhere and bytes follow the value,
/// the row's reason is that the value is damaged or of another engine.
///
/// Types do not change while rows are added. [`Builder::schema`] returns the types that would hold
/// all rows so far: if a float arrived for a column of ints, the type there is `float64`. The rows
/// can then be read again with this schema, as [`Table::read`](crate::Table::read) does.
///
/// ```
/// use gdvar_columns::{Builder, Dialect, Origin, Query, Sample, Values};
///
/// // {"hp": 80}, and the first half of it
/// let save = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let mut sample = Sample::new(Query::new().column("hp", "hp")?, Dialect::GODOT_4);
/// sample.see(save);
///
/// let mut builder = Builder::new(&sample.schema(), Dialect::GODOT_4);
/// builder.push(Origin { file: "slot1.sav", record: 0 }, save);
/// builder.push(Origin { file: "slot2.sav", record: 0 }, &save[..20]);
/// let batch = builder.finish().expect("two rows");
/// let hp = batch.column("hp").unwrap().array();
/// assert_eq!(*hp.values(), Values::Int64(vec![80, 0]));
/// assert_eq!((hp.validity().get(0), hp.validity().get(1)), (true, false));
/// let error = batch.column("error").unwrap().array();
/// assert_eq!(error.text(0), None);
/// assert!(error.text(1).unwrap().contains("the bytes end too early"));
/// # Ok::<(), gdvar_columns::QueryError>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    query: Arc<Query>,
    rows: Rows,
    cells: Vec<Cell<'static>>,
    orders: Orders,
    options: ReadOptions,
}

#[derive(Debug)]
struct Rows {
    query: Arc<Query>,
    types: Vec<Type>,
    arrays: Vec<Array>,
    errors: Array,
    size: BatchSize,
    /// The bytes of values since the size of the batch was last measured.
    unmeasured: usize,
    full: VecDeque<Batch>,
    /// The fields of the schema with which the builder was created. Their counts are from an
    /// earlier pass.
    earlier: Vec<Field>,
    /// For each column: what occurred.
    censuses: Vec<Census>,
}

impl Builder {
    /// Creates a builder for columns of these types.
    #[must_use]
    pub fn new(schema: &Schema, options: impl Into<ReadOptions>) -> Builder {
        let columns = schema.query.columns.len();
        let types: Vec<Type> = schema.fields.iter().map(|field| field.ty()).collect();
        let arrays = types
            .iter()
            .take(columns)
            .map(|&ty| Array::new(ty))
            .collect();
        Builder {
            query: Arc::clone(&schema.query),
            rows: Rows {
                query: Arc::clone(&schema.query),
                errors: types
                    .last()
                    .map_or_else(|| Array::new(Type::Null), |&ty| Array::new(ty)),
                types,
                arrays,
                size: BatchSize::default(),
                unmeasured: 0,
                full: VecDeque::new(),
                earlier: schema.fields.clone(),
                censuses: vec![Census::default(); columns],
            },
            cells: vec![Cell::Missing; columns],
            orders: Orders::new(schema.query.tree.len()),
            options: options.into(),
        }
    }

    /// Returns the builder with another batch size.
    #[must_use]
    pub fn with_batch_size(mut self, size: BatchSize) -> Builder {
        self.rows.size = size;
        self
    }

    /// Adds the rows of one bare value. The time is O(n): one pass for all paths, and for each
    /// pattern one more pass over the value to which the pattern's first steps lead.
    pub fn push(&mut self, origin: Origin<'_>, value: &[u8]) {
        self.push_document(origin, Document::with_options(value, self.options));
    }

    /// Adds the rows of a value that is read with its own options. Use it to make one table of the
    /// files of several engines.
    pub fn push_document(&mut self, origin: Origin<'_>, document: Document<'_>) {
        let mut cells = recycle(std::mem::take(&mut self.cells));
        let mut take = OfValue {
            origin,
            rows: &mut self.rows,
        };
        rows(
            &self.query,
            &mut self.orders,
            document,
            &mut cells,
            &mut take,
        );
        self.cells = recycle(cells);
        self.rows.measure(document.bytes().len());
    }

    /// Adds a row for something that could not be opened.
    pub fn push_error(&mut self, origin: Origin<'_>, reason: &str) {
        self.rows.damaged(origin, 0, reason);
        self.rows.measure(reason.len());
    }

    /// Adds a [`Row`], by [`Builder::push`] or [`Builder::push_error`].
    pub fn push_row(&mut self, row: &Row<'_>) {
        match row.bytes() {
            Ok(value) => self.push(row.origin(), value),
            Err(reason) => self.push_error(row.origin(), reason),
        }
    }

    /// Returns for each column the type that fits the most rows so far: the builder's own type,
    /// widened for values that did not fit, or another type if that fits more rows. If it differs
    /// from the builder's own type, values are missing from that column. A builder with the returned
    /// schema would keep at least as many values, and all of them if one type can hold them. A type
    /// that the query gives does not change.
    #[must_use]
    pub fn schema(&self) -> Schema {
        self.rows.schema()
    }

    /// Returns the next full batch. A value with many rows may fill several at once.
    pub fn next_full(&mut self) -> Option<Batch> {
        self.rows.full.pop_front()
    }

    /// Returns the remaining rows, once [`Builder::next_full`] has no more, or `None` if there are
    /// none.
    pub fn finish(&mut self) -> Option<Batch> {
        if let Some(full) = self.next_full() {
            return Some(full);
        }
        self.rows.end_batch();
        self.next_full()
    }
}

impl Rows {
    fn len(&self) -> usize {
        self.errors.len()
    }

    fn schema(&self) -> Schema {
        let mut census = self.censuses.clone();
        for (census, ty) in census.iter_mut().zip(&self.types) {
            census.assume(*ty);
        }
        Schema::of_census(Arc::clone(&self.query), census, &self.earlier)
    }

    fn end_batch(&mut self) {
        let rows = self.len();
        if rows == 0 {
            return;
        }
        let arrays = self.arrays.iter_mut().chain([&mut self.errors]);
        let names = self.query.names();
        let columns = names
            .zip(arrays)
            .zip(&self.types)
            .map(|((name, array), &ty)| Column {
                name: name.to_owned(),
                ty,
                array: std::mem::replace(array, Array::new(ty)),
            });
        let columns = columns.collect();
        self.full.push_back(Batch { rows, columns });
    }

    /// Counts `added` bytes of values. Ends the batch if its buffers have reached the limit.
    fn measure(&mut self, added: usize) {
        self.unmeasured = self.unmeasured.saturating_add(added);
        if self.unmeasured >= self.size.bytes {
            self.unmeasured = 0;
            let arrays = self.arrays.iter().chain([&self.errors]);
            if arrays.map(Array::size).sum::<usize>() >= self.size.bytes {
                self.end_batch();
            }
        }
    }

    /// Adds a value to every column. Returns the reasons for the values that do not fit, or an
    /// empty text.
    fn values(&mut self, origin: Origin<'_>, element: u64, cells: &[Cell<'_>]) -> String {
        let Rows {
            query,
            types,
            arrays,
            censuses,
            ..
        } = self;
        let mut misfits = String::new();
        let columns = query.columns.iter().zip(types).zip(arrays).zip(cells);
        for (column, (((wanted, ty), array), cell)) in columns.enumerate() {
            let filled = match wanted.source {
                Source::Path(..) => fill(query, column, *ty, array, *cell),
                Source::File => fill(query, column, *ty, array, Cell::Text(origin.file)),
                Source::Record => fill(query, column, *ty, array, Cell::Int(origin.record as i64)),
                Source::Element => fill(query, column, *ty, array, Cell::Int(element as i64)),
            };
            // A column with a given type has no census, because nothing changes its type.
            let is_open = wanted.ty.is_none() && matches!(wanted.source, Source::Path(..));
            let census = censuses.get_mut(column).filter(|_| is_open);
            match filled {
                Ok(content) => {
                    if let Some(census) = census {
                        census.count(content);
                    }
                }
                Err(reason) => {
                    if let Some(census) = census {
                        census.count_named(&content(query, column, *cell));
                    }
                    if !misfits.is_empty() {
                        misfits.push_str("; ");
                    }
                    misfits.push_str(&format!("{}: {reason}", wanted.name));
                }
            }
        }
        misfits
    }

    fn damaged(&mut self, origin: Origin<'_>, element: u64, reason: &str) {
        let cells = vec![Cell::Missing; self.arrays.len()];
        self.values(origin, element, &cells);
        self.end_row(reason);
    }

    fn end_row(&mut self, error: &str) {
        let ty = self.types.last().copied().unwrap_or(Type::Null);
        let cell = match error {
            "" => Cell::Missing,
            error => Cell::Text(error),
        };
        // This fails only if the messages of one batch exceed 2 GiB.
        let _ = fill(&self.query, usize::MAX, ty, &mut self.errors, cell);
        if self.len() >= self.size.rows.max(1) {
            self.end_batch();
        }
    }
}

/// Receives the rows of one value.
struct OfValue<'r, 's> {
    origin: Origin<'s>,
    rows: &'r mut Rows,
}

impl Take for OfValue<'_, '_> {
    #[inline]
    fn row(&mut self, element: u64, cells: &[Cell<'_>]) -> bool {
        let misfits = self.rows.values(self.origin, element, cells);
        self.rows.end_row(&misfits);
        true
    }

    fn damaged(&mut self, element: u64, reason: &str) {
        self.rows.damaged(self.origin, element, reason);
    }
}
