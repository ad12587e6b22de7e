//! `explore`: a file as a tree in the terminal.

mod background_scan;
mod children;
mod edits;
mod goto;
mod hex;
mod keys;
mod layout;
mod line;
mod nodes;
mod screen;
mod search;
mod show;
mod source;
mod state;
mod terminal;
mod text;
mod view;
mod walk;

#[cfg(test)]
mod tests;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use crossterm::event::{self, Event, KeyEventKind};
use gdvar_io::replace::Snapshot;

use self::{
    layout::layout,
    screen::Palette,
    source::Source,
    state::{Ask, Kept, State},
    terminal::Terminal,
};
use crate::{app::App, args::ColorArg, terminal::exit::Exit};

/// Of `explore`.
#[derive(Args, Debug)]
#[command(after_help = "\
The tree stands beside the bytes of the selection. Nodes are read when they are seen, so that a save of \
gigabytes is there at once; of a damaged file all is shown that stands before the damage. ? lists the keys:

  j k l h or arrows   rows, open and close        /  n  N   search keys and values
  Enter               open, or edit a value       :         go to a path
  e                   edit a single value         y  Y      copy the path, the value
  x                   bytes on or off             q         quit

An edit shows what it would change, and the file is replaced in one step after a `y`.

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

/// How much is walked over between two looks at the keyboard, in bytes.
const SLICE: usize = 4 << 20;

/// Runs it.
pub(crate) fn run(app: &mut App, args: &ExploreArgs) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        app.exit.merge(Exit::Usage);
        return app.error("explore needs a terminal; gdvar view prints a file");
    }
    let mut kept = None;
    loop {
        // An edit replaces the file that was read, and no other.
        app.target = Snapshot::of(&args.file).ok();
        let Some(input) = app.open(&args.file)? else {
            return Ok(());
        };
        let plan = match app.glance(&input) {
            Some(plan) => plan,
            None => match app.plan(&input)? {
                Some(plan) => plan,
                None => return Ok(()),
            },
        };
        app.flush()?;
        let source = Source::new(app, &input, &plan);
        let mut state = State::new(&source);
        if let Some(kept) = kept.take() {
            state.restore(kept);
        }
        match session(app, args, state)? {
            Some(again) => kept = Some(again),
            None => return Ok(()),
        }
    }
}

/// Until the end, or until the file is to be read again.
fn session(app: &App, args: &ExploreArgs, mut state: State<'_>) -> io::Result<Option<Kept>> {
    let colors = match app.global.color {
        ColorArg::Never => false,
        ColorArg::Always => true,
        ColorArg::Auto => std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    let mut terminal = Terminal::new()?;
    let show = |terminal: &mut Terminal, state: &mut State<'_>| {
        let size = terminal.size()?;
        let layout = layout(size.0, size.1, state.with_hex);
        let view = state.view(&layout);
        terminal.show(size, |buffer| {
            screen::draw(&view, &layout, Palette { colors }, buffer)
        })?;
        Ok::<_, io::Error>(size)
    };
    loop {
        let size = show(&mut terminal, &mut state)?;
        if state.reading && state.task.is_none() && !event::poll(Duration::ZERO)? {
            continue;
        }
        if state.task.is_some() && !event::poll(Duration::ZERO)? {
            // Shown now and then, and not for each piece.
            let start = std::time::Instant::now();
            while state.task.is_some() && start.elapsed() < Duration::from_millis(100) {
                state.work(SLICE);
                if event::poll(Duration::ZERO)? {
                    break;
                }
            }
            continue;
        }
        // All that is there already, before it is drawn again.
        loop {
            let ask = match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => state.key(key),
                Event::Mouse(mouse) => state.mouse(mouse, size),
                Event::Paste(text) => {
                    state.paste(&text);
                    Ask::Nothing
                }
                _ => Ask::Nothing,
            };
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
                    show(&mut terminal, &mut state)?;
                    let file: &Path = &args.file;
                    match edits::write(app, state.source, &change, file, args.backup)? {
                        Ok(()) => {
                            state.say(format!("written: {} = {}", change.path, change.text));
                            return Ok(Some(state.keep()));
                        }
                        Err(why) => state.complain(why),
                    }
                }
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
}
