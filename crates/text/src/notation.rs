//! Which engine's text is wanted, and what that engine calls things.

use gdvar_view::{Dialect, Kind};

/// The text notation of one engine generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `var_to_str` of Godot 4.6.
    Godot4,
    /// `var2str` of Godot 3.2. Types that Godot 3 lacks are printed with Godot 4's names in
    /// Godot 3's spacing.
    Godot3,
}

impl Notation {
    /// The notation of a dialect's engine: Godot 4's for what Godot 4 and its document describe,
    /// Godot 3's for Godot 3, its forks and Godot 2.
    ///
    /// ```
    /// use gdvar_text::Notation;
    /// use gdvar_view::Dialect;
    /// assert_eq!(Notation::of(Dialect::GODOT_4), Notation::Godot4);
    /// assert_eq!(Notation::of(Dialect::PANDEMONIUM_5), Notation::Godot3);
    /// ```
    #[must_use]
    pub fn of(dialect: Dialect) -> Notation {
        if dialect == Dialect::GODOT_4 || dialect == Dialect::GODOT_4_DOCS {
            Notation::Godot4
        } else {
            Notation::Godot3
        }
    }

    /// What stands before and after the items of an array literal.
    pub(crate) const fn array_brackets(self) -> (&'static str, &'static str) {
        match self {
            Notation::Godot4 => ("[", "]"),
            Notation::Godot3 => ("[ ", " ]"),
        }
    }

    /// What stands before and after the components of a vector or the elements of a packed array.
    pub(crate) const fn parentheses(self) -> (&'static str, &'static str) {
        match self {
            Notation::Godot4 => ("(", ")"),
            Notation::Godot3 => ("( ", " )"),
        }
    }

    /// What the constructor of a kind is called.
    pub(crate) const fn constructor(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Notation::Godot3, Kind::Quaternion) => "Quat",
            (Notation::Godot3, Kind::Transform3D) => "Transform",
            (Notation::Godot3, Kind::PackedByteArray) => "PoolByteArray",
            (Notation::Godot3, Kind::PackedInt32Array) => "PoolIntArray",
            (Notation::Godot3, Kind::PackedFloat32Array) => "PoolRealArray",
            (Notation::Godot3, Kind::PackedStringArray) => "PoolStringArray",
            (Notation::Godot3, Kind::PackedVector2Array) => "PoolVector2Array",
            (Notation::Godot3, Kind::PackedVector3Array) => "PoolVector3Array",
            (Notation::Godot3, Kind::PackedVector4Array) => "PoolVector4Array",
            (Notation::Godot3, Kind::PackedColorArray) => "PoolColorArray",
            _ => kind.name(),
        }
    }

    /// What a kind is called as the type of a container's elements: `Array[int]`.
    pub(crate) const fn type_name(self, kind: Kind) -> &'static str {
        match kind {
            Kind::Nil => "Variant",
            Kind::Bool => "bool",
            Kind::Int => "int",
            Kind::Float => "float",
            _ => self.constructor(kind),
        }
    }
}
