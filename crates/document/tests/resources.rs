//! Resources and scenes of the engines: unchanged contents keep the text, and edits keep all other bytes.

use gdvar_document::{Form, TextDocument};
use gdvar_text::{LineOptions, ParseOptions, parse_godot, write_line};
use gdvar_view::{Dialect, Document, Objects};

fn text(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/documents/");
    std::fs::read_to_string(format!("{folder}{name}")).expect(name)
}

/// The contents on one line.
fn line(text: &str) -> String {
    let document = TextDocument::resource(text, None).expect(text);
    let bytes = document.encode().expect(text);
    let root = Document::new(&bytes, document.dialect())
        .with_objects(Objects::Inert)
        .root();
    let mut line = String::new();
    write_line(&mut line, root.expect(text), LineOptions::new()).expect(text);
    line
}

/// Replaces the contents by a value of Godot's notation.
fn replaced(text: &str, contents: &str) -> Result<String, String> {
    let document = TextDocument::resource(text, None).expect(text);
    let options = ParseOptions::new(document.dialect())
        .with_objects(Objects::Inert)
        .with_references(true)
        .with_whole(true);
    let contents = parse_godot(contents, &options).expect(contents).bytes;
    document
        .replace(&contents)
        .map_err(|error| error.to_string())
}

#[test]
fn unchanged_contents_keep_the_text() {
    for (folder, dialect) in [("godot4", Dialect::GODOT_4), ("godot3.6", Dialect::GODOT_3)] {
        for name in [
            "all.tres",
            "ext.tres",
            "refs.tres",
            "scene.tscn",
            "tiny.tres",
        ] {
            let text = text(&format!("{folder}/{name}"));
            let document = TextDocument::resource(&text, None).expect(name);
            assert_eq!(document.dialect(), dialect, "{name}");
            let contents = document.encode().expect(name);
            let read = Document::new(&contents, dialect)
                .with_objects(Objects::Inert)
                .validate();
            assert_eq!(read, Ok(contents.len()), "{name}");
            assert_eq!(document.replace(&contents).expect(name), text, "{name}");
        }
    }
}

#[test]
fn a_resource_is_where_it_is_first_mentioned() {
    let sub = r#"Object(Resource, "SubResource": "Resource_hhcic", "resource_name": "sub", "metadata/q": NodePath("A/C:x"))"#;
    let external =
        r#"Object(ExtResource, "id": "1_a422f", "type": "Gradient", "path": "res://out/ext.tres")"#;
    assert_eq!(
        line(&text("godot4/refs.tres")),
        format!(
            "Object(Resource, \"metadata/a\": {sub}, \"metadata/b\": [Object(SubResource, \"id\": \
             \"Resource_hhcic\"), {external}, null], \"metadata/p\": NodePath(\"A/B\"), \"metadata/d\": \
             {{Object(ExtResource, \"id\": \"1_a422f\"): Object(SubResource, \"id\": \"Resource_hhcic\")}})"
        )
    );
    let script = "Object(GDScript, \"SubResource\": \"1\", \"script/source\": \
                  \"extends Node\\nfunc hello():\\n\\tprint(\\\"hello\\\")\\n\")";
    assert_eq!(
        line(&text("godot3.6/scene.tscn")),
        format!(
            "{{\"nodes\": [Object(Node2D, \"name\": \"Root\"), Object(Node, \"name\": \"Kid\", \"parent\": \
             \".\", \"groups\": [\"grp\"], \"script\": {script})], \"connections\": [{{\"signal\": \
             \"ready\", \"from\": \".\", \"to\": \"Kid\", \"method\": \"set_process\", \"binds\": [true]}}\
             ], \"editable\": []}}"
        )
    );
}

/// The engine loads these all the same, and runs the code in them.
#[test]
fn resources_that_nothing_uses_are_there() {
    let text = "[gd_resource type=\"Theme\" format=3]\n\
                [ext_resource type=\"Script\" uid=\"uid://b1\" path=\"res://a.gd\" id=\"1_a\"]\n\
                [sub_resource type=\"GDScript\" id=\"b\"]\nscript/source = \"x\"\n\
                [sub_resource type=\"GDScript\" id=\"b\"]\nscript/source = \"y\"\n[resource]\n";
    assert_eq!(
        line(text),
        "Object(Theme, \"ExtResource(\\\"1_a\\\")\": Object(ExtResource, \"id\": \"1_a\", \"type\": \"Script\", \
         \"uid\": \"uid://b1\", \"path\": \"res://a.gd\"), \"SubResource(\\\"b\\\")\": Object(GDScript, \
         \"SubResource\": \"b\", \"script/source\": \"x\"), \"SubResource(\\\"b\\\")\": Object(GDScript, \
         \"SubResource\": \"b\", \"script/source\": \"y\"))"
    );
}

/// Two resources that use each other, and one that uses itself: each is written once.
#[test]
fn cycles_and_sharing_stay_small() {
    let text = "[gd_resource type=\"A\"]\n[sub_resource type=\"B\" id=\"1\"]\nx = SubResource(\"2\")\n\
                [sub_resource type=\"C\" id=\"2\"]\ny = [SubResource(\"1\"), SubResource(\"2\")]\n[resource]\n\
                z = SubResource(\"2\")\n";
    assert_eq!(
        line(text),
        "Object(A, \"z\": Object(C, \"SubResource\": \"2\", \"y\": [Object(B, \"SubResource\": \"1\", \"x\": \
         Object(SubResource, \"id\": \"2\")), Object(SubResource, \"id\": \"2\")]))"
    );
    // Each of 200 uses the one before ten times: 10^200 objects if they were copied.
    let mut text = "[gd_resource type=\"A\"]\n".to_owned();
    for n in 0..200 {
        let uses = format!("SubResource(\"{}\"), ", n + 1).repeat(10);
        text += &format!("[sub_resource type=\"B\" id=\"{n}\"]\nx = [{uses}]\n");
    }
    text += "[resource]\nx = SubResource(\"0\")\n";
    let document = TextDocument::resource(&text, None).expect("a resource");
    let contents = document.encode().expect("contents");
    assert!(
        contents.len() < 6 * text.len(),
        "{} of {}",
        contents.len(),
        text.len()
    );
    assert_eq!(document.replace(&contents).expect("the same"), text);
    // A chain that is deeper than readers go.
    let mut text = "[gd_resource type=\"A\"]\n".to_owned();
    for n in 0..5000 {
        text += &format!(
            "[sub_resource type=\"B\" id=\"{n}\"]\nx = SubResource(\"{}\")\n",
            n + 1
        );
    }
    text += "[resource]\nx = SubResource(\"0\")\n";
    let document = TextDocument::resource(&text, None).expect("a resource");
    let contents = document.encode().expect("contents");
    let read = Document::new(&contents, Dialect::GODOT_4)
        .with_objects(Objects::Inert)
        .validate();
    assert_eq!(read, Ok(contents.len()));
    assert_eq!(document.replace(&contents).expect("the same"), text);
}

const HERO: &str = "[gd_resource type=\"Resource\" script_class=\"Hero\" load_steps=3 format=3 uid=\"uid://c\"]\n\n\
                    [ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1_h\"] ; the class\n\n\
                    [sub_resource type=\"Resource\" id=\"Item_a\"]\nname = \"sword\" ; sharp\npower=3\n\n\
                    [resource]\nscript = ExtResource(\"1_h\")\nhp   = 80\nitem = SubResource(\"Item_a\")\n";

const CONTENTS: &str = r#"Object(Resource, "script": Object(ExtResource, "id": "1_h", "type": "Script", "path": "res://hero.gd"),
    "hp": 80, "item": Object(Resource, "SubResource": "Item_a", "name": "sword", "power": 3))"#;

#[test]
fn edits_keep_all_other_bytes() {
    for (from, to, old, new) in [
        ("80", "81", "80", "81"),
        ("\"power\": 3", "\"power\": 4", "power=3", "power=4"),
        (
            "\"power\": 3",
            "\"power\": 3, \"of\": [1]",
            "power=3",
            "power=3\nof = [1]",
        ),
        (", \"power\": 3", "", "\npower=3", ""),
        (
            "\"name\": \"sword\", ",
            "",
            "name = \"sword\" ; sharp\n",
            "",
        ),
        ("res://hero.gd", "res://b.gd", "res://hero.gd", "res://b.gd"),
        (
            "Object(Resource, \"SubResource\"",
            "Object(Item, \"SubResource\"",
            "type=\"Resource\" id",
            "type=\"Item\" id",
        ),
        ("\"hp\": 80,", "", "\nhp   = 80", ""),
        ("80", "[ResourceX]", "80", "80"),
    ] {
        if to == "[ResourceX]" {
            // A new object of no section stays in its value.
            let contents =
                CONTENTS.replace(from, "[Object(Item,\"a\":1), Resource(\"res://x.tres\")]");
            let expected =
                HERO.replace(old, "[Object(Item,\"a\":1)\n, Resource(\"res://x.tres\")]");
            assert_eq!(replaced(HERO, &contents).expect(from), expected);
            continue;
        }
        let contents = CONTENTS.replace(from, to);
        assert_ne!(contents, CONTENTS);
        assert_eq!(
            replaced(HERO, &contents).expect(from),
            HERO.replace(old, new),
            "{from} to {to}"
        );
    }
    // A resource that is gone goes with its section.
    let (start, _) = CONTENTS.split_once(", \"item\"").expect("the item");
    let expected = HERO
        .replace(
            "[sub_resource type=\"Resource\" id=\"Item_a\"]\nname = \"sword\" ; sharp\npower=3\n\n",
            "",
        )
        .replace("\nitem = SubResource(\"Item_a\")", "");
    assert_eq!(
        replaced(HERO, &format!("{start})")).expect("without item"),
        expected
    );
}

#[test]
fn what_a_resource_cannot_express_is_an_error() {
    let item = r#"Object(Resource, "SubResource": "Item_a", "name": "sword", "power": 3)"#;
    for (from, to, message) in [
        (
            "Object(Resource, \"script\"",
            "Object(Node, \"script\"",
            "cannot express another class of the resource",
        ),
        ("80", item, "cannot express SubResource(\"Item_a\") twice"),
        (
            "\"Item_a\"",
            "\"\"",
            "expected a class and an id of a new resource: SubResource(\"\")",
        ),
        (
            "\"hp\": 80",
            "\"hp\": 80, \"SubResource(\\\"Item_a\\\")\": 1",
            "cannot express another value in the place of a resource",
        ),
        (
            "\"type\": \"Script\",",
            "",
            "cannot express no type of [ext_resource]",
        ),
    ] {
        let contents = CONTENTS.replace(from, to);
        assert_ne!(contents, CONTENTS);
        let error = replaced(HERO, &contents).expect_err(to);
        assert!(error.contains(message), "{error}");
    }
    let error = replaced(HERO, "{}").unwrap_err();
    assert_eq!(
        error,
        "expected an object, which is the resource: the contents of a resource"
    );
}

/// The first place that mentions a resource holds it whole. When that place is gone, others may still use it.
#[test]
fn a_resource_that_others_use_stays() {
    let hero = text("hero.tres");
    let contents = r#"Object(Resource, "script": Object(ExtResource, "id": "1_h", "type": "Script", "path":
        "res://hero.gd"), "hp": 80, "items": [Object(SubResource, "id": "Item_a")])"#;
    assert_eq!(
        replaced(&hero, contents).expect("one item is left"),
        hero.replace("[SubResource(\"Item_a\"), ", "[")
    );
    let none = contents.replace("[Object(SubResource, \"id\": \"Item_a\")]", "[]");
    let changed = replaced(&hero, &none).expect("no item is left");
    assert!(!changed.contains("Item_a"), "{changed}");
}

#[test]
fn errors_have_a_line_and_a_column() {
    for (text, message) in [
        (
            "[gd_resource]\n# x\n[resource]",
            "line 3, column 11: expected the tag [resource], found the end of the text",
        ),
        (
            "[gd_resource]\n[node]\n",
            "line 2, column 1: expected another tag, found this one, which has no place here",
        ),
        (
            "[gd_resource]\n[resource]\n[resource]\n",
            "line 3, column 1: expected another tag, found this one, which has no place here",
        ),
        (
            "[gd_resource type]\n",
            "line 1, column 18: expected '=' after the name of an attribute, found other text",
        ),
        (
            "[gd_scene format=3\n",
            "line 2, column 1: expected the name of an attribute or ']', found the end of the text",
        ),
        (
            "[resource]",
            "line 1, column 1: expected the tag gd_resource or gd_scene, found other text",
        ),
    ] {
        let error = TextDocument::resource(text, None).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_value_as_text_keeps_what_is_around_it() {
    let text = " ; note\n{\n\"a\": 1\n} ; end\n";
    let document = TextDocument::value(text, None).expect("a value");
    let contents = document.encode().expect("a value");
    assert_eq!(document.replace(&contents).expect("the same"), text);
    let other = parse_godot("[1]", &ParseOptions::new(Dialect::GODOT_4)).expect("a value");
    assert_eq!(
        document.replace(&other.bytes).expect("another"),
        " ; note\n[1] ; end\n"
    );
    for (text, evident) in [
        ("{\n\"a\": 1\n}", true),
        ("{\n\"a\": 1,\n\"b\": [1, 2]\n}\n", true),
        ("Vector2(1, 2)", true),
        ("[&\"a\"]", true),
        ("{\"a\": Color(1, 1, 1, 1)}", true),
        ("{\"a\": 1}", false),
        ("{\n\t\"a\": 1\n}", false),
        // As an engine prints it; JSON.stringify has no blank.
        ("[1, 2]", true),
        ("[1,2]", false),
        ("1300000000000000", false),
        ("02000000", false),
    ] {
        let document = TextDocument::recognize(text, None).expect(text);
        assert_eq!(document.is_some(), evident, "{text}");
    }
}

/// A merge leaves such files. 4.6.3 loads the resource that is the last before the reference.
#[test]
fn a_reference_leads_to_the_last_resource_before_it_with_its_id() {
    let internal =
        |name: &str| format!("[sub_resource type=\"Resource\" id=\"a\"]\npath = \"{name}\"\n\n");
    let external =
        |name: &str| format!("[ext_resource type=\"Resource\" path=\"{name}\" id=\"a\"]\n\n");
    let user =
        |class: &str| format!("[sub_resource type=\"Resource\" id=\"b\"]\nx = {class}(\"a\")\n\n");
    let (one, two) = ("res://1", "res://2");
    for (class, tags, answers) in [
        (
            "SubResource",
            [internal(one), user("SubResource"), internal(two)],
            &[("b.x.path", one), ("a.path", two)][..],
        ),
        (
            "ExtResource",
            [external(one), external(two), user("ExtResource")],
            &[("b.x.path", two)],
        ),
    ] {
        let text = format!(
            "[gd_resource type=\"Resource\" format=3]\n\n{}[resource]\nb = SubResource(\"b\")\na = {class}(\"a\")\n",
            tags.concat()
        );
        let document = TextDocument::resource(&text, None).expect(class);
        let bytes = document.encode().expect(class);
        let contents = Document::new(&bytes, document.dialect()).with_objects(Objects::Inert);
        for (path, expected) in answers {
            let found = contents.get(path).expect(path).expect(path);
            assert_eq!(found.as_str(), Some(*expected), "{class} {path}");
        }
    }
}

/// 4.6.3, 3.6.2 and 3.2.3 load none of these as a resource or scene: "Unrecognized file type". As a ConfigFile they load
/// them, with a section `gd_resorce type="Resource" format=3`.
#[test]
fn a_misspelled_first_tag_is_told() {
    let resource = "\n\n[resource]\nx = 1\n";
    for (text, form, line) in [
        (
            format!("[gd_resorce type=\"Resource\" format=3]{resource}"),
            Form::Resource,
            1,
        ),
        (
            format!("; note\n[Gd_resource type=\"Resource\" format=2]{resource}"),
            Form::Resource,
            2,
        ),
        (
            format!("[resource type=\"Resource\" format=3]{resource}"),
            Form::Resource,
            1,
        ),
        (
            format!("[gd_res type=\"A\"]\n\n[sub_resource type=\"Resource\" id=\"1\"]{resource}"),
            Form::Resource,
            1,
        ),
        (
            format!("[sub_resource type=\"Resource\" id=1]{resource}"),
            Form::Resource,
            1,
        ),
        (
            "[gd_scnee format=3]\n\n[node name=\"A\" type=\"Node\"]\n".to_owned(),
            Form::Scene,
            1,
        ),
        (
            "[node name=\"A\" type=\"Node\"]\n".to_owned(),
            Form::Scene,
            1,
        ),
    ] {
        let (found, error) = TextDocument::recognize(&text, None).expect_err(&text);
        assert_eq!((found, error.line()), (form, line), "{text}");
        let said = error.to_string();
        assert!(said.contains("gd_resource or gd_scene"), "{said}");
    }
    // Sections of a ConfigFile whose names look a little like tags.
    for text in [
        "[resource]\nx=1\n",
        "[node]\nname=\"A\"\n",
        "[a b]\nx=1\n",
        "[a x=1]\ny=2\n",
        "[gd_resorce]\ntype=\"A\"\nformat=3\n",
        "[sub_resource]\nid=1\ntype=\"A\"\n",
    ] {
        let document = TextDocument::recognize(text, None).expect(text);
        assert_eq!(document.expect(text).form(), Form::ConfigFile, "{text}");
    }
}
