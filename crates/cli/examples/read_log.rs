//! Reads a log of records of any size through a memory map, with the same little memory for a kilobyte
//! as for gigabytes: the pages belong to the file, and the reader keeps nothing.
//!
//! ```text
//! cargo run --release -p gdvar-cli --example read_log -- make game.log 1000   writes 1000 MB
//! cargo run --release -p gdvar-cli --example read_log -- game.log             reads them
//! ```

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::BufWriter,
};

use gdvar_io::records::RecordWriter;
use gdvar_view::{Dialect, Document, PrefixOrder, frames};
use gdvar_write::Target;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [make, file, megabytes] if make == "make" => write(file, megabytes.parse()?),
        [file] => read(file),
        _ => Err("usage: read_log FILE, or read_log make FILE MEGABYTES".into()),
    }
}

/// Writes records like a server that logs hits.
fn write(file: &str, megabytes: u64) -> Result<(), Box<dyn Error>> {
    let file = BufWriter::new(File::create(file)?);
    let mut log = RecordWriter::new(file, Target::GODOT_4, PrefixOrder::Little);
    let mut written = 0;
    let mut tick = 0;
    while written < megabytes * 1_000_000 {
        written += 4 + log.write(|value| {
            let mut hit = value.root().dict(3)?;
            hit.key("tick")?.int(tick)?;
            hit.key("who")?
                .string(["Aldis", "Bryn", "Čeněk"][tick as usize % 3])?;
            hit.key("damage")?.float(tick as f64 / 8.)?;
            hit.end()?;
            Ok(value.position())
        })?;
        tick += 1;
    }
    log.flush()?;
    println!("{tick} records");
    Ok(())
}

fn read(file: &str) -> Result<(), Box<dyn Error>> {
    let file = File::open(file)?;
    // SAFETY: nobody shortens the log while it is read; a program that cannot be sure of that takes
    // `RecordReader`, which reads it in pieces.
    #[expect(unsafe_code, reason = "mapping a file has no safe form")]
    let log = unsafe { memmap2::Mmap::map(&file)? };
    let (mut records, mut damage) = (0_u64, 0.);
    for record in frames(&log, PrefixOrder::Little) {
        let document = Document::new(record?.bytes, Dialect::GODOT_4);
        document.validate()?;
        damage += document.get_as::<f64>("damage")?.unwrap_or_default();
        records += 1;
    }
    println!("{records} records, {damage} damage");
    if let Some(memory) = own_memory() {
        println!("memory of its own: {memory}");
    }
    Ok(())
}

/// The memory that is not part of a file, where the system tells.
fn own_memory() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().to_owned())
}
