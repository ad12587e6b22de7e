//! [`Headers`]: the header words of a target, looked up once for a [`Burst`](crate::Burst) of many
//! short values.

use gdvar_wire::{Flags, HeaderWord, Kind};

use crate::target::Target;

/// The headers of the kinds that a burst writes itself. A 0 means that the header depends on the
/// value and the writer must decide. Built once, so that values need no table look-up.
#[derive(Clone, Copy)]
pub(crate) struct Headers([u32; KINDS.len()]);

const KINDS: [Kind; 11] = [
    Kind::Array,
    Kind::Dictionary,
    Kind::StringName,
    Kind::Vector2,
    Kind::Vector3,
    Kind::Vector4,
    Kind::Quaternion,
    Kind::Vector2i,
    Kind::Vector3i,
    Kind::Vector4i,
    Kind::Color,
];

impl Headers {
    #[inline(always)]
    pub(crate) fn of(target: Target) -> Headers {
        Headers(KINDS.map(|kind| match target.header(kind) {
            Some(header) if header.flags() == Flags::NONE => header.0,
            _ => 0,
        }))
    }

    /// Returns the header of a kind, or `None` if the writer must decide. Folds to a load if `kind`
    /// is a constant.
    #[inline(always)]
    pub(crate) fn get(&self, kind: Kind) -> Option<HeaderWord> {
        let place = KINDS.iter().position(|other| *other == kind)?;
        match self.0[place] {
            0 => None,
            word => Some(HeaderWord(word)),
        }
    }
}
