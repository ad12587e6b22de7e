//! What happened to a file (wiped, cut, converted) is reported before the error in its bytes.

mod common;

use std::{
    fs::{self, File},
    time::{Duration, Instant},
};

use common::{gdvar, save, stderr, stdout};

/// The bytes of a save.
fn bytes(name: &str) -> Vec<u8> {
    fs::read(save(name)).expect("a save")
}

/// Checks a file that cannot be read, and returns everything that `gdvar check` prints.
fn check(args: &[&str], file: &[u8]) -> String {
    let output = gdvar(&[&["check"], args, &["-"]].concat(), file);
    assert_eq!(output.status.code(), Some(3), "{args:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

/// Fails unless the first error in text output has this name and these words, and the JSON output names
/// the same cause.
#[track_caller]
fn is_said(file: &[u8], name: &str, words: &str) {
    for args in [&[][..], &["-d", "godot4", "-f", "len32"]] {
        let text = check(args, file);
        let text = text.split_once("error[").expect("an error").1;
        assert!(text.starts_with(&format!("{name}]: ")), "{args:?}: {text}");
        assert!(
            text.lines().next().expect("a line").contains(words),
            "{text}"
        );
        assert_eq!(text.matches(&format!("{name}]")).count(), 1, "{text}");
        let json = check(&[&["--json"], args].concat(), file);
        let key = if json.contains(&format!(r#""cause":"{name}""#)) {
            "cause"
        } else {
            "error"
        };
        assert!(json.contains(&format!(r#""{key}":"{name}""#)), "{json}");
    }
}

#[test]
fn bytes_that_were_never_written() {
    let save = bytes("rpg4.sav");
    for byte in [0, 0xff] {
        let wiped = vec![byte; 4096];
        let name = format!("nothing but {byte:02X}");
        is_said(&wiped, "Blank", &name);
        // The records in front are whole.
        let mut replay = bytes("replay4.rec");
        let len = replay.len();
        replay.resize(len + 4096, byte);
        if byte == 0 {
            // Zeros at the end are taken for reserved space: the engine reads all records in front of
            // them.
            let args = ["check", "-d", "godot4", "-f", "len32", "-"];
            let text = stderr(&args, &replay, 0);
            assert!(text.contains("the last 4096 bytes are zeros"), "{text}");
            continue;
        }
        let text = check(&["-d", "godot4", "-f", "len32"], &replay);
        let what = format!("error[Blank]: the rest of the file, 4096 bytes, is {name}");
        assert!(text.contains(&what), "{text}");
        assert!(text.contains(&format!("-:{len:#x}")), "{text}");
    }
    // Half of a save, and then the rest of its blocks on the disk.
    let mut half = save.clone();
    half[30_000..].fill(0);
    // The engine reads a Dictionary in which the zeros became keys and values, and does not read the
    // zeros behind it.
    for command in ["check", "view", "info"] {
        for args in [&["-f", "len32"][..], &["-d", "godot4", "-f", "len32"]] {
            let text = stderr(&[&[command], args, &["-"]].concat(), &half, 1);
            for what in [
                "lost: -: 54 336 bytes after the value",
                "lost: -: 12 entries with a key that was there before",
                "note: -: the rest of the file, 59 45",
            ] {
                assert!(text.contains(what), "{command} {args:?}: {text}");
            }
        }
    }
    // A save that is only cut off, and whose last bytes happen to be zeros, is not reported as zeros.
    let cut = &bytes("voxel4.chunk")[..20_000];
    let text = check(&["-d", "godot4", "-f", "len32"], cut);
    assert!(text.contains("error[Truncated]"), "{text}");
}

#[test]
fn programs_that_take_a_save_for_text() {
    let save = bytes("rpg4.sav");
    let crlf = save.iter().flat_map(|&byte| match byte {
        b'\n' => vec![b'\r', b'\n'],
        _ => vec![byte],
    });
    let crlf: Vec<u8> = crlf.collect();
    is_said(
        &crlf,
        "NewlinesConverted",
        "put 0D in front of every 0A, 130 times",
    );
    let replaced = String::from_utf8_lossy(&save).into_owned();
    is_said(replaced.as_bytes(), "ReplacedByUtf8", "EF BF BD (U+FFFD)");
    let latin1: String = save.iter().map(|&byte| char::from(byte)).collect();
    let text = check(&[], latin1.as_bytes());
    assert!(text.contains("error[Latin1ToUtf8]"), "{text}");
    // In this save, the conversion has left not even one whole record.
    let chunk: String = bytes("voxel4.chunk").into_iter().map(char::from).collect();
    let text = check(&[], chunk.as_bytes());
    assert!(text.contains("error[Latin1ToUtf8]"), "{text}");
    let line = stdout(&["info", "--json", "-"], chunk.as_bytes(), 3);
    assert!(line.contains(r#""cause":"Latin1ToUtf8""#), "{line}");
    // One changed byte is reported as what it is.
    let mut flipped = save;
    flipped[0x100] ^= 0x40;
    let text = gdvar(&["check", "-d", "godot4", "-f", "len32", "-"], &flipped).stdout;
    let text = String::from_utf8(text).expect("UTF-8");
    let causes = [
        "Blank",
        "NewlinesConverted",
        "ReplacedByUtf8",
        "Latin1ToUtf8",
    ];
    assert!(!causes.iter().any(|name| text.contains(name)), "{text}");
}

/// A header of the game's own hides neither the cause nor the repair.
#[test]
fn programs_that_take_a_save_after_a_header_for_text() {
    let save = [b"MYGAME\x02\0\n\0\0\0", &bytes("rpg4.sav")[..]].concat();
    let whole = stdout(&["check", "-"], &save, 0);
    assert!(whole.contains("ok"), "{whole}");
    let crlf = save.iter().flat_map(|&byte| match byte {
        b'\n' => vec![b'\r', b'\n'],
        _ => vec![byte],
    });
    let latin1: String = save.iter().map(|&byte| char::from(byte)).collect();
    for (file, name) in [
        (crlf.collect(), "NewlinesConverted"),
        (latin1.into_bytes(), "Latin1ToUtf8"),
    ] {
        let text = check(&[], &file);
        assert!(text.contains(&format!("error[{name}]")), "{text}");
        let fixed = gdvar(&["recover", "-o", "-", "-"], &file);
        assert_eq!(fixed.status.code(), Some(1), "{name}");
        assert!(fixed.stdout == save, "{name}: {}", fixed.stdout.len());
    }
}

/// The length in front of a value was converted, and looks like a header now. The value is ASCII and still whole.
#[test]
fn a_converted_length_that_looks_like_a_header() {
    // store_var({"name": "xx…"}), 132 bytes
    let mut save = vec![0x84, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0];
    save.extend(b"\x04\0\0\0\x04\0\0\0name\x04\0\0\0\x68\0\0\0");
    save.extend([b'x'; 104]);
    let latin1: String = save.iter().map(|&byte| char::from(byte)).collect();
    for command in ["check", "view", "info"] {
        let text = stderr(&[command, "-"], latin1.as_bytes(), 0);
        assert!(
            text.contains("gdvar recover undoes it"),
            "{command}: {text}"
        );
        let text = stderr(&[command, "-"], &save, 0);
        assert!(!text.contains("recover"), "{command}: {text}");
    }
    let fixed = gdvar(&["recover", "-o", "-", "-"], latin1.as_bytes());
    assert!(fixed.stdout == save);
}

#[test]
fn other_kinds_of_files() {
    for (file, name) in [
        (&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], "Png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01", "Jpeg"),
        (b"OggS\0\x02\0\0\0\0", "Ogg"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0", "Program"),
        (b"PK\x03\x04\x14\0\0\0\x08\0", "Zip"),
        (b"SQLite format 3\0\x10\0\x01\x01", "Sqlite"),
        (b"GDPC\x03\0\0\0\x04\0\0\0", "Pack"),
        (b"{\"hp\": 80}\n", "Json"),
        (b"{1: 2}\n", "VarToStr"),
        (b"[2026-11-23 10:00:00] loaded slot 1\n", "Text"),
    ] {
        is_said(file, name, "this is ");
    }
    let folder = gdvar_conformance::vectors::testdata("scripts");
    let cache = fs::read(folder.join("uid_cache.bin")).expect("a file");
    is_said(&cache, "UidCache", "uid_cache.bin");
}

/// A file of zeros once printed one line for every four zero bytes.
#[test]
fn gigabytes_of_zeros_are_one_problem() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("zeros.dat");
    let file = File::create(&path).expect("a file");
    // Without blocks on the disk.
    file.set_len(256 << 20).expect("a sparse file");
    let path = path.to_str().expect("UTF-8");
    let len32 = ["-d", "godot4", "-f", "len32"];
    for (command, code) in [
        (vec!["check"], 3),
        (vec!["check", "--json"], 3),
        (vec!["info"], 3),
        ([&["check"], &len32[..]].concat(), 3),
        ([&["check", "--json"], &len32[..]].concat(), 3),
        ([&["check", "-f", "len32be"], &len32[..2]].concat(), 3),
        ([&["view"], &len32[..]].concat(), 3),
        ([&["info"], &len32[..]].concat(), 3),
        (
            [
                &["convert", "--to", "godot4", "--out-framing", "hex"],
                &len32[..],
            ]
            .concat(),
            3,
        ),
    ] {
        let begun = Instant::now();
        let output = gdvar(&[&command[..], &[path]].concat(), b"");
        assert_eq!(output.status.code(), Some(code), "{command:?}");
        let lines = [output.stdout, output.stderr].concat();
        let lines = lines.iter().filter(|&&byte| byte == b'\n').count();
        assert!(lines < 20, "{command:?}: {lines} lines");
        assert!(begun.elapsed() < Duration::from_secs(300), "{command:?}");
    }
}

#[test]
fn problems_are_counted_and_not_all_shown() {
    // Each record is a type that is none.
    let file = b"\x04\0\0\0\xfe\0\0\0".repeat(5000);
    let len32 = ["-d", "godot4", "-f", "len32", "-"];
    let shown = |args: &[&str], what: &str| {
        let output = gdvar(&[args, &len32].concat(), &file);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        (text.matches(what).count(), text)
    };
    let (count, text) = shown(&["check"], "error[UnknownType]");
    assert_eq!(count, 10);
    assert!(
        text.contains("… and 4990 more bad records, not shown; --max-errors 0"),
        "{text}"
    );
    assert_eq!(
        shown(&["check", "--max-errors", "3"], "error[UnknownType]").0,
        3
    );
    assert_eq!(
        shown(&["check", "--max-errors", "0"], "error[UnknownType]").0,
        5000
    );
    let (count, text) = shown(&["check", "--json"], "UnknownType");
    assert_eq!((count, text.lines().count()), (1000, 1001));
    assert!(text.ends_with("\"ok\":false,\"error\":\"MoreErrors\",\"more\":4000}\n"));
    let (count, text) = shown(&["view"], "error[UnknownType]");
    assert_eq!((count, text.matches("# record").count()), (10, 10));
    assert!(text.contains("… and 4990 more bad records"), "{text}");
    let convert = ["convert", "--to", "godot4", "--out-framing", "hex"];
    assert_eq!(shown(&convert, "error[UnknownType]").0, 10);
}

/// A file of `testdata/around`, made by an engine.
fn around(name: &str) -> Vec<u8> {
    let folder = gdvar_conformance::vectors::testdata("around");
    fs::read(folder.join(name)).expect("a file")
}

/// `store_var` with `big_endian` set (Godot 3: `endian_swap`): docs/FORMAT.md §7.1.
#[test]
fn big_endian_lengths_are_read() {
    for (name, dialect) in [("big4.dat", "godot4"), ("big3.dat", "godot3")] {
        let big = around(name);
        for args in [&["-d", dialect][..], &["-d", dialect, "-f", "len32be"]] {
            let args = [args, &["view", "--format", "line", "-"]].concat();
            let values = "\"hello, world!\"\n{\"hp\": 80, \"pos\": Vector2(10, 20)}\n";
            assert_eq!(stdout(&args, &big, 0), values, "{name}");
        }
        let info = stdout(&["info", "-d", dialect, "-"], &big, 0);
        assert!(
            info.contains("len32be: each value after its big-endian"),
            "{info}"
        );
        let text = stdout(&["check", "-d", dialect, "-"], &big, 0);
        assert!(
            text.contains(&format!("2 records ({dialect}, len32be)")),
            "{text}"
        );
        let output = gdvar(&["check", "-d", dialect, "-f", "len32", "-"], &big);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("try --framing len32be"), "{text}");
        // It is written as it was, and from one order to the other.
        let convert = ["convert", "--to", dialect, "-d", dialect];
        assert_eq!(gdvar(&[&convert[..], &["-"]].concat(), &big).stdout, big);
        let to = |framing, file: &[u8]| {
            let args = [&convert[..], &["--out-framing", framing, "-"]].concat();
            gdvar(&args, file).stdout
        };
        let little = to("len32", &big);
        assert_eq!(little[..4], [0x18, 0, 0, 0]);
        assert_eq!(to("len32be", &little), big);
    }
}

#[test]
fn headers_of_games_are_skipped() {
    let save = bytes("camp4.sav");
    let file = [b"GAME\x07\0", &save[..]].concat();
    let text = stdout(&["check", "--skip", "6", "-"], &file, 0);
    assert_eq!(text, "-: ok, 3 records (godot4, len32)\n");
    // Offsets count from the start of the file.
    let text = stdout(&["view", "--offset", "0x6", "--offsets", "-"], &file, 0);
    assert!(
        text.contains("# record 0, at 0xa,") && text.contains("\n0000000a  Dict"),
        "{text}"
    );
    let cut = &file[..file.len() - 2];
    let text = stdout(&["check", "--json", "--skip", "6", "-"], cut, 3);
    let end = format!("\"error\":\"Truncated\",\"offset\":{}", file.len() - 4);
    assert!(
        text.contains("\"record\":2,\"ok\":false") && text.contains(&end),
        "{text}"
    );
    let text = stderr(&["check", "--skip", "100000", "-"], &file, 2);
    assert!(
        text.contains("--skip 100000 is more than there is"),
        "{text}"
    );
    // A header of the game's own stays in front.
    let convert = ["convert", "--skip", "6", "--to", "godot4", "-"];
    assert_eq!(gdvar(&convert, &file).stdout, file);
    // In front of a compressed file, and inside of one.
    let packed = bytes("camp4.zstd.gcpf");
    let packed = [b"GAME\x07\0", &packed[..]].concat();
    stdout(&["check", "--skip", "6", "-"], &packed, 0);
    let inside = gdvar(&["pack", "--mode", "zstd", "-"], &file).stdout;
    stdout(&["check", "--skip", "6", "-"], &inside, 0);
}

/// `bytes.encode_var(4, {"hp": 80})`, with other bytes in front and behind.
#[test]
fn values_inside_byte_arrays_are_read() {
    let args = ["-f", "bare", "-d", "godot4", "get", "-", "hp", "--skip"];
    let get = |skip: &str, file: &[u8]| stdout(&[&args[..], &[skip]].concat(), file, 0);
    assert_eq!(get("4", &around("encode_var4.dat")), "80\n");
    // The array itself is stored: `view --offsets` says where it is, its bytes begin eight later.
    let file = around("blob4.sav");
    let view = ["view", "--offsets", "-d", "godot4", "-f", "len32", "-"];
    let text = stdout(&view, &file, 0);
    assert!(
        text.contains("\n00000018    blob: PackedByteArray[64]"),
        "{text}"
    );
    assert_eq!(get("0x24", &file), "80\n");
}
