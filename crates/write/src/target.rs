//! Targets: a dialect, and the choices that its engine makes.

use gdvar_wire::{Dialect, Flags, HeaderWord, Kind};

/// How wide the reals of vectors, matrices and their packed arrays are written
/// ([`docs/FORMAT.md` §2.3]).
///
/// The enum stays exhaustive: code that writes reals itself has to decide what each choice means
/// for them.
///
/// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Precision {
    /// The width of each given value: 32 bits for `f32`, 64 for `f64`. Nothing is rounded, and
    /// values that were read keep their width, whichever build they came from. Use this unless you
    /// know which build will read the bytes.
    #[default]
    AsGiven,
    /// 32 bits, as in the official builds. `f64` is **rounded** to the nearest `f32`. For Godot 2,
    /// which has 32-bit floats only, a Float is rounded as well.
    Single,
    /// 64 bits, marked by a flag: Godot 4 compiled with `precision=double`.
    Double,
}

/// How wide an Int and a Float are written ([`docs/FORMAT.md` §5]).
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum IntRule {
    /// In 32 bits if nothing is lost, else in 64: Godot 3.1 and later, Pandemonium.
    #[default]
    Shortest,
    /// Every Int in 64 bits; Floats as in `Shortest`: Godot 3.0.
    Always64,
    /// Ints and Floats in 32 bits: Godot 2, which has no flag for more.
    Always32,
}

/// The engine that a value is written for, including its version.
///
/// The output is what that engine itself writes for the same value, byte for byte
/// ([`docs/FORMAT.md` §5]). A value that the target cannot express is an
/// [error](crate::WriteErrorKind::Unrepresentable), never a silent change. A target keeps the width
/// of the reals that it is given, and rounds only with [`Precision::Single`].
///
/// ```
/// use gdvar_write::{Precision, Target};
///
/// let target = Target::GODOT_4.with_minor(2).with_precision(Precision::Double);
/// assert_eq!(target.minor(), 2);
/// assert!(!target.has_typed_arrays());
/// ```
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    dialect: Dialect,
    minor: u8,
    precision: Precision,
    int_rule: IntRule,
}

impl Target {
    /// Godot 4.6. [`Target::with_minor`] chooses another 4.x.
    pub const GODOT_4: Target = Target::new(Dialect::GODOT_4, IntRule::Shortest);
    /// Godot 3.1 to 3.6.
    pub const GODOT_3: Target = Target::new(Dialect::GODOT_3, IntRule::Shortest);
    /// Godot 3.0, which writes every Int in 64 bits ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    pub const GODOT_3_0: Target = Target::new(Dialect::GODOT_3, IntRule::Always64);
    /// Godot 1 to 2.1, which has 32-bit numbers only ([`docs/FORMAT.md` §1.5]).
    ///
    /// [`docs/FORMAT.md` §1.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#15-godot2-in-short
    pub const GODOT_2: Target = Target::new(Dialect::GODOT_2, IntRule::Always32);
    /// The type numbers of Godot 4's outdated documentation ([`docs/FORMAT.md` §1.3]). No engine
    /// reads them.
    ///
    /// [`docs/FORMAT.md` §1.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#13-godot4-docs-was-never-real
    pub const GODOT_4_DOCS: Target = Target::new(Dialect::GODOT_4_DOCS, IntRule::Shortest);
    /// Pandemonium 3.5 to 3.7.
    pub const PANDEMONIUM_3: Target = Target::new(Dialect::PANDEMONIUM_3, IntRule::Shortest);
    /// Pandemonium 3.8 to 4.9.
    pub const PANDEMONIUM_4: Target = Target::new(Dialect::PANDEMONIUM_4, IntRule::Shortest);
    /// Pandemonium 5.
    pub const PANDEMONIUM_5: Target = Target::new(Dialect::PANDEMONIUM_5, IntRule::Shortest);

    const fn new(dialect: Dialect, int_rule: IntRule) -> Target {
        Target {
            dialect,
            minor: 6,
            precision: Precision::AsGiven,
            int_rule,
        }
    }

    /// Returns this target for Godot 4.`minor`. The version decides whether there are typed arrays
    /// and PackedVector4Array (from 4.3) and typed dictionaries (from 4.4), see
    /// [`docs/FORMAT.md` §1.2]. Other dialects ignore it.
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn with_minor(self, minor: u8) -> Target {
        Target { minor, ..self }
    }

    /// Returns this target with another precision. The default is [`Precision::AsGiven`]. Only
    /// Godot 4 has a readable form of doubles: in other dialects a `Double` target, or an `f64` as
    /// given, refuses every type made of reals ([`docs/FORMAT.md` §2.3]).
    ///
    /// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
    #[must_use]
    pub const fn with_precision(self, precision: Precision) -> Target {
        Target { precision, ..self }
    }

    /// Returns this target with another rule for the width of numbers. With `Always32` for a
    /// dialect that has wide numbers, an Int beyond 32 bits is an error, and so is a Float that
    /// would have to be rounded, unless [`Precision::Single`] allows it.
    #[must_use]
    pub const fn with_int_rule(self, int_rule: IntRule) -> Target {
        Target { int_rule, ..self }
    }

    /// Returns the dialect whose type numbers and layouts are written.
    #[inline]
    #[must_use]
    pub const fn dialect(self) -> Dialect {
        self.dialect
    }

    /// Returns the minor version of Godot 4. The number has no meaning in other dialects.
    #[must_use]
    pub const fn minor(self) -> u8 {
        self.minor
    }

    /// Returns how wide the reals of math types are written.
    #[inline]
    #[must_use]
    pub const fn precision(self) -> Precision {
        self.precision
    }

    /// Returns how wide an Int and a Float are written.
    #[inline]
    #[must_use]
    pub const fn int_rule(self) -> IntRule {
        self.int_rule
    }

    /// Returns `true` if an Array header may carry an element type: Godot 4.3 and later
    /// ([`docs/FORMAT.md` §4.3]). Pandemonium 5 has separate kinds for that.
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    #[must_use]
    pub const fn has_typed_arrays(self) -> bool {
        self.dialect.has_typed_containers() && self.minor >= 3
    }

    /// Returns `true` if a Dictionary header may carry the types of keys and values: Godot 4.4 and
    /// later ([`docs/FORMAT.md` §4.3]).
    ///
    /// [`docs/FORMAT.md` §4.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#43-typed-containers
    #[must_use]
    pub const fn has_typed_dicts(self) -> bool {
        self.dialect.has_typed_containers() && self.minor >= 4
    }

    /// Returns `true` if the target has values of this kind.
    ///
    /// ```
    /// use gdvar_write::{Target, wire::Kind};
    ///
    /// assert!(Target::GODOT_4.can_write(Kind::PackedVector4Array));
    /// assert!(!Target::GODOT_4.with_minor(2).can_write(Kind::PackedVector4Array));
    /// assert!(!Target::GODOT_3.can_write(Kind::StringName));
    /// ```
    #[must_use]
    pub const fn can_write(self, kind: Kind) -> bool {
        self.header(kind).is_some()
    }

    /// Returns the header of a kind, with the flag of 64-bit reals if it applies, or `None` if this
    /// target lacks the kind. If the kind is a constant, only the table look-up remains.
    #[inline]
    pub(crate) const fn header(self, kind: Kind) -> Option<HeaderWord> {
        self.header_as(kind, false)
    }

    /// Returns the header of a kind whose reals are given in 64 bits (`given_wide`) or 32.
    #[inline]
    pub(crate) const fn header_as(self, kind: Kind, given_wide: bool) -> Option<HeaderWord> {
        let Some(id) = self.dialect.type_id(kind) else {
            return None;
        };
        let godot4 = self.dialect.has_wide_math();
        if godot4 && matches!(kind, Kind::PackedVector4Array) && self.minor < 3 {
            return None;
        }
        let wide = match self.precision {
            Precision::Single => false,
            Precision::Double => true,
            Precision::AsGiven => given_wide,
        };
        if !kind.has_reals() || !wide {
            return Some(HeaderWord::new(id, Flags::NONE));
        }
        // Godot 4.0 and 4.1 write these two in 64 bits without the flag, which no reader can
        // decode.
        let unflagged = matches!(kind, Kind::Vector4 | Kind::Projection) && self.minor < 2;
        if !godot4 || unflagged {
            return None;
        }
        Some(HeaderWord::new(id, Flags::WIDE))
    }
}

impl From<Dialect> for Target {
    /// Returns the newest engine of the dialect; for Godot 3 this is 3.1 and later.
    fn from(dialect: Dialect) -> Target {
        let int_rule = if dialect.has_narrow_numbers_only() {
            IntRule::Always32
        } else {
            IntRule::Shortest
        };
        Target::new(dialect, int_rule)
    }
}

impl Default for Target {
    /// Returns [`Target::GODOT_4`].
    fn default() -> Target {
        Target::GODOT_4
    }
}
