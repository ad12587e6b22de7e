//! How a session reads packets and values.

use gdvar_view::{Dialect, Objects, ReadOptions};

use super::transport::Engine;
use crate::{error::Error, godot3, godot4};

/// The read options of a session. A game may allow whole objects (`allow_object_decoding`,
/// `put_var(value, true)`); they are read as inert data.
pub(crate) const fn options(engine: Engine) -> ReadOptions {
    let dialect = match engine {
        Engine::Godot4 => Dialect::GODOT_4,
        Engine::Godot3 => Dialect::GODOT_3,
    };
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

/// Parses a packet of Godot 4 with the read options of a session.
pub(crate) fn parse4(packet: &[u8]) -> Result<godot4::Packet<'_>, Error> {
    godot4::Packet::parse_with(packet, options(Engine::Godot4))
}

/// Parses a packet of Godot 3 with the read options of a session.
pub(crate) fn parse3(packet: &[u8]) -> Result<godot3::Packet<'_>, Error> {
    godot3::Packet::parse_with(packet, options(Engine::Godot3))
}
