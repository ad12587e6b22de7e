//! [`Borders`]: finds where records begin in damaged bytes, by their lengths and by what follows them.

use gdvar_view::{Document, Event, Kind, PrefixOrder, ReadOptions, TypeId};

use super::level::{Lead, count_of, is_name, text_at};

/// How many times the search for records may read the file's bytes.
const WORK: usize = 16;

/// Valid records of this many bytes in total, up to the end of the file, are not a coincidence. An empty
/// container or a text of a few letters is smaller.
const ENOUGH: usize = 24;

/// Valid records of this total size, or this many of them, cannot be a coincidence even if they do not reach
/// the end of the file.
const LONG: usize = 1 << 16;
const MANY: usize = 8;

/// Values of fixed size are taken for records if this many follow each other. One or two may be
/// other bytes.
const CHAIN: usize = 3;

/// The record lengths of a file, and how much work the search may still do.
pub(super) struct Borders<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) order: PrefixOrder,
    pub(super) options: ReadOptions,
    /// The length and header of the valid records so far, each pair once.
    pub(super) known: Vec<(usize, u32)>,
    /// The offset of the last valid record.
    last: Option<usize>,
    /// How many more bytes the search may read before it gives up.
    left: usize,
}

impl<'a> Borders<'a> {
    pub(super) fn new(bytes: &'a [u8], order: PrefixOrder, options: ReadOptions) -> Borders<'a> {
        Borders {
            bytes,
            order,
            options,
            known: Vec::new(),
            last: None,
            left: bytes.len().saturating_mul(WORK).saturating_add(1 << 16),
        }
    }

    /// Returns the length word at `at` if it is not negative.
    pub(super) fn length(&self, at: usize) -> Option<usize> {
        let word = *self.bytes.get(at..)?.first_chunk()?;
        let len = match self.order {
            PrefixOrder::Little => u32::from_le_bytes(word),
            PrefixOrder::Big => u32::from_be_bytes(word),
        };
        i32::try_from(len)
            .ok()
            .and_then(|len| usize::try_from(len).ok())
    }

    /// Returns the end of the record at `at`, or `None` if it is invalid.
    pub(super) fn whole(&mut self, at: usize) -> Option<usize> {
        let len = self.length(at).filter(|len| *len >= 4)?;
        let value = self.bytes.get(at + 4..)?.get(..len)?;
        let end = Document::with_options(value, self.options).validate();
        let read = match end {
            Ok(end) => end,
            Err(error) => error.offset(),
        };
        self.left = self.left.saturating_sub(read.max(4));
        // Engines pad values to four bytes. The reader accepts missing padding, but only at the end of the
        // file.
        let is_padded = len % 4 == 0 || self.options.dialect().has_old_node_paths();
        let is_whole = end == Ok(len) && (is_padded || at + 4 + len == self.bytes.len());
        is_whole.then_some(at + 4 + len)
    }

    /// Returns `true` if the bytes from `at` on are all 00 or all FF. There must be none or at least four;
    /// fewer are probably the padding of a text.
    pub(super) fn is_blank(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let is_enough = rest.is_empty() || rest.len() >= 4;
        let mut blanks = [0, 0xff].into_iter();
        is_enough && blanks.any(|blank| rest.iter().all(|byte| *byte == blank))
    }

    /// Returns `true` if a record may end at `at`: another valid record begins there, or only blank bytes
    /// follow.
    pub(super) fn is_border(&mut self, at: usize) -> bool {
        at <= self.bytes.len() && (self.whole(at).is_some() || self.is_blank(at))
    }

    /// Returns `true` if the record at `at` holds a null.
    pub(super) fn is_null(&self, at: usize) -> bool {
        self.length(at) == Some(4) && self.bytes.get(at + 4) == Some(&0)
    }

    /// Remembers the length and header of the record at `at`.
    pub(super) fn know(&mut self, at: usize) {
        const SORTS: usize = 64;
        self.last = Some(at);
        let sort = self.sort(at);
        if self.known.len() < SORTS && !self.known.contains(&sort) {
            self.known.push(sort);
        }
    }

    fn sort(&self, at: usize) -> (usize, u32) {
        let header = self.bytes.get(at + 4..).and_then(|rest| rest.first_chunk());
        let header = header.map_or(0, |word| u32::from_le_bytes(*word));
        (self.length(at).unwrap_or(0), header)
    }

    /// Returns `true` if an earlier valid record had the length `len` and the header of the record at `at`,
    /// and this header is not null.
    pub(super) fn knows(&self, at: usize, len: usize) -> bool {
        let (_, header) = self.sort(at);
        header != 0 && self.known.contains(&(len, header))
    }

    /// Returns `true` if a valid record had the same header as the record at `at`.
    pub(super) fn is_known(&self, at: usize) -> bool {
        let (_, header) = self.sort(at);
        self.known.iter().any(|(_, known)| *known == header)
    }

    /// Returns `true` if the record before the one at `at`, or the record at `end`, begins with the same type
    /// and the same first child.
    pub(super) fn is_one_of_many(&self, at: usize, end: usize) -> bool {
        let child = |record: usize| {
            let header = self.bytes.get(record + 4..record + 8)?;
            let lead = Lead::of(self.bytes, record + 12, self.options)?;
            let key = text_at(self.bytes, record + 16).filter(|_| lead == Lead::Text);
            Some((header, lead, key))
        };
        let own = child(at);
        let mut others = [self.last, Some(end)].into_iter().flatten();
        own.is_some() && others.any(|other| child(other) == own)
    }

    /// Returns the next offset, from `from` on, at which a record surely begins: valid records reach from there
    /// to the end of the bytes, or the record [proves itself](Self::proves_itself). `None` if there is none or the
    /// permitted work is used up.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        for at in from..self.bytes.len().saturating_sub(7) {
            if self.left == 0 {
                return None;
            }
            if self.reaches_the_end(at) || self.proves_itself(from, at) {
                return Some(at);
            }
        }
        None
    }

    /// Returns `true` if the record at `at` is no coincidence, whatever follows it: its value is a container with
    /// readable text, or of some length, and the last of its children ends where the length says. Games write numbers and lines
    /// between their records, too: `store_var(hero); store_32(level); store_var(map)`.
    ///
    /// A value inside of another one has no length in front, except in a PackedByteArray. What lies before `from`
    /// is no such array.
    fn proves_itself(&mut self, from: usize, at: usize) -> bool {
        let header = at.checked_sub(4).filter(|header| *header >= from);
        let header = header.and_then(|header| self.bytes.get(header));
        let before = header.and_then(|id| self.options.dialect().kind(TypeId(*id)));
        if before == Some(Kind::PackedByteArray) {
            return false;
        }
        let Some(end) = self.whole(at) else {
            return false;
        };
        let value = self.bytes.get(at + 4..end).unwrap_or_default();
        let is_enough =
            value.len() >= 4 * ENOUGH || value.len() >= ENOUGH && is_likely(value, self.options);
        is_enough && count_of(value, self.options).is_some()
    }

    /// Returns `true` if enough valid records follow from `from` to the end, each as an engine writes it. A
    /// few are not enough: numbers in a packed array may look like a length and a small value.
    fn reaches_the_end(&mut self, from: usize) -> bool {
        let (mut at, mut seen, mut count) = (from, 0, 0);
        let mut is_known = false;
        let mut is_proved = false;
        while let Some(end) = self.whole(at) {
            let value = self.bytes.get(at + 4..end).unwrap_or_default();
            let strict = Document::with_options(value, self.options).strict();
            if strict.validate().is_err() {
                return false;
            }
            is_known |= self.known.contains(&self.sort(at));
            is_proved = is_proved || is_proof(value, self.options);
            // Zeros read as null, so a null proves nothing and is not counted.
            seen += match value.first() {
                Some(0) => 0,
                _ => value.len(),
            };
            count += 1;
            at = end;
            if seen >= LONG || count >= MANY && seen >= ENOUGH {
                return true;
            }
        }
        if count == 0 || self.left == 0 {
            return false;
        }
        let is_end = self.is_blank(at)
            || self
                .length(at)
                .is_some_and(|len| at + 4 + len > self.bytes.len());
        // Two words of leftover bytes may be the length and the type of a value of fixed size.
        let is_enough = seen >= ENOUGH && (is_proved || is_known || count >= CHAIN);
        is_end && (is_enough || is_known && at == self.bytes.len())
    }
}

/// Returns `true` if a value is unlikely to be a coincidence: it contains readable text, or a count
/// that fits its length. A value of fixed size proves nothing, because any bytes of that size are
/// valid.
pub(super) fn is_proof(value: &[u8], options: ReadOptions) -> bool {
    let dialect = options.dialect();
    let kind = value.first().and_then(|id| dialect.kind(TypeId(*id)));
    let has_count = count_of(value, options).is_some() || kind.is_some_and(Kind::is_packed);
    has_count && value.len() >= ENOUGH || is_likely(value, options)
}

/// Returns `true` if a value contains a readable text of two bytes or more.
pub(super) fn is_likely(value: &[u8], options: ReadOptions) -> bool {
    let mut events = Document::with_options(value, options).events();
    while let Ok(Some(event)) = events.try_next() {
        let text = match event {
            Event::Property(name) => Some(name.raw()),
            Event::Value(value) if value.kind() != Kind::NodePath => {
                value.as_text().map(|text| text.raw())
            }
            _ => None,
        };
        if text.is_some_and(|text| text.len() > 1 && is_name(text)) {
            return true;
        }
    }
    false
}
