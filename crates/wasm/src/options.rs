//! Decodes reading and writing options from the numbers that JavaScript passes.

use gdvar_view::{Dialect, Document, Engine, Limits, Mode, Objects, ReadOptions};
use gdvar_write::{IntRule, Precision, Target};

fn dialect(number: u32) -> Dialect {
    let number = (number & 0xff) as usize;
    Dialect::ALL
        .get(number)
        .copied()
        .unwrap_or(Dialect::GODOT_4)
}

/// Returns the bits of a dialect or release. The lowest byte is the number of the dialect. The fourth byte is
/// 0 for a dialect, or 1 + the number of the release.
pub(crate) fn named(name: &str) -> Option<u32> {
    if let Some(engine) = Engine::from_name(name) {
        let number = Engine::ALL.into_iter().position(|other| other == engine)?;
        return Some(named(engine.dialect().name())? | (number as u32 + 1) << 24);
    }
    let number = Dialect::ALL
        .into_iter()
        .position(|dialect| dialect.name() == name)?;
    Some(number as u32)
}

/// Returns the release that these bits name.
pub(crate) fn release(bits: u32) -> Option<Engine> {
    let number = (bits >> 24).checked_sub(1)?;
    Engine::ALL.into_iter().nth(number as usize)
}

/// Returns the limits for a `max_depth` of JavaScript, or `None` if that is 0, which asks for those of the engine. Any
/// other number is one more than the depth.
pub(crate) fn depth_limits(max_depth: u32) -> Option<Limits> {
    let depth = max_depth.checked_sub(1)?;
    Some(Limits::ENGINE.with_max_depth(depth.min(u32::from(u16::MAX)) as u16))
}

/// Options for reading. The bits hold the number of the dialect in the lowest byte, 1 for strict mode in the
/// second, the policy on objects in the third (0 ids, 1 whole objects, 2 none), and the release as in
/// `named`. A `max_depth` of 0 is the engine's limit; any other is one more than the limit to set.
#[derive(Clone, Copy)]
pub(crate) struct ReadSettings {
    pub(crate) options: ReadOptions,
}

impl ReadSettings {
    pub(crate) fn new(bits: u32, max_depth: u32) -> ReadSettings {
        let objects = match bits >> 16 & 0xff {
            0 => Objects::Ids,
            1 => Objects::Inert,
            _ => Objects::Deny,
        };
        let mode = if bits >> 8 & 1 == 1 {
            Mode::Strict
        } else {
            Mode::Engine
        };
        let engine = || release(bits).map_or(Limits::ENGINE, Engine::limits);
        let limits = depth_limits(max_depth).unwrap_or_else(engine);
        let options = ReadOptions::new(dialect(bits));
        ReadSettings {
            options: options
                .with_objects(objects)
                .with_mode(mode)
                .with_limits(limits),
        }
    }

    pub(crate) fn document(self, bytes: &[u8]) -> Document<'_> {
        Document::with_options(bytes, self.options)
    }
}

/// Returns the bits of a target by its name, as `target` decodes them.
pub(crate) fn target_named(name: &str) -> Option<u32> {
    let target: Target = name.parse().ok()?;
    let dialect = target.dialect();
    let number = Dialect::ALL
        .into_iter()
        .position(|other| other == dialect)?;
    let minor = match dialect.has_typed_containers() {
        true => target.minor(),
        false => u8::MAX,
    };
    let ints = match target.int_rule() {
        IntRule::Always64 => 2,
        // The dialect's own.
        _ => 0,
    };
    Some(number as u32 | u32::from(minor) << 8 | ints << 24)
}

/// Decodes a target. The bits hold the number of the dialect in the lowest byte, the minor version in the
/// second (255: the newest), the precision in the third (0 as given, 1 single, 2 double), and the rule for
/// ints in the fourth (0 the dialect's, 1 the shortest, 2 always 64 bits, 3 always 32).
pub(crate) fn target(bits: u32) -> Target {
    let mut target = Target::from(dialect(bits));
    let minor = (bits >> 8) as u8;
    if minor != u8::MAX {
        target = target.with_minor(minor);
    }
    target = target.with_precision(match bits >> 16 & 0xff {
        1 => Precision::Single,
        2 => Precision::Double,
        _ => Precision::AsGiven,
    });
    match bits >> 24 {
        1 => target.with_int_rule(IntRule::Shortest),
        2 => target.with_int_rule(IntRule::Always64),
        3 => target.with_int_rule(IntRule::Always32),
        _ => target,
    }
}
