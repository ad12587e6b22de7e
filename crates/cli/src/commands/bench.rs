//! `bench`: how fast this machine reads a file and writes it anew, next to what its memory allows.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

use gdvar_view::{Objects, ReadOptions};
use gdvar_write::{Precision, Target};
use serde::Serialize;

use crate::{
    app::App,
    brief::plural,
    clock,
    commands::check,
    detect::Plan,
    fault::Fault,
    input::Input,
    machine,
    records::{Framing, Record, records},
    speed::{File, Found, Row, Way, measure},
    style::{self, paint},
};

/// Runs it.
pub(crate) fn run(app: &mut App, file: &Path) -> io::Result<()> {
    let Some((input, plan)) = app.open_planned(file)? else {
        return Ok(());
    };
    let options = app.options(plan.dialect, objects(app, &input, &plan));
    if let Some((record, fault)) = first_fault(app, &input, &plan, options) {
        return app.fault(&input, plan.framing, &record, fault, options);
    }
    let (bytes, framing) = decoded(&input, plan.framing);
    // Memory that is there already: the system's way of giving it is not what is measured.
    let largest = records(&bytes, framing).map(|record| record.bytes.len());
    let buffer = vec![0; largest.max().unwrap_or(0)];
    let target = Target::from(plan.dialect).with_precision(Precision::AsGiven);
    let mut file = File {
        bytes: &bytes,
        framing,
        options,
        target,
        limits: app.limits(plan.dialect),
        buffer,
    };
    let found = measure(&mut file);
    if app.global.json {
        return json(app, &input, &plan, &found);
    }
    people(app, &input, &plan, &found)
}

/// Whole objects are let in where there are some, as `info` does.
fn objects(app: &App, input: &Input, plan: &Plan) -> Objects {
    let mut all = input.records(plan.framing);
    let inert =
        |record: Record<'_>| app.showing(plan.dialect, &record.bytes).objects() == Objects::Inert;
    if all.any(inert) {
        Objects::Inert
    } else {
        Objects::Ids
    }
}

fn first_fault<'i>(
    app: &App,
    input: &'i Input,
    plan: &Plan,
    options: ReadOptions,
) -> Option<(Record<'i>, Fault)> {
    let progress = app.progress("checking", input);
    input.records(plan.framing).find_map(|record| {
        let fault = check::read(&record, options, &progress).err()?;
        Some((record, fault))
    })
}

/// The bytes of the values themselves: lines of text are decoded first, each behind its length.
fn decoded(input: &Input, framing: Framing) -> (Cow<'_, [u8]>, Framing) {
    if !framing.is_text() {
        return (Cow::Borrowed(input), framing);
    }
    let mut bytes = Vec::new();
    for record in input.records(framing) {
        // A line is a file's part, and those are far from 4 GiB.
        let len = u32::try_from(record.bytes.len()).unwrap_or(u32::MAX);
        bytes.extend(len.to_le_bytes());
        bytes.extend_from_slice(&record.bytes);
    }
    (Cow::Owned(bytes), Framing::Len32)
}

/// The line that `--json` prints.
#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    size: usize,
    framing: Framing,
    dialect: &'a str,
    records: u64,
    values: u64,
    /// Bytes of the values with their length prefixes: what the speeds are of.
    measured: usize,
    rounds: usize,
    rows: &'a [Row],
}

fn json(app: &mut App, input: &Input, plan: &Plan, found: &Found) -> io::Result<()> {
    let line = Line {
        schema: 1,
        file: &input.name,
        ok: true,
        size: input.len(),
        framing: plan.framing,
        dialect: plan.dialect.name(),
        records: found.records,
        values: found.values,
        measured: found.bytes,
        rounds: found.rounds,
        rows: &found.rows,
    };
    machine::line(&mut app.out, &line)
}

fn people(app: &mut App, input: &Input, plan: &Plan, found: &Found) -> io::Result<()> {
    let name = paint(style::HEAD, input.shown());
    writeln!(
        app.out,
        "{name}  {}, {}, {} ({}, {})",
        plural(input.len() as u64, "byte"),
        plural(found.records, "record"),
        plural(found.values, "value"),
        plan.dialect,
        plan.framing.name()
    )?;
    if found.records == 0 {
        return app.note("there is nothing to measure");
    }
    writeln!(app.out)?;
    let head = "              time       speed     a value   of the limit";
    writeln!(app.out, "{}", paint(style::DIM, head))?;
    for row in &found.rows {
        writeln!(
            app.out,
            "  {} {:>8} {:>11} {:>11} {:>8}  {}",
            paint(style::KEY, format!("{:7}", row.name)),
            time(row.nanoseconds),
            speed(row.bytes_per_second),
            time(row.nanoseconds_per_value),
            percent(row.share_of_limit),
            paint(style::DIM, row.meaning)
        )?;
    }
    writeln!(
        app.out,
        "\nOf {}, median of {}, {}.",
        plural(found.bytes as u64, "byte"),
        plural(found.rounds as u64, "round"),
        clock::MEASURES
    )?;
    if !found.rows.iter().any(|row| row.name == Way::Rewrite.name()) {
        app.note("it cannot be written again; gdvar convert says why")?;
    }
    if cfg!(debug_assertions) {
        app.note("this gdvar was built without optimization: cargo build --release")?;
    }
    Ok(())
}

/// Three digits and a unit.
fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => digits(ns, "ns"),
        ns if ns < 1e6 => digits(ns / 1e3, "µs"),
        ns if ns < 1e9 => digits(ns / 1e6, "ms"),
        ns => digits(ns / 1e9, "s"),
    }
}

fn speed(bytes_per_second: f64) -> String {
    match bytes_per_second {
        speed if speed < 1e9 => digits(speed / 1e6, "MB/s"),
        speed => digits(speed / 1e9, "GB/s"),
    }
}

fn percent(share: f64) -> String {
    digits(share * 100.0, "%")
}

fn digits(number: f64, unit: &str) -> String {
    let places = match number {
        number if number < 9.995 => 2,
        number if number < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.places$} {unit}")
}
