//! Reads bools, ints and floats.

use gdvar_wire::{Dialect, Kind, narrow, widen};

use super::{
    FromVariant,
    convert::{ReadContext, by_convert},
};
use crate::{
    bytes::common,
    typed::mismatch::{Mismatch, MismatchKind},
    value::variant::VariantRef,
};

/// The word after the header of a value, and the bytes after the word.
// It is loaded separately from the header, which the caller has already. One load of both words would
// keep a register occupied until the record is complete.
#[inline(always)]
pub(super) fn word(value: &[u8]) -> Option<(u32, &[u8])> {
    let (raw, after) = value.split_first_chunk()?;
    Some((common::words(raw).1, after))
}

/// The eight bytes after the header, and the bytes after those.
#[inline(always)]
fn wide(value: &[u8]) -> Option<([u8; 8], &[u8])> {
    let ([_, _, _, _, raw @ ..], after) = value.split_first_chunk::<12>()?;
    Some((*raw, after))
}

/// Generates [`FromVariant::packed`] for a number.
macro_rules! packed {
    (as_packed_bytes) => {
        #[cfg(feature = "alloc")]
        fn packed(value: VariantRef<'a>) -> Option<Result<alloc::vec::Vec<Self>, Mismatch>> {
            value.as_bytes().map(|bytes| Ok(bytes.to_vec()))
        }
    };
    ($method:ident) => {
        #[cfg(feature = "alloc")]
        fn packed(value: VariantRef<'a>) -> Option<Result<alloc::vec::Vec<Self>, Mismatch>> {
            value.$method().map(|packed| Ok(packed.iter().collect()))
        }
    };
}

impl<'a> FromVariant<'a> for bool {
    by_convert!();

    #[inline]
    fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
        value
            .as_bool()
            .ok_or_else(|| Mismatch::of_kind(value, Kind::Bool))
    }

    #[inline(always)]
    fn header(_: Dialect) -> Option<u32> {
        Some(common::BOOL)
    }

    #[inline(always)]
    fn headed(value: &'a [u8], _: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let (word, after) = word(value)?;
        Some((word != 0, after))
    }
}

/// Implements [`FromVariant`] for ints whose values are written in 32 bits. An Int in 64 bits is read through
/// the handle.
macro_rules! small_ints {
    ($($ty:ident $(, $packed:ident)?: $from:expr;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            by_convert!();

            #[inline]
            fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
                int(value)
            }


            #[inline(always)]
            fn header(_: Dialect) -> Option<u32> {
                Some(common::INT)
            }

            #[inline(always)]
            fn headed(value: &'a [u8], _: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let (word, after) = word(value)?;
                let from: fn(i32) -> Option<$ty> = $from;
                Some((from(word as i32)?, after))
            }

            $(packed!($packed);)?
        }
    )*};
}

small_ints! {
    i8: |int| int.try_into().ok();
    u8, as_packed_bytes: |int| int.try_into().ok();
    i16: |int| int.try_into().ok();
    u16: |int| int.try_into().ok();
    i32, as_i32s: Some;
    u32: |int| int.try_into().ok();
}

/// An Int of either width, if it is in the range of `T`.
#[inline]
fn int<T: TryFrom<i64>>(value: VariantRef<'_>) -> Result<T, Mismatch> {
    let Some(int) = value.as_i64() else {
        return Err(Mismatch::of_kind(value, Kind::Int));
    };
    T::try_from(int)
        .map_err(|_| Mismatch::new(value.offset(), MismatchKind::OutOfRange { value: int }))
}

/// An Int of either width, read from the bytes, and the bytes after it.
#[inline(always)]
fn read_int(header: u32, value: &[u8]) -> Option<(i64, &[u8])> {
    if header == common::WIDE_INT {
        let (raw, after) = wide(value)?;
        return Some((i64::from_le_bytes(raw), after));
    }
    let (word, after) = word(value)?;
    (header == common::INT).then_some(((word as i32).into(), after))
}

macro_rules! large_ints {
    ($($ty:ident $(, $packed:ident)?;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            by_convert!();

            #[inline]
            fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
                int(value)
            }


            #[inline(always)]
            fn expect(header: u32, value: &'a [u8], _: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let (int, after) = read_int(header, value)?;
                Some((int.try_into().ok()?, after))
            }

            $(packed!($packed);)?
        }
    )*};
}

large_ints! {
    i64, as_i64s;
    u64;
    isize;
    usize;
}

macro_rules! floats {
    ($($ty:ident, $packed:ident: $from:expr;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            by_convert!();

            #[inline]
            fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
                let float = value.as_f64().and_then($from);
                float.ok_or_else(|| Mismatch::of_kind(value, Kind::Float))
            }


            #[inline(always)]
            fn expect(header: u32, value: &'a [u8], _: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                if header == common::WIDE_FLOAT {
                    let (raw, after) = wide(value)?;
                    return Some(($from(f64::from_le_bytes(raw))?, after));
                }
                let (word, after) = word(value)?;
                let float = $from(widen(f32::from_bits(word)))?;
                (header == common::FLOAT).then_some((float, after))
            }

            packed!($packed);
        }
    )*};
}

/// The nearest `f32`; `None` for a finite number that would become infinite.
#[inline(always)]
fn single(float: f64) -> Option<f32> {
    let single = narrow(float);
    (single.is_finite() || !float.is_finite()).then_some(single)
}

floats! {
    f32, as_f32s: single;
    f64, as_f64s: Some::<f64>;
}
