//! Text on one line, and the notations of dialects without an engine to ask.

use gdvar_text::{LineOptions, write_godot, write_line};
use gdvar_view::{Dialect, Document, Objects};

fn line(bytes: &[u8], dialect: Dialect, options: LineOptions) -> String {
    let document = Document::new(bytes, dialect).with_objects(Objects::Inert);
    let mut text = String::new();
    write_line(&mut text, document.root().expect("a value"), options).expect("a line");
    text
}

fn godot(bytes: &[u8], dialect: Dialect) -> String {
    let document = Document::new(bytes, dialect).with_objects(Objects::Inert);
    let mut text = String::new();
    write_godot(
        &mut text,
        document.root().expect("a value"),
        dialect.notation(),
    )
    .expect("text");
    text
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn string(text: &str) -> Vec<u8> {
    let mut bytes = words(&[4, text.len() as u32]);
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// `[[0, 1, … 9], {"key": null, 2: true}]`
fn sample() -> Vec<u8> {
    let mut bytes = words(&[28, 2, 28, 10]);
    for n in 0..10 {
        bytes.extend(words(&[2, n]));
    }
    bytes.extend(words(&[27, 2]));
    bytes.extend(string("key"));
    bytes.extend(words(&[0, 2, 2, 1, 1]));
    bytes
}

#[test]
fn wire_order_on_one_line() {
    let all = r#"[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {"key": null, 2: true}]"#;
    assert_eq!(line(&sample(), Dialect::GODOT_4, LineOptions::new()), all);
    assert_eq!(
        line(
            &sample(),
            Dialect::GODOT_4,
            LineOptions::new().with_max_len(1000)
        ),
        all
    );
}

#[test]
fn folding() {
    let options = LineOptions::new();
    let folded = |options| line(&sample(), Dialect::GODOT_4, options);
    assert_eq!(
        folded(options.with_max_children(2)),
        r#"[[0, 1, … 8 more], {"key": null, 2: true}]"#
    );
    assert_eq!(
        folded(options.with_max_children(1)),
        "[[0, … 9 more], … 1 more]"
    );
    assert_eq!(folded(options.with_max_children(0)), "[… 2 more]");
    assert_eq!(folded(options.with_max_len(0)), "[… 2 more]");
    assert_eq!(
        folded(options.with_max_len(8)),
        "[[0, 1, … 8 more], … 1 more]"
    );
    assert_eq!(
        folded(options.with_max_len(42)),
        r#"[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {"key": null, … 1 more}]"#
    );

    let bytes = words(&[30, 5, 1, 2, 3, 4, 5]);
    assert_eq!(
        line(&bytes, Dialect::GODOT_4, options.with_max_children(2)),
        "PackedInt32Array(1, 2, … 3 more)"
    );
    assert_eq!(
        line(
            &string("äöü and more"),
            Dialect::GODOT_4,
            options.with_max_len(6)
        ),
        "\"äö…\""
    );
}

#[test]
fn nothing_breaks_the_line() {
    let text = line(
        &string("a\nb\t\u{1b}[31m\u{2028}\u{202e}'\"\\?"),
        Dialect::GODOT_4,
        LineOptions::new(),
    );
    assert_eq!(text, r#""a\nb\t\u001b[31m\u2028\u202e'\"\\?""#);
}

#[test]
fn what_the_bytes_say_of_objects() {
    let id = words(&[24 | 1 << 16, 7, 1 << 31]);
    assert_eq!(
        line(&id, Dialect::GODOT_4, LineOptions::new()),
        "EncodedObjectAsID(9223372036854775815)"
    );
    assert_eq!(
        godot(&id, Dialect::GODOT_4),
        "Object(EncodedObjectAsID,\"object_id\":-9223372036854775801,\"script\":null)\n"
    );

    let field = |text: &str| string(text)[4..].to_vec();
    let object = [
        words(&[24]),
        field("Item"),
        words(&[1]),
        field("hp"),
        words(&[2, 5]),
    ]
    .concat();
    assert_eq!(
        line(&object, Dialect::GODOT_4, LineOptions::new()),
        r#"Object(Item, "hp": 5)"#
    );
    assert_eq!(godot(&object, Dialect::GODOT_4), "Object(Item,\"hp\":5)\n");

    let rid = words(&[23, 5, 0]);
    assert_eq!(line(&rid, Dialect::GODOT_4, LineOptions::new()), "RID(5)");
    let signal = [words(&[26]), field("hit"), words(&[9, 0])].concat();
    assert_eq!(
        line(&signal, Dialect::GODOT_4, LineOptions::new()),
        r#"Signal(9, "hit")"#
    );
    assert_eq!(godot(&signal, Dialect::GODOT_4), "Signal()");
}

#[test]
fn typed_containers() {
    // Array[int] of a float that is not an int, and a String.
    let bytes = [
        words(&[28 | 1 << 16, 2, 2, 3, 2.5f32.to_bits()]),
        string("x"),
    ]
    .concat();
    assert_eq!(godot(&bytes, Dialect::GODOT_4), "Array[int]([2])");
    assert_eq!(
        line(&bytes, Dialect::GODOT_4, LineOptions::new()),
        r#"Array[int]([2.5, "x"])"#
    );
    let bytes = words(&[27 | 4 << 16, 2, 0]);
    assert_eq!(
        line(&bytes, Dialect::GODOT_4, LineOptions::new()),
        "Dictionary[Variant, int]({})"
    );
}

#[test]
fn types_that_godot_3_lacks() {
    let one = 1f32.to_bits();
    let vector4 = words(&[11, one, one, one, one]);
    assert_eq!(
        godot(&vector4, Dialect::PANDEMONIUM_5),
        "Vector4( 1, 1, 1, 1 )"
    );
    let quaternion = words(&[10, 0, 0, 0, one]);
    assert_eq!(godot(&quaternion, Dialect::GODOT_2), "Quat( 0, 0, 0, 1 )");
    let docs = words(&[22, 1, 7, 0]);
    assert_eq!(godot(&docs, Dialect::GODOT_4_DOCS), "PackedInt64Array(7)");
}

#[test]
fn double_precision_is_narrowed_only_for_the_engine() {
    let mut bytes = words(&[5 | 1 << 16]);
    bytes.extend((1.0f64 / 3.0).to_le_bytes());
    bytes.extend(1e39f64.to_le_bytes());
    assert_eq!(godot(&bytes, Dialect::GODOT_4), "Vector2(0.33333334, inf)");
    assert_eq!(
        line(&bytes, Dialect::GODOT_4, LineOptions::new()),
        "Vector2(0.3333333333333333, 1e+39)"
    );
}
