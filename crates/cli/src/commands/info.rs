//! `info`: says what a file is.

mod archive;
mod listing;
mod package;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use gdvar_file::{Certainty, Decision};
use gdvar_view::{Detector, Dialect, Document, Kind, Objects as Policy};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    app::{App, files::RulesArg},
    args::DialectArg,
    commands::stats::counts::{Stats, ranked},
    diagnose::verdict::{self, Verdict},
    input::{archive::is_archive, bytes::Input, layers},
    show::{json_lines, summary::kind_name},
    terminal::{
        style::{self, paint},
        width,
        words::{count, plural},
    },
};

pub(crate) fn run(app: &mut App, files: &[PathBuf], rules: RulesArg) -> io::Result<()> {
    let files = app.every_file(files, rules)?;
    app.each(&files, |app, file| {
        let Some(input) = app.open(file)? else {
            return Ok(());
        };
        if input.peeled.layers.is_empty() && gdvar_resource::is_package(&input) {
            return package::list(app, &input);
        }
        if input.peeled.layers.is_empty() && is_archive(&input) {
            return archive::list(app, &input);
        }
        match app.decision(&input)? {
            Some(decision) => info(app, &input, &decision),
            None => Ok(()),
        }
    })?;
    Ok(())
}

/// What `info` finds out about a file by reading all of it.
struct FileSummary {
    stats: Stats,
    verdict: Verdict,
}

fn info(app: &mut App, input: &Input, decision: &Decision) -> io::Result<()> {
    let progress = app.progress("counting", input);
    let mut stats = Stats::default();
    let mut verdict = Verdict::new();
    let mut first_fault = None;
    let judging = app.options(decision.dialect, App::policy(input, Policy::Ids));
    let mut iter = input.records(decision.framing);
    while let Some(record) = iter.next() {
        progress.at(iter.position());
        let judged = verdict::judge(&record, judging);
        verdict.add(&judged);
        app.exit.merge(judged.exit);
        let options = app.showing(decision.dialect, &record.bytes);
        if record.problem.is_none() {
            let document = Document::with_options(&record.bytes, options);
            // Ignores the error, because the verdict has it.
            let _ = stats.add(document, record.place.base(), &progress);
        }
        if let (Some(fault), None, false) = (judged.fault, &first_fault, judged.needs_leave()) {
            first_fault = Some((record, fault));
        }
    }
    drop(progress);
    let seen = FileSummary { stats, verdict };
    if app.global.json {
        return machine(app, input, decision, &seen);
    }
    people(app, input, decision, &seen)?;
    if let Some((record, fault)) = first_fault {
        app.fault(input, decision.framing, &record, fault, judging)?;
    }
    app.say_refused(&seen.verdict, input)?;
    app.say_losses(&seen.verdict, input)
}

fn sureness(app: &App, decision: &Decision, layer: Option<&gdvar_file::Layer>) -> String {
    match decision.certainty {
        Certainty::Given
            if layer.and_then(gdvar_file::Layer::dialect) == Some(decision.dialect) =>
        {
            "as the file says".to_owned()
        }
        Certainty::Given => "as you say".to_owned(),
        Certainty::Certain if layer.is_some_and(layers::is_document) => {
            "certain: no other engine writes such values".to_owned()
        }
        Certainty::Certain if app.global.dialect == DialectArg::Any => {
            "certain: no other engine reads it".to_owned()
        }
        Certainty::Certain => {
            let other = Detector::AUTO
                .into_iter()
                .find(|&other| other != decision.dialect);
            let other = other.map_or("the other", Dialect::title);
            format!("certain: {other} does not read it")
        }
        Certainty::Likely => "likely: another engine could read it too, but not as well".to_owned(),
        Certainty::Furthest => "no engine reads all of it, this one gets furthest".to_owned(),
        Certainty::Same => {
            let others: Vec<_> = decision
                .same
                .iter()
                .skip(1)
                .map(|other| other.name())
                .collect();
            format!("or {}: the same values in all of them", others.join(", "))
        }
    }
}

fn people(app: &mut App, input: &Input, decision: &Decision, seen: &FileSummary) -> io::Result<()> {
    let FileSummary { stats, verdict } = seen;
    let name = paint(style::HEAD, input.shown());
    writeln!(
        app.out,
        "{name}  {}",
        plural(input.file_len() as u64, "byte")
    )?;
    let dialect = format!(
        "{}, {}",
        decision.dialect.title(),
        sureness(app, decision, input.peeled.layers.last())
    );
    let mut row = |label: &str, text: String| {
        let label = paint(style::KEY, format!("{label:9}"));
        let Some(columns) = width::columns() else {
            return writeln!(app.out, "  {label} {text}");
        };
        let lines = width::fold(&text, columns.saturating_sub(12), 0);
        writeln!(app.out, "  {label} {}", lines.join("\n            "))
    };
    if !input.peeled.layers.is_empty() {
        let len = plural(input.len() as u64, "byte");
        let layers = layers::describe_all(&input.peeled.layers);
        row("container", format!("{layers}; {len} unpacked"))?;
    }
    row(
        "framing",
        format!(
            "{}: {}",
            decision.framing.name(),
            decision.framing.meaning()
        ),
    )?;
    row("dialect", dialect)?;
    row("verdict", verdict.words())?;
    row("records", count(verdict.read + verdict.refused))?;
    let roots = ranked(&stats.roots);
    let root = match (&stats.first_root, &roots[..]) {
        (Some(root), [(_, 1)]) => root.clone(),
        _ => list(&roots, 6, decision.dialect),
    };
    row("root", root)?;
    row("depth", stats.depth.to_string())?;
    row(
        "values",
        format!(
            "{}: {}",
            count(stats.values()),
            list(&ranked(&stats.kinds), 12, decision.dialect)
        ),
    )?;
    row("objects", objects(stats))?;
    writeln!(app.out)
}

/// Lists types with their counts: `12 Int, 3 String and 4 more types`.
fn list(kinds: &[(Kind, u64)], most: usize, dialect: Dialect) -> String {
    if kinds.is_empty() {
        return "none".to_owned();
    }
    // One more type takes no more room than the words "and 1 more type".
    let most = if kinds.len() == most + 1 {
        kinds.len()
    } else {
        most
    };
    let shown: Vec<_> = kinds
        .iter()
        .take(most)
        .map(|(kind, number)| format!("{} {}", count(*number), kind_name(dialect, *kind)))
        .collect();
    let mut text = shown.join(", ");
    if kinds.len() > most {
        text += &format!(" and {}", plural((kinds.len() - most) as u64, "more type"));
    }
    text
}

fn objects(stats: &Stats) -> String {
    let mut parts = Vec::new();
    if stats.whole > 0 {
        let classes: Vec<_> = stats
            .classes
            .iter()
            .take(8)
            .map(|(class, number)| match number {
                1 => class.clone(),
                _ => format!("{} {class}", count(*number)),
            })
            .collect();
        let more = if stats.classes.len() > 8 { ", …" } else { "" };
        parts.push(format!(
            "{} whole ({}{more})",
            count(stats.whole),
            classes.join(", ")
        ));
    }
    if stats.ids > 0 {
        parts.push(plural(stats.ids, "id"));
    }
    if parts.is_empty() {
        return "none".to_owned();
    }
    parts.join(", ")
}

/// The line that `--json` prints.
#[derive(Serialize)]
struct InfoLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unpacked: Option<usize>,
    /// The length of the game's own header before the values.
    header: usize,
    framing: &'static str,
    framing_given: bool,
    dialect: &'a str,
    sure: &'static str,
    /// Other dialects in which the file has the same values.
    also: Vec<&'a str>,
    records: u64,
    bad: u64,
    verdict: &'a Verdict,
    roots: Map<String, Value>,
    depth: usize,
    values: u64,
    types: Map<String, Value>,
    objects: Objects,
}

#[derive(Serialize)]
struct Objects {
    whole: u64,
    ids: u64,
    classes: Map<String, Value>,
}

fn machine(
    app: &mut App,
    input: &Input,
    decision: &Decision,
    seen: &FileSummary,
) -> io::Result<()> {
    let FileSummary { stats, verdict } = seen;
    let counts = |counts| -> Map<String, Value> {
        ranked(counts)
            .into_iter()
            .map(|(kind, number)| (kind.name().to_owned(), number.into()))
            .collect()
    };
    let classes = stats
        .classes
        .iter()
        .map(|(class, number)| (class.clone(), (*number).into()))
        .collect();
    let container = layers::names(&input.peeled.layers);
    let line = InfoLine {
        schema: 1,
        file: &input.name,
        ok: verdict.ok,
        size: input.file_len(),
        unpacked: container.as_ref().map(|_| input.len()),
        container,
        header: input.header().len(),
        framing: decision.framing.name(),
        framing_given: app.global.framing.get().is_some(),
        dialect: decision.dialect.name(),
        sure: decision.certainty.name(),
        also: decision
            .same
            .iter()
            .skip(1)
            .map(|other| other.name())
            .collect(),
        records: verdict.read + verdict.refused,
        bad: verdict.refused,
        verdict,
        roots: counts(&stats.roots),
        depth: stats.depth,
        values: stats.values(),
        types: counts(&stats.kinds),
        objects: Objects {
            whole: stats.whole,
            ids: stats.ids,
            classes,
        },
    };
    json_lines::line(&mut app.out, &line)
}
