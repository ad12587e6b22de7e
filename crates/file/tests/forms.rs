//! Resources and scenes that engines made, as text and as binary files: each value is the one that the engine says it is,
//! and each file becomes its other form, which an engine loads with the same values.
//!
//! `testdata/oracle/forms4.gd` and `forms3.gd` made the files and `values.jsonl`, and describe it. The stored ones are a
//! part; `scripts/test-engines` lets the engines make all of them. An engine that is missing is skipped.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use gdvar_conformance::vectors::testdata;
use gdvar_file::{
    Hints, LayerKind,
    forms::{FormLoss, OtherForm, to_binary, to_text},
    layers::Form,
    peel,
};
use gdvar_text::Godot;
use gdvar_view::{Dialect, Document, Event, Limits, Objects, ReadOptions, VariantRef};
use gdvar_write::Writer;

/// What an engine says of a file: the text of each path.
type Told = BTreeMap<String, String>;

fn told(folder: &Path) -> BTreeMap<String, Told> {
    let lines = fs::read_to_string(folder.join("values.jsonl")).expect("a file");
    let mut all: BTreeMap<String, Told> = BTreeMap::new();
    for line in lines.lines() {
        let (file, path, text): (String, String, String) =
            serde_json::from_str(line).expect("a line");
        all.entry(file).or_default().insert(path, text);
    }
    all
}

/// A resource or scene without its layer.
struct Opened {
    layer: LayerKind,
    dialect: Dialect,
    contents: Vec<u8>,
}

impl Opened {
    fn new(file: &[u8]) -> Opened {
        let peeled = peel(file, &Hints::new()).expect("a resource");
        let contents = peeled.contents(file).to_vec();
        // Nothing is changed by writing it again.
        assert!(peeled.wrap(contents.clone(), None).expect("a file") == file);
        let layer = peeled.layers.into_iter().next().expect("a layer").kind;
        let dialect = match &layer {
            LayerKind::Resource(resource) => resource.dialect,
            LayerKind::Document(file) => file.dialect,
            _ => panic!("neither a resource nor a scene"),
        };
        Opened {
            layer,
            dialect,
            contents,
        }
    }

    fn root(&self) -> VariantRef<'_> {
        let options = ReadOptions::new(self.dialect)
            .with_objects(Objects::Inert)
            .with_limits(Limits::ENGINE);
        let document = Document::with_options(&self.contents, options);
        assert_eq!(document.validate().expect("a value"), self.contents.len());
        document.root().expect("a value")
    }

    fn other_form(&self) -> OtherForm {
        let made = match &self.layer {
            LayerKind::Resource(resource) => to_text(resource, &self.contents),
            LayerKind::Document(file) => to_binary(file, self.contents.clone()),
            _ => panic!("neither a resource nor a scene"),
        };
        made.unwrap_or_else(|error| panic!("{error}"))
    }

    fn is_scene_text(&self) -> bool {
        matches!(&self.layer, LayerKind::Document(file) if file.form == Form::Scene)
    }
}

fn class(value: VariantRef<'_>) -> Option<String> {
    let class = value.as_object()?.class()?;
    Some(class.to_str().expect("UTF-8").to_owned())
}

fn property<'a>(object: VariantRef<'a>, name: &str) -> Option<VariantRef<'a>> {
    let mut properties = object.as_object()?.iter().map(|pair| pair.expect("whole"));
    Some(properties.find(|(key, _)| *key == *name)?.1)
}

fn text_of(object: VariantRef<'_>, name: &str) -> Option<String> {
    Some(property(object, name)?.as_str()?.to_owned())
}

/// The paths of resources in other files by the ids that a text gives them.
fn paths(root: VariantRef<'_>) -> HashMap<String, String> {
    let mut paths = HashMap::new();
    let mut events = root.events();
    while let Some(event) = events.try_next().expect("a value") {
        let Event::Begin(value) = event else { continue };
        if let (Some(id), Some(path)) = (text_of(value, "id"), text_of(value, "path")) {
            paths.insert(id, path);
        }
    }
    paths
}

struct Walk<'t> {
    paths: HashMap<String, String>,
    /// The file that tells the values.
    name: &'t str,
    told: &'t Told,
    /// Both engines read an RID of a binary file as a number.
    is_binary: bool,
    /// The paths that were met.
    met: Vec<String>,
}

impl Walk<'_> {
    /// The text of a value as `show` of the scripts writes it.
    fn show(&self, value: VariantRef<'_>) -> String {
        if let Some(class) = class(value) {
            if class == "ExtResource" {
                let path = text_of(value, "path");
                let path = path.or_else(|| self.paths.get(&text_of(value, "id")?).cloned());
                return format!("ExtResource {}", path.expect("a path"));
            }
            return "Object".to_owned();
        }
        if let Some(array) = value.as_array() {
            let all: Vec<_> = { array.iter() }
                .map(|one| self.show(one.expect("whole")))
                .collect();
            return format!("[{}]", all.join(", "));
        }
        if let Some(dict) = value.as_dict() {
            let pairs = dict.iter().map(|pair| pair.expect("whole"));
            let pairs: Vec<_> = pairs
                .map(|(key, value)| format!("{}: {}", self.show(key), self.show(value)))
                .collect();
            return format!("{{{}}}", pairs.join(", "));
        }
        match Godot::new(value).to_string() {
            rid if rid == "RID()" && self.is_binary => "0".to_owned(),
            text => text,
        }
    }

    fn check(&mut self, path: &str, own: &str) {
        let told = self.told.get(path).expect(path);
        assert!(is_same(told, own), "{} {path}: {own} is {told}", self.name);
        self.met.push(path.to_owned());
    }

    /// Holds a value to what the engine says, and everything in it.
    fn value(&mut self, path: &str, value: VariantRef<'_>) {
        let own = self.show(value);
        self.check(path, &own);
        self.inside(path, value);
    }

    /// Holds what is in a value to what the engine says.
    fn inside(&mut self, path: &str, value: VariantRef<'_>) {
        if let Some(name) = class(value) {
            if name == "ExtResource" || name == "SubResource" {
                return;
            }
            self.check(&format!("{path}/"), &name);
            for pair in value.as_object().expect("an object").iter() {
                let (name, value) = pair.expect("whole");
                let name = name.to_str().expect("UTF-8");
                // The id, and resources that nothing mentions.
                if name.starts_with("SubResource") || name.starts_with("ExtResource") {
                    continue;
                }
                self.value(&format!("{path}/{name}"), value);
            }
        } else if let Some(array) = value.as_array() {
            for (number, value) in array.iter().enumerate() {
                self.inside(&format!("{path}/{number}"), value.expect("whole"));
            }
        } else if let Some(dict) = value.as_dict() {
            for (number, pair) in dict.iter().enumerate() {
                let (key, value) = pair.expect("whole");
                self.inside(&format!("{path}/k{number}"), key);
                self.inside(&format!("{path}/{number}"), value);
            }
        }
    }

    /// Holds the nodes of a scene to what the engine says.
    fn scene(&mut self, root: VariantRef<'_>) {
        let nodes = root.as_dict().and_then(|dict| dict.get("nodes").ok()?);
        let nodes = nodes.and_then(VariantRef::as_array).expect("nodes");
        for (number, node) in nodes.iter().enumerate() {
            let node = node.expect("whole");
            let at = format!("nodes/{number}");
            let name = text_of(node, "name").expect("a name");
            self.check(&format!("{at}/name"), &name);
            for pair in node.as_object().expect("a node").iter() {
                let (name, value) = pair.expect("whole");
                let path = format!("{at}/={}", name.to_str().expect("UTF-8"));
                // The others are attributes.
                if self.told.contains_key(&path) {
                    self.value(&path, value);
                }
            }
        }
    }
}

/// Holds all values of a file to what the engine says of the file of this name. Returns their number.
fn hold(opened: &Opened, name: &str, told: &Told) -> usize {
    let root = opened.root();
    let mut walk = Walk {
        paths: paths(root),
        name,
        told,
        is_binary: is_binary(name),
        met: Vec::new(),
    };
    if opened.is_scene_text() {
        walk.scene(root);
    } else {
        walk.inside("", root);
    }
    // Metadata and properties of nodes have no default, so all of them are in the file.
    let is_stored = |path: &str| {
        let mut from_end = path.rsplit('/');
        let last = from_end.next().unwrap_or_default();
        last == "__meta__" || last.starts_with('=') || from_end.next() == Some("metadata")
    };
    let mut missing = told.keys().filter(|path| is_stored(path));
    let missing = missing.find(|path| !walk.met.contains(path));
    assert_eq!(missing, None);
    walk.met.len()
}

fn is_binary(name: &str) -> bool {
    name.ends_with(".res") || name.ends_with(".scn")
}

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

/// Reads and converts each file of a folder. Returns the files in their other forms, and the number of values.
fn convert(folder: &Path) -> (BTreeMap<String, Vec<u8>>, usize) {
    let (mut made, mut values) = (BTreeMap::new(), 0);
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
        // A scene is held to the engine as text.
        values += match name.ends_with(".scn") {
            true => hold(&again, &name, &told),
            false => hold(&opened, &name, &told),
        };
        let back = again.other_form();
        if name.ends_with(".res") {
            assert!(
                Opened::new(&back.file).contents == opened.contents,
                "{name}"
            );
        }
        made.insert(other_name(&name), other.file);
    }
    (made, values)
}

#[test]
fn stored_files_hold_what_the_engine_says() {
    for engine in ["godot4", "godot3"] {
        let (files, values) = convert(&testdata("forms").join(engine));
        assert!(
            files.len() >= 20 && values >= 150,
            "{} {values}",
            files.len()
        );
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

/// Returns `true` if an engine said the same of the text and of the binary form. Different are only:
///
/// * An RID of a text is one, but both engines read an RID of a binary file as a number.
/// * Engines read the digits of a float in a text less exactly than they write them: the last digit may differ.
fn is_same(text: &str, other: &str) -> bool {
    let (text, other) = (text.replace("RID()", "0"), other.replace("RID()", "0"));
    let is_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-');
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c| !is_number(c));
        words.map(str::to_owned).collect()
    };
    let (all, others) = (words(&text), words(&other));
    text == other
        || all.len() == others.len()
            && text.replace(is_number, "") == other.replace(is_number, "")
            && { all.iter().zip(&others) }
                .all(|(word, other)| word == other || is_near(word, other))
}

/// Returns `true` for two texts of floats that differ in the last digit. A text may have the digits of 32 bits.
fn is_near(text: &str, other: &str) -> bool {
    let values = |text: &str| -> Vec<f64> {
        let narrow = text.parse::<f32>().map(f64::from);
        { text.parse().into_iter().chain(narrow) }.collect()
    };
    let others = values(other);
    let near = |value: f64| { others.iter() }.any(|other| ((value - other) / value).abs() < 1e-15);
    text.contains('.') && values(text).into_iter().any(near)
}

fn judge(engine: &str, script: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let first = folder.path().join("first");
    let Some(()) = run_engine(engine, script, &first, &[]) else {
        return;
    };
    let (files, values) = convert(&first);
    let second = folder.path().join("second");
    fs::create_dir(&second).expect("a folder");
    let mut paths = Vec::new();
    let mut put = |name: &str, file: &[u8]| {
        let path = second.join(format!("{name}.form"));
        fs::write(&path, file).expect("space");
        paths.push(path);
    };
    // Those that the others mention.
    for name in ["forms_ext.tres", "forms_part.tscn"] {
        put(name, &fs::read(first.join(name)).expect("a file"));
    }
    for (name, file) in &files {
        put(name, file);
    }
    let out = folder.path().join("third");
    run_engine(engine, script, &out, &paths).expect("an engine");
    let (before, after) = (told(&first), told(&out));
    let mut lines = 0;
    let mut differ = Vec::new();
    for (name, told) in &before {
        let again = &after[&other_name(name)];
        lines += told.len();
        assert_ne!(
            told.get("").map(String::as_str),
            Some("not loaded"),
            "{name}"
        );
        let differs = |path: &str, text: &str| {
            let is = again.get(path).map_or("nothing", String::as_str);
            // A path from the root of a scene begins with ./ where the engine did not read it from a text.
            match path.starts_with("connections/") {
                true => !is_same(&text.replace("./", ""), &is.replace("./", "")),
                false => !is_same(text, is),
            }
        };
        let other = told.iter().find(|(path, text)| differs(path, text));
        let more = again.keys().find(|path| !told.contains_key(*path));
        if other.is_some() || more.is_some() {
            let is = other.and_then(|(path, _)| again.get(path));
            differ.push(format!("{name}: {other:?} is {is:?}, more: {more:?}"));
        }
    }
    println!(
        "Godot {engine}: {} files, {values} values read, {lines} lines of the other forms: {} files differ",
        before.len(),
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
