//! From the types of glam to [`Variant`] (feature `glam-034`).

use gdvar_wire::for_glam;

use crate::Variant;
macro_rules! from {
    ($($theirs:ty = $ours:ty;)*) => {$(
        impl From<$theirs> for Variant {
            fn from(value: $theirs) -> Variant {
                <$ours>::from(value).into()
            }
        }
    )*};
}
for_glam!(from);
