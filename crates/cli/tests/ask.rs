//! `get` of many files, `grep`, `scan`, `records`, the ways that bytes are written in, and the shell.

mod common;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    time::Duration,
};

use common::{gdvar, path, save, stderr, stdout};
use serde_json::Value;

/// `store_var({"hp": 80, "pos": Vector2(10, 20)})`.
const SLOT: &[u8] = b"\x34\0\0\0\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
\x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";

/// `store_var({"name": TEXT})` of Godot 4.
fn named(text: &str) -> Vec<u8> {
    let string = |text: &str| {
        let mut out = [4_u32.to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
        out.extend(text.as_bytes());
        out.resize(out.len().next_multiple_of(4), 0);
        out
    };
    let value = [&b"\x1b\0\0\0\x01\0\0\0"[..], &string("name"), &string(text)].concat();
    [&(value.len() as u32).to_le_bytes()[..], &value].concat()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn tables_have_a_row_for_every_value_and_every_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("space");
    put("a.dat", &named("say \"hi\", twice\n"));
    put("b.dat", &[named("one"), named("two")].concat());
    put("c.dat", SLOT);
    put(".hidden", SLOT);
    let dir = path(folder.path());
    let table = stdout(&["get", dir, "-p", "name", "--csv"], b"", 1);
    let expected = format!(
        "file,record,path,value\n\
         {dir}/a.dat,0,$.name,\"say \"\"hi\"\", twice\n\"\n\
         {dir}/b.dat,0,$.name,one\n\
         {dir}/b.dat,1,$.name,two\n\
         {dir}/c.dat,0,$.name,\n"
    );
    assert_eq!(table, expected);
    let gone = format!("{dir}/gone.dat");
    let c = format!("{dir}/c.dat");
    let tsv = stdout(
        &["get", &c, &gone, "-p", "pos.y", "-p", "hp", "--tsv"],
        b"",
        6,
    );
    let expected = format!(
        "file\trecord\tpath\tvalue\n{c}\t0\t$.pos.y\t20\n{c}\t0\t$.hp\t80\n{gone}\t\t$.pos.y\t\n{gone}\t\t$.hp\t\n"
    );
    assert_eq!(tsv, expected);
    let rows = lines(&stdout(
        &["get", &c, &gone, "-p", "pos", "--json-lines"],
        b"",
        6,
    ));
    assert_eq!(rows[0]["schema"], 1);
    assert_eq!(rows[0]["value"], serde_json::json!([10.0, 20.0]));
    assert_eq!(rows[0]["type"], "Vector2");
    assert_eq!(rows[1]["error"], "NotRead");
    // A default takes the place of what is not there.
    assert_eq!(
        stdout(&["get", &c, "gold", "--default", "0"], b"", 0),
        "0\n"
    );
    let row = stdout(
        &["get", &c, "-p", "gold", "--default", "0", "--csv"],
        b"",
        0,
    );
    assert!(row.ends_with(",0,$.gold,0\n"), "{row}");
    // The bytes of the value, and nothing else.
    assert_eq!(
        gdvar(&["get", &c, "pos", "--raw"], b"").stdout,
        &SLOT[SLOT.len() - 12..]
    );
    // Standard input where no file is named.
    assert_eq!(stdout(&["get", "hp"], SLOT, 0), "80\n");
    assert_eq!(stdout(&["get", "-p", "hp"], SLOT, 0), "80\n");
}

/// With more files than threads read at once, the results still come in the order of the files.
#[test]
fn many_files_come_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = 700;
    for n in 0..count {
        let name = folder.path().join(format!("{n:04}.dat"));
        fs::write(name, named(&format!("player {n}"))).expect("space");
    }
    let dir = path(folder.path());
    let table = stdout(&["get", dir, "-p", "name", "--csv"], b"", 0);
    for (n, row) in table.lines().skip(1).enumerate() {
        assert_eq!(row, format!("{dir}/{n:04}.dat,0,$.name,player {n}"));
    }
    assert_eq!(table.lines().count(), count + 1);
    let checked = stdout(&["check", "-q", dir], b"", 0);
    assert_eq!(checked, "");
    assert!(stdout(&["check", dir], b"", 0).ends_with("700 files: 700 ok\n"));
}

#[test]
fn grep_finds_keys_and_values() {
    let rpg = save("rpg4.sav");
    let rpg = path(&rpg);
    let grep = |args: &[&str], code| stdout(&[&["grep"], args].concat(), SLOT, code);
    assert_eq!(grep(&["hp"], 0), "hp = 80\n");
    assert_eq!(grep(&["80"], 0), "hp = 80\n");
    assert_eq!(grep(&["-k", "80"], 1), "");
    assert_eq!(grep(&["--values", "hp"], 1), "");
    assert_eq!(grep(&["HP"], 1), "");
    assert_eq!(grep(&["-i", "HP"], 0), "hp = 80\n");
    assert_eq!(grep(&["-v", "hp"], 0), "pos = Vector2(10, 20)\n");
    assert_eq!(
        grep(&["--type", "vector2", ""], 0),
        "pos = Vector2(10, 20)\n"
    );
    assert_eq!(grep(&["--range", "..80", ""], 0), "hp = 80\n");
    assert_eq!(grep(&["--range", "81..", ""], 1), "");
    assert_eq!(grep(&["-F", "Vector2(10"], 0), "pos = Vector2(10, 20)\n");
    assert_eq!(grep(&["-c", "."], 0), "2\n");
    let found = stdout(
        &["grep", "-l", "Aldis", rpg, path(&save("exact4.sav"))],
        b"",
        0,
    );
    assert_eq!(found, format!("{rpg}\n"));
    // Each path that is printed leads to what is printed.
    for line in stdout(&["grep", "Aldis", rpg], b"", 0).lines() {
        let (at, value) = line.split_once(" = ").expect("a path");
        let got = stdout(&["get", rpg, at], b"", 0);
        let same = value.trim_matches('"') == got.trim_end() || value.starts_with('^');
        assert!(same, "{line} {got}");
    }
    let text = stderr(&["grep", "(", rpg], b"", 2);
    assert!(text.contains("unclosed group"), "{text}");
    let row = &lines(&grep(&["--json-lines", "hp"], 0))[0];
    assert_eq!((&row["path"], &row["type"]), (&"hp".into(), &"Int".into()));
}

#[test]
fn scan_refuses_objects_and_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("space");
    put("clean.dat", SLOT);
    put("cut.dat", &SLOT[..50]);
    put("evil.dat", &fs::read(save("objects4.sav")).expect("a save"));
    put("cover.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let dir = path(folder.path());
    let text = stdout(&["scan", dir], b"", 5);
    assert!(text.contains("evil.dat: code at 0x64 $.script"), "{text}");
    assert!(text.contains("(Object Resource)"), "{text}");
    assert!(text.contains("cut.dat: damaged"), "{text}");
    assert!(
        text.ends_with("4 files: 1 clean, 1 code, 1 damaged, 1 unread\n"),
        "{text}"
    );
    let rows = lines(&stdout(&["scan", "--json-lines", dir], b"", 5));
    let states: Vec<_> = rows
        .iter()
        .map(|row| row["state"].as_str().expect("a state"))
        .collect();
    assert_eq!(states, ["clean", "unread", "damaged", "code"]);
    assert!(rows.iter().all(|row| row["schema"] == 1));
    let sarif: Value =
        serde_json::from_str(&stdout(&["scan", "--sarif", dir], b"", 5)).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    assert_eq!(results[2]["ruleId"], "Code");
    let place = &results[2]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["byteOffset"], 100);
    // Objects that are let in are not a finding, unless they come with a script.
    let evil = format!("{dir}/evil.dat");
    stdout(&["scan", "--objects", "inert", &evil], b"", 5);
    put(
        "event.dat",
        b"\x18\0\0\0\x04\0\0\0Node\x01\0\0\0\x04\0\0\0name\x02\0\0\0\x05\0\0\0",
    );
    let event = format!("{dir}/event.dat");
    stdout(&["scan", "-d", "4", &event], b"", 5);
    stdout(&["scan", "-d", "4", "--objects", "inert", &event], b"", 0);
}

/// A folder of saves also holds other files, which `check` counts but does not call damaged.
#[test]
fn check_passes_over_what_is_no_save_in_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("space");
    put(
        "README.txt",
        b"These are my saves, please do not delete them!\n",
    );
    put("cover.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    put("clean.dat", SLOT);
    let dir = path(folder.path());
    let text = stdout(&["check", dir], b"", 0);
    assert!(
        text.ends_with("3 files: 1 ok, 2 without values\n"),
        "{text}"
    );
    // A file that is named on the command line has to be a save.
    stdout(&["check", path(&folder.path().join("README.txt"))], b"", 3);
    // A wiped save counts as a damaged save, not as another file. A folder without any save is not
    // called in order.
    put("wiped.dat", &[0; 64]);
    stdout(&["check", dir], b"", 3);
    for name in ["wiped.dat", "clean.dat"] {
        fs::remove_file(folder.path().join(name)).expect("a file");
    }
    stdout(&["check", dir], b"", 1);
}

/// `-r` chooses a record in every command that prints values, and each of them takes a folder.
#[test]
fn commands_take_a_record_and_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = [named("one"), named("two"), named("three")].concat();
    fs::write(folder.path().join("a.dat"), &all).expect("space");
    fs::write(folder.path().join("b.dat"), &all).expect("space");
    let dir = path(folder.path());
    let file = folder.path().join("a.dat");
    let file = path(&file);
    for (verb, words) in [
        ("view", vec!["view", "-r"]),
        ("hex", vec!["hex", "-r"]),
        ("get", vec!["get", "-p", "$", "-r"]),
        ("grep", vec!["grep", "t", "-r"]),
        ("query", vec!["query", ".", "--record"]),
    ] {
        let run = |number: &str, code| {
            let text = stdout(&[&words[..], &[number, file]].concat(), b"", code);
            (
                text.contains("one"),
                text.contains("two"),
                text.contains("three"),
            )
        };
        assert_eq!(run("1", 0), (false, true, false), "{verb}");
        assert_eq!(run("-1", 0), (false, false, true), "{verb}");
        assert_eq!(run("3", 1), (false, false, false), "{verb}");
        let text = stdout(&[&words[..], &["1", dir]].concat(), b"", 0);
        assert!(text.matches("two").count() >= 2, "{verb}: {text}");
    }
}

#[test]
fn records_come_apart_and_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.dat");
    let all = [named("one"), named("two"), named("three")].concat();
    fs::write(&file, &all).expect("space");
    let parts = folder.path().join("parts");
    stdout(
        &["records", "split", path(&file), "-o", path(&parts)],
        b"",
        0,
    );
    assert_eq!(
        fs::read(parts.join("0001.dat")).expect("written"),
        named("two")
    );
    let again = folder.path().join("again.dat");
    stdout(
        &["records", "join", path(&parts), "-o", path(&again)],
        b"",
        0,
    );
    assert_eq!(fs::read(&again).expect("written"), all);
    let bare = gdvar(&["records", "extract", path(&file), "-1", "--bare"], b"").stdout;
    assert_eq!(bare, named("three")[4..]);
    stderr(&["records", "extract", path(&file), "3"], b"", 1);
    let listed = lines(&stdout(&["records", "list", "--json", path(&file)], b"", 0));
    let offsets: Vec<_> = listed
        .iter()
        .map(|row| row["offset"].as_u64().expect("a number"))
        .collect();
    assert_eq!(offsets, [4, 4 + 36, 4 + 72]);
}

/// Records are listed while a game writes them, and the command ends when the file is gone.
#[test]
fn records_are_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("replay.rec");
    fs::write(&file, named("one")).expect("space");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args([
            "-q",
            "-d",
            "4",
            "-f",
            "len32",
            "--json",
            "records",
            "list",
            "--follow",
            path(&file),
        ])
        .stdout(Stdio::piped())
        .spawn()
        .expect("gdvar runs");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut next = || {
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        line
    };
    assert!(next().contains("\"record\":0"));
    let two = named("two");
    let mut writer = fs::OpenOptions::new()
        .append(true)
        .open(&file)
        .expect("there");
    writer.write_all(&two[..10]).expect("space");
    std::thread::sleep(Duration::from_millis(250));
    writer.write_all(&two[10..]).expect("space");
    assert!(next().contains("\"record\":1"));
    fs::remove_file(&file).expect("there");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn bytes_are_read_as_people_have_them() {
    let hex: String = SLOT.iter().map(|byte| format!("{byte:02x}")).collect();
    let array = format!("{SLOT:?}");
    assert_eq!(stdout(&["-q", "get", "hp"], array.as_bytes(), 0), "80\n");
    let base64 = stdout(
        &["convert", "--to", "4", "--out-framing", "base64", "-"],
        SLOT,
        0,
    );
    assert_eq!(
        stdout(
            &["get", "hp", "-d", "4", "-f", "base64"],
            base64.as_bytes(),
            0
        ),
        "80\n"
    );
    let log = format!("[12:03] recv peer 2: {} (reliable)\n", &hex[8..]);
    assert_eq!(
        stdout(&["get", "hp", "--encoding", "hex"], log.as_bytes(), 0),
        "80\n"
    );
    assert_eq!(
        stdout(
            &["get", "hp", "--encoding", "hex", "-f", "len32"],
            hex.as_bytes(),
            0
        ),
        "80\n"
    );
    assert_eq!(
        stdout(&["get", &format!("hex:{hex}"), "hp"], b"", 0),
        "80\n"
    );
    let text = stderr(&["get", "hp", "--encoding", "array"], b"[1, x]", 3);
    assert!(
        text.contains("line 1: this is not --encoding array"),
        "{text}"
    );
    // Digits with the length in front are recognised.
    let text = stderr(&["get", "hp", "-d", "4", "-f", "hex"], hex.as_bytes(), 3);
    assert!(text.contains("--encoding hex --framing len32"), "{text}");
}

/// A line is shown before the next one comes.
#[test]
fn lines_are_shown_while_they_come() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["view", "-d", "4", "-f", "hex", "--format", "line"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdvar runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    for n in 1..4 {
        writeln!(stdin, "# a remark\n020000000{n}000000").expect("it reads");
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        assert_eq!(line, format!("{n}\n"));
    }
    writeln!(stdin, "0200").expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(errors.contains("-, line 7,"), "{errors}");
    assert_eq!(output.status.code(), Some(3));
}

/// Sizes, the password of the environment, help of one screen, completions and manual pages.
#[test]
fn the_shell_is_at_home() {
    let help = stdout(&["-h"], b"", 0);
    assert!(help.lines().count() <= 25, "{help}");
    assert!(
        help.lines().all(|line| line.chars().count() <= 100),
        "{help}"
    );
    let all = stdout(&["options"], b"", 0);
    for option in [
        "--dialect",
        "--framing",
        "--encoding",
        "--password-stdin",
        "--max-unpacked",
    ] {
        assert!(all.contains(option), "{option}");
        assert!(!stdout(&["get", "-h"], b"", 0).contains(option), "{option}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&["completions", shell], b"", 0);
        assert!(
            script.contains("gdvar") && script.contains("json-lines"),
            "{shell}"
        );
    }
    if let Ok(mut bash) = Command::new("bash")
        .args(["-n"])
        .stdin(Stdio::piped())
        .spawn()
    {
        let script = stdout(&["completions", "bash"], b"", 0);
        bash.stdin
            .take()
            .expect("a pipe")
            .write_all(script.as_bytes())
            .expect("it reads");
        assert!(bash.wait().expect("it ends").success());
    }
    let folder = tempfile::tempdir().expect("a folder");
    stdout(&["man", "--dir", path(folder.path())], b"", 0);
    let page = fs::read_to_string(folder.path().join("gdvar-get.1")).expect("a page");
    assert!(page.contains(".TH") && page.contains("\\-\\-csv"), "{page}");
    let locked = save("camp4.pass.gdec");
    let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["check", path(&locked)])
        .env("GDVAR_PASSWORD", "correct horse battery staple 42")
        .output()
        .expect("gdvar runs");
    assert!(output.status.success());
    let packed = save("camp4.zstd.gcpf");
    stdout(&["check", "--max-unpacked", "16K", path(&packed)], b"", 0);
    stderr(&["check", "--max-unpacked", "15K", path(&packed)], b"", 4);
    stderr(&["check", "--max-unpacked", "15Q", path(&packed)], b"", 2);
    // A file alone.
    let text = stdout(&["-"], SLOT, 0);
    assert!(
        text.contains("  verdict   ok\n") && text.ends_with("  hp: 80\n  pos: Vector2(10, 20)\n"),
        "{text}"
    );
    let text = stdout(&[path(&save("rpg4.sav"))], b"", 0);
    assert!(
        text.lines().count() < 40 && text.contains("more lines: gdvar view"),
        "{text}"
    );
}

#[test]
fn queries_are_those_of_jq() {
    let rpg = save("rpg4.sav");
    let rpg = path(&rpg);
    assert_eq!(stdout(&["query", ".hp * 2"], SLOT, 0), "160\n");
    assert_eq!(
        stdout(&["query", "."], SLOT, 0),
        "{\"hp\":80,\"pos\":[10.0,20.0]}\n"
    );
    let names = stdout(
        &["query", "-r", ".party | map(.name) | sort | .[]", rpg],
        b"",
        0,
    );
    let mut expected: Vec<_> = stdout(&["get", rpg, "party[*].name"], b"", 0)
        .lines()
        .map(str::to_owned)
        .collect();
    expected.sort();
    assert_eq!(names.lines().collect::<Vec<_>>(), expected);
    assert_eq!(
        stdout(&["query", "--at", "party[0].hp", ".", rpg], b"", 0),
        "119\n"
    );
    // In `query`, ints can be larger than 64 bits.
    let most = b"[9223372036854775807, 9223372036854775806]";
    let save = gdvar(&["from-json", "-"], most).stdout;
    for (filter, result) in [
        (".[0]", "9223372036854775807"),
        ("add", "18446744073709551613"),
        (".[0] * 2", "18446744073709551614"),
        ("0 - .[0] - 2", "-9223372036854775809"),
        (".[0] * .[0] - 1", "85070591730234615847396907784232501248"),
        ("[nan, infinite, 1.5]", "[null,null,1.5]"),
        ("{a: [.[1], \"x\"]}", "{\"a\":[9223372036854775806,\"x\"]}"),
        ("1, halt, 2", "1"),
    ] {
        assert_eq!(
            stdout(&["query", filter], &save, 0),
            format!("{result}\n"),
            "{filter}"
        );
    }
    let text = stderr(&["query", "{(.[0]): 1}"], &save, 1);
    assert!(text.contains("keys in JSON are texts"), "{text}");
    // Limits, and mistakes.
    let text = stderr(&["query", "--max-json", "1K", ".", rpg], b"", 4);
    assert!(text.contains("--at"), "{text}");
    let text = stderr(&["query", "--max-results", "10", "repeat(1)"], SLOT, 4);
    assert!(text.contains("more than 10 results"), "{text}");
    let text = stderr(&["query", ".hp |"], SLOT, 2);
    assert!(text.contains("is not a filter"), "{text}");
    let text = stderr(&["query", "nothing"], SLOT, 2);
    assert!(text.contains("nothing"), "{text}");
    let text = stderr(&["query", ".hp | keys"], SLOT, 1);
    assert!(text.contains("cannot use 80"), "{text}");
    // As deep as a file can be.
    let deep = [
        &b"\x1c\0\0\0\x01\0\0\0".repeat(1000)[..],
        &b"\x02\0\0\0\x07\0\0\0"[..],
    ]
    .concat();
    assert_eq!(
        stdout(&["query", "-d", "4", "-f", "bare", "flatten"], &deep, 0),
        "[7]\n"
    );
}

/// `view --json` is JSON of the data.
#[test]
fn view_prints_json_of_the_data() {
    let line = &lines(&stdout(&["view", "--json"], SLOT, 0))[0];
    assert_eq!(line["schema"], 1);
    assert_eq!(
        line["value"],
        serde_json::json!({ "hp": 80, "pos": [10.0, 20.0] })
    );
    assert_eq!(line["ok"], true);
    let rows = lines(&stdout(
        &["check", "--json", "/nowhere.dat", path(&save("rpg4.sav"))],
        b"",
        6,
    ));
    assert_eq!(
        (&rows[0]["file"], &rows[0]["error"]),
        (&"/nowhere.dat".into(), &"NotRead".into())
    );
}
