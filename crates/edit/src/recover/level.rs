//! [`Level`]: a container on the way to the damage, and what its children have in common.

use gdvar_view::{Document, Kind, Limits, ReadOptions, VariantRef, WireOwner, WirePart};

use crate::plan::word;

/// The bit that Godot 2 sets in counts (`docs/FORMAT.md` §4.2).
pub(super) const SHARED: u32 = 1 << 31;

/// What the children of a container are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Members {
    Elements,
    Pairs,
    Properties,
}

/// The first word of a key or element, as far as the children of one container have it in common: strings of both
/// types are alike, and numbers of 32 and 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lead {
    Text,
    Word(u32),
}

impl Lead {
    /// The lead of null.
    pub(super) const NULL: Lead = Lead::Word(0);

    /// Returns `true` if values that begin like this are dictionaries.
    pub(super) fn is_dictionary(self, options: ReadOptions) -> bool {
        let Lead::Word(word) = self else {
            return false;
        };
        let kind = options.dialect().kind(gdvar_view::TypeId(word as u8));
        kind == Some(Kind::Dictionary)
    }

    /// The lead of the value at `at`.
    pub(super) fn of(bytes: &[u8], at: usize, options: ReadOptions) -> Option<Lead> {
        const WIDE: u32 = 1 << 16;
        let header = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let kind = options.dialect().kind(gdvar_view::TypeId(header as u8))?;
        Some(match kind {
            Kind::Nil => Lead::NULL,
            Kind::String | Kind::StringName if header < 256 => Lead::Text,
            _ => Lead::Word(header & !WIDE),
        })
    }

    /// Returns `true` if values that begin like this have children.
    pub(super) fn is_container(self, options: ReadOptions) -> bool {
        let Lead::Word(word) = self else {
            return false;
        };
        let kind = options.dialect().kind(gdvar_view::TypeId(word as u8));
        matches!(kind, Some(Kind::Dictionary | Kind::Array | Kind::Object))
    }
}

/// A container that is open where the damage was noticed.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) members: Members,
    /// The place of the word with the count; the first child follows it.
    pub(super) count_at: usize,
    pub(super) count: usize,
    /// The number of children that were read.
    pub(super) done: usize,
    /// The place where the child begins that is next.
    pub(super) start: usize,
    /// The place where the child before that begins.
    pub(super) before: usize,
    /// The place where the value of the next child begins, once its key was read.
    pub(super) value_at: Option<usize>,
    /// The lead of the first key or element.
    pub(super) lead: Option<Lead>,
    /// The number of children from the first on that have this lead.
    pub(super) alike: usize,
    /// `true` if its count is more than the bytes can hold.
    pub(super) is_overfull: bool,
}

impl Level {
    /// The container `value` of a document that begins at `base`, whose first child begins at `first`.
    pub(super) fn of(value: VariantRef<'_>, first: usize) -> Level {
        let (members, count) = if let Some(array) = value.as_array() {
            (Members::Elements, array.len())
        } else if let Some(dict) = value.as_dict() {
            (Members::Pairs, dict.len())
        } else {
            let object = value.as_object().map_or(0, |object| object.len());
            (Members::Properties, object)
        };
        Level::new(members, first - 4, count)
    }

    fn new(members: Members, count_at: usize, count: usize) -> Level {
        let start = count_at + 4;
        Level {
            members,
            count_at,
            count,
            done: 0,
            start,
            before: start,
            value_at: (members == Members::Elements).then_some(start),
            lead: None,
            alike: 0,
            is_overfull: false,
        }
    }

    /// The container at `at` of which nothing is wrong but its count, or `None`.
    pub(super) fn overfull(bytes: &[u8], at: usize, options: ReadOptions) -> Option<Level> {
        let value = bytes.get(at..)?;
        let (members, count_at) = count_of(value, options)?;
        let empty = [value.get(..count_at)?, &[0; 4]].concat();
        Document::with_options(&empty, options).validate().ok()?;
        let count = (word(value, count_at) & !SHARED) as usize;
        let level = Level::new(members, at + count_at, count);
        Some(Level {
            is_overfull: true,
            ..level
        })
    }

    /// Goes on to the child after the one that ends at `end`; or, where that is a key, to its value.
    pub(super) fn pass(&mut self, end: usize) {
        if self.value_at.is_none() {
            self.value_at = Some(end);
            return;
        }
        self.done += 1;
        self.before = self.start;
        self.start = end;
        self.value_at = (self.members == Members::Elements).then_some(end);
    }

    /// Returns `true` if its children, two or more, have all one lead. Nulls are not alike: zeros are read as null.
    pub(super) fn is_alike(&self) -> bool {
        self.done >= 2 && self.alike >= self.done && self.lead != Some(Lead::NULL)
    }

    /// Returns `true` if it is an array of values that are all alike and could not be keys of a dictionary around it.
    pub(super) fn is_row(&self) -> bool {
        self.members == Members::Elements && self.is_alike() && self.lead != Some(Lead::Text)
    }

    /// Returns `true` if its children, two or more, are not alike.
    pub(super) fn is_mixed(&self) -> bool {
        self.done >= 2 && !self.is_alike()
    }

    /// The number of children that follow the one at hand.
    pub(super) fn left(&self) -> usize {
        self.count.saturating_sub(self.done + 1)
    }
}

/// What the children of the container are that `value` begins with, and where its count is; `None` for any other
/// value. The count may be any.
pub(super) fn count_of(value: &[u8], options: ReadOptions) -> Option<(Members, usize)> {
    let id = gdvar_view::TypeId(*value.first()?);
    let members = match options.dialect().kind(id)? {
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => Members::Elements,
        Kind::Dictionary => Members::Pairs,
        Kind::Object => Members::Properties,
        _ => return None,
    };
    let options = options.with_limits(Limits::MOST);
    let mut fields = Document::with_options(value, options).wire_fields();
    let count = fields.find(|field| {
        let is_count = field.part == WirePart::Count && field.of == WireOwner::Value;
        is_count || matches!(field.part, WirePart::Unread | WirePart::Trailing)
    })?;
    (count.part == WirePart::Count).then_some((members, count.start))
}

/// Returns `true` if `text` is what games call things: UTF-8 without control characters, and not empty.
pub(super) fn is_name(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text);
    text.is_ok_and(|text| !text.is_empty() && !text.contains(char::is_control))
}

/// The text of the string field at `at` (`docs/FORMAT.md` §3.2).
pub(super) fn text_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let len = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize;
    let end = at.checked_add(4)?.checked_add(len)?;
    bytes.get(at + 4..end)
}

/// The end of the string field at `at`, its padding included.
pub(super) fn field_end(bytes: &[u8], at: usize) -> Option<usize> {
    let len = text_at(bytes, at)?.len();
    Some(at + 4 + len.next_multiple_of(4)).filter(|end| *end <= bytes.len())
}
