//! Bounds on what a reader or writer accepts.

/// The bounds on a value ([`docs/FORMAT.md` §4.6]). [`Limits::with_max_depth`] makes other limits
/// from one of the constants.
///
/// [`docs/FORMAT.md` §4.6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#46-nesting-depth
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The greatest depth. The outermost value has depth 0, and each child is one deeper.
    ///
    /// Reading and writing allocate nothing down to depth 1024 ([`Limits::ENGINE`]). Values that
    /// are nested deeper take eight bytes of heap a level.
    pub max_depth: u16,
}

impl Limits {
    /// The limit of Godot 4 and later Godot 3: depth 1024. It is the default for every dialect.
    pub const ENGINE: Limits = Limits { max_depth: 1024 };

    /// A depth that Godot 3.2 is known to read. Godot 3.2 has no limit; it survives 10 000 levels
    /// and crashes at 100 000. Use this limit for your own files; other engines refuse such values.
    pub const GODOT_3_2: Limits = Limits { max_depth: 10_000 };

    /// A bound for packets from strangers: depth 32. A packet that is nested deeper is refused
    /// at its first value that is too deep.
    pub const PACKET: Limits = Limits { max_depth: 32 };

    /// The greatest depth that can be set: 65 534.
    pub const MOST: Limits = Limits {
        max_depth: u16::MAX - 1,
    };

    /// Returns these limits with the depth `max_depth`, but at most the depth of [`Limits::MOST`].
    #[must_use]
    pub const fn with_max_depth(self, max_depth: u16) -> Limits {
        let most = Limits::MOST.max_depth;
        let max_depth = if max_depth > most { most } else { max_depth };
        Limits { max_depth }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::ENGINE
    }
}
