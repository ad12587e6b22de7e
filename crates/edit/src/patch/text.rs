//! Writes and reads patches as text.

use core::fmt;
use std::str::FromStr;

use gdvar_text::{ParseOptions, parse_godot_at, wrapped, write_exact};
use gdvar_view::{Dialect, Document, Objects, Path, ReadOptions, path_end};
use gdvar_write::Target;

use super::{
    Patch,
    entry::{At, PatchEntry},
    error::PatchError,
};
use crate::resolve::ChildBytes;

/// The start of the first line.
const MARK: &str = "gdvar-patch 2 ";

/// The greatest length of a value on one line. Longer ones are broken into several lines.
const WIDTH: usize = 100;

/// Writes a value in Godot's notation, or as hex digits if the notation would not give the same bytes back.
fn write_value(bytes: &[u8], dialect: Dialect, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let mut text = String::new();
    let written = Document::with_options(bytes, options).root();
    let written = written.map(|root| write_exact(&mut text, root).is_ok());
    if written == Ok(true) {
        let back = parse_godot_at(&text, 0, &parse_options(dialect));
        if back.is_ok_and(|back| back.bytes == bytes && back.end == text.len()) {
            return f.write_str(&wrapped(&text, WIDTH));
        }
    }
    f.write_str("hex ")?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn parse_options(dialect: Dialect) -> ParseOptions {
    ParseOptions::new(Target::from(dialect)).with_objects(Objects::Inert)
}

/// Formats a patch. If the second field is a number, the first line names the record of a file with
/// this number.
pub(super) struct PatchText<'p>(pub(super) &'p Patch, pub(super) Option<u64>);

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PatchText(self, None).fmt(f)
    }
}

impl fmt::Display for PatchText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PatchText(patch, record) = self;
        write!(f, "{MARK}{}", patch.dialect)?;
        match record {
            Some(record) => writeln!(f, " record {record}")?,
            None => writeln!(f)?,
        }
        for entry in &patch.entries {
            entry.write(patch.dialect, f)?;
        }
        Ok(())
    }
}

impl PatchEntry {
    fn write(&self, dialect: Dialect, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, at, child) = match self {
            PatchEntry::Set { path, from, to } => {
                write!(f, "set {path} ")?;
                write_value(from, dialect, f)?;
                f.write_str(" -> ")?;
                write_value(to, dialect, f)?;
                return writeln!(f);
            }
            PatchEntry::Added { at, new } => ("insert", at, new),
            PatchEntry::Removed { at, old } => ("remove", at, old),
            PatchEntry::Moved { at, old, .. } => ("move", at, old),
        };
        let At { container, nth, of } = at;
        match &child.key {
            None => write!(f, "{verb} {container}[{nth}] of {of} ")?,
            Some(_) => write!(f, "{verb} {container}{{{nth}}} of {of} ")?,
        }
        if let PatchEntry::Moved { to, .. } = self {
            write!(f, "to {to} ")?;
        }
        if let Some(key) = &child.key {
            write_value(key, dialect, f)?;
            f.write_str(" = ")?;
        }
        write_value(&child.value, dialect, f)?;
        writeln!(f)
    }
}

/// A parser for the text of patches.
struct PatchReader<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
}

impl<'t> PatchReader<'t> {
    fn refuse(&self, expected: &'static str) -> PatchError {
        let before = self.text.get(..self.at).unwrap_or_default();
        PatchError {
            offset: self.at,
            line: before.matches('\n').count() + 1,
            expected,
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips blanks. With `lines`, also skips line ends and comments.
    fn blanks(&mut self, lines: bool) {
        while let Some(next) = self.rest().chars().next() {
            match next {
                ' ' | '\t' | '\r' => self.at += 1,
                '\n' if lines => self.at += 1,
                '#' if lines => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => break,
            }
        }
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Reads a path, which ends at an ASCII blank outside quotes. Any other white space belongs to a key.
    fn path(&mut self) -> Result<String, PatchError> {
        self.blanks(false);
        let rest = self.rest();
        let path = &rest[..path_end(rest, |rest| {
            rest.starts_with(|c: char| c.is_ascii_whitespace())
        })];
        if path.is_empty() || Path::parse(path).is_err() {
            return Err(self.refuse("a path, such as $.party[0].hp"));
        }
        self.at += path.len();
        Ok(path.to_owned())
    }

    fn value(&mut self) -> Result<Vec<u8>, PatchError> {
        self.blanks(false);
        if let Some(digits) = self.rest().strip_prefix("hex ") {
            self.at += 4;
            let end = digits.find(|c: char| !c.is_ascii_hexdigit());
            let digits = &digits[..end.unwrap_or(digits.len())];
            let pairs = digits.as_bytes().chunks_exact(2);
            if !pairs.remainder().is_empty() {
                return Err(self.refuse("an even number of hex digits"));
            }
            let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or_default() as u8;
            let bytes = pairs.map(|pair| digit(pair[0]) << 4 | digit(pair[1]));
            self.at += digits.len();
            return Ok(bytes.collect());
        }
        let parsed = parse_godot_at(self.text, self.at, &parse_options(self.dialect));
        let parsed =
            parsed.map_err(|_| self.refuse("a value in Godot's notation, or hex digits"))?;
        self.at = parsed.end;
        Ok(parsed.bytes)
    }

    /// Skips `word`. Returns an error with `expected` if the text continues differently.
    fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), PatchError> {
        self.blanks(false);
        if !self.rest().starts_with(word) {
            return Err(self.refuse(expected));
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads `word` and the number after it.
    fn number(&mut self, word: &str, expected: &'static str) -> Result<usize, PatchError> {
        self.expect(word, expected)?;
        self.blanks(false);
        let start = self.at;
        self.word().parse().map_err(|_| {
            self.at = start;
            self.refuse(expected)
        })
    }

    /// Reads the position of a child, such as `$.items[2] of 3` or `$.flags{0} of 1`. Also returns
    /// `true` for an array element and `false` for a pair.
    fn place(&mut self) -> Result<(At, bool), PatchError> {
        const EXPECTED: &str = "a child by its number, such as $.items[2] or $.flags{0}";

        self.blanks(false);
        let start = self.at;
        let path = self.path()?;
        let is_array = path.ends_with(']');
        let open = if is_array { '[' } else { '{' };
        let inner = path.strip_suffix([']', '}']);
        let inner = inner.and_then(|inner| inner.rsplit_once(open));
        let Some((container, Ok(nth))) = inner.map(|(path, nth)| (path, nth.parse())) else {
            self.at = start;
            return Err(self.refuse(EXPECTED));
        };
        let of = self.number("of", "of and the number of children")?;
        let container = container.to_owned();
        Ok((At { container, nth, of }, is_array))
    }

    /// Reads a value. For a pair, reads the key before it.
    fn child(&mut self, is_array: bool) -> Result<ChildBytes, PatchError> {
        let mut key = None;
        if !is_array {
            key = Some(self.value()?);
            self.expect("=", "= between key and value")?;
        }
        let value = self.value()?;
        Ok(ChildBytes { key, value })
    }

    fn entry(&mut self) -> Result<PatchEntry, PatchError> {
        let start = self.at;
        Ok(match self.word() {
            "set" => {
                let (path, from) = (self.path()?, self.value()?);
                self.expect("->", "-> between the old value and the new one")?;
                let to = self.value()?;
                PatchEntry::Set { path, from, to }
            }
            "insert" => {
                let (at, is_array) = self.place()?;
                let new = self.child(is_array)?;
                PatchEntry::Added { at, new }
            }
            "remove" => {
                let (at, is_array) = self.place()?;
                let old = self.child(is_array)?;
                PatchEntry::Removed { at, old }
            }
            "move" => {
                let (at, is_array) = self.place()?;
                let to = self.number("to", "to and the number of a place")?;
                let old = self.child(is_array)?;
                PatchEntry::Moved { at, to, old }
            }
            _ => {
                self.at = start;
                return Err(self.refuse("set, insert, remove, move or gdvar-patch"));
            }
        })
    }

    /// Reads the first line of a patch: its dialect and its record.
    fn head(&mut self) -> Result<(Dialect, Option<u64>), PatchError> {
        const EXPECTED: &str =
            "gdvar-patch 2 and a dialect, as gdvar diff --format patch prints them";

        let start = self.at;
        if !self.rest().starts_with(MARK) {
            return Err(self.refuse(EXPECTED));
        }
        self.at += MARK.len();
        let Ok(dialect) = self.word().parse() else {
            self.at = start;
            return Err(self.refuse(EXPECTED));
        };
        self.blanks(false);
        let record = match self.rest().starts_with("record") {
            true => Some(self.number("record", "record and its number")? as u64),
            false => None,
        };
        Ok((dialect, record))
    }

    fn line_end(&mut self) -> Result<(), PatchError> {
        self.blanks(false);
        // Reading a value may already have skipped the end of its line.
        let before = self.text.get(..self.at).unwrap_or_default();
        let is_passed = before.trim_end_matches([' ', '\t', '\r']).ends_with('\n');
        if !is_passed && !self.rest().is_empty() && !self.rest().starts_with('\n') {
            return Err(self.refuse("the end of the line"));
        }
        Ok(())
    }
}

/// Reads all patches of a text, each with the record that it names.
pub(super) fn read(text: &str) -> Result<Vec<(Option<u64>, Patch)>, PatchError> {
    let mut reader = PatchReader {
        text,
        at: 0,
        dialect: Dialect::GODOT_4,
    };
    let mut patches: Vec<(Option<u64>, Patch)> = Vec::new();
    loop {
        reader.blanks(true);
        if reader.rest().is_empty() {
            return Ok(patches);
        }
        match patches.last_mut() {
            Some((_, patch)) if !reader.rest().starts_with(MARK) => {
                patch.entries.push(reader.entry()?);
            }
            _ => {
                let (dialect, record) = reader.head()?;
                reader.dialect = dialect;
                let entries = Vec::new();
                patches.push((record, Patch { dialect, entries }));
            }
        }
        reader.line_end()?;
    }
}

impl FromStr for Patch {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Patch, PatchError> {
        let mut patches = read(text)?.into_iter();
        let end = |expected| PatchError {
            offset: text.len(),
            line: text.lines().count(),
            expected,
        };
        let first = patches
            .next()
            .ok_or_else(|| end("gdvar-patch 2 and a dialect"))?;
        match patches.next() {
            Some(_) => Err(end("the patch of one record, and not of several")),
            None => Ok(first.1),
        }
    }
}
