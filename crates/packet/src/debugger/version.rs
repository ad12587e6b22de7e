//! [`GameVersion`]: which of the three layouts of messages a game uses.

use gdvar_view::Dialect;
use gdvar_write::Target;

/// The layout of a game's messages. The first message shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameVersion {
    /// Godot 3: a String, a count, and that many values, each in its own record.
    Godot3,
    /// Godot 4.0 and 4.1: an Array of name and arguments in one record.
    Godot4WithoutThreads,
    /// Godot 4.2 and later: an Array of name, thread and arguments in one record.
    Godot4,
}

impl GameVersion {
    /// The dialect of the values.
    #[must_use]
    pub const fn dialect(self) -> Dialect {
        match self {
            GameVersion::Godot3 => Dialect::GODOT_3,
            GameVersion::Godot4WithoutThreads | GameVersion::Godot4 => Dialect::GODOT_4,
        }
    }

    /// The target for writing values that the game reads.
    #[must_use]
    pub const fn target(self) -> Target {
        match self {
            GameVersion::Godot3 => Target::GODOT_3,
            GameVersion::Godot4WithoutThreads | GameVersion::Godot4 => Target::GODOT_4,
        }
    }

    pub(super) const fn is_godot3(self) -> bool {
        matches!(self, GameVersion::Godot3)
    }
}
