//! Writes the numbers that values, parts and packed arrays consist of.

use gdvar_view::{Kind, Math, Numbers, VariantRef, layout::Number};

use crate::whole_number::{WholeNumber, whole_number};

/// A number of either type.
#[derive(Clone, Copy)]
pub(crate) enum IntOrFloat {
    Int(i64),
    Float(f64),
}

impl IntOrFloat {
    /// Returns the number as a float, rounded if it is a large int.
    pub(crate) fn float(self) -> f64 {
        match self {
            IntOrFloat::Int(int) => int as f64,
            IntOrFloat::Float(float) => float,
        }
    }

    /// Returns the number as an int, or `None` if no int equals it.
    fn int(self) -> Option<i64> {
        match self {
            IntOrFloat::Int(int) => Some(int),
            IntOrFloat::Float(0.0) => Some(0),
            IntOrFloat::Float(float) => match whole_number(float) {
                WholeNumber::Int(int) => Some(int),
                WholeNumber::MaybeRounded | WholeNumber::No => None,
            },
        }
    }

    /// Returns `float`, unless this is an int that it does not represent exactly.
    fn exact(self, float: f64) -> Option<f64> {
        match self {
            // 2⁶³ as an int saturates to the largest int, and would appear to be equal.
            IntOrFloat::Int(int) if float as i64 != int || float >= 9_223_372_036_854_775_808.0 => {
                None
            }
            _ => Some(float),
        }
    }

    /// Returns `true` for a float so large that several whole numbers round to it.
    pub(crate) fn may_be_rounded(self) -> bool {
        match self {
            IntOrFloat::Float(float) => whole_number(float) == WholeNumber::MaybeRounded,
            IntOrFloat::Int(_) => false,
        }
    }

    /// Appends the bytes of the number, in the type `number`, to `out`. `None`, and nothing is appended, if the
    /// type does not hold it. A float loses digits where the type has fewer, as in the engine.
    pub(crate) fn put(self, number: Number, wide: bool, out: &mut Vec<u8>) -> Option<()> {
        match (number, wide) {
            (Number::U8, _) => out.push(u8::try_from(self.int()?).ok()?),
            (Number::I32, _) | (Number::Int, false) => {
                out.extend(i32::try_from(self.int()?).ok()?.to_le_bytes());
            }
            (Number::I64, _) | (Number::Int, true) => out.extend(self.int()?.to_le_bytes()),
            (Number::F64, _) | (Number::Real, true) => {
                out.extend(self.exact(self.float())?.to_le_bytes());
            }
            (Number::F32, _) | (Number::Real, false) => {
                let single = self.float() as f32;
                let overflows = single.is_infinite() && self.float().is_finite();
                let single = Some(single).filter(|_| !overflows)?;
                self.exact(single.into())?;
                out.extend(single.to_le_bytes());
            }
        }
        Some(())
    }
}

/// Returns the numbers that `new` consists of, or `None` if it is not of the type `is`. Ints and floats count as one
/// type.
pub(crate) fn numbers_as(is: Kind, new: VariantRef<'_>) -> Option<Vec<IntOrFloat>> {
    match (is, new.kind()) {
        (Kind::Int | Kind::Float, Kind::Int) => Some(vec![IntOrFloat::Int(new.as_i64()?)]),
        (Kind::Int | Kind::Float, Kind::Float) => Some(vec![IntOrFloat::Float(new.as_f64()?)]),
        (is, kind) if is == kind => {
            let math = Math::of(new)?;
            Some(match math.numbers() {
                Numbers::Ints(_) => math.iter().map(|int| IntOrFloat::Int(int as i64)).collect(),
                _ => math.iter().map(IntOrFloat::Float).collect(),
            })
        }
        _ => None,
    }
}
