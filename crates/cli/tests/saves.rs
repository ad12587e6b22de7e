//! All commands on the saves of real engines.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};
use serde_json::Value;

/// The plain saves, with their descriptions.
fn plain() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(save("")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let Some(name) = name.strip_suffix(".json") else {
            continue;
        };
        let text = fs::read_to_string(&path).expect("text");
        let about: Value = serde_json::from_str(&text).expect("JSON");
        if about["container"] == "plain" {
            all.push((name.to_owned(), about));
        }
    }
    assert!(all.len() >= 14, "{} saves", all.len());
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn dialect(about: &Value) -> &'static str {
    match about["engine"].as_str() {
        Some("3.2.3") => "godot3",
        _ => "godot4",
    }
}

/// The exit code: 1 where only the ids of some objects were stored.
fn lossy(name: &str) -> i32 {
    i32::from(name.starts_with("objects"))
}

#[test]
fn info_finds_out_what_they_are() {
    for (name, about) in plain() {
        let path = save(&name);
        let line = stdout(
            &[
                "info",
                "--json",
                "--objects",
                "inert",
                path.to_str().expect("UTF-8"),
            ],
            b"",
            lossy(&name),
        );
        let info: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(info["schema"], 1);
        assert_eq!(info["framing"], "len32", "{name}");
        assert_eq!(info["dialect"], dialect(&about), "{name}");
        assert_eq!(info["records"], about["records"], "{name}");
        assert_eq!(info["size"], about["size"], "{name}");
        assert_eq!(info["bad"], 0, "{name}");
        let whole = info["objects"]["whole"].as_u64();
        assert_eq!(whole > Some(0), about["full_objects"].is_array(), "{name}");
    }
}

#[test]
fn check_accepts_them_as_the_engines_do() {
    for (name, about) in plain() {
        let path = save(&name);
        let path = path.to_str().expect("UTF-8");
        let objects = about["full_objects"].as_array();
        for (policy, code) in [
            ("inert", lossy(&name)),
            ("ids", if objects.is_some() { 5 } else { 0 }),
        ] {
            let lines = stdout(&["check", "--json", "--objects", policy, path], b"", code);
            let all: Vec<Value> = lines
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            assert_eq!(
                all.len() as u64,
                about["records"].as_u64().expect("a number")
            );
            for (n, line) in all.iter().enumerate() {
                let refused = objects.is_some_and(|all| all[n] == true) && policy == "ids";
                assert_eq!(line["read"], !refused, "{name} {line}");
            }
        }
        // A file that an engine wrote is strictly in order too, but for padding that it left unset.
        let args = ["check", "-q", "--strict", "--objects", "inert", path];
        let said = stdout(&args, b"", lossy(&name));
        assert_eq!(said.is_empty(), lossy(&name) == 0, "{name}: {said}");
    }
}

#[test]
fn view_shows_them() {
    for (name, about) in plain() {
        let path = save(&name);
        let path = path.to_str().expect("UTF-8");
        for form in [
            &["view", "--objects", "inert"][..],
            &["view", "--objects", "inert", "--full"],
            &["view", "--objects", "inert", "--types", "--offsets"],
        ] {
            let args: Vec<&str> = form.iter().copied().chain([path]).collect();
            assert!(
                stdout(&args, b"", lossy(&name)).lines().count() > 0,
                "{name}"
            );
        }
        let lines = stdout(
            &["view", "--objects", "inert", "--format", "line", path],
            b"",
            lossy(&name),
        );
        let records = about["records"].as_u64().expect("a number");
        assert_eq!(lines.lines().count() as u64, records, "{name}");
    }
}

#[test]
fn containers_are_named() {
    for (name, what) in [
        ("camp3.pass.gdec", "an encrypted file"),
        ("camp4.sav.json", "JSON"),
    ] {
        let path = save(name);
        let path = path.to_str().expect("UTF-8");
        for command in ["info", "view", "check"] {
            let text = stderr(&[command, path], b"", 3);
            assert!(text.contains(what), "{text}");
        }
    }
}

#[test]
fn every_prefix_ends_with_a_message() {
    let whole = fs::read(save("settings4.cfg")).expect("a file");
    for len in 0..whole.len() {
        for command in ["info", "check"] {
            let output = gdvar(&[command, "-"], &whole[..len]);
            let code = output.status.code();
            let ok = matches!(code, Some(0 | 1 | 3 | 4));
            assert!(ok, "{command} of {len} bytes: {code:?}");
            assert!(code == Some(0) || output.stderr.len() + output.stdout.len() > 20);
        }
    }
}
