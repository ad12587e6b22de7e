//! Compares the assembler with bytes of real engines.

use super::*;
use serde_json::json;
use std::collections::BTreeSet;

/// Returns the lines of an engine's vector file.
fn lines(file: &str) -> Vec<Value> {
    let path = format!(
        "{}/../../testdata/vectors/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let file = std::fs::read_to_string(&path).expect("a vector file");
    file.lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

/// Returns the engine's bytes with the padding that it left unset replaced by zeros.
fn clean(line: &Value) -> Vec<u8> {
    let mut bytes = hex_bytes(&line["hex"]);
    for offset in line["dirty"].as_array().into_iter().flatten() {
        bytes[offset.as_u64().expect("an offset") as usize] = 0;
    }
    bytes
}

/// Assembles every canonical line of an engine and compares the bytes. Every type must occur.
fn reproduces(column: Column, file: &str) {
    let mut seen = BTreeSet::new();
    for line in lines(file) {
        if line["canonical"] == true {
            let ours = Assembler::new(column).value(&line["value"]).done();
            assert_eq!(ours, clean(&line), "{}", line["id"]);
            seen.insert(ours[0]);
        }
    }
    assert!(
        seen.into_iter().eq(0..column.first_invalid()),
        "a type never occurs"
    );
}

#[test]
fn reproduces_godot3() {
    reproduces(Column::G3, "godot3.jsonl");
}

#[test]
fn reproduces_godot4() {
    reproduces(Column::G4, "godot4.jsonl");
}

#[test]
fn reproduces_pandemonium5() {
    reproduces(Column::P40, "pandemonium5.jsonl");
}

#[test]
fn low_level_forms_are_those_the_engines_were_given() {
    let of = |file, id| {
        let line = lines(file).into_iter().find(|line| line["id"] == id);
        hex_bytes(&line.expect("a line of this id")["hex"])
    };
    let g3 = || Assembler::new(Column::G3);
    let p40 = || Assembler::new(Column::P40);
    let int5 = json!({"Int": "5"});
    for (file, id, ours) in [
        (
            "godot3.jsonl",
            "bool/word-80000000",
            g3().header("Bool", 0).word(0x8000_0000),
        ),
        (
            "godot3.jsonl",
            "int/wide/5",
            g3().header("Int", BIT_16).long(5),
        ),
        (
            "godot3.jsonl",
            "string/nul-inside",
            g3().header("String", 0).field(b"a\0b"),
        ),
        (
            "godot3.jsonl",
            "packedstringarray/padding-ff",
            g3().header("PackedStringArray", 0)
                .word(1)
                .dirty_field(b"a", 0xff),
        ),
        (
            "godot3.jsonl",
            "nodepath/flag2-property",
            g3().header("NodePath", 0)
                .word(0x8000_0001)
                .word(0)
                .word(2)
                .field(b"a")
                .field(b"pos"),
        ),
        (
            "godot3.jsonl",
            "object-id/0",
            g3().header("Object", BIT_16).long(0),
        ),
        (
            "godot3.jsonl",
            "object/empty-class",
            g3().header("Object", 0).field(b""),
        ),
        (
            "pandemonium5.jsonl",
            "typedarray/flag-on-int",
            p40()
                .header("TypedArray", BIT_16)
                .word(2)
                .word(1)
                .value(&int5),
        ),
        (
            "godot3.jsonl",
            "array/shared-bit",
            g3().header("Array", 0)
                .word(SHARED | 2)
                .header("Nil", 0)
                .header("Nil", 0),
        ),
    ] {
        assert_eq!(ours.done(), of(file, id), "{id}");
    }
}

#[test]
fn numbers_of_a_column_are_whole() {
    use Column::{D29, G2, G3, G4, P33, P38, P40};
    for column in [G2, G3, D29, G4, P33, P38, P40] {
        let numbers: BTreeSet<_> = column
            .types()
            .filter_map(|name| column.number(name))
            .collect();
        assert_eq!(
            numbers.len(),
            column.types().count(),
            "{column:?} repeats a number"
        );
        assert!(
            numbers.into_iter().eq(0..column.first_invalid()),
            "{column:?} has a gap"
        );
    }
}

#[test]
fn worked_examples_without_an_engine() {
    // docs/FORMAT.md §9, rows 54, 59 and 60.
    let one = json!({"Int": "1"});
    let two = json!({"Int": "2"});
    let array = Assembler::new(Column::G2)
        .header("Array", 0)
        .word(SHARED | 2);
    let array = array.value(&one).value(&two).done();
    assert_eq!(
        array,
        hex_bytes(&"150000000200008002000000010000000200000002000000".into())
    );
    let docs = |value| Assembler::new(Column::D29).value(&value).done();
    let longs = docs(json!({"PackedInt64Array": ["1"]}));
    assert_eq!(longs, hex_bytes(&"16000000010000000100000000000000".into()));
    let strings = docs(json!({"PackedStringArray": ["a"]}));
    assert_eq!(
        strings,
        hex_bytes(&"19000000010000000200000061000000".into())
    );
}
