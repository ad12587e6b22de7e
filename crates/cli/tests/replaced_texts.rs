//! Every command that can replace a file: on text that holds bytes, on what is no file, and with backups.
#![cfg(target_os = "linux")]

mod common;
#[path = "common/replacing.rs"]
mod replacing;

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
};

use common::{gdvar, stderr, stdout};
use replacing::{Folder, GDVAR, Old, VERBS, Verb, errors};
/// A dump or a list of numbers would become the bytes that it shows.
#[test]
fn text_that_stands_for_bytes_stays_text() {
    let value = common::gdvar(
        &["from-text", "-", "-f", "bare"],
        b"{\"day\": 37, \"items\": [1, 2]}",
    );
    let hex: Vec<String> = value
        .stdout
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let numbers: Vec<String> = value.stdout.iter().map(u8::to_string).collect();
    let dump: String = hex
        .chunks(16)
        .enumerate()
        .map(|(n, row)| format!("{:08x}: {}\n", 16 * n, row.join(" ")))
        .collect();
    let forms = [
        (dump, &[][..]),
        (
            format!("12:01 got {}\n", hex.join(" ")),
            &["--encoding", "hex"],
        ),
    ];
    let encoded = |framing| {
        let args = ["from-text", "-", "-f", framing];
        let encoded = common::gdvar(&args, b"{\"day\": 37, \"items\": [1, 2]}");
        String::from_utf8(encoded.stdout).expect("UTF-8")
    };
    // The layouts that programs print are kept: what was a dump is one again.
    let xxd: String = value
        .stdout
        .chunks(16)
        .enumerate()
        .map(|(n, row)| {
            let pairs: Vec<String> = { row.chunks(2) }
                .map(|pair| pair.iter().map(|byte| format!("{byte:02x}")).collect())
                .collect();
            let seen = |&byte: &u8| {
                if (32..127).contains(&byte) {
                    char::from(byte)
                } else {
                    '.'
                }
            };
            let seen: String = row.iter().map(seen).collect();
            format!("{:08x}: {:39}  {seen}\n", 16 * n, pairs.join(" "))
        })
        .collect();
    let kept = [
        (xxd, &[][..]),
        (format!("[{}]", numbers.join(", ")), &[]),
        (encoded("base64"), &["--encoding", "base64"]),
    ];
    for (text, options) in &kept {
        for change in [
            "set FILE day=38 -i",
            "del FILE day -i",
            "append FILE items=3 -i",
        ] {
            let folder = Folder::new(&VERBS[0]);
            fs::write(folder.file(), text).expect("space");
            let file = folder.file();
            let file = file.to_str().expect("UTF-8");
            let args = change
                .split(' ')
                .map(|word| if word == "FILE" { file } else { word });
            let args: Vec<&str> = args.chain(options.iter().copied()).collect();
            stdout(&args, b"", 0);
            let new = fs::read_to_string(file).expect("text");
            assert!(new != *text && new[..4] == text[..4], "{change}: {new}");
            assert_eq!(new.ends_with('\n'), text.ends_with('\n'), "{change}: {new}");
            let changed = common::gdvar(&[&["unpack", file], *options].concat(), b"");
            let binary = folder.folder.path().join("binary");
            fs::write(&binary, &value.stdout).expect("space");
            let binary = binary.to_str().expect("UTF-8");
            let args = change
                .split(' ')
                .map(|word| if word == "FILE" { binary } else { word });
            stdout(&args.collect::<Vec<_>>(), b"", 0);
            assert!(
                changed.stdout == fs::read(binary).expect("a file"),
                "{change}: {new}"
            );
        }
    }
    let reads = |verb: &&Verb| verb.old == Old::Locked;
    for verb in VERBS.iter().filter(reads) {
        for (text, options) in &forms {
            let folder = Folder::new(verb);
            fs::write(folder.file(), text).expect("space");
            let words = verb.words.split(' ').map(|word| match word {
                "FILE" => "save",
                word => word,
            });
            let output = Command::new(GDVAR)
                .args(words)
                .args(*options)
                .current_dir(folder.folder.path())
                .env("EDITOR", "sed -i s/37/38/")
                .env_remove("VISUAL")
                .stdin(Stdio::null())
                .output()
                .expect("it runs");
            let (what, told) = (format!("{} {text}", verb.words), errors(&output));
            assert_ne!(output.status.code(), Some(0), "{what}: {told}");
            assert_eq!(
                fs::read_to_string(folder.file()).expect("it"),
                *text,
                "{what}: {told}"
            );
            // Into another file it can be written.
            if verb.words.starts_with("set") {
                assert!(
                    told.contains("write the values to another file"),
                    "{what}: {told}"
                );
                let file = folder.file();
                let args = [&["set", file.to_str().expect("UTF-8"), "day=38"], *options];
                assert!(!common::gdvar(&args.concat(), b"").stdout.is_empty());
            }
        }
    }
    // Lines of hex and base64 are a framing, and stay lines.
    for (framing, end) in [("hex", "\n"), ("base64", "\n")] {
        let lines = stdout(&["from-text", "-", "-f", framing], b"[1]", 0);
        let folder = Folder::new(&VERBS[0]);
        fs::write(folder.file(), &lines).expect("space");
        let file = folder.file();
        let file = file.to_str().expect("UTF-8");
        stdout(
            &["-f", framing, "-d", "godot4", "set", file, "[0]=2", "-i"],
            b"",
            0,
        );
        let new = fs::read_to_string(file).expect("it");
        assert!(new.len() == lines.len() && new != lines && new.ends_with(end));
    }
}

/// Standard input, bytes on the command line and a FIFO have no place that could be replaced.
#[test]
fn what_is_no_file_is_not_replaced() {
    let plain = gdvar(&["from-text", "-"], b"{\"day\": 37, \"items\": [1, 2]}").stdout;
    for verb in VERBS
        .iter()
        .filter(|verb| verb.words.ends_with(" -i") || verb.words.starts_with("edit"))
    {
        let folder = Folder::new(verb);
        let fifo = Command::new("mkfifo").arg(folder.path("fifo")).status();
        assert!(fifo.expect("mkfifo runs").success());
        for place in ["-", "hex:0200000005000000", "fifo"] {
            let words = verb.words.split(' ').map(|word| match word {
                "FILE" => place,
                word => word,
            });
            let mut child = Command::new(GDVAR)
                .args(words)
                .current_dir(folder.folder.path())
                .env("EDITOR", "true")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it runs");
            let _ = child.stdin.take().expect("a pipe").write_all(&plain);
            let output = child.wait_with_output().expect("it ends");
            let (what, told) = (format!("{} {place}", verb.words), errors(&output));
            assert_eq!(output.status.code(), Some(2), "{what}: {told}");
            assert!(
                told.contains("not a file that can be replaced"),
                "{what}: {told}"
            );
            folder.nothing_else(&["save", "fifo"]);
        }
    }
}

/// Every copy is kept, with the permissions of the file; the first is the file as it was in the beginning.
#[test]
fn a_backup_never_replaces_another() {
    for words in ["set save day=N -i", "edit save day"] {
        let folder = Folder::new(&VERBS[0]);
        fs::copy(folder.path("scratch.plain"), folder.file()).expect("space");
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o600)).expect("it");
        let mut olds = Vec::new();
        for n in 1..4 {
            olds.push(fs::read(folder.file()).expect("it"));
            let number = n.to_string();
            let output = Command::new(GDVAR)
                .args(words.replace('N', &number).split(' '))
                .arg("--backup")
                .current_dir(folder.folder.path())
                .env("EDITOR", format!("sed -i s/.*/{n}/"))
                .env_remove("VISUAL")
                .output()
                .expect("it runs");
            assert!(output.status.success(), "{}", errors(&output));
            let name = if n == 1 {
                "save.bak".to_owned()
            } else {
                format!("save.bak{n}")
            };
            assert!(errors(&output).contains(&format!("the old file is {name}")));
            let copy = folder.path(&name);
            assert!(
                fs::read(&copy).expect("the copy") == olds[n - 1],
                "{words} {n}"
            );
            assert_eq!(
                fs::metadata(copy).expect("it").permissions().mode() & 0o777,
                0o600
            );
        }
        assert!(fs::read(folder.path("save.bak")).expect("it") == olds[0]);
    }
}

/// An empty name in a script replaces nothing.
#[test]
fn a_path_that_is_empty_is_refused() {
    let folder = Folder::new(&VERBS[0]);
    let file = folder.path("scratch.plain");
    let before = fs::read(&file).expect("it");
    let name = file.to_str().expect("UTF-8");
    for verb in ["set", "insert", "append", "rename-key"] {
        for empty in ["=5", " =5"] {
            let told = stderr(&[verb, name, empty, "-i"], b"", 1);
            assert!(told.contains("no path in front of `=`"), "{verb}: {told}");
            assert!(fs::read(&file).expect("it") == before, "{verb}");
        }
    }
    stdout(&["set", name, "$=5", "-i"], b"", 0);
    assert_eq!(stdout(&["get", name, "$"], b"", 0), "5\n");
}

/// A line of hex that is changed has the case of digits that it had.
#[test]
fn lines_of_hex_keep_their_case() {
    let lines = stdout(
        &["from-text", "-", "-f", "hex"],
        b"[254, 171]\n[205, 222]\n",
        0,
    );
    let upper = lines.to_uppercase();
    let (first, second) = upper.split_once('\n').expect("two lines");
    let mixed = format!("{first}\n{}", second.to_lowercase());
    for (text, is_upper) in [(&lines, false), (&upper, true), (&mixed, true)] {
        let folder = Folder::new(&VERBS[0]);
        fs::write(folder.file(), text).expect("space");
        let file = folder.file();
        let file = file.to_str().expect("UTF-8");
        stdout(
            &["-f", "hex", "-d", "godot4", "set", file, "[0]=250", "-i"],
            b"",
            0,
        );
        let new = fs::read_to_string(file).expect("it");
        let expected = lines.replacen("fe", "fa", 1);
        let (changed, kept) = new.split_once('\n').expect("two lines");
        let (expected, _) = expected.split_once('\n').expect("two lines");
        let expected = if is_upper {
            expected.to_uppercase()
        } else {
            expected.to_owned()
        };
        assert_eq!(changed, expected, "{text}");
        assert!(text.ends_with(kept), "{new}");
    }
}
