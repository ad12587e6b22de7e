//! `gdvar packets` on captures of live engines: the engines' own logs say what must be seen.

#[path = "packets/arena.rs"]
mod arena;
mod common;
#[path = "packets/connections.rs"]
mod connections;
#[path = "packets/package.rs"]
mod package;
#[path = "packets/page.rs"]
mod page;
#[path = "packets/report.rs"]
mod report;
#[path = "packets/shapes.rs"]
mod shapes;
#[path = "packets/stats.rs"]
mod stats;
#[path = "packets/streams.rs"]
mod streams;
#[path = "packets/told.rs"]
mod told;

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
        let (seconds, micros, len, wire_len) = (word(0), word(4), word(8), word(12));
        let micros = u128::from(seconds) * 1_000_000 + u128::from(micros);
        let ticks = ((micros << 30) / 1_000_000 + 1) as u64;
        let mut body = vec![0; 4];
        body.extend(((ticks >> 32) as u32).to_le_bytes());
        body.extend((ticks as u32).to_le_bytes());
        body.extend([len.to_le_bytes(), wire_len.to_le_bytes()].concat());
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
    assert_eq!(captures, 34);
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
            // If the capture is cut off in the middle of a packet, the packets before it are shown, and an error
            // says that it is cut off.
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
        // Below each line that gives a size, the dump shows that many bytes, each of them once.
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
    assert_eq!(again.status.code(), Some(6));
    let text = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(text.contains("000001-PUT_VAR.bin exists already"), "{text}");
    assert!(
        text.contains("name another folder with --extract"),
        "{text}"
    );

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

/// Runs `gdvar`, and returns its output and its notes on standard error.
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
