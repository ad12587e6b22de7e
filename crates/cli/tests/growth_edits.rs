//! Edits of many places in one call take time in proportion to their number. Only ratios are compared, with a large
//! margin, because other programs disturb the times.

mod common;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use common::{gdvar, path};

/// How many times as large the large save is, with as many times the edits.
const FACTOR: usize = 8;

/// The most that the time may grow. Linear is 8, quadratic is 64.
const MOST: f64 = 24.0;

/// A pair is measured up to this many times before it is called slow.
const TRIES: u32 = 4;

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
    let mut slow = Vec::new();
    for edits in ALL {
        let mut least = f64::INFINITY;
        for _ in 0..TRIES {
            let small = time(edits, edits.small, folder.path());
            let small = small.min(time(edits, edits.small, folder.path()));
            let large = time(edits, edits.small * FACTOR, folder.path());
            least = least.min(large.as_secs_f64() / small.as_secs_f64());
            if least <= MOST {
                break;
            }
        }
        let words = (edits.words)(10).join(" ");
        println!("{words}: ×{least:.1}");
        if least > MOST {
            slow.push(format!("{words}: {least:.0} times"));
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}
