//! Edits of many places in one call take time in proportion to their number.

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

/// Edits of a save.
struct Edits {
    words: fn(usize) -> Vec<String>,
    save: fn(usize) -> String,
    small: usize,
}

fn array(element: &str, count: usize) -> String {
    vec![element; count].join(", ")
}

const ALL: &[Edits] = &[
    Edits {
        words: |_| vec!["set".into(), "ps[*]=\"y\"".into()],
        save: |n| format!("{{\"ps\": PackedStringArray({})}}", array("\"x\"", n)),
        small: 2500,
    },
    Edits {
        words: |_| vec!["set".into(), "pb[*]=1".into()],
        save: |n| format!("{{\"pb\": PackedByteArray({})}}", array("7", n)),
        small: 5000,
    },
    Edits {
        words: |n| {
            let one = |n| format!("k{n}=new{n}");
            ["rename-key".into()]
                .into_iter()
                .chain((0..n / 10).map(one))
                .collect()
        },
        save: |n| {
            let pairs: Vec<_> = (0..n).map(|n| format!("\"k{n}\": {n}")).collect();
            format!("{{{}}}", pairs.join(", "))
        },
        small: 2500,
    },
    Edits {
        words: |n| {
            let one = |n| format!("a[{}]=1", n * 10);
            ["insert".into()]
                .into_iter()
                .chain((0..n / 10).map(one))
                .collect()
        },
        save: |n| format!("{{\"a\": [{}]}}", array("\"x\"", n)),
        small: 2500,
    },
    Edits {
        words: |n| {
            let one = |n| format!("a[{}]=1", n * 10);
            ["append".into()]
                .into_iter()
                .chain((0..n / 10).map(one))
                .collect()
        },
        save: |n| format!("{{\"a\": [{}]}}", array("[\"x\"]", n)),
        small: 2500,
    },
    Edits {
        words: |_| vec!["del".into(), "[*]".into()],
        save: |n| {
            let pairs: Vec<_> = (0..n).map(|n| format!("NodePath(\"k{n}\"): {n}")).collect();
            format!("{{{}}}", pairs.join(", "))
        },
        small: 500,
    },
];

fn time(edits: &Edits, size: usize, folder: &Path) -> Duration {
    let (save, out) = (folder.join("save.dat"), folder.join("out.dat"));
    let made = gdvar(
        &["-q", "from-text", "-", "--framing", "len32"],
        (edits.save)(size).as_bytes(),
    );
    fs::write(&save, made.stdout).expect("space");
    let words = (edits.words)(size);
    let mut args = vec!["-q", &words[0], path(&save), "-o", path(&out)];
    args.extend(words[1..].iter().map(String::as_str));
    let start = Instant::now();
    let done = gdvar(&args, b"");
    let took = start.elapsed();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{}: {errors}", words[0]);
    took
}

#[test]
fn eight_times_the_edits_take_about_eight_times_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    check(ALL.iter().map(|edits| {
        let sizes = [edits.small, edits.small * FACTOR];
        let ratio = growth(sizes, |size| time(edits, size, folder.path()));
        ((edits.words)(10).join(" "), ratio)
    }));
}
