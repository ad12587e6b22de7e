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
