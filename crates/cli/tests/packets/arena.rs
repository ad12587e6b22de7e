//! Asks three questions about a game with a cheat and a bad network: what costs most, who cheats, and why packets are
//! late. The engine's own errors say what the cheat did.

use std::fs;

use serde_json::Value;

use super::{common, folder, stdout};

fn arena() -> String {
    let path = folder().join("arena");
    path.to_str().expect("a path").to_owned()
}

fn capture() -> String {
    format!("{}/g4-enet-arena.hex", arena())
}

fn lines(args: &[&str], exit: i32) -> Vec<Value> {
    let (capture, arena) = (capture(), arena());
    let head = ["packets", &capture, "--project", &arena, "--json-lines"];
    let text = stdout(&[&head[..], args].concat(), b"", exit);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn table<'l>(lines: &'l [Value], name: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["table"] == name).collect()
}

fn sum(rows: &[&Value], field: &str) -> u64 {
    rows.iter()
        .map(|row| row[field].as_u64().expect("a number"))
        .sum()
}

#[test]
fn the_bytes_of_synchronizers_are_those_of_sync_and_delta() {
    let lines = lines(&["--stats"], 0);
    let commands = table(&lines, "command");
    let command = |name: &str| {
        let row = commands.iter().find(|row| row["name"] == name);
        row.expect(name)["bytes"].as_u64().expect("bytes")
    };
    let synchronizers = table(&lines, "synchronizer");
    let all = sum(&synchronizers, "sync_bytes") + sum(&synchronizers, "delta_bytes");
    let headers = sum(&table(&lines, "replication_headers"), "bytes");
    assert_eq!(all + headers, command("SYNC") + command("DELTA"));
    let values = sum(&table(&lines, "property"), "bytes");
    let entries =
        8 * sum(&synchronizers, "sync_entries") + 16 * sum(&synchronizers, "delta_entries");
    assert_eq!(values + entries, all);
    let spawns = table(&lines, "spawn");
    assert_eq!(sum(&spawns, "spawn_bytes"), command("SPAWN"));
    assert_eq!(sum(&spawns, "despawn_bytes"), command("DESPAWN"));
}

#[test]
fn the_cheat_is_found_and_nobody_else() {
    let log = |role: &str| {
        let path = format!("{}/g4-enet-arena.{role}.log", arena());
        fs::read_to_string(path).expect("the log")
    };
    let id = |role: &str| {
        let log = log(role);
        let id = log.lines().find_map(|line| line.strip_prefix("ID "));
        id.expect("an id").parse::<i64>().expect("a number")
    };
    let (cheat, honest) = (id("cheat"), id("honest"));
    let server = log("server");
    let refused = |text: &str| server.lines().filter(|line| line.contains(text)).count();
    let mut lines = lines(&["--cheats"], 1);
    let account = lines.pop().expect("an account");
    assert_eq!(account["read"], account["packets"]);
    let of = |kind: &str| -> Vec<&Value> {
        let found = lines.iter().filter(|line| line["cheat"] == kind);
        found.collect()
    };
    // The server says the same: twice the authority, a type and a number of arguments.
    assert_eq!(of("authority").len(), refused("is not allowed on node"));
    assert_eq!(of("authority").len(), 2);
    assert_eq!(
        refused("Cannot convert argument 1 from Vector2 to String"),
        1
    );
    assert_eq!(
        refused("Method expected 2 argument(s), but called with 3"),
        1
    );
    let arguments = of("arguments");
    let [kind, number] = arguments[..] else {
        panic!("{arguments:?}")
    };
    let text = |finding: &Value| finding["text"].as_str().expect("a text").to_owned();
    assert!(
        text(kind).contains("Vector2 as args[0], but it takes String"),
        "{kind}"
    );
    assert!(
        text(number).contains("3 arguments, but it takes 1 to 2"),
        "{number}"
    );
    let floods = of("flood");
    assert_eq!(floods.len(), 1);
    assert!(text(floods[0]).contains("calls say 12"), "{}", floods[0]);
    assert!(refused("Ignoring sync data from non-authority") > 0);
    let stolen = of("not_theirs");
    assert_eq!(stolen.len(), 1);
    let expected = format!("Main/Players/{honest}/InputSync, which {honest} sends, too");
    assert!(text(stolen[0]).contains(&expected), "{}", stolen[0]);
    assert_eq!(lines.len(), 6);
    assert!(lines.iter().all(|line| line["source"] == cheat));
    // It is the number of the packet in the capture.
    let capture = fs::read_to_string(capture()).expect("the capture");
    let packet = kind["packet"].as_u64().expect("a number") as usize;
    let line = capture.lines().nth(packet - 1).expect("a line");
    // A Vector2 of (1, 2).
    assert!(line.contains("050000000000803f00000040"), "{line}");
}

/// Godot evaluates the arguments of `@rpc`. A script that says `any_peer` in another way accuses nobody.
#[test]
fn an_expression_in_rpc_accuses_nobody() {
    let honest = stdout(
        &["packets", &capture(), "--project", &arena(), "--cheats"],
        b"",
        1,
    );
    for (rpc, is_known) in [
        ("@rpc(AP, ", true),
        ("@rpc(\"any\" + \"_peer\", ", false),
        ("@rpc(Other.AP, ", false),
        ("@rpc((\"any_peer\"), ", false),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        for file in fs::read_dir(arena()).expect("the project") {
            let file = file.expect("a file");
            let target = folder.path().join(file.file_name());
            fs::copy(file.path(), &target).expect("a copy");
        }
        let main = folder.path().join("main.gd");
        let text = fs::read_to_string(&main).expect("main.gd");
        let say = "@rpc(\"any_peer\", \"call_remote\", \"reliable\") func say(";
        assert!(text.contains(say), "{text}");
        let changed = say.replace("@rpc(\"any_peer\", ", rpc);
        let changed = format!("const AP := \"any_peer\"\n{changed}");
        fs::write(&main, text.replace(say, &changed)).expect("main.gd");
        let project = folder.path().to_str().expect("a path");
        let output = common::gdvar(
            &["packets", &capture(), "--project", project, "--cheats"],
            b"",
        );
        assert_eq!(String::from_utf8_lossy(&output.stdout), honest, "{rpc}");
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        let said = notes.matches("is not judged").count();
        assert_eq!(said, usize::from(!is_known), "{rpc}: {notes}");
    }
}

#[test]
fn without_a_project_only_what_packets_show_is_found() {
    let capture = capture();
    let output = common::gdvar(&["packets", &capture, "--cheats"], b"");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.lines().count(), 2, "{text}");
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(notes.contains("could only be counted"), "{notes}");
    // An honest game has nothing.
    for name in [
        "g4-enet-nodes",
        "g4-enet-relay",
        "g4-enet-repl",
        "g3-enet-rpc",
    ] {
        let path = folder().join(format!("{name}.hex"));
        let scripts = folder().join("scripts");
        let [path, scripts] = [path, scripts].map(|path| path.to_str().expect("a path").to_owned());
        let args = ["packets", &path, "--cheats", "--project", &scripts];
        assert_eq!(stdout(&args, b"", 0), "", "{name}");
    }
}

#[test]
fn late_packets_have_the_causes_that_were_made() {
    let lines = lines(&["--late"], 0);
    let rows = table(&lines, "late");
    // Two players, three senders of inputs, and the score.
    assert_eq!(rows.len(), 6);
    let player = rows.iter().find(|row| row["properties"][0] == "position");
    let player = player.expect("a player");
    assert_eq!(player["interval_asked"], 0.1);
    // The relay lost datagrams of the server, which stalled for 0.4 s once, without a loss.
    let packets = table(&lines, "late_packet");
    let of_player: Vec<_> = packets
        .iter()
        .filter(|packet| packet["name"] == player["name"])
        .collect();
    let with = |cause: &str| of_player.iter().any(|packet| packet["cause"] == cause);
    assert!(with("lost"), "{of_player:?}");
    let stall = of_player.iter().find(|packet| packet["cause"] == "slow");
    let stall = stall.expect("the stall");
    assert!(
        stall["interval"].as_f64().expect("seconds") >= 0.4,
        "{stall}"
    );
    for packet in &packets {
        let missing = packet["missing"].as_u64().expect("a number");
        assert_eq!(packet["cause"] == "lost", missing > 0, "{packet}");
    }
    assert!(!table(&lines, "connection").is_empty());
}

#[test]
fn a_client_whose_connect_is_missing_is_named_so() {
    let (capture, arena) = (capture(), arena());
    let text = fs::read_to_string(capture).expect("the capture");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let late: Vec<&str> = lines.skip(150).collect();
    let args = ["-q", "packets", "-", "--late", "--project", &arena];
    let said = stdout(&args, late.join("\n").as_bytes(), 0);
    let is_unnamed = |line: &&str| line.contains(", to client ");
    let unnamed: Vec<&str> = said.lines().filter(is_unnamed).collect();
    assert!(unnamed.len() > 2, "{said}");
    for line in unnamed {
        assert!(
            line.contains(", whose CONNECT is not in the capture: "),
            "{line}"
        );
    }
}

/// Ids belong to the peer that announced them in SIMPLIFY_PATH; a SYNC or DELTA sets their highest bit. All other ids
/// are of nodes that Main/Spawner made.
#[test]
fn a_filter_finds_the_nodes_of_replication() {
    let all = lines(&[], 0);
    let mut paths = std::collections::HashMap::new();
    let mut expected: Vec<(u64, Vec<String>)> = Vec::new();
    for (place, packet) in all.iter().enumerate() {
        let content = packet["content"].as_str().unwrap_or_default();
        let source = packet["source"].as_i64().unwrap_or(1);
        match packet["command"].as_str().unwrap_or_default() {
            "SIMPLIFY_PATH" => {
                let (id, path) = content.split_once(" = ").expect("an id and a path");
                let id: u64 = id.parse().expect("a number");
                paths.insert((source, id | 1 << 31), path.to_owned());
            }
            "SPAWN" | "DESPAWN" => {
                expected.push((place as u64, vec!["Main/Spawner".to_owned()]));
            }
            "SYNC" | "DELTA" => {
                let ids = content.split("net_id=").skip(1);
                let ids = ids.map(|text| text.split(' ').next().expect("an id"));
                let nodes = ids.map(|id| {
                    let id: u64 = id.parse().expect("a number");
                    let spawned = || (id < 1 << 31).then(|| "Main/Spawner".to_owned());
                    let path = paths.get(&(source, id)).cloned();
                    path.or_else(spawned).expect("a path")
                });
                expected.push((place as u64, nodes.collect()));
            }
            _ => {}
        }
    }
    let commands = r#"(command == "SYNC" or command == "DELTA" or command == "SPAWN" or command == "DESPAWN")"#;
    let count = |filter: &str| {
        let found = lines(&["--filter", &format!("{commands} and {filter}")], 0);
        found
            .iter()
            .filter(|packet| !packet["time"].is_null())
            .count()
    };
    let mut nodes: Vec<&String> = expected.iter().flat_map(|(_, nodes)| nodes).collect();
    nodes.sort();
    nodes.dedup();
    assert!(nodes.len() >= 4, "{nodes:?}");
    for node in nodes {
        let has_it = expected
            .iter()
            .filter(|(_, nodes)| nodes.contains(node))
            .count();
        assert_eq!(count(&format!("node == {node:?}")), has_it, "{node}");
        let has_others =
            { expected.iter() }.filter(|(_, nodes)| nodes.iter().any(|one| one != node));
        assert_eq!(
            count(&format!("node != {node:?}")),
            has_others.count(),
            "{node}"
        );
    }
    assert_eq!(count("node"), expected.len());
    assert_eq!(count(r#"node contains "nowhere""#), 0);
}

/// The same packet has the same time, whether the carrier's own commands are shown or not.
#[test]
fn there_is_one_clock() {
    let games = lines(&[], 0);
    let all = lines(&["--all"], 0);
    assert!(all.len() > games.len());
    assert_eq!(all[0]["time"], 0.0);
    let mut rest = all.iter();
    for packet in &games[..games.len() - 1] {
        assert!(rest.any(|other| other == packet), "{packet}");
    }
}

#[test]
fn a_project_that_is_not_there_is_named() {
    let scratch = tempfile::tempdir().expect("a folder");
    let project = scratch.path().join("mygame");
    let project = common::path(&project);
    let capture = capture();
    for args in [
        &["packets", &*capture, "--project", project][..],
        &["packets", &capture, "--project", project, "--cheats"],
        &["proxy", "--udp", "7778", "7777", "--project", project],
    ] {
        let text = common::stderr(args, b"", 6);
        let says = format!(
            "--project {project}: there is no such folder or file; name the folder that has project.godot"
        );
        assert!(text.contains(&says), "{args:?}: {text}");
    }
}
