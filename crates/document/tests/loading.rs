//! Which resources and scenes no engine loads or instantiates although all their values can be read. Every verdict is
//! what Godot 4.6.3, 3.6.2 and 3.2.3 did with the same file: `load`, then `instantiate`. The files for Godot 3 had
//! `format=2` and ids that are numbers.

use gdvar_document::{DocumentErrorKind, Form, TextDocument};
use gdvar_view::Dialect;

const SUB: &str = "[sub_resource type=\"Curve2D\" id=\"a\"]\n\n";
const ROOT: &str = "[node name=\"Root\" type=\"Node2D\"]\n";

fn scene(parts: &[&str]) -> String {
    format!("[gd_scene load_steps=2 format=3]\n\n{}", parts.concat())
}

/// The line of the error, and what is wrong. `None` if the engines load the text.
fn refused(text: &str) -> Option<(u32, DocumentErrorKind)> {
    let document = TextDocument::resource(text, None).expect(text);
    let error = document.check_loading().err()?;
    Some((error.line(), error.kind().clone()))
}

#[test]
fn a_resource_must_be_defined_above_its_first_use() {
    let curve = "[gd_resource type=\"Curve2D\" load_steps=2 format=3]\n\n";
    let child = "\n[node name=\"C\" parent=\".\" instance=ExtResource(\"1_a\")]\n";
    let deep = "metadata/c = { \"x\": [1, SubResource(\"a\")] }\n";
    let early = "[sub_resource type=\"Curve2D\" id=\"b\"]\nmetadata/x = SubResource(\"a\")\n\n";
    let cases = [
        (
            scene(&[ROOT, "metadata/c = SubResource(\"a\")\n"]),
            "SubResource(\"a\")",
            4,
        ),
        (
            scene(&[ROOT, "metadata/c = ExtResource(\"1_a\")\n"]),
            "ExtResource(\"1_a\")",
            4,
        ),
        (scene(&[ROOT, child]), "ExtResource(\"1_a\")", 5),
        (scene(&[ROOT, deep]), "SubResource(\"a\")", 4),
        (scene(&[early, SUB, ROOT]), "SubResource(\"a\")", 4),
        (
            format!("{curve}[resource]\nmetadata/x = SubResource(\"a\")\n"),
            "SubResource(\"a\")",
            4,
        ),
    ];
    for (text, name, line) in cases {
        let name = name.to_owned();
        let kind = DocumentErrorKind::NoSuchResource { name };
        assert_eq!(refused(&text), Some((line, kind)), "{text}");
        // Reading it accepts the text, so that it can be shown and mended.
        TextDocument::resource(&text, None)
            .expect("a document")
            .encode()
            .expect("its value");
    }
}

#[test]
fn a_scene_has_one_root() {
    let (none, text) = (
        scene(&[]),
        scene(&[ROOT, "\n[node name=\"C\" type=\"Node2D\"]\n"]),
    );
    let words = |text: &str| refused(text).map(|(line, kind)| (line, format!("{kind:?}")));
    assert!(words(&none).is_some_and(|(_, words)| words.contains("a node")));
    assert!(words(&text).is_some_and(|(line, words)| line == 5 && words.contains("parent")));
}

/// The engines load these: they move or rename a node, or leave out a connection.
#[test]
fn what_the_engines_load_passes() {
    let node = |name: &str, parent: &str| {
        format!("\n[node name=\"{name}\" type=\"Node2D\" parent=\"{parent}\"]\n")
    };
    for rest in [
        String::new(),
        node("C", "X"),
        node("C", "D") + &node("D", "."),
        node("C", ".") + &node("C", "."),
        "\n[connection signal=\"ready\" from=\"X\" to=\".\" method=\"queue_free\"]\n".to_owned(),
        "\n[editable path=\"X\"]\n".to_owned(),
    ] {
        let text = scene(&[SUB, ROOT, "metadata/c = SubResource(\"a\")\n", &rest]);
        assert_eq!(refused(&text), None, "{text}");
    }
    // What the engines themselves wrote.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let mut count = 0;
    for folder in [
        "documents/godot4",
        "documents/godot3.6",
        "forms/godot4",
        "forms/godot3",
    ]
    .map(|name| format!("{folder}/{name}"))
    {
        for file in std::fs::read_dir(&folder).expect(&folder) {
            let path = file.expect("a file").path();
            if path
                .extension()
                .is_some_and(|end| end == "tres" || end == "tscn")
            {
                let text = std::fs::read_to_string(&path).expect("UTF-8");
                assert_eq!(refused(&text), None, "{path:?}");
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} files");
}

/// What each engine made of 95 texts (`testdata/oracle/loading4.gd`, `loading3.gd`). Which classes there are, only an
/// engine knows. Zeros after a text are not the document's ([`gdvar_file`](../../file/src/layers/document.rs)).
#[test]
fn files_are_refused_where_the_engines_refuse_them() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/documents/loading.jsonl"
    );
    let text = std::fs::read_to_string(path).expect("the texts");
    let (mut loaded, mut refused) = (0, 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let word = |name: &str| case[name].as_str().expect("a word").to_owned();
        let name = word("name");
        if name.contains("class") || name.contains("nul-") {
            continue;
        }
        for (dialect, text, engines) in [
            (Dialect::GODOT_4, word("text4"), vec![word("godot4")]),
            (
                Dialect::GODOT_3,
                word("text3"),
                vec![word("godot3.6"), word("godot3.2")],
            ),
        ] {
            let form = match &name {
                name if name.ends_with("cfg") => Form::ConfigFile,
                name if name.ends_with("tscn") => Form::Scene,
                _ => Form::Resource,
            };
            let document = TextDocument::read(&text, form, Some(dialect));
            let ours = document.and_then(|document| document.check_loading());
            let all_load = engines.iter().all(|verdict| verdict == "loads");
            assert_eq!(
                ours.is_ok(),
                all_load,
                "{name} {}: {ours:?}\n{text}",
                dialect.name()
            );
            loaded += usize::from(all_load);
            refused += usize::from(!all_load);
        }
    }
    assert!(loaded > 60 && refused > 70, "{loaded} {refused}");
}
