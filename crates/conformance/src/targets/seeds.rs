//! The initial inputs: bytes that the engines wrote or refused, in the form that the targets read.

use gdvar::{Dialect, Document, Objects};
use gdvar_json::Style;

use super::Input;
use crate::{
    alike::{Random, alike},
    derived,
    mutate::mutate,
    reference::Rules,
    vectors::{ENGINES, lines, odd_inputs, testdata, vectors},
};

/// The greatest length of a vector in bytes. Longer ones take more time and test nothing more.
const LONGEST: usize = 400;

/// Returns every short vector and odd input, each in both modes.
fn values() -> Vec<(Dialect, Vec<u8>)> {
    let mut all = Vec::new();
    for engine in ENGINES {
        let vectors = vectors(engine).into_iter();
        all.extend(vectors.map(|vector| (engine.dialect, vector.bytes)));
    }
    for input in odd_inputs("reject.jsonl") {
        all.push((Dialect::GODOT_4, input.bytes.clone()));
        all.push((Dialect::GODOT_3, input.bytes));
    }
    for input in odd_inputs("pandemonium5-reject.jsonl") {
        all.push((Dialect::PANDEMONIUM_5, input.bytes));
    }
    let derived = derived::derived_vectors().into_iter();
    all.extend(derived.map(|v| (v.dialect.parse().expect("a dialect"), v.bytes)));
    let refused = derived::derived_rejects().into_iter();
    let refused = refused.chain(derived::derived_strict_rejects());
    all.extend(refused.map(|r| (r.dialect.parse().expect("a dialect"), r.bytes)));
    let mut random = Random(0x517c_c1b7_2722_0a95);
    for n in 0..100 {
        let dialect = Dialect::ALL[n % Dialect::ALL.len()];
        all.push((dialect, alike(dialect, &mut random)));
    }
    all.retain(|(_, bytes)| bytes.len() <= LONGEST);
    all
}

/// For each kind of file that the engines write, the smallest one.
const FILES: [&str; 12] = [
    "camp4.deflate.gcpf",
    "camp4.fastlz.gcpf",
    "camp4.gzip.gcpf",
    "camp4.zstd.gcpf",
    "exact3.fastlz.gcpf",
    "exact4.zstd.gcpf",
    "exact3.pass.gdec",
    "exact4.pass.gdec",
    "exact4.sav",
    "camp3.sav",
    "settings3.cfg",
    "settings4.cfg",
];

/// Returns files with values in them, and values as the contents of such files. Each is an input for reading
/// and one for packing. `None` if the target reads bare values.
fn files(target: &str) -> Option<Vec<Vec<u8>>> {
    if !["records", "compressed", "encrypted", "project", "base64"].contains(&target) {
        return None;
    }
    let mut contents = Vec::new();
    for name in FILES {
        let file = std::fs::read(testdata("saves").join(name)).expect("a save");
        if file.len() < 20_000 {
            contents.push(file);
        }
    }
    for (_, value) in values() {
        let len = value.len() as u32;
        contents.push(match target {
            "records" => [&len.to_le_bytes()[..], &value].concat(),
            "base64" => gdvar_io::base64::encode(&value).into_bytes(),
            "project" => {
                let mut project = gdvar_io::project::ProjectWriter::new(Dialect::GODOT_4);
                project.setting_bytes("application/config/name", &value);
                project.finish()
            }
            _ => value,
        });
    }
    let mut all = Vec::new();
    for (n, bytes) in contents.iter().enumerate() {
        for strict in [false, true] {
            let rules = Rules {
                strict,
                ..Rules::new(Dialect::GODOT_4)
            };
            all.push(joined(rules, (n * 67) as u16, bytes));
        }
    }
    Some(all)
}

/// Returns resources or packages of engines, and damaged ones. `None` if the target reads neither.
fn resources(target: &str) -> Option<Vec<Vec<u8>>> {
    let (folders, times) = match target {
        "resource" => (
            &["resources/godot4", "resources/godot3", "resources/godot3.2"][..],
            10,
        ),
        "package" => (&["packages"][..], 200),
        _ => return None,
    };
    let mut random = Random(0x517c_c1b7_2722_0a95);
    let mut all = Vec::new();
    for folder in folders {
        let files = std::fs::read_dir(testdata(folder)).expect("a folder");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        for path in files {
            let file = std::fs::read(path).expect("a file");
            if file.len() > 4000 || !file.contains(&0) {
                continue;
            }
            all.push(joined(Rules::new(Dialect::GODOT_4), 0, &file));
            for _ in 0..times {
                let mut file = file.clone();
                mutate(&mut file, &mut random);
                all.push(joined(Rules::new(Dialect::GODOT_4), 0, &file));
            }
        }
    }
    Some(all)
}

/// Returns the inputs of the targets of notations: damaged texts, and values as JSON of each style.
fn notations(target: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    if target == "document" {
        let samples = ["all.cfg", "all.tres", "refs.tres", "scene.tscn"];
        let folders = [("godot4", Dialect::GODOT_4), ("godot3.6", Dialect::GODOT_3)];
        for (folder, dialect) in folders {
            for name in samples {
                let path = testdata("documents").join(folder).join(name);
                let text = std::fs::read(path).expect("a document");
                all.push(joined(Rules::new(dialect), 0, &text));
            }
        }
        let odd = std::fs::read(testdata("documents").join("odd.cfg")).expect("a document");
        all.push(joined(Rules::new(Dialect::GODOT_4), 0, &odd));
    }
    if target == "parse" {
        for (file, dialect) in [
            ("parse4.jsonl", Dialect::GODOT_4),
            ("parse3.jsonl", Dialect::GODOT_3),
        ] {
            for line in lines(&format!("../text/{file}")) {
                let text = line["text"].as_str().expect("a text");
                all.push(joined(Rules::new(dialect), 0, text.as_bytes()));
            }
        }
    } else if target == "json" {
        for (n, (dialect, bytes)) in values().into_iter().enumerate() {
            let style = [Style::Plain, Style::Native, Style::Tagged][n % 3];
            let document = Document::new(&bytes, dialect).with_objects(Objects::Inert);
            let mut json = Vec::new();
            let written = document
                .root()
                .map(|root| gdvar_json::write(root, style, &mut json));
            if matches!(written, Ok(Ok(_))) && json.len() <= 4 * LONGEST {
                all.push(joined(Rules::new(dialect), 0, &json));
            }
        }
    }
    all
}

pub(super) fn joined(rules: Rules, choice: u16, bytes: &[u8]) -> Vec<u8> {
    let input = Input {
        rules,
        choice,
        bytes,
    };
    input.join()
}

/// Returns the inputs of a target.
#[must_use]
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    if let Some(packets) = super::packets::seeds(target) {
        return packets;
    }
    if let Some(files) = files(target) {
        return files;
    }
    if let Some(resources) = resources(target) {
        return resources;
    }
    let mut all = notations(target);
    if target == "parse" {
        return all;
    }
    let paths = [
        "a",
        "$",
        "name[0]",
        "[-1].x",
        "{0:key}",
        "[\"a \\\"b\"][2]",
        "{1}[3]",
        "[*]",
        "..x",
        "..[*]",
        "[1:-1]..y",
        "[Vector2(1, 2)].x",
        "[&\"name\"]",
        "[0.5]",
        "[*].origin.x",
        "..[String('a')]",
    ];
    for (n, (dialect, bytes)) in values().into_iter().enumerate() {
        let rules = Rules {
            strict: n % 3 == 0,
            objects: Objects::Inert,
            ..Rules::new(dialect)
        };
        let path = paths[n % paths.len()];
        let (choice, bytes) = match target {
            "path" => (path.len() as u16, [path.as_bytes(), &bytes].concat()),
            _ => (n as u16, bytes),
        };
        all.push(joined(rules, choice, &bytes));
    }
    all
}
