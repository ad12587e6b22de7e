//! Prints a schema as a tree for people.

use std::io::{self, Write};

use gdvar_view::Kind;

use crate::{
    app::App,
    commands::schema::{
        seen::{PlaceValues, Range},
        shape::Shape,
    },
    show::summary::{self, real_text, scalar_name},
    terminal::{
        safe_text,
        style::{self, paint},
        width,
        words::{count, plural},
    },
};

/// Prints the tree of all places, with their types and ranges.
pub(crate) fn print(app: &mut App, shape: &Shape) -> io::Result<()> {
    let room = width::columns().unwrap_or(usize::MAX);
    let (files, records) = (plural(shape.files, "file"), plural(shape.records, "record"));
    let head = format!("{files}, {records}");
    writeln!(app.out, "{}", paint(style::HEAD, head))?;
    for (place, depth) in shape.places() {
        let seen = shape.seen(place);
        let mark = if shape.is_optional(place) { "?" } else { "" };
        let name = match shape.key(place) {
            Some(key) => format!("{}{mark}: ", safe_text::short_name(key)),
            None if place == Shape::ROOT => String::new(),
            None => "[*]: ".to_owned(),
        };
        let indent = 2 * depth.min(room / 6);
        let kinds = kinds(seen);
        let mut more = ranges(seen);
        if shape.is_optional(place) {
            let of = shape.seen(shape.parent(place)).keyed();
            more.push(format!("in {} of {}", count(seen.values), count(of)));
        }
        let used = indent + name.chars().count() + kinds.chars().count() + 2;
        let more = width::cut(&more.join(", "), room.saturating_sub(used));
        let line = format!(
            "{:indent$}{}{kinds}  {}",
            "",
            paint(style::KEY, &name),
            paint(style::DIM, &more)
        );
        let line = if more.is_empty() {
            format!("{:indent$}{}{kinds}", "", paint(style::KEY, &name))
        } else {
            line
        };
        writeln!(app.out, "{line}")?;
    }
    Ok(())
}

/// Lists all types at a place: `int | null`.
fn kinds(seen: &PlaceValues) -> String {
    let name = |kind: Kind| match kind {
        Kind::Array | Kind::Dictionary if seen.kind().is_some() && seen.typing().is_some() => seen
            .typing()
            .map_or_else(String::new, |typing| typing.shown.clone()),
        Kind::Object if !seen.classes.is_empty() => format!("Object {}", seen.classes.join("/")),
        Kind::Dictionary if !seen.keys.iter().all(|kind| *kind == Kind::String) => {
            let keys: Vec<_> = seen.keys.iter().map(|kind| scalar_name(*kind)).collect();
            format!("Dictionary with keys {}", keys.join("/"))
        }
        kind => scalar_name(kind).to_owned(),
    };
    let mut names: Vec<String> = seen.kinds().into_iter().map(name).collect();
    if seen.has_null() {
        names.push("null".to_owned());
    }
    names.join(" | ")
}

/// Formats a range: `7`, `1 to 20`. `None` if there is none.
fn range<T: Copy + PartialEq>(range: Range<T>, text: impl Fn(T) -> String) -> Option<String> {
    let (from, to) = range?;
    Some(if from == to {
        text(from)
    } else {
        format!("{} to {}", text(from), text(to))
    })
}

/// Formats a float with five digits.
fn short(float: f64) -> String {
    let rounded = format!("{float:.4e}").parse();
    real_text(rounded.unwrap_or(float))
}

/// Lists the type of the typed containers at a place, and the ranges of [`ranges`].
pub(crate) fn typing_and_ranges(seen: &PlaceValues) -> Vec<String> {
    let typing = seen.typing().map(|typing| typing.shown.clone());
    typing.into_iter().chain(ranges(seen)).collect()
}

/// Lists the ranges of numbers, texts and lengths at a place.
pub(crate) fn ranges(seen: &PlaceValues) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(range(seen.ints, |int| int.to_string()));
    all.extend(range(seen.floats, short));
    if seen.odd {
        all.push("inf or nan".to_owned());
    }
    if seen.many {
        all.extend(range(seen.chars, count).map(|text| format!("{text} characters")));
    } else if !seen.texts.is_empty() {
        let texts = seen
            .texts
            .iter()
            .map(|text| summary::quoted_bytes(text.as_bytes(), summary::Cut::LINE));
        all.push(texts.collect::<Vec<_>>().join(" "));
    }
    let lists = seen
        .kinds()
        .into_iter()
        .any(|kind| kind.is_packed() || kind == Kind::Array);
    let is_map = seen.kinds().contains(&Kind::Dictionary)
        && seen.keys.iter().any(|kind| *kind != Kind::String);
    if lists {
        all.extend(range(seen.lens, count).map(|text| format!("{text} elements")));
    } else if is_map {
        all.extend(range(seen.lens, count).map(|text| format!("{text} pairs")));
    }
    all
}
