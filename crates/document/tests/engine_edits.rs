//! A thousand random edits of ConfigFiles, which real engines load. `scripts/test-engines` runs this; an
//! engine that is missing is skipped.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use gdvar_document::TextDocument;
use gdvar_text::{ParseOptions, parse_godot, write_exact};
use gdvar_view::{Dialect, Document, Objects};

const EDITS: usize = 1000;

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Sections, and in each the names with their encoded values.
type Contents = BTreeMap<String, BTreeMap<String, Vec<u8>>>;

fn contents(bytes: &[u8], dialect: Dialect) -> Contents {
    let document = Document::new(bytes, dialect).with_objects(Objects::Inert);
    let root = document
        .root()
        .expect("a value")
        .as_dict()
        .expect("a Dictionary");
    let text = |key: gdvar_view::VariantRef<'_>| key.as_str().expect("a String").to_owned();
    root.iter()
        .map(|pair| {
            let (name, section) = pair.expect("a section");
            let entries = section.as_dict().expect("a Dictionary").iter().map(|pair| {
                let (key, value) = pair.expect("an entry");
                (text(key), value.raw().expect("a value").to_vec())
            });
            (text(name), entries.collect())
        })
        .collect()
}

fn encode(contents: &Contents, dialect: Dialect) -> Vec<u8> {
    let mut out = gdvar_text::Builder::new(dialect);
    let at = out
        .begin(|writer| writer.begin_dict(0))
        .expect("a Dictionary");
    for (name, section) in contents {
        out.text(gdvar_view::Kind::String, name.as_bytes())
            .expect("a name");
        let at = out
            .begin(|writer| writer.begin_dict(0))
            .expect("a Dictionary");
        for (key, value) in section {
            out.text(gdvar_view::Kind::String, key.as_bytes())
                .expect("a name");
            out.bytes.extend_from_slice(value);
        }
        out.set_count(at, section.len()).expect("a count");
    }
    out.set_count(at, contents.len()).expect("a count");
    out.bytes
}

/// The values as text, because Godot 3 leaves any bytes in the padding of byte arrays.
fn exact(contents: &Contents, dialect: Dialect) -> String {
    let mut text = String::new();
    for (name, section) in contents {
        for (key, value) in section {
            text += &format!("{name:?} {key:?} ");
            let document = Document::new(value, dialect).with_objects(Objects::Inert);
            write_exact(&mut text, document.root().expect("a value")).expect("a value");
            text.push('\n');
        }
    }
    text
}

/// Changes contents at random: values, names, new and missing entries and sections.
fn edit(contents: &mut Contents, random: &mut Random, values: &[Vec<u8>]) {
    const NAMES: [&str; 8] = [
        "new",
        "a b",
        "q\"x",
        "é",
        "x=y",
        "z;",
        "deep/er.name",
        "[0]",
    ];
    let value = values[random.below(values.len())].clone();
    let sections: Vec<String> = contents.keys().cloned().collect();
    let section = sections[random.below(sections.len())].clone();
    let entries = contents.get_mut(&section).expect("a section");
    let keys: Vec<String> = entries.keys().cloned().collect();
    let key = keys.get(random.below(keys.len().max(1))).cloned();
    let name = format!("{}{}", NAMES[random.below(NAMES.len())], random.below(100));
    match (random.below(10), key) {
        (0..=4, Some(key)) => {
            entries.insert(key, value);
        }
        (5..=6, Some(key)) => {
            entries.remove(&key);
        }
        (7, Some(key)) => {
            let old = entries.remove(&key).expect("an entry");
            entries.insert(name, old);
        }
        (8, _) => {
            contents.insert(
                name.replace(['[', ']'], "_"),
                BTreeMap::from([("k".to_owned(), value)]),
            );
        }
        _ => {
            entries.insert(name, value);
        }
    }
    contents.retain(|_, entries| !entries.is_empty());
}

/// At most a few lines are gone.
fn assert_all_other_lines_stay(old: &str, new: &str, n: usize) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    new.lines()
        .for_each(|line| *counts.entry(line).or_default() += 1);
    let gone = old.lines().filter(|line| match counts.get_mut(line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    let gone: Vec<&str> = gone.collect();
    assert!(gone.len() <= 16, "{n}: {gone:?}");
}

/// Edits files, lets the engine load all of them, and compares what it loaded.
fn judged_by(engine: &str, folder: &str, files: &[&str], dialect: Dialect, values: &[&str]) {
    let options = ParseOptions::new(dialect);
    let values: Vec<Vec<u8>> = values
        .iter()
        .map(|text| parse_godot(text, &options).expect(text).bytes)
        .collect();
    let texts: Vec<String> = files
        .iter()
        .map(|file| {
            fs::read_to_string(testdata().join("documents").join(folder).join(file)).expect(file)
        })
        .collect();
    let mut random = Random(0x5eed);
    let work = std::env::temp_dir().join(format!("gdvar-edits-{engine}-{}", std::process::id()));
    fs::create_dir_all(work.join("out")).expect("a folder");
    let mut expected = Vec::new();
    for n in 0..EDITS {
        let text = &texts[n % texts.len()];
        let document = TextDocument::config_file(text, Some(dialect)).expect("a ConfigFile");
        let mut new = contents(&document.encode().expect("contents"), dialect);
        for _ in 0..=random.below(3) {
            edit(&mut new, &mut random, &values);
        }
        let changed = document.replace(&encode(&new, dialect)).expect("an edit");
        fs::write(work.join(format!("{n}.cfg")), &changed).expect("a file");
        expected.push(new);
        assert_all_other_lines_stay(text, &changed, n);
    }
    // The engine gets a hundred files at a time.
    let oracle = testdata().join("oracle");
    let script = format!("config_contents{}.gd", &engine[..1]);
    for start in (0..EDITS).step_by(100) {
        let mut command = Command::new(oracle.join("run-engine.sh"));
        command.args([engine, &script]).arg(work.join("out"));
        for n in start..start + 100 {
            command.arg(format!("@{}", work.join(format!("{n}.cfg")).display()));
        }
        let output = command.output().expect("run-engine.sh");
        if output.status.code() == Some(77) {
            eprintln!("skipped: no engine {engine}");
            return;
        }
    }
    for (n, expected) in expected.iter().enumerate() {
        let loaded =
            fs::read(work.join(format!("out/{n}.cfg.value"))).expect("what the engine loaded");
        let same = exact(&contents(&loaded, dialect), dialect) == exact(expected, dialect);
        assert!(
            same,
            "{engine}: {}",
            work.join(format!("{n}.cfg")).display()
        );
    }
    fs::remove_dir_all(work).expect("the folder");
}

#[test]
#[ignore = "takes engines and minutes"]
fn godot4_loads_what_was_edited() {
    let values = [
        "1",
        "-2.5",
        "\"a\\\"b\nc é\"",
        "&\"name\"",
        "Vector2i(1, -2)",
        "[1, \"x\", {\"k\": [true]}]",
        "{\n\"z\": 1,\n\"a\": Color(0.1, 0.2, 0.3, 1)\n}",
        "PackedStringArray(\"a\", \"b\")",
        "Array[int]([1, 2])",
        "NodePath(\"A/B:c\")",
        "1e+300",
        "0.1",
    ];
    let files = ["all.cfg", "project.godot", "export_presets.cfg"];
    judged_by("4", "godot4", &files, Dialect::GODOT_4, &values);
}

#[test]
#[ignore = "takes engines and minutes"]
fn godot3_loads_what_was_edited() {
    let values = [
        "1",
        "-2.5",
        "\"a\\\"b\nc é\"",
        "Vector2( 1, -2 )",
        "[ 1, \"x\", {\"k\": [ true ]} ]",
        "{\n\"z\": 1,\n\"a\": Color( 0.1, 0.2, 0.3, 1 )\n}",
        "PoolStringArray( \"a\", \"b\" )",
        "NodePath(\"A/B:c\")",
        "0.1",
    ];
    judged_by("3.6", "godot3.6", &["all.cfg"], Dialect::GODOT_3, &values);
}
