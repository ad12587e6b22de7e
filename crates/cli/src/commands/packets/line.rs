//! A packet as a line, for people and as JSON.

use std::{collections::BTreeSet, fmt::Write as _, net::SocketAddr, time::Duration};

use gdvar_packet::{
    Direction, Message, Named, SessionEvent, TransportInfo, Value, ValueContent, Values,
    enet::Delivery,
    gdvar_view::VariantRef,
    godot3, godot4,
    names::{Names, ScriptMatch},
};
use gdvar_view::Found;

use super::{seconds, source::Account};
use crate::{
    show::{notation, rows, value},
    terminal::safe_text,
};

/// The sender and the receiver: `client 1 > server`, or the peers' ids where they are known.
pub(super) fn way(item: &SessionEvent<'_>) -> String {
    let mut out = String::new();
    write_way(&mut out, item);
    out
}

/// Appends [`way`].
pub(super) fn write_way(out: &mut String, item: &SessionEvent<'_>) {
    let peer = |out: &mut String, id: Option<i32>| {
        let _ = match id {
            Some(1) => write!(out, "server"),
            Some(0) => write!(out, "all"),
            Some(id) => write!(out, "{id}"),
            None => write!(out, "client {}", item.link),
        };
    };
    let (from, to) = match item.direction {
        Direction::ToServer => (item.source, item.target.or(Some(1))),
        Direction::ToClient => (item.source.or(Some(1)), item.target),
    };
    peer(out, from);
    out.push_str(" > ");
    peer(out, to);
}

/// The method of a call: its name, or its number where nobody knows the name.
pub(super) fn method(item: &SessionEvent<'_>, name: Option<&str>) -> Option<String> {
    let mut out = String::new();
    write_method(&mut out, item, name).then_some(out)
}

/// Appends [`method`]. `false` if there is none.
pub(super) fn write_method(out: &mut String, item: &SessionEvent<'_>, name: Option<&str>) -> bool {
    let _ = match (name, item.message.method()) {
        (Some(name), _) => write!(out, "{name}"),
        (None, Some(Named::Name(name))) => write!(out, "{name}"),
        (None, Some(Named::Number(id))) => write!(out, "#{id}"),
        (None, None) => return false,
    };
    true
}

fn notation_of(value: VariantRef<'_>) -> String {
    match notation::line(value) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => format!("<{error}>"),
    }
}

pub(super) fn one(value: Value<'_>) -> String {
    match value.content() {
        ValueContent::Bool(bool) => bool.to_string(),
        ValueContent::Int(int) => int.to_string(),
        ValueContent::Bytes(bytes) => format!("<{} bytes>", bytes.len()),
        ValueContent::Variant(value) => notation_of(value),
    }
}

fn one_json(value: Value<'_>) -> Vec<u8> {
    match value.content() {
        ValueContent::Variant(variant) => value::json(Found::Value(variant))
            .unwrap_or_else(|error| value::string(&error.to_string())),
        ValueContent::Bytes(bytes) => value::string(&data_encoding::HEXLOWER.encode(bytes)),
        _ => one(value).into_bytes(),
    }
}

fn all<T>(mut values: Values<'_>, each: impl Fn(Value<'_>) -> T) -> Vec<T> {
    let mut out = Vec::new();
    while let Ok(Some(value)) = values.try_next() {
        out.push(each(value));
    }
    out
}

/// The words besides the command.
fn content(item: &SessionEvent<'_>, name: Option<&str>) -> String {
    if let Some(args) = item.message.args() {
        let args = all(args, one).join(", ");
        let node = item.node_path().unwrap_or("?");
        let method = method(item, name).unwrap_or_default();
        return match item.message {
            Message::Godot3(godot3::Packet::Set(_)) => format!("{node}.{method} = {args}"),
            _ => format!("{node}.{method}({args})"),
        };
    }
    match item.message {
        Message::Godot4(godot4::Packet::SimplifyPath(path)) => {
            format!("{} = {}", path.id, path.path)
        }
        Message::Godot4(godot4::Packet::Spawn(spawn)) => {
            format!("{} net_id={}", spawn.name(), spawn.net_id())
        }
        Message::Godot4(godot4::Packet::Despawn { net_id }) => format!("net_id={net_id}"),
        Message::Godot4(godot4::Packet::Sync(sync)) => {
            let mut entries = sync.entries();
            let mut parts = Vec::new();
            while let Ok(Some(entry)) = entries.try_next() {
                let values = all(entry.values(), one).join(", ");
                parts.push(format!("net_id={} ({values})", entry.net_id()));
            }
            parts.join(" ")
        }
        Message::Godot4(godot4::Packet::Delta(delta)) => {
            let mut entries = delta.entries();
            let mut parts = Vec::new();
            while let Ok(Some(entry)) = entries.try_next() {
                let values = all(entry.values(), one).join(", ");
                parts.push(format!(
                    "net_id={} mask={:#x} ({values})",
                    entry.net_id(),
                    entry.mask()
                ));
            }
            parts.join(" ")
        }
        Message::Godot4(godot4::Packet::Raw(bytes))
        | Message::Godot3(godot3::Packet::Raw(bytes)) => {
            format!("{} bytes", bytes.len())
        }
        Message::Godot3(godot3::Packet::SimplifyPath { id, path }) => format!("{id} = {path}"),
        Message::Godot3(godot3::Packet::ConfirmPath { path }) => path.to_string(),
        Message::Value(value) => notation_of(value),
        Message::Debugger(message) => {
            format!("{} {}", message.name(), notation_of(message.args().value()))
        }
        Message::Damaged { error, bytes } => format!("{error} ({} bytes)", bytes.len()),
        _ => String::new(),
    }
}

pub(super) const SENT_AGAIN: &str = "sent again";
pub(super) const CAME_TWICE: &str = "came twice";

/// Tells why the same packet came before; `None` if it did not.
pub(super) fn again(item: &SessionEvent<'_>) -> Option<&'static str> {
    let TransportInfo::Enet {
        delivery,
        is_resent: true,
        ..
    } = item.transport
    else {
        return None;
    };
    match delivery {
        Some(Delivery::Unreliable | Delivery::UnreliableOrdered) => Some(CAME_TWICE),
        _ => Some(SENT_AGAIN),
    }
}

/// Tells when the project's scripts do not have the methods that the packet's sender has.
fn warning(item: &SessionEvent<'_>, names: &Names) -> Option<&'static str> {
    let (path, md5) = match item.message {
        Message::Godot4(godot4::Packet::Call(_)) => {
            let node = item.node()?;
            (node.path(), node.md5()?)
        }
        _ => return None,
    };
    match names.script_match(path, md5) {
        ScriptMatch::Differs(_) => {
            Some("the sender's script has other remote methods than the project's")
        }
        _ => None,
    }
}

/// When, from whom to whom, how long, and which command.
pub(crate) fn head(time: Duration, item: &SessionEvent<'_>) -> String {
    format!(
        "{:>TIME$}  {:<26} {:>6} B  {}",
        seconds(time),
        way(item),
        item.bytes.len(),
        item.message.name()
    )
}

/// The same as JSON, with a remark, ended by a newline.
pub(crate) fn json_head(time: Duration, item: &SessionEvent<'_>, remark: &str) -> Vec<u8> {
    rows::object(&[
        ("time", seconds(time).into_bytes()),
        ("link", item.link.to_string().into_bytes()),
        ("bytes", item.bytes.len().to_string().into_bytes()),
        ("command", value::string(item.message.name())),
        ("remark", value::string(remark)),
    ])
}

/// The servers of a capture. A line names its server where there are several.
#[derive(Default)]
pub(super) struct Servers {
    seen: BTreeSet<SocketAddr>,
    expected: usize,
}

impl Servers {
    pub(super) fn expect(servers: usize) -> Servers {
        Servers {
            seen: BTreeSet::new(),
            expected: servers,
        }
    }

    /// A line with the server after its time, if others are known.
    pub(super) fn name(&mut self, server: SocketAddr, mut line: Vec<u8>) -> Vec<u8> {
        self.seen.insert(server);
        if self.expected > 1 || self.seen.len() > 1 {
            let at = TIME.min(line.len());
            let server = format!("  {:<21}", server.to_string());
            line.splice(at..at, server.into_bytes());
        }
        line
    }
}

/// The width of the time.
const TIME: usize = 12;

/// For people, ended by a newline.
pub(crate) fn text(
    time: Duration,
    item: &SessionEvent<'_>,
    name: Option<&str>,
    names: &Names,
) -> Vec<u8> {
    let mut line = head(time, item);
    let content = content(item, name);
    if !content.is_empty() {
        line += " ";
        line += &safe_text::safe_line(&content);
    }
    if item.is_relayed {
        line += "  (relayed)";
    }
    if let Some(again) = again(item) {
        line += &format!("  ({again})");
    }
    if let Some(warning) = warning(item, names) {
        line += &format!("  ({warning})");
    }
    line.push('\n');
    line.into_bytes()
}

/// As JSON, ended by a newline. `ends` are the addresses of server and client, if the capture names them.
pub(crate) fn json(
    time: Duration,
    ends: Option<[SocketAddr; 2]>,
    item: &SessionEvent<'_>,
    name: Option<&str>,
    names: &Names,
) -> Vec<u8> {
    let number = |number: Option<i32>| number.map_or("null".into(), |n| n.to_string().into_bytes());
    let direction = match item.direction {
        Direction::ToServer => "to server",
        Direction::ToClient => "to client",
    };
    let mut fields = vec![
        ("time", seconds(time).into_bytes()),
        ("link", item.link.to_string().into_bytes()),
    ];
    if let Some([server, client]) = ends {
        fields.push(("server", value::string(&server.to_string())));
        fields.push(("client", value::string(&client.to_string())));
    }
    fields.extend([
        ("direction", value::string(direction)),
        ("source", number(item.source)),
        ("target", number(item.target)),
        ("bytes", item.bytes.len().to_string().into_bytes()),
        ("command", value::string(item.message.name())),
    ]);
    if let Some(path) = item.node_path() {
        fields.push(("node", value::string(path)));
    }
    if let Some(method) = method(item, name) {
        fields.push(("method", value::string(&method)));
    }
    match item.message {
        Message::Value(value) => {
            if let Ok(json) = value::json(Found::Value(value)) {
                fields.push(("value", json));
            }
        }
        Message::Damaged { error, .. } => {
            fields.push(("error", value::string(&error.to_string())));
        }
        _ => {}
    }
    if let Some(args) = item.message.args() {
        let args = all(args, one_json).join(&b","[..]);
        fields.push(("args", [b"[", &args[..], b"]"].concat()));
    } else {
        let content = content(item, name);
        if !content.is_empty() {
            fields.push(("content", value::string(&content)));
        }
    }
    if item.is_relayed {
        fields.push(("relayed", b"true".to_vec()));
    }
    match again(item) {
        Some(SENT_AGAIN) => fields.push(("sent_again", b"true".to_vec())),
        Some(_) => fields.push(("came_twice", b"true".to_vec())),
        None => {}
    }
    if let Some(warning) = warning(item, names) {
        fields.push(("warning", value::string(warning)));
    }
    rows::object(&fields)
}

/// How much of a capture was read, as the last line of JSON.
pub(super) fn account(account: &Account) -> Vec<u8> {
    let missing: u64 = account.unread.values().sum();
    let number = |number: u64| number.to_string().into_bytes();
    let reasons = account.unread.iter();
    let reasons = reasons.map(|(why, count)| format!("\"{}\":{count}", why.name()));
    let not_read = format!("{{{}}}", reasons.collect::<Vec<_>>().join(","));
    rows::object(&[
        ("read", number(account.packets.saturating_sub(missing))),
        ("packets", number(account.packets)),
        ("not_read", not_read.into_bytes()),
    ])
}
