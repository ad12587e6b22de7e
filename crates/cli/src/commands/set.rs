//! `set`, `insert`, `append`, `del` and `rename-key`: changes of single values, all other bytes the same.

use std::io;

use clap::Args;
use gdvar_edit::{
    Edit,
    fit::{self, FitError},
};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Document, Kind, Objects, Path, VariantRef};
use gdvar_write::{Precision, Target, Writer};

use crate::{
    app::App,
    brief,
    edited::{ChangeArgs, Notes, Refusal, change},
    lookup::{Lookup, lookup},
};

/// Of `set` and `insert`.
#[derive(Args, Debug)]
#[command(after_help = "\
Values are written as in Godot: 999, 1.5, true, \"text\", &\"name\", Vector2(1, 2), [1, 2], {\"a\": 1}. \
A number takes the type of the old one where it is the same number in it, and what goes into a typed \
container takes the container's type or is refused. All paths are those of the file as it is; {2} and the like stand for keys that are no plain names. Nothing but the \
value, counts and lengths changes, and a compressed or encrypted file stays one.

Examples:
  gdvar set slot1.dat 'party[0].hp=999' --in-place
  gdvar set slot1.dat 'player.name=\"Ann\"' 'player.pos.x=1.5' --dry-run
  gdvar set slot1.dat 'flags.met_king=true' -o slot2.dat       a new key is added at the end
  gdvar insert slot1.dat 'items[0]=\"sword\"' --in-place --backup")]
pub(crate) struct SetArgs {
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// Which values, and what they become
    #[arg(required = true, value_name = "PATH=VALUE")]
    pub(crate) values: Vec<String>,
}

/// Of `append`.
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

/// Of `del`.
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

/// Of `rename-key`.
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

/// Path and value of `PATH=VALUE`. An `=` in brackets or quotes belongs to the path.
pub(crate) fn split(text: &str) -> Result<(&str, &str), Refusal> {
    let (mut quoted, mut escaped, mut depth) = (false, false, 0_i32);
    let place = text.find(|c| {
        let is_it = c == '=' && !quoted && depth == 0;
        match c {
            '"' if !escaped => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
        is_it
    });
    match place {
        Some(place) => Ok((&text[..place], &text[place + 1..])),
        None => Err(Refusal {
            message: format!("{text:?} has no `=` between path and value"),
            help: Some("write PATH=VALUE, for instance 'party[0].hp=999'".to_owned()),
        }),
    }
}

/// The options for a value written in Godot's notation, to be put into a file like that.
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

/// The bytes of a value written in Godot's notation.
pub(crate) fn value(
    app: &App,
    text: &str,
    like: Document<'_>,
    wide: bool,
) -> Result<Vec<u8>, Refusal> {
    parse_godot(text, &notation(app, like, wide))
        .map(|parsed| parsed.bytes)
        .map_err(|error| Refusal {
            message: format!("{text:?} is no value: {error}"),
            help: text
                .chars()
                .next()
                .filter(|c| c.is_alphabetic())
                .map(|_| format!("texts stand in quotes: '\"{}\"'", text.trim())),
        })
}

/// The bytes of a value as an edit takes them: in the types of its place, or why it has none of them.
pub(crate) fn fitted(
    document: Document<'_>,
    path: &str,
    value: &[u8],
    how: Fit,
) -> Result<Vec<u8>, Refusal> {
    how(document, path, value).map_err(|error| {
        let inner = Document::with_options(value, document.options());
        let inner = inner.locate(error.offset()).to_string();
        let path = if path.is_empty() { "$" } else { path };
        let part = inner.strip_prefix('$').unwrap_or_default();
        format!("{path}{part}: {error}").into()
    })
}

/// [`fit::set`], [`fit::insert`] or [`fit::append`].
pub(crate) type Fit = fn(Document<'_>, &str, &[u8]) -> Result<Vec<u8>, FitError>;

/// The value at a path now.
fn old<'a>(edit: &Edit<'a>, path: &str) -> Result<Option<VariantRef<'a>>, Refusal> {
    edit.document()
        .get(path)
        .map_err(|error| format!("{path}: {error}").into())
}

/// A value and its place.
pub(crate) struct Assigned {
    /// The path of what is replaced: of a component that of the vector.
    pub(crate) path: String,
    /// The new bytes there.
    pub(crate) bytes: Vec<u8>,
    /// The old type and the new one, where they differ.
    pub(crate) types: Option<(String, String)>,
    /// `true` if nothing stands there yet.
    pub(crate) is_new: bool,
}

/// Reads a new value for what stands at a path.
pub(crate) fn assigned(
    app: &App,
    edit: &Edit<'_>,
    path: &str,
    text: &str,
) -> Result<Assigned, Refusal> {
    let document = edit.document();
    let new = |path: &str, bytes| Assigned {
        path: path.to_owned(),
        bytes,
        types: None,
        is_new: false,
    };
    let Some(old) = old(edit, path)? else {
        return match part(app, edit, path, text)? {
            Some((whole, bytes)) => Ok(new(&whole, bytes)),
            None => {
                let bytes = value(app, text, document, false)?;
                Ok(Assigned {
                    is_new: true,
                    ..new(path, fitted(document, path, &bytes, fit::set)?)
                })
            }
        };
    };
    let bytes = value(app, text, document, old.is_wide())?;
    let bytes = fitted(document, path, &bytes, fit::set)?;
    let was = brief::type_of(old);
    let root = Document::with_options(&bytes, old.options()).root();
    let types = root.ok().map(|root| (was, brief::type_of(root)));
    Ok(Assigned {
        types: types.filter(|(was, is)| was != is && !old.is_nil()),
        ..new(path, bytes)
    })
}

/// Runs `set`.
pub(crate) fn set(app: &mut App, args: &SetArgs) -> io::Result<()> {
    change(app, &args.change, |app, edit| {
        let mut notes = Notes::new();
        for text in &args.values {
            let (path, text) = split(text)?;
            let new = assigned(app, edit, path, text)?;
            if let Some((was, is)) = &new.types {
                notes.push(format!("{path}: was {was}, becomes {is}"));
            }
            if new.is_new {
                let meant = meant(edit, path).unwrap_or_default();
                notes.push(format!("{path}: added, it was not there{meant}"));
            }
            edit.set(&new.path, &new.bytes);
        }
        Ok(notes)
    })
}

/// The key that looks like one that is not there, as a question.
fn meant(edit: &Edit<'_>, path: &str) -> Option<String> {
    let path = Path::parse(path).ok()?;
    match lookup(edit.document().root().ok()?, &path) {
        Ok(Lookup::Missing(missing)) => missing.meant.map(|key| format!("; did you mean {key}?")),
        _ => None,
    }
}

/// A vector with one component changed, or a packed array with one element: its path and its bytes.
fn part(
    app: &App,
    edit: &Edit<'_>,
    path: &str,
    text: &str,
) -> Result<Option<(String, Vec<u8>)>, Refusal> {
    let Some(place) = path.rfind(['.', '[']) else {
        return Ok(None);
    };
    let (whole, step) = path.split_at(place);
    let Ok(Some(owner)) = edit.document().get(whole) else {
        return Ok(None);
    };
    let Some((at, kind)) = component(owner, step) else {
        return Ok(None);
    };
    let number = value(app, text, edit.document(), false)?;
    let number = Document::with_options(&number, owner.options()).root();
    let number = number.ok().and_then(VariantRef::as_number);
    let number = number.ok_or_else(|| Refusal::from(format!("{path}: {text} is no number")))?;
    let bytes = kind.bytes(number);
    let bytes = bytes.ok_or_else(|| Refusal::from(format!("{path}: {text} does not fit")))?;
    let mut raw = owner.raw().map_err(Refusal::from)?.to_vec();
    raw[at..at + bytes.len()].copy_from_slice(&bytes);
    Ok(Some((whole.to_owned(), raw)))
}

/// How a number stands in a vector or packed array.
#[derive(Clone, Copy)]
enum Number {
    U8,
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    fn bytes(self, number: f64) -> Option<Vec<u8>> {
        let is_whole = number.fract() == 0.0;
        let within = |least: f64, most: f64| is_whole && (least..=most).contains(&number);
        Some(match self {
            Number::U8 if within(0.0, 255.0) => vec![number as u8],
            Number::I32 if within(f64::from(i32::MIN), f64::from(i32::MAX)) => {
                (number as i32).to_le_bytes().to_vec()
            }
            Number::I64 if is_whole && number.abs() < 9e15 => {
                (number as i64).to_le_bytes().to_vec()
            }
            Number::F32 => (number as f32).to_le_bytes().to_vec(),
            Number::F64 => number.to_le_bytes().to_vec(),
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Number::U8 => 1,
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 => 8,
        }
    }
}

/// The place of a component or element in the bytes of its owner.
fn component(owner: VariantRef<'_>, step: &str) -> Option<(usize, Number)> {
    let real = if owner.is_wide() {
        Number::F64
    } else {
        Number::F32
    };
    if let Some(index) = step
        .strip_prefix('[')
        .and_then(|step| step.strip_suffix(']'))
    {
        let kind = match owner.kind() {
            Kind::PackedByteArray => Number::U8,
            Kind::PackedInt32Array => Number::I32,
            Kind::PackedInt64Array => Number::I64,
            Kind::PackedFloat32Array => Number::F32,
            Kind::PackedFloat64Array => Number::F64,
            _ => return None,
        };
        let len = owner.packed_len()? as i64;
        let index: i64 = index.parse().ok()?;
        let index = if index < 0 { index + len } else { index };
        let index = usize::try_from(index)
            .ok()
            .filter(|index| (*index as i64) < len)?;
        return Some((8 + index * kind.size(), kind));
    }
    let (names, kind): (&[&str], _) = match owner.kind() {
        Kind::Vector2 => (&["x", "y"], real),
        Kind::Vector3 => (&["x", "y", "z"], real),
        Kind::Vector4 | Kind::Quaternion => (&["x", "y", "z", "w"], real),
        Kind::Plane => (&["x", "y", "z", "d"], real),
        Kind::Vector2i => (&["x", "y"], Number::I32),
        Kind::Vector3i => (&["x", "y", "z"], Number::I32),
        Kind::Vector4i => (&["x", "y", "z", "w"], Number::I32),
        Kind::Color => (&["r", "g", "b", "a"], Number::F32),
        _ => return None,
    };
    let index = names
        .iter()
        .position(|name| step.strip_prefix('.') == Some(name))?;
    Some((4 + index * kind.size(), kind))
}

/// Runs `insert`.
pub(crate) fn insert(app: &mut App, args: &SetArgs) -> io::Result<()> {
    add(
        app,
        &args.change,
        &args.values,
        fit::insert,
        |edit, path, value| {
            edit.insert(path, value);
        },
    )
}

/// Runs `append`.
pub(crate) fn append(app: &mut App, args: &AppendArgs) -> io::Result<()> {
    add(
        app,
        &args.change,
        &args.values,
        fit::append,
        |edit, path, value| {
            edit.append(path, value);
        },
    )
}

/// Adds new values, in one way or the other.
fn add(
    app: &mut App,
    args: &ChangeArgs,
    values: &[String],
    how: Fit,
    one: impl Fn(&mut Edit<'_>, &str, &[u8]),
) -> io::Result<()> {
    change(app, args, |app, edit| {
        for text in values {
            let (path, text) = split(text)?;
            let new = value(app, text, edit.document(), false)?;
            let new = fitted(edit.document(), path, &new, how)?;
            one(edit, path, &new);
        }
        Ok(Notes::new())
    })
}

/// Runs `del`.
pub(crate) fn del(app: &mut App, args: &DelArgs) -> io::Result<()> {
    change(app, &args.change, |_, edit| {
        for path in &args.paths {
            edit.remove(path);
        }
        Ok(Notes::new())
    })
}

/// Runs `rename-key`.
pub(crate) fn rename_key(app: &mut App, args: &RenameArgs) -> io::Result<()> {
    change(app, &args.change, |app, edit| {
        for text in &args.keys {
            let (path, text) = split(text)?;
            let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_')
                && text.starts_with(|c: char| !c.is_ascii_digit());
            let quoted = format!("\"{text}\"");
            let text = if is_word { &quoted } else { text };
            let key = value(app, text, edit.document(), false)?;
            let like = edit.document().get(path).ok().flatten();
            let like = like.and_then(|value| key_before(edit.document(), value));
            let key = match like {
                Some(Kind::StringName) if text.starts_with('"') => {
                    string_name(&key, edit.document())
                }
                _ => key,
            };
            edit.rename_key(path, &key);
        }
        Ok(Notes::new())
    })
}

/// The type of the key of a value.
fn key_before(document: Document<'_>, value: VariantRef<'_>) -> Option<Kind> {
    let mut events = document.events();
    let mut key = None;
    while let Ok(Some(event)) = events.try_next() {
        if let gdvar_view::Event::Value(one) | gdvar_view::Event::Begin(one) = event {
            if one.offset() == value.offset() {
                return key;
            }
            key = Some(one.kind());
        }
    }
    None
}

/// A text as a StringName.
fn string_name(key: &[u8], document: Document<'_>) -> Vec<u8> {
    let text = Document::with_options(key, document.options()).root().ok();
    let text = text.and_then(VariantRef::as_str).unwrap_or_default();
    let mut writer = Writer::new(Vec::new(), Target::from(document.options().dialect()));
    match writer.string_name(text) {
        Ok(()) => writer.finish().unwrap_or_default(),
        Err(_) => key.to_vec(),
    }
}
