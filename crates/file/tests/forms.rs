//! Resources and scenes that engines made, as text and as binary files: each value is the one that the engine says it is,
//! and each file becomes its other form, which an engine loads with the same values.
//!
//! `testdata/oracle/forms4.gd` and `forms3.gd` made the files and `values.jsonl`, and describe it. The stored ones are a
//! part; `scripts/test-engines` lets the engines make all of them. An engine that is missing is skipped.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use gdvar_conformance::vectors::testdata;
use gdvar_file::{
    Hints, LayerKind,
    forms::{FormError, FormLoss, to_text},
    peel,
};
use gdvar_view::Dialect;
use gdvar_write::Writer;
use held::{Opened, Told, hold, is_binary, is_same, property, told};

#[path = "forms/edits.rs"]
mod edits;
#[path = "forms/grammar.rs"]
mod grammar;
#[path = "forms/held.rs"]
mod held;

fn other_name(name: &str) -> String {
    let (stem, end) = name.rsplit_once('.').expect("an ending");
    let end = match end {
        "res" => "tres",
        "tres" => "res",
        "scn" => "tscn",
        "tscn" => "scn",
        _ => panic!("{name}"),
    };
    format!("{stem}.{end}")
}

/// What the files of a folder became.
#[derive(Default)]
struct Converted {
    /// The files in their other form.
    others: BTreeMap<String, Vec<u8>>,
    /// The binary files that became texts, and binary files again.
    back: BTreeMap<String, Vec<u8>>,
    /// The number of values that were read.
    values: usize,
}

/// Reads and converts each file of a folder.
fn convert(folder: &Path) -> Converted {
    let mut converted = Converted::default();
    for (name, told) in told(folder) {
        let file = fs::read(folder.join(&name)).expect("a file");
        let opened = Opened::new(&file);
        let other = opened.other_form();
        let again = Opened::new(&other.file);
        // An engine's own binary files do not have them either.
        for loss in &other.losses {
            let is_known = matches!(
                loss,
                FormLoss::Types(_) | FormLoss::ExternalIds(_) | FormLoss::Rids(_)
            );
            assert!(is_known, "{name}: {loss}");
        }
        // A scene is compared with the engine in its text form.
        let held = match name.ends_with(".scn") {
            true => hold(&again, &name, &told),
            false => hold(&opened, &name, &told),
        };
        converted.values += held.unwrap_or_else(|error| panic!("{error}"));
        let back = again.other_form();
        if name.ends_with(".res") {
            assert!(
                Opened::new(&back.file).contents == opened.contents,
                "{name}"
            );
        }
        converted.others.insert(other_name(&name), other.file);
        if is_binary(&name) {
            converted.back.insert(name, back.file);
        }
    }
    converted
}

#[test]
fn stored_files_hold_what_the_engine_says() {
    for engine in ["godot4", "godot3"] {
        let converted = convert(&testdata("forms").join(engine));
        let (files, values) = (converted.others.len(), converted.values);
        assert!(files >= 20 && values >= 150, "{files} {values}");
    }
}

/// A binary file of 4.6.3 has a null script in each resource, and a text has none: as many scripts are in our text as in
/// the engine's text of the same resource.
#[test]
fn a_text_has_no_null_script() {
    let folder = testdata("forms/godot4");
    let scripts = |text: &str| text.matches("\nscript = ").count();
    let mut files = 0;
    for name in told(&folder).keys().filter(|name| is_binary(name)) {
        let opened = Opened::new(&fs::read(folder.join(name)).expect("a file"));
        let text = String::from_utf8(opened.other_form().file).expect("UTF-8");
        let own = fs::read_to_string(folder.join(other_name(name))).expect("a text");
        assert_eq!(scripts(&text), scripts(&own), "{name}");
        assert!(!text.contains("\nscript = null"), "{name}");
        files += 1;
    }
    assert!(files >= 10, "{files}");
}

/// 3.6.2 and 3.2.3 read the number 0 from an RID of a binary file, and from `RID( 7 )` in a text the number 7.
#[test]
fn an_rid_of_godot_3_is_a_number() {
    let mut rids = 0;
    for entry in fs::read_dir(testdata("resources/godot3")).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|end| end != "res") {
            continue;
        }
        let other = Opened::new(&fs::read(&path).expect("a file")).other_form();
        let has_one = { other.losses.iter() }.any(|loss| matches!(loss, FormLoss::Rids(_)));
        rids += u32::from(has_one);
        if path.ends_with("all.res") {
            let text = String::from_utf8(other.file).expect("UTF-8");
            assert!(has_one && text.contains("\n\"rid\": 0"), "{text}");
        }
    }
    assert_eq!(rids, 7);
    let text = "[gd_resource type=\"Resource\" format=2]\n\n[resource]\na = RID( 7 )\n";
    let opened = Opened::new(text.as_bytes());
    let value = property(opened.root(), "a").expect("a property");
    assert_eq!(value.as_i64(), Some(7));
}

/// A scene of 150 kB whose text would be 2 GB long: each of 20 000 properties mentions the same value.
#[test]
fn a_small_scene_makes_no_endless_text() {
    let value = "x".repeat(100_000);
    let properties: Vec<i32> = (0..20_000).flat_map(|_| [1, 0]).collect();
    let nodes = [&[-1, -1, 0, 0, -1, 20_000][..], &properties, &[0]].concat();
    let mut writer = Writer::new(Vec::new(), Dialect::GODOT_4);
    let mut write = || {
        writer.begin_object("PackedScene", 1)?;
        writer.property("_bundled")?;
        writer.begin_dict(4)?;
        writer.string("names")?;
        writer.packed_strings(["Node", "a"])?;
        writer.string("variants")?;
        writer.begin_array(1)?;
        writer.string(&value)?;
        writer.end()?;
        writer.string("nodes")?;
        writer.packed_i32(&nodes)?;
        writer.string("conns")?;
        writer.packed_i32(&[])?;
        writer.end()?;
        writer.end()
    };
    let written: Result<(), gdvar_write::Error<std::convert::Infallible>> = write();
    written.expect("a scene");
    let scene = writer.finish().expect("a scene");
    let created = gdvar_resource::Resource::create(
        &scene,
        Dialect::GODOT_4,
        None,
        None,
        gdvar_resource::Limits::FILE,
    );
    let opened = Opened::new(&created.expect("a file").file);
    let LayerKind::Resource(resource) = &opened.layer else {
        panic!("a resource");
    };
    let error = to_text(resource, &opened.contents).expect_err("a text of 2 GB");
    assert!(error.to_string().contains("256 MiB"), "{error}");
}

fn oracle() -> PathBuf {
    testdata("oracle")
}

/// Runs a script in an engine; `None` if there is none.
fn run_engine(engine: &str, script: &str, out: &Path, files: &[PathBuf]) -> Option<()> {
    let files = files.iter().map(|file| format!("@{}", file.display()));
    let output = Command::new(oracle().join("run-engine.sh"))
        .args([engine, script])
        .arg(out)
        .args(files)
        .output()
        .expect("run-engine.sh runs");
    if output.status.code() == Some(77) {
        println!("SKIPPED: no Godot {engine}");
        return None;
    }
    Some(())
}

/// Returns `true` if an engine said the same of a path of two files.
fn is_same_line(path: &str, text: &str, is: &str) -> bool {
    // A path from the root of a scene begins with ./ where the engine did not read it from a text.
    match path.starts_with("connections/") {
        true => is_same(&text.replace("./", ""), &is.replace("./", "")),
        false => is_same(text, is),
    }
}

/// The first difference between what an engine says of two files, if there is one.
fn difference(told: &Told, again: &Told) -> Option<String> {
    let differs = |path: &str, text: &str| {
        let is = again.get(path).map_or("nothing", String::as_str);
        !is_same_line(path, text, is)
    };
    let other = told.iter().find(|(path, text)| differs(path, text));
    let more = again.keys().find(|path| !told.contains_key(*path));
    let is = other.and_then(|(path, _)| again.get(path));
    (other.is_some() || more.is_some()).then(|| format!("{other:?} is {is:?}, more: {more:?}"))
}

fn judge(engine: &str, script: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let first = folder.path().join("first");
    let Some(()) = run_engine(engine, script, &first, &[]) else {
        return;
    };
    let converted = convert(&first);
    let second = folder.path().join("second");
    fs::create_dir(&second).expect("a folder");
    let mut paths = Vec::new();
    let mut put = |name: &str, file: &[u8]| {
        let path = second.join(format!("{name}.form"));
        fs::write(&path, file).expect("space");
        paths.push(path);
    };
    // The files that the others refer to.
    for name in ["forms_ext.tres", "forms_part.tscn"] {
        put(name, &fs::read(first.join(name)).expect("a file"));
    }
    for (name, file) in &converted.others {
        put(name, file);
    }
    for (name, file) in &converted.back {
        put(&format!("back_{name}"), file);
    }
    let out = folder.path().join("third");
    run_engine(engine, script, &out, &paths).expect("an engine");
    let (before, after) = (told(&first), told(&out));
    let mut lines = 0;
    let mut differ = Vec::new();
    for (name, told) in &before {
        lines += told.len();
        assert_ne!(
            told.get("").map(String::as_str),
            Some("not loaded"),
            "{name}"
        );
        let others = [other_name(name), format!("back_{name}")];
        for other in others.iter().filter(|name| after.contains_key(*name)) {
            if let Some(difference) = difference(told, &after[other]) {
                differ.push(format!("{other}: {difference}"));
            }
        }
    }
    assert_eq!(after.len(), before.len() + converted.back.len());
    println!(
        "Godot {engine}: {} files, {} values read, {lines} lines of the other forms, {} binary files through text and back: {} files differ",
        before.len(),
        converted.values,
        converted.back.len(),
        differ.len()
    );
    assert!(before.len() >= 200 && differ.is_empty(), "{differ:#?}");
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_4_loads_the_other_form() {
    judge("4", "forms4.gd");
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_3_6_loads_the_other_form() {
    judge("3.6", "forms3.gd");
}

#[test]
#[ignore = "needs an engine; scripts/test-engines runs it"]
fn godot_3_2_loads_the_other_form() {
    judge("3", "forms3.gd");
}

/// 4.6.3 loads the file, with one of two references as null, and no text with both.
#[test]
fn a_circle_of_resources_becomes_no_text() {
    let file = fs::read(testdata("forms/cycle.res")).expect("a file");
    let peeled = peel(&file, &Hints::new()).expect("read");
    let layer = peeled.layers.last().expect("a layer");
    let LayerKind::Resource(resource) = &layer.kind else {
        panic!("a resource")
    };
    let error = to_text(resource, peeled.contents(&file)).expect_err("no text");
    assert!(matches!(error, FormError::NotLoaded(_)), "{error}");
}
