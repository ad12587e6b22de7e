//! From values to JSON.

mod engine_number;
mod leaf;
mod names;
mod native;
mod plain;
mod tagged;

use std::io;

pub(crate) use leaf::{element_len, transposed};

use gdvar_text::{NumberText, int_text};
use gdvar_view::{ElementType, Event, Kind, PathTarget, StrRef, VariantRef, repeated_keys};

use self::names::{KeyText, MemberNames, NameRange};
use crate::{
    Style,
    error::WriteError,
    report::{Loss, Report},
};

type Result<T> = std::result::Result<T, WriteError>;

/// Where the JSON goes, and what was lost.
pub(crate) struct Out<W> {
    pub(crate) out: W,
    pub(crate) report: Report,
}

/// How the children of an open container are written.
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
    /// How many children have been written; keys and names count separately.
    children: usize,
    /// In plain JSON: its member names.
    names: NameRange,
}

/// Returns `true` if a container with this element type takes values of any type.
fn is_untyped(element: ElementType<'_>) -> bool {
    matches!(
        element,
        ElementType::Untyped | ElementType::Builtin(_, None | Some(Kind::Nil))
    )
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

/// What was written of a container.
pub(crate) enum Begun {
    /// The beginning of the container was written, possibly with its first children. The other
    /// children follow.
    Open {
        form: ChildSyntax,
        /// The text that ends it.
        close: &'static str,
        /// How many children the beginning contains; a member counts as two.
        children: usize,
    },
    /// The whole container was written.
    Whole,
}

impl<W: io::Write> Out<W> {
    #[inline(always)]
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

    /// Writes the name of a member in quotes.
    fn quoted_key(&mut self, name: &KeyText<'_>) -> Result<()> {
        match name {
            KeyText::Plain(text) => self.quoted_plain(text),
            KeyText::Other(text) => self.quoted(text),
        }
    }

    /// Writes a [plain](is_plain) text in quotes.
    fn quoted_plain(&mut self, text: &[u8]) -> Result<()> {
        self.put("\"")?;
        self.out.write_all(text)?;
        self.put("\"")
    }

    /// Writes a text of any engine in quotes. For the escapes see [`Out::escaped_ref`].
    pub(crate) fn quoted_ref(&mut self, text: StrRef<'_>) -> Result<()> {
        self.put("\"")?;
        self.escaped_ref(text)?;
        self.put("\"")
    }

    /// Writes a text of any engine with escapes, without quotes. Codes that are not Unicode
    /// characters become the replacement character.
    pub(crate) fn escaped_ref(&mut self, text: StrRef<'_>) -> Result<()> {
        if is_plain(text.raw()) {
            return Ok(self.out.write_all(text.raw())?);
        }
        if text.with_mark().as_bytes().len() > text.as_bytes().len() {
            self.report.add(Loss::Mark);
        }
        if let Ok(text) = text.to_str() {
            return self.escaped(text);
        }
        let text = self.characters(text)?;
        self.escaped(&text)
    }

    /// Decodes a text of any engine. Codes that are not Unicode characters become the replacement
    /// character.
    fn characters(&mut self, text: StrRef<'_>) -> Result<String> {
        text.check()?;
        let codes = text.codes().map(|code| {
            char::from_u32(code).unwrap_or_else(|| {
                self.report.add(Loss::Text);
                char::REPLACEMENT_CHARACTER
            })
        });
        Ok(codes.collect())
    }
}

/// Returns `true` if a text needs no escapes in JSON, and all of it is printable ASCII.
fn is_plain(text: &[u8]) -> bool {
    // Without an early end: most texts are short and plain. The groups of 16 become vector instructions.
    let mut groups = text.chunks_exact(16);
    let is_plain = groups.all(|group| {
        let bytes = group.iter();
        bytes.fold(true, |all, byte| all & is_plain_byte(*byte))
    });
    let rest = groups.remainder().iter();
    rest.fold(is_plain, |all, byte| all & PLAIN[usize::from(*byte)])
}

/// Returns `true` if a byte is printable ASCII that needs no escape in JSON.
#[inline(always)]
const fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\')
}

/// The results of [`is_plain_byte`], for bytes that are tested one by one.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < plain.len() {
        plain[byte] = is_plain_byte(byte as u8);
        byte += 1;
    }
    plain
};

/// Writes a value in a style, part by part.
struct Walk<'a, W> {
    out: Out<W>,
    style: Style,
    open: Vec<JsonContainer>,
    names: MemberNames<'a>,
    /// A buffer that is cleared for each use.
    scratch: Vec<u8>,
    /// In tagged JSON: the bytes of the outermost value.
    bytes: &'a [u8],
    /// The offset of `bytes` in the document.
    start: usize,
}

impl<'a, W: io::Write> Walk<'a, W> {
    /// Writes the separator before a child.
    fn before(&mut self) -> Result<()> {
        let Some(open) = self.open.last() else {
            return Ok(());
        };
        let (first, second) = (open.children == 0, open.children % 2 == 1);
        match open.form {
            ChildSyntax::Members if second => self.out.put(":"),
            ChildSyntax::Pairs if first => self.out.put("["),
            ChildSyntax::Pairs if !second => self.out.put(",["),
            ChildSyntax::List | ChildSyntax::Members if first => Ok(()),
            _ => self.out.put(","),
        }
    }

    /// Counts a child, and ends the pair that it completes.
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

    fn begin(&mut self, value: VariantRef<'_>) -> Result<Begun> {
        match self.style {
            Style::Plain => plain::begin(&mut self.out, value),
            Style::Native => native::begin(&mut self.out, value),
            Style::Tagged => {
                let bytes = &self.bytes[value.offset() - self.start..];
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

    /// Writes a key of plain JSON. If an earlier key had the same text, the type is added to the
    /// name: `3 (Int)` next to `3`. A repeated text key keeps its name, because readers of JSON and
    /// the engines take the last one.
    fn plain_key(&mut self, key: VariantRef<'a>) -> Result<()> {
        let name = plain::key(&mut self.out, key)?;
        let Some(range) = self.open.last_mut().map(|open| &mut open.names) else {
            return self.out.quoted_key(&name);
        };
        let kind = match key.kind() {
            Kind::StringName if key.dialect().string_names_equal_strings() => Kind::String,
            kind => kind,
        };
        let Some(earlier) = self.names.find(range, &name) else {
            self.out.quoted_key(&name)?;
            self.names.add(range, name, kind);
            return Ok(());
        };
        self.out.report.add(Loss::RepeatedKey);
        if key.as_text().is_some() && earlier.kind == kind {
            return self.out.quoted_key(&name);
        }
        let mut number = earlier.later;
        earlier.later += 1;
        loop {
            number += 1;
            let text = name.to_str();
            let typed = KeyText::Other(match number {
                1 => format!("{text} ({})", kind.name()),
                _ => format!("{text} ({} {number})", kind.name()),
            });
            if self.names.find(range, &typed).is_none() {
                self.out.quoted_key(&typed)?;
                self.names.add(range, typed, kind);
                return Ok(());
            }
        }
    }

    /// Returns `true` if the next child is a key of a Dictionary in plain JSON.
    fn is_before_plain_key(&self) -> bool {
        let open = self.open.last();
        self.style == Style::Plain
            && open.is_some_and(|open| open.form == ChildSyntax::Members && open.children % 2 == 0)
    }

    fn tree(&mut self, value: VariantRef<'a>) -> Result<()> {
        let mut events = value.events();
        // How many containers are open inside one that was written whole.
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
                    if self.is_before_plain_key() {
                        self.plain_key(value)?;
                    } else {
                        self.leaf(value)?;
                    }
                    self.after()?;
                }
                Event::Begin(value) => {
                    self.before()?;
                    let begun = if self.is_before_plain_key() {
                        self.plain_key(value)?;
                        Begun::Whole
                    } else {
                        self.begin(value)?
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
        scratch: Vec::new(),
        bytes: match style {
            Style::Tagged => value.raw()?,
            Style::Plain | Style::Native => &[],
        },
        start: value.offset(),
    };
    if value.has_children() {
        if style == Style::Native {
            for _ in repeated_keys(value)? {
                walk.out.lose(Loss::RepeatedKey);
            }
        }
        walk.tree(value)?;
    } else {
        walk.leaf(value)?;
    }
    Ok(walk.out.report)
}

pub(crate) fn write_part<W: io::Write>(part: PathTarget<'_>, out: W) -> Result<Report> {
    let mut out = Out {
        out,
        report: Report::default(),
    };
    plain::part(&mut out, part)?;
    Ok(out.report)
}

/// Returns Godot 4's name of a type as the engine spells it.
pub(crate) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        _ => kind.name(),
    }
}

/// Returns the kind for an engine's type name.
pub(crate) fn kind_of(name: &str) -> Option<Kind> {
    Kind::ALL
        .iter()
        .copied()
        .find(|kind| type_name(*kind) == name)
}
