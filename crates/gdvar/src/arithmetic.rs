//! Arithmetic on the numbers of [`Variant`]s: `value += 1`.

use std::ops::{AddAssign, MulAssign, SubAssign};

use crate::Variant;

/// Panics with a message that names the kind of the value, which is not a number.
#[cold]
#[track_caller]
fn no_number(of: &Variant) -> ! {
    panic!("a {} is not a number to calculate with", of.kind())
}

/// Panics because the result is beyond the range of an `i64`.
#[cold]
#[track_caller]
fn overflow() -> ! {
    panic!("the result is beyond the range of Godot's ints")
}

macro_rules! with_ints {
    ($($trait:ident::$method:ident, $op:tt, $checked:ident: $($int:ty)*;)*) => {$($(
        impl $trait<$int> for Variant {
            /// Changes an Int or a Float in place. Its kind does not change.
            ///
            /// # Panics
            ///
            /// Panics if the value is not a number, or if the result for an Int does not fit an
            /// `i64`.
            #[track_caller]
            fn $method(&mut self, other: $int) {
                match self {
                    Variant::Int(int) => match int.$checked(other.into()) {
                        Some(result) => *int = result,
                        None => overflow(),
                    },
                    Variant::Float(float) => *float = *float $op i64::from(other) as f64,
                    _ => no_number(self),
                }
            }
        }
    )*)*};
}
with_ints! {
    AddAssign::add_assign, +, checked_add: i8 i16 i32 i64 u8 u16 u32;
    SubAssign::sub_assign, -, checked_sub: i8 i16 i32 i64 u8 u16 u32;
    MulAssign::mul_assign, *, checked_mul: i8 i16 i32 i64 u8 u16 u32;
}

macro_rules! with_floats {
    ($($trait:ident::$method:ident, $op:tt: $($float:ty)*;)*) => {$($(
        impl $trait<$float> for Variant {
            /// Changes a Float in place. An Int becomes a Float, as in GDScript.
            ///
            /// # Panics
            ///
            /// Panics if the value is not a number.
            #[track_caller]
            fn $method(&mut self, other: $float) {
                let Some(number) = self.as_number() else {
                    no_number(self);
                };
                *self = Variant::Float(number $op f64::from(other));
            }
        }
    )*)*};
}
with_floats! {
    AddAssign::add_assign, +: f32 f64;
    SubAssign::sub_assign, -: f32 f64;
    MulAssign::mul_assign, *: f32 f64;
}
