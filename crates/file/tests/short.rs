//! A shortcut gives the same decision as the full survey, or gives up.

use std::{fs, path::Path};

use gdvar_file::{Hints, detect, detect::without_doubt};

fn saves() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/saves");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("saves").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if ["sav", "dat", "rec", "cfg", "chunk"]
            .iter()
            .any(|end| name.ends_with(&format!(".{end}")))
        {
            all.push((name, fs::read(entry.path()).expect("a save")));
        }
    }
    assert!(all.len() >= 12, "{} saves", all.len());
    all
}

#[track_caller]
fn compare(name: &str, bytes: &[u8]) -> bool {
    let hints = Hints::new();
    let Some(short) = without_doubt(bytes, &hints) else {
        return false;
    };
    let long = detect(bytes, &hints).expect(name);
    assert_eq!(short, long, "{name}");
    assert!(!long.is_damaged && long.same.is_empty(), "{name}");
    true
}

#[test]
fn saves_of_engines_get_the_same_decision() {
    for (name, bytes) in saves() {
        let is_plain = compare(&name, &bytes);
        // Saves that several engines read identically are left to the full survey.
        if name.starts_with("rpg") || name.starts_with("voxel") || name.starts_with("camp") {
            assert!(is_plain, "{name}");
        }
        // The first record, bare.
        let size = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        compare(&name, &bytes[4..4 + size]);
        if name.starts_with("rpg") {
            assert!(compare(&name, &bytes[4..4 + size]), "{name}, bare");
        }
    }
}

#[test]
fn damaged_saves_get_the_same_decision() {
    let mut plain = 0;
    for (name, bytes) in saves() {
        let bytes = &bytes[..bytes.len().min(6000)];
        for at in (0..bytes.len()).step_by(97) {
            plain += usize::from(compare(&name, &bytes[..at]));
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << (at % 8);
            plain += usize::from(compare(&name, &flipped));
            // A value after a wrong length, and one followed by other bytes.
            let mut framed = bytes.to_vec();
            framed.splice(0..4, (at as u32).to_le_bytes());
            plain += usize::from(compare(&name, &framed));
        }
    }
    assert!(plain > 0, "nothing was compared");
}
