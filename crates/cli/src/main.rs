//! `gdvar`: look into, check and convert Godot saves and packets.

use crate::args::Json;
mod app;
mod args;
mod cli;
mod commands;
mod help;

// The folders are listed from the lowest layer up. A module uses only its own folder and the folders above it in this
// list. `tests/house.rs` checks this.

/// Everything about the terminal: output, size, signals.
mod terminal {
    pub(crate) mod exit;
    pub(crate) mod interrupt;
    pub(crate) mod nearest;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    pub(crate) mod pager;
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    #[path = "no_pager.rs"]
    pub(crate) mod pager;
    pub(crate) mod progress;
    pub(crate) mod safe_text;
    pub(crate) mod safe_writer;
    #[cfg(unix)]
    pub(crate) mod signals;
    pub(crate) mod stream;
    pub(crate) mod style;
    pub(crate) mod threads;
    pub(crate) mod width;
    pub(crate) mod words;
}

/// Formats values as text: on a line, as a tree, as JSON.
mod show {
    pub(crate) mod field_meanings;
    pub(crate) mod json_lines;
    pub(crate) mod notation;
    pub(crate) mod rows;
    pub(crate) mod summary;
    pub(crate) mod tree;
    pub(crate) mod value;
}

/// Finds values by their paths, and paths of values.
mod locate {
    pub(crate) mod lookup;
    pub(crate) mod outline;
    pub(crate) mod paths;
}

/// Reads the bytes of files, packages and archives, and takes off layers.
mod input {
    pub(crate) mod archive;
    pub(crate) mod bytes;
    pub(crate) mod header;
    pub(crate) mod key;
    pub(crate) mod layers;
    pub(crate) mod mmap;
    pub(crate) mod package;
    pub(crate) mod unopened;
}

/// Explains why files cannot be read.
mod diagnose {
    pub(crate) mod ambiguous;
    pub(crate) mod ambiguous_json;
    pub(crate) mod diagnosis;
    pub(crate) mod fault;
    pub(crate) mod hints;
    pub(crate) mod readings;
    pub(crate) mod report;
    pub(crate) mod verdict;
    pub(crate) mod whole_record;
}

/// Writes changed files.
mod save {
    pub(crate) mod change;
    pub(crate) mod new_file;
    pub(crate) mod output;
    pub(crate) mod same_file;
    pub(crate) mod whole_objects;
    pub(crate) mod widths;
}

use std::{
    ffi::OsString,
    io::{self, BufRead, Write},
    path::Path,
    process::ExitCode,
};

use clap::FromArgMatches;

use gdvar_file::records::Framing;

use crate::{
    app::App,
    cli::{Cli, Command},
    terminal::exit::Exit,
};

fn main() -> ExitCode {
    let cli = help::command()
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .unwrap_or_else(|error| usage(&error));
    // Without the handlers the system would end the command without a message.
    #[cfg(unix)]
    let _ = terminal::signals::start().and_then(|()| input::mmap::handle_signals());
    let mut app = App::new(cli.global.clone());
    let is_paged = cli.command.as_ref().is_none_or(Command::is_paged);
    if is_paged && !cli.global.no_pager {
        terminal::pager::arm();
    }
    let result = run(&mut app, &cli).and_then(|()| app.flush());
    terminal::pager::finish();
    let exit = match result {
        Ok(()) => app.exit,
        // The reader of the output, such as `head`, has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // Exits now, because dropping the buffer would flush it again.
            std::process::exit(i32::from(app.exit as u8));
        }
        Err(error) => {
            let _ = writeln!(app.err, "error: cannot write: {error}");
            Exit::Io
        }
    };
    ExitCode::from(exit as u8)
}

/// Prints the mistake in the command line, or the help, and exits. Control characters in file names are escaped.
fn usage(error: &clap::Error) -> ! {
    if let Some(text) = help::no_command(error) {
        eprintln!("error: {}", terminal::safe_text::safe(&text));
        std::process::exit(i32::from(Exit::Usage as u8));
    }
    if !error.use_stderr() {
        // The help, or the version.
        let printed = error.print().and_then(|()| io::stdout().flush());
        let failed = printed.err();
        let failed = failed.filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
        if let Some(error) = failed {
            eprintln!("error: cannot write: {error}");
            std::process::exit(i32::from(Exit::Io as u8));
        }
        std::process::exit(error.exit_code());
    }
    let tame = |arg: OsString| {
        arg.to_string_lossy()
            .chars()
            .all(terminal::safe_text::is_safe)
    };
    if std::env::args_os().all(tame) {
        error.exit();
    }
    eprint!("{}", terminal::safe_text::safe(&error.render().to_string()));
    std::process::exit(error.exit_code());
}

/// Runs a command. If the dialect is given and the framing is lines of text, `view` of standard input runs once for
/// each line, as soon as the line arrives.
fn run(app: &mut App, cli: &Cli) -> io::Result<()> {
    let framing = cli.global.framing.get();
    let lines = framing.is_some_and(Framing::is_text) && cli.global.dialect.given().is_some();
    let Some(Command::View(args)) = cli.command.as_ref().filter(|_| lines) else {
        return once(app, cli);
    };
    if args.file != Path::new("-") || !args.more.is_empty() || args.record.record.is_some() {
        return once(app, cli);
    }
    let mut record = 0;
    for (n, line) in io::stdin().lock().split(b'\n').enumerate() {
        let line = line?;
        if line.trim_ascii_start().starts_with(b"#") {
            continue;
        }
        input::bytes::feed(line, record, n as u64);
        record += 1;
        once(app, cli)?;
        app.flush()?;
    }
    Ok(())
}

fn once(app: &mut App, cli: &Cli) -> io::Result<()> {
    let Some(command) = &cli.command else {
        let file = cli.file.as_deref().unwrap_or(Path::new("-"));
        return commands::file::run(app, file, help::meant);
    };
    if let Some(file) = &cli.file {
        return app.usage(&help::unknown(&file.to_string_lossy()));
    }
    if app.global.json {
        match command.json() {
            Json::Lines => {}
            Json::Result => app.global.errors_aside = true,
            Json::Refused(why) => {
                return app.usage(&format!("--json does not go with this command: {why}"));
            }
        }
    }
    if let Some(path) = command.target() {
        if !app.claim(path)? {
            return Ok(());
        }
    }
    match command {
        Command::Info { files, rules } => commands::info::run(app, files, *rules),
        Command::View(args) => commands::view::run(app, args),
        Command::Check { files, rules } => commands::check::run(app, files, *rules),
        Command::Get(args) => commands::get::run(app, args),
        Command::Gron(args) => commands::gron::run(app, args),
        Command::Explain(args) => commands::explain::run(app, args),
        Command::Hex(args) => commands::hex::run(app, args),
        Command::Schema(args) => commands::schema::run(app, args),
        Command::Stats(args) => commands::stats::run(app, args),
        Command::Grep(args) => commands::grep::run(app, args),
        Command::Table(args) => commands::table::run(app, args),
        Command::Scan(args) => commands::scan::run(app, args),
        Command::Query(args) => commands::query::run(app, args),
        Command::Packets(args) => commands::packets::run(app, args),
        Command::Dissector => commands::dissector::run(app),
        Command::Proxy(args) => commands::proxy::run(app, args),
        Command::Debug(args) => commands::debug::run(app, args),
        Command::Records(args) => commands::records::run(app, args),
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
        Command::Patch(args) => commands::patch::run(app, args),
        Command::Merge(args) => commands::diff::merge::run(app, args),
        Command::Textconv(args) => commands::textconv::run(app, args),
        Command::GitSetup(args) => commands::git_setup::run(app, args),
        Command::Recover(args) => commands::recover::run(app, args),
        Command::Explore(args) => commands::explore::run(app, args),
        Command::Watch(args) => commands::watch::run(app, args),
        Command::Options => commands::completions::options(app),
        Command::CompletePath(args) => commands::complete::run(app, args),
        Command::Completions(args) => commands::completions::completions(app, args),
        Command::Man(args) => commands::completions::man(app, args),
    }
}
