//! `watch`: prints the differences each time a file is written.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use clap::Args;
use gdvar_file::{Decision, Undecided};
use gdvar_view::{Document, Objects};

use crate::{
    app::App,
    diagnose::whole_record,
    save::change,
    show::notation,
    terminal::{
        exit::Exit,
        style::{self, paint},
    },
};

#[derive(Args, Debug)]
#[command(after_help = "\
Prints the differences each time the file is written, until you stop it (Ctrl-C). A file that is \
deleted, emptied or damaged is reported in a line with !, once a second look finds it the same: \
a game may still be writing. The next contents are compared with the last readable ones.

Examples:
  gdvar watch slot1.dat
  gdvar watch slot1.dat --interval 100 | grep gold")]
pub(crate) struct WatchArgs {
    /// A file
    file: PathBuf,
    /// Look every this many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(10..))]
    interval: u64,
    /// Stop after this many changes
    #[arg(long, value_name = "N")]
    count: Option<u64>,
}

/// Why a file cannot be compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unreadable {
    Gone,
    Empty,
    Damaged,
    Unclear,
}

impl Unreadable {
    fn words(self) -> &'static str {
        match self {
            Unreadable::Gone => "the file is gone",
            Unreadable::Empty => "the file is empty",
            Unreadable::Damaged => "the file is damaged: gdvar check says where",
            Unreadable::Unclear => {
                "the file can be read in several ways: gdvar info says which, and -d or -f decide"
            }
        }
    }
}

/// The contents of a file: the bytes of each record's value.
struct ReadFile {
    decision: Decision,
    records: Vec<Vec<u8>>,
}

/// The time when a file was written last, and its length.
type Stamp = (Option<SystemTime>, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}

pub(crate) fn run(app: &mut App, args: &WatchArgs) -> io::Result<()> {
    let mut last = stamp(&args.file);
    // Reports an unreadable file with the usual messages.
    let Some(input) = app.open(&args.file)? else {
        return Ok(());
    };
    if app.decision(&input)?.is_none() {
        return Ok(());
    }
    drop(input);
    let Ok(mut seen) = look(app, &args.file, None) else {
        return app.fail(
            Exit::Malformed,
            &format!("{}: damaged, see gdvar check", args.file.display()),
        );
    };
    app.note(&format!("{}: watching", args.file.display()))?;
    let mut changes = 0;
    // The problem when the file was read last, its stamp then, and whether the problem was printed.
    let mut trouble: Option<(Unreadable, Option<Stamp>, bool)> = None;
    while args.count.is_none_or(|most| changes < most) {
        thread::sleep(Duration::from_millis(args.interval));
        let now = stamp(&args.file);
        if now == last && trouble.is_none() {
            continue;
        }
        let new = match (now, trouble) {
            (None, _) => Err(Unreadable::Gone),
            (Some((_, 0)), _) => Err(Unreadable::Empty),
            // The file has not changed since it was read in vain.
            (_, Some((old, then, _))) if then == now => Err(old),
            _ => look(app, &args.file, Some(&seen.decision)),
        };
        let new = match new {
            Ok(new) => new,
            Err(found) => {
                let is_same = |&(old, then, _): &(Unreadable, Option<Stamp>, bool)| {
                    old == found && then == now
                };
                match trouble.filter(is_same) {
                    Some((_, _, true)) => {}
                    // Waits for the next look, because the game may be writing or renaming the file now.
                    None => trouble = Some((found, now, false)),
                    Some((_, _, false)) => {
                        trouble = Some((found, now, true));
                        changes += 1;
                        writeln!(app.out, "{} {}", paint(style::ERROR, "!"), found.words())?;
                        app.flush()?;
                    }
                }
                continue;
            }
        };
        let was_told = trouble.take().is_some_and(|(_, _, told)| told);
        last = now;
        let many = seen.records.len().max(new.records.len()) > 1;
        let mut found = 0;
        for (n, record) in new.records.iter().enumerate() {
            let in_front = if many {
                format!("record {n}: ")
            } else {
                String::new()
            };
            let after = Document::new(record, new.decision.dialect)
                .with_objects(Objects::Inert)
                .root();
            match (seen.records.get(n), after) {
                (Some(before), Ok(after)) => {
                    let before =
                        Document::new(before, seen.decision.dialect).with_objects(Objects::Inert);
                    if let Ok(before) = before.root() {
                        found += change::show(app, before, after, &in_front)?;
                    }
                }
                (None, Ok(after)) => {
                    found += 1;
                    let text = notation::start(after, 60);
                    writeln!(app.out, "{in_front}{} $  {text}", paint(style::GOOD, "+"))?;
                }
                (_, Err(_)) => {}
            }
        }
        if seen.records.len() > new.records.len() {
            found += 1;
            let gone = seen.records.len() - new.records.len();
            writeln!(
                app.out,
                "{} {gone} records are gone",
                paint(style::ERROR, "-")
            )?;
        }
        if found == 0 && was_told {
            found = 1;
            writeln!(
                app.out,
                "{} the file is back as it was",
                paint(style::GOOD, "+")
            )?;
        }
        if found > 0 {
            changes += 1;
            app.flush()?;
        }
        seen = new;
    }
    Ok(())
}

/// Reads all of a file. If it can be read in several ways, reads it as before, by the decision `before`.
fn look(app: &App, path: &Path, before: Option<&Decision>) -> Result<ReadFile, Unreadable> {
    let mut held = App::held(&app.settings());
    let Some(input) = held.open(path).ok().flatten() else {
        return Err(Unreadable::Damaged);
    };
    let decided = app.decide(&input);
    let is_unclear = matches!(
        decided.as_ref().map_err(|undecided| &**undecided),
        Err(Undecided::Framings(_) | Undecided::Header(_) | Undecided::Dialects(..))
    );
    let decision = match (decided, before) {
        (Ok(decision), _) => decision,
        (Err(_), Some(before)) if is_unclear => before.clone(),
        (Err(_), _) if is_unclear => return Err(Unreadable::Unclear),
        (Err(_), _) => return Err(Unreadable::Damaged),
    };
    let progress = app.progress("reading", &input);
    let options = app.options(decision.dialect, App::policy(&input, Objects::Inert));
    let mut records = Vec::new();
    for record in input.records(decision.framing) {
        match whole_record::read(&record, options, &progress) {
            Ok(end) => records.push(record.bytes[..end].to_vec()),
            Err(_) if is_unclear => return Err(Unreadable::Unclear),
            Err(_) => return Err(Unreadable::Damaged),
        }
    }
    Ok(ReadFile { decision, records })
}
