//! A patch as lines of text.

use core::fmt;
use std::str::FromStr;

use gdvar_text::{ParseOptions, parse_godot_at, write_exact};
use gdvar_view::{Dialect, Document, Objects, Path, ReadOptions};
use gdvar_write::Target;

use super::Patch;
use crate::resolve::Op;

/// The beginning of the first line.
const MARK: &str = "gdvar-patch 1 ";

/// Why a text is no patch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatchError {
    /// The first byte that does not fit.
    pub offset: usize,
    /// Its line, counted from 1.
    pub line: usize,
    /// The thing that was expected there.
    pub expected: &'static str,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl core::error::Error for PatchError {}

/// A value in Godot's notation, or as hex digits where that would not give its bytes back.
fn write_value(bytes: &[u8], dialect: Dialect, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let mut text = String::new();
    let written = Document::with_options(bytes, options).root();
    let written = written.map(|root| write_exact(&mut text, root).is_ok());
    if written == Ok(true) {
        let back = parse_godot_at(&text, 0, &parse_options(dialect));
        if back.is_ok_and(|back| back.bytes == bytes && back.end == text.len()) {
            return f.write_str(&text);
        }
    }
    f.write_str("hex ")?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn parse_options(dialect: Dialect) -> ParseOptions {
    ParseOptions::new(Target::from(dialect)).with_objects(Objects::Inert)
}

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MARK}{}", self.dialect)?;
        let value = |bytes: &[u8], f: &mut fmt::Formatter<'_>| {
            write_value(bytes, self.dialect, f)?;
            writeln!(f)
        };
        for op in &self.ops {
            match op {
                Op::Set { path, value: new } => {
                    write!(f, "set {path} ")?;
                    value(new, f)?;
                }
                Op::Insert { path, value: new } => {
                    write!(f, "insert {path} ")?;
                    value(new, f)?;
                }
                Op::Append { path, value: new } => {
                    write!(f, "append {path} ")?;
                    value(new, f)?;
                }
                Op::InsertPair {
                    path,
                    before,
                    key,
                    value: new,
                } => {
                    write!(f, "insert {path}{{{before}}} ")?;
                    write_value(key, self.dialect, f)?;
                    f.write_str(" = ")?;
                    value(new, f)?;
                }
                Op::Remove { path } => writeln!(f, "remove {path}")?,
                Op::RenameKey { path, key } => {
                    write!(f, "rename {path} ")?;
                    value(key, f)?;
                }
                Op::Move { from, to } => writeln!(f, "move {from} {to}")?,
            }
        }
        Ok(())
    }
}

/// A text that is read from front to back.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
}

impl<'t> Reader<'t> {
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

    /// Blanks, and with `lines` also line ends and comments.
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
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A path ends at a blank outside quotes.
    fn path(&mut self) -> Result<String, PatchError> {
        self.blanks(false);
        let rest = self.rest();
        let (mut quoted, mut escaped) = (false, false);
        let end = rest.find(|c: char| {
            let ends = !quoted && c.is_whitespace();
            if c == '"' && !escaped {
                quoted = !quoted;
            }
            escaped = quoted && c == '\\' && !escaped;
            ends
        });
        let path = &rest[..end.unwrap_or(rest.len())];
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

    fn op(&mut self) -> Result<Op, PatchError> {
        let start = self.at;
        let verb = self.word();
        Ok(match verb {
            "set" => Op::Set {
                path: self.path()?,
                value: self.value()?,
            },
            "append" => Op::Append {
                path: self.path()?,
                value: self.value()?,
            },
            "remove" => Op::Remove { path: self.path()? },
            "rename" => Op::RenameKey {
                path: self.path()?,
                key: self.value()?,
            },
            "move" => Op::Move {
                from: self.path()?,
                to: self.path()?,
            },
            "insert" => {
                let path = self.path()?;
                let place = path
                    .strip_suffix('}')
                    .and_then(|path| path.rsplit_once('{'));
                let place = place.and_then(|(path, nth)| Some((path, nth.parse().ok()?)));
                match place {
                    None => Op::Insert {
                        path,
                        value: self.value()?,
                    },
                    Some((path, before)) => {
                        let key = self.value()?;
                        self.blanks(false);
                        if !self.rest().starts_with('=') {
                            return Err(self.refuse("= between key and value"));
                        }
                        self.at += 1;
                        Op::InsertPair {
                            path: path.to_owned(),
                            before,
                            key,
                            value: self.value()?,
                        }
                    }
                }
            }
            _ => {
                self.at = start;
                return Err(self.refuse("set, insert, append, remove, rename or move"));
            }
        })
    }
}

impl FromStr for Patch {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Patch, PatchError> {
        let mut reader = Reader {
            text,
            at: 0,
            dialect: Dialect::GODOT_4,
        };
        let named = text.strip_prefix(MARK);
        let named = named.and_then(|rest| rest.lines().next());
        let dialect = named.and_then(|name| name.trim().parse().ok());
        reader.dialect = dialect.ok_or_else(|| reader.refuse("gdvar-patch 1 and a dialect"))?;
        reader.at = text.find('\n').unwrap_or(text.len());
        let mut ops = Vec::new();
        loop {
            reader.blanks(true);
            if reader.rest().is_empty() {
                return Ok(Patch::of(reader.dialect, ops));
            }
            ops.push(reader.op()?);
            reader.blanks(false);
            // The end of a value may lie behind the end of its line.
            let before = text.get(..reader.at).unwrap_or_default();
            let line_end = before.trim_end_matches([' ', '\t', '\r']).ends_with('\n');
            if !line_end && !reader.rest().is_empty() && !reader.rest().starts_with('\n') {
                return Err(reader.refuse("the end of the line"));
            }
        }
    }
}
