//! Text as the engines read it: where it ends, and whether it is well formed.

use core::str;

use gdvar_wire::{TextRules, WideCode, pad4, wide_code};

use crate::{
    bytes::{ascii, plain, utf8},
    error::{Error, ErrorKind, NonCanonical},
    options::ReadOptions,
};

pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

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

/// True if the engine takes these bytes for that text, without a look at most of those that it does
/// not.
#[inline]
pub(crate) fn is_text(raw: &[u8], text: &[u8]) -> bool {
    if raw.len() == text.len() && raw.first() != Some(&BOM[0]) {
        return raw.first() == text.first() && raw == text && !raw.contains(&0);
    }
    // A mark in front is left out, or a NUL and all behind it.
    let is_cut = raw.get(text.len()) == Some(&0) || raw.first() == Some(&BOM[0]);
    is_cut && engine_text(raw) == text
}

/// Checks that an engine with these rules reads the text.
#[inline]
pub(crate) fn check_rules(text: &[u8], offset: usize, rules: TextRules) -> Result<(), Error> {
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
pub(crate) fn as_str(text: &[u8]) -> Option<&str> {
    // The standard library looks at short text byte by byte, in a loop whose end the processor cannot
    // guess, and there is no other safe way to a `&str` but through someone who vouches for ASCII.
    #[cfg(feature = "ascii")]
    if let Ok(text) = ::ascii::AsciiStr::from_ascii(text) {
        return Some(text.as_str());
    }
    any_str(text)
}

/// [`as_str`] without a guess that the text is ASCII.
#[inline(never)]
fn any_str(text: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(text).ok()
}

/// The text of so many bytes that `rest` begins with, and what is behind its padding, if it is short,
/// has no NUL and is ASCII, and so is what follows up to a whole word, padding and half of a header:
/// then there are no single bytes to look at. Each size has a way of its own, as loops would not be
/// guessed.
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

/// [`short_str`] for texts that end in the last word of so many bytes.
#[cfg(feature = "ascii")]
#[inline(always)]
fn words_str<const SIZE: usize>(rest: &[u8], len: usize) -> Option<(&str, &[u8])> {
    use ::ascii::AsAsciiStr as _;
    // A word more, so that nothing has to be asked again for what is behind the padding.
    let (words, _) = rest.get(..SIZE + 4)?.split_first_chunk::<SIZE>()?;
    let text = words.as_slice().as_ascii_str().ok()?;
    let mut all = u64::MAX;
    for (start, raw) in (0..).step_by(8).zip(words.chunks_exact(8)) {
        let mut word = raw.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw));
        if start + 8 == SIZE {
            // Bytes behind the text are no NULs.
            word |= BEHIND.get(len - start)?;
        }
        // A NUL is the only byte of ASCII that gets no high bit by this.
        all &= word + LOW_BITS;
    }
    let has_nul = all | LOW_BITS != u64::MAX;
    let text = text.slice_ascii(..len).ok().filter(|_| !has_nul)?;
    Some((text.as_str(), rest.get(pad4(len)..)?))
}

/// The bytes after the String that `value` begins with, if its `len` bytes of text are there and, with
/// `check`, all of them are UTF-8.
#[inline(always)]
pub(crate) fn behind(value: &[u8], len: u32, check: bool) -> Option<&[u8]> {
    let behind = value.get(plain::text_end(value, 8, len)?..)?;
    if check && !utf8::is_text(value.get(8..)?, len as usize) {
        return refused();
    }
    Some(behind)
}

/// `None`, by a call, so that the compiler makes a branch of it: a processor guesses that and goes on to the next value.
/// Where it is made an operand of a conditional move, the next value waits until the text was judged.
#[cold]
#[inline(never)]
const fn refused<'a>() -> Option<&'a [u8]> {
    None
}

/// The bytes after a string field that takes `size` bytes after its length, with which `field` begins, if the first
/// `len` of them are UTF-8 without a NUL and without a byte order mark in front, and the others, up to four, are zero:
/// as every correct encoder writes it, and of which engines read all.
#[inline(always)]
pub(crate) fn canonical(field: &[u8], len: usize, size: usize) -> Option<&[u8]> {
    let behind = field.get(4 + size..)?;
    // The zeros are the high bytes of the last word; where there are none, all four are shifted out.
    let word = u32::from_le_bytes(*field.get(size..)?.first_chunk()?);
    let is_padded = u64::from(word) >> (32 - 8 * (size - len).min(4)) == 0;
    let text = field.get(4..)?;
    let is_good = ascii::is_short_ascii_without_nul(text, len) || is_long_canonical(text, len);
    if !is_padded || !is_good {
        return refused();
    }
    Some(behind)
}

/// [`canonical`] for a text that is long, or not ASCII, or near the end of the buffer.
#[inline(never)]
fn is_long_canonical(rest: &[u8], len: usize) -> bool {
    let text = rest.get(..len).unwrap_or_default();
    let is_whole = text.first() != Some(&BOM[0]) && memchr::memchr(0, text).is_none();
    is_whole && utf8::is_text(rest, len)
}

/// The text of so many bytes of the String that `value` begins with, and what is behind the value, if
/// it is UTF-8 that engines take as it is. A text that they do not pass is left to the general way.
#[inline(always)]
pub(crate) fn plain_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    #[cfg(feature = "ascii")]
    if let Some(found) = short_str(value.get(8..)?, len as usize) {
        return Some(found);
    }
    any_plain_str(value, len)
}

/// [`plain_str`] for texts that are not short ASCII.
#[cfg_attr(feature = "ascii", inline(never))]
#[cfg_attr(not(feature = "ascii"), inline(always))]
fn any_plain_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    match ascii::short_text(value, len as usize) {
        Some(raw) => Some((any_str(raw)?, value.get(8 + pad4(raw.len())..)?)),
        None => long_str(value, len),
    }
}

/// [`plain_str`] for a text that is long.
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
    check_engine_text(raw, offset, options.dialect().text_rules())
}

/// Checks the part of a text that the engine takes, `raw` at `offset`.
fn check_engine_text(raw: &[u8], offset: usize, rules: TextRules) -> Result<(), Error> {
    let mark = if raw.starts_with(BOM) { BOM.len() } else { 0 };
    check_rules(engine_text(raw), offset + mark, rules)
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

#[cfg(all(test, feature = "alloc"))]
mod tests;
