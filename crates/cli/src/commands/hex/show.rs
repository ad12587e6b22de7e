//! Prints fields as rows for people.

use std::{
    collections::VecDeque,
    io::{self, Write},
};

use anstyle::Style;
use gdvar_view::{Dialect, Document, VariantRef, WireField, WireFields, WirePart};

use crate::{
    app::App,
    commands::hex::{lines, rows::Rows},
    show::field_meanings::{self, FieldNumbers},
    terminal::{
        safe_text::safe_line,
        style::{self, paint},
        width,
        words::{count, plural},
    },
};

/// The range of the file to show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The offset of the first byte.
    pub(crate) from: usize,
    /// The offset after the last byte.
    pub(crate) to: usize,
}

impl Span {
    /// The whole file.
    pub(crate) const ALL: Span = Span {
        from: 0,
        to: usize::MAX,
    };

    fn touches(self, from: usize, to: usize) -> bool {
        from < self.to && self.from < to
    }
}

/// The largest number of rows of a field, unless `full` is set.
const ROWS: usize = 4;

/// The number of values that are shown before the damage.
const BEFORE: usize = 4;

/// How fields are shown, and which of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Show {
    pub(crate) rows: Rows,
    pub(crate) span: Span,
    /// `true` if long fields are shown completely.
    pub(crate) full: bool,
    pub(crate) dialect: Dialect,
    pub(crate) record: u64,
    /// The offset of the byte that gets a mark.
    pub(crate) mark: Option<usize>,
}

/// A field with its bytes, its value and its path.
struct FieldRow<'a> {
    field: WireField,
    bytes: &'a [u8],
    value: Option<VariantRef<'a>>,
    path: String,
}

impl Show {
    /// Prints a line of text between rows.
    pub(crate) fn heading(self, app: &mut App, text: &str) -> io::Result<()> {
        if app.global.json {
            return Ok(());
        }
        writeln!(app.out, "{}", paint(style::FRAME, format!("# {text}")))
    }

    /// Prints the length prefix of a record.
    pub(crate) fn prefix(
        self,
        app: &mut App,
        bytes: &[u8],
        offset: usize,
        length: u64,
    ) -> io::Result<()> {
        if !self.span.touches(offset, offset + 4) {
            return Ok(());
        }
        let text = count(length);
        if app.global.json {
            let field = lines::bare(self.record, offset, bytes, "record length", &text);
            return app.raw(&field);
        }
        let words = format!("record {}, length {text}", self.record);
        let words = paint(style::FRAME, width::cut(&words, self.rows.words()));
        self.rows
            .row(&mut app.out, offset, bytes, style::FRAME, &words)
    }

    /// Prints bytes that belong to no value.
    pub(crate) fn run(
        self,
        app: &mut App,
        name: &str,
        bytes: &[u8],
        offset: usize,
    ) -> io::Result<()> {
        if bytes.is_empty() || !self.span.touches(offset, offset + bytes.len()) {
            return Ok(());
        }
        let text = plural(bytes.len() as u64, "byte");
        if app.global.json {
            return app.raw(&lines::bare(self.record, offset, bytes, name, &text));
        }
        let words = width::cut(&format!("{name} {text}"), self.rows.words());
        let words = paint(style::WARNING, words);
        let end = |from| from + self.rows.bytes;
        self.chunks(app, (bytes, offset), style::WARNING, end, |from, _| {
            if from == 0 {
                words.clone()
            } else {
                String::new()
            }
        })
    }

    /// Prints the fields of a value. `prefix` is the path of the value.
    pub(crate) fn fields(
        self,
        app: &mut App,
        bytes: &[u8],
        base: usize,
        prefix: &str,
        fields: &mut WireFields<'_>,
    ) -> io::Result<()> {
        let mut first = true;
        while let Some(field) = fields.next() {
            let (start, end) = (base + field.start, base + field.end);
            if start >= self.span.to {
                break;
            }
            if !self.span.touches(start, end) {
                continue;
            }
            let told = FieldRow {
                field,
                bytes: &bytes[field.start..field.end],
                value: fields.value(),
                path: path(prefix, &fields.path().to_string()),
            };
            if app.global.json {
                app.raw(&lines::field(
                    self.record,
                    start,
                    field,
                    told.bytes,
                    told.value,
                    &told.path,
                    self.dialect,
                ))?;
            } else {
                self.field(app, &told, base, first)?;
            }
            first = false;
        }
        Ok(())
    }

    /// Prints the fields around a damaged byte at `offset` in the record.
    pub(crate) fn around(
        self,
        app: &mut App,
        document: Document<'_>,
        base: usize,
        offset: usize,
    ) -> io::Result<()> {
        let mut before = VecDeque::new();
        let mut to = document.bytes().len();
        for field in document.wire_fields() {
            if matches!(field.part, WirePart::Header) {
                before.push_back(field.start);
                if before.len() > BEFORE {
                    before.pop_front();
                }
            }
            if field.end > offset {
                to = field.end;
                break;
            }
        }
        let from = before.front().copied().unwrap_or(0);
        let show = Show {
            span: Span {
                from: base + from,
                to: base + to,
            },
            mark: Some(base + offset),
            ..self
        };
        show.fields(app, document.bytes(), base, "", &mut document.wire_fields())?;
        if offset < document.bytes().len() || app.global.json {
            return Ok(());
        }
        let words = paint(style::ERROR, "the end <- here");
        self.rows
            .row(&mut app.out, base + offset, &[], style::ERROR, &words)
    }

    fn field(self, app: &mut App, told: &FieldRow<'_>, base: usize, first: bool) -> io::Result<()> {
        let field = told.field;
        let style = style_of(field.part);
        let start = base + field.start;
        let words = |text: &str| match field.part {
            WirePart::Header => self.header(told, text),
            _ if first => format!(
                "{}  {}",
                paint(
                    style::KEY,
                    width::cut_start(&told.path, self.rows.words() / 2 - 1)
                ),
                paint(
                    style,
                    width::cut(&format!("{field} {text}"), self.rows.words() / 2 - 1)
                ),
            ),
            _ => {
                let text = format!("  {field} {text}");
                paint(style, width::cut(text.trim_end(), self.rows.words()))
            }
        };
        let numbers = FieldNumbers::of(field, told.bytes, told.value).filter(|numbers| {
            let long = field.part == WirePart::Elements || field.len() > self.rows.bytes;
            long && numbers.size() > 1
        });
        let Some(numbers) = numbers else {
            let text = field_meanings::of(field, told.bytes, told.value, self.dialect);
            let end = |from| from + self.rows.bytes;
            let first_row = |from, _| {
                if from == 0 {
                    words(&text)
                } else {
                    String::new()
                }
            };
            return self.chunks(app, (told.bytes, start), style, end, first_row);
        };
        let per_row = self.rows.bytes;
        let unit = numbers.unit();
        let end = |from: usize| match per_row / unit {
            0 => (from + per_row).min((from / unit + 1) * unit),
            whole => from + whole * unit,
        };
        self.chunks(app, (told.bytes, start), style, end, |from, to| {
            let text = numbers.beginning(from, to);
            if from == 0 {
                words(&text)
            } else if text.is_empty() {
                text
            } else {
                let text = width::cut(&format!("    {text}"), self.rows.words());
                paint(style, text)
            }
        })
    }

    /// Returns the description of a value's header: its path and its type.
    fn header(self, told: &FieldRow<'_>, kind: &str) -> String {
        let kind = match told.field.to_string() {
            name if name == "header" => kind.to_owned(),
            name => format!("{name}, {kind}"),
        };
        // Leaves room for at least eight characters of the path.
        let least = told.path.chars().count().min(8);
        let kind = width::cut(&kind, self.rows.words().saturating_sub(least + 2));
        let room = self.rows.words().saturating_sub(kind.chars().count() + 2);
        let path = width::cut_start(&told.path, room);
        format!("{}  {}", paint(style::KEY, path), paint(style::HEAD, kind))
    }

    /// Prints a field as rows. Rows are ranges of offsets in the field: `end` returns the end of the row that begins at
    /// a given offset, and `words` returns the description of the row between two offsets.
    fn chunks(
        self,
        app: &mut App,
        (bytes, offset): (&[u8], usize),
        style: Style,
        end: impl Fn(usize) -> usize,
        mut words: impl FnMut(usize, usize) -> String,
    ) -> io::Result<()> {
        let mut from = 0;
        let mut shown = 0;
        while from < bytes.len() && offset + from < self.span.to {
            let to = end(from).min(bytes.len());
            // The last row is always shown: a line that says it is left out would be as long.
            if shown >= ROWS && to < bytes.len() && !self.full {
                let rest = plural((bytes.len() - from) as u64, "byte");
                let end = offset + bytes.len();
                let rest = format!("… {rest} more, up to {end:#x}");
                return self.rows.gap(&mut app.out, &rest);
            }
            if self.span.touches(offset + from, offset + to) {
                let mut words = words(from, to);
                let marked = |at| (offset + from..offset + to).contains(&at);
                if self.mark.is_some_and(marked) {
                    let gap = if words.is_empty() { "  " } else { " " };
                    words += &format!("{gap}{}", paint(style::ERROR, "<- here"));
                }
                self.rows
                    .row(&mut app.out, offset + from, &bytes[from..to], style, &words)?;
                shown += 1;
            }
            from = to;
        }
        Ok(())
    }
}

/// Joins `prefix` and `path`, and removes the `$`.
fn path(prefix: &str, path: &str) -> String {
    let prefix = if prefix.is_empty() { "$" } else { prefix };
    let path = format!("{prefix}{}", path.trim_start_matches('$'));
    let bare = path.strip_prefix("$.").or(path.strip_prefix('$'));
    match bare {
        Some(bare) if !bare.is_empty() => safe_line(bare).into_owned(),
        _ => path,
    }
}

fn style_of(part: WirePart) -> Style {
    match part {
        WirePart::Header => style::HEAD,
        WirePart::Text => style::TEXT,
        WirePart::Padding | WirePart::Nul => style::DIM,
        WirePart::Payload | WirePart::Elements | WirePart::InstanceId => Style::new(),
        WirePart::Trailing => style::WARNING,
        WirePart::Unread => style::ERROR,
        _ => style::NUMBER,
    }
}
