//! Documents for the other engine. What Godot 4.6.3 reads of converted files: `crates/cli/tests/convert_texts.rs`.

use gdvar_document::{ConvertTextError, ConvertedText, TextChangeKind, TextDocument};
use gdvar_view::Dialect;
use serde_json::Value;

fn config(text: &str, from: Dialect, to: Dialect) -> Result<ConvertedText, ConvertTextError> {
    let document = TextDocument::config_file(text, Some(from)).expect(text);
    document.for_engine(to)
}

fn to_4(text: &str) -> ConvertedText {
    let document = TextDocument::recognize(text, Some(Dialect::GODOT_3)).expect(text);
    let converted = document.expect("a document").for_engine(Dialect::GODOT_4);
    let converted = converted.expect(text);
    // What is for Godot 4 already stays.
    let again = TextDocument::recognize(&converted.text, Some(Dialect::GODOT_4)).expect(text);
    let again = again.expect("a document").for_engine(Dialect::GODOT_4);
    assert_eq!(again.expect(text).text, converted.text);
    converted
}

#[test]
fn only_what_godot_4_writes_in_another_way_changes() {
    let text = "; top\r\n[ a ]\r\n\r\nx = PoolIntArray( 1, 2 ) ; Quat( here )\r\n\
        s=\"Transform( \"\r\nlist=[ Quat( 0, 0, 0, 1 ), ; inner\r\n {\"Quat(\": Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9 ) } ]\r\n\
        c=#ff8000\r\nv=Vector2( 1, 2 )\r\nold=\"caf\\u00e9\"\r\n";
    let converted = to_4(text);
    let expected = text
        .replace("PoolIntArray( 1", "PackedInt32Array( 1")
        .replace("[ Quat", "[ Quaternion")
        .replace(": Transform(", ": Transform3D(")
        .replace("caf\\u00e9", "café");
    assert_eq!(converted.text, expected);
    assert!(converted.changes.is_empty(), "{:?}", converted.changes);
}

#[test]
fn a_scene_gets_ids_metadata_and_the_format() {
    let text = "[gd_scene load_steps=3 format=2]\n\n[ext_resource path=\"res://a.tres\" type=\"Gradient\" id=1]\n\n\
        [sub_resource type=\"SpatialMaterial\" id=2]\nalbedo_color = Color( 1, 0, 0, 1 )\n\n\
        [node name=\"Root\" type=\"Spatial\" groups=[\n\"a\",\n]]\nmesh = ExtResource( 1 )\nlist = [ SubResource( 2 ), null ]\n\
        __meta__ = {\n\"_edit_lock_\": true,\n\"held\": [ SubResource( 2 ) ],\n\"two words\": 1\n}\n\n\
        [node name=\"Old\" type=\"FuncRef\" parent=\".\"]\n; the end\n";
    let converted = to_4(text);
    assert_eq!(
        converted.text,
        "[gd_scene load_steps=3 format=3]\n\n[ext_resource path=\"res://a.tres\" type=\"Gradient\" id=\"1\"]\n\n\
        [sub_resource type=\"SpatialMaterial\" id=\"2\"]\nalbedo_color = Color( 1, 0, 0, 1 )\n\n\
        [node name=\"Root\" type=\"Spatial\" groups=[\n\"a\",\n]]\nmesh = ExtResource( \"1\" )\nlist = [ SubResource( \"2\" ), null ]\n\
        metadata/_edit_lock_ = true\nmetadata/held = [SubResource(\"2\")]\n\n\
        [node name=\"Old\" type=\"FuncRef\" parent=\".\"]\n; the end\n"
    );
    let told: Vec<_> = { converted.changes.iter() }
        .map(|change| {
            (
                change.kind.name(),
                change.count,
                change.line,
                change.kind.is_lost(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("ClassRenamed", 1, 5, false),
            ("PropertyNames", 3, 6, false),
            ("ClassRenamed", 1, 8, false),
            ("MetadataName", 1, 13, true),
            ("Metadata", 1, 13, false),
            ("ClassMissing", 1, 19, true),
        ]
    );
    let renamed = &converted.changes[2].kind;
    let expected = TextChangeKind::ClassRenamed {
        old: "Spatial".to_owned(),
        new: "Node3D",
    };
    assert_eq!(*renamed, expected);
}

#[test]
fn what_godot_3_lacks_becomes_the_nearest_thing() {
    let text = "[a]\nx=Vector2i(1, 2) ; keep\nn=&\"name\"\np=PackedByteArray(\"AQI=\")\nq=Quaternion(0, 0, 0, 1)\n\
        o=Object(Gradient,\"offsets\":PackedFloat32Array(0, 1),\"script\":Resource(\"res://a.gd\"))\n";
    let converted = config(text, Dialect::GODOT_4, Dialect::GODOT_3).expect("a text");
    let expected = text
        .replace("Vector2i(1, 2)", "Vector2( 1, 2 )")
        .replace("&\"name\"", "\"name\"")
        .replace("PackedByteArray(\"AQI=\")", "PoolByteArray( 1, 2 )")
        .replace("Quaternion", "Quat")
        .replace("PackedFloat32Array", "PoolRealArray");
    assert_eq!(converted.text, expected);
    let kinds: Vec<_> = { converted.changes.iter() }
        .map(|change| (change.kind.to_string(), change.line))
        .collect();
    let object =
        "object of class Gradient, whose properties keep the names of the other engine".to_owned();
    assert_eq!(
        kinds,
        [
            ("Vector2i became Vector2".to_owned(), 2),
            ("StringName became String".to_owned(), 3),
            (object, 6),
        ]
    );
}

/// Godot 3.6.2 refuses a whole ConfigFile with `RID()` in it, and writes nothing where one is.
#[test]
fn an_rid_becomes_null_and_is_told() {
    let text = "[a]\n\nb=1\nr=[RID(), RID(7)]\n";
    let converted = config(text, Dialect::GODOT_4, Dialect::GODOT_3).expect("a text");
    assert_eq!(converted.text, "[a]\n\nb=1\nr=[ null, null ]\n");
    let [change] = &converted.changes[..] else {
        panic!("{:?}", converted.changes);
    };
    assert_eq!((change.count, change.line, &*change.name), (2, 4, "r"));
    assert_eq!(change.kind.to_string(), "RID became null");
}

#[test]
fn what_cannot_be_converted_says_why() {
    let four = Dialect::GODOT_4;
    let three = Dialect::GODOT_3;
    let project = config("config_version=4\n\n[a]\n\nb=1\n", three, four);
    assert_eq!(project, Err(ConvertTextError::Project));
    let bracket = config("[x\\]y]\n\nb=1\n", four, three).expect_err("a name");
    assert!(bracket.to_string().contains("x]y"), "{bracket}");
    let fork = config("[a]\n\nb=1\n", three, Dialect::PANDEMONIUM_4);
    assert_eq!(
        fork,
        Err(ConvertTextError::Engines(three, Dialect::PANDEMONIUM_4))
    );
    let scene = TextDocument::resource("[gd_scene format=3]\n", None).expect("a scene");
    assert_eq!(scene.for_engine(three), Err(ConvertTextError::ForwardOnly));
}

/// 3.2.3, 3.6.2 and 4.6.3 loaded these texts. `same` is the value that the other engine had before.
#[test]
fn every_release_loads_what_was_converted_for_it() {
    let lines = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/converted/values_of_configs.jsonl"
    );
    let lines = std::fs::read_to_string(lines).expect("the verdicts");
    let (mut same, mut other) = (0, 0);
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).expect(line);
        let (from, to) = match row["of"].as_i64() {
            Some(4) => (Dialect::GODOT_4, Dialect::GODOT_3),
            _ => (Dialect::GODOT_3, Dialect::GODOT_4),
        };
        let file = |part: &str| {
            let value = row[part].as_str().expect(line);
            format!("[a]\n\nw=1\nx={value}\ny=2\n")
        };
        let converted = config(&file("value"), from, to).expect(line);
        assert_eq!(converted.text, file("text"), "{line}");
        let loads = row["loads"].as_object().expect(line);
        if loads.values().all(|verdict| verdict == "same") {
            same += 1;
            continue;
        }
        other += 1;
        // 3.6.2 reads this one as 0 and a name that begins with `inf`. It is what 3.2.3 writes for -INF, nearly.
        if row["value"] != "-inf" {
            let mut changes = converted.changes.iter();
            assert!(changes.any(|change| change.kind.is_lost()), "{line}");
        }
    }
    assert_eq!((same, other), (421, 21));
}

#[test]
fn a_nan_that_only_some_releases_read_is_told() {
    let text = "[a]\n\nx=nan\ny=[Vector2(nan, 1), Vector2(inf, 1)]\n";
    let converted = config(text, Dialect::GODOT_4, Dialect::GODOT_3).expect("a text");
    let expected = "[a]\n\nx=nan\ny=[ Vector2( nan, 1 ), Vector2(1e999, 1) ]\n";
    assert_eq!(converted.text, expected);
    let [change] = &converted.changes[..] else {
        panic!("{:?}", converted.changes);
    };
    assert_eq!((change.count, change.line, &*change.name), (1, 4, "y"));
    assert_eq!(
        change.kind.to_string(),
        "Vector2 with nan, for which Godot 3.2 refuses the whole file; Godot 3.6 reads it"
    );
}
