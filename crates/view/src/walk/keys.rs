//! When two keys are the same key, as the engine sees it (`docs/FORMAT.md` §6, row 22).

use gdvar_wire::{Dialect, Element, Kind, math::Components};

#[cfg(feature = "alloc")]
use crate::walk::{digest::Digests, repeats::repeated_keys};
use crate::{
    value::{
        element::ElementType,
        packed::{Packed, PackedRef, Real},
        variant::VariantRef,
    },
    walk::{
        events::{Event, Role},
        steps::Walk,
    },
};

/// True if two values are one key: same type and equal value, whatever their widths on the wire.
/// NaN equals NaN (a float inside a container only in Godot 3, or as a key), 0.0 equals -0.0, arrays compare
/// by content, and in Godot 4 a String equals a StringName, but not as an element or value inside a key. Dictionaries compare by content and order, but in Godot 3
/// are always two keys; so are two objects anywhere. O(n), no recursion.
pub(crate) fn equal(a: VariantRef<'_>, b: VariantRef<'_>) -> bool {
    let is_text = |kind| matches!(kind, Kind::String | Kind::StringName);
    if is_text(a.kind()) && is_text(b.kind()) {
        let same = a.kind() == b.kind() || a.dialect().string_names_equal_strings();
        return same && a.as_text() == b.as_text();
    }
    if a.kind() != b.kind() {
        return false;
    }
    if !a.has_children() {
        return leaves_equal(a, b, true);
    }
    let mut left = walk(a);
    let mut right = walk(b);
    loop {
        match (left.try_next(), right.try_next()) {
            (Ok(None), Ok(None)) => return true,
            (Ok(Some(a)), Ok(Some(b))) if events_equal(a, b, left.role()) => {}
            _ => return false,
        }
    }
}

/// True if keys of a kind are found by text.
#[inline]
pub(crate) fn is_text_kind(kind: Kind, dialect: Dialect) -> bool {
    match kind {
        Kind::String => true,
        Kind::StringName => dialect.string_names_equal_strings(),
        _ => false,
    }
}

/// True if a key is that text. Keys are compared as bytes.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn is_text(key: VariantRef<'_>, text: &str) -> bool {
    is_text_kind(key.kind(), key.dialect()) && key.as_text().is_some_and(|own| own == *text)
}

#[inline(always)]
pub(crate) fn walk<'a>(value: VariantRef<'a>) -> Walk<'a, false> {
    Walk::new(
        value.bytes(),
        value.offset(),
        value.options(),
        value.depth(),
    )
}

fn events_equal(a: Event<'_>, b: Event<'_>, role: Role) -> bool {
    match (a, b) {
        (Event::Value(a), Event::Value(b)) => {
            // A key of a dictionary inside a key is compared as any key is.
            let are_texts = role == Role::Key
                && is_text_kind(a.kind(), a.dialect())
                && is_text_kind(b.kind(), b.dialect());
            (are_texts || a.kind() == b.kind()) && leaves_equal(a, b, nan_equals(a, role))
        }
        (Event::Begin(a), Event::Begin(b)) => {
            a.kind() == b.kind() && by_content(a) && types_that_count(a) == types_that_count(b)
        }
        (Event::End, Event::End) => true,
        // Properties are not compared: no object is another.
        _ => false,
    }
}

/// True if a NaN inside a container, in that place, is equal to another.
pub(crate) fn nan_equals(value: VariantRef<'_>, role: Role) -> bool {
    role == Role::Key || value.dialect().hashes_bits_of_keys()
}

/// True if such containers are equal if what is in them is; else none equals another.
pub(crate) fn by_content(container: VariantRef<'_>) -> bool {
    match container.kind() {
        Kind::Object => false,
        Kind::Dictionary => !container.dialect().hashes_bits_of_keys(),
        _ => true,
    }
}

/// The types a container names for its children, where they make another key of it: engines drop and
/// convert children that do not fit (`docs/FORMAT.md` §4.3), so containers with equal bytes in them may
/// differ. If all children are leaves that fit, the types do not count. Never looks into a child.
pub(crate) fn types_that_count(container: VariantRef<'_>) -> [ElementType<'_>; 2] {
    let untyped = [ElementType::Untyped; 2];
    let (types, fit) = if let Some(array) = container.as_array() {
        let types = [array.element_type(), ElementType::Untyped];
        let fits = |child: Result<VariantRef<'_>, _>| {
            child.is_ok_and(|child| !child.has_children() && types[0].admits(child.kind()))
        };
        (types, types == untyped || array.iter().all(fits))
    } else if let Some(dict) = container.as_dict() {
        let types = [dict.key_type(), dict.value_type()];
        let fits = |pair: Result<(VariantRef<'_>, VariantRef<'_>), _>| {
            pair.is_ok_and(|(key, value)| {
                !key.has_children() && !value.has_children() && types[0].admits(key.kind())
            })
        };
        (types, types == untyped || dict.iter().all(fits))
    } else {
        return untyped;
    };
    if fit { untyped } else { types }
}

fn number_equal(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// The components of a math type of reals, widened.
pub(crate) fn reals(value: VariantRef<'_>) -> Option<([f64; 16], usize)> {
    let mut out = [0.0; 16];
    let mut put = |components: &[f64]| {
        for (to, from) in out.iter_mut().zip(components) {
            *to = *from;
        }
        components.len()
    };
    let len = match value.kind() {
        Kind::Vector2 => put(&<[f64; 2]>::from(value.as_vector2_f64()?)),
        Kind::Vector3 => put(&<[f64; 3]>::from(value.as_vector3_f64()?)),
        Kind::Vector4 => put(&<[f64; 4]>::from(value.as_vector4_f64()?)),
        Kind::Rect2 => put(&<[f64; 4]>::from(value.as_rect2_f64()?)),
        Kind::Transform2D => put(&<[f64; 6]>::from(value.as_transform2d_f64()?)),
        Kind::Plane => put(&<[f64; 4]>::from(value.as_plane_f64()?)),
        Kind::Quaternion => put(&<[f64; 4]>::from(value.as_quaternion_f64()?)),
        Kind::Aabb => put(&<[f64; 6]>::from(value.as_aabb_f64()?)),
        Kind::Basis => put(&<[f64; 9]>::from(value.as_basis_f64()?)),
        Kind::Transform3D => put(&<[f64; 12]>::from(value.as_transform3d_f64()?)),
        Kind::Projection => put(&<[f64; 16]>::from(value.as_projection_f64()?)),
        Kind::Color => put(&<[f32; 4]>::from(value.as_color()?).map(f64::from)),
        _ => return None,
    };
    Some((out, len))
}

fn leaves_equal(a: VariantRef<'_>, b: VariantRef<'_>, nan_equals: bool) -> bool {
    match a.kind() {
        Kind::Bool => a.as_bool() == b.as_bool(),
        Kind::Int => a.as_i64() == b.as_i64(),
        Kind::Float => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => a == b || (nan_equals && number_equal(a, b)),
            _ => false,
        },
        Kind::String | Kind::StringName => a.as_text() == b.as_text(),
        Kind::NodePath => match (a.as_node_path(), b.as_node_path()) {
            (Some(a), Some(b)) => {
                a.is_absolute() == b.is_absolute()
                    && a.name_count() == b.name_count()
                    && a.subname_count() == b.subname_count()
                    && a.old_text() == b.old_text()
                    && a.parts().eq(b.parts())
            }
            _ => false,
        },
        Kind::Object => a.is_nil() && b.is_nil(),
        Kind::Signal => match (a.as_signal(), b.as_signal()) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
        Kind::PackedStringArray => match (a.as_strings(), b.as_strings()) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().eq(b.iter()),
            _ => false,
        },
        kind if kind.is_packed() => packed_equal(a, b),
        _ => match (reals(a), reals(b)) {
            (Some((a, len)), Some((b, _))) => a
                .iter()
                .zip(&b)
                .take(len)
                .all(|(&a, &b)| number_equal(a, b)),
            // The other kinds have one form on the wire only: Nil, integer vectors, RID, Image …
            _ => payload(a) == payload(b),
        },
    }
}

/// The bytes behind the header, in which engines ignore bits that mean nothing, of a value that ends
/// where its head does.
pub(crate) fn payload(value: VariantRef<'_>) -> &[u8] {
    let end = value.head().map_or(0, |head| head.next);
    let start = value.offset() + 4;
    value.bytes().get(start..end).unwrap_or_default()
}

/// True if an array of reals is a key by its bits: Godot 3 hashes them, so that 0.0 and -0.0 differ.
pub(crate) fn hashes_bits(array: VariantRef<'_>) -> bool {
    array.dialect().hashes_bits_of_keys()
}

/// True if an array of reals has a NaN in it. In Godot 3.2 no such key equals another.
pub(crate) fn has_nan(array: VariantRef<'_>) -> bool {
    match array.as_packed() {
        Some(Packed::Float32(reals)) => reals.iter().any(f32::is_nan),
        _ => false,
    }
}

fn packed_equal(a: VariantRef<'_>, b: VariantRef<'_>) -> bool {
    fn same<T: Element, U: Element>(
        a: PackedRef<'_, T>,
        b: PackedRef<'_, U>,
        eq: impl Fn(T::Native, U::Native) -> bool,
    ) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| eq(a, b))
    }
    macro_rules! vectors {
        ($a:expr, $b:expr) => {{
            let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(&a, &b)| number_equal(a, b));
            match ($a, $b) {
                (Real::Single(a), Real::Single(b)) => same(a, b, |a, b| {
                    close(
                        &a.components().map(f64::from),
                        &b.components().map(f64::from),
                    )
                }),
                (Real::Double(a), Real::Double(b)) => {
                    same(a, b, |a, b| close(&a.components(), &b.components()))
                }
                (Real::Single(a), Real::Double(b)) | (Real::Double(b), Real::Single(a)) => {
                    same(a, b, |a, b| {
                        close(&a.components().map(f64::from), &b.components())
                    })
                }
            }
        }};
    }
    match (a.as_packed(), b.as_packed()) {
        (Some(Packed::Float32(_)), Some(Packed::Float32(_))) if hashes_bits(a) => {
            payload(a) == payload(b) && !has_nan(a)
        }
        (Some(Packed::Float32(a)), Some(Packed::Float32(b))) => {
            same(a, b, |a, b| number_equal(f64::from(a), f64::from(b)))
        }
        (Some(Packed::Float64(a)), Some(Packed::Float64(b))) => same(a, b, number_equal),
        (Some(Packed::Vector2(a)), Some(Packed::Vector2(b))) => vectors!(a, b),
        (Some(Packed::Vector3(a)), Some(Packed::Vector3(b))) => vectors!(a, b),
        (Some(Packed::Vector4(a)), Some(Packed::Vector4(b))) => vectors!(a, b),
        (Some(Packed::Color(a)), Some(Packed::Color(b))) => same(a, b, |a, b| {
            let (a, b) = (<[f32; 4]>::from(a), <[f32; 4]>::from(b));
            a.iter()
                .zip(&b)
                .all(|(&a, &b)| number_equal(f64::from(a), f64::from(b)))
        }),
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

/// True if an engine may take a key for another one than its bytes say: it narrows wide reals, converts and
/// drops what does not fit a typed container, merges keys of dictionaries inside keys, and may forget that
/// a path without names is absolute.
#[cfg(feature = "alloc")]
fn may_change(key: VariantRef<'_>, of: ElementType<'_>) -> bool {
    if !of.admits(key.kind()) {
        return true;
    }
    let mut has_dict = false;
    let mut events = walk(key);
    while let Ok(Some(event)) = events.try_next() {
        let changes = match event {
            Event::Begin(inner) => {
                has_dict |= inner.kind() == Kind::Dictionary && by_content(inner);
                types_that_count(inner) != [ElementType::Untyped; 2]
            }
            Event::Value(inner) => match inner.as_node_path() {
                Some(path) => path.is_absolute() && path.name_count() == 0,
                None => inner.is_wide() && !matches!(inner.kind(), Kind::Int | Kind::Float),
            },
            Event::End | Event::Property(_) => false,
        };
        if changes {
            return true;
        }
    }
    has_dict && repeated_keys(key).is_ok_and(|repeats| !repeats.is_empty())
}

/// The pairs of a dictionary as the engines keep them (`docs/FORMAT.md` §6, row 22): of equal keys
/// the first, at its place, with the value of the last. All pairs, where an engine may take a key for
/// another than its bytes say: which pair wins is for the engine to say then.
#[cfg(feature = "alloc")]
pub(crate) fn distinct<'a>(
    of: ElementType<'_>,
    pairs: alloc::vec::Vec<(VariantRef<'a>, VariantRef<'a>)>,
) -> alloc::vec::Vec<(VariantRef<'a>, VariantRef<'a>)> {
    if pairs.iter().any(|(key, _)| may_change(*key, of)) {
        return pairs;
    }
    let mut digests = Digests::default();
    let mut order: alloc::vec::Vec<(u64, usize)> = pairs
        .iter()
        .enumerate()
        .map(|(n, (key, _))| (digests.of(*key), n))
        .collect();
    order.sort_unstable();
    // For each pair the one whose value it takes; none where an earlier pair has the key.
    let mut takes: alloc::vec::Vec<Option<usize>> = (0..pairs.len()).map(Some).collect();
    for alike in order.chunk_by(|a, b| a.0 == b.0) {
        for (n, &(_, later)) in alike.iter().enumerate() {
            let first = alike
                .iter()
                .take(n)
                .map(|&(_, earlier)| earlier)
                .find(|&earlier| match (pairs.get(earlier), pairs.get(later)) {
                    (Some((a, _)), Some((b, _))) => equal(*a, *b),
                    _ => false,
                });
            if let Some(first) = first {
                if let Some(takes) = takes.get_mut(first) {
                    *takes = Some(later);
                }
                if let Some(takes) = takes.get_mut(later) {
                    *takes = None;
                }
            }
        }
    }
    pairs
        .iter()
        .zip(&takes)
        .filter_map(|((key, _), takes)| Some((*key, pairs.get((*takes)?)?.1)))
        .collect()
}

/// True if a float is NaN, subnormal as an f32, or above 1e30 in size: rare in real data, and the look of
/// counts and text when they are misread as floats.
pub(crate) fn is_odd_float(value: f64) -> bool {
    let size = value.abs();
    value.is_nan() || size > 1e30 || (size > 0.0 && size < f64::from(f32::MIN_POSITIVE))
}

/// The number of components of a float or math type that are odd.
pub(crate) fn odd_components(value: VariantRef<'_>) -> u32 {
    if let Some(float) = value.as_f64() {
        return u32::from(is_odd_float(float));
    }
    match reals(value) {
        Some((components, len)) => {
            let own = components.iter().take(len);
            own.filter(|&&component| is_odd_float(component)).count() as u32
        }
        None => 0,
    }
}

/// A key that can be sought in an order.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sought<'a> {
    /// A String, or a StringName where both are one key.
    Text(&'a [u8]),
    /// An int of any width.
    Int(i64),
    /// Any other key, by its hash: equal keys have equal ones.
    Hash(u64),
}

#[cfg(feature = "alloc")]
impl<'a> Sought<'a> {
    /// The form of a key in dictionaries of that dialect. O(n) of its size.
    #[inline]
    pub(crate) fn of(key: VariantRef<'a>, dialect: Dialect) -> Sought<'a> {
        Sought::by(key, dialect, &mut Digests::default())
    }

    /// [`Sought::of`] with hashes that may be known already.
    #[inline]
    pub(crate) fn by(key: VariantRef<'a>, dialect: Dialect, digests: &mut Digests) -> Sought<'a> {
        match key.kind() {
            Kind::Int => key.as_i64().map(Sought::Int),
            Kind::StringName if !dialect.string_names_equal_strings() => None,
            _ => key.as_text().map(|text| Sought::Text(text.as_bytes())),
        }
        .unwrap_or_else(|| Sought::Hash(digests.of(key)))
    }
}
