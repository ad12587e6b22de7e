//! `info` of a zip archive: the files in it.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    app::App,
    diagnose::{
        ambiguous_json::UndecidedLine,
        report::{Note, Report},
    },
    input::{
        archive::{Archive, ArchiveError},
        bytes::Input,
        package::Holder,
    },
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
struct ArchiveLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    size: usize,
    archive: &'static str,
    files: Vec<FileLine<'a>>,
}

/// A file in the archive.
#[derive(Serialize)]
struct FileLine<'a> {
    path: &'a str,
    size: u64,
    encrypted: bool,
}

/// Lists what is in an archive.
pub(super) fn list(app: &mut App, input: &Input) -> io::Result<()> {
    let opened = match Archive::open(input) {
        Ok(opened) => opened,
        Err(error) => return refused(app, input, &error),
    };
    if app.global.json {
        let files = opened.entries().iter().map(|entry| FileLine {
            path: &entry.path,
            size: entry.size,
            encrypted: entry.is_encrypted,
        });
        let line = ArchiveLine {
            schema: 1,
            file: &input.name,
            ok: true,
            size: input.file_len(),
            archive: "zip",
            files: files.collect(),
        };
        return json_lines::line(&mut app.out, &line);
    }
    let name = paint(style::HEAD, input.shown());
    let files = plural(opened.entries().len() as u64, "file");
    let size = plural(input.file_len() as u64, "byte");
    writeln!(app.out, "{name}  {size}: a zip archive with {files}")?;
    for entry in opened.entries() {
        let what = if entry.is_encrypted {
            "  (encrypted)"
        } else {
            ""
        };
        let path = safe_text::safe_line(&entry.path);
        writeln!(app.out, "  {:>12}  {path}{what}", count(entry.size))?;
    }
    if let Some(path) = Holder::open(input)?.example() {
        let name = format!("{}!{path}", input.name);
        app.note(&format!("name a file in it like this: gdvar view '{name}'"))?;
    }
    Ok(())
}

fn refused(app: &mut App, input: &Input, error: &ArchiveError) -> io::Result<()> {
    app.exit.merge(Exit::Malformed);
    let code = error.name();
    if app.global.json {
        let line = UndecidedLine::bare(&input.name, code);
        return app.error_line(&line);
    }
    app.flush()?;
    let report = Report {
        code: code.to_owned(),
        message: error.to_string(),
        place: input.name.clone(),
        notes: vec![Note::fact("this begins as a zip archive")],
        ..Report::default()
    };
    report.print(&mut app.err)
}
