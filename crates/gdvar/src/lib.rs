#![doc = include_str!("guide.md")]

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod convert;
mod encode;
mod equal;
#[cfg(feature = "glam-034")]
mod glam;
mod read;
#[cfg(feature = "serde")]
mod serde_parts;
#[cfg(feature = "serde")]
mod serde_variant;
mod text;
mod variant;

#[cfg(feature = "serde")]
#[doc(inline)]
pub use gdvar_serde as serde;
#[doc(inline)]
pub use gdvar_view::*;
#[doc(inline)]
pub use gdvar_write as write;
pub use text::Text;
pub use variant::{
    Array, ArrayForm, Dictionary, Image, InputEvent, NodePath, Object, OwnedElementType, Signal,
    Variant,
};
