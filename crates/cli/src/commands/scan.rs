//! `scan`: many files of strangers, and whether they are safe and whole.

use std::{
    io::{self, Write},
    path::{Path as FilePath, PathBuf},
};

use clap::Args;
use gdvar_view::{Document, Event, Objects};
use serde_json::{Value, json};

use crate::{
    app::App,
    args::ObjectsArg,
    brief::{self, plural},
    detect::Undecided,
    exit::{self, Exit},
    fault::Fault,
    machine,
    records::Record,
    style::{self, paint},
    table, value, verdict,
};

/// The arguments of `scan`.
#[derive(Args, Debug)]
#[command(after_help = "\
Objects are refused, unless --objects lets them in: a save with one can make a game run what a \
stranger wrote. Folders are searched by the rules of ripgrep: hidden files and those that .gitignore \
names are left out.

Files that are something else, such as images, are counted and not shown. The exit code is 5 if \
something was refused, 3 if something is damaged.

Examples:
  gdvar scan mods/
  gdvar scan --json-lines saves/ | jq -r 'select(.ok|not) | .file'
  gdvar scan --sarif mods/ > gdvar.sarif           for code scanning")]
pub(crate) struct ScanArgs {
    /// Folders and files
    #[arg(required = true, value_name = "DIR")]
    named: Vec<PathBuf>,
    /// One JSON object for every file, a line each
    #[arg(long, group = "form")]
    json_lines: bool,
    /// The findings as SARIF 2.1.0
    #[arg(long, group = "form")]
    sarif: bool,
}

/// The fate of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Clean,
    Lossy,
    Bad,
    Refused,
    Undecided,
    Unread,
    Other,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Clean => "clean",
            State::Lossy => "lossy",
            State::Bad => "bad",
            State::Refused => "refused",
            State::Undecided => "undecided",
            State::Unread => "not read",
            State::Other => "something else",
        }
    }
}

/// The findings in a file.
struct Seen {
    file: String,
    state: State,
    /// The name of the problem.
    error: String,
    message: String,
    record: Option<u64>,
    offset: Option<usize>,
    path: Option<String>,
    class: Option<String>,
}

impl Seen {
    fn new(file: &str, state: State, error: &str, message: String) -> Seen {
        Seen {
            file: file.to_owned(),
            state,
            error: error.to_owned(),
            message,
            record: None,
            offset: None,
            path: None,
            class: None,
        }
    }
}

/// Runs it.
pub(crate) fn run(app: &mut App, args: &ScanArgs) -> io::Result<()> {
    if app.global.objects.is_none() {
        app.global.objects = Some(ObjectsArg::Deny);
    }
    let files = app.files(&args.named)?;
    let lines = args.json_lines || app.global.json;
    let all = app.each(&files, |app, file| {
        let seen = look(app, file)?;
        if lines {
            app.text(&line(&seen))?;
        } else if !args.sarif {
            people(app, &seen)?;
        }
        Ok(seen)
    })?;
    if args.sarif {
        let sarif = sarif(&all);
        machine::line(&mut app.out, &sarif)?;
    } else if !lines && !app.global.quiet {
        summary(app, &all)?;
    }
    Ok(())
}

/// Reads all of a file.
fn look(app: &mut App, file: &FilePath) -> io::Result<Seen> {
    let name = file.display().to_string();
    let Some(input) = app.open(file)? else {
        return Ok(Seen::new(
            &name,
            State::Unread,
            "NotRead",
            "cannot be opened".to_owned(),
        ));
    };
    let plan = match app.detect(&input) {
        Ok(plan) => plan,
        Err(undecided) => {
            let error = machine::undecided_name(&undecided);
            let (state, message) = match *undecided {
                Undecided::Foreign(foreign) => (State::Other, format!("this is {}", foreign.what)),
                Undecided::Empty => (State::Other, "the file is empty".to_owned()),
                Undecided::Unreadable(_) | Undecided::Rest { .. } => {
                    (State::Bad, "no engine reads the first value".to_owned())
                }
                Undecided::Framings(_) | Undecided::Header(_) | Undecided::Dialects(..) => {
                    (State::Undecided, "several readings are possible".to_owned())
                }
            };
            if state != State::Other {
                app.exit.merge(exit::of_undecided(&undecided));
            }
            return Ok(Seen::new(&name, state, error, message));
        }
    };
    let options = app.options(plan.dialect, Objects::Deny);
    let mut seen = Seen::new(&name, State::Clean, "", String::new());
    for record in input.records(plan.framing) {
        let judged = verdict::judge(&record, options);
        app.exit.merge(judged.exit);
        let state = match judged.exit {
            Exit::Fine => continue,
            Exit::Refused => State::Refused,
            Exit::Findings => State::Lossy,
            _ => State::Bad,
        };
        // The worst of a file is told, and of equals the first.
        let rank = |state| {
            [State::Clean, State::Lossy, State::Bad, State::Refused]
                .iter()
                .position(|&one| one == state)
        };
        if rank(state) <= rank(seen.state) {
            continue;
        }
        seen.state = state;
        seen.record = Some(record.index);
        match judged.fault {
            Some(fault) => told(&mut seen, &record, fault, options),
            None => {
                seen.error = "Lost".to_owned();
                seen.message =
                    "the engine does not keep all of it; `gdvar check` says what".to_owned();
            }
        }
    }
    Ok(seen)
}

/// Says what is wrong and where.
fn told(seen: &mut Seen, record: &Record<'_>, fault: Fault, options: gdvar_view::ReadOptions) {
    let document = Document::with_options(&record.bytes, options);
    seen.error = fault.name().to_owned();
    seen.offset = Some(fault.offset(record));
    seen.path = Some(fault.path(document));
    seen.message = match fault {
        Fault::Read(error) => {
            seen.class = class(document.with_objects(Objects::Inert), error.offset());
            error.kind().to_string()
        }
        Fault::Problem(_) => "the record cannot be cut out of the file".to_owned(),
    };
}

/// The class of the object at that byte.
fn class(document: Document<'_>, offset: usize) -> Option<String> {
    let mut events = document.events();
    while let Ok(Some(event)) = events.try_next() {
        match event {
            Event::Value(value) | Event::Begin(value) if value.offset() == offset => {
                let class = value.as_object()?.class()?;
                return Some(brief::name(class));
            }
            _ if events.position() > offset + 8 => return None,
            _ => {}
        }
    }
    None
}

fn line(seen: &Seen) -> Vec<u8> {
    let number = |number: u64| number.to_string().into_bytes();
    let mut fields = vec![
        ("file", value::string(&seen.file)),
        ("ok", (seen.state == State::Clean).to_string().into_bytes()),
        ("state", value::string(seen.state.word())),
    ];
    if !seen.error.is_empty() {
        fields.push(("error", value::string(&seen.error)));
        fields.push(("message", value::string(&seen.message)));
    }
    fields.extend(seen.record.map(|record| ("record", number(record))));
    fields.extend(seen.offset.map(|offset| ("offset", number(offset as u64))));
    fields.extend(seen.path.as_ref().map(|path| ("path", value::string(path))));
    fields.extend(
        seen.class
            .as_ref()
            .map(|class| ("class", value::string(class))),
    );
    table::object(&fields)
}

fn people(app: &mut App, seen: &Seen) -> io::Result<()> {
    if matches!(seen.state, State::Clean | State::Other | State::Unread) {
        return Ok(());
    }
    let mut place = seen
        .offset
        .map_or(String::new(), |offset| format!(" at {offset:#x}"));
    if let Some(path) = &seen.path {
        place += &format!(" {path}");
    }
    let class = seen
        .class
        .as_ref()
        .map_or(String::new(), |class| format!(" (Object {class})"));
    let name = paint(style::HEAD, brief::tame_line(&seen.file));
    let word = paint(style::ERROR, seen.state.word());
    let message = brief::tame_line(&seen.message);
    writeln!(
        app.out,
        "{name}: {word}{}: {message}{class}",
        brief::tame_line(&place)
    )
}

fn summary(app: &mut App, all: &[Seen]) -> io::Result<()> {
    let mut text = plural(all.len() as u64, "file");
    for (n, state) in [
        State::Clean,
        State::Lossy,
        State::Bad,
        State::Refused,
        State::Undecided,
        State::Unread,
        State::Other,
    ]
    .into_iter()
    .enumerate()
    {
        let count = all.iter().filter(|seen| seen.state == state).count();
        if count > 0 || n == 0 {
            text += if n == 0 { ": " } else { ", " };
            text += &format!("{} {}", brief::count(count as u64), state.word());
        }
    }
    writeln!(app.out, "{text}")
}

/// The log that code scanners take.
fn sarif(all: &[Seen]) -> Value {
    let found: Vec<_> = { all.iter() }
        .filter(|seen| !matches!(seen.state, State::Clean | State::Other))
        .collect();
    let mut rules: Vec<&str> = found.iter().map(|seen| seen.error.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<_> = rules.iter().map(|id| json!({ "id": id })).collect();
    let result = |seen: &&Seen| {
        let mut physical = json!({ "artifactLocation": { "uri": seen.file.replace('\\', "/") } });
        if let Some(offset) = seen.offset {
            physical["region"] = json!({ "byteOffset": offset });
        }
        let mut location = json!({ "physicalLocation": physical });
        if let Some(path) = &seen.path {
            location["logicalLocations"] = json!([{ "fullyQualifiedName": path }]);
        }
        let level = match seen.state {
            State::Refused | State::Bad => "error",
            _ => "warning",
        };
        let class = seen
            .class
            .as_ref()
            .map_or(String::new(), |class| format!(" (Object {class})"));
        json!({
            "ruleId": seen.error,
            "level": level,
            "message": { "text": format!("{}{class}", seen.message) },
            "locations": [location],
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "gdvar",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": found.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}
