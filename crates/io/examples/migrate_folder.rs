//! Converts a folder of Godot 3 saves (`store_var` files, compressed or not) for Godot 4, and
//! reports what could not be kept. The old files are not changed.
//!
//! `cargo run --release -p gdvar-io --example migrate_folder -- old new`

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use gdvar_io::{
    Envelope, Limits,
    compressed::{BLOCK_SIZE, Compressed, compress},
    records::RecordWriter,
    replace::Replacement,
    sniff,
};
use gdvar_view::{Dialect, Document, Objects, PrefixOrder, frames};
use gdvar_write::{Target, Writer, transcode};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [old, new] = &arguments[..] else {
        return Err("usage: migrate_folder OLD NEW".into());
    };
    fs::create_dir_all(new)?;
    let mut failed = 0;
    for entry in fs::read_dir(old)? {
        let path = entry?.path();
        let (Some(name), true) = (path.file_name(), path.is_file()) else {
            continue;
        };
        // One broken save must not stop the others.
        match migrate(&path, &new.join(name)) {
            Ok(records) => println!("{}: {records} records", path.display()),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                failed += 1;
            }
        }
    }
    match failed {
        0 => Ok(()),
        _ => Err(format!("{failed} files could not be migrated").into()),
    }
}

fn migrate(old: &Path, new: &Path) -> Result<usize, Box<dyn Error>> {
    let file = fs::read(old)?;
    let (contents, mode) = match sniff(&file) {
        Envelope::Compressed { .. } => {
            let compressed = Compressed::open(&file, Limits::unpacking(file.len()))?;
            (compressed.to_vec()?, Some(compressed.mode()))
        }
        _ => (file, None),
    };
    let mut saved = RecordWriter::new(Vec::new(), Target::GODOT_4, PrefixOrder::Little);
    let mut records = 0;
    for record in frames(&contents, PrefixOrder::Little) {
        let document = Document::new(record?.bytes, Dialect::GODOT_3).with_objects(Objects::Inert);
        let mut value = Writer::new(Vec::new(), Target::GODOT_4);
        let report = transcode(document, &mut value)?;
        for entry in report.entries() {
            println!("{}: record {records}: {entry}", old.display());
        }
        saved.write_bytes(&value.finish()?)?;
        records += 1;
    }
    let saved = saved.into_inner();
    let mut file = Replacement::new(new)?;
    std::io::Write::write_all(
        &mut file,
        &match mode {
            Some(mode) => compress(&saved, mode, BLOCK_SIZE)?,
            None => saved,
        },
    )?;
    file.finish()?;
    Ok(records)
}
