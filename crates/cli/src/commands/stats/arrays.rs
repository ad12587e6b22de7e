//! Finds arrays that could be packed arrays.

use std::collections::BTreeMap;

use gdvar_view::{Dialect, Kind, Role, VariantRef};
use gdvar_wire::{layout, pad4};

/// The bytes that packed arrays would save, by place and type.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    open: Vec<OpenArray>,
    pub(crate) found: BTreeMap<(usize, Kind), ArrayOfOneKind>,
}

/// The arrays of a place that could be packed arrays of the same type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ArrayOfOneKind {
    pub(crate) arrays: u64,
    pub(crate) bytes: u64,
    pub(crate) packed_bytes: u64,
}

/// An open container. It may be an Array.
#[derive(Clone, Copy, Debug)]
struct OpenArray {
    place: usize,
    dialect: Dialect,
    /// The kind of the elements so far. If they differ, `is_array` becomes `false`.
    of: Option<Kind>,
    /// `true` if an element has the 64-bit flag.
    wide: bool,
    is_array: bool,
    count: u64,
    bytes: u64,
    /// The bytes that the texts would take in a packed array.
    texts: u64,
}

impl Arrays {
    /// Counts a value that is not a key. `depth` is the number of open containers that contain it.
    pub(crate) fn value(&mut self, value: VariantRef<'_>, role: Role, depth: usize, place: usize) {
        if role == Role::Element {
            if let Some(open) = self.open.get_mut(depth.wrapping_sub(1)) {
                open.element(value);
            }
        }
        if value.has_children() {
            self.open.push(OpenArray {
                place,
                dialect: value.dialect(),
                of: None,
                wide: false,
                is_array: value.kind() == Kind::Array,
                count: 0,
                bytes: 0,
                texts: 0,
            });
        }
    }

    /// Closes containers until `depth` of them are open.
    pub(crate) fn leave(&mut self, depth: usize) {
        while self.open.len() > depth {
            if let Some((open, kind, packed)) = self.open.pop().and_then(OpenArray::packed) {
                let found = self.found.entry((open.place, kind)).or_default();
                found.arrays += 1;
                found.bytes += open.bytes;
                found.packed_bytes += packed;
            }
        }
    }
}

impl OpenArray {
    fn element(&mut self, value: VariantRef<'_>) {
        let kind = value.kind();
        if self.count > 0 && self.of != Some(kind) {
            self.is_array = false;
        }
        self.count += 1;
        self.of = Some(kind);
        self.wide |= value.is_wide();
        if let Some(text) = value.as_text() {
            let len = text.raw().len();
            self.bytes += 8 + pad4(len) as u64;
            self.texts += 4 + pad4(len + 1) as u64;
        } else if let Some((number, names)) = layout::numbers(kind) {
            self.bytes += 4 + (names.len() * number.size(value.is_wide())) as u64;
        }
    }

    /// Returns the type of a packed array with the same elements, and its size in bytes. `None` if no packed array has
    /// these elements, or if the packed array is not smaller.
    fn packed(self) -> Option<(OpenArray, Kind, u64)> {
        if !self.is_array || self.count < 2 {
            return None;
        }
        let kind = match self.of? {
            Kind::Int if self.wide => Kind::PackedInt64Array,
            Kind::Int => Kind::PackedInt32Array,
            Kind::Float if self.wide => Kind::PackedFloat64Array,
            Kind::Float => Kind::PackedFloat32Array,
            Kind::String => Kind::PackedStringArray,
            Kind::Vector2 => Kind::PackedVector2Array,
            Kind::Vector3 => Kind::PackedVector3Array,
            Kind::Vector4 => Kind::PackedVector4Array,
            Kind::Color => Kind::PackedColorArray,
            _ => return None,
        };
        self.dialect.type_id(kind)?;
        let bytes = match layout::packed_element(kind, self.wide) {
            Some(size) => size as u64 * self.count,
            None => self.texts,
        };
        (bytes < self.bytes).then_some((self, kind, bytes))
    }
}
