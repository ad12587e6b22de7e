//! `gdvar`: look into, check and convert Godot saves and packets.

mod app;
mod args;
mod brief;
mod causes;
mod clock;
mod commands;
mod detect;
mod edited;
mod encoding;
mod envelope;
mod exit;
mod fault;
mod foreign;
mod hints;
mod input;
mod lookup;
mod machine;
mod mmap;
mod notation;
mod output;
mod progress;
mod reason;
mod records;
mod report;
mod script;
mod settings;
#[cfg(unix)]
mod signals;
mod speed;
mod stats;
mod style;
mod threads;
mod tree;
mod verdict;

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::{
    app::App,
    args::{Cli, Command},
    exit::Exit,
};

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| usage(&error));
    // Without them the system ends the command, without words.
    #[cfg(unix)]
    let _ = signals::start().and_then(|()| mmap::handle_signals());
    let mut app = App::new(cli.global);
    let result = run(&mut app, &cli.command).and_then(|()| app.flush());
    let exit = match result {
        Ok(()) => app.exit,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // The buffer must not be flushed again when it is dropped.
            std::process::exit(i32::from(app.exit as u8));
        }
        Err(error) => {
            let _ = writeln!(app.err, "error: cannot write: {error}");
            Exit::Io
        }
    };
    ExitCode::from(exit as u8)
}

/// Says what is wrong with the command line, or helps. A name of a file that stands in it is somebody
/// else's text.
fn usage(error: &clap::Error) -> ! {
    let tame = |arg: OsString| arg.to_string_lossy().chars().all(brief::is_tame);
    if std::env::args_os().all(tame) {
        error.exit();
    }
    eprint!("{}", brief::tame(&error.render().to_string()));
    std::process::exit(error.exit_code());
}

fn run(app: &mut App, command: &Command) -> io::Result<()> {
    match command {
        Command::Info { files } => commands::info::run(app, files),
        Command::View(args) => commands::view::run(app, args),
        Command::Check { files } => commands::check::run(app, files),
        Command::Get { file, path, record } => commands::get::run(app, file, path, *record),
        Command::Convert(args) => commands::convert::run(app, args),
        Command::Json(args) => commands::notations::json(app, args),
        Command::FromJson(args) => commands::notations::from_json(app, args),
        Command::Text { file } => commands::notations::text(app, file),
        Command::FromText(args) => commands::notations::from_text(app, args),
        Command::Unpack(args) => commands::unpack::unpack(app, args),
        Command::Pack(args) => commands::unpack::pack(app, args),
        Command::Set(args) => commands::set::set(app, args),
        Command::Insert(args) => commands::set::insert(app, args),
        Command::Append(args) => commands::set::append(app, args),
        Command::Del(args) => commands::set::del(app, args),
        Command::RenameKey(args) => commands::set::rename_key(app, args),
        Command::Edit(args) => commands::edit::run(app, args),
        Command::Diff(args) => commands::diff::run(app, args),
        Command::Patch(args) => commands::diff::patch(app, args),
        Command::Merge(args) => commands::diff::merge_files(app, args),
        Command::Recover(args) => commands::recover::run(app, args),
        Command::Watch(args) => commands::watch::run(app, args),
        Command::Bench { file } => commands::bench::run(app, file),
    }
}
