//! Formats a packet as a line, for people and as JSON.

use std::{
    collections::BTreeSet,
    fmt::{Display, Write as _},
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Direction, Message, Named, SessionEvent, TransportInfo, Value, ValueContent, Values,
    enet::Delivery,
    gdvar_view::VariantRef,
    godot3, godot4,
    names::{Names, ScriptMatch},
};
use gdvar_view::Found;

use super::{capture::Coverage, seconds};
use crate::{
    show::{notation, rows, value},
    terminal::safe_text,
};

/// The width of the time column.
const TIME: usize = 12;

/// Returns `true` for a command of the carrier itself, such as an acknowledgement or a ping, and for what a proxy sends
/// in place of a dropped packet.
pub(crate) fn is_carriers_own(item: &SessionEvent<'_>) -> bool {
    matches!(
        item.message,
        Message::Enet(_) | Message::WebSocket(_) | Message::Http | Message::Ignored
    )
}

/// Appends the sender and the receiver: `client 1 > server`. Uses peer ids if they are known.
pub(super) fn write_peers(out: &mut String, item: &SessionEvent<'_>) {
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

/// Returns the method of a call: its name, or its number if the name is unknown.
pub(super) fn method(item: &SessionEvent<'_>, name: Option<&str>) -> Option<String> {
    let mut out = String::new();
    write_method(&mut out, item, name).then_some(out)
}

/// Appends the text of [`method`]. Returns `false` if there is none.
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
        // The form that a PackedByteArray has among other arguments.
        ValueContent::Bytes(bytes) => {
            let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
            format!("[{}]", numbers.join(",")).into_bytes()
        }
        _ => one(value).into_bytes(),
    }
}

/// Formats the values that can be read, separated by commas.
fn list(values: Values<'_>) -> String {
    let values: Vec<_> = values.map_while(Result::ok).map(one).collect();
    values.join(", ")
}

/// Formats the part of the line after the command.
fn content(item: &SessionEvent<'_>, name: Option<&str>) -> String {
    if let Some(args) = item.message.args() {
        let node = item.node_path().unwrap_or("?");
        let method = method(item, name).unwrap_or_default();
        let args = list(args);
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
            let entries = sync.entries().map_while(Result::ok);
            let entries =
                entries.map(|one| format!("net_id={} ({})", one.net_id(), list(one.values())));
            entries.collect::<Vec<_>>().join(" ")
        }
        Message::Godot4(godot4::Packet::Delta(delta)) => {
            let entries = delta.entries().map_while(Result::ok).map(|one| {
                let (id, mask, values) = (one.net_id(), one.mask(), list(one.values()));
                format!("net_id={id} mask={mask:#x} ({values})")
            });
            entries.collect::<Vec<_>>().join(" ")
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

/// Returns why the packet came a second time, or `None` if it came for the first time.
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

/// Returns a warning if the sender of a call and the project have different remote methods at the node.
fn warning(item: &SessionEvent<'_>, names: &Names) -> Option<&'static str> {
    let Message::Godot4(godot4::Packet::Call(_)) = item.message else {
        return None;
    };
    let node = item.node()?;
    match names.script_match(node.path(), node.md5()?) {
        ScriptMatch::Differs(_) => {
            Some("the sender's script has other remote methods than the project's")
        }
        _ => None,
    }
}

/// Formats the time, the sender and the receiver, the size and the command.
pub(crate) fn head(time: Duration, item: &SessionEvent<'_>) -> String {
    let mut peers = String::new();
    write_peers(&mut peers, item);
    format!(
        "{:>TIME$}  {peers:<26} {:>6} B  {}",
        seconds(time),
        item.bytes.len(),
        item.message.name()
    )
}

/// Inserts the server into lines of text if there are several servers.
pub(super) struct ServerColumn {
    seen: BTreeSet<SocketAddr>,
    expected: usize,
}

impl ServerColumn {
    /// `expected` is the number of servers that are known before the first line, or 0 if it was not determined.
    pub(super) fn new(expected: usize) -> ServerColumn {
        ServerColumn {
            seen: BTreeSet::new(),
            expected,
        }
    }

    /// Inserts the server after the time, if several are expected or were seen.
    pub(super) fn insert(&mut self, server: SocketAddr, mut line: Vec<u8>) -> Vec<u8> {
        self.seen.insert(server);
        if self.expected > 1 || self.seen.len() > 1 {
            let at = TIME.min(line.len());
            let server = format!("  {:<21}", server.to_string());
            line.splice(at..at, server.into_bytes());
        }
        line
    }
}

/// Returns the line for people, including its newline.
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
    let relayed = item.is_relayed.then_some("relayed");
    let remarks = [relayed, again(item), warning(item, names)];
    for remark in remarks.into_iter().flatten() {
        line += &format!("  ({remark})");
    }
    line.push('\n');
    line.into_bytes()
}

/// Formats a number as JSON.
pub(super) fn number(number: impl Display) -> Vec<u8> {
    number.to_string().into_bytes()
}

/// Formats a direction as JSON.
pub(super) fn direction(direction: Direction) -> Vec<u8> {
    value::string(match direction {
        Direction::ToServer => "to server",
        Direction::ToClient => "to client",
    })
}

/// Returns the content of [`head`] and a remark as a line of JSON, including its newline.
pub(crate) fn json_head(time: Duration, item: &SessionEvent<'_>, remark: &str) -> Vec<u8> {
    rows::object(&[
        ("time", seconds(time).into_bytes()),
        ("link", number(item.link)),
        ("bytes", number(item.bytes.len())),
        ("command", value::string(item.message.name())),
        ("remark", value::string(remark)),
    ])
}

/// Returns the line as JSON, including its newline. `ends` are the addresses of server and client, if the capture has
/// them.
pub(crate) fn json(
    time: Duration,
    ends: Option<[SocketAddr; 2]>,
    item: &SessionEvent<'_>,
    name: Option<&str>,
    names: &Names,
) -> Vec<u8> {
    let peer = |id: Option<i32>| id.map_or("null".into(), number);
    let mut fields = vec![
        ("time", seconds(time).into_bytes()),
        ("link", number(item.link)),
    ];
    if let Some([server, client]) = ends {
        fields.push(("server", value::string(&server.to_string())));
        fields.push(("client", value::string(&client.to_string())));
    }
    fields.extend([
        ("direction", direction(item.direction)),
        ("source", peer(item.source)),
        ("target", peer(item.target)),
        ("bytes", number(item.bytes.len())),
        ("command", value::string(item.message.name())),
    ]);
    let node = item.node_path().map(value::string);
    fields.extend(node.map(|node| ("node", node)));
    let method = method(item, name);
    fields.extend(method.map(|method| ("method", value::string(&method))));
    match item.message {
        Message::Value(value) => {
            let json = value::json(Found::Value(value)).ok();
            fields.extend(json.map(|json| ("value", json)));
        }
        Message::Damaged { error, .. } => {
            fields.push(("error", value::string(&error.to_string())));
        }
        _ => {}
    }
    if let Some(args) = item.message.args() {
        let args: Vec<_> = args.map_while(Result::ok).map(one_json).collect();
        fields.push(("args", [b"[", &args.join(&b","[..])[..], b"]"].concat()));
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
    let warning = warning(item, names).map(value::string);
    fields.extend(warning.map(|warning| ("warning", warning)));
    rows::object(&fields)
}

/// Returns the last line of JSON, which says how much of a capture was read.
pub(super) fn coverage(coverage: &Coverage) -> Vec<u8> {
    let reasons = coverage.unread.iter();
    let reasons = reasons.map(|(why, count)| format!("\"{}\":{count}", why.name()));
    let not_read = format!("{{{}}}", reasons.collect::<Vec<_>>().join(","));
    let mut fields = vec![
        ("read", number(coverage.read())),
        ("packets", number(coverage.packets)),
        ("not_read", not_read.into_bytes()),
    ];
    if coverage.incomplete > 0 {
        fields.push(("incomplete", number(coverage.incomplete)));
    }
    rows::object(&fields)
}
