//! Reads values as the types of glam (features `glam-033` and `glam-034`).

use gdvar_wire::{Dialect, for_glam};

use super::{
    FromVariant,
    convert::{ReadContext, by_convert},
};
use crate::{typed::mismatch::Mismatch, value::variant::VariantRef};

macro_rules! from_ours {
    ($($theirs:ty = $ours:ty;)*) => {$(
        impl<'a> FromVariant<'a> for $theirs {
            by_convert!();

            #[inline]
            fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
                <$ours>::convert(value, levels).map(Into::into)
            }

            #[inline(always)]
            fn header(dialect: Dialect) -> Option<u32> {
                <$ours>::header(dialect)
            }

            #[inline(always)]
            fn headed(value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let (ours, after) = <$ours>::headed(value, context)?;
                Some((ours.into(), after))
            }

            #[inline(always)]
            fn expect(header: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let (ours, after) = <$ours>::expect(header, value, context)?;
                Some((ours.into(), after))
            }
        }
    )*};
}

#[cfg(feature = "glam-033")]
for_glam!(from_ours, glam_033);
#[cfg(feature = "glam-034")]
for_glam!(from_ours, glam_034);
