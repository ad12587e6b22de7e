//! `gdvar proxy --network`: what a bad network does is measured at the sockets. Also a proxy that is started again while
//! a game runs.

mod common;

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream, UdpSocket},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use common::proxy::Proxy;

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");
/// A step that takes longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Ends the proxy, and returns its output and its last notes.
fn end(proxy: Proxy) -> (String, String) {
    let (status, out, notes) = proxy.end();
    assert!(status.success(), "{notes}");
    (out, notes)
}

fn kill(mut proxy: Proxy) {
    proxy.child.kill().unwrap();
    proxy.child.wait().unwrap();
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket
}

/// The int `n`, as `put_var` sends it.
fn value(n: u32) -> [u8; 8] {
    let mut bytes = [2, 0, 0, 0, 0, 0, 0, 0];
    bytes[4..].copy_from_slice(&n.to_le_bytes());
    bytes
}

/// Returns the numbers that arrive until nothing comes for `silence`.
fn numbers(socket: &UdpSocket, silence: Duration) -> Vec<u32> {
    socket.set_read_timeout(Some(silence)).unwrap();
    let (mut arrived, mut buffer) = (Vec::new(), [0; 64]);
    while let Ok(len) = socket.recv(&mut buffer) {
        assert_eq!(len, 8);
        arrived.push(u32::from_le_bytes(buffer[4..8].try_into().unwrap()));
    }
    arrived
}

/// Sends 300 numbers to the server through a proxy. Returns what arrived, and the last notes of the proxy.
fn sent_through(args: &[&str]) -> (Vec<u32>, String) {
    let (server, client) = (socket(), socket());
    let all = [&["--seconds", "3"], args].concat();
    let target = server.local_addr().unwrap();
    let proxy = Proxy::start("--udp", "127.0.0.1:0", target, &all);
    let at = proxy.at;
    // Beside the reader, and slowly: no buffer of the system may overflow.
    let sender = thread::spawn(move || {
        for n in 0..300 {
            client.send_to(&value(n), at).unwrap();
            thread::sleep(Duration::from_millis(2));
        }
    });
    let arrived = numbers(&server, Duration::from_millis(700));
    sender.join().unwrap();
    (arrived, end(proxy).1)
}

#[test]
fn datagrams_arrive_twice_and_overtake_each_other() {
    let rule = ["--network", "duplicate=10 reorder=20", "--seed", "3"];
    let (arrived, note) = sent_through(&rule);
    let mut times = BTreeMap::new();
    for n in &arrived {
        *times.entry(*n).or_insert(0) += 1;
    }
    assert_eq!(times.len(), 300, "none is lost");
    let twice = times.values().filter(|times| **times == 2).count();
    let overtaken = arrived.windows(2).filter(|two| two[0] > two[1]).count();
    // The expected numbers are 30 and 60. The bounds are four standard deviations away.
    assert!((10..=50).contains(&twice), "{twice}");
    assert!((32..=88).contains(&overtaken), "{overtaken}");
    // The last one may have waited for nothing, and a slow machine lets the wait end.
    assert!(note.contains(&format!(", {twice} doubled, ")), "{note}");
    let far = arrived.windows(2).filter(|two| two[0] > two[1] + 1);
    assert!(
        far.count() <= 2,
        "each is overtaken by the next one only: {arrived:?}"
    );
}

#[test]
fn losses_come_in_bursts_and_the_same_seed_loses_the_same() {
    let rule = ["--network", "loss=30 burst=6", "--seed", "3"];
    let (arrived, note) = sent_through(&rule);
    let gaps: Vec<u32> = { arrived.windows(2) }
        .map(|two| two[1] - two[0] - 1)
        .collect();
    let bursts = gaps.iter().filter(|gap| **gap > 0).count() as f64;
    let mean = f64::from(gaps.iter().sum::<u32>()) / bursts;
    assert!((3.0..=10.0).contains(&mean), "{mean}");
    let lost = 300 - arrived.len();
    assert!(note.contains(&format!("{lost} lost")), "{note}");
    assert_eq!(sent_through(&rule).0, arrived);
}

#[test]
fn rules_hold_from_a_time_on_and_for_a_direction() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.txt");
    fs::write(
        &file,
        "# a tunnel\n\nup latency=100\nat 1.5 loss=100\nat 2.5 up loss=0\n",
    )
    .unwrap();
    let (server, client) = (socket(), socket());
    let at_file = format!("@{}", file.display());
    let args = ["--seconds", "4", "--network", &at_file];
    let start = Instant::now();
    let proxy = Proxy::start("--udp", "127.0.0.1:0", server.local_addr().unwrap(), &args);
    let mut buffer = [0; 64];
    client.send_to(&value(1), proxy.at).unwrap();
    let sent = Instant::now();
    let (_, upstream) = server.recv_from(&mut buffer).unwrap();
    assert!(sent.elapsed() >= Duration::from_millis(100));
    server.send_to(&value(2), upstream).unwrap();
    let sent = Instant::now();
    client.recv(&mut buffer).unwrap();
    assert!(
        sent.elapsed() < Duration::from_millis(90),
        "{:?}",
        sent.elapsed()
    );
    // In the tunnel, and half out of it. The proxy has started after `start`.
    thread::sleep(Duration::from_millis(2100).saturating_sub(start.elapsed()));
    client.send_to(&value(3), proxy.at).unwrap();
    server.send_to(&value(4), upstream).unwrap();
    thread::sleep(Duration::from_millis(3300).saturating_sub(start.elapsed()));
    client.send_to(&value(5), proxy.at).unwrap();
    server.send_to(&value(6), upstream).unwrap();
    let silence = Duration::from_millis(500);
    assert_eq!(
        (numbers(&server, silence), numbers(&client, silence)),
        (vec![5], vec![])
    );
    assert!(end(proxy).1.ends_with("6 datagrams, 3 lost\n"));
}

#[test]
fn rules_hold_for_a_client() {
    let server = socket();
    let args = ["--seconds", "2", "--network", "client 1 loss=100"];
    let proxy = Proxy::start("--udp", "127.0.0.1:0", server.local_addr().unwrap(), &args);
    let clients = [socket(), socket(), socket()];
    for (n, client) in clients.iter().enumerate() {
        client.send_to(&value(n as u32), proxy.at).unwrap();
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(numbers(&server, Duration::from_millis(500)), [0, 2]);
    end(proxy);
}

#[test]
fn a_stream_is_as_slow_as_its_rate() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    // 50 000 bytes a second.
    let args = ["--quiet", "--seconds", "4", "--network", "rate=400"];
    // Without notes, the proxy does not print the port that it listens on, so the test chooses one.
    let port = socket().local_addr().unwrap().port().to_string();
    let mut child = Command::new(GDVAR)
        .args([
            "proxy",
            "--tcp",
            &port,
            &listener.local_addr().unwrap().to_string(),
        ])
        .args(args)
        .spawn()
        .unwrap();
    let start = Instant::now();
    let mut client = loop {
        match TcpStream::connect(format!("127.0.0.1:{port}")) {
            Ok(client) => break client,
            Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
            Err(error) => panic!("{error}"),
        }
    };
    let start = Instant::now();
    let sender = thread::spawn(move || {
        client.write_all(&[7; 75_000]).unwrap();
        client
    });
    let (mut server, _) = listener.accept().unwrap();
    server.read_exact(&mut vec![0; 75_000]).unwrap();
    let took = start.elapsed().as_secs_f64();
    assert!((1.3..=2.5).contains(&took), "{took}");
    drop(sender.join().unwrap());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_server_knows_its_client_again_after_the_proxy_was_restarted() {
    let (server, client) = (socket(), socket());
    let (target, mut buffer) = (server.local_addr().unwrap(), [0; 64]);
    let first = Proxy::start("--udp", "127.0.0.1:0", target, &[]);
    let at = first.at;
    client.send_to(&value(1), at).unwrap();
    let (_, from) = server.recv_from(&mut buffer).unwrap();
    kill(first);
    // No proxy is running now.
    client.send_to(&value(2), at).unwrap();
    let second = Proxy::start("--udp", &at.to_string(), target, &["--seconds", "2"]);
    assert_eq!(second.at, at);
    // The system reports once, at a later call, that nobody received the datagram before, so the first of these may
    // fail.
    for n in [3, 4] {
        let _ = client.send_to(&value(n), at);
        thread::sleep(Duration::from_millis(20));
    }
    let (_, again) = server.recv_from(&mut buffer).unwrap();
    assert_eq!(again, from);
    server.send_to(&value(5), again).unwrap();
    assert_eq!(numbers(&client, Duration::from_millis(500)), [5]);
    end(second);
}

#[test]
fn values_of_put_var_are_rewritten_and_redacted() {
    let server = socket();
    let args = [
        "--seconds",
        "2",
        "--rewrite",
        "value > 50 => value=50",
        "--redact",
        "value == 13 => value",
    ];
    let proxy = Proxy::start("--udp", "127.0.0.1:0", server.local_addr().unwrap(), &args);
    let client = socket();
    for n in [7, 13, 99] {
        client.send_to(&value(n), proxy.at).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(numbers(&server, Duration::from_millis(300)), [7, 0, 50]);
    let (out, note) = end(proxy);
    assert!(
        !out.contains("PUT_VAR 13") && out.contains("PUT_VAR 50  (rewritten)"),
        "{out}"
    );
    assert!(note.ends_with("2 rewritten\n"), "{note}");
}

#[test]
fn dtls_is_named() {
    let server = socket();
    let target = server.local_addr().unwrap();
    let proxy = Proxy::start("--udp", "127.0.0.1:0", target, &["--seconds", "2"]);
    let client = socket();
    // A handshake record of DTLS 1.2 with four bytes.
    let mut hello = [0; 17];
    hello[..3].copy_from_slice(&[22, 0xfe, 0xfd]);
    hello[12] = 4;
    client.send_to(&hello, proxy.at).unwrap();
    let mut buffer = [0; 64];
    assert_eq!(server.recv(&mut buffer).unwrap(), 17);
    let (out, _) = end(proxy);
    assert!(out.contains("encrypted with DTLS"), "{out}");
}

#[test]
fn mistakes_in_rules_are_told() {
    for (rule, expected) in [
        (
            "lost=5",
            "\"lost=5\": at SECONDS, client N, up, down or one of latency=, jitter=, ",
        ),
        ("loss=500", "a number from 0 to 100 is expected after loss="),
        ("@no/such/file", "no/such/file"),
    ] {
        let args = ["proxy", "--udp", "0", "7777", "--network", rule];
        let output = Command::new(GDVAR).args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_ne!(output.status.code(), Some(0));
        assert!(
            text.starts_with("error") && text.contains(expected),
            "{text}"
        );
    }
}

#[test]
fn a_server_that_is_down_is_named() {
    // Nobody listens at a port that was just given back.
    let target = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for carrier in ["--tcp", "--ws", "--debugger"] {
        let proxy = Proxy::start(carrier, "127.0.0.1:0", target, &["--seconds", "5"]);
        for _ in 0..3 {
            let mut client = TcpStream::connect(proxy.at).unwrap();
            client.set_read_timeout(Some(PATIENCE)).unwrap();
            let _ = client.write_all(b"hello");
            // The connection is closed, not left open.
            let end = client.read(&mut [0; 8]);
            assert!(!matches!(end, Ok(1..)), "{end:?}");
        }
        let (_, notes) = end(proxy);
        let expected = format!("no connection to {target}: ");
        assert_eq!(notes.matches(&expected).count(), 1, "{notes}");
        assert!(notes.contains("does the server run there?"), "{notes}");
        assert!(notes.contains("3 without the server"), "{notes}");
    }
}
