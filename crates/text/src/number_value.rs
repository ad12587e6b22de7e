//! [`Number`]: the value of a number in a text.

use gdvar_write::{
    IntRule, Precision, Target, WriteErrorKind,
    wire::{Kind, layout},
};

use crate::{error::BuildError, parse::number::float_of};

/// A number as it is written in the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A number without a point or an exponent.
    Int(i64),
    /// A number with a point or an exponent, an infinity or NaN.
    Float(f64),
}

impl Number {
    /// Parses decimal digits. Returns an Int if there is neither a point nor an exponent, otherwise
    /// the nearest Float. `1e999` and `1e99999`, with or without a minus, are infinite: Godot 3
    /// needs the first as the text of infinity, and the engine's `JSON.stringify` prints the second.
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
    /// Returns `OutOfRange`, which displays the range, for an int beyond 64 bits, a Float that
    /// would be infinite, and a Float that would be zero although it has other digits. Also
    /// returned for text that is not a number.
    pub fn parse(text: &str) -> Result<Number, BuildError> {
        if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            return Number::parse_float(text).map(Number::Float);
        }
        let int = text.parse().map(Number::Int);
        int.map_err(|_| WriteErrorKind::OutOfRange { kind: Kind::Int })
    }

    /// Parses like [`Number::parse`], but always returns a Float, also for digits without a point.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Number::parse`].
    pub fn parse_float(text: &str) -> Result<f64, BuildError> {
        float_of(text).ok_or(WriteErrorKind::OutOfRange { kind: Kind::Float })
    }

    /// Checks that a value, a component or an element of `kind` can hold the number.
    ///
    /// * An integer holds whole numbers in its range, but no Float of 2⁵³ or more: several texts
    ///   give the same Float there, so it may not be the number that the text meant.
    /// * A 64-bit Float holds every Float, and every Int that equals a Float.
    /// * 64-bit components and elements hold every number.
    /// * 32-bit reals hold a number unless rounding makes it infinite or zero. Infinity and zero
    ///   themselves are allowed.
    ///
    /// The engines do not check: they wrap, truncate and overflow, as the getters below do.
    ///
    /// # Errors
    ///
    /// Returns `OutOfRange`, which displays the range.
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
        let fits = match (kind, layout::numbers(kind)) {
            (Kind::Int | Kind::Rid, _) | (_, Some((layout::Number::I64, _))) => {
                whole(i64::MIN..=i64::MAX)
            }
            (_, Some((layout::Number::U8, _))) => whole(0..=255),
            (_, Some((layout::Number::I32, _))) => whole(i32::MIN.into()..=i32::MAX.into()),
            (Kind::Float, _) if target.int_rule() == IntRule::Always32 => single(),
            (Kind::Float, _) => match self {
                Number::Int(int) => (int as f64) as i128 == i128::from(int),
                Number::Float(_) => true,
            },
            (_, Some((layout::Number::F64, _))) => true,
            _ if kind.has_reals() && target.precision() == Precision::Double => true,
            _ => single(),
        };
        if fits {
            Ok(())
        } else {
            Err(WriteErrorKind::OutOfRange { kind })
        }
    }

    /// Returns the number as an `f64`, converted as the engines do: the nearest one for an int.
    #[must_use]
    pub fn f64(self) -> f64 {
        match self {
            Number::Int(int) => int as f64,
            Number::Float(float) => float,
        }
    }

    /// Returns the number as an `f32`, converted as the engines do: rounded, or infinity if it is
    /// out of range.
    #[must_use]
    pub fn f32(self) -> f32 {
        match self {
            Number::Int(int) => int as f32,
            Number::Float(float) => gdvar_write::wire::narrow(float),
        }
    }

    /// Returns the number as a 64-bit integer, converted as the engines do: a float is truncated.
    #[must_use]
    pub fn i64(self) -> i64 {
        match self {
            Number::Int(int) => int,
            Number::Float(float) => truncate_64(float),
        }
    }

    /// Returns the number as a 32-bit integer, converted as the engines do: an int wraps, a float is
    /// truncated.
    #[must_use]
    pub fn i32(self) -> i32 {
        match self {
            Number::Int(int) => int as i32,
            Number::Float(float) => truncate_32(float),
        }
    }

    /// Returns the number as the id of a RID, converted as the engines do.
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
