//! Every command that can replace a file, on every kind of file, with everything that can happen to it meanwhile: it
//! replaces the file that it read, or refuses and leaves all as it is. Nothing is lost.
#![cfg(target_os = "linux")]

mod common;
#[path = "common/replacing.rs"]
mod replacing;

use std::{
    fs,
    io::Write,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
};

use common::save;
use replacing::{Folder, OTHERS, Old, VERBS, Verb, errors, verb};
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
