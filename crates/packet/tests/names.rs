//! Names of methods, proven by the MD5 of captured packets.

mod common;

use std::fs;

use common::{Capture, folder, names};
use gdvar_packet::{
    Direction, Engine, Filter, Message, PacketEdit, PacketEditor, PacketErrorKind, Session,
    Transport, godot4,
    names::{Names, ScriptMatch},
};

#[test]
fn the_md5_of_the_captures_proves_the_names() {
    // The project of the captures: `net4.gd` has the remote methods.
    let scripts = Names::scan(folder().join("scripts")).unwrap();
    let net = scripts
        .scripts()
        .iter()
        .find(|script| script.path() == "res://net4.gd");
    let net = net.expect("net4.gd");
    assert_eq!(net.configured(), ["i_configured"]);
    assert_eq!(net.annotated().len(), 8);
    let (mut calls, mut told) = (0, 0);
    for name in names().iter().filter(|name| name.starts_with("g4-")) {
        let capture = Capture::load(name);
        if !matches!(capture.transport, Transport::Enet | Transport::WebSocket) {
            continue;
        }
        // The logs contain the names of all executed calls.
        let mut logged: Vec<String> = Vec::new();
        for (_, log) in capture.client_logs() {
            logged.extend(log.received(log.id()).into_iter().map(|call| call.method));
        }
        logged.extend(
            capture
                .log("server")
                .received(1)
                .into_iter()
                .map(|call| call.method),
        );
        let mut session = Session::new(capture.engine, capture.transport);
        for piece in &capture.pieces {
            session.receive(
                piece.link,
                piece.direction,
                &piece.bytes,
                |event| match event.message {
                    Message::Godot4(godot4::Packet::SimplifyPath(simplify)) => {
                        let path = simplify.path.to_str().unwrap();
                        match scripts.script_match(path, simplify.md5) {
                            // The halls of `crowd4.gd` have a script with a base class.
                            ScriptMatch::Proven(script) if name.contains("-crowd") => {
                                assert_eq!(script.path(), "res://hall4.gd", "{path}");
                            }
                            ScriptMatch::Proven(script) => assert_eq!(script, net, "{path}"),
                            proof => assert_eq!(proof, ScriptMatch::None, "{path}"),
                        }
                        told += 1;
                    }
                    Message::Godot4(godot4::Packet::Call(_)) => {
                        let method = scripts.method(&event).expect("a name");
                        // A hall adds its path to the name.
                        let is_it = |name: &String| name.split('@').next() == Some(method);
                        assert!(logged.iter().any(is_it), "{method}");
                        calls += 1;
                    }
                    _ => {}
                },
            );
        }
        let client = session.state().client(1);
        assert!(
            session
                .state()
                .paths(1, client)
                .all(|(_, node)| node.matches() != Some(false))
        );
    }
    assert!(calls > 800 && told > 300, "{calls}, {told}");
}

/// A project of four scripts, two scenes and an autoload.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "base.gd",
        "class_name Base extends Node\n@rpc func shared(): pass\n",
    );
    write(
        "player.gd",
        "extends Base\n@rpc(\"any_peer\") func hit(damage): pass\n@rpc func heal(): pass\n",
    );
    write("enemy.gd", "extends \"base.gd\"\n@rpc func bite(): pass\n");
    write(
        "project.godot",
        "config_version=5\n\n[autoload]\n\nFoes=\"*res://enemy.gd\"\n\n[debug]\n\nx=1\n",
    );
    write("plain.gd", "extends Node\nfunc hit(): pass\n");
    write(
        "player.tscn",
        r#"[gd_scene load_steps=3 format=3]

[ext_resource type="Script" path="res://player.gd" id="1_x"]

[sub_resource type="GDScript" id="GDScript_1"]
script/source = "extends Node
@rpc func look(at: String = \"[node\"): pass
"

[node name="Player" type="Node2D"]
script = ExtResource("1_x")

[node name="Eyes" type="Node" parent="."]
script = SubResource("GDScript_1")
"#,
    );
    write(
        "world.tscn",
        r#"[gd_scene load_steps=3 format=3]

[ext_resource type="PackedScene" uid="uid://b" path="res://player.tscn" id="1"]
[ext_resource type="Script" path="res://enemy.gd" id="2"]

[node name="World" type="Node"]

[node name="Hero" parent="." instance=ExtResource("1")]

[node name="Enemies" type="Node" parent="."]

[node name="Slime" type="Node" parent="Enemies"]
script = ExtResource("2")
"#,
    );
    fs::create_dir(folder.path().join(".godot")).unwrap();
    write(".godot/cache.gd", "@rpc func not_of_the_project(): pass");
    folder
}

/// An MD5 of names, computed by another program: `printf 'healhitshared' | md5sum`.
const PLAYER: &[u8; 32] = b"60194071c34d7312e3db2c7669456c23";

#[test]
fn scripts_that_extend_scripts_and_scenes_in_scenes_are_understood() {
    let folder = project();
    let names = Names::scan(folder.path()).unwrap();
    let paths: Vec<_> = names.scripts().iter().map(|script| script.path()).collect();
    let expected = [
        "res://base.gd",
        "res://enemy.gd",
        "res://player.gd",
        "res://player.tscn::GDScript_1",
    ];
    assert_eq!(paths, expected);
    let player = &names.scripts()[2];
    // The engine agrees: `get_rpc_config()` includes the methods of the base script.
    assert_eq!(player.annotated(), ["heal", "hit", "shared"]);
    assert_eq!(
        (player.method(1), player.method(3), player.method(0x8000)),
        (Some("hit"), None, None)
    );
    assert_eq!(player.md5(), PLAYER);
    assert_eq!(
        names.script_match("Anything", PLAYER),
        ScriptMatch::Proven(player)
    );

    let at = |path: &str| names.expected(path).map(|script| script.path());
    assert_eq!(at("World/Hero"), Some("res://player.gd"));
    assert_eq!(at("World/Hero/Eyes"), Some("res://player.tscn::GDScript_1"));
    assert_eq!(at("World/Enemies/Slime"), Some("res://enemy.gd"));
    assert_eq!(
        at("Players/123/Eyes"),
        Some("res://player.tscn::GDScript_1")
    );
    assert_eq!(at("World/Enemies"), None);
    assert_eq!(at("Foes"), Some("res://enemy.gd"));
}

/// Godot 4.6.3 compiled the script, without and with compression.
#[test]
fn a_compiled_script_has_the_names_of_its_text() {
    let scripts = folder().join("../scripts");
    let read = |name: &str| fs::read(scripts.join(name)).unwrap();
    let names = |path: &str, bytes: Vec<u8>| {
        let remap = b"[remap]\n\npath=\"res://a.gdc\"\n".to_vec();
        let files = [
            ("res://a.gd.remap".to_owned(), remap),
            (path.to_owned(), bytes),
        ];
        Names::of_files(files, []).scripts().to_vec()
    };
    let text = names("res://a.gd", read("remote4.gd"));
    assert_eq!(text[0].annotated(), ["after_lines", "hello", "two"]);
    assert_eq!(text[0].configured(), ["conf1", "conf2"]);
    for name in ["remote4.gdc", "remote4.zstd.gdc"] {
        assert_eq!(names("res://a.gdc", read(name)), text, "{name}");
    }
    // Without the file that says so, too.
    let bytes = read("remote4.gdc");
    let alone = Names::of_files([("res://a.gdc".to_owned(), bytes.clone())], []);
    assert_eq!(alone.scripts(), text);
    for len in 0..bytes.len() {
        let cut = Names::of_files([("res://a.gdc".to_owned(), bytes[..len].to_vec())], []);
        assert!(cut.scripts().is_empty(), "{len}");
    }
}

#[test]
fn another_version_of_the_game_is_noticed() {
    let folder = project();
    let names = Names::scan(folder.path()).unwrap();
    let player = &names.scripts()[2];
    // The other side has one method more: `printf 'dashhealhitshared' | md5sum`.
    let other = b"40799089cd0bcb87029340f8f85fbd65";
    assert_eq!(
        names.script_match("World/Hero", other),
        ScriptMatch::Differs(player)
    );
    assert_eq!(names.script_match("Nobody", other), ScriptMatch::Unknown);

    // The peers notice it too: the receiver of the path answers that it has other methods.
    let mut session = Session::new(Engine::Godot4, Transport::WebSocket);
    let head = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";
    let id = b"\x82\x04\x07\0\0\0";
    let confirm = b"\x82\x06\x02\0\x05\0\0\0";
    let mut simplify = b"\x82\x31\x01".to_vec();
    simplify.extend(other);
    simplify.extend(b"\0\x05\0\0\0World/Hero\0");
    simplify[1] = (simplify.len() - 2) as u8;
    use gdvar_packet::Direction::{ToClient, ToServer};
    session.receive(0, ToClient, &[&head[..], &id[..]].concat(), |_| {});
    session.receive(0, ToServer, &[&head[..], &simplify].concat(), |_| {});
    let node = |session: &Session| session.state().path(0, Some(7), 5).unwrap().clone();
    assert_eq!(node(&session).matches(), None);
    session.receive(0, ToClient, confirm, |_| {});
    assert_eq!(node(&session).matches(), Some(false));
    assert_eq!(node(&session).path(), "World/Hero");
}

/// The decision about the last packet under the rule `--drop 'method == "chat"'`.
fn fate(packets: &[(Direction, Vec<u8>)]) -> Result<PacketEdit, PacketErrorKind> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    file("net.gd", "@rpc func chat(): pass\n@rpc func move(): pass\n");
    file("other.gd", "@rpc func aaa(): pass\n@rpc func bbb(): pass\n");
    let autoload = "[autoload]\nNet=\"*res://net.gd\"\nOther=\"*res://other.gd\"\n";
    file("project.godot", autoload);
    let names = Names::scan(&folder).unwrap();
    let rule = Filter::parse("method == \"chat\"").unwrap();
    let mut editor = PacketEditor::new().drop_packets(rule);
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    let mut fate = Ok(PacketEdit::Unchanged);
    for (n, (direction, packet)) in packets.iter().enumerate() {
        let mut datagram = vec![0x80, 0, 0, 0, 0x86, 0, 0, n as u8 + 1];
        datagram.extend((packet.len() as u16).to_be_bytes());
        datagram.extend(packet);
        session.receive(0, *direction, &datagram, |event| {
            let edit = editor.edit(&event, names.executed(&event), &mut Vec::new());
            fate = edit.map_err(|error| error.kind());
        });
    }
    fate
}

#[test]
fn a_rule_for_a_name_is_not_evaded() {
    const UP: Direction = Direction::ToServer;
    let md5 = |of: &str| match of {
        // md5("chatmove"), md5("aaabbb").
        "net" => "846d1401c83a95f8fb42e1039e63acd8",
        _ => "6547436690a26a399603a7096e876a2d",
    };
    let simplify = |id: u8, path: &str, of: &str| {
        let text = format!("\x01{}\0", md5(of));
        (
            UP,
            [text.as_bytes(), &[id, 0, 0, 0], path.as_bytes(), &[0]].concat(),
        )
    };
    let confirm = |id: u8, is_right: bool| {
        (
            Direction::ToClient,
            vec![2, u8::from(is_right), id, 0, 0, 0],
        )
    };
    let call = |id: u8, method: u8| (UP, vec![0, id, method, 0]);
    let at = |path: &str, method: u8| {
        (
            UP,
            [&[0x20, 7, 0, 0, 0x80, method, 0], path.as_bytes(), &[0]].concat(),
        )
    };
    let relay = |packet: &[u8]| [&[7, 3, 0, 0, 0, 0], packet].concat();
    let unclear = Err(PacketErrorKind::Unclear { hides: true });
    let (dropped, passed) = (Ok(PacketEdit::Dropped), Ok(PacketEdit::Unchanged));
    let told = |of: &str| simplify(1, "Net", of);
    for (what, packets, expected) in [
        ("the usual way", vec![told("net"), call(1, 0)], dropped),
        ("another method", vec![told("net"), call(1, 1)], passed),
        ("a path alone", vec![at("Net", 0)], dropped),
        ("a path alone, another method", vec![at("Net", 1)], passed),
        ("a way around", vec![at("Other/../Net", 0)], dropped),
        ("no such node", vec![at("Net/.", 0)], unclear),
        ("no such method", vec![at("Net", 9)], unclear),
        ("an id that nobody gave", vec![call(5, 0)], unclear),
        (
            "another script's MD5",
            vec![told("other"), call(1, 0)],
            unclear,
        ),
        (
            "which the server refused",
            vec![told("other"), confirm(1, false), call(1, 0)],
            dropped,
        ),
        (
            "which the server is said to confirm for another node",
            vec![
                simplify(1, "Other", "other"),
                simplify(1, "Net", "other"),
                confirm(1, true),
                call(1, 0),
            ],
            dropped,
        ),
        (
            "a node made by code, confirmed",
            vec![simplify(1, "Made", "net"), confirm(1, true), call(1, 1)],
            passed,
        ),
        (
            "a node made by code",
            vec![simplify(1, "Made", "net"), call(1, 1)],
            unclear,
        ),
        ("relayed", vec![(UP, relay(&at("Net", 0).1))], dropped),
        (
            "relayed twice",
            vec![(UP, relay(&relay(&at("Net", 0).1)))],
            unclear,
        ),
        ("damaged", vec![(UP, vec![0x20, 7])], unclear),
        ("something else", vec![(UP, vec![3, 1, 2])], passed),
    ] {
        assert_eq!(fate(&packets), expected, "{what}");
    }
}
