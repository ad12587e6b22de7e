//! Writes and stores the inputs of the fuzz targets, for `scripts/checks/fuzz`:
//!
//! ```text
//! fuzz_inputs seeds FOLDER [TARGET…]     writes what the vectors give, one folder per target
//! fuzz_inputs unpack FOLDER [TARGET…]    writes the inputs stored in fuzz/corpus, one folder per target
//! fuzz_inputs pack FOLDER [TARGET…]      replaces the inputs in fuzz/corpus by FOLDER/TARGET
//! ```
//!
//! Applies to all targets unless some are named.

use std::{fs, io, path::Path};

use gdvar_conformance::{
    corpus::{archive, pack, unpack},
    targets::{TARGETS, seeds::seeds},
};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, folder, wanted @ ..] = &arguments[..] else {
        return Err(io::Error::other(
            "fuzz_inputs seeds|unpack|pack FOLDER [TARGET…]",
        ));
    };
    for (name, _) in TARGETS {
        if !wanted.is_empty() && !wanted.iter().any(|target| target == name) {
            continue;
        }
        let folder = Path::new(folder).join(name);
        let count = match command.as_str() {
            "seeds" => {
                fs::create_dir_all(&folder)?;
                let all = seeds(name);
                for (n, seed) in all.iter().enumerate() {
                    fs::write(folder.join(format!("seed-{n:04}")), seed)?;
                }
                all.len()
            }
            // A new target has no archive yet.
            "unpack" if !archive(name).exists() => {
                fs::create_dir_all(&folder)?;
                0
            }
            "unpack" => unpack(&archive(name), &folder)?,
            "pack" => pack(&folder, &archive(name))?,
            other => return Err(io::Error::other(format!("there is no command {other}"))),
        };
        println!("{name}: {count} inputs");
    }
    Ok(())
}
