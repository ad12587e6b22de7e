//! Commands that rescue what is left of a file, and take files apart and together.

mod common;

use std::fs;

use common::{SLOT, file, gdvar, save, stderr, stdout};

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

/// Whatever split writes, join puts together again.
#[test]
fn records_that_were_split_are_joined() {
    let text = "null\n{\"a\": 1}\n5\n\"\"\n[]\ntrue\nVector2(1, 2)\nnull\n";
    for dialect in ["godot4", "godot3"] {
        for framing in ["len32", "len32be", "hex", "base64"] {
            for bare in [&[][..], &["--bare"]] {
                let whole = gdvar(
                    &["-d", dialect, "-f", framing, "from-text", "-"],
                    text.as_bytes(),
                );
                let (folder, path) = file(&whole.stdout);
                let parts = folder.path().join("parts");
                let (name, parts) = (
                    path.to_str().expect("UTF-8"),
                    parts.to_str().expect("UTF-8"),
                );
                let split = [
                    &[
                        "-d", dialect, "-f", framing, "records", "split", name, "-o", parts,
                    ],
                    bare,
                ];
                stdout(&split.concat(), b"", 0);
                let joined = folder.path().join("joined");
                let joined = joined.to_str().expect("UTF-8");
                let given = ["-d", dialect];
                let known = if bare.is_empty() { &given[..0] } else { &given };
                let told = stderr(
                    &[known, &["records", "join", parts, "-o", joined]].concat(),
                    b"",
                    0,
                );
                let what = format!("{dialect} {framing} {bare:?}: {told}");
                let expected = match bare.is_empty() {
                    true => whole.stdout,
                    false => {
                        gdvar(
                            &["-d", dialect, "-f", "len32", "from-text", "-"],
                            text.as_bytes(),
                        )
                        .stdout
                    }
                };
                assert!(fs::read(joined).expect("it") == expected, "{what}");
                // Parts of another file stay apart.
                let told = stderr(&split.concat(), b"", 2);
                assert!(told.contains("name a new folder"), "{told}");
            }
        }
    }
    // Also with more records than four digits can number, the names of the parts sort in the order of the file.
    let many: String = (0..10_003).map(|n| format!("{n}\n")).collect();
    let whole = gdvar(&["from-text", "-"], many.as_bytes()).stdout;
    let (folder, path) = file(&whole);
    let parts = folder.path().join("parts");
    let joined = folder.path().join("joined");
    let [name, parts, joined] = [&path, &parts, &joined].map(|path| path.to_str().expect("UTF-8"));
    stdout(
        &["-d", "godot4", "records", "split", name, "-o", parts],
        b"",
        0,
    );
    stdout(
        &["-d", "godot4", "records", "join", parts, "-o", joined],
        b"",
        0,
    );
    assert!(fs::read(joined).expect("it") == whole);
}

/// What a program did to a save that it took for text is undone, and nothing else.
#[test]
fn a_save_that_was_taken_for_text_comes_back() {
    let whole = fs::read(save("camp4.sav")).expect("a save");
    let returns: Vec<u8> = whole
        .iter()
        .flat_map(|byte| match byte {
            b'\n' => vec![b'\r', b'\n'],
            other => vec![*other],
        })
        .collect();
    let utf8: String = whole.iter().map(|byte| char::from(*byte)).collect();
    for sent in [&returns[..], utf8.as_bytes()] {
        let (folder, path) = file(sent);
        let out = folder.path().join("out.sav");
        let (path, out) = (
            path.to_str().expect("a path"),
            out.to_str().expect("a path"),
        );
        let told = stderr(&["recover", path, "-o", out], b"", 1);
        assert!(told.contains("kept 516 of 516 values"), "{told}");
        assert_eq!(fs::read(out).expect("the file"), whole);
    }
}

/// Bytes that the game itself put between two records, or after the last one, are not turned into values.
#[test]
fn bytes_that_are_no_record_become_none() {
    let record = |key: u8, value: i32| {
        let mut value = [
            &[
                27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, key, 0, 0, 0, 2, 0, 0, 0,
            ][..],
            &value.to_le_bytes(),
        ]
        .concat();
        value.splice(0..0, (value.len() as u32).to_le_bytes());
        value
    };
    let both = [record(b'a', 1), record(b'b', 2)].concat();
    let with_float = [
        &record(b'a', 1)[..],
        &1.5_f32.to_le_bytes(),
        &record(b'b', 2),
    ]
    .concat();
    let with_zeros = [&both[..], &[0; 4096]].concat();
    // Zeros are not lost, and become no record.
    for (bytes, code, expected) in [(with_float, 1, &both), (with_zeros.clone(), 0, &with_zeros)] {
        let (folder, path) = file(&bytes);
        let out = folder.path().join("out.sav");
        let (path, out) = (
            path.to_str().expect("a path"),
            out.to_str().expect("a path"),
        );
        stderr(&["recover", path, "-o", out], b"", code);
        assert_eq!(&fs::read(out).expect("the file"), expected);
    }
    // The engine reads the records in front of zeros.
    let (_folder, path) = file(&with_zeros);
    let told = stderr(&["check", path.to_str().expect("a path")], b"", 0);
    assert!(told.contains("4096 bytes are zeros"), "{told}");
}

/// The damaged file is not overwritten, whatever name it has.
#[cfg(unix)]
#[test]
fn a_damaged_file_is_not_its_own_result() {
    let (folder, path) = file(SLOT);
    let (soft, hard) = (folder.path().join("soft"), folder.path().join("hard"));
    std::os::unix::fs::symlink(&path, &soft).expect("a link");
    let recover = |out: &std::path::Path, code| {
        let (from, out) = (
            path.to_str().expect("a path"),
            out.to_str().expect("a path"),
        );
        stderr(&["recover", from, "-o", out], b"", code)
    };
    for out in [&path, &soft] {
        let told = recover(out, 2);
        assert!(told.contains("the damaged file itself"), "{told}");
    }
    // No file that has several names is replaced.
    fs::hard_link(&path, &hard).expect("a link");
    recover(&hard, 6);
    assert_eq!(fs::read(&path).expect("the file"), SLOT);
}
