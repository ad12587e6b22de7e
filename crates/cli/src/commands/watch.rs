//! `watch`: the differences each time a file is written anew.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use clap::Args;
use gdvar_view::{Dialect, Document, Objects};

use crate::{
    app::App,
    commands::check,
    edited, envelope,
    exit::Exit,
    input::Input,
    notation,
    records::Record,
    style::{self, paint},
};

/// The arguments of `watch`.
#[derive(Args, Debug)]
#[command(after_help = "\
Prints the differences between the file as it was and as it is, until it is told to stop (Ctrl-C). A game \
that is still writing is waited for: what cannot be read is passed over until it can.

Examples:
  gdvar watch slot1.dat
  gdvar watch slot1.dat --interval 100 | grep gold")]
pub(crate) struct WatchArgs {
    /// A file
    file: PathBuf,
    /// Look so often, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(10..))]
    interval: u64,
    /// Stop after so many changes
    #[arg(long, value_name = "N")]
    count: Option<u64>,
}

/// The contents of a file: values behind each other, all of which can be read.
struct Seen {
    dialect: Dialect,
    records: Vec<Vec<u8>>,
}

/// When a file was written, and how long it is.
type Stamp = (Option<SystemTime>, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}

/// Runs it.
pub(crate) fn run(app: &mut App, args: &WatchArgs) -> io::Result<()> {
    let mut last = stamp(&args.file);
    // With the messages of every command, if it cannot be read.
    let Some(input) = app.open(&args.file)? else {
        return Ok(());
    };
    if app.plan(&input)?.is_none() {
        return Ok(());
    }
    drop(input);
    let Some(mut seen) = look(app, &args.file) else {
        app.exit.merge(Exit::Malformed);
        return app.error(&format!(
            "{}: damaged, see gdvar check",
            args.file.display()
        ));
    };
    app.note(&format!("{}: watching", args.file.display()))?;
    let mut changes = 0;
    while args.count.is_none_or(|most| changes < most) {
        thread::sleep(Duration::from_millis(args.interval));
        let now = stamp(&args.file);
        if now.is_none() || now == last {
            continue;
        }
        // Half a file is no change yet.
        let Some(new) = look(app, &args.file) else {
            continue;
        };
        last = now;
        let many = seen.records.len().max(new.records.len()) > 1;
        let mut found = 0;
        for (n, record) in new.records.iter().enumerate() {
            let in_front = if many {
                format!("record {n}: ")
            } else {
                String::new()
            };
            let after = Document::new(record, new.dialect)
                .with_objects(Objects::Inert)
                .root();
            match (seen.records.get(n), after) {
                (Some(before), Ok(after)) => {
                    let before = Document::new(before, seen.dialect).with_objects(Objects::Inert);
                    if let Ok(before) = before.root() {
                        found += edited::show(app, before, after, &in_front)?;
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
        if found > 0 {
            changes += 1;
            app.flush()?;
        }
        seen = new;
    }
    Ok(())
}

/// Reads all of a file; `None` if that cannot be done.
fn look(app: &App, path: &Path) -> Option<Seen> {
    let input = Input::open(path).ok()?;
    let header = |input: &Input| app.find_header(input).map(|found| found.len);
    let skip = header(&input).unwrap_or(app.global.skip);
    let opened = envelope::open(&app.global, input.get(skip..)?).ok()?;
    let (input, skip) = match opened {
        Some((layer, contents)) => {
            let input = input.with_contents(layer, contents);
            let skip = header(&input).unwrap_or(0);
            (input, skip)
        }
        None => (input, skip),
    };
    let input = input.behind(skip).ok()?;
    let plan = app.detect(&input).ok()?;
    let progress = app.progress("reading", &input);
    let options = app.options(plan.dialect, App::policy(&input, Objects::Inert));
    let read = |record: Record<'_>| {
        let end = check::read(&record, options, &progress).ok()?;
        Some(record.bytes[..end].to_vec())
    };
    let records: Option<Vec<_>> = input.records(plan.framing).map(read).collect();
    Some(Seen {
        dialect: plan.dialect,
        records: records?,
    })
}
