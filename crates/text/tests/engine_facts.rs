//! Numbers and the order of keys, as the engines printed them (`testdata/text`).

use std::path::PathBuf;

use gdvar_text::{Engine, Notation, float_text, real_text, write_godot};
use gdvar_view::{Dialect, Document};
use serde_json::Value;

fn read(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/text")
        .join(name);
    std::fs::read_to_string(path).expect("test data")
}

fn numbers(name: &str, notation: Notation) {
    for line in read(name).lines() {
        let (bits, text) = line.split_once(' ').expect("two words");
        let value = f64::from_bits(u64::from_str_radix(bits, 16).expect("hex"));
        assert_eq!(float_text(value, notation).as_str(), text, "{bits}");
        // A component is the same without the `.0`.
        let real = real_text(value, notation);
        assert!(
            text == real.as_str() || text.strip_suffix(".0") == Some(real.as_str()),
            "{bits}"
        );
    }
}

#[test]
fn numbers_of_godot_4() {
    numbers("numbers4.txt", Notation::Godot4);
}

#[test]
fn numbers_of_godot_3() {
    numbers("numbers3.txt", Notation::Godot3_2);
}

fn keys(name: &str, engine: Engine) {
    for (n, line) in read(name).lines().enumerate() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let hex = line["hex"].as_str().expect("hex");
        let bytes: Vec<u8> = (0..hex.len() / 2)
            .map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex"))
            .collect();
        let document = Document::new(&bytes, engine.dialect());
        let value = document.root().expect("a value");
        let mut text = String::new();
        write_godot(&mut text, value, engine.notation()).expect("text");
        assert_eq!(
            text,
            line["text"].as_str().expect("text"),
            "{name}, line {}",
            n + 1
        );
    }
}

#[test]
fn keys_of_godot_4() {
    keys("keys4.jsonl", Engine::GODOT_4_6);
}

#[test]
fn keys_of_godot_3() {
    keys("keys3.jsonl", Engine::GODOT_3_2);
}

#[test]
fn a_null_object_is_a_key_of_the_type_of_objects() {
    // {<object 0>: 1, "a": 7}, as Godot 4.6.3 and Godot 3.2.3 print it.
    for (dialect, dict, object) in [(Dialect::GODOT_4, 27, 24), (Dialect::GODOT_3, 18, 17)] {
        let mut bytes = vec![dict, 0, 0, 0, 2, 0, 0, 0];
        bytes.extend([
            object, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0,
        ]);
        bytes.extend([
            4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
        ]);
        let value = Document::new(&bytes, dialect).root().expect("a value");
        let mut text = String::new();
        write_godot(&mut text, value, dialect.notation()).expect("text");
        assert_eq!(text, "{\n\"a\": 7,\nnull: 1\n}");
    }
}
