//! `-o` destroys nothing: a pipe, a device or another thing that is not a file is written to, and
//! not replaced.
#![cfg(unix)]

mod common;

use std::{
    fs,
    io::Write,
    os::unix::{
        fs::{FileTypeExt, MetadataExt},
        net::UnixListener,
    },
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

use common::save;

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

/// Writes directly to standard error, because the test harness hides what a passing test prints
/// with `eprintln!`.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// Calls of the three commands that write to `-o`, here without `-o`.
fn commands() -> Vec<Vec<String>> {
    let path = |name| save(name).to_str().expect("UTF-8").to_owned();
    let words = |words: &str, name| {
        let words = words.split(' ').map(str::to_owned);
        words.chain([path(name)]).collect()
    };
    vec![
        words("convert -q --to godot4", "camp3.sav"),
        words("convert -q --to godot4", "camp4.zstd.gcpf"),
        words("unpack -q", "camp4.zstd.gcpf"),
        words("pack -q --mode fastlz", "camp4.sav"),
    ]
}

fn run(command: &[String], to: &Path) -> Output {
    let mut gdvar = Command::new(GDVAR);
    let gdvar = gdvar.args(command).arg("-o").arg(to);
    gdvar.stdin(Stdio::null()).output().expect("it runs")
}

/// The bytes that a command writes to a file.
fn expected(command: &[String], folder: &Path) -> Vec<u8> {
    let file = folder.join("file");
    let output = run(command, &file);
    assert!(output.status.success(), "{command:?}: {output:?}");
    let bytes = fs::read(&file).expect("a file");
    fs::remove_file(file).expect("removed");
    assert!(bytes.len() > 1000);
    bytes
}

fn fifo(folder: &Path) -> PathBuf {
    let fifo = folder.join("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo runs").success());
    fifo
}

#[test]
fn a_fifo_is_written_to_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = fifo(folder.path());
    for command in commands() {
        let expected = expected(&command, folder.path());
        let reader = {
            let fifo = fifo.clone();
            thread::spawn(move || fs::read(fifo).expect("the bytes"))
        };
        let output = run(&command, &fifo);
        assert!(output.status.success(), "{command:?}: {output:?}");
        assert!(reader.join().expect("it ends") == expected, "{command:?}");
        let kind = fs::symlink_metadata(&fifo).expect("the FIFO").file_type();
        assert!(kind.is_fifo(), "{command:?}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}

/// Nodes like `/dev/null` and `/dev/full`, in a folder of the test's own.
#[test]
fn a_device_is_written_to_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, minor, code) in [("null", "3", 0), ("full", "7", 6)] {
        let node = folder.path().join(name);
        let made = Command::new("mknod")
            .arg(&node)
            .args(["c", "1", minor])
            .output();
        if !made.is_ok_and(|made| made.status.success()) {
            return skipped("devices (only root makes them)");
        }
        if fs::File::open(&node).is_err() {
            return skipped("devices (this file system has none)");
        }
        let about = || {
            let about = fs::symlink_metadata(&node).expect("the node");
            (about.ino(), about.mode(), about.rdev())
        };
        let before = about();
        for command in commands() {
            let output = run(&command, &node);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{command:?}: {errors}");
            let why = "full: cannot be written: No space left on device";
            assert_eq!(errors.contains(why), code == 6, "{errors}");
            assert_eq!(about(), before, "{command:?}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn a_socket_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let _socket = UnixListener::bind(&path).expect("a socket");
    for command in commands() {
        let output = run(&command, &path);
        assert_eq!(output.status.code(), Some(6), "{command:?}: {output:?}");
        let kind = fs::symlink_metadata(&path).expect("it").file_type();
        assert!(kind.is_socket(), "{command:?}");
    }
}

/// Runs a script with the command's words as its arguments, in a folder.
fn script(shell: &str, script: &str, command: &[String], folder: &Path) -> Output {
    let mut shell = Command::new(shell);
    let shell = shell.args(["-c", script, GDVAR]).args(command);
    let output = shell.current_dir(folder).stdin(Stdio::null()).output();
    output.expect("a shell")
}

#[test]
fn standard_output_has_a_name() {
    if !Path::new("/dev/stdout").exists() {
        return skipped("/dev/stdout (there is none)");
    }
    let folder = tempfile::tempdir().expect("a folder");
    for command in commands() {
        let expected = expected(&command, folder.path());
        let output = run(&command, Path::new("/dev/stdout"));
        assert!(output.status.success() && output.stdout == expected);
        // With `>>log`, the result is appended to the log, and what the shell prints afterwards
        // comes behind it.
        let log = folder.path().join("log");
        fs::write(&log, "before ").expect("a file");
        let number = fs::metadata(&log).expect("the log").ino();
        let output = script(
            "sh",
            "{ \"$0\" \"$@\" -o /dev/stdout && printf ' after'; } >>log",
            &command,
            folder.path(),
        );
        assert!(output.status.success(), "{command:?}: {output:?}");
        let whole = [b"before ", &expected[..], b" after"].concat();
        assert!(fs::read(&log).expect("the log") == whole, "{command:?}");
        assert_eq!(fs::metadata(&log).expect("the log").ino(), number);
        fs::remove_file(log).expect("removed");
    }
}

#[test]
fn a_process_is_fed_by_bash() {
    let bash = Command::new("bash").args(["-c", "exit 0"]).status();
    if !bash.is_ok_and(|bash| bash.success()) {
        return skipped(">(command) (there is no bash)");
    }
    let folder = tempfile::tempdir().expect("a folder");
    for command in commands() {
        let expected = expected(&command, folder.path());
        let output = script(
            "bash",
            "\"$0\" \"$@\" -o >(cat >got; mv got done); code=$?; \
             for n in {1..500}; do [ -e done ] && break; sleep 0.02; done; exit $code",
            &command,
            folder.path(),
        );
        assert!(output.status.success(), "{command:?}: {output:?}");
        let done = folder.path().join("done");
        assert!(fs::read(&done).expect("the file") == expected);
        fs::remove_file(done).expect("removed");
    }
}

#[test]
fn a_record_that_cannot_be_converted_ends_what_is_written_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = fifo(folder.path());
    let input = folder.path().join("in");
    // 5, a type that is none, and 6.
    let records =
        b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x04\0\0\0\xff\0\0\0\x08\0\0\0\x02\0\0\0\x06\0\0\0";
    fs::write(&input, records).expect("space");
    for (out_framing, expected, message) in [
        (
            "len32",
            &records[..12],
            "the result ends before the record that cannot be converted",
        ),
        (
            "hex",
            b"0200000005000000\n\n0200000006000000\n",
            "each is an empty line in the result",
        ),
    ] {
        let reader = {
            let fifo = fifo.clone();
            thread::spawn(move || fs::read(fifo).expect("the bytes"))
        };
        let mut gdvar = Command::new(GDVAR);
        gdvar.args("convert -d godot4 -f len32 --to godot4 --out-framing".split(' '));
        let output = gdvar
            .arg(out_framing)
            .args([Path::new("-o"), &fifo, &input])
            .output();
        let output = output.expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.contains(message), "{errors}");
        assert_eq!(reader.join().expect("it ends"), expected);
    }
}
