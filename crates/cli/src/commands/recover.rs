//! `recover`: what is left of a damaged file, as a whole one.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_edit::{Recovered, Segment, recover, recover_records};
use gdvar_io::{Envelope, compressed::Compressed, encrypted, sniff};
use gdvar_view::{Document, Limits, Objects, PrefixOrder, ReadOptions};
use serde::Serialize;

use crate::{
    app::App,
    brief::{self, count, plural},
    detect,
    envelope::{self, Container, Trouble},
    exit::Exit,
    header, machine,
    output::Output,
    records::{Framing, records},
};

/// The arguments of `recover`.
#[derive(Args, Debug)]
#[command(after_help = "\
All elements and entries that stand whole in front of the damage are kept, and counts and lengths are mended, so \
that the game loads the result. Records behind the damage are found again; of a compressed file all blocks \
that can be unpacked are used. All that was lost is listed. The damaged file itself stays as it is.

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
struct Line<'a> {
    schema: u32,
    file: &'a str,
    whole: bool,
    records: usize,
    lost: Vec<LostLine>,
    gaps: Vec<(u64, u64)>,
}

/// The children that a container lost.
#[derive(Serialize)]
struct LostLine {
    record: usize,
    path: String,
    kept: usize,
    of: usize,
}

/// The contents of a file as far as they can be had, and what was around them.
struct Contents {
    pieces: Vec<(u64, Vec<u8>)>,
    container: Option<Container>,
    /// `true` if all of them are there.
    is_whole: bool,
    /// `true` if nothing says that the key is right.
    may_be_noise: bool,
}

/// Opens what is left of a compressed or encrypted file.
fn contents(app: &App, file: &[u8]) -> Result<Contents, Trouble> {
    let limits = match app.global.max_unpacked {
        Some(most) => gdvar_io::Limits::new(most),
        None => gdvar_io::Limits::unpacking(file.len()),
    };
    match sniff(file) {
        Envelope::Compressed { .. } => {
            let opened = Compressed::open(file, limits).map_err(Trouble::Bytes)?;
            let pieces = opened.pieces();
            let len: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
            Ok(Contents {
                is_whole: len == opened.len() as usize,
                container: Some(Container::Compressed {
                    mode: opened.mode(),
                    block_size: opened.block_size(),
                }),
                pieces,
                may_be_noise: false,
            })
        }
        form @ (Envelope::Encrypted3 | Envelope::Encrypted4) => {
            let key = envelope::key(&app.global)?.ok_or(Trouble::Locked)?;
            let whole = encrypted::decrypt(file, &key, limits);
            let is_whole = whole.is_ok();
            let plain = match whole {
                Ok(plain) => plain,
                Err(_) => encrypted::decrypt_damaged(file, &key, limits).map_err(Trouble::Bytes)?,
            };
            let to = match form {
                Envelope::Encrypted3 => gdvar_view::Dialect::GODOT_3,
                _ => gdvar_view::Dialect::GODOT_4,
            };
            Ok(Contents {
                pieces: vec![(0, plain)],
                container: Some(Container::Encrypted { key, to }),
                is_whole,
                may_be_noise: !is_whole,
            })
        }
        _ => Ok(Contents {
            pieces: vec![(0, file.to_vec())],
            container: None,
            is_whole: true,
            may_be_noise: false,
        }),
    }
}

/// Runs it.
pub(crate) fn run(app: &mut App, args: &RecoverArgs) -> io::Result<()> {
    let Some(input) = app.open_as_it_is(&args.file)? else {
        return Ok(());
    };
    let name = input.name.clone();
    let skip = header_len(app, &name, &input)?.unwrap_or(app.global.skip.min(input.len()));
    let mut in_front = input[..skip].to_vec();
    let mut found = match contents(app, &input[skip..]) {
        Ok(found) => found,
        Err(trouble) => return app.trouble(&name, &trouble),
    };
    drop(input);
    // The header of the game's own is in front of the container, or of the values in it.
    let mut header = Vec::new();
    if found.container.is_none() {
        header = std::mem::take(&mut in_front);
    } else if let Some((offset, first)) = found.pieces.first_mut().filter(|(at, _)| *at == 0) {
        if let Some(len) = header_len(app, &name, first)? {
            header = first.drain(..len).collect();
            *offset = len as u64;
        }
    }
    if !found.is_whole {
        app.exit.merge(Exit::Findings);
        let left: usize = found.pieces.iter().map(|(_, piece)| piece.len()).sum();
        app.note(&format!(
            "{name}: the container is damaged, {} of its contents are left",
            plural(left as u64, "byte")
        ))?;
    }
    let first = found.pieces.first().map_or(&[][..], |(_, piece)| piece);
    let Some((framing, options)) = reading(app, &name, first)? else {
        if found.may_be_noise {
            app.warn("  = help: nothing says whether the password or key is right")?;
        }
        return Ok(());
    };
    let skip = header.len();
    let mut out = header;
    let mut line = Line {
        schema: 1,
        file: &name,
        whole: found.is_whole,
        records: 0,
        lost: Vec::new(),
        gaps: Vec::new(),
    };
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
                tell(app, &mut line, n, &record.found, found.records().len() > 1)?;
                if record.mended_length {
                    app.note(&format!("record {n}: its length was wrong, and is mended"))?;
                }
            }
            for (start, len) in found.gaps() {
                let len = plural(*len, "byte");
                app.warn(&format!(
                    "lost: {len} from byte {start:#x} on, in which there is no record"
                ))?;
            }
            line.gaps = found.gaps().to_vec();
            line.records = found.len();
            line.whole &= found.is_whole();
            found.write_to(&mut out)?;
        }
        Framing::Bare => {
            let left = recover(Document::with_options(first, options));
            tell(app, &mut line, 0, &left, false)?;
            line.records = usize::from(left.plan().is_some());
            line.whole &= left.is_whole();
            if let Some(plan) = left.plan() {
                plan.write_to(&mut out)?;
            }
        }
        Framing::Hex | Framing::Base64 => {
            app.exit.merge(Exit::Usage);
            return app.error("lines of text are not recovered; each stands for itself");
        }
    }
    if !line.whole {
        app.exit.merge(Exit::Findings);
    }
    // With a wrong key the contents are noise, which may look like a few values.
    if found.may_be_noise && !is_likely(&out[skip..], framing, options) {
        line.records = 0;
    }
    if line.records == 0 {
        app.exit.merge(Exit::Malformed);
        app.error(&format!("{name}: nothing is left"))?;
        if found.may_be_noise {
            app.warn("  = help: nothing says whether the password or key is right")?;
        }
    }
    if app.global.json {
        machine::line(&mut app.out, &line)?;
    }
    match &args.output {
        Some(path) if line.records > 0 && !args.dry_run => {
            let (records, whole) = (line.records, line.whole);
            save(
                app,
                path,
                found.container,
                [&in_front, &out],
                records,
                whole,
            )
        }
        _ => Ok(()),
    }
}

/// Finds the header that the game put in front of the values, and says so.
fn header_len(app: &mut App, name: &str, bytes: &[u8]) -> io::Result<Option<usize>> {
    let found = app.find_header(bytes).filter(|found| !found.is_doubtful);
    if let Some(found) = found {
        app.note(&format!("{name}: {}", header::describe(found)))?;
    }
    Ok(found.map(|found| found.len))
}

/// Returns `true` if an engine wrote the first value of what was recovered.
fn is_likely(bytes: &[u8], framing: Framing, options: ReadOptions) -> bool {
    let first = records(bytes, framing).next();
    let options = ReadOptions::any_release(options.dialect()).with_limits(Limits::MOST);
    first.is_some_and(|first| {
        let document = Document::with_options(&first.bytes, options);
        document.validate() == Ok(first.bytes.len()) && first.bytes.len() > 8
    })
}

/// Says what a record lost.
fn tell(
    app: &mut App,
    line: &mut Line<'_>,
    n: usize,
    found: &Recovered<'_>,
    many: bool,
) -> io::Result<()> {
    let in_front = if many {
        format!("record {n}: ")
    } else {
        String::new()
    };
    if let Some(damage) = found.damage() {
        let place = found
            .damaged()
            .map_or(String::new(), |path| format!(" at {path}"));
        let place = brief::tame_line(&place).into_owned();
        app.warn(&format!("{in_front}damaged{place}: {}", damage.kind()))?;
    }
    for lost in found.lost() {
        let path = brief::tame_line(&lost.path).into_owned();
        let gone = (lost.of - lost.from) as u64;
        // A count that is itself damaged says nothing.
        let (gone, of) = (count(gone), count(lost.of as u64));
        app.warn(&format!(
            "{in_front}lost: {gone} of {of} in {path}, from the {} on",
            nth(lost.from)
        ))?;
        line.lost.push(LostLine {
            record: n,
            path: lost.path.clone(),
            kept: lost.from,
            of: lost.of,
        });
    }
    if found.plan().is_none() {
        app.warn(&format!("{in_front}lost: all of it"))?;
    }
    Ok(())
}

/// `1st`, `2nd`, of a number counted from 0.
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

/// How the contents are to be read.
fn reading(app: &mut App, name: &str, bytes: &[u8]) -> io::Result<Option<(Framing, ReadOptions)>> {
    let wanted = detect::Wanted {
        dialect: app.global.dialect,
        framing: app.global.framing.get(),
    };
    let known = app.global.dialect.given().zip(wanted.framing);
    let (dialect, framing) = match known {
        Some(known) => known,
        None => {
            let input = crate::input::Input::of(name, bytes.to_vec());
            let Some(plan) = app.plan(&input)? else {
                app.warn("  = help: say what it was, for instance -d godot4 -f len32")?;
                return Ok(None);
            };
            (plan.dialect, plan.framing)
        }
    };
    let options = app.options(dialect, Objects::Inert);
    Ok(Some((framing, options)))
}

/// Writes the result, in the container that the damaged file was.
fn save(
    app: &mut App,
    path: &Path,
    container: Option<Container>,
    [in_front, contents]: [&[u8]; 2],
    records: usize,
    whole: bool,
) -> io::Result<()> {
    let target = Some(path).filter(|path| *path != Path::new("-"));
    let written = Output::new(app, target, container).and_then(|mut output| {
        output.put_in_front(app, in_front)?;
        output.put(app, contents)?;
        output.finish(app)
    });
    match (written, target) {
        (Ok(()), Some(path)) => {
            let records = plural(records as u64, "record");
            let whole = if whole { ", nothing was damaged" } else { "" };
            app.note(&format!("{}: {records} written{whole}", path.display()))
        }
        (Err(error), Some(path)) => app.cannot_write(path, &error),
        (written, None) => written,
    }
}
