//! [`Item`]: a value, classified by how columns store it.

use gdvar_view::{Found, Kind, Math, Numbers, Packed, PathTarget, Real, StrRef, VariantRef};

use crate::ty::{Number, Scalar};

/// A value, classified by how columns store it.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
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
pub(crate) struct Run<'a> {
    pub(crate) scalar: Scalar,
    pub(crate) number: Scalar,
    pub(crate) bytes: &'a [u8],
}

fn run(packed: Packed<'_>) -> Run<'_> {
    pub(crate) fn of(number: Scalar, len: u8, bytes: &[u8]) -> Run<'_> {
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
    pub(crate) fn text(text: StrRef<'a>) -> Item<'a> {
        text.to_str().map_or(Item::WrongText, Item::Text)
    }

    pub(crate) fn of_value(value: VariantRef<'a>) -> Item<'a> {
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

    pub(crate) fn of(found: Found<'a>) -> Item<'a> {
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
    pub(crate) fn name(self) -> String {
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
    pub(crate) fn scalar(self) -> Option<Scalar> {
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
