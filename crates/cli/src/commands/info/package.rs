//! `info` of a package: the files in it.

use std::io::{self, Write};

use gdvar_resource::{Error, Package};
use serde::Serialize;

use crate::{
    app::App,
    diagnose::{
        ambiguous_json::UndecidedLine,
        report::{Note, Report},
    },
    input::{bytes::Input, package::Holder},
    show::json_lines,
    terminal::{
        exit::Exit,
        safe_text,
        style::{self, paint},
        words::{count, plural},
    },
};

/// The line that `--json` prints.
#[derive(Serialize)]
struct PackageLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    size: usize,
    /// The version of the package's format.
    package: u32,
    /// The version of the engine that made it.
    engine: String,
    files: Vec<FileLine<'a>>,
}

/// A file in the package.
#[derive(Serialize)]
struct FileLine<'a> {
    path: &'a str,
    size: u64,
    encrypted: bool,
    /// It only hides the file of an earlier package.
    removed: bool,
}

/// Lists what is in a package.
pub(super) fn list(app: &mut App, input: &Input) -> io::Result<()> {
    let opened = match Package::open(input) {
        Ok(opened) => opened,
        Err(error) => return damaged(app, input, error),
    };
    let engine = opened.engine().map(|number| number.to_string()).join(".");
    if app.global.json {
        let files = opened.entries().iter().map(|entry| FileLine {
            path: entry.path,
            size: entry.size,
            encrypted: entry.is_encrypted,
            removed: entry.is_removed,
        });
        let line = PackageLine {
            schema: 1,
            file: &input.name,
            ok: true,
            size: input.file_len(),
            package: opened.version(),
            engine,
            files: files.collect(),
        };
        return json_lines::line(&mut app.out, &line);
    }
    let name = paint(style::HEAD, input.shown());
    let files = plural(opened.entries().len() as u64, "file");
    writeln!(
        app.out,
        "{name}  {}: a package (version {} of Godot {engine}) with {files}",
        plural(input.file_len() as u64, "byte"),
        opened.version()
    )?;
    for entry in opened.entries() {
        let what = match (entry.is_removed, entry.is_encrypted) {
            (true, _) => "  (hides this file of another package)",
            (_, true) => "  (encrypted)",
            _ => "",
        };
        let path = safe_text::safe_line(entry.path);
        writeln!(app.out, "  {:>12}  {path}{what}", count(entry.size))?;
    }
    if let Some(path) = Holder::Package(opened).example() {
        let name = format!("{}!{path}", input.name);
        app.note(&format!("name a file in it like this: gdvar view '{name}'"))?;
    }
    Ok(())
}

fn damaged(app: &mut App, input: &Input, error: Error) -> io::Result<()> {
    app.exit.merge(Exit::Malformed);
    let code = error.kind().name();
    if app.global.json {
        let line = UndecidedLine::bare(&input.name, code);
        return app.error_line(&line);
    }
    app.flush()?;
    let report = Report {
        code: code.to_owned(),
        message: error.kind().to_string(),
        place: format!("{}:{:#x}", input.name, error.offset()),
        notes: vec![Note::fact("this is a pack of an exported game (.pck)")],
        ..Report::default()
    };
    report.print(&mut app.err)
}
