//! `set`, `insert`, `append`, `del` and `rename-key`: change single values, and leave all other bytes unchanged.

use std::{borrow::Cow, io, rc::Rc};

use clap::Args;
use gdvar_edit::{
    Edit, Place,
    fit::{self, FitError},
    places as find_places,
};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Dialect, Document, Found, Kind, Objects, Path, Pattern, ReadOptions, VariantRef};
use gdvar_write::{Precision, Target};

mod sum;

use crate::{
    app::App,
    locate::lookup::{Lookup, lookup},
    save::{
        change::{ChangeArgs, Notes, Refusal, change, change_opened, open},
        widths,
    },
    show::summary,
};

#[derive(Args, Debug)]
#[command(after_help = "\
Values are written as in Godot: 999, 1.5, true, \"text\", &\"name\", Vector2(1, 2), [1, 2], {\"a\": 1}. \
A number takes the type of the old one if that type can hold it (2.0 becomes the int 2 where an int was), also inside \
a new dictionary, key by key, and inside a new array of the same length, place by place. What goes into a typed \
container takes the container's type or is refused; a list that replaces a packed array becomes one. Paths refer to the file before the change; pairs are counted from \
0, so write {2} for the third one if its key is not a plain name. Nothing but the \
value, counts and lengths changes, and a compressed or encrypted file stays one. Parts are set too: pos.x, \
xform.basis.x, box.end, ids[3]; and party[*].hp sets that of each. gold+=50 and gold-=50 add to a number. Several changes in one call are one write.

Examples:
  gdvar set slot1.dat 'party[0].hp=999' --in-place
  gdvar set slot1.dat 'player.name=\"Ann\"' 'player.pos.x=1.5' --dry-run
  gdvar set slot1.dat gold+=500 'party[*].hp-=10' -o slot2.dat
  gdvar set slot1.dat 'flags.met_king=true' -o slot2.dat       a new key is added at the end
  gdvar insert slot1.dat 'items[0]=\"sword\"' --in-place --backup")]
pub(crate) struct SetArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// Which values, and what they become
    #[arg(required = true, value_name = "PATH=VALUE")]
    pub(crate) values: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar append slot1.dat 'party[0].items=&\"potion\"' --in-place")]
pub(crate) struct AppendArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// Which arrays, and what is added at their ends
    #[arg(required = true, value_name = "PATH=VALUE")]
    pub(crate) values: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar del slot1.dat 'party[2]' quests.lost_cat --in-place")]
pub(crate) struct DelArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// The values to remove
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
The key becomes a text of the old one's type; written as in Godot it may be anything: &\"hp\", 3, \
Vector2i(5, 9). The pair stays where it is.

Examples:
  gdvar rename-key slot1.dat player.hp=health --in-place
  gdvar rename-key slot1.dat 'levels[3]=4' --in-place")]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// Which keys, and what they become
    #[arg(required = true, value_name = "PATH=KEY")]
    pub(crate) keys: Vec<String>,
}

/// Splits `PATH=VALUE` at the first `=` that follows a valid path. Trims only ASCII blanks around the path, because
/// any other white space may be part of a key.
pub(crate) fn split(text: &str) -> Result<(&str, &str), Refusal> {
    let mut places = text.match_indices('=').map(|(place, _)| place);
    let first = places.clone().next();
    let place = places.find(|place| Pattern::parse(text[..*place].trim_ascii()).is_ok());
    let message = match (place, first) {
        (Some(place), _) if text[..place].trim_ascii().is_empty() => {
            format!("{text:?} has no path in front of `=`; $ is the whole value")
        }
        (Some(place), _) => return Ok((text[..place].trim_ascii(), &text[place + 1..])),
        (None, Some(first)) => {
            let path = &text[..first];
            let why = Path::parse(path).map_or_else(|error| error.to_string(), |_| String::new());
            format!("{path:?}: {why}")
        }
        (None, None) => format!("{text:?} has no `=` between path and value"),
    };
    let slashes = text[..first.unwrap_or(0)].matches('/').count();
    let dotted = text.replacen('/', ".", slashes);
    let is_path = first.is_some_and(|first| Path::parse(dotted[..first].trim_ascii()).is_ok());
    let help = match slashes > 0 && is_path {
        true => format!("dots separate names: '{dotted}'"),
        false => "write PATH=VALUE, for instance 'party[0].hp=999'".to_owned(),
    };
    Err(Refusal {
        message,
        help: Some(help),
    })
}

/// Returns the paths that a path or pattern matches. `party[*].hp` gives one path for each member.
fn places(edit: &Edit<'_>, text: &str) -> Result<Vec<String>, Refusal> {
    if Path::parse(text).is_ok() {
        return Ok(vec![text.to_owned()]);
    }
    let pattern = Pattern::parse(text).map_err(|error| format!("{text:?}: {error}"))?;
    let root = edit.document().root().map_err(Refusal::from)?;
    let mut found = root.select(&pattern);
    let mut paths = Vec::new();
    while found.try_next().map_err(Refusal::from)?.is_some() {
        paths.push(found.path().to_string());
    }
    match paths.is_empty() {
        true => Err(format!("{text}: there is no such value").into()),
        false => Ok(paths),
    }
}

/// Returns the options for parsing a value in Godot's notation that will be put into the document `like`. If `wide` is
/// `true`, reals are doubles.
pub(crate) fn notation(app: &App, like: Document<'_>, wide: bool) -> ParseOptions {
    let dialect = like.options().dialect();
    let precision = if wide {
        Precision::Double
    } else {
        Precision::Single
    };
    ParseOptions::new(Target::from(dialect).with_precision(precision))
        .with_objects(app.global.objects.map_or(Objects::Inert, Objects::from))
        .with_limits(app.limits(dialect))
        .with_whole(true)
}

/// Parses a value in Godot's notation, and returns its bytes.
pub(crate) fn value(
    app: &App,
    text: &str,
    like: Document<'_>,
    wide: bool,
) -> Result<Vec<u8>, Refusal> {
    let dialect = like.options().dialect();
    let spelled = node_paths(text);
    let parsed = parse_godot(&spelled, &notation(app, like, wide)).map_err(|error| Refusal {
        message: format!("{text:?} is not a value: {error}"),
        help: help(text.trim(), dialect),
    })?;
    match parsed.emptied.is_empty() {
        true => Ok(parsed.bytes),
        false => Err(format!(
            "{text:?}: a child does not fit the type of its container, and the engine makes an empty container then"
        )
        .into()),
    }
}

/// Replaces `^"A/B"`, which is how the commands print a NodePath, by `NodePath("A/B")`, which is the engine's notation.
fn node_paths(text: &str) -> Cow<'_, str> {
    if !text.contains("^\"") {
        return text.into();
    }
    let mut out = String::new();
    let (mut quoted, mut escaped, mut is_path) = (false, false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '^' && !quoted && chars.peek() == Some(&'"') {
            out += "NodePath(";
            is_path = true;
            continue;
        }
        out.push(c);
        if c == '"' && !escaped {
            quoted = !quoted;
            if is_path && !quoted {
                out.push(')');
                is_path = false;
            }
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    out.into()
}

/// Returns advice for a text that could not be parsed as a value: to write a type's name before `(`, to use the
/// dialect's name of a type, or to put text in quotes. `None` if none of these helps.
fn help(text: &str, dialect: Dialect) -> Option<String> {
    let text = text.trim_matches('\'');
    if text.starts_with('(') {
        return Some(format!(
            "write the name of the type in front, for instance Vector2{text}"
        ));
    }
    if let Some((name, _)) = text.split_once('(') {
        let is_it = |kind: &&Kind| {
            let mut names = Dialect::ALL
                .iter()
                .map(|other| summary::kind_name(*other, **kind));
            kind.name() == name || names.any(|other| other == name)
        };
        let kind = *Kind::ALL.iter().find(is_it)?;
        let (own, engine) = (summary::kind_name(dialect, kind), dialect.title());
        return match dialect.type_id(kind) {
            None => Some(format!("{engine} has no {name}")),
            Some(_) if own != name => Some(format!("{engine} calls it {own}")),
            Some(_) => None,
        };
    }
    let is_text = !text.starts_with(['"', '[', '{', '&', '^', '@']);
    is_text.then(|| {
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        format!("write text in quotes: '\"{quoted}\"'")
    })
}

/// Converts a value to the type that the place at `path` needs. Fails if that is impossible.
pub(crate) fn fitted(document: Document<'_>, path: &str, value: &[u8]) -> Result<Vec<u8>, Refusal> {
    let fitted = fit::set(document, path, value);
    fitted.map_err(|error| misfit(path, value, document.options(), error))
}

/// Converts a value with `how` to the type that `place` needs. Unlike [`fitted`], does not look up the path; `path` is
/// only for messages.
fn fitted_at(place: Place<'_>, path: &str, value: &[u8], how: Fit) -> Result<Vec<u8>, Refusal> {
    let fitted = how(place, value);
    fitted.map_err(|error| misfit(path, value, place.owner().options(), error))
}

/// Returns the message about the part of a value that does not fit.
fn misfit(path: &str, value: &[u8], options: ReadOptions, error: FitError) -> Refusal {
    format!("{}: {error}", error.path(path, value, options)).into()
}

/// One of [`fit::set_at`], [`fit::insert_at`] and [`fit::append_at`].
type Fit = fn(Place<'_>, &[u8]) -> Result<Vec<u8>, FitError>;

/// Finds the places of all paths in one walk.
fn find<'a>(document: Document<'a>, paths: &[String]) -> Result<Vec<Place<'a>>, Refusal> {
    let parsed = paths.iter().map(|path| {
        let parsed = Path::parse(path);
        parsed.map_err(|error| Refusal::from(format!("{path:?}: {error}")))
    });
    let parsed: Vec<Path<'_>> = parsed.collect::<Result<_, _>>()?;
    find_places(document, &parsed).map_err(Refusal::from)
}

/// A new value for a place.
pub(crate) struct Assigned {
    /// The path of the place: a single path, not a pattern.
    pub(crate) path: String,
    /// The bytes of the new value.
    pub(crate) bytes: Vec<u8>,
    /// The old type and the new type, if they differ.
    pub(crate) types: Option<(String, String)>,
    /// `true` if there is no value at the place yet.
    pub(crate) is_new: bool,
}

/// Parses `text` as the new value for the place at `path`.
pub(crate) fn assigned(
    app: &App,
    edit: &Edit<'_>,
    path: &str,
    text: &str,
) -> Result<Assigned, Refusal> {
    let paths = [path.to_owned()];
    let document = edit.document();
    let is_double = widths::is_double(document);
    match find(document, &paths)?.first() {
        Some(place) => assigned_at(app, (document, is_double), (path, *place), text),
        None => Err(format!("{path}: there is no such value").into()),
    }
}

/// Parses `text` as the new value for a place that was looked up already. `is_double` is what [`widths::is_double`]
/// says of the document.
fn assigned_at(
    app: &App,
    (document, is_double): (Document<'_>, bool),
    (path, place): (&str, Place<'_>),
    text: &str,
) -> Result<Assigned, Refusal> {
    let new = |bytes| Assigned {
        path: path.to_owned(),
        bytes,
        types: None,
        is_new: false,
    };
    let old = match place.found() {
        Some(Found::Value(old)) => old,
        // The component of a vector or the element of a packed array is as wide as the value around it.
        Some(Found::Part(_)) => {
            let wide = place.owner().is_wide();
            return Ok(new(value(app, text, document, wide)?));
        }
        None => {
            let bytes = value(app, text, document, is_double)?;
            return Ok(Assigned {
                is_new: true,
                ..new(fitted_at(place, path, &bytes, fit::set_at)?)
            });
        }
    };
    let bytes = value(app, text, document, widths::as_in(old, is_double))?;
    let bytes = fitted_at(place, path, &bytes, fit::set_at)?;
    let was = summary::type_of(old);
    let root = Document::with_options(&bytes, old.options()).root();
    let types = root.ok().map(|root| (was, summary::type_of(root)));
    Ok(Assigned {
        types: types.filter(|(was, is)| was != is && !old.is_nil()),
        ..new(bytes)
    })
}

/// The largest number of missing keys for which a similar key is suggested. Each suggestion takes another walk over the
/// values.
const MOST_HINTS: usize = 16;

pub(crate) fn set(app: &mut App, args: &SetArgs) -> io::Result<()> {
    let Some((input, decision)) = open(app, &args.change)? else {
        return Ok(());
    };
    change_opened(app, &args.change, &input, &decision, |app, edit| {
        let mut notes = Notes::new();
        let (mut paths, mut wanted) = (Vec::new(), Vec::new());
        for text in &args.values {
            let (pattern, sign, text) = match sum::split(text) {
                Some((pattern, sign, text)) => (pattern, Some(sign), text),
                None => split(text).map(|(pattern, text)| (pattern, None, text))?,
            };
            for path in places(edit, pattern)? {
                paths.push(path);
                wanted.push((pattern, sign, text));
            }
        }
        let document = edit.document();
        let found = find(document, &paths)?;
        let like = (document, widths::is_double(document));
        let mut hints = 0;
        for ((path, place), (pattern, sign, text)) in paths.iter().zip(found).zip(wanted) {
            let new = match sign {
                Some(sign) => {
                    let amount = value(app, text, document, false)?;
                    let sum = sum::of(place, path, sign, &amount)?;
                    assigned_at(app, like, (path, place), &sum)?
                }
                None => assigned_at(app, like, (path, place), text)?,
            };
            if let Some((was, is)) = &new.types {
                notes.push(format!("{path}: was {was}, becomes {is}"));
            }
            if new.is_new {
                hints += 1;
                let mut hint = None;
                if hints <= MOST_HINTS {
                    let but = args.change.record.unwrap_or(0);
                    let but = input.record_number(decision.framing, but);
                    let path = Path::parse(path).ok();
                    let other = path.zip(but);
                    let other =
                        other.and_then(|(path, but)| app.elsewhere(&input, &decision, but, &path));
                    let other =
                        other.map(|record| format!("; record {record} has it: --record {record}"));
                    hint = other.or_else(|| meant(edit, pattern));
                }
                let hint = hint.unwrap_or_default();
                notes.push(format!("{pattern}: added, it was not there{hint}"));
            }
            edit.set(&new.path, &new.bytes);
        }
        Ok(notes)
    })
}

/// Returns `; did you mean KEY?` with the existing key that is most similar to the missing one.
fn meant(edit: &Edit<'_>, path: &str) -> Option<String> {
    let path = Path::parse(path).ok()?;
    match lookup(edit.document().root().ok()?, &path) {
        Ok(Lookup::Missing(missing)) => missing.meant.map(|key| format!("; did you mean {key}?")),
        _ => None,
    }
}

pub(crate) fn insert(app: &mut App, args: &SetArgs) -> io::Result<()> {
    add(
        app,
        &args.change,
        &args.values,
        fit::insert_at,
        |edit, path, value| {
            edit.insert(path, value);
        },
    )
}

pub(crate) fn append(app: &mut App, args: &AppendArgs) -> io::Result<()> {
    add(
        app,
        &args.change,
        &args.values,
        fit::append_at,
        |edit, path, value| {
            edit.append(path, value);
        },
    )
}

/// Adds new values for `insert` or `append`. `how` fits a value to its place; `one` adds it to the edit.
fn add(
    app: &mut App,
    args: &ChangeArgs,
    values: &[String],
    how: Fit,
    one: impl Fn(&mut Edit<'_>, &str, &[u8]),
) -> io::Result<()> {
    change(app, args, |app, edit| {
        let document = edit.document();
        let is_double = widths::is_double(document);
        let (mut paths, mut added) = (Vec::new(), Vec::new());
        for text in values {
            let (pattern, text) = split(text)?;
            let new = Rc::new(value(app, text, document, is_double)?);
            paths.extend(places(edit, pattern)?);
            added.resize(paths.len(), new);
        }
        for ((path, place), new) in paths.iter().zip(find(document, &paths)?).zip(added) {
            let new = fitted_at(place, path, &new, how)?;
            one(edit, path, &new);
        }
        Ok(Notes::new())
    })
}

pub(crate) fn del(app: &mut App, args: &DelArgs) -> io::Result<()> {
    change(app, &args.change, |_, edit| {
        for pattern in &args.paths {
            for path in places(edit, pattern)? {
                edit.remove(&path);
            }
        }
        Ok(Notes::new())
    })
}

pub(crate) fn rename_key(app: &mut App, args: &RenameArgs) -> io::Result<()> {
    change(app, &args.change, |app, edit| {
        let document = edit.document();
        let is_double = widths::is_double(document);
        let (mut paths, mut renamed) = (Vec::new(), Vec::new());
        for text in &args.keys {
            let (pattern, text) = split(text)?;
            let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_')
                && text.starts_with(|c: char| !c.is_ascii_digit());
            let quoted = format!("\"{text}\"");
            let text = if is_word { &quoted } else { text };
            let key = Rc::new(value(app, text, document, is_double)?);
            paths.extend(places(edit, pattern)?);
            renamed.resize(paths.len(), (key, text.starts_with('"')));
        }
        for ((path, place), (key, is_text)) in
            paths.iter().zip(find(document, &paths)?).zip(renamed)
        {
            match place.key().map(VariantRef::kind) {
                Some(Kind::StringName) if is_text => {
                    edit.rename_key(path, &string_name(&key, document));
                }
                _ => {
                    edit.rename_key(path, &key);
                }
            }
        }
        Ok(Notes::new())
    })
}

/// Converts the encoded text `key` to a StringName, which has the same payload.
fn string_name(key: &[u8], document: Document<'_>) -> Vec<u8> {
    let id = document.options().dialect().type_id(Kind::StringName);
    match (id, key) {
        (Some(id), [_, rest @ ..]) => [&[id.0], rest].concat(),
        _ => key.to_vec(),
    }
}
