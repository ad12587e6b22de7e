#![doc = include_str!("guide.md")]

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod convert;
mod encode;
mod equal;
#[cfg(feature = "glam-034")]
mod glam;
mod read;
mod text;
mod variant;

#[doc(inline)]
pub use gdvar_view::*;
#[doc(inline)]
pub use gdvar_write as write;
pub use text::Text;
pub use variant::{
    Array, ArrayForm, Dictionary, Image, InputEvent, NodePath, Object, OwnedElementType, Signal,
    Variant,
};
