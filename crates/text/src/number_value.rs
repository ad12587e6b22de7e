//! [`Number`]: the value of a number in a text.

use gdvar_write::{IntRule, Precision, Target, WriteErrorKind, wire::Kind};

use crate::{error::BuildError, parse::number::float_of};

/// A number of the notation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A number without a point or an exponent.
    Int(i64),
    /// A number with a point or an exponent, an infinity or NaN.
    Float(f64),
}

impl Number {
    /// Parses decimal digits: an Int if there is neither a point nor an exponent, else the nearest
    /// Float. `1e999` and `1e99999`, with or without a minus, are infinite, because Godot 3 needs
    /// the first in text and the engine's `JSON.stringify` prints the second.
    ///
    /// ```
    /// use gdvar_text::Number;
    ///
    /// assert_eq!(Number::parse("-9223372036854775808"), Ok(Number::Int(i64::MIN)));
    /// assert_eq!(Number::parse("9223372036854775808.0"), Ok(Number::Float(9223372036854775808.0)));
    /// assert!(Number::parse("9223372036854775808").is_err());
    /// assert!(Number::parse("1e400").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// `OutOfRange`, which displays the range, for an int beyond 64 bits, a Float that would be
    /// infinite, and a Float that would be zero despite its digits. Also for text that is no
    /// number.
    pub fn parse(text: &str) -> Result<Number, BuildError> {
        if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            return Number::parse_float(text).map(Number::Float);
        }
        let int = text.parse().map(Number::Int);
        int.map_err(|_| WriteErrorKind::OutOfRange { kind: Kind::Int })
    }

    /// Parses like [`Number::parse`], but gives a Float for digits without a point too.
    ///
    /// # Errors
    ///
    /// The errors of [`Number::parse`].
    pub fn parse_float(text: &str) -> Result<f64, BuildError> {
        float_of(text).ok_or(WriteErrorKind::OutOfRange { kind: Kind::Float })
    }

    /// Checks that a value, a component or an element of `kind` holds the number. An integer holds
    /// whole numbers in its range, but no Float of 2⁵³ or more: several texts give the same Float
    /// there, so it may not be the number of the text. A real holds numbers that rounding leaves
    /// finite and, unless they are zero, not zero. The engines wrap, truncate and overflow instead,
    /// as the getters below do.
    ///
    /// # Errors
    ///
    /// `OutOfRange`, which displays the range.
    pub fn check(self, kind: Kind, target: Target) -> Result<(), BuildError> {
        let whole = |range: core::ops::RangeInclusive<i64>| match self {
            Number::Int(int) => range.contains(&int),
            Number::Float(float) => {
                float.fract() == 0.0 && float.abs() < TWO_53 && range.contains(&(float as i64))
            }
        };
        let single = || {
            let (wide, narrow) = (self.f64(), self.f32());
            wide.is_nan()
                || (wide.is_infinite() == narrow.is_infinite() && (wide == 0.0) == (narrow == 0.0))
        };
        let fits = match kind {
            Kind::Int | Kind::Rid | Kind::PackedInt64Array => whole(i64::MIN..=i64::MAX),
            Kind::PackedByteArray => whole(0..=255),
            Kind::Vector2i
            | Kind::Vector3i
            | Kind::Vector4i
            | Kind::Rect2i
            | Kind::PackedInt32Array
            | Kind::PackedVector2iArray
            | Kind::PackedVector3iArray
            | Kind::PackedVector4iArray => whole(i32::MIN.into()..=i32::MAX.into()),
            Kind::Float if target.int_rule() == IntRule::Always32 => single(),
            Kind::Float => match self {
                Number::Int(int) => (int as f64) as i128 == i128::from(int),
                Number::Float(_) => true,
            },
            Kind::PackedFloat64Array => true,
            kind if kind.has_reals() && target.precision() == Precision::Double => true,
            _ => single(),
        };
        if fits {
            Ok(())
        } else {
            Err(WriteErrorKind::OutOfRange { kind })
        }
    }

    /// Returns the number as the engines convert it to a double.
    #[must_use]
    pub fn f64(self) -> f64 {
        match self {
            Number::Int(int) => int as f64,
            Number::Float(float) => float,
        }
    }

    /// Returns the number as the engines convert it to a single.
    #[must_use]
    pub fn f32(self) -> f32 {
        match self {
            Number::Int(int) => int as f32,
            Number::Float(float) => gdvar_write::wire::narrow(float),
        }
    }

    /// Returns the number as the engines convert it to 64 bits.
    #[must_use]
    pub fn i64(self) -> i64 {
        match self {
            Number::Int(int) => int,
            Number::Float(float) => truncate_64(float),
        }
    }

    /// Returns the number as the engines convert it to 32 bits.
    #[must_use]
    pub fn i32(self) -> i32 {
        match self {
            Number::Int(int) => int as i32,
            Number::Float(float) => truncate_32(float),
        }
    }

    /// Returns the number as the engines convert it to the number of a RID.
    #[must_use]
    pub fn u64(self) -> u64 {
        match self {
            Number::Int(int) => int as u64,
            Number::Float(float) if float < TWO_63 => truncate_64(float) as u64,
            Number::Float(float) => truncate_64(float - TWO_63) as u64 ^ 1 << 63,
        }
    }
}

const TWO_53: f64 = 9_007_199_254_740_992.0;
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// Truncates as x86-64 does: a number that does not fit becomes the least integer.
fn truncate_64(float: f64) -> i64 {
    if (-TWO_63..TWO_63).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

/// Truncates to 32 bits; a number that does not fit becomes the least integer.
fn truncate_32(float: f64) -> i32 {
    if float > -2_147_483_649.0 && float < 2_147_483_648.0 {
        float as i32
    } else {
        i32::MIN
    }
}
