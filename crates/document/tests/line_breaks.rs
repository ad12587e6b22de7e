//! An edit writes the line breaks that the text has, and leaves those inside Strings alone.

use gdvar_document::TextDocument;
use gdvar_text::{LineOptions, ParseOptions, parse_godot, write_line};
use gdvar_view::{Dialect, Document, Objects};

fn document(text: &str, dialect: Dialect) -> TextDocument<'_> {
    match text.trim_start_matches(';').starts_with("[gd_") {
        true => TextDocument::resource(text, Some(dialect)),
        false if text.starts_with('{') => TextDocument::value(text, Some(dialect)),
        false => TextDocument::config_file(text, Some(dialect)),
    }
    .expect(text)
}

/// Replaces a part of the contents, which are text on one line.
fn edited(text: &str, dialect: Dialect, from: &str, to: &str) -> String {
    let document = document(text, dialect);
    let bytes = document.encode().expect(text);
    let root = Document::new(&bytes, dialect).with_objects(Objects::Inert);
    let mut old = String::new();
    write_line(&mut old, root.root().expect(text), LineOptions::new()).expect(text);
    assert!(old.contains(from), "{from} in {old}");
    let options = ParseOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_references(true)
        .with_whole(true);
    let contents = parse_godot(&old.replacen(from, to, 1), &options).expect(to);
    document.replace(&contents.bytes).expect(to)
}

/// Texts that can hold a Dictionary in every place where a value is written, with a part of their contents and what it
/// becomes.
const EDITS: &[(&str, &str, &str)] = &[
    // An entry of a section, a new entry, a new section, and an entry before the first section.
    (
        "[a]\nd={\n\"k\": 1\n}\n",
        "\"k\": 1",
        "\"k\": [{\"m\": {}}, {\"n\": 2}]",
    ),
    (
        "[a]\nx=1\n",
        "\"x\": 1",
        "\"x\": 1, \"d\": {\"k\": 1, \"l\": [{\"m\": 2}]}",
    ),
    (
        "[a]\nx=1\n",
        "\"x\": 1}",
        "\"x\": 1}, \"b\": {\"d\": {\"k\": 1, \"l\": 2}}",
    ),
    (
        "[a]\nx=1\n",
        "{\"a\"",
        "{\"\": {\"d\": {\"k\": 1, \"l\": 2}}, \"a\"",
    ),
    // A project.
    (
        "; Engine configuration file.\n\nconfig_version=5\n\n[input]\n\njump={\n\"deadzone\": 0.5\n}\n",
        "\"deadzone\": 0.5",
        "\"deadzone\": 0.25, \"events\": [{\"a\": 1}]",
    ),
    // A text of one value.
    ("{\n\"a\": 1\n}\n", "1", "{\"b\": [{\"c\": 2}]}"),
    // A property of a resource, of a new resource in it, and an attribute and a property of a node.
    (
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nd = {\n\"k\": 1\n}\n",
        "\"k\": 1",
        "\"k\": {\"l\": [{\"m\": 2}]}",
    ),
    (
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nx = 1\n",
        "\"x\": 1",
        "\"x\": Object(Gradient, \"SubResource\": \"g\", \"metadata/d\": {\"k\": {\"l\": 2}})",
    ),
    (
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nmetadata/d = {\n\"k\": 1\n}\n",
        "\"k\": 1",
        "\"k\": 2, \"l\": {\"m\": 3}",
    ),
    (
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"show\"]\n",
        "\"method\": \"show\"",
        "\"method\": \"show\", \"binds\": [{\"k\": 1, \"l\": 2}]",
    ),
    (
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n",
        "\"name\": \"A\")",
        "\"name\": \"A\"), Object(Node, \"name\": \"B\", \"parent\": \".\", \"metadata/d\": {\"k\": {\"l\": 2}})",
    ),
];

#[test]
fn new_values_have_the_line_breaks_of_the_text() {
    for (text, from, to) in EDITS {
        let lines = edited(text, Dialect::GODOT_4, from, to);
        assert!(
            lines.matches('\n').count() > text.matches('\n').count(),
            "{lines}"
        );
        let windows = edited(&text.replace('\n', "\r\n"), Dialect::GODOT_4, from, to);
        assert_eq!(windows, lines.replace('\n', "\r\n"), "{text}");
    }
}

/// Godot 4.6.3 and 3.6.2 load a CRLF inside quotes as both characters (`ConfigFile.load`).
#[test]
fn line_breaks_inside_strings_stay() {
    for dialect in [Dialect::GODOT_4, Dialect::GODOT_3] {
        let text =
            "[a]\r\nd={\r\n\"both\": \"x\r\ny\",\r\n\"k\": 1,\r\n\"line\": \"x\ny\"\r\n}\r\n";
        let to = r#""k": "a\\\"b
\"c
d\\", "l\"
m": 2"#;
        assert_eq!(
            edited(text, dialect, "\"k\": 1", to),
            "[a]\r\nd={\r\n\"both\": \"x\r\ny\",\r\n\"k\": \"a\\\\\\\"b\n\\\"c\nd\\\\\",\r\n\"l\\\"\nm\": 2,\r\n\
             \"line\": \"x\ny\"\r\n}\r\n",
            "{dialect}"
        );
    }
}

#[test]
fn a_text_for_another_engine_keeps_its_line_breaks() {
    for text in [
        "[a]\r\nd={\r\n\"k\": Quat( 0, 0, 0, 1 ),\r\n\"l\": [ {\r\n\"m\": RID(  )\r\n} ]\r\n}\r\n",
        "[gd_scene format=2]\r\n\r\n[node name=\"A\" type=\"Node\"]\r\n__meta__ = {\r\n\"d\": {\r\n\"k\": {\r\n\"l\": 2\r\n}\r\n}\r\n}\r\n",
    ] {
        let new = document(text, Dialect::GODOT_3).for_engine(Dialect::GODOT_4);
        let new = new.expect(text).text;
        assert_ne!(new, text);
        assert_eq!(new, new.replace("\r\n", "\n").replace('\n', "\r\n"));
    }
}
