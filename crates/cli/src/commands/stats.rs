//! `stats`: counts the bytes of files by purpose, type and path.

use std::{io, path::PathBuf};

use clap::Args;
use gdvar_file::records::Record;
use gdvar_view::{Document, Objects, ReadOptions};
use weight::{ByteUse, Weight};

use crate::{app::App, diagnose::whole_record, terminal::words::plural};

mod arrays;
pub(crate) mod counts;
mod print;
mod texts;
mod weight;

#[derive(Args, Debug)]
#[command(after_help = "\
Every byte counts once in each table: as a part of the layout, for the type of its value, and at its path. \
A path has the bytes of all below it, with keys. `[*]` means all elements, and for values under keys \
that are no text. Several files are counted together.

The format keeps a text as often as it occurs, and gives each element of an Array a header. The last two \
tables say what that costs: bytes of texts after their first, and bytes that a packed array would save.

With --json each file is a line, with all paths:
  {\"schema\":1,\"file\":\"slot1.dat\",\"bytes\":56,\"records\":1,\"values\":5,\"parts\":{\"headers\":12, …},
   \"types\":[{\"type\":\"Vector2\",\"values\":1,\"bytes\":12}, …],\"paths\":[{\"path\":\"pos\",\"values\":1,\"bytes\":24}, …],
   \"repeated\":[{\"text\":\"sword\",\"count\":3,\"bytes\":32}, …],
   \"packed\":[{\"path\":\"grid\",\"type\":\"PackedInt32Array\",\"arrays\":1,\"bytes\":808,\"packed_bytes\":408}, …]}

Examples:
  gdvar stats slot1.dat
  gdvar stats --top 30 saves/")]
pub(crate) struct StatsArgs {
    /// Files and folders; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The number of rows of each table
    #[arg(long, value_name = "N", default_value = "12")]
    top: usize,
}

pub(crate) fn run(app: &mut App, args: &StatsArgs) -> io::Result<()> {
    let files = app.files(&args.files)?;
    let mut all = Weight::new();
    let mut name = String::new();
    for file in &files {
        let Some(input) = app.open(file)? else {
            continue;
        };
        let Some(decision) = app.decision(&input)? else {
            continue;
        };
        if app.global.json {
            all = Weight::new();
        }
        name.clone_from(&input.name);
        all.files += 1;
        let progress = app.progress("weighing", &input);
        all.part(ByteUse::Skipped, input.header().len());
        let mut records = input.records(decision.framing);
        let mut passed = 0;
        let mut faults = Vec::new();
        while let Some(record) = records.next() {
            progress.at(records.position());
            // The bytes around the value: its length prefix, or the rest of a line of text.
            let around = (records.position() - passed).saturating_sub(record.bytes.len());
            passed = records.position();
            let options = app
                .showing(decision.dialect, &record.bytes)
                .with_objects(Objects::Inert);
            weigh(&mut all, &record, around, options);
            if let Err(fault) = whole_record::read(&record, options, &progress) {
                faults.push((record, fault, options));
            }
        }
        all.part(ByteUse::Unread, input.len().saturating_sub(passed));
        drop(progress);
        if app.global.json {
            print::machine(app, &input.name, &all)?;
        }
        for (record, fault, options) in faults {
            app.fault(&input, decision.framing, &record, fault, options)?;
        }
    }
    if app.global.json || all.files == 0 {
        return Ok(());
    }
    print::people(app, &name, &all, args.top)
}

fn weigh(all: &mut Weight, record: &Record<'_>, around: usize, options: ReadOptions) {
    if record.problem.is_some() {
        all.part(ByteUse::Unread, around + record.bytes.len());
        return;
    }
    all.records += 1;
    all.part(ByteUse::Lengths, around);
    all.document(Document::with_options(&record.bytes, options));
}

/// Returns the name of the only file, or the number of files.
fn title(name: &str, all: &Weight) -> String {
    match all.files {
        1 => name.to_owned(),
        more => plural(more, "file"),
    }
}
