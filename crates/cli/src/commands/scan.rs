//! `scan`: finds files that can make a game run code.

mod code;
mod engine_files;
mod held;
mod inside;
mod json;
mod look;
mod paths;
mod resource;
mod settings;
mod text;
mod unpack;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Value, json};

use crate::{
    app::{
        App,
        files::{NoFile, RulesArg},
    },
    args::{Json, ObjectsArg},
    show::{json_lines, rows, value},
    terminal::{
        exit::Exit,
        safe_text,
        style::{self, paint},
        words::{self, plural},
    },
};

#[derive(Args, Debug)]
#[command(after_help = "\
Each file has one of five verdicts:
  clean    read to its end as values, JSON, ConfigFile, resource or scene, without a finding
  code     Godot runs code from it when it loads the file, or the file is code
  objects  it holds whole objects or their ids (--objects inert lets them in)
  damaged  the engine cannot read it
  unread   not read to its end: encrypted, an image, other text that was only searched; or what it
           loads is in another file: a resource by its uid, a class by its name

Values are read in every way an engine could read them, and byte arrays, base64, hex and compressed \
bytes in them are entered. Text and damaged resources are searched for whatever makes Godot run code, \
however it is spelled. All files in a folder are read, hidden ones and those that .gitignore names too; \
symbolic links are named and not followed.

Exit codes: 0 only if every file is clean; 1 unread or no file at all; 3 damaged; 4 several readings \
are possible, or a limit was hit; 5 code or objects; 6 a file cannot be opened.

Examples:
  gdvar scan mods/
  gdvar scan --json-lines saves/ | jq -r 'select(.ok|not) | .file'
  gdvar scan --sarif mods/ > gdvar.sarif           for code scanning")]
pub(crate) struct ScanArgs {
    /// Folders and files
    #[arg(required = true, value_name = "DIR")]
    named: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    /// One JSON object for every file, a line each
    #[arg(long, group = "form")]
    json_lines: bool,
    /// The findings as SARIF 2.1.0
    #[arg(long, group = "form")]
    sarif: bool,
}

/// The verdict on a file, sorted from harmless to dangerous.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ScanState {
    Clean,
    Unread,
    Damaged,
    Objects,
    Code,
}

impl ScanState {
    const ALL: [ScanState; 5] = [
        ScanState::Clean,
        ScanState::Code,
        ScanState::Objects,
        ScanState::Damaged,
        ScanState::Unread,
    ];

    fn word(self) -> &'static str {
        match self {
            ScanState::Clean => "clean",
            ScanState::Unread => "unread",
            ScanState::Damaged => "damaged",
            ScanState::Objects => "objects",
            ScanState::Code => "code",
        }
    }
}

/// The worst finding in a file.
struct ScannedFile {
    file: String,
    state: ScanState,
    /// The code of the finding.
    error: String,
    message: String,
    record: Option<u64>,
    offset: Option<usize>,
    path: Option<String>,
    class: Option<String>,
}

impl ScannedFile {
    fn clean(file: &str) -> ScannedFile {
        ScannedFile {
            file: file.to_owned(),
            state: ScanState::Clean,
            error: String::new(),
            message: String::new(),
            record: None,
            offset: None,
            path: None,
            class: None,
        }
    }

    /// Replaces the finding if the new one is worse. Returns `true` if it was replaced.
    fn find(&mut self, state: ScanState, error: &str, message: &str) -> bool {
        if state <= self.state {
            return false;
        }
        *self = ScannedFile {
            state,
            error: error.to_owned(),
            message: message.to_owned(),
            ..ScannedFile::clean(&self.file)
        };
        true
    }
}

impl ScanArgs {
    pub(crate) fn json(&self) -> Json {
        if self.sarif {
            return Json::Refused("--sarif is JSON of another form; leave one of them out");
        }
        Json::Lines
    }
}

pub(crate) fn run(app: &mut App, args: &ScanArgs) -> io::Result<()> {
    if app.global.objects.is_none() {
        app.global.objects = Some(ObjectsArg::Deny);
    }
    let (files, others) = app.files_by(&args.named, args.rules.rules())?;
    let lines = args.json_lines || app.global.json;
    let show = |app: &mut App, seen: &ScannedFile| {
        if lines {
            app.raw(&line(seen))
        } else if !args.sarif {
            people(app, seen)
        } else {
            Ok(())
        }
    };
    let mut all = app.each(&files, |app, file| {
        let seen = look::look(app, file)?;
        show(app, &seen)?;
        Ok(seen)
    })?;
    for NoFile { path, what } in others {
        app.exit.merge(Exit::Findings);
        let mut seen = ScannedFile::clean(&path.display().to_string());
        seen.find(ScanState::Unread, "NoFile", &what);
        show(app, &seen)?;
        all.push(seen);
    }
    if args.sarif {
        let sarif = sarif(&all);
        json_lines::line(&mut app.out, &sarif)?;
    } else if !lines && !app.global.quiet {
        summary(app, &all)?;
    }
    Ok(())
}

fn line(seen: &ScannedFile) -> Vec<u8> {
    let number = |number: u64| number.to_string().into_bytes();
    let mut fields = vec![
        ("file", value::string(&seen.file)),
        (
            "ok",
            (seen.state == ScanState::Clean).to_string().into_bytes(),
        ),
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
    rows::object(&fields)
}

fn people(app: &mut App, seen: &ScannedFile) -> io::Result<()> {
    if seen.state == ScanState::Clean {
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
    let name = paint(style::HEAD, safe_text::safe_line(&seen.file));
    let word = paint(style::ERROR, seen.state.word());
    let message = safe_text::safe_line(&seen.message);
    writeln!(
        app.out,
        "{name}: {word}{}: {message}{class}",
        safe_text::safe_line(&place)
    )
}

fn summary(app: &mut App, all: &[ScannedFile]) -> io::Result<()> {
    let mut text = plural(all.len() as u64, "file");
    for (n, state) in ScanState::ALL.into_iter().enumerate() {
        let count = all.iter().filter(|seen| seen.state == state).count();
        if count > 0 || n == 0 {
            text += if n == 0 { ": " } else { ", " };
            text += &format!("{} {}", words::count(count as u64), state.word());
        }
    }
    writeln!(app.out, "{text}")
}

/// Returns all findings as a SARIF log, which code scanners read.
fn sarif(all: &[ScannedFile]) -> Value {
    let found: Vec<_> = { all.iter() }
        .filter(|seen| seen.state != ScanState::Clean)
        .collect();
    let mut rules: Vec<&str> = found.iter().map(|seen| seen.error.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<_> = rules.iter().map(|id| json!({ "id": id })).collect();
    let result = |seen: &&ScannedFile| {
        let mut physical = json!({ "artifactLocation": { "uri": seen.file.replace('\\', "/") } });
        if let Some(offset) = seen.offset {
            physical["region"] = json!({ "byteOffset": offset });
        }
        let mut location = json!({ "physicalLocation": physical });
        if let Some(path) = &seen.path {
            location["logicalLocations"] = json!([{ "fullyQualifiedName": path }]);
        }
        let level = match seen.state {
            ScanState::Code | ScanState::Objects | ScanState::Damaged => "error",
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
