//! `check`: reports whether every record of every file can be read.

use std::{
    collections::HashSet,
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
};

use gdvar_file::{Certainty, Decision, PeelError, Undecided};
use gdvar_view::Objects;
use serde::Serialize;

use crate::{
    app::{App, files::RulesArg},
    diagnose::{
        ambiguous,
        diagnosis::Reason,
        readings,
        verdict::{self, Verdict},
    },
    input::{bytes::Input, layers, unopened::Unopened},
    show::json_lines,
    terminal::{
        exit::Exit,
        safe_text,
        style::{self, paint},
        words::{self, plural},
    },
};

/// The last line of `--json` for a file with more bad records than `--max-errors` allows.
#[derive(Serialize)]
struct Rest<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    error: &'a str,
    more: u64,
}

pub(crate) fn run(app: &mut App, named: &[PathBuf], rules: RulesArg) -> io::Result<()> {
    let files = app.every_file(named, rules)?;
    let name_files = files.len() > 1;
    let named: HashSet<&Path> = named.iter().map(PathBuf::as_path).collect();
    let states = app.each(&files, |app, file| {
        let is_named = file == Path::new("-") || named.contains(file);
        one(app, file, is_named)
    })?;
    if !states.is_empty() && states.iter().all(|state| matches!(state, FileState::Other)) {
        app.fail(Exit::Findings, "there are no values in any of these files")?;
    }
    if name_files && !app.global.json && !app.global.quiet {
        let mut tally = FileCounts::default();
        for state in states {
            match state {
                FileState::Ok => tally.ok += 1,
                FileState::Bad => tally.bad += 1,
                FileState::Undecided => tally.undecided += 1,
                FileState::Unread => tally.unread += 1,
                FileState::Other => tally.other += 1,
            }
        }
        writeln!(app.out, "{tally}")?;
    }
    Ok(())
}

/// The result for one file.
enum FileState {
    Ok,
    Bad,
    Undecided,
    Unread,
    /// A file in a folder that is known to hold no values.
    Other,
}

/// Checks a file. `is_named` is `false` if the file was found in a folder. Such a file gives [`FileState::Other`] if
/// its format is known to hold no values.
fn one(app: &mut App, file: &Path, is_named: bool) -> io::Result<FileState> {
    let Some(input) = app.open(file)? else {
        // The message on standard error names the file; the list on standard output has to name it too.
        let name = file.display().to_string();
        if !app.global.json {
            writeln!(app.out, "{}: not read", safe_text::safe_line(&name))?;
        }
        return Ok(FileState::Unread);
    };
    let undecided = match app.decide(&input) {
        Ok(decision) => {
            app.note_decision(&input, &decision)?;
            if let Err(error) = layers::check_loading(&input.peeled.layers) {
                return not_loaded(app, &input, error);
            }
            let bad = check(app, &input, &decision)?;
            return Ok(if bad > 0 {
                FileState::Bad
            } else {
                FileState::Ok
            });
        }
        Err(undecided) => undecided,
    };
    if let (Undecided::Known(known), false) = (&*undecided, is_named) {
        if !known.is_damage() {
            return Ok(FileState::Other);
        }
    }
    let (what, state) = match *undecided {
        Undecided::Framings(_) | Undecided::Header(_) | Undecided::Dialects(..) => {
            ("undecided", FileState::Undecided)
        }
        Undecided::Empty | Undecided::Known(_) => ("no values", FileState::Bad),
        _ => ("bad", FileState::Bad),
    };
    if app.global.json {
        json_undecided(app, &input, &undecided)?;
        return Ok(state);
    }
    app.undecided(&input, &undecided)?;
    line(app, &input, what, undecided.name())?;
    Ok(state)
}

/// Prints the line of a file that was not checked record by record: `a.tscn: bad (BadText)`.
fn line(app: &mut App, input: &Input, what: &str, why: &str) -> io::Result<()> {
    let name = paint(style::HEAD, input.shown());
    let what = paint(style::ERROR, what);
    writeln!(app.out, "{name}: {what} ({why})")
}

/// Reports why no engine loads a resource or scene whose values can all be read.
fn not_loaded(app: &mut App, input: &Input, error: PeelError) -> io::Result<FileState> {
    let error = Unopened::Layer(error);
    app.unopened(&input.name, &error)?;
    if !app.global.json {
        line(app, input, "bad", error.exit_and_name().1)?;
    }
    Ok(FileState::Bad)
}

/// The number of files with each result.
#[derive(Default)]
struct FileCounts {
    ok: u64,
    bad: u64,
    undecided: u64,
    unread: u64,
    other: u64,
}

/// Formats `4 files: 2 ok, 1 bad, 1 undecided`.
impl fmt::Display for FileCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.ok + self.bad + self.undecided + self.unread + self.other;
        write!(f, "{}: {} ok", plural(all, "file"), self.ok)?;
        let others = [
            (self.bad, "bad"),
            (self.undecided, "undecided"),
            (self.unread, "not read"),
            (self.other, "without values"),
        ];
        others
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}

/// Reads all records of a file, and reports those that are bad. Returns the number of bad records. Without `--json`,
/// records in which the engine drops or changes something count too.
fn check(app: &mut App, input: &Input, decision: &Decision) -> io::Result<u64> {
    let options = app.options(decision.dialect, App::policy(input, Objects::Ids));
    let progress = app.progress("checking", input);
    let mut verdict = Verdict::new();
    let mut bad = 0;
    let mut all = input.records(decision.framing);
    while let Some(record) = all.next() {
        let judged = verdict::judge(&record, options);
        progress.at(all.position());
        verdict.add(&judged);
        app.exit.merge(judged.exit);
        bad += u64::from(judged.fault.is_some());
        let shown = judged.fault.is_none() || bad <= app.global.max_errors();
        if app.global.json && shown {
            let mut line = match judged.fault {
                Some(fault) => app.fault_line(input, decision.framing, &record, fault, options),
                None => verdict::RecordLine::fine(&input.name, record.index),
            };
            line.ok &= judged.changes.is_empty();
            line.read = judged.read;
            line.lost = judged.changes;
            json_lines::line(&mut app.out, &line)?;
        } else if let (Some(fault), true) = (judged.fault, shown && !app.global.json) {
            let report = app.report(input, decision.framing, &record, fault, options);
            report.print(&mut app.out)?;
        }
    }
    drop(progress);
    let more = bad.saturating_sub(app.global.max_errors());
    if app.global.json {
        if more > 0 {
            let rest = Rest {
                schema: 1,
                file: &input.name,
                ok: false,
                error: "MoreErrors",
                more,
            };
            json_lines::line(&mut app.out, &rest)?;
        }
        return Ok(bad);
    }
    summary(app, input, decision, &verdict, bad)?;
    app.say_losses(&verdict, input)?;
    Ok(bad + verdict.lossy)
}

fn summary(
    app: &mut App,
    input: &Input,
    decision: &Decision,
    verdict: &Verdict,
    faults: u64,
) -> io::Result<()> {
    let more = faults.saturating_sub(app.global.max_errors());
    if more > 0 {
        let more = plural(more, "more bad record");
        writeln!(
            app.out,
            "… and {more}, not shown; --max-errors 0 shows all\n"
        )?;
    }
    let name = paint(style::HEAD, input.shown());
    let how = if decision.certainty == Certainty::Given && app.global.framing.get().is_some() {
        String::new()
    } else {
        format!(" ({}, {})", decision.dialect, decision.framing.name())
    };
    let all = plural(verdict.read + verdict.refused, "record");
    if verdict.refused > 0 {
        let bad = words::count(verdict.refused);
        let bad = paint(style::ERROR, format!("{bad} bad"));
        writeln!(app.out, "{name}: {bad} of {all}{how}")
    } else if faults > 0 {
        let bad = format!("{} not as an engine writes them", words::count(faults));
        writeln!(
            app.out,
            "{name}: {}, of {all}{how}",
            paint(style::ERROR, bad)
        )
    } else if !verdict.ok {
        let words = paint(style::WARNING, verdict.words());
        writeln!(app.out, "{name}: {words}{how}")
    } else if app.global.quiet {
        Ok(())
    } else {
        writeln!(app.out, "{name}: {}, {all}{how}", paint(style::GOOD, "ok"))
    }
}

/// Prints the line of `--json` for a file whose dialect or framing is not clear.
fn json_undecided(app: &mut App, input: &Input, undecided: &Undecided) -> io::Result<()> {
    app.exit.merge(ambiguous::of_undecided(undecided));
    let place = match undecided {
        Undecided::Dialects(framing, choices) => choices.first().map(|choice| {
            let (path, _) = readings::difference(input, *framing, choice);
            (choice.record, path)
        }),
        _ => None,
    };
    let (record, path) = place.unwrap_or_else(|| (0, "$".to_owned()));
    let reason = match undecided {
        Undecided::Unreadable(framing) => Reason::of_unreadable(input, *framing),
        _ => None,
    };
    let line = verdict::RecordLine {
        ok: false,
        read: false,
        error: Some(undecided.name()),
        offset: Some(0),
        path: Some(path),
        cause: reason.map(|reason| reason.name),
        ..verdict::RecordLine::fine(&input.name, record)
    };
    json_lines::line(&mut app.out, &line)
}
