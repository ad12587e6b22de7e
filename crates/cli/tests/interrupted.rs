//! Interruptions from outside while the command runs: signals, files that shrink, memory that runs out.
//! The command ends with a message or by the signal, and leaves no files behind.
#![cfg(target_os = "linux")]

mod common;

use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::save;

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

const TERM: i32 = 15;

/// A folder with a save in it, long enough to be mapped, and its conversion under way.
struct Long {
    folder: tempfile::TempDir,
    old: Vec<u8>,
}

impl Long {
    fn new() -> Long {
        let folder = tempfile::tempdir().expect("a folder");
        let one = fs::read(save("rpg3.sav")).expect("a save");
        let old = one.repeat((24 << 20) / one.len());
        fs::write(folder.path().join("in.dat"), &old).expect("space");
        fs::write(folder.path().join("out.dat"), "old").expect("space");
        Long { folder, old }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn convert(&self, before: &str, to: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("{before} exec \"$0\" \"$@\""), GDVAR])
            .args("convert -q -d godot3 -f len32 --to godot4 in.dat".split(' '))
            .args(to)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Begins to convert to `out.dat` and stops in the middle of it.
    fn stopped(&self, before: &str) -> Child {
        let mut command = self.convert(before, &["-o", "out.dat"]);
        let child = command.spawn().expect("it runs");
        let begun = Instant::now();
        while self.temporary() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(300), "nothing begins");
            thread::sleep(Duration::from_millis(1));
        }
        signal(&child, "STOP");
        assert_eq!(self.temporary(), 1, "it was too fast");
        child
    }

    /// The number of temporary files.
    fn temporary(&self) -> usize {
        let folder = fs::read_dir(self.folder.path()).expect("a folder");
        let names = folder.map(|entry| entry.expect("an entry").file_name());
        names
            .filter(|name| name.to_string_lossy().starts_with(".gdvar-"))
            .count()
    }

    /// Fails unless the old result is still there, without a temporary file beside it.
    fn untouched(&self, what: &str) {
        assert_eq!(
            fs::read(self.path("out.dat")).expect("it"),
            b"old",
            "{what}"
        );
        assert_eq!(self.temporary(), 0, "{what}");
    }
}

fn signal(child: &Child, name: &str) {
    let mut kill = Command::new("sh");
    let kill = kill.args(["-c", &format!("kill -{name} {}", child.id())]);
    // A process that has ended can still be sent signals, until it is waited for.
    assert!(kill.status().expect("a shell").success());
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    let long = Long::new();
    for (name, number) in [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", TERM)] {
        let child = long.stopped("ulimit -c 0;");
        signal(&child, name);
        signal(&child, "CONT");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.signal(), Some(number), "{name}: {output:?}");
        assert_eq!(text(&output), "", "{name}");
        long.untouched(name);
    }
}

/// KILL cannot be caught. What it leaves does not hinder the next command, and is not taken for a save.
#[test]
fn what_a_killed_command_leaves_is_no_save() {
    let long = Long::new();
    let child = long.stopped("");
    signal(&child, "KILL");
    child.wait_with_output().expect("it ends");
    assert_eq!(long.temporary(), 1);
    let again = long.convert("", &["-o", "out.dat"]).output();
    let again = again.expect("it runs");
    assert!(again.status.success(), "{again:?}");
    fs::remove_file(long.path("in.dat")).expect("it is there");
    let output = Command::new(GDVAR)
        .args(["check", "-d", "godot4", "-f", "len32", "."])
        .current_dir(long.folder.path())
        .output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output);
    assert!(
        told.contains(".tmp: left by a gdvar that was stopped"),
        "{told}"
    );
    let all = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        all.contains("out.dat: ok") && !all.contains(".tmp"),
        "{all}"
    );
}

/// A signal that comes while the old file is copied for the backup leaves no temporary file either.
#[test]
fn a_signal_during_a_backup_leaves_no_temporary_file() {
    let long = Long::new();
    let mut ended = 0;
    for n in 0..60 {
        let mut command = Command::new(GDVAR);
        command
            .args("set -q -d godot3 -f len32 in.dat party[0].hp=1 -i --backup".split(' '))
            .current_dir(long.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().expect("it runs");
        // At some moment after a temporary file is there.
        let begun = Instant::now();
        while long.temporary() < 1 + n % 2 && begun.elapsed() < Duration::from_secs(5) {
            thread::yield_now();
        }
        thread::sleep(Duration::from_micros(n as u64 * 50));
        signal(&child, "TERM");
        let output = child.wait_with_output().expect("it ends");
        ended += usize::from(output.status.signal() == Some(TERM));
        assert_eq!(long.temporary(), 0, "{n}: {output:?}");
        fs::write(long.path("in.dat"), &long.old).expect("space");
        for entry in fs::read_dir(long.folder.path()).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.to_string_lossy().contains(".bak") {
                let copy = fs::read(&path).expect("a copy");
                assert!(copy == long.old, "a whole copy, or none");
                fs::remove_file(path).expect("removed");
            }
        }
    }
    assert!(ended > 10, "{ended} of 60 were ended");
}

/// `nohup` starts programs with signals ignored, and so does a script for programs in its background.
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let long = Long::new();
    let child = long.stopped("trap '' HUP INT;");
    for name in ["HUP", "INT", "CONT"] {
        signal(&child, name);
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(fs::metadata(long.path("out.dat")).expect("it").len() > 1 << 20);
    assert_eq!(long.temporary(), 0);
}

#[test]
fn a_file_that_is_cut_short_while_it_is_converted_keeps_the_old_result() {
    let long = Long::new();
    let child = long.stopped("");
    fs::write(long.path("in.dat"), "").expect("cut short");
    signal(&child, "CONT");
    let output = child.wait_with_output().expect("it ends");
    let errors = text(&output);
    assert_eq!(output.status.code(), Some(6), "{output:?}");
    let message = "error: in.dat: another program cut it short while it was read; try again\n";
    assert_eq!(errors, message);
    long.untouched("cut short");
}

/// In a mapped file, the bytes between the new end and the end of the page read as zeros, without a
/// signal.
#[test]
fn a_file_that_loses_a_few_bytes_keeps_the_old_result() {
    let long = Long::new();
    let child = long.stopped("");
    let file = fs::File::options().write(true).open(long.path("in.dat"));
    let file = file.expect("it");
    file.set_len(long.old.len() as u64 - 1).expect("cut short");
    signal(&child, "CONT");
    let output = child.wait_with_output().expect("it ends");
    let errors = text(&output);
    assert_eq!(output.status.code(), Some(6), "{output:?}");
    let message = "in.dat: another program cut it short while it was read; nothing was written";
    assert!(errors.contains(message), "{errors}");
    long.untouched("cut short");
}

/// Standard output is a full pipe here, so the command waits until the file has been cut short.
#[test]
fn a_mapped_file_that_is_cut_short_is_an_error_that_names_it() {
    let long = Long::new();
    for words in [
        "convert -d godot3 -f len32 --to godot4 in.dat",
        "view -d godot3 -f len32 --format line --full in.dat",
        "view -d godot3 -f len32 --full in.dat",
    ] {
        fs::write(long.path("in.dat"), &long.old).expect("space");
        let mut command = Command::new(GDVAR);
        let command = command.args(words.split(' '));
        let mut child = command
            .current_dir(long.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut [0]).expect("a byte");
        fs::write(long.path("in.dat"), "").expect("cut short");
        std::io::copy(&mut out, &mut std::io::sink()).expect("the rest");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(6), "{words}: {output:?}");
        let message = "error: in.dat: another program cut it short while it was read; try again\n";
        assert_eq!(text(&output), message, "{words}");
    }
}

#[test]
fn a_short_file_is_what_it_was_when_it_was_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("in.dat");
    let one = fs::read(save("rpg3.sav")).expect("a save");
    fs::write(&file, one.repeat(40)).expect("space");
    let convert = || {
        let mut command = Command::new(GDVAR);
        command
            .args("convert -q -d godot3 -f len32 --to godot4".split(' '))
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    };
    let expected = convert().output().expect("it runs").stdout;
    let mut child = convert().spawn().expect("it runs");
    let mut out = child.stdout.take().expect("a pipe");
    let mut got = vec![0];
    out.read_exact(&mut got).expect("a byte");
    fs::write(&file, "").expect("cut short");
    out.read_to_end(&mut got).expect("the rest");
    assert!(child.wait().expect("it ends").success());
    assert!(got == expected && got.len() > 1 << 20);
}

/// The value in a file: a PackedByteArray of zeros, or an Array of ints.
fn value(zeros: bool) -> Vec<u8> {
    let mut value = Vec::new();
    let mut put = |word: u32| value.extend_from_slice(&word.to_le_bytes());
    if zeros {
        put(29);
        put(30 << 20);
        value.resize(8 + (30 << 20), 0);
    } else {
        put(28);
        put(1 << 21);
        for n in 0..1 << 21 {
            put(2);
            put(n);
        }
    }
    let len = value.len() as u32;
    [&len.to_le_bytes()[..], &value].concat()
}

/// With any amount of memory, a command either succeeds or reports that it ran out of memory.
#[test]
fn memory_that_runs_out_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |before: &str, words: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{before} exec \"$0\" \"$@\""), GDVAR]);
        let words = words.split(' ').chain(["-d", "godot4", "-f", "len32"]);
        let command = command.args(words).current_dir(folder.path());
        command.env("RUST_BACKTRACE", "0");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output()
            .expect("a shell")
    };
    let (mut enough, mut short) = (0, 0);
    for zeros in [true, false] {
        fs::write(folder.path().join("plain"), value(zeros)).expect("space");
        for words in [
            "pack --mode zstd plain -o packed",
            "pack --password x --to godot4 plain -o locked",
        ] {
            assert!(run("", words).status.success());
        }
        for words in [
            "info packed",
            "check packed",
            "check --strict packed",
            "check --password x locked",
            "get packed $[5]",
            "convert --to godot4 packed -o out",
            "convert --to godot4 --password x locked -o out",
            "convert --to godot4 plain -o out",
            "unpack packed -o out",
            "pack --mode deflate plain -o out",
        ] {
            for mib in [40, 60, 90, 150] {
                let limit = mib << 10;
                let output = run(&format!("ulimit -v {limit};"), words);
                let (what, errors) = (format!("{words} in {mib} MiB"), text(&output));
                if output.status.code() == Some(6) {
                    assert!(errors.contains("memory"), "{what}: {errors}");
                    short += 1;
                } else {
                    assert!(output.status.success(), "{what}: {output:?}");
                    enough += 1;
                }
                let left = fs::read_dir(folder.path()).expect("a folder");
                let left = left.filter(|entry| {
                    let name = entry.as_ref().expect("an entry").file_name();
                    name.to_string_lossy().starts_with(".gdvar-")
                });
                assert_eq!(left.count(), 0, "{what}");
            }
        }
    }
    println!("{enough} runs had enough memory, {short} too little");
    assert!(enough > 10 && short > 10, "{enough}, {short}");
}

/// Even if no limit is given, a small file that unpacks to a huge one does not use up the memory of the
/// machine.
#[test]
fn a_small_file_unpacks_to_what_engines_can_pack_at_most() {
    let folder = tempfile::tempdir().expect("a folder");
    let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
    let gdvar = |words: &[&str], file: &Path| {
        let mut command = Command::new(GDVAR);
        command.args(words).arg(file).output().expect("it runs")
    };
    let file = |mib: usize, block: &str, mode: &str| {
        let len = u32::try_from((mib << 20) - 12).expect("short");
        let head = [len + 8, 29, len].map(u32::to_le_bytes).concat();
        fs::write(&plain, head).expect("space");
        let made = fs::File::options().write(true).open(&plain).expect("it");
        made.set_len((mib << 20) as u64).expect("space");
        let to = packed.to_str().expect("UTF-8");
        let words = ["pack", "--mode", mode, "--block-size", block, "-o", to];
        assert!(gdvar(&words, &plain).status.success());
    };
    let check = ["check", "-d", "godot4", "-f", "len32"];
    // Zeros as the engines pack them: the most that they ever save.
    for mode in ["fastlz", "deflate", "zstd", "gzip"] {
        file(80, "4096", mode);
        let output = gdvar(&check, &packed);
        assert_eq!(output.status.code(), Some(0), "{mode}: {output:?}");
    }
    // Larger blocks, which no engine writes.
    file(80, "1048576", "zstd");
    let output = gdvar(&check, &packed);
    let errors = text(&output);
    assert_eq!(output.status.code(), Some(4), "{errors}");
    assert!(
        errors.contains("83886080 bytes is above the limit of 67108864"),
        "{errors}"
    );
    assert!(errors.contains("--max-unpacked 83886080"), "{errors}");
    let allowed = [&check[..], &["--max-unpacked", "83886080"]].concat();
    assert_eq!(gdvar(&allowed, &packed).status.code(), Some(0));
    // No memory is needed beyond what the engines' form justifies.
    file(40, "1048576", "zstd");
    assert_eq!(gdvar(&check, &packed).status.code(), Some(0));
}
