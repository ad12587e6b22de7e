//! The verbs that replace a file, and a folder in which one of them does it.
#![allow(dead_code, reason = "no test needs all of it")]

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::common::{gdvar, stdout};

pub(crate) const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

pub(crate) const PASSWORD: &str = "a password";

/// The file that is replaced, as a command finds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Old {
    /// An encrypted save, which the command reads.
    Locked,
    /// A save that the command reads.
    Plain,
    /// Anything: the command reads something else.
    Other,
}

/// A command that replaces `FILE`. After it has looked at the file, it waits for standard input or for the editor,
/// so that a test can change the file in between.
pub(crate) struct Verb {
    pub(crate) words: &'static str,
    pub(crate) old: Old,
    pub(crate) stdin: &'static [u8],
}

pub(crate) const fn verb(words: &'static str, old: Old, stdin: &'static [u8]) -> Verb {
    Verb { words, old, stdin }
}

/// A client and a server of Godot 4.
pub(crate) const CAPTURE: &[u8] = include_bytes!("../../../../testdata/captures/g4-enet-repl.hex");

/// The verbs that replace a file. `scratch.*` are files beside it.
pub(crate) const VERBS: &[Verb] = &[
    verb("set FILE day=38 -i", Old::Locked, b"a password\n"),
    verb("insert FILE items[0]=1 -i", Old::Locked, b"a password\n"),
    verb("append FILE items=1 -i", Old::Locked, b"a password\n"),
    verb("del FILE day -i", Old::Locked, b"a password\n"),
    verb("rename-key FILE day=days -i", Old::Locked, b"a password\n"),
    verb("patch FILE scratch.patch -i", Old::Locked, b"a password\n"),
    verb("edit FILE day", Old::Locked, b"a password\n"),
    verb(
        "convert --to godot3 FILE -o FILE",
        Old::Locked,
        b"a password\n",
    ),
    verb("unpack FILE -o FILE", Old::Locked, b"a password\n"),
    verb("pack --to godot4 FILE -o FILE", Old::Plain, b"a password\n"),
    verb("merge FILE FILE FILE -o FILE", Old::Locked, b"a password\n"),
    verb(
        "records join FILE FILE -o FILE",
        Old::Locked,
        b"a password\n",
    ),
    verb(
        "records extract FILE 0 -o FILE",
        Old::Locked,
        b"a password\n",
    ),
    verb(
        "recover scratch.locked -o FILE",
        Old::Other,
        b"a password\n",
    ),
    verb("from-text - -o FILE", Old::Other, b"[1]"),
    verb("from-json - -o FILE", Old::Other, b"[1]"),
    verb("gron -u - -o FILE", Old::Other, b"a = 1;\n"),
    verb(
        "table scratch.locked --columns day --format csv -o FILE",
        Old::Other,
        b"a password\n",
    ),
    verb("packets --stats --svg FILE -", Old::Other, CAPTURE),
    verb("packets --stats --html FILE -", Old::Other, CAPTURE),
];

/// The verbs that replace no file: they print, or make new files and folders.
pub(crate) const OTHERS: &[&str] = &[
    "info",
    "view",
    "check",
    "get",
    "grep",
    "hex",
    "explain",
    "schema",
    "stats",
    "textconv",
    "scan",
    "query",
    "dissector",
    "proxy",
    "debug",
    "json",
    "text",
    "diff",
    "watch",
    "bench",
    "options",
    "complete-path",
    "completions",
    "man",
    "help",
    // Appends to .gitattributes, and git writes its own settings.
    "git-setup",
    // Has a screen of its own: its saving is tested in src/explore.
    "explore",
];

/// A folder with the file `save` in it, and what verbs need.
pub(crate) struct Folder {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) verb: &'static Verb,
}

impl Folder {
    pub(crate) fn new(verb: &'static Verb) -> Folder {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let plain = gdvar(&["from-text", "-"], b"{\"day\": 37, \"items\": [1, 2]}").stdout;
        fs::write(path("scratch.plain"), &plain).expect("space");
        let names = ["scratch.locked", "scratch.plain"].map(path);
        let [locked, source] = names.each_ref().map(|path| path.to_str().expect("UTF-8"));
        let pack = [
            "pack",
            "--password",
            PASSWORD,
            "--to",
            "godot4",
            "-q",
            "-o",
            locked,
            source,
        ];
        stdout(&pack, b"", 0);
        let patch = "gdvar-patch 2 godot4\nset $.day 37 -> 38\n";
        fs::write(path("scratch.patch"), patch).expect("space");
        let editor = "#!/bin/sh\ntouch scratch.ready\nwhile [ ! -e scratch.go ]; do sleep 0.01; done\n\
             sed -i s/37/38/ \"$1\"\n";
        fs::write(path("scratch.editor"), editor).expect("space");
        let new = Folder { folder, verb };
        fs::write(new.file(), new.old()).expect("space");
        new
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.path("save")
    }

    /// The contents of the file before the command runs.
    pub(crate) fn old(&self) -> Vec<u8> {
        match self.verb.old {
            Old::Locked => fs::read(self.path("scratch.locked")).expect("it"),
            Old::Plain => fs::read(self.path("scratch.plain")).expect("it"),
            Old::Other => b"what was there before".to_vec(),
        }
    }

    pub(crate) fn start(&self) -> Child {
        let words = self.verb.words.split(' ').map(|word| match word {
            "FILE" => "save",
            word => word,
        });
        let mut command = Command::new(GDVAR);
        command.args(words).current_dir(self.folder.path());
        if self.verb.stdin == b"a password\n" {
            command.arg("--password-stdin");
        }
        command
            .env("EDITOR", "sh scratch.editor")
            .env_remove("VISUAL")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("it runs")
    }

    /// Runs the verb. `meanwhile` happens when it has read the file, or at least looked at it.
    pub(crate) fn run(&self, meanwhile: impl FnOnce(&Folder)) -> Output {
        let mut child = self.start();
        let mut stdin = child.stdin.take().expect("a pipe");
        let is_edit = self.verb.words.starts_with("edit");
        if is_edit {
            stdin.write_all(self.verb.stdin).expect("it reads");
            self.wait(&mut child, |_| self.path("scratch.ready").exists());
        } else {
            self.wait(&mut child, waits_for_input);
        }
        meanwhile(self);
        fs::write(self.path("scratch.go"), "").expect("space");
        if !is_edit {
            // The result is ignored, because a command that has already ended reads nothing.
            let _ = stdin.write_all(self.verb.stdin);
        }
        drop(stdin);
        child.wait_with_output().expect("it ends")
    }

    pub(crate) fn wait(&self, child: &mut Child, is_ready: impl Fn(u32) -> bool) {
        let begun = Instant::now();
        while child.try_wait().expect("a child").is_none() && !is_ready(child.id()) {
            let words = self.verb.words;
            assert!(
                begun.elapsed() < Duration::from_secs(300),
                "{words} never waits"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Fails if the folder holds any file except those in `names` and `scratch.*`.
    #[track_caller]
    pub(crate) fn nothing_else(&self, names: &[&str]) {
        for entry in fs::read_dir(self.folder.path()).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy().into_owned();
            let known = name.starts_with("scratch.") || names.contains(&&*name);
            assert!(known, "{}: {name} is left", self.verb.words);
        }
    }
}

/// Returns `true` if a process is in the middle of reading its standard input.
pub(crate) fn waits_for_input(id: u32) -> bool {
    let call = fs::read_to_string(format!("/proc/{id}/syscall")).unwrap_or_default();
    let mut words = call.split(' ');
    // The number of `read` on x86-64 and on AArch64.
    matches!(words.next(), Some("0" | "63")) && words.next() == Some("0x0")
}

pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
