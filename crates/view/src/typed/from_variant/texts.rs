//! Reads a String or a StringName as a Rust text.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

use gdvar_wire::Kind;

use super::{
    FromVariant,
    convert::{ReadContext, by_convert},
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
    fn expect(header: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        let len = text_len(header, value, context)?;
        let size = common::text_end(value, 8, len)?;
        let raw = value.get(8..8 + len as usize)?;
        let text = StrRef::new(raw, context.offset(value) + 8, context.options);
        Some((text, value.get(size..)?))
    }
}

/// Returns the length of the text at the start of `value`, or `None` if `header` is not the header
/// of a text.
#[inline(always)]
fn text_len(header: u32, value: &[u8], context: ReadContext<'_>) -> Option<u32> {
    if !common::Words::of(context.options.dialect()).is_text(header) {
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
    fn expect(header: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
        text::unchanged_str(value, text_len(header, value, context)?)
    }
}

/// Implements [`FromVariant`] for types that are made from a `&str`.
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
            fn expect(header: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let (text, after) = <&str>::expect(header, value, context)?;
                Some((text.into(), after))
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
