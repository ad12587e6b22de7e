//! gdvar's reader and writer against peers, and against what memory allows.
//!
//! ```text
//! gdvar-benches                 the full run: writes docs/BENCHMARKS.md, its charts and data
//! gdvar-benches --quick         the goals, one JSON line each, and the seconds it took; exit status 1 where one got worse
//! gdvar-benches --instructions  instructions per value, by callgrind; 1 above a bound
//! gdvar-benches --only GROUP    matrix, packets … or one workload, small: ratios in seconds
//! gdvar-benches --workload WORKLOAD SIZE         one workload, "small" or "large"
//! gdvar-benches --alone WORKLOAD ENTRY PASSES   one entry, for a profiler
//! gdvar-benches --blobs 3|4 FILE  the small inputs, each behind its length, for an engine
//! ```

mod columns;
mod encode;
mod goals;
mod harness;
mod instructions;
mod limits;
mod model;
mod only;
mod outside;
mod peers;
mod plan;
mod question;
mod random;
mod report;
mod workloads;

use std::{
    error::Error,
    ffi::OsString,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use goals::{Verdict, goals};
use harness::{Effort, Table};
use outside::{engine, npm};
use plan::{MEMORY_BOUND, Measure, READ_ONCE, WORKLOADS, Who};
use workloads::{Group, Size};

const QUICK: Effort = Effort {
    rounds: 7,
    sample: Duration::from_millis(1),
    // No goal is held against it.
    cold: false,
};

const GLANCE: Effort = Effort {
    rounds: 9,
    sample: Duration::from_millis(2),
    cold: true,
};

const FULL: Effort = Effort {
    rounds: 14,
    sample: Duration::from_millis(2),
    cold: true,
};

/// Large inputs take seconds and are steady.
const LARGE: Effort = Effort { rounds: 5, ..FULL };

/// How often the engine does everything in a quick run, and in a full one.
const QUICK_PASSES: usize = 15;
const FULL_PASSES: usize = 60;

/// The workloads that the engine has goals in.
const IN_GOALS: [&str; 5] = ["W1", "W1f write", "S4 text", "K text", "B text"];

/// How often a quick run measures the small inputs; a goal is held against the median.
const REPEATS: usize = 3;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("gdvar-benches: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let mut arguments = lexopt::Parser::from_env();
    let Some(argument) = arguments.next()? else {
        return full();
    };
    match argument {
        lexopt::Arg::Long("quick") => Ok(quick()),
        lexopt::Arg::Long("instructions") => {
            instructions::count().ok_or_else(|| "callgrind cannot be run".into())
        }
        lexopt::Arg::Long("alone") => {
            let mut text = || -> Result<String, Box<dyn Error>> {
                let text: OsString = arguments.value()?;
                Ok(text.to_string_lossy().into_owned())
            };
            let (workload, entry, passes) = (text()?, text()?, text()?.parse()?);
            match instructions::run_alone(&workload, &entry, passes) {
                true => Ok(true),
                false => Err("there is no such entry".into()),
            }
        }
        lexopt::Arg::Long("workload") => {
            let (name, size) = (arguments.value()?, arguments.value()?);
            let name = WORKLOADS.iter().find(|own| **own == name);
            let name = *name.ok_or("there is no such workload")?;
            let size = match size == "large" {
                true => Size::Large,
                false => Size::Small,
            };
            measure(&[name], size, Who::All, FULL);
            Ok(true)
        }
        lexopt::Arg::Long("only") => {
            let name = arguments.value()?;
            let chosen = plan::chosen(&name.to_string_lossy());
            if chosen.is_empty() {
                return Err("there is no such group or workload".into());
            }
            let tables = measure(&chosen, Size::Small, Who::All, GLANCE);
            print!("{}", only::Ratios(&tables));
            Ok(true)
        }
        lexopt::Arg::Long("blobs") => {
            let groups = match arguments.value()?.to_str() {
                Some("3") => workloads::groups_of_godot_3(),
                Some("4") => workloads::groups(),
                _ => return Err("the engine is 3 or 4".into()),
            };
            blobs(&groups, Path::new(&arguments.value()?))?;
            Ok(true)
        }
        other => Err(other.unexpected().into()),
    }
}

fn quick() -> bool {
    let began = Instant::now();
    // Slow parts are done once: large inputs are steadier than small ones.
    let engine = engine::time(&IN_GOALS, QUICK_PASSES);
    let large: Vec<_> = MEMORY_BOUND
        .into_iter()
        .filter(|name| !READ_ONCE.contains(name))
        .collect();
    let large = measure(&large, Size::Large, Who::Limits, QUICK);
    let runs: Vec<Vec<Verdict>> = (0..REPEATS)
        .map(|_| {
            let mut small = measure(&WORKLOADS, Size::Small, Who::All, QUICK);
            if let Some(engine) = &engine {
                engine.add(&mut small);
            }
            verdicts(&small, &large)
        })
        .collect();
    let good = print(&medians(runs));
    eprintln!("{} seconds", began.elapsed().as_secs());
    good
}

fn full() -> Result<bool, Box<dyn Error>> {
    let mut small = measure(&WORKLOADS, Size::Small, Who::All, FULL);
    // Not W2, of which our entries read one of four arrays.
    let names: Vec<_> = WORKLOADS.into_iter().filter(|name| *name != "W2").collect();
    let engine = engine::time(&names, FULL_PASSES);
    if let Some(engine) = &engine {
        engine.add(&mut small);
    }
    let mut large = measure(&MEMORY_BOUND, Size::Large, Who::All, LARGE);
    let npm = npm::time(&mut small, &mut large);
    let verdicts = verdicts(&small, &large);
    let good = print(&verdicts);
    let report = report::Report {
        large,
        small,
        verdicts,
        engine: engine.map(|engine| engine.version),
        npm,
    };
    report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs"))?;
    Ok(good)
}

fn measure(names: &[&str], size: Size, who: Who, effort: Effort) -> Vec<Table> {
    let tables = Vec::new();
    let is_large = matches!(size, Size::Large);
    let mut measure = Measure {
        effort,
        is_large,
        tables,
    };
    for name in names {
        plan::visit(name, size, who, &mut measure);
    }
    measure.tables
}

fn verdicts(small: &[Table], large: &[Table]) -> Vec<Verdict> {
    goals()
        .iter()
        .map(|goal| goal.verdict(small, large))
        .collect()
}

fn medians(runs: Vec<Vec<Verdict>>) -> Vec<Verdict> {
    let goals = runs.first().map_or(0, Vec::len);
    let of = |n: usize| runs.iter().filter_map(|run| run.get(n).cloned()).collect();
    (0..goals).filter_map(|n| Verdict::median(of(n))).collect()
}

/// Prints the lines. Returns `true` if all goals are reached, or missed no further than is known.
fn print(verdicts: &[Verdict]) -> bool {
    for verdict in verdicts {
        println!("{verdict}");
    }
    let unmeasured = verdicts.iter().filter(|v| v.is_unmeasured()).count();
    if unmeasured > 0 {
        eprintln!("NOT MEASURED: {unmeasured} goals, for want of another program (see above)");
    }
    verdicts.iter().all(Verdict::is_kept)
}

/// Writes the small inputs, each behind its length, as the engine's round trip reads them.
fn blobs(groups: &[Group], file: &Path) -> std::io::Result<()> {
    let all = groups.iter().flat_map(|group| &group.blobs);
    outside::write_blobs(file, all.map(Vec::as_slice))
}
