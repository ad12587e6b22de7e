//! What a user pipes into the command takes time in proportion to its size.

mod common;

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use common::growth::{check, growth};

/// Text for a command, in about the size that is asked for.
struct Growing {
    name: &'static str,
    words: &'static [&'static str],
    make: fn(usize) -> String,
    small: usize,
    /// The factor of the size that makes the text eight times as long.
    factor: usize,
}

fn keys(count: usize, key: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::from("$ = {};\n"), |mut lines, n| {
        let _ = writeln!(lines, "[{}] = {n};", key(n));
        lines
    })
}

/// Containers in containers: the lines are as long as they are deep, so the text grows with the square of `depth`.
fn nested(depth: usize, step: &str, empty: &str) -> String {
    (0..depth).fold(String::new(), |mut lines, n| {
        let path = step.repeat(n);
        let path = if n == 0 { "$" } else { &path };
        let _ = writeln!(lines, "{path} = {empty};");
        lines
    })
}

/// Dictionaries in Dictionaries, under keys that have lines of their own.
fn nested_pairs(depth: usize) -> String {
    (0..depth).fold(String::new(), |mut lines, n| {
        let path = "{0}".repeat(n);
        let _ = writeln!(
            lines,
            "{path}{{0:key}} = NodePath(\"a\");\n{path}{{0}} = {{}};"
        );
        lines
    })
}

const GRON: &[&str] = &["-q", "gron", "-u", "-"];
const KEYS: usize = 1500;

#[test]
fn eight_times_the_text_takes_about_eight_times_the_time() {
    let texts = [
        Growing {
            name: "records as text",
            words: &["-q", "from-text", "-"],
            make: |n| "{\"a\": 1}\n".repeat(n),
            small: 12_000,
            factor: 8,
        },
        Growing {
            name: "records as JSON",
            words: &["-q", "from-json", "-"],
            make: |n| "{\"a\": 1}\n".repeat(n),
            small: 12_000,
            factor: 8,
        },
        Growing {
            name: "records as lines",
            words: GRON,
            make: |n| {
                (1..=n)
                    .map(|n| format!("$ = {n};\n# record {n}\n"))
                    .collect()
            },
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "text",
            words: GRON,
            make: |n| keys(n, |n| format!("\"k{n}\"")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "StringName",
            words: GRON,
            make: |n| keys(n, |n| format!("&\"k{n}\"")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "int",
            words: GRON,
            make: |n| keys(n, |n| n.to_string()),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "float",
            words: GRON,
            make: |n| keys(n, |n| format!("{n}.5")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "Vector2i",
            words: GRON,
            make: |n| keys(n, |n| format!("Vector2i({n}, 0)")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "Vector2",
            words: GRON,
            make: |n| keys(n, |n| format!("Vector2({n}, 0)")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "Vector3",
            words: GRON,
            make: |n| keys(n, |n| format!("Vector3({n}, 0, 0.1)")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "Rect2",
            words: GRON,
            make: |n| keys(n, |n| format!("Rect2({n}, 0, 0, 1)")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "Color",
            words: GRON,
            make: |n| keys(n, |n| format!("Color({n}, 0, 0, 1)")),
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "NodePath",
            words: GRON,
            make: |n| {
                (0..n)
                    .map(|n| format!("{{{n}:key}} = NodePath(\"k{n}\");\n{{{n}}} = {n};\n"))
                    .collect()
            },
            small: KEYS,
            factor: 8,
        },
        Growing {
            name: "arrays in arrays",
            words: GRON,
            make: |n| nested(n, "[0]", "[]"),
            small: 330,
            factor: 3,
        },
        Growing {
            name: "Dictionaries in Dictionaries",
            words: GRON,
            make: |n| nested(n, "[&\"a\"]", "{}"),
            small: 330,
            factor: 3,
        },
        Growing {
            name: "keys with lines of their own in each other",
            words: GRON,
            make: nested_pairs,
            small: 330,
            factor: 3,
        },
        Growing {
            name: "signs in a key",
            words: GRON,
            make: |n| format!("[\"{}\"] = 1;\n", " = ".repeat(n)),
            small: 8_000,
            factor: 8,
        },
    ];
    check(texts.iter().map(|text| {
        let sizes = [text.small, text.small * text.factor];
        (text.name.to_owned(), growth(sizes, |size| time(text, size)))
    }));
}

fn time(text: &Growing, size: usize) -> Duration {
    let input = (text.make)(size);
    let start = Instant::now();
    stdout_len(text, &input);
    start.elapsed()
}

fn stdout_len(text: &Growing, input: &str) {
    let output = common::gdvar(text.words, input.as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{}: {errors}", text.name);
    assert!(!output.stdout.is_empty(), "{}", text.name);
}
