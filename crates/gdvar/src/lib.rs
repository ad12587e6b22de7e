#![doc = include_str!("front.md")]
#![doc = include_str!("ways.md")]
#![doc = ""]
#![doc = include_str!("guide.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod array;
mod convert;
mod dictionary;
mod display;
mod encode;
mod equal;
mod from_str;
mod get;
#[cfg(feature = "glam-034")]
mod glam;
mod index;
mod path;
mod read;
#[cfg(feature = "serde")]
mod serde_enum;
#[cfg(feature = "serde")]
mod serde_parts;
#[cfg(feature = "serde")]
mod serde_value;
#[cfg(feature = "serde")]
mod serde_variant;
mod text;
mod try_from;
mod variant;

pub use array::Array;
pub use convert::{IntTooLarge, PackedElement};
pub use dictionary::{Dictionary, DictionaryKey, Entry};
#[cfg(feature = "derive")]
pub use gdvar_derive::Record;
#[doc(inline)]
pub use gdvar_edit as edit;
#[cfg(feature = "serde")]
#[doc(inline)]
pub use gdvar_serde as serde;
#[doc(inline)]
pub use gdvar_text::{ParseError, ParseErrorKind};
#[doc(inline)]
pub use gdvar_view::*;
#[doc(inline)]
pub use gdvar_write as write;
pub use index::VariantIndex;
pub use path::{AsPath, SetPathError};
#[cfg(feature = "serde")]
pub use serde_value::{from_variant, to_variant};
pub use text::Text;
pub use try_from::WrongKind;
pub use variant::{
    ArrayForm, FullObject, Image, InputEvent, NodePath, Object, OwnedElementType, Signal, Variant,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The example names gdvar, on which gdvar-derive cannot depend.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../../derive/README.md")]
struct DeriveReadme;
