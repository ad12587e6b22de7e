//! `diff`: compares files value by value. `merge` reads its files in the same way.

mod comments;
pub(crate) mod merge;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use gdvar_edit::{Change, DiffOptions, Difference, Patch, diff};
use gdvar_file::{Decision, header::with_size, records::Record};
use gdvar_json::Style;
use gdvar_view::{Document, Objects, ReadOptions, VariantRef};
use serde::Serialize;

use crate::{
    app::App,
    args::Json,
    diagnose::whole_record,
    input::bytes::Input,
    save::change,
    show::{json_lines, notation, summary},
    terminal::{exit::Exit, safe_text, words::record_label},
};

#[derive(Args, Debug)]
#[command(after_help = "\
  ~  another value     +  only in the second     -  only in the first     >  moved among its siblings

The exit code is 1 where the files differ. Numbers in another width, and keys in another order where \
nothing else differs, do not count as differences; --format patch keeps these too.

With --json each difference is a line:
  {\"schema\":1,\"record\":0,\"change\":\"set\",\"path\":\"$.hp\",\"from\":80,\"to\":65}

Examples:
  gdvar diff slot1.dat slot2.dat
  gdvar diff --tolerance 0.001 slot1.dat slot2.dat
  gdvar diff --format patch slot1.dat slot2.dat > changes.txt
  git difftool -x 'gdvar diff' HEAD~ -- saves/slot1.dat")]
pub(crate) struct DiffArgs {
    /// The old file
    old: PathBuf,
    /// The new file
    new: PathBuf,
    /// Print numbers only
    #[arg(long)]
    stat: bool,
    /// Take floats for the same that differ by no more
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    tolerance: f64,
    /// How to print it
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: DiffFormat,
}

impl DiffArgs {
    pub(crate) fn json(&self) -> Json {
        if self.format == DiffFormat::Patch {
            return Json::Refused("--format patch says another form; leave one of them out");
        }
        Json::Lines
    }
}

/// How differences are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DiffFormat {
    /// A line a difference, long values cut
    Text,
    /// A patch, by which `gdvar patch` makes the second file of the first
    Patch,
}

/// A line of `--json`.
#[derive(Serialize)]
struct DiffLine {
    schema: u32,
    record: u64,
    change: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<serde_json::Value>,
    /// The types and the texts of both values. Present only for a changed value whose type differs, or whose JSON is
    /// the same as before.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    beside: Option<Beside>,
}

/// What the JSON of two values does not show.
#[derive(Serialize)]
struct Beside {
    from_type: String,
    to_type: String,
    from_text: String,
    to_text: String,
}

/// A file, and how it is read. `decision` is `None` for an empty file.
struct File {
    input: Input,
    decision: Option<Decision>,
}

impl File {
    /// Opens a file. An empty file counts as a file without records, because git passes an empty one for a file that
    /// does not exist.
    fn open(app: &mut App, path: &Path) -> io::Result<Option<File>> {
        let Some(input) = app.open(path)? else {
            return Ok(None);
        };
        if input.is_empty() {
            let decision = None;
            return Ok(Some(File { input, decision }));
        }
        let decision = app.decision(&input)?;
        Ok(decision.map(|decision| File {
            input,
            decision: Some(decision),
        }))
    }

    fn records(&self) -> Vec<Record<'_>> {
        let framing = self.decision.as_ref().map(|decision| decision.framing);
        framing.map_or_else(Vec::new, |framing| self.input.records(framing).collect())
    }

    /// Returns the value of a record and the bytes after it if all of the value can be read; otherwise reports why not,
    /// and returns `None`.
    fn document<'r>(
        &self,
        app: &mut App,
        record: &'r Record<'_>,
    ) -> io::Result<Option<(Document<'r>, &'r [u8])>> {
        let Some(decision) = &self.decision else {
            return Ok(None);
        };
        let options = self.options(app, decision);
        let progress = app.progress("reading", &self.input);
        match whole_record::read(record, options, &progress) {
            Ok(end) => {
                let (value, rest) = record.bytes.split_at(end);
                Ok(Some((Document::with_options(value, options), rest)))
            }
            Err(fault) => {
                app.fault(&self.input, decision.framing, record, fault, options)?;
                Ok(None)
            }
        }
    }

    fn options(&self, app: &App, decision: &Decision) -> ReadOptions {
        app.options(decision.dialect, App::policy(&self.input, Objects::Inert))
    }
}

/// The parts that the game wrote before and after its values.
#[derive(Clone, Copy)]
enum Own {
    Header,
    Trailer,
}

impl Own {
    const ALL: [Own; 2] = [Own::Header, Own::Trailer];

    fn name(self) -> &'static str {
        match self {
            Own::Header => "header",
            Own::Trailer => "trailer",
        }
    }

    fn bytes(self, input: &Input) -> &[u8] {
        match self {
            Own::Header => input.header(),
            Own::Trailer => input.trailer(),
        }
    }

    /// Returns `true` if this part is the same in both files. Two headers are also the same if they differ only in a
    /// number that is, in each file, the size of what follows or of the whole file.
    fn is_same(self, one: &Input, other: &Input) -> bool {
        let bytes = self.bytes(one);
        let of_size = || {
            let rest = |input: &Input| input.len() + input.trailer().len();
            with_size(bytes, rest(one), rest(other))
        };
        match self {
            Own::Header => bytes == self.bytes(other) || of_size() == self.bytes(other),
            Own::Trailer => bytes == self.bytes(other),
        }
    }
}

/// The number of differences of each kind.
#[derive(Default, Serialize)]
struct Stat {
    schema: u32,
    changed: u64,
    added: u64,
    removed: u64,
    moved: u64,
}

impl Stat {
    fn count(&mut self, change: Change<'_>) {
        match change {
            Change::Set { .. } => self.changed += 1,
            Change::Added { .. } => self.added += 1,
            Change::Removed { .. } => self.removed += 1,
            Change::Moved { .. } => self.moved += 1,
            _ => {}
        }
    }

    fn total(&self) -> u64 {
        self.changed + self.added + self.removed + self.moved
    }
}

pub(crate) fn run(app: &mut App, args: &DiffArgs) -> io::Result<()> {
    let (Some(old), Some(new)) = (File::open(app, &args.old)?, File::open(app, &args.new)?) else {
        return Ok(());
    };
    let (olds, news) = (old.records(), new.records());
    let many = olds.len().max(news.len()) > 1;
    if args.format == DiffFormat::Patch {
        if let Some(text) = two_engines(&old, &new) {
            return app.usage(&format!("a patch has values of one engine, and {text}"));
        }
    }
    if args.format == DiffFormat::Patch && olds.len() != news.len() {
        return app.usage("a patch is for files with equally many records");
    }
    for own in Own::ALL {
        if own.is_same(&old.input, &new.input) {
            continue;
        }
        let name = own.name();
        if args.format == DiffFormat::Patch {
            return app.usage(&format!(
                "the game's own {name} differs, and a patch does not carry it: copy it by hand (gdvar hex shows it)"
            ));
        }
        app.exit.merge(Exit::Findings);
        let [from, to] = [&old, &new].map(|file| own.bytes(&file.input).escape_ascii());
        let text = format!("the game's own {name} differs: {from} -> {to}");
        app.note(&safe_text::safe_line(&text))?;
    }
    let mut stat = Stat {
        schema: 1,
        ..Stat::default()
    };
    let options = DiffOptions::new().with_tolerance(args.tolerance);
    for n in 0..olds.len().max(news.len()) {
        let in_front = record_label(n as u64, many);
        let left = olds.get(n).map(|record| old.document(app, record));
        let left = left.transpose()?.flatten();
        let right = news.get(n).map(|record| new.document(app, record));
        let right = right.transpose()?.flatten();
        match (left, right) {
            (Some((left, left_rest)), Some((right, right_rest))) => {
                if left_rest != right_rest {
                    app.exit.merge(Exit::Findings);
                    if args.format == DiffFormat::Patch {
                        return app.usage(&format!(
                            "{in_front}the bytes after the value differ, and a patch does not carry them"
                        ));
                    }
                    let [from, to] = [left_rest, right_rest].map(<[u8]>::escape_ascii);
                    let text =
                        format!("{in_front}the bytes after the value differ: {from} -> {to}");
                    app.note(&safe_text::safe_line(&text))?;
                }
                if args.format == DiffFormat::Patch {
                    stat.changed += patch_of(app, left, right, n, many)?;
                    continue;
                }
                let (Ok(a), Ok(b)) = (left.root(), right.root()) else {
                    continue;
                };
                for one in diff(a, b, options) {
                    let Ok(one) = one else { break };
                    stat.count(one.change());
                    if app.global.json && !args.stat {
                        json_lines::line(&mut app.out, &json(&one, n as u64))?;
                    } else if !args.stat {
                        change::line(&mut app.out, &one, &in_front, "$")?;
                    }
                }
            }
            (Some(_), None) if olds.get(n).is_some() && news.get(n).is_none() => {
                stat.removed += 1;
                whole(app, args, &old, &olds[n], n, ("-", "removed"))?;
            }
            (None, Some(_)) if olds.get(n).is_none() => {
                stat.added += 1;
                whole(app, args, &new, &news[n], n, ("+", "added"))?;
            }
            // The unreadable record was reported already.
            _ => {}
        }
    }
    if args.stat && app.global.json {
        json_lines::line(&mut app.out, &stat)?;
    } else if args.stat {
        writeln!(
            app.out,
            "{} changed, {} added, {} removed, {} moved",
            stat.changed, stat.added, stat.removed, stat.moved
        )?;
    }
    if stat.total() > 0 {
        app.exit.merge(Exit::Findings);
    }
    Ok(())
}

/// Says which two engines wrote these files and what to do, or returns `None` if one engine did, or a file is empty.
/// The bytes of one engine mean other values to the other.
fn two_engines(one: &File, other: &File) -> Option<String> {
    let dialect = |file: &File| file.decision.as_ref().map(|decision| decision.dialect);
    let (first, second) = (dialect(one)?, dialect(other)?);
    (first != second).then(|| {
        format!(
            "{} is of {}, {} of {}: convert one of them first (gdvar convert --to {})",
            one.input.short_name(),
            first.title(),
            other.input.short_name(),
            second.title(),
            first.name()
        )
    })
}

/// Prints a record that exists in only one of the files.
fn whole(
    app: &mut App,
    args: &DiffArgs,
    file: &File,
    record: &Record<'_>,
    n: usize,
    (sign, change): (&str, &'static str),
) -> io::Result<()> {
    let document = file.document(app, record)?;
    let Some(root) = document.and_then(|(document, _)| document.root().ok()) else {
        return Ok(());
    };
    if args.stat || args.format == DiffFormat::Patch {
        return Ok(());
    }
    if app.global.json {
        let value = plain(root);
        let (from, to) = match sign {
            "-" => (value, None),
            _ => (None, value),
        };
        let line = DiffLine {
            schema: 1,
            record: n as u64,
            change,
            path: "$".to_owned(),
            from,
            to,
            beside: None,
        };
        return json_lines::line(&mut app.out, &line);
    }
    let shown = notation::start(root, 60);
    writeln!(app.out, "record {n}: {sign} $  {shown}")
}

/// Prints a patch that turns the record `old` into `new`. Returns the number of changes.
fn patch_of(
    app: &mut App,
    old: Document<'_>,
    new: Document<'_>,
    n: usize,
    many: bool,
) -> io::Result<u64> {
    let Ok(patch) = Patch::between(old, new) else {
        return Ok(0);
    };
    if patch.is_empty() {
        return Ok(0);
    }
    let text = match many {
        true => patch.for_record(n as u64),
        false => patch.to_string(),
    };
    app.raw(text.as_bytes())?;
    Ok(patch.len() as u64)
}

/// Converts a value to plain JSON, or returns `None` if that fails.
fn plain(value: VariantRef<'_>) -> Option<serde_json::Value> {
    let mut json = Vec::new();
    gdvar_json::write(value, Style::Plain, &mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

fn json(one: &Difference<'_>, record: u64) -> DiffLine {
    let (change, from, to) = match one.change() {
        Change::Set { from, to } => ("set", plain(from), plain(to)),
        Change::Added { value } => ("added", None, plain(value)),
        Change::Removed { value } => ("removed", plain(value), None),
        Change::Moved { value, to } => ("moved", plain(value), Some(to.into())),
        _ => ("other", None, None),
    };
    let beside = match one.change() {
        Change::Set { from: old, to: new } => {
            let (from_type, to_type) = (summary::type_of(old), summary::type_of(new));
            (from == to || from_type != to_type).then(|| {
                let (from_text, to_text) = notation::pair(old, new, 200);
                Beside {
                    from_type,
                    to_type,
                    from_text,
                    to_text,
                }
            })
        }
        _ => None,
    };
    DiffLine {
        schema: 1,
        record,
        change,
        path: one.path().to_owned(),
        from,
        to,
        beside,
    }
}
