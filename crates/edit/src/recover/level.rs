//! [`Level`]: a container that is open at the damage, and what its children have in common.

use gdvar_view::{Document, Kind, Limits, ReadOptions, VariantRef, WireOwner, WirePart};

use crate::plan::word;

/// The bit that Godot 2 sets in counts ([`docs/FORMAT.md` §4.2]).
///
/// [`docs/FORMAT.md` §4.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#42-dictionary
pub(super) const SHARED: u32 = 1 << 31;

/// The kind of a container's children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Members {
    Elements,
    Pairs,
    Properties,
}

/// The first word of a key or element, simplified so that similar children have the same lead. A String and
/// a StringName have the same lead, and so do 32-bit and 64-bit numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lead {
    Text,
    Word(u32),
}

impl Lead {
    /// Null starts with the type number 0.
    pub(super) const NULL: Lead = Lead::Word(0);

    /// Returns `true` if a value with this lead is a dictionary.
    pub(super) fn is_dictionary(self, options: ReadOptions) -> bool {
        let Lead::Word(word) = self else {
            return false;
        };
        let kind = options.dialect().kind(gdvar_view::TypeId(word as u8));
        kind == Some(Kind::Dictionary)
    }

    /// Returns the lead of the value at `at`, or `None` if the bytes end before it or its type is unknown.
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

    /// Returns `true` if a value with this lead has children.
    pub(super) fn is_container(self, options: ReadOptions) -> bool {
        let Lead::Word(word) = self else {
            return false;
        };
        let kind = options.dialect().kind(gdvar_view::TypeId(word as u8));
        matches!(kind, Some(Kind::Dictionary | Kind::Array | Kind::Object))
    }
}

/// A container that was open where the damage was noticed.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) members: Members,
    /// The offset of the count word; the first child follows it.
    pub(super) count_at: usize,
    pub(super) count: usize,
    /// The number of children read so far.
    pub(super) done: usize,
    /// The offset of the current child, which is read next.
    pub(super) start: usize,
    /// The offset of the child before the current one.
    pub(super) before: usize,
    /// The offset of the current child's value. `None` until its key has been read.
    pub(super) value_at: Option<usize>,
    /// The lead of the first key or element.
    pub(super) lead: Option<Lead>,
    /// The number of leading children with this lead.
    pub(super) alike: usize,
    /// `true` if the count is larger than the bytes allow.
    pub(super) is_overfull: bool,
}

impl Level {
    /// Returns the level of the container `value`, whose first child begins at `first`.
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

    /// Returns the container at `at`, if its count is wrong and its header is right.
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

    /// Continues after the key or child that ends at `end`: with the key's value, or with the next child.
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

    /// Returns `true` if there are two or more children and all have the same lead. Nulls do not count,
    /// because zeros read as null.
    pub(super) fn is_alike(&self) -> bool {
        self.done >= 2 && self.alike >= self.done && self.lead != Some(Lead::NULL)
    }

    /// Returns `true` if this level is an array, and its children all have one lead that is not text. Such
    /// children cannot be keys of a dictionary around the array.
    pub(super) fn is_row(&self) -> bool {
        self.members == Members::Elements && self.is_alike() && self.lead != Some(Lead::Text)
    }

    /// Returns `true` if there are two or more children with different leads.
    pub(super) fn is_mixed(&self) -> bool {
        self.done >= 2 && !self.is_alike()
    }

    /// Returns the number of children after the current one.
    pub(super) fn left(&self) -> usize {
        self.count.saturating_sub(self.done + 1)
    }
}

/// Returns the kind of children of the container at the start of `value`, and the offset of its count word.
/// `None` if `value` is not a container. The count itself is not checked.
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

/// Returns `true` if `text` could be a name in a game: it is not empty, valid UTF-8, and without control
/// characters.
pub(super) fn is_name(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text);
    text.is_ok_and(|text| !text.is_empty() && !text.contains(char::is_control))
}

/// Returns the text of the string field at `at` ([`docs/FORMAT.md`
/// §3.2](https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#32-string-field)).
pub(super) fn text_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let len = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize;
    let end = at.checked_add(4)?.checked_add(len)?;
    bytes.get(at + 4..end)
}

/// Returns the end of the string field at `at`, including its padding.
pub(super) fn field_end(bytes: &[u8], at: usize) -> Option<usize> {
    let len = text_at(bytes, at)?.len();
    Some(at + 4 + len.next_multiple_of(4)).filter(|end| *end <= bytes.len())
}

/// Returns `true` if the two words differ in at most one byte.
pub(super) fn is_near(wrong: u32, right: u32) -> bool {
    let differ = (wrong ^ right).to_le_bytes();
    differ.iter().filter(|byte| **byte != 0).count() <= 1
}
