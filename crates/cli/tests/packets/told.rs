//! What lines and notes of `packets` say about objects, duplicates, servers, causes and DTLS, and
//! that they are printed at once.

use std::{fs, path::PathBuf};

use serde_json::Value;

use super::{beside, common, enet_captures, folder, json_lines, pcap, run, stdout};

#[test]
fn whole_objects_in_calls_are_shown() {
    // `objects4.gd` and `objects3.gd`: how many values there are, and how each is sent.
    for (name, values, calls) in [
        ("g4-enet-objects", 7, 3),
        ("g4-ws-objects", 7, 3),
        ("g3-enet-objects", 6, 3),
        ("g36-enet-objects", 5, 3),
    ] {
        let path = folder().join(format!("{name}.hex"));
        let path = path.to_str().expect("a path");
        let text = stdout(&["packets", path], b"", 0);
        assert!(!text.contains("DAMAGED"), "{name}: {text}");
        let of_calls = |text: &str| text.lines().filter(|line| line.contains("CALL ")).count();
        assert_eq!(of_calls(&text), values * calls, "{name}: {text}");
        let sword =
            "Object(Resource, \"resource_local_to_scene\": false, \"resource_name\": \"Sword\"";
        assert!(text.contains(sword), "{name}: {text}");

        let all = json_lines(name, &[]);
        let calls = all.iter().filter(|packet| packet["command"] == "CALL");
        let sword =
            |value: &Value| value["@class"] == "Resource" && value["resource_name"] == "Sword";
        let own = calls.filter(|packet| sword(&packet["args"][0])).count();
        assert_eq!(own, 2, "{name}");
        for (filter, count) in [
            ("args[0].resource_name == \"Sword\"", 2),
            ("args[0].item.resource_name contains \"wor\"", 2),
            ("args[1].pressed == true", 1),
        ] {
            let filter = format!("command == \"CALL\" and {filter}");
            assert_eq!(
                json_lines(name, &["--filter", &filter]).len(),
                count,
                "{name}: {filter}"
            );
        }

        let stats = stdout(&["packets", path, "--stats"], b"", 0);
        assert!(!stats.contains("DAMAGED"), "{name}: {stats}");
        let rows = stats.lines().filter(|line| line.contains("CALL "));
        let packets = rows.map(|row| row.split_whitespace().nth(1).expect("a count"));
        let sum: usize = packets
            .map(|count| count.parse::<usize>().expect("a count"))
            .sum();
        assert_eq!(sum, of_calls(&text), "{name}: {stats}");
        assert!(
            !stdout(&["packets", path, "--hex"], b"", 0).contains("not read"),
            "{name}"
        );
    }
}

/// `peer4.gd` sends a PackedByteArray alone, which has no type in the packet, and with another argument.
#[test]
fn a_packed_byte_array_is_a_list_in_every_place() {
    let lines = json_lines("g4-enet-rpc", &[]);
    for args in [
        serde_json::json!([[0xde, 0xad, 0xbe, 0xef, 1]]),
        serde_json::json!([[1, 2, 3], true]),
    ] {
        let found = lines.iter().filter(|line| line["args"] == args);
        assert_eq!(found.count(), 1, "{args}");
    }
}

/// The packets that did not come before, without their times.
fn first_ones(lines: &[Value]) -> Vec<Value> {
    let is_first = |line: &&Value| line["sent_again"].is_null() && line["came_twice"].is_null();
    let mut lines: Vec<Value> = lines.iter().filter(is_first).cloned().collect();
    for line in &mut lines {
        line["time"] = Value::Null;
    }
    lines
}

#[test]
fn what_the_network_delivers_twice_is_one_call() {
    let scratch = tempfile::tempdir().expect("a folder");
    let twice = scratch.path().join("twice.hex");
    let twice = twice.to_str().expect("a path");
    let rows = |path: &str| {
        let stats = stdout(&["packets", path, "--stats"], b"", 0);
        let rows = stats
            .lines()
            .filter(|row| row.contains("CALL ") || row.contains("SYNC"));
        // Bytes, packets, largest, and what it is; shares differ.
        let row = |row: &str| {
            let words: Vec<&str> = row.split_whitespace().collect();
            [&words[..3], &words[5..]].concat().join(" ")
        };
        let mut rows: Vec<String> = rows.map(row).collect();
        rows.sort();
        rows
    };
    for name in enet_captures() {
        let path = folder().join(format!("{name}.hex"));
        let path = path.to_str().expect("a path");
        let text = fs::read_to_string(path).expect("the capture");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let doubled: Vec<&str> = lines.flat_map(|line| [line, line]).collect();
        fs::write(twice, doubled.join("\n")).expect("it is written");
        let (heard, _) = run(&["packets", twice, "--json-lines"], b"");
        let heard = heard
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        let mut heard: Vec<Value> = heard.collect();
        heard.pop();
        let once = json_lines(&name, &[]);
        assert_eq!(first_ones(&heard), first_ones(&once), "{name}");
        assert_eq!(rows(twice), rows(path), "{name}");
    }
    let (text, _) = run(&["packets", twice], b"");
    assert!(text.contains("(sent again)"), "{text}");
    // Unreliable ones are never sent again.
    let path = folder().join("g4-enet-repl.hex");
    let text = fs::read_to_string(path).expect("the capture");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let doubled: Vec<&str> = lines.flat_map(|line| [line, line]).collect();
    let (text, _) = run(&["packets", "-"], doubled.join("\n").as_bytes());
    let sync = text.lines().filter(|line| line.contains(" SYNC "));
    let (odd, even): (Vec<_>, Vec<_>) = sync.enumerate().partition(|(n, _)| n % 2 == 1);
    assert!(odd.len() > 5 && odd.len() == even.len());
    assert!(
        odd.iter().all(|(_, line)| line.ends_with("  (came twice)")),
        "{text}"
    );
    assert!(
        even.iter().all(|(_, line)| !line.contains("came twice")),
        "{text}"
    );
}

#[test]
fn two_games_are_told_apart_by_their_servers() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("games.pcap");
    let games = beside(&pcap("g4-enet-rpc"), &pcap("g4-enet-zstd"), 20);
    fs::write(&path, &games).expect("it is written");
    let path = path.to_str().expect("a path");
    let servers = ["10.0.0.1:7777", "10.0.0.20:7777"];
    for more in [&[][..], &["--engine", "godot4", "--carrier", "enet"]] {
        let args = [&["-q", "packets", path], more].concat();
        let (text, _) = run(&args, b"");
        let named = |server: &str| {
            let word = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
            text.lines()
                .filter(|line| word(line).as_deref() == Some(server))
                .count()
        };
        let counts = servers.map(named);
        let alone = ["g4-enet-rpc", "g4-enet-zstd"].map(|name| json_lines(name, &[]).len());
        // Without reading ahead, the second server is not recognized at first.
        let missing = text.lines().count() - counts[0] - counts[1];
        assert!(
            missing <= if more.is_empty() { 0 } else { alone[0] },
            "{text}"
        );
        assert_eq!(counts[1], alone[1], "{text}");
        let (json, _) = run(&[&args[..], &["--json-lines"]].concat(), b"");
        let json: Vec<Value> = json
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        for (server, alone) in servers.iter().zip(alone) {
            let own = json.iter().filter(|line| line["server"] == *server);
            assert_eq!(own.count(), alone);
        }
        assert!(json.iter().any(|line| line["client"] == "10.0.0.9:40000"));
        let (stats, _) = run(&[&args[..], &["--stats"]].concat(), b"");
        for server in servers {
            assert!(
                stats.contains(&format!("  {server} CALL Net.#1\n")),
                "{stats}"
            );
        }
    }
    // One game needs no column.
    let one = scratch.path().join("one.pcap");
    fs::write(&one, pcap("g4-enet-rpc")).expect("it is written");
    let (text, _) = run(&["packets", one.to_str().expect("a path")], b"");
    assert!(!text.contains("10.0.0.1"), "{text}");
}

#[test]
fn notes_say_why_methods_have_no_name() {
    let scratch = tempfile::tempdir().expect("a folder");
    let script = folder().join("scripts/net4.gd");
    let script = fs::read_to_string(script).expect("the script");
    let capture = folder().join("g4-enet-rpc.hex");
    let capture = capture.to_str().expect("a path").to_owned();
    let text = fs::read_to_string(&capture).expect("the capture");
    let project = |name: &str, script: Option<&str>| {
        let project = scratch.path().join(name);
        fs::create_dir(&project).expect("a folder");
        let settings = "[autoload]\nNet=\"*res://net.gd\"\n";
        fs::write(project.join("project.godot"), settings).expect("it is written");
        if let Some(script) = script {
            fs::write(project.join("net.gd"), script).expect("it is written");
        }
        project.to_str().expect("a path").to_owned()
    };
    let same = project("same", Some(&script));
    let newer = script.clone() + "@rpc func zz_new(): pass\n";
    let newer = project("newer", Some(&newer));
    let elsewhere = "extends Node\n@rpc func other(): pass\n";
    let other = project("other", None);
    fs::write(PathBuf::from(&other).join("enemy.gd"), elsewhere).expect("it is written");
    let empty = project("empty", None);
    // Without the first datagrams that carry a SIMPLIFY_PATH.
    let late = scratch.path().join("late.hex");
    let is_path = |line: &&str| !line.contains("4e657400");
    let rest: Vec<&str> = text.lines().filter(is_path).collect();
    fs::write(&late, rest.join("\n")).expect("it is written");
    let late = late.to_str().expect("a path");
    for (capture, project, expected) in [
        (&*capture, &same, None),
        (
            &*capture,
            &newer,
            Some(
                "the sender's script at node Net has other remote methods than the project's res://net.gd",
            ),
        ),
        (
            &*capture,
            &other,
            Some("no script (.gd, .cs) of the project has the remote methods of node Net"),
        ),
        (
            &*capture,
            &empty,
            Some("no script (.gd, .cs) in the folder of --project has a remote method"),
        ),
        (
            late,
            &same,
            Some("the capture does not have the SIMPLIFY_PATH of their nodes"),
        ),
    ] {
        for more in [&[][..], &["--stats"], &["--json-lines"]] {
            let args = [&["packets", capture, "--project", project], more].concat();
            let (_, notes) = run(&args, b"");
            let nameless = notes
                .lines()
                .filter(|line| line.contains("name: ") || line.contains("has a name"));
            match expected {
                Some(expected) => assert!(notes.contains(expected), "{project}: {notes}"),
                None => assert_eq!(nameless.count(), 0, "{project}: {notes}"),
            }
            assert!(!notes.contains(".tscn"), "{notes}");
        }
    }
    // A receiver that has other methods says so, and nobody needs the project for it.
    let refused = text.replace("020101000000", "020001000000");
    assert_ne!(refused, text);
    for more in [&[][..], &["--stats"]] {
        let args = [&["packets", "-"], more].concat();
        let (_, notes) = run(&args, refused.as_bytes());
        assert!(
            notes.contains("client and server have other remote methods at node Net"),
            "{notes}"
        );
        let (_, notes) = run(&args, text.as_bytes());
        assert!(!notes.contains("other remote methods"), "{notes}");
    }
}

/// A record of DTLS 1.2 as it follows a handshake.
const DTLS: &str =
    "17fefd0001000000000001001e0001000000000001aabbccddeeff00112233445566778899aabbccddeeff";

#[test]
fn dtls_is_named() {
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("game.pcap");
    let path = file.to_str().expect("a path");
    // Without a look at what it is, of every carrier in datagrams.
    let line = format!("0.5 1>S {DTLS}\n");
    for carrier in ["udp", "enet"] {
        for engine in ["godot4", "godot3"] {
            let args = ["packets", "-", "--carrier", carrier, "--engine", engine];
            let (text, _) = run(&args, line.as_bytes());
            assert!(
                text.contains("encrypted with DTLS") && !text.contains("Godot 2"),
                "{text}"
            );
        }
    }
    // Alone in a capture, and beside a game.
    let game = pcap("g4-enet-rpc");
    let payload = data_encoding::HEXLOWER
        .decode(DTLS.as_bytes())
        .expect("hex");
    let mut dtls = Vec::new();
    for n in 0..3_u32 {
        let ip = 28 + payload.len() as u32;
        for word in [n, 0, ip, ip] {
            dtls.extend(word.to_le_bytes());
        }
        dtls.extend([0x45, 0]);
        dtls.extend((ip as u16).to_be_bytes());
        dtls.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 9, 10, 0, 0, 1]);
        for word in [40_000, 8888, ip as u16 - 20, 0] {
            dtls.extend(word.to_be_bytes());
        }
        dtls.extend(&payload);
    }
    fs::write(&file, [&game[..24], &dtls].concat()).expect("it is written");
    let output = common::gdvar(&["packets", path], b"");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("encrypted with DTLS or TLS"),
        "{said}"
    );
    fs::write(&file, [&game[..], &dtls].concat()).expect("it is written");
    let (text, notes) = run(&["packets", path], b"");
    assert!(!text.contains("DAMAGED"), "{text}");
    assert!(
        notes.contains("not read: 3 encrypted with DTLS or TLS"),
        "{notes}"
    );
}

#[test]
fn a_pipe_is_shown_while_it_comes() {
    use std::io::{BufRead, Write};
    // `tcpdump -U -w -` hands on each packet at once.
    let bytes = pcap("g4-enet-rpc");
    let whole = stdout(&["packets", "-"], &bytes, 0);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["packets", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("its input");
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut rest = &bytes[24..];
    input.write_all(&bytes[..24]).expect("it is written");
    let mut seen = Vec::new();
    for line in whole.lines() {
        // As many packets as it takes until the next line is due.
        while seen.len() < whole.lines().count() && !rest.is_empty() {
            let len = 16 + u32::from_le_bytes(rest[8..12].try_into().expect("a word")) as usize;
            input.write_all(&rest[..len]).expect("it is written");
            input.flush().expect("it is written");
            rest = &rest[len..];
            let so_far = &bytes[..bytes.len() - rest.len()];
            if stdout(&["-q", "packets", "-"], so_far, 0).lines().count() > seen.len() {
                break;
            }
        }
        seen.push(lines.next().expect("a line").expect("text"));
        assert_eq!(seen.last().map(String::as_str), Some(line));
        if seen.len() == 5 {
            break;
        }
    }
    drop(input);
    child.wait().expect("it ends");
}

/// Changes each record of a pcap: `change` gets its header (time, length in the file, length on the wire) and its bytes.
fn changed(pcap: &[u8], change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let (mut out, mut rest) = (pcap[..24].to_vec(), &pcap[24..]);
    while !rest.is_empty() {
        let len = u32::from_le_bytes(rest[8..12].try_into().expect("4 bytes")) as usize;
        let mut packet = rest[16..16 + len].to_vec();
        change(&mut packet);
        out.extend(&rest[..8]);
        out.extend((packet.len() as u32).to_le_bytes());
        let wire_len = packet.len().max(len) as u32;
        out.extend(wire_len.to_le_bytes());
        out.extend(packet);
        rest = &rest[16 + len..];
    }
    out
}

/// A capture without packets of Godot says what was not read in it, whatever the carrier.
#[test]
fn why_nothing_is_found_is_told() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("a.pcap");
    for (name, is_tcp) in [
        ("g4-enet-rpc", false),
        ("g36-enet-range", false),
        ("g4-udp-put_var", false),
        ("g4-tcp-put_var", true),
        ("g4-ws-rpc", true),
        ("g3-ws-relay", true),
    ] {
        let mut whole = pcap(name);
        if is_tcp {
            whole = changed(&whole, |packet| {
                packet[9] = 6;
                let header = [0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x10, 0xff, 0xff, 0, 0, 0, 0];
                packet.splice(24..28, header);
                let len = packet.len() as u16;
                packet[2..4].copy_from_slice(&len.to_be_bytes());
            });
        }
        let mut unknown = whole.clone();
        unknown[20] = 250;
        let mut torn = whole[..24].to_vec();
        torn.extend(&whole[24..24 + 20]);
        for (bytes, expected) in [
            (
                changed(&whole, |packet| packet.truncate(24)),
                " cut by the capture (record it",
            ),
            (
                changed(&whole, |packet| packet[0] = 0xff),
                " with damaged headers",
            ),
            (
                changed(&whole, |packet| packet[9] = 1),
                " neither UDP nor TCP",
            ),
            (unknown, " of an unknown link type"),
            (torn, "; the capture ends in the middle of a packet"),
        ] {
            fs::write(&path, bytes).expect("a capture");
            let output = common::gdvar(&["packets", path.to_str().expect("a path")], b"");
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                text.contains("no packets of Godot are found"),
                "{name}: {text}"
            );
            assert!(text.contains(expected), "{name}: {text}");
        }
    }
}
