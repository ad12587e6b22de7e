//! Loads the vectors and saves that real engines made.

use std::{fs, path::PathBuf};

use gdvar::Dialect;
use serde_json::Value;

/// Returns the path of a file of `testdata`.
#[must_use]
pub fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(name)
}

/// An engine that made vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Engine {
    /// The engine's name in the files.
    pub name: &'static str,
    /// The file name in `testdata/vectors`.
    pub file: &'static str,
    /// The engine's dialect.
    pub dialect: Dialect,
    /// `true` if the engine was built with double precision.
    pub double: bool,
}

/// The engines whose test vectors are in `testdata/vectors`, one file each.
pub const ENGINES: [Engine; 5] = [
    Engine {
        name: "3.2.3",
        file: "godot3.jsonl",
        dialect: Dialect::GODOT_3,
        double: false,
    },
    Engine {
        name: "4.6.3",
        file: "godot4.jsonl",
        dialect: Dialect::GODOT_4,
        double: false,
    },
    Engine {
        name: "4.6.3-double",
        file: "godot4-double.jsonl",
        dialect: Dialect::GODOT_4,
        double: true,
    },
    Engine {
        name: "pandemonium-5.3",
        file: "pandemonium5.jsonl",
        dialect: Dialect::PANDEMONIUM_5,
        double: false,
    },
    Engine {
        name: "3.6.2",
        file: "godot3.6.jsonl",
        dialect: Dialect::GODOT_3,
        double: false,
    },
];

/// A line of a vector file. Its members are described in `testdata/vectors/README.md`.
#[derive(Clone, Debug)]
pub struct Vector {
    /// `group/name`.
    pub id: String,
    /// The bytes to read.
    pub bytes: Vec<u8>,
    /// `true` if reading the bytes requires permission for whole objects.
    pub full_objects: bool,
    /// `true` if a writer makes `bytes` from `value`, apart from unset padding.
    pub canonical: bool,
    /// `true` if the engine cannot read back what it wrote itself.
    pub engine_refuses: bool,
    /// Offsets of padding that the engine left unset.
    pub dirty: Vec<usize>,
    /// The bytes that the engine writes after reading, if they differ.
    pub reenc: Option<Vec<u8>>,
    /// The expected value as tagged JSON.
    pub value: Value,
    /// The value in the bytes, if the engine drops a part of it.
    pub wire_value: Option<Value>,
}

impl Vector {
    /// Returns the bytes with zeros in place of the unset padding.
    #[must_use]
    pub fn clean(&self) -> Vec<u8> {
        let mut clean = self.bytes.clone();
        for &at in &self.dirty {
            clean[at] = 0;
        }
        clean
    }
}

/// Converts hex digits to bytes.
///
/// # Panics
/// If there is anything but pairs of hex digits.
#[must_use]
pub fn unhex(hex: &str) -> Vec<u8> {
    assert!(hex.len() % 2 == 0, "odd hex");
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
    (0..hex.len()).step_by(2).map(byte).collect()
}

/// Returns bytes as hex digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the lines of a file of JSON objects.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn lines(name: &str) -> Vec<Value> {
    let path = testdata("vectors").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(!lines.is_empty(), "{name} is empty");
    lines
}

fn text(line: &Value, member: &str) -> String {
    line[member]
        .as_str()
        .unwrap_or_else(|| panic!("{member} of {}", line["id"]))
        .to_owned()
}

/// Returns all vectors of an engine.
#[must_use]
pub fn vectors(engine: Engine) -> Vec<Vector> {
    lines(engine.file).iter().map(vector).collect()
}

fn vector(line: &Value) -> Vector {
    Vector {
        id: text(line, "id"),
        bytes: unhex(&text(line, "hex")),
        full_objects: line["full_objects"] == true,
        canonical: line["canonical"] == true,
        engine_refuses: line["engine_refuses"] == true,
        dirty: offsets(&line["dirty"]),
        reenc: line["reenc"].as_str().map(unhex),
        value: unfold(line["value"].clone()),
        wire_value: line.get("wire_value").cloned().map(unfold),
    }
}

fn offsets(list: &Value) -> Vec<usize> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(Value::as_u64)
        .map(|at| at as usize)
        .collect()
}

/// Replaces every `Nest` by the nested containers that it abbreviates. Drops the `dec` of floats,
/// which is only for people.
#[must_use]
pub fn unfold(value: Value) -> Value {
    match value {
        Value::Object(mut members) => {
            members.remove("dec");
            if let Some(nest) = members.get_mut("Nest") {
                let mut inner = unfold(nest["leaf"].take());
                let steps = nest["steps"].as_array().cloned().unwrap_or_default();
                for step in steps.into_iter().rev() {
                    inner = match step {
                        Value::String(_) => one("Array", Value::Array(vec![inner])),
                        mut step => {
                            let key = unfold(step["key"].take());
                            one(
                                "Dictionary",
                                Value::Array(vec![Value::Array(vec![key, inner])]),
                            )
                        }
                    };
                }
                return inner;
            }
            Value::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (name, unfold(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(unfold).collect()),
        other => other,
    }
}

/// Reads the sizes at the start of a list. A long list has a string in place of its middle part;
/// sizes after the string are left out.
fn first_sizes(list: &Value) -> Vec<usize> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map_while(Value::as_u64)
        .map(|size| size as usize)
        .collect()
}

/// Makes an object of one member by moving it; `json!` would copy the inner value.
fn one(name: &str, value: Value) -> Value {
    Value::Object([(name.to_owned(), value)].into_iter().collect())
}

/// The answer of one engine to one input.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The engine's name.
    pub engine: String,
    /// `true` if the engine read the input.
    pub accepted: bool,
    /// `true` if the engine itself crashed.
    pub crash: bool,
    /// The number of bytes that the engine read, if known.
    pub consumed: Option<usize>,
    /// The value that the engine read, if recorded.
    pub value: Option<Value>,
}

/// A line of a file of malformed or odd inputs.
#[derive(Clone, Debug)]
pub struct OddInput {
    /// `group/name`.
    pub id: String,
    /// The bytes to read.
    pub bytes: Vec<u8>,
    /// `true` if the bytes are read with permission for whole objects.
    pub full_objects: bool,
    /// The verdict of each engine.
    pub verdicts: Vec<Verdict>,
}

/// Returns the inputs of `reject.jsonl` or `pandemonium5-reject.jsonl`.
#[must_use]
pub fn odd_inputs(file: &str) -> Vec<OddInput> {
    lines(file).iter().map(odd).collect()
}

fn odd(line: &Value) -> OddInput {
    let bytes = match line["hex_parts"].as_array() {
        Some(parts) => parts
            .iter()
            .flat_map(|part| {
                let times = part[1].as_u64().unwrap_or(1) as usize;
                unhex(part[0].as_str().unwrap_or_default()).repeat(times)
            })
            .collect(),
        None => unhex(&text(line, "hex")),
    };
    let verdict = |(engine, verdict): (&String, &Value)| Verdict {
        engine: engine.clone(),
        accepted: verdict["accepted"] == true,
        crash: verdict["crash"] == true,
        consumed: verdict["consumed"].as_u64().map(|n| n as usize),
        value: verdict.get("value").cloned().map(unfold),
    };
    OddInput {
        id: text(line, "id"),
        bytes,
        full_objects: line["full_objects"] == true,
        verdicts: line["verdicts"]
            .as_object()
            .into_iter()
            .flatten()
            .map(verdict)
            .collect(),
    }
}

/// A save of an engine that consists of plain records.
#[derive(Clone, Debug)]
pub struct Save {
    /// The file name in `testdata/saves`.
    pub name: String,
    /// The dialect of the engine that wrote the file.
    pub dialect: Dialect,
    /// The contents of the file.
    pub bytes: Vec<u8>,
    /// Every record as tagged JSON.
    pub values: Vec<Value>,
    /// The number of records.
    pub records: usize,
    /// The lengths of the first records, without their prefixes.
    pub first_sizes: Vec<usize>,
    /// Offsets of padding that the engine left unset.
    pub dirty: Vec<usize>,
}

/// Returns the saves of `testdata/saves` that consist of plain records.
///
/// # Panics
/// If the files cannot be read.
#[must_use]
pub fn plain_saves() -> Vec<Save> {
    let mut saves = Vec::new();
    for entry in fs::read_dir(testdata("saves")).expect("testdata/saves") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let about: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
        if about["container"] != "plain" {
            continue;
        }
        let file = path.with_extension("");
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let dialect = if name.contains('3') {
            Dialect::GODOT_3
        } else {
            Dialect::GODOT_4
        };
        saves.push(Save {
            dialect,
            bytes: fs::read(&file).expect("the save"),
            values: about["values"]
                .as_array()
                .expect("values")
                .iter()
                .cloned()
                .map(unfold)
                .collect(),
            records: about["records"].as_u64().expect("a number") as usize,
            first_sizes: first_sizes(&about["record_sizes"]),
            dirty: offsets(&about["dirty"]),
            name,
        });
    }
    assert!(saves.len() >= 12, "saves are missing");
    saves.sort_by(|a, b| a.name.cmp(&b.name));
    saves
}
