//! [`Number`]: what a number in a text turns into.

use gdvar_write::{IntRule, Precision, Target, WriteErrorKind, wire::Kind};

use crate::{builder::BuildError, parse::number::float_of};

/// A number as the notation tells it apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Without a point or an exponent.
    Int(i64),
    /// With one, or infinite, or none.
    Float(f64),
}

impl Number {
    /// The number that decimal digits stand for: an Int if there is neither a point nor an exponent, else the nearest
    /// Float. `1e999` and `1e99999`, with a minus or not, are infinite: so Godot 3 needs it in text, and so the
    /// engine's `JSON.stringify` prints it.
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
    /// `OutOfRange`, which displays the range: beyond 64 bits, a Float that would be infinite, or zero in spite of its
    /// digits; and for text that is no number.
    pub fn parse(text: &str) -> Result<Number, BuildError> {
        if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            return Number::parse_float(text).map(Number::Float);
        }
        let int = text.parse().map(Number::Int);
        int.map_err(|_| WriteErrorKind::OutOfRange { kind: Kind::Int })
    }

    /// As [`Number::parse`], but the nearest Float without a point too.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn parse_float(text: &str) -> Result<f64, BuildError> {
        float_of(text).ok_or(WriteErrorKind::OutOfRange { kind: Kind::Float })
    }

    /// Returns `Ok` if a value, a component or an element of this kind holds the number: a whole one in the range of
    /// an integer, and for a real one in the range that rounding leaves finite and not zero. The engines wrap,
    /// truncate and overflow instead, which is what the getters below do.
    ///
    /// # Errors
    ///
    /// `OutOfRange`, which displays the range.
    pub fn check(self, kind: Kind, target: Target) -> Result<(), BuildError> {
        let whole = |range: core::ops::RangeInclusive<i64>| match self {
            Number::Int(int) => range.contains(&int),
            Number::Float(float) => {
                float.fract() == 0.0
                    && (-TWO_63..TWO_63).contains(&float)
                    && range.contains(&(float as i64))
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

    /// As the engines put it into a double.
    #[must_use]
    pub fn f64(self) -> f64 {
        match self {
            Number::Int(int) => int as f64,
            Number::Float(float) => float,
        }
    }

    /// As the engines put it into a float.
    #[must_use]
    pub fn f32(self) -> f32 {
        match self {
            Number::Int(int) => int as f32,
            Number::Float(float) => gdvar_write::wire::narrow(float),
        }
    }

    /// As the engines put it into 64 bits.
    #[must_use]
    pub fn i64(self) -> i64 {
        match self {
            Number::Int(int) => int,
            Number::Float(float) => truncate_64(float),
        }
    }

    /// As the engines put it into 32 bits.
    #[must_use]
    pub fn i32(self) -> i32 {
        match self {
            Number::Int(int) => int as i32,
            Number::Float(float) => truncate_32(float),
        }
    }

    /// As the engines put it into the number of a RID.
    #[must_use]
    pub fn u64(self) -> u64 {
        match self {
            Number::Int(int) => int as u64,
            Number::Float(float) if float < TWO_63 => truncate_64(float) as u64,
            Number::Float(float) => truncate_64(float - TWO_63) as u64 ^ 1 << 63,
        }
    }
}

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// As x86-64 truncates: what does not fit becomes the least integer.
fn truncate_64(float: f64) -> i64 {
    if (-TWO_63..TWO_63).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

/// Truncates to 32 bits.
fn truncate_32(float: f64) -> i32 {
    if float > -2_147_483_649.0 && float < 2_147_483_648.0 {
        float as i32
    } else {
        i32::MIN
    }
}
