//! Recovered saves, loaded by a real engine; `scripts/engines/compare-rescued` runs it.
//!
//! ```text
//! engine_rescued ENGINE COUNT SEED
//!     damages the engine's own saves in COUNT ways, recovers them, and asks the engine for each value that is left
//! ```
//!
//! The engine must read all bytes of what is recovered. Every value in it is held against the record as it was: one that
//! is not there, in the same container and under the same key, is invented.

use std::{collections::BTreeMap, env, fs, io, process::ExitCode};

use gdvar::{
    Document, Objects, ReadOptions,
    frames::{PrefixOrder, frames},
};
use gdvar_conformance::{
    alike::Random,
    damage::{Sort, damage},
    rescued::Truth,
    vectors::{hex, testdata},
    with_big_stack,
};
use gdvar_oracle::{
    Asked,
    mutants::ask::{Answer, ask},
};

/// The number of values that a process of an engine gets.
const BATCH: usize = 250;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = with_big_stack(move || {
        let [engine, count, seed] = &words[..] else {
            return Err(io::Error::other("usage: engine_rescued ENGINE COUNT SEED"));
        };
        let count = count.parse().map_err(io::Error::other)?;
        run(
            Asked::by_name(engine)?,
            count,
            Random(seed.parse().map_err(io::Error::other)?),
        )
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("engine_rescued: {error}");
            ExitCode::from(if error.kind() == io::ErrorKind::NotFound {
                77
            } else {
                2
            })
        }
    }
}

/// The records of the saves that the engine, or another of its series, wrote; without whole objects, which games do
/// not let in.
fn records(asked: Asked, options: ReadOptions) -> io::Result<Vec<(String, Vec<u8>)>> {
    let ends = ["sav", "dat", "rec", "chunk", "cfg"];
    let ends = ends.map(|end| format!("{}.{end}", asked.series()));
    let mut all = Vec::new();
    for entry in fs::read_dir(testdata("saves"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !ends.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let file = fs::read(&path)?;
        for frame in frames(&file, PrefixOrder::Little) {
            let frame = frame.map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            let document = Document::with_options(frame.bytes, options);
            if document.validate() == Ok(frame.bytes.len()) {
                all.push((name.to_string(), frame.bytes.to_vec()));
            }
        }
    }
    all.sort();
    Ok(all)
}

fn run(asked: Asked, count: usize, mut random: Random) -> io::Result<bool> {
    let options = ReadOptions::new(asked.target.dialect())
        .with_objects(Objects::Ids)
        .with_limits(asked.engine.limits());
    let records = records(asked, options)?;
    let names: BTreeMap<&str, usize> =
        records
            .iter()
            .fold(BTreeMap::new(), |mut names, (name, _)| {
                *names.entry(name.as_str()).or_default() += 1;
                names
            });
    println!("{}: records of {names:?}", asked.name);
    // A file of its records for each save.
    let mut files: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for (name, record) in &records {
        let file = files.entry(name).or_default();
        file.extend((record.len() as u32).to_le_bytes());
        file.extend(record);
    }
    let order = Some(PrefixOrder::Little);
    let truths: Vec<(&str, Truth)> = files
        .iter()
        .map(|(name, file)| (*name, Truth::of(file, order, options)))
        .collect();
    let (mut loaded, mut nothing, mut refused, mut bytes) = (0, 0, 0, 0);
    let mut invented: BTreeMap<Sort, usize> = BTreeMap::new();
    let mut kept: BTreeMap<Sort, Vec<usize>> = BTreeMap::new();
    let mut done = 0;
    while done < count {
        let mut left = Vec::new();
        for _ in 0..BATCH.min(count - done) {
            done += 1;
            let (name, truth) = &truths[random.below(truths.len())];
            let sort = Sort::ALL[random.below(Sort::ALL.len())];
            let damaged = damage(truth.bytes(), order, sort, &mut random);
            let (tally, rest) = truth.judge(&damaged);
            // No reader can tell a valid file from one that was written so.
            let is_invented = tally.invented > 0 && !tally.is_valid;
            if is_invented {
                println!("{name}, {sort:?}, new bytes {:?}: {tally:?}", damaged.new);
            }
            *invented.entry(sort).or_default() += usize::from(is_invented);
            kept.entry(sort)
                .or_default()
                .push(tally.kept * 100 / truth.values());
            nothing += usize::from(rest.is_empty());
            left.extend(rest);
        }
        for (rest, answer) in left.iter().zip(ask(asked, &left, false)?) {
            match answer {
                Answer::Accepted {
                    consumed: Some(consumed),
                    ..
                } if consumed == rest.len() => loaded += 1,
                other => {
                    refused += 1;
                    let shown = &rest[..rest.len().min(200)];
                    println!("{other:?} of {} bytes, {} …", rest.len(), hex(shown));
                }
            }
            bytes += rest.len();
        }
    }
    println!(
        "{}: {count} damages; {loaded} values loaded whole ({bytes} bytes), {nothing} files had nothing left, {refused} not loaded",
        asked.name
    );
    let mut is_good = refused == 0 && loaded > 0;
    for (sort, mut kept) in kept {
        kept.sort_unstable();
        let median = kept.get(kept.len() / 2).copied().unwrap_or(0);
        let invented = invented.get(&sort).copied().unwrap_or(0);
        println!(
            "  {sort:?}: {} damages, values nobody wrote in {invented}, {median} % kept in the middle",
            kept.len()
        );
        is_good &= invented == 0;
        is_good &= sort != Sort::Byte || median >= 95;
    }
    Ok(is_good)
}
