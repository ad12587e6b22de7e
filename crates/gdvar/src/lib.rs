#![doc = include_str!("guide.md")]

mod convert;
mod encode;
mod equal;
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
