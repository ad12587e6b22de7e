//! Tests whether one wrong word explains the damage. If it does, the bytes up to the place where reading
//! continues belong to one child, and no other child is lost.
//!
//! Without this test, the search could find a key of a container inside the damaged one and take it for an entry
//! of the outer container. Everything after it would still fit.

use gdvar_view::{Dialect, Kind, Mode, Objects, ReadOptions, TypeId};

use super::{
    level::{Lead, Level, Members, SHARED, count_of, field_end, is_name, is_near, text_at},
    search::Search,
    walk::Walk,
};
use crate::plan::word;

/// The longest key whose own length may be wrong.
const LONGEST_KEY: usize = 256;

/// The element sizes of packed arrays.
const ELEMENTS: [usize; 8] = [1, 4, 8, 12, 16, 24, 32, 64];

/// The largest child that is searched for a wrong word.
const LARGE: usize = 1 << 20;

/// The types that a value with a wrong header may have.
#[derive(Clone, Copy)]
enum Types {
    Any,
    /// Only types with this lead. If the lead is `None`, no type is possible.
    Only(Option<Lead>),
}

/// Returns `true` for types of fixed size and for packed arrays of numbers. Any sufficient number of bytes is a
/// valid value of these types.
fn is_numeric(id: TypeId, dialect: Dialect) -> bool {
    let is_packed = |kind: Kind| {
        kind.is_packed() && !matches!(kind, Kind::PackedStringArray | Kind::PackedTypedArray)
    };
    dialect.fixed_payload(id, false).is_some() || dialect.kind(id).is_some_and(is_packed)
}

/// Returns `true` if the payload of `value` contains something like a key or a property name. Then `value` is a
/// container, or more than one value.
fn has_names(value: &[u8], options: ReadOptions) -> bool {
    let is_length = |len: u32| (1..=LONGEST_KEY as u32).contains(&len);
    (4..value.len()).step_by(4).any(|at| {
        let text = text_at(value, at).filter(|text| (2..=LONGEST_KEY).contains(&text.len()));
        let is_key = Lead::of(value, at, options) == Some(Lead::Text);
        is_key && is_length(word(value, at + 4)) || text.is_some_and(is_name)
    })
}

impl Search<'_> {
    /// Returns `true` if the bytes from `start` to `end` are one child of `level` with one wrong word.
    /// `value_at` is the start of its value, or `None` if the key is damaged.
    pub(super) fn is_one_child(
        &mut self,
        level: &Level,
        (start, end): (usize, usize),
        value_at: Option<usize>,
        depth: usize,
    ) -> bool {
        // A key proves where its value begins and ends. An element has no key, so its type must be like its
        // neighbours'.
        let types = match level.members {
            Members::Elements => Types::Only(
                level
                    .lead
                    .or_else(|| Lead::of(self.bytes, end, self.options)),
            ),
            Members::Pairs | Members::Properties => Types::Any,
        };
        if let Some(value_at) = value_at {
            return end > value_at && self.is_one_value((value_at, end), types, depth);
        }
        let head = match level.members {
            Members::Elements => return self.is_one_value((start, end), types, depth),
            Members::Pairs => 8,
            Members::Properties => 4,
        };
        // The type, the length or a byte of the key is wrong. A value that ends at `end` shows where the key
        // ends.
        let last = end.min(start + head + LONGEST_KEY);
        (start + head..last).step_by(4).any(|at| {
            let text = self.bytes.get(start + head..at).unwrap_or_default();
            let odd = text.iter().filter(|byte| byte.is_ascii_control()).count();
            // Allows for padding and for the damage itself.
            odd <= 4 && self.value(at, depth) == Some(end)
        })
    }

    /// Returns `true` if the bytes from `start` to `end` are one value with one wrong word. `types` are the types
    /// that it may have if its header is the wrong word.
    fn is_one_value(&mut self, (start, end): (usize, usize), types: Types, depth: usize) -> bool {
        let Some(value) = self.bytes.get(start..end) else {
            return false;
        };
        let lenient = self
            .options
            .with_mode(Mode::Engine)
            .with_objects(Objects::Inert);
        if self.size(value, lenient, depth) == Some(value.len()) {
            return true;
        }
        if value.len() < 8 || value.len() > LARGE || !self.spend(value.len()) {
            return false;
        }
        let kind = self.options.dialect().kind(TypeId(value[0]));
        match kind {
            Some(Kind::String | Kind::StringName) => {
                let rest = &value[8..];
                let text = rest.len() - rest.iter().rev().take(3).take_while(|b| **b == 0).count();
                // A byte of the text is wrong, or a byte of its length.
                let is_near = is_near(word(value, 4), text as u32);
                if field_end(value, 4) == Some(value.len()) || is_near && is_name(&rest[..text]) {
                    return true;
                }
            }
            Some(Kind::PackedStringArray) if self.are_strings(value) => return true,
            _ => {}
        }
        self.has_wrong_header(value, types, depth) || self.has_wrong_count(value, depth)
    }

    /// Returns `true` if `value` has the right size with another type.
    fn has_wrong_header(&mut self, value: &[u8], types: Types, depth: usize) -> bool {
        let mut mended = value.to_vec();
        let dialect = self.options.dialect();
        let options = self.options.with_objects(Objects::Inert);
        let has_names = has_names(value, options);
        (0..dialect.type_count()).any(|id| {
            [0, 1].into_iter().any(|flags| {
                mended[..4].copy_from_slice(&[id, 0, flags, 0]);
                let is_allowed = match types {
                    Types::Any => !(has_names && is_numeric(TypeId(id), dialect)),
                    Types::Only(lead) => lead.is_some() && Lead::of(&mended, 0, options) == lead,
                };
                is_allowed && self.is_even(&mended, options, depth)
            })
        })
    }

    /// Returns `true` if `value` has the right size with a count that differs in one byte.
    fn has_wrong_count(&mut self, value: &[u8], depth: usize) -> bool {
        let mut mended = value.to_vec();
        if let Some((_, at)) = count_of(value, self.options) {
            // A child takes at least four bytes.
            let most = (value.len() - at) / 4;
            let (mut low, mut high) = (0, most);
            // The size grows with the count, so binary search finds the count.
            while low <= high && high <= most {
                let count = low + (high - low) / 2;
                mended[at..at + 4].copy_from_slice(&(count as u32).to_le_bytes());
                match self.size(&mended, self.options, depth) {
                    Some(size) if size == mended.len() => {
                        return is_near(word(value, at) & !SHARED, count as u32)
                            && self.is_even(&mended, self.options, depth);
                    }
                    Some(_) => low = count + 1,
                    None if count == 0 => return false,
                    None => high = count - 1,
                }
            }
            return false;
        }
        // The length of a text was compared above.
        if !is_numeric(TypeId(value[0]), self.options.dialect()) || has_names(value, self.options) {
            return false;
        }
        ELEMENTS.into_iter().any(|size| {
            let most = (value.len() - 8) / size;
            let least = most.saturating_sub(if size == 1 { 3 } else { 0 });
            (least..=most).any(|count| {
                if !is_near(word(value, 4), count as u32) {
                    return false;
                }
                mended[4..8].copy_from_slice(&(count as u32).to_le_bytes());
                self.size(&mended, self.options, depth) == Some(mended.len())
            })
        })
    }

    /// Returns `true` if `value` is read to its end and no child in it is odd. Then it contains neither bytes of
    /// the next value nor noise that happens to be a value.
    fn is_even(&mut self, value: &[u8], options: ReadOptions, depth: usize) -> bool {
        self.size(value, options, depth) == Some(value.len())
            && !Walk::run(value, options, &self.alike).was_odd
    }

    /// Returns `true` if `value` is an array of strings with one damaged string: its text is wrong or one
    /// byte of its length. The strings before and after it must add up to the array's count.
    fn are_strings(&mut self, value: &[u8]) -> bool {
        let Some(count) = value.get(4..8).and_then(|word| word.first_chunk()) else {
            return false;
        };
        let count = u32::from_le_bytes(*count) as usize;
        let string = |at: usize| {
            let text = text_at(value, at)?;
            let end = field_end(value, at)?;
            (text.is_empty() || is_name(text.strip_suffix(b"\0").unwrap_or(text)) || text == b"\0")
                .then_some(end)
        };
        let (mut at, mut seen) = (8, 0);
        while let Some(end) = string(at).filter(|_| seen < count) {
            (at, seen) = (end, seen + 1);
        }
        let Some(left) = count.checked_sub(seen + 1) else {
            return false;
        };
        let damaged = at;
        (at + 4..=value.len()).step_by(4).any(|from| {
            let text = from - damaged - 4;
            let is_near = (text.saturating_sub(3)..=text)
                .any(|text| is_near(word(value, damaged), text as u32));
            if !is_near {
                return false;
            }
            let mut from = from;
            for _ in 0..left {
                let Some(end) = string(from) else {
                    return false;
                };
                self.spend(end - from);
                from = end;
            }
            from == value.len()
        })
    }
}
