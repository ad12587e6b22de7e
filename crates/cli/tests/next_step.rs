//! The advice in messages can be followed, and helps. The files and mistakes are those of people who use gdvar for the
//! first time.

mod common;

use std::{fs, path::Path, process::Command};

use common::{gdvar, save, stderr, stdout};

fn bytes(name: &str) -> Vec<u8> {
    fs::read(save(name)).expect("a save")
}

/// Runs a command on bytes that it refuses, and returns everything that it prints.
#[track_caller]
fn told(args: &[&str], file: &[u8]) -> String {
    let output = gdvar(args, file);
    assert_ne!(output.status.code(), Some(0), "{args:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

fn from_hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    let digits = pairs.map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    digits
        .map(|pair| u8::from_str_radix(pair, 16).expect("hex"))
        .collect()
}

/// `store_32(4); store_var({"hp": 80, "pos": Vector2(10, 20)})`, as Godot 4.6.3 wrote it. Its first eight bytes begin a
/// String that reaches to the end of the file, with a NUL in it. 4.6.3 and 3.6.2 read such a String up to the NUL, and
/// write none: `char(0)` becomes U+FFFD there, and is dropped here.
#[test]
fn version_4_before_a_record_is_a_header() {
    let file = from_hex(
        "04000000340000001b000000020000000400000002000000687000000200000050000000\
         0400000003000000706f730005000000000020410000a041",
    );
    assert_eq!(stdout(&["get", "-q", "-", "hp"], &file, 0), "80\n");
    let note = stderr(&["check", "-"], &file, 0);
    assert!(note.contains("--skip 4"), "{note}");
    // A length that begins with the letters "ha": 8 bytes, and 0x616 texts of 16 bytes.
    let mut long = from_hex("04000000686100001c00000016060000");
    long.extend(b"\x04\0\0\0\x08\0\0\0abcdefgh".repeat(0x616));
    let note = stderr(&["check", "-"], &long, 0);
    assert!(note.contains("--skip 4"), "{note}");
}

/// The settings of a game that ended in the middle of a file.
#[test]
fn a_text_that_is_cut_has_a_name_and_an_advice() {
    let text = b"[video]\n\nmode=1\nsize=Vector2i(640,";
    let error = told(&["check", "-"], text);
    assert!(error.contains("error[BadText]: a ConfigFile"), "{error}");
    assert!(error.contains("line 4, column"), "{error}");
    assert!(error.contains("help: open it in a text editor"), "{error}");
    let line = told(&["check", "--json", "-"], text);
    assert!(line.contains(r#""error":"BadText""#), "{line}");
    assert!(line.contains("line 4, column"), "{line}");
}

/// A scene after a merge that lost a line: its values can be read, and no engine loads it.
#[test]
fn check_says_why_no_engine_loads_a_scene() {
    let text =
        b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1_a\")\n";
    let error = told(&["check", "-"], text);
    let reason =
        "a scene with an error, line 4, column 10: no tag above defines ExtResource(\"1_a\")";
    assert!(error.contains(reason), "{error}");
    assert!(error.contains("help: open it in a text editor"), "{error}");
    let line = told(&["check", "--json", "-"], text);
    assert!(line.contains(r#""error":"BadText""#), "{line}");
    assert!(line.contains("line 4, column 10"), "{line}");
    // Other commands show it.
    assert_eq!(stderr(&["view", "--no-pager", "-"], text, 0), "");
}

#[test]
fn recover_says_what_it_cannot_repair() {
    let resource = gdvar_conformance::vectors::testdata("resources/godot4/refs.res");
    let resource = fs::read(resource).expect("a resource");
    let cases = [
        (b"[a]\nb=[1, 2".to_vec(), "a text editor mends it"),
        (b"{\"hp\": [1, 2".to_vec(), "files end up like this"),
        (vec![0; 4096], "look for an older copy"),
        (resource[..resource.len() - 60].to_vec(), "an older copy"),
    ];
    for (file, advice) in cases {
        let error = told(&["recover", "-n", "-"], &file);
        assert!(error.contains(advice), "{error}");
        assert_eq!(error.matches("= help:").count(), 1, "{error}");
        assert!(!error.contains("-d godot4 -f len32"), "{error}");
        assert!(!error.contains("inside another file"), "{error}");
    }
}

#[test]
fn recover_rescues_what_the_message_says() {
    let save = bytes("camp4.sav");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (whole, cut) = (path("whole.txt"), path("cut.txt"));
    // One record, as Marshalls.variant_to_base64 writes it.
    let value = &save[4..4 + 0x3ac8];
    fs::write(path("value"), value).expect("space");
    let convert = ["convert", "-q", "--to", "godot4", "--out-framing", "base64"];
    stdout(
        &[&convert[..], &[&path("value"), "-o", &whole]].concat(),
        b"",
        0,
    );
    let line = fs::read(&whole).expect("a line");
    let back = path("back.txt");
    for end in line.len() / 2..line.len() / 2 + 4 {
        fs::write(&cut, &line[..end]).expect("space");
        let error = told(&["check", &cut], b"");
        assert!(error.contains("gdvar recover"), "{error}");
        let named: &[&str] = match error.contains("gdvar recover --encoding base64") {
            true => &["--encoding", "base64"],
            false => &[],
        };
        let args = [&["recover"], named, &[&cut, "-o", &back]].concat();
        stderr(&args, b"", 1);
        stdout(&["check", "-q", "--strict", &back], b"", 0);
    }

    // A block without its beginning, a block that is damaged, and a file that ends in the middle of one. Four lengths
    // of blocks are before the first block.
    let packed = bytes("camp4.zstd.gcpf");
    let first = u32::from_le_bytes(packed[16..20].try_into().expect("four bytes"));
    let second = 32 + first as usize;
    let (mut headless, mut damaged) = (packed.clone(), packed.clone());
    headless[second..second + 4].fill(0);
    damaged[second + 20..second + 60].fill(0xff);
    for (file, name) in [
        (headless, "Impossible"),
        (damaged, "BadBlock"),
        (packed[..2500].to_vec(), "Truncated"),
    ] {
        let error = told(&["check", "-"], &file);
        assert!(error.contains(&format!("error[{name}]")), "{error}");
        assert!(error.contains("gdvar recover takes"), "{error}");
        let left = stderr(&["recover", "-n", "-"], &file, 1);
        assert!(left.contains("kept"), "{left}");
    }
}

/// `open_encrypted_with_pass` and `store_line(to_json({"gold": 3}))`, as Godot 3.6.2 wrote it.
#[test]
fn json_in_an_encrypted_file_is_taken_out() {
    let file = from_hex(
        "4744454301000000d05dd96a993b5413b36a9ad693b0ae4b0b0000000000000056a0a91dde95c4fa595f8a4879f66ca9",
    );
    let error = told(&["view", "--password", "hunter2", "-"], &file);
    assert!(error.contains("this is JSON"), "{error}");
    assert!(error.contains("encrypted"), "{error}");
    assert!(error.contains("gdvar unpack takes it out"), "{error}");
    let text = stdout(
        &["unpack", "-q", "--password", "hunter2", "-", "-o", "-"],
        &file,
        0,
    );
    assert_eq!(text, "{\"gold\":3}\n");
}

/// The manual of Godot 4 saves a game as a line of JSON for each node.
#[test]
fn lines_of_json_are_json() {
    let error = told(
        &["view", "-"],
        b"{\"hp\":3,\"node\":\"player\"}\n{\"hp\":5}\n",
    );
    assert!(
        error.contains("error[Json]: this is JSON, one value on each line"),
        "{error}"
    );
    let error = told(&["view", "-"], b"{\"hp\":3}\nand more\n");
    assert!(error.contains("error[Text]"), "{error}");
}

#[test]
fn a_wrong_value_or_path_is_answered_with_the_right_one() {
    let file = bytes("rpg4.sav");
    for (args, advice) in [
        (
            ["set", "-", "party[0].name='Bob'"],
            "write text in quotes: '\"Bob\"'",
        ),
        (
            ["set", "-", "party[0].pos=(1, 2)"],
            "for instance Vector2(1, 2)",
        ),
        (
            ["set", "-", "party/hp=5"],
            "dots separate names: 'party.hp=5'",
        ),
        (["insert", "-", "party={}"], "gdvar append adds an element"),
        (["append", "-", "version"], "write PATH=VALUE"),
    ] {
        let error = stderr(&[&args[..], &["-n"]].concat(), &file, 1);
        assert!(error.contains(advice), "{error}");
    }
}

#[test]
fn an_archive_is_to_be_unpacked_before_it_is_scanned() {
    let error = told(&["scan", "-"], b"7z\xbc\xaf\x27\x1c and more");
    assert!(
        error.contains("a 7z archive: unpack it and scan the folder"),
        "{error}"
    );
}

/// On a terminal each error has a link to its place on the page that explains it. The names of that page are tested in
/// crates/conformance/tests/documents/links.rs.
#[cfg(target_os = "linux")]
#[test]
fn a_person_gets_a_link_to_the_error_and_a_program_does_not() {
    let file = &bytes("rpg4.sav")[..3000];
    let link = "https://github.com/gdvar/gdvar/blob/main/docs/guide/errors.md#truncated";
    assert!(!told(&["check", "-"], file).contains("https://"));
    let page = link.trim_end_matches("#truncated");
    assert!(told(&["explain", "Truncated"], b"").contains(page));
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no script of util-linux");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("cut.sav"), file).expect("space");
    let command = format!(
        "'{}' check cut.sav",
        Path::new(env!("CARGO_BIN_EXE_gdvar")).display()
    );
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("PAGER", "cat")
        .current_dir(folder.path())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script of util-linux runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(link), "{shown}");
}

/// Errors name no temporary files, neither the new file of `-o` nor the files that git makes for a merge.
#[test]
fn messages_name_what_the_user_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("slot.sav");
    fs::write(&input, common::SLOT).expect("space");
    let (input, out) = (common::path(&input), folder.path().join("nodir/x.csv"));
    let out = common::path(&out);
    for args in [
        &["set", input, "hp=1", "-o", out][..],
        &["convert", "--to", "godot3", input, "-o", out],
        &["table", "--columns", "hp", input, "-o", out],
        &["records", "extract", input, "0", "-o", out],
    ] {
        let error = stderr(args, b"", 6);
        assert!(
            error.contains("x.csv: cannot be written: there is no folder"),
            "{error}"
        );
        assert!(!error.contains(".gdvar-"), "{error}");
    }
    let damaged = folder.path().join(".merge_file_a");
    fs::write(&damaged, &common::SLOT[..40]).expect("space");
    let damaged = common::path(&damaged);
    for (n, side) in ["base", "ours", "theirs"].into_iter().enumerate() {
        let mut args = ["-d", "godot4", "merge", input, input, input];
        args[3 + n] = damaged;
        let error = stderr(&args, b"", 3);
        assert!(
            error.contains(&format!("nothing was merged: {side} cannot be read")),
            "{error}"
        );
    }
}
