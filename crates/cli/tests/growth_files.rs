//! Commands take time in proportion to the number of records, and to the depth of a value.

mod common;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use common::{
    gdvar,
    growth::{FACTOR, check, growth},
    path,
};

/// Runs the command and returns its standard output and how long it took.
fn timed(args: &[&str]) -> (Vec<u8>, Duration) {
    let start = Instant::now();
    let done = gdvar(args, b"");
    let took = start.elapsed();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(
        matches!(done.status.code(), Some(0 | 1)),
        "{args:?}: {errors}"
    );
    (done.stdout, took)
}

/// `count` records as `store_var` writes them, each an int from `first` on.
fn records(count: usize, first: i32) -> Vec<u8> {
    (first..)
        .take(count)
        .flat_map(|int| [8, 2, int].map(i32::to_le_bytes))
        .flatten()
        .collect()
}

/// Patches every record of a file with `count` records.
fn patch(count: usize, folder: &Path) -> Duration {
    let [old, new, changes, out] =
        ["old.dat", "new.dat", "changes.txt", "out.dat"].map(|name| folder.join(name));
    fs::write(&old, records(count, 0)).expect("space");
    fs::write(&new, records(count, 1)).expect("space");
    let (text, _) = timed(&["diff", "--format", "patch", path(&old), path(&new)]);
    fs::write(&changes, text).expect("space");
    let (_, took) = timed(&["-q", "patch", path(&old), path(&changes), "-o", path(&out)]);
    assert!(fs::read(&out).expect("the result") == fs::read(&new).expect("it was written"));
    took
}

/// Dictionaries in Dictionaries, each with 20 other keys.
fn stats(depth: usize, folder: &Path) -> Duration {
    let save = folder.join("deep.dat");
    let keys: String = (0..20).map(|n| format!("\"key_{n}\": 1, ")).collect();
    let open = format!("{{{keys}\"deeper\": ").repeat(depth);
    let text = open + "null" + &"}".repeat(depth);
    let made = gdvar(&["-q", "from-text", "-"], text.as_bytes());
    fs::write(&save, made.stdout).expect("space");
    let (table, took) = timed(&["stats", path(&save)]);
    let table = String::from_utf8(table).expect("text");
    assert!(table.contains("more paths: --top"), "{table}");
    took
}

#[test]
fn eight_times_the_records_or_levels_take_about_eight_times_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = [
        ("patch", 5000, patch as fn(usize, &Path) -> Duration),
        ("stats", 120, stats),
    ];
    check(small.map(|(name, small, run)| {
        let ratio = growth([small, small * FACTOR], |size| run(size, folder.path()));
        (name.to_owned(), ratio)
    }));
}
