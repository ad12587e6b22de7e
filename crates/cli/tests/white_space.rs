//! Keys with white space of Unicode at the start, in the middle, at the end, and alone: each path means itself, whether
//! it was typed or printed, and no other key changes.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{gdvar, path, stdout};

/// All characters that Unicode calls white space.
fn white_space() -> Vec<char> {
    let all: Vec<_> = (char::MIN..=char::MAX)
        .filter(|c| c.is_whitespace())
        .collect();
    assert_eq!(all.len(), 25);
    all
}

/// The keys without white space that a trimmed key would be taken for, and after them the keys with white space.
fn keys() -> Vec<String> {
    let mut keys = vec!["Titre".to_owned(), "Ti".to_owned(), "tre".to_owned()];
    for c in white_space() {
        keys.extend([
            c.to_string(),
            format!("{c}Titre"),
            format!("Ti{c}tre"),
            format!("Titre{c}"),
        ]);
    }
    keys
}

/// The path of a key as a user types or pastes it: in quotes only if it has ASCII white space, which ends names.
fn typed(key: &str) -> String {
    match key.contains(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()) {
        true => format!("[\"{key}\"]"),
        false => key.to_owned(),
    }
}

/// Files in a folder of a test.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a save in which `value` gives each key its value in JSON.
    fn save(&self, name: &str, value: impl Fn(usize) -> String) -> PathBuf {
        let pair = |(n, key): (usize, &String)| {
            let units: String = key
                .encode_utf16()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect();
            format!("\"{units}\": {}", value(n))
        };
        let pairs: Vec<_> = keys().iter().enumerate().map(pair).collect();
        let json = format!("{{{}}}", pairs.join(", "));
        let file = self.at(name);
        let words = [
            "-q",
            "from-json",
            "--style",
            "plain",
            "-",
            "-o",
            path(&file),
        ];
        stdout(&words, json.as_bytes(), 0);
        file
    }
}

/// The printed paths of the keys, from the lines of `gron`.
fn printed(file: &Path) -> Vec<String> {
    let lines = stdout(&["-q", "gron", path(file)], b"", 0);
    let odd = |c: &char| c.is_whitespace() && !matches!(c, ' ' | '\n');
    assert_eq!(lines.chars().find(odd), None, "{lines}");
    let paths = lines.lines().skip(1);
    let paths = paths
        .filter_map(|line| line.split_once(" = "))
        .map(|(path, _)| path.to_owned());
    paths
        .filter(|path| !path.ends_with("].x") && !path.ends_with(".x"))
        .collect()
}

#[test]
fn gron_leads_back() {
    let files = Files::new();
    for (n, value) in ["7", "{\"x\": 7}", "[7, [8]]"].iter().enumerate() {
        let file = files.save(&format!("{n}.sav"), |_| (*value).to_owned());
        let lines = stdout(&["-q", "gron", path(&file)], b"", 0);
        let again = files.at("again.sav");
        stdout(
            &["-q", "gron", "-u", "-", "-o", path(&again)],
            lines.as_bytes(),
            0,
        );
        assert!(
            fs::read(&again).expect("written") == fs::read(&file).expect("a save"),
            "{lines}"
        );
    }
    // Lines that a user typed, or an older version printed.
    let lines: String = keys()
        .iter()
        .enumerate()
        .filter(|(_, key)| !key.contains('\n'))
        .map(|(n, key)| format!("{} = {n};\n", typed(key)))
        .collect();
    let made = files.at("made.sav");
    stdout(
        &["-q", "gron", "-u", "-", "-o", path(&made)],
        lines.as_bytes(),
        0,
    );
    for (n, key) in keys()
        .iter()
        .enumerate()
        .filter(|(_, key)| !key.contains('\n'))
    {
        assert_eq!(
            stdout(&["get", path(&made), &typed(key)], b"", 0),
            format!("{n}\n"),
            "{key:?}"
        );
    }
}

#[test]
fn get_and_table_find_the_key_itself() {
    let files = Files::new();
    let file = files.save("a.sav", |n| n.to_string());
    let printed = printed(&file);
    let keys = keys();
    assert_eq!(printed.len(), keys.len());
    for (n, (key, printed)) in keys.iter().zip(&printed).enumerate() {
        for way in [&typed(key), printed] {
            assert_eq!(
                stdout(&["get", path(&file), way], b"", 0),
                format!("{n}\n"),
                "{way:?}"
            );
            let table = stdout(
                &[
                    "-q",
                    "table",
                    path(&file),
                    "--columns",
                    &format!("{way},n = {way}"),
                ],
                b"",
                0,
            );
            let row = table
                .trim_end()
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .to_owned();
            let cells: Vec<_> = row.split(',').rev().take(3).collect();
            assert!(
                cells.iter().filter(|cell| **cell == n.to_string()).count() >= 2,
                "{way:?}: {table}"
            );
        }
    }
}

/// The values in the order of the keys, by a walk without paths.
fn values(file: &Path) -> Vec<String> {
    let line = stdout(&["-q", "json", path(file)], b"", 0);
    let line = line.trim_end().trim_matches(['{', '}']);
    line.split(',')
        .filter_map(|pair| pair.rsplit_once(':'))
        .map(|(_, value)| value.trim().to_owned())
        .collect()
}

#[test]
fn edits_change_the_key_itself_and_diff_prints_what_patch_reads() {
    let files = Files::new();
    let old = files.save("old.sav", |n| n.to_string());
    let printed = printed(&old);
    let keys = keys();
    let edit = |verb: &str, out: &PathBuf, changes: &[String]| {
        let mut words = vec![verb, path(&old), "-q", "-o", path(out)];
        words.extend(changes.iter().map(String::as_str));
        let output = gdvar(&words, b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{verb}: {errors}");
    };
    let out = files.at("new.sav");
    let typed: Vec<_> = keys.iter().map(|key| typed(key)).collect();
    for paths in [&typed, &printed] {
        let all = |change: &dyn Fn(usize, &str) -> String| -> Vec<String> {
            paths
                .iter()
                .enumerate()
                .skip(3)
                .map(|(n, path)| change(n, path))
                .collect()
        };
        let expected = |value: &dyn Fn(usize) -> usize| -> Vec<String> {
            (0..keys.len())
                .map(|n| if n < 3 { n } else { value(n) }.to_string())
                .collect()
        };
        edit("set", &out, &all(&|n, path| format!("{path}={}", n + 1000)));
        assert_eq!(values(&out), expected(&|n| n + 1000));
        edit("set", &out, &all(&|_, path| format!(" {path} += 500")));
        assert_eq!(values(&out), expected(&|n| n + 500));

        // The patch leads forward and back.
        let patch = stdout(
            &["-q", "diff", "--format", "patch", path(&old), path(&out)],
            b"",
            1,
        );
        let (changes, again) = (files.at("changes.txt"), files.at("again.sav"));
        fs::write(&changes, &patch).expect("space");
        let apply = |file: &Path, more: &[&str]| {
            let words = [
                &[
                    "patch",
                    path(file),
                    path(&changes),
                    "-q",
                    "-o",
                    path(&again),
                ],
                more,
            ]
            .concat();
            stdout(&words, b"", 0);
            fs::read(&again).expect("written")
        };
        assert!(
            apply(&old, &[]) == fs::read(&out).expect("a save"),
            "{patch}"
        );
        assert!(
            apply(&out, &["--reverse"]) == fs::read(&old).expect("a save"),
            "{patch}"
        );

        edit("del", &out, &all(&|_, path| path.to_owned()));
        assert_eq!(values(&out), ["0", "1", "2"]);
        edit(
            "rename-key",
            &out,
            &all(&|n, path| format!("{path}=\"k{n}\"")),
        );
        let line = stdout(&["-q", "json", path(&out)], b"", 0);
        for n in 3..keys.len() {
            assert!(
                line.contains(&format!("\"k{n}\":{n}")) || line.contains(&format!("\"k{n}\": {n}")),
                "{line}"
            );
        }
    }
}

/// A patch names the containers around what was inserted and removed.
#[test]
fn patches_of_containers_under_such_keys() {
    let files = Files::new();
    for (n, (old, new)) in [
        ("[1]", "[1, 2]"),
        ("{\"x\": 1}", "{\"x\": 1, \"y\": 2}"),
        ("{\"x\": 1}", "{}"),
    ]
    .iter()
    .enumerate()
    {
        let old = files.save(&format!("old{n}"), |_| (*old).to_owned());
        let new = files.save(&format!("new{n}"), |_| (*new).to_owned());
        let patch = stdout(
            &["-q", "diff", "--format", "patch", path(&old), path(&new)],
            b"",
            1,
        );
        let (changes, again) = (files.at("changes.txt"), files.at("again.sav"));
        fs::write(&changes, &patch).expect("space");
        stdout(
            &[
                "patch",
                path(&old),
                path(&changes),
                "-q",
                "-o",
                path(&again),
            ],
            b"",
            0,
        );
        assert!(
            fs::read(&again).expect("written") == fs::read(&new).expect("a save"),
            "{patch}"
        );
    }
}
