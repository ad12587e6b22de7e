//! Text as the engines read it: where it ends, and whether it is well formed.

use core::str;

use gdvar_wire::{TextRules, WideCode, pad4, wide_code};

use crate::{
    bytes::{ascii, common, utf8},
    error::{Error, ErrorKind, NonCanonical},
    options::ReadOptions,
};

pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Returns the part of a string's bytes that the engines take for its text: without a leading byte order
/// mark, up to the first NUL (`docs/FORMAT.md` §6, rows 14 and 15).
#[inline]
pub(crate) fn engine_text(raw: &[u8]) -> &[u8] {
    let text = raw.strip_prefix(BOM).unwrap_or(raw);
    match memchr::memchr(0, text) {
        Some(end) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// True if the engine reads `text` from the bytes `raw`. Most strings that differ are rejected by their
/// length or first byte.
#[inline]
pub(crate) fn is_text(raw: &[u8], text: &[u8]) -> bool {
    if raw.len() == text.len() && raw.first() != Some(&BOM[0]) {
        return raw.first() == text.first() && raw == text && !raw.contains(&0);
    }
    // `raw` may be longer: a byte order mark is dropped, and so is everything from a NUL on.
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

/// Returns the text if it is UTF-8.
#[inline(always)]
pub(crate) fn as_str(text: &[u8]) -> Option<&str> {
    // The standard library checks short text byte by byte, in a loop whose end a processor cannot predict.
    // `ascii` is the only other safe way to a `&str`.
    #[cfg(feature = "ascii")]
    if let Ok(text) = ::ascii::AsciiStr::from_ascii(text) {
        return Some(text.as_str());
    }
    any_str(text)
}

/// [`as_str`] without trying ASCII first.
#[inline(never)]
fn any_str(text: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(text).ok()
}

/// Splits `rest` into `len` bytes of text and the bytes after their padding. `None` unless the text is short,
/// ASCII and without NUL, and the other bytes of its last eight-byte word are ASCII too. Those bytes are
/// padding and the start of the next header, and nearly always ASCII, so no single byte has to be masked out.
/// Each size is compiled separately, because a processor would not predict the end of a loop.
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

/// For each number of text bytes in a word: the low bits of the bytes after them.
#[cfg(feature = "ascii")]
static AFTER: [u64; 9] = {
    let mut after = [LOW_BITS; 9];
    let mut len = 1;
    while len < after.len() {
        after[len] = after[len - 1] & !(0xff << (8 * (len - 1)));
        len += 1;
    }
    after
};

/// [`short_str`] for texts that end in the last word of `SIZE` bytes.
#[cfg(feature = "ascii")]
#[inline(always)]
fn words_str<const SIZE: usize>(rest: &[u8], len: usize) -> Option<(&str, &[u8])> {
    use ::ascii::AsAsciiStr as _;
    // Four bytes more, so that the padding is in bounds without another check.
    let (words, _) = rest.get(..SIZE + 4)?.split_first_chunk::<SIZE>()?;
    let text = words.as_slice().as_ascii_str().ok()?;
    let mut all = u64::MAX;
    for (start, raw) in (0..).step_by(8).zip(words.chunks_exact(8)) {
        let mut word = raw.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw));
        if start + 8 == SIZE {
            // Bytes after the text get ones, so they do not look like NUL.
            word |= AFTER.get(len - start)?;
        }
        // Adding 0x7f sets the high bit of every ASCII byte except NUL.
        all &= word + LOW_BITS;
    }
    let has_nul = all | LOW_BITS != u64::MAX;
    let text = text.slice_ascii(..len).ok().filter(|_| !has_nul)?;
    Some((text.as_str(), rest.get(pad4(len)..)?))
}

/// Returns the bytes after the String at the start of `value`. `None` if its `len` bytes of text are not all
/// there, or, with `check`, are not UTF-8.
#[inline(always)]
pub(crate) fn after(value: &[u8], len: u32, check: bool) -> Option<&[u8]> {
    let after = value.get(common::text_end(value, 8, len)?..)?;
    if check && !utf8::is_text(value.get(8..)?, len as usize) {
        return refused();
    }
    Some(after)
}

/// Returns `None`. A function of its own, so that the compiler makes a branch of it: a processor predicts a
/// branch and goes on to the next value. With a conditional move, the next value would wait until the text is
/// validated.
#[cold]
#[inline(never)]
const fn refused<'a>() -> Option<&'a [u8]> {
    None
}

/// Returns the bytes after a canonical string field at the start of `field`: a length word and `size` bytes.
/// The first `len` of them are the text: UTF-8 without NUL and without a leading byte order mark. The others,
/// up to four, are zero. Every correct encoder writes strings this way, and engines read all of the text.
#[inline(always)]
pub(crate) fn canonical(field: &[u8], len: usize, size: usize) -> Option<&[u8]> {
    let after = field.get(4 + size..)?;
    // The zeros are the high bytes of the last word. If there are none, the shift leaves nothing of the word.
    let word = u32::from_le_bytes(*field.get(size..)?.first_chunk()?);
    let is_padded = u64::from(word) >> (32 - 8 * (size - len).min(4)) == 0;
    let text = field.get(4..)?;
    let is_good = ascii::is_short_ascii_without_nul(text, len) || is_long_canonical(text, len);
    if !is_padded || !is_good {
        return refused();
    }
    Some(after)
}

/// [`canonical`] for text that is long, not ASCII, or near the end of the buffer.
#[inline(never)]
fn is_long_canonical(rest: &[u8], len: usize) -> bool {
    let text = rest.get(..len).unwrap_or_default();
    let is_whole = text.first() != Some(&BOM[0]) && memchr::memchr(0, text).is_none();
    is_whole && utf8::is_text(rest, len)
}

/// Splits the String at the start of `value` into its `len` bytes of text and the bytes after it. `None`
/// unless every engine reads the text unchanged; [`engine_text`] decides then.
#[inline(always)]
pub(crate) fn unchanged_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    #[cfg(feature = "ascii")]
    if let Some(found) = short_str(value.get(8..)?, len as usize) {
        return Some(found);
    }
    any_unchanged_str(value, len)
}

/// [`unchanged_str`] for text that is not short ASCII.
#[cfg_attr(feature = "ascii", inline(never))]
#[cfg_attr(not(feature = "ascii"), inline(always))]
fn any_unchanged_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    match ascii::short_text(value, len as usize) {
        Some(raw) => Some((any_str(raw)?, value.get(8 + pad4(raw.len())..)?)),
        None => long_str(value, len),
    }
}

/// [`unchanged_str`] for text of more than 32 bytes, or near the end of the buffer.
#[inline(never)]
fn long_str(value: &[u8], len: u32) -> Option<(&str, &[u8])> {
    let size = common::text_end(value, 8, len)?;
    let raw = value.get(8..8 + len as usize)?;
    if raw.first() == Some(&0xef) || memchr::memchr(0, raw).is_some() {
        return None;
    }
    Some((as_str(raw)?, value.get(size..)?))
}

/// Checks the text `raw` of a string field. `offset` is where it begins.
#[inline]
pub(crate) fn check(raw: &[u8], offset: usize, options: ReadOptions) -> Result<(), Error> {
    if options.is_strict() {
        if let Some(at) = memchr::memchr(0, raw) {
            return Err(Error::new(offset + at, ErrorKind::EmbeddedNul));
        }
        return check_rules(raw, offset, TextRules::Utf8);
    }
    // Every part of an ASCII text is valid, so it does not matter where the engine stops.
    if raw.is_ascii() {
        return Ok(());
    }
    check_engine_text(raw, offset, options.dialect().text_rules())
}

/// Checks the part of `raw` that the engine takes for its text.
fn check_engine_text(raw: &[u8], offset: usize, rules: TextRules) -> Result<(), Error> {
    let mark = if raw.starts_with(BOM) { BOM.len() } else { 0 };
    check_rules(engine_text(raw), offset + mark, rules)
}

/// Checks an element of a PackedStringArray. Engines write a NUL at the end of an element and count it in the
/// length (`docs/FORMAT.md` §3.4).
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
