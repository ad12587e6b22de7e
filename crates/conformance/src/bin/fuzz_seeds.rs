//! Writes the inputs that fuzzing begins with: `fuzz_seeds FOLDER [TARGET…]`, a folder a target.

use std::{fs, io, path::Path};

use gdvar_conformance::targets::{TARGETS, seeds::seeds};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        return Err(io::Error::other("fuzz_seeds FOLDER [TARGET…]"));
    };
    let wanted: Vec<String> = arguments.collect();
    for (name, _) in TARGETS {
        if !wanted.is_empty() && !wanted.iter().any(|target| target == name) {
            continue;
        }
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder)?;
        let all = seeds(name);
        for (n, seed) in all.iter().enumerate() {
            fs::write(folder.join(format!("seed-{n:04}")), seed)?;
        }
        println!("{name}: {} inputs", all.len());
    }
    Ok(())
}
