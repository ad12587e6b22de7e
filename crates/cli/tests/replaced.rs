//! Every command that can replace a file, on every kind of file, with everything that can happen to it meanwhile: it
//! replaces the file that it read, or refuses and leaves all as it is. Nothing is lost.
#![cfg(target_os = "linux")]

mod common;

use std::{
    fs,
    io::Write,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::{gdvar, save, stderr, stdout};

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

const PASSWORD: &str = "a password";

/// The file that is replaced, as a command finds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Old {
    /// An encrypted save, which the command reads.
    Locked,
    /// A save that the command reads.
    Plain,
    /// Anything: the command reads something else.
    Other,
}

/// A command that replaces `FILE`. After it has looked at the file, it waits for standard input or for the editor,
/// so that a test can change the file in between.
struct Verb {
    words: &'static str,
    old: Old,
    stdin: &'static [u8],
}

const fn verb(words: &'static str, old: Old, stdin: &'static [u8]) -> Verb {
    Verb { words, old, stdin }
}

/// A client and a server of Godot 4.
const CAPTURE: &[u8] = include_bytes!("../../../testdata/captures/g4-enet-repl.hex");

/// The verbs that replace a file. `scratch.*` are files beside it.
const VERBS: &[Verb] = &[
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
const OTHERS: &[&str] = &[
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
struct Folder {
    folder: tempfile::TempDir,
    verb: &'static Verb,
}

impl Folder {
    fn new(verb: &'static Verb) -> Folder {
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

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self) -> PathBuf {
        self.path("save")
    }

    /// The contents of the file before the command runs.
    fn old(&self) -> Vec<u8> {
        match self.verb.old {
            Old::Locked => fs::read(self.path("scratch.locked")).expect("it"),
            Old::Plain => fs::read(self.path("scratch.plain")).expect("it"),
            Old::Other => b"what was there before".to_vec(),
        }
    }

    fn start(&self) -> Child {
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
    fn run(&self, meanwhile: impl FnOnce(&Folder)) -> Output {
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

    fn wait(&self, child: &mut Child, is_ready: impl Fn(u32) -> bool) {
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
    fn nothing_else(&self, names: &[&str]) {
        for entry in fs::read_dir(self.folder.path()).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy().into_owned();
            let known = name.starts_with("scratch.") || names.contains(&&*name);
            assert!(known, "{}: {name} is left", self.verb.words);
        }
    }
}

/// Returns `true` if a process is in the middle of reading its standard input.
fn waits_for_input(id: u32) -> bool {
    let call = fs::read_to_string(format!("/proc/{id}/syscall")).unwrap_or_default();
    let mut words = call.split(' ');
    // The number of `read` on x86-64 and on AArch64.
    matches!(words.next(), Some("0" | "63")) && words.next() == Some("0x0")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The commands that `gdvar` has are those of the lists above: a new one has to be put into one of them.
#[test]
fn no_verb_is_missing_here() {
    let mut names = common::verbs();
    names.retain(|name| {
        let replaces = VERBS
            .iter()
            .any(|verb| verb.words.split(' ').next() == Some(name));
        !replaces && !OTHERS.contains(&&**name)
    });
    assert!(names.is_empty(), "{names:?} replace a file, or do not?");
}

/// What happens to a file while a command works, and which files are there after it.
type Meanwhile = (&'static str, fn(&Folder));

const MEANWHILE: &[Meanwhile] = &[
    ("changed, with the same length and time", |folder| {
        let file = fs::File::options()
            .write(true)
            .open(folder.file())
            .expect("it");
        let time = file
            .metadata()
            .and_then(|all| all.modified())
            .expect("a time");
        let mut bytes = folder.old();
        *bytes.last_mut().expect("bytes") ^= 1;
        (&file).write_all(&bytes).expect("space");
        file.set_modified(time).expect("a time");
    }),
    ("added to", |folder| {
        let mut file = fs::File::options()
            .append(true)
            .open(folder.file())
            .expect("it");
        file.write_all(b"more").expect("space");
    }),
    ("cut short", |folder| {
        let file = fs::File::options()
            .write(true)
            .open(folder.file())
            .expect("it");
        file.set_len(7).expect("cut");
    }),
    ("replaced", |folder| {
        fs::write(folder.path("new"), "another save").expect("space");
        fs::rename(folder.path("new"), folder.file()).expect("a new name");
    }),
    ("replaced by the same bytes", |folder| {
        fs::copy(folder.file(), folder.path("new")).expect("space");
        fs::rename(folder.path("new"), folder.file()).expect("a new name");
    }),
    ("removed", |folder| {
        fs::remove_file(folder.file()).expect("it");
    }),
    ("replaced by a link", |folder| {
        fs::rename(folder.file(), folder.path("scratch.moved")).expect("a new name");
        symlink("scratch.plain", folder.file()).expect("a link");
    }),
];

#[test]
fn a_file_that_changes_meanwhile_is_left_alone() {
    for verb in VERBS {
        for (what, meanwhile) in MEANWHILE {
            let folder = Folder::new(verb);
            let plain = fs::read(folder.path("scratch.plain")).expect("it");
            let mut now = None;
            let output = folder.run(|folder| {
                meanwhile(folder);
                now = fs::read(folder.file()).ok();
            });
            let (what, told) = (format!("{}: {what}", verb.words), errors(&output));
            // These commands read the file a second time, and may find it damaged instead of changed.
            let again = ["merge", "records join"];
            let again = again.iter().any(|words| verb.words.starts_with(words));
            let code = output.status.code();
            if again {
                assert!(matches!(code, Some(3 | 6)), "{what}: {told}");
            } else {
                assert_eq!(code, Some(6), "{what}: {told}");
                assert!(told.contains("in the meantime"), "{what}: {told}");
                assert!(told.contains("help: run it again"), "{what}: {told}");
            }
            assert!(
                fs::read(folder.file()).ok() == now,
                "{what}: it was written"
            );
            assert_eq!(
                fs::read(folder.path("scratch.plain")).expect("it"),
                plain,
                "{what}"
            );
            folder.nothing_else(&["save"]);
            // What was typed is not lost.
            if verb.words.starts_with("edit") {
                let kept = told.split("your text is kept in ").nth(1).expect("a name");
                let kept = Path::new(kept.trim());
                assert_eq!(fs::read_to_string(kept).expect("the text"), "38");
                fs::remove_file(kept).expect("removed");
            }
        }
    }
}

#[test]
fn a_file_that_appears_meanwhile_is_left_alone() {
    for verb in VERBS.iter().filter(|verb| verb.old == Old::Other) {
        let folder = Folder::new(verb);
        fs::remove_file(folder.file()).expect("it");
        let output = folder.run(|folder| fs::write(folder.file(), "new").expect("space"));
        let told = errors(&output);
        assert_eq!(output.status.code(), Some(6), "{}: {told}", verb.words);
        assert!(told.contains("in the meantime"), "{}: {told}", verb.words);
        assert_eq!(
            fs::read(folder.file()).expect("it"),
            b"new",
            "{}",
            verb.words
        );
    }
}

/// A link that leads elsewhere by the time the file is written.
#[test]
fn a_link_that_is_changed_meanwhile_harms_neither_file() {
    for verb in VERBS {
        for back in [false, true] {
            let folder = Folder::new(verb);
            fs::rename(folder.file(), folder.path("first")).expect("a new name");
            fs::write(folder.path("second"), "the other save").expect("space");
            symlink("first", folder.file()).expect("a link");
            let lead_to = |folder: &Folder, name| {
                fs::remove_file(folder.file()).expect("it");
                symlink(name, folder.file()).expect("a link");
            };
            let output = folder.run(|folder| {
                lead_to(folder, "second");
                if back {
                    lead_to(folder, "first");
                }
            });
            let (what, told) = (verb.words, errors(&output));
            let other = fs::read(folder.path("second")).expect("it");
            assert_eq!(other, b"the other save", "{what}: {told}");
            let is_old = fs::read(folder.path("first")).expect("it") == folder.old();
            if back {
                assert!(output.status.success() && !is_old, "{what}: {told}");
            } else {
                assert_eq!(output.status.code(), Some(6), "{what}: {told}");
                assert!(
                    told.contains("another file in the meantime") && is_old,
                    "{what}: {told}"
                );
            }
            assert!(folder.file().is_symlink(), "{what}");
            folder.nothing_else(&["save", "first", "second"]);
        }
    }
}

#[test]
fn what_a_file_has_besides_its_contents_is_kept() {
    for verb in VERBS {
        let folder = Folder::new(verb);
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o640)).expect("it");
        let file = folder.file();
        let tagged =
            rustix::fs::setxattr(&file, "user.tag", b"mine", rustix::fs::XattrFlags::empty());
        let output = folder.run(|_| {});
        let (what, told) = (verb.words, errors(&output));
        assert!(output.status.success(), "{what}: {told}");
        assert!(
            fs::read(&file).expect("it") != folder.old() || what.starts_with("merge"),
            "{what}"
        );
        let mode = fs::metadata(&file).expect("it").permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{what}");
        folder.nothing_else(&["save"]);
        if tagged.is_ok() {
            let mut tag = [0; 16];
            let len = rustix::fs::getxattr(&file, "user.tag", &mut tag[..]).expect("it is kept");
            assert_eq!(&tag[..len], b"mine", "{what}");
        } else {
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: extended attributes (there are none here)"
            );
        }
    }
}

#[test]
fn a_file_with_other_names_and_a_read_only_one_are_refused() {
    for verb in VERBS {
        let folder = Folder::new(verb);
        fs::hard_link(folder.file(), folder.path("other")).expect("a name");
        let output = folder.run(|_| {});
        let (what, told) = (verb.words, errors(&output));
        assert_eq!(output.status.code(), Some(6), "{what}: {told}");
        assert!(told.contains("it has 2 names"), "{what}: {told}");
        let number = |name| fs::metadata(folder.path(name)).expect("it").ino();
        assert_eq!(number("save"), number("other"), "{what}");
        assert!(
            fs::read(folder.file()).expect("it") == folder.old(),
            "{what}"
        );
        fs::remove_file(folder.path("other")).expect("it");

        fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o440)).expect("it");
        let output = folder.run(|_| {});
        let told = errors(&output);
        assert_eq!(output.status.code(), Some(6), "{what}: {told}");
        assert!(told.contains("it is read-only"), "{what}: {told}");
        assert!(
            fs::read(folder.file()).expect("it") == folder.old(),
            "{what}"
        );
        folder.nothing_else(&["save"]);
    }
}

/// A dump or a list of numbers would become the bytes that it stands for.
#[test]
fn text_that_stands_for_bytes_stays_text() {
    let value = common::gdvar(
        &["from-text", "-", "-f", "bare"],
        b"{\"day\": 37, \"items\": [1, 2]}",
    );
    let hex: Vec<String> = value
        .stdout
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let numbers: Vec<String> = value.stdout.iter().map(u8::to_string).collect();
    let dump: String = hex
        .chunks(16)
        .enumerate()
        .map(|(n, row)| format!("{:08x}: {}\n", 16 * n, row.join(" ")))
        .collect();
    let forms = [
        (dump, &[][..]),
        (
            format!("12:01 got {}\n", hex.join(" ")),
            &["--encoding", "hex"],
        ),
    ];
    let encoded = |framing| {
        let args = ["from-text", "-", "-f", framing];
        let encoded = common::gdvar(&args, b"{\"day\": 37, \"items\": [1, 2]}");
        String::from_utf8(encoded.stdout).expect("UTF-8")
    };
    // The layouts that programs print are kept: what was a dump is one again.
    let xxd: String = value
        .stdout
        .chunks(16)
        .enumerate()
        .map(|(n, row)| {
            let pairs: Vec<String> = { row.chunks(2) }
                .map(|pair| pair.iter().map(|byte| format!("{byte:02x}")).collect())
                .collect();
            let seen = |&byte: &u8| {
                if (32..127).contains(&byte) {
                    char::from(byte)
                } else {
                    '.'
                }
            };
            let seen: String = row.iter().map(seen).collect();
            format!("{:08x}: {:39}  {seen}\n", 16 * n, pairs.join(" "))
        })
        .collect();
    let kept = [
        (xxd, &[][..]),
        (format!("[{}]", numbers.join(", ")), &[]),
        (encoded("base64"), &["--encoding", "base64"]),
    ];
    for (text, options) in &kept {
        for change in [
            "set FILE day=38 -i",
            "del FILE day -i",
            "append FILE items=3 -i",
        ] {
            let folder = Folder::new(&VERBS[0]);
            fs::write(folder.file(), text).expect("space");
            let file = folder.file();
            let file = file.to_str().expect("UTF-8");
            let args = change
                .split(' ')
                .map(|word| if word == "FILE" { file } else { word });
            let args: Vec<&str> = args.chain(options.iter().copied()).collect();
            stdout(&args, b"", 0);
            let new = fs::read_to_string(file).expect("text");
            assert!(new != *text && new[..4] == text[..4], "{change}: {new}");
            assert_eq!(new.ends_with('\n'), text.ends_with('\n'), "{change}: {new}");
            let changed = common::gdvar(&[&["unpack", file], *options].concat(), b"");
            let binary = folder.folder.path().join("binary");
            fs::write(&binary, &value.stdout).expect("space");
            let binary = binary.to_str().expect("UTF-8");
            let args = change
                .split(' ')
                .map(|word| if word == "FILE" { binary } else { word });
            stdout(&args.collect::<Vec<_>>(), b"", 0);
            assert!(
                changed.stdout == fs::read(binary).expect("a file"),
                "{change}: {new}"
            );
        }
    }
    let reads = |verb: &&Verb| verb.old == Old::Locked;
    for verb in VERBS.iter().filter(reads) {
        for (text, options) in &forms {
            let folder = Folder::new(verb);
            fs::write(folder.file(), text).expect("space");
            let words = verb.words.split(' ').map(|word| match word {
                "FILE" => "save",
                word => word,
            });
            let output = Command::new(GDVAR)
                .args(words)
                .args(*options)
                .current_dir(folder.folder.path())
                .env("EDITOR", "sed -i s/37/38/")
                .env_remove("VISUAL")
                .stdin(Stdio::null())
                .output()
                .expect("it runs");
            let (what, told) = (format!("{} {text}", verb.words), errors(&output));
            assert_ne!(output.status.code(), Some(0), "{what}: {told}");
            assert_eq!(
                fs::read_to_string(folder.file()).expect("it"),
                *text,
                "{what}: {told}"
            );
            // Into another file it can be written.
            if verb.words.starts_with("set") {
                assert!(
                    told.contains("write the values to another file"),
                    "{what}: {told}"
                );
                let file = folder.file();
                let args = [&["set", file.to_str().expect("UTF-8"), "day=38"], *options];
                assert!(!common::gdvar(&args.concat(), b"").stdout.is_empty());
            }
        }
    }
    // Lines of hex and base64 are a framing, and stay lines.
    for (framing, end) in [("hex", "\n"), ("base64", "\n")] {
        let lines = stdout(&["from-text", "-", "-f", framing], b"[1]", 0);
        let folder = Folder::new(&VERBS[0]);
        fs::write(folder.file(), &lines).expect("space");
        let file = folder.file();
        let file = file.to_str().expect("UTF-8");
        stdout(
            &["-f", framing, "-d", "godot4", "set", file, "[0]=2", "-i"],
            b"",
            0,
        );
        let new = fs::read_to_string(file).expect("it");
        assert!(new.len() == lines.len() && new != lines && new.ends_with(end));
    }
}

/// Standard input, bytes on the command line and a FIFO have no place that could be replaced.
#[test]
fn what_is_no_file_is_not_replaced() {
    let plain = gdvar(&["from-text", "-"], b"{\"day\": 37, \"items\": [1, 2]}").stdout;
    for verb in VERBS
        .iter()
        .filter(|verb| verb.words.ends_with(" -i") || verb.words.starts_with("edit"))
    {
        let folder = Folder::new(verb);
        let fifo = Command::new("mkfifo").arg(folder.path("fifo")).status();
        assert!(fifo.expect("mkfifo runs").success());
        for place in ["-", "hex:0200000005000000", "fifo"] {
            let words = verb.words.split(' ').map(|word| match word {
                "FILE" => place,
                word => word,
            });
            let mut child = Command::new(GDVAR)
                .args(words)
                .current_dir(folder.folder.path())
                .env("EDITOR", "true")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it runs");
            let _ = child.stdin.take().expect("a pipe").write_all(&plain);
            let output = child.wait_with_output().expect("it ends");
            let (what, told) = (format!("{} {place}", verb.words), errors(&output));
            assert_eq!(output.status.code(), Some(2), "{what}: {told}");
            assert!(
                told.contains("not a file that can be replaced"),
                "{what}: {told}"
            );
            folder.nothing_else(&["save", "fifo"]);
        }
    }
}

/// Every copy is kept, with the permissions of the file; the first is the file as it was in the beginning.
#[test]
fn a_backup_never_replaces_another() {
    for words in ["set save day=N -i", "edit save day"] {
        let folder = Folder::new(&VERBS[0]);
        fs::copy(folder.path("scratch.plain"), folder.file()).expect("space");
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o600)).expect("it");
        let mut olds = Vec::new();
        for n in 1..4 {
            olds.push(fs::read(folder.file()).expect("it"));
            let number = n.to_string();
            let output = Command::new(GDVAR)
                .args(words.replace('N', &number).split(' '))
                .arg("--backup")
                .current_dir(folder.folder.path())
                .env("EDITOR", format!("sed -i s/.*/{n}/"))
                .env_remove("VISUAL")
                .output()
                .expect("it runs");
            assert!(output.status.success(), "{}", errors(&output));
            let name = if n == 1 {
                "save.bak".to_owned()
            } else {
                format!("save.bak{n}")
            };
            assert!(errors(&output).contains(&format!("the old file is {name}")));
            let copy = folder.path(&name);
            assert!(
                fs::read(&copy).expect("the copy") == olds[n - 1],
                "{words} {n}"
            );
            assert_eq!(
                fs::metadata(copy).expect("it").permissions().mode() & 0o777,
                0o600
            );
        }
        assert!(fs::read(folder.path("save.bak")).expect("it") == olds[0]);
    }
}

/// A mapped file: long enough not to be held in memory.
#[test]
fn a_large_file_that_changes_meanwhile_is_left_alone() {
    static EDIT: Verb = verb("edit FILE -r 0 version", Old::Other, b"");
    let one = fs::read(save("rpg4.sav")).expect("a save");
    let old = one.repeat((17 << 20) / one.len());
    let cases: [fn(&Folder, &[u8]); 3] = [
        |folder, _| {
            fs::write(folder.path("new"), "another save").expect("space");
            fs::rename(folder.path("new"), folder.file()).expect("a new name");
        },
        |folder, old| {
            let mut new = old.to_vec();
            *new.last_mut().expect("bytes") ^= 1;
            let time = fs::metadata(folder.file()).and_then(|all| all.modified());
            let file = fs::File::options()
                .write(true)
                .open(folder.file())
                .expect("it");
            (&file).write_all(&new).expect("space");
            file.set_modified(time.expect("a time")).expect("a time");
        },
        |folder, _| {
            let file = fs::File::options()
                .append(true)
                .open(folder.file())
                .expect("it");
            (&file)
                .write_all(b"\x08\0\0\0\x02\0\0\0\x05\0\0\0")
                .expect("space");
        },
    ];
    for (n, meanwhile) in cases.iter().enumerate() {
        let folder = Folder::new(&EDIT);
        fs::write(folder.file(), &old).expect("space");
        fs::write(folder.path("scratch.editor"), "touch scratch.ready\nwhile [ ! -e scratch.go ]; do sleep 0.01; done\necho 8 > \"$1\"\n").expect("space");
        let mut now = Vec::new();
        let output = folder.run(|folder| {
            meanwhile(folder, &old);
            now = fs::read(folder.file()).expect("it");
        });
        let told = errors(&output);
        assert_eq!(output.status.code(), Some(6), "{n}: {told}");
        assert!(told.contains("in the meantime"), "{n}: {told}");
        assert!(fs::read(folder.file()).expect("it") == now, "{n}");
        if let Some((_, kept)) = told.split_once("your text is kept in ") {
            fs::remove_file(kept.trim()).expect("removed");
        }
        folder.nothing_else(&["save"]);
    }
}

/// An empty name in a script replaces nothing.
#[test]
fn a_path_that_is_empty_is_refused() {
    let folder = Folder::new(&VERBS[0]);
    let file = folder.path("scratch.plain");
    let before = fs::read(&file).expect("it");
    let name = file.to_str().expect("UTF-8");
    for verb in ["set", "insert", "append", "rename-key"] {
        for empty in ["=5", " =5"] {
            let told = stderr(&[verb, name, empty, "-i"], b"", 1);
            assert!(told.contains("no path in front of `=`"), "{verb}: {told}");
            assert!(fs::read(&file).expect("it") == before, "{verb}");
        }
    }
    stdout(&["set", name, "$=5", "-i"], b"", 0);
    assert_eq!(stdout(&["get", name, "$"], b"", 0), "5\n");
}
