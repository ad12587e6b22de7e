//! `table` and the options that refuse values.

mod common;

use std::{fs, path::Path};

use common::{path, stderr, stdout};

/// The rows of a table say what strict mode refuses. The exit code is 1, as for other commands.
#[test]
fn strict_mode_refuses_values_in_tables_too() {
    // {"hp": 80}, with 64 bits for the 80.
    let odd: &[u8] =
        b"\x20\0\0\0\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\x01\0\x50\0\0\0\0\0\0\0";
    let folder = tempfile::tempdir().expect("a folder");
    let odd_path = folder.path().join("a.sav");
    fs::write(&odd_path, odd).expect("space");
    let whole = folder.path().join("b.sav");
    fs::write(&whole, common::SLOT).expect("space");
    let table = |options: &[&str], files: &[&Path], code| {
        let files: Vec<_> = files.iter().map(|file| path(file)).collect();
        let args = [
            options,
            &["table", "-q", "--columns", "hp", "--no-origin"],
            &files,
        ];
        stdout(&args.concat(), b"", code)
    };
    assert_eq!(table(&[], &[&odd_path], 0), "hp,error\n80,\n");
    stderr(&["--strict", "get", path(&odd_path), "hp"], b"", 1);
    let strict = table(&["--strict"], &[&odd_path], 1);
    assert!(strict.starts_with("hp,error\n,NonCanonical: "), "{strict}");
    // Other rows are as they were, on several threads and in one.
    assert_eq!(table(&["--strict"], &[&whole], 0), "hp,error\n80,\n");
    let both = table(&["--strict"], &[&odd_path, &whole], 1);
    assert!(both.ends_with("\n80,\n"), "{both}");
    // Damage is a row, as without strict mode.
    let cut = folder.path().join("c.sav");
    fs::write(&cut, &common::SLOT[..40]).expect("space");
    let rows = table(&["--strict", "-d", "godot4", "-f", "len32"], &[&cut], 0);
    assert_eq!(rows, table(&["-d", "godot4", "-f", "len32"], &[&cut], 0));
}
