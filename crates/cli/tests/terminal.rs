//! Every command on a terminal, with every character that a terminal could obey in keys, values, names of classes and
//! names of files: none of them comes out.
#![cfg(target_os = "linux")]

mod common;

use std::{fs, io::Write, os::unix::ffi::OsStrExt, path::Path, process::Command};

/// The command lines that are run. `FILE` is the save, `CUT` its first half, `GONE` a file that does not exist, `TEXT`
/// and `JSON` hold the same value as text, and `HEX` its bytes as digits. The names of the files contain the same
/// control characters as their contents.
const LINES: &[&str] = &[
    "info FILE CUT GONE",
    "info --json FILE CUT GONE",
    "view FILE",
    "view --full --types FILE",
    "view --format godot FILE",
    "view --json FILE",
    "view CUT",
    "view FILE BAD",
    "view FILE CUT GONE",
    "check FILE CUT GONE",
    "check --json FILE CUT",
    "get FILE $",
    "get FILE BAD",
    "get --json FILE $",
    "get --raw FILE $",
    "get --csv FILE CUT GONE -p $ -p *",
    "get --safe-csv FILE -p **",
    "get --tsv FILE -p **",
    "get --json-lines FILE -p **",
    "gron FILE",
    "gron FILE CUT",
    "explain FILE @0x10",
    "explain FILE BAD",
    "hex FILE",
    "hex --bare FILE",
    "hex CUT",
    "schema FILE",
    "schema FILE CUT",
    "stats FILE CUT",
    "grep . FILE CUT",
    "grep -l . FILE CUT",
    "grep -c . FILE CUT",
    "table FILE CUT GONE --columns text,sn=sn",
    "table FILE --each list --columns text",
    "table FILE CUT --columns text --format tsv",
    "table FILE CUT --columns text --format json-lines",
    "table FILE --columns BAD",
    "scan FILE CUT TEXT",
    "query . FILE",
    "query .text FILE",
    "query -r .text FILE",
    "query BAD FILE",
    "packets FILE",
    "packets HEX",
    "packets --json HEX",
    "dissector",
    "records list FILE CUT",
    "records extract FILE 0",
    "records extract FILE 9",
    "records join FILE FILE",
    "records split FILE --out BAD",
    "convert --to godot3 FILE",
    "convert --to godot3 --out-framing hex FILE",
    "json FILE",
    "json --style tagged FILE",
    "json --style native CUT",
    "text FILE",
    "text CUT",
    "from-text TEXT",
    "from-text CUT",
    "from-json JSON",
    "from-json CUT",
    "unpack FILE",
    "pack --to godot4 --password x FILE",
    "set FILE text=1",
    "set FILE text=1 --dry-run",
    "set FILE BAD=1 --dry-run",
    "set FILE text=BAD --dry-run",
    "insert FILE list[0]=1 --dry-run",
    "append FILE list=1 --dry-run",
    "del FILE text --dry-run",
    "del FILE BAD --dry-run",
    "rename-key FILE text=BAD --dry-run",
    "edit FILE text",
    "diff FILE OTHER",
    "diff --json FILE OTHER",
    "diff FILE CUT",
    "patch FILE TEXT",
    "patch FILE PATCH --dry-run",
    "merge FILE OTHER FILE",
    "merge FILE OTHER HEX",
    "textconv FILE",
    "textconv CUT",
    "textconv GONE",
    "git-setup BAD",
    "recover FILE",
    "recover CUT",
    "recover CUT -o -",
    "watch FILE",
    "bench FILE",
    "options",
    "complete-path FILE t",
    "complete-path FILE list[0].",
    "completions bash",
    "completions BAD",
    "man",
    "help BAD",
    "proxy BAD BAD",
    "debug --listen BAD",
    "debug --exec BAD",
    "explore GONE",
    "FILE",
    "GONE",
    "BAD FILE",
];

/// Command lines that may print nothing.
const SILENT: &[&str] = &[
    "complete-path FILE t",
    "complete-path FILE list[0].",
    "edit FILE text",
    "textconv GONE",
];

/// Every control character except NUL, and the characters that change the direction of text or are invisible.
fn bad() -> String {
    let all = (1..=0x1f).chain([0x7f]).chain(0x80..=0x9f);
    let bidi = (0x202a..=0x202e).chain(0x2066..=0x2069);
    let other = [0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff];
    all.chain(bidi)
        .chain(other)
        .filter_map(char::from_u32)
        .collect()
}

fn number(n: usize) -> [u8; 4] {
    u32::try_from(n).expect("small").to_le_bytes()
}

fn text(text: &str) -> Vec<u8> {
    let mut out = number(text.len()).to_vec();
    out.extend(text.as_bytes());
    out.resize(out.len().next_multiple_of(4), 0);
    out
}

fn typed(kind: u8, contents: &[u8]) -> Vec<u8> {
    [&[kind, 0, 0, 0], contents].concat()
}

fn dictionary(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = typed(27, &number(entries.len()));
    for (key, value) in entries {
        out.extend(typed(4, &text(key)));
        out.extend(value);
    }
    out
}

/// A save of Godot 4: one record of `store_var`.
fn save(extra: i32) -> Vec<u8> {
    let bad = format!(
        "a{}\0b\u{1b}[31mred\u{1b}[8mhidden\u{1b}]0;title\u{7}",
        bad()
    );
    let string = typed(4, &text(&bad));
    let object = [text(&bad), number(1).to_vec(), text(&bad), string.clone()].concat();
    let path = [number(0x8000_0001), number(0), number(0)].concat();
    let list = [
        number(1).to_vec(),
        dictionary(&[("text", string.clone()), (&bad, string.clone())]),
    ];
    // Array[CLASS] of no elements.
    let of_class = [&[28, 0, 2, 0], &text(&bad)[..], &number(0)].concat();
    let strings = [number(1).to_vec(), text(&bad)].concat();
    let all = dictionary(&[
        ("text", string.clone()),
        (&bad, string.clone()),
        ("sn", typed(21, &text(&bad))),
        ("np", typed(22, &[path, text(&bad)].concat())),
        ("object", typed(24, &object)),
        ("signal", typed(26, &[text(&bad), vec![0; 8]].concat())),
        ("class", of_class),
        ("list", typed(28, &list.concat())),
        ("strings", typed(34, &strings)),
        ("n", typed(2, &extra.to_le_bytes())),
    ]);
    [&number(all.len())[..], &all].concat()
}

/// Returns a file name with those characters.
fn name(kind: &str) -> Vec<u8> {
    // A byte that is not UTF-8, too: to a terminal of 8 bits it begins a sequence.
    let shell = bad();
    [kind.as_bytes(), shell.as_bytes(), b"\x9b31m", b".sav"].concat()
}

/// Runs all lines on a terminal, which `script` of util-linux makes, and returns what it gets of each.
fn on_terminal(folder: &Path, options: &str) -> Vec<Vec<u8>> {
    let mut lines =
        b"stty -opost cols 200\nexport PAGER=cat EDITOR=true TERM=xterm\nunset VISUAL NO_COLOR\n"
            .to_vec();
    for line in LINES {
        lines.extend(b"timeout 5 gdvar ");
        lines.extend(options.as_bytes());
        for word in line.split(' ') {
            let mut quoted = b" '".to_vec();
            let upper = [
                "FILE", "CUT", "GONE", "TEXT", "JSON", "HEX", "OTHER", "PATCH",
            ];
            if upper.contains(&word) {
                quoted.extend(name(word));
            } else {
                quoted.extend(word.replace("BAD", &bad()).as_bytes());
            }
            quoted.push(b'\'');
            lines.extend(quoted);
        }
        lines.extend(b" < /dev/null\necho '@@END@@'\n");
    }
    fs::write(folder.join("lines.sh"), lines).expect("space");
    let gdvar = Path::new(env!("CARGO_BIN_EXE_gdvar"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let output = Command::new("script")
        .args(["-qec", "sh lines.sh", "/dev/null"])
        .env("PATH", format!("{}:{path}", gdvar.display()))
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script of util-linux runs");
    let mut all = Vec::new();
    let mut rest = &output.stdout[..];
    let mark = b"@@END@@\n";
    while let Some(at) = rest.windows(mark.len()).position(|part| part == mark) {
        all.push(rest[..at].to_vec());
        rest = &rest[at + mark.len()..];
    }
    assert_eq!(all.len(), LINES.len(), "{}", String::from_utf8_lossy(rest));
    all
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |kind: &str, bytes: &[u8]| {
        let path = folder.path().join(std::ffi::OsStr::from_bytes(&name(kind)));
        fs::write(path, bytes).expect("space");
    };
    let save_of = |n| save(n);
    let whole = save_of(1);
    put("FILE", &whole);
    put("OTHER", &save_of(2));
    put("CUT", &whole[..whole.len() - 30]);
    let hex: String = whole[4..]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    put("HEX", format!("{hex}\n{}\n", bad()).as_bytes());
    put(
        "TEXT",
        format!("Object({0},\"{0}\":1) [{0}", bad()).as_bytes(),
    );
    put("JSON", format!("{{\"{0}\": {0}", bad()).as_bytes());
    let patch = format!(
        "gdvar-patch 2 godot4\nset $.n 7 -> 8\nset $.{} 1 -> 2\n",
        bad()
    );
    put("PATCH", patch.as_bytes());
    folder
}

#[test]
fn nothing_that_a_terminal_obeys_comes_out() {
    if Command::new("script").arg("--version").output().is_err() {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no script of util-linux"
        );
        return;
    }
    let folder = folder();
    for options in ["--color never", "--color always"] {
        for (line, got) in LINES.iter().zip(on_terminal(folder.path(), options)) {
            let shown = std::str::from_utf8(&got);
            let mut shown = shown
                .unwrap_or_else(|_| panic!("{line}: no UTF-8"))
                .to_owned();
            if options == "--color always" {
                for n in ["0", "1", "2", "31", "32", "33", "34", "36"] {
                    shown = shown.replace(&format!("\u{1b}[{n}m"), "");
                }
            }
            let bad = bad();
            let obeyed = |c: &char| !matches!(c, '\n' | '\t') && (*c == '\0' || bad.contains(*c));
            let found: Vec<char> = shown.chars().filter(obeyed).collect();
            assert!(
                found.is_empty(),
                "gdvar {options} {line}: {found:?}\n{shown:?}"
            );
            assert!(!shown.is_empty() || SILENT.contains(line), "gdvar {line}");
        }
    }
}

/// A result that is bytes has no place on a terminal.
#[test]
fn bytes_are_refused() {
    if Command::new("script").arg("--version").output().is_err() {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no script of util-linux"
        );
        return;
    }
    let folder = folder();
    let refused = [
        "get --raw FILE $",
        "records extract FILE 0",
        "records join FILE FILE",
        "convert --to godot3 FILE",
    ];
    let all = on_terminal(folder.path(), "--color never");
    for line in refused {
        let at = LINES.iter().position(|one| *one == line).expect(line);
        let shown = String::from_utf8_lossy(&all[at]);
        assert!(
            shown.contains("the result is not text: "),
            "{line}: {shown}"
        );
    }
}

/// A new command has to be run here.
#[test]
fn no_verb_is_missing_here() {
    let names = common::verbs();
    let runs = |name: &String| {
        LINES
            .iter()
            .any(|line| line.split(' ').next() == Some(name))
    };
    let missing: Vec<_> = names.iter().filter(|name| !runs(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
