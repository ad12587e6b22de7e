//! The machine, and the versions of everything.

use std::{fmt::Write, fs, process::Command};

const PEERS: [&str; 11] = [
    "bson",
    "flexbuffers",
    "godot-binary-serialization",
    "rkyv",
    "rmp",
    "rmp-serde",
    "rmpv",
    "serde_json",
    "simd-json",
    "simdutf8",
    "sonic-rs",
];

const LOCKFILE: &str = include_str!("../../Cargo.lock");

/// A list for the report.
pub(crate) fn describe(engine: Option<&str>, npm: Option<&str>) -> String {
    let mut text = String::new();
    let compiler = output("rustc", &["--version"]);
    let commit = output(
        "git",
        &[
            "-C",
            env!("CARGO_MANIFEST_DIR"),
            "rev-parse",
            "--short=12",
            "HEAD",
        ],
    );
    let _ = write!(
        text,
        "- {}, {} processors in sight, {}\n- load when it ended: {}\n- {}, release, fat LTO, one \
         codegen unit, no `target-cpu`\n- gdvar at {}, {}\n- peers:",
        processor(),
        std::thread::available_parallelism().map_or(1, usize::from),
        std::env::consts::OS,
        load(),
        compiler.unwrap_or_else(|| "a Rust compiler".to_owned()),
        commit.unwrap_or_else(|| "an unknown commit".to_owned()),
        match cfg!(feature = "ascii") {
            true => "with the feature `ascii`",
            false => "with its default features",
        },
    );
    for (n, peer) in PEERS.into_iter().enumerate() {
        let separator = if n == 0 { "" } else { "," };
        let _ = write!(text, "{separator} {peer} {}", version(peer));
    }
    text.push('\n');
    let engine = engine.map(|version| format!("Godot {version}"));
    let engine = engine.as_deref().unwrap_or("there was none to ask");
    let npm = npm.unwrap_or("there were none to ask");
    let _ = writeln!(text, "- engine: {engine}\n- packages of npm: {npm}");
    text
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model
        .map_or("an unknown processor", |(_, model)| model)
        .to_owned()
}

fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace()
        .next()
        .unwrap_or("unknown")
        .to_owned()
}

/// The version of a dependency in the lockfile.
fn version(name: &str) -> &'static str {
    let wanted = format!("name = \"{name}\"");
    let mut lines = LOCKFILE.lines().skip_while(|line| *line != wanted);
    let version = lines.nth(1).and_then(|line| line.split('"').nth(1));
    version.unwrap_or("of unknown version")
}
