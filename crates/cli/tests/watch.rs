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
