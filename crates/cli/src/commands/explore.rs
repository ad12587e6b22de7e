//! `explore`: shows a file as a tree in the terminal.

mod background_scan;
mod child;
mod children;
mod edits;
mod hex;
mod input_line;
mod keys;
mod path_search;
mod record_source;
mod screen;
mod search;
mod state;
mod style;
mod terminal;
mod text;
mod tree;
mod walk;
mod work;

#[cfg(test)]
mod tests;

use std::{
    env,
    io::{self, IsTerminal},
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use crossterm::event::{self, Event, KeyEventKind};
use gdvar_io::replace::Snapshot;

use self::{
    record_source::RecordSource,
    state::{Ask, Kept, State},
    terminal::Terminal,
};
use crate::{app::App, args::ColorArg, terminal::exit::Exit};

/// The arguments of `explore`.
#[derive(Args, Debug)]
#[command(after_help = "\
The tree is beside the bytes of the selection. Only visible rows are read, so a save of gigabytes \
opens at once. Of a damaged file everything before the damage is shown. ? lists the keys:

  j k l h or arrows   rows, open and close        /  n  N   search keys and values
  Enter               open, or edit a value       :         go to a path
  e                   edit a single value         y  Y      copy the path, the value
  x                   bytes on or off             q         quit

An edit shows what it would change; after a `y` the file is replaced in one step.

Examples:
  gdvar explore slot1.dat
  gdvar explore -d godot4 -f len32 world.sav        nothing has to be found out
  gdvar explore --backup slot1.dat                  an edit keeps the old file as slot1.dat.bak")]
pub(crate) struct ExploreArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// When a value is edited, keep the old file as FILE.bak, or FILE.bak2 if that is there
    #[arg(long)]
    backup: bool,
}

/// The work that is done before the keyboard is read again, in bytes.
const SLICE: usize = 4 << 20;

/// The time between two redraws while a task runs.
const FRAME: Duration = Duration::from_millis(100);

/// Runs the command.
///
/// # Errors
/// Returns the error of the output.
pub(crate) fn run(app: &mut App, args: &ExploreArgs) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        app.exit.merge(Exit::Usage);
        return app.error("explore needs a terminal; gdvar view prints a file");
    }
    let mut kept = None;
    loop {
        // Keeps a snapshot of the file. If the file has changed when a value is edited, nothing is written.
        app.target = Snapshot::of(&args.file).ok();
        let Some(input) = app.open(&args.file)? else {
            return Ok(());
        };
        let mut decision = app.glance(&input);
        if decision.is_none() {
            decision = app.decision(&input)?;
        }
        let Some(decision) = decision else {
            return Ok(());
        };
        app.flush()?;
        let source = RecordSource::new(app, &input, &decision);
        let mut state = State::new(&source);
        if let Some(kept) = kept {
            state.restore(kept);
        }
        kept = session(app, args, state)?;
        if kept.is_none() {
            return Ok(());
        }
    }
}

/// Shows the file until the user quits, and returns `None` then. If the file has to be read again, because the user
/// asks for it or has changed a value, returns the state to keep.
fn session(app: &App, args: &ExploreArgs, mut state: State<'_>) -> io::Result<Option<Kept>> {
    let colors = match app.global.color {
        ColorArg::Never => false,
        ColorArg::Always => true,
        ColorArg::Auto => env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    let mut terminal = Terminal::new(colors)?;
    let has_key = || event::poll(Duration::ZERO);
    loop {
        terminal.show(|buffer| state.draw(buffer))?;
        if (state.reading || state.task.is_some()) && !has_key()? {
            let start = Instant::now();
            while state.task.is_some() && start.elapsed() < FRAME && !has_key()? {
                state.work(SLICE);
            }
            continue;
        }
        // Handles all waiting events before the next redraw.
        loop {
            let mut ask = Ask::Nothing;
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => ask = state.key(key),
                Event::Mouse(mouse) => state.mouse(mouse),
                Event::Paste(text) => state.paste(&text),
                _ => {}
            }
            match ask {
                Ask::Nothing => {}
                Ask::Quit => return Ok(None),
                Ask::Reload => {
                    state.say("read again");
                    return Ok(Some(state.keep()));
                }
                Ask::Copy(text) => terminal.copy(&text)?,
                Ask::Try(change) => match edits::lines(app, state.source, &change) {
                    Ok(lines) => state.ask(change, lines),
                    Err(why) => state.complain(why),
                },
                Ask::Write(change) => {
                    state.say("writing …");
                    terminal.show(|buffer| state.draw(buffer))?;
                    match edits::write(app, state.source, &change, &args.file, args.backup)? {
                        Ok(()) => {
                            state.say(format!("written: {} = {}", change.path, change.text));
                            return Ok(Some(state.keep()));
                        }
                        Err(why) => state.complain(why),
                    }
                }
            }
            if !has_key()? {
                break;
            }
        }
    }
}
