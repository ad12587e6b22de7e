//! A `project.binary` of ours, judged by the real engines; `scripts/test-engines` runs it.
//!
//! ```text
//! engine_project make ENGINE FILE
//!     writes a project.binary with a setting for each value that the engine's vectors have
//! engine_project compare ENGINE SETTINGS SAVED
//!     compares what the engine made of them, and the file that it wrote itself
//! ```
//!
//! `testdata/oracle/project4.gd` and `project3.gd` are the other side.

use std::{collections::BTreeMap, env, fs, io, process::ExitCode};

use gdvar::{Dialect, Document, Kind, walk::Event};
use gdvar_conformance::vectors::{self, ENGINES, hex, unhex};
use gdvar_io::project::{Project, ProjectWriter};
use gdvar_oracle::{Asked, rewrite};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["make", engine, file] => {
            Asked::by_name(engine).and_then(|asked| make(asked, file).map(|()| true))
        }
        ["compare", engine, settings, saved] => {
            Asked::by_name(engine).and_then(|asked| compare(asked, settings, saved))
        }
        _ => Err(io::Error::other("the words are make or compare")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("engine_project: {error}");
            ExitCode::from(2)
        }
    }
}

/// The settings: their names, and the bytes of their values as our writer and the engine make them.
fn settings(asked: Asked) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let dialect = asked.target.dialect();
    let engine = ENGINES
        .into_iter()
        .find(|engine| engine.name.starts_with(asked.release()) && !engine.double)
        .expect("vectors of the engine");
    let mut settings = BTreeMap::new();
    for vector in vectors::vectors(engine) {
        let document = Document::new(&vector.bytes, dialect);
        // The id of an object means nothing to another process, and a setting that is null is none.
        let is_left_out = |event| match event {
            Ok(Event::Value(value) | Event::Begin(value)) => value.kind() == Kind::Object,
            _ => false,
        };
        let is_null = document.root().is_ok_and(|root| root.kind() == Kind::Nil);
        let comes_back = vector.canonical
            && vector.reenc.is_none()
            && !vector.engine_refuses
            && !vector.full_objects
            && document.validate().is_ok();
        if comes_back && !is_null && !document.events().any(is_left_out) {
            let (bytes, _) = rewrite(document, asked.target).map_err(io::Error::other)?;
            settings.insert(format!("gdvar/{:04}", settings.len()), bytes);
        }
    }
    Ok(settings)
}

fn make(asked: Asked, file: &str) -> io::Result<()> {
    let mut project = ProjectWriter::new(asked.target);
    for (name, bytes) in settings(asked)? {
        project.setting_bytes(&name, &bytes);
    }
    fs::write(file, project.finish())
}

/// Godot 3 leaves the padding inside a NodePath unset (`docs/FORMAT.md` §1.2).
fn clean(bytes: &[u8], asked: Asked) -> Option<Vec<u8>> {
    let dialect = asked.target.dialect();
    if dialect != Dialect::GODOT_3 {
        return None;
    }
    let written = rewrite(Document::new(bytes, dialect), asked.target);
    written.ok().map(|(bytes, _)| bytes)
}

fn compare(asked: Asked, settings_file: &str, saved: &str) -> io::Result<bool> {
    let expected = settings(asked)?;
    let mut loaded = BTreeMap::new();
    for line in fs::read_to_string(settings_file)?.lines() {
        let (name, bytes) = line.split_once(' ').unwrap_or((line, ""));
        loaded.insert(name.to_owned(), unhex(bytes));
    }
    let saved = fs::read(saved)?;
    let project = Project::open(&saved).map_err(io::Error::other)?;
    let total = project.left();
    let mut back = BTreeMap::new();
    for entry in project {
        let entry = entry.map_err(io::Error::other)?;
        if entry.key.starts_with("gdvar/") {
            back.insert(entry.key.to_owned(), entry.bytes.to_vec());
        }
    }
    let mut failed = 0;
    for (setting, bytes) in &expected {
        for (what, there) in [("loaded", &loaded), ("saved", &back)] {
            let there = there.get(setting);
            let same =
                |there: &&Vec<u8>| *there == bytes || clean(there, asked).as_ref() == Some(bytes);
            if there.filter(same).is_none() {
                failed += 1;
                let there = there.map_or("nothing".to_owned(), |there| hex(there));
                println!(
                    "FAILED: {setting} was {what} as {there}, expected {}",
                    hex(bytes)
                );
            }
        }
    }
    println!(
        "project.binary in {}: {} settings of ours loaded, a file of {total} settings read, {failed} failed",
        asked.name,
        expected.len()
    );
    Ok(failed == 0)
}
