//! `--hex`: shows the bytes of a packet, each field with its name.

use std::{fmt::Write, ops::Range, time::Duration};

use gdvar_packet::{Message, SessionEvent, Values, godot3, godot4, names::Names};

use super::line;
use crate::terminal::{safe_text, words};

/// Returns the line of a packet, followed by its bytes with one row per field.
pub(super) fn text(
    time: Duration,
    item: &SessionEvent<'_>,
    name: Option<&str>,
    names: &Names,
) -> Vec<u8> {
    let mut out = String::from_utf8_lossy(&line::text(time, item, name, names)).into_owned();
    let mut fields = NamedFields {
        bytes: item.bytes,
        at: 0,
        named: Vec::new(),
    };
    fields.item(item, name);
    fields.take(usize::MAX, "not read");
    for (range, name) in fields.named {
        let bytes = item.bytes.get(range.clone()).unwrap_or_default();
        for (n, row) in bytes.chunks(16).enumerate() {
            let hex: String = row.iter().map(|byte| format!("{byte:02x} ")).collect();
            let name = if n == 0 { &name[..] } else { "" };
            let name = safe_text::safe_line(name);
            let row = format!("{:>8x}  {hex:<48}  {name}", range.start + 16 * n);
            let _ = writeln!(out, "{}", row.trim_end());
        }
    }
    out.into_bytes()
}

/// The fields of a packet. They are named in order, from the first byte on.
struct NamedFields<'a> {
    bytes: &'a [u8],
    /// The offset of the first byte without a name.
    at: usize,
    named: Vec<(Range<usize>, String)>,
}

impl NamedFields<'_> {
    /// Names the next `count` bytes, or all remaining ones if there are fewer.
    fn take(&mut self, count: usize, name: impl Into<String>) {
        let end = self.at.saturating_add(count).min(self.bytes.len());
        if end > self.at {
            self.named.push((self.at..end, name.into()));
            self.at = end;
        }
    }

    /// Names the bytes up to `end`.
    fn until(&mut self, end: usize, name: impl Into<String>) {
        self.take(end.saturating_sub(self.at), name);
    }

    fn byte(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    fn word(&self, at: usize) -> u32 {
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk);
        bytes.copied().map_or(0, u32::from_le_bytes)
    }

    /// Names each value. The offsets of the values count from `start`, where their packet begins.
    fn values(&mut self, values: Values<'_>, start: usize, what: &str) {
        for (n, value) in values.map_while(Result::ok).enumerate() {
            self.until(start + value.offset(), "not read");
            self.take(value.size(), format!("{what}[{n}] = {}", line::one(value)));
        }
    }

    fn item(&mut self, item: &SessionEvent<'_>, name: Option<&str>) {
        let start = item.packet_start();
        match item.message {
            Message::Godot4(packet) => {
                if item.is_relayed {
                    self.take(2, "SYS RELAY");
                    let peer = self.word(2) as i32;
                    self.take(4, format!("peer {peer}"));
                }
                self.godot4(packet, item, name, start);
            }
            Message::Godot3(packet) => {
                if start == 9 {
                    self.take(1, "a packet");
                }
                for end in ["from", "to"] {
                    let peer = self.word(self.at) as i32;
                    self.take(4, format!("{end} {peer}"));
                }
                self.godot3(packet, item, start);
            }
            Message::Value(_) => self.take(usize::MAX, "a value"),
            Message::Debugger(message) => {
                self.take(
                    usize::MAX,
                    format!("an Array: {}, thread, arguments", message.name()),
                );
            }
            Message::Notice(_) => {
                let rest = self.bytes.len().saturating_sub(4);
                self.take(rest, item.message.name());
                let peer = self.word(self.at) as i32;
                self.take(4, format!("peer {peer}"));
            }
            Message::Damaged { error, .. } => self.take(usize::MAX, error.to_string()),
            _ => self.take(usize::MAX, item.message.name()),
        }
    }

    fn node(&mut self, size: usize, item: &SessionEvent<'_>) {
        let path = item.node_path().unwrap_or("?");
        let has_path = size == 4 && self.word(self.at) >> 31 == 1;
        let name = match has_path {
            true => format!("the path is at {:x}", self.word(self.at) & 0x7fff_ffff),
            false => format!("id of the node: {path}"),
        };
        self.take(size, name);
    }

    fn godot4(
        &mut self,
        packet: godot4::Packet<'_>,
        item: &SessionEvent<'_>,
        method: Option<&str>,
        start: usize,
    ) {
        let head = self.byte();
        self.take(1, item.message.name());
        match packet {
            godot4::Packet::Call(call) => {
                self.node(1 << (head >> 4 & 3), item);
                let method = line::method(item, method).unwrap_or_default();
                self.take(1 + usize::from(head >> 6 & 1), format!("method {method}"));
                if !call.is_raw() {
                    let count = self.byte();
                    self.take(1, words::plural(count.into(), "argument"));
                }
                self.values(call.args(), start, "args");
                self.take(usize::MAX, "path of the node, and NUL");
            }
            godot4::Packet::SimplifyPath(path) => {
                self.take(33, "MD5 of the names of its methods, and NUL");
                self.take(4, format!("id {}", path.id));
                self.take(usize::MAX, "path, and NUL");
            }
            godot4::Packet::ConfirmPath(answer) => {
                self.take(
                    1,
                    match answer.matches {
                        true => "the same methods",
                        false => "other methods",
                    },
                );
                self.take(4, format!("id {}", answer.id));
            }
            godot4::Packet::Spawn(spawn) => {
                let scene = spawn
                    .scene()
                    .map_or("spawn function".to_owned(), |n| format!("scene {n}"));
                self.take(1, scene);
                self.take(4, format!("id of the spawner's path: {}", spawn.spawner()));
                self.take(4, format!("net_id {}", spawn.net_id()));
                self.take(4, words::plural(spawn.syncs().len() as u64, "synchronizer"));
                self.take(4, "length of the name");
                for sync in spawn.syncs() {
                    self.take(4, format!("synchronizer {sync}"));
                }
                self.take(spawn.name().as_bytes().len() + 1, "name, and NUL");
                if let Some(custom) = spawn.custom() {
                    self.take(4, "size of the argument");
                    self.values(custom, start, "argument");
                }
                self.values(spawn.state(), start, "properties");
            }
            godot4::Packet::Despawn { net_id } => self.take(4, format!("net_id {net_id}")),
            godot4::Packet::Sync(sync) => {
                self.take(2, format!("sending {}", sync.time()));
                for entry in sync.entries().map_while(Result::ok) {
                    self.take(4, format!("synchronizer {:#x}", entry.net_id()));
                    self.take(4, format!("{} bytes", entry.size()));
                    self.values(entry.values(), start, "properties");
                }
            }
            godot4::Packet::Delta(delta) => {
                for entry in delta.entries().map_while(Result::ok) {
                    self.take(4, format!("synchronizer {:#x}", entry.net_id()));
                    self.take(8, format!("properties {:#b}", entry.mask()));
                    self.take(4, format!("{} bytes", entry.size()));
                    self.values(entry.values(), start, "properties");
                }
            }
            godot4::Packet::Sys(sys) => {
                self.take(1, sys.name());
                match sys {
                    godot4::Sys::AddPeer(peer) | godot4::Sys::DelPeer(peer) => {
                        self.take(4, format!("peer {peer}"));
                    }
                    _ => self.take(usize::MAX, "data"),
                }
            }
            godot4::Packet::Raw(_) => self.take(usize::MAX, "the game's own bytes"),
        }
    }

    fn godot3(&mut self, packet: godot3::Packet<'_>, item: &SessionEvent<'_>, start: usize) {
        self.take(1, item.message.name());
        match packet {
            godot3::Packet::Call(call) | godot3::Packet::Set(call) => {
                self.node(4, item);
                let what = match packet {
                    godot3::Packet::Call(_) => "method",
                    _ => "property",
                };
                self.take(
                    call.name().as_bytes().len() + 1,
                    format!("{what} {}", call.name()),
                );
                if matches!(packet, godot3::Packet::Call(_)) {
                    let count = self.byte();
                    self.take(1, words::plural(count.into(), "argument"));
                }
                self.values(call.args(), start, "args");
                self.take(usize::MAX, "path of the node, and NUL");
            }
            godot3::Packet::SimplifyPath { id, .. } => {
                self.take(4, format!("id {id}"));
                self.take(usize::MAX, "path, and NUL");
            }
            godot3::Packet::ConfirmPath { .. } => self.take(usize::MAX, "path, and NUL"),
            godot3::Packet::Raw(_) => self.take(usize::MAX, "the game's own bytes"),
        }
    }
}
