//! Compares two values without children, and the headers of two containers.

use gdvar_view::{
    Element, ElementType, Kind, Packed, PackedRef, Real, VariantRef, math::Components,
};

use crate::{
    container::{Container, Name},
    plan::word,
    reals::reals,
};

/// Returns `true` if two floats are equal or differ by at most `tolerance`.
fn near(a: f64, b: f64, tolerance: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance
}

/// Returns `true` if two containers, each given with its bytes, have the same type and header, so that they
/// can differ only in their children. With `exact`, all bytes before the first child must agree, except the
/// count.
pub(crate) fn heads<'a>(
    (a, a_raw): (Container<'a>, &'a [u8]),
    (b, b_raw): (Container<'a>, &'a [u8]),
    exact: bool,
) -> bool {
    let (one, other) = (a.value, b.value);
    if one.kind() != other.kind() {
        return false;
    }
    if exact {
        let head = |container: Container<'_>, raw: &'a [u8]| {
            let len = container.count_at - container.value.offset();
            // The bytes before the count, and the shared bit of Godot 2 in the count word.
            (raw.get(..len), word(raw, len) >> 31)
        };
        // The engine reads a negative count as no children, so an empty container may have many different
        // count words.
        let counts = |container: Container<'_>, raw| {
            let at = container.count_at - container.value.offset();
            let shared = if container.is_object() { 0 } else { 1 << 31 };
            word(raw, at) & !shared == container.len as u32
        };
        // Both sides are checked, because a patch must also be reversible.
        return head(a, a_raw) == head(b, b_raw)
            && counts(a, a_raw)
            && counts(b, b_raw)
            && fits(a)
            && fits(b);
    }
    let class = |value: VariantRef<'_>| {
        let class = value.as_object().and_then(|object| object.class());
        class.map(|class| class.as_bytes().to_vec())
    };
    a.key_type() == b.key_type() && a.value_type() == b.value_type() && class(one) == class(other)
}

/// Returns `true` if all children have the types that the container declares. Engines drop or convert other
/// children, and an edit refuses to insert them.
fn fits(container: Container<'_>) -> bool {
    let types = (container.key_type(), container.value_type());
    if types == (ElementType::Untyped, ElementType::Untyped) {
        return true;
    }
    let mut children = container.children();
    while let Ok(Some(child)) = children.try_next() {
        let key_fits = match child.name {
            Name::Key(key) => types.0.admits(key.kind()),
            _ => true,
        };
        if !key_fits || !types.1.admits(child.value.kind()) {
            return false;
        }
    }
    true
}

/// Returns `true` if two values without children have the same type and an equal value.
pub(crate) fn leaves(a: VariantRef<'_>, b: VariantRef<'_>, tolerance: f64) -> bool {
    if a.kind() != b.kind() || a.has_children() || b.has_children() {
        return false;
    }
    match a.kind() {
        Kind::Int => a.as_i64() == b.as_i64(),
        Kind::Bool => a.as_bool() == b.as_bool(),
        Kind::Float => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => near(a, b, tolerance),
            _ => false,
        },
        Kind::String | Kind::StringName => a.as_text() == b.as_text(),
        Kind::NodePath => match (a.as_node_path(), b.as_node_path()) {
            (Some(a), Some(b)) => {
                a.is_absolute() == b.is_absolute()
                    && a.name_count() == b.name_count()
                    && a.old_text() == b.old_text()
                    && a.parts().eq(b.parts())
            }
            _ => false,
        },
        Kind::PackedStringArray => match (a.as_strings(), b.as_strings()) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().eq(b.iter()),
            _ => false,
        },
        Kind::Object => a.is_nil() && b.is_nil() || payload(a) == payload(b),
        kind if kind.is_packed() => packed(a, b, tolerance),
        _ => match (reals(a), reals(b)) {
            (Some(a), Some(b)) => a.iter().zip(&b).all(|(a, b)| near(*a, *b, tolerance)),
            _ => payload(a) == payload(b),
        },
    }
}

/// Returns the bytes of `value` after its header word.
fn payload(value: VariantRef<'_>) -> Option<&[u8]> {
    value.raw().ok()?.get(4..)
}

fn packed(a: VariantRef<'_>, b: VariantRef<'_>, tolerance: f64) -> bool {
    fn all<T: Element, U: Element>(
        a: PackedRef<'_, T>,
        b: PackedRef<'_, U>,
        same: impl Fn(T::Native, U::Native) -> bool,
    ) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
    }
    let near = |a: &[f64], b: &[f64]| {
        let mut pairs = a.iter().zip(b);
        pairs.all(|(a, b)| near(*a, *b, tolerance))
    };
    macro_rules! vectors {
        ($a:expr, $b:expr) => {
            match ($a, $b) {
                (Real::Single(a), Real::Single(b)) => all(a, b, |a, b| {
                    near(
                        &a.components().map(f64::from),
                        &b.components().map(f64::from),
                    )
                }),
                (Real::Double(a), Real::Double(b)) => {
                    all(a, b, |a, b| near(&a.components(), &b.components()))
                }
                (Real::Single(a), Real::Double(b)) | (Real::Double(b), Real::Single(a)) => {
                    all(a, b, |a, b| {
                        near(&a.components().map(f64::from), &b.components())
                    })
                }
            }
        };
    }
    match (a.as_packed(), b.as_packed()) {
        (Some(Packed::Float32(a)), Some(Packed::Float32(b))) => {
            all(a, b, |a, b| near(&[a.into()], &[b.into()]))
        }
        (Some(Packed::Float64(a)), Some(Packed::Float64(b))) => all(a, b, |a, b| near(&[a], &[b])),
        (Some(Packed::Vector2(a)), Some(Packed::Vector2(b))) => vectors!(a, b),
        (Some(Packed::Vector3(a)), Some(Packed::Vector3(b))) => vectors!(a, b),
        (Some(Packed::Vector4(a)), Some(Packed::Vector4(b))) => vectors!(a, b),
        (Some(Packed::Color(a)), Some(Packed::Color(b))) => all(a, b, |a, b| {
            let (a, b) = (<[f32; 4]>::from(a), <[f32; 4]>::from(b));
            near(&a.map(f64::from), &b.map(f64::from))
        }),
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}
