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
            r#"value.a == 1 and not value.g and carrier == "datagram""#,
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

/// The values are from `scripts/values4.gd`. A path may lead to a component of a vector or an element of a packed
/// array, in every place where a filter takes a path.
#[test]
fn a_path_leads_into_vectors_and_packed_arrays() {
    let cases = [
        // Vector2(1, -2) and Vector2i(1, -2).
        ("g4-enet-rpc", "args[0].y == -2", 2),
        ("g4-enet-rpc", "args[0].y < -1.5", 2),
        ("g4-enet-rpc", "args[0].y", 11),
        // Color(0.25, 0.5, 0.75, 1).
        ("g4-enet-rpc", "args[0].g == 0.5", 1),
        ("g4-enet-rpc", "args[0][1] == -2", 2),
        ("g4-enet-rpc", "args[0][0] == 0.5", 1),
        (
            "g4-enet-rpc",
            r#"args[0][0] == "a" and args[0][-1] == """#,
            1,
        ),
        // PackedVector2Array, PackedVector3Array and PackedVector4Array.
        ("g4-enet-rpc", "args[0][0].x == 1 and args[0][0].y == 2", 3),
        ("g4-enet-rpc", "args[0][0].r == 1", 1),
        // A PackedByteArray with a header, and one that is the only argument.
        ("g4-enet-rpc", "method == 2 and args[0][1] == 2", 1),
        (
            "g4-enet-big",
            "method == \"d_bytes\" and args[0][0] >= 0",
            1,
        ),
        ("g4-enet-repl", "properties[0].x == 10", 4),
        ("g4-udp-put_var", "value.end.x == 4", 2),
        ("g4-udp-put_var", "value.end.z == 9", 1),
        ("g4-udp-put_var", "value.basis.y.y == 1", 1),
        ("g4-udp-put_var", "value.origin.y == 4", 1),
        ("g4-udp-put_var", "value.d == 5 and value.normal.y == 1", 1),
        ("g4-udp-put_var", "value.x.x == 1", 2),
        // A whole component is no number.
        ("g4-udp-put_var", "value.basis.x == 1", 0),
        ("g4-udp-put_var", "value.basis.x", 1),
    ];
    let found: Vec<_> = { cases.iter() }
        .map(|&(name, filter, _)| (name, filter, count(name, filter)))
        .collect();
    assert_eq!(found, cases);
}

#[test]
fn every_value_that_differs_is_unequal() {
    let calls = count("g4-enet-rpc", r#"method == "b_one""#);
    assert_eq!(calls, 68);
    for (filter, expected) in [
        (r#"method == "b_one" and args[0] != null"#, calls - 1),
        (r#"method == "b_one" and args[0] != "ok""#, calls),
        (r#"method == "b_one" and args[0] != true"#, calls - 1),
        (r#"method == "b_one" and args[0] != 0.5"#, calls - 1),
        (r#"method == "b_one" and args[0] != 5"#, calls),
        (r#"method == "b_one" and args[1] != null"#, 0),
        (r#"method == "b_one" and method != "c_two""#, calls),
        (r#"method == "b_one" and method != 1"#, 0),
        (r#"method == "b_one" and node != 7"#, calls),
    ] {
        assert_eq!(count("g4-enet-rpc", filter), expected, "{filter}");
    }
    // If only the number of a method is known, the method may have the name.
    let filter = Filter::parse(r#"method != "b_one""#).unwrap();
    let capture = Capture::load("g4-enet-rpc");
    let mut session = Session::new(capture.engine, capture.transport);
    for piece in &capture.pieces {
        session.receive(piece.link, piece.direction, &piece.bytes, |event| {
            assert!(!filter.matches(&event, None));
        });
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
