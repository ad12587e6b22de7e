//! gdvar behind serde.

use gdvar::{
    math::{Color, Transform3D, Vector2, Vector3},
    tree::NodePath,
};
use gdvar_view::Dialect;
use serde::{Deserialize, Serialize};

use crate::{
    peers::structs::{Format, Leaves},
    question,
    workloads::Tree,
};

/// The entry that fills structs by derived code.
pub(crate) const STRUCTS: &str = "gdvar serde, into structs";
/// The entry that writes structs by derived code.
pub(crate) const WRITE: &str = "gdvar serde to_buffer";

/// Godot's format for structs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Godot {}

impl Format for Godot {
    const READ: &str = STRUCTS;
    const WRITE: &str = WRITE;

    type Vector3 = Vector3<f32>;
    type Vector2 = Vector2<f32>;
    type Vector2i = Vector2<i32>;
    type Transform = Transform3D<f32>;
    type Color = Color<f32>;
    type Path = Path;

    fn encoded(tree: &Tree) -> Vec<u8> {
        tree.bytes.clone()
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8], is_godot_3: bool) -> Option<T> {
        if is_godot_3 {
            return gdvar_serde::from_slice_with(bytes, Dialect::GODOT_3).ok();
        }
        gdvar_serde::from_slice(bytes).ok()
    }

    fn write<T: Serialize>(to: &mut Vec<u8>, value: &T) -> Option<()> {
        gdvar_serde::to_buffer(to, value).ok()
    }
}

macro_rules! leaves {
    ($($name:ident<$number:ty>: $n:literal;)*) => {$(
        impl Leaves for $name<$number> {
            #[inline]
            fn leaves(&self) -> u64 {
                <[$number; $n]>::from(*self).leaves()
            }
        }
    )*};
}
leaves! {
    Vector3<f32>: 3;
    Vector2<f32>: 2;
    Vector2<i32>: 2;
    Transform3D<f32>: 12;
    Color<f32>: 4;
}

/// A `NodePath` that is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Path(NodePath);

impl Leaves for Path {
    /// As the text of the path.
    fn leaves(&self) -> u64 {
        let parts = self.0.names.iter().chain(&self.0.subnames);
        let len: usize = parts.clone().map(|part| part.as_bytes().len() + 1).sum();
        let last = parts.last().and_then(|part| part.as_bytes().last());
        question::ends(len, b'/', last.copied().unwrap_or(b'/'))
    }
}
