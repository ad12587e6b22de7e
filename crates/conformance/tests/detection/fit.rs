//! The types that new values take from their places, one table of texts for all of them. The texts are read by
//! the parser that is held to the engine's, and the wanted bytes are those of the text with the type written out.

mod packed;

use gdvar::{
    Dialect, Document,
    edit::{
        Edit,
        fit::{self, FitErrorKind},
    },
    write::Target,
};
use gdvar_text::{ParseOptions, parse_godot};

type Fit = fn(Document<'_>, &str, &[u8]) -> Result<Vec<u8>, fit::FitError>;

fn bytes(text: &str) -> Vec<u8> {
    let options = ParseOptions::new(Target::GODOT_4).with_whole(true);
    let parsed = parse_godot(text, &options);
    parsed
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .bytes
}

/// Returns the save after the change. If the new value does not fit, returns the offset in it and the reason.
fn change(how: &str, save: &str, path: &str, new: &str) -> Result<Vec<u8>, (usize, FitErrorKind)> {
    let save = bytes(save);
    let document = Document::new(&save, Dialect::GODOT_4);
    let fit: Fit = match how {
        "set" => fit::set,
        "insert" => fit::insert,
        _ => fit::append,
    };
    let value = fit(document, path, &bytes(new)).map_err(|error| (error.offset(), error.kind()))?;
    let mut edit = Edit::new(document);
    match how {
        "set" => edit.set(path, &value),
        "insert" => edit.insert(path, &value),
        _ => edit.append(path, &value),
    };
    Ok(edit.plan().expect("a value that fits").to_vec())
}

#[test]
fn a_new_value_takes_the_type_of_its_place() {
    for (how, save, path, new, after) in [
        // A number takes the type of the number before, where it is the same number in it.
        ("set", r#"{"hp": 80.5}"#, "hp", "3", r#"{"hp": 3.0}"#),
        ("set", "80.5", "$", "3", "3.0"),
        (
            "set",
            "[80.5]",
            "[0]",
            "9007199254740992",
            "[9007199254740992.0]",
        ),
        (
            "set",
            "[1.0]",
            "[0]",
            "-9223372036854775808",
            "[-9223372036854775808.0]",
        ),
        ("set", "[80]", "[0]", "3.0", "[3]"),
        ("set", "[80]", "[0]", "3.5", "[3.5]"),
        (
            "set",
            "[80]",
            "[0]",
            "9223372036854775808.0",
            "[9223372036854775808.0]",
        ),
        ("set", "[80]", "[0]", "-0.0", "[-0.0]"),
        ("set", "[80]", "[0]", "nan", "[nan]"),
        ("set", "[80]", "[0]", "inf", "[inf]"),
        ("set", "[true]", "[0]", "1", "[1]"),
        ("set", "[1]", "[0]", "true", "[true]"),
        // A text that replaces a StringName is one; a StringName is written as what it is.
        ("set", r#"[&"a"]"#, "[0]", r#""b""#, r#"[&"b"]"#),
        ("set", r#"["a"]"#, "[0]", r#"&"b""#, r#"[&"b"]"#),
        // Typed containers.
        ("set", "Array[int]([80])", "[0]", "3.0", "Array[int]([3])"),
        (
            "set",
            "Array[float]([80.0])",
            "[0]",
            "3",
            "Array[float]([3.0])",
        ),
        (
            "insert",
            "Array[float]([80.0])",
            "[0]",
            "3",
            "Array[float]([3.0, 80.0])",
        ),
        (
            "append",
            "Array[float]([80.0])",
            "$",
            "3",
            "Array[float]([80.0, 3.0])",
        ),
        (
            "append",
            "[Array[int]([])]",
            "[0]",
            "3.0",
            "[Array[int]([3])]",
        ),
        (
            "append",
            r#"Array[StringName]([])"#,
            "$",
            r#""b""#,
            r#"Array[StringName]([&"b"])"#,
        ),
        (
            "append",
            r#"Array[String]([])"#,
            "$",
            r#"&"b""#,
            r#"Array[String](["b"])"#,
        ),
        (
            "set",
            r#"Dictionary[String, float]({})"#,
            "hp",
            "3",
            r#"Dictionary[String, float]({"hp": 3.0})"#,
        ),
        (
            "insert",
            r#"Dictionary[StringName, float]({})"#,
            "hp",
            "3",
            r#"Dictionary[StringName, float]({&"hp": 3.0})"#,
        ),
        // The whole of a typed container keeps its types, unless others are written.
        (
            "set",
            r#"{"a": Array[int]([7])}"#,
            "a",
            "[1, 2.0]",
            r#"{"a": Array[int]([1, 2])}"#,
        ),
        ("set", "Array[int]([7])", "$", "[]", "Array[int]([])"),
        (
            "set",
            "Array[int]([7])",
            "$",
            "Array[float]([1])",
            "Array[float]([1.0])",
        ),
        ("set", "[7]", "$", "Array[int]([1])", "Array[int]([1])"),
        (
            "set",
            r#"Dictionary[StringName, float]({&"a": 1.0})"#,
            "$",
            r#"{"a": 2, "b": 3}"#,
            r#"Dictionary[StringName, float]({&"a": 2.0, &"b": 3.0})"#,
        ),
        (
            "set",
            "Array[EncodedObjectAsID]([])",
            "$",
            "[null]",
            "Array[EncodedObjectAsID]([null])",
        ),
        // A list that goes into an array of packed arrays is one of them.
        (
            "append",
            "Array[PackedInt32Array]([])",
            "$",
            "[1, 2.0]",
            "Array[PackedInt32Array]([PackedInt32Array(1, 2)])",
        ),
        (
            "set",
            r#"{"p": {"l": PackedFloat32Array(1), "b": PackedStringArray()}}"#,
            "p",
            r#"{"l": [2, 0.5], "b": ["x", &"y"]}"#,
            r#"{"p": {"l": PackedFloat32Array(2, 0.5), "b": PackedStringArray("x", "y")}}"#,
        ),
        (
            "set",
            "[PackedInt32Array(1)]",
            "[0]",
            "Array[int]([1])",
            "[Array[int]([1])]",
        ),
        (
            "set",
            "[PackedInt32Array(1)]",
            "[0]",
            "PackedByteArray(1)",
            "[PackedByteArray(1)]",
        ),
        // So do the children of what is replaced: by key, and by index where the length is the same.
        (
            "set",
            r#"{"p": {"hp": 1.0, "n": 1, &"s": &"x", "l": [1.0, 2], "t": Array[float]([])}}"#,
            "p",
            r#"{"n": 2.0, "hp": 2, "s": "y", "l": [3, 4.0], "t": [5]}"#,
            r#"{"p": {"n": 2, "hp": 2.0, &"s": &"y", "l": [3.0, 4], "t": Array[float]([5.0])}}"#,
        ),
        ("set", "[1.0, 2]", "$", "[2]", "[2]"),
        ("set", "[[[1.0]]]", "$", "[[[2]]]", "[[[2.0]]]"),
        // Everything else is as it was given.
        ("set", "[1.0]", "[0]", r#""text""#, r#"["text"]"#),
        ("set", "[1.0]", "[0]", "[3]", "[[3]]"),
        (
            "set",
            "[Vector2(1, 2)]",
            "[0]",
            "Vector2i(3, 4)",
            "[Vector2i(3, 4)]",
        ),
        ("set", "{}", "new", "3", r#"{"new": 3}"#),
    ] {
        let done = change(how, save, path, new);
        assert_eq!(done, Ok(bytes(after)), "{how} {path}={new} in {save}");
    }
}

#[test]
fn what_would_be_another_number_or_type_is_refused() {
    let kind = |wanted, found| FitErrorKind::Type { wanted, found };
    use gdvar::Kind;
    for (how, save, path, new, at, wrong) in [
        ("set", "1.0", "$", "9007199254740993", 0, None),
        ("set", "1.0", "$", "-9007199254740993", 0, None),
        ("set", "1.0", "$", "9223372036854775807", 0, None),
        (
            "set",
            "Array[int]([7])",
            "[0]",
            "1.5",
            0,
            Some(FitErrorKind::NotAnInt),
        ),
        (
            "set",
            "Array[int]([7])",
            "[0]",
            "-0.0",
            0,
            Some(FitErrorKind::NotAnInt),
        ),
        (
            "set",
            "Array[int]([7])",
            "[0]",
            "nan",
            0,
            Some(FitErrorKind::NotAnInt),
        ),
        (
            "set",
            "[7]",
            "[0]",
            "-9223372036854775808.0",
            0,
            Some(FitErrorKind::MaybeRounded),
        ),
        (
            "append",
            "Array[int]([7])",
            "$",
            "9223372036854775808.0",
            0,
            Some(FitErrorKind::NotAnInt),
        ),
        (
            "set",
            "Array[int]([7])",
            "$",
            "[1, 1.5, 2.5]",
            16,
            Some(FitErrorKind::NotAnInt),
        ),
        (
            "set",
            "Array[int]([7])",
            "$",
            r#"[1, "a"]"#,
            16,
            Some(kind(Kind::Int, Kind::String)),
        ),
        (
            "insert",
            "Array[int]([7])",
            "[0]",
            "null",
            0,
            Some(kind(Kind::Int, Kind::Nil)),
        ),
        (
            "append",
            "Array[String]([])",
            "$",
            "3",
            0,
            Some(kind(Kind::String, Kind::Int)),
        ),
        (
            "append",
            "Array[EncodedObjectAsID]([])",
            "$",
            "3",
            0,
            Some(kind(Kind::Object, Kind::Int)),
        ),
        (
            "set",
            "[PackedInt64Array(7)]",
            "[0]",
            "[1, 9007199254740993.0]",
            16,
            Some(FitErrorKind::MaybeRounded),
        ),
        (
            "set",
            r#"Dictionary[String, int]({"a": 1})"#,
            "$",
            r#"{3: 1}"#,
            8,
            Some(kind(Kind::String, Kind::Int)),
        ),
    ] {
        let (offset, found) = change(how, save, path, new).expect_err(new);
        assert_eq!(offset, at, "{how} {path}={new} in {save}: {found}");
        match wrong {
            Some(wrong) => assert_eq!(found, wrong, "{how} {path}={new} in {save}"),
            None => {
                let int = new.parse().expect("an int");
                assert_eq!(found, FitErrorKind::NotAFloat { int });
            }
        }
    }
}

#[test]
fn depth_takes_no_stack() {
    let deep = |inner: &str| "[".repeat(900) + inner + &"]".repeat(900);
    let done = change("set", &deep("1.0"), "$", &deep("2"));
    assert_eq!(done, Ok(bytes(&deep("2.0"))));
}
