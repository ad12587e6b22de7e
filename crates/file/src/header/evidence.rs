//! How much shows that bytes are values: where they end, and what is in them.

use gdvar_view::{Dialect, Document, Event, Kind, Limits, Role};

use crate::{
    Framing,
    blank::{BLANK, Blank},
    options,
    records::{Problem, records},
    trailer_len,
};

/// The number of bytes of the values that are examined for evidence. After these bytes, only the lengths before the
/// records are checked.
const LOOK: usize = 1 << 16;

/// Returns `true` if there is evidence for values from byte 0 to the end of `bytes`.
pub(crate) fn explains(bytes: &[u8], dialects: &[Dialect]) -> bool {
    at_start(bytes, dialects) >= Evidence::Cut
}

/// Returns `true` if a value with two texts or more starts at byte 0, or after its length. Nothing is required of the
/// bytes after these texts.
pub(crate) fn starts_well(bytes: &[u8], dialects: &[Dialect]) -> bool {
    [0, 4]
        .into_iter()
        .filter_map(|at| bytes.get(at..))
        .any(|value| {
            dialects.iter().any(|&dialect| {
                let mut events = Document::with_options(value, options(dialect)).events();
                let mut seen = ValueStats::default();
                while let Ok(Some(event)) = events.try_next() {
                    seen.add(event, events.role());
                    if seen.starts_well() || seen.odd > 0 {
                        break;
                    }
                }
                seen.starts_well()
            })
        })
}

/// Returns the best evidence for values that start at byte 0.
pub(super) fn at_start(bytes: &[u8], dialects: &[Dialect]) -> Evidence {
    let mut best = Evidence::None;
    for framing in [Framing::Len32, Framing::Len32Be, Framing::Bare] {
        for &dialect in dialects {
            best = best.max(evidence(bytes, framing, dialect, Search::AtStart));
            if best == Evidence::Good {
                return best;
            }
        }
    }
    best
}

/// The evidence that some bytes are values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// The bytes are not values.
    None,
    /// Values up to the last byte, without readable text and without containers that are not empty. They may be valid
    /// by chance, because some types accept any bytes, such as `PackedByteArray`.
    Weak,
    /// Records up to the last byte, as for `Good`, but some of them are damaged.
    Damaged,
    /// As for `Good`, but the last value is cut.
    Cut,
    /// Values up to the last byte, with readable text or containers that are not empty.
    Good,
}

/// Where the values are assumed to start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// At byte 0. Some records may be damaged, which gives [`Evidence::Damaged`]. A long value is read only up to
    /// [`LOOK`] bytes.
    AtStart,
    /// After a header. A record that cannot be read counts only if it starts well, and a long bare value is
    /// read to its end.
    After,
}

/// Returns the evidence that all of `bytes` are values in a framing. The last value may be truncated, or zeros may
/// follow it.
pub(super) fn evidence(
    bytes: &[u8],
    framing: Framing,
    dialect: Dialect,
    search: Search,
) -> Evidence {
    // No length begins in a run of 00 or FF, which may be gigabytes long: it is not measured at each offset.
    let head = bytes.get(..BLANK).unwrap_or_default();
    if framing.order().is_some() && Blank::at(head, 0).is_some() {
        return Evidence::None;
    }
    let bytes = match framing {
        // Looking for a trailer after a bare value would take a reading for each dialect.
        Framing::Bare => bytes,
        _ => &bytes[..bytes.len() - trailer_len(bytes, framing, &[dialect])],
    };
    // A value that exceeds the depth limit is not a header either.
    let options = options(dialect).with_limits(Limits::MOST);
    let mut seen = ValueStats::default();
    let (mut damaged, mut last) = (0, false);
    for record in records(bytes, framing) {
        match record.problem {
            Some(Problem::Blank(blank)) if blank.to_end && seen.len > 0 => break,
            None if !last => {}
            _ => return Evidence::None,
        }
        last = record.cut.is_some();
        if seen.len >= LOOK {
            continue;
        }
        let mut own = ValueStats::default();
        let mut events = Document::with_options(&record.bytes, options).events();
        let is_value = loop {
            let position = events.position();
            match events.try_next() {
                Ok(Some(event)) => own.add(event, events.role()),
                Ok(None) => break position == record.bytes.len() && !last,
                // The file ends within this value. Any bytes look like the start of some value, so more
                // evidence is needed.
                Err(error) if error.is_truncated() && (last || framing == Framing::Bare) => {
                    last = true;
                    break own.starts_well();
                }
                Err(_) => break false,
            }
            let may_end = search == Search::AtStart || framing != Framing::Bare;
            if may_end && position >= LOOK {
                break true;
            }
        };
        own.len = events.position();
        match (is_value, search) {
            (true, _) => seen = seen.and(own),
            // Text after its length looks like a record.
            (false, Search::AtStart) if record.index == 0 && is_text(&record.bytes) => {
                return Evidence::None;
            }
            (false, Search::AtStart) if framing != Framing::Bare => damaged += 1,
            // An unreadable record after a header counts too, if its length fits and it begins with plausible
            // texts.
            (false, Search::After) if !last && own.starts_well() && framing != Framing::Bare => {
                seen = seen.and(own);
            }
            (false, _) => return Evidence::None,
        }
    }
    let is_good = seen.texts + seen.children > 0;
    match seen.len {
        0 => Evidence::None,
        _ if seen.is_cut_text && framing == Framing::Bare => Evidence::None,
        _ if is_good && damaged == 0 && last => Evidence::Cut,
        _ if is_good && damaged == 0 => Evidence::Good,
        _ if is_good => Evidence::Damaged,
        _ if damaged > 0 => Evidence::None,
        _ => Evidence::Weak,
    }
}

/// Returns `true` if the bytes cannot be a damaged value: they are text, or their number is not a multiple of four.
fn is_text(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes);
    bytes.len() % 4 != 0 || text.is_ok_and(|text| text.chars().all(|c| !c.is_control()))
}

/// Counts of what occurs in values.
#[derive(Default)]
struct ValueStats {
    /// The number of bytes.
    len: usize,
    /// Texts of two characters or more without control characters.
    texts: u64,
    /// Texts and names with control characters.
    odd: u64,
    /// Values in containers.
    children: u64,
    /// `true` if a value is a text with a NUL inside. Engines read the text up to the NUL, and never write such a text
    /// (docs/FORMAT.md, the table of tolerated bytes). A version number 4 or 21 before a length looks like this.
    is_cut_text: bool,
}

impl ValueStats {
    fn and(self, other: ValueStats) -> ValueStats {
        ValueStats {
            len: self.len + other.len,
            texts: self.texts + other.texts,
            odd: self.odd + other.odd,
            children: self.children + other.children,
            is_cut_text: self.is_cut_text || other.is_cut_text,
        }
    }

    /// Returns `true` if this is enough evidence for a value that cannot be read to its end.
    fn starts_well(&self) -> bool {
        self.texts > 1 && self.odd == 0
    }

    fn add(&mut self, event: Event<'_>, role: Role) {
        self.children += u64::from(role != Role::Root);
        if let (Event::Value(value), Role::Root) = (event, role) {
            let text = value.as_text();
            self.is_cut_text |= text.is_some_and(|text| text.raw().contains(&0));
        }
        let text = match event {
            Event::Property(name) => name.to_str().ok(),
            Event::Value(value) if value.kind() != Kind::NodePath => value.as_str(),
            _ => None,
        };
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return;
        };
        let is_odd = |c: char| c.is_control() && !c.is_whitespace();
        match text.chars().any(is_odd) {
            true => self.odd += 1,
            false => self.texts += u64::from(text.len() > 1),
        }
    }
}
