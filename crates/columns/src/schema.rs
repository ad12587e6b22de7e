//! [`Schema`]: the types of the columns. [`Sample`]: a first look at them.

use std::{fmt, sync::Arc};

use gdvar_view::{Document, ReadOptions};

use crate::{
    cell::Cell,
    census::Census,
    fill::type_of,
    orders::Orders,
    query::Query,
    rows::{Take, rows},
    ty::{Scalar, Type},
};

/// The types of the columns of a [`Query`], from the rows that were looked at.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) query: Arc<Query>,
    pub(crate) fields: Vec<Field>,
    /// What was met in each column.
    census: Vec<Census>,
}

/// A column, its type and how the type came about.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    name: String,
    ty: Type,
    seen: Vec<(String, u64)>,
}

impl Field {
    /// The name of the column.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of its values.
    #[must_use]
    pub const fn ty(&self) -> Type {
        self.ty
    }

    /// The types that were met in this column, and the kinds of values that no column holds, each with its number
    /// of rows: of the sample, and of all rows that do not fit the type. Empty if the type was given, or if there was
    /// nothing.
    #[must_use]
    pub fn seen(&self) -> &[(String, u64)] {
        &self.seen
    }

    /// `true` if the type was widened: there was another one, too, whose values it holds.
    #[must_use]
    pub fn is_widened(&self) -> bool {
        let others = self.seen.iter().filter_map(|(seen, _)| seen.parse().ok());
        others
            .into_iter()
            .any(|seen: Type| seen != self.ty && self.ty.join(seen) == Some(self.ty))
    }
}

impl fmt::Display for Field {
    /// `gold: float64 (int64 in 7 rows, float64 in 3)`.
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
    /// The types that hold the most rows of each column. `earlier` are the fields of an earlier look at the same rows.
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

    /// The types of rows that several builders have read, each some of them. They are the same however the rows are
    /// shared out. `None` of no parts.
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

    /// With that type for a column, if it was not given: one that an earlier look at the rows has found.
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

    /// The columns in their order, that of the errors last.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns `true` if each column has the type that it has in the other schema.
    #[must_use]
    pub fn has_types_of(&self, other: &Schema) -> bool {
        let types = |schema: &Schema| schema.fields.iter().map(Field::ty).collect::<Vec<_>>();
        types(self) == types(other)
    }

    /// Returns `true` if no value can change a type: all were given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        let mut columns = self.query.columns.iter();
        columns.all(|wanted| wanted.known_type().is_some())
    }
}

/// A look at some of the values, from which the types of the columns are guessed.
///
/// Of each column the type that holds the most rows is taken. An int and a float are held by
/// `float64`; what has nothing in common, text and numbers, is not brought together: the rows that do not fit
/// are told in the column of the errors. The rest of the rows may say otherwise: [`Builder::schema`](crate::Builder::schema)
/// has the types of all that were read.
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
    /// The rows that a sample looks at, if nothing else is said.
    pub const ROWS: u64 = 1000;

    /// Nothing seen yet.
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

    /// With another number of rows.
    #[must_use]
    pub fn with_rows(mut self, rows: u64) -> Sample {
        self.most = rows;
        self
    }

    /// Looks at a value. Of a damaged one the rows before the damage count. Of a value of many rows it looks at no more
    /// than there is room for.
    pub fn see(&mut self, value: &[u8]) {
        self.see_document(Document::with_options(value, self.options));
    }

    /// [`Sample::see`] of a value that is read in another way than the others.
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

    /// Returns `true` if it looks at no more rows. If it does not, it has seen all there were.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.rows >= self.most
    }

    /// The types as far as they were seen.
    #[must_use]
    pub fn schema(&self) -> Schema {
        Schema::of_census(Arc::clone(&self.query), self.columns.clone(), &[])
    }
}

impl Take for Sample {
    fn row(&mut self, _: u64, cells: &[Cell<'_>]) -> bool {
        let Sample { query, columns, .. } = self;
        for (column, (census, cell)) in columns.iter_mut().zip(cells).enumerate() {
            census.count(&type_of(query, column, *cell));
        }
        self.rows += 1;
        !self.is_full()
    }

    fn damaged(&mut self, _: u64, _: &str) {
        self.rows += 1;
    }
}
