//! [`PropertyCost`]: what one property of a synchronizer costs, and what would save bytes.

use alloc::{boxed::Box, vec::Vec};

use gdvar_view::Kind;

use crate::value::Value;

/// The size of a DELTA with one value, without that value: its first byte, the synchronizer's id,
/// the mask and the size.
const DELTA_HEADER: u64 = 17;
/// The limit for the number of different texts that an int could replace.
const CHOICES: usize = 16;
/// The longest text that is remembered as a choice.
const CHOICE_LEN: usize = 64;

/// What one property costs, over all receivers. Resent packets are not counted.
#[derive(Clone, Debug, Default)]
pub struct PropertyCost {
    values: u64,
    bytes: u64,
    unchanged: u64,
    unchanged_bytes: u64,
    kind: Option<Kind>,
    is_mixed: bool,
    /// The bytes that `int` values would save. `None` once a value was not a whole float.
    whole_saves: Option<u64>,
    /// The bytes that numbers in place of the texts would save. `None` once there were too many
    /// texts, or a value was not a text.
    choice_saves: Option<u64>,
    choices: Vec<Box<str>>,
}

/// A smaller type that could hold every value that was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Smaller {
    /// All values are floats without a fraction: an `int`.
    Int,
    /// All values are texts of at most 64 bytes, and there are only this many different texts, at
    /// most 16. As the `int` of an enum, each value would take two bytes.
    Enum(usize),
}

impl PropertyCost {
    pub(super) fn add(&mut self, value: Value<'_>, is_unchanged: bool) {
        let size = value.size() as u64;
        let is_first = self.values == 0;
        self.values += 1;
        self.bytes += size;
        if is_unchanged {
            self.unchanged += 1;
            self.unchanged_bytes += size;
        }
        let kind = value.kind();
        if is_first {
            self.kind = Some(kind);
            (self.whole_saves, self.choice_saves) = (Some(0), Some(0));
        } else if self.kind != Some(kind) {
            self.is_mixed = true;
        }
        self.whole_saves = self.whole_saves.and_then(|saved| {
            let short = whole(value)?;
            Some(saved + size.saturating_sub(short))
        });
        let saved = self.choice_saves.take();
        self.choice_saves = saved.filter(|_| self.chooses(value));
        if let Some(saved) = &mut self.choice_saves {
            *saved += size.saturating_sub(2);
        }
    }

    /// Returns `true` if the value is a text of at most 64 bytes, and one of the first 16 different
    /// texts.
    fn chooses(&mut self, value: Value<'_>) -> bool {
        let Some(text) = value.as_str().filter(|text| text.len() <= CHOICE_LEN) else {
            return false;
        };
        if self.choices.iter().any(|known| &**known == text) {
            return true;
        }
        let has_room = self.choices.len() < CHOICES;
        if has_room {
            self.choices.push(text.into());
        }
        has_room
    }

    /// The number of values that were sent.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.values
    }

    /// The bytes of the values, without the headers of packets and synchronizers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of values that have the same bytes as the previous value that the same receiver
    /// got. The first value of each receiver is not counted.
    #[must_use]
    pub fn unchanged(&self) -> u64 {
        self.unchanged
    }

    /// The bytes of the unchanged values.
    #[must_use]
    pub fn unchanged_bytes(&self) -> u64 {
        self.unchanged_bytes
    }

    /// The type of the values, or `None` if they have several.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.kind.filter(|_| !self.is_mixed)
    }

    /// The bytes that would be saved if a property that is always sent were sent on change. These
    /// are the bytes of the unchanged values, minus 17 bytes for each other value: the header of
    /// its own DELTA. `None` if nothing is saved.
    ///
    /// The acknowledgements of the DELTA packets, which are reliable, are not subtracted.
    #[must_use]
    pub fn on_change_saves(&self) -> Option<u64> {
        let headers = (self.values - self.unchanged) * DELTA_HEADER;
        let saved = self.unchanged_bytes.checked_sub(headers)?;
        Some(saved).filter(|saved| *saved > 0)
    }

    /// A smaller type for every value that was seen, and the bytes that it would save. `None` if
    /// nothing is saved.
    #[must_use]
    pub fn smaller(&self) -> Option<(Smaller, u64)> {
        let whole = self.whole_saves.map(|saved| (Smaller::Int, saved));
        let choice = self
            .choice_saves
            .map(|saved| (Smaller::Enum(self.choices.len()), saved));
        whole.or(choice).filter(|(_, saved)| *saved > 0)
    }

    /// Adds the counts of the same property of another node.
    pub fn merge(&mut self, other: &PropertyCost) {
        if other.values == 0 {
            return;
        }
        if self.values == 0 {
            *self = other.clone();
            return;
        }
        self.values += other.values;
        self.bytes += other.bytes;
        self.unchanged += other.unchanged;
        self.unchanged_bytes += other.unchanged_bytes;
        self.is_mixed |= other.is_mixed || self.kind != other.kind;
        let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        self.whole_saves = sum(self.whole_saves, other.whole_saves);
        self.choice_saves = sum(self.choice_saves, other.choice_saves);
        for text in &other.choices {
            if !self.choices.contains(text) {
                self.choices.push(text.clone());
            }
        }
        if self.choices.len() > CHOICES {
            self.choice_saves = None;
            self.choices.truncate(CHOICES);
        }
    }
}

/// Returns the size that a float without a fraction has as a compact int, or `None` for another
/// value.
fn whole(value: Value<'_>) -> Option<u64> {
    let number = value.as_f64()?;
    // Above 2^53 not every int is a float.
    let is_whole = number % 1.0 == 0.0 && (-9e15..9e15).contains(&number);
    // -0.0 has no int.
    if !is_whole || number == 0.0 && number.is_sign_negative() {
        return None;
    }
    let int = number as i64;
    Some(match int {
        -0x80..=0x7f => 2,
        -0x8000..=0x7fff => 3,
        -0x8000_0000..=0x7fff_ffff => 5,
        _ => 9,
    })
}

/// The last value of each property, as its bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct LastValues(Vec<Vec<u8>>);

impl LastValues {
    /// Remembers a value if that needs at most `budget` more bytes. Returns whether the value equals
    /// the previous one, and how many bytes of memory were taken (negative if some were freed).
    pub(super) fn replace(&mut self, place: usize, bytes: &[u8], budget: usize) -> (bool, isize) {
        if self.0.len() <= place {
            self.0.resize_with(place + 1, Vec::new);
        }
        let Some(last) = self.0.get_mut(place) else {
            return (false, 0);
        };
        if last == bytes {
            return (true, 0);
        }
        let before = last.len();
        last.clear();
        if bytes.len() <= before || bytes.len() - before <= budget {
            last.extend_from_slice(bytes);
        }
        (false, last.len() as isize - before as isize)
    }

    /// The bytes of all values.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}
