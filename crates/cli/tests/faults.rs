//! Failing disks and machines that stop: whichever system call fails while a file is written, either the complete old
//! file or the complete new file is there, and a command that wrote nothing reports an error.
#![cfg(target_os = "linux")]

mod common;

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use common::save;

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

/// Writes directly to standard error, because the test harness hides what a passing test prints with `eprintln!`.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// A folder with a save that is converted in place: the result replaces it.
struct Game {
    folder: tempfile::TempDir,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Game {
    fn new() -> Game {
        let folder = tempfile::tempdir().expect("a folder");
        // Several records, so that there are several writes.
        let old = fs::read(save("rpg3.sav")).expect("a save").repeat(3);
        let mut game = Game {
            folder,
            old,
            new: Vec::new(),
        };
        game.reset();
        let output = game.convert(Command::new(GDVAR));
        assert!(output.status.success(), "{}", text(&output));
        game.new = fs::read(game.file()).expect("the new file");
        assert!(game.new != game.old && game.new.len() > 100_000);
        game
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("slot1.dat")
    }

    /// Empties the folder, and writes the old file into it, readable by its owner only.
    fn reset(&self) {
        for entry in fs::read_dir(self.folder.path()).expect("a folder") {
            fs::remove_file(entry.expect("an entry").path()).expect("removed");
        }
        fs::write(self.file(), &self.old).expect("the old file");
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(self.file(), private).expect("permissions");
    }

    fn arguments(&self) -> [PathBuf; 8] {
        ["convert", "-d", "godot3", "--to", "godot4", "-o"]
            .map(PathBuf::from)
            .into_iter()
            .chain([self.file(), self.file()])
            .collect::<Vec<_>>()
            .try_into()
            .expect("eight")
    }

    fn convert(&self, mut command: Command) -> Output {
        let command = command.args(self.arguments()).stdin(Stdio::null());
        command.output().expect("it can be started")
    }

    /// Runs it under strace with those options and looks at what is left.
    fn strace(&self, options: &[&str], what: &str) -> Outcome {
        self.reset();
        let mut command = strace();
        command.args(["-f", "-qq", "-o", "/dev/null"]).args(options);
        let output = self.convert({
            command.arg(GDVAR);
            command
        });
        self.look(&output, what)
    }

    fn look(&self, output: &Output, what: &str) -> Outcome {
        let errors = text(output);
        let there = fs::read(self.file()).unwrap_or_else(|error| panic!("{what}: {error}"));
        let replaced = there == self.new;
        let len = there.len();
        assert!(
            replaced || there == self.old,
            "{what}: neither the old file nor the new one, but {len} bytes: {errors}"
        );
        let mode = fs::metadata(self.file()).expect("the file").permissions();
        assert_eq!(mode.mode() & 0o777, 0o600, "{what}: others may read it");
        // Rust's own start panics if it gets no memory for a signal handler; a panic of ours names our file.
        assert!(
            !errors.contains("panicked at ") || errors.contains("panicked at /rustc/"),
            "{what}: {errors}"
        );
        let code = output.status.code();
        let signal = output.status.signal();
        let killed = signal.is_some();
        if code == Some(0) {
            assert!(replaced, "{what}: a success that is none: {errors}");
        }
        let rest = fs::read_dir(self.folder.path()).expect("a folder").count() - 1;
        Outcome {
            replaced,
            code,
            killed,
            signal,
            rest,
            errors,
        }
    }
}

#[derive(Debug)]
struct Outcome {
    replaced: bool,
    code: Option<i32>,
    killed: bool,
    signal: Option<i32>,
    /// Files that are left besides the save.
    rest: usize,
    errors: String,
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Without the folders of cargo's libraries, in each of which the loader would look for those of the system: hundreds
/// of calls more.
fn strace() -> Command {
    let mut command = Command::new("strace");
    command.env_remove("LD_LIBRARY_PATH");
    command
}

/// How often each system call is made in an undisturbed run, by the thread that makes it most often: strace
/// counts for each thread. `None` without strace.
fn calls(game: &Game) -> Option<BTreeMap<String, u32>> {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = strace();
    command.args(["-f", "-qq", "-o"]).arg(log.path()).arg(GDVAR);
    game.reset();
    let arguments = game.arguments();
    match command.args(arguments).stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => {}
        _ => return None,
    }
    let mut by_thread = BTreeMap::new();
    for line in fs::read_to_string(log.path()).expect("a log").lines() {
        // "1234  openat(AT_FDCWD, …) = 3"
        let mut words = line.split_whitespace();
        let thread = words.next().unwrap_or_default();
        let call = words.next().unwrap_or_default();
        if let Some((name, _)) = call.split_once('(') {
            *by_thread
                .entry((thread.to_owned(), name.to_owned()))
                .or_insert(0) += 1;
        }
    }
    let mut calls = BTreeMap::new();
    for ((_, name), count) in by_thread {
        let most = calls.entry(name).or_insert(0);
        *most = count.max(*most);
    }
    assert!(calls.contains_key("fsync"), "{calls:?}");
    Some(calls)
}

const NO_STRACE: &str = "faults at system calls (strace is missing, or may not trace here)";

#[test]
fn a_kill_at_any_system_call_leaves_the_old_file_or_the_new_one() {
    let game = Game::new();
    let Some(calls) = calls(&game) else {
        return skipped(NO_STRACE);
    };
    let (mut kept, mut replaced) = (0, 0);
    for (call, count) in &calls {
        // `execve` is called by strace itself, to start the program.
        for n in 1..=*count {
            if call == "execve" {
                continue;
            }
            let what = format!("killed at {call} {n} of {count}");
            let inject = format!("inject={call}:signal=KILL:when={n}");
            let outcome = game.strace(&["-e", &inject], &what);
            // The program can no longer be killed at `exit_group`, because the kernel is ending it already.
            if call != "exit_group" {
                assert!(outcome.killed, "{what}: {outcome:?}");
            }
            *(if outcome.replaced {
                &mut replaced
            } else {
                &mut kept
            }) += 1;
        }
    }
    println!(
        "killed at {} calls: {kept} old, {replaced} new",
        kept + replaced
    );
    assert!(kept > 20 && replaced > 2, "{kept} old, {replaced} new");
}

/// The program handles these signals, unlike SIGKILL: no temporary file is left beside the old or the new file.
#[test]
fn a_signal_at_any_system_call_leaves_nothing_behind() {
    const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

    let game = Game::new();
    let Some(calls) = calls(&game) else {
        return skipped(NO_STRACE);
    };
    let (mut ended, mut late) = (0, 0);
    for (call, count) in &calls {
        for n in 1..=*count {
            if call == "execve" {
                continue;
            }
            let (name, number) = SIGNALS[(ended + late) % 3];
            let what = format!("{name} at {call} {n} of {count}");
            let inject = format!("inject={call}:signal={name}:when={n}");
            let outcome = game.strace(&["-e", &inject], &what);
            assert_eq!(outcome.rest, 0, "{what}: {outcome:?}");
            if outcome.killed {
                assert_eq!(outcome.signal, Some(number), "{what}: {outcome:?}");
                ended += 1;
            } else {
                // The program had finished its work before it handled the signal.
                assert_eq!(outcome.code, Some(0), "{what}: {outcome:?}");
                late += 1;
            }
        }
    }
    println!(
        "signals at {} calls: {ended} ended it, {late} came late",
        ended + late
    );
    assert!(ended > 20, "{ended} ended, {late} late");
}

#[test]
fn a_failure_of_any_system_call_leaves_the_old_file_or_the_new_one() {
    let game = Game::new();
    let Some(calls) = calls(&game) else {
        return skipped(NO_STRACE);
    };
    let mut failures = 0;
    for (call, count) in &calls {
        for errno in ["EIO", "ENOSPC", "EINTR", "EACCES"] {
            for n in 1..=*count {
                // strace itself calls `execve`. If `exit_group` failed, the program would run on after its end.
                if call == "execve" || call == "exit_group" {
                    continue;
                }
                let what = format!("{errno} from {call} {n} of {count}");
                let inject = format!("inject={call}:error={errno}:when={n}");
                let outcome = game.strace(&["-e", &inject], &what);
                failures += 1;
                match (call.as_str(), errno) {
                    // A call that is interrupted is tried again.
                    ("write" | "fsync" | "fchmod", "EINTR") => {
                        assert_eq!(outcome.code, Some(0), "{what}: {outcome:?}");
                    }
                    ("fsync" | "rename" | "renameat" | "renameat2" | "fchmod", _) => {
                        assert_eq!(outcome.code, Some(6), "{what}: {outcome:?}");
                        assert!(
                            outcome.errors.contains("error: "),
                            "{what}: {}",
                            outcome.errors
                        );
                    }
                    _ => {}
                }
                // The temporary file is left only if its removal fails, or if the program was aborted because memory
                // ran out.
                if !call.starts_with("unlink") && !outcome.killed {
                    assert_eq!(outcome.rest, 0, "{what}: {outcome:?}");
                }
                // Every failure prints a message, except if the program cannot even be loaded.
                if outcome.code == Some(6) {
                    assert!(!outcome.errors.is_empty(), "{what}");
                }
            }
        }
    }
    println!("{failures} failures");
    assert!(failures > 100);
}

/// The system really cuts writes short here, unlike with injected results.
#[test]
fn a_limit_on_the_size_of_files_cuts_writes_short() {
    let game = Game::new();
    for (ignore, kib) in [(true, 0), (true, 1), (true, 64), (true, 100), (false, 64)] {
        game.reset();
        let what = format!("files of {kib} KiB, signal ignored: {ignore}");
        let mut command = Command::new("bash");
        let trap = if ignore { "trap '' XFSZ;" } else { "" };
        let script = format!("{trap} ulimit -f {kib}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, GDVAR]);
        let outcome = game.look(&game.convert(command), &what);
        assert!(!outcome.replaced, "{what}");
        assert_eq!(outcome.code, Some(6), "{what}: {outcome:?}");
        assert!(outcome.errors.contains("cannot be written"), "{outcome:?}");
        assert_eq!(outcome.rest, 0, "{what}: {outcome:?}");
    }
}

/// A page that is cut short would be read as a whole one.
#[test]
fn a_page_of_the_manual_is_whole_or_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"";
    let output = Command::new("bash")
        .args(["-c", script, GDVAR, "man", "--dir"])
        .arg(folder.path())
        .output()
        .expect("it can be started");
    let errors = text(&output);
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(errors.contains(".1: cannot be written"), "{errors}");
    for page in fs::read_dir(folder.path()).expect("the folder") {
        let page = page.expect("a page").path();
        let len = fs::metadata(&page).expect("a page").len();
        assert!(len < 4096, "{} has {len} bytes", page.display());
    }
}

/// Help that cannot be printed is an error too.
#[test]
fn help_that_goes_nowhere_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["set", "--help"],
        &["help", "set"],
    ] {
        let out = fs::File::create(folder.path().join("out")).expect("a file");
        let output = Command::new("bash")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", GDVAR])
            .args(arguments)
            .stdout(out)
            .stderr(Stdio::piped())
            .output()
            .expect("it can be started");
        let errors = text(&output);
        assert_eq!(output.status.code(), Some(6), "{arguments:?}: {errors}");
        assert!(errors.contains("cannot write"), "{arguments:?}: {errors}");
    }
}

/// A file system of 64 pages, mounted in a namespace of its own.
#[test]
fn a_full_disk_keeps_the_old_file() {
    let game = Game::new();
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).expect("a folder");
    let old = folder.path().join("old");
    fs::write(&old, &game.old).expect("a file");
    // Room for the old file and half of the new one.
    let kib = (game.old.len() + game.new.len() / 2) / 1024;
    let script = format!(
        "mount -t tmpfs -o size={kib}k none \"$1\" || exit 100; cp \"$2\" \"$1/slot1.dat\" || exit 101; \
         \"$0\" convert -d godot3 --to godot4 -o \"$1/slot1.dat\" \"$2\"; code=$?; \
         cmp \"$2\" \"$1/slot1.dat\" || exit 102; [ \"$(ls -A \"$1\")\" = slot1.dat ] || exit 103; exit $code"
    );
    let output = Command::new("unshare")
        .args(["--mount", "--map-root-user", "bash", "-c", &script, GDVAR])
        .args([&disk, &old])
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        return skipped("a full disk (unshare is missing)");
    };
    let errors = text(&output);
    if output.status.code() == Some(100) || errors.starts_with("unshare:") {
        return skipped("a full disk (nothing may be mounted here)");
    }
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(
        errors.contains("cannot be written: No space left on device"),
        "{errors}"
    );
}

/// Runs it with standard output there.
fn to(out: &Path, arguments: &[&str]) -> Output {
    let out = fs::OpenOptions::new().write(true).open(out).expect("opens");
    Command::new(GDVAR)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::piped())
        .output()
        .expect("it can be started")
}

#[test]
fn output_that_goes_nowhere_is_an_error() {
    let save = save("rpg3.sav");
    let save = save.to_str().expect("UTF-8");
    for arguments in [
        &["view", save][..],
        &["view", "--format", "godot", save],
        &["get", save, "party"],
        &["get", save, "game"],
        &["info", save],
        &["info", "--json", save],
        &["check", save],
        &["check", "--json", save],
        &["convert", "--to", "godot4", save],
        &["convert", "--to", "godot4", "--out-framing", "hex", save],
    ] {
        let output = to(Path::new("/dev/full"), arguments);
        let errors = text(&output);
        assert_eq!(output.status.code(), Some(6), "{arguments:?}: {errors}");
        assert!(
            errors.contains("cannot write: No space left on device"),
            "{arguments:?}: {errors}"
        );
        assert!(output.status.signal().is_none(), "{arguments:?}");
    }
}

#[test]
fn a_link_stays_a_link_and_one_to_nowhere_is_an_error() {
    let game = Game::new();
    let link = game.folder.path().join("link.dat");
    let convert = |to: &Path| {
        Command::new(GDVAR)
            .args(["convert", "-d", "godot3", "--to", "godot4", "-o"])
            .arg(to)
            .arg(save("rpg3.sav"))
            .output()
            .expect("it can be started")
    };
    game.reset();
    std::os::unix::fs::symlink("slot1.dat", &link).expect("a link");
    assert!(convert(&link).status.success());
    assert!(link.is_symlink());
    assert!(fs::read(game.file()).expect("the file") != game.old);
    fs::remove_file(game.file()).expect("removed");
    let output = convert(&link);
    let errors = text(&output);
    assert_eq!(output.status.code(), Some(6), "{errors}");
    assert!(errors.contains("is a link that leads nowhere"), "{errors}");
}
