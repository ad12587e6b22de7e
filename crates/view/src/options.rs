//! [`ReadOptions`]: dialect, mode, policy on objects, depth limit and quirks of single releases.

use core::fmt;

use gdvar_wire::{Dialect, Limits};

/// How strictly bytes are checked ([`docs/FORMAT.md` §6]).
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Accepts what the engine of the dialect accepts, and gives the same value.
    #[default]
    Engine,
    /// Accepts only what a correct encoder of the dialect writes. Such a value re-encodes to the same bytes.
    Strict,
}

/// Which forms of objects are accepted. Nothing is ever instantiated, loaded or looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Objects {
    /// Null and instance ids. Whole objects are refused, as the engines do by default.
    #[default]
    Ids,
    /// Whole objects too. They are inert data: a class name and properties.
    Inert,
    /// No objects, not even ids.
    Deny,
}

/// The options for reading: dialect, [`Mode`], [`Objects`], depth limit, and quirks of single releases.
///
/// A `ReadOptions` is four bytes long and `Copy`, and all methods that change options are `const`.
///
/// ```
/// use gdvar_view::{Document, Objects, ReadOptions};
/// use gdvar_wire::Dialect;
///
/// const SAVES: ReadOptions = ReadOptions::new(Dialect::GODOT_3).with_objects(Objects::Inert).strict();
/// let doc = Document::with_options(&[2, 0, 0, 0, 7, 0, 0, 0], SAVES);
/// assert_eq!(doc.root()?.as_i64(), Some(7));
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReadOptions(
    /// One number, because every handle contains it (`value/variant.rs`).
    ///
    /// ```text
    /// bit 31 … 16         15 … 8                    7 … 0
    ///     the depth limit mode, policy and quirks   the number of the dialect
    /// ```
    u32,
);

const _: () = assert!(size_of::<ReadOptions>() == 4);

const DIALECT: u32 = 0xff;
const STRICT: u32 = 1 << 8;
const INERT: u32 = 1 << 9;
const DENY: u32 = 1 << 10;
const EARLY_GODOT_3: u32 = 1 << 11;
const INTS_ALWAYS_64: u32 = 1 << 12;
const ZERO_NODE_PATH_PADDING: u32 = 1 << 13;
const UNFLAGGED_VECTOR4_IS_F64: u32 = 1 << 14;
const WITHOUT_SHORTCUTS: u32 = 1 << 15;
const MAX_DEPTH: u32 = 16;

/// `false` in a build with `RUSTFLAGS='--cfg gdvar_plain'`, which compiles all shortcuts out: the ones in
/// [`fast`](crate::fast), and the expected form of Rust types (`typed/from_variant/convert.rs`). No other
/// code asks for this `cfg`.
pub(crate) const SHORTCUTS: bool = cfg!(not(gdvar_plain));

impl ReadOptions {
    /// The options of the engine: [`Mode::Engine`], [`Objects::Ids`], [`Limits::ENGINE`], no quirks.
    #[must_use]
    pub const fn new(dialect: Dialect) -> ReadOptions {
        ReadOptions(dialect.number() as u32).with_limits(Limits::ENGINE)
    }

    /// Strict mode, but with whole objects and with the quirks of all releases of the dialect's engine: for
    /// finding out whether an engine of this dialect can have written the bytes.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document, ReadOptions};
    ///
    /// // Godot 3.0 wrote every int in 64 bits.
    /// let five = [2, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0];
    /// let options = ReadOptions::any_release(Dialect::GODOT_3);
    /// assert!(Document::with_options(&five, options).validate().is_ok());
    /// ```
    #[must_use]
    pub fn any_release(dialect: Dialect) -> ReadOptions {
        let is_early = dialect.has_early_releases();
        ReadOptions::new(dialect)
            .strict()
            .with_objects(Objects::Inert)
            .with_early_godot_3(is_early)
            .with_ints_always_64(is_early)
    }

    /// Returns these options with the mode `mode`.
    #[must_use]
    pub const fn with_mode(self, mode: Mode) -> ReadOptions {
        self.flag(STRICT, matches!(mode, Mode::Strict))
    }

    /// Returns these options in [`Mode::Strict`].
    #[must_use]
    pub const fn strict(self) -> ReadOptions {
        self.with_mode(Mode::Strict)
    }

    /// Returns these options with the policy `objects`.
    #[must_use]
    pub const fn with_objects(self, objects: Objects) -> ReadOptions {
        self.flag(INERT, matches!(objects, Objects::Inert))
            .flag(DENY, matches!(objects, Objects::Deny))
    }

    /// Returns these options with the depth limit of `limits` ([`docs/FORMAT.md` §4.6]).
    ///
    /// [`docs/FORMAT.md` §4.6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#46-nesting-depth
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> ReadOptions {
        let max_depth = Limits::ENGINE.with_max_depth(limits.max_depth).max_depth;
        let rest = self.0 & ((1 << MAX_DEPTH) - 1);
        ReadOptions(rest | (max_depth as u32) << MAX_DEPTH)
    }

    /// Returns these options with the dialect `dialect`.
    #[must_use]
    pub const fn with_dialect(self, dialect: Dialect) -> ReadOptions {
        ReadOptions((self.0 & !DIALECT) | dialect.number() as u32)
    }

    const fn flag(self, flag: u32, on: bool) -> ReadOptions {
        ReadOptions(if on { self.0 | flag } else { self.0 & !flag })
    }

    const fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// In strict mode: accepts any padding of strings and byte arrays. Godot 3.0 to 3.1.1 left it
    /// uninitialised ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn with_early_godot_3(self, on: bool) -> ReadOptions {
        self.flag(EARLY_GODOT_3, on)
    }

    /// In strict mode: accepts Ints in 64 bits that fit into 32. Godot 3.0 wrote all Ints in 64 bits
    /// ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn with_ints_always_64(self, on: bool) -> ReadOptions {
        self.flag(INTS_ALWAYS_64, on)
    }

    /// In strict mode: requires that the padding inside NodePaths is zero, as Godot 4.6 writes it. Other
    /// engines leave it uninitialised ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub const fn with_zero_node_path_padding(self, on: bool) -> ReadOptions {
        self.flag(ZERO_NODE_PATH_PADDING, on)
    }

    /// Reads Vector4 and Projection as 64-bit reals although the header has no flag. Double-precision builds of
    /// Godot 4.0 and 4.1 wrote them this way ([`docs/FORMAT.md` §2.3]), and the bytes do not show it. The
    /// option has no effect in other dialects.
    ///
    /// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
    #[must_use]
    pub const fn with_unflagged_vector4_is_f64(self, on: bool) -> ReadOptions {
        self.flag(UNFLAGGED_VECTOR4_IS_F64, on)
    }

    /// Reads every value by the general code, without shortcuts. The results are the same, only slower: for
    /// tests, and for measuring the shortcuts.
    #[must_use]
    pub const fn without_shortcuts(self, on: bool) -> ReadOptions {
        self.flag(WITHOUT_SHORTCUTS, on)
    }

    /// Returns the dialect that values are read in.
    #[inline]
    #[must_use]
    pub const fn dialect(self) -> Dialect {
        match Dialect::from_number(self.0 as u8) {
            Some(dialect) => dialect,
            None => Dialect::GODOT_4,
        }
    }

    /// Returns the mode: how strictly bytes are checked.
    #[must_use]
    pub const fn mode(self) -> Mode {
        if self.has(STRICT) {
            Mode::Strict
        } else {
            Mode::Engine
        }
    }

    /// The policy on objects.
    #[must_use]
    pub const fn objects(self) -> Objects {
        if self.has(DENY) {
            Objects::Deny
        } else if self.has(INERT) {
            Objects::Inert
        } else {
            Objects::Ids
        }
    }

    /// The depth limit: the greatest [`VariantRef::depth`](crate::VariantRef::depth) that is accepted.
    #[inline]
    #[must_use]
    pub const fn max_depth(self) -> u16 {
        (self.0 >> MAX_DEPTH) as u16
    }

    /// The number of levels allowed below a value at `depth`; `None` if the value is too deep already. No
    /// other code compares a depth with the limit.
    #[inline(always)]
    pub(crate) const fn room(self, depth: u16) -> Option<u16> {
        self.max_depth().checked_sub(depth)
    }

    /// True if a value at `depth` is allowed.
    #[inline(always)]
    pub(crate) const fn admits(self, depth: u16) -> bool {
        self.room(depth).is_some()
    }

    /// The depth of the children of a value at `depth`; `None` if they would be too deep.
    #[inline(always)]
    pub(crate) const fn inside(self, depth: u16) -> Option<u16> {
        match self.room(depth) {
            None | Some(0) => None,
            Some(_) => Some(depth + 1),
        }
    }

    /// The options as a number.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Restores options from a number that [`ReadOptions::bits`] returned.
    #[inline(always)]
    pub(crate) const fn known(bits: u32) -> ReadOptions {
        ReadOptions(bits)
    }

    /// Makes options from arbitrary bits; an invalid depth limit is clamped.
    pub(crate) const fn from_bits(bits: u32) -> ReadOptions {
        let max_depth = ReadOptions(bits).max_depth();
        ReadOptions(bits).with_limits(Limits::ENGINE.with_max_depth(max_depth))
    }

    pub(crate) const fn is_strict(self) -> bool {
        self.has(STRICT)
    }

    /// Lowers the depth limit to `depth + levels`, unless it is lower already.
    pub(crate) fn at_most_below(self, depth: u16, levels: u8) -> ReadOptions {
        let deepest = self.max_depth().min(depth.saturating_add(levels.into()));
        self.with_limits(Limits::ENGINE.with_max_depth(deepest))
    }

    /// True if shortcuts must not run: in strict mode, or because an option demands a checked step for every
    /// value.
    #[inline]
    pub(crate) const fn forbids_shortcuts(self) -> bool {
        self.is_strict() || self.wants_checked_steps()
    }

    /// True if an option demands a checked step for every value: [`ReadOptions::without_shortcuts`] or
    /// [`ReadOptions::with_unflagged_vector4_is_f64`].
    #[inline]
    pub(crate) const fn wants_checked_steps(self) -> bool {
        self.has(UNFLAGGED_VECTOR4_IS_F64 | WITHOUT_SHORTCUTS)
    }

    pub(crate) const fn has_early_padding(self) -> bool {
        self.has(EARLY_GODOT_3)
    }

    pub(crate) const fn has_wide_ints(self) -> bool {
        self.has(INTS_ALWAYS_64)
    }

    pub(crate) const fn wants_zero_node_path_padding(self) -> bool {
        self.has(ZERO_NODE_PATH_PADDING)
    }

    pub(crate) const fn has_wide_vector4(self) -> bool {
        self.has(UNFLAGGED_VECTOR4_IS_F64) && self.dialect().has_wide_math()
    }
}

impl fmt::Debug for ReadOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ReadOptions");
        out.field("dialect", &self.dialect())
            .field("mode", &self.mode())
            .field("objects", &self.objects())
            .field("max_depth", &self.max_depth());
        for (name, quirk) in [
            ("early_godot_3", EARLY_GODOT_3),
            ("ints_always_64", INTS_ALWAYS_64),
            ("zero_node_path_padding", ZERO_NODE_PATH_PADDING),
            ("unflagged_vector4_is_f64", UNFLAGGED_VECTOR4_IS_F64),
            ("without_shortcuts", WITHOUT_SHORTCUTS),
        ] {
            if self.has(quirk) {
                out.field(name, &true);
            }
        }
        out.finish()
    }
}

impl From<Dialect> for ReadOptions {
    fn from(dialect: Dialect) -> ReadOptions {
        ReadOptions::new(dialect)
    }
}
