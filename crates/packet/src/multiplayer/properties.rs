//! [`Property`]: a replicated property, and the values of all properties of a synchronizer.

use alloc::vec::Vec;
use core::convert::Infallible;

use crate::{arg::Arg, encode::WriteError};

/// When a property is sent after the node was spawned (`SceneReplicationConfig.ReplicationMode`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReplicationMode {
    /// Not at all.
    Never,
    /// At each interval, unreliably: in a SYNC.
    Always,
    /// When it changes, reliably: in a DELTA.
    OnChange,
}

/// A property of a synchronizer's configuration.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The initial value.
    pub value: Arg<'a>,
    /// Whether the SPAWN contains the value.
    pub is_spawned: bool,
    /// When the value is sent after the SPAWN.
    pub mode: ReplicationMode,
}

/// The properties of a synchronizer, in the order of its configuration.
#[derive(Debug)]
pub(super) struct Properties(Vec<Stored>);

#[derive(Debug)]
struct Stored {
    /// The value in its short form.
    bytes: Vec<u8>,
    is_spawned: bool,
    mode: ReplicationMode,
    /// The property's bit in the mask of a DELTA if it is watched, otherwise 0.
    bit: u64,
}

/// Writes a value in its short form.
fn compact(value: Arg<'_>) -> Result<Vec<u8>, WriteError<Infallible>> {
    let mut bytes = Vec::new();
    value.write_compact(&mut bytes)?;
    Ok(bytes)
}

/// The limit for the watched properties of a synchronizer: the number of bits in a DELTA's mask.
pub(super) const MOST_WATCHED: usize = 64;

impl Properties {
    /// Creates the properties with their initial values. Returns `None` if more than 64 are
    /// watched.
    pub(super) fn new(
        properties: &[Property<'_>],
    ) -> Result<Option<Properties>, WriteError<Infallible>> {
        let (mut stored, mut next) = (Vec::with_capacity(properties.len()), 0);
        for property in properties {
            let bit = match property.mode {
                ReplicationMode::OnChange if next == MOST_WATCHED => return Ok(None),
                ReplicationMode::OnChange => {
                    next += 1;
                    1 << (next - 1)
                }
                _ => 0,
            };
            stored.push(Stored {
                bytes: compact(property.value)?,
                is_spawned: property.is_spawned,
                mode: property.mode,
                bit,
            });
        }
        Ok(Some(Properties(stored)))
    }

    /// Sets the value of the property with index `place`. Returns the property's bit if the
    /// property is watched and the value has changed, otherwise 0. Returns `None` if there is no
    /// property with this index.
    pub(super) fn set(
        &mut self,
        place: usize,
        value: Arg<'_>,
    ) -> Result<Option<u64>, WriteError<Infallible>> {
        let Some(property) = self.0.get_mut(place) else {
            return Ok(None);
        };
        let bytes = compact(value)?;
        let is_changed = bytes != property.bytes;
        property.bytes = bytes;
        Ok(Some(if is_changed { property.bit } else { 0 }))
    }

    pub(super) fn has_always(&self) -> bool {
        let mut modes = self.0.iter().map(|property| property.mode);
        modes.any(|mode| mode == ReplicationMode::Always)
    }

    /// Returns the bits of the watched properties. If `is_spawned`, leaves out those whose values
    /// the SPAWN contains.
    pub(super) fn watched(&self, is_spawned: bool) -> u64 {
        let unsent = |property: &&Stored| !(is_spawned && property.is_spawned);
        let unsent = self.0.iter().filter(unsent);
        unsent.fold(0, |mask, property| mask | property.bit)
    }

    pub(super) fn put_spawned(&self, out: &mut Vec<u8>) {
        self.put(out, |property| property.is_spawned);
    }

    pub(super) fn put_always(&self, out: &mut Vec<u8>) {
        self.put(out, |property| property.mode == ReplicationMode::Always);
    }

    pub(super) fn put_watched(&self, mask: u64, out: &mut Vec<u8>) {
        self.put(out, |property| property.bit & mask != 0);
    }

    fn put(&self, out: &mut Vec<u8>, is_meant: impl Fn(&Stored) -> bool) {
        for property in self.0.iter().filter(|property| is_meant(property)) {
            out.extend_from_slice(&property.bytes);
        }
    }
}
