//! A Godot 4 engine, asked by `engine/time.gd` how long it takes for the small inputs.

use std::{env, fs, path::Path, process::Command};

use super::{output, write_blobs};
use crate::{
    harness::{Note, Table},
    peers::gdvar::text,
    workloads::{self, Group},
};

/// The row of the engine's reader.
pub(crate) const READ: &str = "Godot 4 bytes_to_var";
/// The row of its writer.
pub(crate) const WRITE: &str = "Godot 4 var_to_bytes";
/// The row of its text.
pub(crate) const TEXT: &str = "Godot 4 var_to_str";

/// The answer of the engine.
#[derive(Debug)]
pub(crate) struct Times {
    /// Which engine it is.
    pub(crate) version: String,
    lines: Vec<Line>,
    groups: Vec<Group>,
}

/// Asks the engine about the small inputs whose names are among `names`; it does everything
/// `passes` times. Without an engine says so and returns none.
pub(crate) fn time(names: &[&str], passes: usize) -> Option<Times> {
    let mut groups = workloads::groups();
    groups.retain(|group| names.contains(&group.name));
    match ask(&groups, passes).and_then(|answer| Times::new(groups, &answer)) {
        Ok(times) => Some(times),
        Err(why) => {
            eprintln!("NOT MEASURED: an engine of Godot 4: {why}");
            None
        }
    }
}

/// The lines that `time.gd` prints.
fn ask(groups: &[Group], passes: usize) -> Result<String, String> {
    let folder = env::temp_dir().join(format!("gdvar-benches-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let answer = run(groups, passes, &folder);
    let _ = fs::remove_dir_all(&folder);
    answer
}

fn run(groups: &[Group], passes: usize, folder: &Path) -> Result<String, String> {
    const SCRIPT: &str = "time.gd";
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = here.join("engine").join(SCRIPT);
    let blobs = folder.join("small.blobs");
    let all = groups.iter().flat_map(|group| &group.blobs);
    write_blobs(&blobs, all.map(Vec::as_slice)).map_err(|error| error.to_string())?;
    let mut command = match env::var_os("GODOT4") {
        Some(engine) => {
            fs::copy(script, folder.join(SCRIPT)).map_err(|error| error.to_string())?;
            let mut command = Command::new(engine);
            command.args(["--headless", "-s", SCRIPT, "--", "small.blobs"]);
            command.current_dir(folder).env("HOME", folder);
            command
        }
        None => {
            let mut command = Command::new(here.join("../testdata/oracle/run-engine.sh"));
            command.arg("4").arg(script).arg(folder.join("out"));
            command.arg(format!("@{}", blobs.display()));
            command
        }
    };
    command.arg(passes.to_string());
    command.args(
        groups
            .iter()
            .map(|group| format!("{}:{}", group.name, group.blobs.len()) + &text_hash(group)),
    );
    output(&mut command)
}

/// Behind another colon the hash that the engine's text must have.
fn text_hash(group: &Group) -> String {
    match group.name.ends_with(" text") {
        true => format!(":{}", text::hash(&group.blobs[0])),
        false => String::new(),
    }
}

/// A line of the answer.
#[derive(Debug, serde::Deserialize)]
struct Line {
    name: String,
    /// `true` if it wrote the same bytes again that it had read, and printed the same text.
    same: bool,
    nanoseconds: Vec<f64>,
}

impl Times {
    fn new(groups: Vec<Group>, answer: &str) -> Result<Times, String> {
        let lines = |prefix| {
            answer
                .lines()
                .filter_map(move |line| line.strip_prefix(prefix))
        };
        let version = lines("ENGINE ")
            .next()
            .ok_or("it did not say its version")?
            .to_owned();
        let parsed: Result<Vec<Line>, _> = lines("TIME ").map(serde_json::from_str).collect();
        let lines = parsed.map_err(|error| error.to_string())?;
        for line in &lines {
            assert!(line.same, "{}: the engine writes another", line.name);
        }
        Ok(Times {
            version,
            lines,
            groups,
        })
    }

    /// Adds a row of the engine to all of the tables, which are of the small inputs, that it was
    /// asked about.
    pub(crate) fn add(&self, tables: &mut [Table]) {
        for line in &self.lines {
            let of = |name: &str| name == line.name;
            let (Some(table), Some(group)) = (
                tables.iter_mut().find(|table| of(table.workload)),
                self.groups.iter().find(|group| of(group.name)),
            ) else {
                continue;
            };
            let size = group.blobs.iter().map(Vec::len).sum();
            let (name, note) = match line.name.split(' ').next_back() {
                Some("text") => (TEXT, Note::new("depth", "text, from Variants; wall clock")),
                Some("write") => (
                    WRITE,
                    Note::new("depth", "bytes, from Variants; wall clock"),
                ),
                _ => (
                    READ,
                    Note::new("structure, text", "Variants, and frees them; wall clock"),
                ),
            };
            table.add(name, note, size, line.nanoseconds.clone());
        }
    }
}
