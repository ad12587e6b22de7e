//! Mutation testing with all changes compiled at once.
//!
//! cargo-mutants says which changes there are. Each becomes a question to a switch, `if on(17) { a - b } else
//! { a + b }`, in a copy of the repository, so that one program has all of them and the environment chooses one
//! ([`plan`], [`render`], [`compile`]). Every test is run once without a change, which tells how long it takes and
//! which questions it asks ([`suite`]); then for each change only the tests that ask for it are run, the quickest
//! first, until one fails ([`trial`]).
//!
//! Some changes have no switch: those of constants, which are made by the compiler, and a few whose two forms have
//! no common type. They are listed as `old-way`; `--old-way` gives them to cargo-mutants, at one build each.

mod compile;
mod copy;
mod list;
mod old_way;
mod options;
mod plan;
mod record;
mod render;
mod run;
mod suite;
#[cfg(test)]
mod tests;
mod trial;

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

use copy::Copy;
use list::{Genre, Mutant};
use options::Options;
use plan::{Home, Plan};
use record::{CAUGHT, MISSED, OLD_WAY, Records, TIMEOUT, UNREACHED, UNVIABLE};
use run::Runner;
use suite::Test;
use trial::Verdict;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let options = Options::read()?;
    fs::create_dir_all(&options.work)?;
    let mutants = list::mutants(&options)?;
    let mut copy = Copy::of(&options.root, options.work.join("copy"))?;
    let mut records = Records::open(
        &options.work,
        &copy.fingerprint(),
        options.missed_of.as_deref(),
    )?;
    records.lists(&mutants)?;
    if options.old_way {
        old_way::run(&options, &mutants, &mut records)?;
    } else {
        let untried: Vec<&Mutant> = mutants
            .iter()
            .filter(|&mutant| records.get(mutant).is_none())
            .collect();
        println!(
            "{} changes, {} of them untried",
            mutants.len(),
            untried.len()
        );
        if !untried.is_empty() {
            // The program of the run before, if that run was ended; else one with less in it.
            let all = mutants.iter().collect::<Vec<_>>();
            let compiled = if options.missed_of.is_some() {
                &untried
            } else {
                &all
            };
            records = switched(&options, &mut copy, compiled, &untried, records)?;
        }
    }
    records.lists(&mutants)?;
    println!("\n{}", records.summary(&mutants));
    println!("lists: {}", options.work.display());
    Ok(())
}

/// Tries those that have a switch, in a program with the switches of all that are `compiled`.
fn switched(
    options: &Options,
    copy: &mut Copy,
    compiled: &[&Mutant],
    untried: &[&Mutant],
    mut records: Records,
) -> Result<Records> {
    copy.add_switch()?;
    let plans = plans(copy, compiled)?;
    let home = |mutant: &Mutant| plans.get(&mutant.file)?.homes.get(&mutant.number).copied();
    let start = Instant::now();
    let compiled = compile::compile(copy, &plans, &options.work.join("target"))?;
    println!("compiled in {:.0} s", start.elapsed().as_secs_f64());

    let folder = copy.folder.join("crates/mutants");
    let start = Instant::now();
    let tests = suite::measure(&compiled.programs, &folder, &options.work, options.longest)?;
    let seconds = tests
        .iter()
        .map(|test| test.time.as_secs_f64())
        .sum::<f64>();
    println!(
        "{} tests in {seconds:.1} s, measured in {:.0} s",
        tests.len(),
        start.elapsed().as_secs_f64()
    );

    let mut trials = Vec::new();
    for &mutant in untried {
        let home = home(mutant);
        let dropped = compiled.dropped.contains(&mutant.number);
        let reaching: Vec<&Test> = tests
            .iter()
            .filter(|test| test.reached.contains(&mutant.number))
            .collect();
        match home {
            None => records.note(mutant, OLD_WAY, "not found in the file")?,
            Some(Home::CompileTime) => records.note(mutant, OLD_WAY, "made by the compiler")?,
            Some(Home::ImplReturn) => {
                records.note(mutant, OLD_WAY, "another type than the body's")?
            }
            // An early return has the type of the changed body: this cannot be compiled in any way.
            Some(Home::Function | Home::ConstFunction)
                if dropped && mutant.genre == Genre::FnValue =>
            {
                records.note(mutant, UNVIABLE, "")?;
            }
            Some(_) if dropped => {
                records.note(mutant, OLD_WAY, "does not compile with a switch")?
            }
            Some(Home::ConstFunction) if reaching.is_empty() => {
                records.note(mutant, OLD_WAY, "perhaps only run by the compiler")?;
            }
            Some(_) if reaching.is_empty() => records.note(mutant, UNREACHED, "")?,
            Some(home) => trials.push((mutant, home, reaching)),
        }
    }
    println!("{} are reached", trials.len());
    // Mixed, so that what is known of an interrupted run is a sample of all.
    trials.sort_by_cached_key(|(mutant, ..)| {
        let mut hasher = DefaultHasher::new();
        mutant.key.hash(&mut hasher);
        hasher.finish()
    });

    let records = Mutex::new(records);
    let next = AtomicUsize::new(0);
    let worker = |number: usize| -> Result<()> {
        let output = options.work.join(format!("output.{number}"));
        let runner = Runner::new(&compiled.programs, &folder, &output);
        while let Some((mutant, home, reaching)) = trials.get(next.fetch_add(1, Relaxed)) {
            let verdict = trial::judge(&runner, mutant.number, reaching)?;
            let (verdict, note) = match &verdict {
                Verdict::Caught(test) => (CAUGHT, test.as_str()),
                Verdict::Timeout => (TIMEOUT, ""),
                // Constants that the compiler made by it are as they were.
                Verdict::Missed if *home == Home::ConstFunction => {
                    (OLD_WAY, "missed while it runs")
                }
                Verdict::Missed => (MISSED, ""),
            };
            if verdict == MISSED {
                println!("missed {}", mutant.name);
            }
            records
                .lock()
                .expect("no worker panics")
                .note(mutant, verdict, note)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|number| scope.spawn(move || worker(number)))
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    Ok(records.into_inner().expect("no worker panics"))
}

fn plans(copy: &Copy, mutants: &[&Mutant]) -> Result<BTreeMap<String, Plan>> {
    let mut files = BTreeMap::<&str, Vec<&Mutant>>::new();
    for mutant in mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    let plans = files.into_iter().map(|(file, mutants)| {
        let plan =
            plan::plan(&copy.text(file)?, &mutants).map_err(|error| format!("{file}: {error}"))?;
        Ok((file.to_owned(), plan))
    });
    plans.collect()
}
