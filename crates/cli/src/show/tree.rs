//! Prints a value as an indented tree for people.

use std::io::{self, Write};

use gdvar_json::WriteError;
use gdvar_view::{Error, Event, Events, Role, VariantRef};

use crate::{
    show::{
        notation,
        summary::{self, Cut},
    },
    terminal::{
        progress::Progress,
        style::{self, paint},
        width,
        words::count,
    },
};

/// What the tree shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// `true` to show all elements, and texts completely.
    pub full: bool,
    /// Containers nested deeper than this are folded.
    pub depth: usize,
    /// `true` to name the type of every value.
    pub types: bool,
    /// If this is `Some`, prints the offset of every value. The number is the offset of the record in the file.
    pub offsets: Option<usize>,
    /// The width of a terminal that is so narrow that values are cut to fit.
    pub columns: Option<usize>,
}

/// An open container.
struct TreeLevel {
    /// The number of children so far.
    begun: u64,
    /// The number of children that are shown.
    shown: u64,
    /// `true` if the children have names.
    named: bool,
}

/// The number of elements of an Array that are shown. All are shown if there are only a few more.
const ELEMENTS: u64 = 10;
/// The number of pairs of a Dictionary that are shown. All are shown if there are only a few more.
const PAIRS: u64 = 200;
/// A container of plain values with at most this many characters is shown on one line.
const LINE: usize = 64;

/// Prints values in linear time, at any depth.
pub(crate) struct Tree<'t, W: Write> {
    /// Where the tree is printed.
    pub out: &'t mut W,
    /// What the tree shows.
    pub shape: Shape,
    /// The progress bar.
    pub progress: &'t Progress,
}

impl<W: Write> Tree<'_, W> {
    /// Prints one value. If it is damaged, prints everything before the damage, and returns the error.
    pub(crate) fn print(&mut self, mut events: Events<'_>) -> Result<(), WriteError> {
        let mut levels: Vec<TreeLevel> = Vec::new();
        let mut key = String::new();
        while let Some(event) = events.try_next()? {
            self.progress
                .at(self.shape.offsets.unwrap_or(0) + events.position());
            if let Event::End = event {
                if let Some(level) = levels.pop() {
                    self.fold(&level, levels.len() + 1)?;
                }
                continue;
            }
            if let Event::Property(name) = event {
                key = summary::quoted(name, Cut::LINE)
                    .trim_matches('"')
                    .to_owned();
                continue;
            }
            let role = events.role();
            if role == Role::Key {
                key = key_text(event);
                pass(event, &mut events)?;
                continue;
            }
            let mut hidden = false;
            if let Some(level) = levels.last_mut() {
                level.begun += 1;
                hidden = level.begun > level.shown;
                if !level.named {
                    key = format!("[{}]", level.begun - 1);
                }
            }
            if hidden {
                pass(event, &mut events)?;
                continue;
            }
            match event {
                Event::Begin(value) => {
                    if let Some(level) = self.begin(value, &key, levels.len())? {
                        levels.push(level);
                    } else {
                        events.pass_children()?;
                    }
                }
                Event::Value(value) => self.leaf(value, &key, levels.len())?,
                Event::Property(_) | Event::End => {}
            }
        }
        Ok(())
    }

    /// Prints the start of a line, up to the value.
    fn lead(&mut self, value: VariantRef<'_>, key: &str, depth: usize) -> io::Result<()> {
        self.gutter(Some(value))?;
        if depth > 0 {
            let key = paint(style::KEY, key);
            write!(self.out, "{:width$}{key}: ", "", width = indent(depth))?;
        }
        Ok(())
    }

    fn gutter(&mut self, value: Option<VariantRef<'_>>) -> io::Result<()> {
        match (self.shape.offsets, value) {
            (Some(base), Some(value)) => {
                let offset = format!("{:08x}", base + value.offset());
                write!(self.out, "{}  ", paint(style::DIM, offset))
            }
            (Some(_), None) => write!(self.out, "{:10}", ""),
            (None, _) => Ok(()),
        }
    }

    /// Cuts a value at the edge of the terminal, but keeps at least eight characters.
    fn fit(&self, text: String, key: &str, depth: usize) -> String {
        let Some(columns) = self.shape.columns.filter(|_| !self.shape.full) else {
            return text;
        };
        let gutter = if self.shape.offsets.is_some() { 10 } else { 0 };
        let used = gutter + indent(depth) + key.chars().count() + 2;
        width::cut(&text, columns.saturating_sub(used).max(8))
    }

    fn leaf(&mut self, value: VariantRef<'_>, key: &str, depth: usize) -> io::Result<()> {
        self.lead(value, key, depth)?;
        let cut = if self.shape.full {
            Cut::NONE
        } else {
            Cut::LINE
        };
        let text = summary::leaf(value, cut);
        let name = summary::kind(value);
        // A text such as `Vector2(10, 20)` has the name of its type already.
        if self.shape.types && !text.starts_with(name) {
            write!(self.out, "{} ", paint(style::DIM, name))?;
        }
        let text = self.fit(text, key, depth);
        if value.as_text().is_some() {
            writeln!(self.out, "{}", paint(style::TEXT, text))
        } else {
            writeln!(self.out, "{text}")
        }
    }

    /// Prints the line of a container. Returns `None` if its children are not needed, because they are on the same line
    /// or folded.
    fn begin(
        &mut self,
        value: VariantRef<'_>,
        key: &str,
        depth: usize,
    ) -> io::Result<Option<TreeLevel>> {
        self.lead(value, key, depth)?;
        let plain = !self.shape.types && self.shape.offsets.is_none();
        let is_root_dict = depth == 0 && value.as_array().is_none();
        if plain && !is_root_dict {
            if let Some(text) = on_one_line(value) {
                let text = self.fit(text, key, depth);
                writeln!(self.out, "{text}")?;
                return Ok(None);
            }
        }
        let mut head = summary::head(value);
        let folded = depth >= self.shape.depth;
        if folded && length(value) > 0 {
            head += " …";
        }
        let head = paint(style::DIM, self.fit(head, key, depth));
        if folded {
            writeln!(self.out, "{head}")?;
            return Ok(None);
        }
        writeln!(self.out, "{head}")?;
        let named = value.as_array().is_none();
        let most = if named { PAIRS } else { ELEMENTS };
        let len = length(value);
        let all = self.shape.full || len <= most + most / 4;
        Ok(Some(TreeLevel {
            begun: 0,
            shown: if all { len } else { most },
            named,
        }))
    }

    /// Prints how many children of a container are not shown.
    fn fold(&mut self, level: &TreeLevel, depth: usize) -> io::Result<()> {
        let hidden = level.begun.saturating_sub(level.shown);
        if hidden == 0 {
            return Ok(());
        }
        self.gutter(None)?;
        let text = paint(style::DIM, format!("… {} more", count(hidden)));
        writeln!(self.out, "{:width$}{text}", "", width = indent(depth))
    }
}

/// Returns the number of spaces before a line. It is limited, because otherwise a small hostile file could print
/// gigabytes of them.
fn indent(depth: usize) -> usize {
    2 * depth.min(64)
}

fn length(value: VariantRef<'_>) -> u64 {
    let len = match (value.as_array(), value.as_dict(), value.as_object()) {
        (Some(array), ..) => array.len(),
        (_, Some(dict), _) => dict.len(),
        (.., Some(object)) => object.len(),
        _ => 0,
    };
    len as u64
}

/// Skips a value that is not shown.
fn pass(event: Event<'_>, events: &mut Events<'_>) -> Result<(), Error> {
    match event {
        Event::Begin(_) => events.pass_children(),
        _ => Ok(()),
    }
}

fn key_text(key: Event<'_>) -> String {
    match key {
        Event::Value(value) | Event::Begin(value) => key_label(value),
        _ => String::new(),
    }
}

/// Formats a key of a Dictionary. A text that is a plain name has no quotes.
pub(crate) fn key_label(key: VariantRef<'_>) -> String {
    if key.has_children() {
        return notation::start(key, LINE);
    }
    let text = summary::leaf(key, Cut::LINE);
    let whole = |text| summary::behind_nul(text) == 0;
    let bare = key.as_text().filter(|text| whole(*text));
    let bare = bare.and_then(|_| key.as_str()).filter(|text| {
        let plain = |c: char| c.is_alphanumeric() || "_-/".contains(c);
        text.chars().all(plain) && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    });
    bare.filter(|bare| bare.chars().count() <= Cut::LINE.text)
        .map_or(text, str::to_owned)
}

/// Formats a small container of plain values on one line: `[1, 2, 3]`. Reads at most a few children. `None` if it does
/// not fit.
fn on_one_line(value: VariantRef<'_>) -> Option<String> {
    const MOST: u64 = 16;
    if length(value) > MOST {
        return None;
    }
    let cut = Cut {
        text: LINE,
        items: 0,
    };
    let leaf = |value: VariantRef<'_>| {
        let small = !value.has_children() && value.packed_len().is_none();
        small.then(|| summary::leaf(value, cut))
    };
    let mut parts = Vec::new();
    let mut width = 0;
    let mut add = |part: String| {
        width += part.chars().count() + 2;
        parts.push(part);
        width <= LINE
    };
    let (open, close) = if let Some(array) = value.as_array() {
        for item in array.iter() {
            if !add(leaf(item.ok()?)?) {
                return None;
            }
        }
        ('[', ']')
    } else {
        for pair in value.as_dict()?.iter() {
            let (key, item) = pair.ok()?;
            if !add(format!("{}: {}", leaf(key)?, leaf(item)?)) {
                return None;
            }
        }
        ('{', '}')
    };
    let head = summary::head(value);
    let typed = head.split_once('(').map_or("", |(name, _)| name);
    let typed = if typed.contains('[') { typed } else { "" };
    Some(format!("{typed}{open}{}{close}", parts.join(", ")))
}
