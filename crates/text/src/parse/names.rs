//! The names of the notation: which engine knows which, and their meanings.

use gdvar_write::wire::{Dialect, Kind, Notation};

/// The parser to imitate, which decides which names are known and which errors are tolerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// `str_to_var` of Godot 4.6.
    Godot4,
    /// `str2var` of Godot 3.2, or of 3.6 where it reads more.
    Godot3,
    /// Godot 3's parser with the constructors of both engines, for the types of other engines.
    Other,
}

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Meaning {
    Nil,
    Bool(bool),
    Float(f64),
    /// A constructor of numbers or texts.
    Construct(Kind),
    Typed(Kind),
    NodePath,
    Rid,
    Callable,
    Signal,
    Object,
    Resource,
    InputEvent,
}

const MATH: &[(&str, Kind)] = &[
    ("Vector2", Kind::Vector2),
    ("Rect2", Kind::Rect2),
    ("Vector3", Kind::Vector3),
    ("Transform2D", Kind::Transform2D),
    ("Matrix32", Kind::Transform2D),
    ("Plane", Kind::Plane),
    ("Quat", Kind::Quaternion),
    ("AABB", Kind::Aabb),
    ("Rect3", Kind::Aabb),
    ("Basis", Kind::Basis),
    ("Matrix3", Kind::Basis),
    ("Transform", Kind::Transform3D),
    ("Color", Kind::Color),
    ("PoolByteArray", Kind::PackedByteArray),
    ("ByteArray", Kind::PackedByteArray),
    ("PoolIntArray", Kind::PackedInt32Array),
    ("IntArray", Kind::PackedInt32Array),
    ("PoolRealArray", Kind::PackedFloat32Array),
    ("FloatArray", Kind::PackedFloat32Array),
    ("PoolStringArray", Kind::PackedStringArray),
    ("StringArray", Kind::PackedStringArray),
    ("PoolVector2Array", Kind::PackedVector2Array),
    ("Vector2Array", Kind::PackedVector2Array),
    ("PoolVector3Array", Kind::PackedVector3Array),
    ("Vector3Array", Kind::PackedVector3Array),
    ("PoolColorArray", Kind::PackedColorArray),
    ("ColorArray", Kind::PackedColorArray),
];

/// Names that Godot 4 reads and [`Kind::name`] does not have.
const ALIASES_4: &[(&str, Kind)] = &[
    ("PackedIntArray", Kind::PackedInt32Array),
    ("PackedRealArray", Kind::PackedFloat32Array),
    ("PoolVector4Array", Kind::PackedVector4Array),
    ("Vector4Array", Kind::PackedVector4Array),
];

/// Names of Godot 4 that Godot 3.6 reads too. Names for 64-bit elements give arrays of 32-bit
/// elements, because Godot 3 has no others.
const PACKED_3_6: &[(&str, Kind)] = &[
    ("PackedByteArray", Kind::PackedByteArray),
    ("PackedInt32Array", Kind::PackedInt32Array),
    ("PackedInt64Array", Kind::PackedInt32Array),
    ("PackedFloat32Array", Kind::PackedFloat32Array),
    ("PackedFloat64Array", Kind::PackedFloat32Array),
    ("PackedStringArray", Kind::PackedStringArray),
    ("PackedVector2Array", Kind::PackedVector2Array),
    ("PackedVector3Array", Kind::PackedVector3Array),
    ("PackedColorArray", Kind::PackedColorArray),
];

/// Returns `true` for text that the engines' parsers read as one name.
pub(crate) fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Returns `true` for kinds that are written as a name and their parts in parentheses.
fn is_of_parts(kind: Kind) -> bool {
    kind.component_count() + kind.element_components() > 0 || kind == Kind::PackedStringArray
}

impl Manner {
    /// Returns `true` if `name` as an element type is a class.
    pub(crate) fn is_class(self, name: &str) -> bool {
        self.element(name).is_none()
            && !matches!(name, "Variant" | "Nil" | "Bool" | "Int" | "Float")
            && !name.starts_with('-')
    }

    pub(crate) fn of(dialect: Dialect) -> Manner {
        match dialect.notation() {
            _ if !dialect.is_mainstream() => Manner::Other,
            Notation::Godot4 => Manner::Godot4,
            Notation::Godot3_6 | Notation::Godot3_2 => Manner::Godot3,
        }
    }

    pub(crate) fn is_godot3(self) -> bool {
        self == Manner::Godot3
    }

    pub(crate) fn has_string_names(self) -> bool {
        self != Manner::Godot3
    }

    /// Returns infinity or NaN if `name` means one as a component. Godot 3.2 prints some names that
    /// it cannot read; with `as_engine` these are refused, too.
    pub(crate) fn component(self, name: &str, as_engine: bool) -> Option<f64> {
        match name {
            _ if self.is_godot3() && as_engine => None,
            "inf" => Some(f64::INFINITY),
            "-inf" | "inf_neg" => Some(f64::NEG_INFINITY),
            "nan" => Some(f64::NAN),
            "-nan" if self.is_godot3() => Some(-f64::NAN),
            _ => None,
        }
    }

    pub(crate) fn meaning(self, name: &str, as_engine: bool) -> Option<Meaning> {
        let later = !self.is_godot3();
        if let ("-inf" | "inf_neg" | "-nan", false) = (name, later) {
            return self.component(name, as_engine).map(Meaning::Float);
        }
        Some(match name {
            "true" => Meaning::Bool(true),
            "false" => Meaning::Bool(false),
            "null" | "nil" => Meaning::Nil,
            "inf" => Meaning::Float(f64::INFINITY),
            "-inf" | "inf_neg" if later => Meaning::Float(f64::NEG_INFINITY),
            "nan" => Meaning::Float(f64::NAN),
            "NodePath" => Meaning::NodePath,
            "RID" => Meaning::Rid,
            "Signal" if later => Meaning::Signal,
            "Callable" if later => Meaning::Callable,
            "Object" => Meaning::Object,
            "Resource" | "SubResource" | "ExtResource" => Meaning::Resource,
            "Dictionary" if later => Meaning::Typed(Kind::Dictionary),
            "Array" if later => Meaning::Typed(Kind::Array),
            "TypedArray" if self == Manner::Other => Meaning::Typed(Kind::TypedArray),
            "PackedTypedArray" if self == Manner::Other => Meaning::Typed(Kind::PackedTypedArray),
            "InputEvent" if self.is_godot3() => Meaning::InputEvent,
            _ => {
                // The rules are those of Godot 3.2.
                let aliases = match later {
                    true => ALIASES_4,
                    false if !as_engine => PACKED_3_6,
                    false => &[],
                };
                let mut all = MATH.iter().chain(aliases);
                let known = all.find(|(known, _)| *known == name).map(|(_, kind)| *kind);
                let own = || self.kind(name).filter(|kind| later && is_of_parts(*kind));
                Meaning::Construct(known.or_else(own)?)
            }
        })
    }

    /// Returns the kind that a name means as an element type. `None` for classes and for names that
    /// allow any value.
    pub(crate) fn element(self, name: &str) -> Option<Kind> {
        match name {
            "bool" => Some(Kind::Bool),
            "int" => Some(Kind::Int),
            "float" => Some(Kind::Float),
            "Nil" | "Bool" | "Int" | "Float" => None,
            _ => self.kind(name).or_else(|| {
                // Forks print Godot 3's names.
                let mut both = MATH.iter().chain(ALIASES_4);
                let known = both.find(|(known, _)| *known == name && self == Manner::Other);
                known.map(|(_, kind)| *kind)
            }),
        }
    }

    /// Returns the kind with the name `name`, if an engine that types its containers has it. Forks print
    /// the names of all kinds.
    fn kind(self, name: &str) -> Option<Kind> {
        Kind::from_name(name).filter(|kind| {
            let typed = |dialect: &Dialect| dialect.has_typed_containers();
            let mut engines = Dialect::ALL.iter().filter(|dialect| typed(dialect));
            self == Manner::Other || engines.any(|dialect| dialect.type_id(*kind).is_some())
        })
    }

    /// Returns the colour of the digits after a `#`: black unless there are 3, 4, 6 or 8 of them.
    /// Alpha is last in Godot 4 and first in Godot 3.
    pub(crate) fn color(self, digits: &[u8]) -> [f32; 4] {
        let short = digits.len() < 5;
        if !matches!(digits.len(), 3 | 4 | 6 | 8) {
            return [0.0, 0.0, 0.0, 1.0];
        }
        let width = if short { 1 } else { 2 };
        let parts: Vec<f32> = digits
            .chunks(width)
            .map(|part| {
                let value = part.iter().fold(0, |value, digit| {
                    value * 16 + char::from(*digit).to_digit(16).unwrap_or(0)
                });
                value as f32 / if short { 15.0 } else { 255.0 }
            })
            .collect();
        match (&parts[..], self) {
            (&[r, g, b, a], Manner::Godot4) | (&[a, r, g, b], _) => [r, g, b, a],
            _ => [parts[0], parts[1], parts[2], 1.0],
        }
    }
}
