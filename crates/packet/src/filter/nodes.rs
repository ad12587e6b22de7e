//! The nodes of replication packets, for the field `node`.

use crate::{
    godot4,
    traffic::{Message, SessionEvent},
};

/// True for the packets of MultiplayerSpawners and MultiplayerSynchronizers.
pub(super) fn is_replicated(message: &Message<'_>) -> bool {
    use godot4::Packet;
    matches!(
        message,
        Message::Godot4(
            Packet::Spawn(_) | Packet::Despawn { .. } | Packet::Sync(_) | Packet::Delta(_)
        )
    )
}

/// Returns `Some(true)` if `is` is true for a node of a SPAWN, DESPAWN, SYNC or DELTA. Otherwise
/// returns `unknown` if the path of a node is not known, and `Some(false)` if all are.
pub(super) fn any_replicated(
    event: &SessionEvent<'_>,
    unknown: Option<bool>,
    is: impl Fn(&str) -> bool,
) -> Option<bool> {
    let Message::Godot4(packet) = event.message else {
        return Some(false);
    };
    let (link, source, state) = (event.link, event.source, event.state);
    let path = |id: u32| Some(state.path(link, source, id)?.path());
    let mut any = Some(false);
    let mut note = |found: Option<&str>| {
        let certain = found.filter(|path| unknown.is_some() || is_plain(path));
        match certain {
            Some(path) if is(path) => any = Some(true),
            None if any == Some(false) => any = unknown,
            _ => {}
        }
    };
    let synchronizer = |net_id: u32, path_id: Option<u32>| match path_id {
        Some(id) => path(id),
        None => path(state.synchronized(link, source, net_id)?.spawner),
    };
    match packet {
        godot4::Packet::Spawn(spawn) => note(path(spawn.spawner())),
        godot4::Packet::Despawn { net_id } => {
            let spawned = state.spawned(link, source, net_id);
            note(spawned.and_then(|spawned| path(spawned.spawner)));
        }
        godot4::Packet::Sync(sync) => sync.entries().for_each(|entry| {
            let entry = entry.ok();
            note(entry.and_then(|entry| synchronizer(entry.net_id(), entry.path_id())));
        }),
        godot4::Packet::Delta(delta) => delta.entries().for_each(|entry| {
            let entry = entry.ok();
            note(entry.and_then(|entry| synchronizer(entry.net_id(), entry.path_id())));
        }),
        _ => {}
    }
    any
}

/// True if `path` has the form that the engine writes. Only in this form does each node have a
/// single path.
pub(super) fn is_plain(path: &str) -> bool {
    let odd = |part: &str| matches!(part, "" | "." | "..") || part.starts_with('%');
    !path.contains(':') && !path.split('/').any(odd)
}
