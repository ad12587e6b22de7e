//! `records split`, `extract` and `join` of damaged files: what is damaged stays so, and is reported as `check` does.

mod common;

use std::{fs, path::Path};

use common::{SLOT, file, gdvar, path, stderr, stdout};

/// `store_var(true)` with 2 for true, which no engine writes.
const ODD: &[u8] = b"\x08\0\0\0\x01\0\0\0\x02\0\0\0";

/// `store_var` of an object's id, 5.
const OBJECT: &[u8] = b"\x0c\0\0\0\x18\0\x01\0\x05\0\0\0\0\0\0\0";

/// `store_var([[1]])`.
const NESTED: &[u8] = b"\x18\0\0\0\x1c\0\0\0\x01\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0";

/// The length of an int that says more than its value takes, and an int with a type that does not exist.
const LONG: &[u8] = b"\x0c\0\0\0\x02\0\0\0\x05\0\0\0\0\0\0\0";
const UNKNOWN: &[u8] = b"\x08\0\0\0\xff\0\0\0\x05\0\0\0";

fn parts(folder: &Path) -> Vec<Vec<u8>> {
    let all = fs::read_dir(folder).expect("a folder");
    let mut all: Vec<_> = all.map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    all.iter()
        .map(|path| fs::read(path).expect("a part"))
        .collect()
}

/// Each kind of damage and each option that refuses a record, in the middle of a file or at its end.
#[test]
fn damaged_records_stay_as_they_are() {
    let cut = &SLOT[..40];
    let known = ["-d", "godot4", "-f", "len32"];
    for (record, options, only_last, code) in [
        (cut, &[][..], true, 3),
        (UNKNOWN, &[], false, 3),
        (LONG, &["--strict"], false, 1),
        (ODD, &["--strict"], false, 1),
        (OBJECT, &["--objects", "deny"], false, 5),
        (NESTED, &["--max-depth", "1"], false, 4),
    ] {
        for last in [true, false] {
            if only_last && !last {
                continue;
            }
            let records = match last {
                true => [SLOT, SLOT, record],
                false => [SLOT, record, SLOT],
            };
            let (folder, path_of) = file(&records.concat());
            let (name, dir) = (path(&path_of), folder.path().join("parts"));
            let run = |args: &[&str], code| stderr(&[&known, options, args].concat(), b"", code);
            let what = format!("{options:?} {last} {record:x?}");
            let check = stdout(&[&known, options, &["check", name]].concat(), b"", code);
            let error = check.lines().next().expect("an error");
            // The parts are the file, and the damaged part is named.
            let told = run(&["records", "split", name, "-o", path(&dir)], code);
            assert!(told.contains(error), "{what}: {told}");
            let number = if last { 2 } else { 1 };
            assert!(told.contains(&format!("000{number}.dat")), "{what}: {told}");
            assert_eq!(parts(&dir), records, "{what}");
            // One record is written as it is, alone too.
            let one = folder.path().join("one");
            let extract = [
                "records",
                "extract",
                name,
                &number.to_string(),
                "-o",
                path(&one),
            ];
            let told = run(&extract, code);
            assert!(told.contains(error), "{what}: {told}");
            assert_eq!(fs::read(&one).expect("written"), record, "{what}");
            let alone = gdvar(&[&known, options, &["check", path(&one)]].concat(), b"");
            assert_eq!(alone.status.code(), Some(code), "{what}");
            // A whole record of the same file is extracted without an error.
            run(&["records", "extract", name, "0"], 0);
            // Nothing is joined, whichever place the file has, and an old file stays.
            let (good, out) = (folder.path().join("good"), folder.path().join("out"));
            fs::write(&good, SLOT).expect("space");
            fs::write(&out, "old").expect("space");
            for files in [[name, path(&good)], [path(&good), name]] {
                let join = [&["records", "join"], &files[..], &["-o", path(&out)]].concat();
                let told = run(&join, code);
                assert!(told.contains(error), "{what}: {told}");
                assert!(told.contains("nothing was written"), "{what}: {told}");
                assert_eq!(fs::read(&out).expect("the old file"), b"old", "{what}");
            }
        }
    }
}

/// A big-endian length stays one, and without a length there is nothing to keep.
#[test]
fn the_length_of_a_cut_record_is_kept_as_it_was() {
    let mut big = SLOT[..40].to_vec();
    big[..4].reverse();
    let (folder, name) = file(&big);
    let extract = ["-d", "godot4", "-f", "len32be", "records", "extract"];
    let whole = gdvar(&[&extract[..], &[path(&name), "0"]].concat(), b"");
    assert_eq!((whole.status.code(), whole.stdout), (Some(3), big.clone()));
    let bare = gdvar(&[&extract[..], &[path(&name), "0", "--bare"]].concat(), b"");
    assert_eq!((bare.status.code(), &bare.stdout[..]), (Some(3), &big[4..]));
    drop(folder);
}

/// With the wrong engine, the file got another length in front of it, and the exit code was 0.
#[test]
fn values_of_another_engine_are_not_framed_again() {
    // An Array of Godot 4: a PackedVector4Array, which Godot 3 does not have, and a text.
    let head = [220_u32, 28, 2, 38, 0, 4, 196].map(u32::to_le_bytes);
    let bytes = [&head.concat()[..], &[b'x'; 196]].concat();
    let (folder, name) = file(&bytes);
    stdout(&["check", path(&name)], b"", 0);
    let out = folder.path().join("out");
    let join = [
        "-d",
        "godot3",
        "records",
        "join",
        path(&name),
        "-o",
        path(&out),
    ];
    stderr(&join, b"", 3);
    assert!(!out.exists());
}

/// A limit on the size of files stops a part in the middle, as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn parts_are_whole_or_not_there() {
    use std::process::Command;

    let save = common::save("camp4.sav");
    let folder = tempfile::tempdir().expect("a folder");
    for is_there in [false, true] {
        let parts = folder.path().join("parts");
        if is_there {
            fs::create_dir(&parts).expect("a folder");
        }
        let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"";
        let output = Command::new("bash")
            .args(["-c", script, env!("CARGO_BIN_EXE_gdvar")])
            .args(["records", "split", path(&save), "-o", path(&parts)])
            .output()
            .expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{errors}");
        assert!(errors.contains("0000.dat: cannot be written"), "{errors}");
        assert_eq!(parts.exists(), is_there);
        assert!(!is_there || fs::read_dir(&parts).expect("a folder").count() == 0);
        // There is room now.
        stdout(
            &["records", "split", path(&save), "-o", path(&parts)],
            b"",
            0,
        );
        fs::remove_dir_all(&parts).expect("removed");
    }
}
