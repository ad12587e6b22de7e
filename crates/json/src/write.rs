//! Writes values as JSON.

mod leaf;
mod names;
mod native;
mod plain;
mod tagged;

use std::{
    hash::{BuildHasher, RandomState},
    io, mem,
};

pub(crate) use leaf::{element_len, transposed};

use gdvar_text::{NumberText, int_text};
use gdvar_view::{Document, Event, Kind, Role, StrRef, VariantRef, repeated_keys};

use self::names::{MemberNames, NameRange};
use crate::{
    Style,
    error::WriteError,
    report::{Loss, Report},
};

type Result<T> = std::result::Result<T, WriteError>;

/// The output, and a report of what was lost.
pub(crate) struct Out<W> {
    pub(crate) out: W,
    pub(crate) report: Report,
}

/// The form of the children of an open container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChildSyntax {
    /// Values, separated by commas.
    List,
    /// Pairs of values in brackets.
    Pairs,
    /// `key:value`.
    Members,
}

/// An open container.
struct JsonContainer {
    form: ChildSyntax,
    /// The text that ends it.
    close: &'static str,
    /// The number of children written so far. Keys and names are counted separately.
    children: usize,
    /// In plain JSON, the names of its members.
    names: NameRange,
}

impl Begun {
    pub(crate) fn open(form: ChildSyntax, close: &'static str) -> Begun {
        Begun::Open {
            form,
            close,
            children: 0,
        }
    }
}

/// The part of a container that was written.
pub(crate) enum Begun {
    /// The beginning. The children follow, except those that the beginning contains.
    Open {
        form: ChildSyntax,
        /// The text that ends it.
        close: &'static str,
        /// The number of children that the beginning contains. A member counts as two.
        children: usize,
    },
    /// The whole container.
    Whole,
}

impl<W: io::Write> Out<W> {
    pub(crate) fn put(&mut self, text: &str) -> Result<()> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    pub(crate) fn lose(&mut self, loss: Loss) {
        self.report.add(loss);
    }

    pub(crate) fn number(&mut self, number: &NumberText) -> Result<()> {
        Ok(self.out.write_all(number.as_bytes())?)
    }

    /// Writes an integer in decimal.
    pub(crate) fn int(&mut self, value: i64) -> Result<()> {
        self.number(&int_text(value))
    }

    /// Writes bytes as hexadecimal digits.
    pub(crate) fn hex(&mut self, bytes: &[u8]) -> Result<()> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for part in bytes.chunks(text.len() / 2) {
            for (pair, byte) in text.chunks_exact_mut(2).zip(part) {
                pair[0] = DIGITS[usize::from(byte >> 4)];
                pair[1] = DIGITS[usize::from(byte & 15)];
            }
            self.out.write_all(&text[..2 * part.len()])?;
        }
        Ok(())
    }

    /// Writes a text in quotes.
    pub(crate) fn quoted(&mut self, text: &str) -> Result<()> {
        self.put("\"")?;
        self.escaped(text)?;
        self.put("\"")
    }

    /// Writes a text with escapes, without quotes.
    pub(crate) fn escaped(&mut self, text: &str) -> Result<()> {
        let mut rest = text;
        while let Some(at) = rest
            .bytes()
            .position(|b| b < b' ' || b == b'"' || b == b'\\')
        {
            self.put(&rest[..at])?;
            match rest.as_bytes()[at] {
                b'"' => self.put("\\\"")?,
                b'\\' => self.put("\\\\")?,
                8 => self.put("\\b")?,
                9 => self.put("\\t")?,
                10 => self.put("\\n")?,
                12 => self.put("\\f")?,
                13 => self.put("\\r")?,
                code => write!(self.out, "\\u{code:04x}")?,
            }
            rest = &rest[at + 1..];
        }
        self.put(rest)
    }

    /// Writes a text of any engine in quotes, escaped as [`Out::escaped_ref`] does.
    pub(crate) fn quoted_ref(&mut self, text: StrRef<'_>) -> Result<()> {
        self.put("\"")?;
        self.escaped_ref(text)?;
        self.put("\"")
    }

    /// Writes a text of any engine with escapes, without quotes. A number that is not a character
    /// becomes U+FFFD.
    pub(crate) fn escaped_ref(&mut self, text: StrRef<'_>) -> Result<()> {
        if is_plain(text.raw()) {
            return Ok(self.out.write_all(text.raw())?);
        }
        if let Ok(text) = text.to_str() {
            return self.escaped(text);
        }
        text.check()?;
        for code in text.codes() {
            let character = char::from_u32(code).unwrap_or_else(|| {
                self.report.add(Loss::Text);
                char::REPLACEMENT_CHARACTER
            });
            self.escaped(character.encode_utf8(&mut [0; 4]))?;
        }
        Ok(())
    }
}

/// Returns `true` if a text needs no escapes and all of it is printable ASCII.
fn is_plain(text: &[u8]) -> bool {
    // Does not stop early, because most texts are short and plain.
    text.iter().fold(true, |plain, byte| {
        plain & matches!(byte, b' '..=b'~') & (*byte != b'"') & (*byte != b'\\')
    })
}

/// Writes a value in a style, one event of the walk at a time.
struct Walk<W> {
    out: Out<W>,
    style: Style,
    open: Vec<JsonContainer>,
    names: MemberNames,
    hashes: RandomState,
    /// A buffer that is used for one value at a time.
    scratch: Vec<u8>,
}

impl<W: io::Write> Walk<W> {
    /// Writes the separator before a child.
    fn before(&mut self) -> Result<()> {
        let Some(open) = self.open.last() else {
            return Ok(());
        };
        let second = open.children % 2 == 1;
        let text = match (open.form, open.children, second) {
            (ChildSyntax::List | ChildSyntax::Members, 0, _) => return Ok(()),
            (ChildSyntax::List, ..)
            | (ChildSyntax::Members, _, false)
            | (ChildSyntax::Pairs, _, true) => ",",
            (ChildSyntax::Pairs, 0, _) => "[",
            (ChildSyntax::Pairs, ..) => ",[",
            (ChildSyntax::Members, ..) => ":",
        };
        self.out.put(text)
    }

    /// Counts a written child. If it completes a pair, ends the pair.
    fn after(&mut self) -> Result<()> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        open.children += 1;
        if open.form == ChildSyntax::Pairs && open.children % 2 == 0 {
            return self.out.put("]");
        }
        Ok(())
    }

    fn leaf(&mut self, value: VariantRef<'_>) -> Result<()> {
        match self.style {
            Style::Plain => plain::leaf(&mut self.out, value),
            Style::Native => native::leaf(&mut self.out, value),
            Style::Tagged => tagged::leaf(&mut self.out, value, &mut self.scratch),
        }
    }

    fn begin(&mut self, value: VariantRef<'_>, document: &[u8]) -> Result<Begun> {
        match self.style {
            Style::Plain => plain::begin(&mut self.out, value),
            Style::Native => native::begin(&mut self.out, value),
            Style::Tagged => {
                let bytes = &document[value.offset()..];
                tagged::begin(&mut self.out, value, bytes, &mut self.scratch)
            }
        }
    }

    fn name(&mut self, name: StrRef<'_>) -> Result<()> {
        match self.style {
            Style::Tagged => tagged::text(&mut self.out, name),
            _ => self.out.quoted_ref(name),
        }
    }

    /// Writes a key of plain JSON. If an earlier key has the same text, adds the type: `3 (Int)`
    /// next to `3`. A repeated String key keeps its name, because readers of JSON and the engines
    /// use the last value.
    fn plain_key(&mut self, key: VariantRef<'_>) -> Result<()> {
        self.scratch.clear();
        let mut name = Out {
            out: mem::take(&mut self.scratch),
            report: Report::default(),
        };
        plain::key(&mut name, key)?;
        self.out.report.merge(name.report);
        let mut name = name.out;
        let Some(range) = self.open.last_mut().map(|open| &mut open.names) else {
            return Ok(self.out.out.write_all(&name)?);
        };
        let kind = match key.kind() {
            Kind::StringName if key.dialect().string_names_equal_strings() => Kind::String,
            kind => kind,
        };
        let hash = self.hashes.hash_one(&name);
        if let Some(earlier) = self.names.add(range, hash, kind) {
            self.out.report.add(Loss::RepeatedKey);
            if key.as_text().is_none() || earlier.kind != kind {
                let plain = name.len() - 1;
                let mut number = earlier.later;
                earlier.later += 1;
                loop {
                    number += 1;
                    name.truncate(plain);
                    let text = match number {
                        1 => format!(" ({})\"", kind.name()),
                        _ => format!(" ({} {number})\"", kind.name()),
                    };
                    name.extend_from_slice(text.as_bytes());
                    let hash = self.hashes.hash_one(&name);
                    if self.names.add(range, hash, kind).is_none() {
                        break;
                    }
                }
            }
        }
        self.out.out.write_all(&name)?;
        self.scratch = name;
        Ok(())
    }

    fn tree(&mut self, document: Document<'_>) -> Result<()> {
        let mut events = document.events();
        // The depth inside a container that was written as a whole: its events are skipped.
        let mut inside = 0usize;
        while let Some(event) = events.try_next()? {
            if inside > 0 {
                match event {
                    Event::Begin(_) => inside += 1,
                    Event::End => inside -= 1,
                    _ => {}
                }
                if inside == 0 {
                    self.after()?;
                }
                continue;
            }
            let key = events.role() == Role::Key && self.style == Style::Plain;
            match event {
                Event::End => {
                    if let Some(open) = self.open.pop() {
                        self.names.close(&open.names);
                        self.out.put(open.close)?;
                    }
                    self.after()?;
                }
                Event::Property(name) => {
                    self.before()?;
                    self.name(name)?;
                    self.after()?;
                }
                Event::Value(value) => {
                    self.before()?;
                    if key {
                        self.plain_key(value)?;
                    } else {
                        self.leaf(value)?;
                    }
                    self.after()?;
                }
                Event::Begin(value) => {
                    self.before()?;
                    let begun = if key {
                        self.plain_key(value)?;
                        Begun::Whole
                    } else {
                        self.begin(value, document.bytes())?
                    };
                    match begun {
                        Begun::Whole => inside = 1,
                        Begun::Open {
                            form,
                            close,
                            children,
                        } => self.open.push(JsonContainer {
                            form,
                            close,
                            children,
                            names: self.names.open(),
                        }),
                    }
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn write<W: io::Write>(value: VariantRef<'_>, style: Style, out: W) -> Result<Report> {
    let mut walk = Walk {
        out: Out {
            out,
            report: Report::default(),
        },
        style,
        open: Vec::new(),
        names: MemberNames::default(),
        hashes: RandomState::new(),
        scratch: Vec::new(),
    };
    if value.has_children() {
        if style == Style::Native {
            for _ in repeated_keys(value)? {
                walk.out.lose(Loss::RepeatedKey);
            }
        }
        // In a document of its own, the events count offsets from the value's first byte.
        let document = Document::with_options(value.raw()?, value.options());
        walk.tree(document)?;
    } else {
        walk.leaf(value)?;
    }
    Ok(walk.out.report)
}

/// Returns the name of a type in Godot 4, as the engine spells it.
pub(crate) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        _ => kind.name(),
    }
}

/// Returns the kind that has this name in the engine, or `None`.
pub(crate) fn kind_of(name: &str) -> Option<Kind> {
    Kind::ALL
        .iter()
        .copied()
        .find(|kind| type_name(*kind) == name)
}
