//! `edit`: the text that the editor gets, and what becomes of it.
#![cfg(unix)]

mod common;

use std::fs;

use common::{SLOT, file, gdvar_with, path, save};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = words(&[4, text.len() as u32]);
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// `{"hp": 80, "n": VALUE, "z": 81}` in Godot 4, as a record with its length.
fn record(hp: u32, value: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[27, 3]);
    bytes.extend([text("hp"), words(&[2, hp]), text("n"), value.to_vec()].concat());
    bytes.extend([text("z"), words(&[2, 81])].concat());
    [words(&[bytes.len() as u32]), bytes].concat()
}

const WIDE: u32 = 1 << 16;

#[test]
fn what_was_not_edited_stays_bit_for_bit() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save.dat");
    let tenth = 0.1_f64.to_bits();
    let [low, high] = [tenth as u32, (tenth >> 32) as u32];
    for (name, value) in [
        ("a NaN with a sign", words(&[3 | WIDE, 0, 0xfff8_0000])),
        ("a NaN with a payload", words(&[3 | WIDE, 5, 0x7ff8_0000])),
        ("a NaN of 32 bits in a vector", words(&[5, 0xffc0_0000, 0])),
        ("a wide int", words(&[2 | WIDE, 7, 0])),
        ("a wide float", words(&[3 | WIDE, 0, 0x3ff0_0000])),
        ("a null Object", words(&[24, 0])),
        (
            "vectors of both widths",
            [
                words(&[28, 2, 5, 0x3dcc_cccd, 0]),
                words(&[5 | WIDE, low, high, low, high]),
            ]
            .concat(),
        ),
        (
            "a NaN in nested containers",
            [
                words(&[28, 1, 27, 1]),
                text("k"),
                words(&[3 | WIDE, 1, 0x7ff8_0000]),
            ]
            .concat(),
        ),
    ] {
        fs::write(&file, record(80, &value)).expect("space");
        let done = gdvar_with(&["edit", path(&file)], &[("EDITOR", "sed -i 's/80/79/'")]);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{name}: {errors}");
        assert_eq!(
            String::from_utf8_lossy(&done.stdout),
            "~ $.hp  80 -> 79\n",
            "{name}"
        );
        assert!(
            fs::read(&file).expect("it") == record(79, &value),
            "{name}: {errors}"
        );
    }
}

/// The second value of a repeated key is not in the text, so that it cannot be kept. That is told.
#[test]
fn what_cannot_be_kept_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save.dat");
    let bytes = [
        words(&[27, 2]),
        text("hp"),
        words(&[2, 80]),
        text("hp"),
        words(&[2, 81]),
    ]
    .concat();
    fs::write(&file, [words(&[bytes.len() as u32]), bytes].concat()).expect("space");
    let done = gdvar_with(&["edit", path(&file)], &[("EDITOR", "sed -i 's/81/79/'")]);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{errors}");
    assert!(
        errors.contains("the text does not hold all of the value"),
        "{errors}"
    );
}

#[test]
fn an_editor_that_removes_the_text_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save.dat");
    let old = record(80, &words(&[0]));
    fs::write(&file, &old).expect("space");
    let done = gdvar_with(&["edit", path(&file)], &[("EDITOR", "rm")]);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{errors}");
    assert!(errors.contains("the editor left no text in "), "{errors}");
    assert!(fs::read(&file).expect("it") == old);
}

#[test]
fn a_mistake_is_opened_again_in_the_editor() {
    let (folder, path) = file(SLOT);
    // This editor writes a mistake the first time. The second time it corrects the mistake, and saves the first
    // line that it saw.
    let script = folder.path().join("editor");
    let seen = folder.path().join("seen");
    let body = format!(
        "#!/bin/sh\nif grep -q '^; ' \"$1\"; then head -n 1 \"$1\" > {0}; sed -i 's/oops/81/' \"$1\"; \
         else sed -i 's/80/oops/' \"$1\"; fi\n",
        seen.display()
    );
    fs::write(&script, body).expect("space");
    let editor = format!("sh {}", script.display());
    let output = gdvar_with(
        &["edit", path.to_str().expect("a path"), "hp"],
        &[("EDITOR", &editor)],
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "~ $.hp  80 -> 81\n"
    );
    let told = fs::read_to_string(seen).expect("the mistake was shown");
    assert!(told.contains("line 1, column 1"), "{told}");
    assert_eq!(fs::read(&path).expect("the file")[28..32], [81, 0, 0, 0]);
}

/// A large value is a line for each child, which an editor can show.
#[test]
fn a_large_value_is_edited_over_many_lines() {
    let (folder, path) = file(&fs::read(save("rpg4.sav")).expect("a save"));
    let seen = folder.path().join("seen");
    let editor = format!(
        "cp \"$1\" {} && sed -i 's/\"hp\": 119,/\"hp\": 118,/'",
        seen.display()
    );
    let output = gdvar_with(
        &["edit", path.to_str().expect("a path")],
        &[("EDITOR", &editor)],
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "~ $.party[0].hp  119 -> 118\n"
    );
    let text = fs::read_to_string(seen).expect("the text");
    let longest = text
        .lines()
        .filter(|line| !line.contains('"'))
        .map(str::len)
        .max();
    assert!(
        text.lines().count() > 500 && longest.is_some_and(|len| len < 200),
        "{longest:?}"
    );
}
