//! [`Type`]: the type of a column's values, and the common type of values of two types.

use std::{fmt, str::FromStr};

/// The type of one value of a column, or of one element of its lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// True or false, one bit each.
    Bool,
    /// Signed 32-bit integers.
    Int32,
    /// Signed 64-bit integers.
    Int64,
    /// 32-bit floats.
    Float32,
    /// 64-bit floats.
    Float64,
    /// Text in UTF-8.
    Text,
    /// Bytes, of any length.
    Binary,
    /// A vector, matrix, box or colour: this many numbers in stream order.
    Fixed(Number, u8),
}

/// The type of the numbers of a [`Scalar::Fixed`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// Signed 32-bit integers.
    Int32,
    /// 32-bit floats.
    Float32,
    /// 64-bit floats.
    Float64,
}

/// The type of a column's values. Any value may be missing.
///
/// Types are written as `bool`, `int32`, `int64`, `float32`, `float64`, `text`, `binary`,
/// `float32[3]`, `list<text>`, `list<float32[2]>`, `null`:
///
/// ```
/// use gdvar_columns::{Number, Scalar, Type};
///
/// let points: Type = "list<float32[2]>".parse()?;
/// assert_eq!(points, Type::List(Scalar::Fixed(Number::Float32, 2)));
/// assert_eq!(points.to_string(), "list<float32[2]>");
/// # Ok::<(), gdvar_columns::QueryError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Only missing values: the type of a column whose sample had no value.
    Null,
    /// One value in each row.
    One(Scalar),
    /// A list of values in each row.
    List(Scalar),
}

impl Number {
    fn join(self, other: Number) -> Number {
        if self == other { self } else { Number::Float64 }
    }

    pub(crate) const fn scalar(self) -> Scalar {
        match self {
            Number::Int32 => Scalar::Int32,
            Number::Float32 => Scalar::Float32,
            Number::Float64 => Scalar::Float64,
        }
    }
}

impl Scalar {
    /// Returns the type that holds the values of both: the wider of two ints or two floats,
    /// `float64` for an int and a float. `None` if they have nothing in common.
    #[must_use]
    pub fn join(self, other: Scalar) -> Option<Scalar> {
        use Scalar::{Fixed, Float32, Float64, Int32, Int64};
        Some(match (self, other) {
            (a, b) if a == b => a,
            (Int32, Int64) | (Int64, Int32) => Int64,
            (Int32 | Int64 | Float32 | Float64, Int32 | Int64 | Float32 | Float64) => Float64,
            (Fixed(a, n), Fixed(b, m)) if n == m => Fixed(a.join(b), n),
            _ => return None,
        })
    }
}

impl Type {
    /// Returns the type that holds the values of both: [`Scalar::join`], or the other type if one
    /// is `null`.
    #[must_use]
    pub fn join(self, other: Type) -> Option<Type> {
        match (self, other) {
            (Type::Null, ty) | (ty, Type::Null) => Some(ty),
            (Type::One(a), Type::One(b)) => a.join(b).map(Type::One),
            (Type::List(a), Type::List(b)) => a.join(b).map(Type::List),
            _ => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Scalar::Bool => "bool",
            Scalar::Int32 => "int32",
            Scalar::Int64 => "int64",
            Scalar::Float32 => "float32",
            Scalar::Float64 => "float64",
            Scalar::Text => "text",
            Scalar::Binary => "binary",
            Scalar::Fixed(number, len) => return write!(f, "{}[{len}]", number.scalar()),
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Null => f.write_str("null"),
            Type::One(scalar) => scalar.fmt(f),
            Type::List(scalar) => write!(f, "list<{scalar}>"),
        }
    }
}

fn scalar(text: &str) -> Option<Scalar> {
    if let Some((number, len)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        let len = len.parse().ok().filter(|&len| (1..=16).contains(&len))?;
        let number = match number {
            "int32" => Number::Int32,
            "float32" => Number::Float32,
            "float64" => Number::Float64,
            _ => return None,
        };
        return Some(Scalar::Fixed(number, len));
    }
    Some(match text {
        "bool" => Scalar::Bool,
        "int32" => Scalar::Int32,
        "int64" => Scalar::Int64,
        "float32" => Scalar::Float32,
        "float64" => Scalar::Float64,
        "text" => Scalar::Text,
        "binary" => Scalar::Binary,
        _ => return None,
    })
}

impl FromStr for Type {
    type Err = crate::query::QueryError;

    fn from_str(text: &str) -> Result<Type, Self::Err> {
        let list = text.strip_prefix("list<");
        let ty = match list.and_then(|text| text.strip_suffix('>')) {
            Some(item) => scalar(item).map(Type::List),
            None if text == "null" => Some(Type::Null),
            None => scalar(text).map(Type::One),
        };
        ty.ok_or_else(|| Self::Err::no_type(text))
    }
}
