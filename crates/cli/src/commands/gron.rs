//! `gron`: prints a line for every value, and makes a file of such lines.

mod keys;

use std::{io, path::Path as FilePath};

use clap::Args;
use gdvar::{Variant, error::SetPathError};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{
    Document, Found, Kind, Objects, Path, PayloadWords, SimpleKey, Step, VariantRef, path_end,
};
use gdvar_write::Target;

use keys::Keys;

use crate::{
    app::{App, files, records::Stop},
    commands::notations::{self, FromArgs, MARK, NO_WIDTHS, Origin, WayBack, any_bytes, make},
    diagnose::{fault::Fault, whole_record},
    locate::{
        lookup::{Lookup, lookup},
        paths::{PathEvent, Paths},
    },
    show::{notation, value},
};

#[derive(Args, Debug)]
#[command(after_help = "\
Each value has its own line, with its path in front: grep, sed, sort and diff do the rest. Values \
are in Godot's notation. A container has a line with an empty container, before the lines of its \
children; a key that is a StringName is written [&\"name\"]. A key that is a NodePath, a container or an \
array has a line of its own, {3:key}, before the lines of its value, {3}. -u makes a file of such lines: the \
same values, if the lines are all there. Elements of arrays that are missing become null. What is around \
the values, such as compression, is not in the lines; a note says what puts it back.

Examples:
  gdvar gron slot1.dat | grep gold
  gdvar gron slot1.dat party[0]
  gdvar gron saves/ gold                 the value in every save, with the file's name in front
  gdvar gron slot1.dat | sed 's/^party\\[0\\].hp = .*/party[0].hp = 999;/' | gdvar gron -u - -o new.dat")]
pub(crate) struct GronArgs {
    #[command(flatten)]
    pub(crate) from: FromArgs,
    /// More files; a path comes last: print only what is there
    #[arg(value_name = "FILE|PATH")]
    more: Vec<String>,
    /// Make a file of lines; of records of Godot 4, unless the first line says otherwise
    #[arg(short, long)]
    ungron: bool,
}

pub(crate) fn run(app: &mut App, args: &GronArgs) -> io::Result<()> {
    if args.ungron {
        return ungron(app, &args.from);
    }
    if let Some(path) = args.from.output.path() {
        let path = path.display();
        return app.usage(&format!(
            "-o {path} is the file that -u makes of lines; for a file of lines write: gdvar gron FILE > {path}"
        ));
    }
    let (named, path) = files::and_path(args.from.file.as_path(), &args.more);
    let text = path.unwrap_or("$");
    let Some(path) = app.parse_path(text)? else {
        return Ok(());
    };
    let files = app.files(&named)?;
    let name_files = files.len() > 1;
    app.each(&files, |app, file| one(app, file, &path, name_files))?;
    Ok(())
}

/// Prints the lines of a file. If there are several files, each line starts with the file's name.
fn one(app: &mut App, file: &FilePath, path: &Path<'_>, name_files: bool) -> io::Result<()> {
    let Some(input) = app.open(file)? else {
        return Ok(());
    };
    let lead = match name_files {
        true => format!("{}: ", input.shown()),
        false => String::new(),
    };
    let Some(decision) = app.decision(&input)? else {
        return Ok(());
    };
    app.note_left_out(&input)?;
    let progress = app.progress("reading", &input);
    // Lines of several files, or of a part of a file, are not read back.
    let (note, losses) = match name_files || !path.steps().is_empty() {
        true => (None, Vec::new()),
        false => notations::before(app, &input, &decision, WayBack::Ungron)?,
    };
    if let Some(note) = note {
        app.raw(format!("# {MARK} {note}\n").as_bytes())?;
    }
    // A record without a value at the path is an error only if no record has one.
    let mut found_any = false;
    let mut nowhere = None;
    let mut trailing = 0;
    let records = input.records(decision.framing);
    app.each_record(
        (&input, &decision),
        records,
        App::showing,
        |app, record, options| {
            // Programs read the lines, so half a value would mislead them.
            let read = whole_record::read(record, options, &progress);
            let found = read.and_then(|end| {
                trailing += u64::from(end < record.bytes.len());
                let root = whole_record::root(record, options)?;
                lookup(root, path).map_err(Fault::Read)
            });
            if record.index > 0 && !matches!(found, Ok(Lookup::Missing(_))) {
                app.raw(format!("{lead}# record {}\n", record.index).as_bytes())?;
            }
            found_any |= !matches!(found, Ok(Lookup::Missing(_)));
            match found? {
                Lookup::Found(Found::Value(value), _) => lines(app, value, path, &lead)?,
                Lookup::Found(part, _) => {
                    let text = value::notation(part)?;
                    let path = path.to_string();
                    let path = path.trim_start_matches(['$', '.']);
                    app.raw(&[lead.as_bytes(), path.as_bytes(), b" = ", &text, b";\n"].concat())?;
                }
                Lookup::Missing(missing) => {
                    nowhere.get_or_insert(missing);
                }
            }
            Ok(())
        },
    )?;
    app.note_left_out_after(trailing)?;
    notations::after(app, &losses)?;
    match nowhere.filter(|_| !found_any) {
        Some(missing) => app.not_found(path, &missing),
        None => Ok(()),
    }
}

/// Prints the lines of a value.
pub(crate) fn lines(
    app: &mut App,
    value: VariantRef<'_>,
    path: &Path<'_>,
    lead: &str,
) -> Result<(), Stop> {
    let start = path.to_string();
    let start = start.strip_prefix("$.").or(start.strip_prefix('$'));
    let mut paths = Paths::new(value, start.unwrap_or_default()).exact();
    while let Some(place) = paths.try_next()? {
        let value = match place {
            PathEvent::Value(value) => value,
            PathEvent::Key(key) => {
                // A step like `{3}` does not show the key, so the key gets a line.
                if let Some(pair) = paths.path().strip_suffix('}') {
                    let (pair, text) = (pair.as_bytes(), notation::exact(key)?);
                    app.raw(&[lead.as_bytes(), pair, b":key} = ", &text, b";\n"].concat())?;
                }
                continue;
            }
            PathEvent::Property(_) => continue,
        };
        let is_object = value.kind() == Kind::Object;
        let text = if value.has_children() && !is_object {
            empty(value)?
        } else {
            notation::exact(value)?
        };
        let path = paths.path().as_bytes();
        app.raw(&[lead.as_bytes(), path, b" = ", &text, b";\n"].concat())?;
        // An object has a single line with all its contents.
        if is_object && value.has_children() {
            paths.pass()?;
        }
    }
    Ok(())
}

/// Returns the text of a container of the same type without its contents.
fn empty(value: VariantRef<'_>) -> Result<Vec<u8>, gdvar_view::Error> {
    let first = match (value.as_array(), value.as_dict()) {
        (Some(array), _) => array.iter().try_next()?,
        (_, Some(dict)) => dict.iter().try_next()?.map(|(key, _)| key),
        _ => None,
    };
    let Some(first) = first else {
        return notation::exact(value);
    };
    let mut head = PayloadWords::of(value).bytes[value.offset()..first.offset()].to_vec();
    let count = head.len().saturating_sub(4);
    head[count..].fill(0);
    let document = Document::with_options(&head, value.options());
    notation::exact(document.root()?)
}

/// The largest number of array elements that may be missing among the lines.
const GAPS: usize = 10_000;

/// Makes a file from lines.
fn ungron(app: &mut App, args: &FromArgs) -> io::Result<()> {
    if args.keeps_widths() {
        return app.usage(NO_WIDTHS);
    }
    let mut line = 0;
    make(
        app,
        args,
        |text| {
            let first = text.split(|byte| *byte == b'\n').next()?;
            let first = std::str::from_utf8(first).ok()?;
            Origin::read(first.strip_prefix("# ")?.strip_prefix(MARK)?)
        },
        any_bytes,
        |app, text, at, target| {
            let (value, end) = value_of(app, text, at, target, &mut line)?;
            let bytes = value.to_vec(target).map_err(|error| error.to_string())?;
            Ok((bytes, end))
        },
    )
}

/// Reads the lines of one record from the offset `at` on. Returns the value and the offset after its lines, and adds
/// the number of lines to `line`.
fn value_of(
    app: &App,
    text: &[u8],
    at: usize,
    target: Target,
    line: &mut usize,
) -> Result<(Variant, usize), String> {
    let options = ParseOptions::new(target)
        .with_objects(app.global.objects.map_or(Objects::Inert, Objects::from))
        .with_limits(app.limits(target.dialect()));
    let mut value = Variant::Nil;
    let mut keys = Keys::default();
    let mut gaps = 0;
    let mut end = at;
    let mut some = false;
    while end < text.len() {
        let rest = &text[end..];
        let next = rest.iter().position(|&byte| byte == b'\n');
        let next = next.map_or(rest.len(), |next| next + 1);
        let one = rest[..next].trim_ascii();
        if one.starts_with(b"# record ") && some {
            break;
        }
        end += next;
        *line += 1;
        if one.is_empty() || one.starts_with(b"#") {
            continue;
        }
        some = true;
        let here = |error: &dyn std::fmt::Display| format!("line {line}: {error}");
        let one = std::str::from_utf8(one).map_err(|_| here(&"not UTF-8"))?;
        let (path, text) = split(one).ok_or_else(|| here(&"this is not `path = value;`"))?;
        let parsed = parse_godot(text, &options).map_err(|error| here(&error))?;
        let read = Variant::from_slice_with(
            &parsed.bytes,
            gdvar_view::ReadOptions::new(target.dialect()).with_objects(Objects::Inert),
        );
        let read = read.map_err(|error| here(&error))?;
        let done = match path.steps() {
            [dict @ .., Step::PairKey(pair)] => keys.add(&mut value, dict, *pair, read),
            steps => match keys.place(steps) {
                Ok(steps) => put(&mut value, &steps, read, target, &mut gaps),
                Err(error) => Err(error),
            },
        };
        done.map_err(|error| here(&error))?;
    }
    Ok((value, end))
}

/// Splits a line into its path and its value, at the first ` = ` outside quotes. Trims only ASCII blanks, because any
/// other white space may be the end of a key.
fn split(line: &str) -> Option<(Path<'_>, &str)> {
    let line = line.strip_suffix(';').unwrap_or(line);
    let end = path_end(line, |rest| rest.starts_with(" = "));
    let path = Path::parse(line[..end].trim_ascii_end()).ok()?;
    Some((path, line.get(end + 3..)?.trim_ascii_start()))
}

/// Sets the value at the path of these steps. Creates missing containers, and puts null for missing elements before an
/// index. The number of those elements is added to `gaps`. Walks the path once, because a deep value has many lines
/// with long paths.
fn put(
    root: &mut Variant,
    steps: &[Step<'_>],
    value: Variant,
    target: Target,
    gaps: &mut usize,
) -> Result<(), String> {
    let mut place = root;
    for (n, &step) in steps.iter().enumerate() {
        if let Step::Index(index) = step {
            if place.is_nil() && index >= 0 {
                *place = Variant::from(gdvar::Array::new());
            }
            if let (Some(array), Ok(index)) = (place.as_array_mut(), usize::try_from(index)) {
                *gaps += index.saturating_sub(array.len());
                if *gaps > GAPS {
                    let path: Path<'_> = steps.iter().copied().collect();
                    return Err(format!(
                        "more than {GAPS} elements are missing before {path}"
                    ));
                }
                while array.len() <= index {
                    array.push(Variant::Nil);
                }
            }
        }
        if let Some(key) = reals_key(place, step) {
            let found = place.as_dict_mut();
            let found = found.and_then(|dict| keys::under_reals(dict, key, target));
            place = found.ok_or_else(|| {
                let engine = target.dialect().title();
                format!("{engine} has no {}, as in the key [{key}]", key.kind())
            })?;
            continue;
        }
        let one: Path<'_> = [step].into_iter().collect();
        let nowhere = |error| match error {
            SetPathError::NoPlace { kind, len, .. } => {
                SetPathError::NoPlace { step: n, kind, len }.to_string()
            }
            error => error.to_string(),
        };
        if !matches!(place.get_path_mut(&one), Ok(Some(_))) {
            place.set_path(&one, Variant::Nil).map_err(nowhere)?;
        }
        place = match place.get_path_mut(&one) {
            Ok(Some(child)) => child,
            _ => return Err(format!("{one} leads nowhere")),
        };
    }
    *place = value;
    Ok(())
}

/// Returns the key of a step that [`keys::under_reals`] finds in `place`.
fn reals_key(place: &Variant, step: Step<'_>) -> Option<SimpleKey> {
    match step {
        Step::Key(key) if keys::has_reals(key) => place.as_dict().map(|_| key),
        _ => None,
    }
}
