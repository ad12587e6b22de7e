//! When two keys are the same key for the engine (`docs/FORMAT.md` §6, row 22).

use gdvar_wire::{Dialect, Element, Kind, math::Components};

use crate::{
    value::{
        element::ElementType,
        packed::{Packed, PackedRef},
        real::Real,
        reals::reals,
        variant::VariantRef,
    },
    walk::{
        checks::Skip,
        event::{Event, Role},
        steps::Walk,
    },
};

/// True if `a` and `b` are the same key: they have the same type and equal values, whatever their widths in the
/// bytes. Takes O(n) and does not recurse.
///
/// * NaN equals NaN as a key; inside an array, or as a value, only in Godot 3. 0.0 equals -0.0.
/// * In Godot 4 a String equals a StringName, but not as an element or value inside a key.
/// * Arrays compare by content. Dictionaries compare by content and order; in Godot 3 no two are equal.
/// * No two objects are equal.
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

/// True if keys of this kind are found by their text.
#[inline]
pub(crate) fn is_text_kind(kind: Kind, dialect: Dialect) -> bool {
    match kind {
        Kind::String => true,
        Kind::StringName => dialect.string_names_equal_strings(),
        _ => false,
    }
}

#[inline(always)]
pub(crate) fn walk<'a>(value: VariantRef<'a>) -> Walk<'a, Skip> {
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
            // A key of a dictionary inside of a key is compared like any other key.
            let are_texts = role == Role::Key
                && is_text_kind(a.kind(), a.dialect())
                && is_text_kind(b.kind(), b.dialect());
            (are_texts || a.kind() == b.kind()) && leaves_equal(a, b, nan_equals(a, role))
        }
        (Event::Begin(a), Event::Begin(b)) => {
            a.kind() == b.kind() && by_content(a) && types_that_count(a) == types_that_count(b)
        }
        (Event::End, Event::End) => true,
        // Properties are not compared: no two objects are equal.
        _ => false,
    }
}

/// True if NaN equals NaN for a value of that role inside a container.
pub(crate) fn nan_equals(value: VariantRef<'_>, role: Role) -> bool {
    role == Role::Key || value.dialect().hashes_bits_of_keys()
}

/// True if containers of this kind are compared by their contents. If not, no two of them are equal.
pub(crate) fn by_content(container: VariantRef<'_>) -> bool {
    match container.kind() {
        Kind::Object => false,
        Kind::Dictionary => !container.dialect().hashes_bits_of_keys(),
        _ => true,
    }
}

/// Returns the child types that a container names, if they can make a difference between keys. Engines drop and
/// convert children that do not fit (`docs/FORMAT.md` §4.3), so containers with equal children may become
/// different keys. If all children are leaves that fit, the result is `Untyped`. The children of children are
/// not read.
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
            // The other kinds have only one form in the bytes: Nil, integer vectors, RID, Image …
            _ => payload(a) == payload(b),
        },
    }
}

/// Returns the bytes after the header of a value without strings and children. The header is left out because
/// engines ignore some of its bits.
pub(crate) fn payload(value: VariantRef<'_>) -> &[u8] {
    let end = value.head().map_or(0, |head| head.next);
    let start = value.offset() + 4;
    value.bytes().get(start..end).unwrap_or_default()
}

/// True if arrays of reals are compared by their bits: Godot 3 hashes them, so 0.0 and -0.0 differ.
pub(crate) fn hashes_bits(array: VariantRef<'_>) -> bool {
    array.dialect().hashes_bits_of_keys()
}

/// True if an array of reals contains NaN. In Godot 3.2 an array with NaN equals no key.
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
