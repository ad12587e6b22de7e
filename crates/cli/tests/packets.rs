//! `gdvar packets` on captures of live engines: the engines' own logs say what must be seen.

mod common;

use std::{fs, path::PathBuf};

use common::stdout;
use serde_json::Value;

fn folder() -> PathBuf {
    gdvar_conformance::vectors::testdata("captures")
}

fn json_lines(name: &str, more: &[&str]) -> Vec<Value> {
    let path = folder().join(format!("{name}.hex"));
    let path = path.to_str().expect("a path");
    let args: Vec<&str> = ["packets", path, "--json-lines"]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    let text = stdout(&args, b"", 0);
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let mut lines: Vec<Value> = lines.collect();
    // The last line says how much was read: all of it.
    let account = lines.pop().expect("an account");
    assert_eq!(account["read"], account["packets"], "{name}: {account}");
    lines
}

/// The names of the methods that the engine says were called there.
fn logged(name: &str, role: &str) -> Vec<String> {
    let log = fs::read(folder().join(format!("{name}.{role}.log"))).expect("the log");
    let log = String::from_utf8_lossy(&log);
    let name = |line: &str| line.split(' ').nth(2).expect("a method").to_owned();
    let mut names: Vec<_> = log
        .lines()
        .filter(|line| line.starts_with("RECV "))
        .map(name)
        .collect();
    names.sort();
    names
}

/// A capture as tcpdump writes it: packets of IPv4 and UDP without a link's header.
fn pcap(name: &str) -> Vec<u8> {
    let mut out = vec![
        0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 101, 0, 0, 0,
    ];
    let text = fs::read_to_string(folder().join(format!("{name}.hex"))).expect("the capture");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split(' ').collect();
        let data = data_encoding::HEXLOWER
            .decode(words[2].as_bytes())
            .expect("hex");
        let (client, server) = (([10, 0, 0, 9], 40_000_u16), ([10, 0, 0, 1], 7777_u16));
        let (from, to) = if words[1].ends_with('S') {
            (client, server)
        } else {
            (server, client)
        };
        let (udp, ip) = (8 + data.len() as u16, 28 + data.len() as u16);
        let seconds: f64 = words[0].parse().expect("seconds");
        let micros = (seconds * 1e6) as u64;
        for word in [
            (micros / 1_000_000) as u32,
            (micros % 1_000_000) as u32,
            ip.into(),
            ip.into(),
        ] {
            out.extend(word.to_le_bytes());
        }
        out.extend([0x45, 0]);
        out.extend(ip.to_be_bytes());
        out.extend([0, 0, 0, 0, 64, 17, 0, 0]);
        out.extend(from.0);
        out.extend(to.0);
        for word in [from.1, to.1, udp, 0] {
            out.extend(word.to_be_bytes());
        }
        out.extend(data);
    }
    out
}

/// The same as a pcapng, with times in parts of 2³⁰ of a second.
fn pcapng(pcap: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut block = |kind: u32, body: &[u8]| {
        let padded = body.len().next_multiple_of(4);
        let len = (12 + padded as u32).to_le_bytes();
        out.extend(kind.to_le_bytes());
        out.extend(len);
        out.extend(body);
        out.extend(&[0; 3][..padded - body.len()]);
        out.extend(len);
    };
    let section = [
        0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255,
    ];
    block(0x0a0d_0d0a, &section);
    let interface = [
        101, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 0x9e, 0, 0, 0, 0, 0, 0, 0,
    ];
    block(1, &interface);
    let mut rest = &pcap[24..];
    while !rest.is_empty() {
        let word = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().expect("a word"));
        let (seconds, micros, len) = (word(0), word(4), word(8));
        let micros = u128::from(seconds) * 1_000_000 + u128::from(micros);
        let ticks = ((micros << 30) / 1_000_000 + 1) as u64;
        let mut body = vec![0; 4];
        body.extend(((ticks >> 32) as u32).to_le_bytes());
        body.extend((ticks as u32).to_le_bytes());
        body.extend([len.to_le_bytes(), len.to_le_bytes()].concat());
        body.extend(&rest[16..16 + len as usize]);
        block(6, &body);
        rest = &rest[16 + len as usize..];
    }
    out
}

#[test]
fn engine_and_carrier_are_found_and_calls_are_those_of_the_log() {
    for name in [
        "g3-enet-rpc",
        "g3-enet-range",
        "g3-enet-zstd",
        "g3-ws-rpc",
        "g36-enet-rpc",
        "g36-ws-rpc",
    ] {
        let mut seen: Vec<String> = json_lines(name, &[])
            .iter()
            .filter(|packet| packet["direction"] == "to server" && packet["sent_again"].is_null())
            .filter(|packet| packet["command"] == "CALL")
            .map(|packet| packet["method"].as_str().expect("a name").to_owned())
            .collect();
        seen.sort();
        let log = logged(name, "server");
        // A call whose node does not exist, or whose bytes the engine refuses, is on the wire and not in the log.
        let mut rest = seen.clone();
        for method in &log {
            let at = rest.iter().position(|one| one == method);
            rest.remove(at.unwrap_or_else(|| panic!("{name}: {method} is missing")));
        }
        assert!(
            !log.is_empty() && rest.len() <= 2,
            "{name}: {rest:?} are not in the log"
        );
    }
}

#[test]
fn every_capture_is_recognised_and_read_whole() {
    let carriers = [
        ("enet", "ENet"),
        ("ws", "WebSocket"),
        ("udp", "put_var in datagrams"),
    ];
    let others = [
        ("tcp", "put_var in a stream"),
        ("debugger", "the debugger's stream"),
    ];
    let mut captures = 0;
    for entry in fs::read_dir(folder()).expect("the captures") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.extension().is_none_or(|extension| extension != "hex") {
            continue;
        }
        let stats = stdout(
            &["packets", path.to_str().expect("a path"), "--stats"],
            b"",
            0,
        );
        let engine = if name.starts_with("g4-") {
            "Godot 4"
        } else {
            "Godot 3"
        };
        let word = name.split('-').nth(1).expect("a carrier");
        let carrier = carriers
            .iter()
            .chain(&others)
            .find(|(short, _)| *short == word);
        let expected = format!("{engine} over {}, ", carrier.expect("a carrier").1);
        assert!(stats.starts_with(&expected), "{name}: {stats}");
        assert!(!stats.contains("DAMAGED"), "{name}: {stats}");
        captures += 1;
    }
    assert_eq!(captures, 31);
}

#[test]
fn captures_of_tcpdump_say_what_lines_of_digits_say() {
    let scratch = tempfile::tempdir().expect("a folder");
    for name in ["g4-enet-rpc", "g3-enet-rpc"] {
        let file = scratch.path().join(name);
        let bytes = pcap(name);
        fs::write(&file, &bytes).expect("it is written");
        let expected = json_lines(name, &[]);
        let text = stdout(
            &["packets", file.to_str().expect("a path"), "--json-lines"],
            b"",
            0,
        );
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        let mut seen: Vec<Value> = lines.collect();
        let account = seen.pop().expect("an account");
        assert_eq!(account["read"], account["packets"], "{name}");
        assert_eq!(seen.len(), expected.len());
        for (seen, expected) in seen.iter().zip(&expected) {
            for field in ["direction", "command", "node", "method", "args", "bytes"] {
                assert_eq!(seen[field], expected[field], "{name} {field}");
            }
        }
        let ng = scratch.path().join(format!("{name}.pcapng"));
        fs::write(&ng, pcapng(&bytes)).expect("it is written");
        let ng = ["packets", ng.to_str().expect("a path"), "--json-lines"];
        assert_eq!(stdout(&ng, b"", 0), text);
        // A pipe that comes bit by bit has no second look.
        if name == "g4-enet-rpc" {
            assert_eq!(stdout(&["packets", "-", "--json-lines"], &bytes, 0), text);
            // Cut in the middle of a packet, what came before is shown, and the cut is told.
            let cut = stdout(
                &["packets", "-", "--json-lines"],
                &bytes[..bytes.len() - 3],
                3,
            );
            assert!(cut.lines().count() >= text.lines().count() - 2);
        }
    }
}

#[test]
fn filters_choose_and_statistics_add_up() {
    let all = json_lines("g3-enet-rpc", &[]);
    let calls = json_lines("g3-enet-rpc", &["--filter", "rpc.method == \"b_one\""]);
    let expected: Vec<_> = all
        .iter()
        .filter(|packet| packet["method"] == "b_one")
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(calls.len(), expected.len());

    let path = folder().join("g3-enet-rpc.hex");
    let stats = stdout(
        &["packets", path.to_str().expect("a path"), "--stats"],
        b"",
        0,
    );
    let bytes: u64 = all
        .iter()
        .filter(|packet| packet["method"] == "b_one" && packet["command"] == "CALL")
        .map(|packet| packet["bytes"].as_u64().expect("a size"))
        .sum();
    let row = stats
        .lines()
        .find(|line| line.contains(".b_one"))
        .expect("a row");
    assert_eq!(
        row.split_whitespace().next(),
        Some(bytes.to_string().as_str()),
        "{stats}"
    );
}

#[test]
fn what_is_no_capture_is_told() {
    let output = common::gdvar(&["packets", "-"], b"\x00\x01\x02\x03 nothing");
    assert_eq!(output.status.code(), Some(3));
    let output = common::gdvar(&["packets", "-"], b"hello there\n");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1"));
    let output = common::gdvar(&["packets", "-", "--filter", "rpc.method =="], b"");
    assert_eq!(output.status.code(), Some(2));
    let output = common::gdvar(&["packets", "no/such.pcap"], b"");
    assert_eq!(output.status.code(), Some(6));
}

#[test]
fn every_byte_of_every_packet_has_a_name() {
    for name in [
        "g4-enet-rpc",
        "g4-enet-repl",
        "g4-enet-relay",
        "g4-ws-relay",
        "g3-enet-rpc",
        "g3-ws-relay",
        "g4-debugger",
    ] {
        let path = folder().join(format!("{name}.hex"));
        let text = stdout(
            &["packets", path.to_str().expect("a path"), "--hex"],
            b"",
            0,
        );
        assert!(!text.contains("not read"), "{name}: {text}");
        // Below each line with its size so many bytes, each of which once.
        let mut packets: Vec<(usize, usize)> = Vec::new();
        for line in text.lines() {
            if let Some((head, _)) = line.split_once(" B  ") {
                let size = head.split_whitespace().last().expect("a size");
                packets.push((size.parse().expect("a size"), 0));
                continue;
            }
            let row = line.get(10..58.min(line.len())).expect("a row");
            let at = usize::from_str_radix(line[..8].trim(), 16).expect("a place");
            let (_, seen) = packets.last_mut().expect("a packet before");
            assert_eq!(at, *seen, "{name}: {line}");
            *seen += row.split_whitespace().count();
        }
        assert_eq!(packets.len(), json_lines(name, &[]).len(), "{name}");
        assert!(packets.iter().all(|(size, seen)| size == seen), "{name}");
    }
}

#[test]
fn packets_are_extracted_and_their_bytes_drawn() {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = folder().join("g4-udp-put_var.hex");
    let path = path.to_str().expect("a path");
    let files = scratch.path().join("packets");
    let shown = stdout(
        &[
            "packets",
            path,
            "--extract",
            files.to_str().expect("a path"),
        ],
        b"",
        0,
    );
    let mut sizes: Vec<u64> = Vec::new();
    for entry in fs::read_dir(&files).expect("the folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        assert!(name.ends_with("-PUT_VAR.bin"), "{name}");
        sizes.push(entry.metadata().expect("a size").len());
    }
    let of_json: u64 = json_lines("g4-udp-put_var", &[])
        .iter()
        .map(|packet| packet["bytes"].as_u64().expect("a size"))
        .sum();
    assert_eq!(
        (sizes.len(), sizes.iter().sum::<u64>()),
        (shown.lines().count(), of_json)
    );
    // A file that is there is left alone.
    let again = common::gdvar(
        &[
            "packets",
            path,
            "--extract",
            files.to_str().expect("a path"),
        ],
        b"",
    );
    assert!(!again.status.success());

    let svg = scratch.path().join("bytes.svg");
    stdout(
        &[
            "packets",
            path,
            "--stats",
            "--svg",
            svg.to_str().expect("a path"),
        ],
        b"",
        0,
    );
    let svg = fs::read_to_string(svg).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("<rect x="));
}

#[test]
fn statistics_say_what_batching_saves() {
    // 4.6.3 sends each reliable packet in a datagram of its own.
    let path = folder().join("g4-enet-rpc.hex");
    let stats = stdout(
        &["packets", path.to_str().expect("a path"), "--stats"],
        b"",
        0,
    );
    let line = stats
        .lines()
        .find(|line| line.contains("would fit"))
        .expect("a line");
    let words: Vec<&str> = line.split(' ').collect();
    let reliable = json_lines("g4-enet-rpc", &["--filter", "delivery == \"reliable\""]).len();
    assert_eq!(words[0], reliable.to_string());
    let batches: usize = words[6].parse().expect("a number");
    assert!(batches < reliable, "{line}");
    let saved = format!("{} bytes less", (reliable - batches) * 32);
    assert!(line.contains(&saved), "{line}");
    assert!(
        stats.contains("from > to") && stats.contains("server > "),
        "{stats}"
    );
}

#[test]
fn columns_of_tshark_are_a_capture() {
    let mut columns = String::new();
    let text = fs::read_to_string(folder().join("g4-enet-rpc.hex")).expect("the capture");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let (client, server) = ("10.0.0.9\t40000", "10.0.0.1\t7777");
        let (from, to) = if words[1].ends_with('S') {
            (client, server)
        } else {
            (server, client)
        };
        columns += &format!("{}\t{from}\t{to}\t{}\n", words[0], words[2]);
    }
    let seen = stdout(&["packets", "-", "--json-lines"], columns.as_bytes(), 0);
    let expected = json_lines("g4-enet-rpc", &[]);
    let lines = seen
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let mut seen: Vec<Value> = lines.collect();
    let account = seen.pop().expect("an account");
    assert_eq!(account["read"], account["packets"]);
    assert_eq!(seen.len(), expected.len());
    for (seen, expected) in seen.iter().zip(&expected) {
        for field in ["command", "node", "method", "args", "bytes", "source"] {
            assert_eq!(seen[field], expected[field], "{field}");
        }
    }
}

#[test]
fn a_capture_that_grows_is_followed() {
    use std::io::{BufRead, Write};
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("game.pcap");
    let bytes = pcap("g4-enet-rpc");
    let whole = stdout(&["packets", "-"], &bytes, 0);
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("it is written");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["packets", "--follow"])
        .arg(&file)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut seen = Vec::new();
    let count = whole.lines().count();
    while seen.len() < count / 3 {
        seen.push(lines.next().expect("a line").expect("text"));
    }
    let mut file = fs::File::options()
        .append(true)
        .open(&file)
        .expect("the file");
    file.write_all(&bytes[bytes.len() / 2..])
        .expect("it is written");
    while seen.len() < count {
        seen.push(lines.next().expect("a line").expect("text"));
    }
    assert_eq!(seen, whole.lines().collect::<Vec<_>>());
    child.kill().expect("it ends");
    child.wait().expect("it ended");
}

/// Adds the packets of a second capture, whose server has another address.
fn beside(first: &[u8], second: &[u8], server: u8) -> Vec<u8> {
    let mut out = first.to_vec();
    let mut rest = &second[24..];
    while !rest.is_empty() {
        let len = u32::from_le_bytes(rest[8..12].try_into().expect("a word")) as usize;
        let mut packet = rest[..16 + len].to_vec();
        for end in [16 + 12, 16 + 16] {
            // 10.0.0.1 is the server, 10.0.0.9 the client.
            let last = &mut packet[end + 3];
            *last = if *last == 1 { server } else { *last + 100 };
        }
        out.extend(packet);
        rest = &rest[16 + len..];
    }
    out
}

#[test]
fn several_games_in_one_capture_are_all_read() {
    let names = [
        "g4-enet-rpc",
        "g3-enet-rpc",
        "g4-udp-put_var",
        "g3-enet-zstd",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pcap");
    let run = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        let path = path.to_str().expect("a path");
        let text = stdout(&["packets", path, "--json-lines"], b"", 0);
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        lines
    };
    let (mut all, mut alone) = (Vec::new(), 0);
    for (n, name) in names.iter().enumerate() {
        let own = pcap(name);
        let heard = run(&own);
        alone += heard.len() - 1;
        assert_eq!(
            heard.last().expect("an account")["not_read"],
            serde_json::json!({}),
            "{name}"
        );
        all = match n {
            0 => own,
            _ => beside(&all, &own, 20 + n as u8),
        };
    }
    let mut heard = run(&all);
    let account = heard.pop().expect("an account");
    assert_eq!(account["read"], account["packets"], "{account}");
    assert_eq!(heard.len(), alone);
    assert!(heard.iter().all(|packet| packet["command"] != "DAMAGED"));
    // A packet of another protocol is named.
    let mut other = all.clone();
    let mut icmp = all[24..24 + 16].to_vec();
    icmp[8..16].copy_from_slice(&[28, 0, 0, 0, 28, 0, 0, 0]);
    icmp.extend([
        0x45, 0, 0, 28, 0, 0, 0, 0, 64, 1, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 8, 0, 0, 0, 0, 0, 0, 0,
    ]);
    other.extend(icmp);
    let account = run(&other).pop().expect("an account");
    assert_eq!(
        account["not_read"],
        serde_json::json!({"other_protocol": 1})
    );
}

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

/// What a run prints, and its notes.
fn run(args: &[&str], input: &[u8]) -> (String, String) {
    let output = common::gdvar(args, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The names of the captures of ENet.
fn enet_captures() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the captures");
    let names = entries.filter_map(|entry| {
        let name = entry.expect("an entry").file_name().into_string().ok()?;
        Some(name.strip_suffix(".hex")?.to_owned())
    });
    let mut names: Vec<String> = names.filter(|name| name.contains("-enet-")).collect();
    names.sort();
    assert!(names.len() >= 20);
    names
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
fn percentages_add_up_under_every_compression() {
    for name in enet_captures() {
        let path = folder().join(format!("{name}.hex"));
        let stats = stdout(
            &["packets", path.to_str().expect("a path"), "--stats"],
            b"",
            0,
        );
        let percent = |word: &str| word.strip_suffix('%')?.parse::<f64>().ok();
        for word in stats.split_whitespace() {
            assert!(
                percent(word).is_none_or(|share| share <= 100.0),
                "{name}: {stats}"
            );
        }
        let is_compressed = ["range", "fastlz", "zlib", "zstd", "g36-enet-objects"];
        let is_compressed = is_compressed.iter().any(|how| name.contains(how));
        assert_eq!(
            stats.contains("packets are counted unpacked"),
            is_compressed,
            "{name}: {stats}"
        );
        assert_eq!(
            stats.contains("% of them packets"),
            !is_compressed,
            "{name}: {stats}"
        );
        let tables = stats.split("\n\n").skip(1);
        for table in tables.filter(|table| table.trim_start().starts_with("bytes")) {
            let rows = table.lines().skip(1);
            let shares = rows.filter_map(|row| percent(row.split_whitespace().nth(3)?));
            let shares: Vec<f64> = shares.collect();
            // Each is rounded to a tenth.
            let sum: f64 = shares.iter().sum();
            let most = 0.05 * shares.len() as f64 + 0.01;
            assert!(
                !shares.is_empty() && (sum - 100.0).abs() <= most,
                "{name}: {sum} in {table}"
            );
        }
    }
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
        // Without a look ahead the second server is not known at first.
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
    // Begun after the paths were told: without the first datagrams that carry a SIMPLIFY_PATH.
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
            Some("no script (.gd) of the project has the remote methods of node Net"),
        ),
        (
            &*capture,
            &empty,
            Some("no script (.gd) in the folder of --project has a remote method"),
        ),
        (
            late,
            &same,
            Some("the capture began after their nodes' first call"),
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

#[test]
fn packets_are_chosen_by_time_and_put_in_order() {
    let path = folder().join("g4-enet-rpc.hex");
    let path = path.to_str().expect("a path");
    let lines = |more: &[&str]| {
        let args = [&["-q", "packets", path], more].concat();
        let text = stdout(&args, b"", 0);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&[]);
    let time = |line: &String| -> f64 {
        let word = line.split_whitespace().next().expect("a time");
        word.parse().expect("seconds")
    };
    let size = |line: &String| -> u64 {
        let words: Vec<&str> = line.split_whitespace().collect();
        let unit = words.iter().position(|word| *word == "B").expect("a unit");
        words[unit - 1].parse().expect("a size")
    };
    // From a packet in the middle to another one, both included, by options and by a filter.
    let (from, to) = (all.len() / 3, 2 * all.len() / 3);
    let [from, to] = [from, to].map(|n| all[n].split_whitespace().next().expect("a time"));
    let [first, last] = [from, to].map(|word| word.parse::<f64>().expect("seconds"));
    let is_within = |line: &&String| (first..=last).contains(&time(line));
    let expected: Vec<String> = all.iter().filter(is_within).cloned().collect();
    assert!(expected.len() > 10 && expected.len() < all.len() / 2);
    assert_eq!(lines(&["--from", from, "--to", to]), expected);
    let filter = format!("time >= {from} and time <= {to}");
    assert_eq!(lines(&["--filter", &filter]), expected);
    assert_eq!(
        lines(&["--filter", &format!("time == {from}")])[0],
        expected[0]
    );
    // The first ones, and the largest ones; equal ones in the order of time.
    assert_eq!(lines(&["--limit", "7"]), all[..7]);
    let mut largest = all.clone();
    largest.sort_by_key(|line| std::cmp::Reverse(size(line)));
    assert_eq!(lines(&["--sort", "size"]), largest);
    assert_eq!(lines(&["--sort", "size", "--limit", "5"]), largest[..5]);
    assert_eq!(lines(&["--sort", "time"]), all);
    let json = lines(&["--sort", "size", "--limit", "1", "--json-lines"]);
    assert!(
        json[0].contains(&format!("\"bytes\":{}", size(&largest[0]))),
        "{json:?}"
    );
    // The statistics of that time alone, and the rows in other orders.
    let stats = |more: &[&str]| {
        let rows = lines(&[&["--stats"], more].concat());
        let table = rows.iter().skip_while(|row| !row.ends_with("  command"));
        let rows = table.skip(1).take_while(|row| !row.is_empty());
        rows.cloned().collect::<Vec<_>>()
    };
    let column = |row: &String, n: usize| -> u64 {
        let word = row.split_whitespace().nth(n).expect("a column");
        word.parse().expect("a number")
    };
    let part = stats(&["--from", from, "--to", to]);
    assert_eq!(
        part.iter().map(|row| column(row, 1)).sum::<u64>(),
        expected.len() as u64
    );
    for (sort, n) in [("size", 0), ("packets", 1), ("largest", 2)] {
        let rows = stats(&["--sort", sort]);
        assert!(
            rows.len() > 5 && rows.is_sorted_by_key(|row| std::cmp::Reverse(column(row, n))),
            "{rows:?}"
        );
        // Two rows, and one for the rest.
        let few = stats(&["--sort", sort, "--limit", "2"]);
        assert_eq!(few[..2], rows[..2]);
        assert!(
            few.len() == 3 && few[2].contains(&format!("in {} rows more", rows.len() - 2)),
            "{few:?}"
        );
    }
    let names = stats(&["--sort", "name"]);
    let name = |row: &String| row.split_whitespace().skip(5).collect::<Vec<_>>().join(" ");
    assert!(names.is_sorted_by_key(name), "{names:?}");
    for wrong in [
        &["--sort", "packets"][..],
        &["--stats", "--sort", "time"],
        &["--from", "-1"],
        &["--to", "soon"],
    ] {
        let output = common::gdvar(&[&["packets", path], wrong].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn connections_have_round_trips_resends_and_losses() {
    let text = fs::read_to_string(folder().join("g4-enet-repl.hex")).expect("the capture");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    /// The row of a direction.
    fn row(lines: &[String], direction: &str) -> Value {
        let input = lines.join("\n");
        let args = ["-q", "packets", "-", "--stats", "--json-lines"];
        let text = stdout(&args, input.as_bytes(), 0);
        let rows = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut rows =
            rows.filter(|row| row["table"] == "connection" && row["direction"] == direction);
        let found = rows.next().expect("a row");
        assert!(rows.next().is_none());
        found
    }
    let owned = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let whole = owned(&lines);
    let (up, down) = (row(&whole, "to server"), row(&whole, "to client"));
    for row in [&up, &down] {
        for none in ["sent_again", "came_twice", "missing", "gaps"] {
            assert_eq!(row[none], 0, "{row}");
        }
        assert!(row["packets"].as_u64().expect("a number") >= 2, "{row}");
    }
    // What the server sends 80 ms later comes 80 ms later, acknowledgements too.
    let late = |line: &&str| {
        let (time, rest) = line.split_once(' ').expect("a time");
        let time: f64 = time.parse().expect("seconds");
        match rest.starts_with("S>") {
            true => format!("{:.6} {rest}", time + 0.08),
            false => (*line).to_owned(),
        }
    };
    let mut delayed: Vec<String> = lines.iter().map(late).collect();
    delayed.sort_by(|a, b| {
        let time = |line: &str| {
            line.split_once(' ')
                .expect("a time")
                .0
                .parse::<f64>()
                .expect("seconds")
        };
        time(a).total_cmp(&time(b))
    });
    let median = |row: &Value| row["round_trip"].as_f64().expect("seconds");
    let more = median(&row(&delayed, "to server")) - median(&up);
    assert!((0.07..0.09).contains(&more), "{more}");
    // Each datagram twice: as many resends and duplicates as there are packets.
    let twice: Vec<String> = lines
        .iter()
        .flat_map(|line| [(*line).to_owned(), (*line).to_owned()])
        .collect();
    let doubled = row(&twice, "to client");
    let [again, came_twice] =
        ["sent_again", "came_twice"].map(|name| doubled[name].as_u64().expect("a number"));
    assert!(again > 5 && came_twice > 5, "{doubled}");
    assert!(
        again + came_twice >= down["packets"].as_u64().expect("a number"),
        "{doubled} {down}"
    );
    assert_eq!(
        (&doubled["missing"], &doubled["gaps"]),
        (&down["missing"], &down["gaps"])
    );
    // Every third SYNC, which the server sends outside all order (0x49), is lost.
    let is_sync = |line: &&str| {
        line.contains(" S>1 ") && line.split(' ').nth(2).is_some_and(|hex| hex[4..6] == *"49")
    };
    let syncs: Vec<&str> = lines.iter().copied().filter(is_sync).collect();
    let lost: Vec<&str> = syncs[1..syncs.len() - 1]
        .iter()
        .copied()
        .step_by(3)
        .collect();
    assert!(lost.len() >= 4);
    let kept: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !lost.contains(line))
        .collect();
    assert_eq!(row(&owned(&kept), "to client")["missing"], lost.len());
    // For people, too.
    let args = ["-q", "packets", "-", "--stats"];
    let text = stdout(&args, owned(&kept).join("\n").as_bytes(), 0);
    let table = text.split("\n\n").last().expect("a table");
    assert!(table.starts_with("round trip"), "{text}");
    let line = table
        .lines()
        .find(|line| line.contains("server > "))
        .expect("a row");
    assert_eq!(
        line.split_whitespace().nth(6),
        Some(&*lost.len().to_string()),
        "{text}"
    );
    // A reliable packet of the server's on channel 0 that the capture does not have.
    let is_fifth = |line: &&str| line.contains(" S>1 ") && line.contains("86000005");
    assert_eq!(lines.iter().filter(|line| is_fifth(line)).count(), 1);
    let kept: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !is_fifth(line))
        .collect();
    assert_eq!(row(&owned(&kept), "to client")["gaps"], 1);
}

#[test]
fn statistics_as_json_have_what_the_tables_have() {
    for name in [
        "g4-enet-rpc",
        "g4-enet-zlib",
        "g3-ws-relay",
        "g4-udp-put_var",
    ] {
        let path = folder().join(format!("{name}.hex"));
        let path = path.to_str().expect("a path");
        let stats = stdout(&["packets", path, "--stats"], b"", 0);
        let json = stdout(&["packets", path, "--stats", "--json-lines"], b"", 0);
        let mut rows: Vec<Value> = json
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let account = rows.pop().expect("an account");
        assert_eq!(account["read"], account["packets"], "{name}");
        let total = rows.remove(0);
        assert_eq!(
            (&total["table"], &total["compressed"]),
            (&"total".into(), &name.contains("zlib").into())
        );
        let game = total["game"].as_str().expect("a game");
        assert!(stats.starts_with(game), "{name}: {game}");
        for field in ["packets", "bytes"] {
            let commands = rows.iter().filter(|row| row["table"] == "command");
            let sum: u64 = commands
                .map(|row| row[field].as_u64().expect("a number"))
                .sum();
            assert_eq!(total[field], sum, "{name}");
        }
        for row in rows.iter().filter(|row| row["table"] != "connection") {
            let [bytes, packets, largest] =
                ["bytes", "packets", "largest"].map(|name| row[name].as_u64().expect("a number"));
            let shown = format!("{bytes:>10} {packets:>9} {largest:>8} ");
            let name = row["name"].as_str().expect("a name");
            assert!(
                stats
                    .lines()
                    .any(|line| line.starts_with(&shown) && line.ends_with(name)),
                "{row}"
            );
        }
        let connections = rows
            .iter()
            .filter(|row| row["table"] == "connection")
            .count();
        assert_eq!(
            connections,
            if name.contains("enet") { 2 } else { 0 },
            "{name}"
        );
    }
}
