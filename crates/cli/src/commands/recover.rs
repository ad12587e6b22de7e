//! `recover`: makes a valid file from what is left of a damaged one.

mod contents;
mod reading;

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_edit::{Recovered, Segment, Undone, recover, recover_records, undo};
use gdvar_file::{
    Layer, find_trailer_len,
    records::{Framing, records},
    trailer_len,
};
use gdvar_io::{Envelope, packed, sniff};
use gdvar_view::{Document, Limits, PrefixOrder, ReadOptions};
use serde::Serialize;

use self::{contents::opened, reading::reading};
use crate::{
    app::App,
    diagnose::diagnosis::{self, Cause},
    input::{header, layers},
    save::{
        output::{Output, TO_FILE},
        same_file,
    },
    show::json_lines,
    terminal::{
        exit::Exit,
        safe_text,
        words::{count, plural, record_label},
    },
};

#[derive(Args, Debug)]
#[command(after_help = "\
What can be proved is kept: what comes before the damage, and after it what fits the counts and lengths around \
it. Counts and lengths are mended, so that the game loads the result. Records after the damage are found again; of a \
compressed file all blocks that can be unpacked are used. A file that a program took for text (0A became 0D 0A, or \
bytes became UTF-8) is turned back first if its lengths prove it. All that was lost is listed. The damaged file itself \
is not changed.

With --strict whatever no engine writes counts as damage; else what no engine reads. \
If the file is too damaged to be recognized, say what it was: -d godot4 -f len32.

The exit code is 0 if nothing was damaged, 1 if something was lost, 3 if nothing is left.

Examples:
  gdvar recover slot1.dat -o slot1.fixed
  gdvar recover slot1.gcpf --dry-run")]
pub(crate) struct RecoverArgs {
    /// A file; - is standard input
    file: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    pub(crate) output: Option<PathBuf>,
    /// Only say what is left and what is lost
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// The line that `--json` prints.
#[derive(Serialize)]
struct RecoverLine<'a> {
    schema: u32,
    file: &'a str,
    whole: bool,
    records: usize,
    /// The number of recovered values, without keys.
    kept: usize,
    /// The number of values that the file had before it was damaged, if this number is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
    /// The name of the conversion that was undone, if a program had treated the file as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    undone: Option<&'static str>,
    lost: Vec<LostLine>,
    /// The byte ranges of records that were left out: offset in the contents and length.
    skipped: Vec<(u64, u64)>,
    gaps: Vec<(u64, u64)>,
}

/// A container that lost children. It had `of` children, and `kept` of them are left.
#[derive(Serialize)]
struct LostLine {
    record: usize,
    path: String,
    /// The index of the first lost child.
    from: usize,
    kept: usize,
    of: usize,
}

pub(crate) fn run(app: &mut App, args: &RecoverArgs) -> io::Result<()> {
    let output = args.output.as_deref().filter(|_| !args.dry_run);
    if let Some(output) = output.filter(|output| same_file::is_same(&args.file, output)) {
        return app.usage(&format!(
            "{}: this is the damaged file itself, which is kept until the result is known to be good: give another name",
            output.display()
        ));
    }
    let Some(mut input) = app.open_as_it_is(&args.file)? else {
        return Ok(());
    };
    let name = input.name.clone();
    let mut line = RecoverLine {
        schema: 1,
        file: &name,
        whole: true,
        records: 0,
        kept: 0,
        of: None,
        undone: None,
        lost: Vec::new(),
        skipped: Vec::new(),
        gaps: Vec::new(),
    };
    let undone = undo_text(app, &input);
    if let Some(Undone { bytes, mangling }) = undone {
        let cause = Cause::from(mangling);
        app.exit.merge(Exit::Findings);
        app.note(&format!("{name}: {}: undone", cause.message()))?;
        line.undone = Some(cause.name());
        input = input.decoded(bytes);
    }
    let (mut found, header) = match opened(app, &name, &input)? {
        Ok(opened) => opened,
        Err(unopened) => return app.unopened(&name, &unopened),
    };
    drop(input);
    let (is_whole, may_be_noise) = (found.is_whole(), found.may_be_noise());
    if !is_whole {
        app.exit.merge(Exit::Findings);
    }
    // Takes off the trailer first. If it were read as a record, it would look like damage.
    let dialects = app.global.dialect.candidates();
    let given = app.global.framing.get();
    let len = |bytes: &[u8]| find_trailer_len(bytes, given, &dialects);
    let mut trailer = found.take_trailer(len);
    let first = found.pieces.first().map_or(&[][..], |(_, piece)| piece);
    if first.is_empty() && !is_whole {
        return app.fail(Exit::Malformed, &format!("{name}: nothing is left"));
    }
    let Some((framing, options)) = reading(app, &name, first)? else {
        if may_be_noise {
            app.warn("  = help: nothing says whether the password or key is right")?;
        }
        return Ok(());
    };
    if framing == Framing::Bare {
        let len = |bytes: &[u8]| trailer_len(bytes, framing, &[options.dialect()]);
        trailer.splice(..0, found.take_trailer(len));
    }
    let skip = header.len();
    // Offsets count from the first byte of the contents.
    let start = skip as u64;
    let old_lens = found.old_lens(framing);
    let mut out = header;
    line.whole = is_whole && line.undone.is_none();
    // The number of lost values; `None` once it is not known.
    let mut gone = Some(0).filter(|_| is_whole);
    match framing {
        Framing::Len32 | Framing::Len32Be => {
            let order = framing.order().unwrap_or(PrefixOrder::Little);
            let segments = found.pieces.iter();
            let segments = segments.map(|(offset, bytes)| Segment {
                offset: *offset,
                bytes,
            });
            let segments: Vec<_> = segments.collect();
            let found = recover_records(&segments, order, options);
            for (n, record) in found.records().iter().enumerate() {
                let many = found.records().len() > 1;
                let place = (n, start + record.offset);
                gone = add(
                    gone,
                    tell(app, &mut line, place, &record.found, many, options)?,
                );
                if record.mended_length {
                    app.note(&format!("record {n}: its length was wrong, and is mended"))?;
                }
            }
            for (offset, len) in found.gaps() {
                line.gaps.push((start + offset, *len));
                let (offset, len) = (start + offset, plural(*len, "byte"));
                app.warn(&format!(
                    "lost: {len} from byte {offset:#x} on, in which there is no record"
                ))?;
                gone = None;
            }
            let follows = |end: u64| found.records().iter().any(|one| one.offset == end + 4);
            if found
                .gaps()
                .iter()
                .any(|(offset, len)| follows(offset + len))
            {
                app.note(
                    "bytes between records may be the game's own (store_line, store_32); \
                     the result has the records only",
                )?;
            }
            if found.blank() > 0 {
                let blank = plural(found.blank(), "blank byte");
                app.note(&format!(
                    "{blank} after the last record: no values, left out"
                ))?;
            }
            let end = segments
                .last()
                .map_or(0, |last| last.offset + last.bytes.len() as u64);
            let last_gap = found.gaps().last().map(|(offset, len)| offset + len);
            // Nothing separates a trailer from lost bytes before it.
            if last_gap == Some(end) && !trailer.is_empty() {
                let len = plural(trailer.len() as u64, "byte");
                app.warn(&format!(
                    "lost: the {len} after that, which may be more of it"
                ))?;
                line.gaps.push((start + end, trailer.len() as u64));
                trailer.clear();
            }
            line.records = found.len();
            line.whole &= found.is_whole();
            found.write_to(&mut out)?;
        }
        Framing::Bare => {
            let first = found.pieces.first().map_or(&[][..], |(_, piece)| piece);
            let left = recover(Document::with_options(first, options));
            gone = tell(app, &mut line, (0, start), &left, false, options)?;
            line.records = usize::from(left.plan().is_some());
            line.whole &= left.is_whole();
            if let Some(plan) = left.plan() {
                plan.write_to(&mut out)?;
            }
        }
        Framing::Hex | Framing::Base64 => {
            return app.usage(&format!(
                "each line of text is its own value, and whole lines are read all the same; \
                 one long line is recovered with --encoding {}",
                framing.name()
            ));
        }
    }
    if !line.whole {
        app.exit.merge(Exit::Findings);
    }
    // If the key is wrong, the contents are noise, which may look like a few values.
    if may_be_noise && !is_likely(&out[skip..], framing, options) {
        line.records = 0;
    }
    let is_kept = line.records > 0;
    if skip > 0 && is_kept {
        let (header, kept) =
            header::mended(&out[..skip], &old_lens, out.len() - skip, trailer.len());
        app.note(&format!("{name}: {kept}"))?;
        out.splice(..skip, header);
    }
    for layer in found
        .layers
        .iter()
        .filter(|layer| is_kept && !layer.header.is_empty())
    {
        app.note(&format!("{name}: {}", header::kept_in_front(layer)))?;
    }
    if !trailer.is_empty() {
        let what = match framing {
            Framing::Bare => "value",
            _ => header::RECORDS,
        };
        let described = header::describe_trailer(&trailer, what);
        app.note(&format!("{name}: {described}"))?;
    }
    out.extend(trailer);
    line.of = gone.map(|gone| line.kept + gone);
    if !line.whole && line.records > 0 {
        let kept = match line.of {
            Some(of) => format!(
                "{} of {}",
                count(line.kept as u64),
                plural(of as u64, "value")
            ),
            None => plural(line.kept as u64, "value"),
        };
        app.note(&format!("{name}: kept {kept}"))?;
    }
    if line.records == 0 {
        app.fail(Exit::Malformed, &format!("{name}: nothing is left"))?;
        if may_be_noise {
            app.warn("  = help: nothing says whether the password or key is right")?;
        }
    }
    if app.global.json {
        json_lines::line(&mut app.out, &line)?;
    }
    match &args.output {
        Some(path) if line.records > 0 && !args.dry_run => {
            let (records, whole) = (line.records, line.whole);
            let target = Some(&**path).filter(|path| *path != Path::new("-"));
            let is_text = framing.is_text() && found.layers.is_empty();
            if !is_text && app.refuses_bytes(target, TO_FILE)? {
                return Ok(());
            }
            let layers = match layers::to_write(&found.layers, options.dialect()) {
                Ok(layers) => layers,
                Err(text) => return app.usage(&format!("{name}: {text}")),
            };
            save(app, target, layers, &out, (records, whole))
        }
        _ => Ok(()),
    }
}

/// Returns `true` if the first recovered record is longer than 8 bytes and can have been written by an engine.
fn is_likely(bytes: &[u8], framing: Framing, options: ReadOptions) -> bool {
    let first = records(bytes, framing).next();
    let options = ReadOptions::any_release(options.dialect()).with_limits(Limits::MOST);
    first.is_some_and(|first| {
        let document = Document::with_options(&first.bytes, options);
        document.validate() == Ok(first.bytes.len()) && first.bytes.len() > 8
    })
}

/// Adds two numbers. `None` if one of them is not known.
fn add(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    Some(one? + other?)
}

/// Prints the losses of record `n`, which is at `offset`. Returns the number of lost values, or `None` if it is not
/// known.
fn tell(
    app: &mut App,
    line: &mut RecoverLine<'_>,
    (n, offset): (usize, u64),
    found: &Recovered<'_>,
    many: bool,
    options: ReadOptions,
) -> io::Result<Option<usize>> {
    line.kept += found.kept(options);
    let in_front = record_label(n as u64, many);
    if let Some(damage) = found.damage() {
        let place = found
            .damaged()
            .map_or(String::new(), |path| format!(" at {path}"));
        let place = safe_text::safe_line(&place).into_owned();
        app.warn(&format!("{in_front}damaged{place}: {}", damage.kind()))?;
    }
    for lost in found.lost() {
        let path = safe_text::safe_line(&lost.path).into_owned();
        let (gone, of) = (count(lost.count as u64), count(lost.of as u64));
        app.warn(&format!(
            "{in_front}lost: {gone} of {of} in {path}, from the {} on",
            nth(lost.from)
        ))?;
        line.lost.push(LostLine {
            record: n,
            path: lost.path.clone(),
            from: lost.from,
            kept: lost.of - lost.count,
            of: lost.of,
        });
    }
    for skipped in found.skipped() {
        let (start, len) = (offset + skipped.start as u64, skipped.len() as u64);
        app.warn(&format!(
            "{in_front}left out: {} from byte {start:#x} on",
            plural(len, "byte")
        ))?;
        line.skipped.push((start, len));
    }
    if found.plan().is_none() {
        app.warn(&format!("{in_front}lost: all of it"))?;
        return Ok(None);
    }
    Ok(found.gone())
}

/// Restores a file that a program treated as text. `None` if the unchanged file can be read, or if no lengths or
/// checksums in it prove the result.
fn undo_text(app: &App, file: &[u8]) -> Option<Undone> {
    let framings = [Framing::Len32, Framing::Len32Be, Framing::Bare];
    let reads = |bytes: &[u8]| {
        let is_container = sniff(bytes) != Envelope::Other || packed::sniff(bytes).is_some();
        if is_container {
            // Compressed blocks and encrypted contents have checksums.
            return layers::peel(&app.global, bytes).is_ok();
        }
        let values = bytes.get(app.global.skip..).unwrap_or_default();
        !values.is_empty() && diagnosis::is_whole(values, &framings)
    };
    if reads(file) {
        return None;
    }
    // A header may hide what was done to the values after it. A file that reads with a header is left as it is.
    let with_header = |bytes: &[u8]| diagnosis::is_whole_after_header(bytes);
    undo(file, reads).or_else(|| match with_header(file) {
        true => None,
        false => undo(file, with_header),
    })
}

/// Formats the ordinal of an index: 0 is `1st`, 1 is `2nd`.
fn nth(number: usize) -> String {
    let number = number + 1;
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{end}", count(number as u64))
}

/// Writes the result with the same layers as the damaged file.
fn save(
    app: &mut App,
    target: Option<&Path>,
    layers: Vec<Layer>,
    contents: &[u8],
    (records, whole): (usize, bool),
) -> io::Result<()> {
    let written = Output::write(app, target, layers, contents);
    let records = plural(records as u64, "record");
    let whole = if whole { ", nothing was damaged" } else { "" };
    app.report_written(target, written, &format!("{records} written{whole}"))
}
