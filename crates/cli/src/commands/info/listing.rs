//! What `info` says of a package and of a zip archive alike.

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

/// The line of a file in it.
pub(super) fn entry(app: &mut App, path: &str, size: u64, what: &str) -> io::Result<()> {
    let path = safe_text::safe_line(path);
    writeln!(app.out, "  {:>12}  {path}{what}", count(size))
}

/// The note that shows how a file in it is named.
pub(super) fn example(app: &mut App, input: &Input, holder: &Holder<'_>) -> io::Result<()> {
    let Some(path) = holder.example() else {
        return Ok(());
    };
    let name = format!("{}!{path}", input.name);
    app.note(&format!("name a file in it like this: gdvar view '{name}'"))
}

/// Says why its directory is not read: the name of the problem, a sentence, the place, and what the file is.
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
