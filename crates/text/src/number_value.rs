//! [`Number`]: what a number in a text turns into.

/// A number as the notation tells it apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Without a point or an exponent.
    Int(i64),
    /// With one, or infinite, or none.
    Float(f64),
}

impl Number {
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
