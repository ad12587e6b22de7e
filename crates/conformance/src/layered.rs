//! Loads saves in the layers that games add, made by Godot 4.6.3 and 3.6.2 (`testdata/layers`).

use std::fs;

use serde_json::Value;

use crate::vectors::{testdata, unhex};

/// A save of an engine inside layers.
#[derive(Clone, Debug)]
pub struct Layered {
    /// `godot4` or `godot3`.
    pub engine: &'static str,
    /// The names of the layers, outermost first: `gzip`, `fastlz:4`, `compressed:zstd`.
    pub layers: Vec<String>,
    /// The length of the game's own header before the first layer, in bytes.
    pub header: usize,
    /// The contents of the file, with all layers.
    pub file: Vec<u8>,
    /// The same save by the same engine without layers.
    pub plain: Vec<u8>,
    /// A name for messages.
    pub name: String,
}

/// The trailers that games write after their values: a CRC-32, an MD5, an MD5 as text.
pub const TRAILERS: [&[u8]; 3] = [
    &[0x9b, 0xe0, 0x7a, 0xf1],
    &[
        0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0, 0xb2, 4, 0xe9, 0x80, 9, 0x98, 0xec, 0xf8, 0x42, 0x7e,
    ],
    b"d41d8cd98f00b204e9800998ecf8427e",
];

/// Loads all saves in layers. The password of encrypted ones is `secret`.
///
/// # Panics
/// If the files are missing.
#[must_use]
pub fn layered() -> Vec<Layered> {
    let mut all = Vec::new();
    for engine in ["godot4", "godot3"] {
        let path = testdata("layers").join(format!("{engine}.jsonl"));
        let mut plain = Vec::new();
        let text = fs::read_to_string(path).expect("the files");
        for (number, line) in text.lines().enumerate() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let file = unhex(line["hex"].as_str().expect("text"));
            let layers = line["layers"].as_array().expect("a list").iter();
            let layers: Vec<_> = layers
                .map(|name| name.as_str().expect("text").to_owned())
                .collect();
            if layers.is_empty() {
                plain.clone_from(&file);
            }
            all.push(Layered {
                engine,
                name: format!("{engine}:{} {layers:?} of {}", number + 1, line["shape"]),
                layers,
                header: line["header"].as_f64().expect("a number") as usize,
                file,
                plain: plain.clone(),
            });
        }
    }
    assert!(all.len() > 120, "{}", all.len());
    all
}
