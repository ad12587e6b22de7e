//! The parts of `info` that packages and zip archives share.

use std::io::{self, Write};

use crate::{
    app::App,
    diagnose::{
        ambiguous_json::UndecidedLine,
        report::{Note, Report},
    },
    input::{bytes::Input, package::Holder},
    terminal::{exit::Exit, safe_text, words::count},
};

/// Prints the line of a file in the list.
pub(super) fn entry(app: &mut App, path: &str, size: u64, what: &str) -> io::Result<()> {
    let path = safe_text::safe_line(path);
    writeln!(app.out, "  {:>12}  {path}{what}", count(size))
}

/// Prints a note that shows how to name a file in the package or archive.
pub(super) fn example(app: &mut App, input: &Input, holder: &Holder<'_>) -> io::Result<()> {
    let Some(path) = holder.example() else {
        return Ok(());
    };
    let name = format!("{}!{path}", input.name);
    app.note(&format!("name a file in it like this: gdvar view '{name}'"))
}

/// Reports why the list of files cannot be read. Names the problem, its place, and what kind of file it is.
pub(super) fn refused(
    app: &mut App,
    input: &Input,
    (code, message, place): (&str, String, String),
    what: &str,
) -> io::Result<()> {
    app.exit.merge(Exit::Malformed);
    if app.global.json {
        let line = UndecidedLine::bare(&input.name, code);
        return app.error_line(&line);
    }
    app.flush()?;
    let report = Report {
        code: code.to_owned(),
        message,
        place,
        notes: vec![Note::fact(what)],
        ..Report::default()
    };
    report.print(&mut app.err)
}
