//! The parts that all commands that change files share: options, edits of records, and writing the result.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use gdvar_edit::{Change, DiffOptions, Difference, Edit, EditErrorKind, Plan, diff};
use gdvar_file::{
    Decision,
    records::{Framing, Place, Record},
    with_values,
};
use gdvar_io::replace::Snapshot;
use gdvar_view::{Document, Objects, Step, VariantRef};

use crate::{
    app::{App, files},
    diagnose::whole_record,
    input::{
        bytes::{Input, is_bytes},
        layers,
    },
    locate::lookup::{Lookup, lookup},
    save::{output::Output, whole_objects},
    show::notation,
    terminal::{
        exit::Exit,
        safe_text,
        style::{self, paint},
        words::{plural, record_label},
    },
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
    /// With --in-place: keep the old file beside the new one, as FILE.bak, or FILE.bak2 if that is there
    #[arg(long, conflicts_with_all = ["output", "dry_run"])]
    pub(crate) backup: bool,
    /// Which of several records, counted from 0; -1 is the last (default: 0)
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) record: Option<i64>,
    /// A dry run that does not show the change.
    #[arg(skip)]
    pub(crate) only_check: bool,
}

impl ChangeArgs {
    /// Returns the file that the result goes to, or would go to in a dry run. `None` for standard output.
    pub(crate) fn target(&self) -> Option<&Path> {
        match &self.output {
            _ if self.in_place => Some(&self.file),
            Some(path) if path != Path::new("-") => Some(path),
            _ => None,
        }
    }
}

/// The reason why a change cannot be made, with advice.
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

/// Notes about edits. They are printed once it is known that the edits are possible.
pub(crate) type Notes = Vec<String>;

/// Reports why nothing was changed.
pub(crate) fn refuse(app: &mut App, name: &str, refusal: &Refusal) -> io::Result<()> {
    app.fail(Exit::Findings, &format!("{name}: {}", refusal.message))?;
    match &refusal.help {
        Some(help) => app.warn(&format!("  = help: {}", safe_text::safe(help))),
        None => Ok(()),
    }
}

/// Opens a file, edits one of its values with `make`, and writes the result or shows the changes.
pub(crate) fn change(
    app: &mut App,
    args: &ChangeArgs,
    make: impl FnMut(&mut App, &mut Edit<'_>) -> Result<Notes, Refusal>,
) -> io::Result<()> {
    let Some((input, decision)) = open(app, args)? else {
        return Ok(());
    };
    change_opened(app, args, &input, &decision, make)
}

/// Opens the file that will be changed, or reports why it cannot be opened or changed.
pub(crate) fn open(app: &mut App, args: &ChangeArgs) -> io::Result<Option<(Input, Decision)>> {
    if args.backup && !args.in_place {
        app.usage("--backup keeps the old file of --in-place: add that")?;
        return Ok(None);
    }
    let is_file = || app.target.as_ref().is_some_and(Snapshot::is_file);
    let is_there =
        args.file == Path::new("-") || files::is_file(&args.file) || is_bytes(&args.file);
    if args.target() == Some(&args.file) && is_there && !is_file() {
        let name = args.file.display();
        app.usage(&format!(
            "{name}: not a file that can be replaced; leave --in-place out, or write to a file with -o"
        ))?;
        return Ok(None);
    }
    app.open_decided(&args.file)
}

/// Edits one value of an open file with `make`, and writes the result or shows the changes.
pub(crate) fn change_opened(
    app: &mut App,
    args: &ChangeArgs,
    input: &Input,
    decision: &Decision,
    mut make: impl FnMut(&mut App, &mut Edit<'_>) -> Result<Notes, Refusal>,
) -> io::Result<()> {
    let records = [args.record.unwrap_or(0)];
    change_records(app, args, (input, decision), &records, |app, edit, _| {
        make(app, edit)
    })
}

/// Edits some values of an open file with `make`, and writes the result or shows the changes. `named` has the numbers
/// of the records, each once. The last argument of `make` is an index in `named`.
pub(crate) fn change_records(
    app: &mut App,
    args: &ChangeArgs,
    (input, decision): (&Input, &Decision),
    named: &[i64],
    mut make: impl FnMut(&mut App, &mut Edit<'_>, usize) -> Result<Notes, Refusal>,
) -> io::Result<()> {
    let wanted = named.iter().enumerate().filter_map(|(nth, number)| {
        let number = input.record_number(decision.framing, *number)?;
        Some((number, nth))
    });
    let mut wanted: HashMap<u64, usize> = wanted.collect();
    // One walk finds all records, in the order in which the file is written.
    let mut records = Vec::new();
    for record in input.records(decision.framing) {
        if let Some(nth) = wanted.remove(&record.index) {
            records.push((record, nth));
        }
        if wanted.is_empty() {
            break;
        }
    }
    if records.len() < named.len() {
        let found: HashSet<usize> = records.iter().map(|(_, nth)| *nth).collect();
        let missing = (0..).zip(named).find(|(nth, _)| !found.contains(nth));
        let number = missing.map_or(0, |(_, number)| *number);
        let count = plural(input.records(decision.framing).count() as u64, "record");
        let text = format!("{}: there is no record {number}, only {count}", input.name);
        return app.fail(Exit::Findings, &text);
    }
    let objects = App::policy(input, Objects::Inert);
    let options = app.options(decision.dialect, objects);
    let mut edits = Vec::new();
    let mut notes = Notes::new();
    for (record, nth) in &records {
        let progress = app.progress("reading", input);
        // Refuses to edit a damaged record: after an edit, the damage could not be told from the edit. `recover` is for
        // that.
        if let Err(fault) = whole_record::read(record, options, &progress) {
            return app.fault(input, decision.framing, record, fault, options);
        }
        drop(progress);
        let mut edit = Edit::new(Document::with_options(&record.bytes, options));
        match make(app, &mut edit, *nth) {
            Ok(more) => {
                notes.extend(more);
                // A text such as a ConfigFile holds objects without asking the game.
                if !input.peeled.layers.iter().any(layers::is_document) {
                    let note = whole_objects::first(&edit);
                    let label = record_label(record.index, named.len() != 1);
                    notes.extend(note.map(|note| format!("{label}this puts in {note}")));
                }
            }
            Err(refusal) => return refuse(app, &input.name, &refusal),
        }
        edits.push(edit);
    }
    let mut plans = Vec::new();
    for (edit, (record, _)) in edits.iter().zip(&records) {
        match edit.plan() {
            Ok(plan) => plans.push((record, plan)),
            Err(error) => return impossible(app, (input, decision), record, edit, error),
        }
    }
    for note in notes {
        app.note(&note)?;
    }
    let shown = match args.dry_run && !args.only_check {
        true => plans.clone(),
        false => Vec::new(),
    };
    if !write(app, args, input, decision, plans)? {
        return Ok(());
    }
    for (record, plan) in shown {
        let new = plan.to_vec();
        let old = Document::with_options(&record.bytes, options).root();
        let new = Document::with_options(&new, options).root();
        let in_front = record_label(record.index, named.len() != 1);
        if let (Ok(old), Ok(new)) = (old, new) {
            show(app, old, new, &in_front)?;
        }
    }
    Ok(())
}

/// Reports why edits cannot be made. If a path leads nowhere, says how far it leads; otherwise names the place of the
/// mistake.
fn impossible(
    app: &mut App,
    (input, decision): (&Input, &Decision),
    record: &Record<'_>,
    edit: &Edit<'_>,
    error: gdvar_edit::Error,
) -> io::Result<()> {
    let document = edit.document();
    let path = edit.path(error.edit()).map(gdvar_view::Path::parse);
    if let (EditErrorKind::NoPlace { .. }, Some(Ok(path)), Ok(root)) =
        (error.kind(), path, document.root())
    {
        match lookup(root, &path) {
            Ok(Lookup::Missing(missing)) => {
                app.not_found(&path, &missing)?;
                return app.say_elsewhere(input, decision, record.index, &path);
            }
            Ok(Lookup::Found(..)) => {
                if let Some(refusal) = a_key(&path) {
                    return refuse(app, &input.name, &refusal);
                }
            }
            Err(_) => {}
        }
    }
    let place = document.locate(error.offset()).to_string();
    let mut refusal = Refusal::from(format!("{place}: {}", error.kind()));
    match error.kind() {
        EditErrorKind::Differs => {
            let there = document.get(&place).ok().flatten();
            let there = there.map(|value| notation::start(value, 60));
            refusal.message += &format!(": {}", there.unwrap_or_default());
            refusal.help = Some(DIFFERS.to_owned());
        }
        EditErrorKind::DiffersInLength { .. } => refusal.help = Some(DIFFERS.to_owned()),
        EditErrorKind::KeyExists => {
            let key = edit.new_key(error.edit());
            let key = key.map(|key| Document::with_options(key, document.options()).root());
            if let Some(Ok(key)) = key {
                refusal.message += &format!(": {}", notation::start(key, 60));
            }
            refusal.help = Some(
                "gdvar set replaces its value, gdvar append adds an element to an array; in Godot 4 \
                 [&\"hp\"] and [String(\"hp\")] are one key, and the path hp finds it"
                    .to_owned(),
            );
        }
        _ => {}
    }
    refuse(app, &input.name, &refusal)
}

/// Returns the refusal of a path that leads to a key or into one. `None` for other paths.
fn a_key(path: &gdvar_view::Path<'_>) -> Option<Refusal> {
    let steps = path.steps();
    let (at, pair) = steps.iter().enumerate().find_map(|(at, step)| match step {
        Step::PairKey(pair) => Some((at, *pair)),
        _ => None,
    })?;
    let key: gdvar_view::Path<'_> = steps[..=at].iter().copied().collect();
    let value = steps[..at].iter().copied().chain([Step::PairValue(pair)]);
    let value: gdvar_view::Path<'_> = value.collect();
    Some(Refusal {
        message: format!("{key} is the key of a pair, which is not changed in its place"),
        help: Some(format!(
            "gdvar rename-key FILE '{value}=KEY' gives the pair another key; {value} is its value"
        )),
    })
}

/// The advice if a file differs from what a patch expects.
const DIFFERS: &str = "the patch was made of another file; --force makes its changes all the same";

/// Prints the differences between two values, each on a line that starts with `in_front`. Returns the number of
/// differences.
pub(crate) fn show(
    app: &mut App,
    old: VariantRef<'_>,
    new: VariantRef<'_>,
    in_front: &str,
) -> io::Result<u64> {
    show_below(app, old, new, in_front, "$")
}

/// Prints the differences between two values whose path in their file is `path`, each on a line that starts with
/// `in_front`. Returns the number of differences.
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

/// Prints one difference between two values at the path `base`.
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
    let path = safe_text::safe_line(&format!("{root}{base}{below}")).into_owned();
    let shown = |value| notation::start(value, WIDTH);
    let (sign, style, text) = match one.change() {
        Change::Set { from, to } => {
            let types = if from.kind() == to.kind() {
                String::new()
            } else {
                format!("  ({} -> {})", from.kind(), to.kind())
            };
            let (from, to) = notation::pair(from, to, WIDTH);
            let text = format!("{from} -> {to}{types}");
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

/// A record, with the bytes to replace in it.
type Changed<'p> = (&'p Record<'p>, Plan<'p>);

/// Writes the file with some of its values changed. A dry run does everything except the writing. Returns `false`,
/// after a message, if the file cannot be written.
fn write(
    app: &mut App,
    args: &ChangeArgs,
    input: &Input,
    reading: &Decision,
    plans: Vec<Changed<'_>>,
) -> io::Result<bool> {
    let (framing, dialect) = (reading.framing, reading.dialect);
    let layers = match layers::to_write(&input.peeled.layers, dialect) {
        Ok(layers) => layers,
        Err(text) => {
            app.usage(&format!("{}: {text}", input.name))?;
            return Ok(false);
        }
    };
    let target = args.target();
    let is_text = framing.is_text() && layers.is_empty();
    let instead = "add --in-place, or -o FILE, or see it with --dry-run";
    if !args.dry_run && !is_text && app.refuses_bytes(target, instead)? {
        return Ok(false);
    }
    let nothing = plans.iter().all(|(_, plan)| plan.is_empty());
    let begun = match args.dry_run {
        true => Output::rehearsal(app, layers),
        false => Output::new(app, target, layers),
    };
    // An error of a dry run is about the file that would be written.
    let target = target.or(Some(&*args.file).filter(|_| args.dry_run));
    let done = begun.and_then(|mut output| {
        output.put_header(app, input)?;
        put(app, &mut output, input, framing, plans)?;
        output.put(app, input.trailer())?;
        let copy = if args.backup { output.back_up()? } else { None };
        Ok((output, copy))
    });
    let (output, copy) = match (done, target) {
        (Ok(done), _) => done,
        (Err(error), Some(path)) => {
            app.cannot_write(path, &error)?;
            return Ok(false);
        }
        (Err(error), None) => return Err(error),
    };
    if app.was_cut(input)? {
        return Ok(false);
    }
    match (output.finish(app), target) {
        (Ok(()), _) if args.dry_run => {}
        (Ok(()), Some(path)) => {
            let copy = copy.as_deref().and_then(Path::file_name);
            let copy = copy.map_or_else(String::new, |name| {
                format!(", the old file is {}", name.to_string_lossy())
            });
            let done = if nothing {
                "all of it is already so"
            } else {
                "written"
            };
            app.note(&format!("{}: {done}{copy}", path.display()))?;
        }
        (Err(error), Some(path)) => {
            app.cannot_write(path, &error)?;
            return Ok(false);
        }
        (finished, None) => finished?,
    }
    Ok(true)
}

/// Writes all contents, with some records changed.
fn put(
    app: &mut App,
    output: &mut Output,
    input: &Input,
    framing: Framing,
    plans: Vec<Changed<'_>>,
) -> io::Result<()> {
    if framing.is_text() {
        let changed = plans.iter();
        let changed = changed.map(|(record, edits)| (record.index, edits.to_vec()));
        let changed: BTreeMap<u64, Vec<u8>> = changed.collect();
        let changed = changed.iter().map(|(record, new)| (*record, &new[..]));
        let file = with_values(input, 0, framing, &changed.collect());
        return output.put(app, &file.map_err(io::Error::other)?);
    }
    let mut whole: Option<Plan<'_>> = None;
    for (record, edits) in plans {
        let Place::Byte(start) = record.place else {
            continue;
        };
        let at = start - input.header().len();
        let plan = edits.in_file(input, at, framing.order());
        let plan = plan.map_err(io::Error::other)?;
        whole = Some(match whole {
            Some(before) => before.then(plan),
            None => plan,
        });
    }
    match whole {
        Some(plan) => plan.pieces().try_for_each(|piece| output.put(app, piece)),
        None => output.put(app, input),
    }
}
