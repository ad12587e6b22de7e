//! Recovered saves, loaded by a real engine; `scripts/compare-rescued` runs it.
//!
//! ```text
//! engine_rescued ENGINE COUNT SEED
//!     damages records of the engine's own saves in COUNT ways, recovers them, and asks the engine for each
//! ```
//!
//! Every whole child in front of the damage must be in what is recovered, and the engine must read all of its bytes.

use std::{collections::BTreeMap, env, fs, io, process::ExitCode};

use gdvar::{Document, Objects, PrefixOrder, ReadOptions, frames};
use gdvar_conformance::{
    alike::Random,
    targets::recover,
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
    let end = format!("{}.sav", asked.series());
    let mut all = Vec::new();
    for entry in fs::read_dir(testdata("saves"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(&end) {
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
    let (mut loaded, mut nothing, mut refused, mut bytes) = (0, 0, 0, 0);
    let mut done = 0;
    while done < count {
        let mut left = Vec::new();
        for _ in 0..BATCH.min(count - done) {
            done += 1;
            let (_, whole) = &records[random.below(records.len())];
            let (at, bent) = recover::damaged(whole, &mut random);
            let rest = recover::keeps(whole, &bent, at, options);
            if rest.is_empty() {
                nothing += 1;
            } else {
                left.push(rest);
            }
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
        "{}: {count} damages; {loaded} loaded whole ({bytes} bytes), {nothing} had nothing left, {refused} not loaded",
        asked.name
    );
    Ok(refused == 0 && loaded > 0)
}
