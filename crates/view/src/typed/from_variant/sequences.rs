//! Reads Arrays and Dictionaries as tuples, arrays, vectors and maps.

#[cfg(feature = "alloc")]
use alloc::{collections::BTreeMap, vec::Vec};

#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::HashMap;

use gdvar_wire::{Dialect, Kind};
use smallvec::SmallVec;

use super::{
    FromVariant,
    convert::{ReadContext, by_convert, enter},
    scalars::word,
};
use crate::{
    bytes::common,
    typed::mismatch::{Mismatch, MismatchKind},
    value::{array::ArrayRef, variant::VariantRef},
    walk::children::Children,
};

/// The value as an Array.
fn array(value: VariantRef<'_>) -> Result<ArrayRef<'_>, Mismatch> {
    let array = value.as_array();
    array.ok_or_else(|| Mismatch::of_kind(value, Kind::Array))
}

/// The elements of a value that is an Array of `len` elements.
fn array_of(value: VariantRef<'_>, len: usize) -> Result<Children<'_>, Mismatch> {
    let array = array(value)?;
    if array.len() != len {
        let (expected, found) = (len as u32, array.len() as u32);
        return Err(Mismatch::new(
            value.offset(),
            MismatchKind::WrongLength { expected, found },
        ));
    }
    Ok(array.iter().0)
}

/// The next child of a container of known length.
fn next<'a, T: FromVariant<'a>>(
    value: VariantRef<'a>,
    children: &mut Children<'a>,
    levels: u8,
) -> Result<T, Mismatch> {
    T::next_of(children, levels).unwrap_or_else(|| Err(Mismatch::of_kind(value, Kind::Array)))
}

/// Returns the bytes from the first element of an untyped Array on, and the context of its elements. `None`
/// unless the Array has `len` elements.
#[inline(always)]
fn inside<'a>(
    value: &'a [u8],
    len: u32,
    context: ReadContext<'a>,
) -> Option<(&'a [u8], ReadContext<'a>)> {
    let (count, rest) = word(value)?;
    let context = context.inside()?;
    (count == len).then_some((rest, context))
}

/// Reads the elements of an untyped Array. Returns them and the bytes after them.
#[cfg(feature = "alloc")]
fn items<'a, T: FromVariant<'a>>(
    value: &'a [u8],
    context: ReadContext<'a>,
) -> Option<(Vec<T>, &'a [u8])> {
    let (count, mut rest) = word(value)?;
    let context = context.inside()?;
    let least = rest.len() / 4;
    let mut all = Vec::with_capacity((count as usize).min(MAX_RESERVED).min(least));
    for _ in 0..count {
        let (item, after) = item(rest, context)?;
        rest = after;
        all.push(item);
    }
    Some((all, rest))
}

/// Reads the element at the start of `rest`. Returns it and the bytes after it.
#[inline(always)]
fn item<'a, T: FromVariant<'a>>(rest: &'a [u8], context: ReadContext<'a>) -> Option<(T, &'a [u8])> {
    let header = u32::from_le_bytes(*rest.first_chunk()?);
    T::expect(header, rest, context)
}

macro_rules! tuples {
    ($($len:literal: $($ty:ident),+;)*) => {$(
        impl<'a, $($ty: FromVariant<'a>),+> FromVariant<'a> for ($($ty,)+) {
            by_convert!();

            fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
                let mut items = array_of(value, $len)?;
                let levels = enter(value, levels)?;
                Ok(($(next::<$ty>(value, &mut items, levels)?,)+))
            }


            #[inline(always)]
            fn header(dialect: Dialect) -> Option<u32> {
                common::header(Kind::Array, dialect)
            }

            #[inline(always)]
            fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let (mut rest, context) = inside(value, $len, context)?;
                let items = ($({
                    let (item, after) = item::<$ty>(rest, context)?;
                    rest = after;
                    item
                },)+);
                Some((items, rest))
            }
        }
    )*};
}

tuples! {
    1: A;
    2: A, B;
    3: A, B, C;
    4: A, B, C, D;
    5: A, B, C, D, E;
    6: A, B, C, D, E, F;
    7: A, B, C, D, E, F, G;
    8: A, B, C, D, E, F, G, H;
}

impl<'a, T: FromVariant<'a>, const N: usize> FromVariant<'a> for [T; N] {
    by_convert!();

    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        let mut items = array_of(value, N)?;
        let levels = enter(value, levels)?;
        let mut all = SmallVec::<[T; N]>::new();
        for _ in 0..N {
            all.push(next(value, &mut items, levels)?);
        }
        let whole = all.into_inner();
        whole.map_err(|_| Mismatch::of_kind(value, Kind::Array))
    }

    #[inline(always)]
    fn header(dialect: Dialect) -> Option<u32> {
        common::header(Kind::Array, dialect)
    }

    #[inline(always)]
    fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let (mut rest, context) = inside(value, N as u32, context)?;
        let mut all = SmallVec::<[T; N]>::new();
        for _ in 0..N {
            let (item, after) = item(rest, context)?;
            rest = after;
            all.push(item);
        }
        Some((all.into_inner().ok()?, rest))
    }
}

/// The most elements for which memory is reserved before they are read: the count is not trusted.
#[cfg(feature = "alloc")]
const MAX_RESERVED: usize = 1024;

#[cfg(feature = "alloc")]
impl<'a, T: FromVariant<'a>> FromVariant<'a> for Vec<T> {
    by_convert!();

    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        if let Some(packed) = T::packed(value) {
            return packed;
        }
        let array = array(value)?;
        let levels = enter(value, levels)?;
        let mut all = Vec::with_capacity(array.len().min(MAX_RESERVED));
        let mut items = array.iter().0;
        while let Some(item) = T::next_of(&mut items, levels) {
            all.push(item?);
        }
        Ok(all)
    }

    #[inline(always)]
    fn header(dialect: Dialect) -> Option<u32> {
        common::header(Kind::Array, dialect)
    }

    #[inline]
    fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        items(value, context)
    }
}

/// Reads the pairs of an untyped Dictionary, and calls `each` with them in order. Returns the bytes after
/// them.
#[cfg(feature = "alloc")]
fn expected_pairs<'a, K: FromVariant<'a>, V: FromVariant<'a>>(
    value: &'a [u8],
    context: ReadContext<'a>,
    mut each: impl FnMut(K, V),
) -> Option<&'a [u8]> {
    let (count, mut rest) = word(value)?;
    let context = context.inside()?;
    for _ in 0..count {
        let (key, after) = item(rest, context)?;
        let (value, after) = item(after, context)?;
        rest = after;
        each(key, value);
    }
    Some(rest)
}

/// Reads the pairs of a Dictionary through its handle, and calls `each` with them in order.
#[cfg(feature = "alloc")]
fn pairs<'a, K: FromVariant<'a>, V: FromVariant<'a>>(
    value: VariantRef<'a>,
    levels: u8,
    mut each: impl FnMut(K, V),
) -> Result<(), Mismatch> {
    let not_one = || Mismatch::of_kind(value, Kind::Dictionary);
    let dict = value.as_dict().ok_or_else(not_one)?;
    let levels = enter(value, levels)?;
    let mut children = dict.iter().0;
    while let Some(key) = K::next_of(&mut children, levels) {
        let key = key?;
        each(key, next(value, &mut children, levels)?);
    }
    Ok(())
}

#[cfg(feature = "alloc")]
impl<'a, K, V> FromVariant<'a> for BTreeMap<K, V>
where
    K: FromVariant<'a> + Ord,
    V: FromVariant<'a>,
{
    by_convert!();

    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        let mut map = BTreeMap::new();
        pairs(value, levels, |key, value| drop(map.insert(key, value)))?;
        Ok(map)
    }

    #[inline(always)]
    fn header(dialect: Dialect) -> Option<u32> {
        common::header(Kind::Dictionary, dialect)
    }

    #[inline]
    fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let mut map = BTreeMap::new();
        let after = expected_pairs(value, context, |key, value| drop(map.insert(key, value)))?;
        Some((map, after))
    }
}

#[cfg(feature = "std")]
impl<'a, K, V, S> FromVariant<'a> for HashMap<K, V, S>
where
    K: FromVariant<'a> + Eq + Hash,
    V: FromVariant<'a>,
    S: BuildHasher + Default,
{
    by_convert!();

    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        let mut map = HashMap::default();
        pairs(value, levels, |key, value| drop(map.insert(key, value)))?;
        Ok(map)
    }

    #[inline(always)]
    fn header(dialect: Dialect) -> Option<u32> {
        common::header(Kind::Dictionary, dialect)
    }

    #[inline]
    fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let mut map = HashMap::default();
        let after = expected_pairs(value, context, |key, value| drop(map.insert(key, value)))?;
        Some((map, after))
    }
}
