//! What is left of a damaged layer.
//!
//! ```text
//! compressed file   the blocks that unpack; zeros for the others
//! gzip, zlib, zstd  what unpacks before the damage
//! encrypted file    all whole cipher blocks, whatever the checksum is
//! hex, base64       all digits; a character that is none counts as the digit 0
//! ```

use std::ops::Range;

#[cfg(feature = "encrypted")]
use gdvar_io::encrypted::decrypt_damaged;
use gdvar_io::{Envelope, FileErrorKind, compressed::Compressed, packed, sniff};
use gdvar_view::Dialect;

#[cfg(feature = "encrypted")]
use super::SecretKey;
use super::{LayerKind, PeelError};
use crate::{Encoding, Hints, TextLayout, container, dump, header, is_one_value, line};

/// A damaged layer, and what is left of its contents.
pub(super) struct DamagedLayer {
    pub(super) kind: LayerKind,
    pub(super) contents: Vec<u8>,
    /// The ranges of `contents` that are lost, in ascending order. `contents` has zeros there.
    pub(super) lost: Vec<Range<usize>>,
    pub(super) damage: PeelError,
}

impl DamagedLayer {
    fn new(kind: LayerKind, contents: Vec<u8>, damage: PeelError) -> DamagedLayer {
        DamagedLayer {
            kind,
            contents,
            lost: Vec::new(),
            damage,
        }
    }
}

/// Returns what is left of the container at the first byte, after it could not be removed because of `damage`. `None`
/// if nothing can be said about its contents.
///
/// # Errors
/// Returns [`PeelError::Locked`] if there is no key, and an error if the layer is larger than the limits allow.
pub(super) fn container(
    bytes: &[u8],
    damage: PeelError,
    hints: &Hints<'_>,
) -> Result<Option<DamagedLayer>, PeelError> {
    let limits = hints.limits(bytes.len());
    if let PeelError::Bytes(error) = &damage {
        let kind = error.kind();
        if matches!(
            kind,
            FileErrorKind::TooLong { .. } | FileErrorKind::OutOfMemory { .. }
        ) {
            return Err(damage);
        }
    }
    match sniff(bytes) {
        Envelope::Compressed { .. } => {
            let opened = Compressed::open(bytes, limits)?;
            let (mode, block_size) = (opened.mode(), opened.block_size());
            let kind = LayerKind::Compressed { mode, block_size };
            let mut left = DamagedLayer::new(kind, Vec::new(), damage);
            for (offset, piece) in opened.pieces() {
                // Offsets are below the length that the limits allow.
                let (end, offset) = (left.contents.len(), offset as usize);
                if offset > end {
                    left.lost.push(end..offset);
                    left.contents.resize(offset, 0);
                }
                left.contents.extend(piece);
            }
            Ok(Some(left))
        }
        #[cfg(feature = "encrypted")]
        form @ (Envelope::Encrypted3 | Envelope::Encrypted4) => {
            let key = hints.key.and_then(|ask| ask()).ok_or(PeelError::Locked)?;
            let contents = decrypt_damaged(bytes, &key, limits)?;
            let kind = LayerKind::Encrypted {
                is_godot4: form == Envelope::Encrypted4,
                key: SecretKey(key),
            };
            Ok(Some(DamagedLayer::new(kind, contents, damage)))
        }
        #[cfg(not(feature = "encrypted"))]
        Envelope::Encrypted3 | Envelope::Encrypted4 => Err(PeelError::Locked),
        Envelope::Project | Envelope::Script => Ok(None),
        Envelope::Other => {
            let Some(mode) = container::compression(bytes) else {
                return Ok(None);
            };
            let (contents, _) = packed::unpack_start(mode, bytes, limits);
            let kind = LayerKind::Packed { mode, size_len: 0 };
            Ok(Some(DamagedLayer::new(kind, contents, damage)))
        }
    }
}

/// Returns the contents of hex or base64 in which characters are wrong or missing. `None` unless the text is nearly all
/// digits, and values or a container start at the first of its bytes. As in undamaged text, each line may be a value of
/// its own; such text is no layer, unless it is one line with a wrong character.
pub(super) fn text(bytes: &[u8], hints: &Hints<'_>) -> Option<DamagedLayer> {
    /// The byte order mark that some editors put in front.
    const BOM: &[u8] = b"\xef\xbb\xbf";
    let is_given = hints.framing.is_some() || hints.skip.is_some();
    let marked = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let is_hex = match hints.encoding {
        Some(Encoding::Base64) => false,
        None if !is_given => is_nearly(marked, u8::is_ascii_hexdigit),
        _ => return None,
    };
    let is_digit = |byte: &u8| match is_hex {
        true => byte.is_ascii_hexdigit(),
        false => byte.is_ascii_alphanumeric() || b"+/-_".contains(byte),
    };
    if !is_nearly(marked, is_digit) {
        return None;
    }
    let (encoding, zero) = match is_hex {
        true => (Encoding::Hex, b'0'),
        false => (Encoding::Base64, b'A'),
    };
    let end = marked.trim_ascii_end().len();
    let padding = marked[..end].iter().rev().take_while(|byte| **byte == b'=');
    let digits_end = end - padding.count();
    let mended = |(at, byte): (usize, &u8)| match byte {
        byte if is_digit(byte) || byte.is_ascii_whitespace() || at >= digits_end => *byte,
        _ => zero,
    };
    let text: Vec<u8> = marked.iter().enumerate().map(mended).collect();
    let first = text.split(|byte| *byte == b'\n').next()?.trim_ascii();
    let is_value = match is_hex {
        true => line::from_hex(first),
        false => line::from_base64(first),
    };
    let wrong = marked.iter().zip(&text).position(|(old, new)| old != new);
    let is_changed = wrong.is_some() || marked.len() != bytes.len();
    let is_one = first.len() == text.trim_ascii().len();
    if is_value.is_ok_and(|value| is_one_value(&value)) && !(is_one && is_changed) {
        return None;
    }
    let digits = text[..digits_end].iter();
    let digits: Vec<u8> = digits.copied().filter(is_digit).collect();
    // A cut text may end with a half of a byte.
    let group = if is_hex { 2 } else { 4 };
    let (contents, shown) = match dump::decode(&digits, encoding) {
        Ok(contents) => (contents, &text[..]),
        Err(_) => {
            let whole = digits.len() - digits.len() % group;
            let mut left = text.iter().enumerate().filter(|(_, byte)| is_digit(byte));
            let end = left.nth(whole).map_or(text.len(), |(at, _)| at);
            (
                dump::decode(&digits[..whole], encoding).ok()?,
                text[..end].trim_ascii_end(),
            )
        }
    };
    let is_likely = hints.encoding.is_some()
        || container::starts(&contents)
        || header::starts_well(&contents, &Dialect::ALL);
    let before = &marked[..wrong.unwrap_or(0)];
    let line = before.split(|byte| *byte == b'\n').count();
    is_likely.then(|| {
        let kind = LayerKind::Text {
            encoding,
            is_lines: false,
            layout: TextLayout::of(shown, &contents),
        };
        DamagedLayer::new(kind, contents, PeelError::NotEncoded(encoding, line))
    })
}

/// Returns `true` if at most one in fifty bytes, or four, are neither digits nor white space.
fn is_nearly(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> bool {
    let others = text
        .iter()
        .filter(|byte| !is_digit(byte) && !byte.is_ascii_whitespace());
    text.len() >= 16 && others.count() <= (text.len() / 50).max(4)
}
