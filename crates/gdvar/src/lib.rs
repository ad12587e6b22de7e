#![doc = include_str!("guide.md")]

mod convert;
mod encode;
mod equal;
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
