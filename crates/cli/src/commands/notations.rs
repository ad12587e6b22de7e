//! `json`, `from-json`, `text`, `from-text`: convert values to notations that people and programs edit, and back.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use gdvar_file::{
    Decision, line,
    records::{Framing, records},
};
use gdvar_json::Style;
use gdvar_text::{Bytes, ParseOptions, TextError, parse_godot_at, write_exact};
use gdvar_view::{Dialect, Objects, VariantRef};
use gdvar_write::{Precision, Target};

use crate::{
    app::{App, RawOut, records::Stop},
    args::{OutputArg, PrecisionArg},
    diagnose::whole_record,
    save::output::TO_FILE,
    terminal::{exit::Exit, words::plural},
};

/// How values look as JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StyleArg {
    /// For jq and people; types are lost, and it is said how many
    Plain,
    /// As JSON.from_native of Godot 4 gives it, for JSON.to_native
    Native,
    /// Nothing is lost
    Tagged,
}

impl From<StyleArg> for Style {
    fn from(style: StyleArg) -> Style {
        match style {
            StyleArg::Plain => Style::Plain,
            StyleArg::Native => Style::Native,
            StyleArg::Tagged => Style::Tagged,
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar json slot1.dat | jq .player.hp
  gdvar json --style native slot1.dat > slot1.json       for JSON.to_native in the game
  gdvar json --style tagged slot1.dat > slot1.json       from-json makes the same file of it")]
pub(crate) struct JsonArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// How values look
    #[arg(long, value_name = "STYLE", default_value = "plain")]
    pub(crate) style: StyleArg,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Several values in a row are several records. The file is made of store_var records (len32) of \
Godot 4, unless tagged JSON says otherwise, as `gdvar json` writes it, or --dialect and --framing do.

Examples:
  gdvar from-json config.json -o config.dat
  gdvar from-json --style tagged slot1.json -o slot1.dat")]
pub(crate) struct FromJsonArgs {
    #[command(flatten)]
    pub(crate) from: FromArgs,
    /// How values look; without it, tagged JSON is known by its tags, and any other is plain
    #[arg(long, value_name = "STYLE")]
    pub(crate) style: Option<StyleArg>,
}

#[derive(Args, Debug)]
pub(crate) struct FromArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
    /// How wide reals are in vectors and matrices, where the target has a choice (Godot 4)
    #[arg(long, value_name = "WIDTH", default_value = "single")]
    precision: PrecisionArg,
}

impl FromArgs {
    /// Returns the precision of reals for the writer. `same` becomes single precision, because a text does not show how
    /// wide the reals were.
    pub(crate) fn precision(&self) -> Precision {
        match self.precision {
            PrecisionArg::Double => Precision::Double,
            PrecisionArg::Same | PrecisionArg::Single => Precision::Single,
        }
    }
}

/// The dialect and framing that values had. A notation does not show them, so a note before the values does, unless
/// they are the usual ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    dialect: Dialect,
    framing: Framing,
}

/// The word that starts a note.
pub(crate) const MARK: &str = "gdvar";

impl Origin {
    /// The origin if there is no note: saves of Godot 4.
    const USUAL: Origin = Origin {
        dialect: Dialect::GODOT_4,
        framing: Framing::Len32,
    };

    pub(crate) fn of(decision: &Decision) -> Origin {
        Origin {
            dialect: decision.dialect,
            framing: decision.framing,
        }
    }

    /// Returns the note, such as `godot3 bare`. `None` for the usual origin.
    pub(crate) fn note(self) -> Option<String> {
        let words = format!("{} {}", self.dialect.name(), self.framing.name());
        (self != Origin::USUAL).then_some(words)
    }

    /// Reads a note that [`Origin::note`] wrote.
    pub(crate) fn read(note: &str) -> Option<Origin> {
        let (dialect, framing) = note.trim().split_once(' ')?;
        Some(Origin {
            dialect: dialect.parse().ok()?,
            framing: Framing::from_name(framing)?,
        })
    }
}

/// Prints all records of a file. Calls `one` with the value of each record, to print it, and prints a line end after
/// it. The first call also gets the note about the origin, if there is one.
fn print(
    app: &mut App,
    path: &Path,
    mut one: impl FnMut(&mut App, VariantRef<'_>, Option<&str>) -> Result<(), Stop>,
) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(path)? else {
        return Ok(());
    };
    app.note_left_out(&input)?;
    let progress = app.progress("reading", &input);
    let mut note = Origin::of(&decision).note();
    let records = records(&input, decision.framing);
    let mut trailing = 0;
    app.each_record(
        (&input, &decision),
        records,
        App::showing,
        |app, record, options| {
            // Programs read the result, so half a value would mislead them.
            let end = whole_record::read(record, options, &progress)?;
            trailing += u64::from(end < record.bytes.len());
            let root = whole_record::root(record, options)?;
            one(app, root, note.take().as_deref())?;
            Ok(app.raw(b"\n")?)
        },
    )?;
    app.note_left_out_after(trailing)
}

pub(crate) fn json(app: &mut App, args: &JsonArgs) -> io::Result<()> {
    let style = Style::from(args.style);
    let mut losses: Vec<String> = Vec::new();
    print(app, &args.file, |app, value, note| {
        let note = note.filter(|_| style == Style::Tagged);
        let mut out = Marked {
            out: RawOut(app),
            mark: note.map(|note| format!("{{\"{MARK}\":\"{note}\",")),
        };
        let report = gdvar_json::write(value, style, &mut out)?;
        if !report.is_lossless() && losses.len() < 3 {
            losses.push(report.to_string());
        }
        Ok(())
    })?;
    for loss in losses {
        app.note(&format!(
            "this style of JSON cannot hold everything: {loss} (--style tagged keeps it)"
        ))?;
    }
    Ok(())
}

/// Writes JSON, and replaces its first brace by `mark`, which starts with a brace.
struct Marked<W> {
    out: W,
    mark: Option<String>,
}

impl<W: Write> Write for Marked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (self.mark.take(), bytes.strip_prefix(b"{")) {
            (Some(mark), Some(rest)) => {
                self.out.write_all(mark.as_bytes())?;
                self.out.write_all(rest)?;
            }
            _ => self.out.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

pub(crate) fn text(app: &mut App, file: &Path) -> io::Result<()> {
    print(app, file, |app, value, note| {
        let failed = |error| match error {
            TextError::Read(error) => Stop::from(error),
            TextError::Fmt => Stop::Output(io::Error::other("the text cannot be written")),
        };
        if let Some(note) = note {
            app.raw(format!("; {MARK} {note}\n").as_bytes())?;
        }
        let mut out = Bytes::new(RawOut(app));
        let written = write_exact(&mut out, value);
        out.finish()?;
        written.map_err(failed)
    })
}

pub(crate) fn from_json(app: &mut App, args: &FromJsonArgs) -> io::Result<()> {
    let mut style = args.style.map(Style::from);
    let mut is_native = false;
    make(
        app,
        &args.from,
        |json| {
            let start = json.trim_ascii_start();
            let note = start.strip_prefix(format!("{{\"{MARK}\":\"").as_bytes())?;
            let end = note.iter().position(|byte| *byte == b'"')?;
            std::str::from_utf8(&note[..end])
                .ok()
                .and_then(Origin::read)
        },
        |app, json, at, target| {
            let options = |style| {
                gdvar_json::ReadOptions::new(style, target)
                    .with_objects(app.global.objects.map_or(Objects::Inert, Objects::from))
                    .with_limits(app.limits(target.dialect()))
            };
            let is = |style| gdvar_json::read_at(json, at, &options(style)).is_ok();
            let style = *style.get_or_insert_with(|| {
                let starts_object = json.trim_ascii_start().starts_with(b"{");
                if starts_object && is(Style::Tagged) {
                    return Style::Tagged;
                }
                is_native = starts_object && is(Style::Native);
                Style::Plain
            });
            gdvar_json::read_at(json, at, &options(style)).map_err(|error| error.to_string())
        },
    )?;
    if args.style.is_none() && style == Some(Style::Tagged) {
        app.note("read as tagged JSON, which it is; --style plain makes Dictionaries of its tags")?;
    }
    if is_native {
        app.note("read as plain JSON; it looks like the engine's JSON, which is --style native")?;
    }
    Ok(())
}

pub(crate) fn from_text(app: &mut App, args: &FromArgs) -> io::Result<()> {
    make(
        app,
        args,
        |text| {
            let line = text.split(|byte| *byte == b'\n').next()?;
            let line = std::str::from_utf8(line).ok()?;
            Origin::read(line.strip_prefix("; ")?.strip_prefix(MARK)?)
        },
        |app, text, at, target| {
            let text = match std::str::from_utf8(text) {
                Ok(text) => text,
                Err(error) => return Err(format!("byte {}: not UTF-8", error.valid_up_to())),
            };
            let options = ParseOptions::new(target)
                .with_objects(app.global.objects.map_or(Objects::Inert, Objects::from))
                .with_limits(app.limits(target.dialect()));
            let parsed = parse_godot_at(text, at, &options);
            parsed
                .map(|parsed| (parsed.bytes, parsed.end))
                .map_err(|error| error.to_string())
        },
    )
}

/// Appends a record to `out`: the value with its length prefix, or as a line of text.
pub(crate) fn frame(framing: Framing, bytes: &[u8], out: &mut Vec<u8>) {
    // The length fits, because the writer refuses values beyond 2 GiB.
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    match framing {
        Framing::Bare => {}
        Framing::Len32 => out.extend(len.to_le_bytes()),
        Framing::Len32Be => out.extend(len.to_be_bytes()),
        Framing::Hex => return out.extend((line::to_hex(bytes) + "\n").as_bytes()),
        Framing::Base64 => return out.extend((line::to_base64(bytes) + "\n").as_bytes()),
    }
    out.extend_from_slice(bytes);
}

/// Reads a file of values in a notation, and writes the values as records. `origin` finds the note about the origin in
/// the file. `one` reads the value at an offset, and returns its bytes and the offset after it.
pub(crate) fn make(
    app: &mut App,
    args: &FromArgs,
    origin: impl Fn(&[u8]) -> Option<Origin>,
    mut one: impl FnMut(&App, &[u8], usize, Target) -> Result<(Vec<u8>, usize), String>,
) -> io::Result<()> {
    let Some(input) = app.open_as_it_is(&args.file)? else {
        return Ok(());
    };
    let noted = origin(&input).unwrap_or(Origin::USUAL);
    let dialect = app.global.dialect.given().unwrap_or(noted.dialect);
    let framing = app.global.framing.get().unwrap_or(noted.framing);
    let target = Target::from(dialect).with_precision(args.precision());
    let mut out = Vec::new();
    let (mut at, mut count) = (0, 0u64);
    while count == 0 || at < input.len() {
        let (bytes, end) = match one(app, &input, at, target) {
            Ok(made) => made,
            Err(error) => {
                return app.fail(Exit::Malformed, &format!("{}: {error}", input.name));
            }
        };
        at = end;
        count += 1;
        frame(framing, &bytes, &mut out);
    }
    if framing == Framing::Bare && count > 1 {
        return app.usage("a bare file holds one value, these are more: choose another --framing");
    }
    if !framing.is_text() && app.refuses_bytes(args.output.path(), TO_FILE)? {
        return Ok(());
    }
    let Some(path) = args.output.path() else {
        return app.raw(&out);
    };
    drop(input);
    let written = app.replacement(path).and_then(|mut file| {
        file.write_all(&out)?;
        file.finish()
    });
    let count = plural(count, "record");
    let note = format!(
        "{count} written for {}, {}",
        dialect.title(),
        framing.name()
    );
    app.report_written(Some(path), written, &note)
}
