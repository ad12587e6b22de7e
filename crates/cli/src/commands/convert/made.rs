//! A file that `convert` creates as a whole: prints what changed in it, and writes it.

use std::io::{self, Write};

use gdvar_file::Layer;
use gdvar_view::Dialect;
use serde::Serialize;

use super::{ConvertArgs, OnLossArg};
use crate::{
    app::{App, size},
    input::bytes::Input,
    save::output::Output,
    show::json_lines,
    terminal::{
        exit::Exit,
        safe_text,
        style::{self, paint},
        words::count,
    },
};

/// A file that was made, before it is written.
pub(super) struct Made {
    pub(super) from: Dialect,
    pub(super) to: Dialect,
    /// The stable name of the new form, which programs read.
    pub(super) form: &'static str,
    /// The name of the new form in messages.
    pub(super) title: String,
    pub(super) file: Vec<u8>,
    /// The layers to wrap the file in.
    pub(super) layers: Vec<Layer>,
    pub(super) changes: Vec<MadeChange>,
}

/// A kind of change: something that the new file lacks, or holds in another form.
#[derive(Serialize)]
pub(super) struct MadeChange {
    pub(super) kind: &'static str,
    pub(super) change: String,
    pub(super) lost: bool,
    pub(super) count: u64,
    /// Where the first change of this kind is in a text: the line, and the name of the entry.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<ChangePlace>,
}

#[derive(Serialize)]
pub(super) struct ChangePlace {
    pub(super) line: u32,
    pub(super) name: String,
}

impl MadeChange {
    /// Returns a sentence for people.
    fn text(&self) -> String {
        let change = safe_text::safe(&self.change).replace('\n', " ");
        match &self.place {
            None => change,
            Some(ChangePlace { line, name }) => format!(
                "{} × {change}, first in line {line} ({})",
                count(self.count),
                safe_text::short_name(name)
            ),
        }
    }
}

/// The line that `--json` prints.
#[derive(Serialize)]
struct MadeLine<'a> {
    schema: u32,
    file: &'a str,
    from: &'a str,
    to: &'a str,
    form: &'a str,
    written: bool,
    changes: &'a [MadeChange],
}

impl Made {
    /// Reports the changes and writes the file. Writes nothing if `input` became shorter while it was read, or if
    /// something is lost and `--on-loss` is `fail`.
    pub(super) fn write(self, app: &mut App, args: &ConvertArgs, input: Input) -> io::Result<()> {
        if app.was_cut(&input)? {
            return Ok(());
        }
        let is_lost = self.changes.iter().any(|change| change.lost);
        if is_lost {
            app.exit.merge(Exit::Findings);
        }
        let written = !(is_lost && args.on_loss == OnLossArg::Fail);
        let path = args.output.path();
        if app.global.json {
            let line = MadeLine {
                schema: 1,
                file: &input.name,
                from: self.from.name(),
                to: self.to.name(),
                form: self.form,
                written,
                changes: &self.changes,
            };
            // The line goes to standard error if standard output is the result.
            match path {
                Some(_) => json_lines::line(&mut app.out, &line)?,
                None => json_lines::line(&mut app.err, &line)?,
            }
        } else {
            self.report(app)?;
        }
        if !written {
            let text = format!(
                "{}: nothing was written, the result cannot have all of it (--on-loss fail)",
                input.name
            );
            return app.error(&text);
        }
        // The input may be the very file that is replaced.
        drop(input);
        let what = format!("{}, {}", size(self.file.len()), self.title);
        let result = Output::write(app, path, self.layers, &self.file);
        if app.global.json {
            return match (path, result) {
                (Some(path), Err(error)) => app.cannot_write(path, &error),
                (_, result) => result,
            };
        }
        app.report_written(path, result, &what)
    }

    fn report(&self, app: &mut App) -> io::Result<()> {
        app.out.flush()?;
        for change in &self.changes {
            let (label, style) = match change.lost {
                true => ("warning", style::WARNING),
                false if app.global.quiet => continue,
                false => ("note", style::HEAD),
            };
            writeln!(app.err, "{}: {}", paint(style, label), change.text())?;
        }
        Ok(())
    }
}
