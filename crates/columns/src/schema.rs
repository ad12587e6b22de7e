//! [`Sample`] and [`Schema`]: the types of the columns, from a look at some of the values.

use std::{fmt, sync::Arc};

use gdvar_view::{Document, ReadOptions};

use crate::{
    cell::Cell,
    fill::type_of,
    orders::Orders,
    query::Query,
    rows::{Take, rows},
    ty::{Scalar, Type},
};

/// The types of the columns of a [`Query`]: they do not change any more.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) query: Arc<Query>,
    pub(crate) fields: Vec<Field>,
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

    /// The types that the sample had in this column, and the kinds of values that no column holds, each with its number
    /// of rows. Empty if the type was given, or if there was nothing.
    #[must_use]
    pub fn seen(&self) -> &[(String, u64)] {
        &self.seen
    }

    /// `true` if the type was widened: the sample had another one, too, whose values it holds.
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
    /// The columns in their order, that of the errors last.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

/// A look at some of the values, from which the types of the columns follow.
///
/// Of each column the type that holds the most rows of the sample is taken. An int and a float are held by
/// `float64`; what has nothing in common, text and numbers, is not brought together: the rows that do not fit
/// are told in the column of the errors, and so is what comes after the sample.
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
    columns: Vec<Seen>,
    orders: Orders,
    rows: u64,
}

/// The observations of a column.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Types that have nothing in common, and in how many rows each of them would hold the value.
    families: Vec<(Type, u64)>,
    /// All that was seen, by name.
    names: Vec<(String, u64)>,
}

/// More than so many different things in one column are counted, but not named.
const NAMED: usize = 16;

impl Seen {
    fn count(&mut self, name: &str) {
        match self.names.iter().position(|(own, _)| own == name) {
            Some(place) => {
                if let Some((_, rows)) = self.names.get_mut(place) {
                    *rows += 1;
                }
            }
            None if self.names.len() < NAMED => self.names.push((name.to_owned(), 1)),
            None => {}
        }
    }

    fn see(&mut self, ty: Result<Type, String>) {
        let ty = match ty {
            Ok(Type::Null) => return,
            Ok(ty) => ty,
            Err(what) => return self.count(&what),
        };
        self.count(&ty.to_string());
        for (own, rows) in &mut self.families {
            if let Some(both) = own.join(ty) {
                (*own, *rows) = (both, *rows + 1);
                return;
            }
        }
        self.families.push((ty, 1));
    }

    fn ty(&self) -> Type {
        let mut best = (Type::Null, 0);
        for &(ty, rows) in &self.families {
            if rows > best.1 {
                best = (ty, rows);
            }
        }
        best.0
    }
}

impl Sample {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(query: Query, options: impl Into<ReadOptions>) -> Sample {
        Sample {
            columns: vec![Seen::default(); query.columns.len()],
            orders: Orders::new(query.tree.len()),
            query: Arc::new(query),
            options: options.into(),
            rows: 0,
        }
    }

    /// Looks at a value. Of a damaged one the rows before the damage count.
    pub fn see(&mut self, value: &[u8]) {
        self.see_document(Document::with_options(value, self.options), u64::MAX);
    }

    /// Looks at the first rows of a value, until so many rows were seen in all.
    pub fn see_document(&mut self, document: Document<'_>, most: u64) {
        let query = Arc::clone(&self.query);
        let mut cells = vec![Cell::Missing; query.columns.len()];
        let mut orders = std::mem::take(&mut self.orders);
        let mut look = Look { sample: self, most };
        rows(&query, &mut orders, document, &mut cells, &mut look);
        self.orders = orders;
    }

    /// The number of rows that were seen.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// The types as far as they were seen.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let mut fields: Vec<Field> = Vec::new();
        for (wanted, seen) in self.query.columns.iter().zip(&self.columns) {
            fields.push(match wanted.known_type() {
                Some(ty) => Field {
                    name: wanted.name.clone(),
                    ty,
                    seen: Vec::new(),
                },
                None => Field {
                    name: wanted.name.clone(),
                    ty: seen.ty(),
                    seen: seen.names.clone(),
                },
            });
        }
        fields.push(Field {
            name: self.query.error.clone(),
            ty: Type::One(Scalar::Text),
            seen: Vec::new(),
        });
        Schema {
            query: Arc::clone(&self.query),
            fields,
        }
    }
}

struct Look<'s> {
    sample: &'s mut Sample,
    most: u64,
}

impl Take for Look<'_> {
    fn row(&mut self, _: u64, cells: &[Cell<'_>]) -> bool {
        let Sample { query, columns, .. } = &mut *self.sample;
        for (column, (seen, cell)) in columns.iter_mut().zip(cells).enumerate() {
            seen.see(type_of(query, column, *cell));
        }
        self.sample.rows += 1;
        self.sample.rows < self.most
    }

    fn damaged(&mut self, _: u64, _: &str) {
        self.sample.rows += 1;
    }
}
