//! `get`: prints values at paths, for scripts.

use std::{
    io,
    path::{Path as FilePath, PathBuf},
};

use clap::Args;
use gdvar_file::{Decision, records::Record};
use gdvar_view::{Document, Error, ErrorKind, Found, Objects, Path, Pattern};

use crate::{
    app::{App, records::Stop},
    args::Json,
    diagnose::fault::Fault,
    input::bytes::Input,
    locate::lookup::{Lookup, lookup},
    show::{
        rows::{self, RowFormat},
        value,
    },
    terminal::{exit::Exit, safe_text, words},
};

#[derive(Args, Debug)]
#[command(after_help = "\
Paths:
  player.gold          the value under a text key, or a property
  items[0], items[-1]  the first and the last element
  levels[3], [1.5]     in a Dictionary: the value under that key; also [true], [null],
                       [Vector2i(5, 9)], [&\"name\"] for a StringName alone
  [\"odd name\"].x       keys that are not plain names; .x .origin .basis .position .size .r …
  {2}, {2:key}         the value and the key of the third pair, whatever they are
  party[*].name        of every child; items[1:3] of some elements; ..id at any depth
  $                    the whole value

Texts are printed as they are, other values in Godot's notation; --json prints JSON.

Of one file and one PATH the first record is meant, and a message says what else there is. With \
several files, --path, or a table, all records are read unless --record names one, and a file \
without such a value has a line with an empty value.

A table with one line a record, and a column for each path, is what gdvar table makes.

With -d and -f given the file is not looked through first: what is read is the way to the value, and \
the value. A Dictionary on the way is passed to its end, as the last of repeated keys counts.

Examples:
  gdvar get slot1.dat player.gold
  gdvar get slot1.dat 'map.tiles[5]'
  gdvar get saves/ -p player.name -p player.gold --csv > players.csv
  gdvar get slot1.dat -p 'party[*].hp' --json-lines")]
pub(crate) struct GetArgs {
    /// Files and folders; - is standard input. The last is the path, if there is no --path
    #[arg(value_name = "FILE")]
    named: Vec<PathBuf>,
    /// Which value; can be given again
    #[arg(short, long = "path", value_name = "PATH")]
    paths: Vec<String>,
    /// Which of several records, counted from 0; -1 is the last
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    record: Option<i64>,
    /// A table: file, record, path, value
    #[arg(long, group = "form")]
    csv: bool,
    /// The table with ' in front of every text that a spreadsheet would take for a formula
    #[arg(long, group = "form")]
    safe_csv: bool,
    /// The table with tabs between its columns
    #[arg(long, group = "form")]
    tsv: bool,
    /// The table as one JSON object a line
    #[arg(long, group = "form")]
    json_lines: bool,
    /// The bytes of the value exactly as in the file, and nothing else
    #[arg(long, group = "form")]
    raw: bool,
    /// The text to print if there is no such value; the exit code is 0 then
    #[arg(long, value_name = "TEXT")]
    default: Option<String>,
}

impl GetArgs {
    pub(crate) fn json(&self) -> Json {
        match self.form() {
            _ if self.raw => Json::Refused("--raw prints bytes; leave one of them out"),
            Some(RowFormat::Csv | RowFormat::SafeCsv | RowFormat::Tsv) => Json::Refused(
                "--csv and --tsv say another form; `--json-lines` prints the table as JSON",
            ),
            Some(RowFormat::JsonLines) => Json::Lines,
            None => Json::Result,
        }
    }

    fn form(&self) -> Option<RowFormat> {
        match self {
            GetArgs { csv: true, .. } => Some(RowFormat::Csv),
            GetArgs { safe_csv: true, .. } => Some(RowFormat::SafeCsv),
            GetArgs { tsv: true, .. } => Some(RowFormat::Tsv),
            GetArgs {
                json_lines: true, ..
            } => Some(RowFormat::JsonLines),
            _ => None,
        }
    }
}

pub(crate) fn run(app: &mut App, args: &GetArgs) -> io::Result<()> {
    let instead = "write it to a file with > FILE, or see it with gdvar hex";
    if args.raw && app.refuses_bytes(None, instead)? {
        return Ok(());
    }
    let mut named = args.named.clone();
    let mut texts = args.paths.clone();
    let short = texts.is_empty();
    if short {
        let Some(path) = named.pop() else {
            return app.usage("name a file and a path: gdvar get slot1.dat player.gold");
        };
        if named.is_empty() && path.is_file() {
            return app.usage(&format!(
                "{}: which value? Name a path after the file, for instance $ for all of it",
                path.display()
            ));
        }
        texts.push(path.to_string_lossy().into_owned());
    }
    let mut patterns = Vec::new();
    for text in &texts {
        match Pattern::parse(text) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => {
                return app.usage(&format!("{text:?}: {error}"));
            }
        }
    }
    let files = app.files(&named)?;
    let one = short && args.form().is_none() && files.len() == 1 && named.len() < 2;
    let path = patterns[0].as_path();
    if let (true, [file], Some(path)) = (one, &files[..], path) {
        return single(app, args, file, &path);
    }
    if let Some(form @ (RowFormat::Csv | RowFormat::SafeCsv | RowFormat::Tsv)) = args.form() {
        let mut head = Vec::new();
        rows::row(&mut head, form, &[b"file", b"record", b"path", b"value"])?;
        app.raw(&head)?;
    }
    let many = Many {
        args,
        patterns: &patterns,
        name_files: files.len() > 1,
    };
    app.each(&files, |app, file| many.file(app, file))?;
    Ok(())
}

/// Prints one value of one file, with notes about it.
fn single(app: &mut App, args: &GetArgs, file: &FilePath, path: &Path<'_>) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(());
    };
    let index = args.record.unwrap_or(0);
    let mut all = input.records(decision.framing);
    let wanted = input.record_number(decision.framing, index);
    let is_it = |record: &Record<'_>| Some(record.index) == wanted;
    let Some(record) = all.by_ref().find(is_it) else {
        return no_record(app, &input, &decision, index);
    };
    let options = app.options(decision.dialect, Objects::Inert);
    if app.is_broken(&input, &decision, &record)? {
        return Ok(());
    }
    let document = Document::with_options(&record.bytes, options);
    match find(app, document, path) {
        Err(error) => app.fault(
            &input,
            decision.framing,
            &record,
            Fault::Read(error),
            options,
        ),
        Ok(Lookup::Missing(missing)) => {
            match &args.default {
                Some(default) => app.raw(format!("{default}\n").as_bytes())?,
                None => app.not_found(path, &missing)?,
            }
            let cut = record.end().map_err(Stop::from);
            app.report_stop((&input, &decision), &record, options, cut)
        }
        Ok(Lookup::Found(found, damage)) => {
            let mut nulls = 0;
            let line = value::check(found).and_then(|()| render(app, args, found, &mut nulls));
            let hidden = value::behind_nul(found);
            if hidden > 0 {
                let hidden = words::plural(hidden as u64, "byte");
                app.note(&format!(
                    "the text ends at a NUL; engines drop the {hidden} after it"
                ))?;
            }
            // Prints the value even if the damage comes after it.
            let damage = match line {
                Ok(line) => {
                    app.raw(&line)?;
                    app.raw(if args.raw { b"" } else { b"\n" })?;
                    damage
                }
                Err(error) => Some(error),
            };
            let damage = damage.map_or_else(
                || record.end().map_err(Fault::Read),
                |error| Err(Fault::Read(error)),
            );
            if let Err(fault) = damage {
                return app.fault(&input, decision.framing, &record, fault, options);
            }
            app.note_not_finite(nulls, NOT_JSON)?;
            if args.record.is_none() && all.next().is_some() {
                app.note("the file has more records; choose one with --record N")?;
            }
            Ok(())
        }
    }
}

fn no_record(app: &mut App, input: &Input, decision: &Decision, index: i64) -> io::Result<()> {
    let count = words::plural(input.records(decision.framing).count() as u64, "record");
    app.fail(
        Exit::Findings,
        &format!("{}: there is no record {index}, only {count}", input.name),
    )
}

/// Looks up the value at a path.
fn find<'a>(app: &App, document: Document<'a>, path: &Path<'_>) -> Result<Lookup<'a>, Error> {
    let find = |document: Document<'a>| lookup(document.root()?, path);
    match find(document) {
        // The engines check some script paths only if objects are allowed, so the path is looked up again without that.
        Err(error) if error.kind() == ErrorKind::BadScriptPath && app.global.objects.is_none() => {
            find(document.with_objects(Objects::Ids))
        }
        result => result,
    }
}

/// What keeps numbers that JSON has no word for.
const NOT_JSON: &str = "--csv and Godot's notation keep them";

/// Returns the bytes to print for a value: raw, as JSON or as text. Adds the number of floats that JSON cannot express
/// to `nulls`.
fn render(app: &App, args: &GetArgs, found: Found<'_>, nulls: &mut u64) -> Result<Vec<u8>, Error> {
    if args.raw {
        return match found {
            Found::Value(value) => value.raw().map(<[u8]>::to_vec),
            Found::Part(_) => value::text(found),
        };
    }
    if app.global.json {
        let (json, count) = value::json_and_nulls(found)?;
        *nulls += count;
        return Ok(json);
    }
    value::text(found)
}

/// Prints many values of many files.
struct Many<'m, 'p> {
    args: &'m GetArgs,
    patterns: &'m [Pattern<'p>],
    name_files: bool,
}

/// A row of the table: a value, or the error instead of it.
struct ValueRow<'r> {
    file: &'r str,
    record: Option<u64>,
    path: &'r str,
    found: Option<Found<'r>>,
    /// The name of the error if there is no value.
    error: &'static str,
}

impl Many<'_, '_> {
    fn file(&self, app: &mut App, file: &FilePath) -> io::Result<()> {
        let Some((input, decision)) = app.open_decided(file)? else {
            let name = file.display().to_string();
            return self.missing(app, &name, None, "NotRead");
        };
        let wanted = self.args.record;
        let number = wanted.and_then(|index| input.record_number(decision.framing, index));
        if let (Some(index), None) = (wanted, number) {
            no_record(app, &input, &decision, index)?;
            return self.missing(app, &input.name, None, "NoRecord");
        }
        let mut seen = vec![false; self.patterns.len()];
        let mut records = 0;
        let mut nulls = 0;
        for record in input.records(decision.framing) {
            if number.is_none_or(|number| number == record.index) {
                records += 1;
                self.record(app, (&input, &decision), &record, &mut seen, &mut nulls)?;
            }
            if number == Some(record.index) {
                break;
            }
        }
        for (pattern, _) in self.patterns.iter().zip(&seen).filter(|(_, seen)| !**seen) {
            if self.args.default.is_none() {
                app.exit.merge(Exit::Findings);
            }
            let row = ValueRow {
                file: &input.name,
                record: number.or((records == 1).then_some(0)),
                path: &pattern.to_string(),
                found: None,
                error: "NotFound",
            };
            self.print(app, &row, &mut nulls)?;
        }
        app.note_not_finite(nulls, NOT_JSON)
    }

    /// Prints a row with the error for each path, because the file or record cannot be read.
    fn missing(
        &self,
        app: &mut App,
        file: &str,
        record: Option<u64>,
        error: &'static str,
    ) -> io::Result<()> {
        self.patterns.iter().try_for_each(|pattern| {
            let row = ValueRow {
                file,
                record,
                path: &pattern.to_string(),
                found: None,
                error,
            };
            self.print(app, &row, &mut 0)
        })
    }

    fn record(
        &self,
        app: &mut App,
        (input, decision): (&Input, &Decision),
        record: &Record<'_>,
        seen: &mut [bool],
        nulls: &mut u64,
    ) -> io::Result<()> {
        let options = app.options(decision.dialect, Objects::Inert);
        if app.is_broken(input, decision, record)? {
            return Ok(());
        }
        let document = Document::with_options(&record.bytes, options);
        let mut is_read = true;
        for (pattern, seen) in self.patterns.iter().zip(seen) {
            let result = Many::values(app, document, pattern, |app, path, found| {
                value::check(found)?;
                *seen = true;
                let row = ValueRow {
                    file: &input.name,
                    record: Some(record.index),
                    path,
                    found: Some(found),
                    error: "",
                };
                Ok(self.print(app, &row, nulls)?)
            });
            is_read &= result.is_ok();
            app.report_stop((input, decision), record, options, result)?;
        }
        if is_read {
            let cut = record.end().map_err(Stop::from);
            app.report_stop((input, decision), record, options, cut)?;
        }
        Ok(())
    }

    /// Calls `one` with each value that the pattern matches.
    fn values(
        app: &mut App,
        document: Document<'_>,
        pattern: &Pattern<'_>,
        mut one: impl FnMut(&mut App, &str, Found<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if let Some(path) = pattern.as_path() {
            return match find(app, document, &path)? {
                Lookup::Missing(_) => Ok(()),
                Lookup::Found(found, damage) => {
                    one(app, &path.to_string(), found)?;
                    damage.map_or(Ok(()), |error| Err(error.into()))
                }
            };
        }
        let mut select = document.root()?.select(pattern);
        while let Some(found) = select.try_next()? {
            one(app, &select.path().to_string(), found)?;
        }
        Ok(())
    }

    /// Prints a row. Adds the number of floats that JSON cannot express to `nulls`.
    fn print(&self, app: &mut App, row: &ValueRow<'_>, nulls: &mut u64) -> io::Result<()> {
        let default = self.args.default.as_ref();
        // With --json, a file name in front of a value would not be valid JSON, so rows are printed as objects.
        let named = app.global.json && (self.name_files || self.patterns.len() > 1);
        let form = self.args.form().or(named.then_some(RowFormat::JsonLines));
        let Some(form) = form else {
            return self.plain(app, row, nulls);
        };
        let record = row
            .record
            .map_or(String::new(), |record| record.to_string());
        let path = row.path.as_bytes();
        if form == RowFormat::JsonLines {
            let mut fields = vec![("file", value::string(row.file))];
            if row.record.is_some() {
                fields.push(("record", record.into_bytes()));
            }
            fields.push(("path", value::string(row.path)));
            match (row.found, default) {
                (Some(found), _) => {
                    fields.push(("type", value::string(found.kind().name())));
                    let (json, count) = value::json_and_nulls(found).unwrap_or_default();
                    *nulls += count;
                    fields.push(("value", json));
                }
                (None, Some(default)) => fields.push(("value", value::string(default))),
                (None, None) => fields.push(("error", value::string(row.error))),
            }
            return app.raw(&rows::object(&fields));
        }
        let value = match (row.found, default) {
            (Some(found), _) => value::text(found).unwrap_or_default(),
            (None, default) => default.map_or(Vec::new(), |text| text.clone().into_bytes()),
        };
        let mut line = Vec::new();
        rows::row(
            &mut line,
            form,
            &[row.file.as_bytes(), record.as_bytes(), path, &value],
        )?;
        app.raw(&line)
    }

    /// Prints a value without a table. The file name comes first if there are several files, and then the path if there
    /// are several paths.
    fn plain(&self, app: &mut App, row: &ValueRow<'_>, nulls: &mut u64) -> io::Result<()> {
        let value = match row.found {
            Some(found) => render(app, self.args, found, nulls).unwrap_or_default(),
            None => match &self.args.default {
                Some(default) => default.clone().into_bytes(),
                None if row.error == "NotFound" => {
                    return app.error(&format!("{}: not found: {}", row.file, row.path));
                }
                None => return Ok(()),
            },
        };
        if self.args.raw {
            return app.raw(&value);
        }
        let mut line = Vec::new();
        if self.name_files {
            line.extend(safe_text::safe_line(row.file).as_bytes());
            line.extend(b": ");
        }
        if self.patterns.len() > 1 {
            line.extend(row.path.as_bytes());
            line.extend(b": ");
        }
        line.extend(value);
        line.push(b'\n');
        app.raw(&line)
    }
}
