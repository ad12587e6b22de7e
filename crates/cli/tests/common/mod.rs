//! Runs the command.
#![allow(dead_code, reason = "no test needs all of it")]

pub(crate) mod growth;
pub(crate) mod proxy;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A save made by a real engine.
pub(crate) fn save(name: &str) -> PathBuf {
    gdvar_conformance::vectors::testdata("saves").join(name)
}

/// `store_var({"hp": 80, "pos": Vector2(10, 20)})`.
pub(crate) const SLOT: &[u8] =
    b"\x34\0\0\0\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
\x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";

/// A folder with one file in it.
pub(crate) fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot.sav");
    fs::write(&path, bytes).expect("space");
    (folder, path)
}

/// A path as an argument.
pub(crate) fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Runs `gdvar` with those arguments and that standard input.
pub(crate) fn gdvar(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(args)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdvar runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // It may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("gdvar ends");
    writer.join().expect("the writer ends");
    output
}

/// Runs `gdvar` without a standard input, with those variables in its environment.
pub(crate) fn gdvar_with(args: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(args)
        .env_remove("NO_COLOR")
        .env_remove("VISUAL")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("gdvar runs")
}

/// Runs `gdvar` and returns its standard output. Fails if the exit code is not `code`.
#[track_caller]
pub(crate) fn stdout(args: &[&str], input: &[u8], code: i32) -> String {
    let output = gdvar(args, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs `gdvar` and returns its standard error. Fails if the exit code is not `code`.
#[track_caller]
pub(crate) fn stderr(args: &[&str], input: &[u8], code: i32) -> String {
    let output = gdvar(args, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    errors.into_owned()
}

/// The names of all commands.
pub(crate) fn verbs() -> Vec<String> {
    let all = stdout(&["completions", "fish"], b"", 0);
    let names: Vec<_> = all
        .lines()
        .filter_map(|line| line.split_once("needs_command\" -a \""))
        .filter_map(|(_, name)| name.split('"').next())
        .map(str::to_owned)
        .collect();
    assert!(names.len() > 40, "{names:?}");
    names
}
