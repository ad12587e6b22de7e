//! How to read: dialect, mode, objects, limits and the quirks of single releases.

use core::fmt;

use gdvar_wire::{Dialect, Limits};

/// How much to insist on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Accept what the dialect's engine accepts, and report the same value.
    #[default]
    Engine,
    /// Accept only what a correct encoder of the dialect writes: bytes that re-encode to
    /// themselves (`docs/FORMAT.md` §6).
    Strict,
}

/// Which forms of objects are let in. In no case is anything instantiated, loaded or looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Objects {
    /// Instance ids only; a whole object is refused. The engines' default.
    #[default]
    Ids,
    /// Whole objects too, as a class name and properties: inert data.
    Inert,
    /// No object at all, not even an id.
    Deny,
}

/// All that decides how bytes are read. Four bytes, `Copy`, made in `const` contexts too.
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
    /// One number, because every value carries it (`value/variant.rs`).
    ///
    /// ```text
    /// bit 31 … 16         15 … 8                    7 … 0
    ///     the depth limit mode, policy and quirks   the dialect's number
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

/// `false` in a build with `RUSTFLAGS='--cfg gdvar_plain'`, which compiles every shortcut out: those of
/// [`fast`](crate::fast), and the expected form of Rust types (`typed/from_variant/convert.rs`). The one place
/// that knows of such builds.
pub(crate) const SHORTCUTS: bool = cfg!(not(gdvar_plain));

impl ReadOptions {
    /// Engine mode, object ids only, the engine's depth limit.
    #[must_use]
    pub const fn new(dialect: Dialect) -> ReadOptions {
        ReadOptions(dialect.number() as u32).with_limits(Limits::ENGINE)
    }

    /// Strict, but letting in whole objects and what any release of the dialect's engine wrote:
    /// to find out whether bytes can be of this dialect at all.
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

    /// In that mode.
    #[must_use]
    pub const fn with_mode(self, mode: Mode) -> ReadOptions {
        self.flag(STRICT, matches!(mode, Mode::Strict))
    }

    /// In strict mode.
    #[must_use]
    pub const fn strict(self) -> ReadOptions {
        self.with_mode(Mode::Strict)
    }

    /// With that policy on objects.
    #[must_use]
    pub const fn with_objects(self, objects: Objects) -> ReadOptions {
        self.flag(INERT, matches!(objects, Objects::Inert))
            .flag(DENY, matches!(objects, Objects::Deny))
    }

    /// Under those limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> ReadOptions {
        let max_depth = Limits::ENGINE.with_max_depth(limits.max_depth).max_depth;
        let rest = self.0 & ((1 << MAX_DEPTH) - 1);
        ReadOptions(rest | (max_depth as u32) << MAX_DEPTH)
    }

    /// Another dialect, all else the same.
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

    /// Strict mode only: let the padding of strings and bytes be anything, as Godot 3.0 to 3.1.1
    /// left it (`docs/FORMAT.md` §1.2).
    #[must_use]
    pub const fn with_early_godot_3(self, on: bool) -> ReadOptions {
        self.flag(EARLY_GODOT_3, on)
    }

    /// Strict mode only: take ints in 64 bits that fit 32, as Godot 3.0 wrote all of them
    /// (`docs/FORMAT.md` §1.2).
    #[must_use]
    pub const fn with_ints_always_64(self, on: bool) -> ReadOptions {
        self.flag(INTS_ALWAYS_64, on)
    }

    /// Strict mode only: insist that the padding inside node paths is zero, as Godot 4.6 writes
    /// it. Other engines leave it unset (`docs/FORMAT.md` §1.2).
    #[must_use]
    pub const fn with_zero_node_path_padding(self, on: bool) -> ReadOptions {
        self.flag(ZERO_NODE_PATH_PADDING, on)
    }

    /// Read Vector4 and Projection as 64-bit reals without a flag, as double-precision builds of
    /// Godot 4.0 and 4.1 wrote them (`docs/FORMAT.md` §2.3). Such bytes cannot be told apart. Means
    /// nothing in other dialects.
    #[must_use]
    pub const fn with_unflagged_vector4_is_f64(self, on: bool) -> ReadOptions {
        self.flag(UNFLAGGED_VECTOR4_IS_F64, on)
    }

    /// Look at every value by the plain walk alone. It gives the same answers, slowly: for tests of
    /// the shortcuts, and for those who want to know what they bring.
    #[must_use]
    pub const fn without_shortcuts(self, on: bool) -> ReadOptions {
        self.flag(WITHOUT_SHORTCUTS, on)
    }

    /// The dialect.
    #[inline]
    #[must_use]
    pub const fn dialect(self) -> Dialect {
        match Dialect::from_number(self.0 as u8) {
            Some(dialect) => dialect,
            None => Dialect::GODOT_4,
        }
    }

    /// The mode.
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

    /// The depth limit.
    #[inline]
    #[must_use]
    pub const fn max_depth(self) -> u16 {
        (self.0 >> MAX_DEPTH) as u16
    }

    /// The number of containers that may be entered from a value at that depth on, one in the other; `None`
    /// if no value may stand so deep. The only place that compares a depth with the limit.
    #[inline(always)]
    pub(crate) const fn room(self, depth: u16) -> Option<u16> {
        self.max_depth().checked_sub(depth)
    }

    /// True if a value may stand so deep.
    #[inline(always)]
    pub(crate) const fn admits(self, depth: u16) -> bool {
        self.room(depth).is_some()
    }

    /// The depth of the children of a value at that depth, if they may stand there.
    #[inline(always)]
    pub(crate) const fn inside(self, depth: u16) -> Option<u16> {
        match self.room(depth) {
            None | Some(0) => None,
            Some(_) => Some(depth + 1),
        }
    }

    /// All of it as a number.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// From the number that [`ReadOptions::bits`] gave.
    #[inline(always)]
    pub(crate) const fn known(bits: u32) -> ReadOptions {
        ReadOptions(bits)
    }

    /// From any number; one that is none gives some other options.
    pub(crate) const fn from_bits(bits: u32) -> ReadOptions {
        let max_depth = ReadOptions(bits).max_depth();
        ReadOptions(bits).with_limits(Limits::ENGINE.with_max_depth(max_depth))
    }

    pub(crate) const fn is_strict(self) -> bool {
        self.has(STRICT)
    }

    /// True if shortcuts must not run: in strict mode, or because every value needs a checked step.
    #[inline]
    pub(crate) const fn forbids_shortcuts(self) -> bool {
        self.is_strict() || self.wants_checked_steps()
    }

    /// True if every value needs a checked step: without shortcuts, or where 64-bit vectors have no flag.
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
