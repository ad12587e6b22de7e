//! [`Search`]: finds the place after the damage where values continue, within a limit of work.

use gdvar_view::{Document, HeaderWord, Kind, ReadOptions, TypeId};

use super::{
    alike::Alike,
    level::{Lead, Level, Members, SHARED, count_of, field_end, is_name, text_at},
    validity::{at_depth, whole},
};
use crate::plan::word;

/// The limit of work, in multiples of the length of the bytes. Another 64 KiB of work are always allowed.
const WORK: usize = 24;

/// Returns the number of bytes that a search in `bytes` may read.
fn work(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(WORK).saturating_add(1 << 16)
}

/// The search for the place where values continue. Once the permitted work is used up, no method finds
/// anything.
pub(super) struct Search<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) options: ReadOptions,
    /// What the dictionaries in the bytes have in common.
    pub(super) alike: Alike<'a>,
    /// The number of bytes that may still be read.
    left: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(bytes: &'a [u8], options: ReadOptions) -> Search<'a> {
        Search {
            bytes,
            options,
            alike: Alike::of(bytes, options),
            left: work(bytes),
        }
    }

    /// Permits the whole work again.
    pub(super) fn renew(&mut self) {
        self.left = work(self.bytes);
    }

    /// Deducts `count` bytes from the remaining work. Returns `false` if nothing remains.
    pub(super) fn spend(&mut self, count: usize) -> bool {
        self.left = self.left.saturating_sub(count.max(16));
        self.left > 0
    }

    /// Returns the end of the value at `at`, which lies inside `depth` containers. `None` if the
    /// value is invalid.
    pub(super) fn value(&mut self, at: usize, depth: usize) -> Option<usize> {
        let size = self.size(self.bytes.get(at..)?, self.options, depth)?;
        Some((at + size).min(self.bytes.len()))
    }

    /// Returns the size of the value at the start of `bytes`, which lies inside `depth` containers.
    /// `None` if the value is invalid.
    pub(super) fn size(
        &mut self,
        bytes: &[u8],
        options: ReadOptions,
        depth: usize,
    ) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        let read = whole(bytes, options, u16::try_from(depth).unwrap_or(u16::MAX));
        let read_to = match read {
            Ok(end) => end,
            Err(error) => error.offset().min(bytes.len()),
        };
        self.spend(read_to);
        read.ok()
    }

    /// Returns the offset at which the value of the child at `at` begins, if its key resembles the other keys
    /// of `level`.
    pub(super) fn key(&mut self, level: &Level, at: usize, depth: usize) -> Option<usize> {
        let is_alike = |lead| level.lead.is_none_or(|first| first == lead);
        match level.members {
            Members::Elements => {
                let lead = Lead::of(self.bytes, at, self.options)?;
                let is_like = level.is_mixed()
                    || is_alike(lead) && self.shape(at) == self.shape(level.count_at + 4);
                is_like.then_some(at)
            }
            Members::Pairs => {
                let lead = Lead::of(self.bytes, at, self.options).filter(|lead| is_alike(*lead))?;
                if lead.is_container(self.options) {
                    return None;
                }
                let is_text = lead == Lead::Text;
                if is_text && !is_name(text_at(self.bytes, at + 4)?) {
                    return None;
                }
                self.value(at, depth)
            }
            Members::Properties => {
                let name = text_at(self.bytes, at)?;
                is_name(name).then_some(())?;
                self.spend(name.len());
                field_end(self.bytes, at)
            }
        }
    }

    /// Returns the end of the child at `at`, which consists of a key (if `level` has keys) and a value.
    /// `None` if one of them is invalid.
    pub(super) fn child(&mut self, level: &Level, at: usize, depth: usize) -> Option<usize> {
        let value = self.key(level, at, depth)?;
        self.value(value, depth)
    }

    /// Returns `true` if values may continue at `at`: the bytes there are a header that an engine writes,
    /// other than null. Null is excluded because zeros read as null.
    pub(super) fn may_go_on(&self, at: usize) -> bool {
        let header = HeaderWord(word(self.bytes, at));
        let lead = Lead::of(self.bytes, at, self.options);
        lead.is_some_and(|lead| lead != Lead::NULL)
            && self.options.dialect().is_canonical_header(header)
    }

    /// Returns `true` if `level` is a dictionary that begins with a text key, and more than two dictionaries of
    /// the file begin with the same key.
    pub(super) fn has_likes(&self, level: &Level) -> bool {
        level.members == Members::Pairs && self.begins_like_others(level.count_at + 4)
    }

    /// Returns `true` if the dictionary at `at` begins with a text key, and more than two dictionaries of the
    /// file begin with the same key.
    pub(super) fn has_likes_at(&self, at: usize) -> bool {
        let count_at = count_of(self.bytes.get(at..).unwrap_or_default(), self.options);
        count_at.is_some_and(|(_, count_at)| self.begins_like_others(at + count_at + 4))
    }

    fn begins_like_others(&self, first_key: usize) -> bool {
        let is_text = Lead::of(self.bytes, first_key, self.options) == Some(Lead::Text);
        let first = text_at(self.bytes, first_key + 4).filter(|_| is_text);
        first.is_some_and(|first| self.alike.has_likes(first))
    }

    /// Returns `true` if the bytes from `at` on are exactly `count` children of the last of `levels`,
    /// followed by the remaining children of the containers around it.
    pub(super) fn is_the_rest(&mut self, levels: &[Level], count: usize, at: usize) -> bool {
        let is_property = levels.last().map(|level| level.members) == Some(Members::Properties);
        if at < self.bytes.len() && !is_property && !self.may_go_on(at) {
            return false;
        }
        let mut at = at;
        let mut count = count;
        for (n, level) in levels.iter().enumerate().rev() {
            if count > (self.bytes.len() - at.min(self.bytes.len())) / 4 {
                return false;
            }
            for _ in 0..count {
                let Some(end) = self.child(level, at, n + 1) else {
                    return false;
                };
                at = end;
            }
            count = n.checked_sub(1).map_or(0, |outer| levels[outer].left());
        }
        at == self.bytes.len()
    }

    /// Returns the next offset, from `from` on, at which a child of `level` may begin.
    pub(super) fn next(&mut self, level: &Level, from: usize) -> Option<usize> {
        let last = self.bytes.len().checked_sub(4)?;
        let mut at = from;
        while at <= last {
            let is_it = match level.members {
                // A text that follows the header of a String is its content and not a property name.
                Members::Properties => {
                    let before = at.checked_sub(4);
                    let before = before.and_then(|at| Lead::of(self.bytes, at, self.options));
                    before != Some(Lead::Text) && text_at(self.bytes, at).is_some_and(is_name)
                }
                members => match (Lead::of(self.bytes, at, self.options), level.lead) {
                    _ if !self.may_go_on(at) => false,
                    (Some(Lead::Text), Some(Lead::Text)) => {
                        members == Members::Elements
                            || text_at(self.bytes, at + 4).is_some_and(is_name)
                    }
                    (Some(lead), Some(first)) => {
                        lead == first || members == Members::Elements && level.is_mixed()
                    }
                    (lead, None) => lead.is_some(),
                    (None, _) => false,
                },
            };
            if is_it {
                self.spend(at - from);
                return Some(at).filter(|_| self.left > 0);
            }
            at += 1;
        }
        self.spend(at - from);
        None
    }

    /// Returns `true` if the value at `at` has a type without children.
    pub(super) fn is_leaf(&self, at: usize) -> bool {
        let kind = self.bytes.get(at);
        let kind = kind.and_then(|id| self.options.dialect().kind(TypeId(*id)));
        let containers = [
            Kind::Array,
            Kind::Dictionary,
            Kind::Object,
            Kind::TypedArray,
            Kind::PackedTypedArray,
        ];
        kind.is_some_and(|kind| !containers.contains(&kind))
    }

    /// Returns the lead and the text of the first child of a container at `at`, by which similar containers
    /// are recognised.
    fn shape(&self, at: usize) -> Option<(Option<Lead>, &'a [u8])> {
        let value = self.bytes.get(at..)?;
        let (members, count_at) = match self.is_leaf(at) {
            true => return None,
            false => count_of(value, self.options)?,
        };
        if word(value, count_at) & !SHARED == 0 {
            return None;
        }
        let first = at + count_at + 4;
        let lead = match members {
            Members::Properties => None,
            _ => Lead::of(self.bytes, first, self.options),
        };
        let text = match (members, lead) {
            (Members::Properties, _) => text_at(self.bytes, first),
            (Members::Pairs, Some(Lead::Text)) => text_at(self.bytes, first + 4),
            _ => None,
        };
        Some((lead, text.unwrap_or_default()))
    }

    /// Returns `true` if the value at `at` is a leaf, or a container of leaves only.
    pub(super) fn is_flat(&mut self, at: usize, depth: usize) -> bool {
        let Some((value, mut level)) = self.level(at, depth) else {
            return self.is_leaf(at);
        };
        for _ in 0..value {
            let child = self.key(&level, level.start, depth + 1);
            let Some(inner) = child.filter(|inner| self.is_leaf(*inner)) else {
                return false;
            };
            let Some(end) = self.value(inner, depth + 1) else {
                return false;
            };
            level.start = end;
        }
        true
    }

    /// Returns the number of children of the container at `at`, and its [`Level`] before the first of them.
    fn level(&self, at: usize, depth: usize) -> Option<(usize, Level)> {
        let value = self.bytes.get(at..).filter(|_| !self.is_leaf(at))?;
        let options = at_depth(self.options, u16::try_from(depth).unwrap_or(u16::MAX)).ok()?;
        let root = Document::with_options(value, options).root().ok()?;
        let (_, count_at) = count_of(value, options)?;
        let level = Level::of(root, at + count_at + 4);
        Some((level.count, level))
    }

    /// Returns `true` if a wrong count in the value at `at` would be noticed: the value is a leaf, or all its
    /// children are leaves that could not be entries of the surrounding container `around`.
    pub(super) fn is_proof_of_count(&mut self, around: &Level, at: usize, depth: usize) -> bool {
        if self.is_leaf(at) {
            return true;
        }
        let Some((count, mut level)) = self.level(at, depth) else {
            return false;
        };
        if level.members == Members::Properties || count == 0 {
            return false;
        }
        for _ in 0..count {
            let child = level.start;
            let Some(lead) = Lead::of(self.bytes, child, self.options) else {
                return false;
            };
            let first = *level.lead.get_or_insert(lead);
            let Some(inner) = self.key(&level, child, depth + 1) else {
                return false;
            };
            let may_be_outside = lead == Lead::Text || around.lead == Some(lead);
            if lead != first || may_be_outside || !self.is_leaf(inner) {
                return false;
            }
            let Some(end) = self.value(inner, depth + 1) else {
                return false;
            };
            level.start = end;
        }
        true
    }
}
