//! `schema`: prints the structure that many saves share, and where they differ.

use std::{io, path::PathBuf};

use clap::{Args, ValueEnum};
use gdvar_view::Document;
use seen::Gather;
use shape::Shape;

use crate::{app::App, args::Json, diagnose::whole_record};

mod gdscript;
mod json_schema;
mod names;
mod people;
mod rust;
mod seen;
mod shape;

/// How a schema is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StyleArg {
    /// A tree for people
    Text,
    /// JSON Schema of what `gdvar json` prints
    JsonSchema,
    /// Rust structs for `gdvar::serde`
    Rust,
    /// GDScript classes for Godot 4
    Gdscript,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Each key has the types that were seen, the range of its numbers, the length of its texts and arrays, or \
the texts themselves where they are few. `name?` is missing in some. `[*]` means all elements, and \
for the values of a Dictionary whose keys are data: keys that are not text, or many that lead to the same \
kind of thing.

A schema says what was seen, so give it many saves. With --json it is JSON Schema on one line.

Examples:
  gdvar schema saves/
  gdvar schema --style json-schema saves/ > save.schema.json
  gdvar schema --style rust saves/ > save.rs
  gdvar schema --style gdscript saves/ > save.gd")]
pub(crate) struct SchemaArgs {
    /// Files and folders; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_name = "STYLE", default_value = "text")]
    style: StyleArg,
    /// The name of the outermost struct or class
    #[arg(long, value_name = "NAME", default_value = "Save")]
    name: String,
}

impl SchemaArgs {
    pub(crate) fn json(&self) -> Json {
        match self.style {
            StyleArg::Text | StyleArg::JsonSchema => Json::Result,
            StyleArg::Rust | StyleArg::Gdscript => {
                Json::Refused("--style says another form; `--style json-schema` is JSON")
            }
        }
    }
}

pub(crate) fn run(app: &mut App, args: &SchemaArgs) -> io::Result<()> {
    let files = app.files(&args.files)?;
    let mut gather = Gather::new();
    for file in &files {
        let Some((input, decision)) = app.open_decided(file)? else {
            continue;
        };
        gather.files += 1;
        let progress = app.progress("reading", &input);
        let records = input.records(decision.framing);
        app.each_record(
            (&input, &decision),
            records,
            App::showing,
            |_, record, options| {
                // Adds only complete values, because missing keys would be taken for optional ones.
                whole_record::read(record, options, &progress)?;
                Ok(gather.add(Document::with_options(&record.bytes, options))?)
            },
        )?;
    }
    if gather.records == 0 {
        return Ok(());
    }
    let shape = Shape::of(gather);
    let text = match args.style {
        StyleArg::JsonSchema => json_schema::text(&shape, &args.name, !app.global.json)?,
        _ if app.global.json => json_schema::text(&shape, &args.name, false)?,
        StyleArg::Text => return people::print(app, &shape),
        StyleArg::Rust => rust::text(&shape, &args.name),
        StyleArg::Gdscript => gdscript::text(&shape, &args.name),
    };
    app.raw(text.as_bytes())
}
