//! Text: a String, or a StringName where the dialect has one.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

use gdvar_wire::Kind;

use super::{
    FromVariant,
    convert::{Place, by_convert},
    scalars::word,
};
use crate::{
    bytes::{common, text},
    typed::mismatch::Mismatch,
    value::{string::StrRef, variant::VariantRef},
};

impl<'a> FromVariant<'a> for StrRef<'a> {
    by_convert!();

    #[inline]
    fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
        value
            .as_text()
            .ok_or_else(|| Mismatch::of_kind(value, Kind::String))
    }

    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], place: Place<'a>) -> Option<(Self, &'a [u8])> {
        let len = text_len(header, value, place)?;
        let size = common::text_end(value, 8, len)?;
        let raw = value.get(8..8 + len as usize)?;
        let text = StrRef::new(raw, place.offset(value) + 8, place.options);
        Some((text, value.get(size..)?))
    }
}

/// The length of the text that `value` starts with, if it is one.
#[inline(always)]
fn text_len(header: u32, value: &[u8], place: Place<'_>) -> Option<u32> {
    if !common::Words::of(place.options.dialect()).is_text(header) {
        return None;
    }
    Some(word(value)?.0)
}

impl<'a> FromVariant<'a> for &'a str {
    by_convert!();

    #[inline]
    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        Ok(StrRef::convert(value, levels)?.to_str()?)
    }

    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], place: Place<'a>) -> Option<(Self, &'a [u8])> {
        text::unchanged_str(value, text_len(header, value, place)?)
    }
}

/// Types that are made of a `&str`.
#[cfg(feature = "alloc")]
macro_rules! from_str {
    ($($ty:ty $(, $packed:ident)?;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            by_convert!();

            #[inline]
            fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
                <&str>::convert(value, levels).map(Into::into)
            }


            #[inline(always)]
            fn expect(header: u32, value: &'a [u8], place: Place<'a>) -> Option<(Self, &'a [u8])> {
                let (text, behind) = <&str>::expect(header, value, place)?;
                Some((text.into(), behind))
            }

            fn packed(value: VariantRef<'a>) -> Option<Result<Vec<Self>, Mismatch>> {
                let texts = value.as_strings()?.iter();
                Some(texts.map(|text| Ok(text?.to_str()?.into())).collect())
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
from_str! {
    String;
    Cow<'a, str>;
}
