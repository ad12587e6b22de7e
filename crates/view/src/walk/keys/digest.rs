//! Hashes of keys, to find equal ones among many.

use alloc::vec::Vec;
#[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
use core::hash::{Hasher, SipHasher};

use gdvar_wire::{Element, Kind};

use crate::{
    value::{
        element::ElementType,
        packed::{Packed, PackedRef},
        real::Real,
        reals::reals,
        string::StrRef,
        variant::VariantRef,
    },
    walk::{
        event::{Event, Role},
        keys::equality::{
            by_content, has_nan, hashes_bits, nan_equals, payload, types_that_count, walk,
        },
    },
};

/// Returns a hash of a key, to find the keys among many that [`DictRef::get_value`](crate::DictRef::get_value) may take
/// for `key`: equal keys have equal hashes. Different keys have different hashes, unless somebody constructs a
/// collision or they are a String and a StringName with one text. The hash is the same on every machine of one word
/// size, but not in every version of this crate. This takes linear time in the key's size.
#[must_use]
pub fn key_hash(key: VariantRef<'_>) -> u64 {
    Digests::default().of(key)
}

/// Computes hashes of keys. Equal keys have equal hashes. Different keys have different hashes, unless somebody
/// constructs a collision. A key that equals no other, such as an object, is hashed with its offset.
///
/// Hashes must be requested in the order of the keys' offsets. A container that is a key is walked once,
/// however many containers in it are keys themselves: their hashes are kept until they are requested.
#[derive(Clone, Default)]
pub(crate) struct Digests {
    /// The offset and hash of each container that is a key inside the key walked last.
    inner: Vec<(usize, u64)>,
    /// The offset after the key walked last.
    end: usize,
}

/// The hash of an open container, over its children read so far.
#[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
struct OpenDigest {
    hasher: SipHasher,
    /// The container's index in `Digests::inner`, if it is a key.
    place: Option<usize>,
}

impl Digests {
    /// Returns the hash of a key. This takes linear time in the key's size, or O(log n) if the key is inside
    /// the key hashed before it.
    #[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
    pub(crate) fn of(&mut self, key: VariantRef<'_>) -> u64 {
        if !key.has_children() {
            let mut hasher = SipHasher::new();
            leaf(key, true, &mut hasher);
            return hasher.finish();
        }
        if key.offset() < self.end {
            let found = self
                .inner
                .binary_search_by_key(&key.offset(), |inner| inner.0);
            if let Some((_, hash)) = found.ok().and_then(|n| self.inner.get(n)) {
                return *hash;
            }
        }
        self.container(key)
    }

    /// Walks a value once and keeps the hashes of all containers in it that are keys, 16 bytes for each. A key
    /// inside a key is then not walked again for each key that it is in.
    pub(crate) fn of_all_in(value: VariantRef<'_>) -> Digests {
        let mut digests = Digests::default();
        digests.container(value);
        digests
    }

    #[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
    fn container(&mut self, key: VariantRef<'_>) -> u64 {
        self.inner.clear();
        let mut outermost = 0;
        let mut open: Vec<OpenDigest> = Vec::new();
        let mut events = walk(key);
        while let Ok(Some(event)) = events.try_next() {
            match event {
                Event::Begin(value) => {
                    let is_key = !open.is_empty() && events.role() == Role::Key;
                    let place = is_key.then_some(self.inner.len());
                    if is_key {
                        self.inner.push((value.offset(), 0));
                    }
                    let mut hasher = SipHasher::new();
                    hasher.write_u8(value.kind() as u8);
                    for of in types_that_count(value) {
                        element_type(of, &mut hasher);
                    }
                    if !by_content(value) {
                        hasher.write_usize(value.offset());
                    }
                    open.push(OpenDigest { hasher, place });
                }
                Event::Value(value) => {
                    if let Some(container) = open.last_mut() {
                        let nan_equals = nan_equals(value, events.role());
                        leaf(value, nan_equals, &mut container.hasher);
                    }
                }
                Event::Property(name) => {
                    if let Some(container) = open.last_mut() {
                        text(name, &mut container.hasher);
                    }
                }
                Event::End => {
                    let Some(container) = open.pop() else { break };
                    let hash = container.hasher.finish();
                    if let Some(kept) = container.place.and_then(|n| self.inner.get_mut(n)) {
                        kept.1 = hash;
                    }
                    match open.last_mut() {
                        Some(outer) => outer.hasher.write_u64(hash),
                        None => outermost = hash,
                    }
                }
            }
        }
        self.end = events.position();
        outermost
    }
}

/// Hashes a text with its length, so that "ab", "c" and "a", "bc" give different hashes.
fn text(text: StrRef<'_>, hasher: &mut impl Hasher) {
    hasher.write_usize(text.as_bytes().len());
    hasher.write(text.as_bytes());
}

/// Hashes the type that a container names for its children.
fn element_type(of: ElementType<'_>, hasher: &mut impl Hasher) {
    match of {
        ElementType::Untyped => hasher.write_u8(0),
        ElementType::Builtin(id, _) => {
            hasher.write_u8(1);
            hasher.write_u8(id.0);
        }
        ElementType::Class(name) | ElementType::Script(name) => {
            hasher.write_u8(2);
            text(name, hasher);
        }
    }
}

/// Hashes a number by its value: its width, the sign of zero and the payload of NaN make no difference.
fn number(number: f64, hasher: &mut impl Hasher) {
    hasher.write_u64(if number.is_nan() {
        f64::NAN.to_bits()
    } else {
        // Adding zero turns -0.0 into 0.0.
        (number + 0.0).to_bits()
    });
}

/// Hashes a value without children. `nan_equals` says whether NaN equals NaN for this value.
fn leaf(value: VariantRef<'_>, nan_equals: bool, hasher: &mut impl Hasher) {
    let kind = match value.kind() {
        // A String and a StringName may be one key.
        Kind::StringName => Kind::String,
        kind => kind,
    };
    hasher.write_u8(kind as u8);
    hasher.write_usize(value.packed_len().unwrap_or(0));
    if let Some(int) = value.as_i64() {
        hasher.write_i64(int);
    } else if let Some(float) = value.as_f64() {
        number(float, hasher);
        if float.is_nan() && !nan_equals {
            hasher.write_usize(value.offset());
        }
    } else if let Some(own) = value.as_text() {
        text(own, hasher);
    } else if let Some((components, len)) = reals(value) {
        for &component in components.iter().take(len) {
            number(component, hasher);
        }
    } else if let Some(path) = value.as_node_path() {
        hasher.write_u8(u8::from(path.is_absolute()));
        hasher.write_u32(path.name_count());
        hasher.write_u32(path.subname_count());
        if let Some(whole) = path.old_text() {
            text(whole, hasher);
        }
        for name in path.parts().flatten() {
            text(name, hasher);
        }
    } else if let Some(bool) = value.as_bool() {
        hasher.write_u8(u8::from(bool));
    } else if let Some(strings) = value.as_strings() {
        for string in strings.iter().flatten() {
            text(string, hasher);
        }
    } else if let Some((name, id)) = value.as_signal() {
        text(name, hasher);
        hasher.write_u64(id);
    } else if let Some(packed) = value.as_packed() {
        self::packed(packed, value, hasher);
    } else if kind != Kind::Object {
        hasher.write(payload(value));
    } else if !value.is_nil() {
        hasher.write_usize(value.offset());
    }
}

fn packed(packed: Packed<'_>, value: VariantRef<'_>, hasher: &mut impl Hasher) {
    fn all<T: Element, const N: usize>(
        all: PackedRef<'_, T>,
        components: impl Fn(T::Native) -> [f64; N],
        hasher: &mut impl Hasher,
    ) {
        for element in all {
            for component in components(element) {
                number(component, hasher);
            }
        }
    }
    macro_rules! vectors {
        ($all:expr, $n:literal) => {
            match $all {
                Real::Single(single) => {
                    all(single, |it| <[f32; $n]>::from(it).map(f64::from), hasher);
                }
                Real::Double(double) => all(double, <[f64; $n]>::from, hasher),
            }
        };
    }
    match packed {
        Packed::Bytes(bytes) => hasher.write(bytes),
        Packed::Float32(_) if hashes_bits(value) => {
            hasher.write(payload(value));
            if has_nan(value) {
                hasher.write_usize(value.offset());
            }
        }
        Packed::Float32(floats) => all(floats, |it| [f64::from(it)], hasher),
        Packed::Float64(floats) => all(floats, |it| [it], hasher),
        Packed::Vector2(vectors) => vectors!(vectors, 2),
        Packed::Vector3(vectors) => vectors!(vectors, 3),
        Packed::Vector4(vectors) => vectors!(vectors, 4),
        Packed::Color(colors) => {
            all(colors, |it| <[f32; 4]>::from(it).map(f64::from), hasher);
        }
        // Integers have only one form in the bytes.
        Packed::Int32(_)
        | Packed::Int64(_)
        | Packed::Vector2i(_)
        | Packed::Vector3i(_)
        | Packed::Vector4i(_) => hasher.write(payload(value)),
    }
}

#[cfg(test)]
mod tests;
