//! Files that the engines wrote.
#![allow(dead_code, reason = "no test needs all of it")]

use std::{fs, path::PathBuf};

use gdvar_io::encrypted::Key;
use gdvar_view::{Dialect, Document, PrefixOrder, frames};
use gdvar_write::{Writer, transcode};
use serde_json::Value;

/// Reads a file of `testdata`.
pub(crate) fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(name)
}

/// A save and its description.
pub(crate) struct Save {
    pub name: String,
    pub bytes: Vec<u8>,
    pub about: Value,
}

impl Save {
    pub(crate) fn get(name: &str) -> Save {
        let read = |name: &str| {
            let path = testdata("saves").join(name);
            fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        Save {
            name: name.to_owned(),
            bytes: read(name),
            about: serde_json::from_slice(&read(&format!("{name}.json"))).expect("JSON"),
        }
    }

    /// Returns the saves whose container's name begins with `container`. Fails if there are none.
    pub(crate) fn all(container: &str) -> Vec<Save> {
        let folder = fs::read_dir(testdata("saves")).expect("the saves");
        let mut names: Vec<String> = folder
            .map(|entry| {
                entry
                    .expect("a file")
                    .file_name()
                    .into_string()
                    .expect("a name")
            })
            .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
            .collect();
        names.sort();
        let saves: Vec<Save> = names
            .iter()
            .map(|name| Save::get(name))
            .filter(|save| save.container().starts_with(container))
            .collect();
        assert!(!saves.is_empty(), "no save is {container}");
        saves
    }

    pub(crate) fn container(&self) -> &str {
        self.about["container"].as_str().expect("a container")
    }

    /// Returns the key that opens an encrypted save.
    pub(crate) fn key(&self) -> Key {
        match self.about["password"].as_str() {
            Some(password) => Key::from_password(password),
            None => {
                let digits = self.about["key_hex"].as_str().expect("a password or a key");
                Key::from_file(digits.as_bytes()).expect("a key")
            }
        }
    }

    /// Returns the plain file with the same values, and whether its bytes are equal too: Godot 3
    /// leaves padding uninitialised, so two of its runs differ there.
    pub(crate) fn plain(&self) -> (Save, bool) {
        let plain = Save::get(self.about["same_values_as"].as_str().expect("a name"));
        let same = !self.name.starts_with("rpg3");
        (plain, same)
    }

    /// Asserts that the contents are what the description says.
    #[track_caller]
    pub(crate) fn check(&self, contents: &[u8]) {
        let (plain, same) = self.plain();
        if same {
            assert!(contents == plain.bytes, "{}: other contents", self.name);
            return;
        }
        // Written again, padding is zero.
        let records = self.about["records"].as_u64().expect("a count");
        let (ours, theirs) = (canonical(contents), canonical(&plain.bytes));
        assert_eq!(ours.len() as u64, records, "{}", self.name);
        assert!(ours == theirs, "{}: other values", self.name);
    }
}

/// Returns the records of a file of Godot 3, each written again.
fn canonical(file: &[u8]) -> Vec<Vec<u8>> {
    frames(file, PrefixOrder::Little)
        .map(|frame| rewritten(frame.expect("a frame").bytes, Dialect::GODOT_3))
        .collect()
}

/// Returns a value with the padding set to zero that the engine leaves uninitialised.
pub(crate) fn rewritten(bytes: &[u8], dialect: Dialect) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), dialect);
    transcode(Document::new(bytes, dialect), &mut writer).expect("a value");
    writer.finish().expect("one value")
}

/// Returns bytes that are equal in every run and vary from byte to byte.
pub(crate) fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect()
}
