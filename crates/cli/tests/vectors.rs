//! `check` on every vector: its verdict is the engine's.

mod common;

use gdvar_conformance::{
    deliberate,
    vectors::{ENGINES, hex, lines, unhex, vectors},
};
use serde_json::Value;

/// The verdicts of `check --json` on lines of hex: `accepted` or the name of the error.
fn verdicts(dialect: &str, objects: &str, hex: &[String]) -> Vec<String> {
    let mut input = hex.join("\n");
    input.push('\n');
    let args = [
        "check",
        "-d",
        dialect,
        "-f",
        "hex",
        "--objects",
        objects,
        "--json",
        "--max-errors",
        "0",
        "-",
    ];
    let output = common::gdvar(&args, input.as_bytes());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let all: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(all.len(), hex.len(), "a line for each record");
    all.iter()
        .enumerate()
        .map(|(n, line)| {
            assert_eq!(line["record"], n);
            match line["error"].as_str() {
                Some(error) => {
                    assert_eq!((&line["ok"], &line["read"]), (&false.into(), &false.into()));
                    assert!(line["offset"].is_u64() && line["path"].is_string());
                    error.to_owned()
                }
                None => {
                    assert_eq!(
                        (&line["ok"], &line["read"]),
                        (&line["lost"].is_null().into(), &true.into())
                    );
                    "accepted".to_owned()
                }
            }
        })
        .collect()
}

/// The value of `--objects` for the vectors that an engine wrote with `full_objects` on or off:
/// whole objects are read as data, and without it an object is an id.
fn policy(full_objects: bool) -> &'static str {
    if full_objects { "inert" } else { "ids" }
}

#[test]
fn vectors_have_their_engines_verdict() {
    for engine in ENGINES {
        for full_objects in [false, true] {
            let all: Vec<_> = vectors(engine)
                .into_iter()
                .filter(|vector| vector.full_objects == full_objects)
                .collect();
            let lines: Vec<String> = all.iter().map(|vector| hex(&vector.bytes)).collect();
            let verdicts = verdicts(engine.dialect.name(), policy(full_objects), &lines);
            for (vector, ours) in all.iter().zip(&verdicts) {
                let known = deliberate::reason(deliberate::VERDICTS, &vector.id, engine.name, ours);
                let accepted = ours == "accepted" || vector.engine_refuses || known.is_some();
                assert!(accepted, "{} {}: {ours}", engine.name, vector.id);
            }
        }
    }
}

#[test]
fn rejects_have_the_engines_verdict() {
    for (file, engine, dialect) in [
        ("reject.jsonl", "4.6.3", "godot4"),
        ("reject.jsonl", "3.2.3", "godot3"),
        (
            "pandemonium5-reject.jsonl",
            "pandemonium-5.3",
            "pandemonium5",
        ),
    ] {
        for full_objects in [false, true] {
            let all: Vec<Value> = lines(file)
                .into_iter()
                .filter(|line| line["full_objects"] == full_objects)
                .filter(|line| line["verdicts"].get(engine).is_some())
                .collect();
            let hex: Vec<String> = all.iter().map(input).collect();
            let verdicts = verdicts(dialect, policy(full_objects), &hex);
            let mut different = 0;
            for (line, ours) in all.iter().zip(&verdicts) {
                let theirs = &line["verdicts"][engine]["accepted"];
                let id = line["id"].as_str().expect("an id");
                if *theirs != (ours == "accepted") {
                    let known = deliberate::reason(deliberate::VERDICTS, id, engine, ours);
                    assert!(known.is_some(), "{engine} {id}: {ours}, engine {theirs}");
                    different += 1;
                }
            }
            println!(
                "{engine}: {} verdicts, {different} differ deliberately",
                all.len()
            );
        }
    }
}

fn input(line: &Value) -> String {
    if let Some(hex) = line["hex"].as_str() {
        return hex.to_owned();
    }
    let parts = line["hex_parts"].as_array().expect("hex or parts");
    parts
        .iter()
        .map(|part| {
            let times = part[1].as_u64().expect("a number");
            part[0].as_str().expect("hex").repeat(times as usize)
        })
        .collect()
}

#[test]
fn forms_of_hex_and_base64_are_the_same() {
    let args = |framing| ["check", "-d", "godot4", "-f", framing, "--json", "-"];
    let expected = "{\"schema\":1,\"file\":\"-\",\"record\":0,\"ok\":true,\"read\":true}\n";
    for text in [
        "0200000005000000\n",
        "# a comment\n02 00 00 00 05 00 00 00\r\n",
        "0x0200000005000000",
        "02:00:00:00:05:00:00:00",
    ] {
        assert_eq!(
            common::stdout(&args("hex"), text.as_bytes(), 0),
            expected,
            "{text}"
        );
    }
    for text in ["AgAAAAUAAAA=\n", "AgAAAAUAAAA"] {
        assert_eq!(
            common::stdout(&args("base64"), text.as_bytes(), 0),
            expected,
            "{text}"
        );
    }
}

#[test]
fn lines_stay_records_whatever_is_wrong_with_them() {
    let input = b"0200000005000000\n\n02x\n02000000050000000000\n";
    let args = ["check", "-d", "godot4", "-f", "hex", "--json", "-"];
    assert_eq!(
        common::stdout(&args, input, 3),
        "{\"schema\":1,\"file\":\"-\",\"record\":0,\"ok\":true,\"read\":true}\n\
         {\"schema\":1,\"file\":\"-\",\"record\":1,\"ok\":false,\"read\":false,\"error\":\"Truncated\",\"offset\":0,\"path\":\"$\"}\n\
         {\"schema\":1,\"file\":\"-\",\"record\":2,\"ok\":false,\"read\":false,\"error\":\"BadHex\",\"offset\":2,\"path\":\"$\"}\n\
         {\"schema\":1,\"file\":\"-\",\"record\":3,\"ok\":false,\"read\":true,\"lost\":[{\"change\":\"TrailingBytes\",\"count\":2,\"record\":3,\"offset\":8,\"path\":\"$\"}]}\n"
    );
    let args = [
        "check", "-d", "godot4", "-f", "hex", "--strict", "--json", "-",
    ];
    let last = "{\"schema\":1,\"file\":\"-\",\"record\":0,\"ok\":false,\"read\":true,\"error\":\"TrailingBytes\",\"offset\":8,\
        \"path\":\"$\",\"lost\":[{\"change\":\"TrailingBytes\",\"count\":2,\"record\":0,\"offset\":8,\
        \"path\":\"$\"}]}\n";
    // Only strict mode minds it: a finding, not a malformed file.
    assert_eq!(common::stdout(&args, b"02000000050000000000\n", 1), last);
}

#[test]
fn godots_own_text_is_printed() {
    for (file, engine, dialect) in [
        ("text4.jsonl", "4.6.3", "godot4"),
        ("text3.jsonl", "3.2.3", "godot3.2"),
        ("text3.6.jsonl", "3.6.2", "godot3.6"),
    ] {
        let all = lines(file);
        for line in &all {
            let bytes = unhex(line["hex"].as_str().expect("hex"));
            let args = [
                "view", "-d", dialect, "-f", "bare", "--format", "godot", "-",
            ];
            let output = common::gdvar(&args, &bytes);
            let id = line["id"].as_str().expect("an id");
            if !matches!(output.status.code(), Some(0 | 1)) {
                let message = String::from_utf8_lossy(&output.stderr);
                let error = message
                    .strip_prefix("error[")
                    .and_then(|rest| rest.split(']').next())
                    .unwrap_or_default();
                let known = deliberate::reason(deliberate::VERDICTS, id, engine, error);
                assert!(known.is_some(), "{id}: {message}");
                continue;
            }
            let mut expected = text_bytes(&line["text"]);
            expected.push(b'\n');
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&expected),
                "{id}"
            );
        }
    }
}

/// A text of the vectors. A text that is given as codes is ASCII and surrogates, which Godot 3
/// writes as three bytes each.
fn text_bytes(text: &Value) -> Vec<u8> {
    if let Some(text) = text.as_str() {
        return text.as_bytes().to_vec();
    }
    let codes = text["codes"].as_array().expect("codes");
    let code = |code: &Value| u16::try_from(code.as_u64().expect("a number")).expect("16 bits");
    codes
        .iter()
        .map(code)
        .flat_map(|code| match u8::try_from(code) {
            Ok(ascii) => vec![ascii],
            Err(_) => vec![
                0xe0 | (code >> 12) as u8,
                0x80 | (code >> 6 & 0x3f) as u8,
                0x80 | (code & 0x3f) as u8,
            ],
        })
        .collect()
}
