//! Prints the tables of `stats`.

use std::io::{self, Write};

use gdvar_view::Kind;
use serde_json::{Map, Value, json};

use crate::{
    app::App,
    commands::stats::{
        title,
        weight::{ByteUse, Weight},
    },
    show::{
        json_lines,
        summary::{self, Cut},
    },
    terminal::{
        safe_text,
        style::{self, paint},
        width,
        words::{count, plural},
    },
};

/// Formats the first columns of a row.
#[derive(Clone, Copy)]
struct Lead {
    all: u64,
    /// The width of the terminal.
    room: usize,
}

impl Lead {
    /// Returns `true` if the terminal has no room for percentages.
    fn is_narrow(self) -> bool {
        self.room < 60
    }

    /// Formats a number of bytes, and its percentage of all bytes.
    fn bytes(self, bytes: u64) -> String {
        if self.is_narrow() {
            return format!("{:>9}", count(bytes));
        }
        let percent = 100.0 * bytes as f64 / self.all.max(1) as f64;
        format!("{:>11}  {percent:>5.1} %", count(bytes))
    }

    /// Formats a number of bytes, and a count.
    fn counted(self, bytes: u64, number: u64) -> String {
        let width = if self.is_narrow() { 7 } else { 9 };
        format!("{}  {:>width$}", self.bytes(bytes), count(number))
    }

    /// Returns the width that is left for the last column.
    fn rest(self) -> usize {
        let taken = if self.is_narrow() { 20 } else { 34 };
        self.room.saturating_sub(taken).max(8)
    }
}

/// Prints the tables for people.
pub(crate) fn people(app: &mut App, name: &str, all: &Weight, top: usize) -> io::Result<()> {
    let bytes = all.bytes();
    let room = width::columns().unwrap_or(usize::MAX);
    let lead = Lead { all: bytes, room };
    let name = paint(style::HEAD, safe_text::safe_line(&title(name, all)));
    let (size, records, values) = (
        plural(bytes, "byte"),
        plural(all.records, "record"),
        plural(all.values(), "value"),
    );
    writeln!(app.out, "{name}  {size}, {records}, {values}")?;

    let mut parts: Vec<_> = { ByteUse::ALL.into_iter() }
        .map(|part| (all.parts[part as usize], part.name()))
        .filter(|(bytes, _)| *bytes > 0)
        .collect();
    parts.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
    heading(app, lead, "what for", "")?;
    for (own, name) in parts {
        writeln!(app.out, "{}  {name}", lead.bytes(own))?;
    }

    let mut kinds: Vec<_> = Kind::ALL
        .iter()
        .map(|kind| (all.kinds[*kind as usize], *kind))
        .collect();
    kinds.retain(|(spent, _)| spent.values > 0);
    kinds.sort_by_key(|(spent, _)| std::cmp::Reverse(spent.own));
    heading(app, lead, "by type", "values")?;
    for (spent, kind) in kinds.iter().take(top) {
        writeln!(app.out, "{}  {kind}", lead.counted(spent.own, spent.values))?;
    }
    more(app, kinds.len(), top, "type")?;

    let paths = paths(all);
    heading(app, lead, "by path", "values")?;
    for (total, values, place) in paths.iter().take(top) {
        let path = all.outline.path(*place);
        let path = width::cut_start(&path, lead.rest());
        let path = paint(style::KEY, path);
        writeln!(app.out, "{}  {path}", lead.counted(*total, *values))?;
    }
    more(app, paths.len(), top, "path")?;

    let repeated = all.texts.repeated();
    if !repeated.is_empty() {
        let sum: u64 = repeated.iter().map(|text| text.bytes).sum();
        heading(app, lead, "texts that come again", "times")?;
        for text in repeated.iter().take(top) {
            let shown = summary::quoted_bytes(text.text, Cut::LINE);
            let shown = paint(style::TEXT, width::cut(&shown, lead.rest()));
            writeln!(app.out, "{}  {shown}", lead.counted(text.bytes, text.count))?;
        }
        more(app, repeated.len(), top, "text")?;
        writeln!(app.out, "{}  in all", lead.bytes(sum))?;
    }

    let packed = packed(all);
    if !packed.is_empty() {
        let sum: u64 = packed.iter().map(|row| row.saved).sum();
        heading(app, lead, "packed arrays would save", "arrays")?;
        for row in packed.iter().take(top) {
            let what = format!("{}  {}", row.path(all), row.kind);
            let what = width::cut_start(&what, lead.rest());
            writeln!(app.out, "{}  {what}", lead.counted(row.saved, row.arrays))?;
        }
        more(app, packed.len(), top, "place")?;
        writeln!(app.out, "{}  in all", lead.bytes(sum))?;
    }
    Ok(())
}

fn heading(app: &mut App, lead: Lead, text: &str, column: &str) -> io::Result<()> {
    let mut line = if lead.is_narrow() {
        format!("{:>9}", "bytes")
    } else {
        format!("{:>11}  {:>7}", "bytes", "share")
    };
    if !column.is_empty() {
        let width = if lead.is_narrow() { 7 } else { 9 };
        line += &format!("  {column:>width$}");
    }
    writeln!(
        app.out,
        "\n{}",
        paint(style::HEAD, format!("{line}  {text}"))
    )
}

fn more(app: &mut App, len: usize, top: usize, what: &str) -> io::Result<()> {
    if len <= top {
        return Ok(());
    }
    let more = plural((len - top) as u64, &format!("more {what}"));
    writeln!(
        app.out,
        "{}",
        paint(style::DIM, format!("{:>11}  and {more}: --top", ""))
    )
}

/// Returns all places with their bytes, the number of their values and the number of the place. The bytes include
/// places below. The largest come first. The paths are left to the caller: a path is as long as its place is deep, and
/// tables show few of them.
fn paths(all: &Weight) -> Vec<(u64, u64, usize)> {
    let totals = all.totals();
    let places = all.outline.places().iter().enumerate();
    let mut paths: Vec<_> = places
        .filter(|(n, _)| totals[*n] > 0)
        .map(|(n, place)| (totals[n], place.data.values, n))
        .collect();
    // If two are equal, a container is listed before its contents.
    paths.sort_by(|a, b| b.0.cmp(&a.0).then(a.2.cmp(&b.2)));
    paths
}

/// The arrays of a place that could be packed.
struct Packed {
    /// The number of the place.
    place: usize,
    kind: Kind,
    arrays: u64,
    bytes: u64,
    packed_bytes: u64,
    saved: u64,
}

impl Packed {
    fn path(&self, all: &Weight) -> String {
        safe_text::safe_line(&all.outline.path(self.place)).into_owned()
    }
}

fn packed(all: &Weight) -> Vec<Packed> {
    let mut packed: Vec<_> = { all.arrays.found.iter() }
        .map(|(&(place, kind), found)| Packed {
            place,
            kind,
            arrays: found.arrays,
            bytes: found.bytes,
            packed_bytes: found.packed_bytes,
            saved: found.bytes - found.packed_bytes,
        })
        .collect();
    packed.sort_by_key(|row| std::cmp::Reverse(row.saved));
    packed
}

/// Prints the line of `--json` for a file.
pub(crate) fn machine(app: &mut App, name: &str, all: &Weight) -> io::Result<()> {
    let parts: Map<String, Value> = { ByteUse::ALL.into_iter() }
        .map(|part| {
            (
                part.name().replace(' ', "_"),
                all.parts[part as usize].into(),
            )
        })
        .collect();
    let kinds = Kind::ALL
        .iter()
        .map(|kind| (kind, all.kinds[*kind as usize]));
    let kinds: Vec<_> = kinds
        .filter(|(_, spent)| spent.values > 0)
        .map(|(kind, spent)| json!({"type": kind.name(), "values": spent.values, "bytes": spent.own}))
        .collect();
    let paths: Vec<_> = { paths(all).into_iter() }
        .map(|(bytes, values, place)| {
            json!({"path": all.outline.path(place), "values": values, "bytes": bytes})
        })
        .collect();
    let repeated: Vec<_> = { all.texts.repeated().into_iter() }
        .map(|one| {
            let text = String::from_utf8_lossy(one.text);
            json!({"text": text, "count": one.count, "bytes": one.bytes})
        })
        .collect();
    let packed: Vec<_> = { packed(all).into_iter() }
        .map(|row| {
            json!({
                "path": row.path(all), "type": row.kind.name(), "arrays": row.arrays,
                "bytes": row.bytes, "packed_bytes": row.packed_bytes,
            })
        })
        .collect();
    let line = json!({
        "schema": 1,
        "file": name,
        "bytes": all.bytes(),
        "records": all.records,
        "values": all.values(),
        "parts": parts,
        "types": kinds,
        "paths": paths,
        "repeated": repeated,
        "packed": packed,
    });
    json_lines::line(&mut app.out, &line)
}
