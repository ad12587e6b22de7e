//! `gdvar debug` with games that are not there: what 4.6.3 and 3.6.2 said is sent to it again, and never an answer.

use std::{
    fs,
    io::Write,
    net::{TcpListener, TcpStream},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use gdvar_packet::debugger::Session;

/// What a real game said until it stopped at a breakpoint, or until its first message.
fn said(engine: &str, in_break: bool) -> Vec<u8> {
    let path = gdvar_conformance::vectors::testdata("debugger").join(format!("{engine}.bin"));
    let bytes = fs::read(path).expect("the recording");
    let mut session = Session::new();
    for (at, byte) in bytes.iter().enumerate() {
        let received = session.receive(&[*byte], |_| {});
        received.expect("a game");
        let is_there = match in_break {
            true => session.is_in_break(),
            false => session.version().is_some() && session.pending() == 0,
        };
        if is_there {
            return bytes[..=at].to_vec();
        }
    }
    panic!("{engine}: no such place in the recording");
}

/// Runs verbs, with a game that says `bytes` and nothing more.
fn debug(verbs: &[&str], bytes: &[u8]) -> (Output, Duration) {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("an address");
    drop(free);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdvar"));
    command.args([
        "-q",
        "debug",
        "--timeout",
        "20",
        "--listen",
        &address.to_string(),
    ]);
    for verb in verbs {
        command.args(["--exec", verb]);
    }
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("it starts");
    let until = Instant::now() + Duration::from_secs(20);
    let mut game = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        thread::sleep(Duration::from_millis(20));
    };
    let start = Instant::now();
    game.write_all(bytes).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    (output, start.elapsed())
}

#[test]
fn what_a_game_cannot_answer_is_refused_at_once() {
    let unsupported = "Godot 3 has neither `evaluate` nor `out`";
    let in_break = "the game is in a break; continue it first";
    for (engine, is_in_break, verb, why) in [
        ("godot3.6", false, "evaluate 6 * 7", unsupported),
        ("godot3.6", false, "out", unsupported),
        ("godot3.6", true, "evaluate 6 * 7", unsupported),
        ("godot3.6", true, "monitors", in_break),
        ("godot3.6", true, "monitors 2", in_break),
        ("godot3.6", true, "profile 1", in_break),
        ("godot3.6", true, "break", in_break),
        ("godot4.6", true, "monitors", in_break),
        ("godot4.6", true, "monitors 2", in_break),
        ("godot4.6", true, "profile 1", in_break),
        ("godot4.6", true, "break", in_break),
    ] {
        // All that was sent is read before the verb.
        let (output, time) = debug(&["wait 0.5", verb], &said(engine, is_in_break));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(why), "{engine}: {verb}: {text}");
        assert_eq!(output.status.code(), Some(1), "{engine}: {verb}");
        assert!(time < Duration::from_secs(10), "{engine}: {verb}: {time:?}");
    }
}

#[test]
fn another_program_is_not_taken_for_a_game() {
    let (output, _) = debug(&["tree"], b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("NotADebuggedGame at byte 0x0"), "{text}");
}
