//! The debugger's session against what 4.6.3 and 3.6.2 said, as `testdata/debugger` recorded it.

use std::{collections::BTreeMap, fs, path::Path};

use gdvar_packet::{
    Arg,
    debugger::{
        Content, DebuggerLimits, GameVersion, Request, RequestError, Session, VariableScope,
        monitor_names,
    },
};

fn recorded(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/debugger");
    fs::read(folder.join(name)).expect("a recording")
}

/// The typed parts of a recording, in words.
fn heard(bytes: &[u8], piece: usize) -> (Session, Vec<String>) {
    let mut session = Session::new();
    let mut heard = Vec::new();
    for piece in bytes.chunks(piece) {
        let received = session.receive(piece, |message| {
            heard.push(match &message.content {
                Content::Output(texts) => format!("printed {}", texts[0].text.trim()),
                Content::Error(error) => format!(
                    "{} {} at {} {}:{:?}",
                    if error.is_warning { "warning" } else { "error" },
                    error.error,
                    error.function,
                    error.file,
                    error.stack.first().map(|frame| frame.line),
                ),
                Content::Break {
                    can_continue,
                    reason,
                    has_stack,
                } => format!("break {reason:?} {can_continue} {has_stack:?}"),
                Content::Resumed => "resumed".to_owned(),
                Content::Stack(frames) => frames.iter().fold("stack".to_owned(), |all, frame| {
                    format!("{all} {} {}:{}", frame.function, frame.file, frame.line)
                }),
                Content::VariableCount(count) => format!("{count} variables"),
                Content::Variable(variable) => format!(
                    "{:?} {} {:?} {:?}",
                    variable.scope,
                    variable.name,
                    variable.value.as_i64(),
                    variable.value.as_str(),
                ),
                Content::Tree(nodes) => nodes.iter().fold("tree".to_owned(), |all, node| {
                    format!("{all} {} {} {}", node.children, node.name, node.class)
                }),
                Content::Object(object) => {
                    let speed = { object.properties.iter() }
                        .find(|property| property.name == "Members/speed")
                        .and_then(|property| property.value.as_i64());
                    let headings = object.properties.iter().filter(|one| one.is_heading);
                    let headings: Vec<_> = headings.map(|one| one.name).collect();
                    format!("object {} {speed:?} {}", object.class, headings.join(" "))
                }
                Content::NoObject => "no object".to_owned(),
                Content::Monitors(values) => format!("{} monitors", values.len()),
                Content::Function { signature, .. } => format!("function {signature}"),
                Content::Profile(frame) => format!("profile of {}", frame.functions.len()),
                Content::ProfileTotal(total) => {
                    for function in &total.functions {
                        assert!(function.self_time <= function.total_time, "{function:?}");
                    }
                    format!("total of {}", total.functions.len())
                }
                Content::Damaged(error) => panic!("{}: {error}", message.name),
                _ => message.name.to_owned(),
            });
        });
        received.expect("a game's stream");
    }
    // The recording ends between the values of a message.
    assert!(session.pending() < 50);
    (session, heard)
}

/// How often each thing was heard.
fn counted(heard: &[String]) -> BTreeMap<&str, usize> {
    let mut all = BTreeMap::new();
    for one in heard {
        *all.entry(one.as_str()).or_default() += 1;
    }
    all
}

fn expect(heard: &[String], expected: &[&str]) {
    let mut rest = heard.iter();
    for one in expected {
        assert!(rest.any(|it| it == one), "{one} is missing in {heard:#?}");
    }
}

#[test]
fn godot_4_is_understood() {
    let (session, heard) = heard(&recorded("godot4.6.bin"), usize::MAX);
    assert_eq!(session.version(), Some(GameVersion::Godot4));
    expect(
        &heard,
        &[
            "printed Godot Engine v4.6.3.stable.debian4.6.3+ds-2 - https://godotengine.org",
            "window:title",
            "printed ready",
            "warning a warning at push_warning core/variant/variant_utility.cpp:Some(10)",
            "error an error at push_error core/variant/variant_utility.cpp:Some(11)",
            "printed speed 7 14",
            "tree 1 root Window 1 Main res://main.gd 1 Player Node2D 0 Label Label",
            "object Node2D Some(7) main.gd Node2D CanvasItem Node",
            "no object",
            "printed speed 42 84",
            "break \"Breakpoint\" true Some(true)",
            "stack tick res://main.gd:24 _process res://main.gd:19",
            "6 variables",
            "Local doubled Some(84) None",
            "Local text None Some(\"speed 42\")",
            "Member self None None",
            "Member speed Some(42) None",
            "Evaluation speed + 1 Some(43) None",
            "resumed",
            "break \"Breakpoint\" true Some(true)",
            "resumed",
            "break \"\" true Some(false)",
            "stack",
            "resumed",
            "function res://main.gd::15::_process",
            "profile of 1",
            "total of 4",
        ],
    );
    assert!(counted(&heard)["59 monitors"] >= 3);
}

#[test]
fn godot_3_is_understood() {
    let (session, heard) = heard(&recorded("godot3.6.bin"), usize::MAX);
    assert_eq!(session.version(), Some(GameVersion::Godot3));
    expect(
        &heard,
        &[
            "printed Godot Engine v3.6.2.stable.debian3.6.2+ds-1+b1 - https://godotengine.org",
            "warning a warning at call modules/gdscript/gdscript_functions.cpp:Some(10)",
            "error an error at call modules/gdscript/gdscript_functions.cpp:Some(11)",
            "tree 1 root Viewport 1 Main Node2D 1 Player Node2D 0 Label Label",
            "object Node2D Some(7) Script Variables Node2D CanvasItem Node",
            "printed speed 42 84",
            "break \"Breakpoint\" true None",
            "stack tick res://main.gd:24 _process res://main.gd:19",
            "6 variables",
            "Local doubled Some(84) None",
            "Member speed Some(42) None",
            "resumed",
            "break \"Breakpoint\" true None",
            "resumed",
            "stack",
            "resumed",
            "function res://main.gd::14::_process",
            "profile of 1",
            "total of 4",
        ],
    );
    assert!(counted(&heard)["31 monitors"] >= 3);
}

#[test]
fn pieces_of_any_size_give_the_same_messages() {
    for name in ["godot4.6.bin", "godot3.6.bin"] {
        let bytes = recorded(name);
        let whole = heard(&bytes, usize::MAX).1;
        for piece in [1, 7, 1000] {
            assert_eq!(heard(&bytes, piece).1, whole, "{name}, {piece}");
        }
    }
}

#[test]
fn the_engines_monitors_have_names() {
    assert_eq!(monitor_names(GameVersion::Godot4, 61).len(), 59);
    assert_eq!(
        monitor_names(GameVersion::Godot3, 31)[10],
        "OBJECT_NODE_COUNT"
    );
    // An older release has other numbers.
    assert!(monitor_names(GameVersion::Godot4, 30).is_empty());
}

/// What `testdata/debugger/record.py` sent, which the engines answered.
#[test]
fn requests_are_what_the_engines_answered() {
    let text = |text: &str| {
        let padding = vec![0; text.len().wrapping_neg() % 4];
        let len = (text.len() as u32).to_le_bytes();
        [&[4, 0, 0, 0], &len[..], text.as_bytes(), &padding].concat()
    };
    let int = |number: u8| vec![2, 0, 0, 0, number, 0, 0, 0];
    let yes = vec![1, 0, 0, 0, 1, 0, 0, 0];
    let array = |kind: u8, values: &[Vec<u8>]| {
        let head = vec![kind, 0, 0, 0, values.len() as u8, 0, 0, 0];
        [head, values.concat()].concat()
    };
    let record = |value: Vec<u8>| [&(value.len() as u32).to_le_bytes()[..], &value].concat();
    let mut four = Session::new();
    let mut three = Session::new();
    let none = four.request(Request::Tree, &mut Vec::new());
    assert_eq!(none, Err(RequestError::NoGame));
    four.receive(&recorded("godot4.6.bin"), |_| {}).expect("4");
    three.receive(&recorded("godot3.6.bin"), |_| {}).expect("3");
    let written = |session: &Session, request| {
        let mut out = b"before".to_vec();
        session.request(request, &mut out).expect("a request");
        out.split_off(6)
    };
    let breakpoint = Request::Breakpoint {
        file: "res://main.gd",
        line: 24,
        is_on: true,
    };
    let args = [text("res://main.gd"), int(24), yes.clone()];
    assert_eq!(
        written(&four, breakpoint),
        record(array(28, &[text("breakpoint"), int(1), array(28, &args)]))
    );
    assert_eq!(
        written(&three, breakpoint),
        record(array(
            19,
            &[vec![text("breakpoint")], args.to_vec()].concat()
        ))
    );
    let set = Request::Set {
        id: 5,
        property: "speed",
        value: Arg::Int(42),
    };
    let args = [int(5), text("speed"), int(42)];
    assert_eq!(
        written(&four, set),
        record(array(
            28,
            &[text("scene:set_object_property"), int(1), array(28, &args)]
        ))
    );
    let profile = Request::Profile {
        is_on: true,
        functions: 16,
    };
    let args = [yes, array(28, &[int(16)])];
    assert_eq!(
        written(&four, profile),
        record(array(
            28,
            &[text("profiler:servers"), int(1), array(28, &args)]
        ))
    );
    assert_eq!(
        written(&three, profile),
        record(array(19, &[text("start_profiling"), int(16)]))
    );
}

#[test]
fn what_an_engine_would_not_answer_is_refused() {
    let evaluate = Request::Evaluate {
        expression: "1",
        level: 0,
    };
    let out = &mut Vec::new();
    for name in ["godot4.6.bin", "godot3.6.bin"] {
        let bytes = recorded(name);
        let mut session = Session::new();
        let mut stops = 0;
        // The whole of the recording, a record at a time, as far as the break without a script.
        let mut rest = &bytes[..];
        while let Some((prefix, _)) = rest.split_first_chunk() {
            let len = 4 + u32::from_le_bytes(*prefix) as usize;
            let (record, tail) = rest.split_at(len);
            rest = tail;
            let mut is_empty_stack = false;
            let received = session.receive(record, |message| match &message.content {
                Content::Break { .. } => stops += 1,
                Content::Stack(frames) => is_empty_stack = frames.is_empty(),
                Content::Variable(variable) => assert_ne!(variable.scope, VariableScope::Global),
                _ => {}
            });
            received.expect("a game");
            if session.version().is_none() {
                continue;
            }
            if !session.is_in_break() {
                let refused = session.request(Request::Stack, out);
                assert_eq!(refused, Err(RequestError::NotInBreak));
                continue;
            }
            assert_eq!(
                session.request(Request::Break, out),
                Err(RequestError::InBreak)
            );
            if is_empty_stack {
                let variables = Request::Variables { level: 0 };
                let refused = session.request(variables, out);
                assert_eq!(refused, Err(RequestError::NoStack), "{name}");
            } else if name == "godot3.6.bin" {
                let refused = session.request(evaluate, out);
                let expected = [RequestError::Unsupported, RequestError::NoStack];
                assert!(expected.contains(&refused.expect_err("no such request")));
            }
        }
        assert_eq!(stops, 3, "{name}");
        assert!(out.is_empty());
    }
}

#[test]
fn hostile_streams_end_with_an_error_and_its_offset() {
    let receive = |bytes: &[u8]| {
        let limits = DebuggerLimits::default().with_message_len(1000);
        let mut session = Session::new().with_limits(limits);
        let mut damaged = Vec::new();
        let result = session.receive(bytes, |message| {
            if let Content::Damaged(error) = message.content {
                damaged.push((error.kind().name(), error.offset()));
            }
        });
        if let Err(error) = result {
            assert_eq!(session.receive(b"\0", |_| {}), Err(error));
            assert_eq!(session.pending(), 0);
        }
        let fatal = result
            .err()
            .map(|error| (error.kind().name(), error.offset()));
        (damaged, fatal)
    };
    // A web browser; a length of 2 GiB; a value that is none of a game's.
    let http = receive(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(http.1, Some(("NotADebuggedGame", 0)));
    let long = receive(b"\xff\xff\xff\x7f\x1c");
    assert_eq!(long.1, Some(("NotADebuggedGame", 0)));
    let int = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0";
    assert_eq!(receive(int).1, Some(("NotADebuggedGame", 4)));
    // Godot 3: a count that no message can have; a count below zero; a name that is a number.
    let name = b"\x0c\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0";
    let much = [&name[..], b"\x08\0\0\0\x02\0\0\0\xff\xff\xff\x7f"].concat();
    assert_eq!(receive(&much).1, Some(("OverLimit", 20)));
    let less = [&name[..], b"\x08\0\0\0\x02\0\0\0\xff\xff\xff\xff", int].concat();
    assert_eq!(
        receive(&less),
        (
            vec![("BadDebuggerMessage", 20), ("BadDebuggerMessage", 32)],
            None
        )
    );
    // Godot 4: `["output", 1, []]`, then a message that goes on.
    let short = b"\x28\0\0\0\x1c\0\0\0\x03\0\0\0\x04\0\0\0\x06\0\0\0output\0\0\
\x02\0\0\0\x01\0\0\0\x1c\0\0\0\0\0\0\0";
    let twice = [&short[..], short].concat();
    assert_eq!(
        receive(&twice),
        (
            vec![("BadDebuggerArgument", 4), ("BadDebuggerArgument", 48)],
            None
        )
    );
}
