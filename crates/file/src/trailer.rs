//! Finds the game's own trailer: what follows the values, such as a checksum.
//!
//! `store_var(save); store_32(crc)` and `store_string(text.md5_text())` are common. If a checksum is read as one more
//! record, its length leads beyond the end of the file. The last record of a file that was cut does the same. Bytes
//! after the records are taken for a trailer if all of this is true:
//!
//! ```text
//! the records before it are whole, and the first one is a value
//! it is short                             4 to 64 bytes: a CRC-32 to a SHA-256 as text
//! it cannot be a record that was cut      a record has a length that is a multiple of four, then a type
//! it cannot be a record whose length is damaged, or a value without a length
//! ```
//!
//! Zeros after the records are a trailer of any length: `store_32(0)`, or space that was reserved. No record begins
//! in them, because no value has the length zero.

use std::ops::RangeInclusive;

use gdvar_view::{Dialect, Document, PrefixOrder, frames};

use crate::{Framing, is_value, options};

/// The possible lengths of a trailer that is not only zeros.
const LENGTHS: RangeInclusive<usize> = 4..=64;

/// The longest record that may have been cut right after its length. A checksum is a larger number in 255 of
/// 256 files.
const LONGEST_CUT: u32 = 16 << 20;

/// Returns the length of the trailer at the end of `bytes`, or 0 if there is none. `bytes` starts with the values, in
/// `framing`. `dialects` are the dialects that may have written the values. The function jumps from length to length,
/// and reads only the first record, if a trailer is possible. With [`Framing::Bare`], it reads the value once for each
/// dialect. Lines of text have no trailer.
#[must_use]
pub fn trailer_len(bytes: &[u8], framing: Framing, dialects: &[Dialect]) -> usize {
    let len = match framing {
        Framing::Bare => after_value(bytes, dialects),
        Framing::Len32 => after_records(bytes, PrefixOrder::Little, dialects),
        Framing::Len32Be => after_records(bytes, PrefixOrder::Big, dialects),
        Framing::Hex | Framing::Base64 => None,
    };
    len.unwrap_or(0)
}

/// Returns the length of the trailer after records; 0 if there is none. If `framing` is `None`,
/// tries both byte orders of lengths. See [`trailer_len`].
#[must_use]
pub fn find_trailer_len(bytes: &[u8], framing: Option<Framing>, dialects: &[Dialect]) -> usize {
    [Framing::Len32, Framing::Len32Be]
        .into_iter()
        .filter(|&one| framing.is_none_or(|known| known == one))
        .map(|one| trailer_len(bytes, one, dialects))
        .find(|&len| len > 0)
        // The zeros may belong to a value without a length, such as Rect2i(1, 0, 0, 0).
        .filter(|len| {
            framing.is_some()
                || !is_unused(&bytes[bytes.len() - len..])
                || !is_value(bytes, dialects)
        })
        .unwrap_or(0)
}

/// Returns the trailer's length after the last whole record, if the first one is a value.
fn after_records(bytes: &[u8], order: PrefixOrder, dialects: &[Dialect]) -> Option<usize> {
    let mut all = frames(bytes, order);
    let first = all.try_next().ok()??;
    let mut end = 0;
    let mut frame = first;
    // Records of length zero do not count, and there may be gigabytes of zeros.
    while !frame.is_cut() && !frame.bytes.is_empty() {
        end = frame.offset + frame.bytes.len();
        match all.try_next() {
            Ok(Some(next)) => frame = next,
            Ok(None) | Err(_) => break,
        }
    }
    let trailer = &bytes[end..];
    let is_checksum = || {
        LENGTHS.contains(&trailer.len())
            && !may_be_record(trailer, order, dialects)
            && !starts_value(trailer, dialects)
    };
    let is_first_value = || is_value(first.bytes, dialects);
    // Zeros are counted last: there may be gigabytes of them after what is no value.
    let is_trailer = || match trailer.starts_with(&[0; 4]) {
        true => is_first_value() && (is_unused(trailer) || is_checksum()),
        false => is_checksum() && is_first_value(),
    };
    (end > 0 && is_trailer()).then_some(trailer.len())
}

/// Returns `true` if `rest` is only zeros, and long enough for the length of a record. No record begins in such bytes.
fn is_unused(rest: &[u8]) -> bool {
    rest.len() >= 4 && rest.iter().all(|byte| *byte == 0)
}

/// Returns the trailer's length after the value that starts at the first byte.
fn after_value(bytes: &[u8], dialects: &[Dialect]) -> Option<usize> {
    dialects.iter().find_map(|&dialect| {
        let end = Document::with_options(bytes, options(dialect)).validate();
        let trailer = bytes.get(end.ok()?..)?;
        let is_trailer = LENGTHS.contains(&trailer.len()) && !starts_value(trailer, dialects);
        is_trailer.then_some(trailer.len())
    })
}

/// Returns `true` if `trailer` may be the start of a record that was cut, or a record with a damaged length.
fn may_be_record(trailer: &[u8], order: PrefixOrder, dialects: &[Dialect]) -> bool {
    let Some((len, value)) = trailer.split_first_chunk() else {
        return true;
    };
    let len = match order {
        PrefixOrder::Little => u32::from_le_bytes(*len),
        PrefixOrder::Big => u32::from_be_bytes(*len),
    };
    match value.len() {
        0..4 => len % 4 == 0 && len <= LONGEST_CUT,
        // A null is complete, so a record that was cut does not start with one: store_64(hash) looks like this.
        // A record whose bytes never reached the disk is zeros, too.
        _ if value.iter().all(|byte| *byte == 0) => len % 4 == 0 && len <= LONGEST_CUT,
        _ => starts_value(value, dialects),
    }
}

/// Engines set only these bits of a header: the type, and flags.
const HEADER_BITS: u32 = 0x000f_00ff;

/// Returns `true` if a value starts at the first byte, in one of `dialects` and in the form that an engine writes.
fn starts_value(bytes: &[u8], dialects: &[Dialect]) -> bool {
    let header = bytes
        .first_chunk()
        .map(|header| u32::from_le_bytes(*header));
    if header.is_some_and(|header| header & !HEADER_BITS != 0) {
        return false;
    }
    dialects.iter().any(|&dialect| {
        let mut events = Document::with_options(bytes, options(dialect)).events();
        match events.try_next() {
            Ok(_) => true,
            Err(error) => error.is_truncated(),
        }
    })
}
