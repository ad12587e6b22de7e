//! Packages of npm for the same format, asked by `npm/time.cjs` how long they take. They are
//! installed by their names next to this program, from the registry that npm is set to.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{output, write_blobs};
use crate::{
    harness::{Note, Table},
    workloads::{self, Size, Tree},
};

/// The packages, each with the names of its reader and its writer.
const PACKAGES: [(&str, &str, [&str; 2]); 2] = [
    (
        "@gd-com/utils",
        "5.0.0",
        ["@gd-com/utils getVar", "@gd-com/utils putVar"],
    ),
    (
        "godot-binary-serialization",
        "0.1.6",
        [
            "godot-binary-serialization (npm) get_var",
            "godot-binary-serialization (npm) put_var",
        ],
    ),
];

/// Adds rows of the packages to the tables of W1n of both sizes. Returns who was asked; where that
/// fails, says so and returns none.
pub(crate) fn time(small: &mut [Table], large: &mut [Table]) -> Option<String> {
    let trees = [Size::Small, Size::Large].map(workloads::plain_save);
    let answer = install().and_then(|folder| ask(&folder, &trees));
    let added = answer.and_then(|answer| {
        let tables = [small, large];
        for (n, tree) in trees.iter().enumerate() {
            add(tables[n], tree, &answer, &n.to_string())?;
        }
        let node = output(Command::new("node").arg("--version"))?;
        Ok(format!("Node {}", node.trim()))
    });
    match added {
        Ok(node) => {
            let names = PACKAGES.map(|(name, version, _)| format!(", {name} {version}"));
            Some(node + &names.concat())
        }
        Err(why) => {
            eprintln!("NOT MEASURED: packages of npm: {why}");
            None
        }
    }
}

/// The folder with `node_modules`.
fn install() -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let folder = program.with_file_name("npm");
    let there = |name: &str| folder.join("node_modules").join(name).is_dir();
    if !PACKAGES.iter().all(|(name, ..)| there(name)) {
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-package-lock"]);
        npm.args(["--ignore-scripts", "--no-audit", "--no-fund"]);
        npm.arg("--prefix").arg(&folder);
        npm.args(PACKAGES.map(|(name, version, _)| format!("{name}@{version}")));
        output(&mut npm)?;
    }
    Ok(folder)
}

/// The lines that `time.cjs` prints of these, which it knows by their numbers.
fn ask(folder: &Path, trees: &[Tree]) -> Result<String, String> {
    let blobs = folder.join("w1n.blobs");
    let all = trees.iter().map(|tree| tree.bytes.as_slice());
    write_blobs(&blobs, all).map_err(|error| error.to_string())?;
    let mut node = Command::new("node");
    node.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("npm/time.cjs"));
    node.arg(folder).arg(&blobs);
    node.args((0..trees.len()).map(|n| n.to_string()));
    output(&mut node)
}

/// A line of the answer.
#[derive(serde::Deserialize)]
struct Line {
    name: String,
    package: String,
    does: String,
    /// To the question, of what was decoded.
    answer: String,
    /// None where what was encoded is not what was decoded.
    nanoseconds: Vec<f64>,
}

fn add(tables: &mut [Table], tree: &Tree, answer: &str, name: &str) -> Result<(), String> {
    for line in answer.lines().filter_map(|line| line.strip_prefix("TIME ")) {
        let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let package = PACKAGES.iter().find(|(name, ..)| *name == line.package);
        let (Some((_, _, [read, write])), true) = (package, line.name == name) else {
            continue;
        };
        let right = line.answer == tree.answer.to_string() && !line.nanoseconds.is_empty();
        if !right {
            eprintln!(
                "NOT MEASURED: {} of npm: its {} is wrong",
                line.package, line.does
            );
            continue;
        }
        let (workload, row, note) = match line.does.as_str() {
            "encode" => ("W1n write", write, Note::new("", "bytes, from a tree")),
            _ => ("W1n", read, Note::new("little", "tree")),
        };
        if let Some(table) = tables.iter_mut().find(|table| table.workload == workload) {
            table.add(row, note, tree.bytes.len(), line.nanoseconds);
        }
    }
    Ok(())
}
