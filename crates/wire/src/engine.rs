//! Engine releases: what differs between engines that share a dialect.

use core::{fmt, str::FromStr};

use crate::{Dialect, Limits};

/// An engine release whose answers are recorded in this project's test data.
///
/// A [`Dialect`] says what the bytes mean, and reading needs nothing else. Releases of one dialect
/// still differ in how deep they nest values and in the text they print; an `Engine` adds these two
/// facts. An `Engine` is one byte, an index into a `const` table.
///
/// There is no `Engine` for double-precision builds of Godot 4: they read the same bytes within the
/// same limits, and their text has not been recorded.
///
/// ```
/// use gdvar_wire::{Dialect, Engine};
///
/// let engine: Engine = "godot3.2".parse()?;
/// assert_eq!(engine.dialect(), Dialect::GODOT_3);
/// // Godot 3.2 reads what later releases refuse.
/// assert!(engine.limits().max_depth > Engine::GODOT_3_6.limits().max_depth);
/// # Ok::<(), gdvar_wire::UnknownEngine>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Engine(u8);

/// The text notation of an engine: what `var_to_str`, or `var2str` before Godot 4, prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `var_to_str` of Godot 4.6.
    Godot4,
    /// `var2str` of Godot 3.6. Types that Godot 3 lacks are printed with Godot 4's names and Godot
    /// 3's spacing.
    Godot3_6,
    /// `var2str` of Godot 3.2. It differs from 3.6 in infinities, NaN, empty dictionaries and
    /// values nested deeper than 100.
    Godot3_2,
}

struct Row {
    name: &'static str,
    title: &'static str,
    release: &'static str,
    dialect: Dialect,
    limits: Limits,
    notation: Notation,
}

/// The first row of a dialect is its default.
const ROWS: [Row; 4] = [
    Row {
        name: "godot4.6",
        title: "Godot 4.6",
        release: "4.6.3",
        dialect: Dialect::GODOT_4,
        limits: Limits::ENGINE,
        notation: Notation::Godot4,
    },
    Row {
        name: "godot3.6",
        title: "Godot 3.6",
        release: "3.6.2",
        dialect: Dialect::GODOT_3,
        limits: Limits::ENGINE,
        notation: Notation::Godot3_6,
    },
    Row {
        name: "godot3.2",
        title: "Godot 3.2",
        release: "3.2.3",
        dialect: Dialect::GODOT_3,
        limits: Limits::GODOT_3_2,
        notation: Notation::Godot3_2,
    },
    Row {
        name: "pandemonium5.3",
        title: "Pandemonium 5.3",
        release: "5.3",
        dialect: Dialect::PANDEMONIUM_5,
        limits: Limits::ENGINE,
        // A fork of Godot 3.5; its own text has not been compared.
        notation: Notation::Godot3_6,
    },
];

impl Engine {
    /// Godot 4.6, tested with 4.6.3.
    pub const GODOT_4_6: Engine = Engine(0);
    /// Godot 3.6, tested with 3.6.2.
    pub const GODOT_3_6: Engine = Engine(1);
    /// Godot 3.2, tested with 3.2.3. It has no depth limit.
    pub const GODOT_3_2: Engine = Engine(2);
    /// Pandemonium 5.3.
    pub const PANDEMONIUM_5_3: Engine = Engine(3);

    /// All four. The default engine of a dialect comes before its other engines.
    pub const ALL: [Engine; 4] = [
        Engine::GODOT_4_6,
        Engine::GODOT_3_6,
        Engine::GODOT_3_2,
        Engine::PANDEMONIUM_5_3,
    ];

    const fn row(self) -> &'static Row {
        &ROWS[self.0 as usize]
    }

    /// Returns the engine with the name `name`, or `None`. The name of a dialect is not the name of
    /// an engine.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// Returns the default engine of `dialect`, or `None` if no engine of that dialect was tested.
    ///
    /// The default for Godot 3 is 3.6, the release with long-term support, in which Godot 3
    /// projects are opened today. Godot 3.2 reads everything that 3.6 reads, on every input that
    /// was tried. It also reads values that are nested more than 1024 deep, which 3.6 refuses
    /// ([`docs/FORMAT.md` §4.6]).
    ///
    /// [`docs/FORMAT.md` §4.6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#46-nesting-depth
    #[must_use]
    pub fn of(dialect: Dialect) -> Option<Engine> {
        Engine::ALL
            .into_iter()
            .find(|engine| engine.dialect() == dialect)
    }

    /// Returns the name used on the command line: `godot4.6`, `godot3.6`, `godot3.2`,
    /// `pandemonium5.3`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name used in sentences: `Godot 3.6`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns the exact release that was tested: `3.6.2`.
    #[must_use]
    pub const fn release(self) -> &'static str {
        self.row().release
    }

    /// Returns the dialect that this engine reads and writes.
    #[must_use]
    pub const fn dialect(self) -> Dialect {
        self.row().dialect
    }

    /// Returns the greatest depth that this engine reads and writes ([`docs/FORMAT.md` §4.6]).
    ///
    /// [`docs/FORMAT.md` §4.6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#46-nesting-depth
    #[must_use]
    pub const fn limits(self) -> Limits {
        self.row().limits
    }

    /// Returns the text notation that this engine prints.
    #[must_use]
    pub const fn notation(self) -> Notation {
        self.row().notation
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.name())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that names no engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown engine; there are ")?;
        for (n, engine) in Engine::ALL.iter().enumerate() {
            if n > 0 {
                f.write_str(", ")?;
            }
            f.write_str(engine.name())?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownEngine {}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Engine, UnknownEngine> {
        Engine::from_name(name).ok_or(UnknownEngine)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn names_are_read_back_and_are_those_of_their_dialects_with_a_release() {
        for engine in Engine::ALL {
            assert_eq!(engine.to_string().parse(), Ok(engine));
            assert!(engine.name().starts_with(engine.dialect().name()));
            assert!(
                engine
                    .release()
                    .starts_with(&engine.name()[engine.dialect().name().len() - 1..])
            );
        }
        assert_eq!("godot3".parse::<Engine>(), Err(UnknownEngine));
        assert_eq!(UnknownEngine.to_string().matches("godot3.").count(), 2);
    }

    #[test]
    fn a_dialect_means_its_release_of_today() {
        assert_eq!(Engine::of(Dialect::GODOT_4), Some(Engine::GODOT_4_6));
        assert_eq!(Engine::of(Dialect::GODOT_3), Some(Engine::GODOT_3_6));
        assert_eq!(Engine::of(Dialect::GODOT_2), None);
    }

    #[test]
    fn only_godot_3_2_reads_deeper_than_1024() {
        for engine in Engine::ALL {
            let deep = engine.limits().max_depth > 1024;
            assert_eq!(deep, engine == Engine::GODOT_3_2, "{engine}");
        }
    }
}
