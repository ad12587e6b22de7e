//! The text of every value in `testdata/vectors`, as the engines printed it.

use std::path::PathBuf;

use gdvar_text::{Bytes, Engine, Godot, LineOptions, write_godot, write_line};
use gdvar_view::Document;
use serde_json::Value;

fn lines(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/vectors")
        .join(name);
    let text = std::fs::read_to_string(&path).expect("test data");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|n| u8::from_str_radix(&text[2 * n..2 * n + 2], 16).expect("hex"))
        .collect()
}

/// Returns the expected text as the engine stores it in a file: surrogates in three bytes each.
fn expected(text: &Value) -> Vec<u8> {
    if let Some(text) = text.as_str() {
        return text.as_bytes().to_vec();
    }
    let mut bytes = Vec::new();
    for code in text["codes"].as_array().expect("codes") {
        let code = u32::try_from(code.as_u64().expect("a number")).expect("32 bits");
        match char::from_u32(code) {
            Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => bytes.extend([
                0xe0 | (code >> 12) as u8,
                0x80 | (code >> 6 & 0x3f) as u8,
                0x80 | (code & 0x3f) as u8,
            ]),
        }
    }
    bytes
}

/// Compares all lines and returns how many there were.
fn compare(name: &str, engine: Engine) -> usize {
    let (dialect, notation) = (engine.dialect(), engine.notation());
    let mut equal = 0;
    for line in lines(name) {
        let id = line["id"].as_str().expect("id");
        let bytes = hex(line["hex"].as_str().expect("hex"));
        let document = Document::new(&bytes, dialect).with_limits(engine.limits());
        let value = document.root().expect("a value");
        let mut out = Bytes::new(Vec::new());
        write_godot(&mut out, value, notation).unwrap_or_else(|error| panic!("{id}: {error}"));
        let out = out.finish().expect("a Vec takes all");
        let wanted = expected(&line["text"]);
        assert!(
            out == wanted,
            "{id}:\n{}\nis not the engine's\n{}",
            String::from_utf8_lossy(&out),
            String::from_utf8_lossy(&wanted)
        );
        if let Some(text) = line["text"].as_str() {
            assert_eq!(
                Godot::new(value).with_notation(notation).to_string(),
                text,
                "{id}"
            );
        }

        let mut one = String::new();
        write_line(&mut one, value, LineOptions::new()).expect("a line");
        assert!(!one.contains(['\n', '\r']), "{id}");
        let mut folded = String::new();
        write_line(
            &mut folded,
            value,
            LineOptions::new().with_max_len(60).with_max_children(5),
        )
        .expect("a line");
        assert!(folded.chars().filter(|c| *c == '…').count() <= 2001, "{id}");
        equal += 1;
    }
    equal
}

#[test]
fn godot_4() {
    assert_eq!(compare("text4.jsonl", Engine::GODOT_4_6), 782);
}

#[test]
fn godot_3_6() {
    assert_eq!(compare("text3.6.jsonl", Engine::GODOT_3_6), 521);
}

#[test]
fn godot_3_2() {
    assert_eq!(compare("text3.jsonl", Engine::GODOT_3_2), 512);
}
