//! Turns what a walk found into a value of a column, or into the reason why it does not fit.

use gdvar_view::{Numbers, VariantRef};

use crate::{
    cell::Cell,
    census::RowContent,
    column::{Array, Values},
    item::{Item, Run},
    query::Query,
    ty::{Scalar, Type},
    walk::{many, part_of},
};

/// How to decide whether a number fits into a column of narrower numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Compares the types. Used if the values decide the column's type, because the order of the
    /// rows must not matter.
    Type,
    /// Compares the value. Used if the type was given.
    Value,
}

/// Returns `true` for an int that `float64` does not hold exactly, as it does all from -2^53 to
/// 2^53.
const fn is_large(int: i64) -> bool {
    int.unsigned_abs() > 1 << 53
}

/// Collects what the elements of a list have in common.
struct ListContent {
    ty: Type,
    is_large: bool,
    /// The number of elements, with those that are null.
    len: usize,
}

impl ListContent {
    const NONE: ListContent = ListContent {
        ty: Type::Null,
        is_large: false,
        len: 0,
    };

    /// Adds an element. Fails if no type of lists holds it with the elements before it.
    #[inline]
    fn add(&mut self, item: Item<'_>) -> Result<(), String> {
        self.len += 1;
        if matches!(item, Item::Nil) {
            return Ok(());
        }
        let ty = Type::One(item.scalar().ok_or_else(|| item.name())?);
        self.ty = self.ty.join(ty).ok_or("values of several types")?;
        self.is_large |= matches!(item, Item::Int(int) if is_large(int));
        if self.is_large && self.ty == Type::One(Scalar::Float64) {
            return Err("ints beyond 2^53 among floats".to_owned());
        }
        Ok(())
    }

    fn content(&self) -> RowContent {
        match self.ty {
            Type::One(scalar) => RowContent::Values {
                ty: Type::List(scalar),
                is_large: self.is_large,
            },
            _ => RowContent::HollowList,
        }
    }
}

fn one(item: Item<'_>) -> Option<RowContent> {
    Some(RowContent::Values {
        ty: Type::One(item.scalar()?),
        is_large: matches!(item, Item::Int(int) if is_large(int)),
    })
}

fn run_content(run: Run<'_>) -> RowContent {
    let mut ints = words(run.bytes).map(i64::from_le_bytes);
    RowContent::Values {
        ty: Type::List(run.scalar),
        is_large: run.number == Scalar::Int64 && ints.any(is_large),
    }
}

/// Returns what was found, as a type of columns that can hold it, or the name of the value if no
/// column can hold it. A pattern that matches nothing finds nothing.
pub(crate) fn content(query: &Query, column: usize, cell: Cell<'_>) -> Result<RowContent, String> {
    let mut elements = ListContent::NONE;
    if let Cell::Many(value, depth) = cell {
        many(query, column, value, depth, |found| {
            elements.add(Item::of(found))
        })?;
        return Ok(match elements.len {
            0 => RowContent::Missing,
            _ => elements.content(),
        });
    }
    match item(query, column, cell) {
        Item::Nil => Ok(RowContent::Missing),
        Item::Run(run) => Ok(run_content(run)),
        Item::Strings(_) => Ok(RowContent::Values {
            ty: Type::List(Scalar::Text),
            is_large: false,
        }),
        Item::Array(value) => {
            each(value, |value| elements.add(Item::of_value(value)))?;
            Ok(elements.content())
        }
        item => one(item).ok_or_else(|| item.name()),
    }
}

fn each<'a>(
    array: VariantRef<'a>,
    mut take: impl FnMut(VariantRef<'a>) -> Result<(), String>,
) -> Result<(), String> {
    let Some(array) = array.as_array() else {
        return Ok(());
    };
    let mut elements = array.iter();
    while let Some(element) = elements.try_next().map_err(|error| error.to_string())? {
        take(element)?;
    }
    Ok(())
}

/// Appends what was found to a column, and returns it. If it does not fit, appends a missing value
/// and returns the reason.
#[inline]
pub(crate) fn fill(
    query: &Query,
    column: usize,
    ty: Type,
    array: &mut Array,
    cell: Cell<'_>,
) -> Result<RowContent, String> {
    let scalar = match (cell, &mut array.values) {
        (Cell::Int(int), Values::Int64(all)) => {
            all.push(int);
            array.validity.push(true);
            return Ok(RowContent::Values {
                ty: Type::One(Scalar::Int64),
                is_large: is_large(int),
            });
        }
        (Cell::Float(float), Values::Float64(all)) => {
            all.push(float);
            Scalar::Float64
        }
        (Cell::Bool(bool), Values::Bool(all)) => {
            all.push(bool);
            Scalar::Bool
        }
        (Cell::Text(text), Values::Text { offsets, data }) => {
            let Ok(end) = offset(data.len() + text.len()) else {
                return any(query, column, ty, array, cell);
            };
            offsets.push(end);
            data.extend_from_slice(text.as_bytes());
            Scalar::Text
        }
        (Cell::Missing, _) => {
            array.push_null();
            return Ok(RowContent::Missing);
        }
        (cell, _) => return any(query, column, ty, array, cell),
    };
    array.validity.push(true);
    Ok(RowContent::Values {
        ty: Type::One(scalar),
        is_large: false,
    })
}

fn any(
    query: &Query,
    column: usize,
    ty: Type,
    array: &mut Array,
    cell: Cell<'_>,
) -> Result<RowContent, String> {
    let rows = array.len();
    let by = match query.columns.get(column) {
        Some(wanted) if wanted.ty.is_none() => Fit::Type,
        _ => Fit::Value,
    };
    let done = match (ty, cell) {
        (_, Cell::Missing) => Ok(RowContent::Missing),
        (Type::Null, Cell::Many(..)) => match content(query, column, cell) {
            Ok(RowContent::Missing) => Ok(RowContent::Missing),
            _ => Err("expected null, found a list".to_owned()),
        },
        (Type::List(scalar), cell) => list(query, column, scalar, array, cell, by),
        (Type::One(scalar), cell) => {
            let item = item(query, column, cell);
            put(array, scalar, item, by).map(|is_there| match is_there {
                true => one(item).unwrap_or(RowContent::Missing),
                false => RowContent::Missing,
            })
        }
        (Type::Null, cell) => match item(query, column, cell) {
            Item::Nil => Ok(RowContent::Missing),
            item => Err(misfit(&ty, item)),
        },
    };
    match done {
        Ok(RowContent::Missing) => {
            array.push_null();
            Ok(RowContent::Missing)
        }
        Ok(content) => Ok(content),
        Err(reason) => {
            array.truncate(rows);
            array.push_null();
            Err(reason)
        }
    }
}

fn item<'a>(query: &Query, column: usize, cell: Cell<'a>) -> Item<'a> {
    match cell {
        Cell::Missing => Item::Nil,
        Cell::Bool(bool) => Item::Bool(bool),
        Cell::Int(int) => Item::Int(int),
        Cell::Float(float) => Item::Float(float),
        Cell::Text(text) => Item::Text(text),
        Cell::Value(value) => Item::of_value(value),
        Cell::Part(..) | Cell::Element(..) => {
            part_of(query, column, cell).map_or(Item::Nil, Item::of)
        }
        Cell::Many(value, _) => Item::of_value(value),
    }
}

fn misfit(ty: &dyn std::fmt::Display, item: Item<'_>) -> String {
    format!("expected {ty}, found {}", item.name())
}

/// Appends a list, and returns what it is. Appends nothing if the cell is null.
fn list(
    query: &Query,
    column: usize,
    scalar: Scalar,
    array: &mut Array,
    cell: Cell<'_>,
    by: Fit,
) -> Result<RowContent, String> {
    let Values::List { offsets, elements } = &mut array.values else {
        return Ok(RowContent::Missing);
    };
    let mut own = ListContent::NONE;
    let mut push = |item: Item<'_>| {
        if !put(elements, scalar, item, by)? {
            elements.push_null();
        }
        match by {
            Fit::Type => own.add(item),
            // What is in the list decides nothing.
            Fit::Value => Ok(()),
        }
    };
    let content = if let Cell::Many(value, depth) = cell {
        many(query, column, value, depth, |found| push(Item::of(found)))?;
        own.content()
    } else {
        match item(query, column, cell) {
            Item::Nil => return Ok(RowContent::Missing),
            Item::Run(run) => {
                put_run(elements, scalar, run)?;
                run_content(run)
            }
            Item::Strings(value) => {
                for text in value.as_strings().into_iter().flatten() {
                    push(Item::text(text.map_err(|error| error.to_string())?))?;
                }
                RowContent::Values {
                    ty: Type::List(Scalar::Text),
                    is_large: false,
                }
            }
            Item::Array(value) => {
                each(value, |value| push(Item::of_value(value)))?;
                own.content()
            }
            item => return Err(misfit(&Type::List(scalar), item)),
        }
    };
    offsets.push(offset(elements.len())?);
    array.validity.push(true);
    Ok(content)
}

/// Returns the end of a value as an offset.
fn offset(end: usize) -> Result<i32, String> {
    i32::try_from(end).map_err(|_| "a batch holds at most 2^31 - 1 bytes in a column".to_owned())
}

/// Appends one value. Returns `false` for null.
fn put(array: &mut Array, scalar: Scalar, item: Item<'_>, by: Fit) -> Result<bool, String> {
    let wrong = || misfit(&scalar, item);
    let is_wider = |own| scalar.join(own) != Some(scalar);
    if by == Fit::Type && item.scalar().is_some_and(is_wider) {
        return Err(wrong());
    }
    match (&mut array.values, item) {
        (_, Item::Nil) => return Ok(false),
        (Values::Bool(all), Item::Bool(bool)) => all.push(bool),
        (Values::Text { offsets, data }, Item::Text(text)) => {
            offsets.push(offset(data.len() + text.len())?);
            data.extend_from_slice(text.as_bytes());
        }
        (Values::Text { offsets, data }, Item::Path(value)) => {
            let text = node_path(value).ok_or_else(wrong)?;
            offsets.push(offset(data.len() + text.len())?);
            data.extend_from_slice(text.as_bytes());
        }
        (Values::Binary { offsets, data }, Item::Bytes(bytes)) => {
            offsets.push(offset(data.len() + bytes.len())?);
            data.extend_from_slice(bytes);
        }
        (Values::Fixed { len, numbers }, Item::Math(math)) if math.len() == usize::from(*len) => {
            let from = numbers.len();
            let fits = match math.numbers() {
                Numbers::Ints(all) => all
                    .iter()
                    .take(math.len())
                    .all(|&int| put_int(numbers, int.into())),
                _ => math.iter().all(|float| put_float(numbers, float)),
            };
            if !fits {
                numbers.truncate(from);
                return Err(wrong());
            }
        }
        (_, Item::Int(int)) => {
            // `put_int` and `put_float` append the validity, too.
            return if put_int(array, int) {
                Ok(true)
            } else {
                Err(wrong())
            };
        }
        (_, Item::Float(float)) => {
            return if put_float(array, float) {
                Ok(true)
            } else {
                Err(wrong())
            };
        }
        _ => return Err(wrong()),
    }
    array.validity.push(true);
    Ok(true)
}

/// Appends an int. Returns `false` if the column cannot hold it exactly.
fn put_int(array: &mut Array, int: i64) -> bool {
    match &mut array.values {
        Values::Int64(all) => all.push(int),
        Values::Int32(all) => match i32::try_from(int) {
            Ok(int) => all.push(int),
            Err(_) => return false,
        },
        Values::Float64(all) if !is_large(int) => all.push(int as f64),
        Values::Float32(all) if int.unsigned_abs() <= 1 << 24 => all.push(int as f32),
        _ => return false,
    }
    array.validity.push(true);
    true
}

/// Appends a float. Returns `false` if the column cannot hold it exactly.
fn put_float(array: &mut Array, float: f64) -> bool {
    match &mut array.values {
        Values::Float64(all) => all.push(float),
        Values::Float32(all) if float.is_nan() || f64::from(float as f32) == float => {
            all.push(float as f32);
        }
        _ => return false,
    }
    array.validity.push(true);
    true
}

/// Appends all elements of a packed array.
fn put_run(array: &mut Array, scalar: Scalar, run: Run<'_>) -> Result<(), String> {
    let wrong = || {
        format!(
            "expected list<{scalar}>, found packed array of {}",
            run.scalar
        )
    };
    if scalar.join(run.scalar) != Some(scalar) {
        return Err(wrong());
    }
    let numbers = match &mut array.values {
        Values::Fixed { numbers, .. } => &mut **numbers,
        _ => &mut *array,
    };
    let before = numbers.len();
    macro_rules! copy {
        ($all:expr, $number:ty) => {{
            $all.extend(words(run.bytes).map(<$number>::from_le_bytes));
            run.bytes.len() / size_of::<$number>()
        }};
    }
    let added = match (&mut numbers.values, run.number) {
        (Values::Int32(all), Scalar::Int32) => copy!(all, i32),
        (Values::Int64(all), Scalar::Int64) => copy!(all, i64),
        (Values::Float32(all), Scalar::Float32) => copy!(all, f32),
        (Values::Float64(all), Scalar::Float64) => copy!(all, f64),
        _ => {
            let fits = match run.number {
                Scalar::Int32 => {
                    words(run.bytes).all(|raw| put_int(numbers, i32::from_le_bytes(raw).into()))
                }
                Scalar::Int64 => {
                    words(run.bytes).all(|raw| put_int(numbers, i64::from_le_bytes(raw)))
                }
                Scalar::Float32 => {
                    words(run.bytes).all(|raw| put_float(numbers, f32::from_le_bytes(raw).into()))
                }
                _ => words(run.bytes).all(|raw| put_float(numbers, f64::from_le_bytes(raw))),
            };
            if !fits {
                return Err(wrong());
            }
            0
        }
    };
    numbers.validity.push_ones(added);
    let numbers = numbers.len() - before;
    if let Values::Fixed { len, .. } = array.values {
        array.validity.push_ones(numbers / usize::from(len.max(1)));
    }
    Ok(())
}

fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> + '_ {
    bytes
        .chunks_exact(N)
        .map(|raw| raw.try_into().unwrap_or([0; N]))
}

/// Returns a path as scripts write it: `/root/Player:position:x`.
fn node_path(value: VariantRef<'_>) -> Option<String> {
    let path = value.as_node_path()?;
    let mut text = String::new();
    for (n, name) in path.names().enumerate() {
        if n > 0 || path.is_absolute() {
            text.push('/');
        }
        text.push_str(name.ok()?.to_str().ok()?);
    }
    for name in path.subnames() {
        text.push(':');
        text.push_str(name.ok()?.to_str().ok()?);
    }
    Some(text)
}
