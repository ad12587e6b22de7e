//! `check -d DIALECT` on damaged inputs that the engines judged: its exit code is their verdict.

mod common;

use gdvar_conformance::{
    deliberate,
    vectors::{ENGINES, hex, odd_inputs, vectors},
};
use gdvar_oracle::{
    ASKED, Asked,
    mutants::{
        judge::verdict_is_explained,
        stored::{Stored, load},
    },
};
use serde_json::Value;

/// Of every so many files, one is also checked in a run of its own.
const ALONE: usize = 40;

/// Returns `true` if `check` accepts each of the lines of hex.
fn accepted(asked: Asked, inputs: &[Stored]) -> Vec<bool> {
    let lines: Vec<String> = inputs
        .iter()
        .map(|input| hex(&input.bytes) + "\n")
        .collect();
    let all = ["--json", "--max-errors", "0", "-"];
    let args = [&["check", "-d", asked.engine.name(), "-f", "hex"], &all[..]].concat();
    let output = common::gdvar(&args, lines.concat().as_bytes());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        line["read"] == true
    });
    lines.collect()
}

#[test]
fn mutants_have_the_engines_verdict() {
    for asked in ASKED {
        let all = load(asked);
        let ours = accepted(asked, &all);
        assert_eq!(ours.len(), all.len());
        let mut explained = 0;
        for (input, ours) in all.iter().zip(ours) {
            if ours != input.accepted {
                let known = verdict_is_explained(asked, &input.bytes);
                assert!(known, "{}: {}", asked.name, hex(&input.bytes));
                explained += 1;
            }
        }
        println!(
            "{}: {} verdicts, {explained} differ deliberately",
            asked.name,
            all.len()
        );
    }
}

/// The exit code for a file of nothing but these bytes.
fn exit(asked: Asked, bytes: &[u8], more: &[&str]) -> i32 {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    let mut args = vec!["check", "-q", "-d", asked.engine.name()];
    args.extend(more);
    args.push(path);
    common::gdvar(&args, b"")
        .status
        .code()
        .expect("an exit code")
}

#[test]
fn exit_codes_of_single_files_are_the_engines_verdicts() {
    for asked in ASKED {
        let mut files = 0;
        for input in load(asked).into_iter().step_by(ALONE) {
            if verdict_is_explained(asked, &input.bytes) {
                continue;
            }
            for more in [&["-f", "bare"][..], &[]] {
                let code = exit(asked, &input.bytes, more);
                let hex = hex(&input.bytes);
                assert_eq!(
                    matches!(code, 0 | 1),
                    input.accepted,
                    "{} {more:?} {hex}: {code}",
                    asked.name
                );
            }
            files += 1;
        }
        assert!(files > 50, "{files}");
    }
}

#[test]
fn exit_codes_of_vectors_are_the_engines_verdicts() {
    for (asked, version) in ASKED.into_iter().zip(["4.6.3", "3.2.3", "3.6.2"]) {
        let engine = ENGINES.into_iter().find(|engine| engine.name == version);
        let good = vectors(engine.expect("an engine")).into_iter();
        let good = good
            .filter(|vector| !vector.full_objects && !vector.engine_refuses)
            .map(|vector| (vector.id, vector.bytes, true));
        let odd = odd_inputs("reject.jsonl").into_iter();
        let odd = odd
            .filter(|odd| !odd.full_objects && odd.bytes.len() < 10_000)
            .filter_map(|odd| {
                let verdict = odd
                    .verdicts
                    .iter()
                    .find(|verdict| verdict.engine == version)?;
                Some((odd.id, odd.bytes, verdict.accepted))
            });
        for (id, bytes, accepted) in good.step_by(20).chain(odd) {
            for more in [&["-f", "bare"][..], &[]] {
                let code = exit(asked, &bytes, more);
                // Code 4: several framings are possible.
                if matches!(code, 0 | 1) != accepted && (code != 4 || !more.is_empty()) {
                    let ours = if code <= 1 {
                        "accepted"
                    } else {
                        "InvalidLength"
                    };
                    let known = deliberate::reason(deliberate::VERDICTS, &id, version, ours)
                        .or_else(|| {
                            deliberate::reason(deliberate::VERDICTS, &id, version, "DepthExceeded")
                        });
                    assert!(
                        known.is_some(),
                        "{version} {id} {more:?} {}: {code}",
                        hex(&bytes)
                    );
                }
            }
        }
    }
}
