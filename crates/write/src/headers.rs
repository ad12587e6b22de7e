//! The headers that the table of a dialect gives to values that are written in a row.

use gdvar_wire::{Flags, HeaderWord, Kind};

use crate::Target;

/// The header words of the kinds that a burst writes itself, 0 for what takes more than a look:
/// the table of the dialect is asked once and not for every value.
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

    /// The header of a kind, which is to be a constant.
    #[inline(always)]
    pub(crate) fn get(&self, kind: Kind) -> Option<HeaderWord> {
        let place = KINDS.iter().position(|other| *other == kind)?;
        match self.0[place] {
            0 => None,
            word => Some(HeaderWord(word)),
        }
    }
}
