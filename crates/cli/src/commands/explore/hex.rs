//! The hex view beside the tree: the bytes of the selected value, and some before and after them.

use std::ops::Range;

use gdvar_view::{PathTarget, VariantRef};
use ratatui::{
    layout::Rect,
    style::{Color, Modifier, Style},
    text::{Line, Span},
};

use crate::{
    commands::explore::{
        child::{Child, Name, Thing},
        children::{ChildAnswer, Children},
        style::{DIM, KEY, PLAIN},
        work::Work,
    },
    diagnose::{fault::Fault, report::printable},
};

const VALUE: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const DAMAGE: Style = Style::new().fg(Color::Red).add_modifier(Modifier::REVERSED);

/// The area of the hex view on the screen.
#[derive(Clone, Copy)]
pub(crate) struct HexArea {
    pub(crate) area: Rect,
    /// The number of bytes in a line.
    pub(crate) columns: u16,
    /// `true` if there is a column with the bytes as characters.
    pub(crate) text: bool,
}

/// The bytes of a row of the tree, as offsets in its record.
#[derive(Clone, Debug)]
pub(crate) struct ByteSpan {
    key: Range<usize>,
    /// The bytes of the value; for a container, only those before its first child.
    value: Range<usize>,
    is_damage: bool,
}

impl ByteSpan {
    /// Finds the bytes of a row. Does not walk over a container.
    pub(crate) fn of(child: &Child<'_>) -> ByteSpan {
        let mut span = ByteSpan::of_start(child);
        if let Some(value) = child.value().filter(|value| value.has_children()) {
            let first = Children::of(value, child.record).get(0, &mut Work(Work::ALL));
            span.value.end = match first {
                ChildAnswer::Child(first) => ByteSpan::of_start(&first).start(),
                ChildAnswer::End(_) | ChildAnswer::Pending => value.offset() + 8,
            };
        }
        span
    }

    /// Finds the bytes of a row. Of a container, takes only the first four bytes.
    fn of_start(child: &Child<'_>) -> ByteSpan {
        let value = match child.thing {
            Thing::Value(value) if value.has_children() => value.offset()..value.offset() + 4,
            Thing::Value(value) => whole(value),
            Thing::Part(part, owner) => part_bytes(child, part, owner),
            Thing::Broken(fault) => {
                let at = match fault {
                    Fault::Read(error) => error.offset(),
                    Fault::Problem(problem) => problem.offset().saturating_sub(child.record.base),
                };
                at..at + 1
            }
        };
        let key = match child.name {
            Name::Key(key, _) => Some(whole(key)),
            Name::Property(name) => with_length(child, name.raw()),
            Name::Record(_) | Name::Index(_) => None,
        };
        ByteSpan {
            key: key.unwrap_or_default(),
            value,
            is_damage: matches!(child.thing, Thing::Broken(_)),
        }
    }

    /// Returns the offset of the key, or of the value if there is no key.
    fn start(&self) -> usize {
        match self.key.is_empty() {
            true => self.value.start,
            false => self.key.start,
        }
    }

    /// Returns the offset of the value's first byte.
    pub(crate) fn offset(&self) -> usize {
        self.value.start
    }

    /// Returns the number of bytes of the value, or of a container's head.
    pub(crate) fn len(&self) -> usize {
        self.value.len()
    }

    fn style(&self, at: usize) -> Style {
        if self.value.contains(&at) {
            if self.is_damage { DAMAGE } else { VALUE }
        } else if self.key.contains(&at) {
            KEY
        } else {
            DIM
        }
    }

    /// Draws the bytes, starting one line before the span. Offsets count from the start of the file, and each line
    /// starts at a multiple of `hex.columns`.
    pub(crate) fn lines(
        &self,
        child: &Child<'_>,
        hex: HexArea,
    ) -> impl Iterator<Item = Line<'static>> {
        let (bytes, base) = (child.record.bytes, child.record.base);
        let columns = usize::from(hex.columns);
        let first = (base + self.start()) / columns * columns;
        let first = first.saturating_sub(columns).max(base / columns * columns);
        let offsets = (first..base + bytes.len()).step_by(columns);
        offsets.map(move |offset| {
            // The first line may begin before the record.
            let cells = (offset..offset + columns).map(|at| {
                let at = at.checked_sub(base)?;
                Some((*bytes.get(at)?, self.style(at)))
            });
            let blank = Span::raw(" ");
            let mut spans = vec![Span::styled(format!("{offset:08x}  "), DIM)];
            for cell in cells.clone() {
                spans.push(match cell {
                    Some((byte, style)) => Span::styled(format!("{byte:02x}"), style),
                    None => Span::raw("  "),
                });
                spans.push(blank.clone());
            }
            if hex.text {
                spans.push(blank);
                spans.extend(cells.map(|cell| match cell {
                    Some((byte, style)) => Span::styled(printable(byte).to_string(), style),
                    None => Span::styled(" ", PLAIN),
                }));
            }
            Line::from(spans)
        })
    }
}

fn whole(value: VariantRef<'_>) -> Range<usize> {
    let len = value.raw().map_or(4, <[u8]>::len);
    value.offset()..value.offset() + len
}

/// Returns the range of a text in the bytes of its record, including the length before it.
fn with_length(child: &Child<'_>, text: &[u8]) -> Option<Range<usize>> {
    let record = child.record.bytes;
    let start = (text.as_ptr() as usize).checked_sub(record.as_ptr() as usize)?;
    let end = start.checked_add(text.len())?;
    (end <= record.len()).then_some(start.saturating_sub(4)..end)
}

/// Returns the range of an element of a packed array.
fn part_bytes(child: &Child<'_>, part: PathTarget<'_>, owner: VariantRef<'_>) -> Range<usize> {
    let head = owner.offset()..owner.offset() + 8;
    if let PathTarget::Text(text) = part {
        return with_length(child, text.raw()).unwrap_or(head);
    }
    let (Name::Index(n), Some(len), Ok(raw)) = (child.name, owner.packed_len(), owner.raw()) else {
        return head;
    };
    let size = match owner.as_bytes() {
        Some(_) => 1,
        None => raw.len().saturating_sub(8) / len.max(1),
    };
    let start = head.end + n as usize * size;
    start..start + size
}
