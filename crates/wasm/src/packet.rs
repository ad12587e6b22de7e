//! Reports packets and conversations as the bytes of values. gdvar.wasm decodes them like any other
//! value, so no other conversion to JavaScript is needed.

use std::cell::RefCell;

use gdvar_packet::{
    Arg, Direction, Engine, Message, Named, NodeRef, Session, SessionEvent, Transport, Values,
    godot3, godot4,
};
use gdvar_view::ReadOptions;
use gdvar_write::{Target, Writer};

use crate::failure::Failure;

type Told = Writer<Vec<u8>>;

thread_local! {
    /// The sessions by number. Each has the target for the values that report its packets.
    static SESSIONS: RefCell<Vec<Option<(Session, Target)>>> = RefCell::default();
}

impl From<gdvar_packet::Error> for Failure {
    fn from(error: gdvar_packet::Error) -> Failure {
        let mut failure = Failure::new(error.kind().name(), error.kind());
        failure.offset = Some(error.offset() as u64);
        failure
    }
}

/// Creates a session of an engine (3 or 4) and a carrier, and returns its number.
pub(crate) fn begin(engine: u32, carrier: u32) -> u32 {
    let (engine, target) = match engine {
        3 => (Engine::Godot3, Target::GODOT_3),
        _ => (Engine::Godot4, Target::GODOT_4),
    };
    let carrier = match carrier {
        0 => Transport::Enet,
        1 => Transport::WebSocket,
        2 => Transport::Values,
        3 => Transport::Records,
        _ => Transport::Debugger,
    };
    let session = Some((Session::new(engine, carrier), target));
    SESSIONS.with_borrow_mut(|all| {
        if let Some(free) = all.iter().position(Option::is_none) {
            all[free] = session;
            return free as u32;
        }
        all.push(session);
        all.len() as u32 - 1
    })
}

/// Frees a session.
pub(crate) fn end(number: u32) {
    SESSIONS.with_borrow_mut(|all| {
        if let Some(place) = all.get_mut(number as usize) {
            *place = None;
        }
    });
}

/// Reports everything that a session finds in a datagram, or in a piece of a stream, as an Array of
/// Dictionaries.
pub(crate) fn hear(
    number: u32,
    bytes: &[u8],
    to_server: bool,
    link: u32,
) -> Result<Vec<u8>, Failure> {
    let direction = if to_server {
        Direction::ToServer
    } else {
        Direction::ToClient
    };
    SESSIONS.with_borrow_mut(|all| {
        let Some(Some((session, target))) = all.get_mut(number as usize) else {
            return Err(Failure::new("NoSession", "the session was ended"));
        };
        let mut told = Writer::new(Vec::new(), *target);
        let items = told.begin_growing_array()?;
        let mut done = Ok(());
        session.receive(link, direction, bytes, |item| {
            if done.is_ok() {
                done = heard(&item, &mut told);
            }
        });
        done?;
        told.end_growing(items)?;
        Ok(told.finish()?)
    })
}

fn heard(item: &SessionEvent<'_>, told: &mut Told) -> Result<(), Failure> {
    let mut bytes = item.bytes;
    let mut error = None;
    let fields = told.begin_growing_dict()?;
    field(told, "link", Arg::Int(item.link.into()))?;
    field(
        told,
        "toServer",
        Arg::Bool(item.direction == Direction::ToServer),
    )?;
    field(told, "source", item.source.map_or(Arg::Nil, Arg::from))?;
    field(told, "target", item.target.map_or(Arg::Nil, Arg::from))?;
    field(told, "relayed", Arg::Bool(item.is_relayed))?;
    field(told, "resent", Arg::Bool(item.transport.is_resent()))?;
    field(told, "command", Arg::Text(item.message.name()))?;
    field(told, "node", item.node_path().map_or(Arg::Nil, Arg::Text))?;
    match item.message {
        Message::Debugger(message) => {
            field(told, "method", Arg::Text(message.name()))?;
            told.string("args")?;
            let args = told.begin_growing_array()?;
            for value in message.args().iter() {
                raw(told, value?.raw()?)?;
            }
            told.end_growing(args)?;
        }
        Message::Value(value) => {
            field(told, "method", Arg::Nil)?;
            told.string("args")?;
            told.begin_array(1)?;
            raw(told, value.raw()?)?;
            told.end()?;
        }
        message => {
            match message {
                Message::Godot4(godot4::Packet::Raw(own))
                | Message::Godot3(godot3::Packet::Raw(own)) => bytes = own,
                Message::Damaged {
                    error: why,
                    bytes: own,
                } => {
                    error = Some(why.to_string());
                    bytes = own;
                }
                _ => {}
            }
            method(told, message.method())?;
            match message.args() {
                Some(args) => list(told, "args", args)?,
                None => field(told, "args", Arg::Nil)?,
            }
        }
    }
    field(told, "data", Arg::Bytes(bytes))?;
    field(told, "error", error.as_deref().map_or(Arg::Nil, Arg::Text))?;
    told.end_growing(fields)?;
    Ok(())
}

/// Reports one multiplayer packet of an engine (3 or 4), without a carrier, as a Dictionary.
pub(crate) fn parse(bytes: &[u8], engine: u32, options: ReadOptions) -> Result<Vec<u8>, Failure> {
    let mut told = Writer::new(Vec::new(), Target::from(options.dialect()));
    let fields = told.begin_growing_dict()?;
    if engine == 3 {
        let packet = godot3::Packet::parse_with(bytes, options)?;
        packet.validate()?;
        field(&mut told, "command", Arg::Text(packet.command().name()))?;
        parsed3(packet, &mut told)?;
    } else {
        let packet = godot4::Packet::parse_with(bytes, options)?;
        packet.validate()?;
        let message = Message::Godot4(packet);
        field(&mut told, "command", Arg::Text(message.name()))?;
        parsed4(packet, &mut told)?;
    }
    told.end_growing(fields)?;
    Ok(told.finish()?)
}

fn parsed3(packet: godot3::Packet<'_>, told: &mut Told) -> Result<(), Failure> {
    match packet {
        godot3::Packet::Call(call) | godot3::Packet::Set(call) => {
            node(told, call.node())?;
            method(told, Some(Named::Name(call.name())))?;
            list(told, "args", call.args())
        }
        godot3::Packet::SimplifyPath { id, path } => {
            field(told, "id", Arg::Int(id.into()))?;
            field(told, "path", Arg::Text(&path.to_string()))
        }
        godot3::Packet::ConfirmPath { path } => field(told, "path", Arg::Text(&path.to_string())),
        godot3::Packet::Raw(bytes) => field(told, "data", Arg::Bytes(bytes)),
    }
}

fn parsed4(packet: godot4::Packet<'_>, told: &mut Told) -> Result<(), Failure> {
    match packet {
        godot4::Packet::Call(call) => {
            node(told, call.node())?;
            method(told, Some(Named::Number(call.method_id())))?;
            list(told, "args", call.args())
        }
        godot4::Packet::SimplifyPath(path) => {
            // As the engine, which reads the text up to a NUL.
            let md5 = path.md5.split(|byte| *byte == 0).next();
            let md5 = String::from_utf8_lossy(md5.unwrap_or_default());
            field(told, "md5", Arg::Text(&md5))?;
            field(told, "id", Arg::Int(path.id.into()))?;
            field(told, "path", Arg::Text(&path.path.to_string()))
        }
        godot4::Packet::ConfirmPath(confirm) => {
            field(told, "matches", Arg::Bool(confirm.matches))?;
            field(told, "id", Arg::Int(confirm.id.into()))
        }
        godot4::Packet::Raw(bytes) => field(told, "data", Arg::Bytes(bytes)),
        godot4::Packet::Spawn(spawn) => {
            let scene = spawn
                .scene()
                .map_or(Arg::Nil, |scene| Arg::Int(scene.into()));
            field(told, "scene", scene)?;
            field(told, "spawner", Arg::Int(spawn.spawner().into()))?;
            field(told, "netId", Arg::Int(spawn.net_id().into()))?;
            told.string("syncs")?;
            let syncs = told.begin_growing_array()?;
            for id in spawn.syncs() {
                told.int(id.into())?;
            }
            told.end_growing(syncs)?;
            field(told, "name", Arg::Text(&spawn.name().to_string()))?;
            let mut custom = spawn.custom().into_iter().flatten();
            let custom = custom.next().transpose()?;
            field(told, "custom", custom.map_or(Ok(Arg::Nil), Arg::copy)?)?;
            list(told, "state", spawn.state())
        }
        godot4::Packet::Despawn { net_id } => field(told, "netId", Arg::Int(net_id.into())),
        godot4::Packet::Sync(sync) => {
            field(told, "time", Arg::Int(sync.time().into()))?;
            told.string("entries")?;
            let all = told.begin_growing_array()?;
            for entry in sync.entries() {
                let entry = entry?;
                let fields = told.begin_growing_dict()?;
                field(told, "netId", Arg::Int(entry.net_id().into()))?;
                list(told, "values", entry.values())?;
                told.end_growing(fields)?;
            }
            told.end_growing(all)?;
            Ok(())
        }
        godot4::Packet::Delta(delta) => {
            told.string("entries")?;
            let all = told.begin_growing_array()?;
            for entry in delta.entries() {
                let entry = entry?;
                let fields = told.begin_growing_dict()?;
                field(told, "netId", Arg::Int(entry.net_id().into()))?;
                told.string("indices")?;
                let indices = told.begin_growing_array()?;
                for bit in (0..64).filter(|bit| entry.mask() >> bit & 1 == 1) {
                    told.int(bit)?;
                }
                told.end_growing(indices)?;
                list(told, "values", entry.values())?;
                told.end_growing(fields)?;
            }
            told.end_growing(all)?;
            Ok(())
        }
        godot4::Packet::Sys(sys) => match sys {
            godot4::Sys::Auth(data) => field(told, "data", Arg::Bytes(data)),
            godot4::Sys::AddPeer(peer) | godot4::Sys::DelPeer(peer) => {
                field(told, "peer", Arg::from(peer))
            }
            godot4::Sys::Relay { peer, packet } => {
                field(told, "peer", Arg::from(peer))?;
                field(told, "packet", Arg::Bytes(packet))
            }
        },
    }
}

fn field(told: &mut Told, name: &str, value: Arg<'_>) -> Result<(), Failure> {
    told.string(name)?;
    put(told, value)
}

fn put(told: &mut Told, value: Arg<'_>) -> Result<(), Failure> {
    match value {
        Arg::Bool(value) => told.bool(value)?,
        Arg::Int(value) => told.int(value)?,
        Arg::Float(value) => told.float(value)?,
        Arg::Text(value) => told.string(value)?,
        Arg::Bytes(value) => told.packed_bytes(value)?,
        Arg::Encoded(value) => raw(told, value.bytes())?,
        _ => told.nil()?,
    }
    Ok(())
}

/// Writes the bytes of a value. The last value of a packet may lack its padding, which is then added.
fn raw(told: &mut Told, bytes: &[u8]) -> Result<(), Failure> {
    if bytes.len() % 4 == 0 {
        return Ok(told.raw_bytes(bytes)?);
    }
    let mut whole = bytes.to_vec();
    whole.resize(bytes.len().next_multiple_of(4), 0);
    Ok(told.raw_bytes(&whole)?)
}

fn list(told: &mut Told, name: &str, values: Values<'_>) -> Result<(), Failure> {
    told.string(name)?;
    let list = told.begin_growing_array()?;
    for value in values {
        put(told, Arg::copy(value?)?)?;
    }
    told.end_growing(list)?;
    Ok(())
}

fn node(told: &mut Told, node: NodeRef<'_>) -> Result<(), Failure> {
    match node {
        NodeRef::Id(id) => field(told, "node", Arg::Int(id.into())),
        NodeRef::Path(path) => field(told, "node", Arg::Text(&path.to_string())),
    }
}

fn method(told: &mut Told, method: Option<Named<'_>>) -> Result<(), Failure> {
    match method {
        Some(Named::Name(name)) => field(told, "method", Arg::Text(&name.to_string())),
        Some(Named::Number(number)) => field(told, "method", Arg::Int(number.into())),
        None => field(told, "method", Arg::Nil),
    }
}
