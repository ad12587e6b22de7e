//! `dissector`: prints a dissector for Wireshark, with tables made from the tables of this program.

use std::{fmt::Write, io};

use gdvar_packet::{
    Dialect, Encode,
    enet::{Body, Command, Fragment, Handshake},
    godot3, godot4,
};
use gdvar_view::Kind;
use gdvar_wire::TypeId;

use crate::{app::App, show::summary::kind_name};

/// The parts of the script in their order, joined because Wireshark wants one file.
const SCRIPT: &str = concat!(
    include_str!("dissector/gdvar.lua"),
    include_str!("dissector/values.lua"),
    include_str!("dissector/packets.lua"),
    include_str!("dissector/carriers.lua"),
    include_str!("dissector/wireshark.lua"),
    include_str!("dissector/costs.lua"),
);
const ZSTD: &str = include_str!("dissector/zstd.lua");
const UNPACK: &str = include_str!("dissector/unpack.lua");

/// Runs the command.
///
/// # Errors
/// Returns the error of the output.
pub(crate) fn run(app: &mut App) -> io::Result<()> {
    let script = SCRIPT.replace("--@TABLES@", tables().trim_end());
    let unpack = format!("{ZSTD}\n{}", UNPACK.trim_end());
    app.raw(script.replace("--@UNPACK@", &unpack).as_bytes())
}

/// Formats a Lua table of names by number.
fn table(name: &str, entries: impl IntoIterator<Item = (usize, &'static str)>) -> String {
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
    use godot3::Command as Command3;
    use godot4::{Command as Command4, Sys};

    let mut text = String::new();
    for (name, dialect) in [("TYPES4", Dialect::GODOT_4), ("TYPES3", Dialect::GODOT_3)] {
        text += &table(name, kinds(dialect).map(|(id, kind)| (id, kind.name())));
        let _ = write!(text, "{name}.SHOWN = {{");
        for (_, kind) in kinds(dialect) {
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
    // The lists are in the order of the numbers in packets.
    let commands4 = [
        Command4::Call,
        Command4::SimplifyPath,
        Command4::ConfirmPath,
        Command4::Raw,
        Command4::Spawn,
        Command4::Despawn,
        Command4::Sync,
        Command4::Sys,
    ];
    let relay = Sys::Relay {
        peer: 0,
        packet: &[],
    };
    let system = [Sys::Auth(&[]), Sys::AddPeer(0), Sys::DelPeer(0), relay];
    let commands3 = [
        Command3::Call,
        Command3::Set,
        Command3::SimplifyPath,
        Command3::ConfirmPath,
        Command3::Raw,
    ];
    text += &table(
        "COMMANDS4",
        commands4.map(Command4::name).into_iter().enumerate(),
    );
    text += &table("SYSTEM", system.map(Sys::name).into_iter().enumerate());
    text += &table(
        "COMMANDS3",
        commands3.map(Command3::name).into_iter().enumerate(),
    );
    let commands = enet_commands();
    let names = commands.map(|command| (usize::from(command.number()), command.name()));
    text += &table("ENET", names);
    text += "local ENET_SIZES = {";
    for command in commands {
        let size = command.size().unwrap_or_default();
        let _ = write!(text, " [{}] = {size},", command.number());
    }
    text + " }\n"
}

/// Returns the type numbers of a dialect with their types.
fn kinds(dialect: Dialect) -> impl Iterator<Item = (usize, Kind)> {
    let kind = move |id: u8| Some((usize::from(id), dialect.kind(TypeId(id))?));
    (0..dialect.type_count()).filter_map(kind)
}

/// Formats a Lua table with the number of components of each mathematical type. A component has four bytes without the
/// 64-bit flag.
fn math() -> String {
    let mut text = "local MATH = {".to_owned();
    for (id, kind) in kinds(Dialect::GODOT_4) {
        let has_components = kind.has_reals() || kind.name().ends_with('i') || kind == Kind::Color;
        let bytes = Dialect::GODOT_4.fixed_payload(TypeId(id as u8), false);
        if let Some(bytes) = bytes.filter(|_| has_components && kind != Kind::Float) {
            let _ = write!(text, " {} = {},", kind.name(), bytes / 4);
        }
    }
    text + " }\n"
}

/// Returns one command of each kind, each with an empty packet.
fn enet_commands() -> [Command<'static>; 12] {
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
    bodies.map(|body| Command::reliable(0, 0, body))
}
