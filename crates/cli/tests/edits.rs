//! Commands that change, compare and rescue files.

mod common;

use std::{fs, path::PathBuf};

use common::{gdvar, save, stderr, stdout};

/// `store_var({"hp": 80, "pos": Vector2(10, 20)})`.
const SLOT: &[u8] = b"\x34\0\0\0\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
\x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";

/// A folder with one file in it.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot.sav");
    fs::write(&path, bytes).expect("space");
    (folder, path)
}

#[test]
fn one_scalar_changes_and_no_other_byte() {
    for name in ["rpg3.sav", "rpg4.sav"] {
        let old = fs::read(save(name)).expect("a save");
        let (_folder, path) = file(&old);
        let text = path.to_str().expect("a path");
        let before = stdout(&["get", text, "party[0].hp"], b"", 0);
        stdout(
            &["set", text, "party[0].hp=431", "--in-place", "--backup"],
            b"",
            0,
        );
        let new = fs::read(&path).expect("the save");
        assert_eq!(stdout(&["get", text, "party[0].hp"], b"", 0), "431\n");
        let places: Vec<_> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
        assert_eq!(old.len(), new.len());
        let (first, last) = (places[0], places[places.len() - 1]);
        assert!(last - first < 4, "{name}: {places:?}, it was {before}");
        assert_eq!(
            fs::read(path.with_extension("sav.bak")).expect("the backup"),
            old
        );
    }
}

#[test]
fn a_file_stays_what_it_was() {
    // Lines of hex: the others as they are, comments and blanks too.
    let hex: String = SLOT[4..].iter().map(|byte| format!("{byte:02x}")).collect();
    let lines = format!("# two packets\n  {hex}\r\n{hex}\n");
    let (_folder, path) = file(lines.as_bytes());
    let text = path.to_str().expect("a path");
    stdout(
        &["set", text, "hp=81", "--in-place", "--record", "1"],
        b"",
        0,
    );
    let changed = hex.replace("0200000050000000", "0200000051000000");
    let expected = format!("# two packets\n  {hex}\r\n{changed}\n");
    assert_eq!(fs::read_to_string(&path).expect("the file"), expected);

    // A compressed and an encrypted save are opened by the same password, and their contents differ in one
    // value.
    let password = ["--password", "correct horse battery staple 42"];
    for (name, secret) in [
        ("camp4.zstd.gcpf", &[][..]),
        ("camp3.fastlz.gcpf", &[]),
        ("camp4.pass.gdec", &password),
        ("camp3.pass.gdec", &password),
    ] {
        let old = fs::read(save(name)).expect("a save");
        let (folder, path) = file(&old);
        let text = path.to_str().expect("a path");
        let with = |args: &[&str]| stdout(&[secret, args].concat(), b"", 0);
        with(&["set", text, "day=38", "--in-place"]);
        assert_eq!(with(&["get", text, "day"]), "38\n");
        assert_eq!(fs::read(&path).expect("the file")[..4], old[..4], "{name}");
        let from = save(name);
        let from = from.to_str().expect("a path");
        let differences = stdout(&[secret, &["diff", from, text]].concat(), b"", 1);
        assert_eq!(differences, "record 0: ~ $.day  37 -> 38\n", "{name}");
        drop(folder);
    }
}

#[test]
fn a_length_in_front_of_a_record_is_mended_in_its_order() {
    let mut big = SLOT.to_vec();
    big[..4].reverse();
    for (bytes, framing) in [(SLOT.to_vec(), "len32"), (big, "len32be")] {
        let two = [&bytes[..], &bytes].concat();
        let (_folder, path) = file(&two);
        let text = path.to_str().expect("a path");
        stdout(&["-f", framing, "del", text, "pos", "--in-place"], b"", 0);
        let new = fs::read(&path).expect("the file");
        assert!(new.ends_with(&bytes));
        let counted = stdout(&["-f", framing, "--json", "check", text], b"", 0);
        assert_eq!(counted.lines().count(), 2, "{counted}");
    }
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    let (_folder, path) = file(SLOT);
    let text = path.to_str().expect("a path");
    for (args, message) in [
        (["rename-key", text, "hp=pos"], "has that key already"),
        (["set", text, "hp.x.y=1"], "$.hp exists and is 80"),
        (
            ["set", text, "nope.x=1"],
            "error: not found: $.nope.x\n$ exists",
        ),
        (["set", text, "h.x=1"], "did you mean hp?"),
        (["append", text, "hp=1"], "takes no new children"),
        (["del", text, "mp"], "not found: $.mp"),
        (["set", text, "hp=full"], "quotes"),
        (["insert", text, "hp=1"], "has that key already"),
    ] {
        let told = stderr(&[&args[..], &["--in-place"]].concat(), b"", 1);
        assert!(told.contains(message), "{told}");
        assert!(!told.contains("added"), "{told}");
        assert_eq!(fs::read(&path).expect("the file"), SLOT);
    }
}

#[test]
fn no_difference_is_zero_and_the_tolerance_is_kept() {
    let (folder, path) = file(SLOT);
    let other = folder.path().join("other.sav");
    let (text, other) = (
        path.to_str().expect("a path"),
        other.to_str().expect("a path"),
    );
    stdout(&["set", text, "pos.x=10.25", "-o", other], b"", 0);
    assert_eq!(stdout(&["diff", text, text], b"", 0), "");
    assert_eq!(
        stdout(&["diff", "--tolerance", "0.5", text, other], b"", 0),
        ""
    );
    let line = stdout(&["diff", "--json", text, other], b"", 1);
    let expected = r#"{"schema":1,"record":0,"change":"set","path":"$.pos","from":[10.0,20.0],"to":[10.25,20.0]}"#;
    assert_eq!(line.trim(), expected);
}

#[test]
fn what_is_left_of_a_save_is_in_order() {
    let whole = fs::read(save("rpg4.sav")).expect("a save");
    let (folder, path) = file(&whole[..50_000]);
    let out = folder.path().join("fixed.sav");
    let (text, out) = (
        path.to_str().expect("a path"),
        out.to_str().expect("a path"),
    );
    let told = stderr(&["recover", text, "-o", out], b"", 1);
    assert!(told.contains("lost: "), "{told}");
    stdout(&["check", "--strict", out], b"", 0);
    assert_eq!(fs::read(&path).expect("the file"), &whole[..50_000]);
    // A whole file comes back as it is.
    let from = save("rpg4.sav");
    stdout(
        &["recover", from.to_str().expect("a path"), "-o", out],
        b"",
        0,
    );
    assert_eq!(fs::read(out).expect("the file"), whole);
    // A wrong password gives no file.
    let cut = &fs::read(save("camp4.pass.gdec")).expect("a save")[..9000];
    let (_folder, path) = file(cut);
    let none = folder.path().join("none.sav");
    let (text, none) = (
        path.to_str().expect("a path"),
        none.to_str().expect("a path"),
    );
    let args = [
        "--password",
        "wrong",
        "-d",
        "godot4",
        "-f",
        "len32",
        "recover",
        text,
        "-o",
        none,
    ];
    stderr(&args, b"", 3);
    assert!(fs::metadata(none).is_err());
}

#[cfg(unix)]
#[test]
fn a_mistake_is_opened_again_in_the_editor() {
    let (folder, path) = file(SLOT);
    // The first time a mistake, the second time what was meant, and the first line is kept.
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

/// A mistyped key becomes a new one, but not in silence.
#[test]
fn a_new_key_is_told() {
    let (_folder, path) = file(SLOT);
    let text = path.to_str().expect("a path");
    let told = stderr(&["set", text, "hpp=1", "-n"], b"", 0);
    assert!(
        told.contains("hpp: added, it was not there; did you mean hp?"),
        "{told}"
    );
    let told = stderr(&["set", text, "hp=1", "-n"], b"", 0);
    assert!(!told.contains("added"), "{told}");
}

/// A path as messages show it, with `…` for a part of a long key or of many levels, is not taken for a new key.
#[test]
fn a_path_that_was_shortened_adds_no_key() {
    let long = format!("{}_of_the_king", "k".repeat(80));
    let deep = format!("{}1{}", "{\"a\": ".repeat(70), "}".repeat(70));
    let text = format!("{{\"{long}\": 1, \"menu…\": 2, \"deep\": {deep}}}");
    let bytes = gdvar(&["from-text", "-"], text.as_bytes()).stdout;
    let (_folder, path) = file(&bytes);
    let name = path.to_str().expect("a path");
    let deepest = format!("deep{}…=1", ".a".repeat(63));
    let start = format!("{}…=1", &long[..60]);
    for change in [&start[..], "…_of_the_king=1", "k…king=1", &deepest] {
        let told = stderr(&["set", name, change, "-i"], b"", 1);
        assert!(told.contains("write the whole key"), "{told}");
        assert!(change == deepest || told.contains(&long), "{told}");
        assert!(fs::read(&path).expect("the file") == bytes, "{change}");
    }
    // A key that has the character, and one that is like no other.
    for change in ["menu…=3", "more…=4"] {
        let told = stderr(&["set", name, change, "-i"], b"", 0);
        assert_eq!(
            told.contains("added, it was not there"),
            change == "more…=4",
            "{told}"
        );
        let (key, value) = change.split_once('=').expect("a value");
        let now = stdout(&["get", name, key], b"", 0);
        assert_eq!(now.trim(), value);
    }
}
