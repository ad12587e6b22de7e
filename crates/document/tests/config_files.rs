//! ConfigFiles of the engines: the contents are those that the engines load, and edits keep all other bytes.

use gdvar_document::{Evidence, Form, ReplaceError, TextDocument};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Dialect, Document, Objects};

fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/documents/");
    std::fs::read(format!("{folder}{name}")).expect(name)
}

fn text(name: &str) -> String {
    String::from_utf8(sample(name)).expect("UTF-8")
}

/// Encodes a value of Godot's notation.
fn value(text: &str, dialect: Dialect) -> Vec<u8> {
    let options = ParseOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_references(true)
        .with_whole(true);
    parse_godot(text, &options).expect(text).bytes
}

/// Replaces the contents of a text by a value of Godot's notation.
fn replaced(text: &str, contents: &str) -> Result<String, ReplaceError> {
    let document = TextDocument::config_file(text, None).expect("a ConfigFile");
    document.replace(&value(contents, document.dialect()))
}

#[test]
fn contents_are_those_that_the_engines_load() {
    for (name, contents, dialect) in [
        ("godot4/all.cfg", "godot4/all.cfg.value", Dialect::GODOT_4),
        (
            "godot4/export_presets.cfg",
            "godot4/export_presets.cfg.value",
            Dialect::GODOT_4,
        ),
        (
            "godot4/global_script_class_cache.cfg",
            "godot4/global_script_class_cache.cfg.value",
            Dialect::GODOT_4,
        ),
        (
            "godot3.6/all.cfg",
            "godot3.6/all.cfg.value",
            Dialect::GODOT_3,
        ),
    ] {
        let text = text(name);
        let document = TextDocument::config_file(&text, None).expect(name);
        assert_eq!(document.dialect(), dialect, "{name}");
        let encoded = document.encode().expect(name);
        assert!(encoded == sample(contents), "{name}");
        assert_eq!(document.replace(&encoded).expect(name), text, "{name}");
    }
}

/// Names without quotes, entries on one line, sections that come twice. The engines have no empty sections.
#[test]
fn odd_texts_are_read_as_the_engines_read_them() {
    let text = text("odd.cfg");
    for (contents, dialect) in [
        ("godot4/odd.cfg.value", Dialect::GODOT_4),
        ("godot3.6/odd.cfg.value", Dialect::GODOT_3),
    ] {
        let without_empty = text.replace("[empty]", "");
        let document = TextDocument::config_file(&without_empty, Some(dialect)).expect("odd.cfg");
        assert!(
            document.encode().expect("odd.cfg") == sample(contents),
            "{dialect}"
        );
        let document = TextDocument::config_file(&text, Some(dialect)).expect("odd.cfg");
        let encoded = document.encode().expect("odd.cfg");
        let root = Document::new(&encoded, dialect);
        let empty = root.get("empty").expect("a path").expect("a section");
        assert_eq!(empty.as_dict().map(|dict| dict.len()), Some(0));
        assert_eq!(document.replace(&encoded).expect("odd.cfg"), text);
    }
}

/// What Godot 4.6.3, 3.6.2 and 3.2.3 make of these, as `scripts/engines/compare-texts` asked them.
#[test]
fn damaged_texts_are_read_as_the_engines_read_them() {
    for (text, contents) in [
        // `null` removes a section with its last entry; a later entry makes it again.
        (
            "[s]\na=1\n[t]\nb=2\n[s]\na=null\nc=3\n",
            r#"{"t": {"b": 2}, "s": {"c": 3}}"#,
        ),
        // A text in quotes that is empty leaves no name before the `[`.
        (
            "[\u{feff}s]\na=1\n[\u{feff}]\nb=2\n",
            r#"{"s": {"a": 1, "b": 2}}"#,
        ),
        ("\"\"[s t ]\na=1\n", r#"{"s t": {"a": 1}}"#),
        (
            "x[s]\na=1\n[t]\nb=2\n",
            r#"{"": {"x[s]a": 1}, "t": {"b": 2}}"#,
        ),
    ] {
        for dialect in [Dialect::GODOT_4, Dialect::GODOT_3] {
            let document = TextDocument::config_file(text, Some(dialect)).expect(text);
            let encoded = document.encode().expect(text);
            assert!(encoded == value(contents, dialect), "{text} {dialect}");
            assert_eq!(document.replace(&encoded).expect(text), text);
            for part in ["a=NodePath(\"b\"", "a=NodePath(\"b\" c=1"] {
                assert!(TextDocument::config_file(part, Some(dialect)).is_err());
            }
        }
    }
}

#[test]
fn an_edit_keeps_comments_order_and_spacing() {
    let text = "; top\r\n[video]\r\n\r\nmode = 1 ; window\r\nvsync=true\r\n\r\n[audio] ; loud\r\nvolume=0.5\r\n";
    let contents = r#"{"video": {"mode": 2, "vsync": true, "size": [1]}, "audio": {"level": 0.5}, "new": {"a b": "x"}}"#;
    assert_eq!(
        replaced(text, contents).expect("an edit"),
        "; top\r\n[video]\r\n\r\nmode = 2 ; window\r\nvsync=true\r\nsize=[1]\r\n\r\n[audio] ; loud\r\nlevel=0.5\r\n\
         \r\n[new]\r\n\r\n\"a b\"=\"x\"\r\n"
    );
    // An entry is deleted with its lines, a section with its header and the blank lines after it.
    assert_eq!(
        replaced(
            "a=[\n1]; x\nb=2\n\n[s]\n\nc=1\n\n[t]\nd=1",
            r#"{"": {"b": 2}, "t": {"d": 1}}"#
        )
        .unwrap(),
        "b=2\n\n\n[t]\nd=1"
    );
    // Two entries on one line; an entry that comes twice.
    assert_eq!(
        replaced("[s]\na=1 b=2 c=3\na=4\n", r#"{"s": {"b": 2, "c": 3}}"#).unwrap(),
        "[s]\n b=2 c=3\n"
    );
    // Settings without a section come first.
    assert_eq!(
        replaced("[s]\na=1\n", r#"{"s": {"a": 1}, "": {"b": 2}}"#).unwrap(),
        "b=2\n\n[s]\na=1\n"
    );
    assert_eq!(replaced("[s]\na=1", r#"{"s": {}}"#).unwrap(), "[s]");
    assert_eq!(replaced("[s]", r#"{"s": {"a": 1}}"#).unwrap(), "[s]\n\na=1");
    // The last settings without a section are replaced by others.
    assert_eq!(
        replaced("a=1\n\n[s]\nb=1\n", r#"{"": {"c": 2}, "s": {"b": 1}}"#).unwrap(),
        "c=2\n\n[s]\nb=1\n"
    );
}

#[test]
fn values_are_written_as_the_engine_writes_them() {
    let godot4 = replaced(
        "[s]\na=&\"x\"\n",
        r#"{"s": {"a": {"b": Vector2(1, -0.5), "a": [inf, Object(Node,"n":1)]}}}"#,
    );
    assert_eq!(
        godot4.unwrap(),
        "[s]\na={\n\"b\": Vector2(1, -0.5),\n\"a\": [inf, Object(Node,\"n\":1)\n]\n}\n"
    );
    let godot3 = replaced(
        "[s]\na=PoolIntArray(  )\n",
        r#"{"s": {"a": Vector2( 1, 0.123456789 ), "b": [ 0.1, {} ], "c": Resource("res://a.tres")}}"#,
    );
    assert_eq!(
        godot3.unwrap(),
        "[s]\na=Vector2(1, 0.12345679)\nb=[ 0.1, {\n} ]\nc=Resource(\"res://a.tres\")\n"
    );
}

/// A new name changes the headers alone: comments, blank lines and the order of the sections stay.
#[test]
fn a_section_is_renamed_in_its_place() {
    let text = "; top\n\n; about a\n[ a ] ; here\n; about x\n\nx = 1 ; one\ny=2\n\n[b]\nz=3\n\n[a]\n; again\nw=4\n; end\n";
    let new = r#"{"c": {"x": 1, "y": 2, "w": 4}, "b": {"z": 3}}"#;
    let expected = text.replace("[ a ]", "[ c ]").replace("[a]", "[c]");
    assert_eq!(replaced(text, new).expect("a text"), expected);
    // The last one, one without entries, and a name with a bracket.
    for (old, new, contents) in [
        (
            "[a]\nx=1\n\n; two\n[b]\n; in b\ny=1\n",
            "[a]\nx=1\n\n; two\n[c d]\n; in b\ny=1\n",
            r#"{"a": {"x": 1}, "c d": {"y": 1}}"#,
        ),
        (
            "[a]\n; empty\n\n[b]\ny=&\"s\"\n",
            "[q]\n; empty\n\n[b]\ny=&\"s\"\n",
            r#"{"q": {}, "b": {"y": &"s"}}"#,
        ),
        (
            "[a]\n; why\nx=&\"s\"\n",
            "[p\\]q]\n; why\nx=&\"s\"\n",
            r#"{"p]q": {"x": &"s"}}"#,
        ),
    ] {
        assert_eq!(replaced(old, contents).expect(old), new);
    }
    // Other entries are another section.
    let other = replaced("[a]\n; why\nx=1\n", r#"{"b": {"x": 2}}"#);
    assert!(other.expect("a text").ends_with("[b]\n\nx=2\n"));
}

/// 4.6.3, 3.6.2 and 3.2.3 refuse a whole ConfigFile that has one of these.
#[test]
fn a_value_cannot_refer_to_a_resource_of_the_file() {
    for value in [
        "SubResource(\"x\")",
        "ExtResource(\"1_a\")",
        "[1, {\"a\": ExtResource(\"1\")}]",
        "Array[ExtResource(\"1\")]([])",
    ] {
        let class = if value.contains("Sub") { "Sub" } else { "Ext" };
        let place = format!("{class}Resource at s/a refers to a resource of this file");
        let old = "[s]\na=1\nb=&\"x\"\n";
        for key in ["a", "c"] {
            let contents = format!("{{\"s\": {{\"a\": 1, \"b\": &\"x\", \"{key}\": {value}}}}}");
            let error = replaced(old, &contents).expect_err(value).to_string();
            assert!(
                error.contains(&place.replace("s/a", &format!("s/{key}"))),
                "{error}"
            );
            assert!(error.contains("Resource(\"res://"), "{error}");
        }
        // One that is there already stays, and can be deleted.
        let there = format!("[s]\na={value}\nb=&\"x\"\n");
        let contents = format!("{{\"s\": {{\"a\": {value}, \"b\": &\"y\"}}}}");
        let changed = replaced(&there, &contents).expect(value);
        assert_eq!(changed, there.replace("\"x\"\n", "\"y\"\n"));
        let deleted = replaced(&there, r#"{"s": {"b": &"x"}}"#).expect(value);
        assert_eq!(deleted, "[s]\nb=&\"x\"\n");
    }
    // A file of its own may be there.
    let file = r#"{"s": {"a": Resource("res://a.tres")}}"#;
    let expected = "[s]\na=Resource(\"res://a.tres\")\n";
    assert_eq!(replaced("[s]\na=1\n", file).expect("a text"), expected);
}

#[test]
fn what_a_text_cannot_express_is_an_error() {
    let error = |contents: &str| replaced("[s]\na=1\n", contents).unwrap_err().to_string();
    assert_eq!(
        error(r#"{"s": {"a": null}}"#),
        "a ConfigFile cannot hold null, at s/a: delete the setting instead"
    );
    assert_eq!(
        error(r#"{"s": 1}"#),
        "expected a Dictionary of settings: section \"s\""
    );
    assert_eq!(
        error("[]"),
        "expected a Dictionary of sections: the contents of a ConfigFile"
    );
    assert_eq!(
        error(r#"{1: {}}"#),
        "expected the name of a section as a String: a key of the contents"
    );
    // The engine cuts blanks off the name of a section.
    assert_eq!(
        error(r#"{"s": {"a": 1}, " t ": {}}"#),
        "the text of this document cannot express section \" t \""
    );
    assert_eq!(
        error(r#"{"s": {"a": 1, "": 2}}"#),
        "the text of this document cannot express s/"
    );
}

/// Godot 3.6.2 loaded `[root]` with each of these values, or refused the whole file.
#[test]
fn an_edit_does_not_decide_for_an_engine() {
    let tiny = "[root]\n\nv={\n\"hp\": 1\n}\n";
    let edit = |dialect, text: &str| {
        let document = TextDocument::config_file(tiny, dialect).expect("a ConfigFile");
        document.replace(&value(
            &format!("{{\"root\": {{\"v\": {text}}}}}"),
            document.dialect(),
        ))
    };
    for (text, name) in [
        ("&\"x\"", "StringName"),
        ("{&\"x\": 1}", "StringName"),
        ("PoolByteArray(1, 2)", "PackedByteArray"),
        ("Vector2i(1, 2)", "Vector2i"),
        ("RID()", "RID"),
        ("Quat(0, 0, 0, 1)", "Quaternion"),
        (
            "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)",
            "Transform3D",
        ),
        ("Callable()", "Callable"),
        ("[Array[int]([1])]", "Array"),
    ] {
        let undecided = ReplaceError::Undecided(name.to_owned());
        assert_eq!(edit(None, text), Err(undecided), "{text}");
        edit(Some(Dialect::GODOT_4), text).expect(text);
    }
    for text in [
        "-inf",
        "1e-7",
        "[[], {}]",
        "Vector2(1, 2)",
        "Transform2D(1, 0, 0, 1, 0, 0)",
        "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
        "Color(1, 0, 0, 1)",
        "NodePath(\"a/b\")",
        "Object(Node,\"n\":1)",
        "{1: 2, null: 3, 1.5: 3, Vector2(1, 2): 4}",
        "\"Vector2i(1, 2) &\\\"x\\\"\"",
    ] {
        edit(None, text).expect(text);
    }
    let godot3 = edit(Some(Dialect::GODOT_3), "PoolByteArray(1, 2)");
    assert_eq!(godot3.unwrap(), "[root]\n\nv=PoolByteArray( 1, 2 )\n");
    let error = edit(None, "RID()").unwrap_err().to_string();
    assert!(error.contains("-d godot3 or -d godot4"), "{error}");
}

/// What var_to_str of Godot 4.6.3 and var2str of 3.6.2 print for values that JSON has too.
const PRINTED: [(&str, &str); 18] = [
    (
        "{\n\"hp\": 1,\n\"items\": []\n}",
        "{\n\"hp\": 1,\n\"items\": [  ]\n}",
    ),
    ("{}", "{\n}"),
    ("[]", "[  ]"),
    ("[1, 2]", "[ 1, 2 ]"),
    ("\"text\"", "\"text\""),
    ("5", "5"),
    ("true", "true"),
    ("null", "null"),
    ("1.5", "1.5"),
    (
        "{\n\"a\": [{\n\"b\": 1\n}, {}]\n}",
        "{\n\"a\": [ {\n\"b\": 1\n}, {\n} ]\n}",
    ),
    ("[{\n\"b\": 1\n}]", "[ {\n\"b\": 1\n} ]"),
    (
        "{\n\"a\": {\n\"b\": []\n}\n}",
        "{\n\"a\": {\n\"b\": [  ]\n}\n}",
    ),
    ("-3", "-3"),
    ("\"a\nb\t\\\"q\\\"\"", "\"a\nb\t\\\"q\\\"\""),
    ("[[]]", "[ [  ] ]"),
    ("[{}]", "[ {\n} ]"),
    ("[[1], [2]]", "[ [ 1 ], [ 2 ] ]"),
    ("[\"a\"]", "[ \"a\" ]"),
];

#[test]
fn a_printed_value_is_told_from_json() {
    let form = |text: &str| {
        let document = TextDocument::recognize(text, None).expect(text);
        document.map(|document| document.form())
    };
    for (godot4, godot3) in PRINTED {
        for text in [godot4, godot3] {
            assert_eq!(form(text), Some(Form::Value), "{text}");
            assert_eq!(form(&format!("{text}\n")), Some(Form::Value), "{text}");
        }
        let read = TextDocument::recognize(godot3, None).expect("no error");
        if godot3.contains("[ ") {
            assert_eq!(read.expect("a value").dialect(), Dialect::GODOT_3);
        }
    }
    // JSON.stringify of 4.6.3 and JSON.print of 3.6.2 write these, without and with an indentation, and
    // json.dumps of Python the last two.
    for text in [
        "[1,2]",
        "{\"a\":1}",
        "{\"hp\":1,\"items\":[]}",
        "{\n\t\"a\": 1\n}",
        "[\n\t1,\n\t2\n]",
        "{\"a\": 1}",
        "[1, {\"a\": []}]",
    ] {
        assert_eq!(form(text), None, "{text}");
    }
}

/// An edit may leave nothing in a text that JSON has not.
#[test]
fn an_edited_value_is_recognized_again() {
    let texts = [
        ("; a comment\n", "{\n\"pos\": Vector2i(1, 2)\n}", "\n"),
        ("", "{\n\"pos\": Vector2i(1, 2)\n}", " ; a comment\n"),
        ("", "PoolIntArray( 1 )", ""),
        ("", "{\n\"hp\": 1\n}", "\n"),
    ];
    for (before, old, after) in texts {
        let text = format!("{before}{old}{after}");
        let document = TextDocument::value(&text, None).expect("a value");
        for (new, _) in PRINTED {
            let new = document.replace(&value(new, document.dialect()));
            let new = new.expect("a text");
            let new = new.strip_prefix(before).expect("the comment");
            let again = TextDocument::recognize(new, None).expect("no error");
            assert_eq!(again.map(|again| again.form()), Some(Form::Value), "{new}");
        }
    }
}

/// 4.6.3, 3.6.2 and 3.2.3 load these with the same contents. A `#` is no comment for them.
#[test]
fn a_text_on_one_line_or_with_hashes_is_recognized() {
    for (text, contents) in [
        (
            "[a] x=1 y=2 [b] z=3\n",
            r#"{"a": {"x": 1, "y": 2}, "b": {"z": 3}}"#,
        ),
        ("x=1 [a] y=2\n", r#"{"": {"x": 1}, "a": {"y": 2}}"#),
        ("# note\n[a]\nx=1\n", r##"{"": {"#note[a]x": 1}}"##),
        ("# it \"is\" so\n[a]\nx=1\n", r#"{"": {"isso[a]x": 1}}"#),
        ("# note\nx=1\ny=2\n", r##"{"": {"#notex": 1, "y": 2}}"##),
        (
            "[a]\nx=1\n# note\n[b]\ny=2\n",
            r##"{"a": {"x": 1, "#note[b]y": 2}}"##,
        ),
    ] {
        let document = TextDocument::recognize(text, None).expect(text);
        let document = document.expect(text);
        assert_eq!(document.form(), Form::ConfigFile, "{text}");
        let expected = value(contents, document.dialect());
        assert!(document.encode().expect(text) == expected, "{text}");
    }
    // The engines refuse these.
    for text in ["# a=b\n[a]\nx=1\n", "# say \"hello\n[a]\nx=1\n"] {
        let (form, error) = TextDocument::recognize(text, None).expect_err(text);
        assert_eq!((form, error.line()), (Form::ConfigFile, 1), "{text}");
    }
}

/// Godot 4.6.3 and 3.6.2 save these.
#[test]
fn arrays_tell_the_engine() {
    for (text, dialect, evidence) in [
        ("a=[]\n", Dialect::GODOT_4, Evidence::Same),
        ("[]\n\na=[  ]\n", Dialect::GODOT_3, Evidence::Values),
        ("[s]\n\na=[ 1, 2 ]\n", Dialect::GODOT_3, Evidence::Values),
        ("[s]\n\na=[1, 2]\n", Dialect::GODOT_4, Evidence::Same),
    ] {
        let document = TextDocument::config_file(text, None).expect(text);
        assert_eq!(
            (document.dialect(), document.evidence()),
            (dialect, evidence),
            "{text}"
        );
    }
}

#[test]
fn errors_have_a_line_and_a_column() {
    for (text, message, before) in [
        (
            "[a]\nb=1\nc=foo\n",
            "line 3, column 3: expected a value, found a name that this notation does not have (text goes in quotes)",
            1,
        ),
        (
            "[a]\nb=1\n[c",
            "line 3, column 1: expected ']' after the name of the section, found the end of the text",
            1,
        ),
        (
            "[a]\nb=\"x",
            "line 2, column 3: this text has no closing quote",
            0,
        ),
        (
            "a=1\0",
            "line 1, column 4: a NUL, at which the engine stops reading",
            0,
        ),
    ] {
        let error = TextDocument::config_file(text, None).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.entries_before, before, "{text:?}");
    }
}

#[test]
fn only_texts_that_look_like_it_are_evident() {
    for (text, evident) in [
        ("[a]\nb=1\n", true),
        ("; note\na=1\nb=\"x\" ; y\n", true),
        ("  [a] ; x\nb=1", true),
        ("[12:30:01] x=5 done\n", false),
        ("[12:30:01] x=5\n", false),
        ("[a] x=1 y=2 [b] z=\"3\"\n", true),
        ("x=1 [a] y=2", true),
        ("[a] x=1 ; one\n", true),
        ("[a] x=1 and more\n", false),
        ("[a b] x=1\n", false),
        ("# note\n[a]\nx=1\n", true),
        ("# one\n# two\nx=1\ny=2\n", true),
        ("#!/bin/sh\nx=1\n", false),
        ("# hello\nworld x=1 y=2\n", false),
        ("hello\nb=1\n", false),
        ("a=1 b=2\n", false),
        ("[a]\n", false),
        ("Hello, world!", false),
    ] {
        let document = TextDocument::config_file(text, None).expect(text);
        assert_eq!(document.is_evident(), evident, "{text:?}");
    }
}
