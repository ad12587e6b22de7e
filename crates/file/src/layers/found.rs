//! [`Found`]: a layer that was recognised, whole or damaged.

use super::{LayerKind, PeelError, damaged::DamagedLayer};
use crate::Hints;

/// A whole layer and its contents.
pub(super) type FoundLayer = (LayerKind, Vec<u8>);

/// The layer at the first byte.
pub(super) enum Found {
    None,
    Whole(FoundLayer),
    Damaged(DamagedLayer),
}

impl Found {
    /// Returns `true` if there is no layer.
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Found::None)
    }

    /// Returns a layer that was found, or, if the hints admit damaged layers, what `left` returns of a damaged one.
    pub(super) fn or_damaged(
        found: Result<Option<FoundLayer>, PeelError>,
        hints: &Hints<'_>,
        left: impl FnOnce(Option<PeelError>) -> Result<Option<DamagedLayer>, PeelError>,
    ) -> Result<Found, PeelError> {
        let error = match found {
            Ok(Some(layer)) => return Ok(Found::Whole(layer)),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        match (hints.damaged, error) {
            (true, error) => Ok(left(error)?.map_or(Found::None, Found::Damaged)),
            (false, Some(error)) => Err(error),
            (false, None) => Ok(Found::None),
        }
    }
}

impl From<Option<FoundLayer>> for Found {
    fn from(found: Option<FoundLayer>) -> Found {
        found.map_or(Found::None, Found::Whole)
    }
}
