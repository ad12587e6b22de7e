//! [`Schema`]: the types of the columns. [`Sample`]: finds them from some of the values.

use std::{fmt, sync::Arc};

use gdvar_view::{Document, ReadOptions};

use crate::{
    cell::Cell,
    census::Census,
    fill::content,
    orders::Orders,
    query::Query,
    rows::{Take, rows},
    ty::{Scalar, Type},
};

/// The types of the columns of a [`Query`], according to the rows that were read.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) query: Arc<Query>,
    pub(crate) fields: Vec<Field>,
    /// What occurred in each column.
    census: Vec<Census>,
}

/// A column, its type, and the types that occurred in the column.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    name: String,
    ty: Type,
    seen: Vec<(String, u64)>,
}

impl Field {
    /// Returns the name of the column.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the column's values.
    #[must_use]
    pub const fn ty(&self) -> Type {
        self.ty
    }

    /// Returns the types that occurred in this column, and the kinds of values that no column can
    /// hold, each with its number of rows. After a sample these are the rows of the sample, after a
    /// builder all rows that it read. Empty if the type was given, or if there were no values.
    #[must_use]
    pub fn seen(&self) -> &[(String, u64)] {
        &self.seen
    }

    /// Returns `true` if the type was widened to hold the values of another type too.
    #[must_use]
    pub fn is_widened(&self) -> bool {
        let others = self.seen.iter().filter_map(|(seen, _)| seen.parse().ok());
        others
            .into_iter()
            .any(|seen: Type| seen != self.ty && self.ty.join(seen) == Some(self.ty))
    }
}

impl fmt::Display for Field {
    /// Prints for example `gold: float64 (int64 in 7 rows, float64 in 3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.ty)?;
        if self
            .seen
            .iter()
            .any(|(seen, _)| *seen != self.ty.to_string())
        {
            for (n, (seen, rows)) in self.seen.iter().enumerate() {
                let start = if n == 0 { " (" } else { ", " };
                let unit = if n == 0 { " rows" } else { "" };
                write!(f, "{start}{seen} in {rows}{unit}")?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl Schema {
    /// Returns for each column the type that holds the most rows. `earlier` are the fields of an
    /// earlier pass over the same rows.
    pub(crate) fn of_census(query: Arc<Query>, census: Vec<Census>, earlier: &[Field]) -> Schema {
        let mut fields: Vec<Field> = Vec::new();
        for (column, (wanted, own)) in query.columns.iter().zip(&census).enumerate() {
            let known = wanted.known_type();
            let seen = earlier.get(column).map_or(&[][..], Field::seen);
            fields.push(Field {
                name: wanted.name.clone(),
                ty: known.unwrap_or_else(|| own.ty()),
                seen: if known.is_some() {
                    Vec::new()
                } else {
                    own.names(seen)
                },
            });
        }
        fields.push(Field {
            name: query.error.clone(),
            ty: Type::One(Scalar::Text),
            seen: Vec::new(),
        });
        Schema {
            query,
            fields,
            census,
        }
    }

    /// Merges the types of rows that several builders have read. The result does not depend on how
    /// the rows were distributed. `None` if there are no parts.
    #[must_use]
    pub fn of_parts(parts: impl IntoIterator<Item = Schema>) -> Option<Schema> {
        let mut parts = parts.into_iter();
        let mut all = parts.next()?;
        for part in parts {
            for (own, other) in all.census.iter_mut().zip(&part.census) {
                own.add(other);
            }
        }
        let fields = std::mem::take(&mut all.fields);
        Some(Schema::of_census(all.query, all.census, &fields))
    }

    /// Sets the type of a column unless it was given. Use it for a type that an earlier pass over
    /// the rows has found.
    #[must_use]
    pub fn assume(mut self, column: &str, ty: Type) -> Schema {
        let open = self.query.columns.iter().map(|wanted| wanted.known_type());
        let open: Vec<bool> = open.map(|known| known.is_none()).collect();
        for (field, is_open) in self.fields.iter_mut().zip(open) {
            if is_open && field.name == column {
                field.ty = ty;
            }
        }
        self
    }

    /// Returns the columns in order; the column of errors is last.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns `true` if each column has the same type in the other schema.
    #[must_use]
    pub fn has_types_of(&self, other: &Schema) -> bool {
        let types = |schema: &Schema| schema.fields.iter().map(Field::ty).collect::<Vec<_>>();
        types(self) == types(other)
    }

    /// Returns `true` if the caller gave the types of all columns, so that no value can change a type.
    #[must_use]
    pub fn is_given(&self) -> bool {
        let mut columns = self.query.columns.iter();
        columns.all(|wanted| wanted.known_type().is_some())
    }
}

/// Examines some of the values to guess the types of the columns.
///
/// A column gets the type that holds the most rows. `float64` holds ints and floats. Values with
/// nothing in common, such as texts and numbers, do not share a type, and the column of errors
/// reports the rows that do not fit. Later rows may need other types:
/// [`Builder::schema`](crate::Builder::schema) has the types of all rows that were read.
///
/// ```
/// use gdvar_columns::{Dialect, Query, Sample};
///
/// let mut sample = Sample::new(Query::new().column("gold", "$")?, Dialect::GODOT_4);
/// sample.see(b"\x02\0\0\0\x05\0\0\0"); // 5
/// sample.see(b"\x03\0\0\0\0\0\0\x3f"); // 0.5
/// assert_eq!(sample.schema().fields()[0].to_string(), "gold: float64 (int64 in 1 rows, float64 in 1)");
/// # Ok::<(), gdvar_columns::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    query: Arc<Query>,
    options: ReadOptions,
    columns: Vec<Census>,
    orders: Orders,
    rows: u64,
    most: u64,
}

impl Sample {
    /// How many rows a sample examines by default.
    pub const ROWS: u64 = 1000;

    /// Creates an empty sample.
    #[must_use]
    pub fn new(query: Query, options: impl Into<ReadOptions>) -> Sample {
        Sample {
            columns: vec![Census::default(); query.columns.len()],
            orders: Orders::new(query.tree.len()),
            query: Arc::new(query),
            options: options.into(),
            rows: 0,
            most: Sample::ROWS,
        }
    }

    /// Returns the sample with another number of rows.
    #[must_use]
    pub fn with_rows(mut self, rows: u64) -> Sample {
        self.most = rows;
        self
    }

    /// Examines the rows of a value until the sample is full. If the value is damaged, only the
    /// rows before the damage are examined.
    pub fn see(&mut self, value: &[u8]) {
        self.see_document(Document::with_options(value, self.options));
    }

    /// Examines a value that is read with its own options.
    pub fn see_document(&mut self, document: Document<'_>) {
        if self.is_full() {
            return;
        }
        let query = Arc::clone(&self.query);
        let mut cells = vec![Cell::Missing; query.columns.len()];
        let mut orders = std::mem::take(&mut self.orders);
        rows(&query, &mut orders, document, &mut cells, self);
        self.orders = orders;
    }

    /// Returns `true` if the sample is full, so that further rows are not examined.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.rows >= self.most
    }

    /// Returns the types that were seen so far.
    #[must_use]
    pub fn schema(&self) -> Schema {
        Schema::of_census(Arc::clone(&self.query), self.columns.clone(), &[])
    }
}

impl Take for Sample {
    fn row(&mut self, _: u64, cells: &[Cell<'_>]) -> bool {
        let Sample { query, columns, .. } = self;
        for (column, (census, cell)) in columns.iter_mut().zip(cells).enumerate() {
            census.count_named(&content(query, column, *cell));
        }
        self.rows += 1;
        !self.is_full()
    }

    fn damaged(&mut self, _: u64, _: &str) {
        self.rows += 1;
    }
}
