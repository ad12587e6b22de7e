//! Arrays and Dictionaries whose type is a script of the project, which the text names by a reference.

use gdvar_document::TextDocument;
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Dialect, Document, Objects};

const TEXT: &str = r#"[gd_resource type="Resource" format=3]

[ext_resource type="Script" path="res://item.gd" id="1_a"]

[sub_resource type="Resource" id="Item_a"]
script = ExtResource("1_a")

[resource]
items = Array[ExtResource("1_a")]([SubResource("Item_a")]) ; all
by_name = Dictionary[String, ExtResource("1_a")]({})
level = 3
"#;

/// 4.6.3 writes these types (`testdata/forms/values4.jsonl` has what it reads from them).
#[test]
fn a_script_as_a_type_is_read_and_kept() {
    let document = TextDocument::resource(TEXT, None).expect("a resource");
    let contents = document.encode().expect("contents");
    let root = Document::new(&contents, Dialect::GODOT_4).with_objects(Objects::Inert);
    assert_eq!(root.validate(), Ok(contents.len()));
    assert_eq!(document.replace(&contents).expect("the same"), TEXT);
    let level = root.get("level").expect("contents").expect("a level");
    let mut changed = contents.clone();
    changed[level.offset() + 4] = 4;
    let expected = TEXT.replace("level = 3", "level = 4");
    assert_eq!(document.replace(&changed).expect("another level"), expected);
}

/// A changed array is written with the same type.
#[test]
fn a_changed_array_keeps_its_type() {
    let document = TextDocument::resource(TEXT, None).expect("a resource");
    let options = ParseOptions::new(Dialect::GODOT_4)
        .with_objects(Objects::Inert)
        .with_references(true)
        .with_whole(true);
    let changed = |items: &str| {
        let contents = format!(
            "Object(Resource, \"items\": Array[ExtResource(\"1_a\")]([{items}]),
            \"by_name\": Dictionary[String, ExtResource(\"1_a\")]({{}}), \"level\": 3)"
        );
        let contents = parse_godot(&contents, &options).expect("a value");
        document.replace(&contents.bytes).expect("another array")
    };
    let item = r#"Object(Resource, "SubResource": "Item_a", "script":
        Object(ExtResource, "id": "1_a", "type": "Script", "path": "res://item.gd"))"#;
    let expected = TEXT.replace("(\"Item_a\")])", "(\"Item_a\"), null])");
    assert_eq!(changed(&format!("{item}, null")), expected);
    // The only object with the script goes, and the script stays: it is the type.
    let expected = TEXT.replace("([SubResource(\"Item_a\")])", "([])").replace(
        "[sub_resource type=\"Resource\" id=\"Item_a\"]\nscript = ExtResource(\"1_a\")\n\n",
        "",
    );
    assert_eq!(changed(""), expected);
}
