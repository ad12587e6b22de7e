//! `gdvar FILE`: prints what the file is, and the first lines of its tree.

use std::{io, path::Path};

use crate::{
    app::{
        App,
        files::{RulesArg, is_file},
    },
    commands::{info, view},
    terminal::{exit::Exit, words},
};

/// The number of lines of the tree that are shown.
const LINES: usize = 24;

/// Runs the command. `meant` returns the command whose name is nearest to a text, in case the user meant a command.
pub(crate) fn run(app: &mut App, file: &Path, meant: fn(&str) -> Option<String>) -> io::Result<()> {
    let name = file.to_string_lossy();
    if file != Path::new("-") && !is_file(file) {
        if let Some(command) = meant(&name) {
            return app.usage(&format!(
                "there is no file and no command {name}; did you mean gdvar {command}?"
            ));
        }
    }
    let files = [file.to_owned()];
    info::run(app, &files, RulesArg::default())?;
    if app.global.json || app.exit >= Exit::Ambiguous {
        return Ok(());
    }
    let mut held = App::held(&app.settings());
    held.global.quiet = true;
    view::run(&mut held, &view::ViewArgs::top(file))?;
    let mut left = LINES;
    for (way, bytes) in held.into_log()? {
        if way == crate::terminal::stream::OutputStream::Err {
            // `info` has reported the error already.
            continue;
        }
        let lines: Vec<_> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let shown = lines.len().min(left);
        app.put(way, &lines[..shown].concat())?;
        left -= shown;
        if shown < lines.len() {
            let more = lines.len() - shown;
            let more = words::plural(more as u64, "more line");
            app.put(way, format!("… {more}: gdvar view {name}\n").as_bytes())?;
            break;
        }
    }
    Ok(())
}
