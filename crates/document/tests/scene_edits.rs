//! Nodes, connections and resources that are added to a text and deleted from it.

use gdvar_document::TextDocument;
use gdvar_text::{LineOptions, ParseOptions, parse_godot, write_line};
use gdvar_view::{Dialect, Document, Objects};

const SCENE: &str = r#"[gd_scene format=3 uid="uid://b1"]

[ext_resource type="Script" path="res://kid.gd" id="1_a"] ; by hand

[sub_resource type="Gradient" id="Gradient_a"]
offsets = PackedFloat32Array(0, 1)

[node name="Root" type="Node2D"]
position = Vector2(1, 2) ; note

[node name="Kid" type="Node" parent="."]
script = ExtResource("1_a")

[node name="Grandkid" type="Node" parent="Kid"]
metadata/g = SubResource("Gradient_a")

[node name="Other" type="Node" parent="."]

[connection signal="ready" from="." to="Kid" method="set_process"]
[connection signal="ready" from="." to="Other" method="queue_free"]
"#;

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

/// Changes a part of the contents of a scene, as text on one line.
fn edited(text: &str, from: &str, to: &str) -> Result<String, String> {
    let old = line(text);
    assert!(old.contains(from), "{from} in {old}");
    let options = ParseOptions::new(Dialect::GODOT_4)
        .with_objects(Objects::Inert)
        .with_references(true)
        .with_whole(true);
    let contents = parse_godot(&old.replacen(from, to, 1), &options).expect(to);
    let document = TextDocument::resource(text, None).expect(text);
    let changed = document.replace(&contents.bytes);
    changed.map_err(|error| error.to_string())
}

const OTHER: &str = r#", Object(Node, "name": "Other", "parent": ".")]"#;

#[test]
fn a_node_is_added_where_it_is_in_the_list() {
    let new = r#", Object(Sprite2D, "name": "New", "parent": "Kid", "groups": ["g"], "scale": Vector2(2, 2))"#;
    let text = "\n\n[node name=\"New\" type=\"Sprite2D\" parent=\"Kid\" groups=[\"g\"]]\nscale = Vector2(2, 2)";
    assert_eq!(
        edited(SCENE, OTHER, &format!("{new}{OTHER}")).expect("a node"),
        SCENE.replace(
            "ent=\"Kid\"]\nmetadata/g = SubResource(\"Gradient_a\")",
            &format!("ent=\"Kid\"]\nmetadata/g = SubResource(\"Gradient_a\"){text}")
        )
    );
    let last = format!("{}{new}]", &OTHER[..OTHER.len() - 1]);
    assert_eq!(
        edited(SCENE, OTHER, &last).expect("a node"),
        SCENE.replace(
            "name=\"Other\" type=\"Node\" parent=\".\"]",
            &format!("name=\"Other\" type=\"Node\" parent=\".\"]{text}")
        )
    );
}

#[test]
fn a_node_is_deleted_with_its_lines() {
    let grandkid = r#", Object(Node, "name": "Grandkid", "parent": "Kid", "metadata/g": Object(Gradient, "SubResource": "Gradient_a", "offsets": PackedFloat32Array(0, 1)))"#;
    // The resource that only it used goes with it.
    let expected = SCENE
        .replace("[sub_resource type=\"Gradient\" id=\"Gradient_a\"]\noffsets = PackedFloat32Array(0, 1)\n\n", "")
        .replace("[node name=\"Grandkid\" type=\"Node\" parent=\"Kid\"]\nmetadata/g = SubResource(\"Gradient_a\")\n\n", "");
    assert_eq!(edited(SCENE, grandkid, "").expect("a node less"), expected);
}

#[test]
fn connections_are_added_and_deleted() {
    let first = r#"{"signal": "ready", "from": ".", "to": "Kid", "method": "set_process"}, "#;
    assert_eq!(
        edited(SCENE, first, "").expect("a connection less"),
        SCENE.replace(
            "[connection signal=\"ready\" from=\".\" to=\"Kid\" method=\"set_process\"]\n",
            ""
        )
    );
    let new =
        r#"{"signal": "renamed", "from": "Kid", "to": ".", "method": "hide", "binds": [1]}, "#;
    assert_eq!(
        edited(SCENE, first, &format!("{first}{new}")).expect("a connection"),
        SCENE.replace(
            "\"set_process\"]\n",
            "\"set_process\"]\n[connection signal=\"renamed\" from=\"Kid\" to=\".\" method=\"hide\" binds=[1]]\n"
        )
    );
}

#[test]
fn a_resource_is_added_before_its_first_use() {
    let kid =
        r#""script": Object(ExtResource, "id": "1_a", "type": "Script", "path": "res://kid.gd")"#;
    let new = r#", "metadata/c": [Object(Curve, "SubResource": "Curve_n", "bake_resolution": 5, "metadata/of": Object(ExtResource, "id": "2_n", "type": "Texture2D", "path": "res://a.png")), Object(SubResource, "id": "Curve_n")]"#;
    let expected = SCENE
        .replace("; by hand\n", "; by hand\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"2_n\"]\n")
        .replace(
            "[node name=\"Root\"",
            "[sub_resource type=\"Curve\" id=\"Curve_n\"]\nbake_resolution = 5\nmetadata/of = ExtResource(\"2_n\")\n\n[node name=\"Root\"",
        )
        .replace(
            "script = ExtResource(\"1_a\")\n",
            "script = ExtResource(\"1_a\")\nmetadata/c = [SubResource(\"Curve_n\"), SubResource(\"Curve_n\")]\n",
        );
    assert_eq!(
        edited(SCENE, kid, &format!("{kid}{new}")).expect("a resource"),
        expected
    );
}

#[test]
fn attributes_of_tags_are_added_and_deleted() {
    let grouped = edited(
        SCENE,
        "\"parent\": \"Kid\"",
        "\"parent\": \"Kid\", \"groups\": [\"g\"]",
    )
    .expect("a group");
    assert_eq!(
        grouped,
        SCENE.replace("parent=\"Kid\"]", "parent=\"Kid\" groups=[\"g\"]]")
    );
    assert_eq!(
        edited(&grouped, ", \"groups\": [\"g\"]", "").expect("no group"),
        SCENE
    );
    let flagged = edited(SCENE, "\"set_process\"", "\"set_process\", \"flags\": 3").expect("flags");
    assert_eq!(
        flagged,
        SCENE.replace("\"set_process\"]", "\"set_process\" flags=3]")
    );
    assert_eq!(
        edited(&flagged, ", \"flags\": 3", "").expect("no flags"),
        SCENE
    );
    let with_uid = edited(
        SCENE,
        "\"res://kid.gd\"",
        "\"res://other.gd\", \"uid\": \"uid://c\"",
    )
    .expect("a uid");
    assert_eq!(
        with_uid,
        SCENE.replace(
            "path=\"res://kid.gd\" id=\"1_a\"",
            "path=\"res://other.gd\" id=\"1_a\" uid=\"uid://c\""
        )
    );
}

#[test]
fn what_would_refer_to_nothing_is_refused() {
    let kid = r#"Object(Node, "name": "Kid", "parent": ".", "script": Object(ExtResource, "id": "1_a", "type": "Script", "path": "res://kid.gd")), "#;
    for (from, to, error) in [
        (
            kid,
            "",
            "expected a node before this one with the path in parent; move or delete both in one command: \
             parent \"Kid\" of the node \"Grandkid\"",
        ),
        (
            OTHER,
            "]",
            "expected a node with this path; change or delete both in one command: to \"Other\" of a tag [connection]",
        ),
        (
            "\"name\": \"Kid\"",
            "\"name\": \"Child\"",
            "expected a node before this one with the path in parent; move or delete both in one command: \
             parent \"Kid\" of the node \"Grandkid\"",
        ),
        (
            "\"name\": \"Other\"",
            "\"name\": \"Kid\"",
            "expected another name than its siblings have: the node \"Kid\"",
        ),
        (
            OTHER,
            r#", Object(Node, "name": "Other", "parent": "."), Object(Node, "name": "Second root")]"#,
            "expected a parent of each node but the first: the node \"Second root\"",
        ),
        (
            "\"position\": Vector2(1, 2)",
            "\"position\": Object(SubResource, \"id\": \"Gone\")",
            "expected a resource that comes before its first use; add it, or delete what uses it: \
             SubResource(\"Gone\") in position",
        ),
        (
            "\"to\": \"Kid\", ",
            "",
            "the text of this document cannot express no to of [connection]",
        ),
    ] {
        assert_eq!(edited(SCENE, from, to), Err(error.to_owned()), "{to}");
    }
}

/// The attributes of a node, and whether Godot 3 reads them. A script may have variables with all of these names.
const ATTRIBUTES: [(&str, &str, bool); 11] = [
    ("name", r#""Kid""#, true),
    ("parent", r#"".""#, true),
    ("parent_id_path", "PackedInt32Array(3, 4)", false),
    ("owner", r#"".""#, true),
    ("owner_uid_path", "PackedInt32Array(3)", false),
    ("index", r#""0""#, true),
    ("unique_id", "12", false),
    ("node_paths", r#"PackedStringArray("target")"#, false),
    ("groups", r#"["g"]"#, true),
    ("instance_placeholder", r#""res://a.tscn""#, true),
    ("instance", r#""res://b.tscn""#, true),
];

/// Godot 4.6.3 saves such nodes: `groups=["g"]` in the tag, and `groups = Array[String](["own"])` below it.
#[test]
fn a_property_with_the_name_of_an_attribute_has_its_own_name() {
    for (attribute, value, in_godot3) in ATTRIBUTES {
        let least: String = { ATTRIBUTES.iter() }
            .filter(|(name, ..)| *name == attribute || ["name", "parent"].contains(name))
            .map(|(name, value, _)| format!(" {name}={value}"))
            .collect();
        let scene = |tag: &str, entry: &str, more: &str| {
            format!(
                "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n\n[node{tag} type=\"Node\"]\n{entry}\"property/{attribute}\" = 8\n{more}"
            )
        };
        let entry = format!("{attribute} = 7\n");
        let text = scene(&least, &entry, "");
        let all = line(&text);
        let expected = [
            format!("\"{attribute}\": {value}"),
            format!("\"property/{attribute}\": 7"),
            format!("\"property/property/{attribute}\": 8"),
        ];
        for expected in &expected {
            assert_eq!(all.matches(&**expected).count(), 1, "{expected}: {all}");
        }
        let edit = |text: &str, from: &str, to: &str| edited(text, from, to).expect(attribute);
        let [own, property, nested] = expected.map(|name| format!(", {name}"));
        assert_eq!(
            edit(&text, &property, &property.replace('7', "9")),
            scene(&least, &entry.replace('7', "9"), "")
        );
        assert_eq!(
            edit(&text, &nested, &nested.replace('8', "9")),
            text.replace('8', "9")
        );
        let without = scene(&least, "", "");
        assert_eq!(edit(&text, &property, ""), without);
        let added = format!("{nested}{property}");
        assert_eq!(edit(&without, &nested, &added), scene(&least, "", &entry));
        if !["name", "parent"].contains(&attribute) {
            let tag = least.replace(&format!(" {attribute}={value}"), "");
            assert_eq!(edit(&text, &own, ""), scene(&tag, &entry, ""));
        }
        // Godot 3 does not read all attributes, so the others are nothing but properties.
        let old = text
            .replace("format=3", "format=2")
            .replace(&least, " name=\"Kid\" parent=\".\"");
        let old = old.replace("Packed", "Pool");
        assert_eq!(
            line(&old).contains(&format!("\"property/{attribute}\": 7")),
            in_godot3,
            "{attribute}"
        );
    }
}

#[test]
fn a_new_node_has_its_attributes_in_the_tag_wherever_they_are() {
    let new = r#", Object(Timer, "wait_time": 0.5, "groups": ["g"], "name": "New", "property/groups": 3, "parent": "Kid")]"#;
    let text = "\n\n[node name=\"New\" type=\"Timer\" groups=[\"g\"] parent=\"Kid\"]\nwait_time = 0.5\ngroups = 3";
    let changed = edited(
        SCENE,
        OTHER,
        &(OTHER.trim_end_matches(']').to_owned() + new),
    );
    let other = "[node name=\"Other\" type=\"Node\" parent=\".\"]";
    assert_eq!(changed, Ok(SCENE.replace(other, &format!("{other}{text}"))));
}

/// Godot 3.6.2 and 3.2.3 load no file with such an id.
#[test]
fn a_new_resource_of_godot_3_has_a_number() {
    let text = "[gd_resource type=\"Resource\" format=2]\n\n[resource]\na = 1\n";
    let replace = |value: &str| {
        let options = ParseOptions::new(Dialect::GODOT_3)
            .with_objects(Objects::Inert)
            .with_references(true)
            .with_whole(true);
        let contents = format!("Object(Resource,\"a\":1,\"b\":{value})");
        let contents = parse_godot(&contents, &options).expect(value);
        let document = TextDocument::resource(text, None).expect(text);
        let changed = document.replace(&contents.bytes);
        changed.map_err(|error| error.to_string())
    };
    let internal = |id: &str| replace(&format!("Object(Gradient,\"SubResource\":\"{id}\")"));
    let external = |id: &str| {
        let rest = "\"type\":\"Texture\",\"path\":\"res://a.png\"";
        replace(&format!("Object(ExtResource,\"id\":\"{id}\",{rest})"))
    };
    let changed = internal("7").expect("a number");
    assert!(
        changed.contains("[sub_resource type=\"Gradient\" id=7]\n"),
        "{changed}"
    );
    let changed = external("7").expect("a number");
    assert!(
        changed.contains("[ext_resource type=\"Texture\" path=\"res://a.png\" id=7]\n"),
        "{changed}"
    );
    for id in ["Gradient_a", "1_a", "-1", "1.5", "4294967296"] {
        for refused in [internal(id), external(id)] {
            let error = refused.expect_err(id);
            assert!(error.contains("expected a number"), "{id}: {error}");
        }
    }
}

/// A new name changes the name alone: the place among the others and the comments stay.
#[test]
fn a_property_is_renamed_in_its_place() {
    let text = SCENE.replace(
        "position = Vector2(1, 2) ; note\n",
        "; where\nposition = Vector2(1, 2) ; note\n; how\nrotation = 0.5\n\nmetadata/a = 1\nmetadata/b = 1\n; end\n",
    );
    for (old, new) in [
        ("position", "location"),
        ("rotation", "skew"),
        ("metadata/a", "metadata/z"),
        ("metadata/b", "a b"),
    ] {
        let changed = edited(&text, &format!("\"{old}\": "), &format!("\"{new}\": "));
        let name = match new {
            "a b" => "\"a b\"",
            new => new,
        };
        let expected = text.replace(&format!("{old} = "), &format!("{name} = "));
        assert_eq!(changed.expect(new), expected);
    }
    // With a new name for the last of two, the first would count.
    let twice = text.replace("; how\n", "; how\nrotation = 0.25\n");
    let changed = edited(&twice, "\"rotation\": 0.5", "\"skew\": 0.5").expect("a name");
    assert!(!changed.contains("rotation") && changed.contains("skew = 0.5\n"));
    for (resource, old, new) in [
        (
            "[gd_resource type=\"Theme\" format=3]\n\n[resource]\n; a\na = 1\n; b\nb = 2\n",
            "a",
            "c",
        ),
        (
            "[gd_resource type=\"Theme\" format=3]\n\n[sub_resource type=\"Curve\" id=\"1\"]\n; a\na = 1\n; b\nb = 2\n\n[resource]\nx = SubResource(\"1\")\n",
            "a",
            "c",
        ),
    ] {
        let changed = edited(resource, &format!("\"{old}\": 1"), &format!("\"{new}\": 1"));
        let expected = resource.replace(&format!("\n{old} ="), &format!("\n{new} ="));
        assert_eq!(changed.expect(resource), expected);
    }
}

/// `gdvar check` calls such a scene bad, in the words of the error.
#[test]
fn an_edit_does_not_make_a_scene_that_no_engine_loads() {
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n[node name=\"Root\" instance=ExtResource(\"1\")]\n";
    let error = edited(scene, "\"instance\": ", "\"zz\": ").expect_err("no type");
    assert_eq!(
        error,
        "expected a document that an engine loads: expected the attribute type or instance of the first node, found neither"
    );
    // A scene that does not load can be mended step by step.
    let broken = scene.replace(" instance=ExtResource(\"1\")", "");
    let changed = edited(&broken, "\"name\": \"Root\"", "\"name\": \"Top\"").expect("a name");
    assert_eq!(changed, broken.replace("Root", "Top"));
}
