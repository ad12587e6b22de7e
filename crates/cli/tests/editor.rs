//! `edit`: the text that the editor gets, and what becomes of it.
#![cfg(unix)]

mod common;

use std::fs;

use common::{SLOT, file, save};

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
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["edit", path.to_str().expect("a path"), "hp"])
        .env("EDITOR", format!("sh {}", script.display()))
        .env_remove("VISUAL")
        .output()
        .expect("gdvar runs");
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
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["edit", path.to_str().expect("a path")])
        .env(
            "EDITOR",
            format!(
                "cp \"$1\" {} && sed -i 's/\"hp\": 119,/\"hp\": 118,/'",
                seen.display()
            ),
        )
        .env_remove("VISUAL")
        .output()
        .expect("gdvar runs");
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
