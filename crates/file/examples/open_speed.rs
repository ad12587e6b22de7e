//! Says how long it takes to open files and to check every value in them: a line "FILE BYTES MICROSECONDS" for each,
//! the least of three times. With `--once` it does so once, and with `--replace` it also changes the property
//! `metadata/mark`, an int, and makes the file again. `scripts/measure/resources` compares it with an engine.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use gdvar_file::{Hints, LayerKind, peel};
use gdvar_view::{Dialect, Document, Limits, Objects, ReadOptions};

fn open(path: &Path, replaces: bool) -> Result<usize, Box<dyn Error>> {
    let file = fs::read(path)?;
    let peeled = peel(&file, &Hints::new())?;
    let dialect = match peeled.layers.first().map(|layer| &layer.kind) {
        Some(LayerKind::Resource(resource)) => resource.dialect,
        Some(LayerKind::Document(document)) => document.dialect,
        _ => Dialect::GODOT_4,
    };
    let options = ReadOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_limits(Limits::ENGINE);
    let contents = peeled.contents(&file);
    let document = Document::with_options(contents, options);
    if document.validate()? != contents.len() {
        return Err("bytes are left over".into());
    }
    if replaces {
        let mark = document.get("[\"metadata/mark\"]")?.ok_or("no mark")?;
        let mut changed = contents.to_vec();
        // The payload of an int is after its type.
        changed[mark.offset() + 4] ^= 1;
        if peeled.wrap(changed, None)?.len() != file.len() {
            return Err("another length".into());
        }
    }
    Ok(file.len())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from).peekable();
    // Once for a program that counts instructions.
    let rounds = match paths.next_if(|path| path.as_os_str() == "--once") {
        Some(_) => 1,
        None => 3,
    };
    let replaces = paths.next_if(|path| path.as_os_str() == "--replace");
    for path in paths {
        let mut least = u128::MAX;
        let mut len = 0;
        for _ in 0..rounds {
            let start = Instant::now();
            len = open(&path, replaces.is_some())?;
            least = least.min(start.elapsed().as_micros());
        }
        println!("{} {len} {least}", path.display());
    }
    Ok(())
}
