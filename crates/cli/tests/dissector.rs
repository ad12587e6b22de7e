//! `gdvar dissector`: tshark says of every packet of every capture what `gdvar packets` says.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use gdvar_packet::capture::{Protocol, Segment, Writer};

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

fn captures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/captures")
}

fn text_of(name: &str) -> String {
    fs::read_to_string(captures().join(format!("{name}.hex"))).unwrap()
}

/// A capture as tcpdump would have made it, with the server at port 7777.
fn write(text: &str, is_tcp: bool, to: &Path) {
    let mut writer = Writer::new(fs::File::create(to).unwrap()).unwrap();
    let mut sequences = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let (from, to) = words[1].split_once('>').unwrap();
        let to_server = matches!(to, "S" | "E");
        let client: u16 = if to_server { from } else { to }.parse().unwrap_or(1);
        let client: SocketAddr = ([127, 0, 0, 1], 40_000 + client).into();
        let server: SocketAddr = ([127, 0, 0, 1], 7777).into();
        let digit = |at: usize| u8::from_str_radix(&words[2][at..at + 2], 16).unwrap();
        let payload: Vec<u8> = (0..words[2].len()).step_by(2).map(digit).collect();
        let time = Duration::from_secs_f64(words[0].parse().unwrap());
        let (source, target) = if to_server {
            (client, server)
        } else {
            (server, client)
        };
        let mut send = |sequence, is_syn, payload: &[u8]| {
            let protocol = match is_tcp {
                false => Protocol::Udp,
                true => Protocol::Tcp {
                    sequence,
                    is_syn,
                    is_ack: !is_syn,
                    is_end: false,
                },
            };
            let segment = Segment {
                source,
                target,
                protocol,
                payload,
            };
            writer.write(time, segment).unwrap();
        };
        let sequence = sequences.entry((source, target)).or_insert_with(|| {
            if is_tcp {
                send(0, true, &[]);
            }
            1_u32
        });
        send(*sequence, false, &payload);
        *sequence += payload.len() as u32;
    }
}

/// Writes one capture with several games side by side, each with its own server at port 7777. Each game is cut in the
/// middle: its first datagrams are missing. In front of a game that uses FastLZ stand two datagrams that more than one
/// compression can read.
fn write_side_by_side(names: &[&str], to: &Path) {
    let mut datagrams = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let server: SocketAddr = ([10, 0, 0, 1 + n as u8], 7777).into();
        let client: SocketAddr = ([10, 0, 1, 1], 40_000).into();
        let text = text_of(name);
        let ambiguous = match name.contains("fastlz") {
            true => &[
                "0 1>S 400008070300200000000a004001400100a4",
                "0 1>S 4001080703001e0000000a034001400000ce",
            ][..],
            false => &[],
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for (place, line) in ambiguous.iter().copied().chain(lines.skip(6)).enumerate() {
            let words: Vec<&str> = line.split(' ').collect();
            let digit = |at: usize| u8::from_str_radix(&words[2][at..at + 2], 16).unwrap();
            let payload: Vec<u8> = (0..words[2].len()).step_by(2).map(digit).collect();
            let (source, target) = match words[1].ends_with('S') {
                true => (client, server),
                false => (server, client),
            };
            datagrams.push((place, source, target, payload));
        }
    }
    datagrams.sort_by_key(|(place, ..)| *place);
    let mut writer = Writer::new(fs::File::create(to).unwrap()).unwrap();
    for (place, source, target, payload) in &datagrams {
        let segment = Segment {
            source: *source,
            target: *target,
            protocol: Protocol::Udp,
            payload,
        };
        writer
            .write(Duration::from_millis(*place as u64), segment)
            .unwrap();
    }
}

/// The lines that `gdvar packets` prints for a capture, without their times.
fn of_gdvar(file: &Path, more: &[&str]) -> Vec<String> {
    let ours = Command::new(GDVAR)
        .arg("packets")
        .arg(file)
        .args(more)
        .output()
        .unwrap();
    let ours = String::from_utf8(ours.stdout).unwrap();
    let after_time = |line: &str| tidy(line.trim_start().split_once(' ').unwrap().1);
    ours.lines().map(after_time).collect()
}

/// The lines that tshark prints for a capture.
fn of_tshark(script: &Path, file: &Path, more: &[&str]) -> Vec<String> {
    let theirs = Command::new("tshark")
        .arg("-X")
        .arg(format!("lua_script:{}", script.display()))
        .args(more)
        .args([
            "-T",
            "fields",
            "-e",
            "gdvar.line",
            "-E",
            "aggregator=~",
            "-r",
        ])
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&theirs.stderr);
    assert!(theirs.status.success() && !said.contains("Lua"), "{said}");
    let theirs = String::from_utf8_lossy(&theirs.stdout);
    let lines = theirs.lines().flat_map(|line| line.split('~'));
    lines.filter(|line| !line.is_empty()).map(tidy).collect()
}

/// Writes the dissector to that folder and returns its path. Without tshark the result is `None`, and the test prints
/// that it was skipped.
fn dissector(folder: &Path) -> Option<PathBuf> {
    if Command::new("tshark").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no tshark");
        return None;
    }
    let script = folder.join("gdvar.lua");
    let made = Command::new(GDVAR).arg("dissector").output().unwrap();
    assert!(made.status.success());
    fs::write(&script, made.stdout).unwrap();
    Some(script)
}

/// Returns the line with one space between words.
fn tidy(line: &str) -> String {
    line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names of all captures.
fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(captures())
        .unwrap()
        .filter_map(|entry| {
            Some(
                entry
                    .unwrap()
                    .file_name()
                    .to_str()?
                    .strip_suffix(".hex")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 34);
    names
}

/// Returns the name of a capture's carrier in the command, and for a stream also its name in the dissector.
fn carrier(name: &str) -> (&'static str, Option<&'static str>) {
    match name.split('-').nth(1) {
        Some("enet") => ("enet", None),
        Some("udp") => ("udp", None),
        Some("ws") => ("websocket", Some("records")),
        Some("tcp") => ("tcp", Some("records")),
        _ => ("debugger", Some("debugger")),
    }
}

/// Compares the lines of both for `text`, which is the capture `name`, perhaps changed. Returns the lines.
fn compare(script: &Path, folder: &Path, name: &str, text: &str) -> Vec<String> {
    let (carrier, tcp) = carrier(name);
    let file = folder.join(format!("{name}.pcap"));
    write(text, tcp.is_some(), &file);
    let engine = if name.starts_with("g4") { 4 } else { 3 };
    let godot = format!("godot{engine}");
    let ours = of_gdvar(&file, &["--engine", &godot, "--carrier", carrier]);
    let engine = format!("gdvar.engine:{engine}");
    let tcp = format!("gdvar.tcp:{}", tcp.unwrap_or("records"));
    let theirs = of_tshark(script, &file, &["-o", &engine, "-o", &tcp]);
    if ours != theirs {
        for (ours, theirs) in ours
            .iter()
            .zip(&theirs)
            .filter(|(ours, theirs)| ours != theirs)
            .take(3)
        {
            eprintln!("{name}\n  gdvar  {ours}\n  tshark {theirs}");
        }
        panic!(
            "{name}: {} lines, and {} of tshark",
            ours.len(),
            theirs.len()
        );
    }
    ours
}

#[test]
fn tshark_agrees_on_every_packet() {
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    let mut packets = 0;
    for name in names() {
        packets += compare(&script, folder.path(), &name, &text_of(&name)).len();
    }
    assert!(packets > 2000, "{packets}");
}

/// Cuts the streams of a capture into segments of `size` bytes.
fn cut_again(text: &str, size: usize) -> String {
    let mut runs: Vec<(&str, &str, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match runs.last_mut() {
            Some((_, ends, hex)) if *ends == words[1] => hex.push_str(words[2]),
            _ => runs.push((words[0], words[1], words[2].to_owned())),
        }
    }
    let mut out = String::new();
    for (time, ends, hex) in runs {
        for piece in hex.as_bytes().chunks(2 * size) {
            let piece = std::str::from_utf8(piece).unwrap();
            out += &format!("{time} {ends} {piece}\n");
        }
    }
    out
}

/// TCP may cut a stream anywhere: a segment then has the end of one message and the start of others, also of messages as
/// long as the first.
#[test]
fn tshark_agrees_wherever_a_stream_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    let is_stream = |name: &String| carrier(name).1.is_some();
    for name in names().into_iter().filter(is_stream) {
        let text = text_of(&name);
        let expected = compare(&script, folder.path(), &name, &text);
        for size in [60, 100] {
            let again = compare(&script, folder.path(), &name, &cut_again(&text, size));
            assert_eq!(again.len(), expected.len(), "{name}, {size}");
        }
    }
}

/// What a proxy sends in place of the packets that it drops is none of the game's, and nothing is damaged.
#[test]
fn replaced_packets_are_no_packets() {
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    // A reliable command on channels 0, 1 and 2, from the client and from the server.
    let text = "0.1 1>S 80000001860000010009ffffffffffffffffff\n\
                0.2 1>S 800000028601000100090700000001000000ff\n\
                0.3 S>1 8000000386020001000901000000feffffffff\n\
                0.4 S>1 80000004860100020009010000000000000004\n";
    let lines = compare(&script, folder.path(), "g3-enet-replaced", text);
    assert_eq!(lines, ["server > all 9 B RAW 0 bytes"]);
    let file = folder.path().join("g3-enet-replaced.pcap");
    let all = of_gdvar(&file, &["--engine", "godot3", "--carrier", "enet", "--all"]);
    let ignored = all.iter().filter(|line| line.ends_with(" 9 B IGNORED"));
    assert_eq!(ignored.count(), 3, "{all:?}");
}

/// A network may deliver all pieces of an unreliable packet again. ENet ignores them.
#[test]
fn a_long_packet_that_came_twice_is_one_packet() {
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    let text = text_of("g4-enet-big");
    // A datagram without a time, and in it a SEND_UNRELIABLE_FRAGMENT.
    let is_piece = |line: &&str| line.contains(" 1>S 00000c");
    let last = text.lines().rfind(is_piece).unwrap();
    let pieces: Vec<_> = text.lines().filter(is_piece).collect();
    let twice = text.replace(last, &[&[last], &pieces[..]].concat().join("\n"));
    let file = folder.path().join("twice.pcap");
    write(&twice, false, &file);
    let ours = of_gdvar(&file, &[]);
    assert_eq!(ours, of_tshark(&script, &file, &["-o", "gdvar.engine:4"]));
    let calls = |line: &&String| line.contains("CALL Net.#4(");
    assert_eq!(ours.iter().filter(calls).count(), 1, "{ours:?}");
}

#[test]
fn tshark_decides_compression_by_connection_as_the_command_does() {
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    let games = [
        (
            "4",
            &[
                "g4-enet-fastlz",
                "g4-enet-range",
                "g4-enet-zlib",
                "g4-enet-zstd",
                "g4-enet-rpc",
            ],
        ),
        (
            "3",
            &[
                "g3-enet-fastlz",
                "g36-enet-range",
                "g3-enet-zlib",
                "g3-enet-zstd",
                "g3-enet-rpc",
            ],
        ),
    ];
    for (engine, names) in games {
        let file = folder.path().join(format!("{engine}.pcap"));
        write_side_by_side(names, &file);
        let (godot, option) = (format!("godot{engine}"), format!("gdvar.engine:{engine}"));
        let mut ours = of_gdvar(&file, &["--engine", &godot, "--carrier", "enet"]);
        // In a second pass (`-2`), tshark also shows the packets that had to wait for a later datagram.
        let mut theirs = of_tshark(&script, &file, &["-2", "-o", &option]);
        assert!(ours.len() > 250 && !theirs.iter().any(|line| line.contains("held until")));
        // `gdvar packets` prints the server in each line; Wireshark has a column of its own for it.
        for line in &mut ours {
            if let Some((_, rest)) = line.split_once(":7777 ") {
                *line = rest.to_owned();
            }
        }
        // `gdvar packets` prints a packet once it can be read; tshark prints it at the datagram that it came in.
        ours.sort();
        theirs.sort();
        // Godot 3 cannot read the packets in them, and says so in other words.
        let is_readable = |line: &String| !line.contains("DAMAGED");
        ours.retain(is_readable);
        theirs.retain(is_readable);
        assert_eq!(ours, theirs, "Godot {engine}");
    }
    // In a single pass, tshark shows that a packet is held until more comes, and prints no wrong packet.
    let file = folder.path().join("4.pcap");
    let once = of_tshark(&script, &file, &["-o", "gdvar.engine:4"]);
    assert!(
        once.iter()
            .filter(|line| line.contains("held until"))
            .count()
            >= 2,
        "{once:?}"
    );
}

/// What tshark prints with these options.
fn tshark(script: &Path, file: &Path, more: &[&str]) -> String {
    let theirs = Command::new("tshark")
        .arg("-X")
        .arg(format!("lua_script:{}", script.display()))
        .args(more)
        .arg("-r")
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&theirs.stderr);
    assert!(theirs.status.success() && !said.contains("Lua"), "{said}");
    String::from_utf8(theirs.stdout).unwrap()
}

/// The rows of the tables of commands and peers: name, packets, bytes, the largest.
type Rows = std::collections::BTreeSet<(String, [u64; 3])>;

#[test]
fn the_costs_are_those_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    for name in [
        "arena/g4-enet-arena",
        "g4-enet-fastlz",
        "g4-enet-relay",
        "g4-ws-rpc",
        "g3-enet-range",
        "g3-enet-relay",
        "g4-tcp-put_var",
    ] {
        let file = folder.path().join("game.pcap");
        let is_tcp = name.contains("-ws-") || name.contains("-tcp-");
        write(&text_of(name), is_tcp, &file);
        let is_godot4 = name.contains("g4-");
        let engine = if is_godot4 { "godot4" } else { "godot3" };
        let carrier = match name {
            "g4-ws-rpc" => "websocket",
            "g4-tcp-put_var" => "tcp",
            _ => "enet",
        };
        let ours = Command::new(GDVAR)
            .arg("packets")
            .arg(&file)
            .args([
                "--stats",
                "--json-lines",
                "--engine",
                engine,
                "--carrier",
                carrier,
            ])
            .output()
            .unwrap();
        let number = |line: &str, key: &str| -> u64 {
            let rest = line.split_once(&format!("\"{key}\":")).unwrap().1;
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap();
            rest[..end].parse().unwrap()
        };
        let lines = String::from_utf8(ours.stdout).unwrap();
        let tables = |line: &&str| {
            line.contains("\"table\":\"command\"") || line.contains("\"table\":\"peers\"")
        };
        let row = |line: &str| {
            let name = line.split_once("\"name\":\"").unwrap().1;
            let name = name.split_once('"').unwrap().0.to_owned();
            let counts = ["packets", "bytes", "largest"].map(|key| number(line, key));
            (name, counts)
        };
        let ours: Rows = lines.lines().filter(tables).map(row).collect();
        let engine = format!("gdvar.engine:{}", if is_godot4 { 4 } else { 3 });
        let more = ["-X", "lua_script1:stats", "-q", "-o", &engine];
        let theirs = tshark(&script, &file, &more);
        let row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [bytes, packets, largest] = [0, 1, 2].map(|n| words.get(n)?.parse().ok());
            let name = words.get(4..)?.join(" ");
            (words[3].ends_with('%')).then_some((name, [packets?, bytes?, largest?]))
        };
        let theirs: Rows = theirs.lines().filter_map(row).collect();
        assert!(ours.len() >= 3, "{name}: {lines}");
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn expert_info_names_what_is_wrong() {
    use gdvar_packet::{
        Encode,
        enet::{Body, Command as Enet, Fragment, Header},
        godot4,
    };
    let folder = tempfile::tempdir().unwrap();
    let Some(script) = dissector(folder.path()) else {
        return;
    };
    let answer = |matches| {
        let mut packet = Vec::new();
        let answer = godot4::ConfirmPath { matches, id: 1 };
        let written = godot4::Message::ConfirmPath(answer).encode(&mut packet);
        written.map(|()| packet).unwrap()
    };
    let (right, wrong, mut path) = (answer(true), answer(false), Vec::new());
    let simplify = godot4::SimplifyPath {
        md5: &[b'0'; 32],
        id: 1,
        path: gdvar_packet::Name::new(b"Net"),
    };
    let simplify = godot4::Message::SimplifyPath(simplify);
    simplify.encode(&mut path).unwrap();
    let piece = Body::Fragment(Fragment {
        reliable: true,
        start: 4,
        count: 2000,
        number: 0,
        total: 2 << 20,
        offset: 0,
        data: b"a piece",
    });
    let bodies = [
        Body::Reliable(&path),
        Body::Reliable(&right),
        // A call that is cut.
        Body::Reliable(&[0, 1, 1, 2, 2]),
        Body::Reliable(&wrong),
        piece,
    ];
    let file = folder.path().join("wrong.pcap");
    let mut writer = Writer::new(fs::File::create(&file).unwrap()).unwrap();
    for (n, body) in bodies.into_iter().enumerate() {
        let mut payload = Vec::new();
        let header = Header {
            peer: 1,
            sent_time: Some(7),
            ..Header::default()
        };
        header.encode(&mut payload).unwrap();
        let command = Enet::reliable(0, 1 + n as u16, body);
        command.encode(&mut payload).unwrap();
        let (client, server) = (([127, 0, 0, 1], 40_000), ([127, 0, 0, 1], 7777));
        // The server announces the path.
        let (source, target) = match n {
            0 => (server.into(), client.into()),
            _ => (client.into(), server.into()),
        };
        let segment = Segment {
            source,
            target,
            protocol: Protocol::Udp,
            payload: &payload,
        };
        writer
            .write(Duration::from_millis(n as u64), segment)
            .unwrap();
    }
    drop(writer);
    let frames = |field: &str| {
        let more = ["-Y", field, "-T", "fields", "-e", "frame.number"];
        tshark(&script, &file, &more)
    };
    assert_eq!(frames("gdvar.damaged"), "3\n");
    assert_eq!(frames("gdvar.md5_mismatch"), "4\n");
    assert_eq!(frames("gdvar.too_long"), "5\n");
    let all = tshark(&script, &file, &["-q", "-z", "expert"]);
    for text in [
        "Errors (1)",
        "Warns (2)",
        "other remote methods at the node",
        "1 MiB",
    ] {
        assert!(all.contains(text), "{text}: {all}");
    }
    // The command says the same.
    let ours = Command::new(GDVAR)
        .arg("packets")
        .arg(&file)
        .args(["--engine", "godot4", "--carrier", "enet"])
        .output()
        .unwrap();
    let (lines, notes) = (
        String::from_utf8(ours.stdout).unwrap(),
        String::from_utf8(ours.stderr).unwrap(),
    );
    assert_eq!(lines.matches("DAMAGED Truncated").count(), 1, "{lines}");
    assert_eq!(lines.matches("DAMAGED OverLimit").count(), 1, "{lines}");
    let note = "client and server have other remote methods at node Net";
    assert!(notes.contains(note), "{notes}");
}
