#![doc = include_str!("front.md")]
#![doc = include_str!("ways.md")]
#![doc = ""]
#![doc = include_str!("guide.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod arithmetic;
mod array;
mod convert;
mod dictionary;
mod display;
mod encode;
mod equal;
mod from_str;
mod get;
#[cfg(any(feature = "glam-033", feature = "glam-034"))]
mod glam;
#[cfg(feature = "mint")]
mod mint;
mod node_path;
mod path_key;
mod read;
#[cfg(feature = "serde")]
mod serde_enum;
#[cfg(feature = "serde")]
mod serde_parts;
#[cfg(feature = "serde")]
mod serde_value;
#[cfg(feature = "serde")]
mod serde_variant;
mod set_path;
mod text;
mod try_from;
mod variant;
mod variant_index;

pub use array::Array;
pub use dictionary::Dictionary;
#[cfg(feature = "derive")]
pub use gdvar_derive::Record;
#[doc(inline)]
pub use gdvar_edit as edit;
#[cfg(feature = "serde")]
#[doc(inline)]
pub use gdvar_serde as serde;
pub use gdvar_view::{
    Dialect, Document, Error, ErrorKind, FromVariant, Kind, Limits, Mode, Objects, ReadOptions,
    VariantRef, math,
};
#[doc(inline)]
pub use gdvar_write as write;
pub use traits::*;
pub use variant::Variant;

// The trait `Record`, without the derive macro of the same name.
mod traits {
    pub use gdvar_view::Record;
}

// The code that `#[derive(Record)]` generates uses these names.
#[doc(hidden)]
pub use gdvar_view::{Fields, Key, Mismatch};

/// The parts of an owned [`Variant`].
pub mod tree {
    #[cfg(feature = "serde")]
    pub use crate::serde_value::{from_variant, to_variant};
    pub use crate::{
        convert::PackedElement,
        dictionary::{DictionaryKey, Entry},
        text::Text,
        variant::{
            ArrayForm, FullObject, Image, InputEvent, NodePath, Object, OwnedElementType, Signal,
        },
        variant_index::VariantIndex,
    };
}

/// Values in the bytes by kind, their iterators, and the elements of packed arrays.
pub mod values {
    #[cfg(feature = "bytes")]
    pub use gdvar_view::keep;
    pub use gdvar_view::{
        ArrayIter, ArrayRef, Codes, DictIter, DictRef, Element, ElementType, F32, F64, I32, I64,
        ImageRef, InputEventRef, NameIter, NodePathRef, ObjectRef, Packed, PackedIter, PackedRef,
        PackedStringIter, PackedStrings, PackedVector2s, PackedVector3s, PackedVector4s,
        PropertyIter, Real, StrRef, U64,
    };
}

/// Paths to values: one path, a pattern that many paths match, and what they lead to.
pub mod path {
    pub use crate::set_path::AsPath;
    pub use gdvar_view::{
        Found, Location, Math, Numbers, OwnedStep, Path, PathError, PathTarget, Pattern,
        PatternStep, Select, SelectedPath, SimpleKey, Step,
    };
}

/// The parts of a [`Record`]: its fields and keys, and why a value does not match it.
pub mod record {
    pub use gdvar_view::{Fields, Key, Mismatch, MismatchKind};
}

/// An index of the values in validated bytes: any child in constant time, and access without `Result`.
pub mod index {
    pub use gdvar_view::{Index, Indexed, IndexedArrayIter, IndexedDictIter, IndexedPropertyIter};
}

/// Which engine wrote some bytes, and how Godot 4 and Godot 3 would read them.
pub mod detect {
    pub use gdvar_view::{
        Change, Changed, Choice, Detection, Detector, DialectFit, Engine, TextRules, Verdict,
        detect, verdict,
    };
}

/// Walks in the order of the bytes: events, and a cursor for your own decoders.
pub mod walk {
    pub use gdvar_view::{
        Cursor, Event, Events, PayloadWords, Role, Walked, key_hash, repeated_keys,
    };
}

/// The field that each byte belongs to, also in damaged bytes.
pub mod fields {
    pub use gdvar_view::{WireField, WireFields, WireOwner, WirePart};
}

/// Records with a length prefix, as `store_var` and `put_var` write them.
pub mod frames {
    pub use gdvar_view::{Frame, Frames, PrefixOrder, frames};
}

/// All errors apart from [`Error`], and the types in them.
pub mod error {
    pub use crate::{convert::IntTooLarge, set_path::SetPathError, try_from::WrongKind};
    pub use gdvar_text::{ParseError, ParseErrorKind};
    pub use gdvar_view::{GetError, Layer, NonCanonical, UnknownDialect, UnknownEngine};
}

/// The documents of the project. The module exists only while rustdoc builds the documentation.
#[cfg(all(doc, not(doctest)))]
#[allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
pub mod _documentation {
    #[doc = include_str!("../documents/DESIGN.md")]
    pub mod design {}

    #[doc = include_str!("../documents/COMPARE.md")]
    pub mod compare {}

    #[doc = include_str!("../documents/FORMAT.md")]
    pub mod format {}

    #[doc = include_str!("../documents/CHANGELOG.md")]
    pub mod changelog {}
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The example names gdvar, on which gdvar-derive cannot depend.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../../derive/README.md")]
struct DeriveReadme;
