//! `json`, `from-json`, `text`, `from-text`: convert values to notations that people and programs edit, and back.

mod losses;

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
use gdvar_text::{Bytes, ParseOptions, TextError, line_and_column, parse_godot_at, write_exact};
use gdvar_view::{Dialect, Document, Objects, VariantRef};
use gdvar_write::{Precision, Target};

use losses::TextLosses;

use crate::{
    app::{App, RawOut, records::Stop},
    args::{OutputArg, PrecisionArg},
    diagnose::whole_record,
    input::{bytes::Input, layers},
    save::{output::TO_FILE, whole_objects},
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
  gdvar json --style tagged slot1.dat > slot1.json       from-json makes the same values of it

What is around the values, such as compression or encryption, is not in the JSON; a note says what puts \
it back.")]
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
Several values in a row are several records; numbers, true, false and null need white space after \
them. The file is made of store_var records (len32) of \
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
    /// How wide reals are in vectors and matrices, where the target has a choice (Godot 4). Without it, single,
    /// unless the values come with a note that they were double. `same` is for tagged JSON alone, which has the widths
    #[arg(long, value_name = "WIDTH")]
    precision: Option<PrecisionArg>,
}

impl FromArgs {
    /// Returns `true` if the user asks for the width that each value has.
    pub(crate) fn keeps_widths(&self) -> bool {
        self.precision == Some(PrecisionArg::Same)
    }

    /// Returns the precision of reals for the writer. `noted` is the origin of the values.
    fn precision(&self, noted: Origin) -> Precision {
        match self.precision {
            Some(width) => width.into(),
            None if noted.is_double => Precision::Double,
            None => Precision::Single,
        }
    }
}

/// Why `--precision same` is refused for a notation.
pub(crate) const NO_WIDTHS: &str = "--precision same needs values that show how wide their reals are, and only tagged JSON does: give --precision single or double";

/// The dialect and framing that values had, and the width of their reals. A notation does not show them, so a note before
/// the values does, unless they are the usual ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    dialect: Dialect,
    framing: Framing,
    /// `true` if all reals in vectors and matrices have 64 bits.
    is_double: bool,
}

/// A notation that is read back, named by what reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WayBack {
    FromText,
    Ungron,
    FromTaggedJson,
    FromNativeJson,
}

impl WayBack {
    /// Returns the command that reads the notation.
    fn command(self) -> &'static str {
        match self {
            WayBack::FromText => "gdvar from-text",
            WayBack::Ungron => "gdvar gron -u",
            WayBack::FromTaggedJson => "gdvar from-json",
            WayBack::FromNativeJson => "gdvar from-json --style native",
        }
    }

    /// Returns `true` if values are in Godot's notation.
    fn is_text(self) -> bool {
        matches!(self, WayBack::FromText | WayBack::Ungron)
    }
}

/// Prints a note about the layers that a notation leaves out. Returns the note about the origin, and sentences about
/// what the notation does not hold, to print after the values.
pub(crate) fn before(
    app: &mut App,
    input: &Input,
    decision: &Decision,
    back: WayBack,
) -> io::Result<(Option<String>, Vec<String>)> {
    if let Some(left_out) = layers::left_out(&input.peeled.layers, decision.dialect, back.command())
    {
        app.note(&format!("{}: {left_out}", input.short_name()))?;
    }
    let losses = match back.is_text() {
        true => TextLosses::count(app, input, decision),
        false => TextLosses::default(),
    };
    let origin = Origin {
        dialect: decision.dialect,
        framing: decision.framing,
        is_double: losses.is_double(),
    };
    Ok((origin.note(), losses.sentences(back.command())))
}

/// Prints the sentences that [`before`] returned.
pub(crate) fn after(app: &mut App, losses: &[String]) -> io::Result<()> {
    for loss in losses {
        app.note(&format!("{loss} (json --style tagged keeps it)"))?;
    }
    Ok(())
}

/// The word that starts a note.
pub(crate) const MARK: &str = "gdvar";

/// The end of a note if all reals in vectors and matrices have 64 bits.
const DOUBLE: &str = " double";

impl Origin {
    /// The origin if there is no note: saves of Godot 4.
    const USUAL: Origin = Origin {
        dialect: Dialect::GODOT_4,
        framing: Framing::Len32,
        is_double: false,
    };

    /// Returns the note, such as `godot3 bare` or `godot4 len32 double`. `None` for the usual origin.
    fn note(self) -> Option<String> {
        let width = if self.is_double { DOUBLE } else { "" };
        let words = format!("{} {}{width}", self.dialect.name(), self.framing.name());
        (self != Origin::USUAL).then_some(words)
    }

    /// Reads a note that [`Origin::note`] wrote.
    pub(crate) fn read(note: &str) -> Option<Origin> {
        let (dialect, rest) = note.trim().split_once(' ')?;
        let framing = rest.strip_suffix(DOUBLE);
        Some(Origin {
            dialect: dialect.parse().ok()?,
            framing: Framing::from_name(framing.unwrap_or(rest))?,
            is_double: framing.is_some(),
        })
    }
}

/// Prints all records of a file. Calls `one` with the value of each record, to print it, and prints a line end after
/// it. The first call also gets the note about the origin, if there is one. `back` is `None` if the notation is not read
/// back.
fn print(
    app: &mut App,
    path: &Path,
    back: Option<WayBack>,
    mut one: impl FnMut(&mut App, VariantRef<'_>, Option<&str>) -> Result<(), Stop>,
) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(path)? else {
        return Ok(());
    };
    app.note_left_out(&input)?;
    let progress = app.progress("reading", &input);
    let (mut note, losses) = match back {
        Some(back) => before(app, &input, &decision, back)?,
        None => (None, Vec::new()),
    };
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
    app.note_left_out_after(trailing)?;
    after(app, &losses)
}

pub(crate) fn json(app: &mut App, args: &JsonArgs) -> io::Result<()> {
    let style = Style::from(args.style);
    let mut losses: Vec<String> = Vec::new();
    let back = match args.style {
        StyleArg::Plain => None,
        StyleArg::Native => Some(WayBack::FromNativeJson),
        StyleArg::Tagged => Some(WayBack::FromTaggedJson),
    };
    print(app, &args.file, back, |app, value, note| {
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
    print(app, file, Some(WayBack::FromText), |app, value, note| {
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
    let keeps_widths = args.from.keeps_widths();
    if keeps_widths && style.is_some_and(|style| style != Style::Tagged) {
        return app.usage(NO_WIDTHS);
    }
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
        any_bytes,
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
            if keeps_widths && style != Style::Tagged {
                return Err(NO_WIDTHS.to_owned());
            }
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
    if args.keeps_widths() {
        return app.usage(NO_WIDTHS);
    }
    let mut emptied = Vec::new();
    make(
        app,
        args,
        |text| {
            let line = text.split(|byte| *byte == b'\n').next()?;
            let line = std::str::from_utf8(line).ok()?;
            Origin::read(line.strip_prefix("; ")?.strip_prefix(MARK)?)
        },
        |text| {
            std::str::from_utf8(text)
                .map_err(|error| format!("byte {}: not UTF-8", error.valid_up_to()))
        },
        |app, text, at, target| {
            let options = ParseOptions::new(target)
                .with_objects(app.global.objects.map_or(Objects::Inert, Objects::from))
                .with_limits(app.limits(target.dialect()));
            let parsed = parse_godot_at(text, at, &options).map_err(|error| error.to_string())?;
            // Without this, `1-2` would be two values.
            let ends = |c: char| c.is_ascii_whitespace() || "\"')]}".contains(c);
            if parsed.end < text.len() && !text[at..parsed.end].ends_with(ends) {
                let (line, column) = line_and_column(text.as_bytes(), parsed.end);
                return Err(format!(
                    "line {line}, column {column}: expected white space after the number or word"
                ));
            }
            let places = parsed.emptied.iter();
            emptied.extend(places.map(|end| line_and_column(text.as_bytes(), *end)));
            Ok((parsed.bytes, parsed.end))
        },
    )?;
    for (line, column) in emptied {
        app.exit.merge(Exit::Findings);
        app.warn(&format!(
            "lost: all children of the typed container that ends at line {line}, column {column}: one of them does \
             not fit the type, and the engine makes an empty container then"
        ))?;
    }
    Ok(())
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

/// Accepts any file, for the argument `whole` of [`make`].
pub(crate) fn any_bytes(text: &[u8]) -> Result<&[u8], String> {
    Ok(text)
}

/// Reads a file of values in a notation, and writes the values as records. `origin` finds the note about the origin in
/// the file. `whole` checks the file once, and `one` reads the value at an offset of what `whole` returned, and returns
/// its bytes and the offset after it.
pub(crate) fn make<T: ?Sized>(
    app: &mut App,
    args: &FromArgs,
    origin: impl Fn(&[u8]) -> Option<Origin>,
    whole: impl Fn(&[u8]) -> Result<&T, String>,
    mut one: impl FnMut(&App, &T, usize, Target) -> Result<(Vec<u8>, usize), String>,
) -> io::Result<()> {
    let Some(input) = app.open_as_it_is(&args.file)? else {
        return Ok(());
    };
    let noted = origin(&input).unwrap_or(Origin::USUAL);
    let dialect = app.global.dialect.given().unwrap_or(noted.dialect);
    let framing = app.global.framing.get().unwrap_or(noted.framing);
    let target = Target::from(dialect).with_precision(args.precision(noted));
    let mut out = Vec::new();
    let (mut at, mut count) = (0, 0u64);
    let mut has_objects = false;
    let text = match whole(&input) {
        Ok(text) => text,
        Err(error) => return app.fail(Exit::Malformed, &format!("{}: {error}", input.name)),
    };
    while count == 0 || at < input.len() {
        let (bytes, end) = match one(app, text, at, target) {
            Ok(made) => made,
            Err(error) => {
                let double = target.with_precision(Precision::Double);
                let is_too_narrow = target != double && one(app, text, at, double).is_ok();
                let hint = match is_too_narrow {
                    true => "; --precision double writes 64-bit reals, which hold it",
                    false => "",
                };
                return app.fail(Exit::Malformed, &format!("{}: {error}{hint}", input.name));
            }
        };
        at = end;
        count += 1;
        has_objects = has_objects || whole_objects::is_in(Document::new(&bytes, dialect));
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
    app.report_written(Some(path), written, &note)?;
    match has_objects && app.exit == Exit::Fine {
        true => app.note(&format!("there is {}", whole_objects::NOTE)),
        false => Ok(()),
    }
}
