//! Writing to a path: files are replaced in one step, and anything else there is written to and
//! stays.
#![cfg(feature = "replace")]

use std::{fs, io::Write, path::Path};

use gdvar_io::replace::{Changed, Replacement, Snapshot};

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = Replacement::new(path)?;
    file.write_all(bytes)?;
    file.finish()
}

#[test]
fn the_old_file_stays_until_the_new_one_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot1.dat");
    fs::write(&path, "old").expect("a file");
    let mut begun = Replacement::new(&path).expect("a new file");
    assert!(!begun.writes_through());
    begun.write_all(b"half").expect("space");
    drop(begun);
    assert_eq!(fs::read(&path).expect("the old file"), b"old");
    write(&path, b"new").expect("a rename");
    assert_eq!(fs::read(&path).expect("the new file"), b"new");
    let names = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 1, "nothing is left behind");
}

/// What happens to a file, and another path to do it with.
type Change = (&'static str, fn(&Path, &Path));

/// A file that is no longer the file of the snapshot stays, and the error says so.
#[test]
fn what_was_changed_since_the_snapshot_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot1.dat");
    let other = folder.path().join("other.dat");
    let changes: [Change; 4] = [
        ("same length", |path, _| {
            fs::write(path, "new").expect("space");
        }),
        ("longer", |path, _| {
            fs::write(path, "longer").expect("space");
        }),
        ("replaced", |path, other| {
            fs::write(other, "old").expect("space");
            fs::rename(other, path).expect("a new name");
        }),
        ("removed", |path, _| {
            fs::remove_file(path).expect("it");
        }),
    ];
    for (what, change) in changes {
        fs::write(&path, "old").expect("a file");
        let old = Snapshot::of(&path).expect("a file");
        assert!(old.is_file() && old.is_at(&path) && old.check().is_ok());
        let time = fs::metadata(&path)
            .and_then(|all| all.modified())
            .expect("a time");
        let mut file = Replacement::of(&old).expect("a new file");
        file.write_all(b"mine").expect("space");
        change(&path, &other);
        // Its time does not reveal the change.
        if let Ok(changed) = fs::File::options().write(true).open(&path) {
            changed.set_modified(time).expect("a time");
        }
        let now = fs::read(&path).ok();
        let error = file.finish().expect_err("it was changed");
        assert!(
            error.get_ref().is_some_and(|inner| inner.is::<Changed>()),
            "{what}: {error}"
        );
        assert_eq!(fs::read(&path).ok(), now, "{what}");
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            usize::from(now.is_some())
        );
        assert!(Replacement::of(&old).is_err() || now.is_some(), "{what}");
    }
    // Nothing was there, and now there is a file.
    let old = Snapshot::of(&path).expect("no file");
    assert!(!old.is_file());
    let file = Replacement::of(&old).expect("a new file");
    fs::write(&path, "another's").expect("space");
    assert!(file.finish().is_err());
    assert_eq!(fs::read(&path).expect("it"), b"another's");
}

#[test]
fn each_copy_has_a_name_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot1.dat");
    fs::write(&path, "first").expect("a file");
    for (n, name) in ["slot1.dat.bak", "slot1.dat.bak2", "slot1.dat.bak3"]
        .iter()
        .enumerate()
    {
        let before = fs::read(&path).expect("it");
        let mut file = Replacement::new(&path).expect("a new file");
        write!(file, "{n}").expect("space");
        let copy = file.back_up().expect("space").expect("a name");
        assert_eq!(copy.file_name().and_then(|name| name.to_str()), Some(*name));
        file.finish().expect("a rename");
        assert_eq!(fs::read(copy).expect("the copy"), before);
    }
    let new = Replacement::new(&folder.path().join("new")).expect("a new file");
    assert_eq!(new.back_up().expect("no file"), None);
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::File,
        io::Read,
        os::{
            fd::AsRawFd,
            unix::{
                fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink},
                net::UnixListener,
            },
        },
        process::{Command, Stdio},
        sync::mpsc,
        thread,
        time::Duration,
    };

    use super::*;

    /// Prints directly to standard error, because the output of tests is captured.
    fn skipped(why: &str) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
    }

    #[test]
    fn a_fifo_is_written_to_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let fifo = folder.path().join("fifo");
        let made = Command::new("mkfifo").arg(&fifo).status();
        assert!(made.expect("mkfifo runs").success());
        let link = folder.path().join("link");
        symlink("fifo", &link).expect("a link");
        // A FIFO opened for reading and writing opens at once and has a reader from then on, so
        // nobody waits for the other end. With a separate reader for each path, the second one
        // could wait for ever: until a child of another test becomes its program, it holds copies
        // of our descriptors, the first reader's among them. The writer would then be let in, and
        // be gone before the second reader comes.
        let both = File::options().read(true).write(true).open(&fifo);
        let both = both.expect("the FIFO");
        for path in [&fifo, &link] {
            let mut file = Replacement::new(path).expect("a reader");
            assert!(file.writes_through());
            file.write_all(b"through").expect("a reader");
            file.finish().expect("a reader");
            let mut end = both.try_clone().expect("a descriptor");
            let (told, read) = mpsc::channel();
            thread::spawn(move || {
                let mut got = [0; 7];
                let done = end.read_exact(&mut got).map(|()| got);
                told.send(done)
            });
            let got = read.recv_timeout(Duration::from_secs(30));
            let got = got.expect("the bytes are in the FIFO");
            assert_eq!(&got.expect("a reader"), b"through");
            let kind = fs::symlink_metadata(&fifo).expect("the FIFO").file_type();
            assert!(kind.is_fifo());
        }
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    /// A node like `/dev/null`, and one like `/dev/full`, in a folder of this test.
    #[test]
    fn a_device_is_written_to_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, minor) in [("null", "3"), ("full", "7")] {
            let node = folder.path().join(name);
            let made = Command::new("mknod")
                .arg(&node)
                .args(["c", "1", minor])
                .output();
            if !made.is_ok_and(|made| made.status.success()) {
                return skipped("devices (only root makes them)");
            }
            if File::open(&node).is_err() {
                return skipped("devices (this file system has none)");
            }
            let before = fs::symlink_metadata(&node).expect("the node");
            let written = write(&node, b"gone");
            assert_eq!(written.is_ok(), name == "null", "{written:?}");
            let after = fs::symlink_metadata(&node).expect("the node");
            assert!(after.file_type().is_char_device(), "{name}");
            let number = |of: &fs::Metadata| (of.ino(), of.rdev(), of.mode());
            assert_eq!(number(&before), number(&after), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn a_socket_is_refused_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let _socket = UnixListener::bind(&path).expect("a socket");
        write(&path, b"nothing").expect_err("a socket is not opened by its name");
        let kind = fs::symlink_metadata(&path).expect("it").file_type();
        assert!(kind.is_socket());
    }

    /// As in `>(command)` and `/dev/stdout >>log`.
    #[test]
    fn an_open_file_is_added_to_and_never_replaced() {
        if !Path::new("/dev/fd").exists() {
            return skipped("open files by name (there is no /dev/fd)");
        }
        let by_name = |number: i32| format!("/dev/fd/{number}");
        let mut cat = Command::new("cat");
        let cat = cat.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut cat = cat.expect("cat runs");
        let pipe = cat.stdin.take().expect("a pipe");
        write(Path::new(&by_name(pipe.as_raw_fd())), b"through").expect("a pipe");
        drop(pipe);
        let got = cat.wait_with_output().expect("cat ends").stdout;
        assert_eq!(got, b"through");

        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        fs::write(&log, "begun, ").expect("a file");
        let open = File::options().append(true).open(&log).expect("a file");
        let before = fs::metadata(&log).expect("the file").ino();
        let link = folder.path().join("link");
        symlink(by_name(open.as_raw_fd()), &link).expect("a link");
        write(Path::new(&by_name(open.as_raw_fd())), b"added, ").expect("an open file");
        write(&link, b"again").expect("an open file");
        assert_eq!(fs::read(&log).expect("the file"), b"begun, added, again");
        assert_eq!(fs::metadata(&log).expect("the file").ino(), before);
    }

    #[test]
    fn permissions_and_owner_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("slot1.dat");
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        // Only root can give files away.
        let root = chown(&path, Some(12345), Some(54321)).is_ok();
        let about = |path: &Path| {
            let about = fs::metadata(path).expect("the file");
            (about.mode() & 0o7777, about.uid(), about.gid())
        };
        let before = about(&path);
        write(&path, b"new").expect("a rename");
        assert_eq!(about(&path), before);
        if !root {
            skipped("the owner of a file (only root gives files away)");
        }
    }

    #[test]
    fn a_folder_and_a_link_to_nowhere_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        symlink("nowhere", &link).expect("a link");
        for path in [folder.path(), &link] {
            write(path, b"nothing").expect_err("no file");
        }
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
