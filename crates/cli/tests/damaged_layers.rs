//! What is left of a damaged file in layers: `recover` never gives less than the other commands read, and what it
//! writes can be read.

use std::fs;

use gdvar_conformance::layered::{Layered, layered};
use serde_json::Value;

mod common;

use common::gdvar;

const PASSWORD: [&str; 2] = ["--password", "secret"];

/// Runs a command on a file, with the password.
fn run(command: &[&str], file: &[u8]) -> (i32, String, String) {
    let output = gdvar(&[command, &PASSWORD, &["-"]].concat(), file);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("an exit code");
    (code, text(&output.stdout), text(&output.stderr))
}

/// What `recover` says about a file: the exit code, the number of recovered values, and the messages.
struct Rescue {
    code: i32,
    kept: u64,
    whole: bool,
    messages: String,
}

fn rescue(file: &[u8]) -> Rescue {
    let (code, line, messages) = run(&["recover", "-n", "--json"], file);
    let line: Value = serde_json::from_str(&line).unwrap_or_default();
    Rescue {
        code,
        kept: line["kept"].as_u64().unwrap_or(0),
        whole: line["whole"] == true,
        messages,
    }
}

/// One file of each combination of layers, for each engine.
fn files() -> Vec<Layered> {
    let mut files = layered();
    files.retain(|file| !file.layers.is_empty() && file.name.contains("bare"));
    files.dedup_by(|one, other| one.layers == other.layers && one.header == other.header);
    assert!(files.len() > 50, "{}", files.len());
    files
}

/// Whatever a command reads to its end, `recover` recovers; whatever it does not, `recover` says.
#[test]
fn recover_gives_no_less_than_the_other_commands() {
    for file in files() {
        let (name, whole) = (&file.name, rescue(&file.file));
        assert!(whole.whole && whole.code == 0, "{name}: {}", whole.messages);
        let len = file.file.len();
        let mut damaged: Vec<(String, Vec<u8>)> = Vec::new();
        for left in [len / 4, len / 2, len * 3 / 4, len - 9, len - 5, len - 1] {
            damaged.push((format!("cut to {left}"), file.file[..left].to_vec()));
        }
        for at in [len / 4, len / 2, len * 3 / 4, len - 6, len - 2] {
            let mut bytes = file.file.clone();
            bytes[at] ^= 4;
            damaged.push((format!("bit at {at}"), bytes));
        }
        damaged.push(("longer".to_owned(), [&file.file[..], b"\0end"].concat()));
        for (what, bytes) in damaged {
            let left = rescue(&bytes);
            let (checked, _, _) = run(&["check", "-q"], &bytes);
            let (unpacked, _, _) = run(&["unpack"], &bytes);
            let place = format!("{name}, {what}: {}", left.messages);
            assert_eq!(checked == 0, left.code == 0, "{place}");
            assert_eq!(left.whole, left.code == 0, "{place}");
            if checked == 0 {
                assert_eq!(left.kept, whole.kept, "{place}");
            }
            assert!(
                unpacked != 0 || !left.messages.contains("nothing is left") || left.kept == 0,
                "{place}"
            );
        }
    }
}

/// The last byte of the checksum of zlib (RFC 1950, 2.2), and of gzip (RFC 1952, 2.3.1) before the length.
#[test]
fn a_wrong_checksum_loses_nothing() {
    let mut tried = 0;
    for file in files() {
        let from_end = match file.layers[0].as_str() {
            "zlib" => 1,
            "gzip" => 5,
            _ => continue,
        };
        let whole = rescue(&file.file);
        let mut bytes = file.file.clone();
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        let left = rescue(&bytes);
        assert_eq!(
            (left.kept, left.code),
            (whole.kept, 1),
            "{}: {}",
            file.name,
            left.messages
        );
        assert!(
            left.messages.contains("its checksum is wrong"),
            "{}",
            left.messages
        );
        for command in ["check", "view"] {
            let (code, _, text) = run(&[command], &bytes);
            assert!(
                code == 3 && text.contains("error[WrongChecksum]"),
                "{}: {text}",
                file.name
            );
        }
        tried += 1;
    }
    assert!(tried > 15, "{tried}");
}

/// What unpacks before the cut is recovered. The result has the same layers.
#[test]
fn a_cut_file_leaves_what_comes_before_the_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let mut tried = 0;
    for file in files() {
        // Raw FastLZ has no magic, and a cut has no end to know it by.
        if file.layers.iter().any(|layer| layer.starts_with("fastlz")) {
            continue;
        }
        let cut = &file.file[..file.file.len() * 9 / 10];
        let (code, _, text) = run(&["recover", "-o", out], cut);
        // A block of Zstandard unpacks as a whole (RFC 8878, 3.1.1.2), and these saves are one block.
        if code == 3 && file.layers.iter().any(|layer| layer.contains("zstd")) {
            assert!(text.contains("nothing is left"), "{}: {text}", file.name);
            continue;
        }
        assert_eq!(code, 1, "{}: {text}", file.name);
        let result = fs::read(out).expect("the result");
        let (code, line, _) = run(&["check"], &result);
        assert_eq!(code, 0, "{}: {line}", file.name);
        let (_, info, _) = run(&["info", "--json"], &result);
        let info: Value = serde_json::from_str(&info).expect("JSON");
        tried += usize::from(info["container"].is_string());
        fs::remove_file(out).expect("removed");
    }
    assert!(tried > 20, "{tried}");
}
