//! Filters on captures, and texts that are not filters.

mod common;

use common::{Capture, folder};
use gdvar_packet::{Filter, Session, names::Names};

/// The number of events in a capture that match a filter.
fn count(name: &str, filter: &str) -> usize {
    let filter = Filter::parse(filter).unwrap_or_else(|error| panic!("{filter}: {error}"));
    let names = Names::scan(folder().join("scripts")).expect("the project");
    let capture = Capture::load(name);
    let mut session = Session::new(capture.engine, capture.transport);
    let mut count = 0;
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            count += usize::from(filter.matches(&event, names.method(&event)));
        });
    }
    count
}

#[test]
fn filters_find_what_the_scripts_sent() {
    // The counts come from `scripts/peer4.gd`, `peer3.gd`, `values4.gd` and the logs.
    let cases = [
        ("g4-enet-rpc", r#"rpc.method == "c_two""#, 2),
        ("g4-enet-rpc", r#"method == "c_two" and args[0] == 7"#, 1),
        (
            "g4-enet-rpc",
            r#"method == "c_two" and args[1] == "seven" and args[1] contains "eve""#,
            1,
        ),
        (
            "g4-enet-rpc",
            r#"command == "CALL" and direction == "to_client""#,
            2,
        ),
        (
            "g4-enet-rpc",
            r#"method == "b_one" and args[0] > 2147483647"#,
            4,
        ),
        (
            "g4-enet-rpc",
            r#"method == "b_one" and args[0] >= 0.5 and args[0] < 1"#,
            1,
        ),
        ("g4-enet-rpc", r#"method == "b_one" and args[0] == true"#, 1),
        ("g4-enet-rpc", r#"method == "b_one" and args[0] == null"#, 1),
        ("g4-enet-rpc", "method == 32768", 1),
        (
            "g4-enet-rpc",
            r#"method == "i_configured" or method == "h_local""#,
            2,
        ),
        (
            "g4-enet-rpc",
            r#"command == "CALL" and delivery == "unreliable""#,
            1,
        ),
        ("g4-enet-rpc", r#"command == "CALL" and channel > 1"#, 1),
        (
            "g4-enet-rpc",
            r#"command == "CALL" and not (from == 1) and args != 1"#,
            4,
        ),
        ("g4-enet-nodes", r#"node == "N254""#, 2),
        ("g4-enet-nodes", r#"node starts_with "N29""#, 12),
        ("g4-enet-big", r#"command == "CALL" and fragments > 1"#, 3),
        (
            "g4-enet-big",
            r#"method == "b_one" and args[0][399].id == 399"#,
            1,
        ),
        (
            "g4-enet-relay",
            r#"relayed and args[0] == "client to client""#,
            2,
        ),
        (
            "g4-udp-put_var",
            r#"value.a == 1 and carrier == "datagram""#,
            1,
        ),
        (
            "g4-udp-put_var",
            r#"direction == "to_client" and value.ack > 60"#,
            6,
        ),
        ("g4-debugger", r#"message == "output" and value[0]"#, 6),
        ("g3-enet-rpc", r#"command == "SET" and method == "gold""#, 3),
        (
            "g3-ws-rpc",
            r#"carrier == "websocket" and method == "d_bytes" and size > 5000"#,
            1,
        ),
        ("g3-enet-rpc", r#"args[0].nothing == 1 or args[9]"#, 0),
    ];
    for (name, filter, expected) in cases {
        assert_eq!(count(name, filter), expected, "{name}: {filter}");
    }
}

#[test]
fn without_names_a_method_is_its_number() {
    let filter = Filter::parse(r#"method == "b_one""#).unwrap();
    let number = Filter::parse("method == 1").unwrap();
    let capture = Capture::load("g4-enet-rpc");
    let mut session = Session::new(capture.engine, capture.transport);
    let (mut named, mut numbered) = (0, 0);
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            named += u32::from(filter.matches(&event, None));
            numbered += u32::from(number.matches(&event, None));
        });
    }
    // 66 values, and the packets of the server to everybody and to one client.
    assert_eq!((named, numbered), (0, 68));
}

#[test]
fn evaluation_allocates_nothing() {
    let filter = Filter::parse(
        r#"(node == "Net" and args[0].damage > 50) or method == "b_one" and not args[0] contains "x""#,
    )
    .unwrap();
    let capture = Capture::load("g4-enet-rpc");
    let mut session = Session::new(capture.engine, capture.transport);
    let mut calls = 0;
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            let info = allocation_counter::measure(|| {
                std::hint::black_box(filter.matches(&event, Some("b_one")));
            });
            assert_eq!(info.count_total, 0);
            calls += 1;
        });
    }
    assert!(calls > 100);
}

#[test]
fn errors_have_the_offset_of_what_is_wrong() {
    for (text, offset) in [
        ("", 0),
        ("sized > 3", 0),
        ("size >", 6),
        ("size > 3 or", 11),
        ("size > 3 4", 9),
        ("(size > 3", 9),
        ("size contains 3", 15),
        ("args[x] == 1", 4),
        ("args[-1] == 1", 0),
        ("method == \"hit", 11),
        ("size == inf", 8),
        ("node.x == 1", 0),
    ] {
        let error = Filter::parse(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
    let deep = "(".repeat(100) + "size" + &")".repeat(100);
    assert_eq!(Filter::parse(&deep).unwrap_err().expected, "less nesting");
    assert!(Filter::parse(&"not ".repeat(100)).is_err());
    assert!(Filter::parse(&("(".repeat(60) + "size" + &")".repeat(60))).is_ok());
}

#[test]
fn whole_objects_of_put_var_are_data() {
    // put_var(RefCounted.new(), true) of Godot 4: type, a class name of 10 bytes, no properties.
    let object = b"\x18\0\0\0\x0a\0\0\0RefCounted\0\0\0\0\0\0";
    let mut session = gdvar_packet::Session::new(
        gdvar_packet::Engine::Godot4,
        gdvar_packet::Transport::Values,
    );
    let mut names = Vec::new();
    session.receive(0, gdvar_packet::Direction::ToServer, object, |event| {
        names.push(event.message.name());
    });
    assert_eq!(names, ["PUT_VAR"]);
}

/// `judge` is for rules that must not be bypassed: it has no answer about a node whose path the session did not hear.
#[test]
fn a_replicated_node_without_a_path_is_unknown() {
    let filter = Filter::parse(r#"node == "World/WorldSync""#).unwrap();
    let capture = Capture::load("g4-enet-repl");
    let mut announced = 0;
    let (mut known, mut unknown) = ([0, 0], 0);
    let mut whole = Session::new(capture.engine, capture.transport);
    for (place, piece) in capture.pieces.iter().enumerate() {
        whole.receive(
            piece.link,
            piece.direction,
            &piece.bytes,
            |event| match event.message.name() {
                "SIMPLIFY_PATH" => announced = place + 1,
                "SPAWN" | "DESPAWN" | "SYNC" | "DELTA" => {
                    let judged = filter.judge(&event, None).expect("an answer");
                    assert_eq!(judged, filter.matches(&event, None));
                    known[usize::from(judged)] += 1;
                }
                _ => {}
            },
        );
    }
    assert!(known[0] > 10 && known[1] > 5, "{known:?}");
    let mut late = Session::new(capture.engine, capture.transport);
    for piece in &capture.pieces[announced..] {
        late.receive(piece.link, piece.direction, &piece.bytes, |event| {
            if matches!(event.message.name(), "SPAWN" | "DESPAWN" | "SYNC" | "DELTA") {
                assert_eq!(filter.judge(&event, None), None, "{event:?}");
                assert!(!filter.matches(&event, None));
                unknown += 1;
            }
        });
    }
    assert!(unknown > 10, "{unknown}");
}
