//! The parts that commands share which change files: the value at hand, the changed file, and where it goes.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_edit::{Change, DiffOptions, Difference, Edit, EditErrorKind, Plan, diff};
use gdvar_io::replace::Replacement;
use gdvar_view::{Document, Objects, VariantRef};

use crate::{
    app::App,
    brief::{self, plural},
    commands::{check, get},
    detect::Plan as Reading,
    encoding,
    envelope::Layer,
    exit::Exit,
    input::Input,
    lookup::{Lookup, lookup},
    notation,
    output::Output,
    records::{Framing, Place, Record},
    style::{self, paint},
};

/// Which file, which record of it, and where the result goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct ChangeArgs {
    /// A file; - is standard input
    pub(crate) file: PathBuf,
    /// Put the result in the file's place, in one step
    #[arg(short, long, conflicts_with = "output")]
    pub(crate) in_place: bool,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Only show what would change
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// With --in-place: keep the old file beside the new one, as FILE.bak
    #[arg(long, requires = "in_place")]
    pub(crate) backup: bool,
    /// Which of several records, counted from 0; -1 is the last
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) record: i64,
}

impl ChangeArgs {
    /// The file that the result goes to; none for standard output.
    fn target(&self) -> Option<&Path> {
        match &self.output {
            _ if self.in_place => Some(&self.file),
            Some(path) if path != Path::new("-") => Some(path),
            _ => None,
        }
    }
}

/// Why a change cannot be made, for people; and what to try.
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl<T: fmt::Display> From<T> for Refusal {
    fn from(message: T) -> Refusal {
        Refusal {
            message: message.to_string(),
            help: None,
        }
    }
}

/// Notes about edits, printed once the edits are known to be possible.
pub(crate) type Notes = Vec<String>;

/// Says why nothing was changed.
pub(crate) fn refuse(app: &mut App, name: &str, refusal: &Refusal) -> io::Result<()> {
    app.exit.merge(Exit::Findings);
    app.error(&format!("{name}: {}", refusal.message))?;
    match &refusal.help {
        Some(help) => app.warn(&format!("  = help: {}", brief::tame(help))),
        None => Ok(()),
    }
}

/// Opens a file, makes edits of one of its values, and writes the result or shows it.
pub(crate) fn change(
    app: &mut App,
    args: &ChangeArgs,
    make: impl FnOnce(&mut App, &mut Edit<'_>) -> Result<Notes, Refusal>,
) -> io::Result<()> {
    let Some((input, plan)) = app.open_planned(&args.file)? else {
        return Ok(());
    };
    change_opened(app, args, &input, &plan, make)
}

/// Makes edits of one value of a file that is open already, and writes the result or shows it.
pub(crate) fn change_opened(
    app: &mut App,
    args: &ChangeArgs,
    input: &Input,
    plan: &Reading,
    make: impl FnOnce(&mut App, &mut Edit<'_>) -> Result<Notes, Refusal>,
) -> io::Result<()> {
    let wanted = input.record_number(plan.framing, args.record);
    let mut all = input.records(plan.framing);
    let Some(record) = all.by_ref().find(|record| Some(record.index) == wanted) else {
        app.exit.merge(Exit::Findings);
        let count = plural(input.records(plan.framing).count() as u64, "record");
        let text = format!(
            "{}: there is no record {}, only {count}",
            input.name, args.record
        );
        return app.error(&text);
    };
    let objects = App::policy(input, Objects::Inert);
    let options = app.options(plan.dialect, objects);
    let progress = app.progress("reading", input);
    // A damaged file is for `recover`; an edit of it could not be told from the damage.
    if let Err(fault) = check::read(&record, options, &progress) {
        return app.fault(input, plan.framing, &record, fault, options);
    }
    drop(progress);
    let document = Document::with_options(&record.bytes, options);
    let mut edit = Edit::new(document);
    let notes = match make(app, &mut edit) {
        Ok(notes) => notes,
        Err(refusal) => return refuse(app, &input.name, &refusal),
    };
    let edits = match edit.plan() {
        Ok(edits) => edits,
        Err(error) => return impossible(app, &input.name, &edit, error),
    };
    for note in notes {
        app.note(&note)?;
    }
    if args.dry_run {
        let new = edits.to_vec();
        let new = Document::with_options(&new, options);
        return match (document.root(), new.root()) {
            (Ok(old), Ok(new)) => show(app, old, new, "").map(drop),
            _ => Ok(()),
        };
    }
    write(app, args, input, plan.framing, &record, edits)
}

/// Says why edits cannot be made: how far the path leads, if it leads nowhere, else the mistake at its place.
fn impossible(
    app: &mut App,
    name: &str,
    edit: &Edit<'_>,
    error: gdvar_edit::Error,
) -> io::Result<()> {
    let document = edit.document();
    let path = edit.path(error.edit()).map(gdvar_view::Path::parse);
    if let (EditErrorKind::NoPlace { .. }, Some(Ok(path)), Ok(root)) =
        (error.kind(), path, document.root())
    {
        if let Ok(Lookup::Missing(missing)) = lookup(root, &path) {
            return get::not_found(app, &path, &missing);
        }
    }
    let place = document.locate(error.offset()).to_string();
    let message = format!("{place}: {}", error.kind());
    refuse(app, name, &message.into())
}

/// Prints the differences of two values, and says how many there are.
pub(crate) fn show(
    app: &mut App,
    old: VariantRef<'_>,
    new: VariantRef<'_>,
    in_front: &str,
) -> io::Result<u64> {
    show_below(app, old, new, in_front, "$")
}

/// Prints the differences of two values that stand at a path, and says how many there are.
pub(crate) fn show_below(
    app: &mut App,
    old: VariantRef<'_>,
    new: VariantRef<'_>,
    in_front: &str,
    path: &str,
) -> io::Result<u64> {
    let mut count = 0;
    for one in diff(old, new, DiffOptions::new()) {
        let Ok(one) = one else { break };
        count += 1;
        line(&mut app.out, &one, in_front, path)?;
    }
    Ok(count)
}

/// Prints a difference of two values that stand at a path.
pub(crate) fn line(
    out: &mut impl Write,
    one: &Difference<'_>,
    in_front: &str,
    base: &str,
) -> io::Result<()> {
    const WIDTH: usize = 60;
    let below = one.path().strip_prefix('$').unwrap_or_default();
    let root = match base.chars().next() {
        Some('$') => "",
        None | Some('[' | '{' | '.') => "$",
        Some(_) => "$.",
    };
    let path = brief::tame_line(&format!("{root}{base}{below}")).into_owned();
    let shown = |value| notation::start(value, WIDTH);
    let (sign, style, text) = match one.change() {
        Change::Set { from, to } => {
            let types = if from.kind() == to.kind() {
                String::new()
            } else {
                format!("  ({} -> {})", from.kind(), to.kind())
            };
            let text = format!("{} -> {}{types}", shown(from), shown(to));
            ("~", style::WARNING, text)
        }
        Change::Added { value } => ("+", style::GOOD, shown(value)),
        Change::Removed { value } => ("-", style::ERROR, shown(value)),
        Change::Moved { value, to } => {
            (">", style::HEAD, format!("to place {to}: {}", shown(value)))
        }
        _ => ("?", style::WARNING, String::new()),
    };
    writeln!(out, "{in_front}{} {path}  {text}", paint(style, sign))
}

/// Writes the file with one of its values changed.
fn write(
    app: &mut App,
    args: &ChangeArgs,
    input: &Input,
    framing: Framing,
    record: &Record<'_>,
    edits: Plan<'_>,
) -> io::Result<()> {
    let container = match input.layer.as_ref().map(Layer::same).transpose() {
        Ok(container) => container,
        Err(text) => {
            app.exit.merge(Exit::Usage);
            return app.error(&format!("{}: {text}", input.name));
        }
    };
    let target = args.target();
    let is_text = framing.is_text() && container.is_none();
    if target.is_none() && !is_text && io::stdout().is_terminal() {
        app.exit.merge(Exit::Usage);
        return app
            .error("the result is not text: add --in-place, or -o FILE, or see it with --dry-run");
    }
    let nothing = edits.is_empty();
    let done = keep(app, args).and_then(|()| {
        let mut output = Output::new(target, container)?;
        if let Some(layer) = &input.layer {
            output.put_in_front(app, &layer.header)?;
        }
        output.put_header(app, input)?;
        put(app, &mut output, input, framing, record, edits)?;
        Ok(output)
    });
    let output = match (done, target) {
        (Ok(output), _) => output,
        (Err(error), Some(path)) => return app.cannot_write(path, &error),
        (Err(error), None) => return Err(error),
    };
    if app.was_cut(input)? {
        return Ok(());
    }
    match (output.finish(app), target) {
        (Ok(()), Some(path)) => app.note(&match nothing {
            true => format!("{}: it was so already", path.display()),
            false => format!("{}: written", path.display()),
        }),
        (Err(error), Some(path)) => app.cannot_write(path, &error),
        (finished, None) => finished,
    }
}

/// Keeps the old file beside the new one.
fn keep(_: &App, args: &ChangeArgs) -> io::Result<()> {
    if !args.backup {
        return Ok(());
    }
    let mut name = args.file.clone().into_os_string();
    name.push(".bak");
    let mut copy = Replacement::new(Path::new(&name))?;
    io::copy(&mut std::fs::File::open(&args.file)?, &mut copy)?;
    copy.finish()
}

/// All of the contents, with one record changed.
fn put(
    app: &mut App,
    output: &mut Output,
    input: &Input,
    framing: Framing,
    record: &Record<'_>,
    edits: Plan<'_>,
) -> io::Result<()> {
    match record.place {
        Place::Byte(start) => {
            let at = start - input.header().len();
            let plan = edits.in_file(input, at, framing.order());
            let plan = plan.map_err(io::Error::other)?;
            plan.pieces().try_for_each(|piece| output.put(app, piece))
        }
        Place::Line(wanted) => {
            let new = edits.to_vec();
            let new = match framing {
                Framing::Hex => encoding::to_hex(&new),
                _ => encoding::to_base64(&new),
            };
            for (n, line) in input.split_inclusive(|byte| *byte == b'\n').enumerate() {
                if n as u64 + 1 != wanted {
                    output.put(app, line)?;
                    continue;
                }
                let text = line.trim_ascii();
                let start = line.len() - line.trim_ascii_start().len();
                output.put(app, &line[..start])?;
                output.put(app, new.as_bytes())?;
                output.put(app, &line[start + text.len()..])?;
            }
            Ok(())
        }
    }
}
