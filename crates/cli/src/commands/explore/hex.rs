//! The bytes beside the tree: those of the selection, and what is around them.

use gdvar_view::Part;

use crate::{
    commands::explore::{
        children::{Children, Got, Work},
        walk::{Child, Name, Thing},
    },
    diagnose::fault::Fault,
};

/// The value or length that a byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// Something else.
    Other,
    /// The key of the selection.
    Key,
    /// The selection; of a container its head.
    Value,
    /// The place at which reading ends.
    Damage,
}

/// A line of bytes.
#[derive(Clone, Debug)]
pub(crate) struct HexLine {
    /// The place in the file at which it begins.
    pub(crate) offset: usize,
    /// Empty places are in front of the first byte of the record.
    pub(crate) bytes: Vec<Option<(u8, Owner)>>,
}

/// Which bytes a row stands for, in its record.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    key: std::ops::Range<usize>,
    value: std::ops::Range<usize>,
    owner: Owner,
}

impl Span {
    /// Of a row. Only the head of a container counts, so that it is not walked over.
    pub(crate) fn of(child: &Child<'_>) -> Span {
        let value = match child.thing {
            Thing::Value(value) if value.has_children() => {
                let start = value.offset();
                let first = Children::of(value, child.place).get(0, &mut Work(Work::ALL));
                let end = match first {
                    Got::Child(first) => Span::of_leaf(&first).start(),
                    Got::End(_) | Got::Pending => start + 8,
                };
                start..end
            }
            _ => return Span::of_leaf(child),
        };
        Span {
            key: key(child),
            value,
            owner: Owner::Value,
        }
    }

    fn of_leaf(child: &Child<'_>) -> Span {
        let (value, owner) = match child.thing {
            Thing::Value(value) if value.has_children() => {
                (value.offset()..value.offset() + 4, Owner::Value)
            }
            Thing::Value(value) => {
                let len = value.raw().map_or(4, <[u8]>::len);
                (value.offset()..value.offset() + len, Owner::Value)
            }
            Thing::Part(part, owner) => (part_span(child, part, owner), Owner::Value),
            Thing::Broken(Fault::Read(error)) => {
                (error.offset()..error.offset() + 1, Owner::Damage)
            }
            Thing::Broken(Fault::Problem(problem)) => {
                let at = problem.offset().saturating_sub(child.place.base);
                (at..at + 1, Owner::Damage)
            }
        };
        Span {
            key: key(child),
            value,
            owner,
        }
    }

    /// The first byte, that of the key where there is one.
    fn start(&self) -> usize {
        if self.key.is_empty() {
            self.value.start
        } else {
            self.key.start
        }
    }

    /// The first byte of the value.
    pub(crate) fn offset(&self) -> usize {
        self.value.start
    }

    /// The number of bytes of the value; of a container those of its head.
    pub(crate) fn len(&self) -> usize {
        self.value.len()
    }

    /// The value or length that a byte belongs to.
    fn owner(&self, at: usize) -> Owner {
        if self.value.contains(&at) {
            self.owner
        } else if self.key.contains(&at) {
            Owner::Key
        } else {
            Owner::Other
        }
    }
}

fn key(child: &Child<'_>) -> std::ops::Range<usize> {
    match child.name {
        Name::Key(key, _) => {
            let len = key.raw().map_or(4, <[u8]>::len);
            key.offset()..key.offset() + len
        }
        Name::Property(name) => {
            let end = inside(child.place.bytes, name.raw());
            end.map_or(0..0, |range| range.start.saturating_sub(4)..range.end)
        }
        Name::Record(_) | Name::Index(_) => 0..0,
    }
}

/// The place of bytes in others that they are a part of.
fn inside(all: &[u8], part: &[u8]) -> Option<std::ops::Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(all.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (end <= all.len()).then_some(start..end)
}

fn part_span(
    child: &Child<'_>,
    part: Part<'_>,
    owner: gdvar_view::VariantRef<'_>,
) -> std::ops::Range<usize> {
    let whole = owner.offset()..owner.offset() + 8;
    if let Part::Text(text) = part {
        let range = inside(child.place.bytes, text.raw());
        return range.map_or(whole, |range| range.start.saturating_sub(4)..range.end);
    }
    let (Name::Index(n), Some(len), Ok(raw)) = (child.name, owner.packed_len(), owner.raw()) else {
        return whole;
    };
    let size = match owner.as_bytes() {
        Some(_) => 1,
        None => raw.len().saturating_sub(8) / len.max(1),
    };
    let start = whole.end + n as usize * size;
    start..start + size
}

/// The lines around a span, `columns` bytes each. Offsets count from the start of the file, and lines begin
/// at multiples of `columns`.
pub(crate) fn lines(child: &Child<'_>, span: &Span, columns: usize, count: usize) -> Vec<HexLine> {
    let base = child.place.base;
    let first = (base + span.start()) / columns * columns;
    // A line before, for those who want to see where they are.
    let first = first.saturating_sub(columns).max(base / columns * columns);
    let byte = |at: usize| {
        let at = at.checked_sub(base)?;
        let byte = *child.place.bytes.get(at)?;
        Some((byte, span.owner(at)))
    };
    (0..count)
        .map(|n| first + n * columns)
        .take_while(|&offset| offset < base + child.place.bytes.len())
        .map(|offset| HexLine {
            offset,
            bytes: (offset..offset + columns).map(byte).collect(),
        })
        .collect()
}
