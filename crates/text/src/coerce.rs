//! Conversions for typed containers. The engine converts or drops values that do not fit, without an
//! error (`docs/FORMAT.md` §4.3). The bytes keep their values; only the text shows the result.

use gdvar_view::{ElementType, Kind};

use crate::{
    leaf::{Leaf, single},
    shown::Shown,
    string::path_text,
};

/// The type that the children of a container must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Any,
    Builtin(Kind),
    /// Objects of a class, or with a script.
    Object,
    /// A type that the dialect lacks.
    Nothing,
}

impl Target {
    /// Returns `true` if values of `kind` are kept without conversion.
    pub(crate) fn keeps(self, kind: Kind) -> bool {
        self == Target::Any || self == Target::Builtin(kind)
    }

    pub(crate) fn of(element_type: ElementType<'_>) -> Target {
        match element_type {
            ElementType::Untyped | ElementType::Builtin(_, Some(Kind::Nil)) => Target::Any,
            ElementType::Builtin(_, Some(Kind::Object))
            | ElementType::Class(_)
            | ElementType::Script(_) => Target::Object,
            ElementType::Builtin(_, Some(kind)) => Target::Builtin(kind),
            ElementType::Builtin(_, None) => Target::Nothing,
        }
    }
}

/// Returns the value as the container holds it, or `None` if the engine drops it.
pub(crate) fn coerce(value: Shown<'_>, target: Target) -> Option<Shown<'_>> {
    let kind = value.kind();
    match target {
        Target::Any => Some(value),
        Target::Nothing => None,
        Target::Object => matches!(kind, Kind::Object | Kind::Nil).then_some(value),
        Target::Builtin(target) if target == kind => Some(value),
        Target::Builtin(target) => match value {
            Shown::Leaf(leaf) => leaf_to(leaf, target).map(Shown::Leaf),
            Shown::Tree(item) if kind == Kind::Array && target.is_packed() => {
                Some(Shown::PackedFrom(target, item))
            }
            Shown::Tree(_) if kind == Kind::Object && target == Kind::Rid => {
                Some(Shown::Leaf(Leaf::Rid(0)))
            }
            _ => None,
        },
    }
}

/// Converts a leaf to another kind. `None` if the engine has no strict conversion for it.
pub(crate) fn leaf_to(leaf: Leaf<'_>, target: Kind) -> Option<Leaf<'_>> {
    Some(match (leaf, target) {
        (Leaf::Int(int), Kind::Bool) => Leaf::Bool(int != 0),
        (Leaf::Float(float), Kind::Bool) => Leaf::Bool(float != 0.0),
        (Leaf::Bool(flag), Kind::Int) => Leaf::Int(i64::from(flag)),
        (Leaf::Float(float), Kind::Int) => Leaf::Int(truncate(float)),
        (Leaf::Bool(flag), Kind::Float) => Leaf::Float(f64::from(u8::from(flag))),
        (Leaf::Int(int), Kind::Float) => Leaf::Float(int as f64),
        (Leaf::Text(_, text), Kind::String | Kind::StringName) => Leaf::Text(target, text),
        (Leaf::Text(Kind::String, text), Kind::NodePath) => Leaf::PathOfText(text),
        (Leaf::Path(path), Kind::String) => Leaf::TextOfPath(path),
        (Leaf::ObjectId(..) | Leaf::NullObject, Kind::Rid) => Leaf::Rid(0),
        (Leaf::Int(int), Kind::Color) => Leaf::Reals(Kind::Color, color_of(int)),
        (Leaf::Ints(kind, ints), _) if real_twin(kind) == Some(target) => {
            let mut reals = [0.0; 16];
            for (real, int) in reals.iter_mut().zip(ints) {
                // Converts via `f32`, as a single-precision engine does.
                *real = f64::from(int as f32);
            }
            Leaf::Reals(target, reals)
        }
        (Leaf::Reals(kind, reals), _) if real_twin(target) == Some(kind) => {
            let mut ints = [0; 4];
            for (int, real) in ints.iter_mut().zip(reals).take(target.component_count()) {
                *int = truncate_32(real);
            }
            Leaf::Ints(target, ints)
        }
        (Leaf::Reals(kind, reals), _) => Leaf::Reals(target, matrix(kind, &reals, target)?),
        (Leaf::Other(value), Kind::Array) if value.kind().is_packed() => Leaf::ArrayOfPacked(value),
        _ => return None,
    })
}

/// Returns the vector kind of reals that corresponds to a vector kind of integers.
const fn real_twin(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Vector2i => Some(Kind::Vector2),
        Kind::Vector3i => Some(Kind::Vector3),
        Kind::Vector4i => Some(Kind::Vector4),
        Kind::Rect2i => Some(Kind::Rect2),
        _ => None,
    }
}

/// Truncates as x86-64 does: a number that does not fit becomes the least integer.
fn truncate(float: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

fn truncate_32(real: f64) -> i32 {
    if (-2_147_483_648.0..2_147_483_648.0).contains(&real) {
        real as i32
    } else {
        i32::MIN
    }
}

/// Returns the colour of the number 0xRRGGBBAA.
fn color_of(int: i64) -> [f64; 16] {
    let mut reals = [0.0; 16];
    for (real, shift) in reals.iter_mut().zip([24, 16, 8, 0]) {
        *real = single(f64::from((int >> shift & 255) as u8) / 255.0);
    }
    reals
}

/// Converts between matrix kinds. Components are in stream order: a Basis by rows, a Transform2D
/// and a Projection by columns (`docs/FORMAT.md` §3.1).
fn matrix(kind: Kind, m: &[f64; 16], target: Kind) -> Option<[f64; 16]> {
    let mut out = [0.0; 16];
    let mut put = |components: &[f64]| {
        for (to, from) in out.iter_mut().zip(components) {
            *to = *from;
        }
    };
    match (kind, target) {
        (Kind::Transform3D, Kind::Transform2D) => put(&[m[0], m[3], m[1], m[4], m[9], m[10]]),
        (Kind::Transform2D, Kind::Transform3D) => {
            put(&[
                m[0], m[2], 0.0, m[1], m[3], 0.0, 0.0, 0.0, 1.0, m[4], m[5], 0.0,
            ]);
        }
        (Kind::Basis, Kind::Transform3D) => put(&m[..9]),
        (Kind::Quaternion, Kind::Basis | Kind::Transform3D) => {
            put(&basis_of([m[0], m[1], m[2], m[3]]));
        }
        (Kind::Projection, Kind::Transform3D) => put(&[
            m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10], m[12], m[13], m[14],
        ]),
        (Kind::Transform3D, Kind::Projection) => put(&[
            m[0], m[3], m[6], 0.0, m[1], m[4], m[7], 0.0, m[2], m[5], m[8], 0.0, m[9], m[10],
            m[11], 1.0,
        ]),
        _ => return None,
    }
    Some(out)
}

/// Returns the rotation matrix of a quaternion by rows, computed in single precision.
fn basis_of(quaternion: [f64; 4]) -> [f64; 9] {
    let [x, y, z, w] = quaternion.map(|part| part as f32);
    let scale = 2.0 / (x * x + y * y + z * z + w * w);
    let (xs, ys, zs) = (x * scale, y * scale, z * scale);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    [
        1.0 - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    ]
    .map(f64::from)
}

/// Converts an element of an Array to an element of a packed array. If there is no conversion, the
/// result is zero. The engine also uses its less strict conversions here.
pub(crate) fn packed_element<'a>(value: Shown<'a>, target: Kind) -> Leaf<'a> {
    let kind = target.element_kind().unwrap_or(Kind::Color);
    let leaf = match value {
        Shown::Leaf(leaf) if leaf.kind() == kind => Some(leaf),
        Shown::Leaf(Leaf::Reals(from, reals)) if is_vector(from) && is_vector(kind) => {
            let mut out = [0.0; 16];
            for (to, from) in out.iter_mut().zip(reals).take(kind.component_count()) {
                *to = from;
            }
            Some(Leaf::Reals(kind, out))
        }
        Shown::Leaf(Leaf::Ints(from, ints)) if is_vector(kind) && from != Kind::Rect2i => {
            let mut out = [0.0; 16];
            for (to, from) in out.iter_mut().zip(ints).take(kind.component_count()) {
                *to = f64::from(from as f32);
            }
            Some(Leaf::Reals(kind, out))
        }
        Shown::Leaf(Leaf::Float(float)) if target == Kind::PackedInt32Array => {
            Some(Leaf::Int(i64::from(truncate_32(float))))
        }
        Shown::Leaf(leaf) => leaf_to(leaf, kind),
        _ => None,
    };
    match (leaf, target) {
        (Some(Leaf::Int(int)), Kind::PackedByteArray) => Leaf::Int(int & 255),
        (Some(Leaf::Int(int)), Kind::PackedInt32Array) => Leaf::Int(i64::from(int as i32)),
        (Some(Leaf::Float(float)), Kind::PackedFloat32Array) => Leaf::Float(single(float)),
        (Some(leaf), _) => leaf,
        (None, _) => match kind {
            Kind::Int => Leaf::Int(0),
            Kind::Float => Leaf::Float(0.0),
            Kind::Color => {
                let mut black = [0.0; 16];
                black[3] = 1.0;
                Leaf::Reals(kind, black)
            }
            Kind::Vector2 | Kind::Vector3 | Kind::Vector4 => Leaf::Reals(kind, [0.0; 16]),
            // The engine prints some text for this element. Which text is unknown here.
            _ => match value {
                Shown::Leaf(leaf) => leaf,
                _ => Leaf::Nil,
            },
        },
    }
}

/// Returns the text that Godot 4's `str` makes of a value other than a String. `None` if this code
/// does not know the text. The elements of a PackedStringArray are converted this way.
pub(crate) fn as_string(value: Shown<'_>) -> Option<String> {
    let Shown::Leaf(leaf) = value else {
        return None;
    };
    Some(match leaf {
        Leaf::Nil | Leaf::NullObject => "<null>".to_owned(),
        Leaf::Bool(flag) => flag.to_string(),
        Leaf::Int(int) => int.to_string(),
        Leaf::Float(float) => plain_float(float),
        Leaf::Ints(kind, ints) if is_int_vector(kind) => {
            let parts = ints.iter().take(kind.component_count());
            let parts: Vec<String> = parts.map(ToString::to_string).collect();
            format!("({})", parts.join(", "))
        }
        Leaf::Path(path) => path_text(path).ok()?,
        Leaf::Rid(id) => format!("RID({})", id as i64),
        Leaf::Callable => "null::null".to_owned(),
        _ => return None,
    })
}

/// Formats a float with at most 14 decimals, without an exponent. Each further digit before the point
/// leaves one decimal less.
fn plain_float(float: f64) -> String {
    if !float.is_finite() {
        let word = if float.is_nan() { "nan" } else { "inf" };
        let sign = if float == f64::NEG_INFINITY { "-" } else { "" };
        return format!("{sign}{word}");
    }
    let digits = if float.abs() > 10.0 {
        float.abs().log10().floor() as usize
    } else {
        0
    };
    let text = format!("{float:.*}", 14_usize.saturating_sub(digits));
    let text = match text.split_once('.') {
        Some((whole, part)) => format!("{whole}.{}", part.trim_end_matches('0')),
        None => text + ".",
    };
    let text = if text.ends_with('.') {
        text + "0"
    } else {
        text
    };
    match text.as_str() {
        "-0.0" => "0.0".to_owned(),
        _ => text,
    }
}

const fn is_int_vector(kind: Kind) -> bool {
    matches!(kind, Kind::Vector2i | Kind::Vector3i | Kind::Vector4i)
}

const fn is_vector(kind: Kind) -> bool {
    matches!(kind, Kind::Vector2 | Kind::Vector3 | Kind::Vector4)
}
