//! `dissector`: a dissector for Wireshark, with the tables that the rest of this is made of.

use std::{fmt::Write, io};

use gdvar_packet::{
    Dialect,
    enet::{Body, Command, Fragment, Handshake},
    godot3, godot4,
};
use gdvar_view::Kind;
use gdvar_wire::TypeId;

use crate::{app::App, show::one_line::kind_name};

/// The parts of the script, in the order in which it has them: Wireshark wants one file.
const SCRIPT: &str = concat!(
    include_str!("dissector/gdvar.lua"),
    include_str!("dissector/values.lua"),
    include_str!("dissector/packets.lua"),
    include_str!("dissector/carriers.lua"),
    include_str!("dissector/wireshark.lua"),
);
const ZSTD: &str = include_str!("dissector/zstd.lua");
const UNPACK: &str = include_str!("dissector/unpack.lua");

/// Runs the command.
///
/// # Errors
/// If the output fails.
pub(crate) fn run(app: &mut App) -> io::Result<()> {
    let script = SCRIPT.replace("--@TABLES@", tables().trim_end());
    let unpack = format!("{ZSTD}\n{}", UNPACK.trim_end());
    app.raw(script.replace("--@UNPACK@", &unpack).as_bytes())
}

/// A table of names by number.
fn table<'n>(name: &str, entries: impl IntoIterator<Item = (usize, &'n str)>) -> String {
    let mut text = format!("local {name} = {{\n ");
    let mut column = 1;
    for (number, entry) in entries {
        let entry = format!(" [{number}] = \"{entry}\",");
        if column + entry.len() > 110 {
            text += "\n ";
            column = 1;
        }
        column += entry.len();
        text += &entry;
    }
    text + "\n}\n"
}

fn tables() -> String {
    let mut text = String::new();
    for (name, dialect) in [("TYPES4", Dialect::GODOT_4), ("TYPES3", Dialect::GODOT_3)] {
        let kinds = (0..dialect.type_count())
            .filter_map(|id| Some((usize::from(id), kind(dialect, id)?.name())));
        text += &table(name, kinds);
        let _ = write!(text, "{name}.SHOWN = {{");
        for kind in (0..dialect.type_count()).filter_map(|id| kind(dialect, id)) {
            let shown = kind_name(dialect, kind);
            if shown != kind.name() {
                let _ = write!(text, " {} = \"{shown}\",", kind.name());
            }
        }
        text += " }\n";
    }
    let _ = writeln!(text, "TYPES3.RID_ID = {}", Dialect::GODOT_3.rid_has_id());
    text += &math();
    let array = Dialect::GODOT_4.type_id(Kind::Array).map_or(0, |id| id.0);
    let _ = writeln!(text, "local ARRAY4 = {array}");
    text += &table("COMMANDS4", godot4_commands().into_iter().enumerate());
    text += &table("SYSTEM", godot4_system().into_iter().enumerate());
    text += &table("COMMANDS3", godot3_commands().into_iter().enumerate());
    let commands = enet_commands();
    text += &table(
        "ENET",
        commands
            .iter()
            .map(|(command, _)| (command.number().into(), command.name())),
    );
    text += "local ENET_SIZES = {";
    for (command, size) in commands {
        let _ = write!(text, " [{}] = {size},", command.number());
    }
    text + " }\n"
}

fn kind(dialect: Dialect, id: u8) -> Option<Kind> {
    dialect.kind(TypeId(id))
}

/// The number of components of each type of mathematics: four bytes each, in the narrow form.
fn math() -> String {
    let mut text = "local MATH = {".to_owned();
    for id in 0..Dialect::GODOT_4.type_count() {
        let Some(kind) = kind(Dialect::GODOT_4, id) else {
            continue;
        };
        let bytes = Dialect::GODOT_4.fixed_payload(TypeId(id), false);
        let Some(bytes) =
            bytes.filter(|_| kind.has_reals() || kind.name().ends_with('i') || kind == Kind::Color)
        else {
            continue;
        };
        if kind != Kind::Float {
            let _ = write!(text, " {} = {},", kind.name(), bytes / 4);
        }
    }
    text + " }\n"
}

/// By their numbers; SYS goes by the name of what it says.
fn godot4_commands() -> Vec<&'static str> {
    use godot4::Command::{Call, ConfirmPath, Despawn, Raw, SimplifyPath, Spawn, Sync, Sys};
    let commands = [
        Call,
        SimplifyPath,
        ConfirmPath,
        Raw,
        Spawn,
        Despawn,
        Sync,
        Sys,
    ];
    commands.map(godot4::Command::name).into()
}

fn godot4_system() -> Vec<&'static str> {
    use godot4::Sys::{AddPeer, Auth, DelPeer, Relay};
    let relay = Relay {
        peer: 0,
        packet: &[],
    };
    [Auth(&[]), AddPeer(0), DelPeer(0), relay]
        .map(godot4::Sys::name)
        .into()
}

fn godot3_commands() -> Vec<&'static str> {
    use godot3::Command::{Call, ConfirmPath, Raw, Set, SimplifyPath};
    [Call, Set, SimplifyPath, ConfirmPath, Raw]
        .map(godot3::Command::name)
        .into()
}

/// One of each, and how many bytes it takes without a packet.
fn enet_commands() -> Vec<(Command<'static>, usize)> {
    use gdvar_packet::Encode;
    let handshake = Handshake::client(0, 1, 0);
    let piece = |reliable| {
        Body::Fragment(Fragment {
            reliable,
            start: 0,
            count: 1,
            number: 0,
            total: 0,
            offset: 0,
            data: &[],
        })
    };
    let bodies = [
        Body::Acknowledge {
            sequence: 0,
            sent_time: 0,
        },
        Body::Connect { handshake, data: 0 },
        Body::VerifyConnect(handshake),
        Body::Disconnect { data: 0 },
        Body::Ping,
        Body::Reliable(&[]),
        Body::Unreliable {
            number: 0,
            packet: &[],
        },
        piece(true),
        Body::Unsequenced {
            group: 0,
            packet: &[],
        },
        Body::BandwidthLimit {
            incoming: 0,
            outgoing: 0,
        },
        Body::ThrottleConfigure {
            interval: 0,
            acceleration: 0,
            deceleration: 0,
        },
        piece(false),
    ];
    let command = |body| {
        let command = Command::reliable(0, 0, body);
        (command, command.size().unwrap_or_default())
    };
    bodies.map(command).into()
}
