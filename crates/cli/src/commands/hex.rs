//! `hex`: shows every byte of a file, and the field it belongs to.

use std::{
    io::{self, Write},
    path::{Path as FilePath, PathBuf},
};

use clap::Args;
use gdvar_file::Decision;
use gdvar_file::records::{Place, Record};
use gdvar_view::{Document, Error, Found, Path, ReadOptions, VariantRef, WireFields};

use crate::{
    app::{App, files, records::Stop},
    args::{self, RecordArg},
    diagnose::{fault::Fault, whole_record},
    input::{bytes::Input, layers},
    locate::lookup::{Lookup, Missing, lookup},
    terminal::{
        style::{self, paint},
        width,
    },
};

mod lines;
mod rows;
mod show;

pub(crate) use rows::Rows;
pub(crate) use show::{Show, Span};

#[derive(Args, Debug)]
#[command(after_help = "\
A row is a field or a part of one: offset, bytes, text, and what they are. A value begins with its header, \
with its path and its type beside it; `party[2]{0:key}` is the first key of party[2]. Offsets count \
from the start of the file, or in what was unpacked. In a narrow terminal rows have four bytes and no \
text, in a wide one sixteen.

With --json each field is a line, and no byte is left out:
  {\"schema\":1,\"record\":0,\"offset\":28,\"bytes\":\"50000000\",\"field\":\"payload\",\"path\":\"hp\",\"type\":\"Int\",\"text\":\"80\"}

Examples:
  gdvar hex slot1.dat | less
  gdvar hex slot1.dat player.position
  gdvar hex --range 0x400..0x440 slot1.dat
  gdvar hex --errors broken.dat              where it breaks, and what stands there")]
pub(crate) struct HexArgs {
    /// A file or folder; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// More files and folders; last the path of the value to show
    #[arg(value_name = "FILE|PATH")]
    more: Vec<String>,
    /// Only fields with bytes from A up to B; one of them may be missing
    #[arg(long, value_name = "A..B", value_parser = span)]
    range: Option<Span>,
    /// Only the surroundings of the first fault of each record
    #[arg(long)]
    errors: bool,
    #[command(flatten)]
    record: RecordArg,
    /// Show all bytes of long texts and arrays
    #[arg(long)]
    full: bool,
    /// Bytes in a row
    #[arg(short, long, value_name = "N", value_parser = width)]
    width: Option<usize>,
}

fn span(text: &str) -> Result<Span, String> {
    let (from, to) = text
        .split_once("..")
        .ok_or("a range of bytes looks like 0x40..0x80, 64.. or ..128")?;
    let number = |text: &str, other| match text {
        "" => Ok(other),
        text => args::size::<usize>(text),
    };
    let span = Span {
        from: number(from, 0)?,
        to: number(to, usize::MAX)?,
    };
    if span.from < span.to {
        Ok(span)
    } else {
        Err("there is no byte between these".to_owned())
    }
}

fn width(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|_| "a number from 1 to 64")?;
    if (1..=64).contains(&number) {
        Ok(number)
    } else {
        Err("a number from 1 to 64".to_owned())
    }
}

pub(crate) fn run(app: &mut App, args: &HexArgs) -> io::Result<()> {
    let (named, path) = files::and_path(&args.file, &args.more);
    let path_text = path.unwrap_or("$");
    let Some(path) = app.parse_path(path_text)? else {
        return Ok(());
    };
    let files = app.files(&named)?;
    let name_files = files.len() > 1;
    app.each(&files, |app, file| one(app, args, &path, file, name_files))?;
    Ok(())
}

/// Shows the bytes of one file, each with its field.
fn one(
    app: &mut App,
    args: &HexArgs,
    path: &Path<'_>,
    file: &FilePath,
    name_files: bool,
) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(());
    };
    if name_files && !app.global.json {
        let name = paint(style::FRAME, format!("# {}", input.shown()));
        writeln!(app.out, "{name}")?;
    }
    if !input.peeled.layers.is_empty() {
        let name = input.short_name();
        let layers = layers::describe_all(&input.peeled.layers);
        app.note(&format!(
            "{name}: {layers}; offsets count in what was in it"
        ))?;
    }
    let end = input.contents().len();
    let hex = Hex {
        args,
        path,
        input: &input,
        decision: &decision,
        rows: Rows::new(end, width::columns(), args.width),
        span: args.range.unwrap_or(Span::ALL),
    };
    hex.run(app)
}

struct Hex<'h, 'p> {
    args: &'h HexArgs,
    path: &'h Path<'p>,
    input: &'h Input,
    decision: &'h Decision,
    rows: Rows,
    span: Span,
}

impl Hex<'_, '_> {
    fn run(&self, app: &mut App) -> io::Result<()> {
        let whole = self.path.steps().is_empty();
        let index = self.args.record.record;
        let is_all = whole && index.is_none() && !self.args.errors;
        if is_all {
            self.show(0).run(app, "skipped", self.input.header(), 0)?;
        }
        let Some(records) = app.chosen(self.input, self.decision, index)? else {
            return Ok(());
        };
        let mut wrong = false;
        app.each_record(
            (self.input, self.decision),
            records,
            App::showing,
            |app, record, options| {
                if self.args.errors {
                    wrong |= self.errors(app, record, options)?;
                    return Ok(());
                }
                self.record(app, record, options, whole)
            },
        )?;
        if is_all {
            let trailer = self.input.trailer();
            let start = self.input.contents().len() - trailer.len();
            self.show(0).run(app, "after values", trailer, start)?;
        }
        if self.args.errors && !wrong {
            let name = self.input.short_name();
            app.note(&format!("{name}: all of it can be read"))?;
        }
        Ok(())
    }

    fn show(&self, record: u64) -> Show {
        Show {
            rows: self.rows,
            span: self.span,
            full: self.args.full || self.args.range.is_some(),
            dialect: self.decision.dialect,
            record,
            mark: None,
        }
    }

    fn record(
        &self,
        app: &mut App,
        record: &Record<'_>,
        options: ReadOptions,
        whole: bool,
    ) -> Result<(), Stop> {
        let show = self.show(record.index);
        if whole {
            self.frame(app, record, show)?;
        }
        let root = whole_record::root(record, options);
        if let Err(fault @ Fault::Problem(_)) = root {
            return Err(fault.into());
        }
        let document = Document::with_options(&record.bytes, options);
        let base = record.place.base();
        if whole {
            let mut fields = document.wire_fields();
            show.fields(app, &record.bytes, base, "", &mut fields)?;
            let progress = app.progress("reading", self.input);
            whole_record::read(record, options, &progress)?;
            return Ok(());
        }
        match self.fields(root?)? {
            Ok((mut fields, path)) => {
                show.fields(app, &record.bytes, base, &path, &mut fields)?;
                fields.error().map_or(Ok(()), |error| Err(error.into()))
            }
            Err(missing) => Ok(app.not_found(self.path, &missing)?),
        }
    }

    /// Returns the fields of the value at the path. For an element of a packed array, returns the fields of the array.
    fn fields<'a>(
        &self,
        root: VariantRef<'a>,
    ) -> Result<Result<(WireFields<'a>, String), Missing>, Error> {
        let mut steps = self.path.steps();
        loop {
            let path: Path<'_> = steps.iter().copied().collect();
            match (lookup(root, &path)?, steps.split_last()) {
                (Lookup::Found(Found::Value(value), _), _) => {
                    return Ok(Ok((value.wire_fields(), path.to_string())));
                }
                (Lookup::Found(Found::Part(_), _), Some((_, before))) => steps = before,
                (Lookup::Found(Found::Part(_), _), None) => {
                    return Ok(Ok((root.wire_fields(), "$".to_owned())));
                }
                (Lookup::Missing(missing), _) => return Ok(Err(missing)),
            }
        }
    }

    /// Shows what comes before a record: the number of its line, its length prefix, or the bytes that could not be
    /// read.
    fn frame(&self, app: &mut App, record: &Record<'_>, show: Show) -> io::Result<()> {
        match record.place {
            Place::Line(line) => show.heading(app, &format!("line {line}")),
            Place::Byte(start) if record.problem.is_some() => {
                let bytes = &self.input[start - self.input.header().len()..];
                show.run(app, "unread", bytes, start)
            }
            Place::Byte(start) if self.decision.framing.order().is_some() => {
                let at = start - self.input.header().len();
                let prefix = &self.input[at - 4..at];
                let length = record.cut.map_or(record.bytes.len() as u64, u64::from);
                show.prefix(app, prefix, start - 4, length)
            }
            Place::Byte(_) => Ok(()),
        }
    }

    /// Reads a record, and shows the bytes around its first fault. Returns `false` if there is none.
    fn errors(&self, app: &mut App, record: &Record<'_>, options: ReadOptions) -> io::Result<bool> {
        let progress = app.progress("reading", self.input);
        let Err(fault) = whole_record::read(record, options, &progress) else {
            return Ok(false);
        };
        drop(progress);
        app.fault(self.input, self.decision.framing, record, fault, options)?;
        let show = self.show(record.index);
        match fault {
            Fault::Read(error) => {
                let document = Document::with_options(&record.bytes, options);
                show.around(app, document, record.place.base(), error.offset())?;
            }
            Fault::Problem(_) => self.frame(app, record, show)?,
        }
        Ok(true)
    }
}
