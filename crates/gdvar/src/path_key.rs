//! Steps of a path that give the type of their key: `[&"name"]`, `[1.5]`, `[Vector2i(5, 9)]`. Compares them with keys,
//! finds them in a Dictionary, and makes keys of them.

use std::borrow::Cow;

use gdvar_view::{SimpleKey, Step, narrow};
use gdvar_wire::{fits_f32, math::Components};

use crate::{
    Dictionary, Kind, Variant,
    dictionary::FEW,
    math::{Color, Plane, Quaternion, Rect2, Vector2, Vector3, Vector4},
};

/// Returns the text of a name in a path, with its escapes resolved.
pub(crate) fn unescaped(name: &str) -> Cow<'_, str> {
    if !name.contains('\\') {
        return name.into();
    }
    Step::Name(name).text().into_iter().flatten().collect()
}

/// Returns `true` if `step` leads to the value under `key`. Works for steps that give the type of
/// their key, and returns `false` for others. With `as_singles`, 32-bit reals are compared as
/// `f32`, otherwise with all of their digits.
fn is_key(key: &Variant, step: Step<'_>, as_singles: bool) -> bool {
    match step {
        Step::String(name) => matches!(key, Variant::String(text) if *text == *unescaped(name)),
        Step::StringName(name) => {
            matches!(key, Variant::StringName(text) if *text == *unescaped(name))
        }
        Step::Key(wanted) => wanted.kind() == key.kind() && has_numbers(key, wanted, as_singles),
        Step::Name(_) | Step::Index(_) | Step::PairValue(_) | Step::PairKey(_) => false,
    }
}

/// Returns `true` if the numbers of `key` are the numbers of `wanted`, which is of the same kind.
fn has_numbers(key: &Variant, wanted: SimpleKey, as_singles: bool) -> bool {
    macro_rules! reals {
        ($single:ident, $double:ident) => {
            match (key.$single(), key.$double()) {
                (Some(all), Some(wide)) => {
                    let single = as_singles && all.map(f64::from) == wide;
                    let mut numbers = wide.components().into_iter().enumerate();
                    numbers.all(|(n, own)| wanted.has(n, own, single))
                }
                _ => false,
            }
        };
    }
    macro_rules! ints {
        ($get:ident) => {
            key.$get().is_some_and(|all| {
                let mut numbers = all.components().into_iter().enumerate();
                numbers.all(|(n, own)| wanted.has(n, own.into(), false))
            })
        };
    }
    match key {
        Variant::Nil => true,
        Variant::Bool(own) => wanted.has(0, f64::from(u8::from(*own)), false),
        Variant::Float(own) => wanted.has(0, *own, as_singles && fits_f32(*own)),
        Variant::Vector2(_) => reals!(as_vector2, as_vector2_f64),
        Variant::Vector3(_) => reals!(as_vector3, as_vector3_f64),
        Variant::Vector4(_) => reals!(as_vector4, as_vector4_f64),
        Variant::Rect2(_) => reals!(as_rect2, as_rect2_f64),
        Variant::Plane(_) => reals!(as_plane, as_plane_f64),
        Variant::Quaternion(_) => reals!(as_quaternion, as_quaternion_f64),
        Variant::Vector2i(_) => ints!(as_vector2i),
        Variant::Vector3i(_) => ints!(as_vector3i),
        Variant::Vector4i(_) => ints!(as_vector4i),
        Variant::Rect2i(_) => ints!(as_rect2i),
        Variant::Color(color) => {
            let mut numbers = color.components().into_iter().enumerate();
            numbers.all(|(n, own)| wanted.has(n, own.into(), as_singles))
        }
        _ => false,
    }
}

/// Returns the numbers of a key, and zeros after them.
fn numbers_of(wanted: SimpleKey) -> [f64; 4] {
    let mut numbers = [0.0; 4];
    numbers[..wanted.numbers().len()].copy_from_slice(wanted.numbers());
    numbers
}

/// Returns the key of a step that gives the key's type, for a new entry of a Dictionary. `None` for
/// other steps.
pub(crate) fn of(step: Step<'_>) -> Option<Variant> {
    match step {
        Step::String(name) => Some(Variant::String((*unescaped(name)).into())),
        Step::StringName(name) => Some(Variant::StringName((*unescaped(name)).into())),
        Step::Key(wanted) => stored(wanted.kind(), numbers_of(wanted)),
        _ => None,
    }
}

/// Returns a key of this kind with these numbers, its reals in 32 bits.
fn stored(kind: Kind, numbers: [f64; 4]) -> Option<Variant> {
    let singles = numbers.map(narrow);
    let [i, j, k, l] = numbers.map(|number| number as i32);
    Some(match kind {
        Kind::Bool => (numbers[0] != 0.0).into(),
        Kind::Float => numbers[0].into(),
        Kind::Vector2
        | Kind::Vector3
        | Kind::Vector4
        | Kind::Rect2
        | Kind::Plane
        | Kind::Quaternion => return vector(kind, singles),
        Kind::Color => Color::from(singles).into(),
        Kind::Vector2i => Vector2::new(i, j).into(),
        Kind::Vector3i => Vector3::new(i, j, k).into(),
        Kind::Vector4i => Vector4::new(i, j, k, l).into(),
        Kind::Rect2i => Rect2::from([i, j, k, l]).into(),
        Kind::Nil => Variant::Nil,
        // No path names keys of these kinds.
        Kind::Int
        | Kind::String
        | Kind::Transform2D
        | Kind::Aabb
        | Kind::Basis
        | Kind::Transform3D
        | Kind::Projection
        | Kind::Image
        | Kind::StringName
        | Kind::NodePath
        | Kind::Rid
        | Kind::Object
        | Kind::InputEvent
        | Kind::Callable
        | Kind::Signal
        | Kind::Dictionary
        | Kind::Array
        | Kind::TypedArray
        | Kind::PackedTypedArray
        | Kind::PackedByteArray
        | Kind::PackedInt32Array
        | Kind::PackedInt64Array
        | Kind::PackedFloat32Array
        | Kind::PackedFloat64Array
        | Kind::PackedStringArray
        | Kind::PackedVector2Array
        | Kind::PackedVector2iArray
        | Kind::PackedVector3Array
        | Kind::PackedVector3iArray
        | Kind::PackedVector4Array
        | Kind::PackedVector4iArray
        | Kind::PackedColorArray => return None,
    })
}

/// Returns a key of this kind with these reals, in their width. `None` for kinds whose numbers have one width.
fn vector<T: Copy>(kind: Kind, [a, b, c, d]: [T; 4]) -> Option<Variant>
where
    Variant: From<Vector2<T>> + From<Vector3<T>> + From<Vector4<T>>,
    Variant: From<Rect2<T>> + From<Plane<T>> + From<Quaternion<T>>,
{
    Some(match kind {
        Kind::Vector2 => Vector2::new(a, b).into(),
        Kind::Vector3 => Vector3::new(a, b, c).into(),
        Kind::Vector4 => Vector4::new(a, b, c, d).into(),
        Kind::Rect2 => Rect2::from([a, b, c, d]).into(),
        Kind::Plane => Plane::from([a, b, c, d]).into(),
        Kind::Quaternion => Quaternion::new(a, b, c, d).into(),
        _ => return None,
    })
}

/// Calls `each` with every key that may match `wanted` in [`is_key`], if no number of it is NaN: the exact numbers and
/// the nearest `f32`s, in both widths, with both signs of each zero. Some of them may not match.
fn each_form(wanted: SimpleKey, mut each: impl FnMut(&Variant)) {
    let kind = wanted.kind();
    let exact = numbers_of(wanted);
    // A number too large for 32 bits narrows to infinity, which is another number.
    let nearest = exact.map(|number| match f64::from(narrow(number)) {
        single if single.is_finite() => single,
        _ => number,
    });
    let len = wanted.numbers().len();
    for numbers in [exact, nearest] {
        for minus in 0..1_u32 << len {
            let mut signed = numbers;
            let mut zeros = 0;
            for (n, number) in signed.iter_mut().enumerate().take(len) {
                if *number == 0.0 {
                    zeros |= 1 << n;
                    *number = if minus >> n & 1 == 1 { -0.0 } else { 0.0 };
                }
            }
            if minus & !zeros == 0 {
                stored(kind, signed).iter().for_each(&mut each);
                vector(kind, signed).iter().for_each(&mut each);
            }
        }
        if numbers == nearest {
            return;
        }
    }
}

/// Returns the position of the pair that `step` leads to. Works for steps that give the type of their key; returns
/// `None` for others. Exact numbers take precedence over the nearest `f32`s, and among equals the last pair counts.
pub(crate) fn find(dict: &Dictionary, step: Step<'_>) -> Option<usize> {
    find_equal(dict, step, false).or_else(|| find_equal(dict, step, true))
}

/// Like [`find`], with `as_singles` as in [`is_key`]. A large Dictionary is searched by its table of keys, which knows
/// keys by their bits.
fn find_equal(dict: &Dictionary, step: Step<'_>, as_singles: bool) -> Option<usize> {
    let is = |place: &usize| is_key(&dict.as_pairs()[*place].0, step, as_singles);
    let one_by_one = || (0..dict.len()).rev().find(is);
    if dict.len() <= FEW {
        return one_by_one();
    }
    match step {
        // NaNs with different bits are equal here.
        Step::Key(wanted) if wanted.numbers().iter().any(|number| number.is_nan()) => one_by_one(),
        Step::Key(wanted) => {
            let mut last = None;
            each_form(wanted, |key| {
                last = last.max(dict.place_of(key).filter(is));
            });
            last
        }
        // The table finds the last key of this text, which may be of the other type.
        step => match dict.place_of(&of(step)?)? {
            place if is(&place) => Some(place),
            _ => one_by_one(),
        },
    }
}

#[cfg(test)]
mod tests {
    use gdvar_view::Path;

    use super::*;

    /// The definition of [`find`]: the last key with the exact numbers, or else the last with the nearest `f32`s.
    fn one_by_one(dict: &Dictionary, step: Step<'_>) -> Option<usize> {
        let last = |as_singles| dict.keys().rposition(|key| is_key(key, step, as_singles));
        last(false).or_else(|| last(true))
    }

    #[test]
    fn a_table_finds_what_a_search_finds() {
        let texts = [
            "0.0",
            "-0.0",
            "0.1",
            "0.10000000149011612",
            "1.0",
            "16777217.0",
            "1e300",
            "1e-60",
            "-1e-60",
            "inf",
            "-inf",
            "nan",
            "3.5e38",
        ];
        let kinds = [
            "Vector2",
            "Vector3",
            "Vector4",
            "Rect2",
            "Plane",
            "Quaternion",
            "Color",
            "Vector2i",
            "Vector3i",
            "Vector4i",
            "Rect2i",
        ];
        let mut paths: Vec<String> = [
            "null",
            "true",
            "false",
            "&\"a\"",
            "String(\"a\")",
            "&\"\u{feff}a\"",
        ]
        .iter()
        .map(|key| format!("[{key}]"))
        .collect();
        paths.extend(texts.iter().map(|text| format!("[{text}]")));
        for kind in kinds {
            let len = Kind::from_name(kind).expect("a kind").component_count();
            for first in 0..texts.len() {
                for step in [0, 1, 5] {
                    let number = |n: usize| match kind.ends_with('i') {
                        true => format!("{}", (first + n * step) % 3),
                        false => texts[(first + n * step) % texts.len()].to_owned(),
                    };
                    let numbers: Vec<_> = (0..len).map(number).collect();
                    paths.push(format!("[{kind}({})]", numbers.join(", ")));
                }
            }
        }
        let paths: Vec<Path<'_>> = paths
            .iter()
            .map(|path| Path::parse(path).expect("a path"))
            .collect();
        let mut keys = Vec::new();
        for path in &paths {
            let step = path.steps()[0];
            keys.extend(of(step));
            if let Step::Key(wanted) = step {
                keys.extend(vector(wanted.kind(), numbers_of(wanted)));
                let narrowed = numbers_of(wanted).map(|number| f64::from(narrow(number)));
                keys.extend(stored(wanted.kind(), narrowed));
                keys.extend(vector(wanted.kind(), narrowed));
            }
        }
        // Dictionaries with some of the keys, so that each key is also missing in some, forwards and backwards.
        for part in 0..4 {
            let some: Vec<_> = keys.iter().skip(part).step_by(part + 1).cloned().collect();
            let mut backwards = some.clone();
            backwards.reverse();
            for keys in [some, backwards] {
                assert!(keys.len() > FEW);
                let dict = Dictionary::from_pairs(
                    keys.into_iter().map(|key| (key, Variant::Nil)).collect(),
                );
                for path in &paths {
                    let step = path.steps()[0];
                    assert_eq!(find(&dict, step), one_by_one(&dict, step), "{path}");
                }
            }
        }
    }
}
