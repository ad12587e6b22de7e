//! How much a reader or writer is willing to do.

/// Bounds on a value. They hold in every dialect, also where the engine itself has none
/// (`docs/FORMAT.md` §4.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Deepest nesting: the outermost value has depth 0, each child is one deeper. At most
    /// [`Limits::ENGINE`]'s 1024; a larger number means 1024.
    pub max_depth: u16,
}

impl Limits {
    /// What Godot 4 itself accepts: values down to depth 1024.
    pub const ENGINE: Limits = Limits { max_depth: 1024 };

    /// A sensible bound for packets of strangers: depth 32. No game nests messages deeper, and a
    /// refusal costs nothing.
    pub const PACKET: Limits = Limits { max_depth: 32 };

    /// The same limits with another depth, capped at the engine's 1024.
    #[must_use]
    pub const fn with_max_depth(self, max_depth: u16) -> Limits {
        let max_depth = if max_depth > Limits::ENGINE.max_depth {
            Limits::ENGINE.max_depth
        } else {
            max_depth
        };
        Limits { max_depth }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::ENGINE
    }
}
