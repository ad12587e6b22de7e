//! Text as the engines read it: where it ends, and whether it is well formed.

use core::{fmt, str};

use gdvar_wire::{TextRules, WideCode, pad4, wide_code};

use crate::{
    error::{Error, ErrorKind, NonCanonical},
    fast,
    options::ReadOptions,
    plain,
};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The part of a string's bytes that the engines take for its text: without a leading byte order
/// mark, up to the first NUL (`docs/FORMAT.md` §6, rows 14 and 15).
#[inline]
pub(crate) fn engine_text(raw: &[u8]) -> &[u8] {
    let text = raw.strip_prefix(BOM).unwrap_or(raw);
    match memchr::memchr(0, text) {
        Some(end) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// Whether the engine takes these bytes for that text, without a look at most of those that it does
/// not.
#[inline]
pub(crate) fn is_text(raw: &[u8], text: &[u8]) -> bool {
    if raw.len() == text.len() && raw.first() != Some(&BOM[0]) {
        return raw.first() == text.first() && raw == text && !raw.contains(&0);
    }
    // What is left out is a mark in front, or a NUL and what follows.
    let is_cut = raw.get(text.len()) == Some(&0) || raw.first() == Some(&BOM[0]);
    is_cut && engine_text(raw) == text
}

/// Whether an engine with these rules reads the text.
#[inline]
fn check_rules(text: &[u8], offset: usize, rules: TextRules) -> Result<(), Error> {
    if simdutf8::basic::from_utf8(text).is_ok() {
        return Ok(());
    }
    check_rules_slow(text, offset, rules)
}

#[cold]
fn check_rules_slow(text: &[u8], offset: usize, rules: TextRules) -> Result<(), Error> {
    let bad = match rules {
        TextRules::Utf8 => str::from_utf8(text).err().map(|error| error.valid_up_to()),
        TextRules::Wide => {
            let mut rest = text;
            loop {
                match wide_code(rest) {
                    WideCode::Code { len, .. } => rest = rest.get(len..).unwrap_or_default(),
                    WideCode::End => break None,
                    WideCode::Malformed => break Some(text.len() - rest.len()),
                }
            }
        }
    };
    match bad {
        Some(at) => Err(Error::new(offset + at, ErrorKind::InvalidUtf8)),
        None => Ok(()),
    }
}

/// The text, if it is UTF-8.
#[inline(always)]
fn as_str(text: &[u8]) -> Option<&str> {
    // The standard library looks at short text byte by byte, in a loop whose end the processor cannot
    // guess, and there is no other safe way to a `&str` but through someone who vouches for ASCII.
    #[cfg(feature = "ascii")]
    if let Ok(text) = ascii::AsciiStr::from_ascii(text) {
        return Some(text.as_str());
    }
    any_str(text)
}

/// The same without a guess that it is ASCII.
#[inline(never)]
fn any_str(text: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(text).ok()
}

/// The text of so many bytes that `rest` begins with, and what is behind its padding, if it is short,
/// has no NUL and is ASCII, and so is what follows up to a whole word, padding and half of a header:
/// then there are no single bytes to look at. Of each size there is a way of its own, as loops would
/// not be guessed.
#[cfg(feature = "ascii")]
#[inline(always)]
fn short_str(rest: &[u8], len: usize) -> Option<(&str, &[u8])> {
    match len {
        0..=8 => words_str::<8>(rest, len),
        9..=16 => words_str::<16>(rest, len),
        17..=24 => words_str::<24>(rest, len),
        25..=32 => words_str::<32>(rest, len),
        _ => None,
    }
}

#[cfg(feature = "ascii")]
const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The low bits of what is behind the first so many bytes of a word.
#[cfg(feature = "ascii")]
static BEHIND: [u64; 9] = {
    let mut behind = [LOW_BITS; 9];
    let mut len = 1;
    while len < behind.len() {
        behind[len] = behind[len - 1] & !(0xff << (8 * (len - 1)));
        len += 1;
    }
    behind
};

/// The same in so many bytes, of which the last word is the one that the text ends in.
#[cfg(feature = "ascii")]
#[inline(always)]
fn words_str<const SIZE: usize>(rest: &[u8], len: usize) -> Option<(&str, &[u8])> {
    use ascii::AsAsciiStr as _;
    // A word more, so that nothing has to be asked again for what is behind the padding.
    let (words, _) = rest.get(..SIZE + 4)?.split_first_chunk::<SIZE>()?;
    let text = words.as_slice().as_ascii_str().ok()?;
    let mut all = u64::MAX;
    for (start, raw) in (0..).step_by(8).zip(words.chunks_exact(8)) {
        let mut word = raw.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw));
        if start + 8 == SIZE {
            // What is behind the text is no NUL.
            word |= BEHIND.get(len - start)?;
        }
        // Of ASCII only a NUL gets no high bit by this.
        all &= word + LOW_BITS;
    }
    let has_nul = all | LOW_BITS != u64::MAX;
    let text = text.slice_ascii(..len).ok().filter(|_| !has_nul)?;
    Some((text.as_str(), rest.get(pad4(len)..)?))
}

/// The text of so many bytes of the String that `value` begins with, and what is behind the value, if
/// it is UTF-8 that engines take as it is. What they do not is left to the general way.
#[inline(always)]
pub(crate) fn plain_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    #[cfg(feature = "ascii")]
    if let Some(found) = short_str(value.get(8..)?, len as usize) {
        return Some(found);
    }
    any_plain_str(value, len)
}

/// The same for a text of so many bytes.
#[cfg_attr(feature = "ascii", inline(never))]
#[cfg_attr(not(feature = "ascii"), inline(always))]
fn any_plain_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    match fast::short_text(value, len as usize) {
        Some(raw) => Some((any_str(raw)?, value.get(8 + pad4(raw.len())..)?)),
        None => long_str(value, len),
    }
}

/// The same for a text of so many bytes that is long.
#[inline(never)]
fn long_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    let size = plain::text_end(value, 8, len)?;
    let raw = value.get(8..8 + len as usize)?;
    if raw.first() == Some(&0xef) || memchr::memchr(0, raw).is_some() {
        return None;
    }
    Some((as_str(raw)?, value.get(size..)?))
}

/// Checks the text of a string field, `raw` at `offset`.
#[inline]
pub(crate) fn check(raw: &[u8], offset: usize, options: ReadOptions) -> Result<(), Error> {
    if options.is_strict() {
        if let Some(at) = memchr::memchr(0, raw) {
            return Err(Error::new(offset + at, ErrorKind::EmbeddedNul));
        }
        return check_rules(raw, offset, TextRules::Utf8);
    }
    // Any part of ASCII text is in order, wherever the engine takes it to end.
    if raw.is_ascii() {
        return Ok(());
    }
    StrRef::new(raw, offset, options).check()
}

/// Checks an element of a PackedStringArray, which ends in a NUL that its length counts
/// (`docs/FORMAT.md` §3.4).
#[inline]
pub(crate) fn check_packed(raw: &[u8], offset: usize, options: ReadOptions) -> Result<(), Error> {
    if options.is_strict() {
        let Some((0, text)) = raw.split_last() else {
            let what = NonCanonical::StringWithoutNul;
            return Err(Error::new(offset, ErrorKind::NonCanonical(what)));
        };
        return check(text, offset, options);
    }
    check(raw, offset, options)
}

/// Text inside the bytes: of a String or StringName, a name, a class, a packed string.
///
/// Making one costs nothing; its text is validated when it is asked for. What counts as the text
/// is what the engine would read: without a leading byte order mark, up to the first NUL
/// (`docs/FORMAT.md` §6, rows 14 and 15). [`StrRef::raw`] has all the bytes. A mark at the start of a
/// name inside an old NodePath is kept: the engine drops the one in front of the whole path.
#[derive(Clone, Copy)]
pub struct StrRef<'a> {
    raw: &'a [u8],
    offset: usize,
    rules: TextRules,
    /// A part of a text and without a NUL: a mark that it begins with is a character like others.
    is_piece: bool,
}

impl<'a> StrRef<'a> {
    pub(crate) fn new(raw: &'a [u8], offset: usize, options: ReadOptions) -> StrRef<'a> {
        let rules = options.get_dialect().text_rules();
        StrRef {
            raw,
            offset,
            rules,
            is_piece: false,
        }
    }

    /// What the engine cuts out of a text that it has read already.
    pub(crate) fn piece(raw: &'a [u8], offset: usize, options: ReadOptions) -> StrRef<'a> {
        StrRef {
            is_piece: true,
            ..StrRef::new(raw, offset, options)
        }
    }

    /// The bytes as they stand, with a byte order mark, a NUL and what is behind it.
    #[must_use]
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The text's bytes, not validated. One search for a NUL.
    #[must_use]
    pub fn as_bytes(self) -> &'a [u8] {
        if self.is_piece {
            return self.raw;
        }
        engine_text(self.raw)
    }

    /// Where the text begins in the buffer: behind a byte order mark.
    pub(crate) fn text_offset(self) -> usize {
        if self.raw.starts_with(BOM) && !self.is_piece {
            self.offset + BOM.len()
        } else {
            self.offset
        }
    }

    /// Where the bytes begin in the buffer.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The text, validated: O(n).
    ///
    /// # Errors
    /// [`InvalidUtf8`](ErrorKind::InvalidUtf8). In Godot 3 and Godot 2 that may be text which the
    /// engine accepts; [`StrRef::codes`] gives it.
    #[inline]
    pub fn to_str(self) -> Result<&'a str, Error> {
        as_str(self.as_bytes()).ok_or_else(|| self.invalid())
    }

    /// Where the text is no UTF-8.
    #[cold]
    fn invalid(self) -> Error {
        let text = self.as_bytes();
        let valid = str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
        Error::new(self.text_offset() + valid, ErrorKind::InvalidUtf8)
    }

    /// The text's characters as numbers, by the dialect's own rules: in Godot 3 and Godot 2 they
    /// may be surrogates or more than U+10FFFF. Ends where the text is malformed.
    #[must_use]
    pub fn codes(self) -> Codes<'a> {
        let text = self.as_bytes();
        let end = match (self.rules, str::from_utf8(text)) {
            (TextRules::Utf8, Err(error)) => error.valid_up_to(),
            _ => text.len(),
        };
        Codes {
            text: text.get(..end).unwrap_or_default(),
        }
    }

    /// Whether the engine would read this text at all: O(n).
    ///
    /// # Errors
    /// [`InvalidUtf8`](ErrorKind::InvalidUtf8) by the dialect's own rules.
    pub fn check(self) -> Result<(), Error> {
        check_rules(self.as_bytes(), self.text_offset(), self.rules)
    }
}

impl PartialEq<str> for StrRef<'_> {
    /// Compares bytes; nothing is validated.
    fn eq(&self, other: &str) -> bool {
        if self.is_piece {
            return self.raw == other.as_bytes();
        }
        is_text(self.raw, other.as_bytes())
    }
}

impl PartialEq<&str> for StrRef<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for StrRef<'_> {
    fn eq(&self, other: &StrRef<'_>) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for StrRef<'_> {}

impl fmt::Debug for StrRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_str() {
            Ok(text) => fmt::Debug::fmt(text, f),
            Err(_) => write!(f, "b\"{}\"", self.as_bytes().escape_ascii()),
        }
    }
}

/// The characters of a [`StrRef`] as numbers.
#[derive(Clone, Debug)]
pub struct Codes<'a> {
    text: &'a [u8],
}

impl Iterator for Codes<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match wide_code(self.text) {
            WideCode::Code { code, len } => {
                self.text = self.text.get(len..).unwrap_or_default();
                Some(code)
            }
            WideCode::End | WideCode::Malformed => None,
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
