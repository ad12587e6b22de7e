//! How much a reader or writer is willing to do.

/// Bounds on a value (`docs/FORMAT.md` §4.6). Others than these are made of one by [`Limits::with_max_depth`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Deepest nesting: the outermost value has depth 0, each child is one deeper.
    ///
    /// Up to [`Limits::ENGINE`]'s 1024 nothing is ever allocated; readers and writers that are
    /// allowed more take eight bytes of heap a level, once a value is as deep.
    pub max_depth: u16,
}

impl Limits {
    /// The limits of Godot 4 and later Godot 3: values down to depth 1024. The default for every
    /// dialect.
    pub const ENGINE: Limits = Limits { max_depth: 1024 };

    /// The depth that Godot 3.2 is known to read: it has no limit, survives 10 000 levels and dies
    /// of 100 000. For files of one's own; engines with a limit refuse such values.
    pub const GODOT_3_2: Limits = Limits { max_depth: 10_000 };

    /// A sensible bound for packets of strangers: depth 32. No game nests messages deeper, and a
    /// refusal costs nothing.
    pub const PACKET: Limits = Limits { max_depth: 32 };

    /// The most that can be asked for.
    pub const MOST: Limits = Limits {
        max_depth: u16::MAX - 1,
    };

    /// These limits with another depth, at most [`Limits::MOST`]'s.
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
