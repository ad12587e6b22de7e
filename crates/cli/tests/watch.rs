//! `watch` prints a line for everything that can happen to a file.

mod common;

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use common::save;

/// The lines that `watch` prints, as they come.
fn watch(file: &Path) -> (Child, Receiver<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["watch", "--interval", "20"])
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdvar runs");
    let (sender, lines) = channel();
    let out = child.stdout.take().expect("a pipe");
    let err = child.stderr.take().expect("a pipe");
    for pipe in [
        Box::new(out) as Box<dyn std::io::Read + Send>,
        Box::new(err),
    ] {
        let sender = sender.clone();
        thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
    }
    (child, lines)
}

#[test]
fn a_file_that_is_cut_emptied_or_deleted_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("slot.sav");
    let whole = fs::read(save("rpg4.sav")).expect("a save");
    fs::write(&file, &whole).expect("space");
    let (mut child, lines) = watch(&file);
    let next = || lines.recv_timeout(Duration::from_secs(60)).expect("a line");
    assert!(next().contains("watching"));
    fs::write(&file, &whole[..1000]).expect("space");
    assert_eq!(next(), "! the file is damaged: gdvar check says where");
    fs::write(&file, b"").expect("space");
    assert_eq!(next(), "! the file is empty");
    fs::remove_file(&file).expect("a file");
    assert_eq!(next(), "! the file is gone");
    fs::write(&file, &whole).expect("space");
    assert_eq!(next(), "+ the file is back as it was");
    let path = file.to_str().expect("a path");
    common::stdout(&["set", "-q", "-i", path, "version=8"], b"", 0);
    assert_eq!(next(), "~ $.version  7 -> 8");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

/// `store_var(Plane(1, 1, 0.5, 1))`, which is a PoolByteArray of Godot 3 with its header, and a Color of Godot 3 after its
/// length, too.
const PLANE: &[u8] = b"\x14\0\0\0\x0e\0\0\0\0\0\x80\x3f\0\0\x80\x3f\0\0\0\x3f\0\0\x80\x3f";

/// A game may write a value that nothing but the files before it explains.
#[test]
fn a_file_that_becomes_ambiguous_is_not_called_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, new) = (folder.path().join("slot.sav"), folder.path().join("new"));
    common::stderr(&["check", "-"], PLANE, 4);
    let hex = b"0200000005000000\n0200000006000000\n0200000007000000\n";
    for (before, expected) in [
        (common::SLOT, "Plane(1, 1, 0.5, 1)"),
        // It is no hex.
        (hex, "! the file can be read in several ways"),
    ] {
        fs::write(&file, before).expect("space");
        let (mut child, lines) = watch(&file);
        let next = || lines.recv_timeout(Duration::from_secs(60)).expect("a line");
        while !next().contains("watching") {}
        fs::write(&new, PLANE).expect("space");
        fs::rename(&new, &file).expect("renamed");
        let line = next();
        assert!(line.contains(expected), "{line}");
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
}
