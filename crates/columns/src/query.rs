//! [`Query`]: which columns a table has, and what its rows are.

use std::fmt;

use gdvar_view::{OwnedStep, Pattern, PatternStep};

use crate::{
    tree::Tree,
    ty::{Scalar, Type},
};

/// Which columns a table has, and what its rows are.
///
/// A column has a name and a path ([`gdvar_view::Path`]) or pattern ([`gdvar_view::Pattern`]). A
/// path gives one value in each row, a pattern a list. Instead of a path, these are allowed:
///
/// | instead of a path | the column's content |
/// |---|---|
/// | `@file` | the name of the value's source, as given with the value |
/// | `@record` | the number of the value in its source, as given with the value |
/// | `@element` | the number of the row in its value; 0 without [`Query::each`] |
///
/// ```
/// use gdvar_columns::Query;
///
/// let query = Query::new()
///     .column("file", "@file")?
///     .column("name", "name")?
///     .column("x", "pos.x")?
///     .column("items", "inventory[*].id")?
///     .each("party")?;
/// assert_eq!(query.names().collect::<Vec<_>>(), ["file", "name", "x", "items", "error"]);
/// # Ok::<(), gdvar_columns::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    pub(crate) columns: Vec<Wanted>,
    pub(crate) each: Option<String>,
    pub(crate) error: String,
    pub(crate) tree: Tree,
}

/// A column of the query.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) ty: Option<Type>,
}

/// Where the values of a column come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    File,
    Record,
    Element,
    /// The plain steps of the path, and the rest as a pattern. The rest begins with the first step
    /// that only patterns have; it is empty if there is none.
    Path(Vec<OwnedStep>, String),
}

impl Wanted {
    /// Returns the type, if it does not depend on the values.
    pub(crate) fn known_type(&self) -> Option<Type> {
        match self.source {
            Source::File => Some(Type::One(Scalar::Text)),
            Source::Record | Source::Element => Some(Type::One(Scalar::Int64)),
            Source::Path(..) => self.ty,
        }
    }
}

impl Default for Query {
    fn default() -> Query {
        Query {
            columns: Vec::new(),
            each: None,
            error: "error".to_owned(),
            tree: Tree::default(),
        }
    }
}

impl Query {
    /// Creates a query with the column of errors only, and one row for each value.
    #[must_use]
    pub fn new() -> Query {
        Query::default()
    }

    /// Adds a column, whose type the values decide.
    ///
    /// # Errors
    ///
    /// Fails if the path is invalid or has more than 64 steps, or if a column has that name.
    pub fn column(self, name: &str, path: &str) -> Result<Query, QueryError> {
        self.with(name, path, None)
    }

    /// Adds a column of a given type, whatever the values are. The type of a pattern is a list.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Query::column`]. Also fails if the type of a pattern is not a list.
    pub fn typed_column(self, name: &str, path: &str, ty: Type) -> Result<Query, QueryError> {
        self.with(name, path, Some(ty))
    }

    fn with(mut self, name: &str, path: &str, ty: Option<Type>) -> Result<Query, QueryError> {
        self.check_name(name)?;
        let column = self.columns.len();
        let source = match path {
            "@file" => Source::File,
            "@record" => Source::Record,
            "@element" => Source::Element,
            path => {
                let source = parse(path)?;
                self.tree.add(column, &source);
                Source::Path(source.0, source.1)
            }
        };
        let is_list = matches!(&source, Source::Path(_, rest) if !rest.is_empty());
        if is_list && matches!(ty, Some(Type::One(_))) {
            return Err(QueryError(format!(
                "the path {path} leads to many values: the type of its column is a list, not {}",
                ty.map(|ty| ty.to_string()).unwrap_or_default()
            )));
        }
        let name = name.to_owned();
        self.columns.push(Wanted { name, source, ty });
        Ok(self)
    }

    fn check_name(&self, name: &str) -> Result<(), QueryError> {
        if self.names().any(|own| own == name) {
            return Err(QueryError(format!("there are two columns named {name}")));
        }
        Ok(())
    }

    /// Makes a row of each child of the values to which `path`, a path or pattern, leads: elements
    /// of arrays, values of Dictionaries, properties of objects. The paths of the columns then
    /// begin at the child.
    ///
    /// # Errors
    ///
    /// Fails if the path is invalid.
    pub fn each(mut self, path: &str) -> Result<Query, QueryError> {
        Pattern::parse(path).map_err(|error| QueryError(format!("{path}: {error}")))?;
        self.each = Some(path.to_owned());
        Ok(self)
    }

    /// Renames the column of errors, by default `error`.
    ///
    /// # Errors
    ///
    /// Fails if a column has that name.
    pub fn error_column(mut self, name: &str) -> Result<Query, QueryError> {
        if name != self.error {
            self.check_name(name)?;
            self.error = name.to_owned();
        }
        Ok(self)
    }

    /// Returns the names of the columns; the column of errors is last.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let columns = self.columns.iter().map(|column| column.name.as_str());
        columns.chain([self.error.as_str()])
    }

    /// Returns the rest of a column's path after `depth` steps.
    pub(crate) fn rest_of(&self, column: usize, depth: usize) -> String {
        let mut rest = String::new();
        if let Some(Source::Path(steps, pattern)) = self.columns.get(column).map(|own| &own.source)
        {
            for step in steps.iter().skip(depth) {
                rest.push_str(&step.as_step().to_string());
            }
            rest.push_str(pattern);
        }
        rest
    }
}

/// The most steps of a path. The walk recurses once for each step.
const MOST: usize = 64;

fn parse(path: &str) -> Result<(Vec<OwnedStep>, String), QueryError> {
    let pattern = Pattern::parse(path).map_err(|error| QueryError(format!("{path}: {error}")))?;
    if pattern.steps().len() > MOST {
        return Err(QueryError(format!(
            "{path}: a path has at most {MOST} steps"
        )));
    }
    let mut steps = Vec::new();
    for step in pattern.steps() {
        match step {
            PatternStep::One(step) => steps.push(OwnedStep::from(*step)),
            _ => break,
        }
    }
    let Some(first) = pattern.steps().get(steps.len()) else {
        return Ok((steps, String::new()));
    };
    // A pattern displays as it was read, so the part before its own steps can be cut off.
    let all = pattern.to_string();
    let before: usize = steps
        .iter()
        .map(|step| step.as_step().to_string().len())
        .sum();
    let rest = all.get(1 + before..).unwrap_or_default();
    debug_assert!(Pattern::parse(rest).is_ok(), "{first:?}");
    Ok((steps, rest.to_owned()))
}

/// Why a query is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError(String);

impl QueryError {
    pub(crate) fn no_type(text: &str) -> QueryError {
        QueryError(format!(
            "{text} is not a type of a column; types are bool, int32, int64, float32, float64, text, binary, float32[3], list<int64> and the like"
        ))
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for QueryError {}
