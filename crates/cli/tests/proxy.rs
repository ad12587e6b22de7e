//! `gdvar proxy`: captures of live engines are sent through it, datagram by datagram and piece by piece.

mod common;

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream, UdpSocket},
    path::PathBuf,
    process::Command,
    time::Duration,
};

use common::proxy::Proxy;
use gdvar_packet::{Direction, Engine, Session, Transport};

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");
/// A step that takes longer has failed.
const PATIENCE: Option<Duration> = Some(Duration::from_secs(20));

fn capture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/captures/{name}.hex"))
}

/// The traffic between the first client and the server. Each item is `true` if it goes to the server,
/// and its bytes.
fn pieces(name: &str) -> Vec<(bool, Vec<u8>)> {
    let text = fs::read_to_string(capture(name)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let to_server = match words[1] {
                "1>S" | "G>E" => true,
                "S>1" | "E>G" => false,
                _ => return None,
            };
            let digit = |at: usize| u8::from_str_radix(&words[2][at..at + 2], 16).unwrap();
            Some((
                to_server,
                (0..words[2].len()).step_by(2).map(digit).collect(),
            ))
        })
        .collect()
}

/// A proxy at any port.
fn start(carrier: &str, target: SocketAddr, args: &[&str]) -> Proxy {
    Proxy::start(carrier, "127.0.0.1:0", target, args)
}

/// Waits until the proxy ends, and returns its output and its last notes.
fn end(proxy: Proxy) -> (String, String) {
    let (status, out, notes) = proxy.end();
    // A packet that could not be changed is a finding.
    let expected = i32::from(notes.contains("left as they came"));
    assert_eq!(status.code(), Some(expected), "{notes}");
    (out, notes)
}

/// The output of `gdvar packets`, without times; `client 1` of a capture is `client 0` of a proxy.
fn without_times(lines: &str) -> Vec<String> {
    let line = |line: &str| -> String {
        let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
        words.join(" ").replace("client 1", "client 0")
    };
    lines.lines().map(line).collect()
}

fn packets(file: &std::path::Path, args: &[&str]) -> Vec<String> {
    let output = Command::new(GDVAR)
        .arg("packets")
        .arg(file)
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success());
    without_times(&String::from_utf8(output.stdout).unwrap())
}

/// Sends a capture through a proxy, each datagram when the one before has arrived. Returns what arrived,
/// and the output and the notes of the proxy.
fn replay(name: &str, args: &[&str]) -> (Vec<(bool, Vec<u8>)>, String, String) {
    replay_after(&[], name, args)
}

/// Like `replay`, but the client first sends other datagrams, whose arrival is not awaited.
fn replay_after(
    first: &[&[u8]],
    name: &str,
    args: &[&str],
) -> (Vec<(bool, Vec<u8>)>, String, String) {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    server
        .set_read_timeout(Some(Duration::from_millis(300)))
        .unwrap();
    client
        .set_read_timeout(Some(Duration::from_millis(300)))
        .unwrap();
    let proxy = start("--udp", server.local_addr().unwrap(), args);
    let (mut arrived, mut buffer, mut upstream) = (Vec::new(), [0; 65536], None);
    for stray in first {
        client.send_to(stray, proxy.at).unwrap();
        if let Ok((len, _)) = server.recv_from(&mut buffer) {
            arrived.push((true, buffer[..len].to_vec()));
        }
    }
    for (to_server, bytes) in pieces(name) {
        if to_server {
            client.send_to(&bytes, proxy.at).unwrap();
            let Ok((len, from)) = server.recv_from(&mut buffer) else {
                continue;
            };
            upstream = Some(from);
            arrived.push((true, buffer[..len].to_vec()));
        } else {
            server
                .send_to(&bytes, upstream.expect("a client comes first"))
                .unwrap();
            let Ok(len) = client.recv(&mut buffer) else {
                continue;
            };
            arrived.push((false, buffer[..len].to_vec()));
        }
    }
    let (out, notes) = end(proxy);
    (arrived, out, notes)
}

#[test]
fn datagrams_are_shown_and_handed_on_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.pcap");
    let args = ["--seconds", "4", "--record", record.to_str().unwrap()];
    let (arrived, out, notes) = replay("g4-enet-rpc", &args);
    assert_eq!(arrived, pieces("g4-enet-rpc"));
    let expected = packets(&capture("g4-enet-rpc"), &[]);
    assert!(expected.len() > 80);
    assert_eq!(without_times(&out), expected);
    assert_eq!(
        notes,
        format!("note: 1 client, {} datagrams\n", arrived.len())
    );
    assert_eq!(packets(&record, &[]), expected);
    // A recording is not overwritten.
    let again = Command::new(GDVAR)
        .args(["proxy", "--udp", "0", "1", "--seconds", "1", "--record"])
        .arg(&record)
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(6));
    assert_eq!(packets(&record, &[]), expected);
}

#[test]
fn rules_are_applied_and_told_of() {
    let args = [
        "--seconds",
        "6",
        "--filter",
        "method == 2 or method == 7",
        "--rewrite",
        "method == 2 and args[0] == 7 => args[0] = Vector2(1, 2)",
        "--redact",
        "method == 2 => args[1]",
        "--drop",
        "method == 7",
    ];
    let (arrived, out, notes) = replay("g4-enet-rpc", &args);
    let lines = without_times(&out);
    let end = |line: &str| line.split_once(" B ").map(|(_, end)| end.to_owned());
    let ends: Vec<_> = lines.iter().filter_map(|line| end(line)).collect();
    assert_eq!(
        ends,
        [
            "CALL Net.#2(Vector2(1, 2), \"\") (rewritten)",
            "CALL Net.#2(PackedByteArray(1, 2, 3), false) (rewritten)",
            "CALL Net.#7(4) (dropped)",
        ]
    );
    assert!(notes.ends_with("2 rewritten, 1 dropped\n"), "{notes}");
    // Nothing else was changed; the dropped packet became one that does nothing.
    let before = pieces("g4-enet-rpc");
    let changed: Vec<_> = { before.iter().zip(&arrived) }
        .filter(|(before, after)| before != after)
        .collect();
    assert_eq!((arrived.len(), changed.len()), (before.len(), 3));
    assert!(changed[2].1.1.ends_with(&[0, 2, 7, 0]));
}

/// The commands of the packets that arrived at the server.
fn commands(engine: Engine, arrived: &[(bool, Vec<u8>)]) -> Vec<&'static str> {
    let mut session = Session::new(engine, Transport::Enet);
    let mut commands = Vec::new();
    for (_, bytes) in arrived.iter().filter(|(to_server, _)| *to_server) {
        session.receive(0, Direction::ToServer, bytes, |item| {
            commands.push(item.message.name());
        });
    }
    commands
}

#[test]
fn no_datagram_in_front_switches_the_rules_off() {
    let strays: [&[u8]; 4] = [b"\0", b"\0\0\0\0", b"hello there", b"\x40\0 packed"];
    for (name, engine) in [
        ("g4-enet-rpc", Engine::Godot4),
        ("g4-enet-fastlz", Engine::Godot4),
        ("g36-enet-range", Engine::Godot3),
    ] {
        let option = match engine {
            Engine::Godot4 => "godot4",
            Engine::Godot3 => "godot3",
        };
        let before = pieces(name);
        assert!(
            commands(engine, &before)
                .iter()
                .filter(|one| **one == "CALL")
                .count()
                > 40
        );
        let drop = [
            "--seconds",
            "9",
            "--engine",
            option,
            "--drop",
            "command == \"CALL\"",
        ];
        let (arrived, _, notes) = replay_after(&strays, name, &drop);
        let after = commands(engine, &arrived);
        assert!(!after.contains(&"CALL"), "{name}: {notes}");
        assert!(after.contains(&"SIMPLIFY_PATH"), "{name}: {notes}");
        // `null` of put_var can be read, and is not a call.
        assert!(
            notes.contains("3 blocked, because a rule may be for them"),
            "{notes}"
        );
        let stray = |bytes: &[u8]| strays.contains(&bytes) && bytes != strays[1];
        assert!(!arrived.iter().any(|(_, bytes)| stray(bytes)), "{name}");
        // The receiver reads what the rules have seen, whatever the compression.
        let packed = |bytes: &[u8]| bytes.len() > 4 && bytes[0] & 0x40 != 0;
        assert!(!arrived.iter().any(|(_, bytes)| packed(bytes)), "{name}");
    }
    // If a secret cannot be taken out of a packet, because it cannot be read, the packet is blocked and
    // not shown.
    let redact = ["--seconds", "4", "--redact", "args[0]", "--json-lines"];
    let (arrived, out, _) = replay_after(&[b"secret"], "g4-udp-put_var", &redact);
    assert!(out.lines().next().unwrap().contains("blocked"), "{out}");
    assert!(!out.contains("secret") && arrived[0].1 != b"secret");
    let open = ["--seconds", "4", "--redact", "args[0]", "--pass-unclear"];
    let (arrived, _, notes) = replay_after(&[b"secret"], "g4-udp-put_var", &open);
    assert_eq!(arrived[0].1, b"secret");
    assert!(
        notes.contains("1 left as they came, though a rule may be for them"),
        "{notes}"
    );
}

/// The usual end of a proxy is Ctrl-C, and its last note says what was lost or blocked.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_proxy_with_its_last_note() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    server.set_read_timeout(PATIENCE).unwrap();
    for (carrier, said) in [
        ("--udp", "1 client, 1 datagram\n"),
        ("--tcp", "0 clients, 0 pieces\n"),
    ] {
        let proxy = start(carrier, server.local_addr().unwrap(), &[]);
        if carrier == "--udp" {
            client.send_to(&[0; 4], proxy.at).unwrap();
            assert_eq!(server.recv_from(&mut [0; 100]).unwrap().0, 4);
        }
        let pid = proxy.child.id().to_string();
        let kill = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(kill.unwrap().success());
        let (_, notes) = end(proxy);
        assert!(notes.ends_with(said), "{notes}");
    }
}

#[test]
fn a_packet_that_has_no_room_for_its_edit_is_told_of() {
    let rule = |path: &str, len: usize| {
        let text = "x".repeat(len);
        format!("method == 2 and args[0] == 7 => {path}=\"{text}\"")
    };
    let before = pieces("g4-enet-rpc");
    let (long, fits) = (rule("args[1]", 5000), rule("args[1]", 4000));
    let (arrived, out, notes) = replay("g4-enet-rpc", &["--seconds", "4", "--rewrite", &long]);
    assert_eq!(arrived, before);
    let line = { out.lines() }
        .find(|line| line.contains("CALL Net.#2(7, \"seven\")"))
        .expect("it is shown as it came");
    assert!(line.ends_with("has room for 4064)"), "{line}");
    let note = "1 left as they came, because they cannot be changed so\n";
    assert!(notes.ends_with(note), "{notes}");
    // Hidden values do not pass, whatever else becomes of the packet.
    let hide = [
        "--seconds",
        "4",
        "--rewrite",
        &long,
        "--redact",
        "method == 2 => args[0]",
    ];
    let (arrived, out, notes) = replay("g4-enet-rpc", &hide);
    assert!(out.contains("  (blocked: the edit makes"), "{notes}");
    assert!(
        arrived
            .iter()
            .all(|(_, bytes)| !bytes.windows(5).any(|text| text == b"seven"))
    );
    let (arrived, out, notes) = replay("g4-enet-rpc", &["--seconds", "4", "--rewrite", &fits]);
    let longest = arrived.iter().map(|(_, bytes)| bytes.len()).max();
    assert!(longest > Some(4000) && longest <= Some(4096), "{longest:?}");
    assert!(out.contains("  (rewritten)"), "{notes}");
}

#[test]
fn a_bad_network_loses_what_it_should_and_is_late() {
    let run = |seed: &str| {
        let server = UdpSocket::bind("127.0.0.1:0").unwrap();
        let client = UdpSocket::bind("127.0.0.1:0").unwrap();
        server.set_read_timeout(PATIENCE).unwrap();
        let args = [
            "--quiet",
            "--seconds",
            "3",
            "--loss",
            "20",
            "--latency",
            "50",
            "--seed",
            seed,
        ];
        let mut child = Command::new(GDVAR);
        // Without notes, the proxy does not print the port that it listens on, so the test chooses one.
        let port = {
            UdpSocket::bind("127.0.0.1:0")
                .unwrap()
                .local_addr()
                .unwrap()
        };
        let mut child = child
            .args([
                "proxy",
                "--udp",
                &port.to_string(),
                &server.local_addr().unwrap().to_string(),
            ])
            .args(args)
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let start = std::time::Instant::now();
        for n in 0..200_u32 {
            // So that no buffer of the system overflows.
            std::thread::sleep(Duration::from_millis(2));
            client
                .send_to(&[&[2, 0, 0, 0][..], &n.to_le_bytes()].concat(), port)
                .unwrap();
        }
        let (mut arrived, mut buffer) = (Vec::new(), [0; 64]);
        server.recv(&mut buffer).unwrap();
        let late = start.elapsed();
        loop {
            arrived.push(u32::from_le_bytes(buffer[4..8].try_into().unwrap()));
            server
                .set_read_timeout(Some(Duration::from_millis(500)))
                .unwrap();
            if server.recv(&mut buffer).is_err() {
                break;
            }
        }
        assert!(child.wait().unwrap().success());
        (arrived, late)
    };
    let (first, late) = run("3");
    assert!(late >= Duration::from_millis(50), "{late:?}");
    // The expected number is 160, with a standard deviation of 6.
    assert!((130..=190).contains(&first.len()), "{}", first.len());
    assert!(first.is_sorted(), "without jitter nothing is overtaken");
    assert_eq!(run("3").0, first, "the same seed loses the same");
    assert_ne!(run("4").0, first);
}

#[test]
fn many_clients_are_told_apart_and_too_many_are_refused() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    server.set_read_timeout(PATIENCE).unwrap();
    let proxy = start(
        "--udp",
        server.local_addr().unwrap(),
        &["--seconds", "3", "--clients", "20"],
    );
    let clients: Vec<UdpSocket> = (0..30)
        .map(|_| UdpSocket::bind("127.0.0.1:0").unwrap())
        .collect();
    let mut buffer = [0; 64];
    for (n, client) in clients.iter().enumerate() {
        client
            .set_read_timeout(Some(Duration::from_millis(if n < 20 {
                20_000
            } else {
                20
            })))
            .unwrap();
        client
            .send_to(&[2, 0, 0, 0, n as u8, 0, 0, 0], proxy.at)
            .unwrap();
        if n < 20 {
            let (len, from) = server.recv_from(&mut buffer).unwrap();
            assert_eq!(buffer[4], n as u8);
            server.send_to(&buffer[..len], from).unwrap();
        }
        match client.recv(&mut buffer) {
            Ok(_) => assert!(n < 20 && buffer[4] == n as u8),
            Err(_) => assert!(n >= 20, "{n}"),
        }
    }
    let (out, notes) = end(proxy);
    assert_eq!(out.lines().count(), 40);
    assert!(
        out.lines().last().unwrap().contains("server > client 19"),
        "{out}"
    );
    assert_eq!(
        notes,
        "note: 20 clients, 40 datagrams, 10 refused, because there were too many clients\n"
    );
}

/// Sends a capture of a stream through a proxy. Returns what arrived at the server and at the client,
/// and the output and the notes of the proxy.
fn replay_stream(carrier: &str, name: &str, args: &[&str]) -> ([Vec<u8>; 2], String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = start(carrier, listener.local_addr().unwrap(), args);
    let mut client = TcpStream::connect(proxy.at).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    let readers = [&server, &client].map(|stream| {
        let mut stream = stream.try_clone().unwrap();
        stream.set_read_timeout(PATIENCE).unwrap();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).unwrap();
            bytes
        })
    });
    for (to_server, bytes) in pieces(name) {
        if to_server { &mut client } else { &mut server }
            .write_all(&bytes)
            .unwrap();
        // The other side would answer only then.
        std::thread::sleep(Duration::from_millis(5));
    }
    client.shutdown(std::net::Shutdown::Write).unwrap();
    server.shutdown(std::net::Shutdown::Write).unwrap();
    let arrived = readers.map(|reader| reader.join().unwrap());
    let (out, notes) = end(proxy);
    (arrived, out, notes)
}

fn stream(name: &str, to_server: bool) -> Vec<u8> {
    let its = pieces(name)
        .into_iter()
        .filter(|(way, _)| *way == to_server);
    its.flat_map(|(_, bytes)| bytes).collect()
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

#[test]
fn streams_are_shown_and_handed_on_as_they_are() {
    for (carrier, name) in [
        ("--ws", "g4-ws-rpc"),
        ("--tcp", "g4-tcp-put_var"),
        ("--debugger", "g4-debugger"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("game.pcap");
        let args = ["--seconds", "5", "--record", record.to_str().unwrap()];
        let (arrived, out, _) = replay_stream(carrier, name, &args);
        assert_eq!(arrived, [stream(name, true), stream(name, false)], "{name}");
        let expected = sorted(packets(&capture(name), &[]));
        assert!(expected.len() > 2, "{name}");
        assert_eq!(sorted(without_times(&out)), expected, "{name}");
        assert_eq!(sorted(packets(&record, &[])), expected, "{name}");
    }
}

#[test]
fn messages_of_a_websocket_are_dropped_and_rewritten() {
    let args = [
        "--seconds",
        "5",
        "--engine",
        "godot3",
        "--drop",
        "command == \"SET\"",
        "--rewrite",
        "method == \"c_two\" => args[1]=\"eleven\"",
    ];
    let ([to_server, _], out, notes) = replay_stream("--ws", "g3-ws-rpc", &args);
    assert!(out.contains("c_two(7, \"eleven\")  (rewritten)"), "{out}");
    assert!(notes.ends_with("1 rewritten, 3 dropped\n"), "{notes}");
    assert!(to_server.len() < stream("g3-ws-rpc", true).len());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let run = |args: &[&str]| {
        let output = Command::new(GDVAR)
            .arg("proxy")
            .args(args)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for args in [
        &["7778", "7777"][..],
        &["--udp", "--ws", "7778", "7777"],
        &["--udp", "nowhere", "7777"],
        &["--udp", "0", "7777", "--filter", "method =="],
        &["--udp", "0", "7777", "--rewrite", "method == 1 => args[0]"],
        &[
            "--udp",
            "0",
            "7777",
            "--rewrite",
            "method == 1 => args[0]=Vector2(",
        ],
        &["--udp", "0", "7777", "--redact", "method == 1 => name"],
        &["--udp", "0", "7777", "--loss", "101"],
        &["--udp", "0", "7777", "--network", "up down loss=100"],
        &["--udp", "0", "7777", "--network", "loss=5 loss=6"],
        &["--udp", "0", "7777", "--network", "loss=90 burst=2"],
        &["--udp", "0", "7777", "--loss", "90", "--network", "burst=2"],
    ] {
        let (code, text) = run(args);
        assert_eq!(code, Some(2), "{args:?}: {text}");
        assert!(text.starts_with("error"), "{text}");
    }
    // A proxy that sends to itself, however the address is written.
    for carrier in ["--udp", "--tcp", "--ws", "--debugger"] {
        for (listen, target) in [
            ("7911", "7911"),
            ("127.0.0.1:7911", "localhost:7911"),
            ("0.0.0.0:7911", "7911"),
            ("0.0.0.0:7911", "0.0.0.0:7911"),
            ("7911", "0.0.0.0:7911"),
        ] {
            let (code, text) = run(&[carrier, listen, target, "--seconds", "0"]);
            assert_eq!(code, Some(2), "{listen} {target}: {text}");
            assert!(text.contains("would send to itself"), "{text}");
        }
        let (code, text) = run(&[carrier, "0", "127.0.0.2:7911", "--seconds", "0"]);
        assert_eq!(code, Some(0), "{text}");
    }
    // A filter without an action.
    for (option, rule) in [
        ("--rewrite", "method == \"a\""),
        ("--rewrite", "args[0] == 5"),
        ("--rewrite", "args[0] > 5 and not args[1]"),
        ("--redact", "method == \"a\""),
        ("--redact", "args[0] == 5"),
    ] {
        let (code, text) = run(&["--udp", "0", "7777", option, rule, "--seconds", "0"]);
        assert_eq!(code, Some(2), "{rule}: {text}");
        assert!(text.contains("`=>` is missing after it"), "{rule}: {text}");
    }
    // The line of a file.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.txt");
    std::fs::write(&file, "# a network\nloss=1\n  # indented\n\nat 5 lost=2\n").unwrap();
    let rule = format!("@{}", file.display());
    let (code, text) = run(&["--udp", "0", "7777", "--network", &rule]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("net.txt: line 5: \"lost=2\": "), "{text}");
    // A proxy that listens to the world says so.
    let (code, text) = run(&["--udp", "0.0.0.0:0", "7777", "--seconds", "0"]);
    assert_eq!(code, Some(0));
    assert!(
        text.starts_with("warning: whoever reaches 0.0.0.0:"),
        "{text}"
    );
}
