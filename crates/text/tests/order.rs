//! Keys that an engine takes for one key and another reader for two, or the reverse. Each input was
//! found by sending damaged values to the engines; their answers are recorded here.

use gdvar_text::{Engine, write_godot};
use gdvar_view::Document;

fn shown(engine: Engine, hex: &str) -> String {
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex"))
        .collect();
    let value = Document::new(&bytes, engine.dialect())
        .root()
        .expect("a value");
    let mut text = String::new();
    write_godot(&mut text, value, engine.notation()).expect("text");
    text
}

#[test]
fn an_object_without_an_id_is_another_key_than_one_with() {
    let text = shown(
        Engine::GODOT_4_6,
        "1b00000002000000180001000100000000000000020000000b0000001800010000000000000000000200000016000000",
    );
    assert_eq!(
        text,
        "{\nObject(EncodedObjectAsID,\"object_id\":1,\"script\":null)\n: 11,\nnull: 22\n}"
    );
}

#[test]
fn arrays_are_other_keys_once_what_does_not_fit_was_dropped() {
    let text = shown(
        Engine::GODOT_4_6,
        "1b000000020000001c0001000200000001000000020000000000000002000000010000001c0001001a0000000100000002000000000000000200000002000000",
    );
    assert_eq!(text, "{\nArray[Signal]([]): 2,\nArray[int]([0]): 1\n}");
}

#[test]
fn node_paths_that_became_strings_are_sorted_and_merged_as_strings() {
    let text = shown(
        Engine::GODOT_4_6,
        "1b000100040000000200000016000000010000800000000000000000010000006100000002000000010000000400000001000000610000000200000002000000",
    );
    assert_eq!(text, "Dictionary[String, Variant]({\n\"a\": 2\n})");
}

#[test]
fn elements_of_arrays_of_vectors_differ_however_near_they_are() {
    let hex = "120000000200000019000000010000000000803f00000040f9021550020000000100000019000000010000000000803f00000040d90215500200000002000000";
    for engine in [Engine::GODOT_3_2, Engine::GODOT_3_6] {
        assert_eq!(
            shown(engine, hex),
            "{\nPoolVector3Array( 1, 2, 9.99997e+09 ): 2,\nPoolVector3Array( 1, 2, 1e+10 ): 1\n}"
        );
    }
}

#[test]
fn vectors_near_each_other_are_equal_in_godot_3_2_only() {
    // {Vector2(1e-06, 2e-05): 2, Vector2(0, 1.0001): 1}
    let hex = "120000000200000005000000bd378635acc5a737020000000200000005000000000000004703803f0200000001000000";
    assert_eq!(
        shown(Engine::GODOT_3_6, hex),
        "{\nVector2( 0, 1.0001 ): 1,\nVector2( 1e-06, 2e-05 ): 2\n}"
    );
    assert_eq!(
        shown(Engine::GODOT_3_2, hex),
        "{\nVector2( 1e-06, 2e-05 ): 2,\nVector2( 0, 1.0001 ): 1\n}"
    );
}

#[test]
fn godot_3_2_does_not_find_an_array_with_a_nan_again() {
    // {PoolRealArray([nan]): 7, "a": 8}
    let hex = "1200000002000000160000000100000000c0ff7f02000000070000000400000001000000610000000200000008000000";
    assert_eq!(
        shown(Engine::GODOT_3_2, hex),
        "{\n\"a\": 8,\nPoolRealArray( nan ): null\n}"
    );
    assert_eq!(
        shown(Engine::GODOT_3_6, hex),
        "{\n\"a\": 8,\nPoolRealArray( nan ): 7\n}"
    );
}

#[test]
fn numbers_in_an_array_of_strings_are_converted() {
    let text = shown(
        Engine::GODOT_4_6,
        "1c00010022000000010000001c000000020000000200000001000000030000000000803f",
    );
    assert_eq!(
        text,
        "Array[PackedStringArray]([PackedStringArray(\"1\", \"1.0\")])"
    );
}

/// Printing never panics, whatever the keys are: `std`'s sorting panics from 21 keys on if the
/// comparison is not an order.
#[test]
fn keys_that_the_engine_converts_or_cannot_compare_never_panic() {
    let word = u32::to_le_bytes;
    let text = |kind: u32, text: &[u8]| {
        let mut bytes = [word(kind), word(text.len() as u32)].concat();
        bytes.extend(text);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let path = |absolute: bool, names: &[&[u8]]| {
        let mut bytes = [word(22), word(0x8000_0000 | names.len() as u32), word(0)].concat();
        bytes.extend(word(u32::from(absolute)));
        for name in names {
            bytes.extend(&text(0, name)[4..]);
        }
        bytes
    };
    let mut seed = 0x2545_f491_u32;
    let mut random = |below: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed % below
    };
    for n in 0..4_000 {
        let is_path = n % 2 == 0;
        let count = 2 + random(59);
        let key_type = if is_path { 22 } else { 4 };
        let mut bytes = [word(27 | 1 << 16), word(key_type), word(count)].concat();
        for value in 0..count {
            let key = match random(7) {
                0 => text(4, b"a"),
                1 => text(4, b"/a"),
                2 => text(21, b"a"),
                3 => path(false, &[b"a"]),
                4 => path(true, &[b"a"]),
                5 => path(false, &[b"/a"]),
                _ => path(true, &[b"", b"a"]),
            };
            bytes.extend(key);
            bytes.extend([word(2), word(value)].concat());
        }
        let value = Document::new(&bytes, Engine::GODOT_4_6.dialect());
        let value = value.root().expect("a value");
        write_godot(&mut String::new(), value, Engine::GODOT_4_6.notation()).expect("text");
    }
    for n in 0..4_000 {
        let count = 2 + random(59);
        let mut bytes = [word(18), word(count)].concat();
        for value in 0..count {
            let reals: Vec<u32> = (0..random(3))
                .map(|_| {
                    [0x7fc0_0000, 0xffc0_0000, 0, 0x8000_0000, 0x3f80_0000][random(5) as usize]
                })
                .collect();
            bytes.extend([word(22), word(reals.len() as u32)].concat());
            bytes.extend(reals.into_iter().flat_map(word));
            bytes.extend([word(2), word(value)].concat());
        }
        let engine = [Engine::GODOT_3_2, Engine::GODOT_3_6][n % 2];
        let value = Document::new(&bytes, engine.dialect());
        let value = value.root().expect("a value");
        write_godot(&mut String::new(), value, engine.notation()).expect("text");
    }
}

#[test]
fn a_string_and_a_node_path_of_one_text_are_one_key_of_typed_strings() {
    // A NodePath and a String in both orders, and NodePaths `/a` of two forms.
    let text = shown(
        Engine::GODOT_4_6,
        "1b000100040000000300000004000000020000002f6100000200000001000000160000000100008000000000010000000100000061000000020000000200000016000000010000800000000000000000020000002f6100000200000003000000",
    );
    assert_eq!(text, "Dictionary[String, Variant]({\n\"/a\": 3\n})");
}

/// Keys that become the same text in typed dictionaries: with a byte order mark, which the engine
/// drops, an empty NodePath and an empty String. The texts are what
/// `var_to_str(bytes_to_var(bytes))` prints in Godot 4.6.3.
#[test]
fn keys_without_text_are_one_key_in_typed_dictionaries() {
    const MARK: &str = "0400000003000000efbbbf00";
    const EMPTY_PATH: &str = "16000000000000800000000000000000";
    const EMPTY: &str = "0400000000000000";
    const A: &str = "040000000100000061000000";
    const INT: [&str; 3] = ["0200000000000000", "0200000001000000", "0200000002000000"];
    for (keys, expected) in [
        (&[MARK, EMPTY_PATH][..], "\"\": 1"),
        (&[EMPTY_PATH, MARK], "\"\": 1"),
        (&[A, MARK, EMPTY_PATH], "\"\": 2,\n\"a\": 0"),
        (&[MARK, A, EMPTY], "\"\": 2,\n\"a\": 1"),
        (&[EMPTY_PATH, EMPTY, MARK], "\"\": 2"),
    ] {
        let mut bytes = format!("1b00010004000000{:02x}000000", keys.len());
        for (key, int) in keys.iter().zip(INT) {
            bytes += key;
            bytes += int;
        }
        let text = shown(Engine::GODOT_4_6, &bytes);
        assert_eq!(
            text,
            format!("Dictionary[String, Variant]({{\n{expected}\n}})"),
            "{keys:?}"
        );
    }
}
