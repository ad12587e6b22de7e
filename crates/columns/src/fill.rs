//! Turns what a walk found into a value of a column, or into the reason why it does not fit.

use gdvar_view::{Found, Kind, Math, Numbers, Packed, PathTarget, Real, StrRef, VariantRef};

use crate::{
    cell::Cell,
    column::{Array, Values},
    query::Query,
    ty::{Number, Scalar, Type},
    walk::{many, part_of},
};

/// A value, classified by how columns store it.
#[derive(Clone, Copy)]
enum Item<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a str),
    /// Text that is not UTF-8.
    WrongText,
    Path(VariantRef<'a>),
    Bytes(&'a [u8]),
    Math(Math),
    Run(Run<'a>),
    Strings(VariantRef<'a>),
    Array(VariantRef<'a>),
    Other(Kind),
}

/// The elements of a packed array, as `bytes`. `scalar` is the type of one element, `number` the
/// type of the numbers in it.
#[derive(Clone, Copy)]
struct Run<'a> {
    scalar: Scalar,
    number: Scalar,
    bytes: &'a [u8],
}

fn run(packed: Packed<'_>) -> Run<'_> {
    fn of(number: Scalar, len: u8, bytes: &[u8]) -> Run<'_> {
        let scalar = match (number, len) {
            (number, 1) => number,
            (Scalar::Int32, len) => Scalar::Fixed(Number::Int32, len),
            (Scalar::Float32, len) => Scalar::Fixed(Number::Float32, len),
            (_, len) => Scalar::Fixed(Number::Float64, len),
        };
        Run {
            scalar,
            number,
            bytes,
        }
    }
    macro_rules! real {
        ($real:expr, $len:literal) => {
            match $real {
                Real::Single(all) => of(Scalar::Float32, $len, all.as_bytes()),
                Real::Double(all) => of(Scalar::Float64, $len, all.as_bytes()),
            }
        };
    }
    match packed {
        // Nobody asks for a run of bytes: they are an `Item::Bytes`.
        Packed::Bytes(_) => of(Scalar::Int32, 1, &[]),
        Packed::Int32(all) => of(Scalar::Int32, 1, all.as_bytes()),
        Packed::Int64(all) => of(Scalar::Int64, 1, all.as_bytes()),
        Packed::Float32(all) => of(Scalar::Float32, 1, all.as_bytes()),
        Packed::Float64(all) => of(Scalar::Float64, 1, all.as_bytes()),
        Packed::Vector2(all) => real!(all, 2),
        Packed::Vector3(all) => real!(all, 3),
        Packed::Vector4(all) => real!(all, 4),
        Packed::Vector2i(all) => of(Scalar::Int32, 2, all.as_bytes()),
        Packed::Vector3i(all) => of(Scalar::Int32, 3, all.as_bytes()),
        Packed::Vector4i(all) => of(Scalar::Int32, 4, all.as_bytes()),
        Packed::Color(all) => of(Scalar::Float32, 4, all.as_bytes()),
    }
}

impl<'a> Item<'a> {
    fn text(text: StrRef<'a>) -> Item<'a> {
        text.to_str().map_or(Item::WrongText, Item::Text)
    }

    fn of_value(value: VariantRef<'a>) -> Item<'a> {
        if let Some(int) = value.as_i64() {
            Item::Int(int)
        } else if let Some(float) = value.as_f64() {
            Item::Float(float)
        } else if let Some(text) = value.as_text() {
            Item::text(text)
        } else if let Some(bool) = value.as_bool() {
            Item::Bool(bool)
        } else if value.is_nil() {
            Item::Nil
        } else if let Some(bytes) = value.as_bytes() {
            Item::Bytes(bytes)
        } else if let Some(packed) = value.as_packed() {
            Item::Run(run(packed))
        } else if let Some(math) = Math::of(value) {
            Item::Math(math)
        } else {
            match value.kind() {
                Kind::PackedStringArray => Item::Strings(value),
                Kind::Array => Item::Array(value),
                Kind::NodePath => Item::Path(value),
                kind => Item::Other(kind),
            }
        }
    }

    fn of(found: Found<'a>) -> Item<'a> {
        match found {
            Found::Value(value) => Item::of_value(value),
            Found::Part(PathTarget::Text(text)) => Item::text(text),
            Found::Part(PathTarget::Int(int)) => Item::Int(int),
            Found::Part(PathTarget::Math(math)) => match (math.kind(), math.numbers()) {
                (Kind::Int, Numbers::Ints([int, ..])) => Item::Int((*int).into()),
                (Kind::Float, _) => math.iter().next().map_or(Item::Nil, Item::Float),
                _ => Item::Math(math),
            },
        }
    }

    /// Names the value for messages.
    fn name(self) -> String {
        match self {
            Item::Nil => "null".to_owned(),
            Item::Bool(_) => "Bool".to_owned(),
            Item::Int(int) => format!("Int {int}"),
            Item::Float(float) => format!("Float {float:?}"),
            Item::Text(_) => "text".to_owned(),
            Item::WrongText => "text that is not UTF-8".to_owned(),
            Item::Path(_) => "NodePath".to_owned(),
            Item::Bytes(_) => "PackedByteArray".to_owned(),
            Item::Math(math) => math.kind().name().to_owned(),
            Item::Run(run) => format!("packed array of {}", run.scalar),
            Item::Strings(_) => "PackedStringArray".to_owned(),
            Item::Array(_) => "Array".to_owned(),
            Item::Other(kind) => kind.name().to_owned(),
        }
    }

    /// Returns the column type of one value, or `None` for a list and for a value that no column
    /// holds.
    fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Item::Bool(_) => Scalar::Bool,
            Item::Int(_) => Scalar::Int64,
            Item::Float(_) => Scalar::Float64,
            Item::Text(_) | Item::Path(_) => Scalar::Text,
            Item::Bytes(_) => Scalar::Binary,
            Item::Math(math) => {
                let number = match math.numbers() {
                    Numbers::Ints(_) => Number::Int32,
                    Numbers::Singles(_) => Number::Float32,
                    Numbers::Doubles(_) => Number::Float64,
                };
                Scalar::Fixed(number, math.len() as u8)
            }
            _ => return None,
        })
    }
}

/// How to decide whether a number fits into a column of narrower numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Compares the types. Used if the values decide the column's type, because the order of the
    /// rows must not matter.
    Type,
    /// Compares the value. Used if the type was given.
    Value,
}

/// Returns the type of a column that can hold what was found, or the name of the value if no column
/// can hold it.
pub(crate) fn type_of(query: &Query, column: usize, cell: Cell<'_>) -> Result<Type, String> {
    let mut elements = Type::Null;
    let mut join = |item: Item<'_>| {
        let ty = match item {
            Item::Nil => Type::Null,
            item => Type::One(item.scalar().ok_or_else(|| item.name())?),
        };
        elements = elements.join(ty).ok_or("values of several types")?;
        Ok(())
    };
    if let Cell::Many(value, depth) = cell {
        many(query, column, value, depth, |found| join(Item::of(found)))?;
        return Ok(list_of(elements));
    }
    match item(query, column, cell) {
        Item::Nil => Ok(Type::Null),
        Item::Run(run) => Ok(Type::List(run.scalar)),
        Item::Strings(_) => Ok(Type::List(Scalar::Text)),
        Item::Array(value) => {
            each(value, |value| join(Item::of_value(value)))?;
            Ok(list_of(elements))
        }
        item => item.scalar().map(Type::One).ok_or_else(|| item.name()),
    }
}

/// Returns the type of a list with these elements. A list without elements has no type.
fn list_of(elements: Type) -> Type {
    match elements {
        Type::One(scalar) => Type::List(scalar),
        _ => Type::Null,
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

/// Appends what was found to a column. If it does not fit, appends a missing value and returns the
/// reason.
#[inline]
pub(crate) fn fill(
    query: &Query,
    column: usize,
    ty: Type,
    array: &mut Array,
    cell: Cell<'_>,
) -> Result<(), String> {
    match (cell, &mut array.values) {
        (Cell::Int(int), Values::Int64(all)) => all.push(int),
        (Cell::Float(float), Values::Float64(all)) => all.push(float),
        (Cell::Bool(bool), Values::Bool(all)) => all.push(bool),
        (Cell::Text(text), Values::Text { offsets, data }) => {
            let Ok(end) = offset(data.len() + text.len()) else {
                return any(query, column, ty, array, cell);
            };
            offsets.push(end);
            data.extend_from_slice(text.as_bytes());
        }
        (Cell::Missing, _) => {
            array.push_null();
            return Ok(());
        }
        (cell, _) => return any(query, column, ty, array, cell),
    }
    array.validity.push(true);
    Ok(())
}

fn any(
    query: &Query,
    column: usize,
    ty: Type,
    array: &mut Array,
    cell: Cell<'_>,
) -> Result<(), String> {
    let rows = array.len();
    let by = match query.columns.get(column) {
        Some(wanted) if wanted.ty.is_none() => Fit::Type,
        _ => Fit::Value,
    };
    let done = match (ty, cell) {
        (_, Cell::Missing) => Ok(false),
        (Type::Null, Cell::Many(..)) => match type_of(query, column, cell) {
            Ok(Type::Null) => Ok(false),
            _ => Err("expected null, found a list".to_owned()),
        },
        (Type::List(scalar), cell) => list(query, column, scalar, array, cell, by),
        (Type::One(scalar), cell) => put(array, scalar, item(query, column, cell), by),
        (Type::Null, cell) => match item(query, column, cell) {
            Item::Nil => Ok(false),
            item => Err(misfit(&ty, item)),
        },
    };
    match done {
        Ok(true) => Ok(()),
        Ok(false) => {
            array.push_null();
            Ok(())
        }
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

/// Appends a list. Returns `false` if the column has no lists or the cell is null.
fn list(
    query: &Query,
    column: usize,
    scalar: Scalar,
    array: &mut Array,
    cell: Cell<'_>,
    by: Fit,
) -> Result<bool, String> {
    let Values::List { offsets, elements } = &mut array.values else {
        return Ok(false);
    };
    let mut push = |item: Item<'_>| {
        if !put(elements, scalar, item, by)? {
            elements.push_null();
        }
        Ok(())
    };
    if let Cell::Many(value, depth) = cell {
        many(query, column, value, depth, |found| push(Item::of(found)))?;
    } else {
        match item(query, column, cell) {
            Item::Nil => return Ok(false),
            Item::Run(run) => put_run(elements, scalar, run)?,
            Item::Strings(value) => {
                for text in value.as_strings().into_iter().flatten() {
                    push(Item::text(text.map_err(|error| error.to_string())?))?;
                }
            }
            Item::Array(value) => each(value, |value| push(Item::of_value(value)))?,
            item => return Err(misfit(&Type::List(scalar), item)),
        }
    }
    offsets.push(offset(elements.len())?);
    array.validity.push(true);
    Ok(true)
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
        Values::Float64(all) if int.unsigned_abs() <= 1 << 53 => all.push(int as f64),
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
