//! Targets by name: an engine, or an engine and its version: `godot4`, `godot4.2`, `godot3.0`.

use core::{fmt, ops::RangeInclusive, str::FromStr};

use gdvar_wire::Dialect;

use crate::target::Target;

/// Versions of an engine that share a target, except for what [`Target::with_minor`] decides.
struct Versions {
    engine: &'static str,
    minors: RangeInclusive<u8>,
    target: Target,
}

const fn versions(engine: &'static str, minors: RangeInclusive<u8>, target: Target) -> Versions {
    Versions {
        engine,
        minors,
        target,
    }
}

/// All known versions (`docs/FORMAT.md` §1).
const VERSIONS: [Versions; 8] = [
    versions("godot4", 0..=6, Target::GODOT_4),
    versions("godot3", 0..=0, Target::GODOT_3_0),
    versions("godot3", 1..=6, Target::GODOT_3),
    versions("godot2", 0..=1, Target::GODOT_2),
    versions("pandemonium3", 5..=7, Target::PANDEMONIUM_3),
    versions("pandemonium3", 8..=9, Target::PANDEMONIUM_4),
    versions("pandemonium4", 0..=9, Target::PANDEMONIUM_4),
    versions("pandemonium5", 0..=3, Target::PANDEMONIUM_5),
];

impl FromStr for Target {
    type Err = UnknownTarget;

    /// Parses the name of a dialect, which means its newest engine, or of an engine's version.
    ///
    /// ```
    /// use gdvar_write::Target;
    ///
    /// assert_eq!("godot4".parse(), Ok(Target::GODOT_4));
    /// assert_eq!("godot4.2".parse(), Ok(Target::GODOT_4.with_minor(2)));
    /// assert_eq!("godot3.0".parse(), Ok(Target::GODOT_3_0));
    /// assert!("godot4.99".parse::<Target>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Target, UnknownTarget> {
        if let Ok(dialect) = name.parse::<Dialect>() {
            return Ok(dialect.into());
        }
        let (engine, minor) = name.split_once('.').ok_or(UnknownTarget)?;
        // Refuses `4.06` and `4.+6`.
        let is_plain = minor.len() == 1 && minor.as_bytes().iter().all(u8::is_ascii_digit);
        let minor = minor
            .parse()
            .ok()
            .filter(|_| is_plain)
            .ok_or(UnknownTarget)?;
        let found = VERSIONS
            .iter()
            .find(|versions| versions.engine == engine && versions.minors.contains(&minor));
        let target = found.ok_or(UnknownTarget)?.target;
        Ok(match target.dialect().has_typed_containers() {
            true => target.with_minor(minor),
            false => target,
        })
    }
}

/// The error for a name that is not a known engine or version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownTarget;

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown engine; there are ")?;
        for (n, dialect) in Dialect::ALL.iter().enumerate() {
            let start = if n > 0 { ", " } else { "" };
            write!(f, "{start}{dialect}")?;
        }
        f.write_str("; with a version, ")?;
        let mut rest = VERSIONS.as_slice();
        while let [first, ..] = rest {
            let of_one = rest.iter().take_while(|own| own.engine == first.engine);
            let (these, others) = rest.split_at(of_one.count());
            let last = these.last().map_or(0, |last| *last.minors.end());
            let (engine, first) = (first.engine, first.minors.start());
            write!(f, "{engine}.{first} to {engine}.{last}")?;
            rest = others;
            if !rest.is_empty() {
                f.write_str(", ")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for UnknownTarget {}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::{format, string::ToString};

    use gdvar_wire::Engine;

    use super::*;

    #[test]
    fn every_version_has_a_target_of_its_engine_and_no_other_has_one() {
        for versions in &VERSIONS {
            for minor in 0..=255_u8 {
                let name = format!("{}.{minor}", versions.engine);
                let known = VERSIONS
                    .iter()
                    .any(|other| other.engine == versions.engine && other.minors.contains(&minor));
                assert_eq!(name.parse::<Target>().is_ok(), known, "{name}");
            }
        }
        for name in [
            "",
            "godot",
            "godot4.",
            "godot4.06",
            "godot4.+6",
            "godot4.6.3",
            "godot4.99",
            "godot5.0",
            "Godot4",
        ] {
            assert_eq!(name.parse::<Target>(), Err(UnknownTarget), "{name}");
        }
    }

    #[test]
    fn names_mean_what_the_constants_mean() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(Target::from(dialect)));
        }
        for engine in Engine::ALL {
            let target: Target = engine.name().parse().unwrap();
            assert_eq!(target, Target::from(engine.dialect()), "{engine}");
        }
        assert_eq!("godot4.6".parse(), Ok(Target::GODOT_4));
        assert!(!"godot4.3".parse::<Target>().unwrap().has_typed_dicts());
        assert!("godot4.4".parse::<Target>().unwrap().has_typed_dicts());
        assert_eq!("godot3.1".parse(), Ok(Target::GODOT_3));
        let told = UnknownTarget.to_string();
        assert!(
            told.contains("godot4.0 to godot4.6, godot3.0 to godot3.6"),
            "{told}"
        );
    }
}
