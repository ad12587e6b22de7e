//! The writer's output, judged by the real engines; `scripts/test-engines` runs it.
//!
//! ```text
//! engine_blobs make DIR
//!     writes ENGINE.blobs and ENGINE-full.blobs for each engine, and what is expected of them
//! engine_blobs compare DIR ENGINE=VERSION OUT.jsonl FULL-OUT.jsonl
//!     compares the engine's answers to the two files
//! engine_blobs compare-save SAVE.json BLOBS ENGINE=VERSION OUT.jsonl
//!     compares the engine's answers to a file of blobs with the values of a save
//! ```

use std::{env, fs, io, path::Path, process::ExitCode};

use gdvar::frames::{PrefixOrder, frames};
use gdvar_conformance::{vectors::unfold, with_big_stack};
use gdvar_oracle::{
    ASKED, Asked, Blob,
    compare::{Tally, foreseen::ORACLE},
    files, generate, sources,
};
use serde_json::Value;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = with_big_stack(move || {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["make", folder] => make(Path::new(folder)).map(|()| true),
            ["compare", folder, engine, answers, full] => {
                compare(Path::new(folder), engine, [answers, full])
            }
            ["compare-save", about, blobs, engine, answers] => {
                compare_save(about, blobs, engine, answers)
            }
            _ => Err(io::Error::other(
                "the words are make, compare or compare-save",
            )),
        }
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("engine_blobs: {error}");
            ExitCode::from(2)
        }
    }
}

fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for asked in ASKED {
        let mut blobs = sources::blobs(asked);
        let known = blobs.len();
        blobs.extend(generate::blobs(asked));
        blobs.retain(|blob| asked.suits(blob));
        let plain = blobs.iter().filter(|blob| !blob.full_objects);
        let plain = files::save(folder, asked.name, plain)?;
        let full = blobs.iter().filter(|blob| blob.full_objects);
        let full = files::save(folder, &format!("{}-full", asked.name), full)?;
        println!(
            "{}: {known} of vectors and saves, {} made; {plain} without whole objects, {full} with",
            asked.name,
            blobs.len().saturating_sub(known),
        );
    }
    Ok(())
}

/// The engine and its version from `godot4=4.6.3`.
fn engine(word: &str) -> io::Result<(Asked, &str)> {
    let (name, version) = word.split_once('=').unwrap_or((word, "unknown"));
    Ok((Asked::by_name(name)?, version))
}

fn compare(folder: &Path, word: &str, answers: [&str; 2]) -> io::Result<bool> {
    let (asked, version) = engine(word)?;
    let mut tally = Tally::default();
    for (answers, suffix) in answers.into_iter().zip(["", "-full"]) {
        let name = format!("{}{suffix}", asked.name);
        let blobs = files::load(folder, &name, !suffix.is_empty())?;
        tally.judge(asked, &blobs, &fs::read_to_string(answers)?);
    }
    for (n, entry) in ORACLE.iter().enumerate() {
        if entry.engine == asked.name && !tally.used.contains(&n) {
            println!(
                "note: nothing needed the deliberate difference {:?}",
                entry.id
            );
        }
    }
    Ok(print(&tally, asked, version, "engine"))
}

fn compare_save(about_file: &str, file: &str, word: &str, answers: &str) -> io::Result<bool> {
    let (asked, version) = engine(word)?;
    let about: Value = serde_json::from_slice(&fs::read(about_file)?)?;
    let values = about["values"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let bytes = fs::read(file)?;
    let mut blobs = Vec::new();
    for (n, record) in frames(&bytes, PrefixOrder::Little).enumerate() {
        let record = record.map_err(io::Error::other)?;
        let value = values.get(n).cloned().unwrap_or_default();
        blobs.push(Blob {
            id: format!("record {n} of {about_file}"),
            bytes: record.bytes.to_vec(),
            full_objects: false,
            value: unfold(value).to_string(),
            again: None,
        });
    }
    let mut tally = Tally::default();
    tally.judge(asked, &blobs, &fs::read_to_string(answers)?);
    if blobs.len() != values.len() || blobs.is_empty() {
        let sizes = format!("{} records, not {}", blobs.len(), values.len());
        tally.failures.push(sizes);
    }
    Ok(print(&tally, asked, version, "converted save in"))
}

fn print(tally: &Tally, asked: Asked, version: &str, what: &str) -> bool {
    for failure in &tally.failures {
        println!("FAILED {failure}");
    }
    if tally.deliberate > 0 {
        println!("{} differ deliberately", tally.deliberate);
    }
    println!(
        "{what} {} {version}: {} passed, {} failed",
        asked.name,
        tally.passed,
        tally.failures.len(),
    );
    tally.failures.is_empty() && tally.passed > 0
}
